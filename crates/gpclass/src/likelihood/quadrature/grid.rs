//! The short rule: averages by the trapezoidal rule on a stretched grid, for what inference asks again and again.
//!
//! The trapezoidal rule on an analytic integrand that fades on both sides errs by exp(-2 pi d / step), d being the distance of the
//! nearest singularity from the line. With u = c + a w sinh(t/a) the step is w near the centre c, where the sigmoid bends, and grows with the
//! distance, where the integrand is as smooth as the Gaussian. Below its middle the integrand is p^power N(u; m, s); above it 1 - p^power
//! takes the place of p^power, so that neither a small Z nor a small 1 - Z loses digits. Nodes are taken in blocks of eight, compiled for
//! the machine's vector instructions, until the integrand has faded.

use crate::likelihood::Moments;
use crate::special::{LogSigmoid, log_phi_branch_free, logistic_branch_free};
use gpclass_linalg::vector;
use std::sync::LazyLock;

/// Sigmoids whose logarithm has closed derivatives, in their own scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sigmoid {
    /// Phi(u).
    Normal,
    /// 1/(1 + e^-u).
    Logistic,
}

/// Nodes that are evaluated together.
const LANES: usize = 8;
/// Blocks on one side of the centre at most.
const MOST_BLOCKS: usize = 16;
/// The integrand has faded where it is below this share of its largest value.
const FADED: f64 = 1e-17;
/// Means beyond this many deviations of the averaged sigmoid, powers below, and variances outside these bounds (in units of the sigmoid's
/// own scale) are left to the long rule.
const FARTHEST: f64 = 12.0;
const LEAST_POWER: f64 = 0.02;
const VARIANCES: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
/// Up to this variance the sigmoid bends no faster than the Gaussian.
const NARROW: f64 = 0.5;
/// From this variance on the sigmoid bends much faster than the Gaussian.
const WIDE: f64 = 4.0;
/// The centre is where the sigmoid bends unless the integrand is largest more than this many of its deviations from there.
const REACH: f64 = 7.0;
/// Newton steps towards the centre of a narrow integrand; it need not be met closely.
const CENTRE_STEPS: usize = 4;

/// A grid in units of the width at its centre: u and du/dk at node k = 0, 1, ...
struct Grid {
    places: [f64; LANES * MOST_BLOCKS],
    widths: [f64; LANES * MOST_BLOCKS],
}

impl Grid {
    fn new(step: f64, stretch: f64) -> Self {
        let at = |f: fn(f64) -> f64, scale: f64| std::array::from_fn(|k| scale * f(step * k as f64 / stretch));
        Grid { places: at(f64::sinh, stretch), widths: at(f64::cosh, step) }
    }
}

/// Step and stretch where the sigmoid bends no faster than the Gaussian, and where it does: 1e-13 of all moments or better.
static EVEN: LazyLock<Grid> = LazyLock::new(|| Grid::new(0.5, 8.0));
static GRADED: LazyLock<Grid> = LazyLock::new(|| Grid::new(0.36, 5.5));

impl Sigmoid {
    /// ln p and its first two derivatives.
    #[inline(always)]
    fn at(self, u: f64) -> LogSigmoid {
        match self {
            Sigmoid::Normal => log_phi_branch_free(u),
            Sigmoid::Logistic => logistic_branch_free(u),
        }
    }

    /// A bound on -(ln p)'' that also keeps the step well within the distance of the singularities.
    fn sharpness(self) -> f64 {
        match self {
            Sigmoid::Normal => 1.0,
            Sigmoid::Logistic => 0.5,
        }
    }

    /// The largest place of p^power N(u; mean, var), roughly, and the width of the integrand on its far side.
    fn summit(self, mean: f64, var: f64, power: f64) -> (f64, f64) {
        match self {
            Sigmoid::Logistic if var > 4.0 => ((mean + power * var).min(0.0), var.sqrt()),
            _ => {
                let mut u = mean;
                for _ in 0..CENTRE_STEPS {
                    let LogSigmoid { first, second, .. } = self.at(u);
                    u += (power * first - (u - mean) / var) / (1.0 / var - power * second);
                }
                let width = if self == Sigmoid::Normal { 1.0 / (1.0 / var + power).sqrt() } else { var.sqrt() };
                (u, width)
            }
        }
    }
}

/// An average of p^power under N(mean, var), all in the sigmoid's own scale.
#[derive(Clone, Copy)]
pub(super) struct Average {
    pub sigmoid: Sigmoid,
    pub mean: f64,
    pub var: f64,
    pub power: f64,
}

/// Sums over nodes, one for each lane.
#[derive(Clone, Copy, Default)]
struct Sums {
    mass: [f64; LANES],
    place: [f64; LANES],
    square: [f64; LANES],
    first: [f64; LANES],
    first_place: [f64; LANES],
    first_square: [f64; LANES],
    second: [f64; LANES],
}

impl Average {
    /// ln Z with two derivatives; `None` where the long rule is needed.
    pub fn moments(&self) -> Option<Moments> {
        let Average { mean, var, power, .. } = *self;
        let usual = power >= LEAST_POWER && VARIANCES.contains(&var) && mean.abs() <= FARTHEST * (1.0 + var).sqrt();
        if !usual {
            return None;
        }
        if mean < 0.0 { self.below() } else { self.above() }
    }

