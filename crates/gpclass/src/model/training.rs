//! What a model is trained on.

use super::{Model, ModelError};
use crate::data::{Class, Groups, InputView, Inputs, Sign, Targets, View};
use crate::inference::Observations;
use crate::inference::joint::ClassObservations;
use crate::likelihood::{Likelihood, Link};
use std::borrow::Cow;
use std::sync::Arc;

/// Encoded rows with their labels and weights, checked once, and the view that a model has of them.
#[derive(Clone, Debug)]
pub struct TrainingData {
    /// As the encoder gave them.
    given: Arc<Inputs>,
    view: View,
    /// As the kernel sees them, where that is another thing.
    seen: Option<Inputs>,
    targets: Targets,
    /// Of more than two classes: the labels of every class against the rest.
    against_rest: Vec<Vec<Sign>>,
    weights: Option<Vec<f64>>,
    /// Rows that belong together, if that was said.
    groups: Option<Arc<Groups>>,
    /// The rows by which fits are scored, where these are not all.
    scored: Option<Arc<Scored>>,
}

/// Some of the rows, and the weights of all in a score of them.
#[derive(Debug)]
struct Scored {
    rows: Vec<usize>,
    weights: Vec<f64>,
}

impl TrainingData {
    /// Rows that all weigh one. Refused unless there are rows, one label for each, and only finite
    /// inputs.
    pub fn new(inputs: Inputs, labels: impl Into<Targets>) -> Result<Self, ModelError> {
        Self::weighted(inputs, labels, None)
    }

