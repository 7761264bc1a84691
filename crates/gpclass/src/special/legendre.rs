//! Gauss-Legendre nodes: of one panel of a composite rule, and of any number.

/// Nodes per panel.
pub const PANEL_NODES: usize = 20;

/// The positive nodes and their weights on [-1, 1] (roots of the Legendre polynomial of degree 20, 40 digits).
#[allow(clippy::excessive_precision)]
const HALF: [(f64, f64); PANEL_NODES / 2] = [
    (0.99312859918509492479, 0.017614007139152118312),
    (0.96397192727791379127, 0.040601429800386941331),
    (0.91223442825132590587, 0.06267204833410906357),
    (0.83911697182221882339, 0.083276741576704748725),
    (0.74633190646015079261, 0.10193011981724043504),
    (0.63605368072651502545, 0.11819453196151841731),
    (0.510867001950827098, 0.1316886384491766269),
    (0.37370608871541956067, 0.14209610931838205133),
    (0.22778585114164507808, 0.14917298647260374679),
    (0.076526521133497333755, 0.1527533871307258507),
];

/// Positions and weights of the rule on [from, to], in rising order.
pub fn panel_nodes(from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> {
    let centre = 0.5 * (from + to);
    let half = 0.5 * (to - from);
    let lower = HALF.iter().map(move |&(x, w)| (centre - half * x, half * w));
    let upper = HALF.iter().rev().map(move |&(x, w)| (centre + half * x, half * w));
    lower.chain(upper)
}

/// Positions and weights of the rule with `count` nodes on [from, to], in rising order: exact for polynomials of degree
/// `2 count - 1`. Newton's method from the asymptotic positions of the roots of the Legendre polynomial.
pub fn legendre_nodes(count: usize, from: f64, to: f64) -> Vec<(f64, f64)> {
    let (centre, half) = (0.5 * (from + to), 0.5 * (to - from));
    let node = |k: usize| {
        let mut x = -((k as f64 + 0.75) / (count as f64 + 0.5) * std::f64::consts::PI).cos();
        for _ in 0..NEWTON_STEPS {
            let (value, slope) = legendre(count, x);
            x -= value / slope;
        }
        let slope = legendre(count, x).1;
        (centre + half * x, half * 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).map(node).collect()
}

/// Steps after which a root is known to rounding: errors are squared with each, from less than a hundredth of a gap.
const NEWTON_STEPS: usize = 5;

/// The Legendre polynomial of a degree and its derivative, by the recurrence of three terms.
fn legendre(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for n in 2..=degree {
        let n = n as f64;
        (before, value) = (value, ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n);
    }
    (value, degree as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrates_every_polynomial_of_degree_thirty_nine() {
        for degree in 0..2 * PANEL_NODES as i32 {
            let got: f64 = panel_nodes(-0.5, 2.0).map(|(x, w)| w * x.powi(degree)).sum();
            let want = (2.0_f64.powi(degree + 1) - (-0.5_f64).powi(degree + 1)) / f64::from(degree + 1);
            assert!((got / want - 1.0).abs() < 1e-14, "degree {degree}: {got}, not {want}");
        }
    }

    #[test]
    fn any_number_of_nodes() {
        // The table of twenty nodes has been computed elsewhere.
        let known: Vec<(f64, f64)> = panel_nodes(-1.0, 1.0).collect();
        for ((x, w), (known_x, known_w)) in legendre_nodes(20, -1.0, 1.0).into_iter().zip(known) {
            assert!((x - known_x).abs() < 1e-15 && (w - known_w).abs() < 1e-15, "{x} {known_x} {w} {known_w}");
        }
        for count in [1, 2, 5, 60, 500] {
            let power = 2 * count - 1;
            let integral: f64 = legendre_nodes(count, 0.0, 1.0).iter().map(|(t, w)| w * t.powi(power as i32)).sum();
            assert!((integral * (power + 1) as f64 - 1.0).abs() < 1e-11, "{count}: {integral}");
        }
        assert!(legendre_nodes(0, 0.0, 1.0).is_empty());
    }
}
