//! Files read as a whole, up to a limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// Largest specification: a thousand times what one needs.
pub const SPEC_BYTES: u64 = 1 << 20;

/// Why a file could not be read as a whole.
#[derive(Debug, Error)]
pub enum InputError {
    /// More bytes than such a file may have.
    #[error("'{file}' is larger than {limit} bytes, the most that {what} may have; check that it is the right file")]
    TooLarge {
        /// How messages call the file.
        file: String,
        /// What it should be, with its article.
        what: &'static str,
        /// Bytes.
        limit: u64,
    },
    /// The operating system refuses.
    #[error("cannot read '{file}': {source}")]
    Io {
        /// How messages call the file.
        file: String,
        /// Its reason.
        source: io::Error,
    },
}

/// All bytes of a file that is `what` (with its article), or an error once there are more than `limit`.
pub fn read_whole(path: &Path, what: &'static str, limit: u64) -> Result<Vec<u8>, InputError> {
    let file = || path.display().to_string();
    let failed = |source| InputError::Io { file: file(), source };
    let handle = File::open(path).map_err(failed)?;
    let announced = handle.metadata().map_err(failed)?;
    if announced.is_file() && announced.len() > limit {
        return Err(InputError::TooLarge { file: file(), what, limit });
    }
    let mut bytes = Vec::new();
    // A device or a pipe announces nothing, and a file may grow.
    handle.take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit { Err(InputError::TooLarge { file: file(), what, limit }) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_whole(&path, "a text", 5).unwrap(), b"12345");
        let error = read_whole(&path, "a text", 4).unwrap_err().to_string();
        assert!(error.contains("larger than 4 bytes, the most that a text may have"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_without_end_is_left_at_the_limit() {
        let error = read_whole(Path::new("/dev/zero"), "a text", 4096).unwrap_err();
        assert!(matches!(error, InputError::TooLarge { limit: 4096, .. }));
    }
}
