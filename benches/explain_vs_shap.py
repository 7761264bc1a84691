"""Reasons beside the exact explainer of the package shap: one run, same model, same background, same values.

    python benches/explain_vs_shap.py [columns ...]        writes benches/explain_vs_shap.md
"""

import os
import sys
import time
import warnings
from pathlib import Path

# One thread each, for ratios that a busy machine does not move.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import shap

import gpclass
from gpclass import GPClassifier

COLUMNS = (4, 6, 8, 10)
ROWS, EXPLAINED, BACKGROUND = 200, 5, 50


def timed(work):
    """Processor time, which other work on the machine disturbs least."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def measure(columns, rng):
    X = rng.normal(size=(ROWS, columns))
    y = X[:, 0] * X[:, 1] + X[:, 2] + 0.5 * rng.normal(size=ROWS) > 0
    model = GPClassifier(kernel="se", likelihood="probit", lengthscales="ard", n_jobs=1).fit(X, y)
    rows, background = X[:EXPLAINED], X[[k * ROWS // BACKGROUND for k in range(BACKGROUND)]]
    masker = shap.maskers.Independent(background, max_samples=BACKGROUND)

    def theirs(f):
        return timed(lambda: shap.explainers.Exact(f, masker)(rows).values)

    def ours(**options):
        return timed(lambda: model.explain(rows, background=BACKGROUND, **options))

    for scale, f in (("log-odds", model.decision_function), ("latent", lambda rows: model.latent(rows)[0])):
        truth, their_time = theirs(f)
        for way, options in (("exact", {"exact": columns}), ("as by default", {})):
            if way == "as by default" and (scale == "latent" or columns <= 6):
                continue
            found, own_time = ours(scale=scale, **options)
            yield scale, way, their_time / own_time, np.abs(found.values - truth).max(), found.error_std.max()


def main():
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    lines = [
        "# Reasons beside shap's exact explainer",
        "",
        f"One run, one thread each; gpclass {gpclass.__version__}, shap {shap.__version__}; {EXPLAINED} rows of a squared exponential model of "
        f"{ROWS} rows, {BACKGROUND} of them as background. The ratio is shap's processor time over ours: above 1 we are faster.",
        "",
        "| columns | explained | way | ratio | largest difference | largest standard error |",
        "|--:|---|---|--:|--:|--:|",
    ]
    # The first call of shap compiles its loops, which is none of what is compared.
    list(measure(3, np.random.default_rng(1)))
    for columns in [int(c) for c in sys.argv[1:]] or COLUMNS:
        for scale, way, ratio, difference, error in measure(columns, rng):
            lines.append(f"| {columns} | {scale} | {way} | {ratio:.1f} | {difference:.1e} | {error:.1e} |")
            print(lines[-1], flush=True)
    Path(__file__).with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
