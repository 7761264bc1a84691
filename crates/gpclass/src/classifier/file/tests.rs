//! Files that someone has changed, with a checksum that fits.

use super::sections::Section;
use super::*;
use crate::data::{Class, Column, Inputs, LabelValues, Sign, Table};
use crate::evaluate::ClassDetails;
use crate::inference::Method;
use crate::inference::ep::EpOptions;
use crate::inference::{LaplaceOptions, LeastSquaresOptions};
use crate::kernel::{Kernel, Scales};
use crate::learn::{Control, FitOptions, KernelFamily, Lengthscales, LikelihoodFamily};
use crate::likelihood::Likelihood;
use crate::model::Probabilities;
use gpclass_linalg::Mat;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Twenty rows on a line, two labels wrong.
static STORED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let x: Vec<f64> = (0..20).map(|i| f64::from(i) / 4.0).collect();
    let up = |i: usize| (x[i] > 2.4) != [3, 15].contains(&i);
    let labels = LabelValues::text((0..20).map(|i| if up(i) { "up" } else { "down" }));
    let table = Table::new(vec![Column::continuous("x", x.clone())]).unwrap();
    let (kernel, likelihood) = (Some(KernelFamily::SquaredExponential), Some(LikelihoodFamily::Robust));
    let fit = FitOptions { kernel, likelihood, lengthscales: Lengthscales::Single, ..FitOptions::default() };
    let spec = Spec { fit, ..Spec::default() };
    Classifier::fit(&table, &labels, None, &spec, &Control::default()).unwrap().to_bytes()
});

/// A file as it may be changed.
struct Content {
    header: Header,
    sections: Vec<Section<'static>>,
}

impl Content {
    fn numbers(&mut self, name: &str, change: impl FnOnce(&mut [f64])) {
        let section = self.sections.iter_mut().find(|section| section.name == name).unwrap();
        let mut numbers = columns::numbers(&section.content, 20, "posteriors").unwrap();
        change(&mut numbers);
        section.content = Cow::Owned(columns::bytes_of(&numbers));
    }

    fn add(&mut self, name: &str, required: bool) {
        self.sections.push(Section { name: name.to_owned(), required, content: Cow::Owned(vec![1, 2, 3]) });
    }
}

fn changed(change: impl FnOnce(&mut Content)) -> Result<Classifier, ModelFileError> {
    let sections = Sections::open(&STORED).unwrap();
    let header = ciborium::from_reader(sections.required("header").unwrap()).unwrap();
    let mut content = Content { header, sections: sections.found };
    change(&mut content);
    let mut writer = Writer::new();
    let mut cbor = Vec::new();
    ciborium::into_writer(&content.header, &mut cbor).unwrap();
    for Section { name, required, content } in &content.sections {
        writer.section(name, *required, if name == "header" { &cbor } else { content });
    }
    read(&writer.finish())
}

/// The change is refused with a sentence that contains these words.
fn refused(words: &str, change: impl FnOnce(&mut Content)) {
    let sentence = match changed(change) {
        Err(error) => error.to_string(),
        Ok(_) => "nothing".to_owned(),
    };
    assert!(sentence.contains(words), "{words}: {sentence}");
}

#[test]
fn unchanged_content_is_read() {
    assert_eq!(changed(|_| ()).unwrap().to_bytes(), *STORED);
}

/// Earlier versions told what the prior makes of the features.
#[test]
fn relevances_without_standard_errors_are_found_anew() {
    let older = changed(|c| {
        let relevance = &mut c.header.summary.relevances[0];
        (relevance.effect, relevance.error) = (7.0, f64::NAN);
    });
    assert_eq!(older.unwrap().to_bytes(), *STORED);
    refused("the standard error of an effect is -1", |c| c.header.summary.relevances[0].error = -1.0);
}

#[test]
fn columns_follow_from_each_other() {
    refused("alpha of row 4 does not follow", |c| c.numbers("alpha/0", |alpha| alpha[3] *= 1.001));
    refused("alpha of row 1 does not follow", |c| c.numbers("nu/0", |nu| nu[0] += 0.1));
    refused("of row 20 does not follow", |c| c.numbers("mean/0", |mean| mean[19] += 0.1));
    refused("of row 2 does not follow", |c| c.numbers("tau/0", |tau| tau[1] *= 1.01));
    refused("slack of row 7 does not follow", |c| c.numbers("slack/0", |slack| slack[6] += 1e-4));
    refused("slack of row 7 does not follow", |c| c.numbers("var/0", |var| var[6] *= 1.01));
}

