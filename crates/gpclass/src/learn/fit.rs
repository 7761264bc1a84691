//! The whole of learning: candidates, a search for each, and what becomes of them.

use super::choose::{Candidate, Contender, Scoring, Stages, Trial};
use super::classes::{self, ClassKernels, Rivals};
use super::combine::{Combine, Stack, families, weigh};
use super::many::{Many, Purpose, drawn};
use super::note::{FitNote, notes};
use super::{Approach, Control, FitOptions, LearnError, Lengthscales, NotTogether, Selection, Size};
use crate::data::FeatureKind;
use crate::model::{ModelError, Multiclass, TrainingData};
use std::sync::Arc;

/// Fits the models that `options` leave open and chooses between them.
///
/// ```
/// use gpclass::data::{Inputs, Sign};
/// use gpclass::learn::{Control, FitOptions, KernelFamily, LikelihoodFamily, fit};
/// use gpclass::linalg::Mat;
/// use gpclass::model::TrainingData;
/// use std::sync::Arc;
///
/// let inputs = Inputs::continuous(Mat::from_fn(20, 1, |i, _| i as f64 / 5.0 - 1.9));
/// let labels: Vec<Sign> = (0..20).map(|i| if i < 10 { Sign::Negative } else { Sign::Positive }).collect();
/// let data = Arc::new(TrainingData::new(inputs, labels)?);
///
/// // Kernel and likelihood are named here, so that there is one candidate; the default compares several.
/// let (kernel, likelihood) = (Some(KernelFamily::SquaredExponential), Some(LikelihoodFamily::Probit));
/// let options = FitOptions { kernel, likelihood, ..FitOptions::default() };
/// let selection = fit(&data, &options, &Control::default())?;
/// assert_eq!(selection.contenders.len(), 1);
/// assert!(selection.fitted().log_evidence() > 20.0 * 0.5_f64.ln()); // better than chance
/// # Ok::<(), gpclass::learn::LearnError>(())
/// ```
pub fn fit(data: &Arc<TrainingData>, options: &FitOptions, control: &Control) -> Result<Selection, LearnError> {
    let control = &control.within(options.time_budget)?;
    let (options, note) = &options.settled(data, &Rivals::open(options, data), control)?;
    let data = &scored(data, options)?;
    control.journal.iter().for_each(|journal| journal.open(data, options, &[]));
    let contenders = match options.combined() {
        Combine::Stack => {
            let options = &options.seen(data);
            if Many::suits(options, data) {
                return finish(Many { data, options, control }.of_families()?, data, options, note, control);
            }
            let families = families(options, &Size::of(data));
            match families[..] {
                [only] => {
                    trial(data, options, control, Scoring::Alone).fit_all(vec![only.candidate(data, options)?])?
                }
                _ => Stack { data, options, control }.of_families(&families)?,
            }
        }
        Combine::Evidence | Combine::Best => {
            let data = &data.viewed(options.view());
            let named = options.kernel.is_some() && options.likelihood.is_some();
            let alone = named && (options.lengthscales != Lengthscales::Auto || data.inputs().features().len() < 2);
            let scoring = if alone { Scoring::Alone } else { Scoring::Compared };
            Stages(trial(data, options, control, scoring)).run()?
        }
    };
    finish(contenders, data, options, note, control)
}

/// Fits exactly the given models and chooses between them.
pub fn fit_candidates(
    data: &Arc<TrainingData>,
    candidates: Vec<Candidate>,
    options: &FitOptions,
    control: &Control,
) -> Result<Selection, LearnError> {
    let control = &control.within(options.time_budget)?;
    let (options, note) = &options.settled(data, &Rivals::given(&candidates), control)?;
    let data = &scored(data, options)?;
    let candidates = candidates.into_iter().map(|candidate| candidate.of_classes(options, data)).collect::<Vec<_>>();
    control.journal.iter().for_each(|journal| journal.open(data, options, &candidates));
    let contenders = match options.combined() {
        Combine::Stack if Many::suits(options, data) => Many { data, options, control }.of_candidates(candidates)?,
        _ if candidates.len() == 1 => trial(data, options, control, Scoring::Alone).fit_all(candidates)?,
        Combine::Stack => Stack { data, options, control }.of_candidates(&candidates)?,
        Combine::Evidence | Combine::Best => trial(data, options, control, Scoring::Compared).fit_all(candidates)?,
    };
    finish(contenders, data, options, note, control)
}

