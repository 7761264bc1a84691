//! Cutting rows into training and test sets.

use super::EvaluateError;
use crate::data::{Class, Groups};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// One division of the rows. Both lists are in increasing order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// Which repetition, from 0.
    pub repeat: usize,
    /// Which fold of it, from 0.
    pub fold: usize,
    /// Rows to train on, from 0.
    pub train: Vec<usize>,
    /// Rows to test on, from 0.
    pub test: Vec<usize>,
}

/// Repeated stratified k-fold cross-validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FoldOptions {
    /// Default 10.
    pub folds: usize,
    /// Default 1.
    pub repeats: usize,
    /// Default 0. Repetition r depends on the seed and r alone, not on the number of repetitions.
    pub seed: u64,
}

impl Default for FoldOptions {
    fn default() -> Self {
        FoldOptions { folds: 10, repeats: 1, seed: 0 }
    }
}

/// Repeated stratified random division in two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HoldoutOptions {
    /// Share of the rows to test on. Default 0.25.
    pub test_share: f64,
    /// Default 1.
    pub repeats: usize,
    /// Default 0. Repetition r depends on the seed and r alone.
    pub seed: u64,
}

impl Default for HoldoutOptions {
    fn default() -> Self {
        HoldoutOptions { test_share: 0.25, repeats: 1, seed: 0 }
    }
}

/// Every row is tested once per repetition; folds differ by at most one row in size and in each class.
///
/// Of three or more classes some may have fewer rows than there are folds. The only row of a class is always trained on and
/// never tested, since no model could forecast a class that it has not seen: every training set holds all classes.
pub fn stratified_folds(labels: &[Class], options: &FoldOptions) -> Result<Vec<Split>, EvaluateError> {
    let FoldOptions { folds, repeats, seed } = *options;
    check_folds(folds)?;
    check_repeats(repeats)?;
    check_rows(labels, folds)?;
    let mut splits = Vec::new();
    for repeat in 0..repeats {
        // Dealing goes on from one class to the next, which evens out the sizes of the folds.
        let mut fold_of = vec![None; labels.len()];
        for (turn, row) in shuffled_by_class(labels, seed, repeat).concat().into_iter().enumerate() {
            fold_of[row] = Some(turn % folds);
        }
        splits.extend((0..folds).map(|fold| divide(repeat, fold, labels.len(), |row| fold_of[row] == Some(fold))));
    }
    Ok(splits)
}

/// Folds that keep the rows of a group together. Groups are dealt out by falling size, each to the fold where the classes stay
/// most evenly spread. Every training set must hold all classes.
pub fn grouped_folds(labels: &[Class], groups: &Groups, options: &FoldOptions) -> Result<Vec<Split>, EvaluateError> {
    let FoldOptions { folds, repeats, seed } = *options;
    check_folds(folds)?;
    check_repeats(repeats)?;
    super::error::check_length("groups", labels.len(), groups.rows())?;
    let members = groups.members();
    if members.len() < folds {
        return Err(EvaluateError::MoreFoldsThanGroups { folds, groups: members.len() });
    }
    let totals = rows_of_class(labels);
    let mut splits = Vec::new();
    for repeat in 0..repeats {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.shuffle(&mut stream(seed, repeat));
        order.sort_by_key(|&group| std::cmp::Reverse(members[group].len()));
        let mut shares = vec![vec![0.0; totals.len()]; folds];
        let mut fold_of = vec![0; members.len()];
        for group in order {
            let mut own = vec![0.0; totals.len()];
            members[group].iter().for_each(|&row| own[labels[row].position()] += 1.0);
            own.iter_mut().zip(&totals).for_each(|(own, &total)| *own /= total.max(1) as f64);
            // Adding `own` to a fold raises the sum of squares of all shares by this, up to what is the same for all.
            let crowd = |fold: usize| -> f64 { own.iter().zip(&shares[fold]).map(|(own, share)| own * share).sum() };
            let emptier = |&a: &usize, &b: &usize| crowd(a).total_cmp(&crowd(b));
            let fold = (0..folds).min_by(emptier).unwrap_or(0);
            fold_of[group] = fold;
            shares[fold].iter_mut().zip(&own).for_each(|(share, own)| *share += own);
        }
        let of_row = groups.of_row();
        splits.extend((0..folds).map(|fold| divide(repeat, fold, labels.len(), |row| fold_of[of_row[row]] == fold)));
    }
    for split in &splits {
        check_training(split, &format!("fold {}", split.fold + 1), labels)?;
    }
    Ok(splits)
}

