//! The real program on real files.

// Every test program that includes this file uses its own part of it.
#![allow(dead_code)]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own, gone at the end.
pub struct Bench {
    folder: tempfile::TempDir,
}

/// What a run left behind.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ran {
    /// The standard output of a run that went well.
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// The sentence of a run that failed as a user's mistake should: exit code 1 and one line.
    pub fn error(self) -> String {
        assert_eq!(self.code, Some(1), "{self:?}");
        let sentence = self.err.strip_prefix("error: ").unwrap_or_else(|| panic!("{self:?}"));
        assert_eq!(sentence.trim_end().lines().count(), 1, "{sentence}");
        assert!(!sentence.contains("panicked"));
        sentence.trim_end().to_owned()
    }
}

impl Bench {
    pub fn new() -> Self {
        Bench { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), content).expect("a file written");
        self
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gpclass"));
        command.args(args).current_dir(self.folder.path()).env("NO_COLOR", "1");
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        self.command(args).output().expect("the program runs").into()
    }

    /// Names of all files, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder");
        let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name().to_string_lossy().into();
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
}

/// The options of a fit that takes no time.
pub const QUICK: [&str; 6] = ["--kernel", "se", "--likelihood", "probit", "--lengthscales", "single"];

/// Rows `a,b,c,y`: a disc in (a, b), c a category without meaning; every 17th label wrong.
pub fn disc(rows: usize) -> String {
    let mut text = "a,b,c,y\n".to_owned();
    for i in 0..rows {
        let at = |k: f64| 2.0 * ((i as f64 + 0.5) * k).sin();
        let (a, b) = (at(12.9898), at(78.233));
        let inside = (a * a + b * b < 2.0) != (i % 17 == 5);
        let class = if inside { "in" } else { "out" };
        writeln!(text, "{a},{b},{},{class}", ["x", "y", "z"][i % 3]).expect("text");
    }
    text
}

/// `disc` with one field of one line (both from 0, the header not counted) replaced.
pub fn disc_with(rows: usize, line: usize, column: usize, value: &str) -> String {
    let text = disc(rows);
    let replaced = text.lines().enumerate().map(|(i, row)| {
        if i != line + 1 {
            return row.to_owned();
        }
        let mut fields: Vec<&str> = row.split(',').collect();
        fields[column] = value;
        fields.join(",")
    });
    replaced.collect::<Vec<_>>().join("\n") + "\n"
}

pub fn reference(problem: &str) -> serde_json::Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../gpclass/tests/reference/{problem}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("reference values")).expect("JSON")
}

/// The nine problems of several classes.
pub fn class_references() -> Vec<serde_json::Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../gpclass/tests/reference_multiclass");
    let entries = std::fs::read_dir(folder).expect("reference values");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    assert_eq!(paths.len(), 9, "every reference problem is there");
    let read = |path: &PathBuf| serde_json::from_str(&std::fs::read_to_string(path).expect("text")).expect("JSON");
    paths.iter().map(read).collect()
}

/// Rows of numbers as a table with columns x1, x2, ... and, with labels, y.
pub fn numeric_csv(rows: &serde_json::Value, labels: Option<&serde_json::Value>) -> String {
    let rows = rows.as_array().expect("rows");
    let columns = rows[0].as_array().expect("a row").len();
    let mut names: Vec<String> = (1..=columns).map(|m| format!("x{m}")).collect();
    names.extend(labels.map(|_| "y".to_owned()));
    let mut text = names.join(",") + "\n";
    for (i, row) in rows.iter().enumerate() {
        let numbers = row.as_array().expect("a row").iter().map(|v| v.as_f64().expect("a number").to_string());
        let fields: Vec<String> = numbers.chain(labels.map(|labels| labels[i].to_string())).collect();
        writeln!(text, "{}", fields.join(",")).expect("text");
    }
    text
}

/// A number between -1 and 1 that looks random and is always the same.
pub fn wobble(i: usize, k: usize) -> f64 {
    let x = ((i as f64 + 1.0) * 12.9898 + (k as f64 + 1.0) * 78.233).sin() * 43_758.545_3;
    2.0 * (x - x.floor()) - 1.0
}

/// Rows `length,width,depth,species` of three species that overlap a little, like irises.
pub fn species(rows: usize) -> String {
    let mut text = "length,width,depth,species\n".to_owned();
    for i in 0..rows {
        let class = i % 3;
        let at = |k: usize, centres: [f64; 3]| centres[class] + 0.8 * wobble(i, k);
        let (length, width) = (at(0, [1.0, 3.0, 4.0]), at(1, [0.0, 1.0, 2.2]));
        let name = ["setosa", "versicolor", "virginica"][class];
        writeln!(text, "{length:.4},{width:.4},{:.4},{name}", wobble(i, 2)).expect("text");
    }
    text
}

/// Rows `x,z,y` of as many classes as wanted, each a spot on a ring.
pub fn ring(rows: usize, classes: usize) -> String {
    let mut text = "x,z,y\n".to_owned();
    for i in 0..rows {
        let angle = (i % classes) as f64 / classes as f64 * std::f64::consts::TAU;
        let at = |centre: f64, k: usize| 3.0 * centre + 0.6 * wobble(i, k);
        writeln!(text, "{:.4},{:.4},class {:02}", at(angle.cos(), 0), at(angle.sin(), 1), i % classes).expect("text");
    }
    text
}
