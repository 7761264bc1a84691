//! The commands: checked plans, carried out.

mod audit;
mod completions;
mod demo;
mod evaluate;
mod explain;
mod fit;
mod infer;
mod predict;

use crate::args::{Cli, Command};
use crate::error::CliError;
use crate::session::Session;

/// Carries out what was typed.
pub fn run(cli: Cli) -> Result<(), CliError> {
    let session = Session::new(&cli.global);
    let session = &session;
    gpclass::linalg::with_threads(cli.global.threads, move || match cli.command {
        Command::Fit(args) => fit::run(&args, session),
        Command::Predict(args) => predict::run(&args, session),
        Command::Evaluate(args) => evaluate::run(&args, session),
        Command::Explain(args) => explain::run(&args, session),
        Command::Audit(args) => audit::run(&args, session),
        Command::Infer(args) => infer::run(&args, session),
        Command::Demo(args) => demo::run(&args, session),
        Command::Completions(args) => completions::run(&args),
    })
}
