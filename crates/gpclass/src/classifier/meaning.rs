//! Hyperparameters in words.

use crate::kernel::Kernel;
use crate::learn::role;

/// What a hyperparameter of a model with this kernel means, for a reader who knows no Gaussian processes.
pub fn meaning(name: &str, value: f64, kernel: &Kernel) -> String {
    let length = || format!("{:.3}", value.powf(-0.5));
    let of_feature = || name.split_once('[').map(|(_, rest)| rest.trim_end_matches(']').to_owned());
    match (role(name), of_feature()) {
        ("v0", _) if kernel.is_linear_weight(name) => "variance of the slopes of the linear part".to_owned(),
        ("v0", _) => "variance of the latent function: large means sharp probabilities".to_owned(),
        ("l", Some(feature)) => format!("relevance of {feature}: the function bends within a length of {}", length()),
        ("l", None) => format!("relevance of all features: the function bends within a length of {}", length()),
        ("w", Some(feature)) => format!("variance of the slope in {feature}"),
        ("w", None) => "variance of the slopes".to_owned(),
        ("v1", _) => "variance of the overall level, which sets the odds far from structure".to_owned(),
        ("v2", _) => "variance of noise that belongs to single rows".to_owned(),
        ("alpha", _) => "mixture of lengths: small means many of them at once".to_owned(),
        ("eps", _) => format!("share of wrong labels: {:.2} %", 100.0 * value),
        ("b", _) => "shift of the latent function towards the positive class".to_owned(),
        ("sigma", _) => "noise on the latent function: large means soft decisions".to_owned(),
        _ => String::new(),
    }
}
