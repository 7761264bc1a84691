//! Where the integrand and its slope live, and the panels that resolve them.

use super::shape::{Bound, Shape};
use crate::special::panel_nodes;

/// The integrand is followed down to e^-50 of its largest value, so that fourth moments still end below rounding.
const DEPTH: f64 = 50.0;
/// The mode is wanted to this fraction of the narrowest width.
const MODE_FRACTION: f64 = 0.05;
/// Halvings and doublings are bounded: 2^200 spans every ratio of scales in use.
const MOST_STEPS: usize = 200;
/// Bisections of an end point, to a few per cent of the interval.
const END_STEPS: usize = 6;
/// No stretch between two breaks is cut into more panels than this.
const MOST_PANELS: f64 = 40.0;

/// The integral in one place: the sigmoid's shape, its power and the Gaussian it is averaged under, in u.
#[derive(Clone, Copy, Debug)]
pub(super) struct Integrand {
    pub shape: Shape,
    pub power: f64,
    pub mean: f64,
    pub var: f64,
}

struct Interval {
    from: f64,
    to: f64,
    sloped: bool,
}

/// Reference point and panels.
pub(super) struct Layout {
    pub reference: f64,
    pub panels: Vec<(f64, f64)>,
}

impl Layout {
    /// The nodes as (u, u - reference, weight), the smaller of the first two exact: near the boundary u must not carry the
    /// rounding of a distant reference, and near the reference the difference must not carry that of a large u.
    pub fn nodes(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let reference = self.reference;
        self.panels.iter().flat_map(move |&(from, to)| {
            let near_zero = from.abs().max(to.abs()) < (from - reference).abs().max((to - reference).abs());
            let origin = if near_zero { 0.0 } else { reference };
            panel_nodes(from - origin, to - origin)
                .map(move |(v, weight)| if near_zero { (v, v - reference, weight) } else { (reference + v, v, weight) })
        })
    }
}

impl Integrand {
    pub fn layout(&self) -> Layout {
        let (mut intervals, reference) = self.intervals(&self.shape.bounds(self.power), false);
        let (sloped, _) = self.intervals(&self.shape.slope_bounds(self.power), true);
        intervals.extend(sloped);
        if self.shape.has_floor() {
            // d ln p / d eps is 1/eps on the floor, so the floor counts in that derivative where it does not in Z.
            intervals.push(self.gaussian_interval());
        }
        Layout { reference, panels: self.panels(&intervals) }
    }

    /// The same for the integral alone, without that of the slope: as fine below the place where p becomes flat.
    pub fn mass_layout(&self) -> Layout {
        let (mut intervals, reference) = self.intervals(&self.shape.bounds(self.power), false);
        let flat = self.shape.flat_from();
        let sloped = |i: &Interval| Interval { from: i.from, to: i.to.min(flat), sloped: true };
        let bent: Vec<Interval> = intervals.iter().filter(|i| i.from < flat).map(sloped).collect();
        intervals.extend(bent);
        Layout { reference, panels: self.panels(&intervals) }
    }

    /// The same for 1 - p^power, which has the floor's share wherever the Gaussian is.
    pub fn lack_layout(&self) -> Layout {
        let (mut intervals, reference) = self.intervals(&[Bound::Lack], false);
        if self.shape.has_floor() {
            intervals.push(self.gaussian_interval());
        }
        intervals.extend(self.intervals(&self.shape.slope_bounds(self.power), true).0);
        Layout { reference, panels: self.panels(&intervals) }
    }

    fn gaussian_interval(&self) -> Interval {
        let reach = (2.0 * DEPTH * self.var).sqrt();
        Interval { from: self.mean - reach, to: self.mean + reach, sloped: false }
    }

