//! What this program says about tables: the advice of the reader as options of the command line.

use gpclass::data::{Quoted, Shown};
use gpclass_table::{Advice, TableError, TableNote, WantedFor};

/// The sentence of an error.
pub fn error(error: &TableError) -> String {
    match error {
        TableError::UnknownColumn { file, name, wanted_for, suggestion } => {
            format!("'{file}' has no column {} ({}){suggestion}", Quoted(name), option(*wanted_for))
        }
        _ => error.worded(advice),
    }
}

/// The sentence of a note.
pub fn note(note: &TableNote) -> String {
    note.worded(advice)
}

fn option(wanted_for: WantedFor) -> &'static str {
    match wanted_for {
        WantedFor::Label => "--label",
        WantedFor::Drop => "--drop",
        WantedFor::Discrete => "--discrete",
        WantedFor::Continuous => "--continuous",
        WantedFor::Other(words) => words,
    }
}

fn advice(advice: &Advice) -> String {
    let or_categories = |column: &str| format!("or use --discrete {} if the column holds categories", Shown(column));
    match advice {
        Advice::AcceptNotation { notation, column } => {
            let options = match (notation.decimal_comma, notation.thousands) {
                (true, true) => "--decimal-comma --thousands",
                (true, false) => "--decimal-comma",
                _ => "--thousands",
            };
            format!("accept these with {options}, {}", or_categories(column))
        }
        Advice::ChooseNotation { column } => {
            format!("say which with --decimal-comma or --thousands, {}", or_categories(column))
        }
        Advice::ExpectDecimalPoint => "it is written with a decimal point: leave out --decimal-comma".to_owned(),
        Advice::CorrectOrMarkMissing => {
            "correct it, leave the cell empty to mark it missing, or name the text with --missing".to_owned()
        }
        Advice::NameMissing { text } => format!("if that means missing, use --missing {}", Shown(text)),
        Advice::TakeAsCategories { columns } => match columns.as_slice() {
            [column] => format!("if they are categories, use --discrete {}", Shown(column)),
            _ => "name those that hold categories with --discrete".to_owned(),
        },
        Advice::LeaveOutEmpty { column } => format!("leave it out with --drop {}", Shown(column)),
        Advice::LeaveOutIdentifier { column } => format!("if it only names the rows, use --drop {}", Shown(column)),
        Advice::GiveLabels => advice.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpclass_table::{KindOptions, NumberFormat, TableOptions, TableReader};

    fn read(content: &str, kinds: &KindOptions, numbers: NumberFormat) -> Result<Vec<String>, String> {
        let options = TableOptions { numbers, ..TableOptions::default() };
        let reader = TableReader::from_memory(content.as_bytes().to_vec(), "f", options);
        let table = reader.and_then(|reader| reader.read_all(kinds));
        table.map(|table| table.notes.iter().map(note).collect()).map_err(|e| error(&e))
    }

    fn refused(content: &str) -> String {
        read(content, &KindOptions::default(), NumberFormat::default()).unwrap_err()
    }

    #[test]
    fn errors_name_options() {
        let kinds = KindOptions { discrete: vec!["colr".to_owned()], ..KindOptions::default() };
        let error = read("color,b\n1,2\n", &kinds, NumberFormat::default()).unwrap_err();
        assert_eq!(error, "'f' has no column 'colr' (--discrete); did you mean 'color'?");
        let kinds = KindOptions { label: Some("classs".to_owned()), ..KindOptions::default() };
        let error = read("a,class\n1,2\n", &kinds, NumberFormat::default()).unwrap_err();
        assert_eq!(error, "'f' has no column 'classs' (--label); did you mean 'class'?");
        let kinds = KindOptions { continuous: vec!["a".to_owned()], ..KindOptions::default() };
        let error = read("a,b\n1,2\nx,3\n", &kinds, NumberFormat::default()).unwrap_err();
        assert!(error.ends_with("leave the cell empty to mark it missing, or name the text with --missing"), "{error}");
        assert_eq!(refused("a,b\n1,\n2,NA\n"), "column 'b' of 'f' has no values at all; leave it out with --drop b");
        assert_eq!(
            refused("a;b\n3,25;x\n2,7;y\n"),
            "f, line 2, column 'a': '3,25' looks like a number with a decimal comma; accept these with \
             --decimal-comma, or use --discrete a if the column holds categories"
        );
        assert!(refused("a,b\n\"1,234.5\",x\n\"12\",y\n").contains("accept these with --thousands, or"));
        assert!(refused("a;b\n1.234,5;x\n").contains("accept these with --decimal-comma --thousands, or"));
        assert!(
            refused("a;b\n1,234;x\n").contains("say which with --decimal-comma or --thousands, or use --discrete a")
        );
        let comma = NumberFormat { decimal_comma: true, thousands: false };
        let error = read("a;b\n1.5;x\n", &KindOptions::default(), comma).unwrap_err();
        assert!(error.ends_with("it is written with a decimal point: leave out --decimal-comma"), "{error}");
    }

    #[test]
    fn columns_of_few_integers_are_one_note() {
        let rows: String = (0..40).map(|i| format!("{},{},{},{}\n", i % 3, i % 4, i % 5, f64::from(i) / 3.0)).collect();
        let notes = read(&format!("a,b,c,d\n{rows}"), &KindOptions::default(), NumberFormat::default()).unwrap();
        assert_eq!(
            notes,
            [
                "3 columns hold few different integers and are treated as numbers, 'a' (3), 'b' (4), 'c' (5); name those \
              that hold categories with --discrete"
            ]
        );
    }

    #[test]
    fn notes_name_options() {
        let grades = ["1", "2", "3"].repeat(6).join(",x\n");
        let rows: String = (0..10).map(|i| format!("{i}.5,{i}\n")).collect();
        let names: String = (0..30).map(|i| format!("person {i},{i}\n")).collect();
        for (content, words) in [
            (format!("grade,z\n{grades},y\n"), "if they are categories, use --discrete grade"),
            (format!("a,b\n{rows}unknown,3\n"), "if that means missing, use --missing unknown"),
            (format!("name,b\n{names}person 1,3\n"), "if it only names the rows, use --drop name"),
        ] {
            let notes = read(&content, &KindOptions::default(), NumberFormat::default()).unwrap();
            assert!(notes[0].ends_with(words), "{notes:?}");
        }
    }
}
