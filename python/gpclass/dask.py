"""Gaussian-process classification of tables that a Dask cluster holds (needs the packages dask and distributed).

>>> import dask.array as da
>>> import numpy as np
>>> from distributed import Client
>>> from gpclass.dask import DaskGPClassifier
>>> client = Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None)
>>> X = da.from_array(np.random.default_rng(0).normal(size=(600, 2)), chunks=(200, 2))
>>> model = DaskGPClassifier(client, kernel="se", likelihood="probit", kept_rows=150, inducing=20)
>>> model = model.fit(X, X[:, 0] > 0)
>>> model.predict_proba(X)  # nothing is computed before it is asked for
dask.array<concatenate, shape=(600, 2), dtype=float64, chunksize=(200, 2), chunktype=numpy.ndarray>
>>> bool((model.predict(X[:200]) == (X[:200, 0] > 0)).mean().compute() > 0.95)
True
>>> type(model.to_local()).__name__
'GPClassifier'
>>> client.close()
"""

from __future__ import annotations

import inspect

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from . import _cluster, _options, _shards, _spec
from ._estimator import GPClassifier

# Rows that stand for all, where nobody says how many.
INDUCING = 400


class DaskGPClassifier(GPClassifier):
    """``GPClassifier`` for dask arrays and dataframes.

    Up to ``kept_rows`` rows are fitted as ``GPClassifier`` fits them. Of more, that many are drawn at random and taken to the client:
    encoding, hyperparameters, the rows that stand for all, the weights of the models, scores and suspects are learned from these. The
    posterior is that of all rows: the workers run expectation propagation on their partitions in turns, of which only sums of a
    fixed size come back. They are added up in the order of the partitions, so that the result does not depend on the number of
    workers, to the bit. A partition whose worker is lost is read again elsewhere.

    Predictions are refined by the rows that were taken, not by all: where the border between the classes is fine, more
    ``kept_rows`` predict better. Everything that concerns single training rows (``loo_proba_``, ``suspects``, ``nearest``) is
    about these.

    Parameters
    ----------
    client : distributed.Client or None
        The cluster; ``None`` is the client that was made last.
    kept_rows : int
        Most rows that the client takes and the model keeps.
    patience : float
        Seconds without any worker after which a fit ends with an error.
    **arguments :
        Those of ``GPClassifier``. Not for tables of more than ``kept_rows`` rows: ``exact``, ``search`` and ``path`` other than the
        default, ``inference`` other than ``'ep'`` and ``'ep-sequential'``. Several classes are modelled each against the rest.

    Attributes
    ----------
    client_ : the client that is used
    n_rows_ : rows that the fit saw
    and those of ``GPClassifier``
    """

    def __init__(self, client=None, *, kept_rows=20_000, patience=60.0, **arguments):
        super().__init__(**arguments)
        self.client = client
        self.kept_rows = kept_rows
        self.patience = patience

    def __getstate__(self):
        # A connection belongs to its process.
        return {**super().__getstate__(), "client": None}

    def __sklearn_clone__(self):
        # A connection cannot be copied: the copy uses the same.
        others = {name: value for name, value in self.get_params(deep=False).items() if name != "client"}
        return type(self)(self.client, **{name: clone(value, safe=False) for name, value in others.items()})

    @property
    def client_(self):
        """The client that is used."""
        if self.client is not None:
            return self.client
        from distributed import default_client

        try:
            return default_client()
        except ValueError:
            raise ValueError("there is no dask client: make one, as distributed.Client(address), or give one as client") from None

    def fit(self, X, y, sample_weight=None, groups=None, corrections=None):
        """Learns from the rows of dask collections, whose partitions belong together one by one.

        ``groups`` and ``corrections`` need all rows in one place; use ``GPClassifier`` for them.
        """
        if groups is not None or corrections is not None:
            name = "groups" if groups is not None else "corrections"
            raise ValueError(f"{name} need all rows in one place: take the rows to the client and use GPClassifier")
        kept_rows = _options.number("kept_rows", self.kept_rows, least=2, integer=True)
        patience = _options.number("patience", self.patience, least=0.0)
        cluster = _cluster.Cluster(self.client_, _partitions(X, y, sample_weight), patience)
        try:
            local = self._fitted_local(cluster, kept_rows)
        finally:
            cluster.stop()
        for name, value in _fitted(local).items():
            setattr(self, name, value)
        return self

    def _fitted_local(self, cluster, kept_rows):
        described = cluster.describe()
        _check(described)
        counted = [part["counted"] for part in described]
        classes, counts = _classes(described)
        arguments = self._arguments()
        arguments["class_weight"] = _class_weight(self.class_weight, classes, counts)
        spread = sum(counted) > kept_rows
        if spread and self.inducing is None and not self.exact:
            arguments["inducing"] = min(INDUCING, kept_rows)
        which = _cluster.drawn(counted, kept_rows, _spec._seed(self.random_state)) if spread else [None] * len(counted)
        X, y, weights = _joined(cluster.take(which))
        if spread:
            _check_classes(classes, y, kept_rows)
            asking = _cluster.Asking(cluster, counted, which, classes, arguments["class_weight"])
            local = _Here(asking, **arguments)
        else:
            local = GPClassifier(**arguments)
        local.fit(X, y, sample_weight=weights)
        local.n_rows_ = sum(counted)
        return local

    def _arguments(self):
        return {name: getattr(self, name) for name in GPClassifier._get_param_names()}

    def to_local(self):
        """The fitted ``GPClassifier``: it predicts the same rows in this process, and is saved and explained like any other."""
        check_is_fitted(self)
        local = GPClassifier(**self._arguments())
        for name, value in _fitted(self).items():
            setattr(local, name, value)
        return local

    def predict(self, X):
        """The most probable class of every row: a lazy dask array for dask collections, else an array."""
        return self._lazily("predict", X, 0, lambda: self.classes_.dtype)

    def predict_proba(self, X):
        """Probabilities of ``classes_`` for every row, as ``predict``."""
        return self._lazily("predict_proba", X, self._width)

    def predict_log_proba(self, X):
        """Logarithms of the probabilities, as ``predict``."""
        return self._lazily("predict_log_proba", X, self._width)

    def decision_function(self, X):
        """Log-odds, as ``predict``."""
        return self._lazily("decision_function", X, 0 if self._width == 2 else self._width)

    @property
    def _width(self):
        check_is_fitted(self)
        return len(self.classes_)

    def _lazily(self, method, X, width, dtype=lambda: np.dtype(float)):
        check_is_fitted(self)
        if not _is_collection(X):
            return getattr(GPClassifier, method)(self, X)
        import dask
        import dask.array as da

        model = dask.delayed(self.to_local(), pure=False, traverse=False)
        task = dask.delayed(_shards.predicted, pure=False)
        rows = X.chunks[0] if hasattr(X, "chunks") else None
        made = []
        for k, part in enumerate(_delayed(X)):
            count = (np.nan if rows is None else rows[k],)
            shape = (*count, width) if width else count
            made.append(da.from_delayed(task(model, method, width, dtype(), part), shape=shape, dtype=dtype()))
        return da.concatenate(made, axis=0, allow_unknown_chunksizes=True)


