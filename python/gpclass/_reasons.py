"""Why rows are predicted as they are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core, _options

#: What reasons may add up to.
SCALES = ("log-odds", "latent")


@dataclass
class Explanation:
    """Reasons with the attributes of ``shap.Explanation``, which takes this one's place where the package shap is installed.

    Attributes
    ----------
    values : rows x columns, of three or more classes rows x columns x classes: what each column adds to the prediction
    base_values : for every row (and class) the mean over the background; with the sum of ``values`` it is the prediction
    data : the rows' own values
    feature_names : names of the columns
    output_names : of three or more classes their names
    error_std : standard errors of ``values``; zero where they are exact
    """

    values: Any
    base_values: Any
    data: Any
    feature_names: list
    output_names: Any = None
    error_std: Any = None


def options(scale, background, exact, orders, random_state):
    """The library's options."""
    return _options.dumps({
        "scale": _options.one_of("scale", scale, SCALES),
        "background": _options.number("background", background, least=1, integer=True),
        "exact": _options.number("exact", exact, least=0, integer=True),
        "orders": _options.number("orders", orders, least=2, integer=True),
        "seed": _options.number("random_state", random_state, least=0, integer=True),
    })


def explanation(model, columns, chosen, threads, classes):
    """Of the columns of some rows, as ``shap.Explanation`` or our own."""
    found = _core.reasons(model, columns, chosen, threads)
    rows, outputs = found["predicted"].shape
    base = np.tile(np.asarray(found["base"]), (rows, 1))
    values, errors = (np.stack(found[part], axis=-1) for part in ("values", "errors"))
    several = outputs > 1
    return _class()(
        values=values if several else values[:, :, 0],
        base_values=base if several else base[:, 0],
        data=_data(columns),
        feature_names=list(found["columns"]),
        output_names=[str(name) for name in classes] if several else None,
        error_std=errors if several else errors[:, :, 0],
    )


def _class():
    try:
        from shap import Explanation as theirs
    except ImportError:
        return Explanation
    return theirs


def _data(columns):
    """The rows as numbers where all columns are, else as objects."""
    plain = [values["days"] if isinstance(values, dict) else values for _, values in columns]
    numeric = all(isinstance(values, np.ndarray) for values in plain)
    return np.column_stack(plain) if numeric else np.column_stack([np.asarray(v, dtype=object) for v in plain])


def witnesses(model, columns, position, k, threads):
    """Positions of training rows and what they add, the weightiest first."""
    rows, contributions = _core.witnesses(model, columns, position, k, threads)
    return np.array(rows, dtype=np.intp).reshape(contributions.shape), contributions


def training_rows(model, rows, classes):
    """From names of columns to lists of values, the labels first."""
    if any(row < 0 for row in rows):
        raise ValueError(f"rows holds {min(rows)}; training rows are counted from 0")
    labels, values = _core.training_rows(model, rows)
    names = [name for name, _ in model.columns]
    label = "label"
    while label in names:
        label += "*"
    return {label: [classes[k] for k in labels]} | {name: [row[j] for row in values] for j, name in enumerate(names)}


def slopes(model, level, classes):
    """A list of dicts, one for every change of a column, of several classes with the class; None where there are none."""
    found = _core.slopes(model, level)
    if found is None:
        return None
    functions = json.loads(found)["functions"]
    named = zip(classes, functions) if len(functions) > 1 else [(None, functions[0])]
    return [_slope(slope, name) for name, own in named for slope in own]


def _slope(slope, name):
    change = slope["change"]
    row = {} if name is None else {"class": name}
    row["column"] = slope["column"]
    row["change"] = change["by"] if "by" in change else f"{change['level']['from']} to {change['level']['to']}"
    row["mean"], row["deviation"] = slope["mean"], slope["deviation"]
    row["low"], row["high"] = slope["interval"]
    if slope["odds_ratio"] is not None:
        row["odds_ratio"] = slope["odds_ratio"]
        row["odds_low"], row["odds_high"] = slope["odds_interval"]
    return row
