"""What an experiment is made of: problems, methods, studies that join the two, and tables and figures that show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

SIZES = ("quick", "default", "full")


@dataclass(frozen=True)
class Task:
    """One training set and one test set, as a method sees them."""

    X: np.ndarray
    #: Of two classes, True for the positive one; of several, their numbers from 0, each at least once.
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    #: Positions of columns that are categories in truth; `X` holds their numeric codes.
    categorical: tuple[int, ...] = ()
    #: Where the split comes from: `ida` (original), `gen` (drawn for the data folder), `fold` or `made` (drawn here).
    source: str = "made"
    #: Training labels before some of them were changed on purpose.
    original: np.ndarray | None = None
    #: For anything random inside a method.
    seed: int = 0

    @property
    def flipped(self) -> np.ndarray | None:
        """Training rows whose labels were changed on purpose."""
        return None if self.original is None else self.original != self.y


@dataclass(frozen=True)
class Problem:
    """A data set with its numbered splits."""

    name: str
    #: How many splits there are; the first are those that smaller sizes use.
    splits: int
    #: The task of a split; the first argument is the data folder.
    make: Callable[[Path, int], Task]
    #: Files in the data folder; none if the data are generated.
    files: tuple[str, ...] = ()
    #: Raised when the meaning of the splits changes, so that old records are redone.
    version: int = 1


@dataclass
class Outcome:
    """What a method made of a task."""

    #: Logarithms of the probabilities of the classes for every test row, in the order of the labels (False, True; 0, 1, ..).
    log_proba: np.ndarray | None = None
    #: Predicted classes, for methods of two classes without probabilities.
    positive: np.ndarray | None = None
    #: Anything else worth keeping that JSON can hold. Numbers here can be shown in tables, as scores are.
    facts: dict[str, Any] = field(default_factory=dict)
    fit_seconds: float | None = None
    predict_seconds: float | None = None


@dataclass(frozen=True)
class Method:
    """A way to learn from a task."""

    name: str
    #: Gets the task and the records of `after` by name (see `follows`).
    run: Callable[[Task, Mapping[str, Any]], Outcome]
    #: Methods whose records of the same split `run` builds upon.
    after: tuple[str, ...] = ()
    #: Whether `run` builds upon its own record of the split before, given under the name `before`.
    follows: bool = False
    #: Whether nothing of it is computed by the engine, so that its records are the same for every build.
    foreign: bool = False
    #: Packages beyond those of the tests; where one is not installed, the method is left out.
    packages: tuple[str, ...] = ()
    #: Arguments and methods of GPClassifier that `run` uses; where a build does not have one, the method is left out.
    abilities: tuple[str, ...] = ()
    #: Raised when the method changes, so that old records are redone.
    version: int = 1


@dataclass(frozen=True)
class Study:
    """Methods applied to splits of problems."""

    name: str
    problems: tuple[str, ...]
    methods: tuple[str, ...]
    #: Number of splits by size; `None` is all.
    splits: Mapping[str, int | None]
    #: Other numbers of splits for single problems (or pairs of problem and method) that take long.
    fewer: Mapping[str | tuple[str, str], Mapping[str, int | None]] = field(default_factory=dict)
    #: Problems of the quick size: generated ones, so that it runs without data files.
    quick: tuple[str, ...] = ()

    def problems_of(self, size: str) -> tuple[str, ...]:
        return self.quick if size == "quick" else self.problems

    def covers(self, problem: str, method: str) -> bool:
        """Whether the runs of a method on a problem are among those of the study."""
        return problem in (*self.problems, *self.quick) and method in self.methods

    def count(self, problem: Problem, method: str, size: str) -> int:
        """How many splits of a problem are run."""
        for key in ((problem.name, method), problem.name):
            if size in self.fewer.get(key, {}):
                wanted = self.fewer[key][size]
                break
        else:
            wanted = self.splits[size]
        return problem.splits if wanted is None else min(wanted, problem.splits)


@dataclass(frozen=True)
class Published:
    """A printed number."""

    value: float
    #: What stands behind the plus-minus sign, if anything does.
    spread: float | None = None


@dataclass(frozen=True)
class Cell:
    """One number of a table: a score of a method on a problem."""

    row: str
    column: str
    problem: str
    method: str
    score: str
    published: Published | None = None


@dataclass(frozen=True)
class Table:
    """A table, in its paper's own shape."""

    name: str
    title: str
    cells: tuple[Cell, ...]
    #: Head of the first column.
    corner: str = ""
    #: Factor from our scores to the table's numbers (100 for percent) and digits after the point.
    scale: float = 1.0
    digits: int = 2
    #: What a published spread is: `sd` over splits (then `published_splits` says how many), `se` of the mean, or
    #: `single` where one draw was published.
    spread: str = "se"
    published_splits: Mapping[str, int] = field(default_factory=dict)
    #: Whether methods (columns) are ranked over problems (rows) by the Friedman, Nemenyi and Wilcoxon tests.
    ranked: bool = False
    #: Average ranks that the paper gives, by column.
    published_ranks: Mapping[str, float] = field(default_factory=dict)
    #: The column over which every other one's wins are counted, in tables of many data sets.
    rival: str | None = None
    #: Whether a column tells how many rows were for training.
    sized: bool = False
    #: One paragraph on the protocol.
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure. `draw` gets a function from (problem, method) to the list of records, and gives a matplotlib figure."""

    name: str
    title: str
    draw: Callable[[Callable[[str, str], list[dict]]], Any]
    note: str = ""


def grid(
    score: str,
    published: Mapping[str, Mapping[str, tuple[float, float] | float | None]],
    method_of: Mapping[str, str],
    problem_of: Mapping[str, str] | None = None,
) -> tuple[Cell, ...]:
    """Cells of a table with one problem per row and one method per column.

    `published` maps rows to columns to printed numbers; `method_of` and `problem_of` map heads to the names used here.
    """
    cells = []
    for row, columns in published.items():
        for column, number in columns.items():
            printed = None if number is None else Published(*number) if isinstance(number, tuple) else Published(number)
            problem = (problem_of or {}).get(row, row)
            cells.append(Cell(row, column, problem, method_of[column], score, printed))
    return tuple(cells)
