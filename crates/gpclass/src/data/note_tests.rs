use super::*;

#[test]
fn every_note_is_a_sentence_with_advice() {
    let column = || "a".to_owned();
    let notes = [
        (
            DataNote::Constant { column: column(), value: "3".into() },
            "Column 'a' is '3' in every row and cannot tell the classes apart; consider dropping it.",
        ),
        (
            DataNote::Copy { column: column(), of: "b".into() },
            "Column 'a' repeats column 'b' in every row, so their relevances cannot be told apart; consider \
             dropping one.",
        ),
        (
            DataNote::LeftOut { column: column(), reason: IdentifierReason::InOrder },
            "Column 'a' was left out: it holds integers that are all different and in order, like row numbers, from which \
             nothing can be learned for new rows; name it in the option keep if it is a measurement.",
        ),
        (
            DataNote::IdLike { column: column(), reason: IdentifierReason::Texts },
            "Column 'a' holds texts that are all different, like an identifier; drop it if it only names the rows.",
        ),
        (DataNote::Dates { column: column() }, "Column 'a' holds dates, which enter as day numbers."),
        (
            DataNote::Missing { column: column(), values: 1, replacement: Replacement::Middle },
            "Column 'a' had 1 missing value, replaced by its mean or median; predictions for that row deserve less trust.",
        ),
        (
            DataNote::Missing { column: column(), values: 3, replacement: Replacement::Middle },
            "Column 'a' had 3 missing values, replaced by its mean or median; predictions for those rows deserve less trust.",
        ),
        (
            DataNote::Unread { column: column(), values: 1 },
            "Column 'a' had 1 value that is no date, or none of the levels that were named, treated as missing; check its spelling.",
        ),
        (
            DataNote::Unread { column: column(), values: 2 },
            "Column 'a' had 2 values that are no dates, or none of the levels that were named, treated as missing; check \
             their spelling.",
        ),
        (
            DataNote::GivesAway { columns: vec![column()] },
            "Every left-out row is predicted without an error, and column 'a' alone tells the classes apart: check that \
             it is known before the class is and does not follow from it, or leave it out.",
        ),
        (
            DataNote::UnseenCategories { column: column(), values: 2 },
            "Column 'a' had 2 values of categories never seen in training; check their spelling, or train \
             on data that have them.",
        ),
        (
            DataNote::DuplicateRows { repeated: 1 },
            "1 row repeats the inputs of an earlier row; if that is an accident of data collection, drop \
             them, since they count as independent evidence.",
        ),
        (
            DataNote::ContradictoryRows { groups: 1, rows: 2, example: (0, 4) },
            "2 rows in 1 group have equal inputs but different labels, for example data rows 1 and 5; check \
             those labels, or use a likelihood with label error.",
        ),
    ];
    for (note, sentence) in notes {
        assert_eq!(note.to_string(), sentence);
    }
}

#[test]
fn missing_values_of_all_columns_are_one_sentence() {
    let missing = |column: &str, values, replacement| DataNote::Missing { column: column.into(), values, replacement };
    let notes = [
        missing("a", 3, Replacement::Middle),
        missing("b", 9, Replacement::Told("b is missing".into())),
        missing("c", 1, Replacement::Category),
    ];
    assert_eq!(
        DataNote::together(&notes.iter().collect::<Vec<_>>()).unwrap(),
        "Columns 'a', 'b' and 'c' had 13 missing values: 'a' (3, replaced by its mean or median), 'b' (9, replaced by its median and told \
         apart by the feature 'b is missing') and 'c' (1, treated as a separate category); predictions for those rows \
         deserve less trust."
    );
}

#[test]
fn notes_on_classes_are_sentences_alone_and_together() {
    let rare = |class: &str, rows| DataNote::RareClass { class: class.to_owned(), rows };
    let similar = |first: &str, second: &str| DataNote::SimilarClasses { first: first.into(), second: second.into() };
    assert_eq!(
        rare("x", 1).to_string(),
        "Class 'x' has 1 row, so that what is said of it rests on next to nothing; consider adding rows of it or \
         joining it with another class."
    );
    assert!(rare("x", 0).to_string().starts_with("Class 'x' has no rows, so"));
    assert_eq!(
        similar("no", "No").to_string(),
        "Classes 'no' and 'No' differ only in case or in how a number is written; if they are meant to be the same, \
         write them alike."
    );
    let together = DataNote::together(&[&rare("x", 1), &rare("y", 0)]).unwrap();
    assert!(together.starts_with("Classes 'x' and 'y' have one row each, or none, so"), "{together}");
    let together = DataNote::together(&[&similar("a", "A"), &similar("b", "B")]).unwrap();
    assert!(together.starts_with("Classes 'a' and 'A'; 'b' and 'B' differ only"), "{together}");
}
