"""Keeping the features that matter and fitting again on them alone."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from . import _frames, _options
from ._core import choose_features


class Refit(NamedTuple):
    """A classifier fitted on some of the columns."""

    #: Fitted on these columns; it predicts rows that have them and no others.
    estimator: Any
    #: Their names in the first fit, and their positions.
    names: list
    columns: list


def refit_on_relevant(estimator, X, y, *, share=None, count=None, sample_weight=None) -> Refit:
    """Fits again on the features that a classifier found relevant.

    Features are ranked by the weights that the chosen kernel of ``estimator`` has learned for them, as standard deviations of the
    latent value under the prior; it is fitted first (as a clone) if it is not, and stays as it is.
    The most relevant one is always kept, and columns keep their order. All columns of ``X`` need to be those of the first
    fit.

    Parameters
    ----------
    estimator : GPClassifier
    share : float, optional
        Keeps the features whose effect is at least this share of the largest.
    count : int, optional
        Keeps this many of the most relevant features. Give either ``share`` or ``count``.

    Examples
    --------
    >>> import numpy as np
    >>> from gpclass import GPClassifier, refit_on_relevant
    >>> X = np.random.default_rng(0).normal(size=(60, 4))
    >>> model = GPClassifier(kernel="se", likelihood="probit", lengthscales="ard")
    >>> again = refit_on_relevant(model, X, X[:, 2] > 0, count=1)
    >>> again.names, again.columns, again.estimator.n_features_in_
    (['x3'], [2], 1)
    """
    choice = _choice(share, count)
    first = estimator if hasattr(estimator, "effects_") else clone(estimator).fit(X, y, sample_weight)
    X = _frames.as_rows(X)
    if not _frames.is_frame(X):
        X = np.asarray(X)
    if X.shape[1] != first.n_features_in_:
        raise ValueError(f"X has {X.shape[1]} columns, but the classifier was fitted on {first.n_features_in_}")
    features = choose_features(first._model.prior_effects(), _options.dumps(choice))
    # A feature that says where a column is missing stands for that column.
    columns = sorted({first._names.index(first._model.sources[feature]) for feature in features})
    names = [first._names[c] for c in columns]
    again = clone(first)
    # What was said about columns counts for those that are left, at their new positions.
    if not isinstance(first.categorical_features, (str, type(None))):
        again.set_params(categorical_features=[i for i, name in enumerate(names) if first._kinds[name] == "discrete"])
    encoder = json.loads(first._model.spec())["encoder"]
    again.set_params(keep=[name for name in encoder.get("keep", []) if name in names] or None)
    if first.ordered is not None:
        again.set_params(ordered={name: levels for name, levels in first.ordered.items() if name in names})
    again.fit(_safe_indexing(X, columns, axis=1), y, sample_weight)
    return Refit(again, names, columns)


def _choice(share, count):
    if (share is None) == (count is None):
        raise ValueError(f"share is {share!r} and count is {count!r}; give exactly one of them")
    if count is not None:
        return {"top": _options.number("count", count, least=1, integer=True)}
    return {"effect_above": _options.number("share", share, least=0.0)}
