"""Scores of predictions on test rows."""

from __future__ import annotations

import numpy as np
from gpclass._core import calibration

#: Whether more is better (1), less is better (-1) or neither (0), for every score that tables show.
DIRECTION = {
    "error": -1,
    "nlp": -1,
    "calibration_error": -1,
    "f": 1,
    "log_evidence": 1,
    "bits": 1,
    "fit_seconds": -1,
    "predict_seconds": -1,
    "precision": 1,
    "recall": 1,
}
#: Probabilities of exactly zero, which forests give, would make the score infinite.
LEAST_PROBABILITY = 1e-15
#: Bins of the calibration error, as many as the library's.
CALIBRATION_BINS = 10


def scores(y, log_proba=None, positive=None):
    """Error rate and F-measure of predicted classes; with probabilities also NLP (nats), calibration error and bits."""
    if log_proba is not None:
        positive = log_proba[:, 1] > log_proba[:, 0]
    found = {"error": float(np.mean(positive != y)), "f": f_measure(y, positive)}
    if log_proba is not None:
        chosen = np.maximum(log_proba[np.arange(len(y)), y.astype(int)], np.log(LEAST_PROBABILITY))
        found["nlp"] = float(-chosen.mean())
        found["calibration_error"] = calibration_error(y, np.exp(log_proba[:, 1]))
        found["bits"] = information(y, chosen)
    return found


def f_measure(y, positive):
    """F-measure of the positive class with equal weight of precision and recall; 0 if nothing is found."""
    hits = np.sum(positive & y)
    return float(2.0 * hits / (np.sum(positive) + np.sum(y))) if hits else 0.0


def calibration_error(y, p):
    """Expected calibration error as the library has it: over ten bins of as nearly the same number of rows as ties allow."""
    return calibration(np.ascontiguousarray(y, dtype=bool), np.ascontiguousarray(p), CALIBRATION_BINS)["expected_error"]


def information(y, log_probability_of_label):
    """Mean information in bits about a test label beyond its class frequency (Kuss & Rasmussen 2005)."""
    share = np.mean(y)
    entropy = -sum(q * np.log2(q) for q in (share, 1.0 - share) if q > 0)
    return float(entropy + log_probability_of_label.mean() / np.log(2.0))


def suspects(flipped, label_error_proba, threshold=0.5):
    """How well suspects (probability of a wrong label at least `threshold`) match the labels that were flipped.

    Also the precision among as many most suspect rows as were flipped, which needs no threshold.
    """
    named = label_error_proba >= threshold
    hits, count = int(np.sum(named & flipped)), int(np.sum(flipped))
    top = np.argsort(-label_error_proba, kind="stable")[:count]
    return {
        "precision": hits / int(named.sum()) if named.any() else None,
        "recall": hits / count if count else None,
        "precision_at_count": float(flipped[top].mean()) if count else None,
        "named": int(named.sum()),
    }
