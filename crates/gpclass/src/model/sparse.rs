//! Models of many rows: a posterior by inducing rows, and its refinement around each row that is asked for.

use super::found::{By, Form, Found};
use super::training::check_finite;
use super::{FittedModel, KeptForm, Model, ModelError, Multiclass, Predictions, Start, TrainingData};
use crate::data::Inputs;
use crate::inference::{
    Global, InferenceError, Inferred, Kept, Observations, Queries, Refined, Refinement, locally_left_out,
};
use crate::interrupt::{Interrupt, Interrupted};
use crate::kernel::Neighbourhood;
use crate::likelihood::Gaussian;
use crate::prior::Inducing;
use std::sync::Arc;

/// Rows that are refined before it is told how far they are.
const REFINED_AT_ONCE: usize = 1000;
/// The least probability of a wrong label by the inducing rows alone at which it is looked at more closely.
const SUSPECT: f64 = 0.05;

impl Model {
    /// The posterior by way of inducing rows, which stand for all (scale 3): the work grows with the number of training rows
    /// and not with its cube. Several classes stand each against the rest. `refinement` says how predictions of new rows put back what
    /// the inducing rows leave out.
    pub fn infer_sparse(
        &self,
        data: &Arc<TrainingData>,
        inducing: &Inducing,
        refinement: Option<Refinement>,
        start: Option<&Start>,
        interrupt: Interrupt<'_>,
    ) -> Result<FittedModel, ModelError> {
        let model = match self.form(data)? {
            Form::Joint if self.multiclass == Multiclass::Joint => return Err(ModelError::JointSparse),
            Form::Joint => Model { multiclass: Multiclass::OneVsRest, ..self.clone() },
            Form::Binary | Form::OneVsRest => self.clone(),
        };
        check_inducing(inducing, data.inputs())?;
        let found = Found::search(&model, data, By::Inducing(inducing), start, interrupt)?;
        Ok(FittedModel { refinement, ..model.fitted(data, found) })
    }

    /// The same inferred from some of the rows. The others have no sites: the posterior says about them what it says about new
    /// rows, and around a query they count like all.
    pub fn infer_sparse_from(
        &self,
        rows: &[usize],
        data: &Arc<TrainingData>,
        inducing: &Inducing,
        refinement: Option<Refinement>,
        interrupt: Interrupt<'_>,
    ) -> Result<FittedModel, ModelError> {
        let part = Arc::new(data.with_rows(rows).with_view(data.view().clone())?);
        let fitted = self.infer_sparse(&part, inducing, refinement, None, interrupt)?;
        let of_all = |(class, inferred): (usize, &Inferred)| {
            let kernel = self.kernel.of_class(class);
            inferred.keep_among(kernel, data.inputs(), rows, refinement, interrupt)
        };
        let kept = fitted.each().iter().enumerate().map(of_all).collect::<Result<Option<Vec<Kept>>, Interrupted>>();
        let mut kept = kept.map_err(|_| InferenceError::Interrupted)?.ok_or(ModelError::Kept)?;
        let kept = match (&fitted.found, kept.pop()) {
            (Found::Binary(_), Some(only)) => KeptForm::Binary(only),
            (_, last) => KeptForm::OneVsRest(kept.into_iter().chain(last).collect()),
        };
        fitted.model.restore(data, kept)
    }
}

impl Model {
    /// Some training rows as the rows nearest to each, and nothing else, predict them: what hyperparameters are worth before
    /// there is a posterior of all rows. Several classes stand each against the rest.
    pub fn locally_left_out(
        &self,
        data: &TrainingData,
        rows: &[usize],
        neighbours: usize,
        interrupt: Interrupt<'_>,
    ) -> Result<Predictions, ModelError> {
        let (likelihood, classes) = (&self.likelihood, data.targets().count());
        let latents = |observations: Observations<'_>, class: usize| {
            let (kernel, method) = (self.kernel.of_class(class), &self.method);
            locally_left_out(kernel, data.inputs(), &observations, method, rows, neighbours, interrupt)
                .map(|refined| refined.latents)
                .map_err(|_| ModelError::from(InferenceError::Interrupted))
        };
        if classes == 2 {
            let latents = latents(data.observations(likelihood), 0)?;
            return Ok(Predictions::binary(&latents, |latent| likelihood.class_probabilities(latent)));
        }
        let each = (0..classes).map(|class| latents(data.against_rest(class, likelihood), class));
        let each = each.collect::<Result<Vec<Vec<Gaussian>>, _>>()?;
        let claim = |row: usize, class: usize| self.multiclass.log_claim(likelihood, each[class][row]);
        Ok(Predictions::one_vs_rest(rows.len(), classes, claim, |row, class| each[class][row]))
    }
}

