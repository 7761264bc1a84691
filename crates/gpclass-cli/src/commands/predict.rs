//! `gpclass predict`: any number of rows in bounded memory.

use crate::args::PredictArgs;
use crate::error::CliError;
use crate::rows;
use crate::session::Session;
use crate::show::csv::Csv;
use crate::show::predictions::{Form, Predicted, Writer};
use crate::show::printable::name;
use crate::stored;
use gpclass::classifier::{Classifier, ClassifierError, Note};
use gpclass::data::{ColumnCounts, DataError, EncodeCounts, FeatureKind, Table};
use gpclass::model::Predictions;
use gpclass_host::output::{Output, Plan};
use gpclass_table::{ColumnRequest, Limits, Places, TableOptions};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};

/// What was predicted, in numbers.
#[derive(Default)]
struct Tally {
    rows: usize,
    /// Rows predicted to be of each class.
    classes: Vec<usize>,
    counts: EncodeCounts,
}

pub(super) fn run(args: &PredictArgs, session: &Session) -> Result<(), CliError> {
    if args.block == 0 {
        return Err(CliError::user("--block is 0; it must be at least 1"));
    }
    Plan::reading([args.model.as_path(), &args.data]).writing(Some(&args.output)).check()?;
    let classifier = stored::read(&args.model)?;
    session.check()?;
    let requests = requests(&classifier, &args.keep);
    let named = requests.iter().map(|request| request.name.clone()).collect();
    let options = TableOptions { limits: Limits::streaming(), ..args.format.options(named) };
    let mut reader = session.open(&args.data, options)?;
    let selection = reader.select(&requests, "used in training or by --keep")?;
    let mut output = Output::create(&args.output)?;
    let progress = session.progress();
    let writer = Writer::new(&classifier, &args.keep, form(args, session));
    let mut tally = Tally { classes: vec![0; classifier.classes().len()], ..Tally::default() };
    let mut text = writer.header();
    while let Some(block) = reader.next_block(&selection, args.block)? {
        session.check()?;
        let mut features = block.columns;
        let kept = features.split_off(classifier.encoder().features().len());
        let table = Table::new(features)?;
        let (rows, counts) = classifier.predict(&table).map_err(|e| explain(e, &block.places))?;
        writer.block(&mut text, &Predicted { before: tally.rows, places: &block.places, kept: &kept, rows: &rows })?;
        tally.add(&rows, &counts);
        output.write_all(text.as_bytes()).map_err(|e| output.explain(e))?;
        text.clear();
        progress.say(format!("{} rows", tally.rows));
    }
    output.write_all(text.as_bytes()).map_err(|e| output.explain(e))?;
    output.commit()?;
    progress.clear();
    tell(&tally, &classifier, args, session)
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
    let features = classifier.encoder().features().iter();
    let features = features.map(|f| ColumnRequest { name: f.name.clone(), kind: f.kind });
    let kept = keep.iter().map(|name| ColumnRequest { name: name.clone(), kind: FeatureKind::Discrete });
    features.chain(kept).collect()
}

/// What cannot be predicted, with what the user of a fitted model can do about it.
pub(super) fn explain(error: impl Into<ClassifierError>, places: &Places) -> CliError {
    let error = error.into();
    match &error {
        ClassifierError::Data(DataError::MissingValue { row, column }) => CliError::user(format!(
            "{}, column '{}' has no value, and the model was fitted to refuse that; fill it in, leave the row out, or \
             fit the model again with --on-missing impute",
            places.place(*row),
            name(column)
        )),
        _ => rows::explain(places, error),
    }
}

impl Tally {
    fn add(&mut self, rows: &Predictions, counts: &EncodeCounts) {
        self.rows += rows.rows();
        (0..rows.rows()).for_each(|row| self.classes[rows.class(row).position()] += 1);
        self.counts.merge(counts);
    }
}

fn tell(tally: &Tally, classifier: &Classifier, args: &PredictArgs, session: &Session) -> Result<(), CliError> {
    let predicted = || classifier.classes().names().iter().zip(&tally.classes);
    if session.json {
        let column = |c: &ColumnCounts| serde_json::json!({"name": c.column, "unseen": c.unseen, "imputed": c.imputed});
        let facts = serde_json::json!({
            "rows": tally.rows,
            "predicted": predicted().map(|(name, rows)| (name.clone(), (*rows).into())).collect::<serde_json::Map<_, _>>(),
            "columns": tally.counts.columns.iter().map(column).collect::<Vec<_>>(),
        });
        // Standard output may carry the predictions themselves.
        session.remark(crate::show::json_line(&facts)?.trim_end());
        return Ok(());
    }
    let each: Vec<String> = predicted().map(|(class, rows)| format!("{rows} {}", name(class))).collect();
    let mut said = format!("{} rows: {}", tally.rows, each.join(", "));
    if args.output.as_os_str() != "-" {
        let _ = write!(said, "; written to {}", args.output.display());
    }
    session.remark(&said);
    for note in Note::of_data(&tally.counts.notes()) {
        session.remark(&format!("note: {note}"));
    }
    Ok(())
}
