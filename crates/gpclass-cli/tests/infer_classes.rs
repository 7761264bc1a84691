//! `gpclass infer` for several classes against the reference values.

mod support;

use serde_json::Value;
use support::{Bench, class_references, numeric_csv};

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap_or_else(|| panic!("{value}")).iter().map(|v| v.as_f64().unwrap()).collect()
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap_or_else(|| panic!("{value}")).iter().map(numbers).collect()
}

/// The same shape, and apart by no more than a share of the largest.
#[track_caller]
fn close(what: &str, got: &Value, want: &[Vec<f64>], tolerance: f64) {
    let got = matrix(got);
    assert_eq!(got.len(), want.len(), "{what}");
    let scale = want.iter().flatten().fold(1.0_f64, |m, v| m.max(v.abs()));
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        assert_eq!(got.len(), want.len(), "{what}");
        let gap = got.iter().zip(want).map(|(g, w)| (g - w).abs()).fold(0.0, f64::max);
        assert!(gap <= tolerance * scale, "{what}, row {i}: {got:?} is not {want:?}");
    }
}

/// The reference's small EPs are as they come out; together they fall short of one by up to two percent.
fn normalised(rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let one = |row: Vec<f64>| {
        let total: f64 = row.iter().sum();
        row.into_iter().map(|p| p / total).collect()
    };
    rows.into_iter().map(one).collect()
}

/// Values of the parameters as they are typed, with the names of their derivatives in the order of the reference's.
struct Fixed {
    fix: Vec<String>,
    slopes: Vec<String>,
}

impl Fixed {
    fn of(hyper: &Value) -> Fixed {
        let mut fixed = Fixed { fix: Vec::new(), slopes: Vec::new() };
        match hyper[0].is_array() {
            false => fixed.add(&numbers(hyper), ""),
            true => hyper.as_array().unwrap().iter().enumerate().for_each(|(class, hyper)| {
                fixed.add(&numbers(hyper), &format!("[{class}]"));
            }),
        }
        fixed
    }

    /// v0, l of every column or one for all, v1.
    fn add(&mut self, hyper: &[f64], class: &str) {
        let l = hyper.len() - 2;
        let names = (0..hyper.len()).map(|at| match at {
            0 => "v0".to_owned(),
            _ if at == l + 1 => "v1".to_owned(),
            _ if l == 1 => "l".to_owned(),
            _ => format!("l{at}"),
        });
        for (name, value) in names.zip(hyper) {
            self.fix.push(format!("{name}{class}={value}"));
            self.slopes.push(format!("log_{name}{class}"));
        }
    }
}

fn infer(problem: &Value, options: &[&str]) -> Value {
    let bench = Bench::new();
    bench.write("train.csv", numeric_csv(&problem["X"], Some(&problem["y"])));
    bench.write("test.csv", numeric_csv(&problem["Xtest"], None));
    let args = ["infer", "train.csv", "--label", "y", "--kernel", "se", "--test", "test.csv", "--json"];
    serde_json::from_str(&bench.run(&[&args[..], options].concat()).ok()).unwrap()
}

/// Evidence, gradient and posterior; `mean` is the reference's name of the means.
fn compare(problem: &Value, options: &[&str], method: &str, mean: &str) -> Value {
    let (name, want) = (problem["name"].as_str().unwrap(), &problem[method]);
    let fixed = Fixed::of(&problem["hyper"]);
    let got = infer(problem, &[options, &["--fix", &fixed.fix.join(",")]].concat());
    assert_eq!(got["converged"], true, "{name}: {got}");
    let classes: Vec<String> = (0..problem["C"].as_u64().unwrap()).map(|class| class.to_string()).collect();
    assert_eq!(got["classes"], serde_json::json!(classes), "{name}");
    let (log_z, wanted) = (got["log_z"].as_f64().unwrap(), want["logZ"].as_f64().unwrap());
    assert!((log_z - wanted).abs() <= 1e-8 * wanted.abs().max(1.0), "{name}: {log_z} is not {wanted}");
    let slopes: Vec<f64> = match want["grad_log"][0].is_array() {
        true => matrix(&want["grad_log"]).concat(),
        false => numbers(&want["grad_log"]),
    };
    let grad = got["grad"].as_object().unwrap();
    assert_eq!(grad.len(), slopes.len(), "{name}: {grad:?}");
    for (key, wanted) in fixed.slopes.iter().zip(&slopes) {
        let slope = grad[key].as_f64().unwrap();
        assert!((slope - wanted).abs() <= 1e-6 * wanted.abs().max(1.0), "{name} {key}: {slope} is not {wanted}");
    }
    for (field, reference) in
        [("pi", "pi"), ("nu", "nu"), ("post_mean", mean), ("post_var", "var"), ("test_mean", "test_mean")]
    {
        if !want[reference].is_null() {
            close(&format!("{name} {field}"), &got[field], &matrix(&want[reference]), 1e-6);
        }
    }
    got
}

