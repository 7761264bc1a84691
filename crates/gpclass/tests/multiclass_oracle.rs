//! Expectation propagation for several classes against the binary one, refits and permutations.

#[path = "support/classes.rs"]
mod classes;

use classes::{Drawn, infer};
use gpclass::data::{Class, Sign};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::joint::{ClassObservations, JointInferred};
use gpclass::inference::{Inferred, Method, Observations};
use gpclass::interrupt::Interrupt;
use gpclass::likelihood::multinomial::class_probabilities;
use gpclass::likelihood::{Likelihood, Link};
use gpclass::linalg::Mat;
use gpclass::prior::Prior;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

const PROBIT: Link = Link::Probit { label_error: 0.0 };

/// Random rows, labels and covariances: one for all classes, or one each.
struct Random {
    covariances: Vec<Mat>,
    classes: Vec<Class>,
    count: usize,
}

impl Random {
    fn new(seed: u64, n: usize, count: usize, shared: bool) -> Random {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let x: Vec<[f64; 2]> = (0..n).map(|_| [0; 2].map(|_| StandardNormal.sample(&mut rng))).collect();
        let covariances = (0..if shared { 1 } else { count })
            .map(|_| {
                let (log_v0, log_l): (f64, f64) = (rng.random_range(-1.0..3.0), rng.random_range(-1.0..1.5));
                let squared = |i: usize, j: usize| (0..2).map(|d| (x[i][d] - x[j][d]).powi(2)).sum::<f64>();
                Mat::from_fn(n, n, |i, j| log_v0.exp() * (-0.5 * log_l.exp() * squared(i, j)).exp() + 0.2)
            })
            .collect();
        let classes = (0..n).map(|_| Class::from(rng.random_range(0..count as u16))).collect();
        Random { covariances, classes, count }
    }

    fn of(&self, c: usize) -> &Mat {
        &self.covariances[if self.covariances.len() == 1 { 0 } else { c }]
    }

    fn own(&self, i: usize) -> usize {
        self.classes[i].position()
    }

    fn infer(&self) -> JointInferred {
        let observations = ClassObservations { classes: &self.classes, count: self.count, link: PROBIT, weights: None };
        infer(&self.covariances, &observations)
    }

    /// Every row with every other class.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let others = |i: usize| (0..self.count).filter(move |&c| c != self.own(i)).map(move |c| (i, c));
        (0..self.classes.len()).flat_map(others).collect()
    }

    /// The prior covariance of `h_ic = u_i + f_iy - f_ic` (multiclass 1).
    fn of_pairs(&self) -> Mat {
        let pairs = self.pairs();
        Mat::from_fn(pairs.len(), pairs.len(), |a, b| {
            let ((i, c), (j, d)) = (pairs[a], pairs[b]);
            let (y, z) = (self.own(i), self.own(j));
            let shared = |same: bool, c: usize| if same { self.of(c)[(i, j)] } else { 0.0 };
            f64::from(i == j) + shared(y == z, y) - shared(y == d, y) - shared(c == z, c) + shared(c == d, c)
        })
    }

    /// Binary EP that knows nothing of classes: all pairs are positive.
    fn as_binary(&self) -> Inferred {
        let (labels, likelihood) = (vec![Sign::Positive; self.pairs().len()], Likelihood::probit());
        let method = Method::Ep(EpOptions { tolerance: 1e-10, max_inner: 8, ..EpOptions::default() });
        let prior = Prior::from_covariance(self.of_pairs());
        method.infer(prior, &Observations::new(&labels, &likelihood), None, Interrupt::default()).unwrap()
    }
}

fn assert_close(what: &str, found: f64, want: f64, tolerance: f64) {
    assert!((found - want).abs() <= tolerance * want.abs().max(1.0), "{what}: {found} is not {want}");
}

