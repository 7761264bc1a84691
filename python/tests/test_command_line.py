"""The command-line tool and the package are two doors to the same library: results are equal to the last bit.

The tool is ``$GPCLASS_BIN``, which ``make test-python`` sets, or what cargo last built.
"""

import csv
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gpclass
from gpclass import GPClassifier

ROOT = Path(__file__).resolve().parents[2]


def tool():
    if "GPCLASS_BIN" in os.environ:
        return os.environ["GPCLASS_BIN"]
    built = [path for path in (ROOT / "target" / kind / "gpclass" for kind in ("debug", "release")) if path.exists()]
    if not built:
        pytest.fail("the command-line tool is not built; build it first: cargo build -p gpclass-cli")
    return str(max(built, key=lambda path: path.stat().st_mtime))


def run(*arguments):
    done = subprocess.run([tool(), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def read(path):
    """The table as the tool reads it. Numbers are parsed by Python, because pandas' parser may be off by a last bit."""
    texts = pd.read_csv(path, dtype=str)
    return texts.assign(**{name: [float(text) for text in texts[name]] for name in ("dose", "age")})


def predictions(path):
    """Probability, latent mean, standard deviation and novelty of every row, and its class."""
    with open(path, newline="") as file:
        _, *rows = csv.reader(file)
    return np.array([[float(v) for v in row[1:-1]] for row in rows]), [row[0] for row in rows]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A table to learn from, with a category and a few wrong labels, and one to predict."""
    folder = tmp_path_factory.mktemp("tables")
    rng = np.random.default_rng(11)
    frame = pd.DataFrame(rng.normal(size=(90, 2)) * [1.0, 37.5], columns=["dose", "age"])
    frame["ward"] = rng.choice(["east", "north", "west"], 90)
    score = frame["dose"] + (frame["ward"] == "west") + 0.3 * rng.normal(size=90)
    frame["outcome"] = np.where((score > 0) ^ (np.arange(90) % 20 == 3), "yes", "no")
    paths = folder / "learn.csv", folder / "new.csv"
    for path, rows in zip(paths, (frame[:55], frame[55:])):
        rows.to_csv(path, index=False)  # floats are written by their shortest exact decimals
    return paths


CASES = {
    "automatic": ([], {}),
    "a mixture as it is": (["--sharpen", "off"], {"sharpen": "off"}),
    "robust with relevances": (
        ["--kernel", "se", "--likelihood", "robust", "--lengthscales", "ard"],
        {"kernel": "se", "likelihood": "robust", "lengthscales": "ard"},
    ),
    "leave-one-out": (
        ["--objective", "loo-nlp", "--kernel", "matern52", "--likelihood", "probit-bias", "--lengthscales", "single"],
        {"objective": "loo-nlp", "kernel": "matern52", "likelihood": "probit-bias", "lengthscales": "single"},
    ),
    "F-measure": (
        ["--objective", "loo-f", "--zeta", "0.7", "--kernel", "linear", "--likelihood", "probit"],
        {"objective": ("loo-f", 0.7), "kernel": "linear", "likelihood": "probit"},
    ),
    "laplace": (
        ["--inference", "laplace", "--likelihood", "logistic", "--kernel", "se"],
        {"inference": "laplace", "likelihood": "logistic", "kernel": "se"},
    ),
    "restarts": (
        ["--kernel", "se+linear", "--likelihood", "probit", "--restarts", "2", "--seed", "5", "--priors", "none"],
        {"kernel": "se+linear", "likelihood": "probit", "n_restarts": 2, "random_state": 5, "priors": None},
    ),
    "expectation maximisation": (
        ["--search", "em-ep-posterior", "--kernel", "se", "--likelihood", "step", "--lengthscales", "single"],
        {"search": "em-ep-posterior", "kernel": "se", "likelihood": "step", "lengthscales": "single"},
    ),
    "ranked": (
        ["--kernel", "se", "--likelihood", "probit", "--inputs", "ranked"],
        {"kernel": "se", "likelihood": "probit", "inputs": "ranked"},
    ),
    "warped": (
        ["--kernel", "matern32", "--likelihood", "robust", "--inputs", "warped"],
        {"kernel": "matern32", "likelihood": "robust", "inputs": "warped"},
    ),
    "weighed by evidence, raw columns, a held value": (
        ["--combine", "evidence", "--no-standardise", "--kernel", "se", "--fix", "v1=0.5"],
        {"combine": "evidence", "standardise": False, "kernel": "se", "fixed": {"v1": 0.5}},
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
def test_the_tool_and_the_package_agree(tables, tmp_path, case):
    (learn, new), (options, arguments) = tables, CASES[case]
    told = json.loads(run("fit", learn, "--label", "outcome", "-o", tmp_path / "tool.gpc", "--json", "-q", *options))
    frame = read(learn)
    model = GPClassifier(**arguments, n_jobs=1).fit(frame.drop(columns="outcome"), frame["outcome"])
    summary = told["summary"]
    assert model.hyperparameters_ == {h["name"]: h["value"] for h in summary["hyperparameters"]}
    assert [(c["name"], c["log_evidence"], c["score"], c["chosen"], c["weight"]) for c in model.candidates_] == [
        (c["name"], c["log_evidence"], c["score"], c["chosen"], c["weight"]) for c in summary["candidates"]
    ]
    assert model.log_evidence_ == next(c["log_evidence"] for c in summary["candidates"] if c["chosen"])
    assert model.loo_proba_[:, 1].tolist() == summary["loo_probability"]
    assert model.label_error_proba_.tolist() == summary["suspects"]["probability"]
    assert model.sharpness_ == summary["sharpness"]
    assert model.notes_ == [note["text"] for note in (*summary["data_notes"], *summary["fit_notes"])]
    assert list(model.effects_.items()) == [(r["feature"], r["effect"]) for r in summary["relevances"]]
    assert list(model.effect_errors_.values()) == [r["error"] for r in summary["relevances"]]
    assert list(model.gains_.values()) == [r["gain"]["value"] for r in summary["relevances"]]
    assert list(model.gain_errors_.values()) == [r["gain"]["standard_error"] for r in summary["relevances"]]

    run("predict", tmp_path / "tool.gpc", new, "-o", tmp_path / "tool.csv", "-q")
    values, labels = predictions(tmp_path / "tool.csv")
    rows = read(new).drop(columns="outcome")
    for same in (model, gpclass.load(tmp_path / "tool.gpc")):
        mean, variance = same.latent(rows)
        np.testing.assert_array_equal(same.predict_proba(rows)[:, 1], values[:, 0])
        np.testing.assert_array_equal(mean, values[:, 1])
        np.testing.assert_array_equal(np.sqrt(variance), values[:, 2])
        np.testing.assert_array_equal(same.novelty(rows), values[:, 3])
        assert same.predict(rows).tolist() == labels

    model.save(tmp_path / "package.gpc")
    run("predict", tmp_path / "package.gpc", new, "-o", tmp_path / "package.csv", "-q")
    np.testing.assert_array_equal(predictions(tmp_path / "package.csv")[0], values)


@pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
def test_weights_agree(tables, tmp_path):
    frame = read(tables[0])
    frame["times"] = np.arange(len(frame)) % 3 + 0.5
    frame.to_csv(tmp_path / "weighted.csv", index=False)
    options = ["--label", "outcome", "--weights", "times", "--kernel", "se", "--likelihood", "probit"]
    told = json.loads(run("fit", tmp_path / "weighted.csv", *options, "-o", tmp_path / "tool.gpc", "--json", "-q"))
    model = GPClassifier(kernel="se", likelihood="probit", n_jobs=1)
    model.fit(frame[["dose", "age", "ward"]], frame["outcome"], sample_weight=frame["times"])
    assert model.hyperparameters_ == {h["name"]: h["value"] for h in told["summary"]["hyperparameters"]}
    assert model.loo_proba_[:, 1].tolist() == told["summary"]["loo_probability"]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--fix", "v9=1"], {"fixed": {"v9": 1.0}}),
        (["--likelihood", "robust", "--fix", "eps=0.5"], {"likelihood": "robust", "fixed": {"eps": 0.5}}),
        (["--inference", "laplace", "--likelihood", "robust"], {"inference": "laplace", "likelihood": "robust"}),
    ],
    ids=["no such parameter", "no such value", "no such pair"],
)
def test_refusals_have_the_same_words(tables, options, arguments):
    command = [tool(), "fit", str(tables[0]), "--label", "outcome", "--kernel", "se", *options]
    refused = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tables[0].parent)
    frame = read(tables[0])
    with pytest.raises(ValueError) as said:
        GPClassifier(kernel="se", **arguments).fit(frame.drop(columns="outcome"), frame["outcome"])
    assert refused.returncode != 0
    assert str(said.value) in " ".join(refused.stderr.split())


def on_a_terminal(*arguments):
    """What the tool writes where both of its outputs are a terminal."""
    import pty

    parent, child = pty.openpty()
    process = subprocess.Popen([tool(), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=child, stderr=child)
    os.close(child)
    seen = b""
    while True:
        try:
            part = os.read(parent, 4096)
        except OSError:  # Linux reports the end of a terminal as an error
            part = b""
        if not part:
            break
        seen += part
    os.close(parent)
    assert process.wait() == 0, seen
    return seen.decode()


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_predictions_on_a_terminal_hold_nothing_that_it_obeys(tmp_path):
    hostile = "red\x1b[31m\x07\u202e"
    rng = np.random.default_rng(3)
    x = rng.normal(size=40)
    lines = [f"{v},{hostile if v > 0 else 'down'},{hostile}" for v in x]
    (tmp_path / "d.csv").write_text("\n".join(["x,y,id", *lines]) + "\n")
    model = tmp_path / "m.gpc"
    run("fit", tmp_path / "d.csv", "--label", "y", "--drop", "id", "-o", model, "--kernel", "se", "--likelihood", "probit")
    seen = on_a_terminal("predict", model, tmp_path / "d.csv", "--keep", "id", "--quiet")
    assert "\x07" not in seen and "\x1b[31m" not in seen and "\u202e" not in seen
    assert seen.count("red\\u{1b}[31m\\u{7}\\u{202e}") > 40
    # A pipe gets the text as it is.
    assert hostile in run("predict", model, tmp_path / "d.csv", "--keep", "id")


def test_sharpened_mixtures_agree(tmp_path):
    rows = np.arange(120)
    frame = pd.DataFrame(np.sin(np.outer(rows + 0.5, [12.9898, 78.233, 37.719, 93.989])), columns=["a", "b", "c", "d"])
    frame["a"] += np.where(rows % 2, -1.0, 1.0)
    frame.assign(outcome=np.where(rows % 2, "yes", "no")).to_csv(tmp_path / "learn.csv", index=False)
    told = json.loads(run("fit", tmp_path / "learn.csv", "--label", "outcome", "-o", tmp_path / "tool.gpc", "--json", "-q"))
    read_back = pd.read_csv(tmp_path / "learn.csv", float_precision="round_trip")
    rows = read_back.drop(columns="outcome")
    model = GPClassifier(n_jobs=1).fit(rows, read_back["outcome"])
    assert told["summary"]["sharpness"] == model.sharpness_ > 1.0
    run("predict", tmp_path / "tool.gpc", tmp_path / "learn.csv", "-o", tmp_path / "tool.csv", "-q")
    for same in (model, gpclass.load(tmp_path / "tool.gpc")):
        np.testing.assert_array_equal(same.predict_proba(rows)[:, 1], predictions(tmp_path / "tool.csv")[0][:, 0])
