"""At the same hyperparameters EP is close to the sampler, and closer than Laplace's method."""

import pytest
from experiments.methods import inference
from experiments.problems.kuss import two_clouds
from experiments.specs import inference as spec


@pytest.fixture(scope="module")
def records():
    task = two_clouds(None, 0)
    found = {}
    for method in inference.METHODS:
        assert set(method.after) <= set(found)
        found[method.name] = {"split": 0, "facts": method.run(task, found).facts}
    return found


def test_evidence_of_ep_agrees_with_the_sampler(records):
    truth, ep, laplace = (
        records[name]["facts"] for name in (inference.SAMPLER, inference.EP, inference.LAPLACE_AT_EP)
    )
    assert 0.0 < truth["log_evidence_error"] < 0.1
    distance = abs(ep["log_evidence"] - truth["log_evidence"])
    assert distance < 0.1
    assert distance < abs(laplace["log_evidence"] - truth["log_evidence"])


def test_probabilities_of_ep_are_nearer_to_the_sampler(records):
    truth = records[inference.SAMPLER]["facts"]
    assert truth[f"gap {inference.EP}"] < 0.01
    assert truth[f"gap {inference.EP}"] < 0.5 * truth[f"gap {inference.LAPLACE_AT_EP}"]


def test_each_learns_by_its_own_evidence(records):
    at_ep, own = (records[name]["facts"] for name in (inference.LAPLACE_AT_EP, inference.LAPLACE))
    assert own["log_evidence"] > at_ep["log_evidence"]


def test_figure_is_drawn_from_records_and_without_them(records):
    for lookup in (lambda problem, method: [records[method]], lambda problem, method: []):
        assert len(spec.FIGURES[0].draw(lookup).axes) == len(spec.PROBLEMS)
