"""The functions of several classes, inferred together, in an ONNX graph: their values at rows, and the probabilities.

The probabilities are those of the library: the softmax in closed form, the multinomial probit of three classes exactly and of
more by the same expectation propagation over the differences of functions, here site after site in a loop.
"""

from __future__ import annotations

import numpy as np

from ._onnx_normal import log_cdf_and_hazard, normal_cdf

#: Nodes of Owen's integral, whose error is then of the order of rounding.
_NODES = 24
#: What stands for a zero, which has no sign and no ratio to another.
_NO_ZERO = 1e-100
#: Most sweeps over the sites of a class, and the change of the posterior in one at which they end: that of the probability is
#: of the order of its square.
_SWEEPS = 100
_SETTLED = 1e-8


def predicted(g, covariances, likelihood, joint):
    """Probabilities, latent means and variances, a column for each class."""
    mean, cov = _functions(g, covariances, joint)
    classes = joint["alpha"].shape[1]
    variance = g("ReduceSum", g("Mul", cov, g.constant(np.eye(classes))), g.integers([2]), keepdims=0)
    if likelihood == "logistic":
        if joint["averaged"]:
            raise ValueError("the softmax is averaged over the posterior, which an ONNX graph cannot do; fit without averaging")
        return g("Softmax", mean, axis=1), mean, variance
    probability = (_largest_of_three if classes == 3 else _largest)(g, mean, cov, classes)
    shares = g("Div", probability, g.row_sum(probability))
    wrong = likelihood["probit"]["eps"] / (classes - 1)
    labelled = g("Add", g.number(wrong), g("Mul", shares, g.number(1.0 - classes * wrong)))
    return labelled, mean, variance


# ---------------------------------------------------------------- functions


def _functions(g, covariances, joint):
    """Means of the functions, rows x classes, and their covariances, rows x classes x classes (multiclass 4)."""
    alpha = joint["alpha"]
    classes = range(alpha.shape[1])
    own, shared = _information(joint)
    means, variances, loadings = [], [], []
    for c in classes:
        cross, prior = covariances[c if len(covariances) > 1 else 0]
        means.append(g("MatMul", cross, g.constant(alpha[:, [c]])))
        explained = g.row_sum(g("Mul", g("MatMul", cross, g.constant(own[c])), cross))
        variances.append(g("Max", g("Sub", prior, explained), g.number(0.0)))
        loadings.append(g("Unsqueeze", g("MatMul", cross, g.constant(shared[c])), g.integers([1])))
    loading = g("Concat", *loadings, axis=1)
    coupled = g("MatMul", loading, g("Transpose", loading, perm=[0, 2, 1]))
    single = g("Unsqueeze", g("Concat", *variances, axis=1), g.integers([2]))
    return g("Concat", *means, axis=1), g("Add", coupled, g("Mul", single, g.constant(np.eye(len(classes)))))


def _information(joint):
    """For every class E = (K + D⁻¹)⁻¹ and E L⁻ᵀ, where L Lᵀ is the sum of all E and D has the site precisions."""
    pi, priors = joint["pi"], joint["priors"]
    rows, classes = pi.shape
    own = [_weighted_inverse(priors[c if len(priors) > 1 else 0], pi[:, c]) for c in range(classes)]
    # A row without a site says nothing.
    total = sum(own) + np.diag((pi == 0.0).all(axis=1).astype(float))
    factor = np.linalg.cholesky(total)
    return own, [np.linalg.solve(factor, e).T for e in own]


def _weighted_inverse(prior, precision):
    """(K + D⁻¹)⁻¹ without D⁻¹; precisions may be zero or negative."""
    if (precision >= 0.0).all():
        root = np.sqrt(precision)
        inverse = np.linalg.inv(np.linalg.cholesky(np.eye(len(root)) + root[:, None] * prior * root))
        return (root[:, None] * inverse.T) @ (inverse * root)
    found = np.linalg.solve(np.eye(len(prior)) + precision[:, None] * prior, np.diag(precision))
    return 0.5 * (found + found.T)


# ------------------------------------------------------------ probabilities


def _contrasts(classes):
    """For every class the matrix that takes the other functions from its own: classes x others x classes."""
    eye = np.eye(classes)
    return np.array([eye[k] - np.delete(eye, k, axis=0) for k in range(classes)])


