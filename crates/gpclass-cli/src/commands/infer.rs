//! `gpclass infer`: everything that inference gives at given hyperparameters, for research and comparison.

use crate::args::{FixedValue, InferArgs};
use crate::cost::afford;
use crate::error::CliError;
use crate::labelled::Labelled;
use crate::rows::explain;
use crate::session::{Session, write_text};
use crate::show::json;
use gpclass::data::{
    Encoder, EncoderOptions, Feature, Inputs, LabelOptions, Labels, MissingPolicy, OneClass, Standardise, Table,
};
use gpclass::inference::Method;
use gpclass::kernel::{Kernel, KernelFamily, Scales};
use gpclass::learn::Cost;
use gpclass::likelihood::{Likelihood, LikelihoodFamily};
use gpclass::model::{InferenceResult, Model, TrainingData};
use gpclass::param::Param;
use gpclass_host::output::Plan;
use gpclass_table::KindOptions;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

pub(super) fn run(args: &InferArgs, session: &Session) -> Result<(), CliError> {
    let inputs = [&args.data].into_iter().chain(&args.test).map(PathBuf::as_path);
    Plan::reading(inputs).writing(Some(&args.output)).check()?;
    let data = Labelled::read(session, &args.data, &args.columns, &args.format)?;
    session.check()?;
    afford(
        session,
        "inference",
        Cost::of_inference(data.table.rows(), data.labels.distinct().max(2)),
        "end other programs",
    )?;
    let standardise = if args.standardise { Standardise::Yes } else { Standardise::No };
    let options = EncoderOptions { standardise, missing: MissingPolicy::error(), ..EncoderOptions::default() };
    let (encoder, _) = Encoder::fit(&data.table, &options).map_err(|e| data.explain(e))?;
    let (inputs, _) = encoder.encode(&data.table).map_err(|e| data.explain(e))?;
    let label_options =
        LabelOptions { positive: args.columns.positive.clone(), one_class: OneClass::Allow, ..LabelOptions::default() };
    let labels = Labels::fit(&data.labels, &label_options).map_err(|e| data.explain(e))?;
    let mut values = Values::new(&args.fix)?;
    let kernel = kernel(args.kernel, inputs.features(), &mut values)?;
    let likelihood = likelihood(args.likelihood, &mut values)?;
    values.all_used(&kernel, &likelihood)?;
    let method = method(args)?;
    let test = args.test.as_ref().map(|_| test_inputs(args, &encoder, session)).transpose()?;
    let training = TrainingData::weighted(inputs, &labels, data.weights.clone()).map_err(|e| data.explain(e))?;
    let fit =
        Model { method, ..Model::new(kernel, likelihood) }.infer_with(&Arc::new(training), None, session.interrupt());
    session.check()?;
    let fit = fit?;
    let result = InferenceResult::of(&fit, test.as_ref())?;
    write_text(&args.output, &json(&result)?)
}

fn method(args: &InferArgs) -> Result<Method, CliError> {
    if !(args.tolerance.is_finite() && args.tolerance > 0.0) {
        return Err(CliError::user(format!("--tolerance is {}; it must be positive", args.tolerance)));
    }
    Ok(match args.inference.clone() {
        Method::Ep(options) => Method::Ep(gpclass::inference::ep::EpOptions { tolerance: args.tolerance, ..options }),
        Method::Laplace(options) => {
            Method::Laplace(gpclass::inference::LaplaceOptions { tolerance: args.tolerance, ..options })
        }
        Method::LeastSquares(options) => Method::LeastSquares(options),
    })
}

/// The test rows, which may hold other columns beside the model's.
fn test_inputs(args: &InferArgs, encoder: &Encoder, session: &Session) -> Result<Inputs, CliError> {
    let Some(path) = &args.test else { return Err(CliError::user("there is no test table")) };
    let names: Vec<String> = encoder.features().iter().map(|f| f.name.clone()).collect();
    let reader = session.open(path, args.format.options(names.clone()))?;
    let known: HashSet<&String> = names.iter().collect();
    let others = reader.names().iter().filter(|name| !known.contains(name)).cloned().collect();
    let continuous = |f: &&Feature| f.kind == gpclass::data::FeatureKind::Continuous;
    let of_kind = |wanted: bool| {
        let found = encoder.features().iter().filter(|f| continuous(f) == wanted);
        found.map(|f| f.name.clone()).collect::<Vec<String>>()
    };
    let kinds = KindOptions { label: None, discrete: of_kind(false), continuous: of_kind(true), drop: others };
    let read = reader.read_all(&kinds)?;
    let places = read.places;
    Ok(encoder.encode(&Table::new(read.columns)?).map_err(|e| explain(&places, e))?.0)
}

/// The values given, each to be used once.
struct Values {
    given: BTreeMap<String, f64>,
    used: Vec<String>,
}

impl Values {
    fn new(fix: &[FixedValue]) -> Result<Self, CliError> {
        let mut given = BTreeMap::new();
        for FixedValue { name, value } in fix {
            if given.insert(name.clone(), *value).is_some() {
                return Err(CliError::user(format!("'{name}' is given twice in --fix; give it once")));
            }
        }
        Ok(Values { given, used: Vec::new() })
    }

    fn take(&mut self, name: &str) -> Option<f64> {
        self.used.push(name.to_owned());
        self.given.get(name).copied()
    }

