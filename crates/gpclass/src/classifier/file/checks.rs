//! Whether the numbers of a model file can be those of a model: each within its range, and in agreement with the others.

use super::{Header, MemberHeader, ModelFileError};
use crate::classifier::{MOST_ROWS, Summary};
use crate::inference::Kept;
use crate::inference::joint::JointKept;
use crate::model::KeptForm;

/// Rounding allowed in the shares of the members, which sum to one.
const SHARES: f64 = 1e-9;
/// Rounding allowed in what follows from other columns, as a share of the numbers that it is made of: half of the digits,
/// for inference solves for alpha and takes the slack from a factor.
const AGREEMENT: f64 = 1e-6;
/// Rounding allowed in sums over rows with a covariance, in units of the last place of the largest term.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The header's own promises, before anything is allocated for them.
pub(super) fn header(header: &Header) -> Result<(), ModelFileError> {
    let nonsense = |reason: String| Err(ModelFileError::nonsense("header", reason));
    if header.rows > MOST_ROWS {
        return nonsense(format!("it announces {} rows, more than {MOST_ROWS}", header.rows));
    }
    let due = if header.classes.len() == 2 { 1 } else { header.classes.len() };
    if header.functions != due {
        return nonsense(format!("it announces {} latent functions where {due} are due", header.functions));
    }
    if header.members.iter().any(|member| !(member.against_rest.is_empty() || member.against_rest.len() == due)) {
        return nonsense("its counts contradict each other".to_owned());
    }
    let total: f64 = header.members.iter().map(|member| member.weight).sum();
    let shares = header.members.iter().all(|m| m.weight > 0.0 && m.weight <= 1.0) && (total - 1.0).abs() < SHARES;
    if !shares || !counts_agree(header) {
        return nonsense("its counts contradict each other".to_owned());
    }
    header.members.iter().try_for_each(member)?;
    summary(&header.summary)
}

fn counts_agree(header: &Header) -> bool {
    let (rows, summary) = (header.rows, &header.summary);
    let features = header.encoder.features().len();
    let names = summary.classes.iter().map(|class| &class.class);
    summary.rows == rows
        && names.eq(header.classes.names())
        && summary.loo_probability.rows() == rows
        && summary.loo_probability.classes().len() == header.classes.len()
        && summary.loo.classes.as_ref().is_none_or(|details| details.are_of(header.classes.len()))
        && summary
            .corrected
            .iter()
            .all(|scores| scores.classes.as_ref().is_none_or(|details| details.are_of(header.classes.len())))
        && summary.stability.as_ref().is_none_or(|stability| stability.is_of(rows))
        && summary.suspects.probability.len() == rows
        && summary.suspects.rates.is_none_or(|rates| header.classes.len() == 2 && rates.are_sound())
        && summary.suspects.spread.is_none_or(|spread| spread.is_finite() && spread >= 0.0)
        && summary
            .suspects
            .true_class
            .as_ref()
            .is_none_or(|p| (p.rows(), p.classes().len()) == (rows, header.classes.len()))
        && summary.costs.as_ref().is_none_or(|costs| costs.matrix.suits(header.classes.len()))
        && summary.features.len() == features
        && summary.relevances.len() == features
        && summary.candidates.iter().filter(|candidate| candidate.chosen).count() == 1
        && header.members.iter().all(|member| member.report.negative_sites <= rows * header.functions)
}

fn member(member: &MemberHeader) -> Result<(), ModelFileError> {
    let report = &member.report;
    let numbers = [
        ("its log evidence", member.log_z, member.log_z.is_finite()),
        ("its observation variance", member.observation_var, not_negative(member.observation_var)),
        ("its jitter", report.jitter, not_negative(report.jitter)),
        ("its residual", report.residual, report.residual >= 0.0),
    ];
    all_within("models", numbers)?;
    let each = member.against_rest.iter().flat_map(|own| {
        [
            ("the log evidence of a class", own.log_z, own.log_z.is_finite()),
            ("the observation variance of a class", own.observation_var, not_negative(own.observation_var)),
            ("the jitter of a class", own.report.jitter, not_negative(own.report.jitter)),
        ]
    });
    all_within("models", each)
}

