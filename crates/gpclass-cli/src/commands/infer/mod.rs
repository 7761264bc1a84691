//! `gpclass infer`: everything that inference gives at given hyperparameters, for research and comparison.

mod kernel;
mod values;

use crate::args::{InferArgs, InferLikelihood};
use crate::cost::afford;
use crate::error::CliError;
use crate::labelled::Labelled;
use crate::rows::explain;
use crate::session::{Session, write_text};
use crate::show::json;
use gpclass::data::{
    ClassNames, ColumnKind, Encoder, EncoderOptions, Feature, Inputs, LabelOptions, Labels, MissingPolicy, OneClass,
    Standardise, Table,
};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::learn::Cost;
use gpclass::likelihood::{Likelihood, LikelihoodFamily};
use gpclass::model::{ClassInferenceResult, InferenceResult, Model, ModelError, Multiclass, Refinement, TrainingData};
use gpclass::named::Named;
use gpclass::prior::Inducing;
use gpclass_host::output::Plan;
use gpclass_table::KindOptions;
use kernel::Wanted;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use values::Values;

pub(super) fn run(args: &InferArgs, session: &Session) -> Result<(), CliError> {
    let inputs = [&args.data].into_iter().chain(&args.test).chain(&args.inducing).map(PathBuf::as_path);
    Plan::reading(inputs).writing(Some(&args.output)).check()?;
    let data = Labelled::read(session, &args.data, &args.columns, &args.format, None)?;
    session.check()?;
    let labels = labels(args, &data)?;
    let standardise = if args.standardise { Standardise::Yes } else { Standardise::No };
    let missing = MissingPolicy::error();
    let mut options = EncoderOptions { standardise, missing, leave_out_ids: false, ..EncoderOptions::default() };
    args.columns.apply(&mut options)?;
    let (encoder, _) = Encoder::fit(&data.table, &options).map_err(|e| data.explain(e))?;
    let (inputs, _) = encoder.encode(&data.table).map_err(|e| data.explain(e))?;
    let form = match Form::of(args, labels.classes().len())? {
        Form::Joint
            if args.inducing.is_some() && args.multiclass == Multiclass::Auto && !args.likelihood.is_joint() =>
        {
            Form::OneVsRest
        }
        form => form,
    };
    let model = model(args, form, inputs.features(), labels.classes())?;
    let rows_of = |path: &PathBuf| other_rows(path, args, &encoder, session);
    let test = args.test.as_ref().map(rows_of).transpose()?;
    let inducing = match &args.inducing {
        Some(path) => Some(Inducing::new(rows_of(path)?, args.jitter)),
        None => None,
    };
    let (rows, classes) = (data.table.rows(), labels.classes().len());
    let cost = match &inducing {
        Some(inducing) => Cost::of_sparse_inference(rows, inducing.rows.rows(), classes),
        None => Cost::of_inference(rows, classes),
    };
    afford(session, "inference", cost, "end other programs")?;
    let training = TrainingData::weighted(inputs, &labels, data.weights.clone()).map_err(|e| data.explain(e))?;
    let (training, interrupt) = (Arc::new(training), session.interrupt());
    let fit = match &inducing {
        Some(inducing) => {
            let refinement = args.refine.map(|neighbours| Refinement { neighbours });
            model.infer_sparse(&training, inducing, refinement, None, interrupt)
        }
        None => model.infer_with(&training, None, interrupt),
    };
    session.check()?;
    let fit = fit.map_err(|e| data.explain(e))?;
    let result = match form {
        Form::Binary => json(&InferenceResult::of(&fit, test.as_ref())?)?,
        Form::Joint | Form::OneVsRest => json(&ClassInferenceResult::of(&fit, labels.classes(), test.as_ref())?)?,
    };
    write_text(&args.output, &result)
}

/// The model that the options describe.
fn model(args: &InferArgs, form: Form, features: &[Feature], classes: &ClassNames) -> Result<Model, CliError> {
    let mut values = Values::new(&args.fix)?;
    let classes = (form != Form::Binary).then_some(classes);
    let kernel = Wanted { family: args.kernel, features, classes }.kernel(&mut values)?;
    let family = family(args.likelihood);
    let likelihood = match form {
        Form::Joint => joint_likelihood(family, &mut values)?,
        Form::Binary | Form::OneVsRest => binary_likelihood(family, &mut values)?,
    };
    values.all_used(kernel.params().into_iter().chain(likelihood.params()))?;
    Ok(Model { kernel, likelihood, method: method(args, family, form)?, multiclass: form.multiclass(args.multiclass) })
}

fn labels(args: &InferArgs, data: &Labelled) -> Result<Labels, CliError> {
    let labels = if args.classes.is_empty() {
        let (positive, one_class) = (args.columns.positive.clone(), OneClass::Allow);
        Labels::fit(&data.labels, &LabelOptions { positive, one_class })
    } else {
        ClassNames::new(args.classes.clone()).and_then(|classes| Labels::encode(&data.labels, &classes))
    };
    labels.map_err(|e| data.explain(e))
}

