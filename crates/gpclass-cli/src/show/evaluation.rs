//! Scores over folds, of one model or several side by side.

use super::classes::{class_table, confusion_text};
use super::grid::{Align, grid};
use super::json;
use super::printable::name;
use super::summary::more;
use crate::error::CliError;
use gpclass::compare::aggregate::{Comparison, ComparisonRow, Runs, Summary};
use gpclass::compare::ranks::{Better, Friedman, friedman};
use gpclass::compare::resampled::{ResampledTest, resampled_t_test};
use gpclass::compare::wilcoxon::{Wilcoxon, WilcoxonOptions, wilcoxon};
use gpclass::data::ClassNames;
use gpclass::evaluate::{ClassDetails, Estimate, Metric, Scores};
use serde::Serialize;

/// What is printed, in this order.
const SHOWN: [Metric; 8] = [
    Metric::Error,
    Metric::NlpNats,
    Metric::NlpBits,
    Metric::Brier,
    Metric::FMeasure,
    Metric::Auc,
    Metric::AucStyle,
    Metric::CalibrationError,
];
/// The metrics on which differences are tested.
const TESTED: [Metric; 2] = [Metric::Error, Metric::NlpNats];
/// Classes that a comparison shows.
const SHOWN_CLASSES: usize = 30;
/// Level of Nemenyi's critical difference.
const LEVEL: f64 = 0.05;

/// The scores of methods over the same runs.
pub struct Evaluation {
    comparison: Comparison,
    runs: Runs,
    count: usize,
    rows: usize,
    names: ClassNames,
    /// The calibration error of each method over the rows of all runs: those of one are too few to judge it by.
    calibration: Vec<Estimate>,
    /// Of three or more classes, how each method fares with each of them over the rows of all runs.
    classes: Option<Vec<ClassDetails>>,
}

/// A method, its scores in every run, and those of the rows of all runs together.
pub struct Method {
    pub name: String,
    pub scores: Vec<Scores>,
    pub pooled: Scores,
}

/// Tests of differences on one metric.
#[derive(Serialize)]
struct Tests {
    metric: Metric,
    /// With three methods or more.
    friedman: Option<Friedman>,
    /// Average ranks further apart than this differ (Nemenyi).
    critical_difference: Option<f64>,
    pairs: Vec<PairTest>,
}

#[derive(Serialize)]
struct PairTest {
    first: String,
    second: String,
    wilcoxon: Option<Wilcoxon>,
    /// Corrected for the overlap of training sets.
    resampled_t: Option<ResampledTest>,
}

impl Evaluation {
    pub fn new(methods: Vec<Method>, runs: Runs, rows: usize, names: ClassNames) -> Result<Self, CliError> {
        let count = methods.first().map_or(0, |method| method.scores.len());
        let classes = methods.iter().map(|method| method.pooled.classes.clone()).collect();
        let calibration = methods.iter().map(|method| method.pooled.calibration_error).collect();
        let scores = methods.into_iter().map(|method| (method.name, method.scores)).collect();
        Ok(Evaluation { comparison: Comparison::new(scores, runs)?, runs, count, rows, names, calibration, classes })
    }

    fn lines(&self) -> Result<Vec<ComparisonRow>, CliError> {
        let line = |metric: &Metric| match metric {
            Metric::CalibrationError => Ok(self.calibration_line()),
            metric => self.comparison.row(*metric),
        };
        Ok(SHOWN.iter().map(line).collect::<Result<_, _>>()?)
    }

    fn calibration_line(&self) -> ComparisonRow {
        let least = self.calibration.iter().map(|error| error.value).fold(f64::INFINITY, f64::min);
        let best = (0..self.calibration.len()).filter(|&m| self.calibration[m].value == least).collect();
        let summary = |&mean: &Estimate| Some(Summary { mean, standard_deviation: None, runs: self.count });
        let summaries = self.calibration.iter().map(summary).collect();
        ComparisonRow { metric: Metric::CalibrationError, summaries, best, average_ranks: None }
    }

    pub fn json(&self) -> Result<String, CliError> {
        let mut facts = serde_json::json!({
            "rows": self.rows,
            "runs": self.count,
            "dependence": self.runs,
            "methods": self.comparison.methods(),
            "scores": self.lines()?,
            "tests": self.tests(),
        });
        if let Some(details) = &self.classes {
            let methods = self.comparison.methods().iter().zip(details);
            let methods = methods.map(|(method, details)| OfMethod { method: method.as_str(), details });
            facts["classes"] = serde_json::json!(self.names);
            facts["class_scores"] = serde_json::json!(methods.collect::<Vec<_>>());
        }
        json(&facts)
    }

    pub fn text(&self) -> Result<String, CliError> {
        let methods = self.comparison.methods();
        let several = methods.len() > 1;
        let mut header = vec![""];
        header.extend(methods.iter().map(|method| if several { method.as_str() } else { "mean ± standard error" }));
        let cell = |line: &ComparisonRow, m: usize| {
            let best = if several && line.best.contains(&m) { "*" } else { "" };
            line.summaries[m].as_ref().map_or_else(|| "-".to_owned(), |s| format!("{best}{}", shown(line.metric, s)))
        };
        let row = |line: &ComparisonRow| {
            let mut cells = vec![title(line.metric, self.classes.is_some())];
            cells.extend((0..methods.len()).map(|m| cell(line, m)));
            cells
        };
        let rows: Vec<Vec<String>> = self.lines()?.iter().map(row).collect();
        let mut align = vec![Align::Left];
        align.extend(vec![Align::Right; methods.len()]);
        let mut text = format!("{} rows, {} test sets\n{}", self.rows, self.count, grid(&header, &align, &rows));
        for tests in self.tests() {
            text += &tests.text(methods, self.classes.is_some());
        }
        Ok(text + &self.class_text())
    }

