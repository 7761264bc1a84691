"""The exported graph in onnxruntime against the estimator."""

import numpy as np
import pytest

from gpclass import SE, Additive, Bias, GPClassifier, L1Product, Linear, Matern12, Matern32, Matern52, Noise, fixed
from gpclass.kernels import RationalQuadratic

pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")

CASES = {
    "auto": {},
    "robust": {"kernel": "se", "likelihood": "robust"},
    "robust per class": {"kernel": "se", "likelihood": "robust-per-class", "fixed": {"eps_negative": 0.02, "eps_positive": 0.2}},
    "full": {"kernel": "se", "likelihood": "full"},
    "logistic": {"kernel": "se", "likelihood": "logistic"},
    "step": {"kernel": "se", "likelihood": "step"},
    "laplace": {"kernel": "matern52", "inference": "laplace", "likelihood": "logistic"},
    "least squares": {"kernel": "se", "inference": "ls"},
    "sum": {"kernel": SE(ard=True) + Linear() * Bias() + Noise(), "likelihood": "probit"},
    "rough": {"kernel": Matern12() + Matern32(ard=True), "likelihood": "probit"},
    "steps": {"kernel": "l1", "likelihood": "probit", "lengthscales": "ard"},
    "steps in a product": {"kernel": L1Product() * Linear() + Bias(), "likelihood": "probit"},
    "additive": {"kernel": "additive", "likelihood": "probit", "lengthscales": "ard"},
    "terms in a product": {"kernel": Additive() * Linear() + Additive(ard=True), "likelihood": "probit"},
    "mixture": {"kernel": ["rq", "linear", Matern52()], "likelihood": "probit", "combine": "evidence"},
    "ranked": {"kernel": "matern32", "likelihood": "probit", "lengthscales": "ard", "inputs": "ranked"},
    "warped": {"kernel": "linear", "likelihood": "robust", "inputs": "warped"},
    "rational": {"kernel": RationalQuadratic(ard=True), "likelihood": "probit", "standardise": False},
}


def run(model, X):
    session = runtime.InferenceSession(model.to_onnx().SerializeToString(), providers=["CPUExecutionProvider"])
    return dict(zip([o.name for o in session.get_outputs()], session.run(None, {"X": np.asarray(X, dtype=np.float64)})))


def check(model, X):
    found = run(model, X)
    np.testing.assert_allclose(found["probabilities"], model.predict_proba(X), rtol=0, atol=1e-6)
    mean, variance = model.latent(X)
    scale = 1.0 + np.abs(mean).max() + variance.max()
    np.testing.assert_allclose(found["latent_mean"], mean, atol=1e-6 * scale)
    np.testing.assert_allclose(found["latent_variance"], variance, atol=1e-6 * scale)
    np.testing.assert_array_equal(found["label"], model.predict(X))


@pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
@pytest.mark.parametrize("arguments", CASES.values(), ids=CASES.keys())
def test_held_out_rows_agree(arguments, blobs):
    X, y = blobs
    new = np.random.default_rng(1).normal(scale=2.0, size=(200, 3))
    check(GPClassifier(**arguments).fit(X, y), new)


@pytest.mark.parametrize("labels", [["no", "yes"], [False, True], [0.0, 2.0]], ids=str)
def test_labels_come_out_as_they_went_in(blobs, quick, labels):
    X, y = blobs
    model = GPClassifier(**quick).fit(X, np.array(labels)[y])
    assert run(model, X)["label"].tolist() == model.predict(X).tolist()


@pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
def test_categories_and_missing_values(quick):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 4, 80), rng.normal(size=80)]).astype(float)
    y = np.isin(X[:, 0], [0, 3]) ^ (X[:, 1] > 1.5)
    X[5, 1], X[7, 0] = np.nan, np.nan
    new = np.array([[0.0, 1.0], [3.0, np.nan], [np.nan, 0.0], [9.0, 0.5]])
    for missing in ("impute", "impute+category"):
        for kernel in (quick["kernel"], "l1", "additive"):
            check(GPClassifier(**quick | {"kernel": kernel}, categorical_features=[0], missing=missing).fit(X, y), new)


SEVERAL = {
    "probit": {"kernel": SE(ard=True) + Linear() + Noise(), "likelihood": "probit"},
    "robust": {"kernel": "se", "likelihood": "robust", "fixed": {"eps": 0.1}},
    "own kernels": {"kernel": "matern52", "likelihood": "probit", "class_kernels": "own"},
    "rest": {"kernel": "se", "likelihood": "robust", "multiclass": "one-vs-rest"},
    "exactly one": {"kernel": "se", "likelihood": "probit", "multiclass": "exactly-one"},
    "rest, own kernels": {
        "kernel": "linear", "likelihood": "logistic", "multiclass": "one-vs-rest", "class_kernels": "own", "max_iter": 5,
    },
    "softmax": {"kernel": "se", "likelihood": "logistic", "inference": "laplace"},
    "wide": {"kernel": SE(v0=fixed(1e4), l=fixed(0.05)), "likelihood": "probit"},
    "mixture": {"kernel": ["se", "linear"], "likelihood": "probit", "combine": "evidence"},
}


@pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
@pytest.mark.parametrize("classes", [3, 6])
@pytest.mark.parametrize("arguments", SEVERAL.values(), ids=SEVERAL.keys())
def test_several_classes_agree(arguments, classes, blobs):
    X, _ = blobs
    angle = np.arctan2(X[:, 1], X[:, 0]) + 0.2 * np.sin(9.0 * X[:, 2])
    y = np.char.add("class ", ((angle / np.pi + 1.0) * classes / 2.0).astype(int).clip(0, classes - 1).astype(str))
    # Far from all rows every mean is zero and the classes are even.
    new = np.vstack([np.random.default_rng(1).normal(scale=2.0, size=(60, 3)), [[1e3, 1e3, -1e3]]])
    check(GPClassifier(**arguments).fit(X, y), new)


def test_labels_of_several_classes_come_out_as_they_went_in(blobs, quick):
    X, _ = blobs
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    for labels in (np.array(["C", "a", "B"]), np.array([30, 4, -2]), np.array([4.0, 2.0, 1.0])):
        model = GPClassifier(**quick).fit(X, labels[y])
        assert run(model, X)["label"].tolist() == model.predict(X).tolist()


def test_words_are_refused(quick):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"kind": ["a", "b"] * 20})
    with pytest.raises(ValueError, match="not numbers"):
        GPClassifier(**quick).fit(frame, frame["kind"] == "a").to_onnx()
