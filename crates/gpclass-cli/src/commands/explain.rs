//! `gpclass explain`.

use crate::args::{ExplainArgs, in_unit};
use crate::error::CliError;
use crate::labelled::column;
use crate::session::Session;
use crate::show::effects::{Effect, effect};
use crate::show::grid::{Align, bar, grid};
use crate::show::json;
use crate::show::summary::{Style, fit_text};
use crate::show::suspects::Suspect;
use crate::stored;
use crate::table::{ColumnKind, ColumnRequest, TableReader};
use gpclass::classifier::Classifier;
use gpclass::data::{DataError, FeatureKind, Inputs, Table, nearest_name};
use gpclass::learn::ranking;

/// Features whose effects are shown when none are named.
const SHOWN_EFFECTS: usize = 4;
/// Most rows of a table over which effects are averaged.
const ROWS: usize = 2_000;
const BAR_WIDTH: usize = 30;

pub(super) fn run(args: &ExplainArgs, session: &Session) -> Result<(), CliError> {
    let suspect = in_unit(args.suspect, "--suspect")?;
    let classifier = stored::read(&args.model)?;
    let features = features(args, &classifier)?;
    let rows = match args.data {
        Some(_) => given_rows(args, &classifier)?,
        None => classifier.training().inputs().clone(),
    };
    let points = usize::from(args.points);
    let effects: Vec<Effect> =
        features.into_iter().map(|m| effect(&classifier, m, &rows, points)).collect::<Result<_, _>>()?;
    session.check()?;
    if session.json {
        let summary = classifier.summary();
        let suspects = summary.suspects.above(suspect);
        let suspects: Vec<Suspect> = suspects.into_iter().map(|row| Suspect::of(&classifier, row, None)).collect();
        return session.print(&json(&serde_json::json!({
            "summary": summary, "provenance": classifier.provenance(), "suspects": suspects, "effects": effects,
        }))?);
    }
    let origin = classifier.provenance();
    let from = origin.source.as_deref().unwrap_or("unnamed data");
    let time = origin.time.as_deref().unwrap_or("an unknown time");
    let mut text = format!("Fitted on {from} at {time}, gpclass {}, seed {}\n", origin.version, origin.seed);
    text += &fit_text(&classifier, None, suspect, Style::detect());
    for effect in &effects {
        text += &effect_text(effect, classifier.classes().positive());
    }
    session.print(&text)
}

/// Positions of the features to show.
fn features(args: &ExplainArgs, classifier: &Classifier) -> Result<Vec<usize>, CliError> {
    let known = classifier.encoder().features();
    if args.features.is_empty() {
        let ranked = ranking(&classifier.summary().relevances).into_iter();
        return Ok(ranked.take(SHOWN_EFFECTS).collect());
    }
    let find = |name: &String| {
        known.iter().position(|f| f.name == *name).ok_or_else(|| {
            let names: Vec<String> = known.iter().map(|f| f.name.clone()).collect();
            let nearest = nearest_name(name, names.iter().map(String::as_str)).map(str::to_owned);
            CliError::from(DataError::UnknownColumn { name: name.clone(), nearest, available: names })
        })
    };
    args.features.iter().map(find).collect()
}

fn given_rows(args: &ExplainArgs, classifier: &Classifier) -> Result<Inputs, CliError> {
    let Some(path) = &args.data else { return Ok(classifier.training().inputs().clone()) };
    let kind = |kind| if kind == FeatureKind::Continuous { ColumnKind::Continuous } else { ColumnKind::Discrete };
    let features = classifier.encoder().features().iter();
    let requests: Vec<ColumnRequest> =
        features.map(|f| ColumnRequest { name: f.name.clone(), kind: kind(f.kind) }).collect();
    let named = requests.iter().map(|request| request.name.clone()).collect();
    let mut reader = TableReader::open(path, args.format.options(named))?;
    let selection = reader.select(&requests, "used in training")?;
    let block = reader.next_block(&selection, ROWS)?;
    let columns = block.map(|block| block.columns).unwrap_or_default();
    let table = Table::new(columns.into_iter().map(column).collect())?;
    Ok(classifier.encoder().encode(&table)?.0)
}

fn effect_text(effect: &Effect, positive: &str) -> String {
    let rows = effect.points.iter().map(|p| {
        vec![
            p.value.clone(),
            format!("{:.3}", p.probability),
            format!("{:.3}-{:.3}", p.low, p.high),
            bar(p.probability, BAR_WIDTH),
        ]
    });
    let align = [Align::Right, Align::Right, Align::Left, Align::Left];
    format!("Effect of {}\n", effect.feature)
        + &grid(&["value", &format!("P({positive})"), "95 % band", ""], &align, &rows.collect::<Vec<_>>())
}