    /// Where each bound stays near the largest value of the integrand; also the place of that value.
    fn intervals(&self, bounds: &[Bound], sloped: bool) -> (Vec<Interval>, f64) {
        let modes: Vec<f64> = bounds.iter().map(|&bound| self.mode(bound)).collect();
        // To within a factor of 2, p is the larger of its parts, and p^(power - 1) in the slope the smaller.
        let actual = |u: f64| {
            let values = bounds.iter().map(|&bound| self.value(bound, u));
            if sloped { values.fold(f64::INFINITY, f64::min) } else { values.fold(f64::NEG_INFINITY, f64::max) }
        };
        let best =
            modes.iter().copied().fold(modes[0], |best, mode| if actual(mode) > actual(best) { mode } else { best });
        let target = actual(best) - DEPTH;
        let live = bounds.iter().zip(&modes).filter(|&(&bound, &mode)| self.value(bound, mode) > target);
        let intervals = live.map(|(&bound, &mode)| Interval {
            from: self.end(bound, mode, target, -1.0),
            to: self.end(bound, mode, target, 1.0),
            sloped,
        });
        (intervals.collect(), best)
    }

    fn value(&self, bound: Bound, u: f64) -> f64 {
        let x = u - self.mean;
        self.shape.bound(bound, u).0 - 0.5 * x * x / self.var
    }

    fn slope(&self, bound: Bound, u: f64) -> f64 {
        self.shape.bound(bound, u).1 - (u - self.mean) / self.var
    }

    /// The only mode of a concave bound.
    fn mode(&self, bound: Bound) -> f64 {
        let rising = self.slope(bound, self.mean) > 0.0;
        let direction = if rising { 1.0 } else { -1.0 };
        let (mut inner, mut step) = (self.mean, self.var.sqrt());
        let mut outer = inner + direction * step;
        for _ in 0..MOST_STEPS {
            if (self.slope(bound, outer) > 0.0) != rising {
                break;
            }
            step *= 2.0;
            (inner, outer) = (outer, outer + direction * step);
        }
        let wanted = MODE_FRACTION * self.shape.finest(self.var.sqrt());
        for _ in 0..MOST_STEPS {
            let middle = 0.5 * (inner + outer);
            if (outer - inner).abs() <= wanted || middle == inner || middle == outer {
                break;
            }
            if (self.slope(bound, middle) > 0.0) == rising { inner = middle } else { outer = middle }
        }
        0.5 * (inner + outer)
    }

    /// Where a bound falls below the target on one side of its mode.
    fn end(&self, bound: Bound, mode: f64, target: f64, direction: f64) -> f64 {
        let mut step = self.shape.finest(self.var.sqrt());
        let (mut inside, mut outside) = (mode, mode + direction * step);
        for _ in 0..MOST_STEPS {
            if self.value(bound, outside) < target {
                break;
            }
            step *= 2.0;
            (inside, outside) = (outside, outside + direction * step);
        }
        for _ in 0..END_STEPS {
            let middle = 0.5 * (inside + outside);
            if self.value(bound, middle) < target { outside = middle } else { inside = middle }
        }
        outside
    }

    fn panels(&self, intervals: &[Interval]) -> Vec<(f64, f64)> {
        let mut marks: Vec<f64> = intervals.iter().flat_map(|interval| [interval.from, interval.to]).collect();
        marks.extend(self.shape.breaks());
        marks.sort_by(f64::total_cmp);
        let mut panels = Vec::new();
        for pair in marks.windows(2) {
            let middle = 0.5 * (pair[0] + pair[1]);
            let here = || intervals.iter().filter(|interval| interval.from < middle && middle < interval.to);
            if here().next().is_none() {
                continue;
            }
            let sloped = here().any(|interval| interval.sloped);
            let distance = (middle - self.mean).abs();
            let longest = self.shape.longest_panel(middle, distance, self.var.sqrt(), self.power, sloped);
            let count = ((pair[1] - pair[0]) / longest).ceil().clamp(1.0, MOST_PANELS);
            let width = (pair[1] - pair[0]) / count;
            let mark = |k: usize| pair[0] + width * k as f64;
            panels.extend((0..count as usize).map(|k| (mark(k), mark(k + 1))));
        }
        panels
    }
}
