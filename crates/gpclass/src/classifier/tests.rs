//! A classifier through its life: fitted, stored, read, damaged.

use super::*;
use crate::data::{Class, Column, MissingPolicy};
use crate::kernel::{Kernel, MAX_NESTING, Scales};
use crate::learn::{Candidate, Combine, Departure, FitOptions, KernelFamily, Lengthscales, LikelihoodFamily, Sharpen};
use crate::likelihood::Likelihood;
use crate::model::Model;
use proptest::prelude::*;
use std::sync::LazyLock;

/// Two numbers and a category; the class is a disc with three labels flipped.
fn rows() -> (Table, LabelValues) {
    let n = 60;
    let at = |i: usize, k: f64| ((i as f64 + 0.5) * k).sin();
    let a: Vec<f64> = (0..n).map(|i| 2.0 * at(i, 12.9898)).collect();
    let b: Vec<f64> = (0..n).map(|i| 2.0 * at(i, 78.233)).collect();
    let c: Vec<&str> = (0..n).map(|i| ["x", "y", "z"][i % 3]).collect();
    let inside = |i: usize| (a[i] * a[i] + b[i] * b[i] < 2.0) != [7, 20, 41].contains(&i);
    let labels = LabelValues::text((0..n).map(|i| if inside(i) { "in" } else { "out" }));
    let columns = vec![Column::continuous("a", a), Column::continuous("b", b), Column::categories("c", c)];
    (Table::new(columns).unwrap(), labels)
}

fn quick(likelihood: Option<LikelihoodFamily>) -> Spec {
    let kernel = Some(KernelFamily::SquaredExponential);
    Spec {
        fit: FitOptions { kernel, likelihood, lengthscales: Lengthscales::Single, ..FitOptions::default() },
        ..Spec::default()
    }
}

fn fitted(spec: &Spec) -> Classifier {
    let (table, labels) = rows();
    Classifier::fit(&table, &labels, None, spec, &Control::default()).unwrap()
}

static STORED: LazyLock<Vec<u8>> = LazyLock::new(|| fitted(&quick(None)).to_bytes());

/// Predictions at the training rows and beyond them.
fn same_predictions(one: &Classifier, other: &Classifier) {
    let (table, _) = rows();
    let far = Table::new(vec![
        Column::continuous("a", vec![9.0, -0.3]),
        Column::continuous("b", vec![0.1, 1e3]),
        Column::categories("c", ["never seen", "x"]),
    ]);
    for table in [table, far.unwrap()] {
        let bits = |c: &Classifier| {
            let rows = c.predict(&table).unwrap().0;
            let numbers = [rows.probability.as_mat(), &rows.mean, &rows.var, &rows.log_probability];
            numbers.iter().flat_map(|mat| mat.as_slice()).map(|v| v.to_bits()).collect::<Vec<u64>>()
        };
        assert_eq!(bits(one), bits(other));
    }
    let left_out = |c: &Classifier| c.fitted().leave_one_out();
    assert_eq!(left_out(one), left_out(other));
}

#[test]
fn what_is_read_predicts_to_the_last_bit() {
    let combined = |combine| Spec { fit: FitOptions { combine, ..quick(None).fit }, ..quick(None) };
    for spec in [
        quick(None),
        combined(Combine::Evidence),
        combined(Combine::Stack),
        combined(Combine::Best),
        quick(Some(LikelihoodFamily::Logistic)),
    ] {
        let classifier = fitted(&spec).with_origin(Some("disc".into()), Some("2020-01-01".into()));
        let reread = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
        same_predictions(&classifier, &reread);
        assert_eq!(reread.summary(), classifier.summary());
        assert_eq!(reread.provenance(), classifier.provenance());
        assert_eq!(reread.spec(), &spec);
        assert_eq!(reread.to_bytes(), classifier.to_bytes());
    }
}

