//! Where a path leads, and whether two paths lead to the same place.

use super::error::OutputError;
use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};

/// The path that means standard input or output.
pub const STANDARD: &str = "-";

/// Links that are followed before they are taken for a circle, as Linux has it.
const MOST_LINKS: usize = 40;

/// What makes a regular file itself, whatever it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A file that exists, by its number on its device: every path, symbolic link and hard link leads here.
    #[cfg(unix)]
    Node { device: u64, number: u64 },
    /// A file that does not exist yet, or on a system without numbers: its true folder and its name.
    Path(PathBuf),
}

/// The path that links lead to. The last may lead to a file that does not exist yet: writing makes that file and
/// leaves the link, as every other program does.
pub fn followed(path: &Path) -> Result<PathBuf, OutputError> {
    let mut here = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&here) else { return Ok(here) };
        here = folder_of(&here).join(next);
    }
    Err(OutputError::LinkLoop { file: path.display().to_string() })
}

/// The folder that a path is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The regular file at a path or, for "-", behind a stream of this process. None for devices, pipes and places that
/// do not exist: there is nothing to lose.
pub fn identity(path: &Path, standard: &Stream) -> Option<Identity> {
    if path.as_os_str() == STANDARD {
        return standard.metadata().as_ref().and_then(numbered);
    }
    let path = followed(path).ok()?;
    match fs::metadata(&path) {
        Ok(there) if !there.is_file() => None,
        Ok(there) => numbered(&there).or_else(|| fs::canonicalize(&path).ok().map(Identity::Path)),
        Err(_) => Some(Identity::Path(fs::canonicalize(folder_of(&path)).ok()?.join(path.file_name()?))),
    }
}

/// What "-" means.
pub enum Stream {
    Input,
    Output,
}

impl Stream {
    #[cfg(unix)]
    fn metadata(&self) -> Option<Metadata> {
        use std::os::fd::AsFd;
        let handle = match self {
            Stream::Input => std::io::stdin().as_fd().try_clone_to_owned(),
            Stream::Output => std::io::stdout().as_fd().try_clone_to_owned(),
        };
        File::from(handle.ok()?).metadata().ok().filter(Metadata::is_file)
    }

    #[cfg(not(unix))]
    fn metadata(&self) -> Option<Metadata> {
        None
    }
}

#[cfg(unix)]
fn numbered(there: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity::Node { device: there.dev(), number: there.ino() })
}

#[cfg(not(unix))]
fn numbered(_: &Metadata) -> Option<Identity> {
    None
}
