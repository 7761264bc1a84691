"""Nothing is lost, Ctrl-C is heard, the machine is spared."""

import _thread
import os
import signal
import stat
import threading
import time

import numpy as np
import pytest

import gpclass
from gpclass import SE, FitWarning, GPClassifier, infer

#: A second, and what a busy machine adds.
SOON = 2.5


@pytest.fixture
def model(blobs, quick):
    return GPClassifier(**quick).fit(*blobs)


def other_model(blobs, quick):
    X, y = blobs
    return GPClassifier(**quick).fit(X[:30], y[:30])


# ------------------------------------------------------------------ saving


def test_a_file_is_replaced_as_a_whole(model, blobs, quick, tmp_path):
    path = tmp_path / "m.gpc"
    model.save(path)
    path.chmod(0o640)
    before = path.read_bytes()
    with open(path, "rb") as reader:
        other_model(blobs, quick).save(path)
        assert reader.read() == before  # who reads the old file still has all of it
    assert path.read_bytes() != before
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["m.gpc"]


def test_links_are_followed(model, tmp_path):
    (tmp_path / "link").symlink_to("real")
    model.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").is_file()


def test_places_that_cannot_be_written_are_named_and_keep_what_they_have(model, tmp_path):
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        model.save(tmp_path)
    with pytest.raises(FileNotFoundError, match="does not exist; create it first"):
        model.save(tmp_path / "none" / "m.gpc")
    kept = tmp_path / "kept"
    kept.write_text("mine")
    kept.chmod(0o444)
    with pytest.raises(PermissionError, match="write-protected"):
        model.save(kept)
    assert kept.read_text() == "mine"
    if os.path.exists("/dev/full"):
        with pytest.raises(OSError, match="the disk is full"):
            model.save("/dev/full")
    assert os.listdir(tmp_path) == ["kept"]


def test_what_killed_processes_left_is_removed(model, tmp_path):
    dead, living = tmp_path / ".gpclass-99999999-abc.tmp", tmp_path / f".gpclass-{os.getpid()}-abc.tmp"
    dead.write_text("half")
    living.write_text("half")
    model.save(tmp_path / "m.gpc")
    assert not dead.exists() and living.exists()


def test_a_file_named_like_standard_output_is_a_file(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model.save("-")
    assert gpclass.load("./-").log_evidence_ == model.log_evidence_


def test_files_that_are_too_large_are_not_read(tmp_path):
    with open(tmp_path / "big.gpc", "wb") as file:
        file.truncate(2**34 + 1)
    with pytest.raises(ValueError, match="larger than 17179869184 bytes"):
        gpclass.load(tmp_path / "big.gpc")
    with pytest.raises(IsADirectoryError):
        gpclass.load(tmp_path)


def test_onnx_files_are_replaced_as_a_whole(model, tmp_path):
    pytest.importorskip("onnx")
    path = tmp_path / "m.onnx"
    path.write_bytes(b"old")
    with open(path, "rb") as reader:
        model.to_onnx(path)
        assert reader.read() == b"old"
    assert os.listdir(tmp_path) == ["m.onnx"]


# -------------------------------------------------------------- interrupts


def interrupted(work):
    """Seconds from the interrupt to its exception."""
    # A shell starts background jobs with SIGINT ignored, and Python then installs no handler of its own.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        _thread.interrupt_main()

    timer = threading.Timer(1.0, interrupt)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            work()
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def many_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 5))
    return X, rng.integers(0, 2, size=3000)


def test_ctrl_c_is_heard_during_a_fit_of_many_rows():
    X, y = many_rows()
    model = GPClassifier(kernel="se", likelihood="probit", lengthscales="single", memory_limit="100G")
    assert interrupted(lambda: model.fit(X, y)) < SOON
    assert not hasattr(model, "log_evidence_")


def test_ctrl_c_is_heard_during_inference():
    X, y = many_rows()
    assert interrupted(lambda: infer(X, y, SE(v0=1.0, l=1.0))) < SOON


def test_ctrl_c_is_heard_during_predictions(model):
    X = np.random.default_rng(0).normal(size=(3_000_000, 3))
    assert interrupted(lambda: model.predict_proba(X)) < SOON


class Presser:
    """Presses Ctrl-C while a search is at its second step, and as often after that as it is told. The searches go on while it waits
    before the first time, so that there are steps left to tell when it has pressed."""

    def __init__(self, times):
        self.left, self.wait = times, 0.5

    def __call__(self, entry):
        if entry["iteration"] >= 2 and self.left > 0:
            time.sleep(self.wait)
            self.left, self.wait = self.left - 1, 0.0
            os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def heard():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_keeps_the_best_so_far_if_asked(heard, blobs):
    X, y = blobs
    model = GPClassifier(kernel="se", n_restarts=200, keep_partial=True, callback=Presser(1))
    with pytest.warns(UserWarning, match="interrupted: this is the best model so far"):
        model.fit(X, y)
    assert model.predict_proba(X).shape == (len(y), 2)
    assert np.mean(model.predict(X) == y) > 0.8


def test_ctrl_c_twice_keeps_nothing(heard, blobs):
    X, y = blobs
    for keep, times in ((True, 2), (False, 1)):
        model = GPClassifier(kernel="se", n_restarts=200, keep_partial=keep, callback=Presser(times))
        with pytest.raises(KeyboardInterrupt):
            model.fit(X, y)
        assert not hasattr(model, "log_evidence_")


# ------------------------------------------------------------------ limits


def test_n_jobs_follows_scikit_learn(blobs, quick):
    X, y = blobs
    for n_jobs in (1, -1, -2, -1000, None):
        GPClassifier(**quick, n_jobs=n_jobs).fit(X, y)
    for nonsense in (0, 1.5, "two"):
        with pytest.raises(ValueError, match="n_jobs is"):
            GPClassifier(**quick, n_jobs=nonsense).fit(X, y)
        with pytest.raises(ValueError, match="n_jobs is"):
            infer(X, y, SE(v0=1.0, l=1.0), n_jobs=nonsense)
    for huge in (100_000, 10**30):
        with pytest.warns(FitWarning, match="threads are used, four per core"):
            GPClassifier(**quick, n_jobs=huge).fit(X, y)
    infer(X, y, SE(v0=1.0, l=1.0), n_jobs=-2)


def test_a_fit_beyond_the_memory_is_refused(blobs, quick):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 2))
    y = X[:, 0] > 0
    for limit in (10_000_000, "10M"):
        with pytest.raises(MemoryError, match="needs about .* for 1000 rows, but only .* memory_limit allows; about .* rows"):
            GPClassifier(memory_limit=limit).fit(X, y)
    for nonsense in ("much", -1, 0, True, [1]):
        with pytest.raises(ValueError, match="memory_limit is"):
            GPClassifier(memory_limit=nonsense).fit(X, y)
    GPClassifier(**quick, memory_limit="1G").fit(*blobs)


# ------------------------------------------------------------------- words


def test_a_fitted_model_shows_what_was_chosen(model, quick):
    assert repr(GPClassifier()) == "GPClassifier()"
    assert repr(model).startswith("GPClassifier(kernel='se', lengthscales='single', likelihood='probit')")
    assert f"probit likelihood, log evidence {model.log_evidence_:.2f}" in repr(model)