/// The deepest kernel that a fit accepts is one that can be read back.
#[test]
fn the_deepest_kernel_is_read_back() {
    let (table, labels) = rows();
    let wrap = |inner, level: usize| match level % 2 {
        0 => Kernel::Sum(vec![inner, Kernel::noise(0.3)]),
        _ => Kernel::Product(vec![inner, Kernel::rational_quadratic(1.0, 1.0, Scales::Ard(vec![0.1; 3]))]),
    };
    let deepest = (0..MAX_NESTING).fold(Kernel::linear(Scales::Ard(vec![1.0; 3])), wrap);
    let mut fixed = deepest.clone();
    for param in deepest.params() {
        fixed.set_fixed(&param.name, true).unwrap();
    }
    let candidate = |_: &TrainingData| {
        let model = Model::new(fixed, Likelihood::probit());
        Ok(vec![Candidate { name: "deep".into(), model, departure: Departure::Free, view: Default::default() }])
    };
    let spec = quick(None);
    let classifier = Classifier::fit_models(&table, &labels, None, candidate, &spec, &Control::default()).unwrap();
    let reread = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
    same_predictions(&classifier, &reread);
}

/// The posterior that the members hold is the one that learning found, not one beside it.
#[test]
fn members_are_what_learning_found() {
    let (table, labels) = rows();
    let spec = quick(Some(LikelihoodFamily::Probit));
    let classifier = fitted(&spec);
    let (encoder, _) = Encoder::fit(&table, &spec.encoder).unwrap();
    let labels = Labels::fit(&labels, &LabelOptions::default()).unwrap();
    let inputs = encoder.encode(&table).unwrap().0;
    let data = training_data(inputs.clone(), &labels, None, None).unwrap();
    let fit = learn::fit(&data, &spec.fit, &Control::default()).unwrap();
    let (ours, theirs) = (classifier.predict(&table).unwrap().0, fit.fitted().predict(&inputs).unwrap());
    for i in 0..table.rows() {
        let (p, var) = (ours.probability(i, Class::POSITIVE), theirs.var[(i, 0)]);
        assert!((p - theirs.probability(i, Class::POSITIVE)).abs() < 1e-12);
        assert!((ours.var[(i, 0)] - var).abs() < 1e-12 * (1.0 + var));
        assert!((ours.log_probability(i, Class::POSITIVE).exp() - p).abs() < 1e-12);
        assert!((ours.log_probability(i, Class::NEGATIVE).exp() + p - 1.0).abs() < 1e-12);
    }
}

#[test]
fn flipped_labels_are_suspect_whatever_is_chosen() {
    for likelihood in [None, Some(LikelihoodFamily::Probit), Some(LikelihoodFamily::Robust)] {
        let classifier = fitted(&quick(likelihood));
        let suspects = &classifier.summary().suspects;
        let worst = suspects.above(0.0);
        let found = worst[..6].iter().filter(|row| [7, 20, 41].contains(row)).count();
        assert!(found >= 2, "{likelihood:?} {:?} {:?}", suspects.source, &worst[..6]);
        if likelihood == Some(LikelihoodFamily::Probit) {
            assert_eq!(suspects.source, SuspectSource::LeaveOneOut);
        }
    }
}

#[test]
fn an_average_is_a_mixture() {
    let mut spec = quick(Some(LikelihoodFamily::Probit));
    spec.fit.kernel = None;
    spec.fit.combine = Combine::Evidence;
    let classifier = fitted(&spec);
    assert!(classifier.members().len() > 1, "{:?}", classifier.summary().candidates);
    let (table, _) = rows();
    let inputs = classifier.encoder().encode(&table).unwrap().0;
    let each: Vec<_> =
        classifier.members().iter().map(|m| (m.weight(), m.fitted().predict(&inputs).unwrap())).collect();
    let mixed = classifier.predict(&table).unwrap().0;
    assert_eq!(classifier.sharpness(), 1.0, "only a stack is judged by rows that it did not see");
    for i in 0..table.rows() {
        let mean = |value: &dyn Fn(&Predictions) -> f64| each.iter().map(|(w, rows)| w * value(rows)).sum::<f64>();
        for class in [Class::NEGATIVE, Class::POSITIVE] {
            assert!((mixed.probability(i, class) - mean(&|p| p.probability(i, class))).abs() < 1e-12);
        }
        let square = mean(&|p| p.var[(i, 0)] + p.mean[(i, 0)].powi(2));
        let (m, latent) = (mean(&|p| p.mean[(i, 0)]), mixed.latent(i, 0));
        assert!((latent.mean - m).abs() < 1e-12 && (latent.var - (square - m * m)).abs() < 1e-9);
    }
}

