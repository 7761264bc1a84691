"""One latent function in an ONNX graph: its value at rows, and the probability of its class."""

from __future__ import annotations

import numpy as np

from ._onnx_normal import normal_cdf

#: Spacing and reach of the trapezoidal rules for the logistic likelihood, whose errors are below 1e-14 for latent
#: standard deviations below and above one.
_NEAR = (0.1, 9.0)
_FAR = (0.25, 40.0)


def predicted(g, cross, prior, likelihood, function):
    """Probability, latent mean and variance, each as a column."""
    mean = g("MatMul", cross, g.constant(function["alpha"].reshape(-1, 1)))
    explained = g.row_sum(g("Mul", g("MatMul", cross, g.constant(function["information"])), cross))
    variance = g("Max", g("Sub", prior, explained), g.number(0.0))
    observed = g("Add", variance, g.number(function["observation_variance"]))
    probability = _logistic(g, mean, observed) if likelihood == "logistic" else _probit(g, likelihood["probit"], mean, observed)
    return probability, mean, variance


def _probit(g, likelihood, mean, variance):
    eps, b, sigma = likelihood["eps"], likelihood["b"], likelihood["sigma"]
    span = 1.0 - eps - likelihood.get("eps_positive", eps)
    tiny = g.number(np.finfo(float).tiny)
    scale = g("Sqrt", g("Max", g("Add", variance, g.number(sigma * sigma)), tiny))
    phi = normal_cdf(g, g("Div", g("Add", mean, g.number(b)), scale))
    return g("Add", g.number(eps), g("Mul", phi, g.number(span)))


def _logistic(g, mean, variance):
    """E 1/(1 + exp(-f)): over the latent noise where it is narrow, over the logistic noise where it is wide."""
    sd = g("Sqrt", variance)
    step, reach = _NEAR
    t = np.arange(-reach, reach + step / 2, step)
    weights = np.exp(-0.5 * t * t)
    f = g("Add", mean, g("Mul", sd, g.constant(t.reshape(1, -1))))
    near = g("MatMul", g("Sigmoid", f), g.constant((weights / weights.sum()).reshape(-1, 1)))
    step, reach = _FAR
    u = np.arange(-reach, reach + step / 2, step)
    weights = step * 0.25 / np.cosh(0.5 * u) ** 2
    wide = g("Max", sd, g.number(1.0))
    z = g("Div", g("Sub", mean, g.constant(u.reshape(1, -1))), wide)
    far = g("MatMul", normal_cdf(g, z), g.constant((weights / weights.sum()).reshape(-1, 1)))
    return g("Where", g("Greater", sd, g.number(1.0)), far, near)
