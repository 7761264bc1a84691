//! An output that appears under its name only when it is complete.

use super::error::OutputError;
use super::leftovers::{remove_leftovers, temporary_in};
use super::place::{STANDARD, folder_of, followed};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// How messages call standard output.
pub(super) const STANDARD_OUTPUT_NAME: &str = "standard output";

/// What is under way in this process.
#[derive(Default)]
struct State {
    /// Temporary files that are not committed yet: what an interrupt must clear away.
    unfinished: Vec<PathBuf>,
    done: Done,
    /// The process is ending: nothing may appear any more.
    ending: bool,
}

/// What this process has written so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Files that are complete.
    pub files: usize,
    /// Whether anything went to standard output or a device.
    pub streamed: bool,
}

static STATE: Mutex<State> =
    Mutex::new(State { unfinished: Vec::new(), done: Done { files: 0, streamed: false }, ending: false });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of outputs that are not committed, forbids further ones and tells what had been written.
/// For the end of the process.
pub fn abandon() -> Done {
    let mut state = state();
    state.ending = true;
    for path in state.unfinished.drain(..) {
        // The file may be gone already; there is nobody left to tell.
        let _ = fs::remove_file(path);
    }
    state.done
}

/// Writes a file as a whole, or standard output for "-".
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let mut output = Output::create(path)?;
    output.write_all(bytes).map_err(|e| output.explain(e))?;
    output.commit()
}

/// Completes several outputs: every one is on disk before the first appears under its name, so that a full disk costs
/// none of the old files.
pub fn commit_all(outputs: Vec<Output>) -> Result<(), OutputError> {
    let mut written = Vec::with_capacity(outputs.len());
    for mut output in outputs {
        output.writer.flush().map_err(|e| OutputError::explain(&output.file, e))?;
        // Taking the writer apart without flushing cannot fail after the flush above.
        let (target, _) = output.writer.into_parts();
        target.sync().map_err(|e| OutputError::explain(&output.file, e))?;
        written.push((target, output.file));
    }
    for (target, file) in written {
        target.appear(&file)?;
    }
    Ok(())
}

enum Target {
    Stream(Box<dyn Write + Send>),
    File { temporary: NamedTempFile, path: PathBuf },
}

/// A place to write to: a file that is replaced as a whole by [`Output::commit`], a device, or standard output.
///
/// Dropped without commit, a file leaves no trace.
pub struct Output {
    writer: BufWriter<Target>,
    file: String,
}

