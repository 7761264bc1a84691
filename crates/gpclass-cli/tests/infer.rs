//! `gpclass infer` against the reference values.

mod support;

use serde_json::Value;
use support::{Bench, numeric_csv, reference};

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap_or_else(|| panic!("{value}")).iter().map(|v| v.as_f64().unwrap()).collect()
}

fn close(what: &str, got: &Value, want: &Value, tolerance: f64) {
    let (got, want) = match want {
        Value::Array(_) => (numbers(got), numbers(want)),
        _ => (vec![got.as_f64().unwrap_or_else(|| panic!("{what}: {got}"))], vec![want.as_f64().unwrap()]),
    };
    assert_eq!(got.len(), want.len(), "{what}");
    let scale = want.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
    for (g, w) in got.iter().zip(&want) {
        assert!((g - w).abs() <= tolerance * scale, "{what}: {g} and {w}");
    }
}

fn compare(problem_name: &str, case_id: &str, method: &str) {
    let problem = reference(problem_name);
    let case = problem["cases"].as_array().unwrap().iter().find(|c| c["id"] == case_id).unwrap();
    let bench = Bench::new();
    bench.write("train.csv", numeric_csv(&problem["x"], Some(&problem["y"])));
    bench.write("test.csv", numeric_csv(&problem["test"], None));
    let (cov, lik) = (&case["cov"], &case["lik"]);
    let mut fix = vec![format!("v0={}", cov["v0"]), format!("v1={}", cov["v1"]), format!("v2={}", cov["v2"])];
    for (m, l) in cov["l"].as_array().into_iter().flatten().enumerate() {
        fix.push(format!("l{}={l}", m + 1));
    }
    if lik["type"] != "logistic" {
        fix.extend(["eps", "b", "sigma"].map(|name| format!("{name}={}", lik[name])));
    }
    let ran = bench.run(&[
        "infer",
        "train.csv",
        "--label",
        "y",
        "--kernel",
        cov["kernel"].as_str().unwrap(),
        "--likelihood",
        lik["type"].as_str().unwrap(),
        "--inference",
        method,
        "--fix",
        &fix.join(","),
        "--test",
        "test.csv",
    ]);
    let got: Value = serde_json::from_str(&ran.ok()).unwrap();
    assert_eq!(got["converged"], true);
    let want = &case[method];
    close("log_z", &got["log_z"], &want["log_z"], 1e-8);
    for field in [
        "tau",
        "nu",
        "post_mean",
        "post_var",
        "cav_mean",
        "cav_var",
        "loo_prob_y",
        "loo_logp_sum",
        "test_mean",
        "test_var",
        "test_prob",
        "mode",
        "W",
        "n_negative_sites",
    ] {
        if !want[field].is_null() {
            close(field, &got[field], &want[field], 1e-6);
        }
    }
    let gradient = want["grad"].as_object().unwrap();
    assert!(!gradient.is_empty());
    for (name, slope) in gradient {
        close(name, &got["grad"][name], slope, 1e-6);
    }
    assert_eq!(got["grad"].as_object().unwrap().len(), gradient.len(), "{:?}", got["grad"]);
}

#[test]
fn ep_probit_with_two_lengthscales() {
    compare("P1a", "probit-h1", "ep");
}

#[test]
fn ep_step_with_label_error() {
    compare("P2a", "step-eps05-h1", "ep");
}

#[test]
fn laplace_logistic() {
    compare("P1a", "logit-h1", "laplace");
}

#[test]
fn one_row_of_one_class() {
    let problem = reference("T1a");
    let case = problem["cases"][0]["id"].as_str().unwrap().to_owned();
    compare("T1a", &case, "ep");
}

#[test]
fn parameters_are_asked_for_and_checked() {
    let bench = Bench::new();
    bench.write("d.csv", support::disc(20));
    let infer = |fix: &str| bench.run(&["infer", "d.csv", "--label", "y", "--fix", fix]);
    assert!(infer("v0=1").error().contains("'a'; add l=... for all columns or l[a]=..."));
    assert!(infer("l=1").error().contains("'v0'; add v0=..."));
    assert!(infer("v0=1,l=1,q=2").error().contains("no parameter 'q'"));
    assert!(infer("v0=-1,l=1").error().contains("positive"));
    assert!(infer("v0=1,l=1,v0=2").error().contains("twice"));
    assert_eq!(infer("v0").code, Some(2));
    let by_name = infer("v0=1,l=1,l[b]=2,l[c]=0.5").ok();
    assert_eq!(by_name, infer("v0=1,l1=1,l2=2,l3=0.5").ok());
}

#[test]
fn an_additive_kernel_of_one_column_is_the_squared_exponential() {
    let bench = Bench::new();
    let row = |i: usize| format!("{},{}\n", f64::from(i as u32).sin(), if i % 5 < 2 { "no" } else { "yes" });
    bench.write("d.csv", format!("a,y\n{}", (0..20).map(row).collect::<String>()));
    let infer = |kernel: &str, fix: &str| -> Value {
        let ran = bench.run(&["infer", "d.csv", "--label", "y", "--kernel", kernel, "--fix", fix]);
        serde_json::from_str(&ran.ok()).unwrap()
    };
    let want = infer("se", "v0=2,l=0.7,v1=0.3");
    for (fix, variance) in [("w[a]=2,l=0.7,v1=0.3", "log_w1"), ("v0=2,l=0.7,v1=0.3", "log_v0")] {
        let got = infer("additive", fix);
        close("log_z", &got["log_z"], &want["log_z"], 1e-12);
        close("variance", &got["grad"][variance], &want["grad"]["log_v0"], 1e-10);
        close("length", &got["grad"]["log_l"], &want["grad"]["log_l1"], 1e-10);
    }
    let missing = bench.run(&["infer", "d.csv", "--label", "y", "--kernel", "additive", "--fix", "l=1"]).error();
    assert!(missing.contains("the additive kernel needs a value for 'v0'"), "{missing}");
}
