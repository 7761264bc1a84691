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
    if chosen.score_kind == Some(ScoreKind::LeftOut) {
        return Some(stack(report));
    }
    let mut ranked: Vec<_> = report.summary.candidates.iter().collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    let worst = ranked.last().map_or(0.0, |c| chosen.score - c.score).clamp(1.0, HOPELESS);
    let bars: Vec<Bar> = ranked
        .iter()
        .map(|c| Bar {
            name: c.name.clone(),
            share: 1.0 - (chosen.score - c.score) / (1.1 * worst),
            interval: None,
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

/// Weights of models that predict together as bars, the heaviest first.
fn stack(report: &Report<'_>) -> Figure {
    let mut ranked: Vec<_> = report.summary.candidates.iter().collect();
    ranked.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let bar = |c: &&CandidateSummary| Bar {
        name: c.name.clone(),
        share: c.weight,
        interval: None,
        value: if c.weight > 0.0 { percent(c.weight) } else { "–".to_owned() },
        strong: c.chosen,
    };
    let (canvas, size) = draw(&ranked.iter().map(bar).collect::<Vec<_>>());
    let row = |c: &&CandidateSummary| {
        let on = c.rows.map_or_else(|| report.summary.rows.to_string(), |rows| rows.to_string());
        let mut cells = vec![c.name.clone(), percent(c.weight), number(c.loo_nlp), percent(c.loo_error)];
        cells.extend([number(c.log_evidence), on]);
        cells
    };
    let members = ranked.iter().filter(|c| c.weight > 0.0).count();
    let power = match report.summary.sharpness {
        1.0 => String::new(),
        sharpness => format!(
            " Their mixture is raised to the power {} and normalised: left-out rows show that it is too {}.",
            number(sharpness),
            if sharpness > 1.0 { "cautious" } else { "bold" }
        ),
    };
    let sentence = format!(
        "{members} of {} models predict together; a bar is a model's share. What was left aside early was judged on a part of \
         the rows.{power}",
        ranked.len()
    );
    let columns = ["model", "weight", "left-out loss", "left-out error", "log evidence", "rows"];
    Figure::new("candidates", "Which models predict", size, canvas, sentence)
        .with_table(&columns, ranked.iter().map(row).collect())
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
