"""Runs are resumable: an interrupt loses only what is under way, and a record that cannot be trusted is made again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from experiments import records
from experiments.plan import plan
from experiments.records import Corrupted, Key
from experiments.spec import Method, Problem, Study, Task

ROOT = Path(__file__).parents[2]
RECORD = {"format": records.FORMAT, "problem": "p", "method": "m", "split": 0, "scores": {"error": 0.25}}

# Worker processes import the main module again, so what it puts into the catalogue is there too.
DRIVER = """
import sys, time
import numpy as np
from experiments import catalogue
from experiments.__main__ import main
from experiments.spec import Method, Outcome, Problem, Study, Task

def make(folder, split):
    X = np.random.default_rng(split).normal(size=(30, 1))
    return Task(X[:20], X[:20, 0] > 0, X[20:], X[20:, 0] > 0, seed=split)

def first(task, _):
    time.sleep(0.3)
    return Outcome(positive=task.X_test[:, 0] > 0, facts={"seen": task.seed})

def second(task, needed):
    assert needed["first"]["facts"]["seen"] == task.seed
    assert ("before" in needed) == (task.seed > 0)
    return Outcome(positive=task.X_test[:, 0] < 0)

def failing(task, _):
    raise ValueError("this method never works")

methods = [Method("first", first, foreign=True), Method("second", second, after=("first",), follows=True), Method("failing", failing)]
chosen = ("first", "second") if WORKS else ("first", "failing")
catalogue.all_problems = lambda: {"line": Problem("line", 8, make)}
catalogue.all_methods = lambda: {m.name: m for m in methods}
catalogue.all_studies = lambda: {"s": Study("s", (), chosen, {"quick": 8}, quick=("line",))}
catalogue.all_tables = catalogue.all_figures = dict

if __name__ == "__main__":
    sys.exit(main())
"""


def command(folder, works=True):
    driver = folder / "driver.py"
    driver.write_text(DRIVER.replace("WORKS", str(works)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    call = [sys.executable, str(driver), "run", "--quick", "--jobs", "2", "--out", str(folder / "out")]
    # A background shell may have told its children to ignore interrupts.
    restore = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731
    return subprocess.Popen(call, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=restore)


def kept(folder):
    return sorted((folder / "out").glob("quick-records/line/*/*.json"))


def test_an_interrupt_keeps_finished_runs_and_the_next_call_goes_on(tmp_path):
    process = command(tmp_path)
    deadline = time.monotonic() + 60
    while len(kept(tmp_path)) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130 and "goes on from there" in told and "Traceback" not in told
    before = {path: path.stat().st_mtime_ns for path in kept(tmp_path)}
    assert 2 <= len(before) < 16
    assert not list((tmp_path / "out").rglob("*.part"))

    process = command(tmp_path)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 0, told
    assert f"of which {len(before)} are done" in told
    assert len(kept(tmp_path)) == 16
    engines = {(record["method"], bool(record["engine"])) for record in map(records.read, kept(tmp_path))}
    assert engines == {("first", False), ("second", True)}, "what others compute says nothing of a build"
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())


def test_a_corrupted_record_is_reported_and_redone(tmp_path):
    assert command(tmp_path).wait(60) == 0
    broken = kept(tmp_path)[3]
    broken.write_text(broken.read_text()[:-40])
    process = command(tmp_path)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 0
    assert broken.name in told and "is redone" in told and "of which 15 are done" in told
    assert records.read(broken)["problem"] == "line"


def test_a_method_that_fails_is_recorded_and_tried_again(tmp_path):
    for _ in range(2):
        process = command(tmp_path, works=False)
        _, told = process.communicate(timeout=60)
        assert process.returncode == 1
        assert "this method never works" in told and "Traceback" not in told
    found, _ = records.read_all(tmp_path / "out" / "quick-records")
    assert sum("failed" in record for record in found) == 8


def test_every_damage_to_a_record_is_noticed(tmp_path):
    key = Key(0, "p", "m")
    records.write(tmp_path, key, RECORD)
    path = key.path(tmp_path)
    assert records.read(path) == RECORD
    text = path.read_text()
    for damaged in ("", text[:20], text[:-2], text.replace("0.25", "0.24"), text + "x", "{}\n{}\n"):
        path.write_text(damaged)
        with pytest.raises(Corrupted):
            records.read(path)
    records.write(tmp_path, key, RECORD | {"format": 99})
    with pytest.raises(Corrupted, match="format 99"):
        records.read(path)


def test_names_that_look_alike_have_records_of_their_own(tmp_path):
    paths = {Key(0, "p", method).path(tmp_path) for method in ("EP(ML)", "EP[ML]", "EP ML")}
    assert len(paths) == 3


def test_missing_files_leave_a_problem_out(tmp_path, monkeypatch):
    problem = Problem("files", 3, lambda folder, split: Task(None, None, None, None), files=("a.csv",))
    monkeypatch.setattr("experiments.catalogue.all_problems", lambda: {"files": problem})
    study = Study("s", ("files",), ("any",), {"default": None})
    made = plan([study], "default", tmp_path, tmp_path)
    assert made.missing == {"files": ["a.csv"]} and not made.runs


def test_methods_are_left_out_where_their_packages_are_missing_or_others_are_asked_for(tmp_path, monkeypatch):
    known = [Method("plain", None), Method("special", None, packages=("no_such_package",)), Method("other", None)]
    monkeypatch.setattr("experiments.catalogue.all_problems", lambda: {"made": Problem("made", 2, lambda folder, split: None)})
    monkeypatch.setattr("experiments.catalogue.all_methods", lambda: {method.name: method for method in known})
    study = Study("s", ("made",), ("plain", "special", "other"), {"default": None})
    made = plan([study], "default", None, tmp_path)
    assert made.lacking == {"special": ["no_such_package"]}
    assert {key.method for key in made.runs} == {"plain", "other"} and len(made.runs) == 4
    made = plan([study], "default", None, tmp_path, methods=["other"])
    assert {key.method for key in made.runs} == {"other"} and not made.lacking


def test_splits_are_counted_by_size_problem_and_method():
    problem = Problem("big", 20, lambda folder, split: None)
    splits = {"quick": 1, "default": 10, "full": None}
    study = Study("s", ("big",), ("a", "b"), splits, fewer={"big": {"default": 5}, ("big", "b"): {"default": 2}})
    assert [study.count(problem, "a", size) for size in splits] == [1, 5, 20]
    assert study.count(problem, "b", "default") == 2
