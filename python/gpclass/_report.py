"""The account of a fit that a model file holds, as an estimator's attributes."""

from __future__ import annotations

import numpy as np

from ._warnings import tell


def report(estimator, summary):
    """Sets the fitted attributes."""
    estimator.log_evidence_ = estimator._model.log_evidence
    estimator.hyperparameters_ = {h["name"]: h["value"] for h in summary["hyperparameters"]}
    estimator.relevance_ = {r["feature"]: r["share"] for r in summary["relevances"]}
    estimator.effects_ = {r["feature"]: r["effect"] for r in summary["relevances"]}
    estimator.effect_errors_ = {r["feature"]: r["error"] for r in summary["relevances"]}
    gains = {r["feature"]: r.get("gain") for r in summary["relevances"]}
    known = all(gain is not None for gain in gains.values())
    estimator.gains_ = {name: gain["value"] for name, gain in gains.items()} if known else None
    estimator.gain_errors_ = {name: gain["standard_error"] for name, gain in gains.items()} if known else None
    p = np.array(summary["loo_probability"], dtype=np.float64)
    estimator.loo_proba_ = np.column_stack([1.0 - p, p]) if p.ndim == 1 else p
    estimator.loo_scores_ = summary["loo"]
    estimator.decision_ = summary.get("decision")
    estimator.cost_decision_ = summary.get("costs")
    estimator.groups_ = summary.get("groups")
    estimator.corrected_scores_ = summary.get("corrected")
    moves = summary.get("stability")
    estimator.stability_ = None if moves is None else {name: np.array(values, dtype=np.float64) for name, values in moves.items()}
    estimator.label_error_proba_ = np.array(summary["suspects"]["probability"], dtype=np.float64)
    estimator.label_error_source_ = _source(summary["suspects"]["source"], len(estimator.classes_))
    estimator.label_suggestion_ = estimator.classes_[estimator._model.suggestions()]
    estimator.candidates_ = summary["candidates"]
    members = [candidate for candidate in summary["candidates"] if candidate["weight"] > 0]
    estimator.members_ = {m["name"]: m["weight"] for m in sorted(members, key=lambda m: -m["weight"])}
    estimator.sharpness_ = summary["sharpness"]
    trace = summary["trace"]
    estimator.trace_ = [
        {**{k: v for k, v in entry.items() if k != "values"}, "values": dict(zip(trace["names"], entry["values"]))}
        for entry in trace["entries"]
    ]
    estimator.kernel_ = summary["kernel"]
    estimator.likelihood_ = summary["likelihood"]
    estimator.inputs_ = summary["inputs"]
    estimator.multiclass_ = summary.get("multiclass")
    estimator.approach_ = summary.get("approach", "exact")
    estimator.converged_ = estimator._model.converged
    estimator.n_iter_ = max(len(estimator.trace_), 1)
    estimator.notes_ = [note["text"] for note in (*summary["data_notes"], *summary["fit_notes"])]
    estimator._kinds = dict(estimator._model.columns)
    estimator._names = list(estimator._kinds)
    for name, position in estimator._model.left_out:
        estimator._names.insert(position, name)


def tell_notes(summary):
    """Issues the warnings that a fit calls for."""
    pairs = [[(note["kind"], note["text"]) for note in summary[about]] for about in ("data_notes", "fit_notes")]
    tell(*pairs, stacklevel=4)


def _source(source, classes):
    if isinstance(source, dict):
        return f"candidate '{source['contender']['name']}'"
    others = "the other class" if classes == 2 else "the other classes"
    members = "members with label error"
    return {"chosen": "chosen model", "members": members, "leave_one_out": f"leave-one-out probability of {others}"}[source]


def missing_name(policy):
    """The argument `missing` that a policy comes from; one without a name, from a file, imputes one kind of columns."""
    return policy if isinstance(policy, str) else "impute"


def classes(names):
    """Class names of a model file as the values they were written from."""
    if set(names) == {"false", "true"}:
        return np.array([name == "true" for name in names])
    for kind in (int, float):
        try:
            values = [kind(name) for name in names]
        except ValueError:
            continue
        return np.array(values)
    return np.array(names)
