//! Why a model cannot be applied.

use crate::inference::InferenceError;
use crate::kernel::KernelError;

/// Why a model could not be applied to data. Fields count rows from 0, sentences from 1, as those about tables do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// The inputs have no rows.
    #[error("there are no training rows; give at least one")]
    NoRows,
    /// There is not one label per row.
    #[error("there are {rows} rows of inputs but {labels} labels; give one label per row")]
    Labels {
        /// Rows of the inputs.
        rows: usize,
        /// Labels given.
        labels: usize,
    },
    /// The labels are of another number of classes than two.
    #[error("there are {classes} classes, but this is for two; join them into two groups")]
    Classes {
        /// How many classes there are.
        classes: usize,
    },
    /// The likelihood has no form for several classes at once.
    #[error(
        "the likelihood '{likelihood}' is not known for several classes at once; use probit, robust or logistic, or one \
         class against the rest (one-vs-rest)"
    )]
    NotJoint {
        /// Name of its family.
        likelihood: &'static str,
    },
    /// A weight is positive but below one, which the joint probit cannot use.
    #[error(
        "the weight of data row {} is {weight}, but several classes at once take weights of zero or at least one; use one \
         class against the rest (one-vs-rest), or other weights",
        .row + 1
    )]
    FractionalWeight {
        /// The first such row, from 0.
        row: usize,
        /// Its weight.
        weight: f64,
    },
    /// What was kept of a posterior is of another form than the model.
    #[error("the numbers kept of the posterior are not those of such a model; fit it again")]
    Kept,
    /// A view of the inputs was fitted on other columns.
    #[error("the view of the inputs is one of other columns; fit the model again")]
    View,
    /// There is not one group per row.
    #[error("there are {rows} rows of inputs but {groups} groups of rows; give one per row")]
    Groups {
        /// Rows of the inputs.
        rows: usize,
        /// Groups given.
        groups: usize,
    },
    /// There is not one weight per row.
    #[error("there are {rows} rows of inputs but {weights} weights; give one weight per row")]
    Weights {
        /// Rows of the inputs.
        rows: usize,
        /// Weights given.
        weights: usize,
    },
    /// A weight is negative, infinite or not a number.
    #[error("the weight of data row {} is {weight}; weights must be finite and not negative", .row + 1)]
    Weight {
        /// The first such row, from 0.
        row: usize,
        /// Its weight.
        weight: f64,
    },
    /// An encoded input is infinite or not a number.
    #[error("the input '{feature}' of data row {} is {value}; inputs must be finite", .row + 1)]
    Input {
        /// The first such row of the feature, from 0.
        row: usize,
        /// Name of the feature.
        feature: String,
        /// The input.
        value: f64,
    },
    /// The rows to predict have other features, or encoded columns, than the training rows.
    #[error("the test rows have {given} features but the model was trained on {trained}; give the same features")]
    Features {
        /// Features of the rows to predict.
        given: usize,
        /// Features of the training rows.
        trained: usize,
    },
    /// A latent mean or variance came out infinite or as not a number.
    #[error(
        "the prediction for data row {} is not a number: its inputs are too large for floating-point numbers beside those of \
         the training rows; rescale or check them",
        .row + 1
    )]
    Prediction {
        /// The first such row, from 0.
        row: usize,
    },
    /// The derivative of an objective in a hyperparameter is infinite or not a number.
    #[error(
        "the derivative in '{name}' at its value {value:e} is {derivative}: the value or the inputs are too extreme for \
         floating-point numbers; take a less extreme value or rescale the inputs"
    )]
    Gradient {
        /// Name of the hyperparameter.
        name: String,
        /// Its natural value.
        value: f64,
        /// The derivative.
        derivative: f64,
    },
    /// The kernel does not suit the inputs, or has a value outside its domain.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// Rows that are held elsewhere gave no answer.
    #[error("the rows that are held elsewhere gave no answer: {reason}")]
    NoAnswer {
        /// Why, in a sentence or a part of one.
        reason: String,
    },
    /// The evidence of rows elsewhere has no gradient here.
    #[error(
        "some rows are held elsewhere, so that the gradient of the evidence is not known here; infer with all rows"
    )]
    GradientElsewhere,
    /// The rows that score a fit are none, or are not there.
    #[error("the rows that score a fit must be some of the {rows} training rows")]
    Scored {
        /// How many rows there are.
        rows: usize,
    },
    /// There are no inducing rows.
    #[error("there are no inducing rows; give at least one")]
    NoInducing,
    /// Several classes at once have no form by inducing rows.
    #[error(
        "several classes at once are not inferred by way of inducing rows; use one class against the rest (one-vs-rest), or \
         infer exactly"
    )]
    JointSparse,
    /// The jitter of inducing rows is no number that can be added to their variances.
    #[error("the jitter of the inducing rows is {0}; it must be finite and not negative")]
    Jitter(f64),
    /// There is no posterior at these hyperparameters.
    #[error(transparent)]
    Inference(#[from] InferenceError),
}
