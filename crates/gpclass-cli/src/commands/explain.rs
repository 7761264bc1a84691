//! `gpclass explain`.

use crate::args::{ExplainArgs, in_unit};
use crate::error::CliError;
use crate::session::Session;
use crate::show::grid::{Align, bar, grid};
use crate::show::json;
use crate::show::printable::{name, printable};
use crate::show::summary::{Style, fit_text};
use crate::show::suspects::Suspect;
use crate::stored;
use gpclass::classifier::Classifier;
use gpclass::data::{Class, DataError, Table, nearest_name};
use gpclass::explain::{EffectCurve, EffectOptions, FeatureValue, effect_curves};
use gpclass::learn::ranking;
use gpclass_host::output::Plan;
use gpclass_table::{Limits, TableOptions};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Features whose effects are shown when none are named.
const SHOWN_EFFECTS: usize = 4;
/// Rows of a table that are looked at, at a time.
const BLOCK: usize = 2_000;
const BAR_WIDTH: usize = 30;

/// How the model meets a table: what it predicts there, and how much of what it says comes from data near by.
#[derive(Debug, Default, Serialize)]
struct Meeting {
    rows: usize,
    predicted_positive: usize,
    mean_probability: f64,
    /// Mean share of the prior variance of the latent value that training has not removed: 1 means nothing is known there.
    unexplained: f64,
}

pub(super) fn run(args: &ExplainArgs, session: &Session) -> Result<(), CliError> {
    let suspect = in_unit(args.suspect, "--suspect")?;
    let inputs = [&args.model].into_iter().chain(&args.data);
    Plan::reading(inputs.map(PathBuf::as_path)).printing().check()?;
    let classifier = stored::read(&args.model)?;
    let features = features(args, &classifier)?;
    let named = classifier.encoder().features().iter().map(|f| f.name.clone()).collect();
    let meeting =
        args.data.as_deref().map(|path| meet(path, args.format.options(named), &classifier, session)).transpose()?;
    let options = EffectOptions { grid: usize::from(args.points), ..EffectOptions::default() };
    let effects = effect_curves(classifier.fitted(), classifier.encoder(), &features, &options)?;
    session.check()?;
    if session.json {
        let summary = classifier.summary();
        let suspects = summary.suspects.above(suspect);
        let suspects: Vec<Suspect> = suspects.into_iter().map(|row| Suspect::of(&classifier, row, None)).collect();
        return session.print(&json(&serde_json::json!({
            "summary": summary, "provenance": classifier.provenance(), "suspects": suspects, "effects": effects,
            "data": meeting,
        }))?);
    }
    let origin = classifier.provenance();
    let from = name(origin.source.as_deref().unwrap_or("unnamed data"));
    let time = printable(origin.time.as_deref().unwrap_or("an unknown time"));
    let mut text =
        format!("Fitted on {from} at {time}, gpclass {}, seed {}\n", printable(&origin.version), origin.seed);
    text += &fit_text(&classifier, None, suspect, Style::detect());
    let positive = name(classifier.classes().name(Class::POSITIVE));
    for effect in &effects {
        text += &effect_text(effect, &positive);
    }
    text += &meeting.map_or_else(String::new, |meeting| meeting.text(&positive));
    session.print(&text)
}

/// Positions of the features to show.
fn features(args: &ExplainArgs, classifier: &Classifier) -> Result<Vec<usize>, CliError> {
    let known = classifier.encoder().features();
    if args.features.is_empty() {
        let ranked = ranking(&classifier.summary().relevances).into_iter();
        return Ok(ranked.take(SHOWN_EFFECTS).collect());
    }
    let find = |wanted: &String| {
        known.iter().position(|f| f.name == *wanted).ok_or_else(|| {
            let names: Vec<String> = known.iter().map(|f| f.name.clone()).collect();
            let nearest = nearest_name(wanted, names.iter().map(String::as_str)).map(str::to_owned);
            CliError::from(DataError::UnknownColumn { name: wanted.clone(), nearest, available: names })
        })
    };
    args.features.iter().map(find).collect()
}

fn meet(path: &Path, options: TableOptions, classifier: &Classifier, session: &Session) -> Result<Meeting, CliError> {
    let mut reader = session.open(path, TableOptions { limits: Limits::streaming(), ..options })?;
    let selection = reader.select(&super::predict::requests(classifier, &[]), "used in training")?;
    let mut meeting = Meeting::default();
    while let Some(block) = reader.next_block(&selection, BLOCK)? {
        session.check()?;
        let places = block.places;
        let (inputs, _) = classifier
            .encoder()
            .encode(&Table::new(block.columns)?)
            .map_err(|e| super::predict::explain(e, &places))?;
        let predicted = classifier.predict_inputs(&inputs)?;
        let prior = classifier.fitted().model().kernel.diag(&inputs);
        meeting.rows += predicted.rows();
        meeting.predicted_positive += (0..predicted.rows()).filter(|&i| predicted.class(i) == Class::POSITIVE).count();
        meeting.mean_probability += predicted.probability.of_class(Class::POSITIVE).iter().sum::<f64>();
        meeting.unexplained += predicted.var.col(0).iter().zip(prior).map(|(var, prior)| var / prior).sum::<f64>();
    }
    meeting.mean_probability /= meeting.rows as f64;
    meeting.unexplained /= meeting.rows as f64;
    Ok(meeting)
}

impl Meeting {
    fn text(&self, positive: &str) -> String {
        format!(
            "Given data\n  {} rows, {} predicted {positive}, mean P({positive}) {:.3}; {:.1} % of the prior variance is left \
             there (100 % means that training says nothing about such rows)\n",
            self.rows,
            self.predicted_positive,
            self.mean_probability,
            100.0 * self.unexplained
        )
    }
}

fn effect_text(effect: &EffectCurve, positive: &str) -> String {
    let value = |value: &FeatureValue| match value {
        FeatureValue::Number(number) => format!("{number:.4}"),
        FeatureValue::Category(category) => name(category),
    };
    let rows = effect.points.iter().map(|p| {
        let band = format!("{:.3}-{:.3}", p.low, p.high);
        vec![value(&p.value), format!("{:.3}", p.probability), band, bar(p.probability, BAR_WIDTH)]
    });
    let align = [Align::Right, Align::Right, Align::Left, Align::Left];
    let band = format!("{:.0} % band", 100.0 * effect.level);
    format!("Effect of {}\n", name(&effect.feature))
        + &grid(&["value", &format!("P({positive})"), &band, ""], &align, &rows.collect::<Vec<_>>())
}
