//! Gauss-Legendre nodes for one panel of a composite rule.

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
}
