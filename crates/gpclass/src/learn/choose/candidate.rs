//! Models to choose from, by family: what a user names when not building kernels by hand.

use crate::data::{Feature, InputView};
use crate::inference::Method;
use crate::kernel::{Kernel, KernelFamily, Scales};
use crate::learn::search::Departure;
use crate::learn::search::Initial;
use crate::learn::{ClassKernels, FitOptions, LearnError};
use crate::likelihood::{LikelihoodError, LikelihoodFamily};
use crate::model::{Model, Multiclass, TrainingData};
use crate::param::Param;

/// A model by name, ready to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Name in reports, by which it is told from its rivals.
    pub name: String,
    /// Covariance, likelihood and method, at the values that the search starts from.
    pub model: Model,
    /// How far features' own weights may lie apart under the weak priors.
    pub departure: Departure,
    /// How it sees the encoded rows.
    pub view: InputView,
}

/// The covariance that candidates of a family have: every one gets a bias v1, and noise v2 where the likelihood has no
/// softness of its own.
pub fn covariance(kernel: KernelFamily, ard: bool, likelihood: LikelihoodFamily, features: &[Feature]) -> Kernel {
    let scales = if ard { Scales::Ard(vec![1.0; features.len()]) } else { Scales::Single(1.0) };
    let mut covariance = kernel.kernel(scales) + Kernel::bias(1.0);
    if likelihood.needs_noise() {
        covariance = covariance + Kernel::noise(0.1);
    }
    covariance.bind(features);
    covariance
}

impl Candidate {
    /// The model of a family with starting values for `data`, which it sees as they are viewed.
    pub fn new(
        kernel: KernelFamily,
        ard: bool,
        likelihood: LikelihoodFamily,
        method: &Method,
        initial: Initial,
        data: &TrainingData,
    ) -> Result<Self, LikelihoodError> {
        let covariance = covariance(kernel, ard, likelihood, data.inputs().features());
        let mut model = Model { method: method.clone(), ..Model::new(covariance, likelihood.likelihood()?) };
        initial.apply(&mut model, data);
        let (suffix, view) = (if ard { " ARD" } else { "" }, data.view().kind());
        let name = format!("{}{suffix}{}, {}", kernel.name(), view.suffix(), likelihood.name());
        Ok(Candidate { name, model, departure: Departure::Free, view })
    }

    /// The candidate as the options model several classes.
    pub(in crate::learn) fn of_classes(mut self, options: &FitOptions, data: &TrainingData) -> Self {
        self.model.multiclass = match options.multiclass {
            Multiclass::Auto if data.targets().count() > 2 => Multiclass::Joint,
            asked => asked,
        };
        if options.class_kernels == ClassKernels::Own && self.model.kernel.own_classes().is_none() {
            self.model.kernel = self.model.kernel.per_class(data.targets().names());
            self.name.push_str(", own kernels");
        }
        self
    }

    /// The candidate whose features' weights stay near each other.
    pub fn shrunk(mut self) -> Self {
        self.name = self.name.replacen(" ARD", " ARD shrunk", 1);
        self.departure = Departure::Shrunk;
        self
    }
}

impl Candidate {
    /// Names of all parameters.
    pub fn param_names(&self) -> Vec<String> {
        self.model.kernel.params().into_iter().chain(self.model.likelihood.params()).map(|p| p.name).collect()
    }

    /// Whether it has a parameter that is called so; see [`fix`](Self::fix).
    pub fn has(&self, name: &str) -> bool {
        let mut params = self.model.kernel.params().into_iter().chain(self.model.likelihood.params());
        params.any(|param| param.is_called(name))
    }

    /// Holds a parameter at a value; false if the model has none of that name. Where every feature has its own `l`
    /// (or `w`), that name alone means all of them.
    pub fn fix(&mut self, name: &str, value: f64) -> Result<bool, LearnError> {
        let matches = |p: &Param| p.is_called(name);
        let kernel: Vec<String> = self.model.kernel.params().into_iter().filter(matches).map(|p| p.name).collect();
        for name in &kernel {
            self.model.kernel.set_value(name, value)?;
            self.model.kernel.set_fixed(name, true)?;
        }
        let params = self.model.likelihood.params();
        let held = params.iter().any(matches);
        if held {
            let values: Vec<f64> = params.iter().map(|p| if matches(p) { value } else { p.value }).collect();
            let mut changed = self.model.likelihood.clone();
            changed.set_values(&values);
            changed.set_fixed(name, true)?;
            self.model.likelihood = changed.checked()?;
        }
        Ok(held || !kernel.is_empty())
    }

