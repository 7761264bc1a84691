//! Parquet files written by another program (tests/data/make_parquet.py), whole and damaged.
#![cfg(feature = "parquet")]

use cap::Cap;
use gpclass::data::{Column, ColumnKind, ColumnValues};
use gpclass_table::{ColumnRequest, KindOptions, Limits, TableError, TableOptions, TableReader, WholeTable};
use proptest::prelude::*;
use std::alloc::System;
use std::path::{Path, PathBuf};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Peak allowed for the whole process, however large the sizes that a damaged file declares.
const MEMORY_BOUND: usize = 256 << 20;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn read(path: &Path) -> Result<WholeTable, TableError> {
    TableReader::open(path, TableOptions::default())?.read_all(&KindOptions::default())
}

fn message(name: &str) -> String {
    read(&data(name)).expect_err("must fail").to_string()
}

/// Numbers with NaN shown as -999, for comparison.
fn numbers(table: &WholeTable, name: &str) -> Vec<f64> {
    match &column(table, name).values {
        ColumnValues::Continuous(v) => v.iter().map(|x| if x.is_nan() { -999.0 } else { *x }).collect(),
        ColumnValues::Discrete(_) => panic!("{name} is text"),
        ColumnValues::Dates(_) => panic!("{name} is dates"),
    }
}

fn days(table: &WholeTable, name: &str) -> Vec<f64> {
    match &column(table, name).values {
        ColumnValues::Dates(v) => v.iter().map(|x| if x.is_nan() { -999.0 } else { *x }).collect(),
        ColumnValues::Continuous(_) | ColumnValues::Discrete(_) => panic!("{name} is no dates"),
    }
}

fn texts(table: &WholeTable, name: &str) -> Vec<String> {
    match &column(table, name).values {
        ColumnValues::Discrete(v) => v.iter().map(|x| x.unwrap_or("-").to_owned()).collect(),
        ColumnValues::Continuous(_) | ColumnValues::Dates(_) => panic!("{name} is numbers"),
    }
}

fn column<'a>(table: &'a WholeTable, name: &str) -> &'a Column {
    table.columns.iter().find(|c| c.name == name).expect("column")
}

/// The compressions of this build.
fn compressions() -> Vec<&'static str> {
    let mut list = vec!["snappy", "gzip", "lz4", "none"];
    if cfg!(feature = "parquet-brotli") {
        list.push("brotli");
    }
    if cfg!(feature = "parquet-zstd") {
        list.push("zstd");
    }
    list
}

#[test]
fn every_type_and_compression() {
    for compression in compressions() {
        let table = read(&data(&format!("types_{compression}.parquet"))).unwrap();
        assert_eq!(table.places.numbers, [1, 2, 3, 4, 5]);
        assert_eq!(numbers(&table, "integer"), [1.0, -999.0, -3.0, 4.0, 5.0]);
        assert_eq!(numbers(&table, "byte"), [0.0, 255.0, 7.0, -999.0, 9.0]);
        assert_eq!(numbers(&table, "huge"), [0.0, u64::MAX as f64, 7.0, 8.0, 9.0]);
        assert_eq!(numbers(&table, "double"), [0.1, 2.5, -999.0, -1e300, 5.0]);
        assert_eq!(numbers(&table, "half"), [1.0, -2.0, 0.5, 65504.0, 0.0]);
        assert_eq!(texts(&table, "text"), ["red", "blue", "-", "-", "grün"]);
        assert_eq!(texts(&table, "category"), ["a", "b", "a", "b", "-"]);
        assert_eq!(texts(&table, "flag"), ["true", "false", "-", "true", "false"]);
        assert_eq!(numbers(&table, "money"), [1.25, -999.0, -3.5, 0.0, 99.99]);
        assert_eq!(days(&table, "day"), [1.0, 10957.0, -999.0, -1.0, 0.0]);
        assert_eq!(days(&table, "moment"), [1.5 / 86_400.0; 5]);
    }
}

