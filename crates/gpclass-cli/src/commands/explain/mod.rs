//! `gpclass explain`.

mod effects;
mod meeting;
mod row;
mod slopes;

use crate::args::{ExplainArgs, in_unit};
use crate::error::CliError;
use crate::session::Session;
use crate::show::json;
use crate::show::printable::{name, printable};
use crate::show::summary::{Style, fit_text};
use crate::stored;
use effects::Effects;
use gpclass::classifier::Classifier;
use gpclass::data::{DataError, nearest_name};
use gpclass::explain::ranking;
use gpclass_host::output::Plan;
use gpclass_report::Suspect;
use gpclass_table::TableOptions;
use meeting::meet;
use std::path::{Path, PathBuf};

/// Features whose effects are shown when none are named.
const SHOWN_EFFECTS: usize = 4;

pub(super) fn run(args: &ExplainArgs, session: &Session) -> Result<(), CliError> {
    let suspect = in_unit(args.suspect, "--suspect")?;
    let inputs = [&args.model].into_iter().chain(&args.data);
    Plan::reading(inputs.map(PathBuf::as_path)).printing().check()?;
    let classifier = stored::read(&args.model)?;
    let named = classifier.encoder().read_columns().map(|column| column.name.clone()).collect();
    if let (Some(path), false) = (&args.data, args.row.is_empty()) {
        return explain_rows(args, path, args.format.options(named), &classifier, session);
    }
    let features = features(args, &classifier)?;
    let meeting =
        args.data.as_deref().map(|path| meet(path, args.format.options(named), &classifier, session)).transpose()?;
    let effects = Effects::of(args, &classifier, &features)?;
    let slopes = slopes::of(&classifier)?;
    session.check()?;
    if session.json {
        let summary = classifier.summary();
        let suspects = summary.suspects.above(suspect);
        let suspects: Vec<Suspect> = suspects.into_iter().map(|row| Suspect::of(&classifier, row, None)).collect();
        return session.print(&json(&serde_json::json!({
            "summary": summary, "provenance": classifier.provenance(), "suspects": suspects, "effects": effects,
            "slopes": slopes,
            "data": meeting.map(|meeting| meeting.json(classifier.classes())),
        }))?);
    }
    let origin = classifier.provenance();
    let from = name(origin.source.as_deref().unwrap_or("unnamed data"));
    let time = printable(origin.time.as_deref().unwrap_or("an unknown time"));
    let mut text =
        format!("Fitted on {from} at {time}, gpclass {}, seed {}\n", printable(&origin.version), origin.seed);
    text += &fit_text(&classifier, None, suspect, Style::detect());
    text += &slopes.map_or_else(String::new, |slopes| slopes::text(&slopes, classifier.classes()));
    text += &effects.text();
    text += &meeting.map_or_else(String::new, |meeting| meeting.text(classifier.classes()));
    session.print(&text)
}

/// Why single rows are predicted as they are.
fn explain_rows(
    args: &ExplainArgs,
    path: &Path,
    options: TableOptions,
    classifier: &Classifier,
    session: &Session,
) -> Result<(), CliError> {
    let rows = row::rows(args, path, options, classifier, session)?;
    if session.json {
        return session.print(&json(&rows.iter().map(row::Row::json).collect::<Vec<_>>())?);
    }
    session.print(&rows.iter().map(row::Row::text).collect::<String>())
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
