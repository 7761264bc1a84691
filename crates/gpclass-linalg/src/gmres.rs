//! Restarted GMRES: a linear system known only by its products.

use crate::vector::{add_scaled, dot};

/// When the search for a solution ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KrylovOptions {
    /// Stop when the residual has fallen to this share of the right-hand side.
    pub tolerance: f64,
    /// A search that rounding stops above `tolerance` still counts below this.
    pub acceptable: f64,
    /// Products between restarts: bounds the memory to this many vectors.
    pub restart: usize,
    /// Products in all.
    pub max_products: usize,
}

impl Default for KrylovOptions {
    fn default() -> Self {
        KrylovOptions { tolerance: 1e-10, acceptable: 1e-7, restart: 60, max_products: 600 }
    }
}

/// The residual did not fall far enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stalled {
    /// Relative to the right-hand side.
    pub residual: f64,
    /// Products made.
    pub products: usize,
}

/// Solves `A x = rhs`, with `apply` giving `A x`.
pub fn gmres(apply: impl Fn(&[f64]) -> Vec<f64>, rhs: &[f64], options: &KrylovOptions) -> Result<Vec<f64>, Stalled> {
    let size = norm(rhs);
    let mut x = vec![0.0; rhs.len()];
    if size == 0.0 {
        return Ok(x);
    }
    let mut residual = rhs.to_vec();
    let mut products = 0;
    let mut share = 1.0;
    loop {
        let cycle = options.restart.min(options.max_products - products).max(1);
        let (step, used) = arnoldi(&apply, &residual, cycle, options.tolerance * size);
        add_scaled(&mut x, 1.0, &step);
        let image = apply(&x);
        products += used + 1;
        residual = rhs.iter().zip(&image).map(|(b, ax)| b - ax).collect();
        let last = std::mem::replace(&mut share, norm(&residual) / size);
        if share <= 2.0 * options.tolerance {
            return Ok(x);
        }
        let stalled = !share.is_finite() || share > 0.5 * last || products >= options.max_products;
        if stalled && share <= options.acceptable {
            return Ok(x);
        }
        if products >= options.max_products || !share.is_finite() {
            return Err(Stalled { residual: share, products });
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// The step that makes `residual` smallest over a Krylov space of up to `cycle` vectors, and the products it took.
fn arnoldi(apply: &impl Fn(&[f64]) -> Vec<f64>, residual: &[f64], cycle: usize, target: f64) -> (Vec<f64>, usize) {
    let size = norm(residual);
    let mut basis = vec![scaled(residual, 1.0 / size)];
    let mut columns: Vec<Vec<f64>> = Vec::new(); // R of the rotated Hessenberg matrix
    let mut rotations: Vec<(f64, f64)> = Vec::new();
    let mut rhs = vec![size];
    for k in 0..cycle {
        let mut next = apply(&basis[k]);
        let mut column = orthogonalise(&mut next, &basis);
        let height = norm(&next);
        for (i, &(c, s)) in rotations.iter().enumerate() {
            let (upper, lower) = (column[i], column[i + 1]);
            column[i] = c * upper + s * lower;
            column[i + 1] = c * lower - s * upper;
        }
        let length = column[k].hypot(height);
        if length == 0.0 || !length.is_finite() {
            break; // the space is exhausted, or the products are not finite
        }
        let (c, s) = (column[k] / length, height / length);
        column[k] = length;
        rotations.push((c, s));
        columns.push(column);
        rhs.push(-s * rhs[k]);
        rhs[k] *= c;
        if rhs[k + 1].abs() <= target || height <= f64::EPSILON * length {
            break;
        }
        basis.push(scaled(&next, 1.0 / height));
    }
    let used = columns.len();
    let mut step = vec![0.0; residual.len()];
    for (y, vector) in back_substitute(&columns, &rhs).into_iter().zip(&basis) {
        add_scaled(&mut step, y, vector);
    }
    (step, used.max(1))
}

/// Takes the parts along `basis` out of `x`, twice, so that rounding leaves none; their sizes.
fn orthogonalise(x: &mut [f64], basis: &[Vec<f64>]) -> Vec<f64> {
    let mut parts = vec![0.0; basis.len()];
    for _ in 0..2 {
        for (part, vector) in parts.iter_mut().zip(basis) {
            let along = dot(x, vector);
            add_scaled(x, -along, vector);
            *part += along;
        }
    }
    parts
}

fn scaled(x: &[f64], factor: f64) -> Vec<f64> {
    x.iter().map(|v| v * factor).collect()
}

/// Solves the triangular system whose columns are `columns`.
fn back_substitute(columns: &[Vec<f64>], rhs: &[f64]) -> Vec<f64> {
    let mut y = rhs[..columns.len()].to_vec();
    for k in (0..columns.len()).rev() {
        y[k] /= columns[k][k];
        for i in 0..k {
            y[i] -= columns[k][i] * y[k];
        }
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mat;

    fn unsymmetric(n: usize) -> Mat {
        Mat::from_fn(n, n, |i, j| f64::from(i == j) + 0.4 * ((7 * i + 3 * j * j) as f64).sin() / (n as f64).sqrt())
    }

    #[test]
    fn solves_with_and_without_restarts() {
        let n = 40;
        let a = unsymmetric(n);
        let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        for restart in [60, 8] {
            let options = KrylovOptions { restart, ..KrylovOptions::default() };
            let got = gmres(|v| a.mul_vec(v), &a.mul_vec(&x), &options).unwrap();
            for (g, w) in got.iter().zip(&x) {
                assert!((g - w).abs() < 1e-8, "restart {restart}: {g}, not {w}");
            }
        }
        assert_eq!(gmres(|v| a.mul_vec(v), &vec![0.0; n], &KrylovOptions::default()), Ok(vec![0.0; n]));
    }

    #[test]
    fn a_system_without_solution_is_an_error() {
        let singular = |x: &[f64]| vec![x[0], 0.0];
        let error = gmres(singular, &[1.0, 1.0], &KrylovOptions::default()).unwrap_err();
        assert!(error.residual > 0.5 && error.products <= 601);
        assert!(gmres(|x| vec![f64::NAN; x.len()], &[1.0, 1.0], &KrylovOptions::default()).is_err());
    }
}
