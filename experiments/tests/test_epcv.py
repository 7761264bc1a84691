"""The leave-one-out paper: typed numbers, its algorithm, the generated problems and today's methods."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, rankdata

from experiments.catalogue import all_methods, all_problems, check
from experiments.methods.fixed_sites import EpCv, mean_nlp, negative_f, probability
from experiments.methods.today import METHODS as TODAY
from experiments.problems.classics import ringnorm, twonorm, waveform
from experiments.problems.multi import stratified
from experiments.scores import scores
from experiments.specs.epcv import TABLES


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_typed_numbers_have_the_ranks_that_the_paper_states(table):
    rows = {}
    for cell in table.cells:
        if cell.published:
            rows.setdefault(cell.row, {})[cell.column] = cell.published.value
    sign = -1.0 if table.name == "EPCV Table 7" else 1.0
    columns = list(table.published_ranks)
    ranks = np.mean([rankdata([sign * row[column] for column in columns]) for row in rows.values()], axis=0)
    assert np.allclose(ranks, list(table.published_ranks.values()), atol=0.0051)
    assert len(rows) == (8 if sign < 0 else 13)
    check()


@pytest.mark.parametrize("criterion", [mean_nlp, negative_f])
def test_gradient_at_fixed_sites_is_the_derivative(criterion):
    task = all_problems()["waveform-small"].make(None, 0)
    search = EpCv(task.X, task.y, criterion)
    found = search.expect(search.start())
    theta, step = search.start() + [0.3, -0.2, 0.4], 1e-5
    value, gradient = search.at_sites(theta, found.tau, found.nu)
    differences = [
        (search.at_sites(theta + step * e, found.tau, found.nu)[0] - search.at_sites(theta - step * e, found.tau, found.nu)[0])
        / (2 * step)
        for e in np.eye(3)
    ]
    assert np.allclose(gradient, differences, rtol=1e-6, atol=1e-8)
    own = search.at_sites(search.start(), found.tau, found.nu)[0]
    assert own == pytest.approx(criterion(probability(found.cav_mean, found.cav_var, 0.0), task.y)[0], abs=1e-6)


def test_the_alternation_raises_its_criterion():
    task = all_problems()["waveform-small"].make(None, 0)
    for criterion, gain in ((mean_nlp, 0.003), (negative_f, 0.03)):
        _, path = EpCv(task.X, task.y, criterion).run()
        assert min(value for value, _ in path) < path[0][0] - gain


def test_classics_have_their_bayes_errors():
    generator = np.random.default_rng(0)
    y = generator.uniform(size=40000) < 0.5
    # The classes of twonorm are 2a sqrt(20) = 4 standard deviations apart: the error of the best rule is Phi(-2).
    assert np.mean((twonorm(y, generator).sum(axis=1) > 0) != y) == pytest.approx(norm.cdf(-2.0), abs=0.003)
    X = ringnorm(y, generator)
    log_ratio = -0.5 * ((X - 20**-0.5) ** 2).sum(axis=1) + (X**2).sum(axis=1) / 8 + 20 * np.log(2.0)
    assert np.mean((log_ratio > 0) != y) == pytest.approx(0.013, abs=0.003)  # Breiman 1996: 1.3 %
    wave = waveform(y, generator)
    # E of the third point: 0.5 * (0 + 0) for the first mixture, 0.5 * 2 / 2 + 0.5 * 2 / 2 for the others.
    assert wave[y, 2].mean() == pytest.approx(0.0, abs=0.03)
    assert wave[~y, 2].mean() == pytest.approx(1.0, abs=0.03)


def test_stratified_rows_keep_the_shares():
    y = np.arange(1000) < 35
    rows = stratified(y, 297, np.random.default_rng(0))
    assert len(set(rows)) == 297 and y[rows].sum() == 10


#: All but those that take long; the quick size runs them too.
QUICK = [method.name for method in TODAY if method.name not in ("random forest", "SVC calibrated")]


@pytest.mark.parametrize("name", [*QUICK, "EP(ML)", "EP-CV(NLP)", "LS-CV(NLP)", "NLP-FM(bias)"])
def test_methods_beat_the_class_shares(name):
    task = all_problems()["twonorm-small"].make(None, 0)
    outcome = all_methods()[name].run(task, {})
    assert scores(task.y_test, outcome.log_proba)["nlp"] < 0.45
