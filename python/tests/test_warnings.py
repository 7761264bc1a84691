"""What is warned about, by class, and what is only noted."""

import warnings

import numpy as np
import pytest

from gpclass import ConvergenceWarning, DataWarning, FitWarning, GPClassifier, GPClassWarning, load


def caught(X, y, **arguments):
    """The fitted model, and the classes and sentences of its warnings."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        model = GPClassifier(kernel="se", lengthscales="single", n_jobs=1, **arguments).fit(X, y)
    for warning in found:
        assert warning.filename == __file__, "a warning points at the call of fit"
    return model, {str(warning.message): warning.category for warning in found}


def category(found, part):
    return next(category for sentence, category in found.items() if part in sentence)


def test_each_class_of_warning(blobs):
    X, y = blobs
    constant = np.column_stack([X, np.full(len(y), 3.0)])
    model, found = caught(constant, y, likelihood="probit", max_iter=1)
    assert category(found, "in every row") is DataWarning
    assert category(found, "ended early") is ConvergenceWarning
    assert set(found) <= set(model.notes_)
    _, found = caught(np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2, likelihood="probit")
    assert category(found, "no better") is FitWarning
    assert all(issubclass(each, GPClassWarning) for each in (DataWarning, ConvergenceWarning, FitWarning))


def test_what_ordinary_fits_have_is_only_noted(blobs):
    X, y = blobs
    repeated = np.vstack([X, X[:3]]), np.concatenate([y, y[:3]])
    model, found = caught(*repeated, combine="best")
    assert any("earlier row" in note for note in model.notes_), "rows that repeat"
    assert any("was chosen over" in note for note in model.notes_), "a close choice"
    assert found == {}


def test_notes_are_kept_in_files_without_warning_again(blobs, tmp_path):
    X, y = blobs
    with pytest.warns(ConvergenceWarning):
        model = GPClassifier(kernel="se", likelihood="probit", max_iter=1).fit(X, y)
    model.save(tmp_path / "model.gpc")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load(tmp_path / "model.gpc").notes_ == model.notes_
