//! The table reader on real files: what it reads, and what it says about every kind of bad file.

use flate2::{Compression, write::GzEncoder};
use gpclass::data::{ColumnKind, ColumnValues};
use gpclass_table::{
    Advice, ColumnRequest, KindOptions, Limits, MissingTokens, NumberFormat, TableError, TableNote, TableOptions,
    TableReader, WholeTable,
};
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

fn file(content: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    file
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn read_with(content: &[u8], options: TableOptions, kinds: KindOptions) -> Result<WholeTable, String> {
    let file = file(content);
    let name = file.path().display().to_string();
    let table = TableReader::open(file.path(), options).and_then(|reader| reader.read_all(&kinds));
    table.map_err(|e| e.to_string().replace(&name, "F"))
}

fn read(content: &[u8]) -> Result<WholeTable, String> {
    read_with(content, TableOptions::default(), KindOptions::default())
}

fn read_within(content: &[u8], limits: Limits) -> Result<WholeTable, String> {
    read_with(content, TableOptions { limits, ..TableOptions::default() }, KindOptions::default())
}

fn message(content: &[u8]) -> String {
    read(content).expect_err("must fail")
}

fn numbers(table: &WholeTable, j: usize) -> &[f64] {
    match &table.columns[j].values {
        ColumnValues::Continuous(values) => values,
        ColumnValues::Discrete(_) | ColumnValues::Dates(_) => panic!("column {j} is no numbers"),
    }
}

fn texts(values: &ColumnValues) -> Vec<&str> {
    match values {
        ColumnValues::Discrete(values) => values.iter().map(|v| v.unwrap_or("<missing>")).collect(),
        ColumnValues::Continuous(_) | ColumnValues::Dates(_) => panic!("numbers"),
    }
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|&s| s.to_owned()).collect()
}

const IRIS: &[u8] = b"length,colour,class\n5.1,red,1\nNA,\"dark, blue\",0.0\n4.9,?,1.0\n";

#[test]
fn reads_plain_quoted_bom_and_gzip_alike() {
    let bom = [b"\xef\xbb\xbf", IRIS].concat();
    let crlf = String::from_utf8(IRIS.to_vec()).unwrap().replace('\n', "\r\n").into_bytes();
    let two_members = [gzip(&IRIS[..30]), gzip(&IRIS[30..])].concat();
    for content in [IRIS.to_vec(), bom.clone(), crlf, gzip(IRIS), gzip(&bom), two_members] {
        let kinds = KindOptions { label: Some("class".to_owned()), ..KindOptions::default() };
        let table = read_with(&content, TableOptions::default(), kinds).unwrap();
        let lengths = numbers(&table, 0);
        assert!(lengths[0] == 5.1 && lengths[1].is_nan() && lengths[2] == 4.9);
        assert_eq!(texts(&table.columns[1].values), ["red", "dark, blue", "<missing>"]);
        assert_eq!(texts(&table.label.unwrap().values), ["1", "0", "1"]);
        assert_eq!(table.places.numbers, [2, 3, 4]);
    }
}

#[test]
fn tables_without_header_get_names() {
    let table = read(b"5.1\tred\n4.9\tblue\n").unwrap();
    assert_eq!(table.columns.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["x1", "x2"]);
    assert_eq!(numbers(&table, 0), [5.1, 4.9]);
    assert_eq!(table.places.numbers, [1, 2]);
}

#[test]
fn kinds_can_be_overridden() {
    let kinds = KindOptions { discrete: strings(&["a"]), drop: strings(&["id"]), ..KindOptions::default() };
    let table = read_with(b"id,a,b\n7,1.0,2\n8,1,3\n", TableOptions::default(), kinds).unwrap();
    assert_eq!(table.columns.len(), 2);
    assert_eq!(texts(&table.columns[0].values), ["1", "1"]);
    let kinds = KindOptions { continuous: strings(&["a"]), ..KindOptions::default() };
    let error = read_with(b"a,b\n1,2\nx,3\n", TableOptions::default(), kinds).unwrap_err();
    assert!(error.starts_with("F, line 3, column 'a': 'x' is not a number; correct it"), "{error}");
    let kinds = KindOptions { discrete: strings(&["colr"]), ..KindOptions::default() };
    let error = read_with(b"color,b\n1,2\n", TableOptions::default(), kinds).unwrap_err();
    assert_eq!(error, "'F' has no column 'colr' (to be discrete); did you mean 'color'?");
}

