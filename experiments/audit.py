"""How many labels are wrong, and which: the audit against labels that were exchanged on purpose.

    python -m experiments.audit --data FOLDER_OF_TABLES

In every table 5 % of the labels are exchanged with seeds 0 to 4; scikit-learn's breast cancer needs no file. A line tells the truth, the
expected number with its interval of 90 %, whether that holds the truth, and recall and precision of the suspects above one half. Labels that were
wrong before count as right ones here, so that precision and the share of intervals that hold the truth are lower bounds; the line of no seed is of the
labels as they are. `--one-sided` exchanges labels of the rarer class only, as many as 5 % of all at most, and tells whether each class gets a share of its own.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer

from gpclass import GPClassifier

SHARE = 0.05


def tables(folder):
    """Name, rows and labels of each table."""
    frame, target = load_breast_cancer(as_frame=True, return_X_y=True)
    yield "breast cancer", frame, target.to_numpy()
    for path in sorted(folder.glob("*.csv")) if folder else []:
        table = pd.read_csv(path, skipinitialspace=True, na_values="?")
        yield path.stem, table.iloc[:, :-1], table.iloc[:, -1].to_numpy()


def exchanged(labels, seed, one_sided=False):
    """The labels with a share of them exchanged, and which rows these are; none without a seed."""
    (first, second), counts = np.unique(labels, return_counts=True)
    rarer = (first, second)[int(counts[1] < counts[0])]
    among = np.flatnonzero(labels == rarer) if one_sided else np.arange(len(labels))
    count = 0 if seed is None else min(round(SHARE * len(labels)), len(among) // 4)
    rows = np.random.default_rng(seed).choice(among, size=count, replace=False)
    noisy = labels.copy()
    noisy[rows] = np.where(noisy[rows] == first, second, first)
    return noisy, rows


def audited(frame, labels, seed, one_sided=False):
    """The truth, what is expected, and how good the suspects are."""
    noisy, rows = exchanged(labels, seed, one_sided)
    model = GPClassifier().fit(frame, noisy)
    audit = model.audit()
    wrong, rates = audit.wrong, audit.rates or {}
    suspects = model.suspects(0.5)
    found = np.isin(suspects, rows).sum()
    return {
        "truth": len(rows),
        "expected": wrong["expected"] if wrong else np.nan,
        "low": wrong["low"] if wrong else np.nan,
        "high": wrong["high"] if wrong else np.nan,
        "recall": found / len(rows) if len(rows) else np.nan,
        "precision": found / len(suspects) if len(suspects) else np.nan,
        "gain": rates.get("gain", np.nan),
        "per_class": bool(rates.get("per_class")),
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=None, help="folder of tables, the label in the last column")
    arguments.add_argument("--only", nargs="*", default=None, help="names of tables")
    arguments.add_argument("--seeds", type=int, default=5)
    arguments.add_argument("--one-sided", action="store_true", help="exchange labels of the rarer class only")
    options = arguments.parse_args()
    for name, frame, labels in tables(options.data):
        if options.only and name not in options.only:
            continue
        covered = []
        for seed in (None, *range(options.seeds)):
            found = audited(frame, labels, seed, options.one_sided)
            numbers = "  ".join(f"{key} {value:.3g}" for key, value in found.items())
            if seed is None:
                print(f"{name:16s} as it is  {numbers}", flush=True)
                continue
            covered.append(found["low"] <= found["truth"] <= found["high"])
            print(f"{name:16s} seed {seed}  {numbers}  {'holds' if covered[-1] else 'misses'}", flush=True)
        print(f"{name:16s} the interval holds the truth in {sum(covered)} of {len(covered)}", flush=True)


if __name__ == "__main__":
    main()
