//! Gaussian-process classification that is exact about what it approximates.
//!
//! # The model
//!
//! Rows `x_i` carry labels `y_i` in {-1, +1}. A latent function `f` has a Gaussian-process prior, and a likelihood ties
//! its value at each row to the label:
//!
//! ```text
//! f ~ N(0, K),   K_ij = c(x_i, x_j)
//! c(x, x') = v0 exp(-½ Σ_m l_m d_m(x, x')) + v1 + v2 [same row]      (or another kernel)
//! p(y | f) = eps + (1 - 2 eps) Φ(y (f + b) / sigma)                  (or the logistic)
//! ```
//!
//! `d_m` is a squared difference for a continuous feature and 1 - \[equal\] for a discrete one; `l_m` is an *inverse*
//! squared lengthscale, so that a large `l_m` means a relevant feature. `eps` is the probability that a label was
//! flipped; with `eps = 0`, `b = 0`, `sigma = 1` the likelihood is the probit.
//!
//! The posterior over `f` is not Gaussian. Every method here replaces each likelihood term by a Gaussian *site*
//! `exp(-½ tau_i f² + nu_i f)`, which gives
//!
//! ```text
//! Σ = (K⁻¹ + T)⁻¹,  T = diag(tau),   μ = Σ nu,   α = K⁻¹ μ
//! mean(x*) = k*ᵀ α,   variance(x*) = c(x*, x*) - k*ᵀ (K + T⁻¹)⁻¹ k*
//! p(y* = +1) = eps + (1 - 2 eps) Φ((mean + b) / √(sigma² + variance))
//! ```
//!
//! Expectation propagation is the default; Laplace's method, one-pass EP (assumed-density filtering) and
//! least squares on the labels are there too. Taking a row's own site out of the posterior leaves its *cavity*, from
//! which come leave-one-out predictions without refitting, and the probability that the label is wrong. The whole
//! notation, with sources, is in `docs/NOTATION.md` of the repository; comments cite it as `math 3`, and papers by the
//! short names given there, as in `EMEP (14)`.
//!
//! # The way through the modules
//!
//! | module | what it does |
//! |---|---|
//! | [`special`] | log Φ and its relatives, quantiles and tails of distributions |
//! | [`interrupt`] | ending long work from outside |
//! | [`named`] | choices by name: what options, files and messages call the variants of every enum |
//! | [`param`] | hyperparameters, and the table of all that follows from what one is: bounds, priors, starts, meanings |
//! | [`data`] | a table of columns becomes [`Inputs`](data::Inputs), a label column [`Labels`](data::Labels): a class per row |
//! | [`kernel`] | covariances of rows: stationary profiles with one weight per feature, linear, bias, noise, sums, products |
//! | [`likelihood`] | the label given the latent value, with its Gaussian averages and derivatives |
//! | [`prior`] | the latent values before any label: the covariance of the training rows |
//! | [`posterior`] | what [`Sites`](posterior::Sites) make of it: marginals, cavities, predictions; one for all methods |
//! | [`inference`] | from prior and labels to sites, a posterior and a log evidence |
//! | [`exact`] | the truth by simulation, to see how far an approximation is from it |
//! | [`model`] | the parts together: [`Model`](model::Model) → [`FittedModel`](model::FittedModel) |
//! | [`objective`] | what learning maximises, each with a gradient: evidence, leave-one-out criteria |
//! | [`learn`] | the search for hyperparameters, and the choice between models |
//! | [`evaluate`] | scores, calibration, curves, folds |
//! | [`compare`] | tests of differences between methods |
//! | [`explain`] | one feature varied, or two: effect curves with bands, the decision surface |
//! | [`classifier`] | all of it in one type, from a table to predictions, that can be stored |
//!
//! A module uses only what stands above it in this table; a test sees to that. [`linalg`] is the crate below all of them.
//!
//! The library reads no files, prints nothing and keeps no global state; it asks the clock only to say how long a search
//! took. Bad input is a typed error; a search that did not converge is an [`Outcome`](inference::Outcome), never a silent number.
//!
//! # Example
//!
//! Forty rows on a line, the class being the sign of x, one label wrong:
//!
//! ```
//! use gpclass::data::{Class, Inputs, Sign};
//! use gpclass::kernel::{Kernel, Scales};
//! use gpclass::likelihood::Likelihood;
//! use gpclass::linalg::Mat;
//! use gpclass::model::{Model, TrainingData};
//! use std::sync::Arc;
//!
//! let at = |i: usize| (i as f64 - 19.5) / 6.0;
//! let inputs = Inputs::continuous(Mat::from_fn(40, 1, |i, _| at(i)));
//! let mut labels: Vec<Sign> =
//!     (0..40).map(|i| if at(i) > 0.0 { Sign::Positive } else { Sign::Negative }).collect();
//! labels[33] = labels[33].flipped();
//! let data = Arc::new(TrainingData::new(inputs, labels)?);
//!
//! // The hyperparameters are given here: v0 = 4, l = 0.5, one label in twenty wrong.
//! let kernel = Kernel::squared_exponential(4.0, Scales::Single(0.5));
//! let fit = Model::new(kernel, Likelihood::robust(0.05)?).infer(&data, None)?;
//! assert!(fit.report().outcome.converged());
//!
//! // Probabilities: certain (up to eps) on either side, undecided between, and again far away from all data.
//! let test = Inputs::continuous(Mat::from_fn(4, 1, |i, _| [-2.0, 0.0, 2.0, 30.0][i]));
//! let predicted = fit.predict(&test)?;
//! let p = predicted.probability.of_class(Class::POSITIVE);
//! assert!(p[0] < 0.1 && (p[1] - 0.5).abs() < 0.1 && p[2] > 0.85 && (p[3] - 0.5).abs() < 1e-6);
//!
//! // Leave-one-out: the wrong label is the one that the other rows predict worst ...
//! let of_label = fit.leave_one_out_log_probability();
//! let worst = (0..40).min_by(|&i, &j| of_label[i].total_cmp(&of_label[j]));
//! assert_eq!(worst, Some(33));
//!
//! // ... and the one that is most probably an error.
//! let wrong = fit.label_error();
//! assert!(wrong[33] > 0.5);
//! assert!((0..40).all(|i| i == 33 || wrong[i] < 0.1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod classifier;
pub mod compare;
pub mod data;
pub mod evaluate;
pub mod exact;
pub mod explain;
pub mod inference;
pub mod interrupt;
pub mod kernel;
pub mod learn;
pub mod likelihood;
pub mod model;
pub mod named;
pub mod objective;
pub mod param;
pub mod posterior;
pub mod prior;
pub mod special;
mod text;

pub use gpclass_linalg as linalg;