#[test]
fn notes_advise() {
    let grades = ["1", "2", "3"].repeat(6).join(",x\n");
    let table = read(format!("grade,z\n{grades},y\n").as_bytes()).unwrap();
    assert_eq!(
        table.notes,
        [TableNote::FewIntegers {
            columns: vec![("grade".to_owned(), 3)],
            advice: Advice::TakeAsCategories { columns: vec!["grade".to_owned()] }
        }]
    );
    let rows: String = (0..10).map(|i| format!("{i}.5,{i}\n")).collect();
    let table = read(format!("a,b\n{rows}unknown,3\n").as_bytes()).unwrap();
    let note = table.notes[0].to_string();
    assert!(note.contains("1 of its values are not numbers, such as 'unknown' in line 12"), "{note}");
    let options = TableOptions { missing: MissingTokens::default_and(["unknown"]), ..TableOptions::default() };
    let table = read_with(format!("a,b\n{rows}unknown,3\n").as_bytes(), options, KindOptions::default()).unwrap();
    assert!(numbers(&table, 0)[10].is_nan());
    let names: String = (0..30).map(|i| format!("person {i},{i}\n")).collect();
    // The library says what it makes of texts that are all different.
    assert!(read(format!("name,b\n{names}").as_bytes()).unwrap().notes.is_empty());
    let table = read(format!("name,b\n{names}person 3,8\n").as_bytes()).unwrap();
    assert_eq!(table.notes[0].advice(), &Advice::LeaveOutIdentifier { column: "name".to_owned() });
}

#[test]
fn files_that_are_no_tables() {
    let missing = std::env::temp_dir().join("gpclass-no-such-file.csv");
    let open = |path: &std::path::Path| TableReader::open(path, TableOptions::default()).err().unwrap().to_string();
    assert!(open(&missing).starts_with("cannot find '") && open(&missing).ends_with("; check the path"));
    let folder = tempfile::tempdir().unwrap();
    assert!(open(folder.path()).contains("is a folder; give a CSV"));
    assert_eq!(message(b""), "'F' is empty; expected a header and rows");
    assert_eq!(message(b"\n \r\n\n"), "'F' is empty; expected a header and rows");
    assert_eq!(message(b"a,b\n"), "'F' has a header but no rows; add data below the header");
    assert!(message(b"PK\x03\x04abc").contains("a zip archive or an Excel workbook"));
    assert!(message(b"\xff\xfea\0,\0").contains("UTF-16"));
    assert!(message(&[1, 2, 0, 3, 255, 254]).contains("contains binary data"));
    assert!(message(&[0x81, 0xf2, 0x9c, b'\n', 0xff]).starts_with("F, line 1 is not UTF-8 (byte 0x81)"));
}

#[test]
fn damaged_gzip() {
    let rows: String = (0..20_000).map(|i| format!("{i},{}\n", i * i % 977)).collect();
    let whole = gzip(format!("a,b\n{rows}").as_bytes());
    assert!(message(&whole[..whole.len() / 2]).contains("the file is truncated"));
    assert!(message(&whole[..12]).contains("the file is truncated"));
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert!(message(&flipped).contains("gzip data of 'F' is damaged"));
    assert!(message(&gzip(&gzip(IRIS))).contains("not UTF-8") || message(&gzip(&gzip(IRIS))).contains("binary"));
}

#[test]
fn ragged_rows() {
    assert_eq!(
        message(b"a,b\n1,2\n\n3\n"),
        "F, line 4 has 1 fields where 2 are expected; is a delimiter missing, or the file cut off?"
    );
    assert_eq!(
        message(b"a,b\n1,2\n3,4,5\n"),
        "F, line 3 has 3 fields where 2 are expected; quote fields that contain the delimiter"
    );
    assert!(
        message(b"a,b\n1,2\n\"3,4\n5,6\n7,8\n").contains("line 3 has 1 fields where 2 are expected; the record spans")
    );
}

#[test]
fn text_in_other_encodings_names_its_line() {
    let error = message(b"name,b\nAnna,1\nJos\xe9,2\n");
    assert!(error.starts_with("F, line 3 is not UTF-8 (byte 0xe9); convert the file"), "{error}");
}

