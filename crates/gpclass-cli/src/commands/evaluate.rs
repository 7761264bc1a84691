//! `gpclass evaluate`.

use crate::args::{EvaluateArgs, apply_columns, read_spec, spec};
use crate::cost::{FEWER_CANDIDATES, afford};
use crate::error::CliError;
use crate::labelled::Labelled;
use crate::progress::Progress;
use crate::session::Session;
use crate::show::evaluation::{Evaluation, Method};
use gpclass::classifier::{Classifier, Note, Spec};
use gpclass::compare::aggregate::Runs;
use gpclass::data::{Class, DataNote, Identifier, LabelValues, Labels, Table, group_notes, identifiers};
use gpclass::evaluate::folds::{FoldOptions, Split, given_splits, grouped_folds, stratified_folds};
use gpclass::evaluate::{ClassForecasts, ScoreOptions, Scores, score_classes};
use gpclass::learn::{Cost, Size};
use gpclass::linalg::{Mat, map_tasks};
use gpclass::model::Probabilities;
use gpclass_host::output::Plan;
use std::path::PathBuf;

pub(super) fn run(args: &EvaluateArgs, session: &Session) -> Result<(), CliError> {
    let specs = specs(args)?;
    let inputs = [&args.data].into_iter().chain(&args.model.spec).chain(&args.compare);
    Plan::reading(inputs.map(PathBuf::as_path)).printing().check()?;
    let data = Labelled::read_parts(session, &args.data, &args.columns, &args.format, args.split.as_deref())?;
    let labels = data.classes(specs[0].1.positive.as_deref())?;
    let splits = splits(args, &data, labels.as_slice())?;
    if data.groups.is_none() {
        let notes = group_notes(&data.table, labels.as_slice(), &specs[0].1.encoder);
        Note::of_data(&notes).iter().for_each(|note| session.remark(&format!("note: {note}")));
    }
    afford(session, "evaluation", cost(&data, &splits, &specs, session.threads), FEWER_CANDIDATES)?;
    let progress = session.progress().steps((splits.len() * specs.len()) as u64);
    let mut methods = Vec::new();
    for (name, spec) in specs {
        progress.say(name.clone());
        let (table, spec) = without_identifiers(&data.table, spec, session)?;
        let work = Work { data: &data, table: &table, labels: &labels, spec: &spec, session, progress: &progress };
        let tested: Result<Vec<Tested>, CliError> =
            map_tasks(splits.len(), |i| work.test(&splits[i])).into_iter().collect();
        session.check()?;
        let tested = tested?;
        let pooled = together(&tested)?;
        methods.push(Method { name, pooled, scores: tested.into_iter().map(|test| test.scores).collect() });
    }
    progress.clear();
    let evaluation = Evaluation::new(methods, runs(&splits), data.table.rows(), labels.classes().clone())?;
    session.print(&if session.json { evaluation.json()? } else { evaluation.text()? })
}

/// Named specs: those to compare, or the one that the options make.
fn specs(args: &EvaluateArgs) -> Result<Vec<(String, Spec)>, CliError> {
    if args.compare.is_empty() {
        return Ok(vec![("model".to_owned(), spec(&args.model, &args.search, &args.columns)?)]);
    }
    let mut specs = Vec::new();
    for path in &args.compare {
        let mut spec = read_spec(path)?;
        apply_columns(&mut spec, &args.columns)?;
        spec.fit.seed = args.search.seed.unwrap_or(spec.fit.seed);
        let name = path.file_stem().map_or_else(|| path.display().to_string(), |stem| stem.to_string_lossy().into());
        specs.push((name, spec));
    }
    let first = specs[0].1.positive.clone();
    if specs.iter().any(|(_, spec)| spec.positive != first) {
        return Err(CliError::user("the specs name different positive classes; name one with --positive"));
    }
    Ok(specs)
}

fn splits(args: &EvaluateArgs, data: &Labelled, labels: &[Class]) -> Result<Vec<Split>, CliError> {
    Ok(match &data.aside {
        Some(column) => given_splits(column, labels).map_err(|e| data.explain(e))?,
        None => {
            let seed = args.search.seed.unwrap_or_default();
            let options = FoldOptions { folds: args.folds, repeats: args.repeats, seed };
            match &data.groups {
                Some(groups) => grouped_folds(labels, groups, &options)?,
                None => stratified_folds(labels, &options)?,
            }
        }
    })
}

