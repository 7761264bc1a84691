//! The names of every option: unique, read back by everything that reads them, the former ones too.

use gpclass::classifier::{Spec, vocabulary};
use gpclass::data::{InputView, MissingChoice, MissingContinuous, MissingPolicy, Standardise};
use gpclass::inference::Method;
use gpclass::kernel::{Kernel, KernelFamily, Scales};
use gpclass::learn::{FitOptions, Initial, Lengthscales, PathChoice, Prior, Priors, Search};
use gpclass::likelihood::LikelihoodFamily;
use gpclass::named::{Named, UnknownName};
use gpclass::objective::{Criterion, LooGradient, Objective};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use std::str::FromStr;

/// The lists as they were decided.
const NAMES: [(&str, &[&str]); 16] = [
    ("kernel", &["se", "matern12", "matern32", "matern52", "rq", "l1", "additive", "linear", "se+linear"]),
    (
        "likelihood",
        &["step", "probit", "probit-bias", "probit-noise", "robust", "robust-per-class", "full", "logistic"],
    ),
    ("inputs", &["standardised", "warped", "ranked"]),
    ("lengthscales", &["auto", "single", "ard"]),
    ("inference", &["ep", "ep-sequential", "adf", "laplace", "ls"]),
    ("objective", &["evidence", "loo-nlp", "loo-f", "loo-error", "loo-auc"]),
    ("search", &["direct", "em-ep", "em-ep-posterior", "em-ep-gradient", "ep-cv", "two-step"]),
    ("initial", &["heuristic", "emep-synthetic", "emep-real", "robust", "given"]),
    ("path", &["end", "loo-error", "loo-nlp"]),
    ("priors", &["weak", "none"]),
    ("multiclass", &["auto", "joint", "one-vs-rest", "exactly-one"]),
    ("class_kernels", &["shared", "own"]),
    ("combine", &["stack", "evidence", "best"]),
    ("sharpen", &["auto", "off"]),
    ("missing", &["auto", "error", "impute", "category", "impute+category"]),
    ("standardise", &["yes", "no"]),
];

#[test]
fn the_vocabulary_is_the_one_that_was_decided() {
    let found = vocabulary();
    let listed: Vec<(&str, Vec<&str>)> =
        found.iter().map(|o| (o.option, o.words.iter().map(|word| word.name).collect())).collect();
    assert_eq!(listed, NAMES.map(|(option, names)| (option, names.to_vec())));
    for option in found {
        let spellings: Vec<&str> = option.words.iter().flat_map(|w| w.also.iter().chain([&w.name])).copied().collect();
        let mut unique = spellings.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), spellings.len(), "{}", option.option);
        assert!(option.words.iter().all(|word| !word.about.is_empty() && !word.about.ends_with('.')));
    }
}

/// Every choice is read back from its name, from JSON of its name, and from its own JSON.
fn inverse<T>()
where
    T: Named + FromStr<Err = UnknownName> + Serialize + DeserializeOwned + PartialEq + Debug,
{
    for choice in T::all() {
        let word = choice.word();
        for name in word.also.iter().chain([&word.name]) {
            assert_eq!(name.parse::<T>().unwrap(), choice);
        }
        let text = serde_json::to_string(&choice).unwrap();
        assert!(text.contains(&format!("\"{}\"", word.name)), "{text}");
        assert_eq!(serde_json::from_str::<T>(&text).unwrap(), choice);
        assert_eq!(serde_json::from_str::<T>(&format!("\"{}\"", word.name)).unwrap(), choice);
    }
    let error = serde_json::from_str::<T>("\"nonsense\"").unwrap_err().to_string();
    assert!(T::words().iter().all(|word| error.contains(word.name)), "{error}");
}

#[test]
fn names_and_choices_are_inverse() {
    inverse::<KernelFamily>();
    inverse::<LikelihoodFamily>();
    inverse::<InputView>();
    inverse::<Lengthscales>();
    inverse::<Method>();
    inverse::<Objective>();
    inverse::<Search>();
    inverse::<Initial>();
    inverse::<PathChoice>();
    inverse::<Priors>();
    inverse::<MissingChoice>();
    inverse::<Standardise>();
}

#[test]
fn a_slip_is_answered_by_the_nearest_name_and_the_list() {
    let error = "probit-bais".parse::<LikelihoodFamily>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "likelihood is 'probit-bais' (did you mean 'probit-bias'?); it must be one of step, probit, probit-bias, \
         probit-noise, robust, robust-per-class, full, logistic"
    );
    let error = "\u{1b}[31m".parse::<Lengthscales>().unwrap_err();
    assert_eq!(error.to_string(), "lengthscales is '\\u{1b}[31m'; it must be one of auto, single, ard");
}

