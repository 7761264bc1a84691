//! The probability over the plane of two continuous features.

use super::ExplainError;
use super::setting::{check_encoder, range};
use crate::data::{Class, Coding, Encoder, Inputs, Standardiser};
use crate::model::{FittedModel, Probabilities};
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};

/// Choices of a decision surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SurfaceOptions {
    /// Grid points along each axis. Default 51.
    pub resolution: usize,
    /// The class whose probability is shown. Default the positive one.
    pub class: Class,
    /// How far the plane reaches beyond the training rows, as a share of their range. Default 0.08.
    pub margin: f64,
}

impl Default for SurfaceOptions {
    fn default() -> Self {
        SurfaceOptions { resolution: 51, class: Class::POSITIVE, margin: 0.08 }
    }
}

/// One axis in the user's units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfaceAxis {
    /// The feature's name.
    pub feature: String,
    /// Where the grid begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// A training row in the plane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfacePoint {
    /// The first feature.
    pub x: f64,
    /// The second feature.
    pub y: f64,
    /// The row's label.
    pub class: Class,
}

/// Probabilities of a class on an even grid, with the training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionSurface {
    /// The first feature.
    pub x: SurfaceAxis,
    /// The second feature.
    pub y: SurfaceAxis,
    /// Grid points along each axis.
    pub resolution: usize,
    /// The class whose probability is shown.
    pub class: Class,
    /// Probability at grid point (i along x, j along y) at `j * resolution + i`.
    pub probability: Vec<f64>,
    /// Of more than two classes: the probabilities of all of them at the same grid points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every_class: Option<Probabilities>,
    /// Training rows in their order.
    pub points: Vec<SurfacePoint>,
}

/// The decision surface of a model of exactly two continuous features; `None` for any other.
pub fn decision_surface(
    fit: &FittedModel,
    encoder: &Encoder,
    options: &SurfaceOptions,
) -> Result<Option<DecisionSurface>, ExplainError> {
    decision_surface_by(fit, encoder, options, |rows| Ok(fit.predict(rows)?.probability))
}

/// The same of whatever gives the probabilities, whose training rows are those of `fit`.
pub(super) fn decision_surface_by(
    fit: &FittedModel,
    encoder: &Encoder,
    options: &SurfaceOptions,
    predict: impl Fn(&Inputs) -> Result<Probabilities, ExplainError>,
) -> Result<Option<DecisionSurface>, ExplainError> {
    check_encoder(fit, encoder)?;
    let side = options.resolution;
    if side < 2 {
        return Err(ExplainError::Option { option: "resolution", value: side as f64, wanted: "at least 2" });
    }
    if !(options.margin >= 0.0 && options.margin.is_finite()) {
        return Err(ExplainError::Option {
            option: "margin",
            value: options.margin,
            wanted: "finite and not negative",
        });
    }
    let [first, second] = encoder.columns() else { return Ok(None) };
    let (Coding::Continuous(sx), Coding::Continuous(sy)) = (&first.coding, &second.coding) else { return Ok(None) };

    let inputs = fit.data().given();
    let [xs, ys] = [0, 1].map(|column| widened(range(inputs.values().col(column)), options.margin));
    let step = |(low, high): (f64, f64), k: usize| low + (high - low) * k as f64 / (side - 1) as f64;
    let grid = Mat::from_fn(side * side, 2, |row, c| if c == 0 { step(xs, row % side) } else { step(ys, row / side) });
    let probability = predict(&Inputs::new(inputs.features().to_vec(), grid))?;
    Ok(Some(DecisionSurface {
        x: axis(&first.name, sx, xs),
        y: axis(&second.name, sy, ys),
        resolution: side,
        class: options.class,
        probability: probability.of_class(options.class).to_vec(),
        every_class: Some(probability).filter(|probability| probability.classes().len() > 2),
        points: points(fit, sx, sy),
    }))
}

fn widened((low, high): (f64, f64), margin: f64) -> (f64, f64) {
    // A constant feature still needs a plane to be drawn on; encoded features have unit scale.
    let pad = if high > low { margin * (high - low) } else { 0.5 };
    (low - pad, high + pad)
}

fn axis(name: &str, standardiser: &Standardiser, (low, high): (f64, f64)) -> SurfaceAxis {
    SurfaceAxis { feature: name.to_owned(), low: standardiser.invert(low), high: standardiser.invert(high) }
}

