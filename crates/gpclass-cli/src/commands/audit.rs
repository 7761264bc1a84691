//! `gpclass audit`.

use crate::args::{AuditArgs, in_unit, spec};
use crate::cost::{FEWER_CANDIDATES, afford};
use crate::error::CliError;
use crate::labelled::Labelled;
use crate::session::{Session, write_text};
use crate::show::audit::AuditReport;
use gpclass::classifier::Classifier;
use gpclass::learn::{Cost, Size};
use gpclass_host::output::Plan;
use gpclass_report::Csv;
use std::path::PathBuf;

pub(super) fn run(args: &AuditArgs, session: &Session) -> Result<(), CliError> {
    let threshold = in_unit(args.threshold, "--threshold")?;
    let spec = spec(&args.model, &args.search, &args.columns)?;
    let inputs = [Some(&args.data), args.model.spec.as_ref()].into_iter().flatten().map(PathBuf::as_path);
    Plan::reading(inputs).printing().writing(args.output.as_deref()).check()?;
    let data = Labelled::read(session, &args.data, &args.columns, &args.format, args.id.as_deref())?;
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
    let report = AuditReport::new(&classifier, &rows, &data).map_err(|e| data.explain(e))?;
    if let Some(path) = &args.output {
        let columns: Vec<&str> = data.table.columns().iter().map(|column| column.name.as_str()).collect();
        write_text(path, &report.csv(Csv { safe: args.csv.safe_csv }, &columns))?;
    }
    if session.json {
        return session.print(&report.json()?);
    }
    session.print(&report.text())?;
    session.remark(&format!("{}.", summary.suspects.source));
    Ok(())
}
