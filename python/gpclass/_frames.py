"""Arrays and data frames as named columns: numbers, or categories as text."""

from __future__ import annotations

import importlib
import logging
import numbers

import numpy as np
from sklearn.utils.validation import check_array


#: Makers of frames whose rows do not exist yet, and what makes them.
LAZY = {"dask": "compute()", "dask_expr": "compute()", "pyspark": "toPandas()"}

log = logging.getLogger("gpclass")


def as_rows(X):
    """Frames of any make as pandas or polars frames, masked arrays with NaN in their gaps; everything else as it is."""
    home = type(X).__module__.split(".")[0]
    if isinstance(X, np.ma.MaskedArray):
        return with_gaps(X)
    if home == "narwhals" and hasattr(X, "to_native"):
        return as_rows(X.to_native())
    if home == "polars" and type(X).__name__ == "LazyFrame":
        log.info("X is a lazy frame; it is collected, and all its rows are held in memory")
        return X.collect()
    if home in LAZY and hasattr(X, "columns"):
        raise TypeError(f"X is a frame of {home}, whose rows are not computed yet: call its {LAZY[home]} first")
    if home in ("pandas", "polars"):
        return X
    if hasattr(X, "__arrow_c_stream__") and not hasattr(X, "__array_interface__"):
        return _from_arrow(X)
    if hasattr(X, "columns") and hasattr(X, "to_pandas"):
        return X.to_pandas()
    return X


def with_gaps(masked):
    """A masked array as an array in which what is masked is missing."""
    if not np.ma.is_masked(masked):
        return masked.data
    number = masked.dtype.kind in "fiub"
    values = np.array(masked.data, dtype=np.float64 if number else object)
    values[np.ma.getmaskarray(masked)] = np.nan if number else None
    return values


def _from_arrow(X):
    """A table that tells its columns by the Arrow PyCapsule interface, as pyarrow's own and those of databases do."""
    try:
        import pyarrow
    except ImportError:
        polars = _first("polars")
        if polars is None:
            raise TypeError(
                f"X is a {type(X).__name__} of Arrow columns, which polars or pyarrow with pandas read; install one of them or "
                "give an array"
            ) from None
        return polars.DataFrame(X)
    table = X if isinstance(X, pyarrow.Table) else pyarrow.table(X)
    for j, field in enumerate(table.schema):
        if pyarrow.types.is_decimal(field.type):  # pandas would make objects of these
            table = table.set_column(j, field.name, table.column(j).cast(pyarrow.float64()))
    package = _first("pandas", "polars")
    if package is None:
        raise TypeError("X is a pyarrow table, which is read by pandas or polars; install one of them or give an array")
    return table.to_pandas() if package.__name__ == "pandas" else package.from_arrow(table)


def _first(*names):
    """The first of these packages that is installed, if any is."""
    for name in names:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


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
    column = X.iloc[:, position] if hasattr(X, "iloc") else X[:, position]
    return column.sparse.to_dense() if str(column.dtype).startswith("Sparse") else column


def _is_date(column) -> bool:
    return str(column.dtype).lower().startswith(("date", "timestamp"))  # datetime64[ns], Date, Datetime(...), timestamp[us]


def _days(column):
    """Days since 1970: whole days, and the rest of the day divided once, as everywhere in the library."""
    if hasattr(column, "dt") and hasattr(column.dt, "epoch"):  # polars
        nanoseconds = column.cast(_polars_moment(column)).dt.epoch("ns").to_list()
        missing = np.array([n is None for n in nanoseconds], dtype=bool)
        counts, unit = np.array([0 if n is None else n for n in nanoseconds], dtype=np.int64), 1
    else:
        if getattr(column.dt, "tz", None) is not None:
            column = column.dt.tz_convert("UTC").dt.tz_localize(None)
        moments = np.asarray(column.to_numpy(), dtype="datetime64")
        missing = np.isnat(moments)
        step, unit = _unit(moments.dtype)
        counts = np.where(missing, 0, moments.astype("int64") * step)
    per_day = 86_400_000_000_000 // unit
    days, rest = np.divmod(counts, per_day)
    return np.where(missing, np.nan, days + (rest * unit) / 86_400e9)


def _polars_moment(column):
    import polars

    return polars.Datetime("us") if str(column.dtype) == "Date" else column.dtype


def _unit(dtype):
    """Counts of a moment are multiples of this many units of so many nanoseconds."""
    name, count = np.datetime_data(dtype)
    nanoseconds = {"D": 86_400_000_000_000, "h": 3_600_000_000_000, "m": 60_000_000_000, "s": 10**9, "ms": 10**6, "us": 1000, "ns": 1}
    return count, nanoseconds[name]


def _is_categorical(column) -> bool:
    """Anything that is not a number is a category, and truth values are."""
    kind = str(column.dtype).lower()
    if kind.startswith(("bool", "category", "categorical", "enum", "object", "str", "utf8")):
        return True
    if _is_date(column):
        return False
    is_numeric = getattr(column.dtype, "is_numeric", None)  # polars
    if is_numeric is not None:
        return not is_numeric()
    return not kind.startswith(("int", "uint", "float", "double", "halffloat", "decimal"))


def _numbers(column, name):
    try:
        if hasattr(column, "isna") and not isinstance(column.dtype, np.dtype):
            # pandas' own types, whose missing value is not a float
            column = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.require(column, dtype=np.float64, requirements=["C", "A"])  # what came over a network may be misaligned
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"column '{name}' holds values that are not numbers ({error}); declare it in categorical_features or convert it"
        ) from None


def _texts(column):
    values = column.to_list() if hasattr(column, "to_list") else list(column)
    return [category(value) for value in values]


def by_dtype(categorical_features) -> bool:
    """Whether the types of columns say which are categories."""
    return isinstance(categorical_features, str) and categorical_features == "from_dtype"


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
        elif getattr(X, "dtype", None) == bool:
            mask[:] = True
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


def levels_of(X, names) -> dict:
    """The levels of ordered columns by name: pandas' ordered categories and polars' enumerations."""
    found = {}
    for j, name in enumerate(names if is_frame(X) else []):
        column = _frame_column(X, j)
        if str(column.dtype) == "category" and column.cat.ordered:
            found[name] = [category(level) for level in column.cat.categories]
        elif str(column.dtype).startswith("Enum"):
            found[name] = [str(level) for level in column.dtype.categories]
    # An order of one is none.
    return {name: levels for name, levels in found.items() if len(levels) > 1}


def columns(X, names, kinds):
    """What the library takes: a name and values per column that has a kind."""
    made = []
    for j, (name, kind) in enumerate(zip(names, kinds)):
        if kind is not None:
            made.append((name, _values(_frame_column(X, j) if is_frame(X) else X[:, j], name, kind)))
    return made


def _values(column, name, kind):
    if _is_date(column):
        days = _days(column)
        return {"days": np.ascontiguousarray(days)} if kind == "date" else [None if d != d else str(v) for d, v in zip(days, column)]
    if kind == "continuous" or (kind == "date" and not _is_categorical(column)):
        return _numbers(column, name)
    return _texts(column)


def kinds(X, names, mask) -> list:
    """What each column holds: 'continuous', 'discrete' or 'date'."""
    dates = [is_frame(X) and _is_date(_frame_column(X, j)) for j in range(len(names))]
    return ["discrete" if m else "date" if d else "continuous" for m, d in zip(mask, dates)]
