//! The posterior of a model in the form that its classes ask for.

use super::{Model, ModelError, TrainingData};
use crate::inference::joint::{JointInferred, JointKept, JointStart};
use crate::inference::{InferenceError, Inferred, Kept, KeptSparse, Refinement, Report};
use crate::interrupt::Interrupt;
use crate::likelihood::{Gaussian, Link};
use crate::posterior::{FunctionPriors, Sites};
use crate::prior::{Inducing, Prior, SiteSums};
use gpclass_linalg::map_tasks;

/// How many functions a model has and what they see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One function for two classes.
    Binary,
    /// One for every class, coupled.
    Joint,
    /// One for every class against the rest.
    OneVsRest,
}

/// How the covariance of a function's values is had.
#[derive(Clone, Copy)]
pub(super) enum By<'a> {
    /// Of all pairs of rows.
    AllPairs,
    /// By rows that stand for all, for a search.
    Inducing(&'a Inducing),
    /// By those of a posterior that was kept.
    Kept(&'a KeptSparse),
}

/// A posterior.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Binary(Inferred),
    /// Of all classes' functions, under a link.
    Joint(JointInferred, Link),
    /// Of every class against the rest, in the order of the classes, and the worst of their reports.
    OneVsRest(Vec<Inferred>, Report),
}

/// What a search for the posterior of a similar model starts from.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// The sites of the one function of two classes.
    Binary(Sites),
    /// Of all classes' functions together.
    Joint(JointStart),
    /// The sites of every class against the rest.
    OneVsRest(Vec<Sites>),
}

/// What is kept of a posterior in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum KeptForm {
    /// Of the one function of two classes.
    Binary(Kept),
    /// Of all classes' functions together.
    Joint(JointKept),
    /// Of every class against the rest.
    OneVsRest(Vec<Kept>),
}

impl KeptForm {
    /// The inducing rows, which all functions share, where there are any.
    pub fn sparse(&self) -> Option<&KeptSparse> {
        match self {
            KeptForm::Binary(kept) => kept.sparse.as_ref(),
            KeptForm::OneVsRest(each) => each.first()?.sparse.as_ref(),
            KeptForm::Joint(_) => None,
        }
    }

    /// The sums of rows elsewhere for every function, where there are any.
    pub fn others(&self) -> Option<Vec<&SiteSums>> {
        match self {
            KeptForm::Binary(kept) => Some(vec![kept.others.as_ref()?]),
            KeptForm::OneVsRest(each) => each.iter().map(|kept| kept.others.as_ref()).collect(),
            KeptForm::Joint(_) => None,
        }
    }

    /// The refined latent values of every function, where there are any.
    pub fn left_out(&self) -> Option<Vec<Vec<Gaussian>>> {
        match self {
            KeptForm::Binary(kept) => Some(vec![kept.left_out.clone()?]),
            KeptForm::OneVsRest(each) => each.iter().map(|kept| kept.left_out.clone()).collect(),
            KeptForm::Joint(_) => None,
        }
    }
}

impl From<Sites> for Start {
    fn from(sites: Sites) -> Self {
        Start::Binary(sites)
    }
}

impl Found {
    /// Searches for the posterior; a start of another form is not used.
    pub fn search(
        model: &Model,
        data: &TrainingData,
        by: By<'_>,
        start: Option<&Start>,
        interrupt: Interrupt<'_>,
    ) -> Result<Found, ModelError> {
        match model.form(data)? {
            Form::Binary => {
                let start = if let Some(Start::Binary(sites)) = start { Some(sites) } else { None };
                let prior = model.prior_of_class(data, 0, by, interrupt)?;
                let found = model.method.infer(prior, &data.observations(&model.likelihood), start, interrupt)?;
                Ok(Found::Binary(found))
            }
            Form::Joint => {
                let start = if let Some(Start::Joint(start)) = start { Some(start) } else { None };
                let priors = function_priors(model, data, |_| By::AllPairs, interrupt)?;
                let observations = data.class_observations(model)?;
                let found = model.method.infer_jointly(priors, &observations, start, interrupt)?;
                Ok(Found::Joint(found, observations.link))
            }
            Form::OneVsRest => {
                let count = data.targets().count();
                let start = match start {
                    Some(Start::OneVsRest(sites)) if sites.len() == count => Some(sites),
                    _ => None,
                };
                let priors = function_priors(model, data, |_| by, interrupt)?;
                let each = map_tasks(count, |c| {
                    let observations = data.against_rest(c, &model.likelihood);
                    let start = start.map(|sites| &sites[c]);
                    model.method.infer(priors.of(c).clone(), &observations, start, interrupt)
                });
                Ok(Found::one_vs_rest(each.into_iter().collect::<Result<_, _>>()?))
            }
        }
    }

