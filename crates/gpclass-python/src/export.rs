//! The numbers of a predictor, for those who rebuild it elsewhere.

use crate::candidates::kernel_json;
use crate::convert::{render, to_array, to_vector};
use gpclass::classifier::{Classifier, Member};
use gpclass::data::InputView;
use gpclass::inference::joint::JointInferred;
use gpclass::inference::{Inferred, Method};
use gpclass::model::{FittedModel, Multiclass, TrainingData};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// The encoder, every view that models have of the encoded rows with the training rows as it shows them, and the models.
pub fn export<'py>(py: Python<'py>, classifier: &Classifier) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("encoder", render("encoder", classifier.encoder())?)?;
    let seen =
        |kind: &InputView| classifier.members().iter().map(|m| m.fitted().data()).find(|d| d.view().kind() == *kind);
    let view = |data: &Arc<TrainingData>| {
        let (kind, inputs) = (data.view().kind().name(), to_array(py, data.inputs().values()));
        Ok((kind, render("view", data.view())?, inputs))
    };
    let views = InputView::ALL.iter().filter_map(seen).map(view);
    dict.set_item("views", views.collect::<PyResult<Vec<_>>>()?)?;
    let features = classifier.training().given().features().iter();
    dict.set_item("features", features.map(|f| (f.columns.start, f.columns.end)).collect::<Vec<_>>())?;
    dict.set_item("sharpness", classifier.sharpness())?;
    let members = classifier.members().iter().map(|member| member_dict(py, member));
    dict.set_item("members", members.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

/// A model: `functions` has one entry for two classes and one for each against the rest, `joint` is there instead where
/// classes are inferred together; `exactly_one` says how classes against the rest become probabilities.
fn member_dict<'py>(py: Python<'py>, member: &Member) -> PyResult<Bound<'py, PyDict>> {
    let fitted = member.fitted();
    let model = fitted.model();
    let dict = PyDict::new(py);
    dict.set_item("weight", member.weight())?;
    dict.set_item("view", fitted.data().view().kind().name())?;
    dict.set_item("kernel", kernel_json(&model.kernel)?)?;
    dict.set_item("likelihood", render("likelihood", &model.likelihood)?)?;
    if let Some(joint) = fitted.joint() {
        dict.set_item("joint", joint_dict(py, fitted, joint)?)?;
    } else {
        let each = fitted.binary().map_or_else(|| fitted.one_vs_rest().unwrap_or_default(), std::slice::from_ref);
        let functions = each.iter().map(|inferred| function_dict(py, inferred));
        dict.set_item("functions", functions.collect::<PyResult<Vec<_>>>()?)?;
        dict.set_item("exactly_one", model.multiclass == Multiclass::ExactlyOne)?;
    }
    Ok(dict)
}

fn function_dict<'py>(py: Python<'py>, inferred: &Inferred) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("observation_variance", inferred.observation_var)?;
    dict.set_item("alpha", to_vector(py, inferred.posterior.alpha().iter().copied()))?;
    dict.set_item("information", to_array(py, &py.detach(|| inferred.posterior.information())))?;
    Ok(dict)
}

fn joint_dict<'py>(py: Python<'py>, fitted: &FittedModel, joint: &JointInferred) -> PyResult<Bound<'py, PyDict>> {
    let kernels = fitted.model().kernel.own_classes().unwrap_or(1);
    let priors = (0..kernels).map(|class| to_array(py, &fitted.prior(class).covariance()));
    let averaged = matches!(&fitted.model().method, Method::Laplace(options) if options.averaged);
    let dict = PyDict::new(py);
    dict.set_item("pi", to_array(py, &joint.pi))?;
    dict.set_item("alpha", to_array(py, &joint.alpha))?;
    dict.set_item("priors", priors.collect::<Vec<_>>())?;
    dict.set_item("averaged", averaged)?;
    Ok(dict)
}
