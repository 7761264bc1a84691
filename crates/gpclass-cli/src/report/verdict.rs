//! The two sentences for a reader in a hurry.

use super::ReportData;
use super::text::{count, percent};
use gpclass::learn::ranking;

/// Features that together make most of the effect are named, this many at most.
const NAMED_FEATURES: usize = 3;
/// The share of the effect that named features should reach.
const MOST: f64 = 0.7;

/// How well it works, and what it rests on.
pub(super) fn verdict(data: &ReportData) -> String {
    format!("{} {}", quality(data), basis(data))
}

fn quality(data: &ReportData) -> String {
    let rows = data.data.rows();
    let commoner = data.data.positive_rows > data.data.negative_rows;
    let baseline = data.data.positive_rows.max(data.data.negative_rows) as f64 / rows.max(1) as f64;
    let Some(scores) = &data.scores else {
        return format!("The model was fitted to {}.", count(rows, "row", "rows"));
    };
    let right = 1.0 - scores.error.value;
    let doubt = scores.error.standard_error.unwrap_or(0.0);
    let judged = if right <= baseline {
        "these columns hardly tell the classes apart:"
    } else if right - baseline < 2.0 * doubt {
        "these columns may tell the classes apart, but not for certain:"
    } else {
        "the classes can be told apart:"
    };
    let mut judged = judged.to_owned();
    if let Some(first) = judged.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!(
        "{judged} with each row predicted from all the others, {} are right, while always answering “{}” would be right \
         for {}.",
        percent(right),
        data.classes.name(commoner),
        percent(baseline)
    )
}

fn basis(data: &ReportData) -> String {
    let features = main_features(data);
    let about = match features.as_slice() {
        [] => "No column moves the prediction".to_owned(),
        names => format!("The answer depends mostly on {}", listed(names)),
    };
    let likely = data.suspects.iter().filter(|s| s.wrong > 0.5).count();
    match (likely, data.suspects.len()) {
        (0, 0) => format!("{about}, and no label looks wrong."),
        (0, n) => format!("{about}, and {} worth a second look.", count(n, "label is", "labels are")),
        (n, _) => format!("{about}, and {} more likely wrong than right.", count(n, "label is", "labels are")),
    }
}

/// The fewest most relevant features that make most of the effect.
fn main_features(data: &ReportData) -> Vec<String> {
    let mut reached = 0.0;
    let mut names = Vec::new();
    for m in ranking(&data.relevances).into_iter().take(NAMED_FEATURES) {
        let relevance = &data.relevances[m];
        if relevance.share <= 0.0 || reached >= MOST {
            break;
        }
        reached += relevance.share;
        names.push(format!("“{}”", relevance.feature));
    }
    names
}

fn listed(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
        [] => String::new(),
    }
}
