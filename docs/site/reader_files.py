"""Writes the files that the guide and the README name as the reader's: generated tables with the columns that they speak of."""

from __future__ import annotations

import csv

import numpy as np

ROWS = 80


def main():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(ROWS, 2))
    outcome = np.where(x[:, 0] + 0.5 * rng.normal(size=ROWS) > 0, "ill", "well")
    columns = {"age": np.round(50 + 10 * x[:, 0], 1), "dose": np.round(x[:, 1], 2)}
    ward, patient = rng.choice(["east", "west"], ROWS), np.arange(ROWS) // 4
    write("patients.csv", {**columns, "ward": ward, "outcome": outcome})
    write("visits.csv", {"patient": patient, **columns, "outcome": outcome})
    diagnosis = np.select([outcome == "well", x[:, 1] > 0], ["well", "cold"], "flu")
    write("clinic.csv", {**columns, "diagnosis": diagnosis})
    write("data.csv", {**columns, "y": np.where(outcome == "ill", 1, 0)})
    # The same names as in the tool's own example, or rows of the first table: the model that is asked decides which are read.
    write("new.csv", {**columns, "ward": ward, "x": x[:, 0], "y": x[:, 1], "x1": x[:, 0], "x2": x[:, 1]})


def write(name, columns):
    with open(name, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(columns)
        out.writerows(zip(*columns.values(), strict=True))


if __name__ == "__main__":
    main()
