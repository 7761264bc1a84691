//! Decisions between any number of classes where errors cost differently.

use super::ClassifierError;
use crate::data::{Class, ClassNames};
use crate::evaluate::decision::Costs;
use crate::model::{Probabilities, TrainingData};
use serde::{Deserialize, Serialize};

/// What an error costs that is not named.
const UNNAMED: f64 = 1.0;

/// What one kind of error costs, in any unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorCost {
    /// The class that a row has.
    #[serde(rename = "true")]
    pub truth: String,
    /// The class that it is decided to be of.
    pub decided: String,
    /// What that costs.
    pub cost: f64,
}

/// What decisions cost: rows are true classes, columns decided ones, and right decisions cost nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CostMatrix(Vec<Vec<f64>>);

impl CostMatrix {
    /// Of these errors; one that is not named costs one.
    pub fn new(errors: &[ErrorCost], classes: &ClassNames) -> Result<Self, ClassifierError> {
        let count = classes.len();
        let mut costs: Vec<Vec<Option<f64>>> = vec![vec![None; count]; count];
        for ErrorCost { truth, decided, cost } in errors {
            let place = |name: &String| {
                let known = classes.names();
                let found = known.iter().position(|known| known == name);
                found.ok_or_else(|| ClassifierError::CostClass { class: name.clone(), known: known.join(", ") })
            };
            let (row, column) = (place(truth)?, place(decided)?);
            let error = || (truth.clone(), decided.clone());
            if row == column {
                return Err(ClassifierError::CostOfRight { class: truth.clone() });
            }
            if !(cost.is_finite() && *cost >= 0.0) {
                let (truth, decided) = error();
                return Err(ClassifierError::Cost { truth, decided, cost: *cost });
            }
            if costs[row][column].replace(*cost).is_some() {
                let (truth, decided) = error();
                return Err(ClassifierError::CostTwice { truth, decided });
            }
        }
        let of =
            |row: usize, column: usize, cost: Option<f64>| if row == column { 0.0 } else { cost.unwrap_or(UNNAMED) };
        let row = |(row, costs): (usize, Vec<Option<f64>>)| {
            costs.into_iter().enumerate().map(|(column, cost)| of(row, column, cost)).collect()
        };
        Ok(CostMatrix(costs.into_iter().enumerate().map(row).collect()))
    }

    /// What it costs to decide for a class where another is true.
    pub fn at(&self, truth: Class, decided: Class) -> f64 {
        self.0[truth.position()][decided.position()]
    }

    /// The same of two classes as costs of the two errors.
    pub(super) fn of_two(&self) -> Costs {
        let at = |truth, decided| self.at(truth, decided);
        Costs {
            false_negative: at(Class::POSITIVE, Class::NEGATIVE),
            false_positive: at(Class::NEGATIVE, Class::POSITIVE),
        }
    }

    /// The class of least expected cost, the most probable of equals.
    pub fn cheapest(&self, probability: &Probabilities, row: usize) -> Class {
        let expected = |decided: Class| -> f64 {
            probability.classes().map(|truth| probability.at(row, truth) * self.at(truth, decided)).sum()
        };
        let first = probability.most_probable(row);
        let better = |best: (Class, f64), class: Class| {
            let cost = expected(class);
            if cost < best.1 { (class, cost) } else { best }
        };
        probability.classes().fold((first, expected(first)), better).0
    }

    /// As many rows as columns as classes, with costs that are numbers.
    pub(super) fn suits(&self, classes: usize) -> bool {
        let right = |row: usize| self.0[row].get(row) == Some(&0.0);
        self.0.len() == classes
            && self.0.iter().all(|row| row.len() == classes && row.iter().all(|cost| cost.is_finite() && *cost >= 0.0))
            && (0..classes).all(right)
    }
}

/// Decisions of least expected cost, with what they cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostDecision {
    /// What errors cost.
    pub matrix: CostMatrix,
    /// Mean cost of a left-out row decided so.
    pub cost: f64,
    /// Mean cost of a left-out row that is decided to be of its most probable class.
    pub plain_cost: f64,
}

impl CostDecision {
    /// With the costs of left-out rows.
    pub(super) fn of(matrix: CostMatrix, left_out: &Probabilities, data: &TrainingData) -> Self {
        let weight = |row: usize| data.scoring_weights().map_or(1.0, |weights| weights[row]);
        let labels = data.labels();
        let total: f64 = (0..labels.len()).map(weight).sum();
        let mean = |decided: &dyn Fn(usize) -> Class| {
            let cost = |row: usize| weight(row) * matrix.at(labels[row], decided(row));
            (0..labels.len()).map(cost).sum::<f64>() / total
        };
        let cost = mean(&|row| matrix.cheapest(left_out, row));
        let plain_cost = mean(&|row| left_out.most_probable(row));
        CostDecision { matrix, cost, plain_cost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpclass_linalg::Mat;

    fn error(truth: &str, decided: &str, cost: f64) -> ErrorCost {
        ErrorCost { truth: truth.to_owned(), decided: decided.to_owned(), cost }
    }

    fn names() -> ClassNames {
        ClassNames::new(&["a".to_owned(), "b".to_owned(), "c".to_owned()]).unwrap()
    }

    /// By hand: at (0.5, 0.3, 0.2) with c taken for a at 6, deciding for a costs 0.3 + 1.2, for b 0.7, for c 0.8.
    #[test]
    fn the_class_of_least_expected_cost_is_decided_for() {
        let p = Probabilities::new(Mat::from_fn(1, 3, |_, class| [0.5, 0.3, 0.2][class]));
        let all: Vec<Class> = p.classes().collect();
        let plain = CostMatrix::new(&[], &names()).unwrap();
        assert_eq!(plain.cheapest(&p, 0), all[0]);
        let dear = CostMatrix::new(&[error("c", "a", 6.0)], &names()).unwrap();
        assert_eq!(dear.cheapest(&p, 0), all[1]);
        let dearer = CostMatrix::new(&[error("c", "a", 6.0), error("c", "b", 6.0)], &names()).unwrap();
        assert_eq!(dearer.cheapest(&p, 0), all[2]);
        let even = CostMatrix::new(&[error("a", "b", 0.0), error("c", "b", 0.0)], &names()).unwrap();
        assert_eq!((even.cheapest(&p, 0), even.suits(3), even.suits(2)), (all[1], true, false));
    }

    #[test]
    fn what_is_no_cost_of_an_error_is_refused() {
        let refused = |errors: &[ErrorCost]| CostMatrix::new(errors, &names()).unwrap_err().to_string();
        assert!(refused(&[error("d", "a", 2.0)]).contains("'d', which is no class; the classes are a, b, c"));
        assert!(refused(&[error("a", "a", 2.0)]).contains("taking 'a' for what it is costs nothing"));
        assert!(refused(&[error("a", "b", -1.0)]).contains("taking 'a' for 'b' is -1"));
        assert!(refused(&[error("a", "b", f64::NAN)]).contains("NaN"));
        assert!(refused(&[error("a", "b", 1.0), error("a", "b", 2.0)]).contains("given twice"));
    }
}