#[test]
fn numbers_have_their_ranges() {
    refused("a variance is -1", |c| c.numbers("var/0", |var| var[0] = -1.0));
    for bad in [f64::NAN, f64::INFINITY] {
        for column in columns::NAMES {
            refused("a number is", |c| c.numbers(&columns::section(column, 0), |column| column[5] = bad));
        }
        refused("observation variance is", |c| c.header.members[0].observation_var = bad);
        refused("log evidence is", |c| c.header.members[0].log_z = bad);
        refused("jitter is", |c| c.header.members[0].report.jitter = bad);
        refused("an effect is", |c| c.header.summary.relevances[0].effect = bad);
        refused("a hyperparameter is", |c| c.header.summary.hyperparameters[0].value = bad);
    }
    refused("observation variance is -1", |c| c.header.members[0].observation_var = -1.0);
    refused("jitter is -1", |c| c.header.members[0].report.jitter = -1.0);
    refused("residual is NaN", |c| c.header.members[0].report.residual = f64::NAN);
    refused("wrong label is 1.5", |c| c.header.summary.suspects.probability[2] = 1.5);
    refused("share of an effect is -0.1", |c| c.header.summary.relevances[0].share = -0.1);
    refused("share of a candidate is 2", |c| c.header.summary.candidates[0].weight = 2.0);
    refused("error of a candidate is 7", |c| c.header.summary.candidates[0].loo_error = 7.0);
    refused("error is -1", |c| c.header.summary.loo.error.value = -1.0);
    refused("probability", |c| c.header.summary.loo_probability = Probabilities::of_positive(vec![1.5; 20]));
}

#[test]
fn hyperparameters_are_within_their_domains() {
    for bad in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        refused("kernel parameter", |c| {
            let kernel = &mut c.header.members[0].model.kernel;
            let mut values: Vec<f64> = kernel.params().iter().map(|p| p.value).collect();
            values[1] = bad;
            kernel.set_values(&values);
        });
    }
    refused("below 1/2", |c| c.header.members[0].model.likelihood.set_values(&[0.7, 0.0, 1.0]));
}

#[test]
fn counts_agree_with_each_other() {
    let contradict = "its counts contradict each other";
    refused(contradict, |c| c.header.rows = 19);
    refused("more than", |c| c.header.rows = usize::MAX);
    refused("3 latent functions", |c| c.header.functions = 3);
    refused(contradict, |c| c.header.summary.classes[1].class = "other".to_owned());
    refused("counts them otherwise", |c| c.header.summary.classes[1].rows += 1);
    refused(contradict, |c| c.header.summary.suspects.probability.truncate(3));
    refused(contradict, |c| c.header.summary.candidates.iter_mut().for_each(|candidate| candidate.chosen = false));
    refused(contradict, |c| c.header.members[0].weight = 0.5);
    refused(contradict, |c| c.header.members[0].report.negative_sites = 21);
    refused(contradict, |c| c.header.members.clear());
    let details = ClassDetails { confusion: serde_json::from_str("[[20.0]]").unwrap(), each: Vec::new() };
    refused(contradict, |c| c.header.summary.loo.classes = Some(details.clone()));
    refused("3 are due", |c| c.header.classes = ClassNames::new(["a", "b", "c"]).unwrap());
}

/// A power that only one place tells, or that is none. Files from before there was one have neither.
#[test]
fn the_power_of_the_mixture_is_told_twice() {
    let add = |c: &mut Content, power: f64| {
        let content = Cow::Owned(columns::bytes_of(&[power]));
        c.sections.push(Section { name: sharpness::SECTION.to_owned(), required: true, content });
    };
    refused("it is 1 where the summary says 2", |c| c.header.summary.sharpness = 2.0);
    refused("it is 2 where the summary says 1", |c| add(c, 2.0));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        refused("sharpness", |c| {
            add(c, bad);
            c.header.summary.sharpness = bad;
        });
    }
    let both = changed(|c| {
        add(c, 2.0);
        c.header.summary.sharpness = 2.0;
    });
    assert_eq!(both.unwrap().sharpness(), 2.0);
}

#[test]
fn labels_are_classes_of_the_model() {
    let labels = |c: &mut Content, code: u16| {
        let section = c.sections.iter_mut().find(|section| section.name == "labels").unwrap();
        section.content.to_mut()[..2].copy_from_slice(&code.to_le_bytes());
    };
    refused("none of the 2 classes", |c| labels(c, 2));
    refused("none of the 2 classes", |c| labels(c, 256));
    refused("bytes for 20 rows", |c| {
        c.sections.retain_mut(|s| s.name != "labels" || s.content.to_mut().pop().is_some())
    });
}

#[test]
fn unknown_sections_stop_only_if_they_must() {
    assert!(changed(|c| c.add("a remark", false)).is_ok());
    refused("a part 'partition/0' that this program does not know", |c| c.add("partition/0", true));
    refused("announced or there, but not both", |c| c.add("inducing/0", true));
    refused("'a remark' is there twice", |c| {
        c.add("a remark", false);
        c.add("a remark", false);
    });
    refused("there is no 'nu/0'", |c| c.sections.retain(|section| section.name != "nu/0"));
}

