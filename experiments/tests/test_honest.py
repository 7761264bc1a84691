"""Folds against leave-one-out."""

import numpy as np
from experiments.catalogue import all_problems
from experiments.methods.honest import FOLDS, folds_nlp

TASK = all_problems()["mixed-small"].make(None, 0)


class Frequencies:
    """Gives every row the class frequencies of the rows that it was fitted to."""

    fits = 0

    def fit(self, X, y):
        Frequencies.fits += 1
        self.share = np.mean(y)
        return self

    def predict_log_proba(self, X):
        return np.log(np.tile([1.0 - self.share, self.share], (len(X), 1)))


def test_every_row_is_predicted_once_by_rows_of_other_folds():
    nlp = folds_nlp(TASK, lambda part: Frequencies())
    assert Frequencies.fits == FOLDS and nlp.shape == TASK.y.shape and np.isfinite(nlp).all()
    share = TASK.y.mean()
    expected = -np.log(np.where(TASK.y, share, 1.0 - share))
    assert np.abs(nlp - expected).max() < 0.1 and not np.array_equal(nlp, expected), "the fold itself is not counted"
