//! The labels of several classes and what ties them to the latent functions.

use crate::data::Class;
use crate::likelihood::Link;

/// Classes under a link, each row's term raised to its weight.
///
/// A weight `w >= 1` is `w` tied copies of the row; under the softmax any positive weight is. A weight of zero leaves the row
/// out. A weight between zero and one is not known to the probit: the term of a row is no product before `u` is averaged over.
#[derive(Clone, Copy, Debug)]
pub struct ClassObservations<'a> {
    /// The class of every row, among the first `count`.
    pub classes: &'a [Class],
    /// The number of classes.
    pub count: usize,
    /// What ties them to the functions.
    pub link: Link,
    /// Zero, or at least one under the probit; `None` is all ones.
    pub weights: Option<&'a [f64]>,
}

impl ClassObservations<'_> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Tied copies of row `i`, zero where it is left out.
    pub(super) fn copies(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }

    /// The position of row `i`'s class.
    pub(super) fn own(&self, i: usize) -> usize {
        self.classes[i].position()
    }

    /// The positions of the other classes of row `i`.
    pub(super) fn others(&self, i: usize) -> impl Iterator<Item = usize> + use<> {
        let own = self.own(i);
        (0..self.count).filter(move |&c| c != own)
    }
}
