//! Writes the tool's man pages into a folder, one for the tool and one for every command.
//!
//! `cargo run --example man_pages -- FOLDER`

use clap::CommandFactory;
use gpclass_cli::args::Cli;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("give the folder to write into")?;
    std::fs::create_dir_all(&folder)?;
    clap_mangen::generate_to(Cli::command(), folder)?;
    Ok(())
}
