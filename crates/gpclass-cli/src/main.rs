use clap::Parser;
use gpclass_cli::args::Cli;
use gpclass_cli::error::CliError;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match gpclass_cli::commands::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let last_word = match &error {
                CliError::User(sentence) => format!("error: {sentence}\n"),
                CliError::Interrupted => "interrupted\n".to_owned(),
                CliError::BrokenPipe => String::new(),
            };
            // Nobody can be told that standard error is gone.
            let _ = std::io::stderr().write_all(last_word.as_bytes());
            gpclass_cli::output::remove_unfinished();
            ExitCode::from(error.exit_code())
        }
    }
}
