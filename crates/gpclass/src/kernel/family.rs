//! Covariances by name: what a user chooses when not building kernels by hand.

use super::{Kernel, Scales};
use crate::named::named;

/// A covariance up to its lengthscales.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelFamily {
    /// v0 exp(-r²/2): functions with all derivatives.
    SquaredExponential,
    /// v0 exp(-r): continuous functions without derivatives.
    Matern12,
    /// v0 (1 + sqrt(3) r) exp(-sqrt(3) r): functions with one derivative.
    Matern32,
    /// v0 (1 + sqrt(5) r + 5/3 r²) exp(-sqrt(5) r): functions with two derivatives.
    Matern52,
    /// v0 (1 + r²/(2 alpha))^-alpha: squared exponentials of many lengthscales at once.
    RationalQuadratic,
    /// v0 exp(-sum_m l_m |x_m - x'_m|): functions with steps along each feature.
    L1Product,
    /// sum_m w_m exp(-l (x_m - x'_m)²/2): sums of smooth functions of single features.
    Additive,
    /// Inner products of rows: linear functions.
    Linear,
    /// Squared exponential plus linear: a linear trend with smooth departures.
    SquaredExponentialLinear,
}

named!(KernelFamily, "kernel", {
    SquaredExponential = "se" or "squared_exponential": "Squared exponential: smooth";
    Matern12 = "matern12": "Matérn 1/2: rough";
    Matern32 = "matern32": "Matérn 3/2: one derivative";
    Matern52 = "matern52": "Matérn 5/2: two derivatives";
    RationalQuadratic = "rq" or "rational_quadratic": "Rational quadratic: several lengths at once";
    L1Product = "l1" or "l1_product": "L1 product: steps along each feature, as trees have them";
    Additive = "additive": "Additive: a sum of smooth functions of single features";
    Linear = "linear" or "lin": "Linear";
    SquaredExponentialLinear = "se+linear" or "se-linear" or "squared_exponential_linear": "Squared exponential plus linear";
});

impl KernelFamily {
    /// The kernel with every value at 1.
    pub fn kernel(self, scales: Scales) -> Kernel {
        match self {
            KernelFamily::SquaredExponential => Kernel::squared_exponential(1.0, scales),
            KernelFamily::Matern12 => Kernel::matern12(1.0, scales),
            KernelFamily::Matern32 => Kernel::matern32(1.0, scales),
            KernelFamily::Matern52 => Kernel::matern52(1.0, scales),
            KernelFamily::RationalQuadratic => Kernel::rational_quadratic(1.0, 1.0, scales),
            KernelFamily::L1Product => Kernel::l1_product(1.0, scales),
            KernelFamily::Additive => Kernel::additive(scales, 1.0),
            KernelFamily::Linear => Kernel::linear(scales),
            KernelFamily::SquaredExponentialLinear => {
                Kernel::squared_exponential(1.0, scales) + Kernel::linear(Scales::Single(1.0))
            }
        }
    }
}
