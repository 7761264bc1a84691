#!/usr/bin/env python3
"""Makes the compact reference files beside this script.

usage: compact.py SOURCE

SOURCE holds one folder per problem with train.csv, test.csv, cases.json and reference.json. Each becomes
<problem>.json here: one line of inputs, then one line per case. Numbers keep every digit of the source
(the shortest text that gives the same double).
"""

import csv
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

EP_ALWAYS = ["status", "log_z", "tau", "nu", "loo_logp_sum", "grad", "test_mean", "test_var", "test_prob"]
EP_PER_POINT = ["post_mean", "post_var", "cav_mean", "cav_var", "loo_prob_y"]
LAPLACE_ALWAYS = ["status", "log_z", "mode", "grad", "test_mean", "test_var", "test_prob"]
LAPLACE_PER_POINT = ["W", "post_var"]

# Above this many points the arrays that follow from the sites (or the mode) are kept for a few cases only.
THIN_ABOVE = 200
NEVER_THINNED = {"probit-h1", "step-eps05-h1", "step-eps001b-h1", "logit-h1"}


def read_inputs(path, with_labels):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    numbers = [[float(cell) for cell in row] for row in rows]
    if not with_labels:
        return numbers, None
    return [row[:-1] for row in numbers], [int(row[-1]) for row in numbers]


def select(source, always, per_point, thin):
    kept = always if thin else always + per_point
    return {name: source[name] for name in kept if name in source}


def compact_ep(ep, thin):
    out = select(ep, EP_ALWAYS, EP_PER_POINT, thin)
    info = ep.get("info", {})
    if "n_negative_sites" in info:
        out["n_negative_sites"] = info["n_negative_sites"]
    if "log_z_other_order" in info:
        out["log_z_other_order"] = info["log_z_other_order"]
    return out


def compact_laplace(laplace, thin):
    out = select(laplace, LAPLACE_ALWAYS, LAPLACE_PER_POINT, thin)
    out["resid_mode"] = laplace["info"]["resid_mode"]
    return out


def compact_case(setting, answer, n):
    thin = n > THIN_ABOVE and setting["id"] not in NEVER_THINNED
    case = {name: setting[name] for name in ("id", "cov", "lik", "methods")}
    if "ep" in answer:
        case["ep"] = compact_ep(answer["ep"], thin)
    if "laplace" in answer:
        case["laplace"] = compact_laplace(answer["laplace"], thin)
    if "truth" in answer:
        case["truth"] = answer["truth"]
    return case


def text(value):
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def compact_problem(folder):
    answers = json.loads((folder / "reference.json").read_text())
    settings = json.loads((folder / "cases.json").read_text())
    x, y = read_inputs(folder / "train.csv", True)
    test, _ = read_inputs(folder / "test.csv", False)
    lines = [
        text(compact_case(setting, answer, len(y)))
        for setting, answer in zip(settings, answers["cases"], strict=True)
    ]
    head = f'{{"problem":{text(answers["problem"])},\n"x":{text(x)},\n"y":{text(y)},\n"test":{text(test)},\n"cases":[\n'
    return head + ",\n".join(lines) + "\n]}\n"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for folder in sorted(path.parent for path in pathlib.Path(sys.argv[1]).glob("*/reference.json")):
        (HERE / f"{folder.name}.json").write_text(compact_problem(folder))


if __name__ == "__main__":
    main()
