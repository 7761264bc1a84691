//! The whole of learning: candidates, a search for each, and the choice between them by evidence.

use super::choose::{Candidate, Contender, best, score_alike};
use super::classes::{self, ClassKernels, Rivals};
use super::note::{FitNote, notes};
use super::search::Departure;
use super::search::Driver;
use super::{Control, DirectOptions, Initial, KernelFamily, LearnError, LikelihoodFamily, Priors, Search};
use crate::data::InputView;
use crate::inference::Method;
use crate::model::{FittedModel, Multiclass, TrainingData};
use crate::named::named;
use crate::objective::Objective;
use gpclass_linalg::map_tasks;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How many lengthscales a kernel has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lengthscales {
    /// One, and one per feature, compared by evidence.
    #[default]
    Auto,
    /// One for all features.
    Single,
    /// One per feature: automatic relevance determination.
    Ard,
}

named!(Lengthscales, "lengthscales", {
    Auto = "auto": "Whichever has the better evidence";
    Single = "single": "One for all features";
    Ard = "ard": "One per feature";
});

/// Which point of a search becomes the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathChoice {
    /// Where the search ended.
    #[default]
    End,
    /// Predictive ARD: the point with the fewest leave-one-out errors, ties by evidence.
    LooError,
    /// Predictive ARD: the point with the best leave-one-out probabilities.
    LooNlp,
}

named!(PathChoice, "path", {
    End = "end": "Where the search ended";
    LooError = "loo-error" or "loo_error": "The point with the fewest leave-one-out errors, ties by evidence";
    LooNlp = "loo-nlp" or "loo_nlp": "The point with the best leave-one-out probabilities";
});

/// What to fit and how. The default compares the sensible models by evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FitOptions {
    /// `None` compares squared exponential, linear and their sum.
    pub kernel: Option<KernelFamily>,
    /// `None` compares the regular probit with the robust one, which allows for wrong labels (ROBUST section 5).
    pub likelihood: Option<LikelihoodFamily>,
    /// How models see continuous columns; `None` leaves it open, which is standardised for now.
    pub inputs: Option<InputView>,
    /// One lengthscale or one per feature; by default whichever is better.
    pub lengthscales: Lengthscales,
    /// How the posterior at given hyperparameters is found; expectation propagation by default.
    #[serde(rename = "inference", alias = "method")]
    pub method: Method,
    /// What the search maximises, together with the log-prior; the log evidence by default.
    pub objective: Objective,
    /// How the hyperparameters are searched for; by exact gradients by default.
    #[serde(alias = "driver")]
    pub search: Search,
    /// Where the search starts; by default at values that suit the spread of the inputs.
    pub initial: Initial,
    /// Priors on the hyperparameters; weak ones by default.
    pub priors: Priors,
    /// Parameters held at given values, by name.
    pub fixed: Vec<(String, f64)>,
    /// Further starts of every search.
    pub restarts: usize,
    /// Seed of the starting points of the restarts; 0 by default.
    pub seed: u64,
    /// Which point of the search becomes the model; its end by default.
    pub path: PathChoice,
    /// Average predictions over the candidates by evidence instead of choosing one.
    pub average: bool,
    /// How more than two classes are modelled; together where that can be done by default.
    pub multiclass: Multiclass,
    /// Whether the functions of several classes share their hyperparameters; they do by default.
    pub class_kernels: ClassKernels,
    /// Limits and tolerances of the direct search; its `search` part holds for the other ways to search too.
    pub direct: DirectOptions,
}

impl Default for FitOptions {
    fn default() -> Self {
        FitOptions {
            kernel: None,
            likelihood: None,
            inputs: None,
            lengthscales: Lengthscales::Auto,
            method: Method::default(),
            objective: Objective::Evidence,
            search: Search::Direct,
            initial: Initial::Heuristic,
            priors: Priors::Weak,
            fixed: Vec::new(),
            restarts: 0,
            seed: 0,
            path: PathChoice::End,
            average: false,
            multiclass: Multiclass::Auto,
            class_kernels: ClassKernels::Shared,
            direct: DirectOptions::default(),
        }
    }
}

