"""Labels to check, and what somebody made of them."""

from __future__ import annotations

import csv
import importlib
import json
import os

import numpy as np

from . import _frames

#: What can become of a row.
ACTIONS = ("keep", "change", "drop")


class Audit:
    """What an audit of labels has found.

    Attributes
    ----------
    suspects : a pandas frame, or a dict of lists where pandas is not installed, with a row per suspect, the most suspect first: ``row``
        (position from 1, as in files of the command line), ``id`` if given, ``label``, ``suggested``, ``probability_wrong``,
        ``probability_of_label``, ``action`` (``'keep'``) and ``contradicted_by``, the positions from 1 of the most similar rows of the
        suggested label. Edited, it is what ``fit(..., corrections=)`` takes.
    wrong : dict with ``expected`` number of wrong labels and the interval from ``low`` to ``high`` that holds it with probability 0.9;
        None where no model allows for wrong labels
    classes : list of dicts, one for each class: ``rows`` labelled so, how many of them are ``wrong`` and how many rows labelled otherwise are
        ``hidden`` ones of it (dicts as above), and of two classes the ``share`` of its rows that are labelled otherwise (``value``, ``low``, ``high``)
    rates : of two classes a dict: the shares ``negative`` and ``positive``, whether each class has one of its own (``per_class``), by how many nats
        that explains the labels better than a common one (``gain``; missing where the likelihood was named) and what it must gain (``worth``);
        else None
    twins : list of dicts: equal or nearly equal rows, from 0, with different labels
    cleaned : dict of the scores of the other rows, left out: ``before``, with the suspects ``mended`` and ``dropped``; None without suspects.
        Never mend labels of rows that a model is tested on.
    """

    def __init__(self, suspects, found):
        self.suspects = suspects
        errors = found["errors"] or {}
        self.wrong, self.classes, self.rates = errors.get("wrong"), errors.get("classes"), errors.get("rates")
        self.twins, self.cleaned = found["twins"], found["cleaned"]

    def __repr__(self):
        count = len(self.suspects["row"])
        if self.wrong is None:
            return f"Audit: {count} suspects"
        return f"Audit: {count} suspects; {self.wrong['expected']:.1f} wrong labels expected ({self.wrong['low']} to {self.wrong['high']})"

    def to_csv(self, path):
        """Writes the suspects for a spreadsheet; with ``action`` edited it can be given to ``fit(..., corrections=path)``."""
        names = list(self.suspects.keys())
        columns = [list(self.suspects[name]) for name in names]
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            writer.writerows(zip(*columns))


def audit(estimator, rows, ids, threads):
    """An audit of these training rows, whose labels the estimator doubts."""
    found = json.loads(estimator._model.audit([int(row) for row in rows], threads))
    labels = estimator._model.labels()
    suspects = {"row": [int(row) + 1 for row in rows]}
    if ids is not None:
        ids = ids.to_list() if hasattr(ids, "to_list") else list(ids)
        suspects["id"] = [ids[row] for row in rows]
    suspects["label"] = [estimator.classes_[labels[row]] for row in rows]
    suspects["suggested"] = [estimator.label_suggestion_[row] for row in rows]
    suspects["probability_wrong"] = [float(estimator.label_error_proba_[row]) for row in rows]
    suspects["probability_of_label"] = [float(estimator.loo_proba_[row, labels[row]]) for row in rows]
    suspects["action"] = ["keep"] * len(rows)
    suspects["contradicted_by"] = [" ".join(str(near + 1) for near in each) for each in found["contradictions"]]
    try:
        suspects = importlib.import_module("pandas").DataFrame(suspects)
    except ImportError:
        pass
    for of_class, label in zip((found["errors"] or {}).get("classes") or [], estimator.classes_):
        of_class["class"] = label
    return Audit(suspects, found)


def corrected(y, corrections):
    """The labels once corrected, and which rows stay."""
    y = np.array(y.to_list() if hasattr(y, "to_list") else y)
    texts, stays, seen = [_frames.category(label) for label in y], np.ones(len(y), dtype=bool), set()
    known = {text: label for text, label in zip(texts, y)}
    for row, label, suggested, action in _rows(corrections):
        place = f"data row {row + 1}"
        if not 0 <= row < len(y):
            raise ValueError(f"{place} is corrected, but there are {len(y)} rows: take the corrections of these data")
        if texts[row] != label or row in seen:
            said = "is corrected twice" if row in seen else f"has the label '{texts[row]}', but was corrected from '{label}'"
            raise ValueError(f"{place} {said}: take the corrections of these data, or make them again")
        seen.add(row)
        if action == "drop":
            stays[row] = False
        elif action == "change":
            if suggested not in known:
                raise ValueError(f"{place} is to become '{suggested}', which no row is: the labels are {', '.join(map(str, known))}")
            y[row] = known[suggested]
    return y, stays


def _rows(corrections):
    if isinstance(corrections, (str, os.PathLike)):
        with open(corrections, newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        corrections = {name: [row[name] for row in table] for name in (table[0] if table else ())}
        if not table:
            return
    missing = [name for name in ("row", "label", "suggested", "action") if name not in corrections]
    if missing:
        raise ValueError(f"corrections lack the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}; take those of audit()")
    for row, label, suggested, action in zip(*(corrections[name] for name in ("row", "label", "suggested", "action"))):
        action = "keep" if action is None or action == "" else str(action)
        if action not in ACTIONS:
            raise ValueError(f"the action for data row {row} is {action!r}; it must be one of {', '.join(ACTIONS)}")
        yield int(row) - 1, _frames.category(label), _frames.category(suggested), action
