//! `gpclass predict`: any number of rows in bounded memory.

use crate::args::PredictArgs;
use crate::error::CliError;
use crate::rows;
use crate::session::Session;
use crate::show::predictions::{Asked, Form, Predicted, Writer};
use crate::show::printable::name;
use crate::show::reasons::Told;
use crate::show::summary::{Style, score_text};
use crate::stored;
use gpclass::classifier::{Classifier, ClassifierError, Note};
use gpclass::data::{Class, ColumnCounts, ColumnKind, DataError, EncodeCounts, LabelValues, Labels, Table};
use gpclass::evaluate::{ClassForecasts, ScoreOptions, Scores, score_classes};
use gpclass::explain::UNLIKE_TRAINING;
use gpclass::linalg::Mat;
use gpclass::model::{Predictions, Probabilities};
use gpclass_host::output::{Output, Plan};
use gpclass_report::Csv;
use gpclass_table::{ColumnRequest, Limits, Places, TableOptions};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::time::Instant;

/// Rows explained between two signs of life.
const EXPLAINED_AT_ONCE: usize = 32;

/// What was predicted, in numbers.
#[derive(Default)]
struct Tally {
    rows: usize,
    /// Rows predicted to be of each class.
    classes: Vec<usize>,
    /// Rows that are unlike the training rows.
    unlike: usize,
    counts: EncodeCounts,
}

pub(super) fn run(args: &PredictArgs, session: &Session) -> Result<(), CliError> {
    if args.block == 0 {
        return Err(CliError::user("--block is 0; it must be at least 1"));
    }
    Plan::reading([args.model.as_path(), &args.data]).writing(Some(&args.output)).check()?;
    let classifier = stored::read(&args.model)?;
    session.check()?;
    let decider = args.decide.map(|by| classifier.decider(by)).transpose()?;
    let mut requests = requests(&classifier, &args.keep);
    requests.extend(args.label.iter().map(|name| ColumnRequest { name: name.clone(), kind: ColumnKind::Discrete }));
    let named = requests.iter().map(|request| request.name.clone()).collect();
    let options = TableOptions { limits: Limits::streaming(), ..args.format.options(named) };
    let mut reader = session.open(&args.data, options)?;
    let selection = reader.select(&requests, "used in training, by --keep or by --label")?;
    let mut output = Output::create(&args.output)?;
    let progress = session.progress();
    let asked = Asked {
        keep: &args.keep,
        abstain: args.abstain,
        nearest: args.nearest.into(),
        witnesses: args.witnesses.into(),
        explain: args.explain.into(),
        decider: decider.as_ref(),
    };
    // Reasons take their time: they are told as they come.
    let rows_at_once = if args.explain > 0 { args.block.min(EXPLAINED_AT_ONCE) } else { args.block };
    let writer = Writer::new(&classifier, asked, form(args, session));
    let mut tally = Tally { classes: vec![0; classifier.classes().len()], ..Tally::default() };
    let mut scored = args.label.as_ref().map(|_| Scored::default());
    let mut text = writer.header();
    let begun = Instant::now();
    while let Some(block) = reader.next_block(&selection, rows_at_once)? {
        session.check()?;
        let mut features = block.columns;
        let mut kept = features.split_off(classifier.encoder().read_columns().count());
        let truth = scored.as_ref().and_then(|_| kept.pop());
        let table = Table::new(features)?;
        let (inputs, counts) = classifier.encoder().encode(&table).map_err(|e| explain(e, &block.places))?;
        let rows = classifier.predict_inputs(&inputs).map_err(|e| explain(e, &block.places))?;
        let novelty = classifier.novelty_of_inputs(&inputs).map_err(|e| explain(e, &block.places))?;
        let nearest = match usize::from(args.nearest) {
            0 => Vec::new(),
            count => classifier.nearest_to_inputs(&inputs, count)?,
        };
        let witnesses = match usize::from(args.witnesses) {
            0 => Vec::new(),
            count => classifier.witnesses_for_inputs(&inputs, None, count)?,
        };
        let reasons = match args.explain {
            0 => None,
            _ => {
                let found = classifier.reasons_for_inputs(&inputs, &args.reasons.options(), session.interrupt());
                session.check()?;
                Some(Told::new(found?, args.reasons.scale, &table, &classifier)?)
            }
        };
        let (before, places) = (tally.rows, &block.places);
        let predicted = Predicted {
            before,
            places,
            kept: &kept,
            rows: &rows,
            novelty: &novelty,
            nearest: &nearest,
            witnesses: &witnesses,
            reasons: reasons.as_ref(),
        };
        writer.block(&mut text, &predicted)?;
        if let (Some(scored), Some(truth)) = (&mut scored, truth) {
            let labels = Labels::encode(&LabelValues::from(truth), classifier.classes());
            scored.add(&rows, &labels.map_err(|e| explain(e, &block.places))?);
        }
        tally.add(&rows, &novelty, &counts, &asked);
        output.write_all(text.as_bytes()).map_err(|e| output.explain(e))?;
        text.clear();
        progress.rows("predicted", tally.rows as u64, reader.share(), begun);
    }
    output.write_all(text.as_bytes()).map_err(|e| output.explain(e))?;
    output.commit()?;
    progress.clear();
    let scores = scored.map(|scored| scored.scores(classifier.classes().len())).transpose()?;
    tell(&tally, scores.as_ref(), &classifier, args, session)
}

