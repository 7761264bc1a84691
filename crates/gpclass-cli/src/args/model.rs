//! Options about models, and the spec they make.

use crate::error::CliError;
use clap::{Args, ValueEnum};
use gpclass::classifier::Spec;
use gpclass::data::{MissingContinuous, MissingPolicy, Standardise};
use gpclass::inference::ep::{EpOptions, Schedule};
use gpclass::inference::{LaplaceOptions, LeastSquaresOptions, Method};
use gpclass::learn::{Driver, KernelFamily, Lengthscales, LikelihoodFamily, Priors};
use gpclass::objective::{Criterion, Objective};
use gpclass_host::input::{SPEC_BYTES, read_whole};
use std::path::{Path, PathBuf};
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KernelArg {
    /// Squared exponential: smooth
    Se,
    /// Matérn 1/2: rough
    Matern12,
    /// Matérn 3/2
    Matern32,
    /// Matérn 5/2
    Matern52,
    /// Rational quadratic: several lengths at once
    Rq,
    /// Linear
    #[value(alias = "lin")]
    Linear,
    /// Squared exponential plus linear
    #[value(name = "se+linear", alias = "se-linear")]
    SeLinear,
}

impl KernelArg {
    pub fn family(self) -> KernelFamily {
        match self {
            KernelArg::Se => KernelFamily::SquaredExponential,
            KernelArg::Matern12 => KernelFamily::Matern12,
            KernelArg::Matern32 => KernelFamily::Matern32,
            KernelArg::Matern52 => KernelFamily::Matern52,
            KernelArg::Rq => KernelFamily::RationalQuadratic,
            KernelArg::Linear => KernelFamily::Linear,
            KernelArg::SeLinear => KernelFamily::SquaredExponentialLinear,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LikelihoodArg {
    /// Hard decision with label error; softness from noise in the covariance
    Step,
    /// Normal distribution function
    Probit,
    /// Probit with a bias
    ProbitBias,
    /// Probit with noise
    ProbitNoise,
    /// Probit with label error
    Robust,
    /// Probit with label error, bias and noise
    Full,
    /// Logistic function
    Logistic,
}

impl LikelihoodArg {
    pub fn family(self) -> LikelihoodFamily {
        match self {
            LikelihoodArg::Step => LikelihoodFamily::Step,
            LikelihoodArg::Probit => LikelihoodFamily::Probit,
            LikelihoodArg::ProbitBias => LikelihoodFamily::ProbitBias,
            LikelihoodArg::ProbitNoise => LikelihoodFamily::ProbitNoise,
            LikelihoodArg::Robust => LikelihoodFamily::Robust,
            LikelihoodArg::Full => LikelihoodFamily::Full,
            LikelihoodArg::Logistic => LikelihoodFamily::Logistic,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InferenceArg {
    /// Expectation propagation
    Ep,
    /// Laplace's method
    Laplace,
    /// Least squares on the labels
    Ls,
    /// One pass of expectation propagation: assumed-density filtering
    Adf,
}

impl InferenceArg {
    pub fn method(self) -> Method {
        match self {
            InferenceArg::Ep => Method::default(),
            InferenceArg::Adf => Method::Ep(EpOptions { schedule: Schedule::OnePass, ..EpOptions::default() }),
            InferenceArg::Laplace => Method::Laplace(LaplaceOptions::default()),
            InferenceArg::Ls => Method::LeastSquares(LeastSquaresOptions::default()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ObjectiveArg {
    /// Evidence, by gradient
    Evidence,
    /// Evidence, by expectation maximisation
    Em,
    /// Leave-one-out log-probability
    LooNlp,
    /// Leave-one-out F-measure (see --zeta)
    LooF,
    /// Leave-one-out weighted error rate (see --tau)
    LooWer,
    /// Leave-one-out area under the ROC curve
    LooAuc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LengthscalesArg {
    /// One for all features
    Single,
    /// One per feature
    Ard,
    /// Whichever has the better evidence
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PriorsArg {
    /// Weak priors that keep hyperparameters from running away
    Weak,
    /// None: maximum likelihood
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MissingArg {
    /// Refuse rows with missing values
    Error,
    /// Replace them by the mean or the most frequent category
    Impute,
    /// Make them a category of their own; numbers are imputed
    Category,
}

/// A parameter and its value, as `name=value`.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedValue {
    pub name: String,
    pub value: f64,
}

impl FromStr for FixedValue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Names may hold an equals sign, as in l[a=b]; values cannot.
        let (name, value) = text.rsplit_once('=').ok_or("write it as name=value, for example v0=1.0")?;
        let value: f64 = value.trim().parse().map_err(|_| format!("'{}' is not a number", value.trim()))?;
        if !value.is_finite() {
            return Err("the value must be finite".to_owned());
        }
        Ok(FixedValue { name: name.trim().to_owned(), value })
    }
}

/// Which model.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Model")]
pub struct ModelArgs {
    /// Covariance; by default se, linear and their sum are compared
    #[arg(long, value_enum)]
    pub kernel: Option<KernelArg>,
    /// Likelihood; by default probit and robust are compared
    #[arg(long, value_enum)]
    pub likelihood: Option<LikelihoodArg>,
    /// Lengthscales
    #[arg(long, value_enum)]
    pub lengthscales: Option<LengthscalesArg>,
    /// Inference method
    #[arg(long, value_enum)]
    pub inference: Option<InferenceArg>,
    /// What learning maximises
    #[arg(long, value_enum)]
    pub objective: Option<ObjectiveArg>,
    /// Weight of recall in the F-measure: 0 is precision, 1 recall
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    pub zeta: Option<f64>,
    /// Cost of a false positive in units of a false negative
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub tau: Option<f64>,
    /// Hyperparameters held at a value, as name=value, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    pub fix: Vec<FixedValue>,
    /// Priors on the hyperparameters
    #[arg(long, value_enum)]
    pub priors: Option<PriorsArg>,
    /// What to do about missing values
    #[arg(long, value_enum)]
    pub on_missing: Option<MissingArg>,
    /// Take continuous columns as they are
    #[arg(long)]
    pub no_standardise: bool,
    /// TOML file with all of this; options on the command line win
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,
}

/// How to search.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Seed of random choices
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Further starts of every search
    #[arg(long, value_name = "N")]
    pub restarts: Option<usize>,
    /// Average predictions over the candidates instead of choosing one
    #[arg(long)]
    pub average: bool,
}

/// The spec that a file and options make.
pub fn spec(model: &ModelArgs, search: &SearchArgs, positive: Option<&str>) -> Result<Spec, CliError> {
    let mut spec = match &model.spec {
        Some(path) => read_spec(path)?,
        None => Spec::default(),
    };
    apply(&mut spec, model, search)?;
    if let Some(positive) = positive {
        spec.positive = Some(positive.to_owned());
    }
    Ok(spec)
}

fn apply(spec: &mut Spec, model: &ModelArgs, search: &SearchArgs) -> Result<(), CliError> {
    let fit = &mut spec.fit;
    if let Some(kernel) = model.kernel {
        fit.kernel = Some(kernel.family());
    }
    if let Some(likelihood) = model.likelihood {
        fit.likelihood = Some(likelihood.family());
    }
    if let Some(lengthscales) = model.lengthscales {
        fit.lengthscales = match lengthscales {
            LengthscalesArg::Single => Lengthscales::Single,
            LengthscalesArg::Ard => Lengthscales::Ard,
            LengthscalesArg::Auto => Lengthscales::Auto,
        };
    }
    if let Some(inference) = model.inference {
        fit.method = inference.method();
    }
    apply_objective(fit, model)?;
    match model.priors {
        Some(PriorsArg::Weak) => fit.priors = Priors::Weak,
        Some(PriorsArg::None) => fit.priors = Priors::None,
        None => {}
    }
    for FixedValue { name, value } in &model.fix {
        fit.fixed.retain(|(known, _)| known != name);
        fit.fixed.push((name.clone(), *value));
    }
    fit.seed = search.seed.unwrap_or(fit.seed);
    fit.restarts = search.restarts.unwrap_or(fit.restarts);
    fit.average |= search.average;
    if let Some(missing) = model.on_missing {
        spec.encoder.missing = match missing {
            MissingArg::Error => MissingPolicy::error(),
            MissingArg::Impute => MissingPolicy::impute(),
            MissingArg::Category => MissingPolicy::own_category(MissingContinuous::Impute),
        };
    }
    if model.no_standardise {
        spec.encoder.standardise = Standardise::No;
    }
    Ok(())
}

fn apply_objective(fit: &mut gpclass::learn::FitOptions, model: &ModelArgs) -> Result<(), CliError> {
    let ModelArgs { objective, zeta, tau, .. } = model;
    let needs = |given: bool, option: &str, objective: &str| match given {
        true => {
            Err(CliError::user(format!("{option} is only used with --objective {objective}; add that or leave it out")))
        }
        false => Ok(()),
    };
    if *objective != Some(ObjectiveArg::LooF) {
        needs(zeta.is_some(), "--zeta", "loo-f")?;
    }
    if *objective != Some(ObjectiveArg::LooWer) {
        needs(tau.is_some(), "--tau", "loo-wer")?;
    }
    let Some(objective) = objective else { return Ok(()) };
    fit.driver = Driver::Direct;
    fit.objective = match objective {
        ObjectiveArg::Evidence => Objective::Evidence,
        ObjectiveArg::Em => {
            fit.driver = Driver::EmEp { label_error: Default::default() };
            Objective::Evidence
        }
        ObjectiveArg::LooNlp => Objective::leave_one_out(Criterion::Nlp),
        ObjectiveArg::LooF => {
            let zeta = in_unit(zeta.unwrap_or(0.5), "--zeta")?;
            Objective::leave_one_out(Criterion::FMeasure { zeta })
        }
        ObjectiveArg::LooWer => {
            let tau = tau.unwrap_or(1.0);
            if !(tau.is_finite() && tau >= 0.0) {
                return Err(CliError::user(format!("--tau is {tau}; it must be finite and not negative")));
            }
            Objective::leave_one_out(Criterion::WeightedError { tau })
        }
        ObjectiveArg::LooAuc => Objective::leave_one_out(Criterion::Auc),
    };
    Ok(())
}

/// A number between 0 and 1.
pub fn in_unit(value: f64, option: &str) -> Result<f64, CliError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(CliError::user(format!("{option} is {value}; it must lie between 0 and 1")))
}

/// A spec from its TOML file; unknown keys are errors, for they are spelling mistakes.
pub fn read_spec(path: &Path) -> Result<Spec, CliError> {
    let file = path.display();
    let bytes = read_whole(path, "a spec", SPEC_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| CliError::user(format!("'{file}' is not UTF-8 text")))?;
    let mut unknown = Vec::new();
    let document = toml::Deserializer::parse(&text).map_err(|e| bad_spec(&file, &e))?;
    let spec: Spec =
        serde_ignored::deserialize(document, |key| unknown.push(key.to_string())).map_err(|e| bad_spec(&file, &e))?;
    match unknown.first() {
        Some(key) => Err(CliError::user(format!("the spec '{file}' has an unknown key '{key}'; correct or remove it"))),
        None => Ok(spec),
    }
}

fn bad_spec(file: &std::path::Display<'_>, error: &toml::de::Error) -> CliError {
    CliError::user(format!("the spec '{file}' cannot be read: {}", error.message()))
}
