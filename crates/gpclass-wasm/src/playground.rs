//! The playground: points in a plane, a model of them, and maps of what it says.

use crate::problem::Problem;
use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Class, Column, Inputs, LabelValues, Table, Targets};
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{self, Combine, Control, FitOptions, KernelFamily, Lengthscales, LikelihoodFamily};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, Model, Predictions, Start, TrainingData};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The plane reaches from minus this to this along both axes.
pub const REACH: f64 = 2.0;
/// Labels are called by letters.
const LETTERS: [&str; 5] = ["A", "B", "C", "D", "E"];

/// The models of the playground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayModel {
    /// Probit, by expectation propagation.
    Regular,
    /// The same with label error.
    Robust,
    /// Logistic, by Laplace's method.
    Laplace,
    /// The tool's default: several models, learned and weighed.
    Stack,
}

/// What the sliders say.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Settings {
    /// Which model.
    pub model: PlayModel,
    /// Prior variance of the latent function.
    pub v0: f64,
    /// Its lengthscale, in units of the plane.
    pub lengthscale: f64,
    /// Probability that a label is wrong.
    pub eps: f64,
}

impl Settings {
    fn likelihood(&self) -> Result<Likelihood, Problem> {
        match self.model {
            PlayModel::Regular | PlayModel::Stack => Ok(Likelihood::probit()),
            PlayModel::Robust => Likelihood::robust(self.eps).map_err(|error| Problem::Placed(error.to_string())),
            PlayModel::Laplace => Ok(Likelihood::logistic()),
        }
    }

    fn method(&self) -> Method {
        match self.model {
            PlayModel::Laplace => Method::Laplace(LaplaceOptions::default()),
            PlayModel::Regular | PlayModel::Robust | PlayModel::Stack => Method::default(),
        }
    }

    fn model(&self) -> Result<Model, Problem> {
        let kernel = Kernel::squared_exponential(self.v0, Scales::Single(self.lengthscale.powi(-2)));
        Ok(Model { method: self.method(), ..Model::new(kernel, self.likelihood()?) })
    }

    /// What learns these settings from the points.
    fn learned_by(&self) -> FitOptions {
        let likelihood = match self.model {
            PlayModel::Regular | PlayModel::Stack => LikelihoodFamily::Probit,
            PlayModel::Robust => LikelihoodFamily::Robust,
            PlayModel::Laplace => LikelihoodFamily::Logistic,
        };
        FitOptions {
            kernel: Some(KernelFamily::SquaredExponential),
            likelihood: Some(likelihood),
            lengthscales: Lengthscales::Single,
            method: self.method(),
            combine: Combine::Best,
            ..FitOptions::default()
        }
    }
}

/// Points with the classes that they have; those without a point are not modelled, except that there are always two.
struct Points {
    xy: Vec<[f64; 2]>,
    of_row: Vec<Class>,
    /// The classes that are modelled, by their letters.
    used: Vec<usize>,
}

impl Points {
    /// From triples of two coordinates and a class.
    fn new(triples: &[f64]) -> Result<Points, Problem> {
        let (triples, _) = triples.as_chunks::<3>();
        let class = |[_, _, class]: &[f64; 3]| (*class as usize).min(LETTERS.len() - 1);
        let mut used: Vec<usize> = triples.iter().map(class).collect();
        used.sort_unstable();
        used.dedup();
        if used.is_empty() {
            return Err(Problem::NoPoints);
        }
        if let [one] = used[..] {
            used.push(usize::from(one == 0));
            used.sort_unstable();
        }
        let position = |triple| used.binary_search(&class(triple)).unwrap_or_default();
        let of_row = triples.iter().map(|triple| Class::at(position(triple)).unwrap_or(Class::NEGATIVE)).collect();
        let xy = triples.iter().map(|[x, y, _]| [*x, *y]).collect();
        Ok(Points { xy, of_row, used })
    }

    fn data(&self) -> Result<Arc<TrainingData>, Problem> {
        let inputs = Inputs::continuous(Mat::from_fn(self.xy.len(), 2, |i, j| self.xy[i][j]));
        let targets = Targets::new(self.of_row.clone(), self.used.len()).expect("positions are below their number");
        Ok(Arc::new(TrainingData::new(inputs, targets)?))
    }

    fn table(&self) -> Result<(Table, LabelValues), Problem> {
        let labels = LabelValues::text(self.of_row.iter().map(|class| LETTERS[self.used[class.position()]]));
        Ok((table(&self.xy)?, labels))
    }
}

fn table(xy: &[[f64; 2]]) -> Result<Table, Problem> {
    let column = |j: usize| Column::continuous(["x1", "x2"][j], xy.iter().map(|at| at[j]).collect());
    Ok(Table::new(vec![column(0), column(1)])?)
}

/// A model of some points.
enum Fitted {
    Given(Box<FittedModel>),
    Learned(Box<Classifier>),
}

/// A model of the points, from which maps are made.
pub struct Picture {
    fitted: Fitted,
    v0: f64,
    used: Vec<usize>,
    suspicion: Vec<f64>,
    account: String,
}

