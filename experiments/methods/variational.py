"""A sparse variational Gaussian process in minibatches (SVGP, by GPflow), the usual Gaussian process of many rows."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import MiniBatchKMeans
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, RobustScaler, StandardScaler

from .base import estimator
from .today import columns

INDUCING = 500
BATCH = 256
#: Of Adam, on everything at once: a few minutes of one processor.
STEPS = 2000
RATE = 0.02
#: Rows that are predicted at once.
AT_ONCE = 2000


class SVGP(ClassifierMixin, BaseEstimator):
    """Matern 3/2 with a lengthscale for every column, probit, whitened; inducing inputs start at the centres of k-means and move."""

    def __init__(self, seed=0):
        self.seed = seed

    def fit(self, X, y):
        import gpflow
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
        tf.random.set_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        self.classes_ = np.unique(y)
        X, target = np.asarray(X, float), np.asarray(y, float)[:, None]
        count = min(INDUCING, len(X))
        centres = MiniBatchKMeans(count, random_state=self.seed, n_init=1).fit(X).cluster_centers_
        kernel = gpflow.kernels.Matern32(variance=4.0, lengthscales=np.full(X.shape[1], np.sqrt(X.shape[1])))
        self.model_ = gpflow.models.SVGP(kernel, gpflow.likelihoods.Bernoulli(), centres.astype(float), num_data=len(X))
        adam = tf.keras.optimizers.Adam(RATE)
        variables = self.model_.trainable_variables

        @tf.function
        def step(batch):
            with tf.GradientTape() as tape:
                loss = self.model_.training_loss(batch)
            adam.apply_gradients(zip(tape.gradient(loss, variables), variables))

        size = min(BATCH, len(X))
        for _ in range(STEPS):
            rows = rng.choice(len(X), size, replace=False)
            step((tf.constant(X[rows]), tf.constant(target[rows])))
        return self

    def predict_proba(self, X):
        parts = np.array_split(np.asarray(X, float), max(1, len(X) // AT_ONCE))
        p = np.concatenate([self.model_.predict_y(part)[0].numpy()[:, 0] for part in parts])
        return np.column_stack([1.0 - p, p])


def svgp(task):
    """Numbers bent, since a few far values would set the scale of their column, and standardised."""
    numbers = make_pipeline(SimpleImputer(), RobustScaler(), FunctionTransformer(np.arcsinh), StandardScaler())
    categories = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(columns(task, categories, numbers), SVGP(seed=task.seed))


METHODS = (estimator("SVGP", svgp, packages=("gpflow", "tensorflow")),)
