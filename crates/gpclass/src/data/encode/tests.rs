use super::*;
use crate::data::{Column, FeatureKind, MissingContinuous, MissingPolicy, Standardise};

const ROOT_HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

fn table(columns: Vec<Column>) -> Table {
    Table::new(columns).unwrap()
}

fn discrete(name: &str, text: &str) -> Column {
    Column::discrete(name, text.split(' ').map(|v| (v != "-").then(|| v.to_owned())).collect())
}

fn numbers(name: &str, values: &[f64]) -> Column {
    Column::continuous(name, values.to_vec())
}

fn fit_with(columns: Vec<Column>, options: &EncoderOptions) -> Result<Encoder, DataError> {
    Encoder::fit(&table(columns), options).map(|(encoder, _)| encoder)
}

fn fit(columns: Vec<Column>) -> Encoder {
    fit_with(columns, &EncoderOptions::default()).unwrap()
}

fn with_missing(missing: MissingPolicy) -> EncoderOptions {
    EncoderOptions { missing, ..EncoderOptions::default() }
}

fn encode(encoder: &Encoder, columns: Vec<Column>) -> Result<(Inputs, EncodeCounts), DataError> {
    encoder.encode(&table(columns))
}

fn row(inputs: &Inputs, row: usize) -> Vec<f64> {
    inputs.values().columns().map(|column| column[row]).collect()
}

fn squared_distance(inputs: &Inputs, a: usize, b: usize) -> f64 {
    inputs.values().columns().map(|column| (column[a] - column[b]).powi(2)).sum()
}

