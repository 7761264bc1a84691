//! The table reader on real files: what it reads, and what it says about every kind of bad file.

use flate2::{Compression, write::GzEncoder};
use gpclass_cli::table::missing::MissingTokens;
use gpclass_cli::table::numbers::NumberFormat;
use gpclass_cli::table::{
    ColumnKind, ColumnRequest, KindOptions, RawTable, RawValues, TableNote, TableOptions, TableReader,
};
use std::io::Write;
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

fn read_with(content: &[u8], options: TableOptions, kinds: KindOptions) -> Result<RawTable, String> {
    let file = file(content);
    let name = file.path().display().to_string();
    let table = TableReader::open(file.path(), options).and_then(|reader| reader.read_all(&kinds));
    table.map_err(|e| e.to_string().replace(&name, "F"))
}

fn read(content: &[u8]) -> Result<RawTable, String> {
    read_with(content, TableOptions::default(), KindOptions::default())
}

fn message(content: &[u8]) -> String {
    read(content).expect_err("must fail")
}

fn numbers(table: &RawTable, j: usize) -> &[f64] {
    match &table.columns[j].values {
        RawValues::Numbers(values) => values,
        RawValues::Text(_) => panic!("column {j} is text"),
    }
}

fn texts(values: &RawValues) -> Vec<&str> {
    match values {
        RawValues::Text(values) => values.iter().map(|v| v.as_deref().unwrap_or("<missing>")).collect(),
        RawValues::Numbers(_) => panic!("numbers"),
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
        assert_eq!(table.lines, [2, 3, 4]);
    }
}

#[test]
fn tables_without_header_get_names() {
    let table = read(b"5.1\tred\n4.9\tblue\n").unwrap();
    assert_eq!(table.columns.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["x1", "x2"]);
    assert_eq!(numbers(&table, 0), [5.1, 4.9]);
    assert_eq!(table.lines, [1, 2]);
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
    assert_eq!(error, "'F' has no column 'colr' (--discrete); did you mean 'color'?");
}

#[test]
fn notes_advise() {
    let grades = ["1", "2", "3"].repeat(6).join(",x\n");
    let table = read(format!("grade,z\n{grades},y\n").as_bytes()).unwrap();
    assert_eq!(table.notes, [TableNote::FewIntegers { column: "grade".to_owned(), levels: 3 }]);
    let rows: String = (0..10).map(|i| format!("{i}.5,{i}\n")).collect();
    let table = read(format!("a,b\n{rows}unknown,3\n").as_bytes()).unwrap();
    let note = table.notes[0].to_string();
    assert!(note.contains("1 of its values are not numbers, such as 'unknown' in line 12"), "{note}");
    let options = TableOptions { missing: MissingTokens::default_and(["unknown"]), ..TableOptions::default() };
    let table = read_with(format!("a,b\n{rows}unknown,3\n").as_bytes(), options, KindOptions::default()).unwrap();
    assert!(numbers(&table, 0)[10].is_nan());
    let names: String = (0..30).map(|i| format!("person {i},{i}\n")).collect();
    let table = read(format!("name,b\n{names}").as_bytes()).unwrap();
    assert!(table.notes[0].to_string().contains("use --drop name"));
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
    assert_eq!(message(b"a,b\n1,\n2,NA\n"), "column 'b' of 'F' has no values at all; leave it out with --drop b");
    let inf = message(b"a,b\n1,2\n2,inf\n");
    assert!(inf.starts_with("F, line 3, column 'b': 'inf' is infinite or too large"), "{inf}");
    assert!(message(b"a,b\n1,2\n1e999,3\n").starts_with("F, line 3, column 'a': '1e999' is infinite"));
    let kinds = KindOptions { label: Some("classs".to_owned()), ..KindOptions::default() };
    let error = read_with(IRIS, TableOptions::default(), kinds).unwrap_err();
    assert_eq!(error, "'F' has no column 'classs' (--label); did you mean 'class'?");
}

#[test]
fn numbers_in_other_notations() {
    let comma: &[u8] = b"a;b\n3,25;x\n2,7;y\n";
    let grouped: &[u8] = b"a,b\n\"1,234.5\",x\n\"12\",y\n";
    let both: &[u8] = b"a;b\n1.234,5;x\n";
    assert!(message(comma).starts_with("F, line 2, column 'a': '3,25' looks like a number with a decimal comma"));
    assert!(message(grouped).contains("'1,234.5' looks like a number with thousands separators"));
    assert!(message(both).contains("--decimal-comma --thousands"));
    assert!(message(b"a;b\n1,234;x\n").contains("may be a decimal comma or a thousands separator"));

    let with = |content: &[u8], decimal_comma, thousands| {
        let numbers = NumberFormat { decimal_comma, thousands };
        read_with(content, TableOptions { numbers, ..TableOptions::default() }, KindOptions::default())
    };
    assert_eq!(numbers(&with(comma, true, false).unwrap(), 0), [3.25, 2.7]);
    assert_eq!(numbers(&with(grouped, false, true).unwrap(), 0), [1234.5, 12.0]);
    assert_eq!(numbers(&with(both, true, true).unwrap(), 0), [1234.5]);
    assert!(with(b"a;b\n1.5;x\n", true, false).unwrap_err().contains("leave out --decimal-comma"));
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
    let options = TableOptions { max_table_bytes: 10_000, ..TableOptions::default() };
    let error = read_with(&b"1,2\n".repeat(10_000), options, KindOptions::default()).unwrap_err();
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
        let RawValues::Numbers(a) = &block.columns[1].values else { panic!("numbers asked for") };
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
