"""Tables and labels of every make that people have."""

import decimal
import logging
import subprocess
import sys

import numpy as np
import pytest

from gpclass import GPClassifier, _frames

pd = pytest.importorskip("pandas")


class Capsule:
    """A table that tells its columns by the Arrow PyCapsule interface and nothing else, as a database's result does."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.fixture
def frame(blobs):
    X, _ = blobs
    colour = np.where(X[:, 1] > 0, "red", "blue")
    # Halves hold these numbers exactly.
    return pd.DataFrame({"a": np.round(X[:, 0] * 8) / 8, "b": np.round(X[:, 1] * 8) / 8, "colour": colour})


@pytest.fixture
def same(frame, blobs, quick):
    """Checks that another make of the frame is fitted and predicted to the same bits."""
    _, y = blobs
    reference = GPClassifier(**quick).fit(frame, y)

    def check(other):
        model = GPClassifier(**quick).fit(other, y)
        assert model.log_evidence_ == reference.log_evidence_
        np.testing.assert_array_equal(model.predict_proba(other), reference.predict_proba(frame))

    return check


def test_whatever_speaks_arrow_is_read(frame, same):
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pandas(frame)
    same(table)
    same(Capsule(table))
    same(table.to_batches()[0])
    exact = [decimal.Decimal(str(value)) for value in frame["a"]]
    same(Capsule(table.set_column(0, "a", pa.array(exact, type=pa.decimal128(10, 3)))))


def test_without_pyarrow_polars_reads_arrow(frame, same, monkeypatch):
    pl = pytest.importorskip("polars")
    table = pl.from_pandas(frame)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    same(Capsule(table))
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(TypeError, match="X is a Capsule of Arrow columns, which polars or pyarrow with pandas read"):
        same(Capsule(table))


def test_lazy_frames_are_collected_with_a_word(frame, same, caplog):
    pl = pytest.importorskip("polars")
    with caplog.at_level(logging.INFO, logger="gpclass"):
        same(pl.from_pandas(frame).lazy())
    assert "X is a lazy frame; it is collected" in caplog.text


def test_frames_that_are_not_computed_yet_are_refused(frame, blobs, quick):
    dask = pytest.importorskip("dask.dataframe")
    with pytest.raises(TypeError, match=r"whose rows are not computed yet: call its compute\(\) first"):
        GPClassifier(**quick).fit(dask.from_pandas(frame, npartitions=2), blobs[1])


def test_narwhals_frames_are_what_they_wrap(frame, same):
    nw = pytest.importorskip("narwhals")
    same(nw.from_native(frame))


def test_half_floats(frame, same, blobs, quick):
    pa = pytest.importorskip("pyarrow")
    same(frame.astype({"a": np.float16, "b": np.float16}))
    half = {"a": pd.ArrowDtype(pa.float16()), "b": pd.ArrowDtype(pa.float16())}
    same(frame.astype(half))
    same(pa.Table.from_pandas(frame.astype({"a": np.float16})))
    X, y = frame[["a", "b"]].to_numpy(), blobs[1]
    want = GPClassifier(**quick).fit(X, y)
    np.testing.assert_array_equal(GPClassifier(**quick).fit(X.astype(np.float16), y).predict_proba(X), want.predict_proba(X))


def test_nullable_columns(frame, same, blobs, quick):
    same(frame.convert_dtypes())
    same(frame.convert_dtypes(dtype_backend="pyarrow"))
    gaps = frame.copy()
    gaps.loc[::7, "a"] = np.nan
    gaps.loc[::5, "colour"] = None
    want = GPClassifier(**quick).fit(gaps, blobs[1])
    for other in (gaps.convert_dtypes(), gaps.convert_dtypes(dtype_backend="pyarrow")):
        model = GPClassifier(**quick).fit(other, blobs[1])
        assert model._kinds == want._kinds
        np.testing.assert_array_equal(model.predict_proba(other), want.predict_proba(gaps))


def test_sparse_columns_with_gaps_elsewhere(frame, same):
    sparse = frame.copy()
    sparse["a"] = pd.arrays.SparseArray(sparse["a"].to_numpy(), fill_value=0.0)
    same(sparse)


def test_what_is_masked_is_missing(blobs, quick):
    X, y = blobs
    gaps = X.copy()
    gaps[::6, 2] = np.nan
    masked = np.ma.masked_invalid(gaps)
    masked.data[::6, 2] = 1e6
    want = GPClassifier(**quick).fit(gaps, y)
    model = GPClassifier(**quick).fit(masked, y)
    assert model.log_evidence_ == want.log_evidence_
    np.testing.assert_array_equal(model.predict_proba(masked), want.predict_proba(gaps))
    texts = np.ma.MaskedArray(np.array([["a"], ["b"], ["c"]], dtype=object), mask=[[False], [True], [False]])
    assert _frames.as_rows(texts).tolist() == [["a"], [None], ["c"]]
    whole = np.ma.MaskedArray(X)
    assert GPClassifier(**quick).fit(whole, y).log_evidence_ == GPClassifier(**quick).fit(X, y).log_evidence_


def labels_with_a_gap(blobs):
    pa = pytest.importorskip("pyarrow")
    _, y = blobs
    names = np.where(y == 1, "well", "ill").astype(object)
    names[4] = None
    numbers = y.astype(float)
    numbers[4] = np.nan
    hidden = np.ma.MaskedArray(y, mask=np.arange(60) == 4)
    return {
        "objects": names,
        "floats": numbers,
        "masked": hidden,
        "series": pd.Series(names),
        "nullable": pd.Series(numbers).astype("Int64"),
        "string": pd.Series(names).astype("string"),
        "arrow": pa.chunked_array([pa.array(names.tolist())]),
    }


@pytest.mark.parametrize("make", ["objects", "floats", "masked", "series", "nullable", "string", "arrow"])
def test_a_missing_label_is_named_by_its_row(blobs, quick, make):
    with pytest.raises(ValueError, match="data row 5"):
        GPClassifier(**quick).fit(blobs[0], labels_with_a_gap(blobs)[make])


def test_labels_that_are_no_classes_are_named_by_their_row(blobs, quick):
    X, y = blobs
    measured = y.astype(float)
    measured[6] = 0.37
    with pytest.raises(ValueError, match=r"Unknown label type.*Data row 7 has the label 0.37"):
        GPClassifier(**quick).fit(X, measured)
    measured[6] = np.inf
    with pytest.raises(ValueError, match="The first is in data row 7"):
        GPClassifier(**quick).fit(X, measured)


def test_arrow_labels_are_labels(blobs, quick):
    pa = pytest.importorskip("pyarrow")
    X, y = blobs
    model = GPClassifier(**quick).fit(X, pa.chunked_array([pa.array(np.where(y == 1, "well", "ill").tolist())]))
    assert model.classes_.tolist() == ["ill", "well"]


def test_progress_reaches_standard_error_where_nobody_logs():
    script = (
        "import numpy as np; from gpclass import GPClassifier; X = np.linspace(-1, 1, 30).reshape(-1, 1);"
        "GPClassifier(kernel='se', likelihood='probit', verbose=1).fit(X, X[:, 0] > 0.1)"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout == "" and "[gpclass] " in told.stderr and "log evidence" in told.stderr
