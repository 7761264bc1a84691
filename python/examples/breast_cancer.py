"""Breast cancer: probabilities, relevant features, and wrong labels found.

Run it as it is, or step through the cells (# %%) in an editor that knows them. ``--rows 150`` is quicker.
"""

# %% The data come with scikit-learn: 569 rows of 30 measurements of cell nuclei.
import argparse

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from gpclass import GPClassifier

arguments = argparse.ArgumentParser()
arguments.add_argument("--rows", type=int, default=569, help="rows to use")
arguments.add_argument("--seed", type=int, default=0)
options, _ = arguments.parse_known_args()

frame, target = load_breast_cancer(as_frame=True, return_X_y=True)
labels = np.where(target == 1, "benign", "malignant")
rng = np.random.default_rng(options.seed)
rows = rng.permutation(len(frame))[: options.rows]
X, X_test, y, y_test = train_test_split(
    frame.iloc[rows], labels[rows], test_size=0.3, stratify=labels[rows], random_state=options.seed
)

# %% Fit: several models are compared by evidence.
model = GPClassifier().fit(X, y)
print(f"chosen: {model.kernel_}, {model.likelihood_}; log evidence {model.log_evidence_:.2f}")
for candidate in model.candidates_:
    print(f"  {candidate['name']:28s} score {candidate['score']:9.2f}  left-out NLP {candidate['loo_nlp']:.4f}")

# %% How good it is: AUROC, skill over the base rate, calibration, from left-out rows.
print(model.summary())

# %% The report for a colleague: a notebook shows it inline, .save("report.html") writes it.
page = model.report(title="Breast cancer", by=np.where(X["mean radius"] < 14, "small", "large"))
page

# %% Probabilities on rows it has not seen.
p = model.predict_log_proba(X_test)
nlp = -p[np.arange(len(y_test)), np.searchsorted(model.classes_, y_test)].mean()
print(f"test error {1 - model.score(X_test, y_test):.3f}, test NLP {nlp:.4f} nats")

# %% Which measurements matter.
for name, share in sorted(model.relevance_.items(), key=lambda item: -item[1])[:5]:
    print(f"  {name:28s} {share:.3f}")

# %% Flip 5% of the training labels. The rows most probably mislabelled should be those.
flipped = rng.choice(len(y), size=round(0.05 * len(y)), replace=False)
noisy = y.copy()
noisy[flipped] = np.where(noisy[flipped] == "benign", "malignant", "benign")
suspicious = GPClassifier(likelihood="robust").fit(X, noisy)
ranked = np.argsort(-suspicious.label_error_proba_)
recall = np.isin(flipped, ranked[: len(flipped)]).mean()
recall_twice = np.isin(flipped, ranked[: 2 * len(flipped)]).mean()
above = suspicious.suspects(0.5)
print(f"learned label error: {suspicious.hyperparameters_['eps']:.3f} (true share {len(flipped) / len(y):.3f})")
print(f"suspects above 1/2: {len(above)}, of which flipped {np.isin(above, flipped).sum()} of {len(flipped)}")
print(f"recall of the flipped rows among the {len(flipped)} most suspect: {recall:.3f}, among {2 * len(flipped)}: {recall_twice:.3f}")