fn form(args: &PredictArgs, session: &Session) -> Form {
    match session.json {
        true => Form::JsonLines,
        false if args.output.as_os_str() == "-" && std::io::stdout().is_terminal() => Form::Terminal,
        false => Form::Csv(Csv { safe: args.csv.safe_csv }),
    }
}

/// The model's columns as it was trained on, then those to repeat, as text.
pub(super) fn requests(classifier: &Classifier, keep: &[String]) -> Vec<ColumnRequest> {
    let read = classifier.encoder().read_columns();
    let read = read.filter_map(|column| Some(ColumnRequest { name: column.name.clone(), kind: column.column_kind()? }));
    let kept = keep.iter().map(|name| ColumnRequest { name: name.clone(), kind: ColumnKind::Discrete });
    read.chain(kept).collect()
}

/// What cannot be predicted, with what the user of a fitted model can do about it.
pub(super) fn explain(error: impl Into<ClassifierError>, places: &Places) -> CliError {
    let error = error.into();
    match &error {
        ClassifierError::Data(DataError::MissingValue { row, column }) => CliError::user(format!(
            "{}, column '{}' has no value, and the model was fitted to refuse that; fill it in, leave the row out, or \
             fit the model again with --on-missing auto or impute",
            places.place(*row),
            name(column)
        )),
        _ => rows::explain(places, error),
    }
}

impl Tally {
    fn add(&mut self, rows: &Predictions, novelty: &[f64], counts: &EncodeCounts, asked: &Asked<'_>) {
        self.rows += rows.rows();
        for (row, novelty) in novelty.iter().enumerate() {
            let unlike = *novelty > UNLIKE_TRAINING;
            self.unlike += usize::from(unlike);
            if !(asked.abstain && unlike) {
                self.classes[asked.class(rows, row).position()] += 1;
            }
        }
        self.counts.merge(counts);
    }
}

/// Predictions of rows whose classes are known.
#[derive(Default)]
struct Scored {
    /// One list of class probabilities after the other.
    probability: Vec<f64>,
    labels: Vec<Class>,
    logs: Vec<f64>,
}

impl Scored {
    fn add(&mut self, rows: &Predictions, labels: &Labels) {
        let classes = rows.probability.classes();
        let row = |i: usize| classes.clone().map(move |class| rows.probability.at(i, class));
        self.probability.extend((0..rows.rows()).flat_map(row));
        self.logs.extend(rows.log_probability_of(labels.as_slice()).into_iter().map(|log| log.min(0.0)));
        self.labels.extend(labels.as_slice());
    }

    fn scores(&self, classes: usize) -> Result<Scores, CliError> {
        let probability = Mat::from_fn(self.labels.len(), classes, |i, c| self.probability[i * classes + c]);
        let probability = Probabilities::new(probability);
        let mut forecasts = ClassForecasts::new(&probability, &self.labels);
        if self.logs.iter().all(|log| log.is_finite()) {
            forecasts = forecasts.with_log_probs(&self.logs);
        }
        Ok(score_classes(&forecasts, &ScoreOptions::default())?)
    }
}

fn tell(
    tally: &Tally,
    scores: Option<&Scores>,
    classifier: &Classifier,
    args: &PredictArgs,
    session: &Session,
) -> Result<(), CliError> {
    let predicted = || classifier.classes().names().iter().zip(&tally.classes);
    if session.json {
        let column = |c: &ColumnCounts| serde_json::json!({"name": c.column, "unseen": c.unseen, "imputed": c.imputed, "unread": c.unread});
        let mut facts = serde_json::json!({
            "rows": tally.rows,
            "predicted": predicted().map(|(name, rows)| (name.clone(), (*rows).into())).collect::<serde_json::Map<_, _>>(),
            "unlike_training": tally.unlike,
            "columns": tally.counts.columns.iter().map(column).collect::<Vec<_>>(),
        });
        if let Some(scores) = scores {
            facts["scores"] = serde_json::json!(scores);
        }
        // Standard output may carry the predictions themselves.
        session.remark_json(&crate::show::json_line(&facts)?);
        return Ok(());
    }
    let each: Vec<String> = predicted().map(|(class, rows)| format!("{rows} {}", name(class))).collect();
    let mut said = format!("{} rows: {}", tally.rows, each.join(", "));
    if args.output.as_os_str() != "-" {
        let _ = write!(said, "; written to {}", args.output.display());
    }
    session.remark(&said);
    if tally.unlike > 0 {
        let left = if args.abstain { " and have no label" } else { "" };
        session.remark(&format!(
            "{} of them are unlike the training rows (novelty above {UNLIKE_TRAINING}){left}: their probabilities are \
             extrapolated",
            tally.unlike
        ));
    }
    if let Some(scores) = scores {
        session.remark(score_text(scores, classifier.classes(), Style::Plain).trim_end_matches('\n'));
    }
    for note in Note::of_data(&tally.counts.notes()) {
        session.remark(&format!("note: {note}"));
    }
    Ok(())
}