#[test]
fn multinomial_probit_by_ep() {
    for problem in class_references() {
        let got = compare(&problem, &["--likelihood", "multinomial-probit", "--inference", "ep"], "ep", "mean");
        let want = &problem["ep"];
        // Two and three classes are exact; above, the same small EP as the reference's.
        let way = if want["test_prob_exact"].is_array() { "exact" } else { "inner_ep" };
        for field in ["loo_prob", "test_prob"] {
            let reference = normalised(matrix(&want[&format!("{field}_{way}")]));
            close(&format!("{} {field}", problem["name"]), &got[field], &reference, 1e-6);
        }
    }
}

#[test]
fn softmax_by_laplace() {
    for problem in class_references() {
        let got = compare(&problem, &["--likelihood", "softmax"], "softmax_laplace", "f");
        assert_eq!(got["method"], "laplace");
        let want = &problem["softmax_laplace"];
        if let Some(error) = want["test_prob_quadrature_error"].as_f64() {
            // By quadrature up to three classes, over a lattice above; the reference has an error of its own.
            let allowed = 10.0 * error + if problem["C"].as_u64().unwrap() <= 3 { 1e-6 } else { 1e-3 };
            close(&format!("{} test_prob", problem["name"]), &got["test_prob"], &matrix(&want["test_prob"]), allowed);
        }
        let total = |row: &Vec<f64>| (row.iter().sum::<f64>() - 1.0).abs() < 1e-9;
        assert!(matrix(&got["test_prob"]).iter().all(total) && matrix(&got["loo_prob"]).iter().all(total));
    }
}

fn three(rows: usize) -> String {
    let row = |i: usize| format!("{},{},{}\n", i % 7, (i * 5) % 11, ["a", "b", "c"][(i % 7) / 3]);
    format!("x,z,y\n{}", (0..rows).map(row).collect::<String>())
}

fn run(bench: &Bench, options: &[&str]) -> Value {
    let args = ["infer", "d.csv", "--label", "y", "--test", "d.csv"];
    serde_json::from_str(&bench.run(&[&args[..], options].concat()).ok()).unwrap()
}

#[test]
fn names_of_two_classes_mean_the_same_for_three() {
    let bench = Bench::new();
    bench.write("d.csv", three(21));
    let fix = ["--fix", "v0=4,l=0.3,v1=1"];
    let with = |likelihood: &str, fix: &[&str]| run(&bench, &[&["--likelihood", likelihood], fix].concat());
    let probit = with("multinomial-probit", &fix);
    assert_eq!(with("probit", &fix), probit);
    assert_eq!(run(&bench, &fix), probit, "it is the default");
    assert_eq!((&probit["multiclass"], &probit["method"]), (&"joint".into(), &"ep".into()));
    assert_eq!(with("logistic", &fix), with("softmax", &fix));
    let noisy = ["--fix", "v0=4,l=0.3,v1=1,eps=0.1"];
    let robust = with("robust", &noisy);
    assert_eq!(with("multinomial-probit", &noisy), robust);
    assert!(robust["grad"]["lik_eps"].as_f64().is_some() && probit["grad"]["lik_eps"].is_null());
    assert!(robust["label_error"][0].as_f64().unwrap() > 0.0);
    let rest = run(&bench, &[&fix[..], &["--multiclass", "one-vs-rest"]].concat());
    assert_eq!(rest["multiclass"], "one-vs-rest");
    assert_eq!(matrix(&rest["test_prob"])[0].len(), 3);
}

#[test]
fn two_classes_are_inferred_together_if_asked() {
    let bench = Bench::new();
    bench.write("d.csv", three(21).replace(",c\n", ",b\n"));
    let fix = ["--fix", "v0=4,l=0.3,v1=1"];
    let usual = run(&bench, &fix);
    assert!(usual["tau"].is_array() && usual["pi"].is_null());
    let together = run(&bench, &[&fix[..], &["--multiclass", "joint"]].concat());
    assert_eq!(together, run(&bench, &[&fix[..], &["--likelihood", "multinomial-probit"]].concat()));
    let (one, two) = (usual["log_z"].as_f64().unwrap(), together["log_z"].as_f64().unwrap());
    assert!((one - two).abs() < 1e-8, "{one} {two}");
    let (p, q) = (&usual["test_prob"][0], &together["test_prob"][0][1]);
    assert!((p.as_f64().unwrap() - q.as_f64().unwrap()).abs() < 1e-8, "{p} {q}");
}

