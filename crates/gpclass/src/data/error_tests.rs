use super::*;

#[test]
fn sentences_about_a_row_begin_with_its_place() {
    let (column, value) = ("a".to_owned(), "x".to_owned());
    let errors = [
        DataError::MissingValue { row: 6, column: column.clone() },
        DataError::InfiniteValue { row: 6, column: column.clone(), value: f64::INFINITY },
        DataError::TooLarge { row: 6, column: column.clone(), value: 1e300 },
        DataError::NotANumber { row: 6, column: column.clone(), value: value.clone() },
        DataError::NotADate { row: 6, column: column.clone(), value: value.clone() },
        DataError::NotALevel { row: 6, column: column.clone(), value: value.clone(), levels: vec![value.clone()] },
        DataError::NotACategory { row: 6, column, value: 1.0, example: value.clone() },
        DataError::MissingLabel { row: 6 },
        DataError::InfiniteLabel { row: 6, value: f64::INFINITY },
        DataError::UnknownLabel { row: 6, label: value.clone(), known: vec![value] },
        DataError::BadWeight { row: 6, value: -1.0 },
    ];
    for error in errors {
        assert_eq!(error.row(), Some(6));
        assert!(error.to_string().starts_with("data row 7 has "), "{error}");
        let placed = error.placed(|row| format!("f.csv, line {}", row + 2));
        assert!(placed.starts_with("f.csv, line 8 has ") && !placed.contains("data row"), "{placed}");
        assert_eq!(error.clone().shifted(3).row(), Some(9));
        assert_eq!(error.moved(|row| row * 10).row(), Some(60));
    }
    assert_eq!(DataError::NoRows.placed(|_| "f".to_owned()), DataError::NoRows.to_string());
}