pub(super) fn check_inducing(inducing: &Inducing, inputs: &Inputs) -> Result<(), ModelError> {
    let (given, trained) = (inducing.rows.features().len(), inputs.features().len());
    if given != trained || inducing.rows.values().cols() != inputs.values().cols() {
        return Err(ModelError::Features { given, trained });
    }
    if inducing.rows.rows() == 0 {
        return Err(ModelError::NoInducing);
    }
    if !(inducing.jitter.is_finite() && inducing.jitter >= 0.0) {
        return Err(ModelError::Jitter(inducing.jitter));
    }
    check_finite(&inducing.rows)
}

impl FittedModel {
    /// The rows that stand for all, with the jitter that was needed; none where the covariance is exact.
    pub fn inducing(&self) -> Option<&Inducing> {
        let first = match &self.found {
            Found::Binary(inferred) => inferred,
            Found::OneVsRest(each, _) => each.first()?,
            Found::Joint(..) => return None,
        };
        first.posterior.factor().inducing()
    }

    /// How predictions are refined, if they are.
    pub fn refinement(&self) -> Option<Refinement> {
        self.refinement.filter(|_| self.inducing().is_some())
    }

    /// The same posterior with predictions refined in another way, or not at all.
    #[must_use]
    pub fn with_refinement(&self, refinement: Option<Refinement>) -> FittedModel {
        FittedModel { refinement, left_out: None, ..self.clone() }
    }

    /// The posteriors of all functions by inducing rows; none of those that are inferred together.
    fn each(&self) -> &[Inferred] {
        match &self.found {
            Found::Binary(inferred) => std::slice::from_ref(inferred),
            Found::OneVsRest(each, _) => each,
            Found::Joint(..) => &[],
        }
    }

    /// The same posterior with every training row refined as it is left out, and how many of the local searches for that did not
    /// settle; without a refinement it is as it was. Where some rows score the fit, these are refined, and those whose labels look
    /// wrong before; the others are as the inducing rows alone predict them. `told` is told how many of how many rows are done.
    pub fn with_refined_left_out(
        self,
        told: &(dyn Fn(usize, usize) + Sync),
        interrupt: Interrupt<'_>,
    ) -> Result<(FittedModel, usize), ModelError> {
        let Some(Refinement { neighbours }) = self.refinement() else { return Ok((self, 0)) };
        let each = self.each();
        if each.is_empty() {
            return Ok((self, 0));
        }
        let rows = match self.data.scored_rows() {
            Some(scored) => self.with_suspects(scored),
            None => (0..self.data.rows()).collect(),
        };
        let of_class = |(class, inferred): (usize, &Inferred)| {
            let mut all = Refined { latents: inferred.cavities.clone(), unsettled: 0 };
            for (k, part) in rows.chunks(REFINED_AT_ONCE).enumerate() {
                let queries = Queries::LeftOut(part);
                let some = self.with_global(inferred, class, |global| global.refine(queries, neighbours, interrupt))?;
                part.iter().zip(&some.latents).for_each(|(&row, latent)| all.latents[row] = *latent);
                all.unsettled += some.unsettled;
                told(k * REFINED_AT_ONCE + part.len(), rows.len());
            }
            Ok(all)
        };
        let refined = each.iter().enumerate().map(of_class).collect::<Result<Vec<Refined>, ModelError>>()?;
        let unsettled = refined.iter().map(|refined| refined.unsettled).sum();
        let left_out = refined.into_iter().map(|refined| refined.latents).collect();
        Ok((FittedModel { left_out: Some(left_out), ..self }, unsettled))
    }

    /// Some rows, and those whose labels look wrong to the inducing rows alone: as many at most, the most suspect.
    fn with_suspects(&self, rows: &[usize]) -> Vec<usize> {
        let wrong = if self.model.likelihood.eps() > 0.0 { self.label_error() } else { Vec::new() };
        let mut suspects: Vec<usize> = (0..wrong.len()).filter(|&row| wrong[row] >= SUSPECT).collect();
        suspects.sort_by(|&a, &b| wrong[b].total_cmp(&wrong[a]).then(a.cmp(&b)));
        suspects.truncate(rows.len());
        suspects.extend(rows);
        suspects.sort_unstable();
        suspects.dedup();
        suspects
    }

