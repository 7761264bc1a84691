//! How much a page takes on.

use gpclass_table::Limits;

/// Bytes of memory that a fit may take: half of what WebAssembly can address, because the table, the model and the report need
/// room as well.
pub const MEMORY: f64 = (2_u64 << 30) as f64;

/// Largest file that is read, in bytes.
pub const FILE_BYTES: u64 = 256 << 20;

/// For tables, as they are read.
pub(crate) fn of_tables() -> Limits {
    Limits {
        file_bytes: FILE_BYTES,
        decoded_bytes: 2 * FILE_BYTES,
        rows: 1_000_000,
        columns: 20_000,
        cells: 50_000_000,
        table_bytes: 1 << 29,
        ..Limits::default()
    }
}
