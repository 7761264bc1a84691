//! `gpclass fit`.

use crate::args::{FitArgs, in_unit, spec};
use crate::error::CliError;
use crate::labelled::Labelled;
use crate::output::Output;
use crate::session::Session;
use crate::show::report::write_report;
use crate::show::summary::{Style, fit_json, fit_text};
use crate::stored;
use gpclass::classifier::{Classifier, ClassifierError};
use gpclass::learn::LearnError;
use std::path::Path;

pub(super) fn run(args: &FitArgs, session: &Session) -> Result<(), CliError> {
    let suspect = in_unit(args.suspect, "--suspect")?;
    let spec = spec(&args.model, &args.search, args.columns.positive.as_deref())?;
    // Places that cannot be written are found before the time is spent, not after.
    for path in [&args.output, &args.report].into_iter().flatten() {
        Output::create(path)?;
    }
    let data = Labelled::read(session, &args.data, &args.columns, &args.format)?;
    session.check()?;
    let progress = session.progress();
    let control = session.control(&progress);
    let fitted = Classifier::fit(&data.table, &data.labels, data.weights.clone(), &spec, &control);
    progress.clear();
    let partial = session.interrupted();
    let nothing = matches!(fitted, Err(ClassifierError::Learn(LearnError::Interrupted)));
    if partial && !args.save_partial || nothing {
        return Err(CliError::Interrupted);
    }
    let classifier = fitted.map_err(|e| data.explain(e))?.with_origin(Some(data.source()), Some(stored::now()));
    if let Some(path) = &args.output {
        stored::write(path, &classifier)?;
    }
    write_report(args.report.as_deref(), args.plots.as_deref(), &classifier, suspect)?;
    for note in &data.notes {
        session.remark(&format!("note: {note}"));
    }
    let text = if session.json {
        fit_json(&classifier, data.places.lines(), suspect)?
    } else {
        fit_text(&classifier, data.places.lines(), suspect, Style::detect())
    };
    session.print(&text)?;
    if !session.json && !session.quiet {
        tell_path(args.output.as_deref(), session);
    }
    if partial { Err(CliError::Interrupted) } else { Ok(()) }
}

fn tell_path(output: Option<&Path>, session: &Session) {
    match output {
        Some(path) => session.remark(&format!("model written to {}", path.display())),
        None => session.remark("the model was not kept; give a file with -o to predict with it"),
    }
}
