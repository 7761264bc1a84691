//! How far predictions move with what the data leave open of the hyperparameters (math 11.7).

use super::member::Members;
use crate::data::Class;
use crate::learn::Nearby;
use crate::model::{Probabilities, sharpened};
use gpclass_linalg::Mat;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Hyperparameters drawn for every member.
const DRAWS: usize = 100;
/// Share of the draws beyond either end of an interval.
const TAIL: f64 = 0.05;

/// The predictions of the training rows left out, over hyperparameters drawn from Laplace's approximation of their posterior and
/// with the weights of the members and the power of their mixture held. Each number is of the positive one of two classes, and of the most probable of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// For every row the lower end of the middle nine tenths of the drawn probabilities.
    pub low: Vec<f64>,
    /// Their upper end.
    pub high: Vec<f64>,
    /// For every row the share of draws in which another class is the most probable than at the learned hyperparameters.
    pub turned: Vec<f64>,
}

impl Stability {
    /// Of members beside their learned hyperparameters, which together predict `left_out`; nothing where all were given.
    pub(super) fn of(members: &Members, nearby: &[Nearby], left_out: &Probabilities, seed: u64) -> Option<Stability> {
        if nearby.iter().all(Nearby::is_held) {
            return None;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let drawn: Vec<Mat> = (0..DRAWS).map(|_| mixed(members, nearby, &mut rng)).collect();
        let chosen = chosen(left_out.as_mat());
        let two = left_out.classes().len() == 2;
        let mut stability = Stability { low: Vec::new(), high: Vec::new(), turned: Vec::new() };
        let calls: Vec<Vec<usize>> = drawn.iter().map(self::chosen).collect();
        for (row, &own) in chosen.iter().enumerate() {
            let class = if two { Class::POSITIVE.position() } else { own };
            let mut p: Vec<f64> = drawn.iter().map(|drawn| drawn[(row, class)]).collect();
            p.sort_by(f64::total_cmp);
            let cut = (TAIL * DRAWS as f64) as usize;
            stability.low.push(p[cut]);
            stability.high.push(p[DRAWS - 1 - cut]);
            let turned = calls.iter().filter(|calls| calls[row] != own).count();
            stability.turned.push(turned as f64 / DRAWS as f64);
        }
        Some(stability)
    }

    /// Whether there is a number in its range for each of that many rows.
    pub(super) fn is_of(&self, rows: usize) -> bool {
        let each = [&self.low, &self.high, &self.turned];
        each.iter().all(|values| values.len() == rows && values.iter().all(|p| (0.0..=1.0).contains(p)))
    }

    /// Half the width of every row's interval.
    pub fn half_widths(&self) -> Vec<f64> {
        self.low.iter().zip(&self.high).map(|(low, high)| 0.5 * (high - low).max(0.0)).collect()
    }

    /// Rows of which another class is the most probable in at least one draw of twenty.
    pub fn unsettled(&self) -> Vec<usize> {
        (0..self.turned.len()).filter(|&row| self.turned[row] >= TAIL).collect()
    }
}

/// The mixture of the members, each at hyperparameters of its own draw.
fn mixed(members: &Members, nearby: &[Nearby], rng: &mut ChaCha8Rng) -> Mat {
    let mut sum: Option<Mat> = None;
    for (member, nearby) in members.each().iter().zip(nearby) {
        let mut drawn = nearby.drawn(rng);
        drawn.as_mut_slice().iter_mut().for_each(|log| *log = member.weight() * log.exp());
        match &mut sum {
            None => sum = Some(drawn),
            Some(sum) => sum.as_mut_slice().iter_mut().zip(drawn.as_slice()).for_each(|(sum, part)| *sum += part),
        }
    }
    let mut sum = sum.unwrap_or_default();
    // Rounding must not leave the range of probabilities.
    sum.as_mut_slice().iter_mut().for_each(|p| *p = p.clamp(0.0, 1.0));
    for row in 0..sum.rows() {
        let plain: Vec<f64> = (0..sum.cols()).map(|c| sum[(row, c)]).collect();
        let raised = sharpened(&plain, members.sharpness());
        (0..sum.cols()).for_each(|c| sum[(row, c)] = raised[c].min(1.0));
    }
    sum
}

/// For every row the class of the largest probability, the first of equals.
fn chosen(p: &Mat) -> Vec<usize> {
    let of_row = |row: usize| (1..p.cols()).fold(0, |best, c| if p[(row, c)] > p[(row, best)] { c } else { best });
    (0..p.rows()).map(of_row).collect()
}
