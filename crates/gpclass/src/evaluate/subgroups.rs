//! How well rows of each group are predicted.

use super::error::check_length;
use super::recalibration::{Recalibration, recalibrate};
use super::skill::skill;
use super::{ClassForecasts, Estimate, EvaluateError, ScoreOptions, score_classes};
use crate::data::Class;
use serde::{Deserialize, Serialize};

/// What the predictions of a group's rows are worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subgroup {
    /// Name of the group.
    pub name: String,
    /// Rows of positive weight.
    pub rows: usize,
    /// Of two classes, the share of positive ones.
    pub observed: Option<f64>,
    /// Area under the ROC curve; of several classes the mean over those that have rows.
    pub auc: Option<Estimate>,
    /// Mean of -ln p(y).
    pub nlp: Estimate,
    /// Share by which this is less than that of the group's own base rate.
    pub nlp_skill: Option<Estimate>,
    /// Brier score.
    pub brier: Estimate,
    /// Of two classes, calibration intercept and slope.
    pub recalibration: Option<Recalibration>,
}

/// The groups of rows, by the names in the order in which they first appear, the largest first.
pub fn subgroups(
    forecasts: &ClassForecasts,
    group_of_row: &[String],
    options: &ScoreOptions,
) -> Result<Vec<Subgroup>, EvaluateError> {
    check_length("groups", forecasts.len(), group_of_row.len())?;
    let mut names: Vec<&String> = Vec::new();
    for name in group_of_row {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut groups = Vec::with_capacity(names.len());
    for name in names {
        let weights: Vec<f64> = forecasts.weights_where(|row| group_of_row[row] == *name);
        if weights.iter().any(|weight| *weight > 0.0) {
            groups.push(subgroup(name, &forecasts.with_weights(&weights), options)?);
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.rows));
    Ok(groups)
}

fn subgroup(name: &str, forecasts: &ClassForecasts, options: &ScoreOptions) -> Result<Subgroup, EvaluateError> {
    let scores = score_classes(forecasts, options)?;
    let two = scores.classes.is_none().then(|| forecasts.of_class(Class::POSITIVE));
    let share = |forecasts: &super::Forecasts| -> Result<f64, EvaluateError> {
        let rows = forecasts.rows()?;
        let total: f64 = rows.iter().map(|row| row.weight).sum();
        Ok(rows.iter().map(|row| row.weight * row.outcome()).sum::<f64>() / total)
    };
    Ok(Subgroup {
        name: name.to_owned(),
        rows: scores.rows,
        observed: two.as_ref().map(share).transpose()?,
        auc: scores.auc,
        nlp: scores.nlp_nats,
        nlp_skill: skill(forecasts, options.probability_floor)?.nlp,
        brier: scores.brier,
        recalibration: two.as_ref().map(recalibrate).transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::forecasts::tests::{PROBS, labels};
    use super::*;
    use crate::model::Probabilities;
    use gpclass_linalg::Mat;

    #[test]
    fn a_group_scores_as_its_rows_alone() {
        let (labels, both) =
            (labels(), |rows: &[usize]| {
                Probabilities::new(Mat::from_fn(rows.len(), 2, |i, c| {
                    if c == 1 { PROBS[rows[i]] } else { 1.0 - PROBS[rows[i]] }
                }))
            });
        let of_row: Vec<String> = (0..12).map(|i| if i % 3 == 1 { "few" } else { "many" }.to_owned()).collect();
        let all = both(&(0..12).collect::<Vec<_>>());
        let options = ScoreOptions::default();
        let found = subgroups(&ClassForecasts::new(&all, &labels), &of_row, &options).unwrap();
        assert_eq!(found.iter().map(|g| (g.name.as_str(), g.rows)).collect::<Vec<_>>(), [("many", 8), ("few", 4)]);
        let rows: Vec<usize> = (0..12).filter(|i| i % 3 == 1).collect();
        let own: Vec<Class> = rows.iter().map(|&i| labels[i]).collect();
        let probability = both(&rows);
        let alone = score_classes(&ClassForecasts::new(&probability, &own), &options).unwrap();
        assert_eq!((found[1].auc, found[1].nlp, found[1].brier), (alone.auc, alone.nlp_nats, alone.brier));
        assert_eq!(found[1].observed, Some(0.75));
        assert!(subgroups(&ClassForecasts::new(&all, &labels), &of_row[1..], &options).is_err());
    }
}
