//! The models that were compared.

use super::Figure;
use super::bars::{Bar, draw};
use crate::Report;
use crate::text::{number, percent};
use gpclass::classifier::CandidateSummary;
use gpclass::learn::ScoreKind;

/// Candidates that many nats behind are as good as refuted; their bars are empty.
const HOPELESS: f64 = 10.0;

/// Scores as bars, best first.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    let chosen = report.summary.chosen()?;
    let mut ranked: Vec<_> = report.summary.candidates.iter().collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    let worst = ranked.last().map_or(0.0, |c| chosen.score - c.score).clamp(1.0, HOPELESS);
    let bars: Vec<Bar> = ranked
        .iter()
        .map(|c| Bar {
            name: c.name.clone(),
            share: 1.0 - (chosen.score - c.score) / (1.1 * worst),
            value: if c.chosen { "chosen".to_owned() } else { number(c.score - chosen.score) },
            strong: c.chosen,
        })
        .collect();
    let (canvas, size) = draw(&bars);
    let rows = ranked.iter().map(|c| {
        vec![c.name.clone(), number(c.score), number(c.log_evidence), percent(c.loo_error), number(c.loo_nlp)]
    });
    let rows = rows.collect();
    Some(
        Figure::new("candidates", "Which model the data prefer", size, canvas, sentence(&ranked, chosen))
            .with_table(&["model", "score", "log evidence", "left-out error", "left-out loss"], rows),
    )
}

fn sentence(ranked: &[&CandidateSummary], chosen: &CandidateSummary) -> String {
    match ranked.iter().find(|c| !c.chosen) {
        None => format!("Only “{}” was fitted, so there was nothing to compare.", chosen.name),
        Some(second) if chosen.score_kind == Some(ScoreKind::Criterion) => format!(
            "“{}” scores {} and “{}”, the next, {}. Numbers at the bars are behind the chosen model.",
            chosen.name,
            number(chosen.score),
            second.name,
            number(second.score)
        ),
        Some(second) => {
            let gap = (chosen.score - second.score).max(0.0);
            let strength = if gap < 1.0 {
                "hardly better than"
            } else if gap < 3.0 {
                "somewhat better than"
            } else {
                "clearly better than"
            };
            format!(
                "“{}” explains the data {strength} “{}”: {} nats between them. Numbers at the bars are nats behind the \
                 chosen model; 3 nats are odds of about 20 to 1.",
                chosen.name,
                second.name,
                number(gap)
            )
        }
    }
}