#[test]
fn columns_that_cannot_be_meant() {
    assert!(message(b"a,b,a\n1,2,3\n").contains("two columns named 'a' (columns 1 and 3)"));
    assert_eq!(message(b"a,b\n1,\n2,NA\n"), "column 'b' of 'F' has no values at all; leave out column b");
    let inf = message(b"a,b\n1,2\n2,inf\n");
    assert!(inf.starts_with("F, line 3, column 'b': 'inf' is infinite or too large"), "{inf}");
    assert!(message(b"a,b\n1,2\n1e999,3\n").starts_with("F, line 3, column 'a': '1e999' is infinite"));
    let kinds = KindOptions { label: Some("classs".to_owned()), ..KindOptions::default() };
    let error = read_with(IRIS, TableOptions::default(), kinds).unwrap_err();
    assert_eq!(error, "'F' has no column 'classs' (the label); did you mean 'class'?");
}

#[test]
fn numbers_in_other_notations() {
    let comma: &[u8] = b"a;b\n3,25;x\n2,7;y\n";
    let grouped: &[u8] = b"a,b\n\"1,234.5\",x\n\"12\",y\n";
    let both: &[u8] = b"a;b\n1.234,5;x\n";
    assert!(message(comma).starts_with("F, line 2, column 'a': '3,25' looks like a number with a decimal comma"));
    assert!(message(grouped).contains("'1,234.5' looks like a number with thousands separators"));
    assert!(message(both).contains("accept decimal commas and thousands separators"));
    assert!(message(b"a;b\n1,234;x\n").contains("may be a decimal comma or a thousands separator"));

    let with = |content: &[u8], decimal_comma, thousands| {
        let numbers = NumberFormat { decimal_comma, thousands };
        read_with(content, TableOptions { numbers, ..TableOptions::default() }, KindOptions::default())
    };
    assert_eq!(numbers(&with(comma, true, false).unwrap(), 0), [3.25, 2.7]);
    assert_eq!(numbers(&with(grouped, false, true).unwrap(), 0), [1234.5, 12.0]);
    assert_eq!(numbers(&with(both, true, true).unwrap(), 0), [1234.5]);
    assert!(with(b"a;b\n1.5;x\n", true, false).unwrap_err().contains("do not ask for a decimal comma"));
    let kinds = KindOptions { discrete: strings(&["a"]), ..KindOptions::default() };
    let table = read_with(comma, TableOptions::default(), kinds).unwrap();
    assert_eq!(texts(&table.columns[0].values), ["3,25", "2,7"]);
}

#[test]
fn endless_lines_and_tables_stop() {
    let mut long = b"a,b\n1,2\n".to_vec();
    long.extend(std::iter::repeat_n(b'7', 17 << 20));
    let error = message(&long);
    assert!(error.starts_with("the record that starts at F, line 3 is longer than 16777216 bytes"), "{error}");
    let limits = Limits { table_bytes: 10_000, ..Limits::default() };
    let error = read_within(&b"1,2\n".repeat(10_000), limits).unwrap_err();
    assert!(error.contains("fit on a sample of its rows"), "{error}");
}

#[test]
fn blocks_stream_in_the_order_asked_for() {
    let rows: String = (0..2500).map(|i| format!("{i},n{i},{}.0\n", i % 3)).collect();
    let file = file(format!("a,b,c\n{rows}").as_bytes());
    let mut reader = TableReader::open(file.path(), TableOptions::default()).unwrap();
    let kinds: Vec<ColumnKind> = reader.schema().iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [ColumnKind::Continuous, ColumnKind::Discrete, ColumnKind::Continuous]);
    let request = |name: &str, kind| ColumnRequest { name: name.to_owned(), kind };
    let selection =
        reader.select(&[request("c", ColumnKind::Discrete), request("a", ColumnKind::Continuous)], "model").unwrap();
    let (mut sizes, mut next) = (Vec::new(), 0);
    while let Some(block) = reader.next_block(&selection, 1000).unwrap() {
        sizes.push(block.rows());
        let ColumnValues::Continuous(a) = &block.columns[1].values else { panic!("numbers asked for") };
        for (value, class) in a.iter().zip(texts(&block.columns[0].values)) {
            assert_eq!((*value, class), (f64::from(next), (next % 3).to_string().as_str()));
            next += 1;
        }
    }
    assert_eq!(sizes, [1000, 1000, 500]);
    let unknown = reader.select(&[request("d", ColumnKind::Continuous)], "a feature of the model");
    assert!(unknown.unwrap_err().to_string().contains("has no column 'd' (a feature of the model)"));
}

