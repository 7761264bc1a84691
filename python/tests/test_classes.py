"""Three and more classes: everything that two classes have."""

import pickle
import warnings

import numpy as np
import pytest
from scipy.stats import norm
from several import three
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gpclass
from gpclass import (
    SE,
    Bias,
    DataWarning,
    FitWarning,
    GPClassifier,
    LogNormal,
    Param,
    PerClass,
    fixed,
    refit_on_relevant,
)

#: One model, not a comparison of several.
QUICK = {"kernel": "se", "likelihood": "probit", "lengthscales": "single"}
TOGETHER = {"joint": {}, "one-vs-rest": {"multiclass": "one-vs-rest"}, "softmax": {"likelihood": "logistic", "inference": "laplace"}}


def penguins(rows=150, seed=0):
    """A frame of numbers, a category and a truth value, with gaps, like the well-known one."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    species = rng.choice(["Adelie", "Chinstrap", "Gentoo"], size=rows, p=[0.45, 0.2, 0.35])
    kind = np.unique(species, return_inverse=True)[1]
    frame = pd.DataFrame({
        "bill_length": np.array([38.8, 48.8, 47.5])[kind] + 2.7 * rng.normal(size=rows),
        "bill_depth": np.array([18.3, 18.4, 15.0])[kind] + 1.1 * rng.normal(size=rows),
        "island": np.where(kind == 2, "Biscoe", np.where((kind == 1) | (rng.random(rows) < 0.4), "Dream", "Torgersen")),
        "male": rng.random(rows) > 0.5,
    }).astype({"island": "category"})
    frame.loc[[3, 17], "bill_depth"] = np.nan
    return frame, pd.Series(species, dtype="category")


def nlp(model, X, y):
    p = model.predict_proba(X)
    return -np.log(p[np.arange(len(y)), np.searchsorted(model.classes_, y)]).mean()


# ---------------------------------------------------------------- data sets


@pytest.mark.parametrize("arguments", TOGETHER.values(), ids=TOGETHER.keys())
@pytest.mark.parametrize("load", [load_iris, load_wine], ids=["iris", "wine"])
def test_known_data(load, arguments):
    X, y = load(return_X_y=True)
    X, new, y, truth = train_test_split(X, y, test_size=0.4, random_state=0, stratify=y)
    model = GPClassifier(**QUICK | arguments).fit(X, y)
    # Always the same class: an error of 0.6 or more and 1.1 nats; a logistic regression: 0.02 and 0.07 or so.
    assert model.score(new, truth) >= 0.93
    assert nlp(model, new, truth) < 0.2
    assert model.loo_scores_["nlp_nats"]["value"] < 0.2
    assert model.multiclass_ == arguments.get("multiclass", "joint")


@pytest.mark.filterwarnings("ignore::gpclass.DataWarning")
def test_the_default_on_a_mixed_frame(tmp_path):
    frame, species = penguins()
    train, new = slice(0, 100), slice(100, None)
    model = GPClassifier(missing="impute").fit(frame[train], species[train])
    assert model.classes_.tolist() == ["Adelie", "Chinstrap", "Gentoo"]
    assert model.score(frame[new], species[new]) >= 0.93
    assert list(model.relevance_) == list(frame.columns)
    assert min(model.effects_, key=model.effects_.get) == "male"
    model.save(tmp_path / "m.gpc")
    for other in (gpclass.load(tmp_path / "m.gpc"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict_proba(frame), model.predict_proba(frame))
        np.testing.assert_array_equal(other.predict(frame), model.predict(frame))
        np.testing.assert_array_equal(other.loo_proba_, model.loo_proba_)
        np.testing.assert_array_equal(other.label_suggestion_, model.label_suggestion_)
        assert other.loo_scores_ == model.loo_scores_ and other.multiclass_ == "joint"


# ------------------------------------------------------------------- shapes


@pytest.mark.parametrize("arguments", TOGETHER.values(), ids=TOGETHER.keys())
def test_everything_has_a_column_for_each_class(arguments):
    X, y = three()
    model = GPClassifier(**QUICK | arguments).fit(X, y)
    wide = np.vstack([X, 30.0 * X])
    p = model.predict_proba(wide)
    assert p.shape == (120, 3) and ((p >= 0) & (p <= 1)).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.predict_log_proba(wide), np.log(p), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(model.predict(wide), model.classes_[p.argmax(axis=1)])
    odds = model.decision_function(wide)
    assert odds.shape == (120, 3)
    np.testing.assert_array_equal(odds.argmax(axis=1), p.argmax(axis=1))
    unsure = (p > 1e-6).all(axis=1)
    np.testing.assert_allclose(odds[unsure], np.log(p[unsure] / (1 - p[unsure])), rtol=1e-6)
    mean, variance = model.latent(wide)
    assert mean.shape == variance.shape == (120, 3) and (variance >= 0).all()
    assert model.loo_proba_.shape == (60, 3)
    assert model.label_error_proba_.shape == model.label_suggestion_.shape == (60,)
    assert (model.label_suggestion_ != y).all() and set(model.label_suggestion_) <= set(model.classes_)
    scores = model.loo_scores_
    assert np.sum(scores["classes"]["confusion"]) == 60 and len(scores["classes"]["each"]) == 3
    called = model.classes_[model.loo_proba_.argmax(axis=1)]
    assert scores["error"]["value"] == pytest.approx((called != y).mean())


def test_latent_values_give_the_probabilities():
    X, y = three()
    model = GPClassifier(**QUICK, multiclass="one-vs-rest").fit(X, y)
    mean, variance = model.latent(X)
    own = norm.cdf(mean / np.sqrt(1 + variance))
    np.testing.assert_allclose(model.predict_proba(X), own / own.sum(axis=1, keepdims=True), rtol=1e-9)
    softmax = GPClassifier(**QUICK | TOGETHER["softmax"]).fit(X, y)
    exp = np.exp(softmax.latent(X)[0])
    np.testing.assert_allclose(softmax.predict_proba(X), exp / exp.sum(axis=1, keepdims=True), rtol=1e-9)


@pytest.mark.parametrize(
    "labels",
    [["b", "a", "C"], [10, 2, -1], [4.0, 0.0, 2.0], np.array(["x", "y", "z"], dtype=object), [" left", "right", "up"]],
    ids=str,
)
def test_labels_come_out_as_they_went_in(labels, tmp_path):
    X, y = three()
    labels = np.asarray(labels)
    named = labels[np.unique(y, return_inverse=True)[1]]
    model = GPClassifier(**QUICK).fit(X, named)
    np.testing.assert_array_equal(model.classes_, np.unique(labels))
    assert model.classes_.dtype == labels.dtype and model.score(X, named) > 0.8
    # Columns follow the order of the classes, whatever the library would call natural.
    reference = GPClassifier(**QUICK).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(X)[:, np.searchsorted(model.classes_, labels)], reference, atol=1e-6)
    model.save(tmp_path / "m")
    other = gpclass.load(tmp_path / "m")
    assert other.classes_.tolist() == model.classes_.tolist()
    np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))


def test_two_classes_are_as_they_were(blobs, quick):
    X, y = blobs
    model = GPClassifier(**quick).fit(X, y)
    mean, variance = model.latent(X)
    assert model.decision_function(X).shape == mean.shape == variance.shape == (60,)
    assert model.multiclass_ is None
    np.testing.assert_array_equal(model.label_suggestion_, 1 - y)
    for asked in ("joint", "one-vs-rest"):
        same = GPClassifier(**quick, multiclass=asked).fit(X, y)
        np.testing.assert_array_equal(same.predict_proba(X), model.predict_proba(X))
    with pytest.raises(ValueError, match="two classes share one function"):
        GPClassifier(**quick, class_kernels="own").fit(X, y)


# ------------------------------------------------------------- left-out rows


@pytest.mark.parametrize("arguments", [*TOGETHER.values(), {"likelihood": "robust"}], ids=[*TOGETHER.keys(), "robust"])
def test_leave_one_out_is_close_to_refitting(arguments):
    X, y = three(30)
    kernel = SE(v0=fixed(2.0), l=fixed(0.5))
    arguments = {"kernel": kernel, "likelihood": "probit", "standardise": False} | arguments
    if arguments["likelihood"] == "robust":
        arguments["fixed"] = {"eps": 0.1}
    model = GPClassifier(**arguments).fit(X, y)
    for i in range(0, 30, 4):
        others = np.arange(len(y)) != i
        refit = GPClassifier(**arguments).fit(X[others], y[others]).predict_proba(X[[i]])[0]
        np.testing.assert_allclose(model.loo_proba_[i], refit, atol=0.02)


def test_wrong_labels_are_found_with_what_they_should_be():
    X, y = load_iris(return_X_y=True)
    y = np.array(["setosa", "versicolor", "virginica"])[y]
    rng = np.random.default_rng(0)
    truth, rows = y.copy(), rng.choice(150, size=12, replace=False)
    y[rows] = [rng.choice([other for other in np.unique(truth) if other != label]) for label in y[rows]]
    model = GPClassifier(kernel="se", lengthscales="single", combine="best").fit(X, y)
    assert model.likelihood_ == "robust" and model.label_error_source_ == "chosen model"
    assert 0.03 < model.hyperparameters_["eps"] < 0.2
    suspects = model.suspects()
    assert len(set(suspects) & set(rows)) >= 9 and len(set(suspects) - set(rows)) <= 2
    found = np.intersect1d(suspects, rows)
    np.testing.assert_array_equal(model.label_suggestion_[found], truth[found])
    assert model.score(X, truth) > 0.93


def test_left_out_probabilities_are_suspicions_where_no_label_error_is_modelled():
    X, y = three()
    model = GPClassifier(**QUICK).fit(X, y)
    assert model.label_error_source_ == "leave-one-out probability of the other classes"
    own = model.loo_proba_[np.arange(60), np.searchsorted(model.classes_, y)]
    np.testing.assert_allclose(model.label_error_proba_, 1.0 - own, atol=1e-12)


# ------------------------------------------------------------------ weights


def test_weight_two_is_the_row_twice_and_zero_none():
    X, y = three()
    weights = np.random.default_rng(0).integers(0, 3, size=len(y))
    fit = lambda **more: GPClassifier(**QUICK, **more)  # noqa: E731
    for more in ({}, {"multiclass": "one-vs-rest"}):
        weighted = fit(**more).fit(X, y, sample_weight=weights)
        repeated = fit(**more).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-6)
        assert weighted.loo_proba_.shape == (60, 3)
        np.testing.assert_allclose(weighted.loo_proba_[weights == 0], repeated.predict_proba(X[weights == 0]), atol=1e-6)
        assert (weighted.label_suggestion_ != y).all()


def test_a_class_without_weight_is_left_out():
    X, y = three()
    model = GPClassifier(**QUICK).fit(X, y, sample_weight=(y != "birch").astype(float))
    assert model.classes_.tolist() == ["ash", "cedar"]
    two = GPClassifier(**QUICK).fit(X[y != "birch"], y[y != "birch"])
    np.testing.assert_array_equal(model.predict_proba(X), two.predict_proba(X))
    assert (model.label_error_proba_[y == "birch"] == 1.0).all() and set(model.label_suggestion_) == {"ash", "cedar"}
    with pytest.raises(ValueError, match="every label with a positive weight is 'ash'"):
        GPClassifier(**QUICK).fit(X, y, sample_weight=(y == "ash").astype(float))


def test_balanced_classes_fall_back_with_a_warning():
    y = np.repeat(["ash", "birch", "cedar"], [60, 15, 15])
    X = np.repeat([[0.0, 1.0], [-0.9, -0.5], [0.9, -0.5]], [60, 15, 15], axis=0) + np.random.default_rng(0).normal(size=(90, 2))
    plain = GPClassifier(**QUICK, multiclass="exactly-one").fit(X, y)
    with pytest.warns(FitWarning, match="every class was fitted against the rest: .* weights of zero or at least one"):
        balanced = GPClassifier(**QUICK, class_weight="balanced").fit(X, y)
    assert balanced.multiclass_ == "exactly-one" and any("against the rest" in note for note in balanced.notes_)
    even = [[0.0, 0.0]]
    assert balanced.predict_proba(even)[0, 0] < plain.predict_proba(even)[0, 0] - 0.05
    with pytest.raises(ValueError, match="weight of data row .* zero or at least one"):
        GPClassifier(**QUICK, class_weight="balanced", multiclass="joint").fit(X, y)


# ------------------------------------------------------- joint or one by one


def test_together_and_one_by_one_are_different_models_that_agree():
    X, y = three()
    kernel = {"kernel": SE(v0=fixed(4.0), l=fixed(0.5)), "likelihood": "probit"}
    joint = GPClassifier(**kernel).fit(X, y)
    rest = GPClassifier(**kernel, multiclass="one-vs-rest").fit(X, y)
    assert (joint.multiclass_, rest.multiclass_) == ("joint", "one-vs-rest")
    apart = np.abs(joint.predict_proba(X) - rest.predict_proba(X))
    assert 1e-3 < apart.max() < 0.15
    np.testing.assert_array_equal(
        GPClassifier(**kernel, multiclass="joint").fit(X, y).predict_proba(X), joint.predict_proba(X)
    )


FALLBACKS = {
    "likelihood": {"likelihood": "probit-bias"},
    "logistic with ep": {"likelihood": "logistic"},
    "probit with laplace": {"inference": "laplace"},
    "kernel given": {"kernel": SE() + Bias(), "likelihood": "logistic"},
    "one of a list": {"kernel": ["se"], "likelihood": ["probit", "logistic"]},
    "objective": {"objective": "loo-nlp"},
}


@pytest.mark.parametrize("arguments", FALLBACKS.values(), ids=FALLBACKS.keys())
def test_what_cannot_be_done_together_is_done_one_by_one_and_said(arguments):
    X, y = three()
    with pytest.warns(FitWarning, match="every class was fitted against the rest"):
        model = GPClassifier(**QUICK | arguments).fit(X, y)
    assert model.multiclass_ == "exactly-one" and model.score(X, y) > 0.8
    with pytest.raises(ValueError, match="several classes at once|together"):
        GPClassifier(**QUICK | arguments, multiclass="joint").fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FitWarning)
        GPClassifier(**QUICK | arguments, multiclass="one-vs-rest").fit(X, y)


@pytest.mark.parametrize("likelihood", ["step", "probit-bias", "probit-noise", "robust", "robust-per-class", "full", "logistic"])
def test_every_likelihood_one_by_one(likelihood):
    X, y = three()
    assert GPClassifier(**QUICK | {"likelihood": likelihood}, multiclass="one-vs-rest").fit(X, y).score(X, y) > 0.8


def test_searches_of_two_classes_are_refused():
    with pytest.raises(ValueError, match="the search em-ep is for two classes, but there are 3"):
        GPClassifier(**QUICK, search="em-ep").fit(*three())


def test_threads_do_not_matter():
    X, y = three()
    fits = [GPClassifier(kernel="se", n_jobs=n).fit(X, y).predict_proba(X) for n in (1, 2)]
    np.testing.assert_array_equal(*fits)


def test_averages_are_over_the_same_columns():
    X, y = three()
    model = GPClassifier(kernel=["se", "linear", SE() + Bias()], likelihood="probit", combine="evidence").fit(X, y)
    assert len([c for c in model.candidates_ if c["weight"] > 1e-3]) > 1
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert model.latent(X)[0].shape == (60, 3) and model.score(X, y) > 0.85


# ------------------------------------------------------------------ kernels


def test_every_class_can_have_its_own_kernel():
    X, y = three(45)
    model = GPClassifier(**QUICK, class_kernels="own", fixed={"v0[ash]": 2.5, "l": 0.5}).fit(X, y)
    values = model.hyperparameters_
    assert set(values) == {f"{name}[{c}]" for name in ("v0", "l", "v1") for c in ("ash", "birch", "cedar")}
    assert values["v0[ash]"] == pytest.approx(2.5) and values["l[cedar]"] == pytest.approx(0.5)
    assert model.kernel_.endswith("of each class") and values["v0[birch]"] != pytest.approx(values["v0[cedar]"])
    with pytest.raises(ValueError, match=r"v0\[oak\]"):
        GPClassifier(**QUICK, class_kernels="own", fixed={"v0[oak]": 2.5}).fit(X, y)


def test_kernels_are_given_by_class():
    X, y = three(45)
    kernel = PerClass({"cedar": SE(v0=1.0, l=fixed(0.3)), "ash": SE(v0=fixed(3.0)) + Bias(), "birch": SE()})
    model = GPClassifier(kernel=kernel, likelihood="probit").fit(X, y)
    assert list(model.hyperparameters_) == ["v0[ash]", "l[ash]", "v1[ash]", "v0[birch]", "l[birch]", "v0[cedar]", "l[cedar]"]
    assert model.hyperparameters_["v0[ash]"] == 3.0 and model.hyperparameters_["l[cedar]"] == 0.3
    again = model.set_params(warm_start=True).fit(X, y)
    assert again.log_evidence_ == pytest.approx(model.log_evidence_, abs=1e-2)
    assert clone(model).kernel == kernel and eval(repr(kernel)) == kernel
    with pytest.raises(ValueError, match="kernels for the classes ash, birch, but the labels have ash, birch, cedar"):
        GPClassifier(kernel=PerClass({"ash": SE(), "birch": SE()})).fit(X, y)
    with pytest.raises(TypeError, match="dict from classes to kernels"):
        PerClass([SE()])


def test_priors_of_kernels_hold_for_every_class():
    X, y = three(45)
    kernel = SE(l=Param(0.5, prior=LogNormal(0.5, 1e-3)))
    model = GPClassifier(kernel=kernel, likelihood="probit", class_kernels="own").fit(X, y)
    for label in model.classes_:
        assert model.hyperparameters_[f"l[{label}]"] == pytest.approx(0.5, rel=0.02)


def test_features_that_matter_are_kept():
    X, y = three()
    noisy = np.column_stack([np.random.default_rng(5).normal(size=60), X])
    again = refit_on_relevant(GPClassifier(**QUICK | {"lengthscales": "ard"}), noisy, y, count=2)
    assert again.columns == [1, 2] and again.estimator.score(X, y) > 0.8


# -------------------------------------------------------------------- sklearn


def test_inside_scikit_learn():
    X, y = load_iris(return_X_y=True)
    grid = {"gpclassifier__multiclass": ["joint", "one-vs-rest"]}
    search = GridSearchCV(make_pipeline(StandardScaler(), GPClassifier(**QUICK)), grid, cv=3, scoring="neg_log_loss").fit(X, y)
    assert search.best_score_ > -0.2
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    p = cross_val_predict(GPClassifier(**QUICK), X, y, cv=folds, method="predict_proba")
    assert p.shape == (150, 3) and (p.argmax(axis=1) == y).mean() > 0.92
    bag = BaggingClassifier(GPClassifier(**QUICK), n_estimators=2, max_samples=0.5, random_state=0).fit(X, y)
    assert bag.score(X, y) > 0.9
    copy = clone(GPClassifier(multiclass="joint", class_kernels="own"))
    assert (copy.multiclass, copy.class_kernels) == ("joint", "own")
    assert GPClassifier().__sklearn_tags__().classifier_tags.multi_class


# ------------------------------------------------------------------ bad input


def test_odd_classes_are_fitted_and_said():
    X, y = three(40)
    y = y.astype(object)
    y[0] = "dogwood"
    with pytest.warns(DataWarning, match="Class 'dogwood' has 1 row"):
        model = GPClassifier(**QUICK).fit(X, y)
    assert model.predict_proba(X).shape == (40, 4)
    y[0], y[1] = "ash", "Ash"
    with pytest.warns(DataWarning, match="differ only in case"):
        GPClassifier(**QUICK).fit(X, y)


@pytest.mark.parametrize(
    "labels, sentence",
    [
        (lambda rows: np.arange(rows), "each of the 300 rows has a label of its own|different values"),
        (lambda rows: np.arange(rows) % 120, "the labels have 120 different values, .*at most 100 classes"),
        (lambda rows: np.array(["a", "a ", "b"])[np.arange(rows) % 3], "differ only in spaces at their ends"),
        (lambda rows: np.array(["a", " ", "b"])[np.arange(rows) % 3], "a class has a blank name"),
    ],
    ids=["ids", "too many", "spaces", "blank"],
)
def test_labels_that_cannot_be_learned_are_refused(labels, sentence):
    X = np.random.default_rng(0).normal(size=(300, 2))
    with pytest.raises(ValueError, match=sentence):
        GPClassifier(**QUICK).fit(X, labels(300))


def test_a_fit_beyond_the_memory_is_refused():
    X, y = three(900)
    with pytest.raises(MemoryError, match="for 900 rows, but only 10 MB memory_limit allows"):
        GPClassifier(memory_limit="10M").fit(X, y)
