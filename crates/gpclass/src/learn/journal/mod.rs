//! What a fit has found so far, kept outside of it, so that the same fit can go on from there after its process has died.
//!
//! A fit of many rows notes every search and every posterior that it has come to the end of. All numbers are little-endian:
//!
//! ```text
//! magic "GPCLASSJ" | key, 32 bytes | pieces, each u32 length of its name | u64 length | name | bytes | SHA-256 of all before it
//! ```
//!
//! The key is a digest of the rows, of what was asked for and of the version: what another fit has found is of no use.

mod pieces;

pub(in crate::learn) use pieces::{PosteriorPiece, SearchPiece};

use super::{Candidate, FitOptions};
use crate::learn::search::Stopwatch;
use crate::model::TrainingData;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

const MAGIC: &[u8; 8] = b"GPCLASSJ";
const KEY: usize = 32;
const CHECKSUM: usize = 32;

/// Keeps a journal's bytes; told of no failure, because a fit goes on without.
pub type Keep = dyn Fn(&[u8]) + Send + Sync;

/// What became of the bytes that a journal was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resumed {
    /// There were none.
    Nothing,
    /// They are of other rows, other options or another version.
    Other,
    /// They are no journal, or not all of one.
    Damaged,
    /// So many searches and posteriors need not be looked for again.
    Pieces(usize),
}

/// Pieces by their names.
type Pieces = BTreeMap<String, Vec<u8>>;

/// The journal of one fit.
pub struct Journal {
    every: f64,
    keep: Box<Keep>,
    state: Mutex<State>,
}

struct State {
    given: Option<Vec<u8>>,
    key: [u8; KEY],
    pieces: Pieces,
    resumed: Resumed,
    kept: Stopwatch,
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").field("every", &self.every).field("resumed", &self.resumed()).finish_non_exhaustive()
    }
}

impl Journal {
    /// A journal that is kept at most every so many seconds; `given` are the bytes of an earlier run, if there are any.
    pub fn new(every: f64, given: Option<Vec<u8>>, keep: Box<Keep>) -> Journal {
        let state =
            State { given, key: [0; KEY], pieces: Pieces::new(), resumed: Resumed::Nothing, kept: Stopwatch::start() };
        Journal { every, keep, state: Mutex::new(state) }
    }

    /// What became of the bytes that were given, once the fit has begun.
    pub fn resumed(&self) -> Resumed {
        self.state().resumed
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a fit: what was given is used if it is of the same.
    pub(in crate::learn) fn open(&self, data: &TrainingData, options: &FitOptions, candidates: &[Candidate]) {
        let key = key(data, options, candidates);
        let mut state = self.state();
        (state.key, state.kept) = (key, Stopwatch::start());
        let Some(given) = state.given.take() else { return };
        (state.resumed, state.pieces) = match read(&given) {
            None => (Resumed::Damaged, Pieces::new()),
            Some((of, _)) if of != key => (Resumed::Other, Pieces::new()),
            Some((_, pieces)) => (Resumed::Pieces(pieces.len()), pieces),
        };
    }

    /// What was noted under a name.
    pub(in crate::learn) fn recall<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let state = self.state();
        ciborium::from_reader(state.pieces.get(name)?.as_slice()).ok()
    }

    /// Notes a piece and, if it is time, keeps all of them.
    pub(in crate::learn) fn note<T: Serialize>(&self, name: &str, piece: &T) {
        let mut bytes = Vec::new();
        if ciborium::into_writer(piece, &mut bytes).is_err() {
            return;
        }
        let mut state = self.state();
        state.pieces.insert(name.to_owned(), bytes);
        if state.kept.seconds() >= self.every {
            (self.keep)(&write(&state.key, &state.pieces));
            state.kept = Stopwatch::start();
        }
    }
}

/// Of the rows, what is asked of them, and the version.
fn key(data: &TrainingData, options: &FitOptions, candidates: &[Candidate]) -> [u8; KEY] {
    let mut hash = Sha256::new();
    hash.update(data.digest());
    let groups = data.groups().map(crate::data::Groups::of_row);
    let models: Vec<_> = candidates.iter().map(|one| (&one.name, &one.model)).collect();
    let mut asked = Vec::new();
    // Plain structures can be written to memory; were they not, the key would still be one of the rows.
    let _ = ciborium::into_writer(&(env!("CARGO_PKG_VERSION"), options, models, groups), &mut asked);
    hash.update(asked);
    hash.finalize().into()
}

fn write(key: &[u8; KEY], pieces: &Pieces) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(key);
    for (name, content) in pieces {
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(name.as_bytes());
        bytes.extend(content);
    }
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

/// The key and the pieces; none where anything is wrong with the bytes.
fn read(bytes: &[u8]) -> Option<([u8; KEY], Pieces)> {
    let (body, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
    if Sha256::digest(body).as_slice() != checksum {
        return None;
    }
    let (key, mut rest) = body.strip_prefix(MAGIC)?.split_first_chunk::<KEY>()?;
    let mut pieces = Pieces::new();
    while !rest.is_empty() {
        let (named, after) = rest.split_first_chunk::<4>()?;
        let (length, after) = after.split_first_chunk::<8>()?;
        let (name, after) = after.split_at_checked(usize::try_from(u32::from_le_bytes(*named)).ok()?)?;
        let (content, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        pieces.insert(std::str::from_utf8(name).ok()?.to_owned(), content.to_vec());
        rest = after;
    }
    Some((*key, pieces))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let pieces = BTreeMap::from([("a".to_owned(), vec![1, 2, 3]), ("search of 'b'".to_owned(), Vec::new())]);
        let bytes = write(&[7; KEY], &pieces);
        assert_eq!(read(&bytes), Some(([7; KEY], pieces)));
        assert_eq!(read(&[]), None);
        for cut in 0..bytes.len() {
            assert_eq!(read(&bytes[..cut]), None, "{cut}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(read(&changed), None, "{at}");
        }
    }
}
