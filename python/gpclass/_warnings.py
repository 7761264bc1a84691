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


# Kinds of notes and what becomes of them. `None`: kept in `notes_`, not worth a warning, because ordinary data and fits
# have them.
_KINDS = {
    "not_converged": ConvergenceWarning,
    "stopped": ConvergenceWarning,
    "at_bound": None,
    "close_choice": None,
    "two_fixed_points": None,
    "duplicate_rows": None,
    "dates": None,
    "id_like": None,
    "elsewhere": None,
    "many_rows": None,
    "one_vs_rest_time": None,
    "unsettled": None,
}


def tell(data_notes, fit_notes, stacklevel=3):
    """Issues the warnings of a fit, from pairs of the kind of a note and its sentence."""
    for notes, usual in ((data_notes, DataWarning), (fit_notes, FitWarning)):
        for kind, sentence in notes:
            category = _KINDS.get(kind, usual)
            if category is not None:
                warnings.warn(sentence, category, stacklevel=stacklevel)