/// Each class gives its share of rows, rounded, to the test set; both sets hold all classes, but that of three or more the
/// only row of a class is trained on.
pub fn stratified_holdout(labels: &[Class], options: &HoldoutOptions) -> Result<Vec<Split>, EvaluateError> {
    let HoldoutOptions { test_share, repeats, seed } = *options;
    if !(test_share > 0.0 && test_share < 1.0) {
        let wanted = "above 0 and below 1";
        return Err(EvaluateError::Option { option: "test_share", value: test_share, wanted });
    }
    check_repeats(repeats)?;
    check_rows(labels, 2)?;
    let split = |repeat| {
        let mut tested = vec![false; labels.len()];
        for rows in shuffled_by_class(labels, seed, repeat) {
            let share = (test_share * rows.len() as f64).round() as usize;
            for row in &rows[..share.clamp(1, rows.len() - 1)] {
                tested[*row] = true;
            }
        }
        divide(repeat, 0, labels.len(), |row| tested[row])
    };
    Ok((0..repeats).map(split).collect())
}

/// The split a column of the user's table asks for.
///
/// A column of `train` and `test` (any case) is one split. Any other column names folds: each distinct value is tested
/// once, in order of first appearance. Every training set must hold all classes.
pub fn given_splits(column: &[impl AsRef<str>], labels: &[Class]) -> Result<Vec<Split>, EvaluateError> {
    super::error::check_length("split column", labels.len(), column.len())?;
    let names: Vec<&str> = column.iter().map(|value| value.as_ref().trim()).collect();
    if let Some(row) = names.iter().position(|name| name.is_empty()) {
        let wanted = "name a fold, or train or test, in every row";
        return Err(EvaluateError::SplitValue { row, value: String::new(), wanted });
    }
    let splits = if names.iter().any(|name| name.eq_ignore_ascii_case("train")) {
        vec![train_and_test(&names)?]
    } else {
        let fold_of = number_by_first_appearance(&names);
        let folds = fold_of.iter().max().map_or(0, |last| last + 1);
        (0..folds).map(|fold| divide(0, fold, names.len(), |row| fold_of[row] == fold)).collect()
    };
    for split in &splits {
        check_given(split, &names, labels)?;
    }
    Ok(splits)
}

/// The classes up to the last that a row has, at least two.
fn classes(labels: &[Class]) -> impl ExactSizeIterator<Item = Class> + Clone {
    Class::first(labels.iter().map(|class| class.position() + 1).max().unwrap_or(0).max(2))
}

/// What a class is called where its name is not known.
fn class_name(class: Class, labels: &[Class]) -> String {
    match (classes(labels).len(), class) {
        (2, Class::NEGATIVE) => "negative".to_owned(),
        (2, _) => "positive".to_owned(),
        _ => format!("{}.", class.position() + 1),
    }
}

/// Of two classes each has a row in every fold; of more, there is a row to test in every fold.
fn check_rows(labels: &[Class], folds: usize) -> Result<(), EvaluateError> {
    let rows = rows_of_class(labels);
    if rows.len() > 2 {
        let tested = rows.iter().filter(|&&rows| rows > 1).sum();
        return if tested < folds { Err(EvaluateError::MoreFoldsThanRows { folds, rows: tested }) } else { Ok(()) };
    }
    match classes(labels).zip(rows).find(|(_, rows)| *rows < folds) {
        Some((class, rows)) => Err(EvaluateError::TooManyFolds { folds, class: class_name(class, labels), rows }),
        None => Ok(()),
    }
}

