//! How much of a table is read at most.

/// Bounds on memory and time, whatever the bytes of a table are. Exceeding one is an error that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest file opened, in bytes as stored. Default 4 GiB.
    pub file_bytes: u64,
    /// Most bytes after decompression, blank lines included. Default 8 GiB.
    pub decoded_bytes: u64,
    /// Most rows. Default 10 million.
    pub rows: u64,
    /// Most columns. Default 1 million.
    pub columns: usize,
    /// Most cells of a table read at once. Default 500 million.
    pub cells: u64,
    /// Most memory that a table read at once may take, in bytes. Default 2 GiB.
    pub table_bytes: usize,
    /// Most memory for cells that are kept from the first look at a file, in bytes; a file that has more is read a second time.
    /// Default 64 MiB.
    pub kept_bytes: usize,
    /// Longest record, and longest stretch of blank lines, in bytes. Default 16 MiB.
    pub record_bytes: usize,
    /// Largest page of a Parquet file after decompression, in bytes. Default 256 MiB.
    pub page_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            file_bytes: 4 << 30,
            decoded_bytes: 8 << 30,
            rows: 10_000_000,
            columns: 1_000_000,
            cells: 500_000_000,
            table_bytes: 2 << 30,
            kept_bytes: 64 << 20,
            record_bytes: 16 << 20,
            page_bytes: 256 << 20,
        }
    }
}

impl Limits {
    /// For tables of any length, of which a part is in memory at a time: memory stays bounded, the number of rows and bytes does
    /// not.
    pub fn streaming() -> Self {
        Limits { file_bytes: u64::MAX, decoded_bytes: u64::MAX, rows: u64::MAX, cells: u64::MAX, ..Limits::default() }
    }
}