def _signature():
    """The arguments of both, so that scikit-learn and readers see them."""
    own = inspect.signature(DaskGPClassifier.__init__).parameters.values()
    inherited = list(inspect.signature(GPClassifier.__init__).parameters.values())[1:]
    return inspect.Signature([p for p in own if p.kind is not p.VAR_KEYWORD] + inherited)


DaskGPClassifier.__init__.__signature__ = _signature()


class _Here(GPClassifier):
    """The rows that the client has taken, with somebody who asks the others."""

    def __init__(self, asking, **arguments):
        super().__init__(**arguments)
        self._asking = asking

    def _elsewhere(self, names, kinds):
        self._asking.names, self._asking.kinds = names, kinds
        return self._asking


def _fitted(estimator):
    """What a fit has added to an estimator."""
    given = set(DaskGPClassifier._get_param_names()) | {"_asking"}
    return {name: value for name, value in vars(estimator).items() if name not in given}


def _is_collection(X):
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr") and hasattr(X, "to_delayed")


def _delayed(collection):
    """The partitions of a collection, each with all of its columns."""
    if hasattr(collection, "rechunk"):
        if collection.ndim == 2 and collection.numblocks[1] > 1:
            collection = collection.rechunk({1: -1})
        return list(collection.to_delayed().ravel())
    return list(collection.to_delayed())


