//! Which features matter.

use super::Figure;
use super::bars::{Bar, draw};
use crate::Report;
use crate::text::{count, number, percent};
use gpclass::explain::{Relevance, ranking};

/// Features shown as bars; the others are in the table.
pub(crate) const SHOWN: usize = 20;
/// A feature with at least this share of the largest one's effect stands out.
const STRONG: f64 = 0.25;
/// Standard errors to either side of an effect.
const INTERVAL: f64 = 1.96;

/// Relevances as bars, largest first.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let order = ranking(&report.summary.relevances);
    let top = &report.summary.relevances[*order.first()?];
    let longest = order.iter().take(SHOWN).map(|&m| ends(&report.summary.relevances[m]).1).fold(0.0, f64::max);
    let bar = |&m: &usize| {
        let relevance = &report.summary.relevances[m];
        let of_longest = |effect: f64| if longest > 0.0 { effect / longest } else { 0.0 };
        let interval = Some(ends(relevance)).filter(|(low, high)| low < high);
        Bar {
            name: relevance.feature.clone(),
            share: of_longest(relevance.effect),
            interval: interval.map(|(low, high)| (of_longest(low), of_longest(high))),
            value: percent(relevance.share),
            strong: relevance.effect >= STRONG * top.effect && top.effect > 0.0,
        }
    };
    let (canvas, size) = draw(&order.iter().take(SHOWN).map(bar).collect::<Vec<_>>());
    let rows = order.iter().map(|&m| {
        let relevance = &report.summary.relevances[m];
        let mut cells = vec![
            relevance.feature.clone(),
            with_error(relevance.effect, Some(relevance.error)),
            percent(relevance.share),
        ];
        cells.extend(relevance.gain.map(|gain| with_error(gain.value, gain.standard_error)));
        cells
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let mut head = vec!["feature", "change of probability", "share"];
    head.extend(top.gain.map(|_| "loss, left-out rows"));
    let mut sentence = if top.effect > 0.0 {
        format!(
            "Exchanging “{}” between rows changes their probabilities most: by {} ± {} on average, {} of the total. Lines are \
             95 % intervals.",
            top.feature,
            number(top.effect),
            number(top.error),
            percent(top.share)
        )
    } else {
        "No feature moves the prediction.".to_owned()
    };
    let idle = report.summary.relevances.iter().filter(|relevance| !relevance.is_borne_out()).count();
    if idle > 0 && top.effect > 0.0 {
        sentence += &format!(
            " Nothing shows that {} of the label: left-out rows are predicted as well with another row's value.",
            count(idle, "feature carries anything", "features carry anything")
        );
    }
    if order.len() > SHOWN {
        sentence +=
            &format!(" The other {} are in the table below.", count(order.len() - SHOWN, "feature", "features"));
    }
    Some(Figure::new("relevance", "Share of the total effect", size, canvas, sentence).with_table(&head, rows))
}

/// A change or a loss with its standard error, in a cell that is not broken between them.
fn with_error(value: f64, error: Option<f64>) -> String {
    let rounded = |value: f64| format!("{:.3}", if value.abs() < 5e-4 { 0.0 } else { value }).replace('-', "−");
    let error = error.filter(|error| error.is_finite());
    rounded(value) + &error.map_or(String::new(), |error| format!("\u{a0}±\u{a0}{}", rounded(error)))
}

/// Between which values the effect lies with 95 %.
fn ends(relevance: &Relevance) -> (f64, f64) {
    let half = if relevance.error.is_finite() { INTERVAL * relevance.error } else { 0.0 };
    ((relevance.effect - half).max(0.0), relevance.effect + half)
}
