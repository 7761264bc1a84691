//! Triangular systems with many right-hand sides.

use crate::Mat;
use crate::parallel::parallelism;
use crate::state::guarded;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};

/// `b <- L⁻¹ b`, with `L` the lower triangle of `l`.
pub fn solve_lower_in_place(l: &Mat, b: &mut Mat) {
    let par = parallelism(l.rows().min(b.cols()));
    guarded(|| solve_lower_triangular_in_place(l.view(), b.view_mut(), par));
}

/// `b <- L⁻ᵀ b`, with `L` the lower triangle of `l`.
pub fn solve_lower_transpose_in_place(l: &Mat, b: &mut Mat) {
    let par = parallelism(l.rows().min(b.cols()));
    guarded(|| solve_upper_triangular_in_place(l.view().transpose(), b.view_mut(), par));
}
