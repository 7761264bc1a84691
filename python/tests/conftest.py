"""Data and settings shared by the tests."""

import numpy as np
import pytest


@pytest.fixture
def blobs():
    """60 rows, two classes, the first of three features matters."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + 0.4 * rng.normal(size=60) > 0).astype(int)
    return X, y


@pytest.fixture
def quick():
    """Arguments of a fit that takes milliseconds."""
    return {"kernel": "se", "likelihood": "probit", "lengthscales": "single"}
