//! Jitter: as little as possible added to the diagonal of a covariance that is not positive definite in floating point.

use super::{Failure, Prior};

impl Prior {
    /// What is added to every variance; usually zero.
    pub fn jitter(&self) -> f64 {
        match self {
            Prior::Dense(dense) => dense.jitter(),
            Prior::Sparse(sparse) => sparse.jitter(),
        }
    }

    /// The mean variance of the rows, without jitter.
    pub fn mean_variance(&self) -> f64 {
        match self {
            Prior::Dense(dense) => dense.mean_variance(),
            Prior::Sparse(sparse) => sparse.diag().iter().sum::<f64>() / sparse.rows().max(1) as f64,
        }
    }

    /// The jitter over the mean variance; of inducing rows over the signal's.
    pub fn relative_jitter(&self) -> f64 {
        match self {
            Prior::Dense(dense) => dense.relative_jitter(),
            Prior::Sparse(sparse) => sparse.inducing().jitter,
        }
    }

    /// The same prior with another jitter, relative to its mean variance. That of inducing rows is part of the model and stays.
    #[must_use]
    pub fn jittered(self, relative: f64) -> Self {
        match self {
            Prior::Dense(dense) => Prior::Dense(dense.jittered(relative)),
            Prior::Sparse(_) => self,
        }
    }

    /// The same prior with another jitter, as it is. That of inducing rows stays.
    #[must_use]
    pub fn shifted(self, jitter: f64) -> Self {
        match self {
            Prior::Dense(dense) => Prior::Dense(dense.shifted(jitter)),
            Prior::Sparse(_) => self,
        }
    }

    /// What `attempt` makes of this prior or, where that is not positive definite, of this prior with the first jitter of
    /// `levels` that is enough. Levels are relative to the mean variance and increase. Inducing rows have the jitter that they
    /// need, so that another attempt would be the same.
    pub fn with_least_jitter<R>(
        self,
        levels: &[f64],
        attempt: impl Fn(&Prior) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let mut found = attempt(&self);
        if self.as_sparse().is_some() {
            return found;
        }
        let mut prior = self;
        for level in levels {
            match found {
                Err(failure) if failure.is_indefinite() => {
                    prior = prior.jittered(*level);
                    found = attempt(&prior);
                }
                _ => break,
            }
        }
        found
    }

    /// A failure to factorise this prior.
    pub(crate) fn indefinite(&self) -> Failure {
        match self {
            Prior::Dense(dense) => dense.indefinite(),
            Prior::Sparse(sparse) => sparse.indefinite(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpclass_linalg::Mat;

    #[test]
    fn the_first_level_that_is_enough_is_taken_and_replaces_the_others() {
        let k = Mat::from_columns(2, 2, vec![3.0, 1.0, 1.0, 5.0]);
        let levels = [1e-3, 1e-2, 1e-1];
        let enough = |prior: &Prior| match prior.jitter() {
            jitter if jitter > 0.01 => Ok((jitter, prior.diag())),
            _ => Err(prior.indefinite()),
        };
        let found = Prior::from_covariance(k.clone()).with_least_jitter(&levels, enough);
        assert_eq!(found, Ok((4.0 * 1e-2, vec![3.0 + 4.0 * 1e-2, 5.0 + 4.0 * 1e-2])));
        let never = |prior: &Prior| Err::<(), _>(prior.indefinite());
        let failure = Prior::from_covariance(k.clone()).with_least_jitter(&levels, never);
        assert_eq!(failure, Err(Failure::NotPositiveDefinite { jitter: 4.0 * 1e-1 }));
        let interrupted = |_: &Prior| Err::<(), _>(Failure::Interrupted(crate::interrupt::Interrupted));
        assert_eq!(
            Prior::from_covariance(k).with_least_jitter(&levels, interrupted),
            Err(Failure::Interrupted(crate::interrupt::Interrupted))
        );
    }

    #[test]
    fn a_shifted_prior_leaves_its_clones_alone() {
        let prior = Prior::from_covariance(Mat::identity(2));
        let shifted = prior.clone().shifted(0.5).shifted(0.25);
        assert_eq!((prior.diag(), prior.jitter()), (vec![1.0; 2], 0.0));
        assert_eq!((shifted.diag(), shifted.jitter(), shifted.mean_variance()), (vec![1.25; 2], 0.25, 1.0));
        assert_eq!(shifted.relative_jitter(), 0.25);
    }
}