def _partitions(X, y, sample_weight):
    """The partitions as triples of rows, labels and weights."""
    given = {"X": X, "y": y, "sample_weight": sample_weight}
    for name, value in given.items():
        if value is None and name == "sample_weight":
            continue
        if not _is_collection(value):
            raise TypeError(f"{name} is a {type(value).__name__}: give dask arrays or dataframes, or use GPClassifier for rows in memory")
    if getattr(X, "ndim", 2) != 2:
        raise ValueError(f"X has {X.ndim} dimensions: give rows and columns")
    parts = {name: _delayed(value) for name, value in given.items() if value is not None}
    for name, own in parts.items():
        if len(own) != len(parts["X"]):
            raise ValueError(
                f"X has {len(parts['X'])} partitions and {name} has {len(own)}: give them the same partitions, as of one table"
            )
    none = [None] * len(parts["X"])
    return list(zip(parts["X"], parts["y"], parts.get("sample_weight", none)))


def _check(described):
    """Whether the partitions belong to one table."""
    first = None
    for number, part in enumerate(described, start=1):
        rows, own = part["shape"][0], f"partition {number}"
        if part["labels"] != (rows,):
            raise ValueError(f"{own} of X has {rows} rows and that of y {part['labels'][0] if part['labels'] else 0}: give one label per row")
        if part["weights"] not in (None, (rows,)):
            raise ValueError(f"{own} of X has {rows} rows and that of sample_weight {part['weights'][0]}: give one weight per row")
        if part["without_label"]:
            raise ValueError(f"{own} has {part['without_label']} rows without a label: fill them in or drop the rows")
        if part.get("bad_weights"):
            raise ValueError(f"{own} has weights that are negative or no numbers: weights need to be finite and not negative")
        if rows == 0:
            continue
        first = first or (number, part)
        _check_columns(number, part, *first)
    if not sum(part["counted"] for part in described):
        raise ValueError("there are no rows of positive weight in any partition: learning needs rows of two classes")


def _check_columns(number, part, first_number, first):
    """Whether a partition has the columns of the first that has rows."""
    if part["columns"] is None or first["columns"] is None:
        if part["shape"][1] != first["shape"][1]:
            raise ValueError(
                f"partition {number} has {part['shape'][1]} columns and partition {first_number} has {first['shape'][1]}: "
                "give every partition the same columns"
            )
        return
    names, due = ([name for name, _ in one["columns"]] for one in (part, first))
    if names != due:
        raise ValueError(
            f"partition {number} has the columns {', '.join(names)} and partition {first_number} has {', '.join(due)}: "
            "give every partition the same columns in the same order"
        )
    for (name, kind), (_, kind_due) in zip(part["columns"], first["columns"]):
        if kind != kind_due:
            raise ValueError(
                f"column '{name}' holds {kind} in partition {number} and {kind_due} in partition {first_number}: give it one type"
            )


def _classes(described):
    """The classes of all rows that count, and how many rows each has."""
    every = np.concatenate([part["classes"] for part in described if len(part["classes"])])
    classes, place = np.unique(every, return_inverse=True)
    counts = np.bincount(place, weights=np.concatenate([part["of_class"] for part in described]))
    if len(classes) < 2:
        raise ValueError(f"every label is '{classes[0]}': learning needs rows of two classes, not one class")
    return classes, counts


def _class_weight(given, classes, counts):
    """Weights of classes by all rows, not by those that are taken."""
    if isinstance(given, str) and given == "balanced":
        return dict(zip(classes.tolist(), (counts.sum() / (len(classes) * counts)).tolist()))
    return given


def _check_classes(classes, taken, kept_rows):
    absent = np.setdiff1d(classes, taken)
    if len(absent):
        raise ValueError(
            f"class '{absent[0]}' is so rare that none of its rows is among the {kept_rows} that were drawn: raise kept_rows, or join "
            "it with another class"
        )


def _joined(taken):
    """Rows of all partitions, one after the other."""
    frames, labels, weights = zip(*taken)
    if hasattr(frames[0], "iloc"):
        import pandas

        X = pandas.concat(frames, ignore_index=True)
    else:
        X = np.concatenate(frames)
    return X, np.concatenate(labels), None if weights[0] is None else np.concatenate(weights)
