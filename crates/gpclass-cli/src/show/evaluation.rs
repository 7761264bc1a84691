//! Scores over folds, of one model or several side by side.

use super::grid::{Align, grid};
use super::json;
use super::printable::name;
use crate::error::CliError;
use gpclass::compare::aggregate::{Comparison, ComparisonRow, Runs, Summary};
use gpclass::compare::ranks::{Better, Friedman, friedman};
use gpclass::compare::resampled::{ResampledTest, resampled_t_test};
use gpclass::compare::wilcoxon::{Wilcoxon, WilcoxonOptions, wilcoxon};
use gpclass::evaluate::{Metric, Scores};
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
/// Level of Nemenyi's critical difference.
const LEVEL: f64 = 0.05;

/// The scores of methods over the same runs.
pub struct Evaluation {
    comparison: Comparison,
    runs: Runs,
    count: usize,
    rows: usize,
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
    pub fn new(methods: Vec<(String, Vec<Scores>)>, runs: Runs, rows: usize) -> Result<Self, CliError> {
        let count = methods.first().map_or(0, |(_, scores)| scores.len());
        Ok(Evaluation { comparison: Comparison::new(methods, runs)?, runs, count, rows })
    }

    fn lines(&self) -> Result<Vec<ComparisonRow>, CliError> {
        Ok(SHOWN.iter().map(|&metric| self.comparison.row(metric)).collect::<Result<_, _>>()?)
    }

    pub fn json(&self) -> Result<String, CliError> {
        json(&serde_json::json!({
            "rows": self.rows,
            "runs": self.count,
            "dependence": self.runs,
            "methods": self.comparison.methods(),
            "scores": self.lines()?,
            "tests": self.tests(),
        }))
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
            let mut cells = vec![title(line.metric)];
            cells.extend((0..methods.len()).map(|m| cell(line, m)));
            cells
        };
        let rows: Vec<Vec<String>> = self.lines()?.iter().map(row).collect();
        let mut align = vec![Align::Left];
        align.extend(vec![Align::Right; methods.len()]);
        let mut text = format!("{} rows, {} test sets\n{}", self.rows, self.count, grid(&header, &align, &rows));
        for tests in self.tests() {
            text += &tests.text(methods);
        }
        Ok(text)
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

impl Tests {
    fn text(&self, methods: &[String]) -> String {
        let mut text = format!("Differences in {}\n", title(self.metric));
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

fn title(metric: Metric) -> String {
    match metric {
        Metric::Error => "error (%)",
        Metric::NlpNats => "NLP (nats)",
        Metric::NlpBits => "NLP (bits)",
        Metric::Brier => "Brier score",
        Metric::FMeasure => "F-measure",
        Metric::Auc => "AUC",
        Metric::AucStyle => "balanced accuracy",
        Metric::CalibrationError => "calibration error",
        other => other.name(),
    }
    .to_owned()
}

fn shown(metric: Metric, summary: &Summary) -> String {
    let (scale, digits) = if metric == Metric::Error { (100.0, 2) } else { (1.0, 4) };
    let error = summary.mean.standard_error.map(|e| format!(" ± {:.digits$}", scale * e)).unwrap_or_default();
    format!("{:.digits$}{error}", scale * summary.mean.value)
}
