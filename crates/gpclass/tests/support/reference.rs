//! The reference values of `tests/reference` (see its README) as data.

// Every test program that includes this file uses its own part of it.
#![allow(dead_code)]

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One data set with the answers for several models.
#[derive(Clone, Debug, Deserialize)]
pub struct Problem {
    #[serde(rename = "problem")]
    pub name: String,
    /// Training inputs, row by row.
    pub x: Vec<Vec<f64>>,
    /// Labels, -1 or +1.
    pub y: Vec<i8>,
    /// Test inputs, row by row.
    pub test: Vec<Vec<f64>>,
    pub cases: Vec<Case>,
}

impl Problem {
    /// The case of that name. Panics if there is none.
    pub fn case(&self, id: &str) -> &Case {
        self.cases.iter().find(|c| c.id == id).unwrap_or_else(|| panic!("{} has no case {id}", self.name))
    }
}

/// One model on one data set.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    pub id: String,
    pub cov: Covariance,
    pub lik: Likelihood,
    pub methods: Vec<Method>,
    pub ep: Option<Ep>,
    pub laplace: Option<Laplace>,
    pub truth: Option<Truth>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    Ep,
    Laplace,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Covariance {
    pub kernel: KernelName,
    pub v0: f64,
    /// Inverse squared lengthscales; empty for the linear kernel.
    #[serde(default)]
    pub l: Vec<f64>,
    pub v1: f64,
    pub v2: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum KernelName {
    #[serde(rename = "se")]
    SquaredExponential,
    #[serde(rename = "lin")]
    Linear,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Likelihood {
    #[serde(rename = "type")]
    pub name: LikelihoodName,
    pub sigma: f64,
    pub b: f64,
    pub eps: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LikelihoodName {
    Probit,
    Step,
    Logistic,
}

/// Derivatives of log Z by name (`log_v0`, `log_l1`, ..., `lik_b`, `lik_log_sigma`, `lik_eps`).
pub type Gradient = BTreeMap<String, f64>;

/// What EP says: a fixed point, or that there is none.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "status")]
pub enum Ep {
    #[serde(rename = "ok")]
    Converged(Box<EpFixedPoint>),
    #[serde(rename = "no_ep_fixed_point_found")]
    NoFixedPoint,
}

#[derive(Clone, Debug, Deserialize)]
pub struct EpFixedPoint {
    pub log_z: f64,
    pub tau: Vec<f64>,
    pub nu: Vec<f64>,
    pub loo_logp_sum: f64,
    pub grad: Gradient,
    pub test_mean: Vec<f64>,
    pub test_var: Vec<f64>,
    pub test_prob: Vec<f64>,
    pub n_negative_sites: usize,
    pub log_z_other_order: Option<f64>,
    // Left out of most cases of the two largest problems:
    pub post_mean: Option<Vec<f64>>,
    pub post_var: Option<Vec<f64>>,
    pub cav_mean: Option<Vec<f64>>,
    pub cav_var: Option<Vec<f64>>,
    pub loo_prob_y: Option<Vec<f64>>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Laplace {
    pub log_z: f64,
    pub mode: Vec<f64>,
    pub grad: Gradient,
    pub test_mean: Vec<f64>,
    pub test_var: Vec<f64>,
    pub test_prob: Vec<f64>,
    pub resid_mode: f64,
    // Left out of most cases of the two largest problems:
    #[serde(rename = "W")]
    pub w: Option<Vec<f64>>,
    pub post_var: Option<Vec<f64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TruthKind {
    Exact,
    ImportanceSampling,
}

/// What the approximations should have been.
#[derive(Clone, Debug, Deserialize)]
pub struct Truth {
    pub kind: TruthKind,
    /// False: ignore the importance-sampling numbers.
    pub reliable: bool,
    pub log_z: f64,
    pub log_z_se: f64,
    /// Effective sample size of the importance sampling.
    pub ess_min: Option<f64>,
    pub test_prob: Option<Vec<f64>>,
    pub test_prob_se: Option<Vec<f64>>,
    pub signal_post_mean: Option<Vec<f64>>,
    pub signal_post_var: Option<Vec<f64>>,
    pub genz_log_z: Option<f64>,
    pub genz_se: Option<f64>,
    pub loo_prob_y: Option<Vec<f64>>,
    pub loo_prob_se: Option<Vec<f64>>,
}

/// Every problem, by name.
pub fn load_all() -> Vec<Problem> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the folder of reference values")
        .map(|entry| entry.expect("a folder entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    files.iter().map(|path| read(path)).collect()
}

/// One problem. Panics if it does not exist.
pub fn load(name: &str) -> Problem {
    read(&folder().join(format!("{name}.json")))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

fn read(path: &Path) -> Problem {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
