//! The fitted classifier.

use crate::candidates::CandidateSpec;
use crate::checkpoint::Kept;
use crate::convert::{Columns, class_labels, matrix, parse, render, table, to_array, vector};
use crate::cost::{afford, bytes_within};
use crate::errors::value_error;
use crate::export;
use crate::shard::Asking;
use crate::watch::{AfterInterrupt, watched, watched_by};
use gpclass::classifier::{Classifier, ClassifierError, DecideBy, Member, Neighbour, Note, RowDetails, Spec};
use gpclass::data::{Class, ColumnKind, EncodeCounts, Groups, LabelValues};
use gpclass::explain::{EffectOptions, class_effect_curves_together};
use gpclass::learn::{Control, Cost, Elsewhere, FitOptions, LearnError, Size, prior_relevances};
use gpclass::linalg::Mat;
use gpclass::model::Probabilities;
use gpclass_report::{By, HeadNumbers, Report, ReportOptions};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;

/// Positions of training rows for every row, and their distances.
type Nearest<'py> = (Vec<Vec<usize>>, Bound<'py, PyArray2<f64>>);

/// Rows that contradict a label, at most.
const CONTRADICTIONS: usize = 3;

/// A fitted classifier: what a model file holds.
#[pyclass(frozen, module = "gpclass._core")]
pub struct Model {
    classifier: Arc<Classifier>,
}

#[pymethods]
impl Model {
    /// Fits as `spec` says to labels that are positions in `classes`, of two of which the last is the positive one; `candidates`, if any, take the place of the models that it names. `elsewhere` asks
    /// rows that are not here.
    #[staticmethod]
    #[pyo3(signature = (columns, labels, classes, weights, groups, spec, candidates, threads, memory_limit, checkpoint, callback, elsewhere=None, keep_partial=false))]
    #[expect(clippy::too_many_arguments, reason = "one flat call across the border, always made by keyword")]
    fn fit(
        py: Python<'_>,
        columns: Columns<'_>,
        labels: PyReadonlyArray1<'_, u16>,
        classes: Vec<String>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        groups: Option<(String, Vec<Option<String>>)>,
        spec: &str,
        candidates: Option<&str>,
        threads: Option<usize>,
        memory_limit: Option<u64>,
        checkpoint: Option<(String, f64)>,
        callback: Option<Py<PyAny>>,
        elsewhere: Option<Py<PyAny>>,
        keep_partial: bool,
    ) -> PyResult<Model> {
        let table = table(columns)?;
        let labels = LabelValues::Known(class_labels(&labels, &classes)?);
        let groups = groups.map(|(name, values)| Groups::new(&name, &values)).transpose().map_err(value_error)?;
        let details = RowDetails { weights: vector(weights), groups };
        let positive = classes.last().filter(|_| classes.len() == 2).cloned();
        let spec = Spec { positive, ..parse("options", spec)? };
        let candidates: Option<Vec<CandidateSpec>> = candidates.map(|json| parse("kernel", json)).transpose()?;
        let size = Size::of_table(&table, &labels);
        let memory = bytes_within(memory_limit);
        let cost = match &candidates {
            None => Cost::of_fit(&size, &spec.fit, memory),
            Some(candidates) => Cost::of_candidates(&size, candidates.len(), &spec.fit, memory),
        };
        afford(cost, memory_limit)?;
        let kept = checkpoint.map(|(path, every)| Kept::at(&path, every));
        let journal = kept.as_ref().map(|kept| Arc::clone(&kept.journal));
        let asking = elsewhere.map(Asking::new);
        let elsewhere = asking.clone().map(|asking| asking as Arc<dyn Elsewhere>);
        let after = if keep_partial { AfterInterrupt::Finish } else { AfterInterrupt::Raise };
        let (fitted, partial) = watched_by(py, threads, callback.as_ref(), after, move |control| {
            let control = &Control { memory, journal, elsewhere, ..control.clone() };
            match candidates {
                None => Classifier::fit(table, labels, details, &spec, control),
                Some(candidates) => {
                    let FitOptions { method, initial, .. } = &spec.fit;
                    let make = |data: &_| {
                        candidates.iter().map(|c| c.candidate(method, *initial, data)).collect::<Result<Vec<_>, _>>()
                    };
                    Classifier::fit_models(table, labels, details, make, &spec, control)
                }
            }
        })?;
        if partial && matches!(fitted, Err(ClassifierError::Learn(LearnError::Interrupted))) {
            return Err(PyKeyboardInterrupt::new_err("the fit was interrupted before there was a model"));
        }
        let raised = |error| asking.and_then(|asking| asking.raised()).unwrap_or_else(|| value_error(error));
        let model = fitted.map(Model::from).map_err(raised)?;
        match kept {
            // A checkpoint of a fit that could go on stays.
            _ if partial => {
                let told = "the fit was interrupted: this is the best model so far";
                py.import("warnings")?.call_method1("warn", (told,))?;
            }
            kept => kept.map_or(Ok(()), |kept| kept.finish(py))?,
        }
        Ok(model)
    }