/// Of all fits: the splits of a spec side by side, one spec after the other.
fn cost(data: &Labelled, splits: &[Split], specs: &[(String, Spec)], threads: usize) -> Cost {
    let rows = splits.iter().map(|split| split.train.len()).max().unwrap_or(0);
    let size = Size { rows, ..Size::of_table(&data.table, &data.labels) };
    let of_spec = |(_, spec): &(String, Spec)| Cost::of_fit(&size, &spec.fit, None);
    let each = specs.iter().map(|spec| of_spec(spec).repeated(splits.len(), threads));
    let together = |a: Cost, b: Cost| Cost { bytes: a.bytes.max(b.bytes), cholesky: a.cholesky + b.cholesky, ..a };
    each.reduce(together).unwrap_or(Cost::of_inference(rows, size.classes))
}

/// Training sets of several splits of one table overlap.
fn runs(splits: &[Split]) -> Runs {
    let ratio = |split: &Split| split.test.len() as f64 / split.train.len() as f64;
    Runs::Resampled { test_to_train: splits.iter().map(ratio).sum::<f64>() / splits.len().max(1) as f64 }
}

/// The table without the columns that all of its rows show to be identifiers, which parts of them need not show.
fn without_identifiers(table: &Table, mut spec: Spec, session: &Session) -> Result<(Table, Spec), CliError> {
    let found: Vec<Identifier> = identifiers(table, &spec.encoder).into_iter().filter(|found| found.left_out).collect();
    let names: Vec<String> = found.iter().map(|found| found.column.clone()).collect();
    let notes: Vec<DataNote> = found.into_iter().map(Identifier::note).collect();
    Note::of_data(&notes).iter().for_each(|note| session.remark(&format!("note: {note}")));
    spec.encoder.leave_out_ids = false;
    Ok((table.clone().without(&names)?, spec))
}

struct Work<'a> {
    data: &'a Labelled,
    /// The columns of the data that are learned from.
    table: &'a Table,
    labels: &'a Labels,
    spec: &'a Spec,
    session: &'a Session,
    progress: &'a Progress,
}

impl Work<'_> {
    /// Fits on one part and tests on the other.
    fn test(&self, split: &Split) -> Result<Tested, CliError> {
        self.session.check()?;
        // The classes of all rows, in their order, whatever the part alone would suggest.
        let train_labels = LabelValues::Known(self.labels.select(&split.train));
        let train = self.table.select_rows(&split.train)?;
        let control = self.session.silent_control();
        let classifier =
            Classifier::fit(&train, &train_labels, self.data.details_of(&split.train), self.spec, &control)
                .map_err(|e| self.data.explain_part(&split.train, e))?;
        let test = self.table.select_rows(&split.test)?;
        let (rows, _) = classifier.predict(&test).map_err(|e| self.data.explain_part(&split.test, e))?;
        let labels = self.labels.select(&split.test);
        let logs: Vec<f64> = rows.log_probability_of(labels.as_slice()).into_iter().map(|log| log.min(0.0)).collect();
        let weights = self.data.details_of(&split.test).weights;
        let mut forecasts = ClassForecasts::new(&rows.probability, labels.as_slice());
        if logs.iter().all(|log| log.is_finite()) {
            forecasts = forecasts.with_log_probs(&logs);
        }
        if let Some(weights) = &weights {
            forecasts = forecasts.with_weights(weights);
        }
        self.progress.advance(1);
        let scores = score_classes(&forecasts, &ScoreOptions::default())?;
        Ok(Tested { scores, probability: rows.probability, labels: labels.as_slice().to_vec(), weights })
    }
}

/// What a model said about the rows that it was tested on.
struct Tested {
    scores: Scores,
    probability: Probabilities,
    labels: Vec<Class>,
    weights: Option<Vec<f64>>,
}

/// The scores of the rows of all tests together.
fn together(tested: &[Tested]) -> Result<Scores, CliError> {
    let rows = tested.iter().flat_map(|test| (0..test.labels.len()).map(move |row| (test, row)));
    let rows: Vec<(&Tested, usize)> = rows.collect();
    let classes = tested.first().map_or(0, |test| test.probability.classes().len());
    let probability = Mat::from_fn(rows.len(), classes, |i, class| rows[i].0.probability.as_mat()[(rows[i].1, class)]);
    let (probability, labels) = (Probabilities::new(probability), tested.iter().flat_map(|t| t.labels.clone()));
    let labels: Vec<Class> = labels.collect();
    let weights: Option<Vec<f64>> =
        tested.iter().map(|t| t.weights.clone()).collect::<Option<Vec<_>>>().map(|each| each.concat());
    let mut forecasts = ClassForecasts::new(&probability, &labels);
    if let Some(weights) = &weights {
        forecasts = forecasts.with_weights(weights);
    }
    Ok(score_classes(&forecasts, &ScoreOptions::default())?)
}