#[test]
fn it_is_binary_ep_over_pairs() {
    for (seed, count, n) in [(1, 3, 12), (2, 3, 5), (3, 4, 10), (4, 4, 1), (5, 5, 8), (6, 6, 12), (7, 6, 3)] {
        for shared in [true, false] {
            let problem = Random::new(seed, n, count, shared);
            let (joint, binary) = (problem.infer(), problem.as_binary());
            let name = format!("seed {seed}, {count} classes, {n} rows, shared {shared}");
            assert_close(&format!("{name}: log Z"), joint.log_z, binary.log_z, 1e-8);
            let (sites, means) = (binary.posterior.sites(), binary.posterior.mean());
            for (pair, &(i, c)) in problem.pairs().iter().enumerate() {
                let y = problem.own(i);
                let what = |part: &str| format!("{name}: {part} of row {i} and class {c}");
                assert_close(&what("precision"), joint.pi[(i, c)], sites.tau[pair], 1e-8);
                // The mean of u is the slope of its row's sites, which is that of the own function.
                let h = joint.alpha[(i, y)] + joint.mean[(i, y)] - joint.mean[(i, c)];
                assert_close(&what("mean"), h, means[pair], 1e-8);
            }
        }
    }
}

#[test]
fn neither_the_order_of_rows_nor_that_of_classes_matters() {
    for shared in [true, false] {
        let problem = Random::new(8, 11, 4, shared);
        let (rows, classes) = ([7, 2, 9, 0, 4, 10, 1, 8, 3, 6, 5], [2, 0, 3, 1]);
        let moved = |k: &Mat| Mat::from_fn(11, 11, |i, j| k[(rows[i], rows[j])]);
        let covariances = match shared {
            true => vec![moved(&problem.covariances[0])],
            false => classes.iter().map(|&c| moved(&problem.covariances[c])).collect(),
        };
        let renamed = |class: usize| Class::at(classes.iter().position(|&c| c == class).unwrap()).unwrap();
        let labels = rows.iter().map(|&i| renamed(problem.own(i))).collect();
        let (one, other) = (problem.infer(), Random { covariances, classes: labels, count: 4 }.infer());
        assert_close("log Z", other.log_z, one.log_z, 1e-10);
        let (var, other_var) = (one.factor.marginals().var, other.factor.marginals().var);
        for (i, &row) in rows.iter().enumerate() {
            for (c, &class) in classes.iter().enumerate() {
                assert_close("mean", other.mean[(i, c)], one.mean[(row, class)], 1e-8);
                assert_close("variance", other_var[(i, c)], var[(row, class)], 1e-8);
                assert_close("precision", other.pi[(i, c)], one.pi[(row, class)], 1e-8);
            }
        }
    }
}

/// Row cavities against refits without the row (multiclass 4: at most 0.012, 0.0022 on average).
#[test]
fn cavities_are_refits_without_the_row() {
    let drawn = Drawn::new(21, 30, 3, 1.0, 1.0);
    let (k, observations) = (drawn.covariance(), drawn.observations(PROBIT));
    let cavities = infer(std::slice::from_ref(&k), &observations).cavities(&observations);
    let (mut largest, mut total) = (0.0_f64, 0.0);
    for (i, cavity) in cavities.iter().enumerate() {
        let left_out = class_probabilities(&cavity.mean, &cavity.cov);
        for (p, q) in left_out.iter().zip(refitted_without(&drawn, &k, i)) {
            largest = largest.max((p - q).abs());
            total += (p - q).abs();
        }
    }
    let mean = total / (cavities.len() * drawn.count) as f64;
    println!("largest {largest}, mean {mean}");
    assert!(largest < 0.02 && mean < 0.004, "largest difference {largest}, mean {mean}");
    assert!(largest > 1e-4, "a cavity is no refit: {largest}");
}

fn refitted_without(drawn: &Drawn, k: &Mat, i: usize) -> Vec<f64> {
    let others: Vec<usize> = (0..k.rows()).filter(|&j| j != i).collect();
    let classes: Vec<Class> = others.iter().map(|&j| drawn.classes[j]).collect();
    let observations = ClassObservations { classes: &classes, ..drawn.observations(PROBIT) };
    let rest = infer(&[k.select_rows(&others).select_columns(&others)], &observations);
    let prior_var = Mat::from_fn(1, drawn.count, |_, _| k[(i, i)]);
    let (mean, cov) = rest.factor.predict(&rest.alpha, &[k.select_rows(&others).select_columns(&[i])], &prior_var);
    class_probabilities(&(0..drawn.count).map(|c| mean[(0, c)]).collect::<Vec<_>>(), &cov[0])
}
