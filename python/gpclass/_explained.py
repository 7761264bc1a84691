"""What a fitted model says about rows: why it predicts them so, what they are like, and whose labels look wrong."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _audit, _options, _reasons, _running
from ._told import novelty_frame


class Explained:
    """Reasons, neighbours, novelty and suspects of an estimator that has a ``_model`` and knows its ``_columns``."""

    def novelty(self, X, as_frame=False):
        """How unlike the training rows every row is, from 0 to 1: the share of ordinary rows that are less so.

        Above 0.99, as for one ordinary row in a hundred, probabilities are extrapolated, however sure they look. With
        ``as_frame`` a pandas frame that has the index of ``X`` and says so in a column ``unlike_training``.

        >>> import numpy as np
        >>> from gpclass import GPClassifier
        >>> X = np.random.default_rng(0).normal(size=(60, 2))
        >>> model = GPClassifier(kernel="linear", likelihood="probit").fit(X, X[:, 0] > 0)
        >>> model.novelty([[0.1, 0.2], [50.0, 0.0]]) > 0.99
        array([False,  True])
        """
        columns = self._columns(X)
        novelty = self._model.novelty(columns, _running.threads(self.n_jobs))
        return novelty_frame(novelty, X) if as_frame else novelty

    def nearest(self, X, k=5):
        """Positions of the ``k`` training rows most like every row in the models' metric, the nearest first, and how far they are.

        A distance of 0 is a row that the models cannot tell apart, 1 the mean between training rows.
        """
        k = _options.number("k", k, least=1, integer=True)
        columns = self._columns(X)
        rows, distances = self._model.nearest(columns, k, _running.threads(self.n_jobs))
        return np.array(rows, dtype=np.intp).reshape(distances.shape), distances

    def explain(self, X, *, scale="log-odds", background=50, exact=6, orders=2, random_state=0):
        """By how much each column moves the prediction of every row away from the mean over training rows: Shapley values.

        ``scale='log-odds'``: what ``decision_function`` gives, of three or more classes for every class. ``scale='latent'``: the
        mean that ``latent`` gives, exact and quick for kernels that are products over features. ``background`` is how many training
        rows predictions are compared with, at most. Rows that differ from one of these in up to ``exact`` columns are explained exactly;
        for others ``orders`` orders of the columns are drawn per background row, and ``error_std`` is the standard error that is left.

        Returns a ``shap.Explanation`` where the package shap is installed, for its plots, else an object with the same
        attributes (``gpclass.Explanation``).

        >>> import numpy as np
        >>> from gpclass import GPClassifier
        >>> X = np.random.default_rng(0).normal(size=(60, 3))
        >>> model = GPClassifier(kernel="se", likelihood="probit").fit(X, X[:, 0] > 0)
        >>> why = model.explain(X[:2])
        >>> bool(np.allclose(why.values.sum(axis=1) + why.base_values, model.decision_function(X[:2])))
        True
        """
        options = _reasons.options(scale, background, exact, orders, random_state)
        columns = self._columns(X)
        return _reasons.explanation(self._model, columns, options, _running.threads(self.n_jobs), self.classes_)

    def witnesses(self, X, k=5, *, of_class=None):
        """Positions of the ``k`` training rows that weigh most in the prediction of every row, and what each adds to the latent mean.

        Of three or more classes it is the latent mean of ``of_class``, by default of the predicted one. What all training rows
        add sums to the mean that ``latent`` gives. A row that is ``nearest`` is alike; a witness is one that matters.
        """
        k = _options.number("k", k, least=1, integer=True)
        columns = self._columns(X)
        position = None if of_class is None else self._position_of(of_class)
        return _reasons.witnesses(self._model, columns, position, k, _running.threads(self.n_jobs))

    def training_rows(self, rows):
        """Labels and values of training rows by their positions, as a dict of columns: of a model file too, which has no table.

        Missing values are None, dates are texts. The label's column is ``'label'``, unless a column has that name: then it is
        ``'label*'``.
        """
        check_is_fitted(self)
        return _reasons.training_rows(self._model, np.asarray(rows, dtype=np.intp).ravel().tolist(), self.classes_)

    def slopes(self, level=0.95):
        """Slopes with credible intervals where linear models have at least half of the weight, else None: a list of dicts.

        ``change`` is one standard deviation of a number, or from the most frequent category to another; ``mean``, ``deviation``,
        ``low`` and ``high`` are about what it does to the latent value, all else equal, and of two classes ``odds_ratio``,
        ``odds_low`` and ``odds_high`` to the odds of ``classes_[1]``, near even odds.
        """
        check_is_fitted(self)
        return _reasons.slopes(self._model, _options.number("level", level, least=0.0), self.classes_)

    def _position_of(self, name):
        found = np.flatnonzero(self.classes_ == name)
        if len(found) != 1:
            raise ValueError(f"of_class is {name!r}; it must be one of {', '.join(map(repr, self.classes_.tolist()))}")
        return int(found[0])

    def suspects(self, threshold=0.5):
        """Positions of training rows whose label is wrong with at least this probability, most suspect first.

        ``label_suggestion_`` of these rows is the class that each has rather.
        """
        check_is_fitted(self)
        order = np.argsort(-self.label_error_proba_, kind="stable")
        return order[self.label_error_proba_[order] >= threshold]

    def audit(self, threshold=0.5, ids=None):
        """Labels to check, with the rows that contradict them, how many are wrong, and what would change without them.

        ``ids``: a name for every training row, repeated with the suspects. Rows of weight 0 are none of the training rows, so that a fit
        that had some cannot be audited. See ``gpclass.Audit``.

        >>> import numpy as np
        >>> from gpclass import GPClassifier
        >>> X = np.random.default_rng(0).normal(size=(80, 2))
        >>> y = X[:, 0] > 0
        >>> row = np.argsort(X[:, 0])[65]
        >>> y[row] = False  # a label that is wrong
        >>> found = GPClassifier(kernel="se", likelihood="robust").fit(X, y).audit()
        >>> list(found.suspects["row"]) == [row + 1]
        True
        """
        check_is_fitted(self)
        if len(self._model.labels()) != len(self.label_error_proba_):
            raise ValueError("some rows had weight 0; leave them out of the fit to audit the others")
        rows = self.suspects(threshold)
        if ids is not None and len(ids) != len(self.label_error_proba_):
            raise ValueError(f"ids has {len(ids)} entries, but there are {len(self.label_error_proba_)} rows: give one per row")
        return _audit.audit(self, rows, ids, _running.threads(self.n_jobs))