#[test]
fn dates_are_what_is_asked_for() {
    let read = |kinds: KindOptions| {
        TableReader::open(&data("types_none.parquet"), TableOptions::default()).unwrap().read_all(&kinds).unwrap()
    };
    let both = || vec!["day".to_owned(), "moment".to_owned()];
    let table = read(KindOptions { continuous: both(), ..KindOptions::default() });
    assert_eq!(numbers(&table, "day"), [1.0, 10957.0, -999.0, -1.0, 0.0]);
    // Seconds, as models of earlier versions have them.
    assert!(numbers(&table, "moment").iter().all(|seconds| (seconds - 1.5).abs() < 1e-9));
    let table = read(KindOptions { discrete: both(), ..KindOptions::default() });
    assert_eq!(texts(&table, "day"), ["1970-01-02", "2000-01-01", "-", "1969-12-31", "1970-01-01"]);
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
        let ColumnValues::Discrete(v) = &block.columns[0].values else { panic!("text asked for") };
        names.extend(v.iter().map(|text| text.map(str::to_owned)));
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
    for codec in ["zstd", "brotli"] {
        if !compressions().contains(&codec) {
            let error = message(&format!("types_{codec}.parquet"));
            assert!(error.contains(&format!("is compressed by {codec}")), "{error}");
        }
    }
}

fn read_bytes(content: &[u8]) -> Result<WholeTable, TableError> {
    TableReader::from_memory(content.to_vec(), "f", TableOptions::default())?.read_all(&KindOptions::default())
}

#[test]
fn files_and_memory_hold_the_same() {
    let path = data("types_snappy.parquet");
    let (from_file, from_memory) = (read(&path).unwrap(), read_bytes(&std::fs::read(path).unwrap()).unwrap());
    // As text, because missing numbers are not equal to themselves.
    assert_eq!(format!("{:?}", from_file.columns), format!("{:?}", from_memory.columns));
    let content = std::fs::read(data("types_snappy.parquet")).unwrap();
    let stream = TableReader::from_stream(std::io::Cursor::new(content), "a pipe", TableOptions::default());
    let error = stream.err().unwrap().to_string();
    assert_eq!(error, "Parquet cannot be read from a pipe, because it is read from its end; give a file name");
}

/// 200 million rows in two kilobytes: the footer is believed, and nothing is decoded.
#[test]
fn the_footer_is_believed_before_anything_is_decoded() {
    let error = message("many_rows.parquet");
    assert!(error.contains("has 200000000 rows, more than the limit of 10000000; fit on a sample"), "{error}");
    let limits = Limits { rows: u64::MAX, cells: 1_000_000, ..Limits::default() };
    let options = TableOptions { limits, ..TableOptions::default() };
    let reader = TableReader::open(&data("many_rows.parquet"), options).unwrap();
    let error = reader.read_all(&KindOptions::default()).unwrap_err().to_string();
    assert!(error.contains("has 400000000 cells, more than the limit of 1000000"), "{error}");
}

/// Files of a few kilobytes that decode to gigabytes are refused, and memory stays within the limits.
#[test]
fn decoded_bytes_are_limited() {
    let read = |name: &str, limits: Limits| {
        let options = TableOptions { limits, ..TableOptions::default() };
        let table = TableReader::open(&data(name), options).and_then(|r| r.read_all(&KindOptions::default()));
        table.expect_err("must fail").to_string()
    };
    let limits = Limits { table_bytes: 50 << 20, page_bytes: 32 << 20, ..Limits::default() };
    let error = read("long_strings.parquet", limits);
    assert!(error.contains("needs more than 52428800 bytes of memory"), "{error}");
    let error = read("shared_strings.parquet", limits);
    assert!(error.contains("a page of strings that share beginnings has"), "{error}");
    let error = read("shared_strings.parquet", Limits { page_bytes: 1 << 20, ..limits });
    assert!(error.contains("bytes is larger than 1048576"), "{error}");
    let error = read("long_strings.parquet", Limits { decoded_bytes: 100_000, ..limits });
    assert!(error.contains("holds more than 100000 bytes once decompressed"), "{error}");
    assert!(ALLOCATOR.max_allocated() < MEMORY_BOUND, "peak of {} bytes", ALLOCATOR.max_allocated());
}

/// A row limit that is met while the file is read block by block.
#[test]
fn blocks_count_towards_the_row_limit() {
    let limits = Limits { rows: 20_000, ..Limits::default() };
    let options = TableOptions { limits, ..TableOptions::default() };
    let mut reader = TableReader::open(&data("many_rows.parquet"), options).unwrap();
    let request = ColumnRequest { name: "a".to_owned(), kind: ColumnKind::Continuous };
    let selection = reader.select(&[request], "model").unwrap();
    let mut rows = 0;
    let error = loop {
        match reader.next_block(&selection, 10_000) {
            Ok(Some(block)) => rows += block.rows(),
            Ok(None) => panic!("there are more rows"),
            Err(error) => break error,
        }
    };
    assert!(rows <= 20_000 && error.to_string().contains("more than 20000 rows"), "{rows}: {error}");
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
        compression in prop::sample::select(compressions()),
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
