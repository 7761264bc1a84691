//! The order of the rooms: the table in `lib.rs`, the sentence in CONTRIBUTING.md and what the modules really use agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The modules in the order of the table in `lib.rs`.
fn table() -> Vec<String> {
    let rows = read(&source().join("lib.rs"));
    let cell = |line: &str| line.strip_prefix("//! | [`")?.split_once('`').map(|(name, _)| name.to_owned());
    rows.lines().filter_map(cell).collect()
}

#[test]
fn the_table_of_modules_names_every_public_module_once() {
    let text = read(&source().join("lib.rs"));
    let declared = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let declared: BTreeSet<String> = declared.map(str::to_owned).collect();
    let table = table();
    assert_eq!(table.iter().cloned().collect::<BTreeSet<_>>().len(), table.len(), "a module is named twice: {table:?}");
    assert_eq!(declared, table.into_iter().collect::<BTreeSet<_>>());
}

#[test]
fn contributing_tells_the_same_order() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../CONTRIBUTING.md");
    // A packaged crate has no repository around it.
    let Ok(text) = fs::read_to_string(guide) else { return };
    let sentence = text.lines().find(|line| line.contains('→')).expect("CONTRIBUTING.md gives the order with arrows");
    let told: Vec<&str> = sentence.split('→').map(|name| name.trim().trim_matches(['`', '.', ' '])).collect();
    assert_eq!(told, table());
}

#[test]
fn a_module_uses_only_what_stands_before_it() {
    let order = table();
    let position = |name: &str| order.iter().position(|module| module == name);
    for file in sources(&source()) {
        let relative = file.strip_prefix(source()).expect("inside the sources");
        let own = relative.iter().next().expect("a name").to_string_lossy().trim_end_matches(".rs").to_owned();
        let Some(here) = position(&own) else { continue };
        for used in modules_used(&read(&file)) {
            let Some(there) = position(&used) else { continue };
            assert!(there <= here, "{} uses `{used}`, which stands after `{own}`", relative.display());
        }
    }
}

/// Every source file that is not a test.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let is_test = |path: &Path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        name.ends_with("tests") || ["conformance", "golden"].contains(&name.as_str())
    };
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") && !is_test(&path) {
            found.push(path);
        }
    }
    found
}

/// The names that follow `crate::` in code, tests and comments left out.
fn modules_used(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let names = lines.flat_map(|line| line.split("crate::").skip(1));
    names.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()).collect()
}
