"""Tries the installed package, with nothing but it and what it requires: fit, predict, save, load, the tool's model."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import sklearn
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score

import gpclass
from gpclass import GPClassifier


def main():
    X, y = load_breast_cancer(return_X_y=True)
    model = GPClassifier(kernel="se", likelihood="probit").fit(X[:150], y[:150])
    assert model.score(X[150:], y[150:]) > 0.9
    assert cross_val_score(GPClassifier(kernel="linear", likelihood="probit"), X[:90, :5], y[:90], cv=3).mean() > 0.8
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.gpc"
        model.save(path)
        assert np.array_equal(gpclass.load(path).predict_proba(X[:9]), model.predict_proba(X[:9]))
        model.report(Path(folder) / "report.html")
    of_the_tool = gpclass.load(sys.argv[1])
    table = np.genfromtxt("demo.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    predicted = np.genfromtxt("predictions.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    rows = np.column_stack([table[name] for name in table.dtype.names if name != "class"])
    probability = predicted[predicted.dtype.names[1]]
    assert np.allclose(of_the_tool.predict_proba(rows)[:, 1], probability, atol=1e-9)
    print(f"Python {sys.version.split()[0]}, numpy {np.__version__}, scikit-learn {sklearn.__version__}, gpclass {gpclass.__version__}: fine")


if __name__ == "__main__":
    main()
