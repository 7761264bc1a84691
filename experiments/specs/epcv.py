"""Sundararajan & Keerthi, Predictive approaches for GP classifier model selection: Tables 4, 5 and 7, Figure 1."""

from __future__ import annotations

from ..methods.combined import BEST
from ..problems.ida import PARTITIONS
from ..problems.multi import CLASSES
from ..spec import Figure, Study, Table, grid
from .epcv_figure import f_per_iteration

NAMES = {
    "BANANA": "banana", "BREASTCANCER": "breast-cancer", "DIABETES": "diabetis", "GERMAN": "german", "HEART": "heart",
    "IMAGE": "image", "RINGNORM": "ringnorm", "SOLAR": "flare-solar", "SPLICE": "splice", "THYROID": "thyroid",
    "TITANIC": "titanic", "TWONORM": "twonorm", "WAVEFORM": "waveform",
    "YEAST7": "yeast7", "YEAST5": "yeast5", "CAR3": "car3", "ECOLI5": "ecoli5", "YEAST4": "yeast4",
}  # fmt: skip
NLP_METHODS = ("EP(ML)", "EP-CV(NLP)", "LS-CV(NLP)")
F_METHODS = {"NLP": "EP-CV(NLP)", "FM": "EP-CV(FM)", "NLP-FM(BIAS)": "NLP-FM(bias)"}
EXACT = ("EP-CV(NLP) exact", "EP-CV(FM) exact", "NLP-FM(bias) exact")
#: Beside the published methods of Tables 4 and 5: the exact gradient, and our automatic choice.
OURS = {"EP-CV(NLP) exact": "EP-CV(NLP) exact", "gpclass": BEST}


def published(columns, text):
    """Rows of printed numbers: name, then mean and standard deviation for every column."""
    for line in text.strip().splitlines():
        name, *numbers = line.split()
        pairs = zip(map(float, numbers[::2]), map(float, numbers[1::2]))
        yield name, dict(zip(columns, pairs, strict=True))


TABLE_4 = dict(published(NLP_METHODS, """
BANANA       23.90 0.81  24.26 1.06  33.88 1.89
BREASTCANCER 53.57 4.75  54.12 5.27  55.58 5.03
DIABETES     47.74 1.96  47.97 2.09  50.72 2.13
GERMAN       48.67 2.74  49.05 2.76  50.51 2.30
HEART        40.16 5.36  40.03 5.00  45.11 4.91
IMAGE         8.26 1.07   8.45 0.97  22.70 0.66
RINGNORM     16.88 0.93  16.56 1.01  28.48 0.75
SOLAR        57.25 1.38  57.35 1.42  59.61 1.34
SPLICE       28.48 0.88  29.60 0.79  36.83 0.42
THYROID      10.21 3.76   9.94 3.69  25.33 4.86
TITANIC      66.86 1.97  51.73 1.73  53.78 14.08
TWONORM       8.31 0.88   9.08 1.97  25.94 0.53
WAVEFORM     23.01 0.89  22.97 0.67  32.63 0.59
"""))  # fmt: skip
TABLE_5 = dict(published(NLP_METHODS, """
BANANA       10.41 0.65  10.51 0.50  10.93 0.67
BREASTCANCER 26.52 4.89  26.61 4.80  25.94 4.59
DIABETES     23.28 1.82  23.41 1.82  24.30 2.51
GERMAN       23.36 2.11  23.48 2.00  23.94 2.33
HEART        16.65 2.87  16.62 3.08  17.91 4.21
IMAGE         2.82 0.54   2.77 0.51   2.74 0.65
RINGNORM      4.41 0.64   4.29 0.69   5.05 0.99
SOLAR        34.20 1.75  34.27 1.80  35.03 1.89
SPLICE       11.61 0.81  11.85 0.83  11.83 0.80
THYROID       4.37 2.19   4.20 2.17   6.97 3.78
TITANIC      22.64 1.34  22.50 0.98  22.99 2.81
TWONORM       3.05 0.34   3.19 0.51   3.43 0.43
WAVEFORM     10.10 0.48   9.95 0.48  11.70 0.88
"""))  # fmt: skip
TABLE_7 = dict(published(F_METHODS, """
YEAST7       32.24 15.54  42.58 7.84  40.85 8.59
YEAST5       19.79 12.85  32.85 8.56  28.45 10.57
CAR3         55.89 9.30   64.35 8.51  62.67 8.49
ECOLI5       84.41 6.25   83.79 5.90  84.08 5.86
YEAST4       71.35 3.95   73.64 2.97  73.23 2.81
BREASTCANCER 38.42 10.55  47.34 6.44  46.98 6.37
GERMAN       54.15 4.17   57.53 2.95  56.91 2.87
DIABETES     62.69 3.49   66.23 2.87  66.12 2.67
"""))  # fmt: skip

