//! What each part of the page says.

use super::html::{figures, rows, section, table};
use crate::report::charts::{self, TextTable};
use crate::report::text::{count, escape, number, percent, probability};
use crate::report::{ReportData, SuspectRow};
use gpclass::evaluate::Estimate;

/// Suspects in the open table; the others are folded.
const SHOWN_SUSPECTS: usize = 20;
/// Hyperparameters in the open table; the others are folded.
const SHOWN_HYPERPARAMETERS: usize = 16;

pub(super) fn subtitle(data: &ReportData) -> String {
    let source =
        data.data.source.as_ref().filter(|name| **name != data.title).map_or(String::new(), |name| format!("{name}: "));
    format!(
        "{source}{}, {} “{}” and {} “{}”; {}",
        count(data.data.rows(), "row", "rows"),
        data.data.positive_rows,
        data.classes.positive,
        data.data.negative_rows,
        data.classes.negative,
        features_text(data)
    )
}

fn features_text(data: &ReportData) -> String {
    let numbers = count(data.data.continuous, "numeric feature", "numeric features");
    let categories = count(data.data.discrete, "categorical feature", "categorical features");
    match (data.data.continuous, data.data.discrete) {
        (_, 0) => numbers,
        (0, _) => categories,
        _ => format!("{numbers} and {categories}"),
    }
}

pub(super) fn tiles(data: &ReportData) -> String {
    let Some(scores) = &data.scores else { return String::new() };
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
    let suspects = (data.suspects.len().to_string(), format!("of {}", count(data.data.rows(), "row", "rows")));
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

pub(super) fn notes(data: &ReportData) -> String {
    if data.notes.is_empty() {
        return String::new();
    }
    let items: String = data.notes.iter().map(|note| format!("<li>{}</li>", escape(&sentence_case(note)))).collect();
    section("notes", "Please note", "", &format!(r#"<ul class="notes">{items}</ul>"#))
}

fn sentence_case(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

pub(super) fn surface(data: &ReportData) -> String {
    let figure: Vec<_> = charts::surface(data).into_iter().collect();
    section(
        "surface",
        "The whole picture",
        "With two numeric features the model can be seen at once.",
        &figures(&figure, "wide"),
    )
}

pub(super) fn predictions(data: &ReportData) -> String {
    let lead = "Each row is predicted by the model without that row, so these figures show what to expect of new rows.";
    section("predictions", "How good are the predictions?", lead, &figures(&charts::predictions(data), ""))
}

pub(super) fn suspects(data: &ReportData) -> String {
    let content = if data.suspects.is_empty() {
        "<p>No label looks wrong.</p>".to_owned()
    } else {
        let (shown, folded) = data.suspects.split_at(data.suspects.len().min(SHOWN_SUSPECTS));
        suspect_table(data, shown) + &fold(folded.len(), "label", "labels", || suspect_table(data, folded))
    };
    let lead = format!(
        "Rows whose own label disagrees with what the other rows say, most suspect first. {}",
        sentence_case(&data.suspect_source)
    );
    section("suspects", "Labels to check", if data.suspects.is_empty() { "" } else { &lead }, &content)
}

fn suspect_table(data: &ReportData, suspects: &[SuspectRow]) -> String {
    let row = |s: &SuspectRow| {
        let width = (100.0 * s.wrong).clamp(0.0, 100.0).round();
        format!(
            r#"<td class="number">{}</td><td>{}</td><td class="flag"><span class="meter" aria-hidden="true"><i style="width:{width}%"></i></span>{}</td><td>{}</td><td class="number">{}</td>"#,
            s.row + 1,
            escape(data.classes.name(s.positive)),
            probability(s.wrong),
            escape(data.classes.name(!s.positive)),
            probability(s.loo_probability)
        )
    };
    let head = ["data row", "label given", "probably wrong", "others say", "chance of label"];
    rows(&head, &suspects.iter().map(row).collect::<Vec<_>>())
}

/// Something folded away, if there is any of it.
fn fold(number: usize, one: &str, many: &str, content: impl FnOnce() -> String) -> String {
    if number == 0 {
        return String::new();
    }
    format!("<details><summary>{} more</summary>{}</details>", count(number, one, many), content())
}

pub(super) fn features(data: &ReportData) -> String {
    let figure: Vec<_> = charts::relevance(data).into_iter().collect();
    let lead = "How far the latent score moves, typically, when one feature of a row is exchanged for another row's.";
    section("features", "Which features matter?", lead, &figures(&figure, ""))
}

pub(super) fn effects(data: &ReportData) -> String {
    let lead = format!(
        "The average probability of “{}” if one feature alone were changed in every row. The band holds the average with \
         the given probability; where it is wide, the data say little.",
        data.classes.positive
    );
    section("effects", "What does each feature do?", &lead, &figures(&charts::effects(data), "small"))
}

pub(super) fn model(data: &ReportData) -> String {
    let m = &data.model;
    let about = [
        ("covariance", m.kernel.clone()),
        ("likelihood", m.likelihood.clone()),
        ("inference", m.method.clone()),
        ("log evidence", format!("{} nats", number(m.log_evidence))),
        ("outcome", m.outcome.clone()),
    ];
    let about = TextTable {
        head: vec!["part", "value"],
        rows: about.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect(),
    };
    let parameters = |some: &[crate::report::HyperparameterRow]| {
        let row = |h: &crate::report::HyperparameterRow| {
            let value = number(h.value) + if h.fixed { " (fixed)" } else { "" };
            vec![h.name.clone(), value, h.meaning.clone()]
        };
        table(&TextTable { head: vec!["hyperparameter", "value", "meaning"], rows: some.iter().map(row).collect() })
    };
    let (shown, folded) = data.hyperparameters.split_at(data.hyperparameters.len().min(SHOWN_HYPERPARAMETERS));
    let shown = if shown.is_empty() { String::new() } else { parameters(shown) };
    let more = fold(folded.len(), "hyperparameter", "hyperparameters", || parameters(folded));
    section("model", "The model", "", &format!("{}{shown}{more}", table(&about)))
}

pub(super) fn choice(data: &ReportData) -> String {
    let mut all: Vec<_> = charts::candidates(data).into_iter().collect();
    all.extend(charts::convergence(data));
    let lead = "Models are compared by their evidence: how probable the labels were under each before seeing them, less a \
                charge for every hyperparameter. The search for the hyperparameters of the chosen one is shown too.";
    section("choice", "Why this model?", lead, &figures(&all, ""))
}

pub(super) fn guide(data: &ReportData) -> String {
    let entries = [
        ("Probability", format!("The model's probability that a row's label is “{}”, label errors included.", data.classes.positive)),
        ("Left out", "Predicted from all other rows, without its own label: an honest stand-in for new data.".to_owned()),
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

pub(super) fn provenance(data: &ReportData) -> String {
    let items: Vec<String> = data
        .provenance
        .iter()
        .map(|(name, value)| format!("{} <code>{}</code>", escape(name), escape(value)))
        .collect();
    format!("<footer><p>Made by gpclass. {}</p></footer>", items.join(" · "))
}