    /// The posterior that was kept, exactly as it was.
    pub fn restore(model: &Model, data: &TrainingData, kept: KeptForm) -> Result<Found, ModelError> {
        let interrupt = Interrupt::default();
        match (model.form(data)?, kept) {
            (Form::Binary, KeptForm::Binary(kept)) => {
                let prior = model.prior_of_class(data, 0, By::kept(&kept), interrupt)?;
                Ok(Found::Binary(Inferred::restore(prior, &data.observations(&model.likelihood), kept)?))
            }
            (Form::Joint, KeptForm::Joint(kept)) => {
                let priors = function_priors(model, data, |_| By::AllPairs, interrupt)?;
                let observations = data.class_observations(model)?;
                Ok(Found::Joint(JointInferred::restore(priors, &observations, kept)?, observations.link))
            }
            (Form::OneVsRest, KeptForm::OneVsRest(kept)) if kept.len() == data.targets().count() => {
                let priors = function_priors(model, data, |class| By::kept(&kept[class]), interrupt)?;
                let one = |(c, kept): (usize, Kept)| {
                    let observations = data.against_rest(c, &model.likelihood);
                    Inferred::restore(priors.of(c).clone(), &observations, kept)
                };
                let each = kept.into_iter().enumerate().map(one).collect::<Result<_, InferenceError>>()?;
                Ok(Found::one_vs_rest(each))
            }
            _ => Err(ModelError::Kept),
        }
    }

    pub fn one_vs_rest(each: Vec<Inferred>) -> Found {
        let report = Report::worst(each.iter().map(|inferred| &inferred.report));
        Found::OneVsRest(each, report)
    }

    pub fn report(&self) -> &Report {
        match self {
            Found::Binary(inferred) => &inferred.report,
            Found::Joint(joint, _) => &joint.report,
            Found::OneVsRest(_, report) => report,
        }
    }

    /// The log evidence; of classes against the rest the sum of theirs, which is no evidence of one model but serves the same
    /// end.
    pub fn log_evidence(&self) -> f64 {
        match self {
            Found::Binary(inferred) => inferred.log_z,
            Found::Joint(joint, _) => joint.log_z,
            Found::OneVsRest(each, _) => each.iter().map(|inferred| inferred.log_z).sum(),
        }
    }

    pub fn start(&self) -> Start {
        let sites = |inferred: &Inferred| inferred.posterior.sites().clone();
        match self {
            Found::Binary(inferred) => Start::Binary(sites(inferred)),
            Found::Joint(joint, _) => Start::Joint(joint.start.clone()),
            Found::OneVsRest(each, _) => Start::OneVsRest(each.iter().map(sites).collect()),
        }
    }

    /// `left_out` are the refined latent values of every function.
    pub fn keep(&self, refinement: Option<Refinement>, left_out: Option<&[Vec<Gaussian>]>) -> KeptForm {
        let of = |c: usize| left_out.map(|each| &*each[c]);
        match self {
            Found::Binary(inferred) => KeptForm::Binary(inferred.keep(refinement, of(0))),
            Found::Joint(joint, _) => KeptForm::Joint(joint.keep()),
            Found::OneVsRest(each, _) => {
                KeptForm::OneVsRest(each.iter().enumerate().map(|(c, one)| one.keep(refinement, of(c))).collect())
            }
        }
    }

    /// The prior of a class's function, jitter included.
    pub fn prior(&self, class: usize) -> Prior {
        match self {
            Found::Binary(inferred) => inferred.posterior.prior(),
            Found::Joint(joint, _) => joint.factor.prior().of(class).clone(),
            Found::OneVsRest(each, _) => each[class].posterior.prior(),
        }
    }
}

impl<'a> By<'a> {
    fn kept(kept: &'a Kept) -> Self {
        kept.sparse.as_ref().map_or(By::AllPairs, By::Kept)
    }
}

/// The priors of all functions; `by` says how that of each is had, the first of all if they share it.
fn function_priors<'a>(
    model: &Model,
    data: &TrainingData,
    by: impl Fn(usize) -> By<'a>,
    interrupt: Interrupt<'_>,
) -> Result<FunctionPriors, ModelError> {
    let count = data.targets().count();
    Ok(match model.kernel.own_classes() {
        None => FunctionPriors::shared(model.prior_of_class(data, 0, by(0), interrupt)?, count),
        Some(_) => {
            let own = (0..count).map(|class| model.prior_of_class(data, class, by(class), interrupt));
            FunctionPriors::own(own.collect::<Result<_, _>>()?)
        }
    })
}