PROTOCOL = (
    "Numbers times 100; behind the plus-minus sign is the standard deviation over partitions. One lengthscale, no priors, "
    "inputs as the files have them (the paper is silent, and most IDA sets are standardised). EP-CV alternates as in the "
    "paper, whose bias shifts predictions (13) and has no part in EP (5); the columns named exact climb the same criterion by "
    "its exact gradient, with the bias in the likelihood; gpclass is our automatic choice of one model "
    "(`combine='best'`). "
)
NLP_NOTE = PROTOCOL + (
    "LS-CV takes the noise 0.01. The published NLP of EP(ML) on TITANIC, 66.86, is nearly that of a coin (69.31), with an "
    "error rate like the other methods': the search must have ended at a tiny signal variance there."
)
F_NOTE = PROTOCOL + (
    "Classes are numbered in the order of the UCI descriptions, which gives the shares of positives that the paper states. "
    "The 50 stratified partitions are drawn here; the words of car are numbers from 0 to 1 in their order. "
    "In NLP-FM(BIAS) the second step moves the bias with the posterior held; "
    "in its exact version EP follows the bias, and the latent function makes up for most of its move."
)
#: Numbers of splits for sets that take minutes per split, and for quick ones.
VERY_SLOW, SLOW, MANY = {"default": 3}, {"default": 5}, {"default": 40}


def splits_of(rows):
    counts = PARTITIONS | {one.name: 50 for one in CLASSES}
    return {row: counts[NAMES[row]] for row in rows}


def with_ours(rows, *columns):
    """Columns of ours beside the published ones."""
    return {row: cells | dict.fromkeys(columns) for row, cells in rows.items()}


def table(name, title, score, rows, method_of, ranks, note, ours):
    cells = grid(score, with_ours(rows, *ours), method_of | ours, NAMES)
    return Table(
        name, title, cells, corner="data set", scale=100.0, spread="sd", published_splits=splits_of(rows), ranked=True,
        published_ranks=dict(zip(method_of, ranks, strict=True)), note=note,
    )  # fmt: skip


STUDIES = (
    Study(
        "EPCV NLP",
        problems=tuple(PARTITIONS),
        methods=(*NLP_METHODS, *OURS.values()),
        splits={"quick": 1, "default": 10, "full": None},
        # Small sets are quick, and more splits tell whether a difference comes from the first ones.
        fewer={
            "image": VERY_SLOW, "splice": VERY_SLOW, "german": SLOW, "flare-solar": SLOW, ("flare-solar", "EP(ML)"): MANY,
            "heart": MANY, "breast-cancer": MANY, "thyroid": MANY, "titanic": MANY,
        },  # fmt: skip
        quick=("twonorm-small", "ringnorm-small", "waveform-small"),
    ),
    Study(
        "EPCV F-measure",
        problems=tuple(NAMES[row] for row in TABLE_7),
        methods=(*F_METHODS.values(), *EXACT),
        splits={"quick": 1, "default": 10, "full": None},
        fewer={"german": VERY_SLOW, "diabetis": SLOW},
        quick=("waveform-small",),
    ),
    Study(
        "EPCV per iteration",
        problems=("car3", "yeast7"),
        methods=("EP-CV(FM) per iteration",),
        splits={"quick": 1, "default": 1, "full": 1},
        quick=("waveform-small",),
    ),
)
SAME = {name: name for name in NLP_METHODS}
TABLES = (
    table("EPCV Table 4", "NLP performance", "nlp", TABLE_4, SAME, (1.46, 1.62, 2.92), NLP_NOTE, OURS),
    table("EPCV Table 5", "Test set error", "error", TABLE_5, SAME, (1.62, 1.77, 2.62), NLP_NOTE, OURS),
    table("EPCV Table 7", "F-measure performance", "f", TABLE_7, F_METHODS, (2.75, 1.25, 2.00), F_NOTE, {name: name for name in EXACT}),
)
FIGURES = (
    Figure(
        "EPCV Figure 1",
        "F-measure of left-out rows per iteration of EP-CV(FM) on Car3 and Yeast7",
        f_per_iteration,
        note="As in the paper, the smoothed measure rises, and the true one follows in steps. First partition of each set.",
    ),
)
