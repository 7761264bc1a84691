//! Tables that are read twice because their cells are not kept: the same values, notes and errors as of those that are.

use flate2::{Compression, write::GzEncoder};
use gpclass::data::ColumnValues;
use gpclass_table::{Draw, KindOptions, Limits, Listener, Reading, TableOptions, TableReader, WholeTable};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tempfile::NamedTempFile;

fn file(content: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    file
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn options(kept_bytes: usize) -> TableOptions {
    TableOptions { limits: Limits { kept_bytes, ..Limits::default() }, ..TableOptions::default() }
}

fn labelled(label: &str) -> KindOptions {
    KindOptions { label: Some(label.to_owned()), ..KindOptions::default() }
}

fn read(path: &Path, kinds: &KindOptions, kept: usize, draw: Option<Draw>) -> Result<WholeTable, String> {
    let table = TableReader::open(path, options(kept)).and_then(|reader| reader.survey(kinds)?.read(draw));
    table.map_err(|e| e.to_string())
}

/// What is read with all cells kept, which must be what is read with none kept. NaN is equal to itself in print.
fn both(path: &Path, kinds: &KindOptions, draw: Option<Draw>) -> Result<WholeTable, String> {
    let (kept, again) = (read(path, kinds, usize::MAX, draw), read(path, kinds, 0, draw));
    assert!(format!("{kept:?}") == format!("{again:?}"), "{}", path.display());
    again
}

/// Rows for several blocks, of every sort of column, with a label of numbers that are written in several ways.
fn mixed(rows: usize) -> String {
    let mut text = "id,when,size,x,n,grade,colour,sure,name,y\n".to_owned();
    for i in 0..rows {
        let x = if i % 7 == 3 { "NA".to_owned() } else { format!("{:.4}", (i * 37 % 1009) as f64 / 13.0 - 20.0) };
        let colour = ["red", "\"dark, blue\"", "", "7", "7.0"][i * 5 % 13 % 5];
        let grade = if i % 50 == 49 { "unknown".to_owned() } else { (i % 11).to_string() };
        text += &format!(
            "k{i},2021-{:02}-{:02},{},{x},{},{grade},{colour},{},n{},{}\n",
            1 + i % 12,
            1 + i % 28,
            ["S", "M", "L"][i % 3],
            i % 4,
            ["true", "FALSE"][i % 2],
            i * 7 / 11,
            ["0", "1", "1.0", "+1"][i * 3 % 7 % 4]
        );
    }
    text
}

#[test]
fn text_and_gzip_of_every_sort_of_column() {
    let text = mixed(20_000);
    let kinds = KindOptions { discrete: vec!["size".to_owned()], ..labelled("y") };
    let mut tables = Vec::new();
    for content in [text.clone().into_bytes(), gzip(text.as_bytes())] {
        let written = file(&content);
        let mut table = both(written.path(), &kinds, None).unwrap();
        assert_eq!(table.notes.len(), 3, "{:?}", table.notes);
        table.places.file.clear();
        tables.push(format!("{table:?}").replace(&written.path().display().to_string(), "F"));
    }
    assert!(tables[0] == tables[1]);
}

/// Row groups of numbers, texts, dates and an integer label, some of them missing.
#[cfg(feature = "parquet")]
fn parquet(groups: usize, rows: usize) -> NamedTempFile {
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let schema =
        "message t { required double x; optional binary c (utf8); optional int32 d (date); required int64 y; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = NamedTempFile::new().unwrap();
    let mut writer = SerializedFileWriter::new(file.reopen().unwrap(), schema, Arc::default()).unwrap();
    for group in 0..groups {
        let all: Vec<usize> = (group * rows..(group + 1) * rows).collect();
        let there: Vec<i16> = all.iter().map(|i| i16::from(i % 5 != 2)).collect();
        let present = || all.iter().filter(|i| *i % 5 != 2);
        let mut of_group = writer.next_row_group().unwrap();
        let mut column = of_group.next_column().unwrap().unwrap();
        let x: Vec<f64> = all.iter().map(|i| (i * 31 % 977) as f64 / 7.0).collect();
        column.typed::<DoubleType>().write_batch(&x, None, None).unwrap();
        column.close().unwrap();
        let mut column = of_group.next_column().unwrap().unwrap();
        let c: Vec<ByteArray> = present().map(|i| ["red", "blue", "3"][i % 3].into()).collect();
        column.typed::<ByteArrayType>().write_batch(&c, Some(&there), None).unwrap();
        column.close().unwrap();
        let mut column = of_group.next_column().unwrap().unwrap();
        let d: Vec<i32> = present().map(|i| 18_000 + (i % 300) as i32).collect();
        column.typed::<Int32Type>().write_batch(&d, Some(&there), None).unwrap();
        column.close().unwrap();
        let mut column = of_group.next_column().unwrap().unwrap();
        let y: Vec<i64> = all.iter().map(|i| (i % 3) as i64).collect();
        column.typed::<Int64Type>().write_batch(&y, None, None).unwrap();
        column.close().unwrap();
        of_group.close().unwrap();
    }
    writer.close().unwrap();
    file
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_of_every_sort_of_column_and_of_several_row_groups() {
    let data = std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"));
    let mut names = vec!["types_snappy.parquet", "types_gzip.parquet", "types_none.parquet", "types_lz4.parquet"];
    names.extend(cfg!(feature = "parquet-zstd").then_some("types_zstd.parquet"));
    for name in names {
        both(&data.join(name), &KindOptions::default(), None).unwrap();
    }
    let written = parquet(3, 9_000);
    let table = both(written.path(), &labelled("y"), None).unwrap();
    assert_eq!((table.places.numbers.len(), table.columns.len()), (27_000, 3));
    assert!(matches!(table.columns[2].values, ColumnValues::Dates(_)));
    let drawn = both(written.path(), &labelled("y"), Some(Draw { rows: 600, seed: 1 })).unwrap();
    let Some(ColumnValues::Discrete(y)) = drawn.label.map(|label| label.values) else { panic!("labels") };
    assert_eq!(y.counts(), [200, 200, 200]);
}

#[test]
fn bad_tables_are_told_in_the_same_sentence_by_the_same_place() {
    let good = mixed(9_000);
    let line = |number: usize, cells: &str| {
        let mut lines: Vec<&str> = good.lines().collect();
        lines[number - 1] = cells;
        lines.join("\n")
    };
    let row = "k,2021-01-01,S,1.5,1,1,red,true,n,1";
    let continuous = |name: &str| KindOptions { continuous: vec![name.to_owned()], ..labelled("y") };
    for (content, kinds, said) in [
        (line(8_500, "k,2021-01-01,S"), labelled("y"), "line 8500 has 3 fields where 10 are expected"),
        (line(8_500, &row.replace("1.5", "abc")), continuous("x"), "line 8500, column 'x': 'abc' is not a number"),
        (line(8_500, &row.replace("1.5", "inf")), labelled("y"), "line 8500, column 'x': 'inf' is infinite"),
        (line(8_500, &row.replace("1.5", "1e999")), continuous("x"), "line 8500, column 'x': '1e999' is infinite"),
        (good.replacen("id,when", "x,when", 1), labelled("y"), "two columns named 'x' (columns 1 and 4)"),
        (good.clone(), labelled("z"), "no column 'z' (the label)"),
        (good.replacen("\nk0,", "\n\u{1}\u{0},", 1), labelled("y"), "binary data"),
        ("a,y\n".to_owned() + &"1,\n".repeat(9_000), labelled("y"), "column 'y' of "),
        ("a;y\n".to_owned() + &"1,5;0\n".repeat(9_000), labelled("y"), "line 2, column 'a': '1,5' looks like"),
        ("a,y\n".to_owned(), labelled("y"), "has a header but no rows"),
    ] {
        let written = file(content.as_bytes());
        let error = both(written.path(), &kinds, None).unwrap_err();
        assert!(error.contains(said), "{error}");
    }
    let mut cut = gzip(good.as_bytes());
    cut.truncate(cut.len() / 2);
    let error = both(file(&cut).path(), &labelled("y"), None).unwrap_err();
    assert!(error.contains("ends in the middle of its gzip data"), "{error}");
}

#[test]
fn drawn_rows_are_those_of_their_lines_and_keep_the_shares_of_the_classes() {
    let text: String = (0..30_000).map(|i| format!("{i}.5,{}\n", if i % 10 == 0 { "rare" } else { "usual" })).collect();
    let written = file(format!("x,y\n{text}").as_bytes());
    let draw = Draw { rows: 3_000, seed: 11 };
    let table = both(written.path(), &labelled("y"), Some(draw)).unwrap();
    let ColumnValues::Continuous(x) = &table.columns[0].values else { panic!("numbers") };
    let Some(ColumnValues::Discrete(y)) = table.label.as_ref().map(|label| &label.values) else { panic!("labels") };
    assert_eq!((x.len(), y.iter().filter(|class| *class == Some("rare")).count()), (3_000, 300));
    for (row, line) in table.places.numbers.iter().enumerate() {
        assert_eq!(x[row], (line - 2) as f64 + 0.5);
        assert_eq!(y.get(row) == Some("rare"), (line - 2) % 10 == 0);
    }
    let other = both(written.path(), &labelled("y"), Some(Draw { seed: 12, ..draw })).unwrap();
    assert_ne!(other.places.numbers, table.places.numbers);
    let all = both(written.path(), &labelled("y"), Some(Draw { rows: 40_000, ..draw })).unwrap();
    assert_eq!(all.places.numbers.len(), 30_000);
}

#[test]
fn what_a_table_holds_is_known_before_it_is_read() {
    let written = file(mixed(9_000).replacen("1\nk5,", "\nk5,", 1).as_bytes());
    let survey = TableReader::open(written.path(), options(0)).unwrap().survey(&labelled("y")).unwrap();
    assert_eq!((survey.rows(), survey.classes(), survey.features().count()), (9_000, Some(2), 9));
    assert!(survey.unlabelled().is_some_and(|place| place.to_string().ends_with(", line 6")));
    let (column, place) = survey.missing(gpclass::data::ColumnKind::Continuous).unwrap();
    assert!(column == "x" && place.number == 5, "{column} {place}");
    // A line number, two columns of numbers, and texts of which some are all different.
    assert!((30.0..400.0).contains(&survey.row_bytes()), "{}", survey.row_bytes());
}

#[test]
fn a_file_that_changes_between_the_looks_is_noticed() {
    for (added, draw) in [("1.5,a\n", None), ("1.5,c\n", Some(Draw { rows: 5, seed: 0 })), ("x,a\n", None)] {
        let mut written = file(("x,y\n".to_owned() + &"0.5,a\n2,b\n".repeat(50)).as_bytes());
        let survey = TableReader::open(written.path(), options(0)).unwrap().survey(&labelled("y")).unwrap();
        written.write_all(added.as_bytes()).unwrap();
        let error = survey.read(draw).unwrap_err().to_string();
        let noticed = error.contains("changed while it was read") || error.contains("'x' is not a number");
        assert!(noticed, "{error}");
    }
}

#[test]
fn memory_is_the_limit_of_what_is_read_and_streams_are_told_to_be_files() {
    let content = b"1,2\n".repeat(10_000);
    let limits = Limits { table_bytes: 100_000, ..Limits::streaming() };
    let options = TableOptions { limits, ..TableOptions::default() };
    let written = file(&content);
    let open = || TableReader::open(written.path(), options.clone()).unwrap().survey(&KindOptions::default()).unwrap();
    let error = open().read(None).unwrap_err().to_string();
    assert!(error.ends_with("needs more than 100000 bytes of memory; fit on a sample of its rows"), "{error}");
    assert_eq!(open().read(Some(Draw { rows: 4_000, seed: 0 })).unwrap().places.numbers.len(), 4_000);
    let stream = TableReader::from_stream(std::io::Cursor::new(content), "standard input", options.clone()).unwrap();
    let error = stream.read_all(&KindOptions::default()).unwrap_err().to_string();
    assert!(error.contains("bytes of memory; give it as a file, whose cells need not be kept, or fit on a"), "{error}");
}

#[test]
fn a_listener_hears_of_both_looks() {
    let heard: Arc<Mutex<Vec<Reading>>> = Arc::default();
    let keep = Arc::clone(&heard);
    let listener = Some(Listener::new(move |reading| keep.lock().unwrap().push(reading)));
    let written = file(mixed(20_000).as_bytes());
    TableReader::open(written.path(), TableOptions { listener, ..options(0) })
        .and_then(|reader| reader.read_all(&labelled("y")))
        .unwrap();
    let heard = heard.lock().unwrap();
    let of = |again: bool| heard.iter().filter(|r| r.again == again).map(|r| (r.rows, r.share)).collect::<Vec<_>>();
    for again in [false, true] {
        let told = of(again);
        assert!(told.is_sorted() && told.len() >= 3, "{told:?}");
        assert_eq!(told.last(), Some(&(20_000, Some(1.0))));
    }
}