/// Probabilities of the classes over the plane, and how little is known there.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// For every place, row by row from below, the probability of each class that is modelled.
    pub probability: Vec<f32>,
    /// For every place how little is known, from 0 to 1.
    pub unknown: Vec<f32>,
}

/// What is said about a model besides its map.
#[derive(Serialize)]
struct Account<'a> {
    classes: &'a [usize],
    log_evidence: Option<f64>,
    error: f64,
    loss: f64,
    suspects_by: &'static str,
    unknown_by: &'static str,
    converged: bool,
}

impl Picture {
    /// The model that the settings ask for; `before` is one of similar points, from which the search may start.
    pub fn of(triples: &[f64], settings: &Settings, before: Option<&Picture>) -> Result<Picture, Problem> {
        let points = Points::new(triples)?;
        match settings.model {
            PlayModel::Stack => Self::learned(points),
            _ => Self::given(points, settings, before),
        }
    }

    fn given(points: Points, settings: &Settings, before: Option<&Picture>) -> Result<Picture, Problem> {
        let (model, data) = (settings.model()?, points.data()?);
        let start = before.and_then(|before| before.start(&model, &data));
        let fit = model.infer(&data, start.as_ref())?;
        let knows_errors = settings.model == PlayModel::Robust;
        let left_out = fit.leave_one_out();
        let surprise = || (0..data.rows()).map(|row| left_out.probability.of_others(row, data.labels()[row])).collect();
        let (error, loss) = learn::loo_summary(&fit);
        let account = Account {
            classes: &points.used,
            log_evidence: Some(fit.log_evidence()),
            error,
            loss,
            suspects_by: if knows_errors { "the model's probability that the label is wrong" } else { SURPRISE },
            unknown_by: "what is left of the prior's spread",
            converged: fit.report().outcome.converged(),
        };
        Ok(Picture {
            account: serde_json::to_string(&account)?,
            suspicion: if knows_errors { fit.label_error() } else { surprise() },
            fitted: Fitted::Given(Box::new(fit)),
            v0: settings.v0,
            used: points.used,
        })
    }

    fn learned(points: Points) -> Result<Picture, Problem> {
        let (table, labels) = points.table()?;
        let classifier = Classifier::fit(&table, &labels, None, &Spec::default(), &Control::default())?;
        let summary = classifier.summary();
        let account = Account {
            classes: &points.used,
            log_evidence: None,
            error: summary.loo.error.value,
            loss: summary.loo.nlp_nats.value,
            suspects_by: "the members' probability that the label is wrong",
            unknown_by: "how unlike all points a place is",
            converged: summary.converged(),
        };
        Ok(Picture {
            account: serde_json::to_string(&account)?,
            suspicion: summary.suspects.probability.clone(),
            fitted: Fitted::Learned(Box::new(classifier)),
            v0: f64::NAN,
            used: points.used,
        })
    }

    /// Where a search may start from this picture's model: if it has the same form and the same number of points.
    fn start(&self, model: &Model, data: &TrainingData) -> Option<Start> {
        let Fitted::Given(fit) = &self.fitted else { return None };
        let same = fit.data().rows() == data.rows() && fit.data().targets().count() == data.targets().count();
        let alike = fit.model().likelihood.family() == model.likelihood.family();
        (same && alike).then(|| fit.start())
    }

    /// For every point how suspect its label is.
    pub fn suspicion(&self) -> &[f64] {
        &self.suspicion
    }

    /// What is said about the model, as JSON.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The plane seen at `side` x `side` places, the centres of as many squares.
    pub fn map(&self, side: usize) -> Result<Map, Problem> {
        let step = 2.0 * REACH / side as f64;
        let at = |k: usize| (k as f64 + 0.5) * step - REACH;
        self.at(&(0..side * side).map(|place| [at(place % side), at(place / side)]).collect::<Vec<_>>())
    }

    /// The same at single places.
    pub fn at(&self, xy: &[[f64; 2]]) -> Result<Map, Problem> {
        let (rows, unknown) = match &self.fitted {
            Fitted::Given(fit) => {
                let rows = fit.predict(&Inputs::continuous(Mat::from_fn(xy.len(), 2, |i, j| xy[i][j])))?;
                let unknown = (0..xy.len()).map(|row| self.spread(&rows, row)).collect();
                (rows, unknown)
            }
            Fitted::Learned(classifier) => {
                let (inputs, _) = classifier.encoder().encode(&table(xy)?)?;
                (classifier.predict_inputs(&inputs)?, classifier.novelty_of_inputs(&inputs)?)
            }
        };
        let classes = rows.probability.classes();
        let of_place = |row: usize| classes.clone().map(move |class| (row, class));
        let probability =
            (0..xy.len()).flat_map(of_place).map(|(row, class)| rows.probability(row, class) as f32).collect();
        Ok(Map { probability, unknown: unknown.into_iter().map(|share: f64| share as f32).collect() })
    }

