"""Tables as people have them: identifiers, missing values, dates, orders, truth values, frames of all makes."""

import datetime
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest

import gpclass
from gpclass import SE, DataWarning, GPClassifier, refit_on_relevant
from test_command_line import predictions, tool

pytestmark = pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
LEVELS = ["S", "M", "L"]


def patients(rows=80):
    """A frame with an id, gaps, dates, an order and truth values, and its classes."""
    rng = np.random.default_rng(3)
    size = rng.integers(0, 3, rows)
    age = np.round(rng.uniform(20, 80, rows), 1)
    ill = age / 20 + size + 0.5 * rng.normal(size=rows) > 3.5
    age[rng.permutation(rows)[: rows // 4]] = np.nan
    frame = pd.DataFrame(
        {
            "patient_id": rng.permutation(rows) + 1000,
            "age": age,
            "visit": pd.Timestamp("2021-03-01") + pd.to_timedelta(rng.integers(0, 400, rows), unit="D"),
            "size": pd.Categorical(np.array(LEVELS)[size], categories=LEVELS, ordered=True),
            "smokes": rng.random(rows) < 0.4,
        }
    )
    return frame, np.where(ill, "ill", "well")


def test_a_frame_as_it_is(quick, tmp_path):
    frame, y = patients()
    with pytest.warns(DataWarning, match="Column 'patient_id' was left out"):
        model = GPClassifier(**quick).fit(frame, y)
    assert list(model.effects_) == ["age", "visit", "size", "smokes", "age is missing"]
    assert model._kinds == {"age": "continuous", "visit": "date", "size": "discrete", "smokes": "discrete"}
    assert any("told apart by the feature 'age is missing'" in note for note in model.notes_)
    assert any("'visit' holds dates" in note for note in model.notes_)
    # Read back, it takes the same frame, and has the same columns.
    model.save(tmp_path / "m.gpc")
    other = gpclass.load(tmp_path / "m.gpc")
    assert other.n_features_in_ == 5 and other.feature_names_in_.tolist() == list(frame.columns)
    np.testing.assert_array_equal(other.predict_proba(frame), model.predict_proba(frame))
    # An id may be anything, a date text, and what is no date or level is missing.
    new = frame[:4].assign(patient_id="x", visit=["2021-05-01", "soon", None, "2021-05-01T12:00"], size=["S", "L", "XL", None])
    with pytest.warns(DataWarning, match="Columns 'visit' and 'size' had 2 values that are no dates"):
        assert np.isfinite(model.predict_proba(new)).all()
    assert GPClassifier(**quick, keep=["patient_id"]).fit(frame, y).effects_.keys() >= {"patient_id"}


def test_the_tool_gives_the_same_to_the_last_bit(quick, tmp_path):
    frame, y = patients()
    table = frame.assign(outcome=y, visit=frame["visit"].dt.strftime("%Y-%m-%d"))
    table[:60].to_csv(tmp_path / "d.csv", index=False)
    table[60:].to_csv(tmp_path / "new.csv", index=False)
    given = ["--kernel", "se", "--likelihood", "probit", "--lengthscales", "single", "--ordered", "size=S,M,L"]
    def run(*arguments):
        subprocess.run([tool(), *arguments], cwd=tmp_path, capture_output=True, check=True)

    run("fit", "d.csv", "--label", "outcome", "--positive", "well", "-o", "tool.gpc", *given)
    run("predict", "tool.gpc", "new.csv", "-o", "p.csv")
    found, _ = predictions(tmp_path / "p.csv")
    model = GPClassifier(**quick).fit(frame[:60], y[:60])
    theirs = gpclass.load(tmp_path / "tool.gpc")
    assert theirs.log_evidence_ == model.log_evidence_ and theirs.hyperparameters_ == model.hyperparameters_
    for each in (model, theirs):
        np.testing.assert_array_equal(each.predict_proba(frame[60:])[:, 1], found[:, 0])
    # The tool reads what Python wrote: truth values as pandas writes them, dates as text.
    model.save(tmp_path / "ours.gpc")
    run("predict", "ours.gpc", "new.csv", "-o", "p.csv")
    np.testing.assert_array_equal(model.predict_proba(frame[60:])[:, 1], predictions(tmp_path / "p.csv")[0][:, 0])


def test_parquet_is_the_frame(quick, tmp_path):
    pytest.importorskip("pyarrow")
    frame, y = patients()
    frame["visit"] += pd.to_timedelta(np.arange(len(frame)) * 977_123_456, unit="us")
    frame.assign(outcome=y).to_parquet(tmp_path / "d.parquet")
    given = ["--kernel", "se", "--likelihood", "probit", "--lengthscales", "single", "--ordered", "size=S,M,L"]
    command = [tool(), "fit", "d.parquet", "--label", "outcome", "--positive", "well", "-o", "tool.gpc", *given]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    theirs, model = gpclass.load(tmp_path / "tool.gpc"), GPClassifier(**quick).fit(frame, y)
    assert theirs.log_evidence_ == model.log_evidence_
    np.testing.assert_array_equal(theirs.predict_proba(frame), model.predict_proba(frame))


def test_frames_of_all_makes_are_the_same(quick):
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    frame, y = patients()
    reference = GPClassifier(**quick).fit(frame, y)
    arrow = pa.Table.from_pandas(frame)
    others = {
        "arrow": arrow,
        "polars": pl.from_arrow(arrow).with_columns(pl.col("size").cast(pl.String).cast(pl.Enum(LEVELS))),
    }
    others["lazy"] = others["polars"].lazy()
    others["dates"] = frame.assign(visit=[when.date() for when in frame["visit"]])
    others["texts"] = frame.assign(visit=frame["visit"].dt.strftime("%Y-%m-%d"))
    others["zones"] = frame.assign(visit=frame["visit"].dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"))
    others["seconds"] = frame.assign(visit=frame["visit"].astype("datetime64[s]"))
    for make, other in others.items():
        model = GPClassifier(**quick).fit(other, y)
        assert model.log_evidence_ == reference.log_evidence_, make
        np.testing.assert_array_equal(model.predict_proba(other), reference.predict_proba(frame), err_msg=make)


def test_polars_dates_and_gaps(quick):
    pl = pytest.importorskip("polars")
    days = [datetime.date(2020, 1, 1) + datetime.timedelta(days=7 * i % 50) for i in range(40)]
    days[3] = None
    frame = pl.DataFrame({"when": days, "x": np.arange(40) % 7 / 3})
    y = np.arange(40) % 50 * 7 % 50 > 25
    model = GPClassifier(**quick).fit(frame, y)
    assert model._kinds["when"] == "date"
    text = pd.DataFrame({"when": [None if d is None else d.isoformat() for d in days], "x": frame["x"].to_numpy()})
    np.testing.assert_array_equal(model.predict_proba(frame), GPClassifier(**quick).fit(text, y).predict_proba(text))


def test_sparse_columns_are_numbers(quick, blobs):
    X, y = blobs
    X = np.where(X > 0.5, X, 0.0)
    dense = pd.DataFrame(X, columns=list("abc"))
    sparse = dense.astype(pd.SparseDtype("float64", 0.0))
    want = GPClassifier(**quick).fit(dense, y)
    model = GPClassifier(**quick).fit(sparse, y)
    assert set(model._kinds.values()) == {"continuous"}
    np.testing.assert_array_equal(model.predict_proba(sparse), want.predict_proba(dense))


def test_arrays_never_lose_a_column(quick, blobs):
    X, y = blobs
    X = np.column_stack([np.arange(len(X)), X])
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        model = GPClassifier(**quick).fit(X, y)
    assert list(model.effects_) == ["x1", "x2", "x3", "x4"]
    assert any("'x1' holds integers that are all different and in order" in note for note in model.notes_)
    frame = pd.DataFrame(X, columns=["n", "a", "b", "c"])
    assert "n" not in GPClassifier(**quick).fit(frame, y).effects_
    assert "n" in GPClassifier(**quick, keep=[0]).fit(frame, y).effects_


def test_missing_numbers_in_arrays(quick, blobs):
    X, y = blobs
    X = X.copy()
    X[::5, 1] = np.nan
    model = GPClassifier(**quick).fit(X, y)
    assert list(model.effects_) == ["x1", "x2", "x3", "x2 is missing"]
    assert model.n_features_in_ == 3 and np.isfinite(model.predict_proba(X)).all()
    # Missing where training had nothing missing: the median, and a warning.
    new = np.array([[np.nan, 0.0, 0.0]])
    with pytest.warns(DataWarning, match="Column 'x1' had 1 missing value"):
        p = model.predict_proba(new)
    new[0, 0] = np.median(X[:, 0])
    np.testing.assert_allclose(p, model.predict_proba(new), rtol=1e-12)
    again = refit_on_relevant(GPClassifier(**quick), X, y, count=2)
    assert set(again.names) <= {"x1", "x2", "x3"} and again.estimator.n_features_in_ == len(again.columns)
    for kernel in (SE(ard=True), [SE(ard=True, l=0.5), "linear"]):
        assert len(GPClassifier(kernel=kernel, likelihood="probit").fit(X, y).effects_) == 4
    warm = GPClassifier(kernel="se", likelihood="probit", lengthscales="ard", warm_start=True).fit(X, y)
    assert "l[x2 is missing]" in warm.hyperparameters_
    assert len(warm.fit(np.nan_to_num(X), y).effects_) == 3


def test_truth_values_are_categories(quick):
    rng = np.random.default_rng(5)
    X = rng.random((60, 3)) < 0.5
    y = X[:, 0] ^ (rng.random(60) < 0.1)
    model = GPClassifier(**quick).fit(X, y)
    assert set(model._kinds.values()) == {"discrete"}
    np.testing.assert_array_equal(model.predict_proba(X.astype(float)), model.predict_proba(X))
    frame = pd.DataFrame(X, columns=list("abc"))
    np.testing.assert_array_equal(GPClassifier(**quick).fit(frame, y).predict_proba(frame), model.predict_proba(X))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"ordered": {"size": ["S", "M"]}}, "'L' in column 'size', which is none of its ordered levels"),
        ({"ordered": {"size": ["S", "M", "L", "S"]}}, "hold 'S' twice"),
        ({"ordered": {"sizes": ["S", "M"]}}, "no column 'sizes' .did you mean 'size'"),
        ({"keep": ["patient"]}, "no column 'patient'"),
        ({"keep": [9]}, "keep holds 9; give names"),
    ],
    ids=str,
)
def test_mistakes_about_columns(quick, arguments, sentence):
    frame, y = patients()
    frame["size"] = frame["size"].astype(str)
    with pytest.raises(ValueError, match=sentence):
        GPClassifier(**quick, **arguments).fit(frame, y)


def test_mistakes_of_type(quick):
    frame, y = patients()
    for ordered in (["size"], {"size": "SML"}):
        with pytest.raises(TypeError, match="ordered"):
            GPClassifier(**quick, ordered=ordered).fit(frame, y)


def test_onnx_has_the_encodings(quick):
    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    del onnx
    frame, y = patients()
    frame["size"] = pd.Categorical(frame["size"].cat.codes, categories=[0, 1, 2], ordered=True)
    model = GPClassifier(**quick).fit(frame, y)
    numbers = np.column_stack(
        [
            frame["patient_id"],
            frame["age"],
            (frame["visit"] - pd.Timestamp("1970-01-01")).dt.days,
            frame["size"].astype(float),
            frame["smokes"],
        ]
    ).astype(float)
    numbers[3, 3], numbers[5, 2] = 7.0, np.nan
    frame["size"] = frame["size"].astype(object)
    frame.loc[3, "size"], frame.loc[5, "visit"] = 7, pd.NaT
    session = runtime.InferenceSession(model.to_onnx().SerializeToString())
    found = session.run(["probabilities"], {"X": numbers})[0]
    np.testing.assert_allclose(found, model.predict_proba(frame), atol=1e-6)
