//! Temporary files: names that tell whose they are, and the removal of those whose owner is gone.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use tempfile::NamedTempFile;

const PREFIX: &str = ".gpclass-";
const SUFFIX: &str = ".tmp";

/// A new file in a folder, named after this process and locked as long as it is open.
pub fn temporary_in(folder: &Path, permissions: Option<fs::Permissions>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    let prefix = format!("{PREFIX}{}-", std::process::id());
    builder.prefix(&prefix).suffix(SUFFIX);
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let file = builder.tempfile_in(folder)?;
    // Where files cannot be locked, leftovers are kept: see `abandoned`.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Removes the temporary files of runs that were killed. What belongs to a living process, or may, is left.
pub fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let owner = entry.file_name().to_str().and_then(owner);
        if owner.is_some_and(|owner| !lives(owner)) && abandoned(&entry.path()) {
            // Another run may have been faster.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that made a file of this name, if it is a temporary one.
fn owner(name: &str) -> Option<u32> {
    let (owner, random) = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.split_once('-')?;
    random.chars().all(|c| c.is_ascii_alphanumeric()).then(|| owner.parse().ok())?
}

/// Whether nobody has the file locked: its owner may be a process of another machine, or of another container, whose
/// numbers mean nothing here.
fn abandoned(path: &Path) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|there| there.is_file());
    is_file
        && File::open(path)
            .is_ok_and(|file| !matches!(file.try_lock(), Err(TryLockError::WouldBlock | TryLockError::Error(_))))
}

/// Whether there is a process of this number.
#[cfg(unix)]
fn lives(process: u32) -> bool {
    let number = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    // Any answer but "no such process" means that there is one.
    number.is_some_and(|number| rustix::process::test_kill_process(number) != Err(rustix::io::Errno::SRCH))
}

/// Numbers cannot be asked for here without further dependencies; the lock decides.
#[cfg(not(unix))]
fn lives(process: u32) -> bool {
    process == std::process::id()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number that no process has: beyond the largest that Linux and macOS give.
    const GONE: u32 = 99_999_999;

    #[test]
    fn names_tell_the_owner() {
        let folder = tempfile::tempdir().unwrap();
        let file = temporary_in(folder.path(), None).unwrap();
        let name = file.path().file_name().unwrap().to_str().unwrap();
        assert_eq!(owner(name), Some(std::process::id()));
        for other in
            [".gpclass-12-a.csv", "gpclass-12-ab.tmp", ".gpclass-x-ab.tmp", ".gpclass-12-a/b.tmp", ".gpclass-12.tmp"]
        {
            assert_eq!(owner(other), None, "{other}");
        }
    }

    #[test]
    fn only_what_nobody_owns_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let dead = at(&format!(".gpclass-{GONE}-abc.tmp"));
        let locked = at(&format!(".gpclass-{GONE}-def.tmp"));
        let living = at(&format!(".gpclass-{}-abc.tmp", std::process::id()));
        let foreign = at(".other-99999999-abc.tmp");
        for path in [&dead, &locked, &living, &foreign] {
            fs::write(path, "half").unwrap();
        }
        let elsewhere = File::open(&locked).unwrap();
        elsewhere.lock().unwrap();
        remove_leftovers(folder.path());
        assert!(!dead.exists());
        assert!(locked.exists() && living.exists() && foreign.exists());
    }
}