    /// The spread of the latent functions at a place, as a share of their spread before any point was seen.
    fn spread(&self, rows: &Predictions, row: usize) -> f64 {
        let functions = rows.functions();
        let var = (0..functions).map(|function| rows.latent(row, function).var).sum::<f64>() / functions as f64;
        (var / self.v0).sqrt().clamp(0.0, 1.0)
    }

    /// The classes that are modelled, by their positions among all.
    pub fn classes(&self) -> &[usize] {
        &self.used
    }
}

const SURPRISE: &str = "the probability of the other classes, the point left out";

/// Settings that the points themselves suggest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Learned {
    /// Prior variance.
    pub v0: f64,
    /// Lengthscale.
    pub lengthscale: f64,
    /// Label error, of a model that has one.
    pub eps: Option<f64>,
}

/// The settings of the model that explain the points best.
pub(crate) fn learn_settings(triples: &[f64], settings: &Settings) -> Result<Learned, Problem> {
    let found = learn::fit(&Points::new(triples)?.data()?, &settings.learned_by(), &Control::default())?;
    let model = found.fitted().model();
    let value = |name: &str| {
        let all = model.kernel.params().into_iter().chain(model.likelihood.params());
        all.into_iter().find(|param| param.name == name).map(|param| param.value)
    };
    Ok(Learned {
        v0: value("v0").unwrap_or(settings.v0),
        lengthscale: value("l").map_or(settings.lengthscale, |l| l.powf(-0.5)),
        eps: value("eps"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROBUST: Settings = Settings { model: PlayModel::Robust, v0: 10.0, lengthscale: 0.8, eps: 0.05 };

    /// Two groups of ten points, one of which has the other's label.
    fn groups() -> Vec<f64> {
        let one = |k: usize| {
            let (side, step) = (k % 2, (k / 2) as f64 / 10.0);
            let class = if k == 7 { 0 } else { side };
            [if side == 0 { -1.0 } else { 1.0 }, step - 0.5, class as f64]
        };
        (0..20).flat_map(one).collect()
    }

    #[test]
    fn every_model_tells_the_groups_apart_and_knows_little_far_away() {
        for model in [PlayModel::Regular, PlayModel::Robust, PlayModel::Laplace, PlayModel::Stack] {
            let picture = Picture::of(&groups(), &Settings { model, ..ROBUST }, None).unwrap();
            let Map { probability, unknown } = picture.at(&[[-1.0, 0.0], [1.0, 0.0], [0.0, -1.9]]).unwrap();
            assert!(probability[0] > 0.6 && probability[3] > 0.6, "{model:?}: {probability:?}");
            assert!(probability.chunks(2).all(|p| (p[0] + p[1] - 1.0).abs() < 1e-6));
            assert!(unknown[2] > unknown[0], "{model:?}: {unknown:?}");
            let suspicion = picture.suspicion();
            assert!((0..20).all(|row| suspicion[row] <= suspicion[7]), "{model:?}: {suspicion:?}");
        }
    }

    #[test]
    fn a_picture_does_not_depend_on_the_one_before() {
        let before = Picture::of(&groups(), &Settings { v0: 3.0, ..ROBUST }, None).unwrap();
        let [cold, warm] =
            [None, Some(&before)].map(|before| Picture::of(&groups(), &ROBUST, before).unwrap().map(8).unwrap());
        let far = cold.probability.iter().zip(&warm.probability).any(|(a, b)| (a - b).abs() > 1e-5);
        assert!(!far && cold.probability.len() == 128);
    }

    #[test]
    fn classes_without_points_are_not_modelled() {
        let picture = Picture::of(&[0.0, 0.0, 1.0, 0.5, 0.5, 4.0, -0.5, 0.5, 3.0], &ROBUST, None).unwrap();
        assert_eq!(picture.classes(), [1, 3, 4]);
        assert_eq!(picture.map(4).unwrap().probability.len(), 48);
        assert_eq!(Picture::of(&[0.0, 0.0, 0.0], &ROBUST, None).unwrap().classes(), [0, 1]);
        assert_eq!(Picture::of(&[0.0, 0.0, 2.0], &ROBUST, None).unwrap().classes(), [0, 2]);
    }

    #[test]
    fn learned_settings_explain_the_points_better() {
        let evidence = |set: &Settings| {
            let account: serde_json::Value =
                serde_json::from_str(Picture::of(&groups(), set, None).unwrap().account()).unwrap();
            account["log_evidence"].as_f64().unwrap()
        };
        let learned = learn_settings(&groups(), &ROBUST).unwrap();
        let eps = learned.eps.unwrap();
        assert!(eps > 0.0 && eps < 0.3);
        let Learned { v0, lengthscale, .. } = learned;
        assert!(evidence(&Settings { v0, lengthscale, eps, ..ROBUST }) > evidence(&ROBUST));
        assert_eq!(learn_settings(&groups(), &Settings { model: PlayModel::Laplace, ..ROBUST }).unwrap().eps, None);
    }
}
