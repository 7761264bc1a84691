//! `gpclass fit`.

use crate::args::{FitArgs, in_unit, spec};
use crate::checkpoint::{self, Kept};
use crate::corrections;
use crate::cost::{FEWER_CANDIDATES, afford, afford_in_way, bearable, drawn_note};
use crate::error::CliError;
use crate::labelled::Labelled;
use crate::session::Session;
use crate::show::report::{Telling, prepare_report};
use crate::show::summary::{Style, fit_json, fit_text};
use crate::{rows, stored};
use gpclass::classifier::{Classifier, ClassifierError, MOST_ROWS, Spec};
use gpclass::data::{ColumnKind, MissingContinuous, MissingDiscrete, Quoted};
use gpclass::learn::{Control, Cost, FitNote, LearnError, Size};
use gpclass_host::output::{Plan, commit_all};
use gpclass_report::By;
use gpclass_table::{Draw, Survey};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn run(args: &FitArgs, session: &Session) -> Result<(), CliError> {
    let (suspect, every) = (in_unit(args.suspect, "--suspect")?, checkpoint::every(args)?);
    let mut spec = spec(&args.model, &args.search, &args.columns)?;
    spec.decision = args.decision.rule()?.or(spec.decision);
    plan(args).check()?;
    let (data, by) = read(args, &spec, session)?;
    session.check()?;
    // What a column of ids would cost is not what is wrong with it.
    data.classes(spec.positive.as_deref())?;
    let size = Size::of_table(&data.table, &data.labels);
    let cost = Cost::of_fit(&size, &spec.fit, session.memory_limit());
    match FitNote::of_many_rows(&spec.fit, &size) {
        Some(way) => afford_in_way(session, &way.to_string(), cost, FEWER_CANDIDATES)?,
        None => afford(session, "fit", cost, FEWER_CANDIDATES)?,
    }
    let kept = Kept::of(args, every, session)?;
    let progress = session.progress();
    let journal = kept.as_ref().map(|kept| Arc::clone(&kept.journal));
    let control = Control { journal, ..session.control(&progress) };
    let (details, source) = (data.details(), data.source());
    // The table is gone as soon as its rows are encoded.
    let Labelled { table, labels, places, notes, .. } = data;
    let fitted = Classifier::fit(table, labels, details, &spec, &control);
    progress.clear();
    kept.iter().for_each(|kept| kept.tell(session));
    let partial = session.interrupted();
    let nothing = matches!(fitted, Err(ClassifierError::Learn(LearnError::Interrupted)));
    if partial && !args.save_partial || nothing {
        return Err(CliError::Interrupted);
    }
    let classifier = fitted.map_err(|e| rows::explain(&places, e))?.with_origin(Some(source), Some(stored::now()));
    let telling = Telling { lines: places.lines(), suspect, by };
    let mut outputs = prepare_report(args.report.as_deref(), args.plots.as_deref(), &classifier, telling)?;
    if let Some(path) = &args.output {
        outputs.push(stored::prepare(path, &classifier)?);
    }
    if !args.save_partial {
        session.check()?;
    }
    commit_all(outputs)?;
    kept.iter().filter(|_| !partial).for_each(Kept::remove);
    for note in &notes {
        session.remark(&format!("note: {note}"));
    }
    let text = if session.json {
        fit_json(&classifier, places.lines(), suspect)?
    } else {
        fit_text(&classifier, places.lines(), suspect, Style::detect())
    };
    session.print(&text)?;
    if !session.json && !session.quiet {
        tell_path(args.output.as_deref(), session);
    }
    if partial { Err(CliError::Partial) } else { Ok(()) }
}

/// The rows, with their labels corrected where that is asked for, and their subgroups by the column that is named for them. One
/// that is dropped is read all the same, to be looked at but not learned from.
fn read(args: &FitArgs, spec: &Spec, session: &Session) -> Result<(Labelled, Option<By>), CliError> {
    let mut columns = args.columns.clone();
    columns.drop.retain(|dropped| args.by.as_ref() != Some(dropped));
    let mut data =
        Labelled::read_drawn(session, &args.data, &columns, &args.format, |survey| draw(args, spec, survey, session))?;
    if let Some(path) = &args.corrections {
        data = data.corrected(&corrections::read(session, path)?)?;
    }
    let Some(name) = &args.by else { return Ok((data, None)) };
    let column = data.table.column(name).map_err(|_| {
        CliError::user(format!(
            "--by names column {}, which is none of the table's besides label and weights",
            Quoted(name)
        ))
    })?;
    let by = By::column(column);
    if args.columns.drop.contains(name) {
        data.table = data.table.without(std::slice::from_ref(name))?;
    }
    Ok((data, Some(by)))
}

/// The part of a table that is learned from where all of it is more than can be borne. Its rows are then checked here, for those that
/// are not drawn are seen no more.
fn draw(args: &FitArgs, spec: &Spec, survey: &Survey, session: &Session) -> Result<Option<Draw>, CliError> {
    let rows = usize::try_from(survey.rows()).unwrap_or(usize::MAX);
    let others = [&args.columns.weights, &args.columns.group].into_iter().flatten().count();
    let features = survey.features().count().saturating_sub(others).max(1);
    let size = Size { rows, features, classes: survey.classes().unwrap_or(2).max(2) };
    // Corrections name rows by their numbers among all.
    let most = bearable(session, &size, &spec.fit).filter(|_| args.corrections.is_none());
    let Some(most) = most else {
        let limit = MOST_ROWS;
        return if rows > limit { Err(ClassifierError::TooManyRows { rows, limit }.into()) } else { Ok(None) };
    };
    if let Some(place) = survey.unlabelled() {
        return Err(CliError::user(rows::no_label(place)));
    }
    let refused = [
        (ColumnKind::Continuous, spec.encoder.missing.continuous == MissingContinuous::Error),
        (ColumnKind::Discrete, spec.encoder.missing.discrete == MissingDiscrete::Error),
    ];
    for (kind, _) in refused.into_iter().filter(|(_, refused)| *refused) {
        if let Some((column, place)) = survey.missing(kind) {
            return Err(CliError::user(rows::no_value(place, column)));
        }
    }
    session.remark(&drawn_note(session, most, &size, &spec.fit));
    Ok(Some(Draw { rows: most as u64, seed: spec.fit.seed }))
}

fn plan(args: &FitArgs) -> Plan {
    Plan::reading(
        [Some(&args.data), args.model.spec.as_ref(), args.corrections.as_ref()]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path),
    )
    .printing()
    .writing(args.output.as_deref())
    .writing(checkpoint::named(args))
    .writing(args.report.as_deref())
    .writing_into(args.plots.as_deref(), "svg")
    .writing_into(args.plots.as_deref().filter(|_| cfg!(feature = "png")), "png")
}

fn tell_path(output: Option<&Path>, session: &Session) {
    match output {
        Some(path) => session.remark(&format!("model written to {}", path.display())),
        None => session.remark("the model was not kept; give a file with -o to predict with it"),
    }
}
