//! The tilted distribution p(y|f)^power N(f; m, s)/Z on its nodes.

use super::cumulants::Nodes;
use super::panels::{Integrand, Layout};
use super::shape::Shape;
use crate::data::Sign;
use crate::likelihood::floored::hold;
use crate::likelihood::smooth::{log_p, pointwise_by_param, slopes};
use crate::likelihood::{Gaussian, Likelihood};
use crate::param::Role;
use crate::special::PANEL_NODES;

/// Above this ln Z is computed through 1 - Z, which alone keeps its digits as Z approaches 1.
const NEAR_ONE: f64 = -0.7;

/// Nodes of the tilted distribution in u = y f, relative to the reference point u0.
pub(super) struct Tilted<'a> {
    likelihood: &'a Likelihood,
    y: Sign,
    power: f64,
    integrand: Integrand,
    reference: f64,
    /// u at each node.
    latents: Vec<f64>,
    /// u - u0 at each node.
    offsets: Vec<f64>,
    /// Weights that sum to 1.
    weights: Vec<f64>,
    /// ln of the sum that was divided out.
    log_mass: f64,
}

impl<'a> Tilted<'a> {
    pub fn new(likelihood: &'a Likelihood, y: Sign, f: Gaussian, power: f64) -> Self {
        let integrand = Integrand { shape: Shape::new(likelihood, y), power, mean: y.sign() * f.mean, var: f.var };
        let layout = integrand.layout();
        let count = layout.panels.len() * PANEL_NODES;
        let mut tilted = Tilted {
            likelihood,
            y,
            power,
            integrand,
            reference: layout.reference,
            latents: Vec::with_capacity(count),
            offsets: Vec::with_capacity(count),
            weights: Vec::with_capacity(count),
            log_mass: 0.0,
        };
        tilted.fill(&layout);
        tilted
    }

    fn fill(&mut self, layout: &Layout) {
        let Integrand { mean, var, .. } = self.integrand;
        let shift = self.reference - mean;
        let height = self.log_p(self.reference);
        for (u, t, weight) in layout.nodes() {
            let increment = self.integrand.shape.log_increment(self.reference, u);
            let [linear, quadratic, rest] =
                increment.map_or_else(|| [0.0, 0.0, self.log_p(u) - height], |parts| parts.map(|v| self.power * v));
            // The likelihood's slope and the Gaussian's are large and opposite; their sum is not.
            let exponent = t * (linear - shift / var) - 0.5 * t * t * (quadratic + 1.0 / var) + rest;
            self.latents.push(u);
            self.offsets.push(t);
            self.weights.push(weight * exponent.exp());
        }
        let mass: f64 = self.weights.iter().sum();
        if mass > 0.0 && mass.is_finite() {
            self.weights.iter_mut().for_each(|weight| *weight /= mass);
            self.log_mass = mass.ln();
        } else {
            // Rounding of the exponent has buried the integrand (|m| beyond 1e7 deviations): its mode stands for it.
            self.latents = vec![self.reference];
            self.offsets = vec![0.0];
            self.weights = vec![1.0];
            self.log_mass = 0.5 * (std::f64::consts::TAU * var).ln();
        }
    }

    /// power ln p.
    fn log_p(&self, u: f64) -> f64 {
        self.power * log_p(self.likelihood, self.y, self.y.sign() * u)
    }

    /// ln Z, with full relative accuracy for Z near 0 and near 1.
    pub fn log_z(&self) -> f64 {
        let Integrand { mean, var, .. } = self.integrand;
        let shift = self.reference - mean;
        let gaussian = -0.5 * shift * shift / var - 0.5 * (std::f64::consts::TAU * var).ln();
        let log_z = self.log_p(self.reference) + gaussian + self.log_mass;
        if log_z < NEAR_ONE {
            return log_z;
        }
        (-self.lack()).ln_1p()
    }

