#!/usr/bin/env python3
"""Makes the compact reference files for several classes beside this script.

usage: compact.py SOURCE

SOURCE holds one JSON file per problem (two independent implementations at fixed hyperparameters, see README.md). Each becomes a
file of the same name here with the fields that the tests read. Numbers keep every digit of the source.
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

INPUTS = ["name", "C", "X", "y", "hyper", "Xtest"]
EP = ["logZ", "grad_log", "pi", "nu", "alpha", "mean", "var", "cov0", "row_cavity_mean", "row_cavity_cov0"]
EP += ["loo_prob_inner_ep", "loo_prob_exact", "test_mean", "test_cov", "test_prob_inner_ep", "test_prob_exact"]
LAPLACE = ["logZ", "grad_log", "f", "pi", "alpha", "var", "test_mean", "test_cov", "test_prob", "test_prob_quadrature_error"]


def pick(source, names):
    return {name: source[name] for name in names if source.get(name) is not None}


for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
    full = json.loads(path.read_text())
    small = pick(full, INPUTS) | {"ep": pick(full["ep"], EP), "softmax_laplace": pick(full["softmax_laplace"], LAPLACE)}
    (HERE / path.name).write_text(json.dumps(small, separators=(",", ":")) + "\n")
