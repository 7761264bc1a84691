//! Options about models, and the spec they make.

use super::ColumnArgs;
use super::named::named;
use crate::error::CliError;
use clap::Args;
use gpclass::classifier::Spec;
use gpclass::data::{InputView, MissingChoice, Standardise};
use gpclass::inference::Method;
use gpclass::learn::{
    ClassKernels, Combine, FitOptions, Initial, KernelFamily, Lengthscales, LikelihoodFamily, PathChoice, Priors,
    Search, Sharpen,
};
use gpclass::model::Multiclass;
use gpclass::objective::{Criterion, Objective};
use gpclass_host::input::{SPEC_BYTES, read_whole};
use std::path::{Path, PathBuf};
use std::str::FromStr;

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
    /// Covariance; by default several predict together
    #[arg(long, value_parser = named::<KernelFamily>())]
    pub kernel: Option<KernelFamily>,
    /// Likelihood; by default probit and robust predict together
    #[arg(long, value_parser = named::<LikelihoodFamily>())]
    pub likelihood: Option<LikelihoodFamily>,
    /// How models see numbers; by default in several ways, or standardised where a kernel is named
    #[arg(long, value_parser = named::<InputView>())]
    pub inputs: Option<InputView>,
    /// Lengthscales
    #[arg(long, value_parser = named::<Lengthscales>())]
    pub lengthscales: Option<Lengthscales>,
    /// Inference method
    #[arg(long, value_parser = named::<Method>())]
    pub inference: Option<Method>,
    /// How three or more classes are modelled
    #[arg(long, value_parser = named::<Multiclass>())]
    pub multiclass: Option<Multiclass>,
    /// Whether three or more classes share their hyperparameters
    #[arg(long, value_parser = named::<ClassKernels>())]
    pub class_kernels: Option<ClassKernels>,
    /// What learning maximises
    #[arg(long, value_parser = named::<Objective>())]
    pub objective: Option<Objective>,
    /// Weight of recall in the F-measure of loo-f and two-step: 0 is precision, 1 recall
    #[arg(long, value_name = "Z", allow_negative_numbers = true)]
    pub zeta: Option<f64>,
    /// Cost of a false positive in loo-error, in units of a false negative
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub tau: Option<f64>,
    /// Hyperparameters held at a value, as name=value, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    pub fix: Vec<FixedValue>,
    /// Priors on the hyperparameters
    #[arg(long, value_parser = named::<Priors>())]
    pub priors: Option<Priors>,
    /// What to do about missing values
    #[arg(long, value_parser = named::<MissingChoice>())]
    pub on_missing: Option<MissingChoice>,
    /// Take continuous columns as they are
    #[arg(long)]
    pub no_standardise: bool,
    /// Learn from all rows at once, however many they are
    #[arg(long, conflicts_with_all = ["inducing", "neighbours"])]
    pub exact: bool,
    /// How many rows stand for all; by default 400 where there are more than 5000 rows
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(1..))]
    pub inducing: Option<u32>,
    /// Where some rows stand for all: nearest rows with which every prediction is refined, 0 for none; by default 64
    #[arg(long, value_name = "ROWS")]
    pub neighbours: Option<u32>,
    /// TOML file with all of this; options on the command line win
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,
}

/// How to search.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// How hyperparameters are found
    #[arg(long, value_parser = named::<Search>())]
    pub search: Option<Search>,
    /// Where hyperparameters start
    #[arg(long, value_parser = named::<Initial>())]
    pub initial: Option<Initial>,
    /// Which point of a search becomes the model
    #[arg(long, value_parser = named::<PathChoice>())]
    pub path: Option<PathChoice>,
    /// Seed of random choices
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Further starts of every search
    #[arg(long, value_name = "N")]
    pub restarts: Option<usize>,
    /// What becomes of several candidates
    #[arg(long, value_parser = named::<Combine>())]
    pub combine: Option<Combine>,
    /// Whether the mixture of a stack is made bolder or more cautious
    #[arg(long, value_parser = named::<Sharpen>())]
    pub sharpen: Option<Sharpen>,
    /// Learn no longer than this, and take the best so far
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time: Option<f64>,
}

