//! The page of all options is what the tool says of itself. Run with `GPCLASS_WRITE_OPTIONS=1` to write it anew.

use clap::{Arg, ArgAction, Command, CommandFactory};
use gpclass_cli::args::Cli;
use std::path::Path;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/OPTIONS.md");
const HEAD: &str = "# Options of the tool

Every command with everything that it understands, as `gpclass COMMAND --help` says it. [GUIDE.md](GUIDE.md) shows how they are used
together. This page is made from the tool itself, and a test holds it to that.
";

#[test]
fn every_option_is_on_the_page() {
    let made = page();
    if std::env::var_os("GPCLASS_WRITE_OPTIONS").is_some() {
        std::fs::write(PAGE, &made).unwrap();
    }
    let written = std::fs::read_to_string(Path::new(PAGE)).unwrap();
    assert!(made.contains("| `--label COLUMN` |") && made.contains("## gpclass audit"), "{made}");
    assert!(
        written == made,
        "docs/OPTIONS.md is not what the tool says: GPCLASS_WRITE_OPTIONS=1 cargo test --test options_page"
    );
}

fn page() -> String {
    let mut tool = Cli::command();
    tool.build();
    let everywhere: String = tool.get_arguments().filter(|arg| arg.is_global_set()).map(row).collect();
    let commands = tool.get_subcommands().filter(|command| command.get_name() != "help").map(section);
    format!("{HEAD}\n## Every command\n\n{}{everywhere}{}", head("option"), commands.collect::<String>())
}

fn section(command: &Command) -> String {
    let own = |arg: &&Arg| !arg.is_global_set() && arg.get_id() != "help" && !arg.is_hide_set();
    let (given, named): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(own).partition(|arg| arg.is_positional());
    let table = |what: &str, args: &[&Arg]| match args {
        [] => String::new(),
        some => format!("\n{}{}", head(what), some.iter().map(|arg| row(arg)).collect::<String>()),
    };
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    format!("\n## gpclass {}\n\n{about}.\n{}{}", command.get_name(), table("argument", &given), table("option", &named))
}

fn head(what: &str) -> String {
    format!("| {what} | meaning |\n|---|---|\n")
}

fn row(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let meaning = help.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    format!("| `{}` | {meaning}{}{} |\n", name(arg), choices(arg), default(arg))
}

fn name(arg: &Arg) -> String {
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let values =
        arg.get_value_names().unwrap_or_default().iter().map(|name| name.to_string()).collect::<Vec<_>>().join(" ");
    let Some(long) = arg.get_long() else { return values };
    let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    if takes_value { format!("{short}--{long} {values}") } else { format!("{short}--{long}") }
}

fn choices(arg: &Arg) -> String {
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let values = arg.get_possible_values();
    let shown: Vec<String> =
        values.iter().filter(|v| !v.is_hide_set()).map(|v| format!("`{}`", v.get_name())).collect();
    if !takes_value || shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) }
}

fn default(arg: &Arg) -> String {
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let values: Vec<String> = arg.get_default_values().iter().map(|v| v.to_string_lossy().into_owned()).collect();
    if !takes_value || values.is_empty() { String::new() } else { format!(" (default `{}`)", values.join(" ")) }
}
