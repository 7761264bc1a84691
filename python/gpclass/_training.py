"""Rows, labels and weights of a fit, checked, with sentences about what does not fit."""

from __future__ import annotations

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, column_or_1d, validate_data

from . import _frames


def rows(estimator, X, y):
    """The rows, the names of their columns, and which columns are categories."""
    X = _frames.as_rows(X)
    if _frames.is_frame(X):
        validate_data(estimator, X, skip_check_array=True)
        names = _frames.names_of(X, estimator.n_features_in_)
        if X.shape[0] < 1 or X.shape[1] < 1:
            _frames.check_matrix(np.empty(X.shape), False, allow_missing=False)
        return X, names, _frames.selected(estimator.categorical_features, names, X)
    categorical = not isinstance(estimator.categorical_features, (str, type(None))) and len(estimator.categorical_features) > 0
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    truth_values = _frames.by_dtype(estimator.categorical_features) and getattr(X, "dtype", None) == bool
    if categorical or truth_values:
        X = _frames.check_matrix(X, True, allow_missing=True)
        validate_data(estimator, X, skip_check_array=True)
    else:
        finite = "allow-nan" if accepts_missing(estimator.missing) else True
        X = validate_data(estimator, X, dtype=np.float64, ensure_all_finite=finite)
    names = _frames.names_of(X, X.shape[1])
    return X, names, _frames.selected(estimator.categorical_features, names, X)


def accepts_missing(missing) -> bool:
    """Whether this choice for missing values takes numbers that are missing."""
    return missing == "auto" or "impute" in str(missing)


def labels(y):
    """The classes, and for every row the position of its own."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    y = column_or_1d(_one_dimension(y), warn=True)
    _check_every_label(y)
    try:
        check_classification_targets(y)
    except ValueError as error:
        raise ValueError(f"{error}{_first_fraction(y)}") from None
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        listed = f"every label is '{classes[0]}'" if len(classes) else "there are no labels"
        raise ValueError(f"{listed}: learning needs rows of two classes, not one class")
    return classes, codes


def _one_dimension(y):
    """Labels whose gaps can be seen."""
    if isinstance(y, np.ma.MaskedArray):
        return _frames.with_gaps(y)
    if hasattr(y, "combine_chunks") or type(y).__module__.split(".")[0] == "pyarrow":
        return np.asarray(y.to_pylist())
    return y


def _check_every_label(y):
    """Refuses labels that are missing or not finite, and names the first."""
    if y.dtype == object:
        for row, label in enumerate(y.tolist(), start=1):
            if _frames.category(label) is None:
                raise ValueError(f"Input y contains NaN: data row {row} has no label: fill it in or drop the row")
        return
    try:
        assert_all_finite(y, input_name="y")
    except ValueError as error:
        row = np.flatnonzero(~np.isfinite(y))[0] + 1
        raise ValueError(f"{str(error).splitlines()[0]} The first is in data row {row}: fill it in or drop the row") from None


def _first_fraction(y):
    """Where labels are numbers with fractions, which of them is the first."""
    if y.dtype.kind != "f":
        return ""
    row = np.flatnonzero(y != np.floor(y))
    return f" Data row {row[0] + 1} has the label {y[row[0]]}." if row.size else ""


def weights(codes, classes, sample_weight, class_weight):
    """One weight per row, or None. There are rows of two classes at least."""
    weights = None if sample_weight is None else _given_weights(sample_weight, len(codes))
    if class_weight is not None:
        of_class = compute_sample_weight(class_weight, classes[codes])
        weights = of_class if weights is None else weights * of_class
    if weights is not None:
        _check_classes_are_left(codes, classes, weights)
    return weights


def groups(given, rows):
    """A name and a text per row, or None."""
    if given is None:
        return None
    name = getattr(given, "name", None)
    values = [_frames.category(value) for value in (given.to_list() if hasattr(given, "to_list") else list(given))]
    if len(values) != rows:
        raise ValueError(f"groups has {len(values)} entries, but there are {rows} rows: give one group per row")
    return ("groups" if name is None else str(name)), values


def _given_weights(sample_weight, rows):
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(rows, float(weights))
    if weights.shape != (rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, but there are {rows} rows: give one weight per row")
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if bad.size:
        raise ValueError(f"data row {bad[0] + 1} has the weight {weights[bad[0]]}: weights need to be finite and not negative")
    return weights


def _check_classes_are_left(codes, classes, weights):
    present = np.unique(codes[weights > 0])
    if len(present) == 0:
        raise ValueError(
            "every row has weight zero, which leaves nothing to learn from: give at least one row a positive weight"
        )
    if len(present) == 1:
        only = classes[present[0]]
        raise ValueError(f"every label with a positive weight is '{only}': learning needs rows of two classes")


def classes_left(classes, codes, kept):
    """The classes of the rows that are kept, and for every row the position of its own; a row of none has one beyond."""
    left = np.unique(codes[kept])
    position = np.full(len(classes), len(left))
    position[left] = np.arange(len(left))
    return classes[left], position[codes]


def kept_rows(values, kept):
    """Those values of a column whose row is kept."""
    if isinstance(kept, slice):
        return values
    if isinstance(values, dict):
        return {name: kept_rows(inner, kept) for name, inner in values.items()}
    if isinstance(values, list):
        return [value for value, keep in zip(values, kept) if keep]
    return np.ascontiguousarray(values[kept])
