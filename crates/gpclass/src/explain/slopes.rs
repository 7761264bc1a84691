//! Slopes and odds ratios, where what predicts is mostly linear.

use super::effects::{self, JointPosterior};
use super::setting::level_name;
use super::{ExplainError, Together, Weighed};
use crate::data::{Class, Coding, ColumnEncoder, Encoder, InputView, Inputs};
use crate::inference::joint::RowGaussian;
use crate::kernel::Kernel;
use crate::likelihood::Gaussian;
use crate::special::normal_quantile;
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_1_SQRT_2;

/// Linear models tell slopes if they have at least this share of the predictions.
const MOSTLY: f64 = 0.5;
/// Latent values between which the change of log-odds is taken for their slope at zero.
const STEP: f64 = 1e-3;
/// Log-odds that change faster than this with the latent value are those of a hard decision and have no ratio.
const STEEPEST: f64 = 100.0;

/// What a column does to the latent function, all else equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// The column.
    pub column: String,
    /// Of a number the change by one standard deviation, of a category that from the most frequent level to another.
    pub change: Change,
    /// The mean of the change of the latent value.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// Ends of its credible interval.
    pub interval: (f64, f64),
    /// Of two classes, the factor by which the odds of the positive one change, near even odds.
    pub odds_ratio: Option<f64>,
    /// Ends of its credible interval.
    pub odds_interval: Option<(f64, f64)>,
}

/// What is compared with what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// A number grows by this much, a standard deviation of the training rows.
    By(f64),
    /// A category is another one.
    Level {
        /// What it becomes.
        to: String,
        /// What it was, the most frequent one.
        from: String,
    },
}

/// The slopes of the linear models among those that predict together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slopes {
    /// Their share in the predictions.
    pub weight: f64,
    /// Coverage of the intervals.
    pub level: f64,
    /// For the one latent function of two classes, or for every class, in order: every column's.
    pub functions: Vec<Vec<Slope>>,
}

/// The slopes, with intervals of coverage `level`; nothing where linear models of columns as they are have less than half
/// of the predictions. Of several linear models means and variances are those of their mixture. Of more than two classes a slope is
/// that of the class's function less the mean of all.
pub fn slopes(together: &Together<'_>, encoder: &Encoder, level: f64) -> Result<Option<Slopes>, ExplainError> {
    if !(level > 0.0 && level < 1.0) {
        return Err(ExplainError::Option { option: "level", value: level, wanted: "above 0 and below 1" });
    }
    let linear: Vec<&Weighed<'_>> = together.models.iter().filter(|model| is_linear(model)).collect();
    let weight: f64 = linear.iter().map(|model| model.weight).sum();
    if linear.is_empty() || weight < MOSTLY {
        return Ok(None);
    }
    let functions = linear[0].fit.functions();
    let quantile = -normal_quantile(0.5 * (1.0 - level));
    let odds = linear.iter().map(|model| model.weight * log_odds_per_latent(model)).sum::<f64>() / weight;
    // The odds of what predicts are those of the mixture raised to its power.
    let odds = together.sharpness * odds;
    let odds = (functions == 1 && odds < STEEPEST).then_some(odds);
    let contrasts = contrasts(encoder, linear[0].fit.data().given());
    let mut found = Vec::with_capacity(functions);
    for class in Class::first(functions) {
        let mut own = Vec::with_capacity(contrasts.len());
        for contrast in &contrasts {
            let changes = linear.iter().map(|model| change(model, contrast, class)).collect::<Result<Vec<_>, _>>()?;
            let shares: Vec<f64> = linear.iter().map(|model| model.weight / weight).collect();
            own.push(slope(contrast, mixture(&changes, &shares), quantile, odds));
        }
        found.push(own);
    }
    Ok(Some(Slopes { weight, level, functions: found }))
}

/// Whether a model is a linear function of the columns as the encoder gives them.
fn is_linear(model: &Weighed<'_>) -> bool {
    fn only_lines(kernel: &Kernel) -> bool {
        match kernel {
            Kernel::Linear(_) | Kernel::Bias(_) | Kernel::Noise(_) => true,
            Kernel::Sum(parts) => parts.iter().all(only_lines),
            Kernel::PerClass(own) => own.iter().all(|own| only_lines(&own.kernel)),
            Kernel::Stationary(_) | Kernel::L1Product(_) | Kernel::Additive(_) | Kernel::Product(_) => false,
        }
    }
    model.fit.data().view().kind() == InputView::Standardised && only_lines(&model.fit.model().kernel)
}

/// How log-odds of two classes change with the latent value near zero: by one under the logistic likelihood, by `4 phi(0)`, about
/// 1.6, under the probit.
fn log_odds_per_latent(model: &Weighed<'_>) -> f64 {
    if model.fit.functions() > 1 {
        return f64::INFINITY;
    }
    let log_odds = |mean: f64| {
        let p = model.fit.class_probability(Class::POSITIVE, &RowGaussian { mean: vec![mean], cov: Mat::zeros(1, 1) });
        (p / (1.0 - p)).ln()
    };
    (log_odds(STEP) - log_odds(-STEP)) / (2.0 * STEP)
}

