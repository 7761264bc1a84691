//! EP on rows that are spread over shards, of which nobody holds all (scale 7).
//!
//! A shard sees the others only through their [`SiteSums`], and they see it through its own. Given those of all others it runs EP
//! on its rows to the end, which needs nothing but the rows and the sums: a shard has no state, so that one that is lost is
//! computed again from its rows alone. Rounds of that, in which all shards answer at once, end where ordinary EP on all
//! rows together does: every site matches its row in the light of all other sites.

mod rounds;

pub(crate) use rounds::{Ended, Rounds};

use super::{InferenceError, Inferred, Method, Observations};
use crate::interrupt::Interrupt;
use crate::posterior::Factor;
use crate::prior::{Prior, SiteSums};

/// What a shard finds out in one round.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardAnswer {
    /// The sites of its rows, summed.
    pub sums: SiteSums,
    /// The logarithm of the factor by which its sites fall short of its labels' likelihoods: its share in the log evidence.
    pub log_scale: f64,
    /// Whether its EP reached a fixed point.
    pub settled: bool,
}

impl Method {
    /// A shard's answer to what all shards together say, itself among them. Where the others alone leave no proper distribution,
    /// or EP fails in their light, it stays with what it said before.
    pub(crate) fn answer(
        &self,
        prior: &Prior,
        observations: &Observations<'_>,
        all: &SiteSums,
        own: &SiteSums,
        interrupt: Interrupt<'_>,
    ) -> Result<ShardAnswer, InferenceError> {
        let stays = || ShardAnswer { sums: own.clone(), log_scale: 0.0, settled: false };
        let Ok(given) = prior.beside(&all.without(own)) else { return Ok(stays()) };
        match self.infer(given, observations, None, interrupt) {
            Ok(found) => Ok(found.answer().unwrap_or_else(stays)),
            Err(InferenceError::NotPositiveDefinite { .. } | InferenceError::Overflow { .. }) => Ok(stays()),
            Err(error) => Err(error),
        }
    }
}

impl Inferred {
    /// What is to be told of a posterior that was found beside others; `None` where it is of another form.
    fn answer(&self) -> Option<ShardAnswer> {
        let Factor::Sparse(factor) = self.posterior.factor() else { return None };
        let sums = factor.site_sums(&self.posterior.sites().nu);
        let mut total = sums.clone();
        let others = factor.prior().others()?;
        total.add_scaled(1.0, others);
        // log Z = sum of the log scales + log mass of all sites, and here log z = log scale + mass of all - mass of the others.
        let log_scale = self.log_z + factor.prior().given()?.log_mass - total.coordinates()?.log_mass;
        let finite = log_scale.is_finite() && sums.numbers().iter().all(|number| number.is_finite());
        finite.then_some(ShardAnswer { sums, log_scale, settled: self.report.outcome.converged() })
    }
}