#[test]
fn a_file_is_compact() {
    let classifier = fitted(&quick(None));
    let bytes = classifier.to_bytes().len();
    // 60 rows: the matrix alone would be 28,800 bytes.
    assert!(bytes < 20_000, "{bytes}");
}

#[test]
fn damage_is_told_in_one_sentence() {
    let bytes = &*STORED;
    let sentence = |bytes: &[u8]| Classifier::from_bytes(bytes).unwrap_err().to_string();
    assert!(sentence(b"").contains("not a gpclass model"));
    assert!(sentence(b"label,x\n1,2\n").contains("not a gpclass model"));
    for cut in [1, 12, 19, 25, bytes.len() / 2, bytes.len() - 1] {
        assert!(sentence(&bytes[..cut]).contains("the model ends after"), "{cut}");
    }
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert!(sentence(&newer).contains("format version 9"), "{}", sentence(&newer));
    let mut changed = bytes.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    assert!(sentence(&changed).contains("checksum"));
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(sentence(&longer).contains("1 bytes follow"));
    let mut huge = bytes.clone();
    huge[12..20].fill(0xff);
    assert!(sentence(&huge).contains("the model ends after"));
}

/// Gives changed bytes a checksum that fits, as someone hostile would.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let end = bytes.len() - 32;
    let checksum = Sha256::digest(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum);
    bytes
}

#[test]
fn a_section_of_any_length_is_checked_against_the_file() {
    for length in [u64::MAX, 1 << 40, 0] {
        let mut bytes = STORED.clone();
        bytes[23..31].copy_from_slice(&length.to_le_bytes());
        let error = Classifier::from_bytes(&sealed(bytes)).unwrap_err();
        assert!(matches!(error, ModelFileError::Nonsense { .. }), "{error}");
    }
}

/// A column with missing values is spoken of once, and several of them in one sentence.
#[test]
fn missing_values_are_told_once() {
    let (table, labels) = rows();
    let mut columns = table.columns().to_vec();
    let holes = |step: usize| (0..60).map(|i| if i % step == 0 { f64::NAN } else { (i as f64).sin() }).collect();
    columns.extend([Column::continuous("d", holes(9)), Column::continuous("e", holes(20))]);
    let mut spec = quick(Some(LikelihoodFamily::Probit));
    spec.encoder.missing = MissingPolicy::impute();
    let fit = |columns: &[Column]| {
        let table = Table::new(columns.to_vec()).unwrap();
        Classifier::fit(&table, &labels, None, &spec, &Control::default()).unwrap().summary().data_notes.clone()
    };
    let one = fit(&columns[..4]);
    assert_eq!(one.len(), 1, "{one:?}");
    assert!(one[0].text.starts_with("Column 'd' had 7 missing values, replaced"), "{}", one[0]);
    let both = fit(&columns);
    assert_eq!(both.len(), 1, "{both:?}");
    assert!(both[0].text.starts_with("Columns 'd' and 'e' had 10 missing values: 'd' (7, replaced"), "{}", both[0]);
}

#[test]
fn a_class_with_one_row_is_told() {
    let (table, _) = rows();
    let labels = LabelValues::text((0..60).map(|i| if i == 3 { "rare" } else { "usual" }));
    let classifier =
        Classifier::fit(&table, &labels, None, &quick(Some(LikelihoodFamily::Probit)), &Control::default()).unwrap();
    let notes = &classifier.summary().data_notes;
    assert!(
        notes.iter().any(|n| n.kind == "rare_class" && n.text.starts_with("Class 'rare' has 1 row, so")),
        "{notes:?}"
    );
}

