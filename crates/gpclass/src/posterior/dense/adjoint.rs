//! What the posterior says about the covariance.

use super::{DenseFactor, lower_inverse};
use crate::posterior::Spare;
use crate::prior::Adjoint;
use gpclass_linalg::{
    Mat, Op, OutOfMemory, PackedSymmetric, add_self_product, lower_inverse_from_lower_inverse, mirror_lower,
};

impl DenseFactor {
    /// `½ (alpha alphaᵀ - R) + ½ (t alphaᵀ + alpha tᵀ)`, `t` being `implicit`.
    pub(in crate::posterior) fn adjoint(&self, alpha: &[f64], implicit: Option<&[f64]>) -> Adjoint {
        let mut adjoint = self.lower_information();
        for j in 0..alpha.len() {
            let (aj, tj) = (alpha[j], implicit.map_or(0.0, |t| t[j]));
            let column = &mut adjoint.col_mut(j)[j..];
            for (value, ai) in column.iter_mut().zip(&alpha[j..]) {
                *value = 0.5 * (ai * (aj + tj) - *value);
            }
            if let Some(t) = implicit {
                column.iter_mut().zip(&t[j..]).for_each(|(value, ti)| *value += 0.5 * ti * aj);
            }
        }
        Adjoint::Dense(adjoint)
    }

    /// `R = S B⁻¹ S - F Fᵀ`.
    pub(in crate::posterior) fn information(&self) -> Mat {
        let mut r = self.lower_information();
        mirror_lower(&mut r);
        r
    }

    /// The lower triangle of `R`, with zeros above it.
    fn lower_information(&self) -> Mat {
        let n = self.tau.len();
        let computed;
        let inverse = match &self.inverse {
            Some(inverse) => inverse,
            None => {
                computed = lower_inverse(&self.chol, Mat::zeros(n, n));
                &computed
            }
        };
        let mut r = Mat::zeros(n, n);
        self.write_lower_information(inverse, &mut r);
        r
    }

    /// The lower triangle of `R` from `L⁻¹`, written to that of `r`; never formed as `T - T Sigma T`, which cancels.
    fn write_lower_information(&self, inverse: &Mat, r: &mut Mat) {
        lower_inverse_from_lower_inverse(inverse, r);
        for (j, s) in self.root.iter().enumerate() {
            r.col_mut(j)[j..].iter_mut().zip(&self.root[j..]).for_each(|(value, root)| *value *= root * s);
        }
        if let Some(neg) = &self.negative {
            add_self_product(r, -1.0, &neg.gain, Op::Plain);
        }
    }

    /// `R` in half the memory, and the memory of everything else. Needs no more than the factor had.
    pub(in crate::posterior) fn into_information(
        mut self,
        spare: Option<PackedSymmetric>,
    ) -> Result<(PackedSymmetric, Spare), OutOfMemory> {
        let n = self.tau.len();
        let inverse = match self.inverse.take() {
            Some(inverse) => inverse,
            None => lower_inverse(&self.chol, Mat::try_zeros(n, n)?),
        };
        let mut r = std::mem::take(&mut self.chol);
        self.write_lower_information(&inverse, &mut r);
        let packed = PackedSymmetric::from_lower(&r, spare)?;
        Ok((packed, Spare { chol: r, inverse: Some(inverse) }))
    }
}
