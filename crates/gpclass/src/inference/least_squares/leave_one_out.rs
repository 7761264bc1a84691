//! Leave-one-out gradients of the regression: its sites are constants.

use crate::inference::leave_one_out::{CavitySlopes, Linkage, MarginalSlopes};

pub(in crate::inference) fn marginal_slopes(linkage: &Linkage, direct: CavitySlopes) -> MarginalSlopes {
    linkage.to_marginals(direct)
}