    /// Takes over the values of a simpler model by what they stand for: one lengthscale becomes everyone's, and `v0` of a
    /// squared exponential becomes `se.v0` of a sum that contains one.
    pub fn start_from(&mut self, simpler: &Model) {
        let known: Vec<Param> = simpler.kernel.params().into_iter().chain(simpler.likelihood.params()).collect();
        let kernel = self.model.kernel.clone();
        let value = |p: Param| {
            let common = |k: &&Param| k.role.feature().is_none() && k.role.is_like(p.role) && k.class == p.class;
            let own = known.iter().find(|k| k.is_same(&p)).or_else(|| known.iter().find(common));
            own.filter(|_| !p.fixed).map_or(p.value, |k| k.value)
        };
        let values: Vec<f64> = kernel.params().into_iter().map(value).collect();
        let likelihood: Vec<f64> = self.model.likelihood.params().into_iter().map(value).collect();
        self.model.kernel.set_values(&values);
        self.model.likelihood.set_values(&likelihood);
    }

    /// Holds the amplitude at one where the likelihood only sees the sign of the latent value: the scale is then not
    /// identified (math 2).
    pub fn identify(&mut self) {
        if !self.model.likelihood.sees_signs_only() {
            return;
        }
        let params = self.model.kernel.params();
        let amplitudes = || params.iter().filter(|p| p.role.is_amplitude());
        if amplitudes().all(|p| !p.fixed)
            && let Some(main) = amplitudes().next()
        {
            let (name, scale) = (main.name.clone(), main.value);
            let values: Vec<f64> =
                params.iter().map(|p| if p.role.is_amplitude() { p.value / scale } else { p.value }).collect();
            self.model.kernel.set_values(&values);
            // The name comes from the kernel itself.
            let _ = self.model.kernel.set_fixed(&name, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Feature, FeatureKind, Inputs, Sign};
    use gpclass_linalg::Mat;

    fn candidate(kernel: KernelFamily, ard: bool) -> Candidate {
        let values = Mat::from_fn(9, 2, |i, j| ((i + 1) * (j + 2)) as f64 % 5.0);
        let continuous = |name: &str, column: usize| Feature {
            name: name.to_owned(),
            kind: FeatureKind::Continuous,
            columns: column..column + 1,
        };
        // Names are only names: a dot or a bracket in them says nothing about a parameter.
        let inputs = Inputs::new(vec![continuous("x1", 0), continuous("sepal.v0[cm]", 1)], values);
        let labels: Vec<Sign> = (0..9).map(|i| if i % 2 == 0 { Sign::Positive } else { Sign::Negative }).collect();
        let data = TrainingData::new(inputs, labels).expect("valid data");
        let (probit, ep) = (LikelihoodFamily::Probit, Method::default());
        Candidate::new(kernel, ard, probit, &ep, Initial::Heuristic, &data).expect("a valid family")
    }

    fn value(candidate: &Candidate, name: &str) -> f64 {
        candidate.model.kernel.params().into_iter().find(|p| p.name == name).expect("a parameter").value
    }

    #[test]
    fn starts_are_taken_over_by_what_they_mean() {
        let mut se = candidate(KernelFamily::SquaredExponential, false);
        se.model.kernel.set_values(&[7.0, 0.3, 0.9]);
        let mut sum = candidate(KernelFamily::SquaredExponentialLinear, true);
        let weight = value(&sum, "linear.v0");
        sum.start_from(&se.model);
        for (name, want) in
            [("se.v0", 7.0), ("l[x1]", 0.3), ("l[sepal.v0[cm]]", 0.3), ("v1", 0.9), ("linear.v0", weight)]
        {
            assert_eq!(value(&sum, name), want, "{name}");
        }
        let mut linear = candidate(KernelFamily::Linear, false);
        linear.model.kernel.set_values(&[0.2, 0.8]);
        let mut ard = candidate(KernelFamily::Linear, true);
        ard.start_from(&linear.model);
        assert_eq!((value(&ard, "w[x1]"), value(&ard, "w[sepal.v0[cm]]"), value(&ard, "v1")), (0.2, 0.2, 0.8));
    }
}
