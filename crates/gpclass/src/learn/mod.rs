//! Learning the hyperparameters.

pub mod quasi_newton;
