//! Stacking: the weights of several models whose mixture predicts left-out rows best.

use gpclass_linalg::{Mat, cholesky_in_place, lower_solve, lower_transpose_solve, vector};

/// Rows of a prior sample for every model, in which it alone did well: they keep weights from zero, because leave-one-out
/// flatters models with many hyperparameters, which were fitted to the rows left out.
const PRIOR_ROWS: f64 = 0.3;
/// The search ends where a Newton step would raise the objective by less than this, in nats for every row.
const TOLERANCE: f64 = 1e-14;
/// Newton steps at most; some ten are made.
const MAX_STEPS: usize = 200;
/// A step goes this share of the way to the edge of the simplex at most.
const TO_THE_EDGE: f64 = 0.99;
/// Most of what a row may decide about the weights: beyond, a Newton step leads anywhere.
const MOST_LEVERAGE: f64 = 0.6;
/// A step is halved until it gives this share of what its slope promises.
const SUFFICIENT: f64 = 0.25;

/// The weights `w` on the simplex that maximise
///
/// `Σ_i ω_i log Σ_k w_k p_ki + a Σ_k log w_k`,  `a = 0.3`
///
/// `p_ki` being the probability of row i's own class as model k predicts it from the other rows; `left_out[k][i]` is its
/// logarithm and `omega` the rows' weights, one each if there are none. The objective is strictly concave, so that the weights
/// are unique. Steps are Newton's on the plane `Σ_k w_k = 1`: EM, which finds the same, is slow where models are alike.
pub fn stacking_weights(left_out: &[&[f64]], omega: Option<&[f64]>) -> Vec<f64> {
    let models = left_out.len();
    let rows = Rows::new(left_out, omega);
    let mut weights = vec![1.0 / models as f64; models];
    for _ in 0..MAX_STEPS {
        let Some((step, gain)) = rows.newton_step(&weights) else { break };
        if gain <= TOLERANCE * (1.0 + rows.total) {
            break;
        }
        let Some(next) = rows.along(&weights, &step, gain) else { break };
        weights = next;
    }
    // Rounding leaves the plane by an ulp or two.
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|w| *w /= sum);
    weights
}

/// The rows that tell models apart: their probabilities row by row, in units of the largest.
struct Rows {
    models: usize,
    probability: Vec<f64>,
    omega: Vec<f64>,
    /// The sum of the weights of these rows.
    total: f64,
}

impl Rows {
    fn new(left_out: &[&[f64]], omega: Option<&[f64]>) -> Self {
        let (models, count) = (left_out.len(), left_out.first().map_or(0, |one| one.len()));
        let mut rows = Rows { models, probability: Vec::with_capacity(models * count), omega: Vec::new(), total: 0.0 };
        for i in 0..count {
            let weight = omega.map_or(1.0, |omega| omega[i]);
            let largest = left_out.iter().fold(f64::NEG_INFINITY, |most, one| most.max(one[i]));
            // A row that every model calls impossible does not prefer any.
            if weight > 0.0 && largest.is_finite() {
                rows.probability.extend(left_out.iter().map(|one| (one[i] - largest).exp()));
                rows.omega.push(weight);
                rows.total += weight;
            }
        }
        rows
    }

    /// The probabilities of every row with its weight.
    fn each(&self) -> impl Iterator<Item = (&[f64], f64)> {
        self.probability.chunks_exact(self.models.max(1)).zip(self.omega.iter().copied())
    }

    fn objective(&self, weights: &[f64]) -> f64 {
        let fit: f64 = self.each().map(|(p, omega)| omega * vector::dot(p, weights).ln()).sum();
        fit + PRIOR_ROWS * weights.iter().map(|w| w.ln()).sum::<f64>()
    }

    /// The slope of the objective and the lower factor of its negative Hessian.
    fn expansion(&self, weights: &[f64]) -> Option<(Vec<f64>, Mat)> {
        let mut slope: Vec<f64> = weights.iter().map(|w| PRIOR_ROWS / w).collect();
        let mut curvature = Mat::zeros(self.models, self.models);
        (0..self.models).for_each(|k| curvature[(k, k)] = PRIOR_ROWS / (weights[k] * weights[k]));
        for (p, omega) in self.each() {
            let mixed = vector::dot(p, weights);
            for k in 0..self.models {
                let pull = omega * p[k] / mixed;
                slope[k] += pull;
                (0..=k).for_each(|l| curvature[(k, l)] += pull * p[l] / mixed);
            }
        }
        cholesky_in_place(&mut curvature).ok()?;
        Some((slope, curvature))
    }

