//! What each part of the page says.

use super::html::{estimate, figures, fold, rows, section, sentence_case, table};
use crate::Report;
use crate::charts::{self, TextTable};
use crate::palette::class_colour;
use crate::text::{decimals, escape, number, percent};
use gpclass::classifier::Hyperparameter;
use gpclass::evaluate::ClassScores;
use gpclass::inference::Outcome;
use gpclass::learn::ScoreKind;
use gpclass::model::Multiclass;

/// Hyperparameters in the open table; the others are folded.
const SHOWN_HYPERPARAMETERS: usize = 16;
/// Classes whose matrix and table fit side by side.
const BESIDE_CLASSES: usize = 12;

pub(super) fn notes(report: &Report<'_>) -> String {
    let items: String = report.notes().map(|note| format!("<li>{}</li>", escape(&sentence_case(&note.text)))).collect();
    let list = if items.is_empty() { String::new() } else { format!(r#"<ul class="notes">{items}</ul>"#) };
    section("notes", "Please note", "", &list)
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

/// Of several classes, which are told apart and how well.
pub(super) fn classes(report: &Report<'_>) -> String {
    let Some(figure) = charts::confusion(report) else { return String::new() };
    let beside = report.summary.classes.len() <= BESIDE_CLASSES;
    let kind = if beside { "beside" } else { "whole" };
    let without = report.leaving_out().without();
    let lead = format!("Each row is predicted by the model {without}, and called the most probable class.");
    let content = format!(
        r#"<div class="{kind}">{}<div class="each"><h3>Each class against all others</h3>{}</div></div>"#,
        figures(&[figure], "whole"),
        class_table(report)
    );
    section("classes", "Which classes are told apart?", &lead, &content)
}

/// The scores of every class against all others; its calibration stands below its own curve.
fn class_table(report: &Report<'_>) -> String {
    let each = report.summary.loo.classes.iter().flat_map(|details| details.each.iter().enumerate());
    let row = |(class, scores): (usize, &ClassScores)| {
        let swatch = format!(r#"<i class="swatch" style="background:var(--{})"></i>"#, class_colour(class));
        let cells = [
            scores.rows.to_string(),
            estimate(scores.auc, decimals),
            estimate(Some(scores.brier), decimals),
            estimate(scores.precision, percent),
            estimate(scores.recall, percent),
        ];
        let cells = cells.iter().map(|cell| format!(r#"<td class="number">{cell}</td>"#)).collect::<String>();
        format!("<td>{swatch}{}</td>{cells}", escape(report.class(class)))
    };
    rows(&["class", "rows", "AUROC", "Brier", "precision", "recall"], &each.map(row).collect::<Vec<_>>())
}

pub(super) fn predictions(report: &Report<'_>) -> String {
    let leaving_out = report.leaving_out();
    let lead = format!(
        "Each row is predicted by the model {}{}, so these figures show about what to expect of new rows{}.",
        leaving_out.without(),
        leaving_out.groups_text(),
        if report.summary.groups.is_some() { " of new groups" } else { "" }
    );
    section("predictions", "How good are the predictions?", &lead, &figures(&charts::predictions(report), ""))
}

/// Of several classes, the calibration of each.
pub(super) fn calibration(report: &Report<'_>) -> String {
    let lead = format!(
        "For every class, how often rows that got it with about the same probability have it.{}",
        report.shown_classes_text()
    );
    let content = figures(&charts::calibrations(report), "small");
    section("calibration", "Do the probabilities mean what they say?", &lead, &content)
}

pub(super) fn features(report: &Report<'_>) -> String {
    let Some(mut figure) = charts::relevance(report) else { return String::new() };
    let lead = "How far the predicted probabilities move, on average, when one feature of a row is exchanged for another row's, and how much \
         worse left-out rows are predicted then.";
    let all = std::mem::take(&mut figure.table.rows);
    let (shown, folded) = all.split_at(all.len().min(charts::SHOWN_RELEVANCES));
    let listed = |some: &[Vec<String>]| table(&TextTable { head: figure.table.head.clone(), rows: some.to_vec() });
    let numbers = listed(shown) + &fold(folded.len(), "feature", "features", || listed(folded));
    let content = format!(
        r#"<div class="beside">{}<div class="each"><h3>The numbers</h3>{numbers}</div></div>"#,
        figures(std::slice::from_ref(&figure), "whole")
    );
    section("features", "Which features matter?", lead, &content)
}

pub(super) fn effects(report: &Report<'_>) -> String {
    let (of, shown) = if report.has_several_classes() {
        ("each class".to_owned(), report.shown_classes_text())
    } else {
        (format!("“{}”", report.shown_class()), String::new())
    };
    let lead = format!(
        "The average probability of {of} if one feature alone were changed in every row. The band holds the average with \
         the given probability; where it is wide, the data say little.{shown}"
    );
    section("effects", "What does each feature do?", &lead, &figures(&charts::effects(report), "small"))
}

pub(super) fn model(report: &Report<'_>) -> String {
    let summary = report.summary;
    let mut about = vec![
        ("covariance", summary.kernel.clone()),
        ("inputs", format!("{}: {}", summary.inputs.name(), summary.inputs.about())),
        ("likelihood", summary.likelihood.clone()),
        ("inference", summary.method.clone()),
    ];
    about.extend(multiclass(report).map(|how| ("classes", how)));
    about.extend(summary.chosen().map(|chosen| ("log evidence", format!("{} nats", number(chosen.log_evidence)))));
    about.push(("outcome", outcome(report)));
    let about = about.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    let about = TextTable::new(&["part", "value"], about);
    let parameters = |some: &[Hyperparameter]| {
        let row = |h: &Hyperparameter| {
            let value = number(h.value) + if h.fixed { " (fixed)" } else { "" };
            vec![h.name.clone(), value, h.meaning.clone()]
        };
        table(&TextTable::new(&["hyperparameter", "value", "meaning"], some.iter().map(row).collect()))
    };
    let (shown, folded) = summary.hyperparameters.split_at(summary.hyperparameters.len().min(SHOWN_HYPERPARAMETERS));
    let shown = if shown.is_empty() { String::new() } else { parameters(shown) };
    let more = fold(folded.len(), "hyperparameter", "hyperparameters", || parameters(folded));
    section("model", "The model", "", &format!("{}{shown}{more}", table(&about)))
}

/// How several classes are modelled.
fn multiclass(report: &Report<'_>) -> Option<String> {
    let classes = report.summary.classes.len();
    let how = match report.summary.multiclass {
        _ if !report.has_several_classes() => return None,
        Multiclass::OneVsRest => "each against the rest, their probabilities made to sum to one",
        Multiclass::ExactlyOne => "each against the rest, given that exactly one is right",
        Multiclass::Joint | Multiclass::Auto => "a function for each, inferred together",
    };
    Some(format!("{classes}: {how}"))
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
        n => match report.summary.chosen().and_then(|chosen| chosen.score_kind) {
            Some(ScoreKind::LeftOut) => {
                format!("; {n} candidates predict together, weighed by how well they predict left-out rows")
            }
            _ => format!("; predictions are averaged over {n} candidates by their evidence"),
        },
    };
    format!("{inference}; the search ended because {}{averaged}", report.summary.stop)
}

pub(super) fn choice(report: &Report<'_>) -> String {
    let compared: Vec<_> = charts::candidates(report).into_iter().collect();
    let all = figures(&compared, "wide") + &figures(&charts::convergence(report), "");
    let judged = report.summary.chosen().map_or("", |chosen| compared_by(chosen.score_kind));
    let lead = format!("{judged}The search for the hyperparameters of the chosen one is shown too.");
    section("choice", "Why this model?", &lead, &all)
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
        Some(ScoreKind::LeftOut) => {
            "Several models predict together: their weights are those with which they predict left-out rows best. "
        }
        Some(ScoreKind::Criterion) => "Models are compared by the leave-one-out score that was asked for. ",
    }
}

pub(super) fn guide(report: &Report<'_>) -> String {
    let mut entries =
        if report.has_several_classes() { several_classes_guide(report) } else { two_classes_guide(report) };
    entries.extend([
        ("Corrected", "Left-out predictions use hyperparameters that were learned from all rows, the left-out one included. The corrected loss takes that back, approximately: it is what to expect of new rows.".to_owned()),
        ("Skill", "The share of the loss of a forecast that only knows how frequent the classes are which the model takes away: 0 is no better, 1 is perfect.".to_owned()),
        ("Calibration intercept and slope", "By which line the log-odds would have to be corrected. An intercept above 0 means probabilities that are too low on average; a slope below 1 means probabilities that are too extreme, above 1 too timid.".to_owned()),
        ("Net benefit", "True alarms per row, less the false ones weighed by the odds of the threshold at which one acts.".to_owned()),
        ("Novel rows", "Rows unlike all others, whatever their labels: about one in a hundred is expected.".to_owned()),
        ("Evidence", "Probability of all labels under a model before its parameters are tuned to them; differences are in nats, and 2.3 nats are a factor of ten.".to_owned()),
        ("Credible band", "Where the true curve lies with the given probability, if the model is right.".to_owned()),
        ("Label to check", "The other rows make another label more plausible. Check the source: it may be an error, or a rare case that is worth keeping.".to_owned()),
    ]);
    let list: String =
        entries.iter().map(|(name, text)| format!("<dt>{}</dt><dd>{}</dd>", escape(name), escape(text))).collect();
    section("guide", "How to read this", "", &format!(r#"<dl class="guide">{list}</dl>"#))
}

/// What is meant by the words that differ with the number of classes.
fn two_classes_guide(report: &Report<'_>) -> Vec<(&'static str, String)> {
    let shown = report.shown_class();
    vec![
        ("Probability", format!("The model's probability that a row's label is “{shown}”, label errors included.")),
        ("Left out", report.leaving_out().meaning().to_owned()),
        ("Latent score", "The number behind a probability: zero is undecided, each unit makes the prediction surer.".to_owned()),
        ("Loss", "Mean of −ln(probability of the label): 0 is perfect, 0.693 is a coin toss; being sure and wrong costs most.".to_owned()),
    ]
}

fn several_classes_guide(report: &Report<'_>) -> Vec<(&'static str, String)> {
    let even = number((report.summary.classes.len() as f64).ln());
    vec![
        ("Probability", "The model's probability that a row has a label, label errors included; those of a row sum to one.".to_owned()),
        ("Left out", report.leaving_out().meaning().to_owned()),
        ("Latent score", "The numbers behind the probabilities, one for each class: the further ahead one is, the surer the prediction.".to_owned()),
        ("Loss", format!("Mean of −ln(probability of the label): 0 is perfect, {even} is guessing evenly; being sure and wrong costs most.")),
        ("Precision and recall", "Of the rows called a class, the share that has it; of the rows that have it, the share called so. The F-measure joins both.".to_owned()),
        ("Macro", "The mean over the classes, each counting the same however many rows it has; AUC is of each class against all others.".to_owned()),
    ]
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
