"""scikit-learn's own conformance tests, all of them."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from gpclass import GPClassifier, GPClassWarning


@pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
@parametrize_with_checks([GPClassifier(), GPClassifier(kernel="se", likelihood="probit", multiclass="one-vs-rest")])
def test_conformance(estimator, check):
    check(estimator)


def test_warnings_are_user_warnings():
    assert issubclass(GPClassWarning, UserWarning)
