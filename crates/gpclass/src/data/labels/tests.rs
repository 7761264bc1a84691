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
fn several_classes_are_found_in_natural_order() {
    let values = LabelValues::Number(vec![10.0, 1.0, 2.0, 1.0]);
    let labels = fit(&values);
    assert_eq!(labels.classes().names(), ["1", "2", "10"]);
    assert_eq!(labels.as_slice(), [2, 0, 1, 0].map(Class::from));
    assert_eq!(fit(&LabelValues::text(["10", "1", "2", "1"])), labels);
    let mixed = fit(&LabelValues::text(["b", "10", "A", "2", "b"]));
    assert_eq!(mixed.classes().names(), ["2", "10", "A", "b"]);
    let further = Labels::encode(&LabelValues::text(["2", "10.0"]), labels.classes()).unwrap();
    assert_eq!(further.as_slice(), [1, 2].map(Class::from));
}

#[test]
fn a_positive_class_is_of_two() {
    let values = LabelValues::text(["a", "b", "c", "a"]);
    assert_eq!(
        Labels::fit(&values, &positive("a")).unwrap_err().to_string(),
        "'a' was asked for as the positive class, which is for two classes, but the labels have 3, 'a' (2 rows), 'b' (1 \
         row) and 'c' (1 row): leave the positive class out, or keep two classes"
    );
}

#[test]
fn what_looks_like_a_number_to_predict_or_an_id_is_refused() {
    let advice = "choose another label column if this one holds a number to predict or an id, or group its values";
    let sentence = |values| Labels::fit(&values, &LabelOptions::default()).unwrap_err().to_string();
    let repeated = |count: usize| LabelValues::Number((0..2 * count).map(|i| (i % count) as f64 / 8.0).collect());
    assert_eq!(fit(&repeated(MAX_CLASSES)).classes().len(), 100);
    assert_eq!(
        sentence(repeated(1000)),
        format!(
            "the labels have 1000 different values, '0', '0.125', '0.25', '0.375', '0.5', '0.625', '0.75', '0.875', '1', \
             '1.125' and 990 more, but at most 100 classes can be told apart: {advice}"
        )
    );
    assert_eq!(
        sentence(LabelValues::text(["p7", "p8", "p9"])),
        format!(
            "each of the 3 rows has a label of its own, 'p7', 'p8' and 'p9', so that nothing can be learned from them: \
             {advice}"
        )
    );
    let distinct = LabelValues::text(["p7", "p8", "p9"]);
    assert_eq!(Labels::fit(&distinct, &allow()).unwrap().classes().len(), 3, "inference does not learn");
    assert_eq!(fit(&LabelValues::text(["a", "b"])).as_slice(), [N, P], "two rows of two classes are no id");
}

#[test]
fn spaces_at_the_ends_do_not_make_a_class_and_blanks_are_no_label() {
    let labels = fit(&LabelValues::text([" a", "b", "a ", "\ta", "c"]));
    assert_eq!(labels.classes().names(), ["a", "b", "c"]);
    assert_eq!(labels.count(N), 3);
    assert_eq!(
        Labels::fit(&LabelValues::text(["a", "b", "  "]), &LabelOptions::default()).unwrap_err().to_string(),
        "data row 3 has no label: fill it in or drop the row"
    );
    let known = |names: [&str; 3]| {
        let labels = Labels::new([0, 1, 2, 0].map(Class::from).to_vec(), ClassNames::new(names).unwrap()).unwrap();
        Labels::fit(&LabelValues::Known(labels), &LabelOptions::default())
    };
    assert_eq!(
        known(["a", "b", " a"]).unwrap_err().to_string(),
        "the classes 'a' and ' a' differ only in spaces at their ends: give them different names"
    );
    assert_eq!(known(["", "b", "c"]), Err(DataError::BlankClass));
    assert_eq!(known([" a", "b", "c"]).unwrap().classes().names(), [" a", "b", "c"]);
}

#[test]
fn known_classes_keep_their_order_and_their_absent_ones() {
    let four = ClassNames::new(["c", "10", "2", "B"]).unwrap();
    let all = Labels::new([0, 1, 2, 3, 0].map(Class::from).to_vec(), four.clone()).unwrap();
    assert_eq!(fit(&LabelValues::Known(all.clone())), all);
    let part = all.select(&[0, 4, 3]);
    assert_eq!(part.as_slice(), [0, 0, 3].map(Class::from));
    assert_eq!(fit(&LabelValues::Known(part)).classes(), &four);
    assert_eq!(
        Labels::fit(&LabelValues::Known(all.select(&[0, 4])), &LabelOptions::default()).unwrap_err(),
        DataError::OneClass { class: "c".to_owned() }
    );
    assert!(Labels::new(vec![Class::from(4)], four).is_none());
    let two = Labels::new(vec![N, P], ClassNames::pair("yes", "no").unwrap()).unwrap();
    let turned = Labels::fit(&LabelValues::Known(two.clone()), &positive("yes")).unwrap();
    assert_eq!((names(&two), names(&turned)), (("yes", "no"), ("no", "yes")));
    assert_eq!(turned.as_slice(), [P, N]);
}

#[test]
fn rare_and_similar_classes_are_noted() {
    let labels = fit(&LabelValues::text(["no", "yes", "No", "no", "yes", "x", "No"]));
    assert_eq!(
        labels.notes(),
        [
            DataNote::RareClass { class: "x".to_owned(), rows: 1 },
            DataNote::SimilarClasses { first: "No".to_owned(), second: "no".to_owned() },
        ]
    );
    assert_eq!(labels.select(&[0, 1, 2]).notes().len(), 5, "all four classes have at most one row");
    assert!(fit(&LabelValues::text(["no", "yes", "no", "yes"])).notes().is_empty());
}

#[test]
fn a_label_that_training_never_had_is_told_beside_some_that_it_had() {
    let known = fit(&LabelValues::Number((0..52).map(|i| f64::from(i % 26)).collect()));
    assert_eq!(
        Labels::encode(&LabelValues::text(["3", "30"]), known.classes()).unwrap_err().to_string(),
        "data row 2 has the label '30', but the model knows only '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' and 16 \
         more: correct the label or drop the row"
    );
}

#[test]
fn unusable_labels_are_named_by_row() {
    let sentence = |values| Labels::fit(&values, &LabelOptions::default()).unwrap_err().to_string();
    let missing = "data row 2 has no label: fill it in or drop the row";
    assert_eq!(sentence(LabelValues::Text([Some("a"), None].into_iter().collect())), missing);
    assert_eq!(sentence(LabelValues::Number(vec![0.0, f64::NAN])), missing);
    assert_eq!(sentence(LabelValues::Bool(vec![Some(true), None])), missing);
    assert_eq!(
        sentence(LabelValues::Number(vec![0.0, f64::NEG_INFINITY])),
        "data row 2 has the label -inf: labels need to be finite numbers, text or true/false"
    );
    assert_eq!(Labels::fit(&LabelValues::Text(Texts::default()), &allow()), Err(DataError::NoRows));
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