    /// The centre of the grid, its width there, and the grid.
    fn grid(&self, summit: f64, width: f64) -> (f64, f64, &'static Grid) {
        let unit = 1.0 / (1.0 / self.var + self.sigmoid.sharpness()).sqrt();
        if self.var <= NARROW {
            (summit, unit, &EVEN)
        } else if summit.abs() <= REACH * width {
            (0.0, unit, &GRADED)
        } else {
            (summit, unit, &GRADED)
        }
    }

    /// From the tilted distribution p^power N / Z.
    fn below(&self) -> Option<Moments> {
        let Average { sigmoid, mean, var, power } = *self;
        let (summit, width) = sigmoid.summit(mean, var, power);
        let (centre, unit, grid) = self.grid(summit, width);
        let shift = centre - mean;
        let here = sigmoid.at(centre);
        let sums = sum_nodes(
            grid,
            unit,
            #[inline(always)]
            |x| {
                let LogSigmoid { log, first, second } = sigmoid.at(centre + x);
                let exponent = power * (log - here.log) - x * (x + 2.0 * shift) / (2.0 * var);
                (vector::exp(exponent), power * (first - here.first), power * second)
            },
        )?;
        let [mass, place, square, first, _, first_square, second] = sums.totals();
        let (place, square) = (place / mass, square / mass);
        let (first, first_square, second) = (first / mass, first_square / mass, second / mass);
        let shrink = (square - place * place) / var;
        let spread = first_square - first * first;
        // By parts, or from the tilted variance: the form that cancels less.
        let d2 = if spread - second < (1.0 + shrink) / var { second + spread } else { (shrink - 1.0) / var };
        let peak = power * here.log - 0.5 * shift * shift / var;
        let log_z = peak + (mass * unit / (std::f64::consts::TAU * var).sqrt()).ln();
        Some(Moments { log_z, d1: power * here.first + first, d2, shrink })
    }

    /// From 1 - Z and the derivatives of Z.
    fn above(&self) -> Option<Moments> {
        let Average { sigmoid, mean, var, power } = *self;
        // 1 - p^power falls where 1 - p does, which is the sigmoid's mirror image.
        let (summit, width) = sigmoid.summit(-mean, var, 1.0);
        let (centre, unit, grid) = self.grid(-summit, width);
        let shift = centre - mean;
        let sums = sum_nodes(
            grid,
            unit,
            #[inline(always)]
            |x| {
                let LogSigmoid { log, first, second } = sigmoid.at(centre + x);
                let lack = -vector::exp_m1(power * log);
                let (first, ratio) = (power * first, (1.0 - lack) / lack.max(f64::MIN_POSITIVE));
                let weight = lack * vector::exp(-x * (x + 2.0 * shift) / (2.0 * var));
                (weight, ratio * first, ratio * (power * second + first * first))
            },
        )?;
        let [mass, _, _, first, first_place, _, second] = sums.totals();
        let scale = unit * (-0.5 * shift * shift / var).exp() / (std::f64::consts::TAU * var).sqrt();
        let lack = mass * scale;
        let z = 1.0 - lack;
        let d1 = first * scale / z;
        // Z'' by parts twice, or once: the first cancels where the Gaussian is wide, the other where it is narrow.
        let second = if var < WIDE { second } else { (first_place + shift * first) / var };
        let d2 = second * scale / z - d1 * d1;
        Some(Moments { log_z: (-lack).ln_1p(), d1, d2, shrink: 1.0 + d2 * var })
    }
}

/// Sums of what `term` says of every node, a weight and two values, until the weights have faded on both sides.
#[inline(always)]
fn sum_nodes(grid: &Grid, unit: f64, term: impl Fn(f64) -> (f64, f64, f64)) -> Option<Sums> {
    vector::vectorised(
        #[inline(always)]
        || {
            let (mut sums, mut largest) = (Sums::default(), 0.0_f64);
            for side in [1.0, -1.0] {
                let mut block = 0;
                loop {
                    let range = block * LANES..(block + 1) * LANES;
                    let (places, widths) = (&grid.places[range.clone()], &grid.widths[range]);
                    let mut weights = [0.0; LANES];
                    for k in 0..LANES {
                        let x = side * unit * places[k];
                        let (weight, first, second) = term(x);
                        // The centre belongs to both sides.
                        let width = if places[k] == 0.0 { 0.5 * widths[k] } else { widths[k] };
                        let share = weight * width;
                        weights[k] = weight;
                        sums.mass[k] += share;
                        sums.place[k] += share * x;
                        sums.square[k] += share * x * x;
                        sums.first[k] += share * first;
                        sums.first_place[k] += share * first * x;
                        sums.first_square[k] += share * first * first;
                        sums.second[k] += share * second;
                    }
                    largest = weights.iter().fold(largest, |largest, weight| largest.max(*weight));
                    let [.., before, last] = weights;
                    if last <= before && last <= FADED * largest {
                        break;
                    }
                    block += 1;
                    if block == MOST_BLOCKS {
                        return None;
                    }
                }
            }
            Some(sums)
        },
    )
}

impl Sums {
    fn totals(&self) -> [f64; 7] {
        let Sums { mass, place, square, first, first_place, first_square, second } = *self;
        [mass, place, square, first, first_place, first_square, second].map(|lanes| lanes.iter().sum())
    }
}
