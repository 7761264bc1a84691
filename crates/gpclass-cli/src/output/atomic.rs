//! An output that appears under its name only when it is complete.

use super::error::OutputError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// The path that means standard output.
const STANDARD_OUTPUT: &str = "-";

/// How messages call standard output.
const STANDARD_OUTPUT_NAME: &str = "standard output";

/// Temporary files of this process that are not committed yet: what an interrupt must clear away.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of outputs that are not committed. For the handler of an interrupt, before it exits.
pub fn remove_unfinished() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // The file may be gone already; there is nobody left to tell.
        let _ = fs::remove_file(path);
    }
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
        if path.as_os_str() == STANDARD_OUTPUT {
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
    pub fn commit(mut self) -> Result<(), OutputError> {
        self.writer.flush().map_err(|e| OutputError::explain(&self.file, e))?;
        // Taking the writer apart without flushing cannot fail after the flush above.
        let (target, _) = self.writer.into_parts();
        target.commit().map_err(|e| OutputError::explain(&self.file, e))
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
    fn commit(mut self) -> io::Result<()> {
        match &mut self {
            Target::Stream(stream) => stream.flush(),
            Target::File { temporary, path } => {
                temporary.as_file().sync_all()?;
                // Renaming is what `NamedTempFile::persist` does, but it would need the file by value, out of a type
                // with a destructor; the temporary's own removal on drop then finds nothing.
                fs::rename(temporary.path(), path)
            }
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stream(stream) => stream.write(bytes),
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
            let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
            unfinished.retain(|path| path != temporary.path());
        }
    }
}

fn open_target(path: &Path, file: &str) -> Result<Target, OutputError> {
    // A link is followed, so that the file it points to is replaced and not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(&path).ok();
    match &existing {
        Some(m) if m.is_dir() => return Err(OutputError::IsDirectory { file: file.to_owned() }),
        // Devices and pipes cannot be replaced by renaming.
        Some(m) if !m.is_file() => {
            let device = File::options().write(true).open(&path).map_err(|e| OutputError::explain(file, e))?;
            return Ok(Target::Stream(Box::new(device)));
        }
        _ => {}
    }
    let temporary =
        temporary_beside(&path, existing.map(|m| m.permissions())).map_err(|e| folder_error(&path, file, e))?;
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(temporary.path().to_owned());
    Ok(Target::File { temporary, path })
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A new file in the folder of `path`, with the permissions of the file it will replace or those of any new file.
fn temporary_beside(path: &Path, permissions: Option<fs::Permissions>) -> io::Result<NamedTempFile> {
    let prefix = path.file_name().map_or_else(|| ".".into(), |name| format!(".{}.", name.to_string_lossy()));
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    if let Some(permissions) = permissions.or_else(default_permissions) {
        builder.permissions(permissions);
    }
    builder.tempfile_in(folder_of(path))
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
