//! Models of rows of which some are held elsewhere, in shards: the posterior of all, for the rows that are here.

use super::found::{By, Form, Found};
use super::sparse::check_inducing;
use super::{FittedModel, Model, ModelError, Multiclass, Refinement, TrainingData};
use crate::inference::{Ended, InferenceError, Inferred, Method, Observations, Outcome, Reason, Rounds, ShardAnswer};
use crate::interrupt::Interrupt;
use crate::prior::{Inducing, Prior, SiteSums};
use std::sync::Arc;

/// Rows that are held in shards somewhere else. All that is ever asked of a shard is [`Model::shard_step`].
pub trait Shards {
    /// How many rows every shard has.
    fn rows(&self) -> Vec<usize>;

    /// The answers of all shards, in their order, to what all of them and the rows that are here say together, and to what each
    /// of them said last; about the function of a class.
    fn answers(&self, class: usize, all: &SiteSums, own: &[SiteSums]) -> Result<Vec<ShardAnswer>, ModelError>;
}

impl Model {
    /// One step of a shard: EP on its rows in the light of all others. It depends on nothing but the arguments, so that a
    /// step that is lost can be made again, anywhere, to the same bits.
    pub fn shard_step(
        &self,
        data: &TrainingData,
        class: usize,
        inducing: &Inducing,
        all: &SiteSums,
        own: &SiteSums,
    ) -> Result<ShardAnswer, ModelError> {
        check_inducing(inducing, data.inputs())?;
        let m = inducing.rows.rows();
        if all.inducing() != m || own.inducing() != m {
            return Err(ModelError::NoAnswer { reason: "its sums are of other inducing rows".to_owned() });
        }
        let interrupt = Interrupt::default();
        let prior = self.prior_of_class(data, class, By::Inducing(inducing), interrupt)?;
        let observations = self.of_class(data, class);
        Ok(self.method.answer(&prior, &observations, all, own, interrupt)?)
    }

    fn of_class<'a>(&'a self, data: &'a TrainingData, class: usize) -> Observations<'a> {
        if data.targets().count() == 2 {
            data.observations(&self.likelihood)
        } else {
            data.against_rest(class, &self.likelihood)
        }
    }

    /// As [`infer_sparse`](Self::infer_sparse), where further rows are held in shards: the posterior and the evidence are those of
    /// all rows, in whatever order the shards answer; predictions are refined by the rows that are here. Several classes stand
    /// each against the rest.
    pub fn infer_beside(
        &self,
        data: &Arc<TrainingData>,
        inducing: &Inducing,
        refinement: Option<Refinement>,
        shards: &dyn Shards,
        interrupt: Interrupt<'_>,
    ) -> Result<FittedModel, ModelError> {
        let model = match self.form(data)? {
            Form::Joint if self.multiclass == Multiclass::Joint => return Err(ModelError::JointSparse),
            Form::Joint => Model { multiclass: Multiclass::OneVsRest, ..self.clone() },
            Form::Binary | Form::OneVsRest => self.clone(),
        };
        check_inducing(inducing, data.inputs())?;
        let of_class = |class: usize| {
            let prior = model.prior_of_class(data, class, By::Inducing(inducing), interrupt)?;
            Gathering { model: &model, data, class, prior, shards, interrupt }.gather()
        };
        let found = match model.form(data)? {
            Form::Binary | Form::Joint => Found::Binary(of_class(0)?),
            Form::OneVsRest => Found::one_vs_rest((0..data.targets().count()).map(of_class).collect::<Result<_, _>>()?),
        };
        Ok(FittedModel { refinement, ..model.fitted(data, found) })
    }
}

impl FittedModel {
    /// Whether rows that are held elsewhere took part in the posterior.
    pub fn is_beside_others(&self) -> bool {
        self.prior(0).as_sparse().is_some_and(|sparse| sparse.others().is_some())
    }
}

/// A function of rows that are here, and of those in shards.
struct Gathering<'a> {
    model: &'a Model,
    data: &'a TrainingData,
    class: usize,
    prior: Prior,
    shards: &'a dyn Shards,
    interrupt: Interrupt<'a>,
}

impl Gathering<'_> {
    /// The posterior of the rows that are here, given those in shards.
    fn gather(&self) -> Result<Inferred, ModelError> {
        let Gathering { model, prior, class, .. } = self;
        let Method::Ep(options) = &model.method else {
            // It says so itself.
            return Ok(model.method.infer(prior.clone(), &self.observations(), None, self.interrupt)?);
        };
        let first = self.answer(&self.nothing(), &self.nothing())?;
        let here = self.data.rows() as f64;
        let share = |rows: usize| first.sums.scaled(rows as f64 / here);
        // The rows that are here come first. Shards are like them until they have said what they are.
        let start = std::iter::once(first.sums.clone()).chain(self.shards.rows().into_iter().map(share)).collect();
        let mut rounds = Rounds::new(start, first.sums.inducing(), options);
        loop {
            let (all, own) = rounds.question();
            self.interrupt.check().map_err(|_| InferenceError::Interrupted)?;
            let remote = self.shards.answers(*class, all, &own[1..])?;
            if remote.len() + 1 != own.len() || remote.iter().any(|one| one.sums.inducing() != all.inducing()) {
                return Err(ModelError::NoAnswer { reason: "an answer is missing".to_owned() });
            }
            let mut answers = vec![self.answer(all, &own[0])?];
            answers.extend(remote);
            if let Some(ended) = rounds.take(&answers) {
                let (all, own) = rounds.question();
                return self.finish(&all.without(&own[0]), &answers[1..], ended);
            }
        }
    }

    fn finish(&self, others: &SiteSums, answers: &[ShardAnswer], ended: Ended) -> Result<Inferred, ModelError> {
        let given = self.prior.beside(others).map_err(InferenceError::from)?;
        let log_mass = others.coordinates().map_or(0.0, |coordinates| coordinates.log_mass);
        let mut found = self.model.method.infer(given, &self.observations(), None, self.interrupt)?;
        found.log_z += log_mass + answers.iter().map(|answer| answer.log_scale).sum::<f64>();
        found.report.sweeps += ended.rounds;
        found.report.residual = found.report.residual.max(ended.residual);
        if !ended.settled && found.report.outcome.converged() {
            found.report.outcome = Outcome::NotConverged(Reason::NoProgress);
        }
        Ok(found)
    }

    fn answer(&self, all: &SiteSums, own: &SiteSums) -> Result<ShardAnswer, ModelError> {
        Ok(self.model.method.answer(&self.prior, &self.observations(), all, own, self.interrupt)?)
    }

    fn observations(&self) -> Observations<'_> {
        self.model.of_class(self.data, self.class)
    }

    fn nothing(&self) -> SiteSums {
        SiteSums::none(self.prior.as_sparse().map_or(0, |sparse| sparse.inducing().rows.rows()))
    }
}