fn rows_of_class(labels: &[Class]) -> Vec<usize> {
    classes(labels).map(|class| labels.iter().filter(|label| **label == class).count()).collect()
}

fn check_folds(folds: usize) -> Result<(), EvaluateError> {
    if folds > 1 {
        return Ok(());
    }
    Err(EvaluateError::Option { option: "folds", value: folds as f64, wanted: "at least 2" })
}

fn check_repeats(repeats: usize) -> Result<(), EvaluateError> {
    if repeats > 0 {
        return Ok(());
    }
    Err(EvaluateError::Option { option: "repeats", value: 0.0, wanted: "at least 1" })
}

/// The rows of each class in random order, but the only row of a class: one stream of the seeded generator per repetition.
fn shuffled_by_class(labels: &[Class], seed: u64, repeat: usize) -> Vec<Vec<usize>> {
    let mut rng = stream(seed, repeat);
    let shuffled = |class: Class| {
        let mut rows: Vec<usize> = (0..labels.len()).filter(|&row| labels[row] == class).collect();
        rows.shuffle(&mut rng);
        rows
    };
    classes(labels).map(shuffled).filter(|rows| rows.len() > 1).collect()
}

/// The random numbers of one repetition.
fn stream(seed: u64, repeat: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(repeat as u64);
    rng
}

fn divide(repeat: usize, fold: usize, rows: usize, tested: impl Fn(usize) -> bool) -> Split {
    let (test, train) = (0..rows).partition(|&row| tested(row));
    Split { repeat, fold, train, test }
}

fn train_and_test(names: &[&str]) -> Result<Split, EvaluateError> {
    let is_test = |name: &str| name.eq_ignore_ascii_case("test");
    let other = names.iter().position(|name| !is_test(name) && !name.eq_ignore_ascii_case("train"));
    if let Some(row) = other {
        let wanted = "beside 'train' only 'test' is allowed";
        return Err(EvaluateError::SplitValue { row, value: names[row].to_owned(), wanted });
    }
    Ok(divide(0, 0, names.len(), |row| is_test(names[row])))
}

fn number_by_first_appearance(names: &[&str]) -> Vec<usize> {
    let mut known = HashMap::new();
    let number = |name| {
        let next = known.len();
        *known.entry(name).or_insert(next)
    };
    names.iter().map(number).collect()
}

fn check_given(split: &Split, names: &[&str], labels: &[Class]) -> Result<(), EvaluateError> {
    if split.test.is_empty() || split.train.is_empty() {
        return Err(EvaluateError::SingleSplit { value: names[0].to_owned() });
    }
    check_training(split, names[split.test[0]], labels)
}

