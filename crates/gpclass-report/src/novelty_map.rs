//! Where the training rows lie, and how unlike each other they are.

use crate::ReportError;
use crate::training_rows::measure;
use gpclass::classifier::Classifier;
use gpclass::data::{Column, Table};
use gpclass::explain::{DecisionSurface, SurfaceAxis, UNLIKE_TRAINING, ranking};

/// Points per side of the plane.
const RESOLUTION: usize = 41;

/// The novelty of every training row, and the plane in which they are shown.
#[derive(Clone, Debug)]
pub(crate) struct NoveltyMap {
    pub novelty: Vec<f64>,
    /// Nothing where there are fewer than two numbers among the features.
    pub plane: Option<Plane>,
}

/// The training rows by the two numbers that matter most.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    pub names: [String; 2],
    pub places: Vec<(f64, f64)>,
    /// Where these are all features: the novelty everywhere.
    pub ground: Option<Ground>,
}

/// Novelty on a grid between the ends of two axes, the first axis running fastest.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub resolution: usize,
    pub novelty: Vec<f64>,
}

impl NoveltyMap {
    pub fn of(classifier: &Classifier, surface: Option<&DecisionSurface>) -> Result<Self, ReportError> {
        let ground = surface.map(|surface| ground(classifier, surface)).transpose()?;
        Ok(NoveltyMap { novelty: classifier.training_novelty()?, plane: plane(classifier, ground) })
    }

    /// The rows that are unlike all others, with their novelty, the most unlike first.
    pub fn unlike(&self) -> Vec<(usize, f64)> {
        let rows = self.novelty.iter().copied().enumerate();
        let mut rows: Vec<(usize, f64)> = rows.filter(|row| row.1 > UNLIKE_TRAINING).collect();
        rows.sort_by(|a, b| b.1.total_cmp(&a.1));
        rows
    }
}

fn plane(classifier: &Classifier, ground: Option<Ground>) -> Option<Plane> {
    let (inputs, encoder) = (classifier.training().given(), classifier.encoder());
    let of_feature = |m: usize| -> Option<(usize, Vec<f64>)> {
        let values = (0..inputs.rows()).map(|row| measure(encoder, inputs, row, m)).collect::<Option<_>>()?;
        Some((m, values))
    };
    let mut numbers = ranking(&classifier.summary().relevances).into_iter().filter_map(of_feature);
    let mut two = [numbers.next()?, numbers.next()?];
    if ground.is_some() {
        // The axes of the decision surface, which has the features in their own order.
        two.sort_by_key(|(feature, _)| *feature);
    }
    let names = [0, 1].map(|k| inputs.features()[two[k].0].name.clone());
    let places = two[0].1.iter().zip(&two[1].1).map(|(x, y)| (*x, *y)).collect();
    Some(Plane { names, places, ground })
}

/// The novelty over the plane of the decision surface.
fn ground(classifier: &Classifier, surface: &DecisionSurface) -> Result<Ground, ReportError> {
    let along = |axis: &SurfaceAxis, k: usize| axis.low + (axis.high - axis.low) * k as f64 / (RESOLUTION - 1) as f64;
    let cells = || (0..RESOLUTION).flat_map(|j| (0..RESOLUTION).map(move |i| (i, j)));
    let x = cells().map(|(i, _)| along(&surface.x, i)).collect();
    let y = cells().map(|(_, j)| along(&surface.y, j)).collect();
    let columns = vec![Column::continuous(&surface.x.feature, x), Column::continuous(&surface.y.feature, y)];
    let table = Table::new(columns).map_err(gpclass::classifier::ClassifierError::from)?;
    Ok(Ground {
        x: (surface.x.low, surface.x.high),
        y: (surface.y.low, surface.y.high),
        resolution: RESOLUTION,
        novelty: classifier.novelty(&table)?,
    })
}
