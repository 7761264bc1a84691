//! Where tables come from: files, and streams that may keep one waiting.

use crate::error::CliError;
use gpclass_table::{TableOptions, TableReader};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// The path that means standard input.
const STANDARD_INPUT: &str = "-";
/// How messages call standard input.
const STANDARD_INPUT_NAME: &str = "standard input";
/// How long the interrupt is not looked at while nothing comes.
const PATIENCE: Duration = Duration::from_millis(100);
/// Bytes read at a time.
const CHUNK: usize = 1 << 16;
/// Chunks read ahead.
const AHEAD: usize = 16;

/// Opens a table: a file, standard input for "-", or anything else that can be read, such as a named pipe.
pub fn open(path: &Path, options: TableOptions) -> Result<TableReader, CliError> {
    let interrupt = options.interrupt.clone().unwrap_or_default();
    if path.as_os_str() == STANDARD_INPUT {
        let waiting = Waiting::new(|| Ok(io::stdin()), interrupt);
        return Ok(TableReader::from_stream(waiting, STANDARD_INPUT_NAME, options)?);
    }
    if std::fs::metadata(path).is_ok_and(|of| !of.is_file() && !of.is_dir()) {
        let owned = path.to_owned();
        let waiting = Waiting::new(move || File::open(owned), interrupt);
        return Ok(TableReader::from_stream(waiting, &path.to_string_lossy(), options)?);
    }
    Ok(TableReader::open(path, options)?)
}

/// A stream read on a thread of its own, so that an interrupt is heard while nothing comes.
struct Waiting {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
    interrupt: Arc<AtomicBool>,
}

impl Waiting {
    /// `open` too may take its time: a named pipe waits for somebody to write.
    fn new<R: Read>(open: impl FnOnce() -> io::Result<R> + Send + 'static, interrupt: Arc<AtomicBool>) -> Self {
        let (sender, chunks) = sync_channel(AHEAD);
        std::thread::spawn(move || pump(open, &sender));
        Waiting { chunks, chunk: Cursor::default(), interrupt }
    }

    fn next_chunk(&self) -> io::Result<Vec<u8>> {
        loop {
            match self.chunks.recv_timeout(PATIENCE) {
                Ok(chunk) => return chunk,
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) if self.interrupt.load(Ordering::Relaxed) => {
                    return Err(io::Error::other("interrupted"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.chunk.position() == self.chunk.get_ref().len() as u64 {
            self.chunk = Cursor::new(self.next_chunk()?);
        }
        self.chunk.read(buffer)
    }
}

/// Sends chunks until the stream ends or fails, or nobody listens any more.
fn pump<R: Read>(open: impl FnOnce() -> io::Result<R>, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let mut stream = match open() {
        Ok(stream) => stream,
        Err(error) => return drop(sender.send(Err(error))),
    };
    loop {
        let mut chunk = vec![0; CHUNK];
        let sent = match stream.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => {
                chunk.truncate(length);
                sender.send(Ok(chunk))
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return drop(sender.send(Err(error))),
        };
        if sent.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_arrives_whole() {
        let content: Vec<u8> = (0..1_000_000u32).map(|i| (i % 251) as u8).collect();
        let sent = content.clone();
        let mut waiting = Waiting::new(move || Ok(Cursor::new(sent)), Arc::default());
        let mut received = Vec::new();
        waiting.read_to_end(&mut received).unwrap();
        assert!(received == content);
    }

    #[test]
    fn failures_to_open_and_interrupts_are_told() {
        let refused = || Err::<io::Empty, _>(io::Error::from(io::ErrorKind::PermissionDenied));
        let error = Waiting::new(refused, Arc::default()).read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        let flag = Arc::new(AtomicBool::new(true));
        let endless = || -> io::Result<io::Empty> {
            loop {
                std::thread::park()
            }
        };
        assert!(Waiting::new(endless, flag).read(&mut [0]).is_err());
    }
}
