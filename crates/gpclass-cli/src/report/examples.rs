//! Reports for tests: real fits of small problems, without learning.

use super::data::*;
use gpclass::data::{Class, Column, Encoder, EncoderOptions, Table, Targets};
use gpclass::evaluate::calibration::{CalibrationOptions, calibration_curve};
use gpclass::evaluate::curves::{precision_recall_curve, roc_curve};
use gpclass::evaluate::{Forecasts, ScoreOptions, score};
use gpclass::explain::{EffectOptions, SurfaceOptions, decision_surface, effect_curves};
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{Relevance, TraceEntry, ranking, relevances};
use gpclass::likelihood::Likelihood;
use gpclass::model::{FittedModel, Model, TrainingData};
use std::sync::Arc;

/// Points in a square, positive inside a circle, some labels flipped.
pub(super) fn circle(rows: usize) -> ReportData {
    let golden = 0.618_033_988_749_894_9;
    let x: Vec<f64> = (0..rows).map(|i| 4.0 * ((i as f64 * golden).fract() - 0.5)).collect();
    let y: Vec<f64> = (0..rows).map(|i| 4.0 * ((i as f64 + 0.5) / rows as f64 - 0.5)).collect();
    let label = |i: usize| (x[i] * x[i] + y[i] * y[i] < 1.7) != (i % 17 == 3);
    let labels: Vec<bool> = (0..rows).map(label).collect();
    from_table(vec![Column::continuous("x1", x), Column::continuous("x2", y)], &labels, 2.0)
}

/// Numbers and categories, more features than effects are shown of.
pub(super) fn mixed(rows: usize) -> ReportData {
    let wave = |k: usize| (0..rows).map(move |i| 50.0 + 10.0 * ((i * (k + 2)) as f64).sin()).collect::<Vec<f64>>();
    let colours = ["red", "green", "blue", "ultramarine violet"];
    let age = wave(1);
    let mut columns: Vec<Column> = (2..9).map(|k| Column::continuous(format!("sensor {k}"), wave(k))).collect();
    columns.insert(0, Column::categories("colour", (0..rows).map(|i| colours[(i * i + i / 3) % 4])));
    let label = |i: usize| (age[i] + 6.0 * f64::from(u8::from((i * i + i / 3) % 4 == 2)) > 52.0) != (i % 23 == 5);
    let labels: Vec<bool> = (0..rows).map(label).collect();
    columns.insert(0, Column::continuous("age", age));
    from_table(columns, &labels, 0.4)
}

/// A report of a model at fixed hyperparameters, the first two features weighing most.
pub(super) fn from_table(columns: Vec<Column>, positive: &[bool], weight: f64) -> ReportData {
    let table = Table::new(columns).unwrap();
    let (encoder, _) = Encoder::fit(&table, &EncoderOptions::default()).unwrap();
    let (inputs, _) = encoder.encode(&table).unwrap();
    let weights = (0..inputs.features().len()).map(|m| if m < 2 { weight } else { 0.02 / (m as f64) }).collect();
    let mut kernel = Kernel::squared_exponential(6.0, Scales::Ard(weights)) + Kernel::bias(0.5);
    kernel.bind(inputs.features());
    let labels = positive.iter().map(|p| Class::from(u16::from(*p))).collect();
    let data = Arc::new(TrainingData::new(inputs, Targets::new(labels, 2).unwrap()).unwrap());
    let fit = Model::new(kernel, Likelihood::robust(0.05, 0.0, 1.0).unwrap()).infer(&data, None).unwrap();
    report(&fit, &encoder)
}

