"""Everything that can be run, found in the modules of `problems`, `methods` and `specs`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from . import methods, problems, specs


def _collected(package, name):
    """The tuples called `name` of all modules of a package, joined."""
    for found in sorted(module.name for module in pkgutil.iter_modules(package.__path__)):
        yield from getattr(importlib.import_module(f"{package.__name__}.{found}"), name, ())


def _by_name(items):
    named = {}
    for item in items:
        if item.name in named:
            raise ValueError(f"the name '{item.name}' is given twice")
        named[item.name] = item
    return named


@cache
def all_problems():
    return _by_name(_collected(problems, "PROBLEMS"))


@cache
def all_methods():
    return _by_name(_collected(methods, "METHODS"))


@cache
def all_studies():
    return _by_name(_collected(specs, "STUDIES"))


@cache
def all_tables():
    return _by_name(_collected(specs, "TABLES"))


@cache
def all_figures():
    return _by_name(_collected(specs, "FIGURES"))


def check():
    """Raises if a study or a table names something that does not exist."""
    for study in all_studies().values():
        _known(study.name, "problem", (*study.problems, *study.quick), all_problems())
        _known(study.name, "method", study.methods, all_methods())
    for table in all_tables().values():
        _known(table.name, "problem", (cell.problem for cell in table.cells), all_problems())
        _known(table.name, "method", (cell.method for cell in table.cells), all_methods())
    for method in all_methods().values():
        _known(method.name, "method", method.after, all_methods())


def _known(where, kind, names, known):
    for name in names:
        if name not in known:
            raise ValueError(f"'{where}' names the {kind} '{name}', which does not exist")