fn points(fit: &FittedModel, sx: &Standardiser, sy: &Standardiser) -> Vec<SurfacePoint> {
    let values = fit.data().given().values();
    let rows = fit.data().labels().iter().enumerate();
    rows.map(|(i, &class)| SurfacePoint { x: sx.invert(values[(i, 0)]), y: sy.invert(values[(i, 1)]), class }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{EncoderOptions, Table, Targets};
    use crate::kernel::{Kernel, Scales};
    use crate::likelihood::Likelihood;
    use crate::model::{Model, TrainingData};
    use std::sync::Arc;

    fn fit(table: &Table) -> (FittedModel, Encoder) {
        fit_classes(table, 2, |i| if i % 3 == 0 { Class::POSITIVE } else { Class::NEGATIVE })
    }

    fn fit_classes(table: &Table, classes: usize, class: impl Fn(usize) -> Class) -> (FittedModel, Encoder) {
        let (encoder, _) = Encoder::fit(table, &EncoderOptions::default()).unwrap();
        let (inputs, _) = encoder.encode(table).unwrap();
        let labels = (0..table.rows()).map(class).collect();
        let data = Arc::new(TrainingData::new(inputs, Targets::new(labels, classes).unwrap()).unwrap());
        let kernel = Kernel::squared_exponential(2.0, Scales::Single(0.8));
        (Model::new(kernel, Likelihood::probit()).infer(&data, None).unwrap(), encoder)
    }

    #[test]
    fn grid_points_are_predictions_in_the_units_of_the_table() {
        let values = Mat::from_fn(20, 2, |i, j| 100.0 * (j as f64 + 1.0) + 7.0 * ((i * (j + 3)) as f64).sin());
        let table = Table::from_matrix(&values).unwrap();
        let (fit, encoder) = fit(&table);
        let surface =
            decision_surface(&fit, &encoder, &SurfaceOptions { resolution: 5, margin: 0.1, ..Default::default() })
                .unwrap()
                .unwrap();
        let at = |axis: &SurfaceAxis, k: usize| axis.low + (axis.high - axis.low) * k as f64 / 4.0;
        let probe = Mat::from_columns(1, 2, vec![at(&surface.x, 3), at(&surface.y, 1)]);
        let direct = fit.predict(&encoder.encode_matrix(&probe).unwrap().0).unwrap().probability(0, Class::POSITIVE);
        assert!((surface.probability[5 + 3] - direct).abs() < 1e-12);
        let negative =
            decision_surface(&fit, &encoder, &SurfaceOptions { resolution: 5, margin: 0.1, class: Class::NEGATIVE });
        assert!((negative.unwrap().unwrap().probability[5 + 3] - (1.0 - direct)).abs() < 1e-12);
        assert!((surface.points[4].x - values[(4, 0)]).abs() < 1e-10);
        assert!((surface.points[4].y - values[(4, 1)]).abs() < 1e-10);
        assert!(surface.points.iter().all(|p| p.x > surface.x.low && p.x < surface.x.high));
    }

    #[test]
    fn several_classes_have_all_their_probabilities_on_the_grid_and_two_keep_their_form() {
        let table = Table::from_matrix(&Mat::from_fn(18, 2, |i, j| ((i * (j + 3)) as f64).sin())).unwrap();
        let small = SurfaceOptions { resolution: 4, ..SurfaceOptions::default() };
        let (fit3, encoder) = fit_classes(&table, 3, |i| Class::from((i % 3) as u16));
        let surface = decision_surface(&fit3, &encoder, &small).unwrap().unwrap();
        let every = surface.every_class.as_ref().unwrap();
        assert_eq!((every.rows(), every.classes().len()), (16, 3));
        assert_eq!(every.of_class(Class::POSITIVE), surface.probability);
        for point in 0..16 {
            let total: f64 = every.classes().map(|class| every.at(point, class)).sum();
            assert!((total - 1.0).abs() < 1e-9, "{total}");
        }
        let last = decision_surface(&fit3, &encoder, &SurfaceOptions { class: Class::from(2), ..small.clone() });
        assert_eq!(last.unwrap().unwrap().probability, every.of_class(Class::from(2)));
        let text = serde_json::to_string(&surface).unwrap();
        assert_eq!(serde_json::from_str::<DecisionSurface>(&text).unwrap(), surface);

        let (fit2, encoder) = fit(&table);
        let two = decision_surface(&fit2, &encoder, &small).unwrap().unwrap();
        let text = serde_json::to_string(&two).unwrap();
        assert!(two.every_class.is_none() && !text.contains("every_class"), "{text}");
        assert_eq!(serde_json::from_str::<DecisionSurface>(&text).unwrap(), two);
    }

    #[test]
    fn other_than_two_continuous_features_have_no_plane() {
        let table = Table::from_matrix(&Mat::from_fn(9, 3, |i, j| ((i + 2 * j) as f64).sin())).unwrap();
        let (fit, encoder) = fit(&table);
        assert_eq!(decision_surface(&fit, &encoder, &SurfaceOptions::default()), Ok(None));
    }

    #[test]
    fn constant_features_and_bad_options() {
        let table = Table::from_matrix(&Mat::from_fn(6, 2, |_, j| 3.0 + j as f64)).unwrap();
        let (fit, encoder) = fit(&table);
        let surface = decision_surface(&fit, &encoder, &SurfaceOptions::default()).unwrap().unwrap();
        assert_eq!((surface.x.low, surface.x.high), (2.5, 3.5));
        let bad = SurfaceOptions { resolution: 1, ..SurfaceOptions::default() };
        assert!(matches!(decision_surface(&fit, &encoder, &bad), Err(ExplainError::Option { .. })));
    }
}
