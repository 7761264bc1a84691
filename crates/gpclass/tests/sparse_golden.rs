//! The reference cases of inducing rows and local refinement (tests/reference_sparse), to the tolerances that its README gives.

use gpclass::data::{Class, Feature, FeatureKind, Inputs, Sign};
use gpclass::inference::Method;
use gpclass::inference::ep::EpOptions;
use gpclass::interrupt::Interrupt;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{
    FittedModel, InferenceResult, Model, ModelError, Multiclass, Refinement, ShardAnswer, Shards, TrainingData,
};
use gpclass::prior::{Inducing, SiteSums};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

const CASES: [&str; 5] = [
    "all_rows_inducing_a",
    "mixed_columns_m32_a",
    "near_duplicate_inducing_large_v0_a",
    "probit_se_a",
    "robust_bias_negative_tau_a",
];

fn case(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference_sparse").join(format!("{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap_or_else(|| panic!("{value}")).iter().map(|v| v.as_f64().unwrap()).collect()
}

/// Encoded rows; columns of one group are one feature.
fn inputs(case: &Value, rows: &str) -> Inputs {
    let rows: Vec<Vec<f64>> = case[rows].as_array().unwrap().iter().map(numbers).collect();
    let groups = numbers(&case["encoded_groups"]);
    let mut features: Vec<Feature> = Vec::new();
    for (column, group) in groups.iter().enumerate() {
        match features.get_mut(*group as usize) {
            Some(feature) => {
                feature.columns.end = column + 1;
                feature.kind = FeatureKind::Discrete;
            }
            None => features.push(Feature {
                name: format!("x{}", features.len() + 1),
                kind: FeatureKind::Continuous,
                columns: column..column + 1,
            }),
        }
    }
    Inputs::new(features, Mat::from_fn(rows.len(), groups.len(), |i, j| rows[i][j]))
}

/// What a case is about: the model, all rows, inducing rows, refinement.
fn problem(case: &Value) -> (Model, Arc<TrainingData>, Inducing, Option<Refinement>) {
    let x = inputs(case, "X_encoded");
    let y =
        numbers(&case["y"]).iter().map(|y| if *y > 0.0 { Sign::Positive } else { Sign::Negative }).collect::<Vec<_>>();
    let (k, lik) = (&case["kernel"], &case["likelihood"]);
    let make = match k["profile"].as_str().unwrap() {
        "se" => Kernel::squared_exponential,
        "m32" => Kernel::matern32,
        "m52" => Kernel::matern52,
        other => panic!("{other}"),
    };
    let number = |value: &Value| value.as_f64().unwrap();
    let kernel = make(number(&k["v0"]), Scales::Ard(numbers(&k["l"]))) + Kernel::bias(number(&k["v1"]));
    let likelihood = Likelihood::full(number(&lik["eps"]), number(&lik["b"]), number(&lik["sigma2"]).sqrt()).unwrap();
    let method = Method::Ep(EpOptions { tolerance: 1e-10, ..EpOptions::default() });
    let model = Model { kernel, likelihood, method, multiclass: Multiclass::Auto };
    let inducing = Inducing::new(inputs(case, "Z_encoded"), number(&k["jitter_relative_to_v0"]));
    let data = Arc::new(TrainingData::new(x, y).unwrap());
    let refinement = Some(Refinement { neighbours: case["refined"]["m"].as_u64().unwrap() as usize });
    (model, data, inducing, refinement)
}

fn fitted(case: &Value) -> FittedModel {
    let (model, data, inducing, refinement) = problem(case);
    model.infer_sparse(&data, &inducing, refinement, None, Interrupt::default()).unwrap()
}

/// Some rows of a case in shards.
struct Held {
    model: Model,
    inducing: Inducing,
    parts: Vec<TrainingData>,
}

impl Shards for Held {
    fn rows(&self) -> Vec<usize> {
        self.parts.iter().map(TrainingData::rows).collect()
    }

    fn answers(&self, class: usize, all: &SiteSums, own: &[SiteSums]) -> Result<Vec<ShardAnswer>, ModelError> {
        let each = self.parts.iter().zip(own);
        each.map(|(part, own)| self.model.shard_step(part, class, &self.inducing, all, own)).collect()
    }
}

#[test]
fn every_case_with_its_rows_in_three_places() {
    for name in CASES {
        let case = case(name);
        let (model, data, inducing, _) = problem(&case);
        let third = |k: usize| (0..data.rows()).filter(|row| row % 3 == k).collect::<Vec<_>>();
        let here = Arc::new(data.with_rows(&third(0)));
        let parts = [1, 2].map(|k| data.with_rows(&third(k))).to_vec();
        let held = Held { model: model.clone(), inducing: inducing.clone(), parts };
        let fit = model.infer_beside(&here, &inducing, None, &held, Interrupt::default()).unwrap();
        assert!(fit.report().outcome.converged(), "{name}: {:?}", fit.report());
        let log_z = case["log_evidence"].as_f64().unwrap();
        assert!((fit.log_evidence() - log_z).abs() < 1e-7 * log_z.abs(), "{name}: {} {log_z}", fit.log_evidence());
        let test = fit.predict(&inputs(&case, "Xtest_encoded")).unwrap();
        let positive = test.probability.of_class(Class::POSITIVE).to_vec();
        close(&format!("{name} probability"), &positive, &case["prediction"]["probability"], 1e-6);
        close(&format!("{name} mean"), test.mean.col(0), &case["prediction"]["mean"], 1e-5);
    }
}

fn close(what: &str, got: &[f64], want: &Value, tolerance: f64) {
    let want = numbers(want);
    assert_eq!(got.len(), want.len(), "{what}");
    let scale = want.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
    for (got, want) in got.iter().zip(&want) {
        assert!((got - want).abs() <= tolerance * scale, "{what}: {got} and {want}");
    }
}

#[test]
fn every_case() {
    for name in CASES {
        let case = case(name);
        let fit = fitted(&case);
        let got = InferenceResult::of(&fit, Some(&inputs(&case, "Xtest_encoded"))).unwrap();
        assert!(got.converged, "{name}");
        assert_eq!(got.inducing, Some(case["Z_encoded"].as_array().unwrap().len()));
        let log_z = case["log_evidence"].as_f64().unwrap();
        assert!((got.log_z - log_z).abs() < 1e-8, "{name}: {} and {log_z}", got.log_z);
        let vector = |what: &str, got: &[f64], want: &Value| close(&format!("{name} {what}"), got, want, 1e-6);
        let probability = |what: &str, got: &[f64], want: &Value| close(&format!("{name} {what}"), got, want, 1e-7);
        vector("tau", &got.tau, &case["sites_on_projection"]["tau"]);
        vector("nu", &got.nu, &case["sites_on_projection"]["nu"]);
        vector("D", got.residual_variance.as_ref().unwrap(), &case["residual_variance_D"]);
        vector("projection mean", got.projection_mean.as_ref().unwrap(), &case["projection"]["mean"]);
        vector("projection variance", got.projection_var.as_ref().unwrap(), &case["projection"]["variance"]);
        vector("latent mean", &got.post_mean, &case["latent"]["mean"]);
        vector("latent variance", &got.post_var, &case["latent"]["variance"]);
        vector("cavity mean", &got.cav_mean, &case["cavity_of_latent"]["mean"]);
        vector("cavity variance", &got.cav_var, &case["cavity_of_latent"]["variance"]);
        vector("leave-one-out", &got.loo_logp, &case["cavity_of_latent"]["log_prob_label"]);
        probability("label error", &got.label_error, &case["cavity_of_latent"]["label_error"]);
        vector("mean", got.test_mean.as_ref().unwrap(), &case["prediction"]["mean"]);
        vector("variance", got.test_var.as_ref().unwrap(), &case["prediction"]["variance"]);
        probability("probability", got.test_prob.as_ref().unwrap(), &case["prediction"]["probability"]);
        vector("refined mean", got.refined_mean.as_ref().unwrap(), &case["refined"]["mean"]);
        vector("refined variance", got.refined_var.as_ref().unwrap(), &case["refined"]["variance"]);
        probability("refined probability", got.refined_prob.as_ref().unwrap(), &case["refined"]["probability"]);
        let nearest = fit.model().kernel.nearest(fit.data().inputs(), &inputs(&case, "Xtest_encoded"), 8, |_| None);
        for (got, want) in nearest.iter().zip(case["refined"]["neighbours"].as_array().unwrap()) {
            assert_eq!(got.iter().map(|&i| i as f64).collect::<Vec<_>>(), numbers(want), "{name}");
        }
        gradient(name, &got, &case["gradient"]);
    }
}

fn gradient(name: &str, got: &InferenceResult, want: &Value) {
    let pairs =
        [("log_v0", "log_v0"), ("log_v1", "log_v1"), ("lik_eps", "eps"), ("lik_b", "b"), ("lik_sigma2", "sigma2")];
    let single = pairs.into_iter().map(|(ours, theirs)| (ours.to_owned(), want[theirs].as_f64().unwrap()));
    let scales = numbers(&want["log_l"]).into_iter().enumerate().map(|(m, slope)| (format!("log_l{}", m + 1), slope));
    for (key, slope) in single.chain(scales) {
        let found = got.grad[&key];
        assert!((found - slope).abs() <= 1e-6 * slope.abs().max(1.0), "{name} {key}: {found} and {slope}");
    }
}
