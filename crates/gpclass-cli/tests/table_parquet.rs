//! Parquet files written by another program (tests/data/make_parquet.py), whole and damaged.
#![cfg(feature = "parquet")]

use cap::Cap;
use gpclass_cli::table::{
    ColumnKind, ColumnRequest, KindOptions, RawTable, RawValues, TableError, TableOptions, TableReader,
};
use proptest::prelude::*;
use std::alloc::System;
use std::io::Write;
use std::path::{Path, PathBuf};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Peak allowed for the whole process, however large the sizes that a damaged file declares.
const MEMORY_BOUND: usize = 256 << 20;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn read(path: &Path) -> Result<RawTable, TableError> {
    TableReader::open(path, TableOptions::default())?.read_all(&KindOptions::default())
}

fn message(name: &str) -> String {
    read(&data(name)).expect_err("must fail").to_string()
}

/// Numbers with NaN shown as -999, for comparison.
fn numbers(table: &RawTable, name: &str) -> Vec<f64> {
    match &column(table, name).values {
        RawValues::Numbers(v) => v.iter().map(|x| if x.is_nan() { -999.0 } else { *x }).collect(),
        RawValues::Text(_) => panic!("{name} is text"),
    }
}

fn texts(table: &RawTable, name: &str) -> Vec<String> {
    match &column(table, name).values {
        RawValues::Text(v) => v.iter().map(|x| x.clone().unwrap_or("-".to_owned())).collect(),
        RawValues::Numbers(_) => panic!("{name} is numbers"),
    }
}

fn column<'a>(table: &'a RawTable, name: &str) -> &'a gpclass_cli::table::RawColumn {
    table.columns.iter().find(|c| c.name == name).expect("column")
}

#[test]
fn every_type_and_compression() {
    for compression in ["snappy", "gzip", "lz4", "none"] {
        let table = read(&data(&format!("types_{compression}.parquet"))).unwrap();
        assert_eq!(table.lines, [1, 2, 3, 4, 5]);
        assert_eq!(numbers(&table, "integer"), [1.0, -999.0, -3.0, 4.0, 5.0]);
        assert_eq!(numbers(&table, "byte"), [0.0, 255.0, 7.0, -999.0, 9.0]);
        assert_eq!(numbers(&table, "huge"), [0.0, u64::MAX as f64, 7.0, 8.0, 9.0]);
        assert_eq!(numbers(&table, "double"), [0.1, 2.5, -999.0, -1e300, 5.0]);
        assert_eq!(numbers(&table, "half"), [1.0, -2.0, 0.5, 65504.0, 0.0]);
        assert_eq!(texts(&table, "text"), ["red", "blue", "-", "-", "grün"]);
        assert_eq!(texts(&table, "category"), ["a", "b", "a", "b", "-"]);
        assert_eq!(texts(&table, "flag"), ["true", "false", "-", "true", "false"]);
        assert_eq!(numbers(&table, "money"), [1.25, -999.0, -3.5, 0.0, 99.99]);
        assert_eq!(numbers(&table, "day"), [1.0, 10957.0, -999.0, -1.0, 0.0]);
        assert_eq!(numbers(&table, "moment"), [1.5; 5]);
    }
}

#[test]
fn blocks_of_chosen_columns() {
    let mut reader = TableReader::open(&data("types_snappy.parquet"), TableOptions::default()).unwrap();
    let request = |name: &str, kind| ColumnRequest { name: name.to_owned(), kind };
    let wanted = [request("integer", ColumnKind::Discrete), request("double", ColumnKind::Continuous)];
    let selection = reader.select(&wanted, "model").unwrap();
    let (mut rows, mut names) = (0, Vec::new());
    while let Some(block) = reader.next_block(&selection, 1).unwrap() {
        rows += block.rows();
        let RawValues::Text(v) = &block.columns[0].values else { panic!("text asked for") };
        names.extend(v.clone());
    }
    assert_eq!(rows, 5);
    let expected = [Some("1"), None, Some("-3"), Some("4"), Some("5")];
    assert_eq!(names, expected.map(|v| v.map(str::to_owned)));
    let text = reader.select(&[request("text", ColumnKind::Continuous)], "model").unwrap();
    let mut reader = TableReader::open(&data("types_snappy.parquet"), TableOptions::default()).unwrap();
    let error = reader.next_block(&text, 5).unwrap_err().to_string();
    assert!(error.contains("row 1, column 'text': 'red' is not a number"), "{error}");
}

#[test]
fn files_that_cannot_be_used() {
    assert!(message("nested.parquet").contains("holds nested values"));
    assert!(message("no_rows.parquet").contains("has a header but no rows"));
    #[cfg(not(feature = "parquet-zstd"))]
    assert!(message("types_zstd.parquet").contains("is compressed by zstd"), "{}", message("types_zstd.parquet"));
}

fn read_bytes(content: &[u8]) -> Result<RawTable, TableError> {
    let mut file = tempfile::NamedTempFile::new().expect("temporary file");
    file.write_all(content).expect("written");
    read(file.path())
}

#[test]
fn truncated_files_are_damaged_files() {
    let whole = std::fs::read(data("types_snappy.parquet")).unwrap();
    for length in [4, 8, 100, whole.len() / 2, whole.len() - 1] {
        let error = read_bytes(&whole[..length]).unwrap_err();
        assert!(matches!(error, TableError::CorruptParquet { .. }), "{length}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_bytes_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        compression in prop::sample::select(vec!["snappy", "gzip", "lz4", "none"]),
    ) {
        let mut content = std::fs::read(data(&format!("types_{compression}.parquet"))).unwrap();
        for (at, value) in edits {
            let at = 4 + at.index(content.len() - 4);
            content[at] = value;
        }
        if let Err(error) = read_bytes(&content) {
            prop_assert!(!error.to_string().contains('\n'), "{}", error);
        }
        prop_assert!(ALLOCATOR.max_allocated() < MEMORY_BOUND, "peak of {} bytes", ALLOCATOR.max_allocated());
    }
}
