"""What a fitted classifier tells people."""

import numpy as np
import pandas as pd
import pytest

from gpclass import GPClassifier


@pytest.fixture
def model(blobs, quick):
    return GPClassifier(**quick).fit(*blobs)


@pytest.fixture
def three(blobs, quick):
    X, _ = blobs
    return GPClassifier(**quick).fit(X, np.array(["low", "mid", "top"])[np.digitize(X[:, 0], [-0.5, 0.5])])


def test_the_report_is_a_page_shown_inline_and_written(model, three, tmp_path):
    page = model.report(tmp_path / "r.html", title="A <study>")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page.html
    assert page.html.startswith("<!DOCTYPE html>") and "<title>A &lt;study&gt;</title>" in page.html
    inline = page._repr_html_()
    assert inline.startswith("<iframe srcdoc=") and "sandbox" in inline and "<script" not in inline
    assert "save" in repr(page)
    assert "figure-confusion" in three.report().html


def test_the_report_breaks_scores_down_by_any_column(model, blobs):
    X, _ = blobs
    sites = pd.Series(np.where(np.arange(60) % 3 == 0, "north", "south"), name="site")
    assert "<td>south</td><td class=\"number\">40</td>" in model.report(by=sites).html
    assert "Is it as good for every “site”?" in model.report(by=sites).html
    numbers = model.report(by=X[:, 1]).html
    assert "Is it as good for every “group”?" in numbers and "<td>below " in numbers
    assert "(missing)" in model.report(by=[None, "a"] * 30).html
    with pytest.raises(ValueError, match="groups has 59 entries but there are 60 labels"):
        model.report(by=sites[1:])
    with pytest.raises(ValueError, match="one value per training row"):
        model.report(by=X)


# The numbers by scikit-learn and by hand.
def test_the_summary_holds_the_head_numbers(model, blobs):
    from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

    _, y = blobs
    p = model.loo_proba_[:, 1]
    text = model.summary()
    assert f"{roc_auc_score(y, p):.3f} ± " in text
    base = np.full(60, y.mean())
    skill = [1 - log_loss(y, p) / log_loss(y, base), 1 - brier_score_loss(y, p) / brier_score_loss(y, base)]
    assert all(f"{value:.1%} better than the base rate" in text for value in skill)
    for part in ("calibration intercept", "calibration slope", "labels to check", "novel rows", "x1"):
        assert part in text
    assert "60 rows, 3 features, classes 0, 1; one model" in text


def test_a_notebook_shows_the_head_numbers_of_a_fitted_model(model, three):
    bundle = model._repr_mimebundle_()
    assert "calibration slope" in bundle["text/html"] and bundle["text/plain"] == repr(model)
    assert "macro AUROC" in three._repr_html_() and "intercept" not in three.summary()
    assert "AUROC" not in GPClassifier()._repr_html_()


def test_effects_are_a_frame(model, three):
    frame = model.effects(points=5)
    assert list(frame.columns) == ["feature", "class", "value", "probability", "low", "high"]
    assert len(frame) == 3 * 2 * 5 and set(frame["class"]) == {0, 1}
    assert (frame.low <= frame.probability).all() and (frame.probability <= frame.high).all()
    both = frame.pivot_table(index=["feature", "value"], columns="class", values="probability")
    np.testing.assert_allclose(both.sum(axis=1), 1.0, atol=1e-9)
    positive = frame[(frame.feature == "x1") & (frame["class"] == 1)]
    assert positive.probability.is_monotonic_increasing
    assert set(three.effects(["x2"], points=3)["class"]) == {"low", "mid", "top"}
    single = model.effects(["x1"], points=5, individual=True)
    assert list(single.columns) == ["feature", "class", "value", "probability", "row"]
    rows = single["row"].unique()
    assert 1 < len(rows) <= 20 and len(single) == len(rows) * 2 * 5
    with pytest.raises(ValueError, match="there is no feature 'age'; the features are 'x1'"):
        model.effects(["age"])


def test_novelty_can_be_a_frame_with_the_index_of_the_rows(blobs, quick):
    X, y = blobs
    frame = pd.DataFrame(X, columns=["a", "b", "c"], index=[f"row {i}" for i in range(60)])
    model = GPClassifier(**quick).fit(frame, y)
    told = model.novelty(frame, as_frame=True)
    assert list(told.index) == list(frame.index)
    np.testing.assert_array_equal(told.novelty, model.novelty(frame))
    far = model.novelty(frame.iloc[:2] + 100.0, as_frame=True)
    assert far.unlike_training.all()


def test_what_is_not_fitted_says_so(blobs):
    for call in (GPClassifier().summary, GPClassifier().report, GPClassifier().effects):
        with pytest.raises(Exception, match="not fitted"):
            call()
