use clap::Parser;
use gpclass_cli::args::Cli;
use gpclass_cli::error::{self, CliError};
use gpclass_cli::show::printable::page;
use gpclass_host::output::abandon;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Takes a progress line away that a worker may have left.
const CLEAR_LINE: &str = "\r\u{1b}[2K";

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return mistyped(&error),
    };
    match gpclass_cli::commands::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let done = abandon();
            let clear = matches!(error, CliError::Interrupted) && std::io::stderr().is_terminal();
            say(&format!("{}{}", if clear { CLEAR_LINE } else { "" }, page(&error::last_word(&error, done))));
            ExitCode::from(error.exit_code())
        }
    }
}

/// Help, the version, or what is wrong with the command line; the arguments that it repeats may hold anything.
fn mistyped(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    say(&page(&error.render().to_string()));
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(error::FAILED))
}

fn say(text: &str) {
    // Nobody can be told that standard error is gone.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
