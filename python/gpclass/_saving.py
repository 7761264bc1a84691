"""Fitted models as files."""

from __future__ import annotations

import json
import os

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _report
from ._core import Model, read_model_file, write_file


class Saved:
    """How an estimator that has a ``_model`` is kept: as a model file, pickled, or as ONNX."""

    def __getstate__(self):
        """The attributes with the model as the bytes of its file, which formats other than pickle can keep too."""
        state = dict(super().__getstate__())
        if "_model" in state:
            state["_model"] = state["_model"].to_bytes()
        return state

    def __setstate__(self, state):
        state = dict(state)
        if "_model" in state:
            state["_model"] = Model.from_bytes(state["_model"])
        super().__setstate__(state)

    def save(self, path):
        """Writes a model file, which the command-line tool reads too.

        The file appears when it is complete: one that is there under this name stays until then, and on any failure.
        """
        check_is_fitted(self)
        write_file(os.fsdecode(path), self._model.to_bytes())

    @classmethod
    def load(cls, path):
        """Reads a model file, written here or by the command-line tool."""
        return cls._restored(Model.from_bytes(read_model_file(os.fsdecode(path))))

    @classmethod
    def _restored(cls, model):
        made = cls()
        made._model = model
        summary, spec = json.loads(model.summary()), json.loads(model.spec())
        made.missing = _report.missing_name(spec["encoder"]["missing"])
        made.ordered, made.keep = spec["encoder"].get("ordered"), spec["encoder"].get("keep")
        made.classes_ = _report.classes(model.classes)
        _report.report(made, summary)
        made.n_features_in_ = len(made._names)
        if made._names != [f"x{j + 1}" for j in range(len(made._names))]:
            made.feature_names_in_ = np.array(made._names, dtype=object)
        return made

    def to_onnx(self, path=None):
        """The predictor as an ONNX model of standard operators in double precision (needs the package onnx).

        Its outputs are ``label``, ``probabilities`` (rows x classes), ``latent_mean`` and ``latent_variance``, as ``predict``,
        ``predict_proba`` and ``latent`` give them, to 1e-6. Its input is a matrix of numbers in the order of the columns of
        the fit: NaN is a missing value, dates are days since 1970, truth values 0 and 1; categories need to be numbers. Where several classes are inferred together it holds two numbers for
        every class and pair of training rows, else one.
        """
        from ._onnx import to_onnx

        check_is_fitted(self)
        return to_onnx(self, path)