    fn required(&mut self, name: &str) -> Result<f64, CliError> {
        let missing = || CliError::user(format!("the model needs a value for '{name}'; add {name}=... to --fix"));
        self.take(name).ok_or_else(missing)
    }

    fn all_used(&self, kernel: &Kernel, likelihood: &Likelihood) -> Result<(), CliError> {
        let Some(name) = self.given.keys().find(|name| !self.used.contains(name)) else { return Ok(()) };
        let params = kernel.params().into_iter().chain(likelihood.params());
        let known = params.map(|p| p.name).collect::<Vec<_>>().join(", ");
        Err(CliError::user(format!("this model has no parameter '{name}'; it has {known} and may have v1 and v2")))
    }

    /// Whether there is a value for one feature or for all.
    fn has_any(&self, letter: &str, features: &[Feature]) -> bool {
        let own = features.iter().enumerate().flat_map(|(m, feature)| feature_names(letter, m, feature));
        own.chain([letter.to_owned()]).any(|name| self.given.contains_key(&name))
    }

    /// One value for every feature: `l[name]` or `l3` before `l`.
    fn per_feature(&mut self, letter: &str, features: &[Feature]) -> Result<Vec<f64>, CliError> {
        let shared = self.take(letter);
        let mut values = Vec::with_capacity(features.len());
        for (m, feature) in features.iter().enumerate() {
            let [by_name, by_number] = feature_names(letter, m, feature);
            let own = self.take(&by_name).or(self.take(&by_number));
            let name = gpclass::data::Shown(&feature.name);
            values.push(own.or(shared).ok_or_else(|| {
                CliError::user(format!(
                    "the model needs a value of {letter} for column '{name}'; add {letter}=... for all columns or {letter}[{name}]=... to --fix"
                ))
            })?);
        }
        Ok(values)
    }
}

/// What a user may call the parameter of one feature.
fn feature_names(letter: &str, position: usize, feature: &Feature) -> [String; 2] {
    [Param::name_of_feature(letter, &feature.name), format!("{letter}{}", position + 1)]
}

/// The covariance as `--fix` has it; terms v1 and v2 that are absent or 0 do not exist.
fn kernel(family: KernelFamily, features: &[Feature], values: &mut Values) -> Result<Kernel, CliError> {
    let mut terms = signal(family, features, values)?;
    for (name, term) in [("v1", Kernel::bias as fn(f64) -> Kernel), ("v2", Kernel::noise)] {
        match values.take(name) {
            None | Some(0.0) => {}
            Some(value) => terms.push(term(value)),
        }
    }
    let mut kernel = Kernel::sum(terms);
    kernel.bind(features);
    Ok(kernel)
}

/// The terms that look at features.
fn signal(family: KernelFamily, features: &[Feature], values: &mut Values) -> Result<Vec<Kernel>, CliError> {
    let mut stationary = |make: fn(f64, Scales) -> Kernel| -> Result<Kernel, CliError> {
        let v0 = values.required("v0")?;
        Ok(make(v0, Scales::Ard(values.per_feature("l", features)?)))
    };
    Ok(match family {
        KernelFamily::SquaredExponential => vec![stationary(Kernel::squared_exponential)?],
        KernelFamily::Matern12 => vec![stationary(Kernel::matern12)?],
        KernelFamily::Matern32 => vec![stationary(Kernel::matern32)?],
        KernelFamily::Matern52 => vec![stationary(Kernel::matern52)?],
        KernelFamily::RationalQuadratic => {
            let v0 = values.required("v0")?;
            let l = Scales::Ard(values.per_feature("l", features)?);
            vec![Kernel::rational_quadratic(v0, values.required("alpha")?, l)]
        }
        KernelFamily::Linear => vec![Kernel::linear(linear_weights(features, values)?)],
        KernelFamily::SquaredExponentialLinear => {
            let smooth = stationary(Kernel::squared_exponential)?;
            vec![smooth, Kernel::linear(Scales::Ard(values.per_feature("w", features)?))]
        }
    })
}

/// One weight v0, or one w per feature.
fn linear_weights(features: &[Feature], values: &mut Values) -> Result<Scales, CliError> {
    match values.take("v0") {
        Some(v0) => Ok(Scales::Single(v0)),
        None if values.has_any("w", features) => Ok(Scales::Ard(values.per_feature("w", features)?)),
        None => Err(CliError::user("the linear kernel needs a value for 'v0'; add v0=... to --fix")),
    }
}

/// Every probit is the full one at given values, whose derivatives are then all known.
fn likelihood(family: LikelihoodFamily, values: &mut Values) -> Result<Likelihood, CliError> {
    let sigma = match family {
        LikelihoodFamily::Logistic => return Ok(Likelihood::logistic()),
        LikelihoodFamily::Step => 0.0,
        LikelihoodFamily::Probit
        | LikelihoodFamily::ProbitBias
        | LikelihoodFamily::ProbitNoise
        | LikelihoodFamily::Robust
        | LikelihoodFamily::Full => 1.0,
    };
    let eps = values.take("eps").unwrap_or(0.0);
    let b = values.take("b").unwrap_or(0.0);
    Ok(Likelihood::full(eps, b, values.take("sigma").unwrap_or(sigma))?)
}
