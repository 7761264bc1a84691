//! How the classes of a fit are modelled: together, or each against the rest.

use super::cost::candidates;
use super::search::Search;
use super::{Candidate, Combine, Control, Cost, FitNote, FitOptions, LearnError, Size, compared_likelihoods};
use crate::likelihood::{LikelihoodFamily, Link};
use crate::model::{ModelError, Multiclass, TrainingData};
use crate::named::named;
use crate::objective::{Objective, ObjectiveError};

/// Most work that several classes are fitted together for unless that is asked for, in floating-point operations: some ten
/// minutes of a small machine.
const MOST_WORK: f64 = 1e13;
/// The same for a stack: some seconds. Beyond, each class against the rest takes a fifth of the time and loses nothing by corrected
/// leave-one-out of the default: over ten sets of 150 to 250 rows and 3 to 11 classes the mean NLP is .398 together and .391 against the
/// rest, which is better on eight of them (glass by .042) and worse on two, iris by .006 and car by .010.
const MOST_STACKED_WORK: f64 = 5e10;

/// Whether the functions of several classes share their hyperparameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClassKernels {
    /// One kernel for all classes.
    #[default]
    Shared,
    /// Every class has hyperparameters of its own: more evidence, but it over-fits where classes have few rows.
    Own,
}

named!(ClassKernels, "class_kernels", {
    Shared = "shared": "One kernel for all classes";
    Own = "own": "Hyperparameters of its own for every class; over-fits where classes have few rows";
});

/// Why classes are modelled each against the rest where nobody asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotTogether {
    /// The likelihood has no form for several classes, or the method does not know it.
    Likelihood,
    /// The objective is a leave-one-out criterion.
    Objective,
    /// Some rows have weights below one.
    Weights,
    /// It would take too long.
    Time,
    /// It would take too much memory.
    Memory,
    /// There are so many rows that some stand for all.
    ManyRows,
}

impl std::fmt::Display for NotTogether {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NotTogether::Likelihood => "this likelihood with this inference is not known for several classes at once",
            NotTogether::Objective => "a leave-one-out objective has no gradient for several classes at once",
            NotTogether::Weights => "several classes at once take weights of zero or at least one",
            NotTogether::Time => {
                "several classes at once would take several times as long for this many rows and classes"
            }
            NotTogether::Memory => "several classes at once would take more memory than there is",
            NotTogether::ManyRows => "several classes at once are not inferred by way of rows that stand for all",
        })
    }
}

/// The models of a fit, as far as they decide how its classes are modelled.
pub(super) struct Rivals {
    likelihoods: Vec<LikelihoodFamily>,
    count: usize,
}

impl Rivals {
    /// Those that the options leave open.
    pub fn open(options: &FitOptions, data: &TrainingData) -> Self {
        let likelihoods = match &options.likelihood {
            Some(given) => vec![*given],
            None => compared_likelihoods(&options.method).to_vec(),
        };
        Rivals { likelihoods, count: candidates(&Size::of(data), options) }
    }

    /// These.
    pub fn given(candidates: &[Candidate]) -> Self {
        let likelihoods = candidates.iter().map(|candidate| candidate.model.likelihood.family()).collect();
        Rivals { likelihoods, count: candidates.len() }
    }
}

/// How the classes of `data` are modelled, with a note where that is not what was to be expected. Two classes have one
/// function whatever is asked for.
pub(super) fn settle(
    data: &TrainingData,
    rivals: &Rivals,
    options: &FitOptions,
    control: &Control,
) -> Result<(Multiclass, Option<FitNote>), LearnError> {
    let size = Size::of(data);
    if size.classes == 2 {
        return Ok((Multiclass::Auto, None));
    }
    if options.search != Search::Direct {
        return Err(LearnError::TwoClasses { search: options.search.name(), classes: size.classes });
    }
    let hindrance = hindrance(data, rivals, options);
    match (options.multiclass, hindrance) {
        (asked @ (Multiclass::OneVsRest | Multiclass::ExactlyOne), _) => Ok((asked, None)),
        (Multiclass::Joint, None) => Ok((Multiclass::Joint, None)),
        (Multiclass::Joint, Some(hindrance)) => Err(refused(data, rivals, options, hindrance)),
        (Multiclass::Auto, hindrance) => {
            let too_much = || affordable(&size, rivals.count, options, control.memory).err();
            Ok(match hindrance.or_else(too_much) {
                // Candidates take it for together, unless they are better off otherwise.
                None => (Multiclass::Auto, None),
                Some(reason) => (Multiclass::ExactlyOne, Some(FitNote::OneVsRest(reason))),
            })
        }
    }
}

/// Whether fitting this many candidates to all classes together is within the limits of time and memory.
pub(super) fn affordable(
    size: &Size,
    candidates: usize,
    options: &FitOptions,
    memory: Option<f64>,
) -> Result<(), NotTogether> {
    let joint = FitOptions { multiclass: Multiclass::Joint, ..options.clone() };
    let together = Cost::of_candidates(size, candidates, &joint, None);
    if memory.is_some_and(|limit| together.bytes > limit) {
        return Err(NotTogether::Memory);
    }
    let stacked = options.combined() == Combine::Stack && candidates > 1;
    let most = if stacked { MOST_STACKED_WORK } else { MOST_WORK };
    if together.cholesky * (size.rows as f64).powi(3) / 3.0 > most { Err(NotTogether::Time) } else { Ok(()) }
}

/// What keeps the classes from being inferred together.
fn hindrance(data: &TrainingData, rivals: &Rivals, options: &FitOptions) -> Option<NotTogether> {
    if unknown(data, rivals, options).is_some() {
        return Some(NotTogether::Likelihood);
    }
    if options.objective != Objective::Evidence {
        return Some(NotTogether::Objective);
    }
    let probit = |family: &LikelihoodFamily| matches!(link(*family, data), Some(Link::Probit { .. }));
    let fractional = |weights: &[f64]| weights.iter().any(|w| *w > 0.0 && *w < 1.0);
    let weights = data.weights().filter(|weights| fractional(weights));
    weights.filter(|_| rivals.likelihoods.iter().any(probit)).map(|_| NotTogether::Weights)
}

fn link(family: LikelihoodFamily, data: &TrainingData) -> Option<Link> {
    family.likelihood().ok()?.link(data.targets().count())
}

/// The first likelihood that has no form for several classes, or none that the method knows.
fn unknown(data: &TrainingData, rivals: &Rivals, options: &FitOptions) -> Option<LikelihoodFamily> {
    let known = |family: LikelihoodFamily| link(family, data).is_some_and(|link| options.method.is_joint_under(link));
    rivals.likelihoods.iter().copied().find(|&family| !known(family))
}

/// The sentence for somebody who insists.
fn refused(data: &TrainingData, rivals: &Rivals, options: &FitOptions, hindrance: NotTogether) -> LearnError {
    let fractional = || data.weights().and_then(|weights| weights.iter().position(|w| *w > 0.0 && *w < 1.0));
    match (hindrance, fractional()) {
        (NotTogether::Objective, _) => ObjectiveError::Jointly.into(),
        (NotTogether::Weights, Some(row)) => {
            ModelError::FractionalWeight { row, weight: data.weights().map_or(1.0, |w| w[row]) }.into()
        }
        _ => {
            let likelihood = unknown(data, rivals, options).unwrap_or(LikelihoodFamily::Probit).name();
            LearnError::NotTogether { likelihood, method: options.method.name() }
        }
    }
}
