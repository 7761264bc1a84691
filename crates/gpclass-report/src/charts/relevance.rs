//! Which features matter.

use super::Figure;
use super::bars::{Bar, draw};
use crate::Report;
use crate::text::{count, number, percent};
use gpclass::explain::ranking;

/// Features shown as bars; the others are in the table.
pub(crate) const SHOWN: usize = 20;
/// A feature with at least this share of the largest one's effect stands out.
const STRONG: f64 = 0.25;

/// Relevances as bars, largest first.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let order = ranking(&report.summary.relevances);
    let top = &report.summary.relevances[*order.first()?];
    let bar = |&m: &usize| {
        let relevance = &report.summary.relevances[m];
        let share = if top.effect > 0.0 { relevance.effect / top.effect } else { 0.0 };
        Bar { name: relevance.feature.clone(), share, value: percent(relevance.share), strong: share >= STRONG }
    };
    let (canvas, size) = draw(&order.iter().take(SHOWN).map(bar).collect::<Vec<_>>());
    let rows = order.iter().map(|&m| {
        let relevance = &report.summary.relevances[m];
        let cells = [relevance.effect, relevance.error].map(number);
        [vec![relevance.feature.clone()], cells.to_vec(), vec![percent(relevance.share)]].concat()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let mut sentence = if top.effect > 0.0 {
        format!(
            "Exchanging “{}” between rows changes their probabilities most: by {} ± {} on average, {} of the total.",
            top.feature,
            number(top.effect),
            number(top.error),
            percent(top.share)
        )
    } else {
        "No feature moves the prediction.".to_owned()
    };
    if order.len() > SHOWN {
        sentence +=
            &format!(" The other {} are in the table below.", count(order.len() - SHOWN, "feature", "features"));
    }
    Some(
        Figure::new("relevance", "Share of the total effect", size, canvas, sentence)
            .with_table(&["feature", "change of probability", "standard error", "share"], rows),
    )
}