/// What is inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One function for two classes.
    Binary,
    /// One for every class, all together.
    Joint,
    /// One for every class against the rest.
    OneVsRest,
}

impl Form {
    fn of(args: &InferArgs, classes: usize) -> Result<Self, CliError> {
        let together = args.likelihood.is_joint();
        match args.multiclass {
            asked if together && asked.is_against_rest() => Err(CliError::user(format!(
                "--likelihood {} is of all classes together, which --multiclass {asked} is not; leave that out or use \
                 --likelihood {}",
                args.likelihood.word().name,
                family(args.likelihood)
            ))),
            Multiclass::Joint => Ok(Form::Joint),
            _ if together => Ok(Form::Joint),
            _ if classes == 2 => Ok(Form::Binary),
            Multiclass::Auto => Ok(Form::Joint),
            Multiclass::OneVsRest | Multiclass::ExactlyOne => Ok(Form::OneVsRest),
        }
    }

    /// What a model is told, where this was asked for.
    fn multiclass(self, asked: Multiclass) -> Multiclass {
        match self {
            Form::Binary => Multiclass::Auto,
            Form::Joint => Multiclass::Joint,
            Form::OneVsRest if asked.is_against_rest() => asked,
            Form::OneVsRest => Multiclass::OneVsRest,
        }
    }
}

/// The likelihood by the name that it has for two classes.
fn family(likelihood: InferLikelihood) -> LikelihoodFamily {
    match likelihood {
        InferLikelihood::Family(family) => family,
        InferLikelihood::MultinomialProbit => LikelihoodFamily::Probit,
        InferLikelihood::Softmax => LikelihoodFamily::Logistic,
    }
}

fn method(args: &InferArgs, family: LikelihoodFamily, form: Form) -> Result<Method, CliError> {
    let tolerance = args.tolerance;
    if !(tolerance.is_finite() && tolerance > 0.0) {
        return Err(CliError::user(format!("--tolerance is {tolerance}; it must be positive")));
    }
    let softmax = form == Form::Joint && family == LikelihoodFamily::Logistic;
    let usual = || if softmax { Method::Laplace(LaplaceOptions::default()) } else { Method::default() };
    Ok(match args.inference.clone().unwrap_or_else(usual) {
        Method::Ep(options) => Method::Ep(EpOptions { tolerance, ..options }),
        Method::Laplace(options) => Method::Laplace(LaplaceOptions { tolerance, ..options }),
        Method::LeastSquares(options) => Method::LeastSquares(options),
    })
}

/// Test rows or inducing rows, which may hold other columns beside the model's.
fn other_rows(path: &Path, args: &InferArgs, encoder: &Encoder, session: &Session) -> Result<Inputs, CliError> {
    let names: Vec<String> = encoder.read_columns().map(|column| column.name.clone()).collect();
    let reader = session.open(path, args.format.options(names.clone()))?;
    let known: HashSet<&String> = names.iter().collect();
    let others = reader.names().iter().filter(|name| !known.contains(name)).cloned().collect();
    let of_kind = |kind: ColumnKind| {
        let found = encoder.read_columns().filter(|column| column.column_kind() == Some(kind));
        found.map(|column| column.name.clone()).collect::<Vec<String>>()
    };
    let (discrete, continuous) = (of_kind(ColumnKind::Discrete), of_kind(ColumnKind::Continuous));
    let kinds = KindOptions { label: None, discrete, continuous, drop: others };
    let read = reader.read_all(&kinds)?;
    let places = read.places;
    Ok(encoder.encode(&Table::new(read.columns)?).map_err(|e| explain(&places, e))?.0)
}

/// Every binary probit is the full one at given values, whose derivatives are then all known.
fn binary_likelihood(family: LikelihoodFamily, values: &mut Values) -> Result<Likelihood, CliError> {
    let sigma = match family {
        LikelihoodFamily::Logistic => return Ok(Likelihood::logistic()),
        LikelihoodFamily::Step => 0.0,
        LikelihoodFamily::RobustPerClass => {
            let mut error = |name: &str| values.take(name).unwrap_or(0.0);
            let (of_negatives, of_positives) = (error("eps_negative"), error("eps_positive"));
            return Ok(Likelihood::robust_per_class(of_negatives, of_positives)?);
        }
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

/// The likelihoods that are known for several classes at once.
fn joint_likelihood(family: LikelihoodFamily, values: &mut Values) -> Result<Likelihood, CliError> {
    match family {
        LikelihoodFamily::Logistic => Ok(Likelihood::logistic()),
        LikelihoodFamily::Probit | LikelihoodFamily::Robust => match values.take("eps") {
            None | Some(0.0) => Ok(Likelihood::probit()),
            Some(eps) => Ok(Likelihood::robust(eps)?),
        },
        LikelihoodFamily::Step
        | LikelihoodFamily::ProbitBias
        | LikelihoodFamily::ProbitNoise
        | LikelihoodFamily::RobustPerClass
        | LikelihoodFamily::Full => Err(ModelError::NotJoint { likelihood: family.name() }.into()),
    }
}