fn read<T: DeserializeOwned>(json: &str) -> T {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

#[test]
fn parameters_stand_below_the_name() {
    let f = Objective::leave_one_out(Criterion::FMeasure { zeta: 0.3 });
    assert_eq!(serde_json::to_string(&f).unwrap(), r#"{"loo-f":{"zeta":0.3}}"#);
    assert_eq!(
        read::<Objective>(r#"{"loo-error":{"tau":2}}"#),
        Objective::leave_one_out(Criterion::WeightedError { tau: 2.0 })
    );
    let held = Objective::LeaveOneOut { criterion: Criterion::Nlp, gradient: LooGradient::FixedSites };
    assert_eq!(serde_json::to_string(&held).unwrap(), r#"{"loo-nlp":{"gradient":"fixed-sites"}}"#);
    assert_eq!(read::<Objective>(r#"{"loo-nlp":{"gradient":"fixed-sites"}}"#), held);
    assert_eq!(serde_json::to_string(&Search::TwoStep { zeta: 0.7 }).unwrap(), r#"{"two-step":{"zeta":0.7}}"#);
    let Method::Ep(options) = read::<Method>(r#"{"ep-sequential":{"tolerance":0.5}}"#) else { panic!("not EP") };
    assert_eq!((options.schedule, options.tolerance), (gpclass::inference::ep::Schedule::Sequential, 0.5));
    for bad in [
        r#"{"evidence":{"zeta":0.3}}"#,
        r#"{"loo-nlp":{"zeta":0.3}}"#,
        r#"{"loo-f":{"tau":0.3}}"#,
        r#"{"loo-error":{"zeta":0.3}}"#,
        r#"{"loo-f":{"zeta":1.5}}"#,
        r#"{"loo-f":{},"evidence":{}}"#,
        "{}",
        "3",
    ] {
        assert!(serde_json::from_str::<Objective>(bad).is_err(), "{bad}");
    }
    assert!(serde_json::from_str::<Search>(r#"{"two-step":{"zeta":-1}}"#).is_err());
}

#[test]
fn former_spellings_are_read() {
    assert_eq!(read::<KernelFamily>(r#""squared_exponential_linear""#), KernelFamily::SquaredExponentialLinear);
    for (former, name) in [
        (r#"{"ep":{"schedule":"two_level"}}"#, "ep"),
        (r#"{"ep":{"schedule":"sequential"}}"#, "ep-sequential"),
        (r#"{"ep":{"schedule":"one_pass"}}"#, "adf"),
        (r#"{"least_squares":{"noise":0.3}}"#, "ls"),
    ] {
        assert_eq!(read::<Method>(former).name(), name);
    }
    for (former, name) in [
        (r#"{"em_ep":{"label_error":"count"}}"#, "em-ep"),
        (r#"{"em_ep":{"label_error":"posterior"}}"#, "em-ep-posterior"),
        (r#"{"em_ep":{"label_error":"gradient"}}"#, "em-ep-gradient"),
        (r#""ep_cv""#, "ep-cv"),
        (r#"{"two_step":{"zeta":0.5}}"#, "two-step"),
    ] {
        assert_eq!(read::<Search>(former).name(), name);
    }
    for (former, criterion) in [
        (r#""nlp""#, Criterion::Nlp),
        (r#"{"f_measure":{"zeta":0.3}}"#, Criterion::FMeasure { zeta: 0.3 }),
        (r#"{"weighted_error":{"tau":2.0}}"#, Criterion::WeightedError { tau: 2.0 }),
        (r#""auc""#, Criterion::Auc),
    ] {
        for (spelt, gradient) in [("exact", LooGradient::Exact), ("fixed_sites", LooGradient::FixedSites)] {
            let text = format!(r#"{{"leave_one_out":{{"criterion":{former},"gradient":"{spelt}"}}}}"#);
            assert_eq!(read::<Objective>(&text), Objective::LeaveOneOut { criterion, gradient });
        }
    }
    let prior = r#"{"custom":[["v0",{"log_normal":{"median":2.0,"sd":0.5}}],["l",null]]}"#;
    let custom = vec![("v0".to_owned(), Some(Prior::LogNormal { median: 2.0, sd: 0.5 })), ("l".to_owned(), None)];
    assert_eq!(read::<Priors>(prior), Priors::Custom(custom));
    let own = MissingPolicy::own_category(MissingContinuous::Impute);
    assert_eq!(read::<MissingPolicy>(r#"{"continuous":"impute","discrete":"own_category"}"#), own);
    assert_eq!(serde_json::to_string(&own).unwrap(), r#""impute+category""#);
    let fit: FitOptions = read(r#"{"method":{"laplace":{}},"driver":"ep_cv","path":"loo_nlp","initial":"emep_real"}"#);
    assert_eq!((fit.method.name(), fit.search, fit.path), ("laplace", Search::EpCv, PathChoice::LooNlp));
    assert_eq!(fit.initial, Initial::EmepReal);
}

#[test]
fn a_policy_for_missing_values_without_a_name_is_a_table() {
    let policy = MissingPolicy { continuous: MissingContinuous::Impute, ..MissingPolicy::error() };
    let text = serde_json::to_string(&policy).unwrap();
    assert_eq!(text, r#"{"continuous":"impute","discrete":"error"}"#);
    assert_eq!(read::<MissingPolicy>(&text), policy);
    assert!(serde_json::from_str::<MissingPolicy>(r#"{"numbers":"impute"}"#).is_err());
}

#[test]
fn stored_kernels_have_the_names_of_their_families() {
    for family in KernelFamily::ALL {
        let kernel = family.kernel(Scales::Single(0.5));
        let text = serde_json::to_string(&kernel).unwrap();
        let leaf = family.name().split('+').next().unwrap();
        assert!(text.contains(&format!("\"{leaf}\"")), "{text}");
        assert_eq!(read::<Kernel>(&text), kernel);
        let former = text.replace("\"se\"", "\"squared_exponential\"").replace("\"rq\"", "\"rational_quadratic\"");
        assert_eq!(read::<Kernel>(&former), kernel);
    }
}

#[test]
fn a_spec_of_nothing_but_names_is_complete() {
    for option in vocabulary() {
        let table = if ["missing", "standardise"].contains(&option.option) { "encoder" } else { "fit" };
        for word in option.words {
            let text = format!(r#"{{"{table}":{{"{}":"{}"}}}}"#, option.option, word.name);
            let written = serde_json::to_value(read::<Spec>(&text)).unwrap();
            let value = &written[table][option.option];
            let name = value.as_str().map(str::to_owned).or_else(|| Some(value.as_object()?.keys().next()?.clone()));
            assert_eq!(name.as_deref(), Some(word.name));
        }
    }
}
