//! The rounds: what all shards said, put together in their order.

use super::ShardAnswer;
use crate::inference::ep::EpOptions;
use crate::prior::SiteSums;

/// Most rounds.
const MOST_ROUNDS: usize = 100;
/// Rounds in a row that come no nearer before it is given up.
const PATIENCE: usize = 12;
/// Steps are shortened to this share where a round led away, and never below the least.
const SHORTER: f64 = 0.6;
const LEAST_STEP: f64 = 0.1;
/// Halvings of a step that leaves no proper distribution.
const HALVINGS: usize = 20;

/// Shards on their way to a common posterior. Sums are always taken in the order of the shards, so that they do not depend on
/// who answered first.
pub(crate) struct Rounds {
    /// What every shard said last.
    own: Vec<SiteSums>,
    all: SiteSums,
    step: f64,
    last: f64,
    least: f64,
    since_nearer: usize,
    rounds: usize,
    tolerance: f64,
    acceptable: f64,
}

/// How the rounds ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ended {
    /// Rounds that were made.
    pub rounds: usize,
    /// How far the last one led, in standard deviations of the posterior.
    pub residual: f64,
    /// Whether that is little enough.
    pub settled: bool,
}

impl Rounds {
    /// Shards that are taken to say the following before they are asked.
    pub fn new(own: Vec<SiteSums>, inducing: usize, options: &EpOptions) -> Self {
        let all = sum(&own, inducing);
        let (tolerance, acceptable) = (options.tolerance, options.acceptable);
        let far = f64::INFINITY;
        Rounds { own, all, step: 1.0, last: far, least: far, since_nearer: 0, rounds: 0, tolerance, acceptable }
    }

    /// What all shards say together, and each.
    pub fn question(&self) -> (&SiteSums, &[SiteSums]) {
        (&self.all, &self.own)
    }

    /// Takes a round of answers; `Some` ends the rounds. Where the last one led away from the posterior the next steps are
    /// shorter, for shards that answer at once may all explain the same.
    pub fn take(&mut self, answers: &[ShardAnswer]) -> Option<Ended> {
        self.rounds += 1;
        let before = self.all.coordinates();
        for _ in 0..HALVINGS {
            let own: Vec<SiteSums> =
                self.own.iter().zip(answers).map(|(own, answer)| self.moved(own, answer)).collect();
            let all = sum(&own, self.all.inducing());
            let Some(after) = all.coordinates() else {
                self.step *= 0.5;
                continue;
            };
            // A short step is a short way whatever lies at its end.
            let residual = before.map_or(f64::INFINITY, |before| before.distance(&self.all, &after, &all)) / self.step;
            (self.own, self.all) = (own, all);
            return self.judge(residual, answers.iter().all(|answer| answer.settled));
        }
        Some(Ended { rounds: self.rounds, residual: self.last, settled: false })
    }

    fn moved(&self, own: &SiteSums, answer: &ShardAnswer) -> SiteSums {
        if self.step == 1.0 {
            return answer.sums.clone();
        }
        let mut moved = own.scaled(1.0 - self.step);
        moved.add_scaled(self.step, &answer.sums);
        moved
    }

    fn judge(&mut self, residual: f64, settled: bool) -> Option<Ended> {
        let ended = |near: f64| Ended { rounds: self.rounds, residual, settled: settled && residual <= near };
        if residual <= self.tolerance {
            return Some(ended(self.tolerance));
        }
        self.since_nearer = if residual < self.least { 0 } else { self.since_nearer + 1 };
        if self.rounds >= MOST_ROUNDS || self.since_nearer >= PATIENCE {
            return Some(ended(self.acceptable));
        }
        if residual > self.last {
            self.step = (SHORTER * self.step).max(LEAST_STEP);
        }
        (self.last, self.least) = (residual, residual.min(self.least));
        None
    }
}

fn sum(each: &[SiteSums], inducing: usize) -> SiteSums {
    let mut all = SiteSums::none(inducing);
    each.iter().for_each(|one| all.add_scaled(1.0, one));
    all
}