/// The outcome: every candidate, which was chosen, and what a user should know.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Every candidate whose search could start, in the order of fitting.
    pub contenders: Vec<Contender>,
    /// Index of the chosen one.
    pub chosen: usize,
    /// What a user should know about the chosen one.
    pub notes: Vec<FitNote>,
}

impl Selection {
    /// The contender of the best score.
    pub fn chosen(&self) -> &Contender {
        &self.contenders[self.chosen]
    }

    /// The chosen model with its posterior.
    pub fn fitted(&self) -> &FittedModel {
        &self.chosen().learned.fitted
    }
}

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
    let (options, note) = &options.settled(data, &Rivals::open(options, data), control)?;
    let data = &data.viewed(options.view());
    let named = options.kernel.is_some() && options.likelihood.is_some();
    let alone = named && (options.lengthscales != Lengthscales::Auto || data.inputs().features().len() < 2);
    let stages = Stages { data, options, control, alone };
    finish(stages.run()?, data, options, note)
}

/// Fits exactly the given models and chooses between them.
pub fn fit_candidates(
    data: &Arc<TrainingData>,
    candidates: Vec<Candidate>,
    options: &FitOptions,
    control: &Control,
) -> Result<Selection, LearnError> {
    let (options, note) = &options.settled(data, &Rivals::given(&candidates), control)?;
    let candidates = candidates.into_iter().map(|candidate| candidate.of_classes(options, data)).collect::<Vec<_>>();
    let stages = Stages { data, options, control, alone: candidates.len() == 1 };
    finish(stages.fit_all(candidates)?, data, options, note)
}

impl FitOptions {
    /// How models that the options describe see continuous columns.
    pub fn view(&self) -> InputView {
        self.inputs.unwrap_or_default()
    }

    /// The options as they are carried out on these rows, and what is to be said about that.
    fn settled(
        &self,
        data: &TrainingData,
        rivals: &Rivals,
        control: &Control,
    ) -> Result<(FitOptions, Option<FitNote>), LearnError> {
        check_classes(data)?;
        let options = self.with_climbed_objective()?;
        if data.targets().count() == 2 && self.class_kernels == ClassKernels::Own {
            return Err(LearnError::OwnOfTwo);
        }
        let (multiclass, note) = classes::settle(data, rivals, &options, control)?;
        Ok((FitOptions { multiclass, ..options }, note))
    }
}

fn check_classes(data: &TrainingData) -> Result<(), LearnError> {
    let weight = |i: usize| data.weights().map_or(1.0, |w| w[i]);
    let mut labels = (0..data.rows()).filter(|&i| weight(i) > 0.0).map(|i| data.labels()[i]);
    let first = labels.next();
    if labels.any(|label| Some(label) != first) { Ok(()) } else { Err(LearnError::OneClass) }
}

fn finish(
    mut contenders: Vec<Contender>,
    data: &TrainingData,
    options: &FitOptions,
    note: &Option<FitNote>,
) -> Result<Selection, LearnError> {
    score_alike(&mut contenders);
    let chosen = best(&contenders);
    let top = contenders[chosen].summary.score;
    for (i, Contender { summary, .. }) in contenders.iter_mut().enumerate() {
        summary.chosen = i == chosen;
        summary.weight = if options.average { (summary.score - top).exp() } else { f64::from(summary.chosen) };
    }
    let total: f64 = contenders.iter().map(|c| c.summary.weight).sum();
    contenders.iter_mut().for_each(|c| c.summary.weight /= total);
    let notes = note.iter().cloned().chain(notes(&contenders, chosen, data)).collect();
    Ok(Selection { contenders, chosen, notes })
}

/// What a candidate of the automatic choice is made of.
#[derive(Clone, Copy)]
struct Family {
    kernel: KernelFamily,
    ard: bool,
    departure: Departure,
    likelihood: LikelihoodFamily,
}

/// The candidates that were fitted so far, with their families.
#[derive(Default)]
struct Compared {
    contenders: Vec<Contender>,
    families: Vec<Family>,
}

/// The order in which open choices are settled: kernel, then lengthscales (near each other first, and free if that is
/// an improvement), then label error, each on top of the best model so far. Five or six fits instead of all combinations.
struct Stages<'a> {
    data: &'a Arc<TrainingData>,
    options: &'a FitOptions,
    control: &'a Control,
    /// Whether there will be one candidate only.
    alone: bool,
}

