//! What each part of the page says.

use super::html::{figures, rows, section, table};
use crate::Report;
use crate::charts::{self, TextTable};
use crate::text::{count, escape, number, percent, probability};
use crate::verdict::listed;
use gpclass::classifier::Hyperparameter;
use gpclass::data::FeatureKind;
use gpclass::evaluate::Estimate;
use gpclass::inference::Outcome;
use gpclass::learn::ScoreKind;

/// Suspects in the open table; the others are folded.
const SHOWN_SUSPECTS: usize = 20;
/// Hyperparameters in the open table; the others are folded.
const SHOWN_HYPERPARAMETERS: usize = 16;

pub(super) fn subtitle(report: &Report<'_>) -> String {
    let source = report.provenance.source.as_ref().filter(|name| **name != report.title);
    let source = source.map_or(String::new(), |name| format!("{name}: "));
    let classes = report.summary.classes.iter().rev().map(|class| format!("{} “{}”", class.rows, class.class));
    let classes = listed(&classes.collect::<Vec<_>>());
    format!("{source}{}, {classes}; {}", count(report.summary.rows, "row", "rows"), features_text(report))
}

fn features_text(report: &Report<'_>) -> String {
    let (continuous, discrete) =
        (report.features_of(FeatureKind::Continuous), report.features_of(FeatureKind::Discrete));
    let numbers = count(continuous, "numeric feature", "numeric features");
    let categories = count(discrete, "categorical feature", "categorical features");
    match (continuous, discrete) {
        (_, 0) => numbers,
        (0, _) => categories,
        _ => format!("{numbers} and {categories}"),
    }
}

pub(super) fn tiles(report: &Report<'_>) -> String {
    let scores = &report.summary.loo;
    let with_error = |estimate: Option<Estimate>, format: fn(f64) -> String| match estimate {
        Some(Estimate { value, standard_error: Some(error) }) => (format(value), format!("± {}", format(error))),
        Some(Estimate { value, standard_error: None }) => (format(value), String::new()),
        None => ("–".to_owned(), String::new()),
    };
    let error = with_error(Some(scores.error), percent);
    let auc = with_error(scores.auc, number);
    let f = with_error(scores.f_measure, number);
    let loss = with_error(Some(scores.nlp_nats), number);
    let brier = with_error(Some(scores.brier), number);
    let suspects = (report.suspects.len().to_string(), format!("of {}", count(report.summary.rows, "row", "rows")));
    let tile = |name: &str, (value, note): (String, String)| {
        format!(
            r#"<div class="tile"><dt>{}</dt><dd>{} <small>{}</small></dd></div>"#,
            escape(name),
            escape(&value),
            escape(&note)
        )
    };
    format!(
        r#"<dl class="tiles">{}{}{}{}{}{}</dl>"#,
        tile("Left-out error", error),
        tile("AUC", auc),
        tile("F-measure", f),
        tile("Loss, nats per row", loss),
        tile("Brier score", brier),
        tile("Labels to check", suspects)
    )
}

