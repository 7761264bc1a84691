//! The comparison of models by evidence, one open choice after the other.

use super::trial::Trial;
use super::{Candidate, Contender, Family, best, score_alike};
use crate::inference::Method;
use crate::learn::search::Departure;
use crate::learn::{Initial, KernelFamily, LearnError, Lengthscales, LikelihoodFamily, Priors};

/// The candidates that were fitted so far, with their families.
#[derive(Default)]
struct Compared {
    contenders: Vec<Contender>,
    families: Vec<Family>,
}

/// The order in which open choices are settled: kernel, then lengthscales (near each other first, and free if that is
/// an improvement), then label error, each on top of the best model so far. Five or six fits instead of all combinations.
pub(in crate::learn) struct Stages<'a>(pub Trial<'a>);

/// Kernels compared when none is named; the last, the sum of the others, follows, started from the first.
pub const COMPARED_KERNELS: [KernelFamily; 3] =
    [KernelFamily::SquaredExponential, KernelFamily::Linear, KernelFamily::SquaredExponentialLinear];

/// Likelihoods compared when none is named: the plain one, and one with a label error where the method allows it.
pub fn compared_likelihoods(method: &Method) -> &'static [LikelihoodFamily] {
    let both = &[LikelihoodFamily::Probit, LikelihoodFamily::Robust];
    if method.allows_label_error() { both } else { &both[..1] }
}

impl Stages<'_> {
    /// Every contender.
    pub fn run(&self) -> Result<Vec<Contender>, LearnError> {
        let [parts @ .., sum] = COMPARED_KERNELS;
        let kernels = self.0.options.kernel.map_or(parts.to_vec(), |kernel| vec![kernel]);
        let likelihoods = match &self.0.options.likelihood {
            Some(given) => std::slice::from_ref(given),
            None => compared_likelihoods(&self.0.options.method),
        };
        let plain = likelihoods[0];
        let several = self.0.data.inputs().features().len() > 1;
        let ard = self.0.options.lengthscales == Lengthscales::Ard;
        let view = self.0.options.view();
        let mut compared = Compared::default();
        self.compare(
            &mut compared,
            kernels
                .iter()
                .map(|&kernel| Family { kernel, ard, departure: Departure::Free, likelihood: plain, view })
                .collect(),
            None,
        )?;
        if self.0.options.kernel.is_none() && !self.0.control.interrupted() {
            let sum = Family { kernel: sum, ard, departure: Departure::Free, likelihood: plain, view };
            self.compare(&mut compared, vec![sum], Some(0))?;
        }
        if self.0.options.lengthscales == Lengthscales::Auto && several && !self.0.control.interrupted() {
            self.weigh_features(&mut compared)?;
        }
        if !self.0.control.interrupted()
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
        if self.0.options.priors == Priors::None {
            return self.compare(compared, vec![free], Some(leader));
        }
        self.compare(compared, vec![Family { departure: Departure::Shrunk, ..free }], Some(leader))?;
        let better = best(&compared.contenders);
        if compared.families[better].departure == Departure::Shrunk && !self.0.control.interrupted() {
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
            let candidate = family.candidate(self.0.data, self.0.options)?;
            candidates.push(match simpler {
                Some(simpler) => self.started_from(&compared.contenders[simpler], candidate),
                None => candidate,
            });
        }
        let names: Vec<String> = candidates.iter().map(|c| c.name.clone()).collect();
        let fitted = match self.0.fit_all(candidates) {
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

    /// The candidate started from the values a simpler model has learned.
    fn started_from(&self, simpler: &Contender, mut candidate: Candidate) -> Candidate {
        if self.0.options.initial == Initial::Heuristic {
            candidate.start_from(&simpler.model);
        }
        candidate
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scoring;
    use super::*;
    use crate::data::{Inputs, Sign};
    use crate::inference::LaplaceOptions;
    use crate::learn::{Control, FitOptions};
    use crate::model::TrainingData;
    use gpclass_linalg::Mat;
    use std::sync::Arc;

    /// Laplace's method knows no label error, so that a robust model cannot start.
    #[test]
    fn a_refinement_that_cannot_start_leaves_the_comparison_as_it_was() {
        let x = Mat::from_fn(12, 1, |i, _| (i as f64).sin());
        let labels: Vec<Sign> =
            (0..12).map(|i| if x[(i, 0)] > 0.2 { Sign::Positive } else { Sign::Negative }).collect();
        let data = Arc::new(TrainingData::new(Inputs::continuous(x), labels).unwrap());
        let options = FitOptions { method: Method::Laplace(LaplaceOptions::default()), ..FitOptions::default() };
        let control = Control::default();
        let scoring = Scoring::Compared;
        let stages = Stages(Trial { data: &data, options: &options, control: &control, scoring });
        let family = |likelihood| {
            let kernel = KernelFamily::SquaredExponential;
            vec![Family { kernel, ard: false, departure: Departure::Free, likelihood, view: Default::default() }]
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