    /// Rows whose likelihood terms are raised to the given powers (see [`Observations`]).
    pub fn weighted(inputs: Inputs, labels: impl Into<Targets>, weights: Option<Vec<f64>>) -> Result<Self, ModelError> {
        let (rows, targets) = (inputs.rows(), labels.into());
        if rows == 0 {
            return Err(ModelError::NoRows);
        }
        if targets.classes().len() != rows {
            return Err(ModelError::Labels { rows, labels: targets.classes().len() });
        }
        if let Some(weights) = &weights {
            if weights.len() != rows {
                return Err(ModelError::Weights { rows, weights: weights.len() });
            }
            if let Some(row) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
                return Err(ModelError::Weight { row, weight: weights[row] });
            }
        }
        check_finite(&inputs)?;
        let sign = |own: bool| if own { Sign::Positive } else { Sign::Negative };
        let rest = |class: Class| targets.classes().iter().map(|other| sign(*other == class)).collect();
        let several = if targets.count() > 2 { targets.count() } else { 0 };
        let against_rest = Class::first(several).map(rest).collect();
        let given = Arc::new(inputs);
        Ok(TrainingData {
            given,
            view: View::default(),
            seen: None,
            targets,
            against_rest,
            weights,
            groups: None,
            scored: None,
        })
    }

    /// The same rows, of which some belong together: left out, they are left out together. Refused unless every row has its
    /// group.
    pub fn grouped(self, groups: Option<Groups>) -> Result<Self, ModelError> {
        groups.iter().try_for_each(|groups| check_groups(groups, self.rows()))?;
        Ok(TrainingData { groups: groups.map(Arc::new), ..self })
    }

    /// The same rows, of which some score a fit; refused where one is not there. Predictions of the others from those that do
    /// not belong to them may be rougher.
    pub fn scored_by(self, rows: Vec<usize>) -> Result<Self, ModelError> {
        let all = self.rows();
        if rows.is_empty() || rows.iter().any(|&row| row >= all) {
            return Err(ModelError::Scored { rows: all });
        }
        let mut weights = vec![0.0; all];
        rows.iter().for_each(|&row| weights[row] = self.weights().map_or(1.0, |weights| weights[row]));
        Ok(TrainingData { scored: Some(Arc::new(Scored { rows, weights })), ..self })
    }

    /// The rows by which a fit is scored; `None` where these are all.
    pub fn scored_rows(&self) -> Option<&[usize]> {
        self.scored.as_deref().map(|scored| scored.rows.as_slice())
    }

    /// What every row weighs in a score of left-out predictions: nothing where it does not score.
    pub fn scoring_weights(&self) -> Option<&[f64]> {
        self.scored.as_deref().map_or(self.weights(), |scored| Some(&scored.weights))
    }

    /// The same rows as a model with such inputs sees them, whatever these are seen as. The view is fitted on them.
    pub fn viewed(self: &Arc<Self>, kind: InputView) -> Arc<TrainingData> {
        if self.view.kind() == kind {
            return Arc::clone(self);
        }
        Arc::new(self.seen_through(View::fit(kind, &self.given, self.weights())))
    }

    /// The same rows through a view that was fitted before; refused where it is of other columns.
    pub fn with_view(&self, view: View) -> Result<TrainingData, ModelError> {
        if !view.suits(self.given.features()) {
            return Err(ModelError::View);
        }
        Ok(self.seen_through(view))
    }

    fn seen_through(&self, view: View) -> TrainingData {
        let seen = match view.apply(&self.given) {
            Cow::Borrowed(_) => None,
            Cow::Owned(seen) => Some(seen),
        };
        TrainingData { view, seen, ..self.clone() }
    }

    /// The encoded rows as the kernel sees them.
    pub fn inputs(&self) -> &Inputs {
        self.seen.as_ref().unwrap_or(&self.given)
    }

    /// The rows as the encoder gave them.
    pub fn given(&self) -> &Inputs {
        &self.given
    }

    /// How the kernel sees them.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The class of every row, and how many classes there are.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// The class of every row.
    pub fn labels(&self) -> &[Class] {
        self.targets.classes()
    }

    /// The labels as a binary likelihood sees them; none where there are more classes.
    pub fn signs(&self) -> &[Sign] {
        self.targets.signs().unwrap_or_default()
    }

    /// One weight per row; `None` where none were given and all weigh one.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The rows that belong together; `None` where nothing was said about that.
    pub fn groups(&self) -> Option<&Groups> {
        self.groups.as_deref()
    }

    /// The number of rows, at least one.
    pub fn rows(&self) -> usize {
        self.given.rows()
    }

    /// The same rows with the given features only, as the encoder gave them.
    pub fn with_features(&self, which: &[usize]) -> TrainingData {
        let given = Arc::new(self.given.select_features(which));
        TrainingData { given, view: View::default(), seen: None, ..self.clone() }
    }

    /// The same rows with other labels, seen as they are.
    pub(crate) fn relabelled(&self, targets: Targets) -> Result<TrainingData, ModelError> {
        let other = TrainingData::weighted((*self.given).clone(), targets, self.weights.clone())?;
        TrainingData { groups: self.groups.clone(), scored: self.scored.clone(), ..other }.with_view(self.view.clone())
    }

    /// The given rows, in the order given, as the encoder gave them. Panics if there are none, or one does not exist.
    pub fn with_rows(&self, which: &[usize]) -> TrainingData {
        assert!(!which.is_empty(), "a part of the rows has some");
        let each = |signs: &Vec<Sign>| which.iter().map(|&row| signs[row]).collect();
        TrainingData {
            given: Arc::new(self.given.select_rows(which)),
            view: View::default(),
            seen: None,
            targets: self.targets.with_rows(which),
            against_rest: self.against_rest.iter().map(each).collect(),
            weights: self.weights.as_ref().map(|weights| which.iter().map(|&row| weights[row]).collect()),
            groups: self.groups.as_ref().map(|groups| Arc::new(groups.select(which))),
            scored: None,
        }
    }

    /// The labels of a class against the rest as `likelihood` sees them; there are more than two classes.
    pub fn against_rest<'a>(&'a self, class: usize, likelihood: &'a Likelihood) -> Observations<'a> {
        Observations { weights: self.weights(), ..Observations::new(&self.against_rest[class], likelihood) }
    }

    /// The labels as the functions of all classes together see them.
    pub fn class_observations(&self, model: &Model) -> Result<ClassObservations<'_>, ModelError> {
        let link = model.link(self.targets.count())?;
        if let (Link::Probit { .. }, Some(weights)) = (link, self.weights())
            && let Some(row) = weights.iter().position(|w| *w > 0.0 && *w < 1.0)
        {
            return Err(ModelError::FractionalWeight { row, weight: weights[row] });
        }
        Ok(self.under(link))
    }

    /// The classes under a link that can use the weights.
    pub(super) fn under(&self, link: Link) -> ClassObservations<'_> {
        ClassObservations { classes: self.labels(), count: self.targets.count(), link, weights: self.weights() }
    }

    /// The labels as `likelihood` sees them, where there are two classes.
    pub fn observations<'a>(&'a self, likelihood: &'a Likelihood) -> Observations<'a> {
        Observations { weights: self.weights(), ..Observations::new(self.signs(), likelihood) }
    }
}

/// Whether every row has its group.
pub(super) fn check_groups(groups: &Groups, rows: usize) -> Result<(), ModelError> {
    let groups = groups.rows();
    if groups == rows { Ok(()) } else { Err(ModelError::Groups { rows, groups }) }
}

/// Whether rows have as many features and encoded columns as those that were trained on, and every input is a number.
pub(crate) fn check_rows(rows: &Inputs, trained: usize, columns: usize) -> Result<(), ModelError> {
    let given = rows.features().len();
    if given != trained || rows.values().cols() != columns {
        return Err(ModelError::Features { given, trained });
    }
    check_finite(rows)
}

/// Whether every input is a number.
pub(super) fn check_finite(inputs: &Inputs) -> Result<(), ModelError> {
    for feature in inputs.features() {
        for column in feature.columns.clone() {
            let values = inputs.values().col(column);
            if let Some(row) = values.iter().position(|v| !v.is_finite()) {
                return Err(ModelError::Input { row, feature: feature.name.clone(), value: values[row] });
            }
        }
    }
    Ok(())
}
