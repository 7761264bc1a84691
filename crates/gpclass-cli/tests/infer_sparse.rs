//! `gpclass infer --inducing` against the reference values of inducing rows.

mod support;

use serde_json::Value;
use std::path::Path;
use support::{Bench, numeric_csv};

fn case(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../gpclass/tests/reference_sparse/{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("reference values")).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().map(|v| v.as_f64().unwrap()).collect(),
        single => vec![single.as_f64().unwrap_or_else(|| panic!("{single}"))],
    }
}

fn close(what: &str, got: &Value, want: &Value, tolerance: f64) {
    let (got, want) = (numbers(got), numbers(want));
    assert_eq!(got.len(), want.len(), "{what}");
    let scale = want.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
    for (g, w) in got.iter().zip(&want) {
        assert!((g - w).abs() <= tolerance * scale, "{what}: {g} and {w}");
    }
}

/// Writes the tables and gives the arguments; columns of one feature have its weight each.
fn prepared(bench: &Bench, case: &Value) -> Vec<String> {
    bench.write("train.csv", numeric_csv(&case["X_encoded"], Some(&case["y"])));
    bench.write("test.csv", numeric_csv(&case["Xtest_encoded"], None));
    bench.write("inducing.csv", numeric_csv(&case["Z_encoded"], None));
    let (kernel, lik) = (&case["kernel"], &case["likelihood"]);
    let family = match kernel["profile"].as_str().unwrap() {
        "se" => "se",
        "m32" => "matern32",
        other => panic!("{other}"),
    };
    let mut fix = vec![format!("v0={}", kernel["v0"]), format!("v1={}", kernel["v1"])];
    for (column, group) in numbers(&case["encoded_groups"]).iter().enumerate() {
        fix.push(format!("l{}={}", column + 1, kernel["l"][*group as usize]));
    }
    fix.extend(["eps", "b"].map(|name| format!("{name}={}", lik[name])));
    fix.push(format!("sigma={}", lik["sigma2"].as_f64().unwrap().sqrt()));
    let jitter = kernel["jitter_relative_to_v0"].to_string();
    let words = ["infer", "train.csv", "--label", "y", "--positive", "1", "--kernel", family, "--fix", &fix.join(",")];
    let more = ["--inducing", "inducing.csv", "--jitter", &jitter, "--refine", "8", "--test", "test.csv"];
    words.into_iter().chain(more).map(str::to_owned).collect()
}

fn run(bench: &Bench, words: &[String]) -> Value {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    serde_json::from_str(&bench.run(&words).ok()).unwrap()
}

#[test]
fn the_reference_values_are_printed() {
    for name in ["robust_bias_negative_tau_a", "mixed_columns_m32_a"] {
        let (case, bench) = (case(name), Bench::new());
        let got = run(&bench, &prepared(&bench, &case));
        assert_eq!(got["converged"], true);
        assert_eq!(got["inducing"], case["Z_encoded"].as_array().unwrap().len());
        close("log_z", &got["log_z"], &case["log_evidence"], 1e-8);
        for (field, group, name) in [
            ("tau", "sites_on_projection", "tau"),
            ("nu", "sites_on_projection", "nu"),
            ("projection_mean", "projection", "mean"),
            ("projection_var", "projection", "variance"),
            ("post_mean", "latent", "mean"),
            ("post_var", "latent", "variance"),
            ("cav_mean", "cavity_of_latent", "mean"),
            ("cav_var", "cavity_of_latent", "variance"),
            ("loo_logp", "cavity_of_latent", "log_prob_label"),
            ("label_error", "cavity_of_latent", "label_error"),
            ("test_mean", "prediction", "mean"),
            ("test_var", "prediction", "variance"),
            ("test_prob", "prediction", "probability"),
            ("refined_mean", "refined", "mean"),
            ("refined_var", "refined", "variance"),
            ("refined_prob", "refined", "probability"),
        ] {
            close(field, &got[field], &case[group][name], 1e-6);
        }
        close("residual_variance", &got["residual_variance"], &case["residual_variance_D"], 1e-6);
        for (ours, theirs) in
            [("log_v0", "log_v0"), ("log_v1", "log_v1"), ("lik_eps", "eps"), ("lik_b", "b"), ("lik_sigma2", "sigma2")]
        {
            close(ours, &got["grad"][ours], &case["gradient"][theirs], 1e-6);
        }
        let mut of_feature = vec![0.0; case["kernel"]["l"].as_array().unwrap().len()];
        for (column, group) in numbers(&case["encoded_groups"]).iter().enumerate() {
            of_feature[*group as usize] += got["grad"][&format!("log_l{}", column + 1)].as_f64().unwrap();
        }
        close("log_l", &of_feature.into(), &case["gradient"]["log_l"], 1e-6);
    }
}

#[test]
fn mistakes_are_told() {
    let (case, bench) = (case("probit_se_a"), Bench::new());
    let words = prepared(&bench, &case);
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut words = words.clone();
        change(&mut words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        bench.run(&words)
    };
    let set = |words: &mut Vec<String>, option: &str, value: &str| {
        let at = words.iter().position(|word| word == option).unwrap();
        words[at + 1] = value.to_owned();
    };
    assert!(with(&|words| set(words, "--jitter", "nan")).error().contains("jitter of the inducing rows is NaN"));
    bench.write("other.csv", "a,b\n1,2\n");
    assert!(with(&|words| set(words, "--inducing", "other.csv")).error().contains("x1"));
    let laplace = with(&|words| words.extend(["--inference", "laplace"].map(str::to_owned)));
    assert!(laplace.error().contains("laplace does not infer by way of inducing rows"));
    let alone = with(&|words| {
        let at = words.iter().position(|word| word == "--inducing").unwrap();
        words.drain(at..at + 4);
    });
    assert_eq!(alone.code, Some(2), "--refine is about inducing rows: {alone:?}");
}
