"""Kernels as values."""

import copy
import pickle

import pytest
from sklearn.base import clone

from gpclass import SE, Additive, Beta, Bias, GPClassifier, L1Product, Linear, LogNormal, Noise, Param, fixed

EXAMPLES = [
    SE(),
    L1Product(),
    Additive(),
    Additive(ard=True, w=[fixed(3.0), 0.5], l=0.1) + Bias(),
    L1Product(ard=True, v0=fixed(3.0), l=[0.5, 0.1]) + Bias(),
    SE(ard=True, v0=2.0, l=[fixed(1.0), 0.5]),
    SE(ard=True) + Linear() * Bias(v1=fixed(2.0)),
    (SE() + Bias()) * Linear(ard=True, w=Param(0.5, prior=LogNormal(1.0, 2.0))) + Noise(v2=0.1),
]


@pytest.mark.parametrize("kernel", EXAMPLES, ids=repr)
def test_repr_reads_back_and_copies_are_equal(kernel):
    makers = (SE, Additive, L1Product, Linear, Bias, Noise, fixed, Param, LogNormal)
    names = {maker.__name__: maker for maker in makers}
    for other in (eval(repr(kernel), names), copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel))):
        assert other == kernel and hash(other) == hash(kernel)
    assert kernel != SE(v0=17.0)
    assert clone(GPClassifier(kernel=kernel)).kernel == kernel


def test_sums_and_products_are_flat_and_keep_precedence():
    assert SE() + (Bias() + Noise()) == SE() + Bias() + Noise()
    assert repr((SE() + Bias()) * Linear()) == "(SE() + Bias()) * Linear()"
    assert SE() + Bias() != Bias() + SE()


def test_names_are_the_librarys():
    kernel = SE(ard=True) + Linear() * Bias()
    assert kernel.parameter_names(["a", "b"]) == ["se.v0", "l[a]", "l[b]", "linear.v0", "v1"]
    assert (Additive(ard=True) + SE()).parameter_names(["a", "b"]) == ["w[a]", "w[b]", "additive.l", "v0", "se.l"]
    assert (L1Product(ard=True) + SE()).parameter_names(["a"]) == ["l1.v0", "l[a]", "se.v0", "l"]


def test_mistakes_are_named():
    with pytest.raises(TypeError):
        SE() + 1.0
    with pytest.raises(ValueError, match="positive"):
        SE(v0=-1.0)
    with pytest.raises(ValueError, match="ard=True"):
        SE(l=[1.0, 2.0])
    with pytest.raises(ValueError, match="one per feature"):
        SE(ard=True, l=[1.0, 2.0])._json(3)
    with pytest.raises(ValueError, match="share one lengthscale"):
        Additive(ard=True, l=[1.0, 2.0])
    with pytest.raises(TypeError, match="prior"):
        Param(1.0, prior="weak")
    with pytest.raises(ValueError, match="needs a value"):
        Param(fixed=True)


def test_priors_pull(blobs):
    X, y = blobs
    tight = Param(prior=LogNormal(123.0, 0.01))
    model = GPClassifier(kernel=SE(v0=tight), likelihood="probit").fit(X, y)
    assert model.hyperparameters_["v0"] == pytest.approx(123.0, rel=0.05)
    by_name = GPClassifier(kernel=SE(), likelihood="robust", priors={"eps": Beta(2000.0, 8000.0)}).fit(X, y)
    assert by_name.hyperparameters_["eps"] == pytest.approx(0.1, rel=0.05)
    with pytest.raises(ValueError, match="no parameter of that name"):
        GPClassifier(kernel="se", priors={"nonsense": None}).fit(X, y)
