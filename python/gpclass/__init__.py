"""Gaussian-process classification: calibrated probabilities, relevant features, suspect labels.

>>> import numpy as np
>>> from gpclass import GPClassifier
>>> x = np.linspace(-3, 3, 40).reshape(-1, 1)
>>> y = np.where(x[:, 0] > 0, "up", "down")
>>> model = GPClassifier(kernel="se").fit(x, y)
>>> model.predict([[-2.0], [2.0]]).tolist()
['down', 'up']
>>> bool(model.predict_proba([[2.0]])[0, 1] > 0.9)
True
"""

from . import compare, kernels, plot
from ._audit import Audit
from ._core import __version__
from ._estimator import GPClassifier, load
from ._exact import Exact, sample
from ._features import Refit, refit_on_relevant
from ._infer import ClassInference, Inference, infer
from ._reasons import Explanation
from ._warnings import ConvergenceWarning, DataWarning, FitWarning, GPClassWarning
from .kernels import (
    SE,
    Additive,
    Beta,
    Bias,
    Kernel,
    L1Product,
    Linear,
    LogNormal,
    Matern12,
    Matern32,
    Matern52,
    Noise,
    Normal,
    Param,
    PerClass,
    RationalQuadratic,
    fixed,
)

__all__ = [
    "Additive", "Audit", "Beta", "Bias", "ClassInference", "ConvergenceWarning", "DataWarning", "Exact", "Explanation", "FitWarning",
    "GPClassWarning", "GPClassifier", "Inference", "Kernel", "L1Product", "Linear", "LogNormal", "Matern12", "Matern32", "Matern52", "Noise",
    "Normal", "Param", "PerClass", "RationalQuadratic", "Refit", "SE", "__version__", "compare", "fixed", "infer", "kernels", "load",
    "plot", "refit_on_relevant", "sample",
]
