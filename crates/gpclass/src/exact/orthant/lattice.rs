//! Integration lattices: points `frac(i z / N + shift)` with a generating vector `z` made for many variables.

use crate::exact::ExactError;
use crate::interrupt::Interrupt;

/// Candidates tried for each component of a generating vector.
const CANDIDATES: usize = 100;
/// Variable j has weight `WEIGHT / j` in the error; by trial on orthants of 40 variables.
const WEIGHT: f64 = 0.2;
/// The golden ratio's fractional part, whose multiples spread the candidates evenly.
const SPREAD: f64 = 0.618_033_988_749_894_9;

/// A generating vector for `points` points in `dims` variables, the first ones mattering most: each component in turn is
/// the candidate with the smallest worst-case error (Sloan, Kuo and Joe 2002, component by component). No component
/// is used twice, which small weights alone would allow and which would tie two variables together.
pub(super) fn generating_vector(points: usize, dims: usize, interrupt: Interrupt) -> Result<Vec<usize>, ExactError> {
    let bernoulli: Vec<f64> = (0..points).map(|i| second_bernoulli(i as f64 / points as f64)).collect();
    let mut products = vec![1.0; points];
    let mut generator = Vec::with_capacity(dims);
    for j in 0..dims {
        interrupt.check()?;
        let weight = WEIGHT / (j + 1) as f64;
        let best = candidates(points, j)
            .filter(|z| !generator.contains(z) && !generator.contains(&(points - z)))
            .map(|z| (error(&products, &bernoulli, z), z))
            .min_by(|(a, _), (b, _)| a.total_cmp(b));
        let component = best.map_or(1, |(_, z)| z);
        for (i, product) in products.iter_mut().enumerate() {
            *product *= 1.0 + weight * bernoulli[i * component % points];
        }
        generator.push(component);
    }
    Ok(generator)
}

/// What a component adds to the squared worst-case error, up to factors that are the same for all.
fn error(products: &[f64], bernoulli: &[f64], component: usize) -> f64 {
    let mut at = 0;
    let mut sum = 0.0;
    for product in products {
        sum += product * bernoulli[at];
        at += component;
        if at >= bernoulli.len() {
            at -= bernoulli.len();
        }
    }
    sum
}

/// `2 pi² B_2(x)`, the reproducing kernel of periodic functions with one derivative.
fn second_bernoulli(x: f64) -> f64 {
    2.0 * std::f64::consts::PI.powi(2) * (x * x - x + 1.0 / 6.0)
}

fn candidates(points: usize, component: usize) -> impl Iterator<Item = usize> {
    let spread = move |c: usize| 1 + ((c as f64 * SPREAD).fract() * (points - 1) as f64) as usize;
    let first = 1 + component * CANDIDATES;
    (first..first + CANDIDATES).map(spread).filter(move |&z| greatest_common_divisor(z, points) == 1)
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_visits_every_point() {
        for points in [1, 2, 7, 512, 1000] {
            let generator = generating_vector(points, 6, Interrupt::default()).unwrap();
            assert!(generator.iter().all(|&z| greatest_common_divisor(z, points) == 1), "{points}: {generator:?}");
        }
    }

    #[test]
    fn smooth_functions_of_two_variables_are_integrated_faster_than_at_random() {
        let points = 1024;
        let z = generating_vector(points, 2, Interrupt::default()).unwrap();
        let value = |i: usize| {
            z.iter().map(|z| 1.0 + second_bernoulli((i * z % points) as f64 / points as f64) / 4.0).product::<f64>()
        };
        let mean = (0..points).map(value).sum::<f64>() / points as f64;
        // The exact integral is 1; random points would be off by about 0.05.
        assert!((mean - 1.0).abs() < 1e-3, "{mean}");
    }
}
