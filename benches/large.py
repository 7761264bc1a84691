"""What a fit of very many rows takes: the tool on a Parquet file beside LightGBM on the same file, one run.

    python benches/large.py TOOL [sizes ...]        measures and writes benches/large.md
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SIZES = (100_000, 300_000, 1_000_000)
FEATURES = 10
TEST_ROWS = 10_000
#: Rows that are made and written at once.
CHUNK = 100_000
THREADS = 2
PAGE = Path(__file__).with_suffix(".md")

LIGHTGBM = """
import sys
import numpy as np
import pyarrow.parquet as pq
from lightgbm import LGBMClassifier
train, test, out = sys.argv[1:]
read = lambda path: pq.read_table(path).to_pandas()
table = read(train)
model = LGBMClassifier(verbose=-1, n_jobs=%d).fit(table.drop(columns="label"), table["label"])
np.save(out, model.predict_proba(read(test).drop(columns="label"))[:, 1])
""" % THREADS


def rows(n, rng):
    """Steps and slopes of some columns, with noise: the table of the engine's benchmark."""
    X = rng.normal(size=(n, FEATURES))
    f = X[:, 0] + np.where(X[:, 1] > 0.3, 1.5, -0.8) * X[:, 2] + 0.5 * np.sin(X[:, 3])
    return X, (f + 0.7 * rng.normal(size=n) > 0).astype(int)


def write(path, n, rng):
    """A table of so many rows; gives its labels if they are one chunk's."""
    writer = None
    for start in range(0, n, CHUNK):
        X, y = rows(min(CHUNK, n - start), rng)
        table = pa.table({f"x{j}": X[:, j] for j in range(FEATURES)} | {"label": y})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()
    return y


def measured(command):
    """Seconds of processor and of the clock, and peak megabytes, of a command and nothing else."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"{command[0]} failed")
    return used.ru_utime + used.ru_stime, time.monotonic() - start, used.ru_maxrss / 1024


def nlp(p, y):
    return -np.log(np.clip(np.where(y == 1, p, 1.0 - p), 2.0**-52, 1.0)).mean()


def of_tool(tool, train, test, folder):
    """A fit and its predictions."""
    model, out = folder / "model.gpc", folder / "predicted.csv"
    common = ["--quiet", "--threads", str(THREADS)]
    fit = measured([tool, "fit", train, "--label", "label", "--output", model, *common])
    predict = measured([tool, "predict", model, test, "--output", out, *common])
    lines = out.read_text().splitlines()
    column = lines[0].split(",").index("p(1)")
    p = np.array([float(line.split(",")[column]) for line in lines[1:]])
    return fit, predict, p, model.stat().st_size / 2**20


def measure(tool, n):
    rng = np.random.default_rng(n)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train, test = folder / "train.parquet", folder / "test.parquet"
        write(train, n, rng)
        y = write(test, TEST_ROWS, rng)
        fit, predict, p, size = of_tool(tool, train, test, folder)
        theirs = measured([sys.executable, "-c", LIGHTGBM, train, test, folder / "p.npy"])
        return {
            "rows": n,
            "cpu": fit[0],
            "wall": fit[1],
            "peak": fit[2],
            "predict": predict[0],
            "file": size,
            "nlp": nlp(p, y),
            "lightgbm_cpu": theirs[0],
            "lightgbm_nlp": nlp(np.load(folder / "p.npy"), y),
        }


def page(results):
    head = [
        f"# {FEATURES} columns and very many rows",
        "",
        f"One run of `make bench-large` on {THREADS} threads: `gpclass fit` of a Parquet file at its defaults beside LightGBM at its own on the same "
        f"file, each a process of its own, reading included. CPU is processor seconds of all threads; the clock's depend on what else the machine did. Prediction is of "
        f"{TEST_ROWS:,} new rows with reading the model file.",
        "",
        "| rows | fit CPU s | CPU ms a row | wall s | peak MB | LightGBM CPU s | ratio | predict CPU s | model file MB | NLP | LightGBM NLP |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    line = (
        "| {rows:,} | {cpu:.0f} | {each:.3f} | {wall:.0f} | {peak:.0f} | {lightgbm_cpu:.1f} | {ratio:.0f} | {predict:.0f} | {file:.0f} "
        "| {nlp:.4f} | {lightgbm_nlp:.4f} |"
    )
    body = [line.format(**one, each=1e3 * one["cpu"] / one["rows"], ratio=one["cpu"] / one["lightgbm_cpu"]) for one in results]
    return "\n".join([*head, *body, ""])


def main(tool, sizes):
    results = []
    for n in sizes:
        results.append(measure(tool, n))
        print(json.dumps(results[-1]), flush=True)
        PAGE.write_text(page(results))


if __name__ == "__main__":
    main(sys.argv[1], [int(argument) for argument in sys.argv[2:]] or SIZES)
