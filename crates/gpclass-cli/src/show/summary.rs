//! The summary of a fit, on one screen.

use super::classes::{class_table, confusion_text};
use super::grid::{Align, bar, grid};
use super::json;
use super::printable::{BOLD, name, printable};
use super::suspects::suspects_grid;
use crate::error::CliError;
use crate::rows;
use gpclass::classifier::{CandidateSummary, ClassRows, Classifier, Summary};
use gpclass::data::{ClassNames, FeatureKind, InputView};
use gpclass::evaluate::{Estimate, Scores};
use gpclass::explain::{Relevance, ranking};
use gpclass::learn::ScoreKind;
use gpclass::model::Multiclass;
use gpclass_report::{FitAccount, Suspect};
use std::fmt::Write;
use std::io::IsTerminal;

/// Features whose relevance is shown.
const SHOWN_FEATURES: usize = 12;
/// Suspects that are listed.
const SHOWN_SUSPECTS: usize = 10;
/// Classes whose rows are counted.
const SHOWN_CLASSES: usize = 12;
/// Hyperparameters that are listed.
const SHOWN_PARAMETERS: usize = 12;
const BAR_WIDTH: usize = 30;

/// Whether headings are emphasised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Bold,
}

impl Style {
    /// Emphasis on a terminal, unless NO_COLOR says otherwise.
    pub fn detect() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        if wanted && std::io::stdout().is_terminal() { Style::Bold } else { Style::Plain }
    }

    fn heading(self, text: &str) -> String {
        match self {
            Style::Plain => format!("{text}\n"),
            Style::Bold => format!("{}{text}{}\n", BOLD[0], BOLD[1]),
        }
    }
}

/// For people. `lines` are the places of the rows in their file.
pub fn fit_text(classifier: &Classifier, lines: Option<&[u64]>, suspect: f64, style: Style) -> String {
    let summary = classifier.summary();
    let mut text = data(summary, style) + &model(summary, style);
    text += &style.heading(&left_out(summary));
    text += &score_text(&summary.loo, classifier.classes(), style);
    if let Some(corrected) = &summary.corrected {
        text += &style.heading("Leave-one-out, corrected for that: what to expect of new rows");
        text += &score_line(corrected);
    }
    text += &stability(summary);
    text += &decision(summary, style);
    text += &relevances(summary, style);
    let rows = summary.suspects.above(suspect);
    let shown: Vec<Suspect> = rows.iter().take(SHOWN_SUSPECTS).map(|&r| Suspect::of(classifier, r, lines)).collect();
    text += &style.heading(&format!("Suspect labels: {} of {}", rows.len(), summary.rows));
    if !shown.is_empty() {
        text += &suspects_grid(&shown);
        text += &more(rows.len(), SHOWN_SUSPECTS);
        let _ = writeln!(text, "  ({})", summary.suspects.source);
    }
    let mut notes: Vec<String> = Vec::new();
    for note in summary.data_notes.iter().chain(&summary.fit_notes) {
        let sentence = printable(&note.text).into_owned();
        if !notes.contains(&sentence) {
            notes.push(sentence);
        }
    }
    if !notes.is_empty() {
        text += &style.heading("Notes");
        notes.iter().for_each(|note| text.push_str(&format!("  - {}\n", rows::note(note, lines))));
    }
    text
}

/// How rows were left out.
fn left_out(summary: &Summary) -> String {
    match &summary.groups {
        None => "Leave-one-out, by hyperparameters that saw the row".to_owned(),
        Some(groups) => format!(
            "Leave-group-out, by hyperparameters that saw the group ({} groups by {}, of {} rows at most)",
            groups.groups,
            name(&groups.name),
            groups.largest
        ),
    }
}

/// How far the predictions of left-out rows move with the hyperparameters, where that is known.
fn stability(summary: &Summary) -> String {
    let Some(stability) = &summary.stability else { return String::new() };
    let mut widths = stability.half_widths();
    widths.sort_by(f64::total_cmp);
    let Some(median) = widths.get(widths.len() / 2) else { return String::new() };
    format!(
        "  with hyperparameters drawn from their posterior half of the probabilities move by less than {median:.3}; {} of {} rows turn to \
         another class in one draw of twenty or more\n",
        stability.unsettled().len(),
        summary.rows
    )
}

/// The short name of how rows were left out, for columns of tables.
fn short_name(summary: &Summary) -> &'static str {
    if summary.groups.is_some() { "LGO" } else { "LOO" }
}