#[test]
fn classes_without_rows_are_named() {
    let bench = Bench::new();
    bench.write("d.csv", three(21));
    let got = run(&bench, &["--fix", "v0=4,l=0.3", "--classes", "c,none,b,a"]);
    assert_eq!(got["classes"], serde_json::json!(["c", "none", "b", "a"]));
    assert_eq!(got["converged"], true);
    let rows = matrix(&got["loo_prob"]);
    assert!(rows.iter().all(|row| row.len() == 4 && row[1] > 0.0 && row[1] < 0.5), "{rows:?}");
    let refused =
        |options: &[&str]| bench.run(&[&["infer", "d.csv", "--label", "y", "--fix", "v0=4,l=0.3"], options].concat());
    assert!(refused(&["--classes", "a,b"]).error().contains("d.csv, line 8 has the label 'c'"));
    assert!(refused(&["--classes", "a"]).error().contains("from two to"));
    assert!(refused(&["--classes", "a,b,b,c"]).error().contains("two classes are named 'b'"));
    assert_eq!(refused(&["--classes", "a,b,c", "--positive", "a"]).code, Some(2));
}

#[test]
fn values_of_one_class_come_before_those_of_all() {
    let bench = Bench::new();
    bench.write("d.csv", three(21));
    let fix = |values: &str| run(&bench, &["--fix", values]);
    let shared = fix("v0=4,l1=0.3,l2=0.5,v1=1");
    let keys = |got: &Value| got["grad"].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&shared), "log_l1 log_l2 log_v0 log_v1");
    assert_eq!(keys(&fix("v0=4,l=0.3,v1=1")), "log_l log_v0 log_v1");
    // Equal values are the same model, whose slopes are the sums of those of the classes.
    let own = fix("v0=4,v0[b]=4,l1=0.3,l2=0.5,v1=1");
    assert_eq!(own["log_z"], shared["log_z"]);
    let slope = |got: &Value, name: &str| got["grad"][name].as_f64().unwrap();
    let sum: f64 = ["a", "b", "c"].iter().map(|class| slope(&own, &format!("log_l2[{class}]"))).sum();
    assert!((sum - slope(&shared, "log_l2")).abs() < 1e-9, "{sum}");
    // Every spelling of the same values.
    let one = fix("v0=4,v0[b]=2,l=0.3,l2=0.5,l1[b]=0.7,l2[b]=0.2,v1=1,v1[b]=0");
    assert_eq!(one, fix("v0=4,v0[b]=2,l[x]=0.3,l[z]=0.5,l[x][b]=0.7,l[z][b]=0.2,v1[a]=1,v1[c]=1"));
    assert!(one["grad"]["log_v1[b]"].is_null() && one["grad"]["log_v1[a]"].is_number());
    assert_ne!(one["log_z"], shared["log_z"]);
    // A column of the name of a class is a column.
    bench.write("d.csv", three(21).replacen("x,z,y", "b,z,y", 1));
    assert_eq!(keys(&fix("v0=4,l[b]=0.3,l[z]=0.5,v1=1")), "log_l1 log_l2 log_v0 log_v1");
    assert_eq!(fix("v0=4,l[b]=0.3,l[z]=0.5,v1=1")["log_z"], shared["log_z"]);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let bench = Bench::new();
    bench.write("d.csv", three(21));
    let refused = |options: &[&str]| bench.run(&[&["infer", "d.csv", "--label", "y"], options].concat()).error();
    let fix = ["--fix", "v0=4,l=0.3"];
    let says = |options: &[&str], parts: &[&str]| {
        let sentence = refused(&[&fix[..], options].concat());
        parts.iter().for_each(|part| assert!(sentence.contains(part), "no '{part}' in: {sentence}"));
    };
    says(
        &["--likelihood", "softmax", "--multiclass", "one-vs-rest"],
        &["all classes together", "--likelihood logistic"],
    );
    says(&["--likelihood", "softmax", "--inference", "ep"], &["softmax", "ep"]);
    says(&["--likelihood", "multinomial-probit", "--inference", "laplace"], &["multinomial probit", "laplace"]);
    says(&["--likelihood", "step"], &["'step'", "one-vs-rest"]);
    says(&["--positive", "a"], &["'a' was asked for as the positive class, which is for two classes"]);
    let values = |values: &str| refused(&["--fix", values]);
    assert!(values("v0[a]=1,l=1").contains("a value of v0 for class 'b'; add v0=... for all classes or v0[b]=..."));
    assert!(values("v0=1,l=1,v0[d]=2").contains("no parameter 'v0[d]'; it has v0, l"));
    assert!(values("v0=1,l=1,b=2").contains("no parameter 'b'"));
    assert!(values("v0=1,v0[a]=2,l1=1").contains("a value of l for column 'z'"));
}