    /// The step to the maximum of the quadratic model on the plane, and twice the gain that it promises.
    fn newton_step(&self, weights: &[f64]) -> Option<(Vec<f64>, f64)> {
        let (slope, curvature) = self.expansion(weights)?;
        let step = step_on_plane(&curvature, &slope);
        let gain = vector::dot(&slope, &step);
        gain.is_finite().then_some((step, gain))
    }

    /// The weights after as much of the step as raises the objective enough.
    fn along(&self, weights: &[f64], step: &[f64], gain: f64) -> Option<Vec<f64>> {
        let mut share = share_within(weights, step);
        let here = self.objective(weights);
        while share > f64::EPSILON {
            let mut there = weights.to_vec();
            vector::add_scaled(&mut there, share, step);
            if self.objective(&there) >= here + SUFFICIENT * share * gain {
                return Some(there);
            }
            share *= 0.5;
        }
        None
    }
}

/// `A⁻¹ slope` with as much of `A⁻¹ 1` taken off as brings it into the plane, from the lower factor of `A`.
fn step_on_plane(curvature: &Mat, slope: &[f64]) -> Vec<f64> {
    let solved = |mut x: Vec<f64>| {
        lower_solve(curvature, &mut x);
        lower_transpose_solve(curvature, &mut x);
        x
    };
    let (mut step, even) = (solved(slope.to_vec()), solved(vec![1.0; slope.len()]));
    let level = step.iter().sum::<f64>() / even.iter().sum::<f64>();
    vector::add_scaled(&mut step, -level, &even);
    step
}

/// How much of a step can be gone before a weight vanishes, one at most.
fn share_within(weights: &[f64], step: &[f64]) -> f64 {
    let room = weights.iter().zip(step).filter(|(_, d)| **d < 0.0).map(|(w, d)| -w / d);
    room.fold(1.0_f64, |least, t| least.min(TO_THE_EDGE * t))
}