/// What to decide by: a threshold, or costs.
fn decision(summary: &Summary, style: Style) -> String {
    if let Some(costs) = &summary.costs {
        let heading = style.heading("Decisions of least expected cost, by 'predict --decide'");
        let (cost, plain) = (costs.cost, costs.plain_cost);
        return format!("{heading}  mean cost of a left-out row {cost:.3}, by the most probable class {plain:.3}\n");
    }
    let Some(decision) = &summary.decision else { return String::new() };
    let mut text = style.heading("Decisions, by 'predict --decide'");
    let _ = write!(text, "  positive from a probability of {:.3}", decision.threshold);
    if let (Some((low, high)), Some(bayes)) = (decision.interval, decision.bayes) {
        let _ = write!(text, " (90 % of resampled rows: {low:.3} to {high:.3}); fp / (fp + fn) is {bayes:.3}");
    }
    if let (Some(cost), Some(bayes)) = (decision.cost, decision.bayes_cost) {
        let _ = write!(text, "\n  mean cost of a left-out row {cost:.3}, by fp / (fp + fn) {bayes:.3}");
    }
    text + "\n"
}

/// The same facts for programs.
pub fn fit_json(classifier: &Classifier, lines: Option<&[u64]>, suspect: f64) -> Result<String, CliError> {
    json(&FitAccount::of(classifier, lines, suspect))
}

pub fn more(total: usize, shown: usize) -> String {
    if total > shown { format!("  and {} more\n", total - shown) } else { String::new() }
}

fn data(summary: &Summary, style: Style) -> String {
    let kinds = |kind| summary.features.iter().filter(|f| f.kind == kind).count();
    style.heading("Data")
        + &format!(
            "  {} rows, {} continuous and {} discrete features; {}\n",
            summary.rows,
            kinds(FeatureKind::Continuous),
            kinds(FeatureKind::Discrete),
            classes(summary)
        )
}

/// The classes with their rows; of two the positive one is told.
fn classes(summary: &Summary) -> String {
    let (count, several) = (summary.classes.len(), summary.classes.len() > 2);
    let one = |(position, class): (usize, &ClassRows)| {
        let positive = if !several && position == 1 { " (positive)" } else { "" };
        format!("{} {}{positive}", class.rows, name(&class.class))
    };
    let mut each: Vec<String> = summary.classes.iter().enumerate().take(SHOWN_CLASSES).map(one).collect();
    if count > SHOWN_CLASSES {
        each.push(format!("and {} more", count - SHOWN_CLASSES));
    }
    let classes = if several { format!("{count} classes: ") } else { String::new() };
    classes + &each.join(", ")
}

/// Candidates, why one was chosen, and its hyperparameters.
pub fn model(summary: &Summary, style: Style) -> String {
    let members = summary.candidates.iter().filter(|c| c.weight > 0.0).count();
    let averaged = members > 1;
    let together = if averaged { format!("{members} together, of which the heaviest is ") } else { String::new() };
    let mut text = style.heading(&format!(
        "Model: {together}{}{} with {} likelihood, by {}{}",
        summary.kernel,
        match summary.inputs {
            InputView::Standardised => "",
            InputView::Warped => " on warped inputs",
            InputView::Ranked => " on ranked inputs",
        },
        summary.likelihood,
        summary.method,
        match summary.multiclass {
            Multiclass::Auto => "",
            Multiclass::Joint => "; all classes together",
            Multiclass::OneVsRest => "; each class against the rest",
            Multiclass::ExactlyOne => "; each class against the rest, exactly one right",
        }
    ));
    text += &match summary.chosen().and_then(|chosen| chosen.score_kind) {
        Some(ScoreKind::LeftOut) => stacked(summary),
        _ => compared(summary, averaged),
    };
    text + &hyperparameters(summary)
}

/// Candidates that were compared.
fn compared(summary: &Summary, averaged: bool) -> String {
    let row = |c: &CandidateSummary| {
        let mut row = vec![
            if c.chosen { "*".to_owned() } else { String::new() },
            c.name.clone(),
            format!("{:.2}", c.log_evidence),
            format!("{:.2}", c.score),
            format!("{:.1}", 100.0 * c.loo_error),
            format!("{:.3}", c.loo_nlp),
        ];
        row.extend(averaged.then(|| format!("{:.3}", c.weight)));
        row
    };
    let names = ["error %", "NLP"].map(|score| format!("{} {score}", short_name(summary)));
    let mut header = vec!["", "candidate", "log evidence", "score", &names[0], &names[1]];
    header.extend(averaged.then_some("weight"));
    let mut align = vec![Align::Left, Align::Left];
    align.extend([Align::Right; 5]);
    grid(&header, &align, &summary.candidates.iter().map(row).collect::<Vec<_>>())
}

/// Candidates that predict together, the heaviest first, and what was left aside.
fn stacked(summary: &Summary) -> String {
    let mut ranked: Vec<&CandidateSummary> = summary.candidates.iter().collect();
    ranked.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let row = |c: &&CandidateSummary| {
        vec![
            if c.chosen { "*".to_owned() } else { String::new() },
            c.name.clone(),
            if c.weight > 0.0 { format!("{:.3}", c.weight) } else { "-".to_owned() },
            format!("{:.3}", c.loo_nlp),
            format!("{:.1}", 100.0 * c.loo_error),
            format!("{:.2}", c.log_evidence),
            c.rows.unwrap_or(summary.rows).to_string(),
        ]
    };
    let names = ["NLP", "error %"].map(|score| format!("{} {score}", short_name(summary)));
    let header = ["", "candidate", "weight", &names[0], &names[1], "log evidence", "rows"];
    let mut align = vec![Align::Left, Align::Left];
    align.extend([Align::Right; 5]);
    grid(&header, &align, &ranked.iter().map(row).collect::<Vec<_>>()) + &sharpened(summary.sharpness)
}

