//! The covariance that `--fix` describes.

use super::values::Values;
use crate::error::CliError;
use gpclass::data::{ClassNames, Feature};
use gpclass::kernel::{ClassKernel, Kernel, KernelFamily, Scales};

/// What the covariance is made for.
pub struct Wanted<'a> {
    pub family: KernelFamily,
    pub features: &'a [Feature],
    /// The classes where each has a function, and may have a covariance, of its own.
    pub classes: Option<&'a ClassNames>,
}

impl Wanted<'_> {
    /// The covariance that all classes share, or one for each where a value is for one class.
    pub fn kernel(&self, values: &mut Values) -> Result<Kernel, CliError> {
        let Some(classes) = self.classes.filter(|classes| values.name_classes(classes, self.features)) else {
            return self.shared(values);
        };
        let own = |class: &String| {
            let kernel = values.of_class(class, |values| self.shared(values))?;
            Ok(ClassKernel { class: class.clone(), kernel })
        };
        Ok(Kernel::PerClass(classes.names().iter().map(own).collect::<Result<_, CliError>>()?))
    }

    /// Terms v1 and v2 that are absent or 0 do not exist.
    fn shared(&self, values: &mut Values) -> Result<Kernel, CliError> {
        let mut terms = self.signal(values)?;
        for (name, term) in [("v1", Kernel::bias as fn(f64) -> Kernel), ("v2", Kernel::noise)] {
            match values.take(name) {
                None | Some(0.0) => {}
                Some(value) => terms.push(term(value)),
            }
        }
        let mut kernel = Kernel::sum(terms);
        kernel.bind(self.features);
        Ok(kernel)
    }

    /// The terms that look at features.
    fn signal(&self, values: &mut Values) -> Result<Vec<Kernel>, CliError> {
        let mut stationary = |make: fn(f64, Scales) -> Kernel| -> Result<Kernel, CliError> {
            let v0 = values.required("v0")?;
            Ok(make(v0, self.scales("l", values)?))
        };
        Ok(match self.family {
            KernelFamily::SquaredExponential => vec![stationary(Kernel::squared_exponential)?],
            KernelFamily::Matern12 => vec![stationary(Kernel::matern12)?],
            KernelFamily::Matern32 => vec![stationary(Kernel::matern32)?],
            KernelFamily::Matern52 => vec![stationary(Kernel::matern52)?],
            KernelFamily::L1Product => vec![stationary(Kernel::l1_product)?],
            KernelFamily::RationalQuadratic => {
                let v0 = values.required("v0")?;
                let l = self.scales("l", values)?;
                vec![Kernel::rational_quadratic(v0, values.required("alpha")?, l)]
            }
            KernelFamily::Additive => {
                let w = self.variances(values)?;
                vec![Kernel::additive(w, values.required("l")?)]
            }
            KernelFamily::Linear => vec![Kernel::linear(self.variances(values)?)],
            KernelFamily::SquaredExponentialLinear => {
                let smooth = stationary(Kernel::squared_exponential)?;
                vec![smooth, Kernel::linear(self.scales("w", values)?)]
            }
        })
    }

    /// One value per feature. Of several classes one that is given for all features is one parameter.
    fn scales(&self, letter: &str, values: &mut Values) -> Result<Scales, CliError> {
        if self.classes.is_none() || values.has_own(letter, self.features) {
            return Ok(Scales::Ard(values.per_feature(letter, self.features)?));
        }
        Ok(Scales::Single(values.required(letter)?))
    }

    /// One variance v0 of all features' slopes or functions, or one w per feature.
    fn variances(&self, values: &mut Values) -> Result<Scales, CliError> {
        if let Some(v0) = values.take("v0") {
            return Ok(Scales::Single(v0));
        }
        if values.take("w").is_some() || values.has_own("w", self.features) {
            return self.scales("w", values);
        }
        let kernel = self.family.name();
        Err(CliError::user(format!("the {kernel} kernel needs a value for 'v0'; add v0=... to --fix")))
    }
}