/// For every row the [`stacking_weights`] as they would be without it, by one Newton step from `weights`, which are those of
/// all rows. A row of weight above one lacks one copy, as it does in leave-one-out. The row's part of the negative Hessian is
/// `g gᵀ` with `g_k = p_ki / Σ_l w_l p_li` its slope, so that the step is `-A⁻¹ g / (1 - gᵀ A⁻¹ g)` on the plane (math 11.3).
pub fn weights_without_each(left_out: &[&[f64]], omega: Option<&[f64]>, weights: &[f64]) -> Vec<Vec<f64>> {
    let count = left_out.first().map_or(0, |one| one.len());
    let mut all = vec![weights.to_vec(); count];
    let Some((_, curvature)) = Rows::new(left_out, omega).expansion(weights) else { return all };
    for (i, own) in all.iter_mut().enumerate() {
        let copy = omega.map_or(1.0, |omega| omega[i].min(1.0));
        let largest = left_out.iter().fold(f64::NEG_INFINITY, |most, one| most.max(one[i]));
        if copy == 0.0 || !largest.is_finite() {
            continue;
        }
        let p: Vec<f64> = left_out.iter().map(|one| (one[i] - largest).exp()).collect();
        let mixed = vector::dot(&p, weights);
        let slope: Vec<f64> = p.iter().map(|p| -copy * p / mixed).collect();
        let mut step = step_on_plane(&curvature, &slope);
        let leverage = vector::dot(&slope, &step) / copy;
        step.iter_mut().for_each(|d| *d /= 1.0 - leverage.min(MOST_LEVERAGE));
        vector::add_scaled(own, share_within(weights, &step), &step);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the weights of the other rows alone.
    #[test]
    fn a_step_foretells_the_weights_without_a_row() {
        let models = models();
        let models = slices(&models);
        let all = stacking_weights(&models, None);
        for (i, got) in weights_without_each(&models, None, &all).iter().enumerate() {
            let omega: Vec<f64> = (0..25).map(|j| if i == j { 0.0 } else { 1.0 }).collect();
            let want = stacking_weights(&models, Some(&omega));
            let away = |w: &[f64]| w.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(away(got) < 0.2 * away(&all) + 1e-4, "row {i}: {} of {}", away(got), away(&all));
            assert!((got.iter().sum::<f64>() - 1.0).abs() < 1e-12 && got.iter().all(|w| *w > 0.0));
        }
        let ignored: Vec<f64> = (0..25).map(|i| f64::from(u8::from(i != 4))).collect();
        let without = stacking_weights(&models, Some(&ignored));
        assert_eq!(weights_without_each(&models, Some(&ignored), &without)[4], without);
    }

    /// What is maximised.
    fn objective(left_out: &[&[f64]], omega: Option<&[f64]>, w: &[f64]) -> f64 {
        let row = |i: usize| left_out.iter().zip(w).map(|(one, w)| w * one[i].exp()).sum::<f64>().ln();
        let fit: f64 = (0..left_out[0].len()).map(|i| omega.map_or(1.0, |o| o[i]) * row(i)).sum();
        fit + PRIOR_ROWS * w.iter().map(|w| w.ln()).sum::<f64>()
    }

    fn models() -> Vec<Vec<f64>> {
        let log_p = |k: usize, i: usize| (0.05 + 0.9 * ((k * 31 + i * 7 + i * k) as f64 * 0.61).sin().powi(2)).ln();
        (0..3).map(|k| (0..25).map(|i| log_p(k, i)).collect()).collect()
    }

    fn slices(models: &[Vec<f64>]) -> Vec<&[f64]> {
        models.iter().map(Vec::as_slice).collect()
    }

    #[test]
    fn no_point_of_a_fine_grid_is_better() {
        let models = models();
        let models = slices(&models);
        let omega: Vec<f64> = (0..25).map(|i| [0.0, 0.5, 1.0, 3.0][i % 4]).collect();
        for omega in [None, Some(omega.as_slice())] {
            let w = stacking_weights(&models, omega);
            assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let top = objective(&models, omega, &w);
            for i in 1..200 {
                for j in 1..200 - i {
                    let (a, b) = (f64::from(i) / 200.0, f64::from(j) / 200.0);
                    let there = objective(&models, omega, &[a, b, 1.0 - a - b]);
                    assert!(there <= top + 1e-9, "{a} {b}: {there} and {top}");
                }
            }
            // The slopes of the objective are alike, which has no other solution on the simplex.
            let slope = |k: usize| {
                let mut moved = w.clone();
                moved[k] += 1e-6;
                (objective(&models, omega, &moved) - top) / 1e-6
            };
            assert!((1..3).all(|k| (slope(k) / slope(0) - 1.0).abs() < 1e-4));
        }
    }

    /// Two models and rows of two kinds: n rows that only the first explains (p and q), m that only the second does. With p = 1
    /// and q = 0 the objective is (n + a) log w + (m + a) log(1 - w), whose maximum is known.
    #[test]
    fn a_known_optimum() {
        let (n, m) = (7, 2);
        let first: Vec<f64> = (0..n + m).map(|i| if i < n { 0.0 } else { f64::NEG_INFINITY }).collect();
        let second: Vec<f64> = first.iter().map(|log| if *log == 0.0 { f64::NEG_INFINITY } else { 0.0 }).collect();
        let w = stacking_weights(&[&first, &second], None);
        assert!((w[0] - (n as f64 + 0.3) / ((n + m) as f64 + 0.6)).abs() < 1e-9, "{w:?}");
    }

    #[test]
    fn equal_models_share_equally_and_weights_count_like_copies() {
        let models = models();
        let one = models[0].as_slice();
        for w in stacking_weights(&[one, one, one], None) {
            assert!((w - 1.0 / 3.0).abs() < 1e-12);
        }
        let twice: Vec<Vec<f64>> = models.iter().map(|m| [m.clone(), m.clone()].concat()).collect();
        let (copied, weighed) =
            (stacking_weights(&slices(&twice), None), stacking_weights(&slices(&models), Some(&[2.0; 25])));
        assert!(copied.iter().zip(&weighed).all(|(a, b)| (a - b).abs() < 1e-8));
        // Rows that every model calls impossible, and rows of no weight, say nothing.
        let impossible: Vec<Vec<f64>> = models.iter().map(|m| [m.as_slice(), &[f64::NEG_INFINITY]].concat()).collect();
        assert_eq!(stacking_weights(&slices(&impossible), None), stacking_weights(&slices(&models), None));
    }

    /// An EM step leaves the weights where they are, whatever the number of models.
    #[test]
    fn they_are_a_fixed_point_of_em() {
        let log_p = |k: usize, i: usize| (0.001 + 0.9 * ((k * 3 + i * 5 + i * k) as f64 * 0.7).sin().powi(6)).ln();
        let models: Vec<Vec<f64>> = (0..9).map(|k| (0..200).map(|i| log_p(k, i)).collect()).collect();
        let w = stacking_weights(&slices(&models), None);
        for k in 0..9 {
            let share = |i: usize| {
                let mixed: f64 = models.iter().zip(&w).map(|(m, w)| w * m[i].exp()).sum();
                w[k] * models[k][i].exp() / mixed
            };
            let next = (PRIOR_ROWS + (0..200).map(share).sum::<f64>()) / (200.0 + 9.0 * PRIOR_ROWS);
            assert!((next / w[k] - 1.0).abs() < 1e-6, "{k}: {next} and {}", w[k]);
        }
    }

    #[test]
    fn a_model_alone_has_all() {
        assert_eq!(stacking_weights(&[&[-0.3, -2.0]], None), [1.0]);
    }
}
