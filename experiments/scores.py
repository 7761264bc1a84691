"""Scores of predictions on test rows."""

from __future__ import annotations

import numpy as np
from gpclass._core import calibration
from scipy.stats import rankdata

#: Whether more is better (1), less is better (-1) or neither (0), for every score that tables show.
DIRECTION = {
    "error": -1,
    "nlp": -1,
    "calibration_error": -1,
    "auc": 1,
    "f": 1,
    "log_evidence": 1,
    "bits": 1,
    "fit_seconds": -1,
    "peak_megabytes": -1,
    "predict_seconds": -1,
    "precision": 1,
    "recall": 1,
    "recall_at_precision": 1,
    "restored": 1,
    "novelty_one_column": 1,
    "novelty_all_columns": 1,
    "plain_nlp": 0,
    "corrected_nlp": 0,
    "folds_nlp": 0,
    "plain_minus_folds": 0,
    "corrected_minus_folds": 0,
}
#: Probabilities of exactly zero, which forests give, would make the score infinite; the same floor as the library's.
LEAST_PROBABILITY = 2.0**-52
#: Bins of the calibration error, as many as the library's at most.
CALIBRATION_BINS = 10


def scores(y, log_proba=None, positive=None):
    """Error rate and F-measure of predicted classes; with probabilities also NLP (nats), calibration error and bits, and of
    two classes the area under the ROC curve.

    Of several classes, the F-measure is the mean over those of the test rows, and the calibration error that of the
    probability of the predicted class.
    """
    if log_proba is None and positive is None:
        return {}
    if log_proba is None:
        return {"error": float(np.mean(positive != y)), "f": f_measure(y, positive)}
    predicted = log_proba.argmax(axis=1)
    chosen = np.maximum(log_proba[np.arange(len(y)), y.astype(int)], np.log(LEAST_PROBABILITY))
    if y.dtype == bool:
        f, off = f_measure(y, predicted == 1), calibration_error(y, np.exp(log_proba[:, 1]))
    else:
        f = float(np.mean([f_measure(y == c, predicted == c) for c in np.unique(y)]))
        # Of probabilities that sum to 1 but for rounding, one can be above it.
        off = calibration_error(predicted == y, np.minimum(np.exp(log_proba.max(axis=1)), 1.0))
    ranked = {"auc": area_under_curve(y, log_proba[:, 1] - log_proba[:, 0])} if y.dtype == bool else {}
    return {
        "error": float(np.mean(predicted != y)),
        "f": f,
        "nlp": float(-chosen.mean()),
        "calibration_error": off,
        "bits": information(y, chosen),
        **ranked,
    }


def f_measure(y, positive):
    """F-measure of the positive class with equal weight of precision and recall; 0 if nothing is found."""
    hits = np.sum(positive & y)
    return float(2.0 * hits / (np.sum(positive) + np.sum(y))) if hits else 0.0


def area_under_curve(y, value):
    """Share of pairs of a positive and a negative row in which the positive has the larger value, ties counting one half
    (Mann and Whitney); `None` if a class has no row."""
    positive, negative = int(np.sum(y)), int(np.sum(~y))
    if not positive or not negative:
        return None
    above = rankdata(value)[y].sum() - positive * (positive + 1) / 2
    return float(above / (positive * negative))


def calibration_error(y, p):
    """Expected calibration error over ten bins of as nearly the same number of rows as ties allow, however few these are."""
    return calibration(np.ascontiguousarray(y, dtype=bool), np.ascontiguousarray(p), CALIBRATION_BINS, 1)["expected_error"]


def information(y, log_probability_of_label):
    """Mean information in bits about a test label beyond its class frequency (Kuss & Rasmussen 2005)."""
    shares = np.unique(y, return_counts=True)[1] / len(y)
    entropy = -np.sum(shares * np.log2(shares))
    return float(entropy + log_probability_of_label.mean() / np.log(2.0))


#: How precise a list of suspects must be for its recall to be told.
PRECISION = 0.9


def _recall_at_precision(flipped):
    """Share of flipped rows in the longest beginning of a list of which nine in ten are flipped."""
    hits = np.cumsum(flipped)
    precise = hits >= PRECISION * np.arange(1, len(flipped) + 1)
    return float(np.max(hits[precise], initial=0) / hits[-1])


def suspects(flipped, suspicion, named=None, restored=None, threshold=0.5):
    """How well suspects match the labels that were flipped.

    A row is named if its label is wrong with a probability, the `suspicion`, of at least `threshold`, or as `named` says.
    Also the precision among as many most suspect rows as were flipped, and the recall of the longest list of most suspect
    rows that is precise enough, both of which need no threshold; and, where `restored` says
    for which rows the suggested label is the one before the flip, their share among the flipped rows that are named.
    """
    named = suspicion >= threshold if named is None else named
    found, count = named & flipped, int(np.sum(flipped))
    order = np.argsort(-suspicion, kind="stable")
    return {
        "precision": float(flipped[named].mean()) if named.any() else None,
        "recall": float(named[flipped].mean()) if count else None,
        "precision_at_count": float(flipped[order[:count]].mean()) if count else None,
        "recall_at_precision": _recall_at_precision(flipped[order]) if count else None,
        "named": int(named.sum()),
        "restored": float(restored[found].mean()) if restored is not None and found.any() else None,
    }
