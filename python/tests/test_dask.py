"""Tables on a cluster: workers are processes on this machine, which only listen to it."""

import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402
from sklearn.base import clone  # noqa: E402

import gpclass  # noqa: E402
from gpclass import GPClassifier, _cluster, _shards  # noqa: E402
from gpclass.dask import DaskGPClassifier  # noqa: E402

ROWS, KEPT = 2400, 300
QUICK = dict(kernel="matern32", lengthscales="single", likelihood="probit", inputs="standardised", max_iter=5)


def table(rows=ROWS, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    score = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=rows)
    return X, np.digitize(score, [0.0] if classes == 2 else [-0.8, 0.8])


def collections(X, y, partitions=6):
    size = -(-len(y) // partitions)
    return da.from_array(X, chunks=(size, X.shape[1])), da.from_array(y, chunks=size)


@pytest.fixture(scope="module")
def client():
    # A worker that is killed is started again at once; nothing listens but on the loopback.
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        yield client


def model(client, **arguments):
    return DaskGPClassifier(client, **{**QUICK, "kept_rows": KEPT, "inducing": 25, **arguments})


@pytest.fixture(scope="module")
def fitted(client):
    return model(client).fit(*collections(*table()))


def same(first, second):
    """Whether two fits agree to the bit."""
    X, _ = table(200, seed=9)
    assert first.log_evidence_ == second.log_evidence_
    assert np.array_equal(first.to_local().predict_proba(X), second.to_local().predict_proba(X))
    assert np.array_equal(first.loo_proba_, second.loo_proba_)


# ------------------------------------------------------------------- what a fit is


def test_the_posterior_is_that_of_all_rows(fitted):
    X, y = table()
    assert fitted.n_rows_ == ROWS and len(fitted.loo_proba_) == KEPT
    assert fitted.approach_ == "sparse" and fitted.converged_
    assert any("2400 rows, of which 300 are kept" in note for note in fitted.notes_)
    # One process with all rows at the same hyperparameters and more inducing rows predicts nearly the same.
    values = {name: value for name, value in fitted.hyperparameters_.items()}
    whole = GPClassifier(**{**QUICK, "inducing": 200}, fixed=values, neighbours=0).fit(X, y)
    test, truth = table(1000, seed=5)
    p = fitted.to_local().predict_proba(test)[:, 1]
    assert np.mean((p > 0.5) != truth) < 0.12
    assert np.abs(p - whole.predict_proba(test)[:, 1]).mean() < 0.05
    alone = GPClassifier(**QUICK, inducing=25, fixed=values).fit(X[:KEPT], y[:KEPT])
    assert alone.log_evidence_ > fitted.log_evidence_ + 100


def test_few_rows_are_fitted_as_by_the_ordinary_estimator(client):
    X, y = table(240)
    ordinary = GPClassifier(**QUICK).fit(X, y)
    spread = DaskGPClassifier(client, **QUICK).fit(*collections(X, y, 4))
    assert spread.log_evidence_ == ordinary.log_evidence_
    assert np.array_equal(spread.loo_proba_, ordinary.loo_proba_)


def test_predictions_are_lazy_and_those_of_the_local_model(client, fitted):
    X, _ = table(90, seed=3)
    lazy = fitted.predict_proba(da.from_array(X, chunks=(40, 2)))
    assert isinstance(lazy, da.Array) and lazy.shape == (90, 2) and lazy.chunks[0] == (40, 40, 10)
    local = fitted.to_local()
    assert type(local) is GPClassifier
    assert np.array_equal(lazy.compute(), local.predict_proba(X))
    labels = fitted.predict(da.from_array(X, chunks=(40, 3)))
    assert labels.dtype == local.classes_.dtype and np.array_equal(labels.compute(), local.predict(X))
    odds = fitted.decision_function(da.from_array(X, chunks=(90, 3)))
    assert np.array_equal(odds.compute(), local.decision_function(X))
    assert np.array_equal(fitted.predict_proba(X), local.predict_proba(X))


def test_it_is_saved_copied_and_pickled_like_any_other(fitted, tmp_path):
    X, _ = table(50, seed=3)
    fitted.to_local().save(tmp_path / "model.gpc")
    again = gpclass.load(tmp_path / "model.gpc")
    assert np.array_equal(again.predict_proba(X), fitted.to_local().predict_proba(X))
    assert again.log_evidence_ == fitted.log_evidence_
    copied = clone(fitted)
    assert copied.get_params()["kept_rows"] == KEPT and copied.client is fitted.client and not hasattr(copied, "classes_")
    thawed = pickle.loads(pickle.dumps(fitted))
    assert thawed.client is None and np.array_equal(thawed.predict_proba(X), fitted.predict_proba(X))
    assert "kept_rows=300" in repr(copied) and "missing" not in repr(copied)


def test_frames_with_categories_weights_and_an_empty_partition(client):
    X, y = table()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["colour"] = pd.Categorical(np.array(["red", "green", "blue"])[np.arange(ROWS) % 3])
    frame["label"] = np.where(y == 1, "yes", "no")
    frame["weight"] = np.where(np.arange(ROWS) % 10 == 0, 0.0, 1.0)
    parts = [frame.iloc[:1000], frame.iloc[:0], frame.iloc[1000:]]
    whole = dd.from_map(_shards.same, parts, meta=frame.iloc[:0])
    columns = ["a", "b", "c", "colour"]
    made = model(client, class_weight="balanced", neighbours=10).fit(whole[columns], whole["label"], sample_weight=whole["weight"])
    assert list(made.classes_) == ["no", "yes"] and made.n_rows_ == ROWS - 240
    assert "colour" in made.effects_
    proba = made.predict_proba(whole[columns])
    assert proba.compute().shape == (ROWS, 2)
    assert np.mean(made.predict(whole[columns]).compute() == frame["label"].to_numpy()) > 0.87


@pytest.mark.parametrize("arguments", [{"likelihood": "robust"}, {"classes": 3}])
def test_label_errors_and_several_classes(client, arguments):
    classes = arguments.pop("classes", 2)
    X, y = table(classes=classes)
    y = np.where(np.arange(ROWS) % 20 == 3, (y + 1) % classes, y)
    made = model(client, **arguments).fit(*collections(X, y))
    test, truth = table(500, classes, seed=4)
    assert np.mean(made.to_local().predict(test) != truth) < (0.12 if classes == 2 else 0.25)
    assert made.multiclass_ == ("exactly-one" if classes == 3 else None)


def test_a_partition_of_one_class_is_a_partition(client):
    X, y = table()
    order = np.argsort(y, kind="stable")
    made = model(client).fit(*collections(X[order], y[order]))
    test, truth = table(500, seed=4)
    assert np.mean(made.to_local().predict(test) != truth) < 0.12


# ------------------------------------------------------------------- what goes wrong


def refused(client, sentence, X, y, error=ValueError, **arguments):
    weights = arguments.pop("sample_weight", None)
    with pytest.raises(error, match=sentence):
        model(client, **arguments).fit(X, y, sample_weight=weights)


def test_bad_tables_are_refused_in_a_sentence(client):
    X, y = table(600)
    lazy, labels = collections(X, y, 3)
    refused(client, "X is a ndarray: give dask arrays", X, labels, TypeError)
    refused(client, "y is a ndarray: give dask arrays", lazy, y, TypeError)
    refused(client, "X has 3 partitions and y has 2", lazy, labels.rechunk(300))
    refused(client, "every label is '1': learning needs rows of two classes", lazy, da.ones_like(labels))
    refused(client, "partition 1 has 1 rows without a label", lazy, da.from_array(np.r_[np.nan, y[1:]], chunks=200))
    refused(client, "partition 1 has weights that are negative", lazy, labels, sample_weight=-da.ones(600, chunks=200))
    refused(client, "partition 1 of X has 200 rows and that of y 100", lazy, da.from_array(y, chunks=(100, 200, 300)))
    rare = da.from_array(np.r_[7, y[1:]], chunks=200)
    refused(client, "class '7' is so rare", lazy, rare, random_state=1)
    refused(client, "leave these options at their defaults", lazy, labels, exact=True, inducing=None)
    refused(client, "there are no rows of positive weight", lazy, labels, sample_weight=da.zeros(600, chunks=200))


def test_columns_that_differ_between_partitions_are_refused(client):
    X, y = table(400)
    first = pd.DataFrame(X[:200], columns=["a", "b", "c"])
    others = [
        (pd.DataFrame(X[200:], columns=["a", "b", "d"]), "partition 2 has the columns a, b, d and partition 1 has a, b, c"),
        (first.assign(c="text"), "column 'c' holds categories in partition 2 and numbers in partition 1"),
    ]
    labels = da.from_array(y, chunks=200)
    for other, sentence in others:
        parts = [dask.delayed(first), dask.delayed(other)]
        X = dd.from_delayed(parts, meta=first.iloc[:0], verify_meta=False)
        refused(client, sentence, X, labels)


def test_groups_are_refused_and_a_client_is_needed():
    lazy, labels = collections(*table(60), 3)
    with pytest.raises(ValueError, match="groups need all rows in one place"):
        DaskGPClassifier().fit(lazy, labels, groups=labels)
    with pytest.raises(ValueError, match="kept_rows"):
        DaskGPClassifier(kept_rows=0).fit(lazy, labels)


class PanicException(BaseException):
    """As the compiled library raises it."""


def panics():
    raise PanicException("index out of bounds")


def test_a_panic_in_a_worker_comes_back_as_an_error(client):
    cluster = _cluster.Cluster(client, [], 60.0)
    with pytest.raises(RuntimeError, match="the library failed in a worker .index out of bounds."):
        cluster.results([cluster.submit(_shards.guarded(panics))])


# ------------------------------------------------------------------- any number of workers


def in_round(monkeypatch, number, act):
    """Does something when the workers have been given that round of steps."""
    results, rounds = _cluster.Cluster.results, []

    def watched(self, futures):
        if all(future.key.startswith("step") for future in futures):
            rounds.append(len(futures))
            if len(rounds) == number:
                act()
        return results(self, futures)

    monkeypatch.setattr(_cluster.Cluster, "results", watched)
    return rounds


def test_a_worker_that_is_killed_changes_nothing(client, fitted, monkeypatch):
    def kill():
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    rounds = in_round(monkeypatch, 3, kill)
    same(fitted, model(client).fit(*collections(*table())))
    assert len(rounds) > 3


@pytest.mark.parametrize("workers", [1, 4])
def test_any_number_of_workers_gives_the_same_bits(client, fitted, workers):
    client.cluster.scale(workers)
    client.wait_for_workers(workers)
    while len(client.nthreads()) > workers:
        time.sleep(0.1)
    same(fitted, model(client).fit(*collections(*table())))


def test_without_workers_a_fit_ends_with_an_error(client, monkeypatch):
    in_round(monkeypatch, 2, lambda: client.cluster.scale(0))
    started = time.monotonic()
    with pytest.raises(RuntimeError, match="no workers for 2 seconds"):
        model(client, patience=2.0).fit(*collections(*table()))
    monkeypatch.undo()
    assert not client.nthreads()
    with pytest.raises(RuntimeError, match="no workers for 1 seconds"):
        model(client, patience=1.0).fit(*collections(*table()))
    assert time.monotonic() - started < 60


def test_the_scheduler_holds_no_rows(tmp_path):
    """Its memory is the same for ten times the rows, which the workers make themselves."""
    address = tmp_path / "scheduler.json"
    options = {"env": {**os.environ, "DASK_DISTRIBUTED__DASHBOARD__LINK": ""}, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    common = ["--scheduler-file", str(address), "--no-dashboard"]
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", *common, "--host", "127.0.0.1", "--port", "0"]
    scheduler = subprocess.Popen(command, **options)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", *common, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny"]
    worker = subprocess.Popen(command, **options)
    try:
        deadline = time.monotonic() + 60
        while not address.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        with distributed.Client(scheduler_file=str(address)) as client:
            client.wait_for_workers(1, timeout=60)

            def memory(rows):
                X = da.random.default_rng(0).normal(size=(rows, 20), chunks=(rows // 8, 20))
                model(client, inducing=10, neighbours=0).fit(X, X[:, 0] > 0)
                status = open(f"/proc/{scheduler.pid}/status").read()
                return int(status.split("VmRSS:")[1].split()[0]) / 1024

            few, many = memory(4_000), memory(80_000)  # 0.6 and 13 MB of numbers
        assert many - few < 6, (few, many)
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
