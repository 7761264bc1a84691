//! What a run will read and write, checked before it begins.

use super::atomic::{STANDARD_OUTPUT_NAME, probe};
use super::error::OutputError;
use super::place::{Identity, STANDARD, Stream, folder_of, followed, identity};
use std::path::{Path, PathBuf};

/// The files of a run. No output may be an input or another output, by whatever path, and each must be writable.
#[derive(Debug, Default)]
pub struct Plan {
    inputs: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
    folders: Vec<(PathBuf, &'static str)>,
}

impl Plan {
    /// A run that reads these files; "-" is standard input.
    pub fn reading<'a>(inputs: impl IntoIterator<Item = &'a Path>) -> Self {
        Plan { inputs: inputs.into_iter().map(Path::to_owned).collect(), ..Plan::default() }
    }

    /// Writes this file too, if there is one; "-" is standard output.
    pub fn writing(mut self, output: Option<&Path>) -> Self {
        self.outputs.extend(output.map(Path::to_owned));
        self
    }

    /// Prints results on standard output.
    pub fn printing(self) -> Self {
        self.writing(Some(Path::new(STANDARD)))
    }

    /// Writes files of this extension, whose names are not known yet, into a folder that is made if it is missing.
    pub fn writing_into(mut self, folder: Option<&Path>, extension: &'static str) -> Self {
        self.folders.extend(folder.map(|folder| (folder.to_owned(), extension)));
        self
    }

    /// Refuses what would lose something, or could not be written after all the work.
    pub fn check(&self) -> Result<(), OutputError> {
        self.check_inputs()?;
        self.check_outputs()?;
        for (folder, extension) in &self.folders {
            self.check_folder(folder, extension)?;
        }
        for output in self.outputs.iter().filter(|output| !is_standard(output)) {
            probe(output)?;
        }
        Ok(())
    }

    fn check_inputs(&self) -> Result<(), OutputError> {
        let read: Vec<(Identity, &PathBuf)> =
            self.inputs.iter().filter_map(|path| Some((identity(path, &Stream::Input)?, path))).collect();
        for output in &self.outputs {
            let own = identity(output, &Stream::Output);
            if let Some((_, input)) = read.iter().find(|(input, _)| Some(input) == own.as_ref()) {
                return Err(OutputError::AlsoInput { file: name(output), input: input_name(input) });
            }
        }
        Ok(())
    }

    fn check_outputs(&self) -> Result<(), OutputError> {
        let same = |a: &Path, b: &Path| {
            let (one, other) = (identity(a, &Stream::Output), identity(b, &Stream::Output));
            (is_standard(a) && is_standard(b)) || (one.is_some() && one == other)
        };
        for (i, output) in self.outputs.iter().enumerate() {
            let Some(other) = self.outputs[..i].iter().find(|other| same(output, other)) else { continue };
            return Err(match is_standard(output) && is_standard(other) {
                true => OutputError::StandardOutputTaken,
                false => OutputError::AlsoOutput { file: name(other), other: name(output) },
            });
        }
        Ok(())
    }

    /// Files in the folder that could be among those to be written.
    fn check_folder(&self, folder: &Path, extension: &str) -> Result<(), OutputError> {
        if folder.exists() && !folder.is_dir() {
            return Err(OutputError::NotAFolder { file: name(folder) });
        }
        let inside = |path: &&PathBuf| {
            let path = followed(path).unwrap_or_else(|_| path.to_path_buf());
            let there = folder.canonicalize().is_ok_and(|f| folder_of(&path).canonicalize().is_ok_and(|p| p == f));
            there && path.extension().is_some_and(|e| e == extension)
        };
        if let Some(input) = self.inputs.iter().find(inside) {
            return Err(OutputError::AlsoInput { file: name(folder), input: name(input) });
        }
        if let Some(other) = self.outputs.iter().find(inside) {
            return Err(OutputError::AlsoOutput { file: name(folder), other: name(other) });
        }
        let existing = folder.ancestors().find(|f| f.is_dir()).unwrap_or(Path::new("."));
        probe(&existing.join(format!("figure.{extension}")))
    }
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// How messages call an output.
fn name(path: &Path) -> String {
    if is_standard(path) { STANDARD_OUTPUT_NAME.to_owned() } else { path.display().to_string() }
}

fn input_name(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn places_that_do_not_exist_yet_are_compared_too() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        let (new, same) = (folder.path().join("new"), folder.path().join("sub/../new"));
        let plan = Plan::reading([]).writing(Some(&new)).writing(Some(&same));
        assert!(matches!(plan.check(), Err(OutputError::AlsoOutput { .. })));
        let other = folder.path().join("sub/new");
        Plan::reading([]).writing(Some(&new)).writing(Some(&other)).check().unwrap();
        assert!(!new.exists() && !other.exists());
    }

    #[test]
    fn figures_do_not_fall_on_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let drawing = folder.path().join("a.svg");
        let plan = |path| Plan::reading([]).writing(Some(path)).writing_into(Some(folder.path()), "svg").check();
        assert!(matches!(plan(&drawing), Err(OutputError::AlsoOutput { .. })));
        plan(&folder.path().join("a.html")).unwrap();
        fs::write(&drawing, "").unwrap();
        let plan = Plan::reading([]).writing_into(Some(&drawing), "svg");
        assert!(matches!(plan.check(), Err(OutputError::NotAFolder { .. })));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_may_take_several_outputs() {
        let nowhere = Path::new("/dev/null");
        Plan::reading([nowhere]).writing(Some(nowhere)).writing(Some(nowhere)).check().unwrap();
    }
}
