//! Pixels as a PNG file (ISO/IEC 15948).

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];
/// Eight bits of red, green and blue; the only ways to compress, to filter and not to interlace.
const RGB8: [u8; 5] = [8, 2, 0, 0, 0];
/// Every byte less the one above it: figures are mostly made of areas and upright edges.
const UP: u8 = 2;

/// A file of rows of three bytes a pixel.
pub(crate) fn encode(width: u32, height: u32, rgb: &[u8]) -> Vec<u8> {
    let mut file = SIGNATURE.to_vec();
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend(RGB8);
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &compressed(width as usize, rgb));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn compressed(width: usize, rgb: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut above = vec![0; 3 * width];
    for row in rgb.chunks_exact(3 * width) {
        let less: Vec<u8> = row.iter().zip(&above).map(|(own, above)| own.wrapping_sub(*above)).collect();
        // Writing to memory cannot fail.
        let _ = encoder.write_all(&[UP]).and_then(|()| encoder.write_all(&less));
        above.copy_from_slice(row);
    }
    encoder.finish().unwrap_or_default()
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let content = [kind, data].concat();
    let mut crc = Crc::new();
    crc.update(&content);
    file.extend(content);
    file.extend(crc.sum().to_be_bytes());
}
