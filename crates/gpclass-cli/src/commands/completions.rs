//! `gpclass completions`.

use crate::args::{Cli, CompletionsArgs};
use crate::error::CliError;
use crate::session::write_bytes;
use clap::CommandFactory;
use std::path::Path;

pub(super) fn run(args: &CompletionsArgs) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gpclass", &mut script);
    write_bytes(Path::new("-"), &script)
}
