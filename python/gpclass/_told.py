"""What a fitted classifier tells people: a summary, the report, and tables."""

from __future__ import annotations

import html
import json
import os

import numpy as np
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from . import _frames, _options, _running
from ._core import write_file

#: Height of a report inside a notebook, in pixels.
HEIGHT = 820
#: Features and members that a summary names.
NAMED = 8
#: Standard errors by which a number must exceed zero to be told.
CERTAIN = 2.0
#: From this novelty on a row is unlike the training rows.
UNLIKE = 0.99


class ReportPage:
    """The report of a fit: one HTML page that needs nothing else. A notebook shows it inline; ``save`` writes it."""

    def __init__(self, page):
        self.html = page

    def save(self, path):
        """Writes the page; a file of this name stays until the new one is complete."""
        write_file(os.fsdecode(path), self.html.encode())
        return self

    def _repr_html_(self):
        # In a frame of its own neither the notebook's styles nor the page's reach the other.
        page = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" sandbox title="gpclass report" style="width:100%;height:{HEIGHT}px;border:0"></iframe>'

    def __repr__(self):
        return f"ReportPage of {len(self.html)} characters; save it with .save('report.html')"


class Told:
    """Methods of an estimator that tell what was fitted."""

    def report(self, path=None, *, title=None, by=None, suspect=0.5):
        """The report of the fit as one HTML page, shown inline in a notebook and written to ``path`` if that is given.

        ``by``: one value per training row, as a column of the frame; scores are broken down by its values. ``suspect``: the
        probability from which a label is listed as one to check.

        >>> import numpy as np
        >>> from gpclass import GPClassifier
        >>> X = np.linspace(-2, 2, 40).reshape(-1, 1)
        >>> page = GPClassifier(kernel="se", likelihood="probit").fit(X, X[:, 0] > 0.1).report(title="An example")
        >>> "<title>An example</title>" in page.html
        True
        """
        check_is_fitted(self)
        suspect = _options.number("suspect", suspect, least=0)
        page = ReportPage(self._model.report(title, suspect, _groups(by), _running.threads(self.n_jobs)))
        return page if path is None else page.save(path)

    def summary(self):
        """What was learned and how well it predicts left-out rows, as text to print."""
        check_is_fitted(self)
        lines = [self._described(), "", "Left-out rows"]
        width = max(len(name) for name, *_ in self._head())
        lines += [f"  {name:<{width}}  {value}  {note}".rstrip() for name, value, note in self._head()]
        lines += ["", "Models that predict"]
        lines += [f"  {weight:6.3f}  {name}" for name, weight in list(self.members_.items())[:NAMED]]
        if self.sharpness_ != 1.0:
            lines.append(f"  their mixture is raised to the power {self.sharpness_:.2f} and normalised")
        lines += ["", "Features that matter most: mean change of the probabilities when exchanged between rows"]
        ranked = sorted(self.effects_.items(), key=lambda item: -item[1])[:NAMED]
        lines += [f"  {effect:.3f} ± {self.effect_errors_[name]:.3f}  {name}{self._idle(name)}" for name, effect in ranked]
        if self.notes_:
            lines += ["", "Notes", *(f"  - {note}" for note in self.notes_)]
        return "\n".join(lines)

    def _idle(self, name):
        """A remark where left-out rows do not show that a feature carries the label."""
        if self.gains_ is None or self.gains_[name] > CERTAIN * (self.gain_errors_[name] or 0.0):
            return ""
        return ", of no use to left-out rows as far as they tell"

    def effects(self, features=None, points=21, individual=False):
        """What the model would predict on average if one feature alone had another value, as a pandas frame.

        Columns: feature, class, value, probability and the ends ``low`` and ``high`` of its 95 % credible band. ``features``
        are names; by default all. ``points``: values of a number, evenly over its range. With ``individual`` the same of some single training
        rows instead of their average: feature, class, value, probability and the position ``row``.
        """
        check_is_fitted(self)
        names = list(self.effects_)
        wanted = names if features is None else list(features)
        unknown = [name for name in wanted if name not in names]
        if unknown:
            raise ValueError(f"there is no feature {unknown[0]!r}; the features are {', '.join(map(repr, names))}")
        points = _options.number("points", points, least=2, integer=True)
        positions = [names.index(name) for name in wanted]
        found = json.loads(self._model.effects(positions, points, _running.threads(self.n_jobs)))
        if individual:
            single = [
                (curve["feature"], label, _value(point["value"]), probability, one["row"])
                for curves in found
                for label, curve in zip(self.classes_, curves)
                for one in curve["individual"]
                for point, probability in zip(curve["points"], one["probability"])
            ]
            return _pandas().DataFrame(single, columns=["feature", "class", "value", "probability", "row"])
        rows = [
            (curve["feature"], label, _value(point["value"]), point["probability"], point["low"], point["high"])
            for curves in found
            for label, curve in zip(self.classes_, curves)
            for point in curve["points"]
        ]
        columns = ["feature", "class", "value", "probability", "low", "high"]
        return _pandas().DataFrame(rows, columns=columns)

    def _described(self):
        classes = [str(label) for label in self.classes_]
        models = "one model" if len(self.members_) == 1 else f"{len(self.members_)} models together"
        named = ", ".join(classes) if len(classes) <= NAMED else f"{len(classes)} classes"
        return f"{len(self.loo_proba_)} rows, {len(self.effects_)} features, classes {named}; {models}"

    def _head(self):
        """Names, values and remarks of the head numbers."""
        found = json.loads(self._model.head_numbers(0.5))
        scores, skill = self.loo_scores_, found["skill"]
        rows = [
            ("AUROC" if len(self.classes_) == 2 else "macro AUROC", _estimate(scores["auc"]), ""),
            ("NLP, nats", _estimate(scores["nlp_nats"]), _skill(skill["nlp"])),
            ("Brier score", _estimate(scores["brier"]), _skill(skill["brier"])),
            ("calibration slope", _estimate(found["slope"]), "1 is right"),
            ("labels to check", str(found["suspects"]), ""),
            ("novel rows", str(found["novel"]), ""),
        ]
        if len(self.classes_) == 2:
            rows.insert(3, ("calibration intercept", _estimate(found["intercept"]), "0 is right"))
        if self.corrected_scores_ is not None:
            rows.insert(2, ("NLP corrected", _estimate(self.corrected_scores_["nlp_nats"]), "what to expect of new rows"))
        return rows

    def _repr_html_(self):
        diagram = estimator_html_repr(self)
        if not hasattr(self, "log_evidence_"):
            return diagram
        cell = "text-align:left;padding:.15em 1.2em .15em 0"
        rows = "".join(
            "<tr>" + "".join(f'<td style="{cell}">{html.escape(text)}</td>' for text in row) + "</tr>" for row in self._head()
        )
        return f"<p>{html.escape(self._described())}</p><table>{rows}</table>{diagram}"

    def _repr_mimebundle_(self, **options):
        # Notebooks ask this first, and scikit-learn would answer with its diagram alone.
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def novelty_frame(novelty, X):
    """Novelty with whether a row is unlike the training rows, by the index of ``X`` where it has one."""
    columns = {"novelty": novelty, "unlike_training": novelty > UNLIKE}
    return _pandas().DataFrame(columns, index=getattr(X, "index", None))


def _groups(by):
    """A column of groups as the core takes columns."""
    if by is None:
        return None
    name = str(getattr(by, "name", None) or "group")
    values = np.asarray(by)
    if values.ndim != 1:
        raise ValueError(f"by has {values.ndim} dimensions; give one value per training row")
    if values.dtype.kind in "iuf":
        return [(name, np.ascontiguousarray(values, dtype=np.float64))]
    missing = [value is None or value != value for value in values.tolist()]
    return [(name, [None if absent else _frames.category(value) for value, absent in zip(values.tolist(), missing)])]


def _value(value):
    (found,) = value.values()
    return found


def _estimate(estimate):
    if estimate is None:
        return "-"
    error = estimate["standard_error"]
    return f"{estimate['value']:.3f}" + (f" ± {error:.3f}" if error is not None else "")


def _skill(skill):
    if skill is None:
        return ""
    return f"{abs(skill['value']):.1%} {'worse' if skill['value'] < 0 else 'better'} than the base rate"


def _pandas():
    try:
        import pandas
    except ImportError as error:
        raise ImportError("tables need pandas: pip install pandas") from error
    return pandas
