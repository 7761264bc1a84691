"""Which runs a size asks for, which of them are done, and what is missing."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from inspect import signature
from pathlib import Path

from gpclass import GPClassifier

from . import catalogue, records
from .records import Corrupted, Key


@dataclass
class Plan:
    #: Runs to do, with the runs whose records they need.
    runs: dict[Key, tuple[Key, ...]] = field(default_factory=dict)
    #: Every run that the studies ask for, done or not.
    wanted: set[Key] = field(default_factory=set)
    #: Sentences about records that will be made again, and about data that are missing.
    complaints: list[str] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    #: Packages that methods need and that are not installed.
    lacking: dict[str, list[str]] = field(default_factory=dict)
    #: Arguments and methods of GPClassifier that methods need and that this build does not have.
    unable: dict[str, list[str]] = field(default_factory=dict)


def plan(studies, size: str, data: Path | None, folder: Path, redo=(), methods=()) -> Plan:
    """`redo` names methods or problems whose records are made again; `methods`, if any, the only methods to run."""
    made = Plan()
    for study in studies:
        for name in study.problems_of(size):
            problem = catalogue.all_problems()[name]
            absent = [f for f in problem.files if data is None or not (data / f).is_file()]
            if absent:
                made.missing[name] = absent
                continue
            for method in study.methods:
                splits = range(study.count(problem, method, size))
                if splits and method in (methods or study.methods) and _can_run(made, method):
                    for split in splits:
                        _want(made, Key(split, name, method))
    for key in sorted(made.wanted):
        if key.method in redo or key.problem in redo or not _done(made, key, data, folder):
            made.runs[key] = needs(key)
    return made


def needs(key: Key) -> tuple[Key, ...]:
    """Runs whose records a run builds upon."""
    method = catalogue.all_methods()[key.method]
    found = [Key(key.split, key.problem, other) for other in method.after]
    if method.follows and key.split > 0:
        found.append(Key(key.split - 1, key.problem, key.method))
    return tuple(found)


def _can_run(made, method):
    """Whether the packages of a method are installed, and gpclass has what it asks for."""
    wanted = catalogue.all_methods()[method]
    absent = [name for name in wanted.packages if find_spec(name) is None]
    unknown = [name for name in wanted.abilities if not _is_able(name)]
    if absent:
        made.lacking[method] = absent
    if unknown:
        made.unable[method] = unknown
    return not absent and not unknown


@cache
def _is_able(name):
    """Whether GPClassifier has an argument or a method."""
    return name in signature(GPClassifier).parameters or hasattr(GPClassifier, name)


def _want(made, key):
    if key not in made.wanted:
        made.wanted.add(key)
        for needed in needs(key):
            _want(made, needed)


def _done(made, key, data, folder):
    path = key.path(folder)
    if not path.exists():
        return False
    try:
        record = records.read(path)
    except Corrupted as error:
        made.complaints.append(f"the record '{path.relative_to(folder)}' is redone: {error}")
        return False
    return "failed" not in record and record["made_from"] == made_from(key, data)


def made_from(key: Key, data: Path | None) -> dict:
    """What a record depends on: if it has changed, the run is done again."""
    problem, method = catalogue.all_problems()[key.problem], catalogue.all_methods()[key.method]
    digests = {name: _digest(data / name) for name in problem.files}
    return {"problem_version": problem.version, "method_version": method.version, "data": digests}


@cache
def _digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