#[test]
fn streamed_values_of_the_wrong_kind_name_their_cell() {
    let file = file(b"a,b\n1,2\nred,3\n");
    let mut reader = TableReader::open(file.path(), TableOptions::default()).unwrap();
    let request = ColumnRequest { name: "a".to_owned(), kind: ColumnKind::Continuous };
    let selection = reader.select(&[request], "model").unwrap();
    assert!(reader.next_block(&selection, 1).unwrap().is_some());
    let error = reader.next_block(&selection, 1).unwrap_err().to_string();
    assert!(error.contains("line 3, column 'a': 'red' is not a number"), "{error}");
}

/// `columns` names and `rows` rows of numbers, the column `y` last.
fn wide(columns: usize, rows: usize) -> Vec<u8> {
    let names: Vec<String> = (0..columns).map(|j| format!("gene_{j:08}")).collect();
    let row = |i: usize| (0..columns).map(|j| ((i + j) % 10).to_string()).collect::<Vec<_>>().join(",");
    let mut text = format!("{},y\n", names.join(","));
    (0..rows).for_each(|i| text += &format!("{},{}\n", row(i), ["no", "yes"][i % 2]));
    text.into_bytes()
}

#[test]
fn headers_of_any_length_are_recognised() {
    for columns in [8_000, 100_000] {
        let options = TableOptions { expected_names: strings(&["y"]), ..TableOptions::default() };
        let kinds = KindOptions { label: Some("y".to_owned()), ..KindOptions::default() };
        let content = wide(columns, 6);
        for content in [gzip(&content), content.clone()] {
            let table = read_with(&content, options.clone(), kinds.clone()).unwrap();
            assert_eq!((table.columns.len(), table.places.numbers.as_slice()), (columns, &[2, 3, 4, 5, 6, 7][..]));
            assert_eq!(texts(&table.label.unwrap().values), ["no", "yes", "no", "yes", "no", "yes"]);
        }
        // Also where nothing is expected: text above numbers.
        assert_eq!(read(&content).unwrap().places.numbers.len(), 6);
    }
}

/// Searching a list for each of 100,000 names would take ten thousand million comparisons.
#[test]
fn a_hundred_thousand_columns_are_found_by_name_in_no_time() {
    let content = wide(100_000, 3);
    let names: Vec<String> = (0..100_000).rev().map(|j| format!("gene_{j:08}")).collect();
    let start = Instant::now();
    let options = TableOptions { expected_names: names.clone(), ..TableOptions::default() };
    let mut reader = TableReader::from_memory(content, "f", options).unwrap();
    let kind = ColumnKind::Continuous;
    let requests: Vec<ColumnRequest> = names.into_iter().map(|name| ColumnRequest { name, kind }).collect();
    let selection = reader.select(&requests, "model").unwrap();
    let block = reader.next_block(&selection, 100).unwrap().unwrap();
    assert_eq!((block.rows(), block.columns[0].name.as_str()), (3, "gene_00099999"));
    let unknown = [ColumnRequest { name: "gene_x".to_owned(), kind }];
    assert!(reader.select(&unknown, "model").is_err());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn the_header_can_be_given() {
    let with = |header| {
        let options = TableOptions { header, ..TableOptions::default() };
        read_with(b"1,2\n3,4\n", options, KindOptions::default()).unwrap()
    };
    assert_eq!(with(Some(true)).columns[0].name, "1");
    assert_eq!(with(Some(false)).columns[0].name, "x1");
    assert_eq!(with(None).columns[0].name, "x1");
}

#[test]
fn every_limit_is_named_when_it_is_met() {
    let rows = b"1,2\n".repeat(100_000);
    let limits = Limits::default();
    for (limits, sentence) in [
        (Limits { rows: 50_000, ..limits }, "'F' has more than 50000 rows; fit on a sample of its rows"),
        (Limits { cells: 100_000, ..limits }, "'F' has more than 100000 cells; fit on a sample of its rows"),
        (Limits { columns: 1, ..limits }, "'F' has more than 1 columns; is this a table with one record per line?"),
        (
            Limits { file_bytes: 399_999, ..limits },
            "'F' has 400000 bytes, more than the limit of 399999 bytes; fit on a sample of its rows",
        ),
        (
            Limits { decoded_bytes: 399_999, ..limits },
            "'F' holds more than 399999 bytes once decompressed; fit on a sample of its rows",
        ),
    ] {
        assert_eq!(read_within(&rows, limits).unwrap_err(), sentence);
    }
    let exact =
        Limits { rows: 100_000, cells: 200_000, columns: 2, file_bytes: 400_000, decoded_bytes: 400_000, ..limits };
    assert_eq!(read_within(&rows, exact).unwrap().places.numbers.len(), 100_000);
}

/// A reader without end, which counts what is taken from it.
struct Endless {
    line: &'static [u8],
    at: usize,
    taken: Arc<std::sync::atomic::AtomicUsize>,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.line[self.at];
            self.at = (self.at + 1) % self.line.len();
        }
        self.taken.fetch_add(buffer.len(), Ordering::Relaxed);
        Ok(buffer.len())
    }
}

