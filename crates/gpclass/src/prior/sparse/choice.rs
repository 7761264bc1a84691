//! Which rows stand for all: the ones that leave least variance unexplained, one after the other.

use crate::data::Inputs;
use crate::interrupt::{Interrupt, Interrupted};
use crate::kernel::Kernel;
use gpclass_linalg::vector;

/// Rows among which inducing ones are looked for: evenly spread over the table where it has more.
const LOOKED_AT: usize = 6000;
/// Rows whose variance is explained to this share of the largest are as good as chosen.
const EXPLAINED: f64 = 1e-10;

/// Up to `count` rows, each the one whose variance given those before it is largest: a Cholesky factorisation with pivots
/// that stops early. They are rows of the table, so that discrete columns hold what they can hold.
pub fn choose_inducing(
    kernel: &Kernel,
    inputs: &Inputs,
    count: usize,
    interrupt: Interrupt<'_>,
) -> Result<Vec<usize>, Interrupted> {
    let n = inputs.rows();
    let looked_at: Vec<usize> = (0..n.min(LOOKED_AT)).map(|k| k * n / n.min(LOOKED_AT)).collect();
    let rows = inputs.select_rows(&looked_at);
    let mut left = kernel.shared_diag(&rows);
    let largest = left.iter().fold(0.0_f64, |m, v| m.max(*v));
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut chosen = Vec::new();
    while chosen.len() < count.min(n) {
        interrupt.check()?;
        let next = (0..left.len()).fold(0, |best, i| if left[i] > left[best] { i } else { best });
        if left[next] <= EXPLAINED * largest {
            break;
        }
        let mut column = kernel.cross(&rows, &rows.select_rows(&[next])).col(0).to_vec();
        for before in &columns {
            vector::add_scaled(&mut column, -before[next], before);
        }
        let root = left[next].sqrt();
        column.iter_mut().for_each(|v| *v /= root);
        left.iter_mut().zip(&column).for_each(|(left, v)| *left = (*left - v * v).max(0.0));
        left[next] = 0.0;
        columns.push(column);
        chosen.push(looked_at[next]);
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Scales;
    use gpclass_linalg::Mat;

    #[test]
    fn far_rows_come_first_and_copies_never() {
        let x = [0.0, 0.01, 5.0, 5.0, -7.0, 0.0];
        let inputs = Inputs::continuous(Mat::from_fn(6, 1, |i, _| x[i]));
        let kernel = Kernel::squared_exponential(2.0, Scales::Single(1.0)) + Kernel::noise(0.3);
        let chosen = choose_inducing(&kernel, &inputs, 6, Interrupt::default()).unwrap();
        let mut first = chosen[..3].to_vec();
        first.sort_unstable();
        assert_eq!(first, [0, 2, 4]);
        assert_eq!(chosen, [0, 4, 2, 1], "copies of rows explain nothing more");
        assert_eq!(choose_inducing(&kernel, &inputs, 2, Interrupt::default()).unwrap().len(), 2);
    }
}
