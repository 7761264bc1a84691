//! Training rows as the rows of other groups have them, from one posterior (NOTATION, leave-group-out).

use super::{Inferred, Observations};
use crate::data::Groups;
use crate::likelihood::Gaussian;
use gpclass_linalg::map_tasks;

impl Inferred {
    /// The latent distribution of every training row with all sites of its group taken out. The only row of its group has its
    /// cavity, if it weighs no more than one: copies of a row are of its group.
    pub fn group_cavities(&self, observations: &Observations<'_>, groups: &Groups) -> Vec<Gaussian> {
        let members = groups.members();
        let found = map_tasks(members.len(), |group| match members[group][..] {
            [only] if observations.copies(only) == 1.0 => vec![self.cavities[only]],
            ref rows => self.posterior.without(rows),
        });
        let mut cavities = self.cavities.clone();
        for (rows, found) in members.iter().zip(found) {
            rows.iter().zip(found).for_each(|(&row, latent)| cavities[row] = latent);
        }
        cavities
    }
}
