"""Training labels that are changed on purpose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..spec import Task


def with_wrong_labels(task: Task, rate: float, generator: np.random.Generator) -> Task:
    """A share `rate` of the training labels becomes any of the other classes, all equally likely.

    From generators in the same state, higher rates change further labels.
    """
    classes, count = np.unique(task.y), len(task.y)
    changed = generator.permutation(count)[: round(rate * count)]
    steps = generator.integers(1, len(classes), size=count)
    y = task.y.copy()
    y[changed] = classes[(np.searchsorted(classes, y) + steps)[changed] % len(classes)]
    return replace(task, y=y, original=task.y)
