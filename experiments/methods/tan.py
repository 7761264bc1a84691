"""Methods of TAN: four likelihoods on the circle, and three classifiers on colon tissue."""

from __future__ import annotations

import numpy as np
from gpclass import SE, Bias, GPClassifier, Linear, Noise
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from ..spec import Method, Task
from .base import fitted, gp_facts, gp_outcome, with_classes, with_probabilities

#: How many genes the paper keeps.
GENES = 373
PENALTIES = tuple(10.0**power for power in range(-4, 3))
#: Where the genes of a reduced run come from: the method whose record names them.
SELECTIONS = {"train": "TAN genes(train)", "all": "TAN genes(all)"}


# ------------------------------------------------------------------ the circle


def circle_gp(name, **arguments):
    """A Gaussian process on the raw inputs; keeps what the figures draw."""

    def run(task, _):
        outcome = gp_outcome(task, priors=None, standardise=False, combine="best", **arguments)
        outcome.facts["eps"] = outcome.facts["hyperparameters"].get("eps")
        outcome.facts["positive"] = (outcome.log_proba[:, 1] > outcome.log_proba[:, 0]).astype(int).tolist()
        return outcome

    return Method(name, run)


#: The likelihoods of the figures, as arguments of the estimator.
LIKELIHOODS = {
    "step(0)": {"likelihood": "step", "fixed": {"eps": 0.0}},
    "step": {"likelihood": "step"},
    "probit": {"likelihood": "probit"},
    "probit-bias": {"likelihood": "probit-bias"},
    "probit-noise": {"likelihood": "probit-noise"},
}


def circle_methods():
    """EM-EP from the papers' initial values, our search from ours, and EM-EP for the probit with every value starting at 1."""
    kernel = SE(ard=True) + Bias() + Noise()
    for name, likelihood in LIKELIHOODS.items():
        yield circle_gp(f"TAN {name}", kernel=kernel, search="em-ep", initial="emep-synthetic", **likelihood)
        yield circle_gp(f"TAN {name}, our search", kernel=kernel, **likelihood)
    yield circle_gp("TAN probit, from 1", kernel=kernel, search="em-ep", initial="given", likelihood="probit")


# ------------------------------------------------------------------ colon tissue

#: One model with the noise of the paper.
COLON = {"likelihood": "probit-noise", "priors": None, "combine": "best", "n_jobs": 1}


def columns(task, chosen):
    """The task with these columns alone."""
    return Task(task.X[:, chosen], task.y, task.X_test[:, chosen], task.y_test, source=task.source, seed=task.seed)


def selection(name, rows_of):
    """ARD: one weight per gene by EP's evidence; the genes of largest weight are kept for other methods."""

    def run(task, _):
        X, y = rows_of(task)
        model = GPClassifier(kernel=Linear(ard=True), **COLON)
        outcome = fitted(model, Task(X, y, task.X_test, task.y_test), with_probabilities)
        weights = np.array([value for key, value in model.hyperparameters_.items() if key.startswith("w[")])
        genes = np.argsort(-weights, kind="stable")[:GENES]
        outcome.facts |= {"genes": genes.tolist(), "log_evidence": model.log_evidence_, "n_iter": model.n_iter_}
        return outcome

    return Method(name, run)


def training_rows(task):
    return task.X, task.y


def all_rows(task):
    """Training and test rows: what must not be done, done here because the paper seems to have done it."""
    return np.vstack([task.X, task.X_test]), np.concatenate([task.y, task.y_test])


def linear_gp(task, inference):
    model = GPClassifier(kernel=Linear(), inference=inference, **COLON)
    outcome = fitted(model, task, with_probabilities)
    variance = float(model.latent(task.X_test)[1].mean())
    noise = model.hyperparameters_["sigma"] ** 2
    # Only the ratio is determined by the data: a factor of weights and noise together changes no probability.
    outcome.facts |= gp_facts(model, task) | {"predictive_variance": variance, "variance_over_noise": variance / noise}
    return outcome


def linear_svm(task):
    svm = make_pipeline(StandardScaler(), SVC(kernel="linear"))
    return fitted(GridSearchCV(svm, {"svc__C": PENALTIES}, cv=5), task, with_classes)


CLASSIFIERS = {
    "SVM": linear_svm,
    "Laplace": lambda task: linear_gp(task, "laplace"),
    "EP": lambda task: linear_gp(task, "ep"),
}


def colon_methods():
    for name, classify in CLASSIFIERS.items():
        yield Method(f"TAN {name}", lambda task, _, classify=classify: classify(task))
        for rows, source in SELECTIONS.items():
            yield Method(f"TAN {name}({rows})", on_genes(classify, source), after=(source,))


def on_genes(classify, source):
    def run(task, records):
        return classify(columns(task, records[source]["facts"]["genes"]))

    return run


METHODS = (
    *circle_methods(),
    selection(SELECTIONS["train"], training_rows),
    selection(SELECTIONS["all"], all_rows),
    *colon_methods(),
)
