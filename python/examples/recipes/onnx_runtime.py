"""ONNX Runtime: the model where there is no gpclass, and no Python if need be.

``pip install gpclass[onnx] onnxruntime``.
"""

# %% A model.
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
from sklearn.datasets import load_breast_cancer

from gpclass import GPClassifier

frame, target = load_breast_cancer(as_frame=True, return_X_y=True)
X = frame[["mean radius", "mean texture", "mean concavity"]].iloc[:200]
y = np.where(target[:200] == 1, "benign", "malignant")
model = GPClassifier(kernel="se", likelihood="probit", lengthscales="ard").fit(X, y)

# %% Written, and read by a program that knows ONNX alone: one matrix of numbers in, labels and probabilities out.
path = Path(tempfile.mkdtemp()) / "cells.onnx"
model.to_onnx(path)
session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
names = [output.name for output in session.get_outputs()]
answers = dict(zip(names, session.run(None, {"X": X.to_numpy(dtype=np.float64)})))
print(answers["label"][:3], answers["probabilities"][:3])
worst = np.abs(answers["probabilities"] - model.predict_proba(X)).max()
print("largest difference of a probability:", worst)
