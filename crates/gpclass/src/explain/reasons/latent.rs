//! Reasons for the latent mean of models that predict together: a sum over models, each by the way that its kernel allows.

use super::closed::{Seen, closed};
use super::separable::{Term, terms};
use super::{Background, Parts, ReasonOptions, Reasons, reasons};
use crate::data::Inputs;
use crate::explain::{ExplainError, Weighed};
use crate::interrupt::Interrupt;
use crate::model::{Expansion, FittedModel, check_rows};
use gpclass_linalg::{Mat, vector};

/// The reasons for the weighted sum of the models' latent means, for every latent function. Exact where kernels are sums of
/// products over features (squared exponential, L1 product, linear, constant).
pub fn latent_reasons(
    models: &[Weighed<'_>],
    parts: &Parts,
    background: &Background,
    rows: &Inputs,
    options: &ReasonOptions,
    interrupt: Interrupt<'_>,
) -> Result<Reasons, ExplainError> {
    for model in models {
        let trained = model.fit.data().inputs();
        check_rows(rows, trained.features().len(), trained.values().cols())?;
    }
    let (separable, others): (Vec<&Weighed<'_>>, Vec<&Weighed<'_>>) =
        models.iter().partition(|model| all_terms(model.fit).is_some());
    let sampled = || {
        reasons(parts, background, rows, options, interrupt, |rows| Ok::<_, ExplainError>(weighed_means(&others, rows)))
    };
    if separable.is_empty() {
        return sampled();
    }
    options.check()?;
    let exact = in_closed_form(&separable, parts, background, rows);
    interrupt.check()?;
    Ok(if others.is_empty() { exact } else { exact.plus(&sampled()?) })
}

/// The terms of every function's kernel.
fn all_terms(fit: &FittedModel) -> Option<Vec<Vec<Term>>> {
    let features = fit.data().inputs().features();
    (0..fit.functions()).map(|class| terms(fit.model().kernel.of_class(class), features)).collect()
}

fn in_closed_form(models: &[&Weighed<'_>], parts: &Parts, background: &Background, rows: &Inputs) -> Reasons {
    let functions = models.first().map_or(0, |model| model.fit.functions());
    let nothing = || Mat::zeros(rows.rows(), parts.len());
    let mut values: Vec<Mat> = (0..functions).map(|_| nothing()).collect();
    for model in models {
        let view = model.fit.data().view();
        let (rows, others) = (view.apply(rows), view.apply(background.rows()));
        let seen = Seen { rows: &rows, background: &others, shares: background };
        for (class, terms) in all_terms(model.fit).unwrap_or_default().iter().enumerate() {
            let own = closed(terms, &model.fit.expansion(class), &seen, parts);
            vector::add_scaled(values[class].as_mut_slice(), model.weight, own.as_slice());
        }
    }
    let of_background = weighed_means(models, background.rows());
    Reasons {
        columns: parts.names().to_vec(),
        base: of_background.columns().map(|column| background.mean(column)).collect(),
        predicted: weighed_means(models, rows),
        values,
        errors: (0..functions).map(|_| nothing()).collect(),
        background: background.rows().rows(),
    }
}

/// The weighted sum of the means of every function: rows x functions.
fn weighed_means(models: &[&Weighed<'_>], rows: &Inputs) -> Mat {
    let functions = models.first().map_or(0, |model| model.fit.functions());
    let mut sum = Mat::zeros(rows.rows(), functions);
    for model in models {
        let seen = model.fit.data().view().apply(rows);
        for class in 0..functions {
            let Expansion { centres, weights } = model.fit.expansion(class);
            let mean = model.fit.model().kernel.of_class(class).cross(&centres, &seen).transpose_mul_vec(&weights);
            vector::add_scaled(sum.col_mut(class), model.weight, &mean);
        }
    }
    sum
}
