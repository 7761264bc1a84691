//! What the header of a Parquet page says about the page's size.
//!
//! A header is a structure in Thrift's compact protocol (parquet-format, `PageHeader`): fields 1 type, 2 uncompressed size,
//! 3 compressed size, 8 the header of a data page of version 2, in which 5 and 6 are the lengths of its levels, which are not
//! compressed, and 7 says whether the rest is.

use std::io::Read;

/// Structures in structures that a page header may have.
const DEEPEST: usize = 8;

/// The sizes of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageHeader {
    /// Bytes after decompression.
    pub uncompressed: u64,
    /// Bytes at its beginning that are not compressed.
    pub levels: usize,
    /// Whether the rest is.
    pub is_compressed: bool,
}

/// Reads a page header; `None` if it is none.
pub(super) fn page_header(input: &mut impl Read) -> Option<PageHeader> {
    let mut header = PageHeader { uncompressed: 0, levels: 0, is_compressed: true };
    let mut uncompressed = None;
    structure(input, &mut |path, value| match *path {
        [2] => uncompressed = Some(value),
        [8, 5 | 6] => header.levels = header.levels.saturating_add(usize::try_from(value).unwrap_or(usize::MAX)),
        [8, 7] => header.is_compressed = value != 0,
        _ => {}
    })?;
    header.uncompressed = u64::try_from(uncompressed?).ok()?;
    Some(header)
}

/// Walks the fields of a structure and of those in it; `number` hears of every number and truth value with its path.
fn structure(input: &mut impl Read, number: &mut dyn FnMut(&[i64], i64)) -> Option<()> {
    // The id of the last field read of every open structure.
    let mut path = vec![0i64];
    while let Some(last) = path.last_mut() {
        let head = byte(input)?;
        let kind = head & 0xf;
        if kind == 0 {
            path.pop();
            continue;
        }
        *last = match i64::from(head >> 4) {
            0 => zigzag(varint(input)?),
            step => last.checked_add(step)?,
        };
        match kind {
            1 => number(&path, 1),
            2 => number(&path, 0),
            3 => drop(byte(input)?),
            4..=6 => number(&path, zigzag(varint(input)?)),
            7 => skip(input, 8)?,
            8 => {
                let length = varint(input)?;
                skip(input, length)?;
            }
            12 if path.len() < DEEPEST => path.push(0),
            // Page headers have no lists, sets or maps.
            _ => return None,
        }
    }
    Some(())
}

fn byte(input: &mut impl Read) -> Option<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte).ok()?;
    Some(byte[0])
}

fn skip(input: &mut impl Read, bytes: u64) -> Option<()> {
    let skipped = std::io::copy(&mut input.take(bytes), &mut std::io::sink()).ok()?;
    (skipped == bytes).then_some(())
}

fn varint(input: &mut impl Read) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let next = byte(input)?;
        value |= u64::from(next & 0x7f) << shift;
        if next & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn zigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_both_versions() {
        // Written by hand after the Thrift compact protocol: field header, then a zigzag variable-length integer.
        let first = [0x15, 0x00, 0x15, 0xc8, 0x01, 0x15, 0x64, 0x2c, 0x15, 0x0a, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0];
        let found = page_header(&mut &first[..]).unwrap();
        assert_eq!(found, PageHeader { uncompressed: 100, levels: 0, is_compressed: true });
        let second = [
            0x15, 0x06, 0x15, 0xc8, 0x01, 0x15, 0x64, 0x5c, 0x15, 2, 0x15, 2, 0x15, 2, 0x15, 0, 0x15, 4, 0x15, 6, 0x12,
            0, 0,
        ];
        let found = page_header(&mut &second[..]).unwrap();
        assert_eq!(found, PageHeader { uncompressed: 100, levels: 5, is_compressed: false });
    }

    #[test]
    fn nonsense_is_no_header() {
        for nonsense in [&[][..], &[0], &[0x15], &[0x15, 0xff], &[0x25, 0x01, 0], &[0x1c; 100], &[0x19, 0x15]] {
            assert_eq!(page_header(&mut &nonsense[..]), None, "{nonsense:?}");
        }
    }
}
