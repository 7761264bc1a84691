//! `gpclass audit`.

use crate::args::{AuditArgs, in_unit, spec};
use crate::cost::{FEWER_CANDIDATES, afford};
use crate::error::CliError;
use crate::labelled::Labelled;
use crate::session::{Session, write_text};
use crate::show::csv::Csv;
use crate::show::suspects::{Suspect, suspects_csv, suspects_json, suspects_text};
use gpclass::classifier::Classifier;
use gpclass::learn::{Cost, Size};
use gpclass_host::output::Plan;
use std::path::PathBuf;

pub(super) fn run(args: &AuditArgs, session: &Session) -> Result<(), CliError> {
    let threshold = in_unit(args.threshold, "--threshold")?;
    let spec = spec(&args.model, &args.search, &args.columns)?;
    let inputs = [Some(&args.data), args.model.spec.as_ref()].into_iter().flatten().map(PathBuf::as_path);
    Plan::reading(inputs).printing().writing(args.output.as_deref()).check()?;
    let data = Labelled::read(session, &args.data, &args.columns, &args.format)?;
    data.classes(spec.positive.as_deref())?;
    afford(
        session,
        "fit",
        Cost::of_fit(&Size::of_table(&data.table, &data.labels), &spec.fit, session.memory_limit()),
        FEWER_CANDIDATES,
    )?;
    let progress = session.progress();
    let fitted = Classifier::fit(&data.table, &data.labels, data.details(), &spec, &session.control(&progress));
    progress.clear();
    session.check()?;
    let classifier = fitted.map_err(|e| data.explain(e))?;
    let summary = classifier.summary();
    let rows = match args.top {
        Some(count) => summary.suspects.above(0.0).into_iter().take(count).collect(),
        None => summary.suspects.above(threshold),
    };
    let suspects: Vec<Suspect> = rows.iter().map(|&row| Suspect::of(&classifier, row, data.places.lines())).collect();
    if let Some(path) = &args.output {
        write_text(path, &suspects_csv(&suspects, classifier.classes().len() > 2, Csv { safe: args.csv.safe_csv }))?;
    }
    if session.json {
        return session.print(&suspects_json(&suspects, &summary.suspects.source, summary.rows)?);
    }
    session.print(&suspects_text(&suspects, summary.rows))?;
    session.remark(&format!("{}.", summary.suspects.source));
    Ok(())
}