#[test]
fn weights_and_bad_rows() {
    let (table, labels) = rows();
    let spec = quick(Some(LikelihoodFamily::Probit));
    let fit = |weights| Classifier::fit(&table, &labels, weights, &spec, &Control::default());
    let weighted = fit(Some((0..60).map(|i| if i % 7 == 0 { 2.0 } else { 1.0 }).collect())).unwrap();
    same_predictions(&weighted, &Classifier::from_bytes(&weighted.to_bytes()).unwrap());
    let plain = fit(Some(vec![1.0; 60])).unwrap();
    same_predictions(&plain, &fitted(&spec));
    assert!(fit(Some(vec![1.0; 3])).unwrap_err().to_string().contains("weights is 3"));
    let three = LabelValues::text((0..60).map(|i| ["a", "b", "c"][i % 3]));
    let three = Classifier::fit(&table, &three, None, &spec, &Control::default()).unwrap();
    assert_eq!((three.classes().len(), three.summary().multiclass), (3, crate::model::Multiclass::Joint));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bytes changed anywhere, with a checksum that fits or not, give an error or a model, never a panic.
    #[test]
    fn any_bytes_are_safe(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
        seal in prop::bool::weighted(0.8),
    ) {
        let mut bytes = STORED.clone();
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(32 + cut.index(bytes.len() - 32));
        }
        let bytes = if seal { sealed(bytes) } else { bytes };
        if let Ok(model) = Classifier::from_bytes(&bytes) {
            // Whatever was read must also be fit for use.
            let (table, _) = rows();
            let _ = model.predict(&table);
            let _ = model.to_bytes();
        }
    }

    #[test]
    fn random_bytes_are_safe(noise in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(Classifier::from_bytes(&noise).is_err());
        let mut headed = STORED[..20].to_vec();
        headed.extend(noise);
        prop_assert!(Classifier::from_bytes(&headed).is_err());
    }
}

const APART: usize = 120;

/// Clouds that hardly overlap, in a ring, and two columns of noise: a mixture of models is too cautious there.
fn apart(classes: usize, spec: &Spec) -> (Classifier, Table) {
    let radius = if classes == 2 { 1.0 } else { 1.25 };
    let noise = |i: usize, k: f64| ((i as f64 + 0.5) * k).sin();
    let around = |i: usize| std::f64::consts::TAU * (i % classes) as f64 / classes as f64;
    let column = |name: &str, value: &dyn Fn(usize) -> f64| Column::continuous(name, (0..APART).map(value).collect());
    let columns = vec![
        column("a", &|i| radius * around(i).cos() + noise(i, 12.9898)),
        column("b", &|i| radius * around(i).sin() + noise(i, 78.233)),
        column("c", &|i| noise(i, 37.719)),
        column("d", &|i| noise(i, 93.989)),
    ];
    let labels = LabelValues::text((0..APART).map(|i| ["red", "green", "blue"][i % classes]));
    let table = Table::new(columns).unwrap();
    let classifier = Classifier::fit(&table, &labels, None, spec, &Control::default()).unwrap();
    (classifier, table)
}

#[test]
fn a_sharpened_stack_predicts_alike_everywhere() {
    let off = Spec { fit: FitOptions { sharpen: Sharpen::Off, ..FitOptions::default() }, ..Spec::default() };
    for classes in [2, 3] {
        let ((sharp, table), (plain, _)) = (apart(classes, &Spec::default()), apart(classes, &off));
        let sharpness = sharp.sharpness();
        assert!(sharpness > 1.1 && sharp.summary().sharpness == sharpness, "{sharpness}");
        assert_eq!((plain.sharpness(), plain.summary().sharpness), (1.0, 1.0));
        assert!(sharp.members().iter().zip(plain.members()).all(|(a, b)| a.weight().to_bits() == b.weight().to_bits()));
        let nlp =
            |c: &Classifier| (c.summary().loo.nlp_nats.value, c.summary().corrected.as_ref().unwrap().nlp_nats.value);
        assert!(nlp(&sharp).0 < nlp(&plain).0 && nlp(&sharp).1 < nlp(&plain).1, "{:?} {:?}", nlp(&sharp), nlp(&plain));
        // Every probability is the plain one raised to the power; latent values are the same.
        let (p, q) = (plain.predict(&table).unwrap().0, sharp.predict(&table).unwrap().0);
        let pairs =
            [(&p.probability, &q.probability), (&plain.summary().loo_probability, &sharp.summary().loo_probability)];
        for (p, q) in pairs {
            for i in 0..APART {
                let total: f64 = p.classes().map(|class| p.at(i, class).powf(sharpness)).sum();
                assert!(p.classes().all(|c| (q.at(i, c) - p.at(i, c).powf(sharpness) / total).abs() < 1e-9));
            }
        }
        assert_eq!((&p.mean, &p.var), (&q.mean, &q.var));
        assert_eq!(plain.summary().suspects, sharp.summary().suspects, "wrong labels are not sharpened");
        // Reasons sum to the log-odds of what is predicted, less their mean.
        let some = sharp.encoder().encode(&table).unwrap().0.select_rows(&[0, 1, 2]);
        let options = crate::explain::ReasonOptions::default();
        let reasons = sharp.reasons_for_inputs(&some, &options, Default::default()).unwrap();
        let odds = sharp.predict_inputs(&some).unwrap().log_odds();
        for row in 0..3 {
            for function in 0..odds.cols() {
                let sum: f64 = (0..4).map(|part| reasons.values[function][(row, part)]).sum();
                assert!((reasons.base[function] + sum - odds[(row, function)]).abs() < 1e-9);
            }
        }
        // The file keeps it, and a program that does not know it must not go on.
        let reread = Classifier::from_bytes(&sharp.to_bytes()).unwrap();
        assert_eq!(reread.predict(&table).unwrap().0, q);
        assert_eq!((reread.sharpness(), reread.to_bytes() == sharp.to_bytes()), (sharpness, true));
    }
}