/// Deeper than any kernel may be, and than the stack could bear.
#[test]
fn deep_nesting_is_an_error() {
    for depth in [kernel::MAX_NESTING + 8, 200] {
        let deep = (0..depth).fold(Kernel::bias(1.0), |inner, _| Kernel::Sum(vec![inner]));
        refused("make no sense", |c| c.header.members[0].model.kernel = deep);
    }
    // As deep as a kernel may be.
    let deep = (0..kernel::MAX_NESTING).fold(Kernel::linear(Scales::Ard(vec![1.0])), |k, _| Kernel::Product(vec![k]));
    let model = Model::new(deep, Likelihood::probit());
    let mut cbor = Vec::new();
    ciborium::into_writer(&model, &mut cbor).unwrap();
    // The header and its list of models stand around it.
    let read: Model = ciborium::de::from_reader_with_recursion_limit(cbor.as_slice(), MAX_DEPTH - 3).unwrap();
    assert_eq!(read, model);
}

/// What inference finds passes the checks, also where the covariance is nearly singular or the search did not settle.
#[test]
fn posteriors_of_every_method_pass() {
    let x = Mat::from_fn(40, 1, |i, _| [0.0, 1e-9, 0.3, 0.31, 2.0][i % 5] + 1e-7 * (i / 5) as f64);
    let labels: Vec<Sign> = (0..40).map(|i| if i % 3 == 0 { Sign::Positive } else { Sign::Negative }).collect();
    let data = Arc::new(TrainingData::new(Inputs::continuous(x), labels).unwrap());
    let methods = [
        Method::default(),
        Method::Ep(EpOptions { max_sweeps: 1, ..EpOptions::default() }),
        Method::Laplace(LaplaceOptions::default()),
        Method::LeastSquares(LeastSquaresOptions::default()),
    ];
    let likelihoods = [Likelihood::probit(), Likelihood::logistic(), Likelihood::probit_noise(1e-3).unwrap()];
    let mut seen = 0;
    for (method, likelihood) in methods.iter().flat_map(|m| likelihoods.iter().map(move |l| (m, l))) {
        for v0 in [1e-6, 1.0, 1e4, 1e8] {
            for kernel in [Kernel::squared_exponential(v0, Scales::Single(1.0)), Kernel::linear(Scales::Single(v0))] {
                let model = Model { method: method.clone(), ..Model::new(kernel, likelihood.clone()) };
                let Ok(fitted) = model.infer(&data, None) else { continue };
                seen += 1;
                let checked = checks::kept(&fitted.keep(), &fitted.model().kernel.diag(data.inputs()));
                assert!(checked.is_ok(), "{} {} v0 {v0}: {checked:?}", method.name(), likelihood.name());
            }
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn a_model_of_two_classes_names_them_in_order() {
    let read = changed(|_| ()).unwrap();
    assert_eq!(read.classes().names(), ["down", "up"]);
    assert_eq!(read.training().labels()[19], Class::POSITIVE);
}

/// The same file with a model that sees its inputs by rank.
fn with_view(change: impl FnOnce(&mut Content)) -> Result<Classifier, ModelFileError> {
    use crate::data::View;
    changed(|c| {
        let data = read(&STORED).unwrap();
        let view = View::fit(InputView::Ranked, data.training().given(), None);
        let mut cbor = Vec::new();
        ciborium::into_writer(&view, &mut cbor).unwrap();
        c.sections.push(Section { name: "view/ranked".to_owned(), required: true, content: Cow::Owned(cbor) });
        change(c);
    })
}

#[test]
fn views_are_checked() {
    assert!(with_view(|_| ()).is_ok(), "a view that no model has");
    refused("view/ranked", |c| c.header.members[0].view = InputView::Ranked);
    let refuse = |words: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let found = with_view(|c| {
            c.header.members[0].view = InputView::Ranked;
            let Cow::Owned(bytes) = &mut c.sections.last_mut().unwrap().content else { panic!("it was just made") };
            change(bytes);
        });
        let sentence = found.err().map_or_else(|| "nothing".to_owned(), |e| e.to_string());
        assert!(sentence.contains(words), "{words}: {sentence}");
    };
    // The posterior was one of the rows as they are, which the checks of its columns do not see.
    refuse("nothing", &|_| ());
    refuse("views make no sense", &|bytes| bytes.truncate(40));
    refuse("views make no sense", &|bytes| bytes.fill(0xff));
    let position = |bytes: &[u8], word: &[u8]| bytes.windows(word.len()).position(|w| w == word).unwrap();
    refuse("views make no sense", &|bytes| {
        let at = position(bytes, b"ranked");
        bytes[at..at + 6].copy_from_slice(b"warped");
    });
    refuse("its column 1 makes no sense", &|bytes| {
        let at = position(bytes, b"reach") + 5;
        bytes[at + 1] |= 0x80; // a negative number
    });
}