    /// Where the rows nearest to others in the eyes of a class's kernel are looked for.
    fn neighbourhood(&self, class: usize) -> &Neighbourhood {
        let kernel = &self.model.kernel;
        let different = kernel.own_classes().unwrap_or(1);
        let all = self.near.get_or_init(|| {
            (0..different).map(|class| Neighbourhood::new(kernel.of_class(class), self.data.inputs())).collect()
        });
        &all[class.min(different - 1)]
    }

    /// What the posterior of a function gives together with the rows around some place.
    fn with_global<R>(
        &self,
        inferred: &Inferred,
        class: usize,
        refine: impl FnOnce(Global<'_>) -> Result<R, Interrupted>,
    ) -> Result<R, ModelError> {
        let observations = match &self.found {
            Found::OneVsRest(..) => self.data.against_rest(class, &self.model.likelihood),
            Found::Binary(_) | Found::Joint(..) => self.observations(),
        };
        let global = Global {
            kernel: self.model.kernel.of_class(class),
            inputs: self.data.inputs(),
            near: self.neighbourhood(class),
            observations: &observations,
            inferred,
            method: &self.model.method,
        };
        refine(global).map_err(|_| InferenceError::Interrupted.into())
    }

    /// The latent values of a function by refinement; none where there is no refinement.
    pub(super) fn refined(
        &self,
        inferred: &Inferred,
        class: usize,
        queries: Queries<'_>,
        interrupt: Interrupt<'_>,
    ) -> Option<Result<Refined, ModelError>> {
        let Refinement { neighbours } = self.refinement()?;
        Some(self.with_global(inferred, class, |global| global.refine(queries, neighbours, interrupt)))
    }

    /// Training rows as predicted without their own labels, by refinement where there is one: a search for each row, where
    /// [`leave_one_out`](Self::leave_one_out) has all of them at no cost from the inducing rows alone. Also how many searches did not
    /// settle.
    pub fn refined_leave_one_out(
        &self,
        rows: &[usize],
        interrupt: Interrupt<'_>,
    ) -> Result<(Predictions, usize), ModelError> {
        let left_out = |inferred: &Inferred, class: usize| match self.refined(
            inferred,
            class,
            Queries::LeftOut(rows),
            interrupt,
        ) {
            Some(refined) => refined,
            None => Ok(Refined { latents: rows.iter().map(|&row| inferred.cavities[row]).collect(), unsettled: 0 }),
        };
        match &self.found {
            Found::Binary(inferred) => {
                let refined = left_out(inferred, 0)?;
                Ok((self.predictions(inferred, &refined.latents), refined.unsettled))
            }
            Found::OneVsRest(each, _) => {
                let all: Vec<Refined> = each
                    .iter()
                    .enumerate()
                    .map(|(class, inferred)| left_out(inferred, class))
                    .collect::<Result<_, _>>()?;
                let predicted = self.rest_predictions(each, |c, row| all[c].latents[row], rows.len());
                Ok((predicted, all.iter().map(|refined| refined.unsettled).sum()))
            }
            Found::Joint(..) => {
                let all = self.leave_one_out();
                Ok((all.select_rows(rows), 0))
            }
        }
    }

    /// For some training rows the probability that the label is wrong, by refinement where there is one (math 8).
    pub fn refined_label_error(&self, rows: &[usize], interrupt: Interrupt<'_>) -> Result<Vec<f64>, ModelError> {
        let (left_out, _) = self.refined_leave_one_out(rows, interrupt)?;
        let global = self.label_error();
        let wrong = |(at, &row): (usize, &usize)| {
            let label = self.data.labels()[row];
            match &self.found {
                Found::Binary(inferred) => {
                    let y = self.data.signs()[row];
                    self.model.likelihood.flip_probability(y, inferred.observed(left_out.latent(at, 0)))
                }
                Found::OneVsRest(each, _) => self.wrong_against_rest(each, label, |c| left_out.latent(at, c)),
                Found::Joint(..) => global[row],
            }
        };
        Ok(rows.iter().enumerate().map(wrong).collect())
    }
}
