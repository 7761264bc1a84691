//! What every elementary kernel provides; sums and products are built on it.

use super::blocks::{Pairs, Prepared};
use super::hyper::{Hyper, Weights};
use crate::data::Inputs;
use crate::param::Param;

/// An elementary kernel.
pub(super) trait Leaf {
    /// Short name, as it qualifies parameter names.
    fn label(&self) -> &'static str;

    /// Name for readers.
    fn title(&self) -> String {
        self.label().to_owned()
    }

    /// Parameters with their unqualified names and their roles.
    fn named(&self) -> Vec<Param>;

    /// Replaces every parameter, in the order of `named`, by the next of `hypers`.
    fn assign(&mut self, hypers: &mut dyn Iterator<Item = Hyper>);

    /// Whether 0 is a legitimate value of a fixed parameter: the kernel is then switched off.
    fn may_vanish(&self) -> bool {
        false
    }

    /// Weights of the features, where the kernel looks at features.
    fn weights(&self) -> Option<&Weights> {
        None
    }

    /// As `weights`, to be changed.
    fn weights_mut(&mut self) -> Option<&mut Weights> {
        None
    }

    /// The kernel of every row with itself.
    fn diag(&self, x: &Inputs) -> Vec<f64>;

    /// Computes once what all blocks need. Panics on inputs that `Kernel::check` refuses.
    fn prepare<'a>(&'a self, pairs: Pairs<'a>) -> Box<dyn Prepared + 'a>;
}