fn report(fit: &FittedModel, encoder: &Encoder) -> ReportData {
    let labels = fit.data().labels();
    let left = fit.leave_one_out().probability.of_class(Class::POSITIVE).to_vec();
    let forecasts = Forecasts::new(&left, labels);
    let relevances: Vec<Relevance> = relevances(&fit.model().kernel, fit.data().inputs());
    let top: Vec<usize> = ranking(&relevances).into_iter().take(6).collect();
    let is_positive = |i: usize| labels[i] == Class::POSITIVE;
    let wrong = fit.label_error();
    let mut suspects: Vec<SuspectRow> = (0..labels.len())
        .filter(|&i| wrong[i] > 0.5)
        .map(|i| SuspectRow {
            row: i,
            positive: is_positive(i),
            wrong: wrong[i],
            loo_probability: if is_positive(i) { left[i] } else { 1.0 - left[i] },
        })
        .collect();
    suspects.sort_by(|a, b| b.wrong.total_cmp(&a.wrong));
    let positives = (0..labels.len()).filter(|&i| is_positive(i)).count();
    ReportData {
        title: "Circle with flipped labels".to_owned(),
        classes: ClassPair { negative: "outside".to_owned(), positive: "inside".to_owned() },
        data: DataSummary {
            source: Some("circle.csv".to_owned()),
            negative_rows: labels.len() - positives,
            positive_rows: positives,
            continuous: encoder.features().iter().filter(|f| f.columns.len() == 1).count(),
            discrete: encoder.features().iter().filter(|f| f.columns.len() > 1).count(),
        },
        model: ModelSummary {
            kernel: fit.model().kernel.describe(),
            likelihood: fit.model().likelihood.name().to_owned(),
            method: "ep".to_owned(),
            log_evidence: fit.log_evidence(),
            outcome: "converged".to_owned(),
        },
        candidates: candidates(fit.log_evidence()),
        hyperparameters: fit
            .model()
            .kernel
            .params()
            .into_iter()
            .map(|p| HyperparameterRow {
                name: p.name,
                value: p.value,
                meaning: "relevance of a feature".to_owned(),
                fixed: p.fixed,
            })
            .collect(),
        scores: score(&forecasts, &ScoreOptions::default()).ok(),
        left_out: left
            .iter()
            .enumerate()
            .map(|(i, &p)| LeftOutRow { positive: is_positive(i), probability: p })
            .collect(),
        roc: roc_curve(&forecasts, 200).unwrap().unwrap_or_default(),
        precision_recall: precision_recall_curve(&forecasts, 200).unwrap(),
        calibration: calibration_curve(&forecasts, &CalibrationOptions::default()).ok(),
        suspects,
        suspect_source: "probability that the label is wrong, from the chosen model".to_owned(),
        trace: (0..14).map(|k| trace_entry(k, fit.log_evidence())).collect(),
        effects: effect_curves(fit, encoder, &top, &EffectOptions::default()).unwrap(),
        surface: decision_surface(fit, encoder, &SurfaceOptions::default()).unwrap(),
        notes: vec!["the class 'inside' has few rows; every estimate rests on them".to_owned()],
        provenance: vec![("version".to_owned(), "0.1.0".to_owned()), ("seed".to_owned(), "0".to_owned())],
        relevances,
    }
}

fn candidates(best: f64) -> Vec<CandidateRow> {
    let names = ["robust se ard", "robust se", "probit se ard", "robust linear"];
    let row = |(k, name): (usize, &&str)| CandidateRow {
        name: (*name).to_owned(),
        log_evidence: best - 2.5 * k as f64,
        score: best - 2.1 * (k * k) as f64,
        loo_error: 0.06 + 0.02 * k as f64,
        loo_nlp: 0.25 + 0.05 * k as f64,
        chosen: k == 0,
    };
    names.iter().enumerate().map(row).collect()
}

fn trace_entry(k: usize, best: f64) -> TraceEntry {
    let left = (-0.6 * k as f64).exp();
    TraceEntry {
        iteration: k,
        objective: best - 40.0 * left,
        log_evidence: best - 40.0 * left,
        loo_error: 0.06 + 0.2 * left,
        loo_nlp: 0.25 + 0.4 * left,
        values: Vec::new(),
        inferences: k + 1,
        seconds: 0.0,
    }
}
