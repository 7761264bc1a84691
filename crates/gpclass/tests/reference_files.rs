//! The reference files are complete and consistent, so that a golden test cannot pass by comparing nothing.

#[path = "support/reference.rs"]
mod reference;

use reference::{Ep, Method};

#[test]
fn every_problem_has_its_inputs_and_an_answer_for_each_method() {
    let problems = reference::load_all();
    let names: Vec<&str> = problems.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["P1a", "P2a", "P3a", "P4a", "P5a", "P6a", "P7a", "P8a", "T1a", "T2a", "T3a"]);
    for p in &problems {
        assert_eq!(p.x.len(), p.y.len(), "{}", p.name);
        assert_eq!(p.test.len(), 10, "{}", p.name);
        assert!(p.x.iter().chain(&p.test).all(|row| row.len() == p.x[0].len()), "{}", p.name);
        assert!(p.y.iter().all(|y| y.abs() == 1), "{}", p.name);
        for c in &p.cases {
            assert_eq!(c.ep.is_some(), c.methods.contains(&Method::Ep), "{} {}", p.name, c.id);
            assert_eq!(c.laplace.is_some(), c.methods.contains(&Method::Laplace), "{} {}", p.name, c.id);
        }
    }
    let cases: usize = problems.iter().map(|p| p.cases.len()).sum();
    let without_fixed_point =
        problems.iter().flat_map(|p| &p.cases).filter(|c| matches!(c.ep, Some(Ep::NoFixedPoint))).count();
    assert_eq!((cases, without_fixed_point), (137, 2));
}

#[test]
fn arrays_have_one_entry_per_point() {
    for p in reference::load_all() {
        for c in &p.cases {
            if let Some(Ep::Converged(ep)) = &c.ep {
                assert!([&ep.tau, &ep.nu].iter().all(|a| a.len() == p.y.len()), "{} {}", p.name, c.id);
                assert_eq!(ep.test_prob.len(), p.test.len());
            }
            if let Some(laplace) = &c.laplace {
                assert_eq!(laplace.mode.len(), p.y.len(), "{} {}", p.name, c.id);
            }
        }
    }
}