fn sentence<T: std::fmt::Debug>(result: Result<T, DataError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn mixed_columns_tile_the_encoded_ones() {
    let encoder = fit(vec![discrete("c", "a b a"), numbers("x", &[1.0, 2.0, 3.0])]);
    let (inputs, counts) =
        encode(&encoder, vec![numbers("other", &[9.0]), numbers("x", &[2.0]), discrete("c", "b")]).unwrap();
    assert_eq!(inputs.features(), encoder.features());
    assert_eq!(encoder.features()[0].columns, 0..3);
    assert_eq!((encoder.features()[1].columns.clone(), encoder.width()), (3..4, 4));
    assert_eq!(encoder.features()[1].kind, FeatureKind::Continuous);
    assert_eq!(row(&inputs, 0), [0.0, ROOT_HALF, 0.0, 0.0]);
    assert_eq!((counts.unseen(), counts.imputed()), (0, 0));
}

#[test]
fn training_statistics_are_used_at_prediction() {
    let encoder = fit(vec![numbers("x", &[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0])]); // mean 5, deviation 2
    let (inputs, _) = encode(&encoder, vec![numbers("x", &[5.0, 9.0])]).unwrap();
    assert_eq!(inputs.values().col(0), [0.0, 2.0]);
    let options = EncoderOptions { standardise: Standardise::No, ..EncoderOptions::default() };
    let encoder = fit_with(vec![numbers("x", &[2.0, 4.0])], &options).unwrap();
    assert_eq!(encode(&encoder, vec![numbers("x", &[9.5])]).unwrap().0.values().col(0), [9.5]);
}

#[test]
fn unseen_categories_are_at_distance_one_from_all_seen_ones() {
    let encoder = fit(vec![discrete("c", "a b c a")]);
    let (inputs, counts) = encode(&encoder, vec![discrete("c", "a b c d a")]).unwrap();
    for a in 0..4 {
        for b in 0..4 {
            let want = f64::from(a != b);
            assert!((squared_distance(&inputs, a, b) - want).abs() <= 2.0 * f64::EPSILON);
        }
    }
    assert_eq!(squared_distance(&inputs, 0, 4), 0.0);
    assert_eq!((counts.columns[0].unseen, counts.unseen()), (1, 1));
}

#[test]
fn missing_values_are_errors_if_asked_for() {
    let options = with_missing(MissingPolicy::error());
    let fit = |columns| fit_with(columns, &options).unwrap();
    assert_eq!(
        sentence(fit_with(vec![numbers("x", &[1.0, f64::NAN])], &options)),
        "data row 2 has no value in column 'x': fill it in, drop the row, or choose to impute missing values"
    );
    assert_eq!(
        fit_with(vec![discrete("c", "a - b")], &options),
        Err(DataError::MissingValue { row: 1, column: "c".into() })
    );
    let encoder = fit(vec![numbers("x", &[1.0, 2.0]), discrete("c", "a b")]);
    let missing_number = encode(&encoder, vec![numbers("x", &[f64::NAN]), discrete("c", "a")]);
    assert_eq!(missing_number.unwrap_err(), DataError::MissingValue { row: 0, column: "x".into() });
    let missing_category = encode(&encoder, vec![numbers("x", &[1.0]), discrete("c", "-")]).unwrap_err();
    assert_eq!(missing_category, DataError::MissingValue { row: 0, column: "c".into() });
    assert_eq!(missing_category.shifted(100), DataError::MissingValue { row: 100, column: "c".into() });
}

#[test]
fn imputation_uses_training_mean_and_most_frequent_category() {
    let columns = vec![numbers("x", &[1.0, 3.0, f64::NAN]), discrete("c", "b b a")];
    let encoder = fit_with(columns, &with_missing(MissingPolicy::impute())).unwrap();
    let (inputs, counts) = encode(&encoder, vec![numbers("x", &[f64::NAN, 3.0]), discrete("c", "a -")]).unwrap();
    assert_eq!(row(&inputs, 0), [0.0, ROOT_HALF, 0.0, 0.0]);
    assert_eq!(row(&inputs, 1), [1.0, 0.0, ROOT_HALF, 0.0]);
    assert_eq!(counts.columns.iter().map(|c| c.imputed).collect::<Vec<_>>(), [1, 1]);
    let raw = EncoderOptions { standardise: Standardise::No, ..with_missing(MissingPolicy::impute()) };
    let encoder = fit_with(vec![numbers("x", &[1.0, 4.0])], &raw).unwrap();
    assert_eq!(encode(&encoder, vec![numbers("x", &[f64::NAN])]).unwrap().0.values().col(0), [2.5]);
}

#[test]
fn missing_can_be_a_category_of_its_own() {
    let options = with_missing(MissingPolicy::own_category(MissingContinuous::Error));
    let encoder = fit_with(vec![discrete("c", "a - b -")], &options).unwrap();
    let (inputs, counts) = encode(&encoder, vec![discrete("c", "a b - z -")]).unwrap();
    assert_eq!(squared_distance(&inputs, 2, 4), 0.0);
    for (a, b) in [(0, 2), (1, 2), (2, 3), (0, 3)] {
        assert!((squared_distance(&inputs, a, b) - 1.0).abs() <= 2.0 * f64::EPSILON);
    }
    assert_eq!((counts.unseen(), counts.imputed()), (1, 0));

    let never_missing = fit_with(vec![discrete("c", "a b")], &options).unwrap();
    let (inputs, counts) = encode(&never_missing, vec![discrete("c", "a -")]).unwrap();
    assert!((squared_distance(&inputs, 0, 1) - 1.0).abs() <= 2.0 * f64::EPSILON);
    assert_eq!(counts.unseen(), 1);
    let still_an_error = fit_with(vec![numbers("x", &[1.0, f64::NAN])], &options);
    assert_eq!(still_an_error, Err(DataError::MissingValue { row: 1, column: "x".into() }));
}

#[test]
fn a_column_without_values_is_an_error_under_every_policy() {
    for policy in
        [MissingPolicy::error(), MissingPolicy::impute(), MissingPolicy::own_category(MissingContinuous::Impute)]
    {
        for column in [numbers("x", &[f64::NAN; 2]), discrete("x", "- -")] {
            assert_eq!(
                sentence(fit_with(vec![column], &with_missing(policy))),
                "column 'x' has no values at all in the training data: drop it"
            );
        }
    }
}

#[test]
fn infinite_and_overflowing_numbers_are_errors_under_every_policy() {
    let impute = with_missing(MissingPolicy::impute());
    assert_eq!(
        sentence(fit_with(vec![numbers("x", &[1.0, f64::NEG_INFINITY])], &impute)),
        "data row 2 has -inf in column 'x': replace it by a finite number or mark it as missing"
    );
    let encoder = fit_with(vec![numbers("x", &[1.0, 2.0]), discrete("c", "1 2")], &impute).unwrap();
    let infinite = encode(&encoder, vec![numbers("x", &[f64::INFINITY]), discrete("c", "1")]);
    assert_eq!(infinite.unwrap_err(), DataError::InfiniteValue { row: 0, column: "x".into(), value: f64::INFINITY });
    let as_category = encode(&encoder, vec![numbers("x", &[1.0]), numbers("c", &[f64::INFINITY])]);
    assert!(matches!(as_category, Err(DataError::InfiniteValue { row: 0, .. })));
    assert_eq!(
        sentence(encode(&encoder, vec![numbers("x", &[1e300]), discrete("c", "1")])),
        "data row 1 has 1e300 in column 'x', too large to compare with other rows: \
         correct it, or rescale or standardise the column"
    );
}

#[test]
fn constant_columns_are_kept_as_zeros() {
    let encoder = fit(vec![numbers("x", &[0.1; 3]), numbers("y", &[1.0, 2.0, 3.0])]);
    let (inputs, _) = encode(&encoder, vec![numbers("x", &[0.1, 0.6]), numbers("y", &[2.0, 2.0])]).unwrap();
    assert_eq!(inputs.values().col(0), [0.0, 0.5]);
}

#[test]
fn absent_columns_are_named_with_suggestions_from_spare_ones() {
    let encoder = fit(vec![numbers("age", &[1.0, 2.0]), numbers("x1", &[1.0, 2.0]), numbers("x2", &[3.0, 5.0])]);
    assert_eq!(
        sentence(encode(&encoder, vec![numbers("Age", &[1.0]), numbers("x1", &[1.0])])),
        "the data lack the columns 'age' (did you mean 'Age'?) and 'x2', used in training: \
         add or rename columns to match"
    );
    assert_eq!(
        sentence(encode(&encoder, vec![numbers("age", &[1.0]), numbers("x1", &[1.0])])),
        "the data lack the column 'x2', used in training: add or rename columns to match"
    );
}

#[test]
fn numbers_written_as_text_are_read_and_other_text_is_refused() {
    let encoder = fit_with(vec![numbers("x", &[-1.0, 1.0])], &with_missing(MissingPolicy::error())).unwrap();
    let (inputs, _) = encode(&encoder, vec![discrete("x", "3 -0.5")]).unwrap();
    assert_eq!(inputs.values().col(0), [3.0, -0.5]);
    assert_eq!(
        sentence(encode(&encoder, vec![discrete("x", "3 red")])),
        "data row 2 has 'red' in column 'x', which held numbers in training: write a number or leave it missing"
    );
    assert!(matches!(encode(&encoder, vec![discrete("x", "-")]), Err(DataError::MissingValue { .. })));
}

#[test]
fn numbers_find_their_category() {
    let encoder = fit(vec![discrete("c", "1 2 1")]);
    let (inputs, counts) = encode(&encoder, vec![numbers("c", &[2.0, 1.0, 1.5])]).unwrap();
    assert_eq!(row(&inputs, 0), [0.0, ROOT_HALF, 0.0]);
    assert_eq!(row(&inputs, 1), [ROOT_HALF, 0.0, 0.0]);
    assert_eq!((row(&inputs, 2), counts.unseen()), (vec![0.0, 0.0, ROOT_HALF], 1));
    let (inputs, _) = encode(&encoder, vec![discrete("c", "2.0")]).unwrap();
    assert_eq!(row(&inputs, 0), [0.0, ROOT_HALF, 0.0]);
    let words = fit(vec![discrete("c", "red blue red")]);
    assert_eq!(
        sentence(encode(&words, vec![numbers("c", &[3.0])])),
        "data row 1 has the number 3 in column 'c', which held categories such as 'blue' in training: give categories"
    );
}

#[test]
fn blocks_of_rows_encode_as_the_whole() {
    let columns = vec![numbers("x", &[0.3, f64::NAN, 1.7, -2.0, 0.3]), discrete("c", "a - b b zz")];
    let whole = table(columns.clone());
    let (encoder, _) = Encoder::fit(&whole, &with_missing(MissingPolicy::impute())).unwrap();
    let (all, counts) = encoder.encode(&whole).unwrap();
    let mut sum = EncodeCounts::default();
    for rows in [vec![0, 1], vec![2], vec![3, 4]] {
        let (block, block_counts) = encoder.encode(&whole.select_rows(&rows).unwrap()).unwrap();
        assert_eq!(block, all.select_rows(&rows));
        sum.merge(&block_counts);
    }
    assert_eq!((sum, counts.imputed()), (counts, 2));
}

#[test]
fn too_many_categories_are_refused_before_they_fill_the_memory() {
    let options = EncoderOptions { max_levels: 2, ..EncoderOptions::default() };
    assert_eq!(
        sentence(fit_with(vec![discrete("c", "a b c")], &options)),
        "column 'c' has 3 different categories, more than the limit of 2: drop it, group its categories, \
         treat it as numbers if it holds numbers, or raise the limit"
    );
    assert!(fit_with(vec![discrete("c", "a b b")], &options).is_ok());
}

#[test]
fn plain_matrices_pass_unchanged_and_are_checked() {
    let encoder = Encoder::numeric(2).unwrap();
    let matrix = Mat::from_columns(2, 2, vec![1.0, 2.0, 3.0, 4.0]);
    let (inputs, _) = encoder.encode_matrix(&matrix).unwrap();
    assert_eq!(inputs, Inputs::continuous(matrix.clone()));
    assert_eq!(encoder.encode(&Table::from_matrix(&matrix).unwrap()).unwrap().0, inputs);
    assert_eq!(
        sentence(encoder.encode_matrix(&Mat::zeros(2, 3))),
        "the matrix has 3 columns, but the model was trained on 2: give the same columns in the same order"
    );
    assert_eq!(
        encoder.encode_matrix(&Mat::from_columns(1, 2, vec![0.0, f64::NAN])).unwrap_err(),
        DataError::MissingValue { row: 0, column: "x2".into() }
    );
    assert_eq!(encoder.encode_matrix(&Mat::zeros(0, 2)).unwrap_err(), DataError::NoRows);
    assert_eq!(Encoder::numeric(0), Err(DataError::NoColumns));
    assert_eq!(
        sentence(fit(vec![discrete("c", "a b")]).encode_matrix(&Mat::zeros(1, 1))),
        "column 'c' holds categories in training, so a matrix of numbers is not enough: \
         give a table with named columns"
    );
}

fn auto() -> EncoderOptions {
    EncoderOptions::default()
}

/// Ten rows, the first `missing` of which lack the number.
fn gaps(name: &str, missing: usize) -> Column {
    numbers(
        name,
        &(0..20).map(|i| if i < missing { f64::NAN } else { ((i * 7) % 20) as f64 / 2.0 }).collect::<Vec<_>>(),
    )
}

#[test]
fn more_than_a_handful_of_missing_numbers_get_a_feature_of_their_own() {
    let encoder = fit_with(vec![gaps("a", 6), gaps("b", 5), gaps("c", 0), gaps("d", 6)], &auto()).unwrap();
    let names: Vec<&str> = encoder.features().iter().map(|f| f.name.as_str()).collect();
    // Columns that miss the same rows share one.
    assert_eq!(names, ["a", "b", "c", "d", "a is missing"]);
    assert_eq!(encoder.features()[4].kind, FeatureKind::Discrete);
    assert_eq!(encoder.read_columns().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    let (inputs, counts) = encode(&encoder, vec![gaps("a", 6), gaps("b", 5), gaps("c", 3), gaps("d", 0)]).unwrap();
    assert_eq!(
        (row(&inputs, 5)[4..].to_vec(), row(&inputs, 6)[4..].to_vec()),
        (vec![0.0, ROOT_HALF], vec![ROOT_HALF, 0.0])
    );
    assert_eq!(counts.columns.iter().map(|c| c.imputed).collect::<Vec<_>>(), [6, 5, 3, 0, 0]);
    // The median of the values that are there stands in.
    let mut there: Vec<f64> = (6..20).map(|i| ((i * 7) % 20) as f64 / 2.0).collect();
    there.sort_by(f64::total_cmp);
    let median = 0.5 * (there[6] + there[7]);
    assert_eq!(inputs.values()[(0, 0)], encoder.columns()[0].standardiser().unwrap().apply(median));
}

#[test]
fn an_indicator_has_a_name_of_its_own_and_counts_weights() {
    let encoder = fit_with(vec![gaps("a", 8), gaps("a is missing", 0)], &auto()).unwrap();
    assert_eq!(encoder.features()[2].name, "a is missing*");
    let fit = |weights: Vec<f64>| {
        let weights = RowWeights::new(weights, 20).unwrap();
        Encoder::fit_weighted(&table(vec![gaps("a", 4)]), Some(&weights), &auto()).unwrap().0.features().len()
    };
    assert_eq!((fit(vec![1.0; 20]), fit(vec![2.0; 20])), (1, 2));
    let always = Encoder::fit(&table(vec![gaps("a", 15)]), &auto()).unwrap().0;
    assert_eq!(always.features().len(), 1, "as many rows need to have the value");
    for policy in [MissingPolicy::impute(), MissingPolicy::own_category(MissingContinuous::Impute)] {
        assert_eq!(fit_with(vec![gaps("a", 8)], &with_missing(policy)).unwrap().features().len(), 1);
    }
}

#[test]
fn missing_values_are_accepted_unless_they_are_refused() {
    let columns = vec![numbers("x", &[1.0, f64::NAN, 2.0, 9.0]), discrete("c", "a - b b")];
    let (encoder, notes) = Encoder::fit(&table(columns), &auto()).unwrap();
    assert_eq!(notes.len(), 2);
    let (inputs, counts) = encode(&encoder, vec![numbers("x", &[f64::NAN]), discrete("c", "-")]).unwrap();
    assert_eq!(inputs.values()[(0, 0)], encoder.columns()[0].standardiser().unwrap().apply(2.0));
    assert_eq!((counts.imputed(), counts.unseen()), (1, 0));
}

#[test]
fn dates_are_day_numbers_however_they_are_given() {
    let when = "2020-01-01 2020-01-03 2020-01-11 -";
    let (encoder, notes) = Encoder::fit(&table(vec![discrete("when", when)]), &auto()).unwrap();
    assert!(notes.contains(&DataNote::Dates { column: "when".into() }), "{notes:?}");
    assert_eq!(encoder.columns()[0].column_kind(), Some(crate::data::ColumnKind::Date));
    let texts = discrete("when", "2020-01-01 2020-01-03T12:00 soon -");
    let (from_text, counts) = encode(&encoder, vec![texts]).unwrap();
    assert_eq!((counts.columns[0].unread, counts.columns[0].imputed), (1, 1));
    let days = vec![18262.0, 18264.5, f64::NAN, f64::NAN];
    let (from_days, _) = encode(&encoder, vec![Column::dates("when", days.clone())]).unwrap();
    let (from_numbers, _) = encode(&encoder, vec![numbers("when", &days)]).unwrap();
    assert_eq!((&from_text, &from_text), (&from_days, &from_numbers));
    let refusing = with_missing(MissingPolicy::error());
    let strict = fit_with(vec![discrete("when", "2020-01-01 2020-01-03")], &refusing).unwrap();
    assert_eq!(
        sentence(encode(&strict, vec![discrete("when", "2020-01-01 soon")])),
        "data row 2 has 'soon' in column 'when', which held dates in training: write a date as 2031-05-09, or leave it \
         missing"
    );
    let declared = EncoderOptions { discrete: vec!["when".into()], ..auto() };
    assert_eq!(fit_with(vec![discrete("when", when)], &declared).unwrap().columns()[0].kind(), FeatureKind::Discrete);
    assert_eq!(fit(vec![discrete("when", "2020-01-01 soon")]).columns()[0].kind(), FeatureKind::Discrete);
}

#[test]
fn ordered_categories_are_positions() {
    let levels = |levels: &[&str]| EncoderOptions {
        ordered: [("size".to_owned(), levels.iter().map(|&level| level.to_owned()).collect())].into(),
        ..auto()
    };
    let encoder = fit_with(vec![discrete("size", "S L S L")], &levels(&["S", "M", "L"])).unwrap();
    let (inputs, counts) = encode(&encoder, vec![discrete("size", "S M L XL -")]).unwrap();
    assert_eq!(inputs.values().col(0), [-1.0, 0.0, 1.0, 0.0, 0.0]); // positions 0, 2, 0, 2: mean 1, deviation 1
    assert_eq!((counts.columns[0].unread, counts.columns[0].imputed), (1, 1));
    let grades = fit_with(vec![numbers("size", &[1.0, 3.0])], &levels(&["1", "2", "3"])).unwrap();
    assert_eq!(encode(&grades, vec![discrete("size", "2.0")]).unwrap().0.values().col(0), [0.0]);
    let refused = |levels: EncoderOptions| sentence(fit_with(vec![discrete("size", "S L")], &levels));
    assert_eq!(
        refused(levels(&["S", "M"])),
        "data row 2 has 'L' in column 'size', which is none of its ordered levels 'S' and 'M': correct it, or name all \
         levels"
    );
    assert_eq!(
        refused(levels(&["S", "L", "S"])),
        "the ordered levels of column 'size' hold 'S' twice: name each level once"
    );
    assert_eq!(
        refused(levels(&["S"])),
        "column 'size' has 1 ordered level, but an order needs two at least: name all levels from the lowest to the highest"
    );
    assert!(sentence(fit_with(vec![discrete("sizes", "S L")], &levels(&["S", "L"]))).contains("did you mean 'sizes'?"));
}

#[test]
fn truth_values_are_found_however_they_are_written() {
    let encoder = fit(vec![discrete("b", "true false true")]);
    let (inputs, counts) = encode(&encoder, vec![discrete("b", "TRUE False maybe")]).unwrap();
    assert_eq!((row(&inputs, 0), row(&inputs, 1)), (vec![0.0, ROOT_HALF, 0.0], vec![ROOT_HALF, 0.0, 0.0]));
    assert_eq!(counts.unseen(), 1);
    assert_eq!(encode(&encoder, vec![numbers("b", &[1.0, 0.0, 0.5])]).unwrap().0, inputs);
}

#[test]
fn identifiers_are_left_out_and_remembered() {
    let ids = numbers("id", &(1..31).map(f64::from).collect::<Vec<_>>());
    let x = numbers("x", &(0..30).map(|i| f64::from(i * 7 % 5)).collect::<Vec<_>>());
    let (encoder, notes) = Encoder::fit(&table(vec![x.clone(), ids]), &auto()).unwrap();
    assert_eq!(encoder.left_out(), [LeftOut { name: "id".into(), position: 1 }]);
    assert!(matches!(&notes[..], [DataNote::LeftOut { column, .. }] if column == "id"), "{notes:?}");
    assert_eq!(encode(&encoder, vec![x]).unwrap().0.features().len(), 1);
    let again: Encoder = serde_json::from_str(&serde_json::to_string(&encoder).unwrap()).unwrap();
    assert_eq!(again, encoder);
}
