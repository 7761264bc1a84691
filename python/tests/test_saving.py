"""Model files, pickles, interruption and progress."""

import _thread
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import gpclass
from gpclass import SE, Bias, GPClassifier


def test_files_give_the_same_predictions(blobs, quick, tmp_path):
    X, y = blobs
    labels = np.where(y == 1, "pos", "neg")
    model = GPClassifier(**quick).fit(X, labels)
    model.save(tmp_path / "model.gpc")
    for other in (gpclass.load(tmp_path / "model.gpc"), GPClassifier.load(str(tmp_path / "model.gpc"))):
        np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        assert other.hyperparameters_ == model.hyperparameters_
        assert other.relevance_ == model.relevance_ and other.log_evidence_ == model.log_evidence_
        np.testing.assert_array_equal(other.loo_proba_, model.loo_proba_)


def test_files_remember_columns_and_classes(tmp_path, quick):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"kind": rng.choice(["a", "b"], 40), "size": rng.normal(size=40)})
    y = (frame["kind"] == "a").to_numpy()
    model = GPClassifier(**quick).fit(frame, y)
    model.save(tmp_path / "m")
    other = gpclass.load(tmp_path / "m")
    assert other.classes_.dtype == bool and list(other.feature_names_in_) == ["kind", "size"]
    np.testing.assert_array_equal(other.predict(frame), model.predict(frame))


def test_damaged_files_are_refused(blobs, quick, tmp_path):
    model = GPClassifier(**quick).fit(*blobs)
    model.save(tmp_path / "m")
    data = bytearray((tmp_path / "m").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "m").write_bytes(data)
    with pytest.raises(ValueError, match="checksum"):
        gpclass.load(tmp_path / "m")
    with pytest.raises(FileNotFoundError):
        gpclass.load(tmp_path / "none")


def test_pickles_are_compact(quick):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    model = GPClassifier(**quick).fit(X, X[:, 0] > 0)
    data = pickle.dumps(model)
    assert len(data) < 0.2 * 8 * 300 * 300  # far from a matrix of rows x rows
    np.testing.assert_array_equal(pickle.loads(data).predict_proba(X), model.predict_proba(X))


def test_ctrl_c_stops_a_fit():
    # A shell starts background jobs with SIGINT ignored, and Python then installs no handler of its own.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupt_a_fit()
    finally:
        signal.signal(signal.SIGINT, before)


def interrupt_a_fit():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 8))
    y = rng.integers(0, 2, size=700)
    timer = threading.Timer(0.5, _thread.interrupt_main)
    model = GPClassifier(kernel=SE(ard=True) + Bias(), n_restarts=50, tol=0.0)
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert time.monotonic() - start < 60
    assert not hasattr(model, "log_evidence_")


def test_progress_is_told(blobs, quick, caplog):
    X, y = blobs
    seen = []
    model = GPClassifier(**quick, callback=seen.append, verbose=1).fit(X, y)
    assert len(seen) == len(model.trace_)
    assert seen[-1]["log_evidence"] == pytest.approx(model.trace_[-1]["log_evidence"])
    assert "log evidence" in caplog.text and {record.name for record in caplog.records} == {"gpclass"}

    def refuse(entry):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        GPClassifier(**quick, callback=refuse).fit(X, y)


def test_the_interpreter_is_free_during_a_fit():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    y = X[:, 0] * X[:, 1] > 0
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    GPClassifier(kernel=SE(ard=True), n_restarts=2, n_jobs=1).fit(X, y)
    done.set()
    thread.join()
    assert len(ticks) > 3
