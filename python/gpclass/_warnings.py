"""Warnings: classes to filter by, sentences with advice."""

import warnings

from sklearn.exceptions import ConvergenceWarning as _SklearnConvergenceWarning


class GPClassWarning(UserWarning):
    """Anything this package warns about."""


class ConvergenceWarning(GPClassWarning, _SklearnConvergenceWarning):
    """The search or the inference ended before it was done; also scikit-learn's own class of that name."""


class FitWarning(GPClassWarning):
    """The fit is sound but says less than one may think."""


class DataWarning(GPClassWarning):
    """Something about the rows or columns deserves a look."""


# Parts of sentences and what becomes of them. `None`: kept in `notes_`, not worth a warning, because ordinary data and
# fits have them.
_KINDS = (
    ("inference did not reach its fixed point", ConvergenceWarning),
    ("the search ended early", ConvergenceWarning),
    ("ended at the edge of its range", None),
    ("was chosen over", None),
    ("the inputs of an earlier row", None),
)


def tell(data_notes, fit_notes, stacklevel=3):
    """Issues the warnings of a fit."""
    for sentences, usual in ((data_notes, DataWarning), (fit_notes, FitWarning)):
        for sentence in sentences:
            category = next((c for part, c in _KINDS if part in sentence), usual)
            if category is not None:
                warnings.warn(sentence, category, stacklevel=stacklevel)
