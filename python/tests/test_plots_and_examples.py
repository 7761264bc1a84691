"""Pictures are drawn, examples run."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from gpclass import GPClassifier, plot

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def model(blobs, quick):
    return GPClassifier(**quick).fit(*blobs)


def test_every_plot_shows_the_models_numbers(model, blobs):
    X, y = blobs
    bars = [bar.get_width() for bar in plot.relevance(model).patches]
    assert bars == sorted(model.relevance_.values())
    line = plot.trace(model).lines[0]
    np.testing.assert_array_equal(line.get_ydata(), [e["log_evidence"] for e in model.trace_])
    bars = [bar.get_width() for bar in plot.suspects(model, top=5).patches]
    np.testing.assert_allclose(bars, np.sort(model.label_error_proba_)[-5:])
    assert plot.decision_surface(model, X, y, features=(0, 2), resolution=20).get_ylabel() == "x3"
    for ax in (plot.calibration(model, y=y), plot.calibration(model, X, y, bins=4)):
        assert ax.get_xlabel() == "predicted probability"
    with pytest.raises(ValueError, match="labels"):
        plot.calibration(model)
    matplotlib.pyplot.close("all")


def test_plots_of_several_classes(blobs, quick):
    X, _ = blobs
    y = np.array(["low", "mid", "top"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    model = GPClassifier(**quick).fit(X, y)
    ax = plot.decision_surface(model, X, y, resolution=20)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["low", "mid", "top"]
    image = np.asarray(ax.images[0].get_array())
    assert image.shape == (20, 20, 3) and len(np.unique(image.reshape(-1, 3).round(3), axis=0)) > 3
    curves = plot.calibration(model, y=y, bins=4)
    assert [text.get_text() for text in curves.get_legend().get_texts()] == ["low", "mid", "top"]
    bars = plot.suspects(model, top=3)
    worst = np.argmax(model.label_error_proba_)
    assert bars.get_yticklabels()[-1].get_text() == f"{worst}: {model.label_suggestion_[worst]}?"
    matplotlib.pyplot.close("all")


def test_without_matplotlib_the_advice_is_clear(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install"):
        plot.trace(model)


def test_the_notebook_runs(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(EXAMPLES / "journey.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    told = "".join(output.get("text", "") for output in outputs)
    pages = "".join(output.get("data", {}).get("text/html", "") for output in outputs)
    assert "macro AUROC" not in told and "calibration slope" in told and "in truth 12" in told
    assert "srcdoc=" in pages and "unlike_training" in pages
    assert (tmp_path / "tumours.html").exists() and (tmp_path / "tumours.gpc").exists()


@pytest.mark.filterwarnings("ignore")
def test_mlflow_serves_a_model_file():
    pytest.importorskip("mlflow")
    found = runpy.run_path(str(EXAMPLES / "recipes" / "mlflow_model.py"))
    want = found["model"].predict_proba(found["data"].data.head(3))
    np.testing.assert_array_equal(found["answers"][list(found["model"].classes_)].to_numpy(), want)
    assert (found["answers"]["novelty"] < 1).all()


def test_skops_keeps_a_pipeline():
    pytest.importorskip("skops")
    found = runpy.run_path(str(EXAMPLES / "recipes" / "skops_file.py"))
    assert found["unknown"]
    np.testing.assert_array_equal(found["again"].predict_proba(found["X"]), found["pipeline"].predict_proba(found["X"]))


def test_onnx_runtime_gives_the_same_probabilities():
    pytest.importorskip("onnxruntime")
    found = runpy.run_path(str(EXAMPLES / "recipes" / "onnx_runtime.py"))
    assert found["worst"] < 1e-6 and found["answers"]["label"].tolist() == found["model"].predict(found["X"]).tolist()


def test_the_breast_cancer_example_runs(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["breast_cancer.py", "--rows", "140"])
    found = runpy.run_path(str(EXAMPLES / "breast_cancer.py"))
    assert found["recall_twice"] >= 0.8  # 4 of 5; chance is 0.1
    assert found["nlp"] < 0.4
    told = capsys.readouterr().out
    assert "recall of the flipped rows" in told and "calibration slope" in told
    assert "<title>Breast cancer</title>" in found["page"].html and "<td>small</td>" in found["page"].html
