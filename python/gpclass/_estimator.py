"""The scikit-learn estimator."""

from __future__ import annotations

import json

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from . import _audit, _frames, _options, _report, _running, _spec, _training
from ._core import Model, feature_names
from ._explained import Explained
from ._saving import Saved
from ._told import Told
from ._warnings import tell


class GPClassifier(Told, Explained, Saved, ClassifierMixin, BaseEstimator):
    """Gaussian-process classification of two or more classes by expectation propagation.

    By default several models predict together (smooth, rough, linear and step-like functions; one lengthscale or one per
    feature; of columns as they are, warped and ranked; with and without label error), with the weights that predict left-out
    rows best; what is named by an argument is not varied. ``combine='best'`` chooses one of fewer by evidence. Numeric columns are standardised to mean 0 and standard
    deviation 1 unless ``standardise=False``. Two classes have one latent function. Of more, each has its own, and all are
    inferred together: as the multinomial probit, or as the softmax with ``likelihood='logistic', inference='laplace'``.

    Parameters
    ----------
    kernel : 'auto', a name, a Kernel, or a list of them
        ``'se'``, ``'matern12'``, ``'matern32'``, ``'matern52'``, ``'rq'``, ``'l1'``, ``'additive'``, ``'linear'``,
        ``'se+linear'``; ``'auto'`` takes se, matern32, linear and l1 together (of ``combine='best'`` the best of se, linear and se+linear). Kernels composed by hand, as ``SE(ard=True) + Bias()``, are taken as they are. A list is
        a list of candidates.
    likelihood : 'auto', a name, a pair, or a list of them
        ``'probit'``, ``'robust'`` (a share ``eps`` of the labels is wrong), ``'step'``, ``'probit-bias'``, ``'probit-noise'``,
        ``'robust-per-class'`` (``eps_negative`` and ``eps_positive``), ``'full'`` (label error, bias and noise), ``'logistic'``; ``'auto'`` compares probit and robust. A pair of a name and a dict, as
        ``('step', {'eps': 0.05})``, says where parameters start. Several classes are inferred together under probit, robust
        (``eps`` falls on all other classes alike) and logistic (with ``'laplace'``), and each against the rest under the others.
    inference : {'ep', 'ep-sequential', 'adf', 'laplace', 'ls'}
        How the posterior is approximated.
    objective : {'evidence', 'loo-nlp', 'loo-f', 'loo-error', 'loo-auc'} or a pair
        What learning maximises: the evidence or a leave-one-out criterion; ``('loo-f', zeta)`` and ``('loo-error', tau)`` give
        its parameter.
    search : {'direct', 'em-ep', 'em-ep-posterior', 'em-ep-gradient', 'ep-cv', 'two-step'} or ('two-step', zeta)
        How hyperparameters are found. ``'direct'``: quasi-Newton ascent of the objective by its exact gradient. The others
        are published alternations. ``'em-ep'``: EM around EP for the evidence, the label error ``eps`` set to the share of
        rows on the wrong side; ``'em-ep-posterior'``: to their expected share; ``'em-ep-gradient'``: moved with the other
        parameters; all three keep the point of greatest evidence, which need not be their last. ``'ep-cv'``: EP in turn with one line search at fixed sites on the leave-one-out objective
        (``'loo-nlp'`` if the objective is the evidence). ``'two-step'``: ``'loo-nlp'`` for everything, then the leave-one-out
        F-measure of parameter zeta (0.5) for the bias ``b`` alone, which the likelihood must have (``'probit-bias'``,
        ``'full'``).
    inputs : {'auto', 'standardised', 'warped', 'ranked'}
        How models see numeric columns. ``'standardised'``: as they are, with mean 0 and standard deviation 1. ``'warped'``:
        skewed and long-tailed columns bent towards a normal distribution by powers of the distance from the median.
        ``'ranked'``: by rank among the training values, so that only their order matters. Columns of two values and categories
        are always the same. ``'auto'``: all three together, or standardised where the kernel is named or one model is chosen.
    lengthscales : {'auto', 'single', 'ard'}
        One lengthscale, one per feature, or both together (of ``combine='best'`` the better by evidence); for kernels given by name. In a list of kernels
        ``'auto'`` is one.
    priors : 'weak', None or dict
        Priors on the hyperparameters; a dict replaces single ones by name.
    fixed : dict or None
        Hyperparameters held at values, by name, as ``{'eps': 0.05}``.
    initial : {'heuristic', 'emep-synthetic', 'emep-real', 'robust', 'given'}
        Where free parameters start that have no value of their own: a value in a kernel or in a pair for ``likelihood`` is
        always the start of its parameter. ``'heuristic'``: by the spread of the rows, and simpler models pass their values on
        to larger ones. The next three are published values of ``eps``, ``v0``, ``v1``, ``v2`` and ``l``. ``'given'``: at the
        neutral values of their families (kernel parameters 1, ``eps`` 0.03, ``b`` 0, ``sigma`` 1), with nothing taken from
        the data.
    path : {'end', 'loo-error', 'loo-nlp'}
        Which point of a search becomes the model: its end, or the one that predicts left-out rows with the fewest errors
        (ties by evidence) or with the best log-probability (predictive ARD).
    categorical_features : 'from_dtype', None, mask, positions or names
        Columns whose values are categories. ``'from_dtype'`` takes every column of a frame that holds neither numbers nor
        dates, and arrays of truth values. Texts that are all dates enter as day numbers, unless they are chosen here.
    ordered : dict or None
        Ordered categories: from names of columns to their levels, lowest first, as ``{'size': ['S', 'M', 'L']}``. pandas'
        ordered categories and polars' enumerations are taken as such with ``'from_dtype'``.
    keep : list of names or positions, or None
        Columns of a frame that are used though they look like identifiers. Others that do (all values different, and in order
        or below a name like ``'patient_id'``) are left out with a ``DataWarning``; columns of arrays never are.
    missing : {'auto', 'error', 'impute', 'category', 'impute+category'}
        Missing values. ``'auto'``: numbers become the training median, with a feature of its own that says where they were
        missing if that is more than a handful of rows, and missing categories are a category. Else refused; replaced by the
        training mean or most frequent category; for categories, a category of their own (with numbers refused or imputed).
    standardise : bool
        Whether numeric columns are standardised.
    class_weight : None, 'balanced' or dict
        Multiplies the weights of rows by those of their classes. Weights between 0 and 1, which ``'balanced'`` gives to
        frequent classes, make several classes be fitted each against the rest.
    multiclass : {'auto', 'joint', 'one-vs-rest', 'exactly-one'}
        How three or more classes are modelled: ``'joint'`` infers the functions of all classes together; ``'one-vs-rest'``
        fits each class against all others and normalises the probabilities; ``'exactly-one'`` fits the same and gives the
        probabilities given that exactly one class is right, which is bolder; ``'auto'`` is joint where likelihood, inference,
        objective, weights and memory allow it and a stack takes seconds, else, with a ``FitWarning`` that says why (a note where
        it is for the time), exactly-one, or of a stack that of the last two which predicts left-out rows better.
    class_kernels : {'shared', 'own'}
        Whether the functions of three or more classes share their hyperparameters, or each has its own, named as
        ``'v0[setosa]'``, which over-fits where classes have few rows.
    exact : bool
        Learns from all rows at once, however many they are. By default hyperparameters of more than 1500 rows are learned from
        blocks of them, and of more than 5000 some stand for all.
    inducing : int or None
        How many rows stand for all; ``None`` is 400 where there are more than 5000 rows, else none.
    neighbours : int or None
        Where some rows stand for all: how many nearest rows every prediction is refined with, 64 by default, 0 for none.
    combine : {'stack', 'evidence', 'best'}
        What becomes of several candidates: ``'stack'`` lets all predict together, with the weights that predict left-out rows
        best; ``'evidence'`` weighs them by their evidence; ``'best'`` takes the one of the best evidence.
    sharpen : {'auto', 'off'}
        Of a stack: ``'auto'`` raises the mixture of the models to the power that predicts left-out rows best, where that gains something,
        and normalises it; ``'off'`` leaves it as it is.
    cost : dict, matrix or None
        What the two kinds of errors cost, as ``{'fn': 5, 'fp': 1}`` (a row of ``classes_[1]`` missed, one of ``classes_[0]`` taken for
        it): the threshold of least cost among left-out rows is learned for ``decide``. Of any number of classes a nested dict, as
        ``{'flu': {'cold': 5}}`` (the true class, then the one it is taken for; other errors cost 1), or a matrix with a row for every true
        class and a column for every decided one in the order of ``classes_``: ``decide`` takes the class of least expected cost.
    threshold : float or None
        Probability of ``classes_[1]`` from which ``decide`` takes a row for it, instead of ``cost``.
    time_budget : float or None
        Seconds after which learning ends with the best model so far; ``None`` is no limit.
    n_restarts : int
        Further random starts of every search. The result is never worse by the objective.
    random_state : int, RandomState or None
        Seed of the restarts; ``None`` is 0, so that fits repeat.
    n_jobs : int or None
        Threads; ``None`` and -1 are all cores (``None`` is one inside a parallel worker), -2 is all but one. More than four
        per core are not used. Results do not depend on it.
    memory_limit : None, int or str
        Most memory that a fit may need, in bytes or as ``'4G'``; ``None`` is what is free. A fit that would need more raises
        ``MemoryError`` before it begins.
    checkpoint : None, str or path
        File in which a fit of many rows keeps what it has found so far, so that the same fit goes on from there if its process is
        killed. It is removed when the fit is done; one of other rows, options or another version is not used.
    checkpoint_every : float
        Seconds between two of them.
    keep_partial : bool
        Whether Ctrl-C during a fit keeps the best model so far, with a warning, instead of raising ``KeyboardInterrupt``, which it
        does when pressed a second time or before there is a model.
    max_iter, tol : int, float
        Limit of the search's iterations, and the gradient at which it ends.
    warm_start : bool
        Starts from the kernels and likelihoods of the models that the last fit predicts with, which are then the only candidates.
    verbose : int
        1 tells every iteration to the logger ``gpclass``, which writes to standard error unless logging is set up.
    callback : callable or None
        Called with a dict for every iteration; an exception ends the fit.

    Attributes
    ----------
    classes_ : the classes in order; of two, the second is the positive one
    log_evidence_ : log evidence of the chosen model
    hyperparameters_ : dict of names and values
    relevance_ : dict from features to their share in the sum of ``effects_``
    effects_ : dict from features to the mean change of the probabilities when the feature is exchanged between training rows
    effect_errors_ : dict from features to the standard errors of these
    gains_ : dict from features to the nats by which labels of left-out rows are predicted worse with another row's value: around zero for
        a feature that does not carry the label, whatever its effect. None for more than some thousand rows and for groups
    gain_errors_ : dict from features to the standard errors of these
    loo_proba_ : probabilities of the classes for every training row as the other rows predict it, or those of other groups
    cost_decision_ : of three or more classes with ``cost``, a dict of the ``matrix``, the mean ``cost`` of a left-out row and ``plain_cost``,
        that by the most probable class; else None
    decision_ : dict with the threshold of ``decide``, its interval by resampling, Bayes's threshold and their costs; None without ``cost``
        and ``threshold``
    groups_ : dict with name, number and largest size of the groups by which rows were left out; None where there were none
    loo_scores_ : dict of scores of these; of three or more classes ``'classes'`` holds the confusion matrix and each one's scores
    corrected_scores_ : the same corrected, approximately, for what learning the hyperparameters saw of the rows: what to expect of new
        ones; None where that is not known (other objectives than the evidence, more than 64 hyperparameters) or too costly
    stability_ : dict of arrays: how far the probabilities of left-out rows move over draws of the hyperparameters from their posterior.
        ``low`` and ``high`` hold nine in ten draws, of ``classes_[1]`` or of the most probable of several classes; ``turned`` is the share of
        draws in which another class is the most probable. Rows of weight zero have NaN. None where ``corrected_scores_`` is too
    label_error_proba_ : for every training row the probability that its label is wrong
    label_error_source_ : where that probability comes from
    label_suggestion_ : for every training row the most probable class other than its label
    members_ : dict from the names of the models that predict, the heaviest first, to their weights
    sharpness_ : the power that their mixture is raised to before it is normalised; 1.0 leaves it as it is
    candidates_ : list of dicts, one per model that was tried, with its weight and leave-one-out scores
    trace_ : list of dicts, one per iteration of the chosen model's search
    kernel_ : formula of the chosen covariance
    likelihood_ : name of the chosen likelihood
    inputs_ : how the chosen model sees numeric columns, as ``inputs`` names it
    multiclass_ : how three or more classes were modelled, 'joint', 'one-vs-rest' or 'exactly-one'; None of two
    approach_ : how rows were learned from, 'exact', 'blocks' or 'sparse'
    converged_ : whether the search ended at an optimum and inference there at a fixed point, which 'adf' does not look for
    n_iter_, notes_, n_features_in_, feature_names_in_

    Notes
    -----
    ``sample_weight``: the likelihood term of a row of weight w is raised to the power w, and the row counts w times in the
    means and standard deviations of columns, so that weight 2 is the same as the row given twice and weight 0 the same as
    leaving the row out. Its entries of ``loo_proba_`` and ``label_error_proba_`` are then those of a new row. A class whose
    rows all have weight 0 is not among ``classes_``. Several classes are inferred together with weights of 0 or at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> from gpclass import GPClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 2))
    >>> model = GPClassifier(kernel="se", likelihood="probit").fit(X, X[:, 0] > 0)
    >>> model.predict([[2.0, 0.0]])
    array([ True])
    >>> max(model.relevance_, key=model.relevance_.get)
    'x1'

    Three classes along the first feature:

    >>> y = np.digitize(X[:, 0], [-0.5, 0.5])
    >>> model = GPClassifier(kernel="se", likelihood="probit").fit(X, y)
    >>> model.predict_proba(X).shape, model.predict([[-2.0, 0.0], [0.0, 0.0], [2.0, 0.0]])
    ((60, 3), array([0, 1, 2]))
    """

    def __init__(
        self,
        *,
        kernel="auto",
        likelihood="auto",
        inference="ep",
        objective="evidence",
        search="direct",
        inputs="auto",
        lengthscales="auto",
        priors="weak",
        fixed=None,
        initial="heuristic",
        path="end",
        categorical_features="from_dtype",
        ordered=None,
        keep=None,
        missing="auto",
        standardise=True,
        class_weight=None,
        multiclass="auto",
        class_kernels="shared",
        exact=False,
        inducing=None,
        neighbours=None,
        combine="stack",
        sharpen="auto",
        cost=None,
        threshold=None,
        time_budget=None,
        n_restarts=0,
        random_state=None,
        n_jobs=None,
        memory_limit=None,
        checkpoint=None,
        checkpoint_every=180.0,
        keep_partial=False,
        max_iter=200,
        tol=1e-3,
        warm_start=False,
        verbose=0,
        callback=None,
    ):
        self.kernel = kernel
        self.likelihood = likelihood
        self.inference = inference
        self.objective = objective
        self.search = search
        self.inputs = inputs
        self.lengthscales = lengthscales
        self.priors = priors
        self.fixed = fixed
        self.initial = initial
        self.path = path
        self.categorical_features = categorical_features
        self.ordered = ordered
        self.keep = keep
        self.missing = missing
        self.standardise = standardise
        self.class_weight = class_weight
        self.multiclass = multiclass
        self.class_kernels = class_kernels
        self.exact = exact
        self.inducing = inducing
        self.neighbours = neighbours
        self.combine = combine
        self.sharpen = sharpen
        self.cost = cost
        self.threshold = threshold
        self.time_budget = time_budget
        self.n_restarts = n_restarts
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.keep_partial = keep_partial
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.verbose = verbose
        self.callback = callback

    def __repr__(self, **options):
        """The constructor's arguments and, once fitted, the model that was chosen."""
        text = super().__repr__(**options)
        if not hasattr(self, "log_evidence_"):
            return text
        if len(self.members_) > 1:
            members = ", ".join(f"{name} ({weight:.2f})" for name, weight in self.members_.items())
            return f"{text} fitted: {len(self.members_)} models together: {members}"
        return f"{text} fitted: {self.kernel_}, {self.likelihood_} likelihood, log evidence {self.log_evidence_:.2f}"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = _training.accepts_missing(self.missing)
        return tags

    # ---------------------------------------------------------------- fitting

    def fit(self, X, y, sample_weight=None, groups=None, corrections=None):
        """Learns from rows ``X`` with labels ``y`` of two or more classes.

        ``sample_weight``: powers of the rows' likelihood terms (see the class). ``groups``: for every row what it belongs to, as the
        patient of a visit; rows of one group are left out together, so that ``loo_proba_``, the scores and the weights of the
        models are by leave-group-out, which is what to expect of new groups. ``corrections``: suspects of ``audit()`` with their
        ``action`` edited, or a file of them, written here or by the command-line tool; rows that are dropped get weight 0.
        """
        _options.one_of("missing", self.missing)
        X, names, mask = _training.rows(self, X, y)
        if corrections is not None:
            y, stays = _audit.corrected(y, corrections)
            if not stays.all():
                sample_weight = np.where(stays, 1.0 if sample_weight is None else sample_weight, 0.0)
        classes, codes = _training.labels(y)
        check_consistent_length(X, codes)
        weights = _training.weights(codes, classes, sample_weight, self.class_weight)
        groups = _training.groups(groups, len(codes))
        kept = slice(None) if weights is None else weights > 0
        classes, codes = _training.classes_left(classes, codes, kept)
        class_names = [_frames.category(c) for c in classes]
        encoder = _spec.encoder(self, X, names, mask)
        mask = mask | np.isin(names, list(encoder["ordered"]))
        kinds = _frames.kinds(X, names, mask)
        columns = _frames.columns(X, names, kinds)
        codes = np.ascontiguousarray(codes, dtype=np.uint16)
        used = [(name, _training.kept_rows(values, kept)) for name, values in columns]
        features = feature_names(used, _options.dumps(encoder))
        spec, candidates = _spec.spec(self, encoder, features, class_names)
        self._model = Model.fit(
            columns=used,
            labels=codes[kept],
            classes=class_names,
            weights=None if weights is None else np.ascontiguousarray(weights[kept]),
            groups=None if groups is None else (groups[0], _training.kept_rows(groups[1], kept)),
            spec=_options.dumps(spec),
            candidates=None if candidates is None else _options.dumps(candidates),
            threads=_running.threads(self.n_jobs),
            memory_limit=_running.memory(self.memory_limit),
            checkpoint=_running.checkpoint(self.checkpoint, self.checkpoint_every),
            callback=_running.watcher(self.callback, self.verbose),
            elsewhere=self._elsewhere(names, kinds),
            keep_partial=bool(self.keep_partial),
        )
        self.classes_ = classes
        summary = json.loads(self._model.summary())
        _report.report(self, summary)
        if weights is not None and not weights.all():
            self._include_left_out(columns, codes, kept)
        _report.tell_notes(summary)
        return self

    def _elsewhere(self, names, kinds):
        """Who asks rows that are not here; there are none."""
        return None

    def _include_left_out(self, columns, codes, kept):
        """Rows of weight zero are predicted from the others like any row that is left out."""
        left_out = [(name, _training.kept_rows(values, ~kept)) for name, values in columns]
        found = self._model.predict(left_out, _running.threads(self.n_jobs))
        p = np.empty((len(codes), len(self.classes_)))
        p[kept], p[~kept] = self.loo_proba_, found["probability"]
        self.loo_proba_ = p
        if self.stability_ is not None:
            gaps = {name: np.full(len(codes), np.nan) for name in self.stability_}
            for name, values in self.stability_.items():
                gaps[name][kept] = values
            self.stability_ = gaps
        others = p * (codes[:, None] != np.arange(len(self.classes_)))
        errors, suggestions = others.sum(axis=1), self.classes_[others.argmax(axis=1)]
        errors[kept], suggestions[kept] = self.label_error_proba_, self.label_suggestion_
        self.label_error_proba_, self.label_suggestion_ = errors, suggestions

    # ------------------------------------------------------------- predicting

    def _columns(self, X):
        """Rows as the columns that the model was fitted on."""
        check_is_fitted(self)
        X = _frames.as_rows(X)
        if _frames.is_frame(X):
            validate_data(self, X, reset=False, skip_check_array=True)
            if X.shape[0] < 1:
                _frames.check_matrix(np.empty(X.shape), False, allow_missing=False)
        elif {"discrete", "date"} & set(self._kinds.values()):
            X = _frames.check_matrix(X, True, allow_missing=True)
            validate_data(self, X, reset=False, skip_check_array=True)
        else:
            finite = "allow-nan" if _training.accepts_missing(self.missing) else True
            X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=finite)
        return _frames.columns(X, self._names, [self._kinds.get(name) for name in self._names])

    def _predict(self, X):
        columns = self._columns(X)  # says so where nothing was fitted
        found = self._model.predict(columns, _running.threads(self.n_jobs))
        tell(found["notes"], [], stacklevel=4)
        return found

    def predict(self, X):
        """The most probable class of every row."""
        probability = self._predict(X)["probability"]
        return self.classes_[np.argmax(probability, axis=1)]

    def predict_proba(self, X):
        """Probabilities of ``classes_`` for every row."""
        return self._predict(X)["probability"]

    def decide(self, X, by="learned"):
        """The class of every row by the threshold of ``cost`` or ``threshold``; ``by='bayes'`` takes fp / (fp + fn). Of three or more
        classes that of least expected cost.

        >>> import numpy as np
        >>> X = np.random.default_rng(0).normal(size=(60, 1))
        >>> model = GPClassifier(kernel="linear", likelihood="probit", cost={"fn": 9, "fp": 1}).fit(X, X[:, 0] > 0)
        >>> bool(model.decide(X, by="bayes").sum() >= model.predict(X).sum())
        True
        """
        return self.classes_[self._model.decide(np.ascontiguousarray(self._predict(X)["probability"]), by)]

    def predict_log_proba(self, X):
        """Logarithms of the probabilities, accurate where one is tiny."""
        return self._predict(X)["log_probability"]

    def decision_function(self, X):
        """Log-odds: of two classes those of ``classes_[1]``, of more those of every class against the others together."""
        log_p = self._predict(X)["log_probability"]
        if len(self.classes_) == 2:
            return log_p[:, 1] - log_p[:, 0]
        return log_p - _log_of_others(log_p)

    def latent(self, X):
        """Mean and variance of the latent function at every row; of three or more classes, of every class's function.

        >>> import numpy as np
        >>> X = np.linspace(-2, 2, 30).reshape(-1, 1)
        >>> mean, variance = GPClassifier(kernel="se").fit(X, X[:, 0] > 0).latent([[1.5], [50.0]])
        >>> bool(mean[0] > 0 and variance[1] > variance[0])
        True
        """
        found = self._predict(X)
        moments = found["mean"], found["variance"]
        return tuple(each[:, 0] if each.shape[1] == 1 else each for each in moments)


def _log_of_others(log_p):
    """For every class the logarithm of the probability of all others, which 1 - p would lose where p is nearly one."""
    others = ~np.eye(log_p.shape[1], dtype=bool)
    return np.column_stack([np.logaddexp.reduce(log_p[:, other], axis=1) for other in others])


def load(path):
    """Reads a model file as an estimator."""
    return GPClassifier.load(path)