    /// Predictions: probabilities of the classes and their logarithms (rows x classes), latent means and variances (rows x
    /// functions), notes.
    #[pyo3(signature = (columns, threads))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        columns: Columns<'_>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let table = table(columns)?;
        let classifier = Arc::clone(&self.classifier);
        let (rows, counts) = watched(py, threads, None, move |_| classifier.predict(&table))?.map_err(value_error)?;
        let dict = PyDict::new(py);
        dict.set_item("probability", to_array(py, rows.probability.as_mat()))?;
        dict.set_item("log_probability", to_array(py, &rows.log_probability))?;
        dict.set_item("mean", to_array(py, &rows.mean))?;
        dict.set_item("variance", to_array(py, &rows.var))?;
        dict.set_item("notes", notes(&counts))?;
        Ok(dict)
    }

    /// For every row, given by the probabilities of its classes, the position of the class that it is decided to be of; `by` is
    /// `learned` or `bayes`.
    fn decide(&self, probability: PyReadonlyArray2<'_, f64>, by: &str) -> PyResult<Vec<usize>> {
        let by: DecideBy = by.parse().map_err(value_error)?;
        let decider = self.classifier.decider(by).map_err(value_error)?;
        let probability = Probabilities::new(matrix(&probability));
        Ok((0..probability.rows()).map(|row| decider.class(&probability, row).position()).collect())
    }

    /// How unlike the training rows every row is, from 0 to 1.
    #[pyo3(signature = (columns, threads))]
    fn novelty<'py>(
        &self,
        py: Python<'py>,
        columns: Columns<'_>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let table = table(columns)?;
        let classifier = Arc::clone(&self.classifier);
        let novelty = watched(py, threads, None, move |_| classifier.novelty(&table))?.map_err(value_error)?;
        Ok(PyArray1::from_vec(py, novelty))
    }

    /// For every row the positions of the training rows most like it, the nearest first, and how far they are; both have
    /// `count` columns, or one per training row where there are fewer.
    #[pyo3(signature = (columns, count, threads))]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        columns: Columns<'_>,
        count: usize,
        threads: Option<usize>,
    ) -> PyResult<Nearest<'py>> {
        let table = table(columns)?;
        let classifier = Arc::clone(&self.classifier);
        let found = watched(py, threads, None, move |_| classifier.nearest(&table, count))?.map_err(value_error)?;
        let width = found.first().map_or(0, Vec::len);
        let distances = Mat::from_fn(found.len(), width, |i, k| found[i][k].distance);
        let rows = found.iter().map(|near| near.iter().map(|n| n.row).collect()).collect();
        Ok((rows, to_array(py, &distances)))
    }

    /// The report as one HTML page. Labels at least `suspect` probably wrong are listed, and scores are broken down by the one
    /// column of `by`, if it is given.
    #[pyo3(signature = (title, suspect, by, threads))]
    fn report(
        &self,
        py: Python<'_>,
        title: Option<String>,
        suspect: f64,
        by: Option<Columns<'_>>,
        threads: Option<usize>,
    ) -> PyResult<String> {
        let by = by.map(table).transpose()?.and_then(|table| table.columns().first().map(By::column));
        let options = ReportOptions { title, suspect_threshold: suspect, by, ..ReportOptions::default() };
        let classifier = Arc::clone(&self.classifier);
        let page = watched(py, threads, None, move |_| Report::of(&classifier, &options).map(|report| report.html()))?;
        page.map_err(value_error)
    }

    /// Skill over the base rate, calibration, and how many labels and rows to look at, as JSON.
    fn head_numbers(&self, py: Python<'_>, suspect: f64) -> PyResult<String> {
        let classifier = Arc::clone(&self.classifier);
        let found = py.detach(|| HeadNumbers::of(&classifier, suspect)).map_err(value_error)?;
        render("head numbers", &found)
    }

    /// For every feature in `features`, by position, its effects on the probabilities of all classes, as JSON.
    #[pyo3(signature = (features, points, threads))]
    fn effects(&self, py: Python<'_>, features: Vec<usize>, points: usize, threads: Option<usize>) -> PyResult<String> {
        let classifier = Arc::clone(&self.classifier);
        let options = EffectOptions { grid: points, ..EffectOptions::default() };
        let found = watched(py, threads, None, move |_| {
            let classes: Vec<Class> = classifier.classes().classes().collect();
            let (models, encoder) = (classifier.together(), classifier.encoder());
            class_effect_curves_together(&models, encoder, &features, &classes, &options)
        })?;
        render("effects", &found.map_err(value_error)?)
    }

    /// How much weight the prior of the chosen model gives to each feature.
    fn prior_effects(&self) -> Vec<f64> {
        let fitted = self.classifier.fitted();
        let relevances = prior_relevances(&fitted.model().kernel, fitted.data().inputs());
        relevances.into_iter().map(|relevance| relevance.effect).collect()
    }

    /// The names of the classes, in the order of the probabilities; of two, the negative one first.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.classifier.classes().names().to_vec()
    }

    /// The columns that are read, each with what it holds: `continuous`, `discrete` or `date`.
    #[getter]
    fn columns(&self) -> Vec<(String, &'static str)> {
        let kind = |kind: ColumnKind| match kind {
            ColumnKind::Continuous => "continuous",
            ColumnKind::Discrete => "discrete",
            ColumnKind::Date => "date",
        };
        let read = self.classifier.encoder().read_columns();
        read.filter_map(|column| Some((column.name.clone(), kind(column.column_kind()?)))).collect()
    }

    /// The columns that are not used, with their positions among all.
    #[getter]
    fn left_out(&self) -> Vec<(String, usize)> {
        self.classifier.encoder().left_out().iter().map(|column| (column.name.clone(), column.position)).collect()
    }

    /// For every feature the column that it is made of.
    #[getter]
    fn sources(&self) -> Vec<String> {
        self.classifier.encoder().columns().iter().map(|column| column.source().to_owned()).collect()
    }

    /// The account of the fit as JSON.
    fn summary(&self) -> PyResult<String> {
        render("summary", self.classifier.summary())
    }

    /// For every training row the position of its class.
    fn labels(&self) -> Vec<usize> {
        self.classifier.training().labels().iter().map(|label| label.position()).collect()
    }

    /// For every training row the position of the class that it has rather, if its label is wrong.
    fn suggestions(&self) -> Vec<usize> {
        let suspects = &self.classifier.summary().suspects;
        let labels = self.classifier.training().labels().iter().enumerate();
        labels.map(|(row, &label)| suspects.rather(row, label).position()).collect()
    }

    /// What the labels of these training rows look like: rows that contradict each, how many are wrong, what would change, as JSON.
    fn audit(&self, py: Python<'_>, rows: Vec<usize>, threads: Option<usize>) -> PyResult<String> {
        let classifier = Arc::clone(&self.classifier);
        let audit = move |_: &Control| -> Result<serde_json::Value, ClassifierError> {
            let near = |near: &Vec<Neighbour>| near.iter().map(|near| near.row).collect::<Vec<_>>();
            let errors = classifier.label_errors();
            Ok(serde_json::json!({
                "errors": errors,
                "contradictions": classifier.contradictions(&rows, CONTRADICTIONS)?.iter().map(near).collect::<Vec<_>>(),
                "twins": classifier.twins(),
                "cleaned": classifier.cleaned(&rows)?,
            }))
        };
        render("audit", &watched(py, threads, None, audit)?.map_err(value_error)?)
    }

    /// The log evidence of the chosen model.
    #[getter]
    fn log_evidence(&self) -> f64 {
        self.classifier.fitted().log_evidence()
    }

    /// Whether inference and the search for the hyperparameters ended where they should.
    #[getter]
    fn converged(&self) -> bool {
        self.classifier.summary().converged()
    }

    /// Kernel, likelihood and inputs of every model that predicts, as JSON, as candidates are given; the heaviest first.
    fn members(&self) -> PyResult<Vec<(String, String, String)>> {
        let member = |member: &Member| {
            let (model, view) = (member.fitted().model(), member.fitted().data().view().kind());
            let kernel = crate::candidates::kernel_json(&model.kernel)?;
            Ok((kernel, render("likelihood", &model.likelihood)?, render("inputs", &view)?))
        };
        self.classifier.members().iter().map(member).collect()
    }

    /// What was asked for, as JSON.
    fn spec(&self) -> PyResult<String> {
        render("options", self.classifier.spec())
    }

    /// All that a predictor elsewhere needs: the encoder, and per model its kernel, likelihood and weights.
    fn export<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        export::export(py, &self.classifier)
    }

    /// The bytes of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.classifier.to_bytes()))
    }

    /// Reads the bytes of a model file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Model> {
        let bytes = bytes.to_vec();
        let classifier = py.detach(|| Classifier::from_bytes(&bytes)).map_err(value_error)?;
        Ok(Model::from(classifier))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let read = slf.get_type().getattr("from_bytes")?;
        Ok((read, (slf.get().to_bytes(slf.py()),)))
    }
}

impl Model {
    /// What it holds.
    pub fn classifier(&self) -> &Arc<Classifier> {
        &self.classifier
    }
}

impl From<Classifier> for Model {
    fn from(classifier: Classifier) -> Self {
        Model { classifier: Arc::new(classifier) }
    }
}

/// What a user should know about rows that were predicted: kinds and sentences.
fn notes(counts: &EncodeCounts) -> Vec<(String, String)> {
    Note::of_data(&counts.notes()).into_iter().map(|note| (note.kind, note.text)).collect()
}