pub(super) fn notes(report: &Report<'_>) -> String {
    let items: String = report.notes().map(|note| format!("<li>{}</li>", escape(&sentence_case(&note.text)))).collect();
    let list = if items.is_empty() { String::new() } else { format!(r#"<ul class="notes">{items}</ul>"#) };
    section("notes", "Please note", "", &list)
}

fn sentence_case(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

pub(super) fn surface(report: &Report<'_>) -> String {
    let figure: Vec<_> = charts::surface(report).into_iter().collect();
    section(
        "surface",
        "The whole picture",
        "With two numeric features the model can be seen at once.",
        &figures(&figure, "wide"),
    )
}

pub(super) fn predictions(report: &Report<'_>) -> String {
    let lead = "Each row is predicted by the model without that row, so these figures show what to expect of new rows.";
    section("predictions", "How good are the predictions?", lead, &figures(&charts::predictions(report), ""))
}

pub(super) fn suspects(report: &Report<'_>) -> String {
    let content = if report.suspects.is_empty() {
        "<p>No label looks wrong.</p>".to_owned()
    } else {
        let (shown, folded) = report.suspects.split_at(report.suspects.len().min(SHOWN_SUSPECTS));
        suspect_table(report, shown) + &fold(folded.len(), "label", "labels", || suspect_table(report, folded))
    };
    let lead = format!(
        "Rows whose own label disagrees with what the other rows say, most suspect first. {}",
        sentence_case(&report.summary.suspects.source.to_string())
    );
    section("suspects", "Labels to check", if report.suspects.is_empty() { "" } else { &lead }, &content)
}

fn suspect_table(report: &Report<'_>, suspects: &[usize]) -> String {
    let row = |&row: &usize| {
        let wrong = report.summary.suspects.probability[row];
        let width = (100.0 * wrong).clamp(0.0, 100.0).round();
        format!(
            r#"<td class="number">{}</td><td>{}</td><td class="flag"><span class="meter" aria-hidden="true"><i style="width:{width}%"></i></span>{}</td><td>{}</td><td class="number">{}</td>"#,
            report.place(row),
            escape(report.class(report.class_of_row[row])),
            escape(&probability(wrong)),
            escape(report.class(report.instead(row))),
            escape(&probability(report.left_out(row, report.class_of_row[row])))
        )
    };
    let place = if report.lines.is_some() { "line" } else { "data row" };
    let head = [place, "label given", "probably wrong", "others say", "chance of label"];
    rows(&head, &suspects.iter().map(row).collect::<Vec<_>>())
}

/// Something folded away, if there is any of it.
fn fold(number: usize, one: &str, many: &str, content: impl FnOnce() -> String) -> String {
    if number == 0 {
        return String::new();
    }
    format!("<details><summary>{} more</summary>{}</details>", count(number, one, many), content())
}

pub(super) fn features(report: &Report<'_>) -> String {
    let figure: Vec<_> = charts::relevance(report).into_iter().collect();
    let lead = "How far the latent score moves, typically, when one feature of a row is exchanged for another row's.";
    section("features", "Which features matter?", lead, &figures(&figure, ""))
}

pub(super) fn effects(report: &Report<'_>) -> String {
    let lead = format!(
        "The average probability of “{}” if one feature alone were changed in every row. The band holds the average with \
         the given probability; where it is wide, the data say little.",
        report.shown_class()
    );
    section("effects", "What does each feature do?", &lead, &figures(&charts::effects(report), "small"))
}

pub(super) fn model(report: &Report<'_>) -> String {
    let summary = report.summary;
    let mut about = vec![
        ("covariance", summary.kernel.clone()),
        ("likelihood", summary.likelihood.clone()),
        ("inference", summary.method.clone()),
    ];
    about.extend(summary.chosen().map(|chosen| ("log evidence", format!("{} nats", number(chosen.log_evidence)))));
    about.push(("outcome", outcome(report)));
    let about = TextTable {
        head: vec!["part", "value"],
        rows: about.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect(),
    };
    let parameters = |some: &[Hyperparameter]| {
        let row = |h: &Hyperparameter| {
            let value = number(h.value) + if h.fixed { " (fixed)" } else { "" };
            vec![h.name.clone(), value, h.meaning.clone()]
        };
        table(&TextTable { head: vec!["hyperparameter", "value", "meaning"], rows: some.iter().map(row).collect() })
    };
    let (shown, folded) = summary.hyperparameters.split_at(summary.hyperparameters.len().min(SHOWN_HYPERPARAMETERS));
    let shown = if shown.is_empty() { String::new() } else { parameters(shown) };
    let more = fold(folded.len(), "hyperparameter", "hyperparameters", || parameters(folded));
    section("model", "The model", "", &format!("{}{shown}{more}", table(&about)))
}

/// How inference and the search ended.
fn outcome(report: &Report<'_>) -> String {
    let inference = match report.summary.inference.outcome {
        Outcome::Converged => "inference converged".to_owned(),
        Outcome::ConvergedToRounding => "inference converged as far as rounding allows".to_owned(),
        Outcome::OnePass => "inference made one pass".to_owned(),
        Outcome::GivenSites => "inference used given sites".to_owned(),
        Outcome::NotConverged(reason) => format!("inference did not converge: {reason}"),
    };
    let averaged = match report.averaged {
        1 => String::new(),
        n => format!("; predictions are averaged over {n} candidates by their evidence"),
    };
    format!("{inference}; the search ended because {}{averaged}", report.summary.stop)
}

pub(super) fn choice(report: &Report<'_>) -> String {
    let mut all: Vec<_> = charts::candidates(report).into_iter().collect();
    all.extend(charts::convergence(report));
    let compared = report.summary.chosen().map_or("", |chosen| compared_by(chosen.score_kind));
    let lead = format!("{compared}The search for the hyperparameters of the chosen one is shown too.");
    section("choice", "Why this model?", &lead, &figures(&all, ""))
}

/// What the scores of the candidates are, as a sentence.
fn compared_by(kind: Option<ScoreKind>) -> &'static str {
    match kind {
        Some(ScoreKind::Integrated) => {
            "Models are compared by their evidence: how probable the labels were under each before seeing them, averaged over \
             its hyperparameters. "
        }
        Some(ScoreKind::Penalised) | None => {
            "Models are compared by their evidence: how probable the labels were under each before seeing them, less a charge \
             for every hyperparameter. "
        }
        Some(ScoreKind::Evidence) => "There was one model, so that there was nothing to choose. ",
        Some(ScoreKind::Criterion) => "Models are compared by the leave-one-out score that was asked for. ",
    }
}

pub(super) fn guide(report: &Report<'_>) -> String {
    let entries = [
        ("Probability", format!("The model's probability that a row's label is “{}”, label errors included.", report.shown_class())),
        ("Left out", "Predicted from all other rows, without its own label: an honest stand-in for new report.".to_owned()),
        ("Latent score", "The number behind a probability: zero is undecided, each unit makes the prediction surer.".to_owned()),
        ("Loss", "Mean of −ln(probability of the label): 0 is perfect, 0.693 is a coin toss; being sure and wrong costs most.".to_owned()),
        ("Evidence", "Probability of all labels under a model before its parameters are tuned to them; differences are in nats, and 2.3 nats are a factor of ten.".to_owned()),
        ("Credible band", "Where the true curve lies with the given probability, if the model is right.".to_owned()),
        ("Label to check", "The other rows make another label more plausible. Check the source: it may be an error, or a rare case that is worth keeping.".to_owned()),
    ];
    let list: String =
        entries.iter().map(|(name, text)| format!("<dt>{}</dt><dd>{}</dd>", escape(name), escape(text))).collect();
    section("guide", "How to read this", "", &format!(r#"<dl class="guide">{list}</dl>"#))
}

pub(super) fn provenance(report: &Report<'_>) -> String {
    let origin = report.provenance;
    let seed = origin.seed.to_string();
    let items = [
        ("version", Some(&origin.version)),
        ("data", origin.source.as_ref()),
        ("fitted", origin.time.as_ref()),
        ("seed", Some(&seed)),
        ("SHA-256 of the encoded data", Some(&origin.data_digest)),
    ];
    let item = |(name, value): (&str, Option<&String>)| Some(format!("{name} <code>{}</code>", escape(value?)));
    let items: Vec<String> = items.into_iter().filter_map(item).collect();
    format!("<footer><p>Made by gpclass. {}</p></footer>", items.join(" · "))
}
