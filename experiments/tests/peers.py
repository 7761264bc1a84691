"""Packages that the studies compare with, which nobody needs who uses gpclass."""

from importlib.util import find_spec

import pytest


def skip_without(*packages):
    """Such a package is hundreds of megabytes of somebody else's, and no number of ours depends on it."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        names = " ".join(missing)
        pytest.skip(f"only the studies compare with {names}; 'pip install {names}' lets this run")