    /// Of several classes each of them, and which are taken for which; of several methods their F-measures side by side.
    fn class_text(&self) -> String {
        match self.classes.as_deref() {
            None | Some([]) => String::new(),
            Some([details]) => {
                let (heading, confusion) = confusion_text(&self.names, &details.confusion);
                let table = class_table(&self.names, details);
                format!("Each class, over all test rows\n{table}{heading}\n{confusion}")
            }
            Some(several) => {
                let header = ["class", "rows"].into_iter().chain(self.comparison.methods().iter().map(String::as_str));
                let align: Vec<Align> =
                    std::iter::once(Align::Left).chain(vec![Align::Right; several.len() + 1]).collect();
                let f = |details: &ClassDetails, c: usize| {
                    details.each[c].f_measure.map_or_else(|| "-".to_owned(), |f| format!("{:.3}", f.value))
                };
                let line = |(c, class): (usize, &String)| {
                    let mut cells = vec![name(class), several[0].each[c].rows.to_string()];
                    cells.extend(several.iter().map(|details| f(details, c)));
                    cells
                };
                let lines: Vec<_> = self.names.names().iter().enumerate().take(SHOWN_CLASSES).map(line).collect();
                let table = grid(&header.collect::<Vec<_>>(), &align, &lines);
                format!("F-measure of each class, over all test rows\n{table}{}", more(self.names.len(), SHOWN_CLASSES))
            }
        }
    }

    /// Tests where they apply: at least two methods and two runs.
    fn tests(&self) -> Vec<Tests> {
        if self.comparison.methods().len() < 2 || self.count < 2 {
            return Vec::new();
        }
        TESTED.iter().map(|&metric| self.test(metric)).collect()
    }

    fn test(&self, metric: Metric) -> Tests {
        let names = self.comparison.methods();
        let friedman =
            if names.len() > 2 { friedman(&self.comparison.values(metric), Better::Lower).ok() } else { None };
        let pairs = (0..names.len()).flat_map(|a| (a + 1..names.len()).map(move |b| (a, b)));
        let pair = |(a, b): (usize, usize)| {
            let (first, second) = self.comparison.paired(metric, a, b)?;
            let Runs::Resampled { test_to_train } = self.runs else { return None };
            Some(PairTest {
                first: names[a].clone(),
                second: names[b].clone(),
                wilcoxon: wilcoxon(&first, &second, &WilcoxonOptions::default()).ok(),
                resampled_t: resampled_t_test(&first, &second, test_to_train).ok(),
            })
        };
        Tests {
            metric,
            critical_difference: friedman.as_ref().and_then(|f| f.critical_difference(LEVEL).ok()),
            friedman,
            pairs: pairs.filter_map(pair).collect(),
        }
    }
}

/// How a method fares with each class.
#[derive(Serialize)]
struct OfMethod<'a> {
    method: &'a str,
    #[serde(flatten)]
    details: &'a ClassDetails,
}

impl Tests {
    fn text(&self, methods: &[String], several: bool) -> String {
        let mut text = format!("Differences in {}\n", title(self.metric, several));
        if let Some(friedman) = &self.friedman {
            let ranks: Vec<String> = methods
                .iter()
                .zip(&friedman.average_ranks)
                .map(|(method, rank)| format!("{} {rank:.2}", name(method)))
                .collect();
            text +=
                &format!("  average ranks: {}\n  Friedman: p = {:.3}", ranks.join(", "), friedman.chi_square.p_value);
            if let Some(difference) = self.critical_difference {
                text += &format!("; Nemenyi: ranks differ if {difference:.2} apart (level {LEVEL})");
            }
            text.push('\n');
        }
        for pair in &self.pairs {
            let p = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |p| format!("{p:.3}"));
            text += &format!(
                "  {} against {}: Wilcoxon p = {}, corrected resampled t-test p = {}\n",
                name(&pair.first),
                name(&pair.second),
                p(pair.wilcoxon.map(|t| t.p_value)),
                p(pair.resampled_t.map(|t| t.p_value))
            );
        }
        text
    }
}

/// The name of a score; of several classes some are means over them.
fn title(metric: Metric, several: bool) -> String {
    match metric {
        Metric::FMeasure if several => "macro F",
        Metric::Auc if several => "macro AUC",
        Metric::Error => "error (%)",
        Metric::NlpNats => "NLP (nats)",
        Metric::NlpBits => "NLP (bits)",
        Metric::Brier => "Brier score",
        Metric::FMeasure => "F-measure",
        Metric::Auc => "AUC",
        Metric::AucStyle => "balanced accuracy",
        Metric::CalibrationError => "calibration error, all test rows",
        other => other.name(),
    }
    .to_owned()
}

fn shown(metric: Metric, summary: &Summary) -> String {
    let (scale, digits) = if metric == Metric::Error { (100.0, 2) } else { (1.0, 4) };
    let error = summary.mean.standard_error.map(|e| format!(" ± {:.digits$}", scale * e)).unwrap_or_default();
    format!("{:.digits$}{error}", scale * summary.mean.value)
}