/// The spec that a file and options make.
pub fn spec(model: &ModelArgs, search: &SearchArgs, columns: &ColumnArgs) -> Result<Spec, CliError> {
    let mut spec = match &model.spec {
        Some(path) => read_spec(path)?,
        None => Spec::default(),
    };
    apply(&mut spec, model, search)?;
    apply_columns(&mut spec, columns)?;
    Ok(spec)
}

/// What the options say about columns and classes, in a spec of whatever origin.
pub fn apply_columns(spec: &mut Spec, columns: &ColumnArgs) -> Result<(), CliError> {
    columns.apply(&mut spec.encoder)?;
    spec.positive = columns.positive.clone().or(spec.positive.take());
    Ok(())
}

fn apply(spec: &mut Spec, model: &ModelArgs, search: &SearchArgs) -> Result<(), CliError> {
    let fit = &mut spec.fit;
    fit.kernel = model.kernel.or(fit.kernel);
    fit.likelihood = model.likelihood.or(fit.likelihood);
    fit.inputs = model.inputs.or(fit.inputs);
    fit.lengthscales = model.lengthscales.unwrap_or(fit.lengthscales);
    if let Some(inference) = &model.inference {
        fit.method = inference.clone();
    }
    fit.multiclass = model.multiclass.unwrap_or(fit.multiclass);
    fit.class_kernels = model.class_kernels.unwrap_or(fit.class_kernels);
    if let Some(priors) = &model.priors {
        fit.priors = priors.clone();
    }
    fit.many_rows.exact |= model.exact;
    fit.many_rows.inducing = model.inducing.map(|rows| rows as usize).or(fit.many_rows.inducing);
    fit.many_rows.neighbours = model.neighbours.map(|rows| rows as usize).or(fit.many_rows.neighbours);
    for FixedValue { name, value } in &model.fix {
        fit.fixed.retain(|(known, _)| known != name);
        fit.fixed.push((name.clone(), *value));
    }
    fit.objective = model.objective.unwrap_or(fit.objective);
    fit.search = search.search.unwrap_or(fit.search);
    apply_parameters(fit, model)?;
    fit.initial = search.initial.unwrap_or(fit.initial);
    fit.path = search.path.unwrap_or(fit.path);
    fit.seed = search.seed.unwrap_or(fit.seed);
    fit.restarts = search.restarts.unwrap_or(fit.restarts);
    fit.combine = search.combine.unwrap_or(fit.combine);
    fit.sharpen = search.sharpen.unwrap_or(fit.sharpen);
    fit.time_budget = search.time.or(fit.time_budget);
    if let Some(missing) = model.on_missing {
        spec.encoder.missing = missing.into();
    }
    if model.no_standardise {
        spec.encoder.standardise = Standardise::No;
    }
    Ok(())
}

/// Gives objective and search the parameters on the command line, which they must have.
fn apply_parameters(fit: &mut FitOptions, model: &ModelArgs) -> Result<(), CliError> {
    let unused = |option: &str, user: &str| {
        Err(CliError::user(format!("{option} is only used with {user}; add that or leave it out")))
    };
    if let Some(zeta) = model.zeta {
        let zeta = in_unit(zeta, "--zeta")?;
        match (&mut fit.search, &mut fit.objective) {
            (Search::TwoStep { zeta: own }, _) => *own = zeta,
            (_, Objective::LeaveOneOut { criterion: Criterion::FMeasure { zeta: own }, .. }) => *own = zeta,
            _ => return unused("--zeta", "--objective loo-f or --search two-step"),
        }
    }
    if let Some(tau) = model.tau {
        if !(tau.is_finite() && tau >= 0.0) {
            return Err(CliError::user(format!("--tau is {tau}; it must be finite and not negative")));
        }
        match &mut fit.objective {
            Objective::LeaveOneOut { criterion: Criterion::WeightedError { tau: own }, .. } => *own = tau,
            _ => return unused("--tau", "--objective loo-error"),
        }
    }
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