/// Two encoded rows whose difference is a change of one column.
struct Contrast {
    column: String,
    change: Change,
    rows: Inputs,
}

/// Every change that has a slope.
fn contrasts(encoder: &Encoder, training: &Inputs) -> Vec<Contrast> {
    let of_column = |(feature, column): (usize, &ColumnEncoder)| {
        let start = encoder.features()[feature].columns.start;
        let contrast = |change: Change, cells: &[(usize, usize, f64)]| {
            let mut values = Mat::zeros(2, training.values().cols());
            cells.iter().for_each(|&(row, slot, value)| values[(row, start + slot)] = value);
            let rows = Inputs::new(training.features().to_vec(), values);
            Contrast { column: column.name.clone(), change, rows }
        };
        let rows_of = |slot: usize| training.values().col(start + slot).iter().filter(|v| **v > 0.0).count();
        let levels = |count: usize, name: &dyn Fn(usize) -> String| {
            let most = (0..count).max_by_key(|&slot| (rows_of(slot), std::cmp::Reverse(slot))).unwrap_or_default();
            let others = (0..count).filter(|&slot| slot != most && rows_of(slot) > 0);
            let other = |slot: usize| {
                let change = Change::Level { to: name(slot), from: name(most) };
                contrast(change, &[(0, slot, FRAC_1_SQRT_2), (1, most, FRAC_1_SQRT_2)])
            };
            others.map(other).collect::<Vec<_>>()
        };
        match &column.coding {
            Coding::Continuous(s) | Coding::Date(s) => vec![contrast(Change::By(s.scale), &[(0, 0, 1.0)])],
            Coding::Ordered(levels) => vec![contrast(Change::By(levels.positions.scale), &[(0, 0, 1.0)])],
            Coding::Discrete(found) => levels(found.width(), &|slot| level_name(found, slot)),
            Coding::Missing { .. } => levels(2, &|slot| if slot == 0 { "no" } else { "yes" }.to_owned()),
        }
    };
    encoder.columns().iter().enumerate().flat_map(of_column).collect()
}

/// The posterior of the difference of a function between two rows.
fn change(model: &Weighed<'_>, contrast: &Contrast, class: Class) -> Result<Gaussian, ExplainError> {
    let fit = model.fit;
    let functions = fit.functions();
    let weight = effects::contrast(class, functions);
    let at = fit.functions_at(&contrast.rows)?;
    let mean = (0..functions).map(|c| weight[c] * (at[0].mean[c] - at[1].mean[c])).sum();
    let weights = Mat::from_fn(2, functions, |row, c| if row == 0 { weight[c] } else { -weight[c] });
    Ok(Gaussian { mean, var: JointPosterior::new(fit, &contrast.rows).spread(&weights).var })
}

fn mixture(parts: &[Gaussian], shares: &[f64]) -> Gaussian {
    let mean: f64 = parts.iter().zip(shares).map(|(part, share)| share * part.mean).sum();
    let spread = |part: &Gaussian| part.var + (part.mean - mean) * (part.mean - mean);
    Gaussian { mean, var: parts.iter().zip(shares).map(|(part, share)| share * spread(part)).sum() }
}

