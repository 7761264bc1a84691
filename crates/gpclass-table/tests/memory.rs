//! Memory that reading takes: of a file that is read twice that of its values, and hardly more.

use cap::Cap;
use gpclass_table::{Draw, KindOptions, Limits, TableOptions, TableReader};
use std::alloc::System;
use std::io::{BufWriter, Write};
use tempfile::NamedTempFile;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

const ROWS: usize = 300_000;

/// What blocks and buffers, levels that are counted and the like take.
const BESIDES: f64 = (14 << 20) as f64;

/// Reads and gives the most memory that was in use at once, beyond what was before.
fn peak(file: &NamedTempFile, kept_bytes: usize, draw: Option<Draw>) -> (f64, f64) {
    let limits = Limits { kept_bytes, ..Limits::streaming() };
    let options = TableOptions { limits, ..TableOptions::default() };
    let kinds = KindOptions { label: Some("y".to_owned()), ..KindOptions::default() };
    let before = ALLOCATOR.allocated();
    let survey = TableReader::open(file.path(), options).unwrap().survey(&kinds).unwrap();
    let row = survey.row_bytes();
    let table = survey.read(draw).unwrap();
    assert_eq!(table.places.numbers.len(), draw.map_or(ROWS, |draw| draw.rows as usize));
    ((ALLOCATOR.max_allocated() - before) as f64, row)
}

/// One test, because the allocator knows only one peak: from the least to the most.
#[test]
fn values_take_memory_and_cells_do_not() {
    let mut file = NamedTempFile::new().unwrap();
    let mut writer = BufWriter::new(&mut file);
    writeln!(writer, "a,b,c,d,e,group,y").unwrap();
    for i in 0..ROWS {
        let x = |j: usize| ((i * (2 * j + 7)) % 99_991) as f64 / 17.0;
        let (group, y) = (["north", "south", "east"][i % 3], i % 2);
        writeln!(writer, "{:.6},{:.6},{:.6},{:.6},{:.6},{group},{y}", x(1), x(2), x(3), x(4), x(5)).unwrap();
    }
    writer.flush().unwrap();
    drop(writer);
    let (drawn, _) = peak(&file, 0, Some(Draw { rows: 10_000, seed: 1 }));
    assert!(drawn < BESIDES, "{drawn}");
    let (twice, row) = peak(&file, 0, None);
    assert!((row - 56.0).abs() < 0.01, "{row}");
    assert!(twice < row * ROWS as f64 + BESIDES, "{twice}");
    // The bound says something: with all cells in memory it does not hold.
    let (kept, _) = peak(&file, usize::MAX, None);
    assert!(kept > 1.2 * (row * ROWS as f64 + BESIDES), "{kept}");
}