def _differences(g, mean, cov, classes):
    """Means and covariances of u + f_k - f_c, u ~ N(0, 1), for every class k over the others c."""
    contrasts = _contrasts(classes)
    columns = g("Unsqueeze", mean, g.integers([1, 3]))
    m = g("Squeeze", g("MatMul", g.constant(contrasts), columns), g.integers([3]))
    spread = g("MatMul", g.constant(contrasts), g("Unsqueeze", cov, g.integers([1])))
    return m, g("Add", g("MatMul", spread, g.constant(contrasts.transpose(0, 2, 1))), g.number(1.0))


def _largest_of_three(g, mean, cov, classes):
    """For every class the probability that both differences, with noise, are positive: a bivariate normal (Owen 1956)."""
    m, v = _differences(g, mean, cov, classes)
    at = lambda x, i, axis: g("Gather", x, g.constant(np.int64(i)), axis=axis)  # noqa: E731
    entry = lambda i, j: at(at(v, j, 3), i, 2)  # noqa: E731
    one = g.number(1.0)
    variances = [g("Add", entry(i, i), one) for i in (0, 1)]
    deviations = [g("Sqrt", variance) for variance in variances]
    z = [_nonzero(g, g("Div", at(m, i, 2), deviations[i])) for i in (0, 1)]
    r = g("Div", entry(0, 1), g("Mul", *deviations))
    # What the second has of its own is at least its noise, so that this is positive.
    rest = g("Sub", variances[1], g("Div", g("Mul", entry(0, 1), entry(0, 1)), variances[0]))
    q = g("Div", g("Sqrt", rest), deviations[1])
    below = [normal_cdf(g, each) for each in z]
    opposed = g("Cast", g("Less", g("Mul", g("Sign", z[0]), g("Sign", z[1])), g.number(0.0)), to=g.onnx.TensorProto.DOUBLE)
    probability = g("Mul", g.number(0.5), g("Sub", g("Add", *below), opposed))
    for h, k in (z, z[::-1]):
        probability = g("Sub", probability, _owen(g, h, g("Div", g("Sub", k, g("Mul", r, h)), q)))
    return g("Max", probability, g.number(0.0))


def _nonzero(g, z):
    return g("Where", g("Less", g("Abs", z), g.number(_NO_ZERO)), g.number(_NO_ZERO), z)


def _owen(g, h, ah):
    """Owen's T(h, a) from h and a h, whichever of them is the larger."""
    x, w = g("Abs", h), g("Abs", ah)
    direct = g("Greater", x, w)
    large, small = g("Max", x, w), g("Min", x, w)
    integral = _owen_integral(g, large, g("Div", small, large))
    tails = [normal_cdf(g, g("Neg", each)) for each in (x, w)]
    both = g("Sub", g("Mul", g.number(0.5), g("Add", *tails)), g("Mul", *tails))
    value = g("Where", direct, integral, g("Sub", both, integral))
    return g("Mul", value, g("Mul", g("Sign", h), g("Sign", ah)))


def _owen_integral(g, h, a):
    """a/(2π) ∫₀¹ exp(-h² (1 + a² t²)/2) / (1 + a² t²) dt for a up to one."""
    t, weights = np.polynomial.legendre.leggauss(_NODES)
    squares, weights = (0.5 * (t + 1.0)) ** 2, 0.5 * weights
    last = g.integers([2])
    a2 = g("Unsqueeze", g("Mul", a, a), last)
    bow = g("Add", g.number(1.0), g("Mul", a2, g.constant(squares)))
    fall = g("Exp", g("Mul", g("Mul", g("Unsqueeze", g("Mul", h, h), last), bow), g.number(-0.5)))
    mean = g("ReduceSum", g("Mul", g("Div", fall, bow), g.constant(weights)), last, keepdims=0)
    return g("Mul", g("Mul", a, g.number(0.5 / np.pi)), mean)