/// A linear model is sure for ever; the novelty is not.
#[test]
fn novelty_and_neighbours_survive_the_file() {
    let (table, labels) = rows();
    let linear = Some(KernelFamily::Linear);
    let spec = Spec { fit: FitOptions { kernel: linear, ..quick(None).fit }, ..Spec::default() };
    for spec in [spec, Spec { fit: FitOptions { combine: Combine::Evidence, ..quick(None).fit }, ..Spec::default() }] {
        let classifier = Classifier::fit(&table, &labels, None, &spec, &Control::default()).unwrap();
        let far = Table::new(vec![
            Column::continuous("a", vec![0.3, 90.0]),
            Column::continuous("b", vec![0.1, 0.1]),
            Column::categories("c", ["x", "x"]),
        ]);
        let far = far.unwrap();
        let novelty = classifier.novelty(&far).unwrap();
        assert!(novelty[0] < 0.99 && novelty[1] > 0.99, "{novelty:?}");
        let near = classifier.nearest(&table, 3).unwrap();
        for (row, near) in near.iter().enumerate() {
            assert_eq!((near.len(), near[0].row, near[0].distance), (3, row, 0.0));
            assert!(near[1].distance <= near[2].distance);
        }
        let reread = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
        assert_eq!(reread.novelty(&far).unwrap(), novelty);
        assert_eq!(reread.nearest(&table, 3).unwrap(), near);
        assert_eq!(reread.training_novelty().unwrap(), classifier.training_novelty().unwrap());
    }
}

/// Of three columns one decides, one is a copy of noise, one is constant.
#[test]
fn relevance_is_what_the_predictions_depend_on() {
    let n = 90;
    let at = |i: usize, k: f64| ((i as f64 + 0.5) * k).sin();
    let table = Table::new(vec![
        Column::continuous("wide noise", (0..n).map(|i| 50.0 * at(i, 78.233)).collect()),
        Column::continuous("decides", (0..n).map(|i| at(i, 12.9898)).collect()),
        Column::categories("never changes", (0..n).map(|_| "same")),
    ]);
    let labels = LabelValues::text((0..n).map(|i| if at(i, 12.9898) > 0.1 { "up" } else { "low" }));
    let fitted = Classifier::fit(table.unwrap(), &labels, None, &quick(None), &Control::default()).unwrap();
    let [noise, decides, constant] = [0, 1, 2].map(|m| &fitted.summary().relevances[m]);
    assert!(decides.effect > 0.25 && decides.share > 0.6, "{decides:?}");
    assert!(noise.effect < 0.5 * decides.effect, "{noise:?}");
    assert_eq!((constant.effect, constant.error), (0.0, 0.0));
    assert_eq!(crate::explain::leading(&fitted.summary().relevances, 0.6, 3), [1]);
}
