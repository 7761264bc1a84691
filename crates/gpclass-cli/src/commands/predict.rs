//! `gpclass predict`: any number of rows in bounded memory.

use crate::args::PredictArgs;
use crate::error::CliError;
use crate::output::Output;
use crate::rows::explain;
use crate::session::Session;
use crate::show::csv::{field, number};
use crate::stored;
use gpclass::classifier::{ClassPrediction, Classifier};
use gpclass::data::{Column, ColumnCounts, ColumnValues, EncodeCounts, FeatureKind, Sign, Table};
use gpclass_table::{ColumnRequest, Limits, TableOptions};
use std::fmt::Write as _;
use std::io::Write as _;

/// What was predicted, in numbers.
#[derive(Default)]
struct Tally {
    rows: usize,
    positive: usize,
    counts: EncodeCounts,
}

pub(super) fn run(args: &PredictArgs, session: &Session) -> Result<(), CliError> {
    if args.block == 0 {
        return Err(CliError::user("--block is 0; it must be at least 1"));
    }
    let classifier = stored::read(&args.model)?;
    let requests = requests(&classifier, &args.keep);
    let named = requests.iter().map(|request| request.name.clone()).collect();
    let options = TableOptions { limits: Limits::streaming(), ..args.format.options(named) };
    let mut reader = session.open(&args.data, options)?;
    let selection = reader.select(&requests, "used in training or by --keep")?;
    let mut output = Output::create(&args.output)?;
    let progress = session.progress();
    let mut tally = Tally::default();
    let mut text = header(&classifier, &args.keep);
    while let Some(block) = reader.next_block(&selection, args.block)? {
        session.check()?;
        let mut features = block.columns;
        let kept = features.split_off(classifier.encoder().features().len());
        let table = Table::new(features)?;
        let (rows, counts) = classifier.predict(&table).map_err(|e| explain(&block.places, e))?;
        tally.add(&rows, &counts);
        lines(&mut text, &classifier, &kept, &rows);
        output.write_all(text.as_bytes()).map_err(|e| output.explain(e))?;
        text.clear();
        progress.say(format!("{} rows", tally.rows));
    }
    output.write_all(text.as_bytes()).map_err(|e| output.explain(e))?;
    output.commit()?;
    progress.clear();
    tell(&tally, &classifier, args, session)
}

/// The model's columns as it was trained on, then those to repeat, as text.
pub(super) fn requests(classifier: &Classifier, keep: &[String]) -> Vec<ColumnRequest> {
    let features = classifier.encoder().features().iter();
    let features = features.map(|f| ColumnRequest { name: f.name.clone(), kind: f.kind });
    let kept = keep.iter().map(|name| ColumnRequest { name: name.clone(), kind: FeatureKind::Discrete });
    features.chain(kept).collect()
}

fn header(classifier: &Classifier, keep: &[String]) -> String {
    let mut names: Vec<String> = keep.iter().map(|name| field(name)).collect();
    let positive = format!("p({})", classifier.classes().positive());
    names.extend(["label".to_owned(), field(&positive), "latent_mean".to_owned(), "latent_sd".to_owned()]);
    names.join(",") + "\n"
}

fn lines(text: &mut String, classifier: &Classifier, kept: &[Column], rows: &[ClassPrediction]) {
    let name = |label| field(classifier.classes().name(label));
    let names = [name(Sign::Negative), name(Sign::Positive)];
    for (i, row) in rows.iter().enumerate() {
        for column in kept {
            let value = match &column.values {
                ColumnValues::Discrete(values) => values[i].as_deref().map(field).unwrap_or_default(),
                ColumnValues::Continuous(values) => number(values[i]),
            };
            let _ = write!(text, "{value},");
        }
        let label = &names[usize::from(row.label == Sign::Positive)];
        let (p, mean, sd) = (number(row.probability), number(row.latent.mean), number(row.latent.var.sqrt()));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{label},{p},{mean},{sd}");
    }
}

impl Tally {
    fn add(&mut self, rows: &[ClassPrediction], counts: &EncodeCounts) {
        self.rows += rows.len();
        self.positive += rows.iter().filter(|row| row.label == Sign::Positive).count();
        self.counts.merge(counts);
    }
}

fn tell(tally: &Tally, classifier: &Classifier, args: &PredictArgs, session: &Session) -> Result<(), CliError> {
    let classes = classifier.classes();
    if session.json {
        let column = |c: &ColumnCounts| serde_json::json!({"name": c.column, "unseen": c.unseen, "imputed": c.imputed});
        let facts = serde_json::json!({
            "rows": tally.rows,
            "predicted": {classes.negative(): tally.rows - tally.positive, classes.positive(): tally.positive},
            "columns": tally.counts.columns.iter().map(column).collect::<Vec<_>>(),
        });
        // Standard output may carry the predictions themselves.
        let _ = writeln!(std::io::stderr(), "{facts}");
        return Ok(());
    }
    let mut said = format!(
        "{} rows: {} {}, {} {}",
        tally.rows,
        tally.rows - tally.positive,
        classes.negative(),
        tally.positive,
        classes.positive()
    );
    if args.output.as_os_str() != "-" {
        let _ = write!(said, "; written to {}", args.output.display());
    }
    session.remark(&said);
    for note in tally.counts.notes() {
        session.remark(&format!("note: {note}"));
    }
    Ok(())
}
