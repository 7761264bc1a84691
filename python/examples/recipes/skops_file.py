"""skops: a pipeline with a classifier in it as a file that is looked through before anything in it runs.

``pip install skops``. A single classifier is better kept by its own ``save``; a pipeline needs a format that knows the other steps.
"""

# %% A pipeline.
import tempfile
from pathlib import Path

import skops.io
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PowerTransformer

from gpclass import GPClassifier

X, y = load_wine(return_X_y=True)
pipeline = make_pipeline(PowerTransformer(), GPClassifier(kernel="se", likelihood="probit", lengthscales="single")).fit(X, y)

# %% Written, and asked what it would load that skops does not know.
path = Path(tempfile.mkdtemp()) / "wine.skops"
skops.io.dump(pipeline, path)
unknown = skops.io.get_untrusted_types(file=path)
print("types to look at:", *unknown, sep="\n  ")

# %% Loaded with what was looked at: everything unknown is ours.
assert all(name.startswith("gpclass.") for name in unknown)
again = skops.io.load(path, trusted=unknown)
print("largest difference of a probability:", abs(again.predict_proba(X) - pipeline.predict_proba(X)).max())
