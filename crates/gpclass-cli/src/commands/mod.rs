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
use crate::interrupt::{AfterInterrupt, heeded};
use crate::session::Session;
use gpclass_host::threads;

/// Carries out what was typed.
pub fn run(cli: Cli) -> Result<(), CliError> {
    let asked = cli.global.threads;
    let threads = thread_count(asked)?;
    let after = match &cli.command {
        Command::Fit(args) if args.save_partial => AfterInterrupt::Finish,
        _ => AfterInterrupt::Hurry,
    };
    heeded(after, move |interrupt| {
        let session = Session::new(&cli.global, threads, interrupt);
        if asked.is_some_and(|asked| asked > threads as i64) {
            session.remark(&format!(
                "note: {threads} threads are used, four per core; more would only be in each other's way"
            ));
        }
        gpclass::linalg::with_threads(threads, || carry_out(cli.command, &session))
    })
}

fn carry_out(command: Command, session: &Session) -> Result<(), CliError> {
    match command {
        Command::Fit(args) => fit::run(&args, session),
        Command::Predict(args) => predict::run(&args, session),
        Command::Evaluate(args) => evaluate::run(&args, session),
        Command::Explain(args) => explain::run(&args, session),
        Command::Audit(args) => audit::run(&args, session),
        Command::Infer(args) => infer::run(&args, session),
        Command::Demo(args) => demo::run(&args, session),
        Command::Completions(args) => completions::run(&args),
    }
}

/// The threads to use where so many are asked for.
fn thread_count(asked: Option<i64>) -> Result<usize, CliError> {
    match asked {
        None => Ok(threads::cores()),
        Some(asked) if asked < 1 => {
            Err(CliError::user(format!("--threads is {asked}; give at least 1, or leave it out for one per core")))
        }
        Some(asked) => Ok(usize::try_from(asked).unwrap_or(usize::MAX).min(threads::most())),
    }
}