impl FitOptions {
    /// The options as they are carried out on these rows, and what is to be said about that.
    fn settled(
        &self,
        data: &TrainingData,
        rivals: &Rivals,
        control: &Control,
    ) -> Result<(FitOptions, Option<FitNote>), LearnError> {
        check_classes(data)?;
        let size = Size::of(data);
        if control.elsewhere.is_some() && Approach::of(self, &size) != Approach::Sparse {
            return Err(LearnError::NotElsewhere);
        }
        let options = self.with_climbed_objective()?;
        if data.targets().count() == 2 && self.class_kernels == ClassKernels::Own {
            return Err(LearnError::OwnOfTwo);
        }
        let (multiclass, note) = match (Approach::of(&options, &size), options.multiclass) {
            (Approach::Sparse, Multiclass::Joint) if size.classes > 2 => return Err(ModelError::JointSparse.into()),
            (Approach::Sparse, Multiclass::Auto) if size.classes > 2 => {
                (Multiclass::ExactlyOne, Some(FitNote::OneVsRest(NotTogether::ManyRows)))
            }
            _ => classes::settle(data, rivals, &options, control)?,
        };
        Ok((FitOptions { multiclass, ..options }, note))
    }
}

/// The rows with those that score a fit, where these are not all. Rows that belong together are left out together, which costs
/// the same for all.
fn scored(data: &Arc<TrainingData>, options: &FitOptions) -> Result<Arc<TrainingData>, LearnError> {
    let sparse = Approach::of(options, &Size::of(data)) == Approach::Sparse && data.groups().is_none();
    match options.many_rows.scoring_rows(data.rows()).filter(|_| sparse) {
        None => Ok(Arc::clone(data)),
        Some(count) => {
            let rows = drawn(data, count, Purpose::Scoring, options.seed);
            Ok(Arc::new(TrainingData::clone(data).scored_by(rows)?))
        }
    }
}

fn check_classes(data: &TrainingData) -> Result<(), LearnError> {
    let weight = |i: usize| data.weights().map_or(1.0, |w| w[i]);
    let mut labels = (0..data.rows()).filter(|&i| weight(i) > 0.0).map(|i| data.labels()[i]);
    let first = labels.next();
    if labels.any(|label| Some(label) != first) { Ok(()) } else { Err(LearnError::OneClass) }
}

/// Weighs the contenders and restores those that predict. Classes that are against the rest because nobody asked for anything are read in
/// the way that predicts left-out rows better.
fn finish(
    contenders: Vec<Contender>,
    data: &TrainingData,
    options: &FitOptions,
    note: &Option<FitNote>,
    control: &Control,
) -> Result<Selection, LearnError> {
    let stacked = options.combined() == Combine::Stack && contenders.len() > 1;
    let few_rows = contenders.iter().all(|contender| contender.course.approach == Approach::Exact);
    let open = options.multiclass == Multiclass::ExactlyOne && matches!(note, Some(FitNote::OneVsRest(_)));
    let first = weighed(contenders, data, options, note, control)?;
    if !(stacked && few_rows && open) || control.interrupted() {
        return Ok(first);
    }
    let read = |contender: &Contender| contender.read_as(Multiclass::OneVsRest);
    let again = first.contenders.iter().map(read).collect::<Result<Vec<Contender>, ModelError>>()?;
    let second = weighed(again, data, options, note, control)?;
    Ok(if second.left_out_value() > first.left_out_value() { second } else { first })
}

fn weighed(
    mut contenders: Vec<Contender>,
    data: &TrainingData,
    options: &FitOptions,
    note: &Option<FitNote>,
    control: &Control,
) -> Result<Selection, LearnError> {
    let chosen = weigh(&mut contenders, options.combined(), data);
    let many_rows = FitNote::of_many_rows(options, &Size::of(data));
    let elsewhere = control
        .elsewhere
        .as_ref()
        .map(|others| FitNote::Elsewhere { here: data.rows(), elsewhere: others.rows().into_iter().sum() });
    let notes =
        many_rows.into_iter().chain(elsewhere).chain(note.clone()).chain(notes(&contenders, chosen, data)).collect();
    let sharpen = options.sharpens() && contenders.len() > 1;
    Selection::new(contenders, chosen, sharpen, notes)
}

impl FitOptions {
    /// The options for these rows: categories are the same in every view.
    fn seen(&self, data: &TrainingData) -> FitOptions {
        let categories = data.inputs().features().iter().all(|feature| feature.kind == FeatureKind::Discrete);
        let inputs = if categories { Some(self.view()) } else { self.inputs };
        FitOptions { inputs, ..self.clone() }
    }
}

fn trial<'a>(
    data: &'a Arc<TrainingData>,
    options: &'a FitOptions,
    control: &'a Control,
    scoring: Scoring,
) -> Trial<'a> {
    Trial { data, options, control, scoring }
}
