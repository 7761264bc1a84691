"""Random shapes, types and layouts: a result or a ValueError, never anything else."""

import warnings

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gpclass import GPClassifier

DTYPES = [np.float64, np.float32, np.int64, np.int8, np.uint16, bool, object]
QUICK = {"kernel": "se", "likelihood": "probit", "lengthscales": "single", "max_iter": 3}


@st.composite
def problems(draw):
    rows, columns = draw(st.integers(0, 12)), draw(st.integers(0, 4))
    values = st.floats(-1e6, 1e6, width=32) | st.sampled_from([np.nan, np.inf, 0.0]) if draw(st.booleans()) else st.floats(-9, 9)
    X = draw(hnp.arrays(np.float64, (rows, columns), elements=values))
    dtype = draw(st.sampled_from(DTYPES))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = X.astype(dtype)
    layout = draw(st.sampled_from(["C", "F", "strided", "reversed", "list"]))
    if layout == "F":
        X = np.asfortranarray(X)
    elif layout == "strided":
        X = np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2]
    elif layout == "reversed":
        X = X[::-1, ::-1]
    y = draw(hnp.arrays(np.int64, rows, elements=st.integers(0, draw(st.sampled_from([1, 1, 2, 4])))))
    return (X.tolist() if layout == "list" else X), y


@settings(max_examples=120, deadline=None)
@given(problems())
def test_a_result_or_a_value_error(problem):
    X, y = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = GPClassifier(**QUICK).fit(X, y)
        except ValueError:
            bad = np.asarray(X, dtype=float) if np.size(X) else np.empty((0, 0))
            # Refusals have a reason: no rows, no columns, one class, a class for each row, or numbers that are none.
            classes = len(set(y))
            assert bad.size == 0 or classes < 2 or 2 < classes == len(y) or not np.isfinite(bad).all() or bad.ndim != 2
            return
        p = model.predict_proba(X)
    assert p.shape == (len(y), len(set(y)))
    assert np.isfinite(p).all() and ((p >= 0) & (p <= 1)).all()


@settings(max_examples=30, deadline=None)
@given(st.integers(4, 20), st.integers(1, 3), st.randoms(use_true_random=False))
def test_layout_and_type_do_not_matter(rows, columns, random):
    X = np.array([[random.randint(-5, 5) for _ in range(columns)] for _ in range(rows)], dtype=float)
    y = np.arange(rows) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = GPClassifier(**QUICK).fit(X, y).predict_proba(X)
        for same in (X.astype(np.int32), np.asfortranarray(X), X.astype(object), X.tolist(), X.astype(np.float32)):
            np.testing.assert_array_equal(GPClassifier(**QUICK).fit(same, y).predict_proba(same), expected)
