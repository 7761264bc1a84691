//! A file that says how far long work has come, for as long as the work is not done.

use crate::input::{InputError, read_whole};
use crate::output::{OutputError, write_whole};
use std::path::{Path, PathBuf};

/// Largest checkpoint: as large as a model file may be.
const MOST_BYTES: u64 = 1 << 34;

/// Such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    path: PathBuf,
}

impl Checkpoint {
    /// The file of that name, which need not be there.
    pub fn at(path: &Path) -> Self {
        Checkpoint { path: path.to_owned() }
    }

    /// The one that stands beside an output, under its name and `.checkpoint`.
    pub fn beside(output: &Path) -> Self {
        let mut name = output.as_os_str().to_owned();
        name.push(".checkpoint");
        Checkpoint { path: name.into() }
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds; nothing where it is not there.
    pub fn read(&self) -> Result<Option<Vec<u8>>, InputError> {
        if !self.path.is_file() {
            return Ok(None);
        }
        read_whole(&self.path, "a checkpoint", MOST_BYTES).map(Some)
    }

    /// Replaces what it holds: as a whole, or not at all.
    pub fn write(&self, bytes: &[u8]) -> Result<(), OutputError> {
        write_whole(&self.path, bytes)
    }

    /// Takes it away once the work is done. One that stays is of no harm: it is found to be of other work, or used again.
    pub fn remove(&self) {
        if self.path.is_file() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_beside_its_output_and_goes_when_the_work_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = Checkpoint::beside(&folder.path().join("model.gpc"));
        assert_eq!(checkpoint.path(), folder.path().join("model.gpc.checkpoint"));
        assert_eq!(checkpoint.read().unwrap(), None);
        checkpoint.write(b"some").unwrap();
        checkpoint.write(b"more").unwrap();
        assert_eq!(checkpoint.read().unwrap().as_deref(), Some(&b"more"[..]));
        checkpoint.remove();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(Checkpoint::at(&folder.path().join("no/file")).write(b"").is_err());
    }
}
