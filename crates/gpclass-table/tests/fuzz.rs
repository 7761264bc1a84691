//! The table reader on arbitrary and damaged bytes: no panic, and memory within a bound, whatever comes.

use cap::Cap;
use flate2::{Compression, write::GzEncoder};
use gpclass::data::ColumnKind;
use gpclass_table::{ColumnRequest, KindOptions, Limits, TableOptions, TableReader};
use proptest::prelude::*;
use std::alloc::System;
use std::io::Write;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Peak allowed for the whole process. Inputs here are at most some ten kilobytes, except the endless ones, which the
/// record limit must stop.
const MEMORY_BOUND: usize = 64 << 20;

const RECORD_LIMIT: usize = 4096;

fn options(sample_bytes: usize) -> TableOptions {
    let limits = Limits { record_bytes: RECORD_LIMIT, ..Limits::default() };
    TableOptions { limits, sample_bytes, ..TableOptions::default() }
}

/// Reads the bytes in every way there is; errors are fine, but must be one line.
fn exercise(content: &[u8], sample_bytes: usize) {
    let open = || TableReader::from_memory(content.to_vec(), "f", options(sample_bytes));
    if let Err(error) = open().and_then(|reader| reader.read_all(&KindOptions::default())) {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    let Ok(mut reader) = open() else { return };
    let requests: Vec<ColumnRequest> =
        reader.schema().into_iter().map(|c| ColumnRequest { name: c.name, kind: c.kind }).collect();
    let selection = reader.select(&requests, "test").expect("own names exist");
    while let Ok(Some(block)) = reader.next_block(&selection, 7) {
        assert!(block.rows() <= 7 && block.columns.len() == requests.len());
    }
    assert!(ALLOCATOR.max_allocated() < MEMORY_BOUND, "peak of {} bytes", ALLOCATOR.max_allocated());
}

fn exercise_file(content: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().expect("temporary file");
    file.write_all(content).expect("written");
    let read = |kept_bytes: usize| {
        let usual = options(512);
        let limits = Limits { kept_bytes, ..usual.limits };
        let reader = TableReader::open(file.path(), TableOptions { limits, ..usual });
        format!("{:?}", reader.and_then(|reader| reader.read_all(&KindOptions::default())))
    };
    // Whether the cells are kept or read again makes no difference.
    assert_eq!(read(usize::MAX), read(0));
    assert!(ALLOCATOR.max_allocated() < MEMORY_BOUND);
}

/// Cells that are hard on parsers, and ordinary ones.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => any::<f64>().prop_map(|x| x.to_string()),
        3 => "[a-z]{0,6}",
        1 => "[0-9]{1,3}(,[0-9]{3}){0,2}(\\.[0-9]+)?",
        1 => "[0-9]{1,3},[0-9]{1,3}",
        1 => prop::sample::select(vec!["", "NA", "inf", "\"", "\"\"", "\"a\nb\"", "\"a,b\"", " ", "\r", "1e999", "é", "\u{feff}"])
            .prop_map(str::to_owned),
    ]
}

fn table() -> impl Strategy<Value = String> {
    let delimiter = prop::sample::select(vec![",", ";", "\t", "|"]);
    (delimiter, 1usize..6).prop_flat_map(|(delimiter, columns)| {
        let row = prop::collection::vec(cell(), columns).prop_map(move |cells| cells.join(delimiter));
        prop::collection::vec(row, 0..30).prop_map(|rows| rows.join("\n"))
    })
}

/// Overwrites, removes or inserts bytes.
fn damaged(content: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..4), 0..8);
    edits.prop_map(move |edits| {
        let mut bytes = content.clone();
        for (at, value, how) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = value,
                1 => bytes.insert(at, value),
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(content in prop::collection::vec(any::<u8>(), 0..2000), sample in 1usize..600) {
        exercise(&content, sample);
        exercise_file(&content);
    }

    #[test]
    fn arbitrary_text(content in "[a-c0-9,;|\"\\n\\r\\t .é]{0,300}", sample in 1usize..100) {
        exercise(content.as_bytes(), sample);
    }

    #[test]
    fn damaged_tables(content in table().prop_map(String::into_bytes).prop_flat_map(damaged), sample in 1usize..600) {
        exercise(&content, sample);
    }

    #[test]
    fn damaged_gzip(content in table().prop_map(|t| gzip(t.as_bytes())).prop_flat_map(damaged)) {
        exercise_file(&content);
    }
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).expect("in memory");
    encoder.finish().expect("in memory")
}

/// A gigabyte of one line in a megabyte of gzip, and the same inside a quote that never closes.
#[test]
fn compressed_bombs_meet_the_record_limit() {
    for start in ["a,b\n1,2\n7", "a,b\n1,2\n\"7\n"] {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(start.as_bytes()).unwrap();
        let filler = vec![if start.contains('"') { b'\n' } else { b'7' }; 1 << 20];
        (0..64).for_each(|_| encoder.write_all(&filler).unwrap());
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&encoder.finish().unwrap()).unwrap();
        let mut reader = TableReader::open(file.path(), options(512)).unwrap();
        let request = ColumnRequest { name: "a".to_owned(), kind: ColumnKind::Discrete };
        let selection = reader.select(&[request], "test").unwrap();
        let error = reader.next_block(&selection, 10).unwrap_err().to_string();
        assert!(error.contains("line 3 is longer than 4096 bytes"), "{error}");
    }
    assert!(ALLOCATOR.max_allocated() < MEMORY_BOUND);
}

/// What a hostile writer repeats to make a reader slow: delimiters, quotes, empty names, blanks, long and equal cells.
const HOSTILE: [&str; 12] = [",", "\"", "\"\"", ",\n", "\n", " \n", "\r", "a,", "\"a\n", "\u{feff}", "1,234,", ";|\t"];

/// Half a megabyte of any of these, or of two of them, is read or refused in seconds: nothing is quadratic.
#[test]
fn repetitions_cost_no_more_than_their_length() {
    let limits = Limits { columns: 100_000, ..Limits::default() };
    let options = TableOptions { limits, ..TableOptions::default() };
    for first in HOSTILE {
        for second in HOSTILE {
            let content = [first.repeat((1 << 18) / first.len()), second.repeat((1 << 18) / second.len())].concat();
            let start = std::time::Instant::now();
            let reader = TableReader::from_memory(content.into_bytes(), "f", options.clone());
            if let Err(error) = reader.and_then(|reader| reader.read_all(&KindOptions::default())) {
                assert!(error.to_string().len() < 2_000 && !error.to_string().contains('\n'), "{error}");
            }
            assert!(start.elapsed().as_secs() < 20, "{first:?} {second:?}: {:?}", start.elapsed());
        }
    }
}