    /// 1 - Z = E (1 - p^power), on panels of its own: its mass may lie where p^power has none.
    fn lack(&self) -> f64 {
        let Integrand { mean, var, .. } = self.integrand;
        let layout = self.integrand.lack_layout();
        let shift = layout.reference - mean;
        let term = |(u, t, weight): (f64, f64, f64)| {
            let x = t + shift;
            -weight * (-0.5 * x * x / var).exp() * self.log_p(u).exp_m1()
        };
        let sum: f64 = layout.nodes().map(term).sum();
        sum / (std::f64::consts::TAU * var).sqrt()
    }

    fn nodes_and_weights(&self) -> impl Iterator<Item = (f64, f64)> {
        self.offsets.iter().copied().zip(self.weights.iter().copied())
    }

    /// ln p^power and its derivatives in u at every node.
    fn nodes(&self) -> Nodes<'_> {
        let shift = self.reference - self.integrand.mean;
        let sign = self.y.sign();
        let at_nodes = self.latents.iter().map(|&u| {
            let [d1, d2, d3, d4] = slopes(self.likelihood, self.y, sign * u);
            [sign * d1, d2, sign * d3, d4].map(|value| self.power * value)
        });
        Nodes::new(&self.offsets, &self.weights, at_nodes.collect(), shift, self.integrand.var)
    }

    /// The tilted variance over the cavity's.
    pub fn shrink(&self) -> f64 {
        if self.is_collapsed() {
            return 1.0 / (1.0 - self.power * self.second_at_mode() * self.integrand.var).max(f64::MIN_POSITIVE);
        }
        let mean: f64 = self.nodes_and_weights().map(|(t, weight)| weight * t).sum();
        self.nodes_and_weights().map(|(t, weight)| weight * (t - mean).powi(2)).sum::<f64>() / self.integrand.var
    }

    /// d ln Z/dm and d2 ln Z/dm2, m the mean of u.
    pub fn two_derivatives(&self) -> [f64; 2] {
        let nodes = self.nodes();
        [nodes.first(), self.second(&nodes)]
    }

    fn second(&self, nodes: &Nodes) -> f64 {
        let shrink = self.shrink();
        if self.is_collapsed() { self.power * self.second_at_mode() * shrink } else { nodes.second(shrink) }
    }

    /// True where one node at the mode stands for a Gaussian around it.
    fn is_collapsed(&self) -> bool {
        self.offsets.len() == 1
    }

    fn second_at_mode(&self) -> f64 {
        slopes(self.likelihood, self.y, self.y.sign() * self.reference)[1]
    }

    /// Four derivatives of ln Z in the mean of u.
    pub fn four_derivatives(&self) -> [f64; 4] {
        let nodes = self.nodes();
        [nodes.first(), self.second(&nodes), nodes.third(), nodes.fourth()]
    }

    /// d ln Z / d each parameter.
    pub fn gradient(&self) -> Vec<f64> {
        let count = self.likelihood.params().len();
        let mut sums = vec![0.0; count];
        for (&u, weight) in self.latents.iter().zip(&self.weights) {
            for (sum, row) in sums.iter_mut().zip(pointwise_by_param(self.likelihood, self.y, self.y.sign() * u)) {
                *sum += weight * self.power * row[0];
            }
        }
        sums.into_iter().map(hold).collect()
    }

    /// Per parameter, the derivatives of (ln Z, d1, d2) in the latent value's own sign.
    pub fn by_param(&self, d: [f64; 4]) -> Vec<[f64; 3]> {
        let nodes = self.nodes();
        let sign = self.y.sign();
        let rows: Vec<Vec<[f64; 3]>> =
            self.latents.iter().map(|&u| pointwise_by_param(self.likelihood, self.y, sign * u)).collect();
        let params = self.likelihood.params();
        let derivative = |index: usize| {
            if params[index].role == Role::Shift {
                return [d[0], d[1], d[2]]; // a bias moves the cavity mean
            }
            let scaled = rows.iter().map(|row| {
                let [value, first, second] = row[index];
                [value, sign * first, second].map(|v| self.power * v)
            });
            let [value, first, second] = nodes.by_param(&scaled.collect::<Vec<_>>());
            // At eps = 0 and power < 1 these may be integrals without a finite value.
            [value, sign * first, second].map(hold)
        };
        (0..params.len()).map(derivative).collect()
    }
}