def _largest(g, mean, cov, classes):
    """For every class the probability that all differences, with noise, are positive, by expectation propagation."""
    m, v = _differences(g, mean, cov, classes)
    none = g("Mul", m, g.number(0.0))
    log_det = g("ReduceSum", none, g.integers([2]), keepdims=0)
    state = [m, v, none, none, log_det, g.number(0.0)]
    mu, sigma, tau, nu, log_det, _ = g.loop(_SWEEPS * (classes - 1), state, _site_step(classes - 1))
    own = g("ReduceSum", g("Mul", sigma, g.constant(np.eye(classes - 1))), g.integers([3]), keepdims=0)
    gap, cavity_var, cavity_mean = _cavity(g, own, mu, tau, nu)
    log_cdf, _ = log_cdf_and_hazard(g, g("Div", cavity_mean, g("Sqrt", g("Add", cavity_var, g.number(1.0)))))
    # log Φ - log(gap)/2 + b (s b - shift)/2 over the sites, with b = nu - tau mu and shift the posterior less the prior mean.
    b = g("Sub", nu, g("Mul", tau, mu))
    curve = g("Mul", b, g("Sub", g("Mul", cavity_var, b), g("Sub", mu, m)))
    half = g("Mul", g.number(0.5), g("Sub", curve, g("Log", gap)))
    log_z = g("ReduceSum", g("Add", log_cdf, half), g.integers([2]), keepdims=0)
    return g("Exp", g("Sub", log_z, g("Mul", g.number(0.5), log_det)))


def _cavity(g, sigma, mu, tau, nu):
    """1 - tau sigma, and the variance and mean without the site."""
    gap = g("Sub", g.number(1.0), g("Mul", tau, sigma))
    return gap, g("Div", sigma, gap), g("Div", g("Sub", mu, g("Mul", sigma, nu)), gap)


def _site_step(sites):
    """A step of the loop: the next site is matched to the moments of its term, and the posterior follows."""

    def step(g, iteration, state):
        mu, sigma, tau, nu, log_det, largest = state
        j = g("Mod", iteration, g.constant(np.int64(sites)))
        one, last = g.number(1.0), g.integers([-1])
        column = g("Gather", sigma, j, axis=3)
        own, mean, tau_j, nu_j = (g("Gather", x, j, axis=2) for x in (column, mu, tau, nu))
        _, v, m = _cavity(g, own, mean, tau_j, nu_j)
        a2 = g("Add", v, one)
        z = g("Div", m, g("Sqrt", a2))
        _, hazard = log_cdf_and_hazard(g, z)
        # Between 0 and 1, but for rounding.
        curved = g("Min", g("Max", g("Mul", hazard, g("Add", z, hazard)), g.number(0.0)), one)
        shrink = g("Add", one, g("Mul", v, g("Sub", one, curved)))
        new_tau = g("Div", curved, shrink)
        new_nu = g("Div", g("Add", g("Mul", hazard, g("Sqrt", a2)), g("Mul", curved, m)), shrink)
        d_tau, d_nu = g("Sub", new_tau, tau_j), g("Sub", new_nu, nu_j)
        grown = g("Add", one, g("Mul", d_tau, own))
        pull = g("Div", g("Sub", d_nu, g("Mul", d_tau, mean)), grown)
        outer = g("Mul", g("Unsqueeze", column, last), g("Unsqueeze", column, g.integers([-2])))
        thinned = g("Unsqueeze", g("Div", d_tau, grown), g.integers([-2, -1]))
        chosen = g("Gather", g.constant(np.eye(sites)), j, axis=0)
        moved = lambda x, by: g("Add", x, g("Mul", g("Unsqueeze", by, last), chosen))  # noqa: E731
        following = [
            g("Add", mu, g("Mul", column, g("Unsqueeze", pull, last))),
            g("Sub", sigma, g("Mul", outer, thinned)),
            moved(tau, d_tau),
            moved(nu, d_nu),
            g("Add", log_det, g("Log", grown)),
        ]
        # The largest relative change of a variance, or change of a mean in standard deviations, since the sweep began.
        later = g("Cast", g("Greater", j, g.constant(np.int64(0))), to=g.onnx.TensorProto.DOUBLE)
        changes = g("Abs", g("Mul", d_tau, own)), g("Abs", g("Mul", pull, g("Sqrt", own)))
        largest = g("Max", g("Mul", largest, later), g("ReduceMax", g("Max", *changes), keepdims=0))
        swept = g("Equal", j, g.constant(np.int64(sites - 1)))
        settled = g("And", swept, g("Less", largest, g.number(_SETTLED)))
        return [*following, largest], g("Not", settled)

    return step
