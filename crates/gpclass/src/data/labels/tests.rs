use super::*;

const N: Class = Class::NEGATIVE;
const P: Class = Class::POSITIVE;

fn positive(class: &str) -> LabelOptions {
    LabelOptions { positive: Some(class.to_owned()), ..LabelOptions::default() }
}

fn allow() -> LabelOptions {
    LabelOptions { one_class: OneClass::Allow, ..LabelOptions::default() }
}

fn fit(values: &LabelValues) -> Labels {
    Labels::fit(values, &LabelOptions::default()).unwrap()
}

fn names(labels: &Labels) -> (&str, &str) {
    (labels.classes().name(N), labels.classes().name(P))
}

#[test]
fn text_numbers_and_truth_values_have_a_natural_positive_class() {
    let text = fit(&LabelValues::text(["yes", "no", "yes"]));
    assert_eq!((names(&text), text.as_slice()), (("no", "yes"), [P, N, P].as_slice()));
    let number = fit(&LabelValues::Number(vec![2.0, 10.0]));
    assert_eq!((names(&number), number.as_slice()), (("2", "10"), [N, P].as_slice()));
    let signed = fit(&LabelValues::Number(vec![1.0, -1.0]));
    assert_eq!((names(&signed), signed.as_slice()), (("-1", "1"), [P, N].as_slice()));
    let truth = fit(&LabelValues::Bool(vec![Some(true), Some(false)]));
    assert_eq!((names(&truth), truth.as_slice()), (("false", "true"), [P, N].as_slice()));
    let zeros = fit(&LabelValues::Number(vec![0.0, -0.0, 0.5]));
    assert_eq!((names(&zeros), zeros.count(N)), (("0", "0.5"), 2));
}

#[test]
fn labels_return_to_their_original_text() {
    let labels = fit(&LabelValues::text(["b", "a", "b"]));
    assert_eq!(labels.texts().collect::<Vec<_>>(), ["b", "a", "b"]);
    assert_eq!((labels.count(P), labels.count(N)), (2, 1));
    assert_eq!(labels.check_rows(3), Ok(()));
    assert_eq!(labels.check_rows(4), Err(DataError::RowCount { what: "labels", got: 3, expected: 4 }));
}

#[test]
fn the_positive_class_can_be_chosen() {
    let values = LabelValues::text(["yes", "no", "no"]);
    let labels = Labels::fit(&values, &positive("no")).unwrap();
    assert_eq!((names(&labels), labels.as_slice()), (("yes", "no"), [N, P, P].as_slice()));
    let labels = Labels::fit(&values, &positive("No")).unwrap();
    assert_eq!(names(&labels), ("yes", "no"));
    let labels = Labels::fit(&LabelValues::Number(vec![0.0, 1.0]), &positive("0.0")).unwrap();
    assert_eq!(names(&labels), ("1", "0"));
    assert_eq!(
        Labels::fit(&values, &positive("yess")).unwrap_err().to_string(),
        "no row has the label 'yess', asked for as the positive class (did you mean 'yes'?): \
         the labels are 'no' (2 rows) and 'yes' (1 row)"
    );
}

#[test]
fn a_single_class_is_refused_unless_allowed() {
    let values = LabelValues::text(["yes", "yes"]);
    assert_eq!(
        Labels::fit(&values, &LabelOptions::default()).unwrap_err().to_string(),
        "every label is 'yes': learning needs rows of two classes"
    );
    let labels = Labels::fit(&values, &allow()).unwrap();
    assert_eq!((names(&labels), labels.as_slice()), (("no", "yes"), [P, P].as_slice()));
    let labels = Labels::fit(&LabelValues::Number(vec![-1.0]), &allow()).unwrap();
    assert_eq!((names(&labels), labels.as_slice()), (("-1", "1"), [N].as_slice()));
}

#[test]
fn a_single_class_takes_the_side_that_was_asked_for() {
    let options = |class: &str| LabelOptions { one_class: OneClass::Allow, ..positive(class) };
    let other = Labels::fit(&LabelValues::text(["ill"]), &options("well")).unwrap();
    assert_eq!((names(&other), other.as_slice()), (("ill", "well"), [N].as_slice()));
    let same = Labels::fit(&LabelValues::text(["no"]), &options("no")).unwrap();
    assert_eq!((names(&same), same.as_slice()), (("yes", "no"), [P].as_slice()));
    let unusual = Labels::fit(&LabelValues::text(["ill"]), &options("ill")).unwrap();
    assert_eq!((names(&unusual), unusual.as_slice()), (("not ill", "ill"), [P].as_slice()));
}

