//! The methods paragraph of a paper, as far as the fit knows it.

use super::html;
use crate::Report;
use crate::text::{count, decimals, escape, number, percent, two_decimals};
use crate::verdict::listed;
use gpclass::data::{FeatureKind, InputView};
use gpclass::evaluate::Estimate;
use gpclass::learn::ScoreKind;
use gpclass::model::Multiclass;
use gpclass::objective::Objective;

pub(super) fn section(report: &Report<'_>) -> String {
    let lead = "To paste into a paper or a protocol. What the program cannot know, such as where the rows come from, is yours to add.";
    let text = [data(report), model(report), choice(report), validation(report), results(report)].join(" ");
    html::section("methods", "Methods paragraph", lead, &format!(r#"<p class="paste">{}</p>"#, escape(&text)))
}

/// The data.
fn data(report: &Report<'_>) -> String {
    let classes: Vec<String> =
        report.summary.classes.iter().map(|class| format!("{} “{}”", class.rows, class.class)).collect();
    let kinds = [
        (FeatureKind::Continuous, "numeric predictor", "numeric predictors"),
        (FeatureKind::Discrete, "categorical predictor", "categorical predictors"),
    ];
    let kinds = kinds.map(|(kind, one, many)| (report.features_of(kind), one, many));
    let kinds: Vec<String> =
        kinds.iter().filter(|kind| kind.0 > 0).map(|(n, one, many)| count(*n, one, many)).collect();
    format!(
        "We developed a model on {} ({}) with {}.",
        count(report.summary.rows, "row", "rows"),
        listed(&classes),
        listed(&kinds)
    )
}

/// The model that was fitted.
fn model(report: &Report<'_>) -> String {
    let classes = match report.summary.multiclass {
        _ if !report.has_several_classes() => "",
        Multiclass::OneVsRest => " of each class against the rest, normalised",
        Multiclass::ExactlyOne => " of each class against the rest, conditional on exactly one being right",
        Multiclass::Joint | Multiclass::Auto => " with a latent function for each class, inferred jointly",
    };
    let inference = match report.summary.method.as_str() {
        "laplace" => "Laplace's method",
        "ls" | "adf" => "a single-pass approximation",
        _ => "expectation propagation",
    };
    format!(
        "Gaussian-process classification{classes} was used, with the posterior approximated by {inference} (gpclass {}). {}",
        report.provenance.version,
        inputs(report)
    )
}

/// How predictors were treated, by the heaviest model.
fn inputs(report: &Report<'_>) -> &'static str {
    match report.summary.inputs {
        _ if report.averaged > 1 => {
            "Numeric predictors were standardised; models saw them as they are, warped towards normality, or ranked."
        }
        InputView::Standardised => "Numeric predictors were standardised.",
        InputView::Warped => "Numeric predictors were warped towards normality.",
        InputView::Ranked => "Numeric predictors were replaced by their ranks.",
    }
}

/// How hyperparameters and models were chosen.
fn choice(report: &Report<'_>) -> String {
    let tried = report.summary.candidates.len();
    let combined = match report.summary.chosen().and_then(|chosen| chosen.score_kind) {
        Some(ScoreKind::LeftOut) => format!(
            "{} were considered; {} with the weights that predict left-out rows best (stacking){}.",
            count(tried, "model", "models"),
            match report.averaged {
                1 => "one has all the weight,".to_owned(),
                n => format!("{n} predict together,"),
            },
            match report.summary.sharpness {
                1.0 => String::new(),
                sharpness => format!(
                    ", and the mixture of their probabilities is raised to the power {}, learned from the same rows, and normalised",
                    number(sharpness)
                ),
            }
        ),
        Some(ScoreKind::Evidence) | None => format!("The covariance was {}.", report.summary.kernel),
        Some(_) => format!(
            "{} were compared; the covariance chosen was {}.",
            count(tried, "model", "models"),
            report.summary.kernel
        ),
    };
    let objective = match report.spec.fit.objective {
        Objective::Evidence => "the evidence (marginal likelihood)",
        Objective::LeaveOneOut { .. } => "a leave-one-out criterion",
    };
    format!("Hyperparameters were learned from all rows by maximising {objective}. {combined}")
}

/// How performance was estimated.
fn validation(report: &Report<'_>) -> String {
    let leaving_out = report.leaving_out();
    let corrected = if report.summary.corrected.is_some() {
        " and corrected to first order for the hyperparameters having seen it"
    } else {
        ", by hyperparameters that saw it"
    };
    format!(
        "Performance was estimated by {}: each row was predicted by the model {}{}{corrected}. \
         Discrimination is the area under the ROC curve{}, overall performance the negative log predictive probability and the \
         Brier score with their skill over the base rate, calibration {} and a smooth calibration curve (logistic regression on a \
         restricted cubic spline of the log-odds).",
        leaving_out.name(),
        leaving_out.without(),
        leaving_out.groups_text(),
        if report.has_several_classes() { " of each class against the rest, averaged" } else { "" },
        if report.has_several_classes() {
            "the common slope of the log-probabilities"
        } else {
            "the intercept and slope of a logistic recalibration, net benefit by decision-curve analysis"
        },
    )
}

/// What was found.
fn results(report: &Report<'_>) -> String {
    let scores = &report.summary.loo;
    let told = |name: &str, estimate: Option<Estimate>, format: fn(f64) -> String| {
        let estimate = estimate?;
        let error = estimate.standard_error.map_or(String::new(), |error| format!(" (SE {})", format(error)));
        Some(format!("{name} {}{error}", format(estimate.value)))
    };
    let with_skill = |text: Option<String>, skill: Option<Estimate>| {
        text.map(|text| text + &skill.map_or(String::new(), |skill| format!(", skill {}", percent(skill.value))))
    };
    let items = [
        told("AUROC", scores.auc, decimals),
        with_skill(told("NLP", Some(scores.nlp_nats), decimals), report.head.skill.nlp),
        with_skill(told("Brier score", Some(scores.brier), decimals), report.head.skill.brier),
        told("calibration intercept", report.head.intercept, two_decimals),
        told("calibration slope", report.head.slope, two_decimals),
    ];
    let items: Vec<String> = items.into_iter().flatten().collect();
    format!("{} results: {}.", html::capital(report.leaving_out().name()), items.join("; "))
}