/// Whether the training rows hold all classes.
fn check_training(split: &Split, name: &str, labels: &[Class]) -> Result<(), EvaluateError> {
    let missing = classes(labels).find(|class| split.train.iter().all(|&row| labels[row] != *class));
    match missing {
        Some(class) => Err(EvaluateError::MissingClass {
            split: name.to_owned(),
            side: "training",
            class: class_name(class, labels),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::forecasts::tests::from_bits;
    use super::*;

    fn unbalanced() -> Vec<Class> {
        from_bits(&(0..47).map(|i| u8::from(i % 4 == 0)).collect::<Vec<_>>())
    }

    fn positives(rows: &[usize], labels: &[Class]) -> usize {
        rows.iter().filter(|&&row| labels[row] == Class::POSITIVE).count()
    }

    #[test]
    fn folds_partition_and_stratify() {
        let labels = unbalanced();
        let splits = stratified_folds(&labels, &FoldOptions { folds: 5, repeats: 3, seed: 1 }).unwrap();
        assert_eq!(splits.len(), 15);
        for repeat in splits.chunks(5) {
            let mut tested: Vec<usize> = repeat.iter().flat_map(|split| split.test.clone()).collect();
            tested.sort_unstable();
            assert_eq!(tested, (0..47).collect::<Vec<_>>());
            for split in repeat {
                assert!((9..=10).contains(&split.test.len()));
                assert!((2..=3).contains(&positives(&split.test, &labels)));
                assert_eq!(split.train.len() + split.test.len(), 47);
                assert!(split.train.iter().all(|row| !split.test.contains(row)));
            }
        }
        assert_ne!(splits[0].test, splits[5].test);
    }

    #[test]
    fn three_classes_are_stratified_too() {
        let labels = from_bits(&(0..60).map(|i| [0, 1, 2, 2][i % 4]).collect::<Vec<_>>());
        for split in stratified_folds(&labels, &FoldOptions { folds: 5, repeats: 1, seed: 1 }).unwrap() {
            let of_class = |class: u16| split.test.iter().filter(|&&row| labels[row] == Class::from(class)).count();
            assert_eq!([0, 1, 2].map(of_class), [3, 3, 6]);
        }
    }

    #[test]
    fn of_several_classes_rare_ones_are_spread_and_always_in_training() {
        // 17 rows of class 0, 9 of 1, two of 2, one of 3.
        let codes: Vec<u8> = (0..29).map(|i| [2, 3, 2].get(i).map_or(u8::from(i % 3 == 0), |code| *code)).collect();
        let labels = from_bits(&codes);
        let options = FoldOptions { folds: 5, repeats: 2, seed: 4 };
        for repeat in stratified_folds(&labels, &options).unwrap().chunks(5) {
            let tests = |class: u16| {
                let of_split =
                    |split: &Split| split.test.iter().filter(|&&row| labels[row] == Class::from(class)).count();
                let mut counts: Vec<usize> = repeat.iter().map(of_split).collect();
                counts.sort_unstable();
                counts
            };
            assert_eq!((tests(2), tests(3)), (vec![0, 0, 0, 1, 1], vec![0; 5]));
            assert_eq!(tests(1), [1, 2, 2, 2, 2]);
            for split in repeat {
                assert!(classes(&labels).all(|class| split.train.iter().any(|&row| labels[row] == class)), "{split:?}");
                assert!((5..=6).contains(&split.test.len()));
            }
        }
        let holdout = stratified_holdout(&labels, &HoldoutOptions::default()).unwrap().remove(0);
        assert!(holdout.train.contains(&1) && holdout.test.iter().any(|row| [0, 2].contains(row)));
        let error = stratified_folds(&from_bits(&[0, 0, 1, 2, 2]), &options).unwrap_err().to_string();
        assert_eq!(
            error,
            "5 folds need 5 rows of classes with more than one row, but there are 4; use at most 4 folds"
        );
    }

    #[test]
    fn groups_stay_together_and_classes_are_spread() {
        let labels = unbalanced();
        let values: Vec<Option<String>> = (0..47).map(|i| Some((i / 3).to_string())).collect();
        let groups = Groups::new("who", &values).unwrap();
        let options = FoldOptions { folds: 4, repeats: 2, seed: 5 };
        let splits = grouped_folds(&labels, &groups, &options).unwrap();
        assert_eq!(splits, grouped_folds(&labels, &groups, &options).unwrap());
        for repeat in splits.chunks(4) {
            let mut tested: Vec<usize> = repeat.iter().flat_map(|split| split.test.clone()).collect();
            tested.sort_unstable();
            assert_eq!(tested, (0..47).collect::<Vec<_>>());
            for split in repeat {
                let of = |rows: &[usize]| rows.iter().map(|&row| groups.of_row()[row]).collect::<Vec<_>>();
                assert!(of(&split.test).iter().all(|group| !of(&split.train).contains(group)));
                assert!((9..=15).contains(&split.test.len()) && (2..=4).contains(&positives(&split.test, &labels)));
            }
        }
        assert_ne!(splits[0].test, splits[4].test);
        let error = grouped_folds(&labels, &groups, &FoldOptions { folds: 17, ..options }).unwrap_err().to_string();
        assert_eq!(error, "17 folds need 17 groups but there are 16; use at most 16 folds");
        let by_class: Vec<Option<&str>> = labels.iter().map(|l| Some(["n", "p"][l.position()])).collect();
        let alone = Groups::new("class", &by_class).unwrap();
        let error = grouped_folds(&labels, &alone, &FoldOptions { folds: 2, ..options }).unwrap_err().to_string();
        assert!(error.starts_with("the training rows of split 'fold"), "{error}");
    }

    #[test]
    fn the_seed_decides_and_repetitions_are_independent_of_their_number() {
        let labels = unbalanced();
        let run = |repeats, seed| stratified_folds(&labels, &FoldOptions { folds: 5, repeats, seed }).unwrap();
        assert_eq!(run(3, 7), run(3, 7));
        assert_eq!(run(3, 7)[..5], run(1, 7));
        assert_ne!(run(1, 7), run(1, 8));
    }

    #[test]
    fn holdout_takes_the_share_of_each_class() {
        let labels = unbalanced();
        let options = HoldoutOptions { test_share: 0.3, repeats: 2, seed: 3 };
        let splits = stratified_holdout(&labels, &options).unwrap();
        assert_eq!(splits.len(), 2);
        for split in &splits {
            assert_eq!((split.test.len(), positives(&split.test, &labels)), (15, 4));
        }
        assert_ne!(splits[0], splits[1]);
        let tiny = stratified_holdout(&from_bits(&[0, 0, 1, 1]), &HoldoutOptions { test_share: 0.01, ..options });
        assert_eq!(tiny.unwrap()[0].test.len(), 2);
    }

    #[test]
    fn columns_name_train_and_test_or_folds() {
        let labels = from_bits(&[0, 1, 0, 1]);
        let one = given_splits(&["train", "Train", "test", "TEST"], &labels).unwrap();
        assert_eq!(one, [Split { repeat: 0, fold: 0, train: vec![0, 1], test: vec![2, 3] }]);
        let folds = given_splits(&["b", "b", "a", "a"], &labels).unwrap();
        assert_eq!(folds.iter().map(|s| s.test.clone()).collect::<Vec<_>>(), [[0, 1], [2, 3]]);
    }

    #[test]
    fn impossible_wishes_are_named() {
        let labels = unbalanced();
        let error = stratified_folds(&labels, &FoldOptions { folds: 20, ..FoldOptions::default() }).unwrap_err();
        assert_eq!(
            error.to_string(),
            "20 folds need 20 rows of each class but the positive class has 12; use at most 12 folds"
        );
        assert!(stratified_folds(&labels, &FoldOptions { folds: 1, ..FoldOptions::default() }).is_err());
        assert!(stratified_folds(&labels, &FoldOptions { repeats: 0, ..FoldOptions::default() }).is_err());
        assert!(stratified_holdout(&labels, &HoldoutOptions { test_share: 1.0, ..Default::default() }).is_err());
        assert!(stratified_holdout(&labels[..4], &HoldoutOptions::default()).is_err());
        let two = from_bits(&[0, 1, 1]);
        let given = |column: [&str; 3]| given_splits(&column, &two).unwrap_err().to_string();
        assert!(given(["train", "valid", "test"]).starts_with("row 1 of the split column holds 'valid'"));
        assert!(given(["a", "", "b"]).starts_with("row 1 of the split column holds ''"));
        assert!(given(["a", "a", "a"]).contains("single value 'a'"));
        assert!(given(["a", "b", "b"]).contains("training rows of split 'a' hold no row of the negative class"));
    }
}
