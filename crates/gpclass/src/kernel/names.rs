//! Parameter names that are unique in a whole tree of kernels.

use super::leaf::Leaf;
use crate::param::Param;
use std::collections::{HashMap, HashSet};

/// Every leaf's label, numbered from the second of its kind on: `se`, `se2`, `matern32`, `matern32_2`.
pub(super) fn leaf_labels(leaves: &[&dyn Leaf]) -> Vec<String> {
    let mut seen = HashMap::new();
    let numbered = leaves.iter().map(|leaf| {
        let label = leaf.label();
        let count = seen.entry(label).and_modify(|count| *count += 1).or_insert(1);
        match count {
            1 => label.to_owned(),
            _ if label.ends_with(|c: char| c.is_ascii_digit()) => format!("{label}_{count}"),
            _ => format!("{label}{count}"),
        }
    });
    numbered.collect()
}

/// The parameters of all leaves in order; a name that occurs in more than one leaf is qualified with the leaf's label.
pub(super) fn qualified(leaves: &[&dyn Leaf]) -> Vec<Param> {
    let own: Vec<Vec<Param>> = leaves.iter().map(|leaf| leaf.named()).collect();
    let mut leaves_with: HashMap<String, usize> = HashMap::new();
    for named in &own {
        for name in named.iter().map(|param| &param.name).collect::<HashSet<_>>() {
            *leaves_with.entry(name.clone()).or_default() += 1;
        }
    }
    let labels = leaf_labels(leaves);
    let qualify = |label: &str, param: Param| match leaves_with[&param.name] {
        1 => param,
        _ => Param { name: format!("{label}.{}", param.name), ..param },
    };
    labels.iter().zip(own).flat_map(|(label, named)| named.into_iter().map(move |p| qualify(label, p))).collect()
}
