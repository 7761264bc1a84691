//! Compressed pages, made long again. The decoder would do it too, but beyond the size that a page declares, with the compressing half of
//! the libraries linked in, and for zstd by one in C, for which WebAssembly has no compiler.

use super::page_header::PageHeader;
use super::pages::damaged;
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;
use parquet::errors::Result;
use parquet::file::metadata::ColumnChunkMetaData;
use std::io::Read;

/// A column chunk as the decoder is to see it: without a compression that is undone here.
pub(super) fn without_compression(chunk: &ColumnChunkMetaData) -> Result<ColumnChunkMetaData> {
    let chunk = chunk.clone();
    match chunk.compression() {
        Compression::GZIP(_) | Compression::BROTLI(_) | Compression::ZSTD(_) => {
            chunk.into_builder().set_compression(Compression::UNCOMPRESSED).build()
        }
        _ => Ok(chunk),
    }
}

/// A page as the decoder is to see it; one that is expanded here has exactly the size that its header declares.
pub(super) fn expanded(content: Bytes, compression: Compression, header: PageHeader) -> Result<Bytes> {
    if !header.is_compressed {
        return Ok(content);
    }
    let size = usize::try_from(header.uncompressed).unwrap_or(usize::MAX);
    let split = content.split_at_checked(header.levels).filter(|_| header.levels <= size);
    let (levels, values) = split.ok_or_else(|| damaged("a page is shorter than its levels"))?;
    // A page without values may have nothing after its levels.
    if levels.len() == size {
        return Ok(content.slice(..size));
    }
    let decoder: Box<dyn Read + '_> = match compression {
        Compression::GZIP(_) => Box::new(MultiGzDecoder::new(values)),
        #[cfg(feature = "parquet-brotli")]
        Compression::BROTLI(_) => Box::new(brotli_decompressor::Decompressor::new(values, 4096)),
        #[cfg(feature = "parquet-zstd")]
        Compression::ZSTD(_) => Box::new(zstd(values)?),
        _ => return Ok(content),
    };
    let mut page = levels.to_vec();
    let room = size - levels.len();
    decoder.take(room as u64 + 1).read_to_end(&mut page).map_err(|error| damaged(&format!("a page: {error}")))?;
    match page.len() {
        found if found > size => Err(damaged("a page is larger than it declares")),
        found if found < size => Err(damaged("a page is smaller than it declares")),
        _ => Ok(page.into()),
    }
}

/// Its window, which is memory that is taken, has a limit of its own (128 MB).
#[cfg(feature = "parquet-zstd")]
fn zstd(values: &[u8]) -> Result<impl Read + '_> {
    ruzstd::decoding::StreamingDecoder::new(values).map_err(|error| damaged(&format!("a page: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression as Level, write::GzEncoder};
    use parquet::basic::GzipLevel;
    use std::io::Write;

    fn gzip(bytes: usize) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Level::default());
        encoder.write_all(&vec![b'a'; bytes]).unwrap();
        encoder.finish().unwrap()
    }

    fn page(content: &[u8], compression: Compression, uncompressed: u64, levels: usize) -> Result<Bytes> {
        expanded(content.to_vec().into(), compression, PageHeader { uncompressed, levels, is_compressed: true })
    }

    fn told(content: &[u8], compression: Compression, uncompressed: u64, levels: usize) -> String {
        page(content, compression, uncompressed, levels).unwrap_err().to_string()
    }

    /// A hundred times the letter a and many more of them, in the compressions that can be made here or are short.
    fn all() -> Vec<(Compression, Vec<u8>, Vec<u8>)> {
        let gzipped = Compression::GZIP(GzipLevel::default());
        [
            Some((gzipped, gzip(100), gzip(150_000))),
            #[cfg(feature = "parquet-zstd")]
            Some((Compression::ZSTD(Default::default()), ZSTD_HUNDRED.to_vec(), ZSTD_MANY.to_vec())),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    // By zstd 1.5 at its default level.
    #[cfg(feature = "parquet-zstd")]
    const ZSTD_HUNDRED: [u8; 17] =
        [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x64, 0x45, 0, 0, 0x10, 0x61, 0x61, 0x01, 0, 0x3f, 0x01, 0x2c];
    #[cfg(feature = "parquet-zstd")]
    const ZSTD_MANY: [u8; 20] =
        [0x28, 0xb5, 0x2f, 0xfd, 0x60, 0x50, 0xc2, 0x55, 0, 0, 0x10, 0x61, 0x61, 0x01, 0, 0x4b, 0x43, 0x1d, 0x60, 0x01];

    #[test]
    fn levels_are_kept_and_the_rest_is_expanded() {
        for (compression, hundred, _) in all() {
            assert_eq!(page(&hundred, compression, 100, 0).unwrap(), vec![b'a'; 100]);
            let with_levels = [b"xyz".as_slice(), &hundred].concat();
            let expected = [b"xyz".as_slice(), &[b'a'; 100]].concat();
            assert_eq!(page(&with_levels, compression, 103, 3).unwrap(), expected);
            // Levels and no values.
            assert_eq!(page(b"xyz", compression, 3, 3).unwrap(), b"xyz".as_slice());
        }
    }

    #[test]
    fn pages_are_held_to_what_they_declare() {
        for (compression, hundred, many) in all() {
            assert!(told(&many, compression, 100, 0).contains("a page is larger than it declares"));
            assert!(told(&hundred, compression, 101, 0).contains("a page is smaller than it declares"));
            assert!(told(&hundred, compression, 2, 3).contains("a page is shorter than its levels"));
            assert!(told(&hundred, compression, 100, 1000).contains("a page is shorter than its levels"));
            assert!(told(&hundred[..12], compression, 100, 0).contains("a page"));
            assert!(told(b"nothing of the kind", compression, 100, 0).contains("a page: "));
        }
    }

    #[cfg(feature = "parquet-brotli")]
    #[test]
    fn pages_of_brotli_too() {
        // 'a' repeated a million times, by make_parquet.py.
        let million = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/million.br")).unwrap();
        let compression = Compression::BROTLI(parquet::basic::BrotliLevel::default());
        assert!(told(&million, compression, 1000, 0).contains("larger than it declares"));
        assert_eq!(page(&million, compression, 1_000_000, 0).unwrap(), vec![b'a'; 1_000_000]);
    }
}