fn endless(line: &'static [u8]) -> (Endless, Arc<std::sync::atomic::AtomicUsize>) {
    let taken = Arc::default();
    (Endless { line, at: 0, taken: Arc::clone(&taken) }, taken)
}

#[test]
fn streams_without_end_stop_at_a_limit() {
    let limits = Limits { rows: 10_000, decoded_bytes: 1 << 22, ..Limits::default() };
    for (line, sentence) in [
        (&b"1,2\n"[..], "more than 10000 rows"),
        (b"\n", "more than 4194304 bytes once decompressed"),
        (b" \r\n", "more than 4194304 bytes once decompressed"),
        (b"\"", "more than 4194304 bytes once decompressed"),
    ] {
        let (stream, taken) = endless(line);
        let options = TableOptions { limits, ..TableOptions::default() };
        let reader = TableReader::from_stream(stream, "stream", options);
        let error = reader.and_then(|reader| reader.read_all(&KindOptions::default())).unwrap_err().to_string();
        assert!(error.contains(sentence), "{error}");
        assert!(taken.load(Ordering::Relaxed) < 1 << 24, "{line:?}: {taken:?}");
    }
}

/// Blank lines are skipped, so that no row limit and no record limit ever met them.
#[test]
fn gzip_of_blank_lines_ends() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(b"a,b\n1,2\n").unwrap();
    (0..64).for_each(|_| encoder.write_all(&[b'\n'; 1 << 20]).unwrap());
    let content = encoder.finish().unwrap();
    let error = message(&content);
    assert!(error.starts_with("more than 16777216 bytes of blank lines stand before F, line "), "{error}");
    let options = TableOptions { limits: Limits::streaming(), ..TableOptions::default() };
    let mut reader = TableReader::from_memory(content, "f", options).unwrap();
    let request = ColumnRequest { name: "a".to_owned(), kind: ColumnKind::Continuous };
    let selection = reader.select(&[request], "model").unwrap();
    assert!(matches!(reader.next_block(&selection, 10), Err(TableError::TooManyBlankLines { .. })));
}

#[test]
fn an_interrupt_ends_the_reading() {
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits::streaming();
    let options = TableOptions { interrupt: Some(Arc::clone(&flag)), limits, ..TableOptions::default() };
    let (stream, _) = endless(b"1,2\n");
    let mut reader = TableReader::from_stream(stream, "stream", options.clone()).unwrap();
    let request = ColumnRequest { name: "x1".to_owned(), kind: ColumnKind::Continuous };
    let selection = reader.select(&[request], "model").unwrap();
    assert_eq!(reader.next_block(&selection, 10).unwrap().unwrap().rows(), 10);
    flag.store(true, Ordering::Relaxed);
    assert!(matches!(reader.next_block(&selection, 10), Err(TableError::Interrupted { .. })));
    let (stream, _) = endless(b"\n");
    assert!(matches!(TableReader::from_stream(stream, "stream", options), Err(TableError::Interrupted { .. })));
}

#[test]
fn no_words_of_a_command_line() {
    for (content, kinds) in [
        (&b"a;b\n3,25;x\n2,7;y\n"[..], KindOptions::default()),
        (b"a,b\n\"1,234.5\",x\n", KindOptions::default()),
        (b"a;b\n1.234,5;x\n", KindOptions::default()),
        (b"a;b\n1,234;x\n", KindOptions::default()),
        (b"a,b\n1,\n", KindOptions::default()),
        (b"a,b\n1,x\n", KindOptions { continuous: strings(&["b"]), ..KindOptions::default() }),
        (b"a,b\n1,x\n", KindOptions { drop: strings(&["c"]), ..KindOptions::default() }),
    ] {
        let error = read_with(content, TableOptions::default(), kinds).unwrap_err();
        assert!(!error.contains("--"), "{error}");
    }
}
