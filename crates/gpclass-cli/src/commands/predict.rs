//! `gpclass predict`: any number of rows in bounded memory.

use crate::args::PredictArgs;
use crate::error::CliError;
use crate::labelled::column;
use crate::output::Output;
use crate::session::Session;
use crate::show::csv::{field, number};
use crate::stored;
use crate::table::{ColumnKind, ColumnRequest, RawBlock, RawColumn, RawValues, TableReader};
use gpclass::classifier::{Classifier, Note};
use gpclass::data::{Class, ColumnCounts, EncodeCounts, FeatureKind, Table};
use gpclass::model::Predictions;
use std::fmt::Write as _;
use std::io::Write as _;

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
    let classifier = stored::read(&args.model)?;
    let requests = requests(&classifier, &args.keep);
    let named = requests.iter().map(|request| request.name.clone()).collect();
    let mut reader = TableReader::open(&args.data, args.format.options(named))?;
    let selection = reader.select(&requests, "used in training or by --keep")?;
    let mut output = Output::create(&args.output)?;
    let progress = session.progress();
    let mut tally = Tally { classes: vec![0; classifier.classes().len()], ..Tally::default() };
    let mut text = header(&classifier, &args.keep);
    while let Some(block) = reader.next_block(&selection, args.block)? {
        session.check()?;
        let (features, kept) = divide(block, classifier.encoder().features().len());
        let table = Table::new(features.into_iter().map(column).collect())?;
        let (rows, counts) = classifier.predict(&table).map_err(|e| e.shifted(tally.rows))?;
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
    let kind = |kind| if kind == FeatureKind::Continuous { ColumnKind::Continuous } else { ColumnKind::Discrete };
    let features = classifier.encoder().features().iter();
    let features = features.map(|f| ColumnRequest { name: f.name.clone(), kind: kind(f.kind) });
    let kept = keep.iter().map(|name| ColumnRequest { name: name.clone(), kind: ColumnKind::Discrete });
    features.chain(kept).collect()
}

fn divide(mut block: RawBlock, features: usize) -> (Vec<RawColumn>, Vec<RawColumn>) {
    let kept = block.columns.split_off(features);
    (block.columns, kept)
}

fn header(classifier: &Classifier, keep: &[String]) -> String {
    let mut names: Vec<String> = keep.iter().map(|name| field(name)).collect();
    names.push("label".to_owned());
    names.extend(shown(classifier).map(|class| field(&format!("p({})", classifier.classes().name(class)))));
    names.extend(["latent_mean", "latent_sd"].map(str::to_owned));
    names.join(",") + "\n"
}

/// The classes whose probabilities are written: of two the positive one, which says it all.
fn shown(classifier: &Classifier) -> impl Iterator<Item = Class> + Clone {
    let classes = classifier.classes();
    classes.classes().skip(usize::from(classes.len() == 2))
}

fn lines(text: &mut String, classifier: &Classifier, kept: &[RawColumn], rows: &Predictions) {
    let names: Vec<String> = classifier.classes().names().iter().map(|name| field(name)).collect();
    for i in 0..rows.rows() {
        for column in kept {
            let value = match &column.values {
                RawValues::Text(values) => values[i].as_deref().map(field).unwrap_or_default(),
                RawValues::Numbers(values) => number(values[i]),
            };
            let _ = write!(text, "{value},");
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{}", names[rows.class(i).position()]);
        for class in shown(classifier) {
            let _ = write!(text, ",{}", number(rows.probability(i, class)));
        }
        for function in 0..rows.functions() {
            let latent = rows.latent(i, function);
            let _ = write!(text, ",{},{}", number(latent.mean), number(latent.var.sqrt()));
        }
        text.push('\n');
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
        let _ = writeln!(std::io::stderr(), "{facts}");
        return Ok(());
    }
    let each: Vec<String> = predicted().map(|(name, rows)| format!("{rows} {name}")).collect();
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