#[test]
fn three_classes_are_listed_with_their_counts() {
    let values = LabelValues::Number(vec![3.0, 1.0, 2.0, 1.0]);
    assert_eq!(
        Labels::fit(&values, &LabelOptions::default()).unwrap_err().to_string(),
        "the labels have 3 classes, '1' (2 rows), '2' (1 row) and '3' (1 row), but exactly two are needed: \
         keep two of them or join them into two groups"
    );
    let many = LabelValues::Number((0..50).map(f64::from).collect());
    let sentence = Labels::fit(&many, &LabelOptions::default()).unwrap_err().to_string();
    assert!(sentence.contains("'9' (1 row) and 40 more"), "{sentence}");
}

#[test]
fn three_classes_are_found_where_they_are_allowed() {
    let options = |positive: Option<&str>| LabelOptions {
        positive: positive.map(str::to_owned),
        limit: ClassLimit::Any,
        ..LabelOptions::default()
    };
    let values = LabelValues::Number(vec![10.0, 1.0, 2.0, 1.0]);
    let found = |positive| Labels::fit(&values, &options(positive)).unwrap();
    let (plain, moved) = (found(None), found(Some("1")));
    assert_eq!(plain.classes().names(), ["1", "2", "10"]);
    assert_eq!(plain.as_slice(), [2, 0, 1, 0].map(Class::from));
    assert_eq!(moved.classes().names(), ["2", "10", "1"]);
    assert_eq!(moved.texts().collect::<Vec<_>>(), ["10", "1", "2", "1"]);
    assert!(Labels::fit(&values, &options(Some("3"))).is_err());
    let further = Labels::encode(&LabelValues::text(["2", "10.0"]), plain.classes()).unwrap();
    assert_eq!(further.as_slice(), [1, 2].map(Class::from));
    let unknown = Labels::encode(&LabelValues::text(["3"]), plain.classes()).unwrap_err().to_string();
    assert!(unknown.contains("the model knows only '1', '2' and '10'"), "{unknown}");
}

#[test]
fn unusable_labels_are_named_by_row() {
    let sentence = |values| Labels::fit(&values, &LabelOptions::default()).unwrap_err().to_string();
    let missing = "data row 2 has no label: fill it in or drop the row";
    assert_eq!(sentence(LabelValues::Text(vec![Some("a".into()), None])), missing);
    assert_eq!(sentence(LabelValues::Number(vec![0.0, f64::NAN])), missing);
    assert_eq!(sentence(LabelValues::Bool(vec![Some(true), None])), missing);
    assert_eq!(
        sentence(LabelValues::Number(vec![0.0, f64::NEG_INFINITY])),
        "data row 2 has the label -inf: labels need to be finite numbers, text or true/false"
    );
    assert_eq!(Labels::fit(&LabelValues::Text(vec![]), &allow()), Err(DataError::NoRows));
}

#[test]
fn further_rows_are_read_by_the_known_names() {
    let classes = ClassNames::pair("0", "1").unwrap();
    let labels = Labels::encode(&LabelValues::text(["1.0", "1"]), &classes).unwrap();
    assert_eq!(labels.as_slice(), [P, P]);
    let labels = Labels::encode(&LabelValues::Number(vec![0.0]), &classes).unwrap();
    assert_eq!(labels.as_slice(), [N]);
    let truth = ClassNames::pair("false", "true").unwrap();
    assert_eq!(Labels::encode(&LabelValues::text(["True"]), &truth).unwrap().as_slice(), [P]);
    assert_eq!(
        Labels::encode(&LabelValues::text(["0", "2"]), &classes).unwrap_err().to_string(),
        "data row 2 has the label '2', but the model knows only '0' and '1': correct the label or drop the row"
    );
}

#[test]
fn a_label_column_becomes_label_values() {
    use crate::data::Column;
    assert_eq!(LabelValues::from(Column::continuous("y", vec![1.0])), LabelValues::Number(vec![1.0]));
    assert_eq!(LabelValues::from(Column::categories("y", ["a"])), LabelValues::text(["a"]));
}