/// What became of the mixture, if anything.
fn sharpened(sharpness: f64) -> String {
    if sharpness == 1.0 {
        return String::new();
    }
    let seen = if sharpness > 1.0 { "cautious" } else { "bold" };
    format!("Their mixture is raised to the power {sharpness:.2}: left-out rows show that it is too {seen}.\n")
}

fn hyperparameters(summary: &Summary) -> String {
    let value =
        |v: f64| if v == 0.0 || (1e-3..1e4).contains(&v.abs()) { format!("{v:.4}") } else { format!("{v:.3e}") };
    let row = |p: &gpclass::classifier::Hyperparameter| {
        let fixed = if p.fixed { " (fixed)" } else { "" };
        vec![name(&p.name), value(p.value), format!("{}{fixed}", p.meaning)]
    };
    let rows: Vec<Vec<String>> = summary.hyperparameters.iter().take(SHOWN_PARAMETERS).map(row).collect();
    grid(&[], &[Align::Left, Align::Right, Align::Left], &rows) + &more(summary.hyperparameters.len(), SHOWN_PARAMETERS)
}

/// Scores on a line; of several classes also each of them, and which are taken for which.
pub fn score_text(scores: &Scores, classes: &ClassNames, style: Style) -> String {
    let line = score_line(scores);
    let Some(details) = &scores.classes else { return line };
    let (heading, confusion) = confusion_text(classes, &details.confusion);
    line + &class_table(classes, details) + &style.heading(heading) + &confusion
}

/// An estimate in a unit, with its standard error.
fn plus(e: Estimate, scale: f64, digits: usize) -> String {
    let error = e.standard_error.map(|s| format!(" ± {:.digits$}", scale * s)).unwrap_or_default();
    format!("{:.digits$}{error}", scale * e.value)
}

/// Scores on a line.
fn score_line(scores: &Scores) -> String {
    let optional = |e: Option<Estimate>| e.map_or_else(|| "-".to_owned(), |e| plus(e, 1.0, 3));
    let (error, nlp) = (plus(scores.error, 100.0, 1), plus(scores.nlp_nats, 1.0, 3));
    let (f, auc) = (optional(scores.f_measure), optional(scores.auc));
    if scores.classes.is_none() {
        return format!("  error {error} %   NLP {nlp} nats   F {f}   AUC {auc}\n");
    }
    let brier = plus(scores.brier, 1.0, 3);
    format!("  error {error} %   NLP {nlp} nats   Brier {brier}   macro F {f}   macro AUC {auc}\n")
}

/// Bars, most relevant feature first.
pub fn relevances(summary: &Summary, style: Style) -> String {
    let largest = summary.relevances.iter().fold(0.0_f64, |m, r| m.max(r.effect));
    let shown: Vec<&Relevance> =
        ranking(&summary.relevances).into_iter().take(SHOWN_FEATURES).map(|i| &summary.relevances[i]).collect();
    let told = shown.iter().any(|r| r.gain.is_some());
    let row = |r: &&Relevance| {
        let share = if largest > 0.0 { r.effect / largest } else { 0.0 };
        let loss = r.gain.map(|gain| plus(gain, 1.0, 3));
        let mut row = vec![name(&r.feature), format!("{:.3} ± {:.3}", r.effect, r.error)];
        row.extend(loss);
        row.push(bar(share, BAR_WIDTH));
        row
    };
    let rows: Vec<Vec<String>> = shown.iter().map(row).collect();
    let columns = [Align::Left, Align::Right, Align::Right, Align::Left];
    let text = "Relevance: mean change of the probabilities when the feature is exchanged between rows";
    if !told {
        let columns = [columns[0], columns[1], columns[3]];
        return style.heading(text) + &grid(&[], &columns, &rows) + &more(summary.relevances.len(), SHOWN_FEATURES);
    }
    let head = ["feature", "change", "loss", ""];
    let idle = shown.iter().filter(|r| !r.is_borne_out()).count();
    let idle = match idle {
        0 => String::new(),
        _ => {
            "  a loss within two standard errors of zero: nothing shows that the feature carries the label\n".to_owned()
        }
    };
    let text = format!("{text}; loss: nats by which left-out rows are predicted worse then");
    style.heading(&text) + &grid(&head, &columns, &rows) + &more(summary.relevances.len(), SHOWN_FEATURES) + &idle
}