fn summary(summary: &Summary) -> Result<(), ModelFileError> {
    let suspects = summary.suspects.probability.iter().map(|&p| ("the probability of a wrong label", p, is_share(p)));
    let relevances = summary.relevances.iter().flat_map(|r| {
        let error = r.error.is_nan() || not_negative(r.error);
        [
            ("an effect", r.effect, not_negative(r.effect)),
            ("the standard error of an effect", r.error, error),
            ("the share of an effect", r.share, is_share(r.share)),
        ]
    });
    let candidates = summary.candidates.iter().flat_map(|c| {
        [
            ("the share of a candidate", c.weight, is_share(c.weight)),
            ("the leave-one-out error of a candidate", c.loo_error, is_share(c.loo_error)),
            ("the number of parameters of a candidate", c.effective_parameters, not_negative(c.effective_parameters)),
        ]
    });
    let hyperparameters = summary.hyperparameters.iter().map(|h| ("a hyperparameter", h.value, h.value.is_finite()));
    let error = summary.loo.error.value;
    let scores = [("the leave-one-out error", error, is_share(error))];
    let thresholds = summary.decision.iter().flat_map(|decision| {
        let ends = decision.interval.map(|(low, high)| [low, high]).into_iter().flatten();
        ends.chain([decision.threshold]).chain(decision.bayes).map(|t| ("a threshold", t, is_share(t)))
    });
    let numbers = suspects.chain(relevances).chain(candidates).chain(hyperparameters).chain(scores);
    all_within("summary", numbers.chain(thresholds))
}

/// A model's numbers: those of each function, or of all together.
pub(super) fn kept(kept: &KeptForm, prior_var: &[f64]) -> Result<(), ModelFileError> {
    match kept {
        KeptForm::Binary(kept) => function(kept, prior_var),
        KeptForm::OneVsRest(each) => each.iter().try_for_each(|kept| function(kept, prior_var)),
        KeptForm::Joint(kept) => joint(kept, prior_var),
    }
}

/// Functions that were inferred together: finite, and `alpha = nu - T mean` for every row, `T = diag(pi) - pi piᵀ / s`.
fn joint(kept: &JointKept, prior_var: &[f64]) -> Result<(), ModelFileError> {
    let numbers = kept.matrices().into_iter().flat_map(|mat| mat.as_slice());
    all_within("posteriors", numbers.map(|&value| ("a number", value, value.is_finite())))?;
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let of_mean = ROUNDING * prior_var.len() as f64 * largest(prior_var) * largest(kept.alpha.as_slice());
    let classes = kept.pi.cols();
    for i in 0..kept.pi.rows() {
        let pi = |c: usize| kept.pi[(i, c)];
        let total: f64 = (0..classes).map(pi).sum();
        let pulled: f64 = (0..classes).map(|c| pi(c) * kept.mean[(i, c)]).sum();
        let size: f64 = (0..classes).map(|c| (pi(c) * kept.mean[(i, c)]).abs() + kept.nu[(i, c)].abs()).sum();
        for c in 0..classes {
            let hub = if total == 0.0 { 0.0 } else { pi(c) * pulled / total };
            let due = kept.nu[(i, c)] - pi(c) * kept.mean[(i, c)] + hub;
            if !agrees(kept.alpha[(i, c)], due, size, pi(c) * of_mean) {
                let reason = format!("alpha of row {} does not follow from the other columns", i + 1);
                return Err(ModelFileError::nonsense("posteriors", reason));
            }
        }
    }
    Ok(())
}

/// A function's columns: finite, variances not negative, and `alpha = nu - tau mean`, `slack = 1 - tau var` up to the
/// rounding of `mean = K alpha` and `var`, which grows with the prior variances `prior_var` of the rows.
fn function(kept: &Kept, prior_var: &[f64]) -> Result<(), ModelFileError> {
    let finite = kept.columns().into_iter().flatten().map(|&value| ("a number", value, value.is_finite()));
    let variances = kept.var.iter().map(|&var| ("a variance", var, not_negative(var)));
    all_within("posteriors", finite.chain(variances))?;
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let rounding = ROUNDING * kept.mean.len() as f64 * largest(prior_var);
    let of_mean = rounding * largest(&kept.alpha);
    for (i, (&tau, &nu)) in kept.sites.tau.iter().zip(&kept.sites.nu).enumerate() {
        let (explained, shrunk) = (tau * kept.mean[i], tau * kept.var[i]);
        let alpha = agrees(kept.alpha[i], nu - explained, nu.abs() + explained.abs(), tau * of_mean);
        let slack = agrees(kept.slack[i], 1.0 - shrunk, 1.0 + shrunk.abs(), tau * rounding);
        for (column, agrees) in [("alpha", alpha), ("slack", slack)] {
            if !agrees {
                let reason = format!("{column} of row {} does not follow from the other columns", i + 1);
                return Err(ModelFileError::nonsense("posteriors", reason));
            }
        }
    }
    Ok(())
}

fn agrees(stored: f64, due: f64, size: f64, rounding: f64) -> bool {
    (stored - due).abs() <= AGREEMENT * (size + stored.abs()) + rounding.abs()
}

fn not_negative(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

fn is_share(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}

/// Refuses the first number that is out of its range: what it is, its value, and whether it is within.
fn all_within(
    section: &'static str,
    numbers: impl IntoIterator<Item = (&'static str, f64, bool)>,
) -> Result<(), ModelFileError> {
    match numbers.into_iter().find(|(_, _, within)| !within) {
        Some((what, value, _)) => Err(ModelFileError::nonsense(section, format!("{what} is {value}"))),
        None => Ok(()),
    }
}