/// Kernels compared when none is named; the last, the sum of the others, follows, started from the first.
pub const COMPARED_KERNELS: [KernelFamily; 3] =
    [KernelFamily::SquaredExponential, KernelFamily::Linear, KernelFamily::SquaredExponentialLinear];

/// Likelihoods compared when none is named: the plain one, and one with a label error where the method allows it.
pub fn compared_likelihoods(method: &Method) -> &'static [LikelihoodFamily] {
    let both = &[LikelihoodFamily::Probit, LikelihoodFamily::Robust];
    if method.allows_label_error() { both } else { &both[..1] }
}

impl Stages<'_> {
    fn run(&self) -> Result<Vec<Contender>, LearnError> {
        let [parts @ .., sum] = COMPARED_KERNELS;
        let kernels = self.options.kernel.map_or(parts.to_vec(), |kernel| vec![kernel]);
        let likelihoods = match &self.options.likelihood {
            Some(given) => std::slice::from_ref(given),
            None => compared_likelihoods(&self.options.method),
        };
        let plain = likelihoods[0];
        let several = self.data.inputs().features().len() > 1;
        let ard = self.options.lengthscales == Lengthscales::Ard;
        let mut compared = Compared::default();
        self.compare(
            &mut compared,
            kernels
                .iter()
                .map(|&kernel| Family { kernel, ard, departure: Departure::Free, likelihood: plain })
                .collect(),
            None,
        )?;
        if self.options.kernel.is_none() && !self.control.interrupted() {
            let sum = Family { kernel: sum, ard, departure: Departure::Free, likelihood: plain };
            self.compare(&mut compared, vec![sum], Some(0))?;
        }
        if self.options.lengthscales == Lengthscales::Auto && several && !self.control.interrupted() {
            self.weigh_features(&mut compared)?;
        }
        if !self.control.interrupted()
            && let Some(&likelihood) = likelihoods.get(1)
        {
            let leader = best(&compared.contenders);
            let robust = Family { likelihood, ..compared.families[leader] };
            self.compare(&mut compared, vec![robust], Some(leader))?;
        }
        Ok(compared.contenders)
    }

    /// One weight per feature for the best kernel: first with weights that stay near each other, then, if that is better,
    /// with free ones. Without priors there is nothing to keep them together.
    fn weigh_features(&self, compared: &mut Compared) -> Result<(), LearnError> {
        let leader = best(&compared.contenders);
        let free = Family { ard: true, departure: Departure::Free, ..compared.families[leader] };
        if self.options.priors == Priors::None {
            return self.compare(compared, vec![free], Some(leader));
        }
        self.compare(compared, vec![Family { departure: Departure::Shrunk, ..free }], Some(leader))?;
        let better = best(&compared.contenders);
        if compared.families[better].departure == Departure::Shrunk && !self.control.interrupted() {
            self.compare(compared, vec![free], Some(better))?;
        }
        Ok(())
    }

    /// Fits models of the given families, started from the values of a simpler candidate where one is named.
    fn compare(
        &self,
        compared: &mut Compared,
        families: Vec<Family>,
        simpler: Option<usize>,
    ) -> Result<(), LearnError> {
        let mut candidates = Vec::new();
        for family in &families {
            let candidate = self.candidate(*family)?;
            candidates.push(match simpler {
                Some(simpler) => self.started_from(&compared.contenders[simpler], candidate),
                None => candidate,
            });
        }
        let names: Vec<String> = candidates.iter().map(|c| c.name.clone()).collect();
        let fitted = match self.fit_all(candidates) {
            // A refinement that cannot start leaves the comparison as it was.
            Err(LearnError::Start { .. } | LearnError::Interrupted) if simpler.is_some() => return Ok(()),
            other => other?,
        };
        for contender in fitted {
            // Those that could not start are missing.
            compared
                .families
                .extend(names.iter().position(|name| *name == contender.summary.name).map(|i| families[i]));
            compared.contenders.push(contender);
        }
        score_alike(&mut compared.contenders);
        Ok(())
    }

    fn candidate(&self, family: Family) -> Result<Candidate, LearnError> {
        let Family { kernel, ard, departure, likelihood } = family;
        let (method, initial) = (&self.options.method, self.options.initial);
        let candidate = Candidate::new(kernel, ard, likelihood, method, initial, self.data)?;
        let candidate = candidate.of_classes(self.options, self.data);
        Ok(if departure == Departure::Shrunk { candidate.shrunk() } else { candidate })
    }

    /// The candidate started from the values a simpler model has learned.
    fn started_from(&self, simpler: &Contender, mut candidate: Candidate) -> Candidate {
        if self.options.initial == Initial::Heuristic {
            candidate.start_from(simpler.learned.fitted.model());
        }
        candidate
    }

    /// Fits candidates side by side. Those that cannot start are left out unless none can.
    fn fit_all(&self, candidates: Vec<Candidate>) -> Result<Vec<Contender>, LearnError> {
        let mut candidates = candidates;
        self.fix(&mut candidates)?;
        // Candidates of one view share its rows.
        let mut seen = vec![Arc::clone(self.data)];
        for Candidate { view, .. } in &candidates {
            if seen.iter().all(|data| data.view().kind() != *view) {
                seen.push(self.data.viewed(*view));
            }
        }
        let searches = map_tasks(candidates.len(), |i| {
            let candidate = &candidates[i];
            let Stages { options, control, alone, .. } = *self;
            let data = seen.iter().find(|data| data.view().kind() == candidate.view).unwrap_or(self.data);
            let search = Driver { data, options, control, departure: candidate.departure };
            let (learned, space) = search.run(&candidate.name, &candidate.model)?;
            Ok(Contender::new(
                candidate.name.clone(),
                candidate.departure,
                learned,
                &space,
                options.objective,
                alone,
                control,
            ))
        });
        let mut failure = None;
        let mut contenders = Vec::new();
        for search in searches {
            match search {
                Ok(contender) => contenders.push(contender),
                Err(error @ (LearnError::Start { .. } | LearnError::Interrupted)) => failure = Some(error),
                Err(error) => return Err(error),
            }
        }
        match failure {
            Some(error) if contenders.is_empty() => Err(error),
            _ => Ok(contenders),
        }
    }

    /// Holds the parameters that the options name. Each must exist in at least one candidate.
    fn fix(&self, candidates: &mut [Candidate]) -> Result<(), LearnError> {
        for (name, value) in &self.options.fixed {
            let mut found = false;
            for candidate in candidates.iter_mut() {
                found |= candidate.fix(name, *value)?;
            }
            if !found {
                let known = candidates.first().map_or_else(Vec::new, Candidate::param_names);
                return Err(LearnError::UnknownFixed { name: name.clone(), known: known.join(", ") });
            }
        }
        candidates.iter_mut().for_each(Candidate::identify);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Inputs, Sign};
    use crate::inference::LaplaceOptions;
    use gpclass_linalg::Mat;

    /// Laplace's method knows no label error, so that a robust model cannot start.
    #[test]
    fn a_refinement_that_cannot_start_leaves_the_comparison_as_it_was() {
        let x = Mat::from_fn(12, 1, |i, _| (i as f64).sin());
        let labels: Vec<Sign> =
            (0..12).map(|i| if x[(i, 0)] > 0.2 { Sign::Positive } else { Sign::Negative }).collect();
        let data = Arc::new(TrainingData::new(Inputs::continuous(x), labels).unwrap());
        let options = FitOptions { method: Method::Laplace(LaplaceOptions::default()), ..FitOptions::default() };
        let stages = Stages { data: &data, options: &options, control: &Control::default(), alone: false };
        let family = |likelihood| {
            let kernel = KernelFamily::SquaredExponential;
            vec![Family { kernel, ard: false, departure: Departure::Free, likelihood }]
        };
        let mut compared = Compared::default();
        stages.compare(&mut compared, family(LikelihoodFamily::Probit), None).unwrap();
        stages.compare(&mut compared, family(LikelihoodFamily::Robust), Some(0)).unwrap();
        assert_eq!((compared.contenders.len(), compared.families.len()), (1, 1));
        assert_eq!(compared.contenders[0].summary.name, "se, probit");
        let alone = stages.compare(&mut compared, family(LikelihoodFamily::Robust), None);
        assert!(matches!(alone, Err(LearnError::Start { .. })), "nothing else is left to fall back on");
    }
}
