//! What JavaScript calls.

use crate::choices::Choices;
use crate::estimate::{Estimate, affordable};
use crate::labelled::Labelled;
use crate::limits::{FILE_BYTES, MEMORY};
use crate::look::Look;
use crate::playground::{Map, Picture, Settings, learn_settings};
use crate::predict::predict;
use crate::problem::Problem;
use gpclass::classifier::Classifier;
use gpclass::learn::{Control, Cost, Progress, TraceEntry};
use gpclass_report::{FitAccount, Report, ReportOptions};
use serde::Serialize;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Told of every accepted step of every search: its name, the step, the log evidence and the left-out error.
    #[wasm_bindgen(js_name = gpclassProgress)]
    fn progress(label: &str, iteration: u32, log_evidence: f64, loo_error: f64);

    /// Told of how far a part of a fit of many rows has come.
    #[wasm_bindgen(js_name = gpclassPart)]
    fn part(what: &str, done: u32, of: u32);

    /// Seconds since some moment.
    #[wasm_bindgen(js_name = gpclassSeconds)]
    fn seconds() -> f64;
}

/// A worker's engine: the model at hand, and the picture of the playground.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    model: Option<Model>,
    predictions: String,
    picture: Option<Picture>,
    map: Option<Map>,
}

/// A classifier, and where its training rows stood in their file.
struct Model {
    classifier: Classifier,
    lines: Option<Vec<u64>>,
}

impl Model {
    fn report_options(&self) -> ReportOptions {
        ReportOptions { lines: self.lines.clone(), ..ReportOptions::default() }
    }

    fn account(&self) -> Result<String, Problem> {
        let suspect = self.report_options().suspect_threshold;
        written(&FitAccount::of(&self.classifier, self.lines.as_deref(), suspect))
    }
}

/// What the page says before it takes a file.
#[derive(Serialize)]
struct Limits {
    file_bytes: u64,
    memory_bytes: f64,
    version: &'static str,
}

/// Errors reach JavaScript as their sentence.
type Answer<T> = Result<T, String>;

fn written(value: &impl Serialize) -> Result<String, Problem> {
    Ok(serde_json::to_string(value)?)
}

fn choices(json: &str) -> Result<Choices, Problem> {
    Ok(serde_json::from_str(json)?)
}

fn settings(json: &str) -> Result<Settings, Problem> {
    Ok(serde_json::from_str(json)?)
}

fn said<T>(result: Result<T, Problem>) -> Answer<T> {
    result.map_err(|problem| problem.to_string())
}