impl Output {
    /// Opens a path for writing, or standard output for "-". An existing file is untouched until the commit.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        if path.as_os_str() == STANDARD {
            return Ok(Self::over(Target::Stream(Box::new(io::stdout())), STANDARD_OUTPUT_NAME.to_owned()));
        }
        let file = path.display().to_string();
        let target = open_target(path, &file)?;
        Ok(Self::over(target, file))
    }

    fn over(target: Target, file: String) -> Self {
        Output { writer: BufWriter::new(target), file }
    }

    /// How messages call this output.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Says what a failed write means; for errors that come out of [`Write`].
    pub fn explain(&self, error: io::Error) -> OutputError {
        OutputError::explain(&self.file, error)
    }

    /// Completes the output: everything written is on disk under the final name, or nothing is.
    pub fn commit(self) -> Result<(), OutputError> {
        commit_all(vec![self])
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Target {
    fn sync(&self) -> io::Result<()> {
        match self {
            Target::Stream(_) => Ok(()),
            Target::File { temporary, .. } => temporary.as_file().sync_all(),
        }
    }

    /// Takes its final name.
    fn appear(self, file: &str) -> Result<(), OutputError> {
        let Target::File { temporary, path } = &self else { return Ok(()) };
        // Under the lock, so that a process that is ending knows what has appeared.
        let mut state = state();
        if state.ending {
            return Err(OutputError::Ending { file: file.to_owned() });
        }
        // Renaming is what `NamedTempFile::persist` does, but it would need the file by value, out of a type with a
        // destructor; the temporary's own removal on drop then finds nothing.
        fs::rename(temporary.path(), path).map_err(|e| OutputError::explain(file, e))?;
        state.unfinished.retain(|unfinished| unfinished != temporary.path());
        state.done.files += 1;
        drop(state);
        // The new name should survive a power failure; not every file system can promise that.
        let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stream(stream) => {
                let written = stream.write(bytes)?;
                state().done.streamed |= written > 0;
                Ok(written)
            }
            Target::File { temporary, .. } => temporary.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stream(stream) => stream.flush(),
            Target::File { temporary, .. } => temporary.flush(),
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Target::File { temporary, .. } = self {
            state().unfinished.retain(|path| path != temporary.path());
        }
    }
}

fn open_target(path: &Path, file: &str) -> Result<Target, OutputError> {
    let (path, existing) = examined(path, file)?;
    if existing.as_ref().is_some_and(|there| !there.is_file()) {
        let device = File::options().write(true).open(&path).map_err(|e| OutputError::explain(file, e))?;
        return Ok(Target::Stream(Box::new(device)));
    }
    remove_leftovers(folder_of(&path));
    let temporary = temporary_beside(&path, existing.map(|m| m.permissions()), file)?;
    let mut state = state();
    if state.ending {
        return Err(OutputError::Ending { file: file.to_owned() });
    }
    state.unfinished.push(temporary.path().to_owned());
    drop(state);
    Ok(Target::File { temporary, path })
}

/// Whether a file could be written here; nothing is changed.
pub(super) fn probe(path: &Path) -> Result<(), OutputError> {
    let file = path.display().to_string();
    let (path, existing) = examined(path, &file)?;
    // Opening a pipe would wait for its reader, and closing it would send the reader away.
    if existing.is_none_or(|there| there.is_file()) {
        temporary_beside(&path, None, &file)?;
    }
    Ok(())
}

/// Where the path leads and what is there. A link is followed, so that the file it points to is replaced or made, and
/// not the link.
fn examined(path: &Path, file: &str) -> Result<(PathBuf, Option<fs::Metadata>), OutputError> {
    let path = followed(path)?;
    let existing = fs::metadata(&path).ok();
    match &existing {
        Some(there) if there.is_dir() => Err(OutputError::IsDirectory { file: file.to_owned() }),
        // Renaming would replace a file that its owner has protected.
        Some(there) if there.is_file() && there.permissions().readonly() => {
            Err(OutputError::WriteProtected { file: file.to_owned() })
        }
        _ => Ok((path, existing)),
    }
}

/// A new file in the folder of `path`, with the permissions of the file it will replace or those of any new file.
fn temporary_beside(
    path: &Path,
    permissions: Option<fs::Permissions>,
    file: &str,
) -> Result<NamedTempFile, OutputError> {
    temporary_in(folder_of(path), permissions.or_else(default_permissions)).map_err(|e| folder_error(path, file, e))
}

/// Readable and writable by all whom the process's mask allows; temporary files are private otherwise.
#[cfg(unix)]
fn default_permissions() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<fs::Permissions> {
    None
}

fn folder_error(path: &Path, file: &str, error: io::Error) -> OutputError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            OutputError::NoFolder { file: file.to_owned(), folder: folder_of(path).display().to_string() }
        }
        _ => OutputError::explain(file, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn appears_on_commit_and_keeps_the_old_file_until_then() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"new").unwrap();
        output.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(entries(folder.path()), 2);
        output.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn dropped_output_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::create(&folder.path().join("out.csv")).unwrap();
        output.write_all(b"half").unwrap();
        drop(output);
        assert_eq!(entries(folder.path()), 0);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        let mut output = Output::create(&link).unwrap();
        output.write_all(b"new").unwrap();
        output.commit().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nowhere_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::os::unix::fs::symlink("real", &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        let (round, about) = (folder.path().join("round"), folder.path().join("about"));
        std::os::unix::fs::symlink(&round, &about).unwrap();
        std::os::unix::fs::symlink(&about, &round).unwrap();
        assert!(matches!(write_whole(&round, b""), Err(OutputError::LinkLoop { .. })));
    }

    #[test]
    fn a_protected_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::write(&path, "old").unwrap();
        let mut protected = fs::metadata(&path).unwrap().permissions();
        protected.set_readonly(true);
        fs::set_permissions(&path, protected).unwrap();
        assert!(matches!(write_whole(&path, b"new"), Err(OutputError::WriteProtected { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_group_whose_last_cannot_be_written_leaves_the_first_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("first");
        fs::write(&path, "old").unwrap();
        let outputs = [path.as_path(), Path::new("/dev/full")].map(|path| {
            let mut output = Output::create(path).unwrap();
            output.write_all(b"new").unwrap();
            output
        });
        assert!(matches!(commit_all(outputs.into()), Err(OutputError::DiskFull { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn bad_places_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| Output::create(path).err().expect("must fail").to_string();
        assert!(message(folder.path()).contains("it is a folder"));
        assert!(message(&folder.path().join("no/out.csv")).contains("does not exist; create it first"));
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(message(&file.join("out.csv")).contains("does not exist"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn full_disk() {
        let mut output = Output::create(Path::new("/dev/full")).unwrap();
        output.write_all(b"x").unwrap();
        let error = output.commit().unwrap_err();
        assert!(matches!(error, OutputError::DiskFull { .. }), "{error}");
    }

    #[test]
    fn broken_pipe_is_quiet() {
        let error = OutputError::explain("standard output", io::ErrorKind::BrokenPipe.into());
        assert!(error.is_broken_pipe());
        assert!(!OutputError::explain("f", io::ErrorKind::StorageFull.into()).is_broken_pipe());
    }
}
