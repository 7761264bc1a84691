"""Arrays and data frames as named columns: numbers, or categories as text."""

from __future__ import annotations

import numbers

import numpy as np
from sklearn.utils.validation import check_array


def is_frame(X) -> bool:
    """pandas or polars, without importing either."""
    return type(X).__module__.split(".")[0] in ("pandas", "polars") and hasattr(X, "columns")


def category(value):
    """The text of a category; None if it is missing."""
    if value is None or value is NotImplemented or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        value = float(value)
        if value != value:
            return None
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def _frame_column(X, position):
    return X.iloc[:, position] if hasattr(X, "iloc") else X[:, position]


def _is_categorical(column) -> bool:
    """Anything that is not a number is a category, and truth values are."""
    kind = str(column.dtype).lower()
    if kind.startswith(("bool", "category", "categorical", "enum", "object", "str", "utf8")):
        return True
    is_numeric = getattr(column.dtype, "is_numeric", None)  # polars
    if is_numeric is not None:
        return not is_numeric()
    return not kind.startswith(("int", "uint", "float", "double", "decimal"))


def _numbers(column, name):
    try:
        if hasattr(column, "isna") and not isinstance(column.dtype, np.dtype):
            # pandas' own types, whose missing value is not a float
            column = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.ascontiguousarray(np.asarray(column, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"column '{name}' holds values that are not numbers ({error}); declare it in categorical_features or convert it"
        ) from None


def _texts(column):
    values = column.to_list() if hasattr(column, "to_list") else list(column)
    return [category(value) for value in values]


def selected(categorical_features, names, X) -> np.ndarray:
    """A mask of the categorical columns."""
    mask = np.zeros(len(names), dtype=bool)
    if categorical_features is None:
        return mask
    if isinstance(categorical_features, str):
        if categorical_features != "from_dtype":
            raise ValueError(
                f"categorical_features is {categorical_features!r}; it must be 'from_dtype', None, a mask, or a list of "
                "positions or names"
            )
        if is_frame(X):
            mask[:] = [_is_categorical(_frame_column(X, j)) for j in range(len(names))]
        return mask
    given = np.asarray(categorical_features)
    if given.size == 0:
        return mask
    if given.dtype == bool:
        if given.shape != mask.shape:
            raise ValueError(
                f"categorical_features is a mask of shape {given.shape}, but there are {len(names)} features; give one "
                "truth value per feature"
            )
        return given
    for item in given.ravel().tolist():
        mask[_position(item, names)] = True
    return mask


def _position(item, names):
    if isinstance(item, str):
        if item not in names:
            raise ValueError(f"categorical_features names '{item}', which is no column; the columns are {', '.join(names)}")
        return names.index(item)
    if isinstance(item, int) and -len(names) <= item < len(names):
        return item
    raise ValueError(
        f"categorical_features holds {item!r}; give positions from 0 to {len(names) - 1}, names, or truth values"
    )


def names_of(X, features) -> list:
    """Column names; arrays get the library's own, x1, x2, ..."""
    if is_frame(X):
        return [str(name) for name in X.columns]
    return [f"x{j + 1}" for j in range(features)]


def check_matrix(X, categorical, *, allow_missing):
    """An array of at least one row and column; numbers unless some columns are categories."""
    finite = "allow-nan" if allow_missing else True
    if categorical:
        return check_array(X, dtype=None, ensure_all_finite=False)
    return check_array(X, dtype=np.float64, ensure_all_finite=finite)


def columns(X, names, mask):
    """What the library takes: a name and values per column."""
    made = []
    for j, (name, categorical) in enumerate(zip(names, mask)):
        column = _frame_column(X, j) if is_frame(X) else X[:, j]
        made.append((name, _texts(column) if categorical else _numbers(column, name)))
    return made
