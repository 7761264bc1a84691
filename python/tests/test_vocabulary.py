"""Python's arguments have the names of the library, and so has the command line."""

import inspect
import json
import subprocess

import numpy as np
import pytest

from gpclass import SE, GPClassifier, PerClass, _core, _options, infer
from test_command_line import tool

OPTIONS = {option: [name for name, _ in choices] for option, choices in _core.options().items()}
QUICK = {"kernel": "linear", "likelihood": "probit-bias", "lengthscales": "single", "max_iter": 3, "n_jobs": 1}


def test_every_option_is_an_argument():
    arguments = inspect.signature(GPClassifier).parameters
    assert set(OPTIONS) <= set(arguments)
    assert {option: list(names) for option, names in _options.NAMES.items()} == OPTIONS
    for option, choices in _core.options().items():
        assert all(about for _, about in choices), option


@pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
@pytest.mark.parametrize(
    ("option", "name"), [(o, n) for o, names in OPTIONS.items() if o not in ("standardise", "priors") for n in names]
)
def test_every_name_is_accepted(blobs, option, name):
    X, y = blobs
    given = QUICK | {option: name}
    if option == "inference":
        given["likelihood"] = "probit"
    if option in ("multiclass", "class_kernels"):  # which are for several classes
        given["likelihood"], y = "probit", np.digitize(X[:, 0], [-0.5, 0.5])
    assert GPClassifier(**given).fit(X[:24], y[:24]).predict(X[:2]).shape == (2,)


@pytest.mark.parametrize("option", [o for o in OPTIONS if o not in ("standardise", "priors")])
def test_other_names_are_answered_by_the_list(blobs, option):
    with pytest.raises(ValueError) as refused:
        GPClassifier(**QUICK | {option: "nonsense"}).fit(*blobs)
    assert str(refused.value).startswith(f"{option} is 'nonsense'; it must be one of ")
    assert all(repr(name) in str(refused.value) for name in OPTIONS[option])


def test_the_command_line_lists_the_same_names():
    help_text = subprocess.run([tool(), "fit", "--help"], capture_output=True, text=True, check=True).stdout
    for option, names in OPTIONS.items():
        if option != "standardise":
            flag = "--on-missing" if option == "missing" else f"--{option.replace('_', '-')}"
            listed = help_text.split(f"      {flag} <", 1)[1].split("      --", 1)[0]
            assert all(f"- {name}:" in listed for name in names), option


def test_inference_is_the_same_account_in_both(tmp_path, blobs):
    X, y = blobs
    rows = [",".join(map(repr, map(float, row))) + f",{label}" for row, label in zip(X, y)]
    (tmp_path / "d.csv").write_text("a,b,c,y\n" + "\n".join(rows) + "\n")
    kernel = SE(ard=True, v0=2.0, l=[0.7, 0.7, 0.7])
    for method in OPTIONS["inference"]:
        eps = 0.0 if method in ("laplace", "ls") else 0.05
        given = ["--inference", method, "--fix", f"v0=2,l=0.7,eps={eps}", "--test", "d.csv"]
        found = infer(X, y, kernel, "full", likelihood_values={"eps": eps}, inference=method, X_test=X)
        check_account(told_by(tmp_path, *given), found, method)
    values = {"eps_negative": 0.02, "eps_positive": 0.1}
    given = ["--likelihood", "robust-per-class", "--fix", "v0=2,l=0.7,eps_negative=0.02,eps_positive=0.1", "--test", "d.csv"]
    found = infer(X, y, kernel, "robust-per-class", likelihood_values=values, X_test=X)
    assert {"lik_eps_negative", "lik_eps_positive"} <= set(found.grad)
    check_account(told_by(tmp_path, *given), found, "a label error of each class")
    both = infer(X, y, kernel, "robust-per-class", likelihood_values={"eps_negative": 0.05, "eps_positive": 0.05})
    one = infer(X, y, kernel, "robust", likelihood_values={"eps": 0.05})
    assert both.log_z == pytest.approx(one.log_z, rel=1e-12)
    assert both.grad["lik_eps_negative"] + both.grad["lik_eps_positive"] == pytest.approx(one.grad["lik_eps"], rel=1e-6)


def test_inference_of_several_classes_is_the_same_account_in_both(tmp_path, blobs):
    X, _ = blobs
    y = np.array(["low", "mid", "top"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    rows = [",".join(map(repr, map(float, row))) + f",{label}" for row, label in zip(X, y)]
    (tmp_path / "d.csv").write_text("a,b,c,y\n" + "\n".join(rows) + "\n")
    kernel = SE(v0=2.0, l=0.7)
    own = PerClass({label: SE(v0=v0, l=0.7) for label, v0 in {"low": 2.0, "mid": 5.0, "top": 2.0}.items()})
    for likelihood, values, more in [
        ("multinomial-probit", {}, {}),
        ("robust", {"eps": 0.05}, {}),
        ("softmax", {}, {}),
        ("full", {"eps": 0.05, "b": 0.1, "sigma": 1.0}, {"multiclass": "one-vs-rest"}),
        ("probit", {}, {"kernel": own}),
    ]:
        fix = {"v0": 2, "l": 0.7, **values, **({"v0[mid]": 5} if "kernel" in more else {})}
        given = ["--likelihood", likelihood, "--fix", ",".join(f"{k}={v}" for k, v in fix.items()), "--test", "d.csv"]
        given += ["--multiclass", more["multiclass"]] if "multiclass" in more else []
        arguments = {"kernel": kernel, "likelihood_values": values, "X_test": X} | more
        check_account(told_by(tmp_path, *given), infer(X, y, likelihood=likelihood, **arguments), likelihood)


def told_by(folder, *given):
    command = [tool(), "infer", "d.csv", "--label", "y", *given]
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)


def check_account(told, found, case):
    for name, value in told.items():
        ours = getattr(found, name)
        if isinstance(value, list) and name != "classes":
            np.testing.assert_allclose(ours, value, rtol=1e-6, atol=1e-9, err_msg=f"{case} {name}")
        elif name == "grad":
            assert sorted(ours) == sorted(value), case
            assert ours == pytest.approx(value, rel=1e-5, abs=1e-6)
        elif isinstance(value, float):
            assert ours == pytest.approx(value, rel=1e-6, abs=1e-9), (case, name)
        else:
            assert ours == value, (case, name)


def test_calibration_error_is_the_library_s():
    # Twenty rows in ten bins of two: |observed - forecast| averaged over bins, by hand.
    p = np.linspace(0.025, 0.975, 20)
    positive = np.arange(20) % 2 == 1
    want = np.mean([abs(0.5 - p[i : i + 2].mean()) for i in range(0, 20, 2)])
    found = _core.calibration(positive, p, 10, 1)
    assert found["expected_error"] == pytest.approx(want, rel=1e-12)
    assert len(found["forecast"]) == 10 and (found["low"] <= found["observed"]).all()
    # So few rows are one bin unless more are asked for.
    together = _core.calibration(positive, p, 10, 30)
    assert len(together["forecast"]) == 1
    assert together["expected_error"] == pytest.approx(abs(0.5 - p.mean()), abs=1e-12)
