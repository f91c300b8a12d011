//! The state that the readers, the writer and the checkpoint thread of SQLite share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use prometheus_client::metrics::histogram::Histogram;

use super::budget::ReadBudget;
use super::place::Place;
use super::reader::{Consistency, Reader};
use crate::db::observer::Observed;
use crate::db::options::TimeLimits;
use crate::db::rerun::{Ran, Rerun};
use crate::db::tx::{Memory, Tx};
use crate::error::{Error, Result};

/// The number of times a read runs again because organization memory has moved on.
const RENEWALS: u32 = 8;

/// The state that the readers, the writer and the checkpoint thread share.
pub(super) struct Shared {
    pub place: Place,
    pub observed: Observed,
    /// The limits that depend on the time.
    pub limits: TimeLimits,
    /// The number of writes in each commit.
    pub batches: Histogram,
    /// The number of this process's newest commit. It is published before its writes are answered.
    pub published: AtomicU64,
    /// The number of pages in the write-ahead log at the last checkpoint.
    pub log_pages: AtomicU64,
    pub stopping: AtomicBool,
    /// True if the writer waits for readers to release the log. Meanwhile no reader keeps its snapshot open.
    pub restarting: AtomicBool,
    pub readers: thread_local::ThreadLocal<Mutex<Reader>>,
}

impl Shared {
    /// Opens a connection and then checks the path, because another file or none may have been opened.
    fn open_reader(&self) -> Result<Mutex<Reader>> {
        let opened = Reader::open(self.place.path(), self.limits);
        self.place.check()?;
        opened?.trusted().map(Mutex::new)
    }

    /// Reads on the connection of this thread.
    pub(super) fn read<R>(
        &self,
        allowed: ReadBudget,
        consistency: Consistency,
        work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>,
    ) -> Ran<R> {
        let reader = self.place.held().and_then(|()| self.readers.get_or_try(|| self.open_reader()));
        match reader {
            Ok(reader) => {
                self.read_with(&mut reader.lock().unwrap_or_else(PoisonError::into_inner), allowed, consistency, work)
            }
            Err(error) => Ok(Err(error)),
        }
    }

    fn read_with<R>(
        &self,
        reader: &mut Reader,
        allowed: ReadBudget,
        consistency: Consistency,
        work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>,
    ) -> Ran<R> {
        for _ in 0..RENEWALS {
            reader.budget.allow(allowed);
            if let Err(error) = reader.renew(self.published.load(Ordering::Acquire), consistency) {
                return Ok(Err(error));
            }
            let (mut statements, memo) = reader.parts();
            let mut tx = Tx::reading(Some(&mut statements), &self.observed).with_memory(Memory::Own(memo));
            if allowed == ReadBudget::Inline {
                tx = tx.without_waiting();
            }
            let answer = work(&mut tx);
            let (failed, rerun) = (tx.has_failed(), tx.rerun());
            let rerun = if failed && reader.budget.is_spent() { Some(Rerun::Elsewhere) } else { rerun };
            // A failed statement may have left the connection without its snapshot. A restart of the log waits for
            // every reader.
            if failed || answer.is_err() || rerun.is_some() || self.restarting.load(Ordering::SeqCst) {
                reader.end();
            }
            match rerun {
                Some(Rerun::OnNewer) => {}
                Some(Rerun::Elsewhere) => return Err(Rerun::Elsewhere),
                None => return Ok(answer),
            }
        }
        Ok(Err(Error::Unavailable("the data changed faster than it could be read".into())))
    }
}