#[wasm_bindgen]
impl Engine {
    /// Without a model.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Engine {
        Engine::default()
    }

    /// What is said before any work, as JSON.
    pub fn limits(&self) -> Answer<String> {
        let version = env!("CARGO_PKG_VERSION");
        said(written(&Limits { file_bytes: FILE_BYTES, memory_bytes: MEMORY, version }))
    }

    /// One factorisation, by whose time the machine's speed is measured.
    pub fn trial(&self) {
        Cost::trial();
    }

    /// The columns of a table, as JSON.
    pub fn look(&self, bytes: Vec<u8>, name: &str, chosen: &str) -> Answer<String> {
        said(choices(chosen).and_then(|chosen| Look::at(bytes, name, &chosen)).and_then(|look| written(&look)))
    }

    /// What a fit takes where a trial takes `trial` seconds, as JSON.
    pub fn estimate(&self, bytes: Vec<u8>, name: &str, chosen: &str, trial: f64) -> Answer<String> {
        let estimate = choices(chosen).and_then(|chosen| Estimate::of(bytes, name, &chosen, trial));
        said(estimate.and_then(|estimate| written(&estimate)))
    }

    /// Fits a model at a time, which is text for people, and gives the account of it as JSON.
    pub fn fit(&mut self, bytes: Vec<u8>, name: &str, chosen: &str, time: String) -> Answer<String> {
        let told = |label: &str, entry: &TraceEntry| {
            progress(label, entry.iteration as u32, entry.log_evidence, entry.loo_error);
        };
        let control = Control {
            watcher: Some(Arc::new(told)),
            teller: Some(Arc::new(|far: &Progress<'_>| part(far.what, far.done as u32, far.of as u32))),
            memory: Some(MEMORY),
            clock: Some(seconds),
            ..Control::default()
        };
        said(choices(chosen).and_then(|chosen| self.fitted(bytes, name, &chosen, time, &control)))
    }

    fn fitted(
        &mut self,
        bytes: Vec<u8>,
        name: &str,
        choices: &Choices,
        time: String,
        control: &Control,
    ) -> Result<String, Problem> {
        let data = Labelled::read(bytes, name, choices)?;
        data.classes(choices)?;
        affordable(&data, choices)?;
        let fitted = Classifier::fit(&data.table, &data.labels, None, &choices.spec(), control);
        let classifier = fitted.map_err(|error| Problem::at(&data.places, error))?;
        let classifier = classifier.with_origin(Some(name.to_owned()), Some(time));
        self.keep(Model { classifier, lines: data.places.lines().map(<[u64]>::to_vec) })
    }

    /// Takes the model of a model file, and gives the account of its fit as JSON.
    pub fn open(&mut self, bytes: &[u8]) -> Answer<String> {
        let opened = Classifier::from_bytes(bytes).map_err(Problem::from);
        said(opened.and_then(|classifier| self.keep(Model { classifier, lines: None })))
    }

    fn keep(&mut self, model: Model) -> Result<String, Problem> {
        self.model.insert(model).account()
    }

    fn model(&self) -> Result<&Model, Problem> {
        self.model.as_ref().ok_or(Problem::NoModel)
    }

    /// The report on the model, as a page.
    pub fn report(&self) -> Answer<String> {
        let html = |model: &Model| Ok(Report::of(&model.classifier, &model.report_options())?.html());
        said(self.model().and_then(html))
    }

    /// The model as the bytes of a model file.
    pub fn file(&self) -> Answer<Vec<u8>> {
        said(self.model().map(|model| model.classifier.to_bytes()))
    }

    /// Predicts the rows of a file and tells about it as JSON; `keep` repeats its columns beside them.
    pub fn predict(&mut self, bytes: Vec<u8>, name: &str, chosen: &str, keep: bool) -> Answer<String> {
        said(self.predicted(bytes, name, chosen, keep))
    }

    fn predicted(&mut self, bytes: Vec<u8>, name: &str, chosen: &str, keep: bool) -> Result<String, Problem> {
        let mut found = predict(&self.model()?.classifier, bytes, name, &choices(chosen)?, keep)?;
        self.predictions = std::mem::take(&mut found.csv);
        written(&found)
    }

    /// The last predictions as CSV.
    pub fn predictions(&mut self) -> String {
        std::mem::take(&mut self.predictions)
    }

    /// Models points of the playground, triples of two coordinates and a class, and tells about it as JSON.
    pub fn play(&mut self, triples: &[f64], set: &str) -> Answer<String> {
        let picture = settings(set).and_then(|set| Picture::of(triples, &set, self.picture.as_ref()));
        said(picture.map(|picture| self.picture.insert(picture).account().to_owned()))
    }

    /// For every point how suspect its label is.
    pub fn suspicion(&self) -> Vec<f64> {
        self.picture.as_ref().map(|picture| picture.suspicion().to_vec()).unwrap_or_default()
    }

    /// Makes the map of the plane at `side` x `side` places.
    pub fn draw(&mut self, side: usize) -> Answer<()> {
        let picture = self.picture.as_ref().ok_or(Problem::NoPoints);
        self.map = Some(said(picture.and_then(|picture| picture.map(side)))?);
        Ok(())
    }

    /// The probabilities of the last map.
    pub fn probability(&mut self) -> Vec<f32> {
        self.map.as_mut().map(|map| std::mem::take(&mut map.probability)).unwrap_or_default()
    }

    /// How little is known, of the last map.
    pub fn unknown(&mut self) -> Vec<f32> {
        self.map.as_mut().map(|map| std::mem::take(&mut map.unknown)).unwrap_or_default()
    }

    /// The settings that explain the points best, as JSON.
    pub fn learn(&self, triples: &[f64], set: &str) -> Answer<String> {
        let learned = settings(set).and_then(|set| learn_settings(triples, &set));
        said(learned.and_then(|learned| written(&learned)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows whose class follows from x, one label wrong.
    fn table() -> Vec<u8> {
        let row = |i: usize| {
            let x = i as f64 / 10.0;
            format!("{x},{},{}\n", ["u", "v"][i % 2], if (x < 2.0) != (i == 35) { "low" } else { "up" })
        };
        let rows: String = (0..40).map(row).collect();
        format!("x,letter,class\n{rows}").into_bytes()
    }

    fn chosen() -> Choices {
        let json = r#"{"label": "class", "uses": [["letter", "left_out"]], "effort": "one"}"#;
        choices(json).unwrap()
    }

    fn fitted() -> Engine {
        let mut engine = Engine::new();
        engine.fitted(table(), "t.csv", &chosen(), "now".to_owned(), &Control::default()).unwrap();
        engine
    }

    #[test]
    fn a_fit_can_be_told_kept_and_opened_again() {
        let engine = fitted();
        let account: serde_json::Value = serde_json::from_str(&engine.model().unwrap().account().unwrap()).unwrap();
        assert_eq!(account["provenance"]["source"], "t.csv");
        assert_eq!(account["summary"]["features"].as_array().unwrap().len(), 1);
        // Line 1 is the header.
        assert_eq!(account["suspects"][0]["line"], 37);
        assert!(engine.report().unwrap().starts_with("<!DOCTYPE html>"));
        let bytes = engine.file().unwrap();
        let mut other = Engine::new();
        other.open(&bytes).unwrap();
        assert!(other.file().unwrap() == bytes);
    }

    #[test]
    fn predictions_repeat_columns_where_that_is_asked_for() {
        let mut engine = fitted();
        let new = b"id,x\nfirst,0.5\nsecond,3.5\n";
        let told = engine.predict(new.to_vec(), "new.csv", "{}", true).unwrap();
        assert!(told.contains(r#""classes":[["low",1],["up",1]]"#), "{told}");
        let csv = engine.predictions();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].starts_with("id,x,label,p(up),latent_mean,latent_sd,novelty,unlike_training"));
        assert!(lines[1].starts_with("first,0.5,low,") && lines[2].starts_with("second,3.5,up,"));
        let refused = engine.predict(b"id\nfirst\n".to_vec(), "new.csv", "{}", false).unwrap_err();
        assert!(refused.contains("no column 'x'"), "{refused}");
    }

    #[test]
    fn what_cannot_be_done_is_a_sentence() {
        let mut engine = Engine::new();
        assert_eq!(engine.file().unwrap_err(), "there is no model yet; fit one or open a model file");
        assert!(engine.open(b"no model").unwrap_err().starts_with("the model file cannot be used: "));
        assert!(engine.look(table(), "t", "{").unwrap_err().contains("load the page again"));
        assert!(engine.estimate(table(), "t", "{}", 0.01).unwrap_err().contains("no column is the label"));
        assert_eq!(
            engine.play(&[], r#"{"model":"regular","v0":1,"lengthscale":1,"eps":0.1}"#).unwrap_err(),
            Problem::NoPoints.to_string()
        );
    }

    #[test]
    fn an_estimate_says_classes_and_kinds_and_refuses_what_does_not_fit() {
        let engine = Engine::new();
        let told = engine.estimate(table(), "t", r#"{"label": "class"}"#, 0.01).unwrap();
        assert!(told.contains(r#""features":[["x","numbers"],["letter","categories"]]"#), "{told}");
        assert!(told.contains(r#""classes":[["low",21],["up",19]]"#), "{told}");
        let problem = Problem::Memory { needed: 9.0, rows: 30_000, within: 14_000 }.to_string();
        assert!(problem.contains("9.0 GB") && problem.contains("a page may take 2 GB"), "{problem}");
    }
}
