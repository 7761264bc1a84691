"""What a user waits for who says nothing: the default fit beside CatBoost's, same rows, one run.

    python benches/default_vs_catboost.py [sizes ...]        prints processor seconds and their ratio
"""

import sys
import time
import warnings

import numpy as np
from catboost import CatBoostClassifier

from gpclass import GPClassifier

SIZES = (500, 1000, 2000)
FEATURES = 10
TEST_ROWS = 2000
#: Fits of each, alternately; the fastest counts.
REPETITIONS = 3
#: Times CatBoost's default that ours may take at 500 rows.
AIM = 3.0


def rows(n, rng):
    """Steps and slopes of some columns, with noise: the table of the engine's benchmark."""
    X = rng.normal(size=(n, FEATURES))
    f = X[:, 0] + np.where(X[:, 1] > 0.3, 1.5, -0.8) * X[:, 2] + 0.5 * np.sin(X[:, 3])
    return X, (f + 0.7 * rng.normal(size=n) > 0).astype(int)


def timed(work):
    """Processor time of all threads, which other work on the machine disturbs least."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def nlp(model, X, y):
    p = model.predict_proba(X)[np.arange(len(y)), y]
    return -np.log(np.clip(p, 1e-300, 1.0)).mean()


def measure(n):
    rng = np.random.default_rng(n)
    (X, y), (X_test, y_test) = rows(n, rng), rows(TEST_ROWS, rng)
    ours, theirs = [], []
    for _ in range(REPETITIONS):
        model, seconds = timed(lambda: GPClassifier().fit(X, y))
        ours.append(seconds)
        catboost, seconds = timed(lambda: CatBoostClassifier(verbose=0, allow_writing_files=False).fit(X, y))
        theirs.append(seconds)
    return min(ours), min(theirs), nlp(model, X_test, y_test), nlp(catboost, X_test, y_test)


def main(sizes):
    warnings.simplefilter("ignore")
    print(f"{FEATURES} columns; processor seconds of a fit at defaults, the best of {REPETITIONS}; the aim is a ratio of {AIM:g} at 500 rows")
    print(f"{'rows':>6} {'gpclass':>9} {'CatBoost':>9} {'ratio':>6} {'NLP':>7} {'CatBoost':>9}")
    for n in sizes:
        ours, theirs, own_nlp, their_nlp = measure(n)
        print(f"{n:>6} {ours:>9.2f} {theirs:>9.2f} {ours / theirs:>6.2f} {own_nlp:>7.3f} {their_nlp:>9.3f}", flush=True)


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or SIZES)
