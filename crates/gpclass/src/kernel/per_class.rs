//! Kernels that differ between the functions of several classes.

use super::Kernel;
use crate::param::Param;
use serde::{Deserialize, Serialize};

/// The kernel of one class's function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassKernel {
    /// Name of the class.
    pub class: String,
    /// Its kernel.
    pub kernel: Kernel,
}

impl ClassKernel {
    /// The kernel's parameters, the class in their names.
    pub(super) fn params(&self) -> Vec<Param> {
        self.kernel.params().into_iter().map(|param| param.of_class(&self.class)).collect()
    }
}

impl Kernel {
    /// The same kernel for every class, each with parameters of its own.
    pub fn per_class(self, classes: impl IntoIterator<Item = impl Into<String>>) -> Kernel {
        Kernel::PerClass(
            classes.into_iter().map(|class| ClassKernel { class: class.into(), kernel: self.clone() }).collect(),
        )
    }

    /// The kernel of the class at a position: its own, or the one that all share.
    pub fn of_class(&self, position: usize) -> &Kernel {
        match self {
            Kernel::PerClass(own) => &own[position].kernel,
            shared => shared,
        }
    }

    /// How many classes have a kernel of their own; `None` if all share it.
    pub fn own_classes(&self) -> Option<usize> {
        if let Kernel::PerClass(own) = self { Some(own.len()) } else { None }
    }
}

/// The formula that all classes have, or each one's.
pub(super) fn describe(kernel: &Kernel) -> String {
    let Kernel::PerClass(own) = kernel else { return kernel.describe() };
    let formulas: Vec<String> = own.iter().map(|own| own.kernel.describe()).collect();
    match formulas.first() {
        Some(first) if formulas.iter().all(|formula| formula == first) => format!("{first} of each class"),
        _ => own.iter().zip(formulas).map(|(own, f)| format!("{}: {f}", own.class)).collect::<Vec<_>>().join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Inputs;
    use crate::kernel::{KernelError, Scales};
    use gpclass_linalg::Mat;

    #[test]
    fn every_class_has_parameters_of_its_own() {
        let shared = Kernel::squared_exponential(4.0, Scales::Ard(vec![1.0, 2.0])) + Kernel::bias(0.5);
        let mut own = shared.clone().per_class(["a", "b"]);
        let names: Vec<String> = own.params().into_iter().map(|p| p.name).collect();
        assert_eq!(names, ["v0[a]", "l[x1][a]", "l[x2][a]", "v1[a]", "v0[b]", "l[x1][b]", "l[x2][b]", "v1[b]"]);
        own.set_value("l[x2][b]", 9.0).unwrap();
        assert_eq!(own.of_class(0), &shared);
        assert_eq!(own.of_class(1).params()[2].value, 9.0);
        assert_eq!((own.own_classes(), shared.own_classes()), (Some(2), None));
        assert_eq!(own.describe(), "SE(ARD) + bias of each class");
        let x = Inputs::continuous(Mat::from_fn(3, 2, |i, j| (i + j) as f64));
        assert_eq!(own.check(&x), Ok(()));
        assert_eq!((own.clone() + Kernel::bias(1.0)).check(&x), Err(KernelError::ClassesInside));
        let sum = Mat::from_fn(3, 3, |i, j| own.of_class(0).gram(&x)[(i, j)] + own.of_class(1).gram(&x)[(i, j)]);
        assert_eq!(own.gram(&x), sum);
        assert_eq!(serde_json::from_str::<Kernel>(&serde_json::to_string(&own).unwrap()).unwrap(), own);
    }
}