fn slope(contrast: &Contrast, found: Gaussian, quantile: f64, odds: Option<f64>) -> Slope {
    let (mean, deviation) = (found.mean, found.var.sqrt());
    let interval = (mean - quantile * deviation, mean + quantile * deviation);
    let ratio = |factor: f64, value: f64| (factor * value).exp();
    Slope {
        column: contrast.column.clone(),
        change: contrast.change.clone(),
        mean,
        deviation,
        interval,
        odds_ratio: odds.map(|factor| ratio(factor, mean)),
        odds_interval: odds.map(|factor| (ratio(factor, interval.0), ratio(factor, interval.1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, EncoderOptions, Table, Targets};
    use crate::kernel::Scales;
    use crate::likelihood::Likelihood;
    use crate::model::{FittedModel, Model, TrainingData};
    use std::sync::Arc;

    fn fixture(kernel: &Kernel, classes: usize) -> (FittedModel, Encoder) {
        let table = Table::new(vec![
            Column::continuous("age", (0..36).map(|i| 40.0 + 9.0 * ((i * 5) as f64).sin()).collect()),
            Column::categories("colour", (0..36).map(|i| ["red", "green", "blue", "red"][i % 4])),
        ])
        .unwrap();
        let (encoder, _) = Encoder::fit(&table, &EncoderOptions::default()).unwrap();
        let (inputs, _) = encoder.encode(&table).unwrap();
        let labels = (0..36).map(|i| Class::first(classes).nth((i + i / 5) % classes).unwrap()).collect();
        let data = Arc::new(TrainingData::new(inputs, Targets::new(labels, classes).unwrap()).unwrap());
        (Model::new(kernel.clone(), Likelihood::probit()).infer(&data, None).unwrap(), encoder)
    }

    fn together(models: Vec<Weighed<'_>>) -> Together<'_> {
        Together { models, sharpness: 1.0 }
    }

    /// From the definition: weights beta ~ N(0, W), f = X beta + level, given the sites.
    #[test]
    fn slopes_are_the_posterior_of_the_weights() {
        let (w, v1) = ([0.7, 0.4], 0.5);
        let kernel = Kernel::linear(Scales::Ard(w.to_vec())) + Kernel::bias(v1);
        let (fit, encoder) = fixture(&kernel, 2);
        let found = slopes(&together(vec![Weighed { weight: 1.0, fit: &fit }]), &encoder, 0.95).unwrap().unwrap();
        let x = fit.data().inputs().values();
        let posterior = &fit.binary().unwrap().posterior;
        let information = posterior.information();
        let per_column: Vec<f64> = std::iter::once(w[0]).chain(std::iter::repeat_n(w[1], x.cols() - 1)).collect();
        let beta = |v: &[f64]| {
            let cross: Vec<f64> =
                (0..36).map(|i| (0..x.cols()).map(|c| per_column[c] * x[(i, c)] * v[c]).sum()).collect();
            let mean: f64 = cross.iter().zip(posterior.alpha()).map(|(k, a)| k * a).sum();
            let prior: f64 = (0..x.cols()).map(|c| per_column[c] * v[c] * v[c]).sum();
            let explained: f64 = information.mul_vec(&cross).iter().zip(&cross).map(|(a, b)| a * b).sum();
            (mean, (prior - explained).sqrt())
        };
        let own = &found.functions[0];
        assert_eq!(own.iter().map(|s| s.column.as_str()).collect::<Vec<_>>(), ["age", "colour", "colour"]);
        let scale = encoder.columns()[0].standardiser().unwrap().scale;
        assert_eq!(own[0].change, Change::By(scale));
        assert_eq!(own[1].change, Change::Level { to: "blue".to_owned(), from: "red".to_owned() });
        let level = |slot: usize| {
            let mut v = vec![0.0; x.cols()];
            (v[1 + slot], v[3]) = (FRAC_1_SQRT_2, -FRAC_1_SQRT_2);
            v
        };
        let mut age = vec![0.0; x.cols()];
        age[0] = 1.0;
        for (slope, v) in own.iter().zip([age, level(0), level(1)]) {
            let (mean, deviation) = beta(&v);
            assert!((slope.mean - mean).abs() < 1e-9, "{slope:?} {mean}");
            assert!((slope.deviation - deviation).abs() < 1e-9, "{slope:?} {deviation}");
            assert!((slope.interval.1 - mean - 1.959963984540054 * deviation).abs() < 1e-9);
            // 4 phi(0)
            assert!((slope.odds_ratio.unwrap() / (1.595_769_121_605_731 * mean).exp() - 1.0).abs() < 1e-5);
        }
        // Odds are raised to the power of the mixture, the latent function is not.
        let models = vec![Weighed { weight: 1.0, fit: &fit }];
        let sharp = slopes(&Together { models, sharpness: 1.7 }, &encoder, 0.95).unwrap().unwrap();
        for (slope, sharp) in own.iter().zip(&sharp.functions[0]) {
            assert_eq!((slope.mean, slope.interval), (sharp.mean, sharp.interval));
            assert!((slope.odds_ratio.unwrap().powf(1.7) / sharp.odds_ratio.unwrap() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn only_models_that_are_mostly_linear_have_slopes() {
        let line = Kernel::linear(Scales::Single(0.6)) + Kernel::bias(0.5);
        let (fit, encoder) = fixture(&line, 3);
        let (curved, _) = fixture(&Kernel::matern32(2.0, Scales::Single(0.6)), 3);
        let of = |weight: f64| {
            let models = vec![Weighed { weight, fit: &fit }, Weighed { weight: 1.0 - weight, fit: &curved }];
            slopes(&together(models), &encoder, 0.9).unwrap()
        };
        assert!(of(0.4).is_none());
        let found = of(0.8).unwrap();
        assert_eq!((found.weight, found.functions.len()), (0.8, 3));
        // Only differences between the functions mean anything: they sum to zero.
        for k in 0..3 {
            let total: f64 = found.functions.iter().map(|own| own[k].mean).sum();
            assert!(total.abs() < 1e-9 && found.functions[0][k].odds_ratio.is_none());
        }
        assert!(slopes(&together(Vec::new()), &encoder, 1.5).is_err());
    }
}
