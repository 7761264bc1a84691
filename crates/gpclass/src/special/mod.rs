//! Special functions of the normal distribution, accurate to the last digits in both tails.

mod branch_free;
mod cut_normal;
pub mod distributions;
mod erfcx;
mod legendre;
mod logs;
mod normal;
mod quantile;

pub use branch_free::{LogSigmoid, log_phi_branch_free, logistic_branch_free};
pub use erfcx::erfcx;
pub use legendre::{PANEL_NODES, legendre_nodes, panel_nodes};
pub use logs::{log_add_exp, log1m_exp, log1p_exp};
pub use normal::{hazard, hazard_gap, log_phi, log_phi_derivatives, log_phi_increment, normal_density, phi_cdf};
pub use quantile::{normal_quantile, normal_quantile_of_log};
