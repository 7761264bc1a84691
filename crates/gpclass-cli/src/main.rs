use clap::Parser;
use gpclass_cli::args::Cli;
use gpclass_cli::error::CliError;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match gpclass_cli::commands::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            match &error {
                CliError::User(sentence) => eprintln!("error: {sentence}"),
                CliError::Interrupted => eprintln!("interrupted"),
                CliError::BrokenPipe => {}
            }
            gpclass_cli::output::remove_unfinished();
            ExitCode::from(error.exit_code())
        }
    }
}
