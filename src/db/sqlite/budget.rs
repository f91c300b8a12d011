//! The budget of a read of SQLite: steps of its virtual machine, bytes of text, and time.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::fault::fault;
use crate::error::{Error, Result};

/// The number of steps of its virtual machine after which SQLite asks whether to continue.
const STEPS: i32 = 1_000;

/// The number of times it may ask before a read on a worker is interrupted: about a millisecond.
const INLINE: u32 = 20;

/// The bytes of text that a read on a worker may load. To make a response of them takes longer than to read them.
const INLINE_BYTES: usize = 256 << 10;

/// The number of times it asks before the clock is read: some ten milliseconds.
const BETWEEN: u32 = 256;

/// The limit of a read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadBudget {
    /// About a millisecond, because other requests wait behind it.
    Inline,
    /// This much time, or as much as it needs.
    Within(Option<Duration>),
}

/// The rest of the budget of the current read of a connection.
pub(super) struct Budget {
    left: Arc<Left>,
    /// The bytes of text that the read has loaded.
    pub read: Cell<usize>,
    most: Cell<usize>,
}

struct Left {
    /// The number of times SQLite may still ask before it is interrupted or the clock is read.
    steps: AtomicU32,
    /// The time at which it is interrupted, in milliseconds since the connection was opened.
    until: AtomicU64,
    opened: Instant,
    spent: AtomicBool,
}

impl Budget {
    /// The budget of the reads of a connection, which SQLite asks from now on.
    pub fn of(conn: &mut Connection) -> Result<Self> {
        let left = Arc::new(Left {
            steps: AtomicU32::new(0),
            until: AtomicU64::new(u64::MAX),
            opened: Instant::now(),
            spent: AtomicBool::new(false),
        });
        let asked = Arc::clone(&left);
        conn.progress_handler(STEPS, Some(move || asked.is_spent())).map_err(|e| fault("progress_handler", e))?;
        Ok(Self { left, read: Cell::new(0), most: Cell::new(usize::MAX) })
    }

    /// Sets what the next read may use.
    pub fn allow(&self, allowed: ReadBudget) {
        let (steps, most, until) = match allowed {
            ReadBudget::Inline => (INLINE, INLINE_BYTES, 0),
            ReadBudget::Within(None) => (BETWEEN, usize::MAX, u64::MAX),
            ReadBudget::Within(Some(limit)) => (BETWEEN, usize::MAX, milliseconds(self.left.opened.elapsed() + limit)),
        };
        self.read.set(0);
        self.most.set(most);
        self.left.steps.store(steps, Ordering::Relaxed);
        self.left.until.store(until, Ordering::Relaxed);
        self.left.spent.store(false, Ordering::Relaxed);
    }

    /// Fails if the read has loaded more text than it may.
    pub fn check(&self) -> Result<()> {
        if self.read.get() <= self.most.get() {
            return Ok(());
        }
        self.left.spent.store(true, Ordering::Relaxed);
        Err(Error::Unavailable("a read on a worker loads more than it may".into()))
    }

    /// True if the last read was interrupted because it used all of it.
    pub fn is_spent(&self) -> bool {
        self.left.spent.load(Ordering::Relaxed)
    }
}

impl Left {
    fn is_spent(&self) -> bool {
        let steps = self.steps.load(Ordering::Relaxed);
        if steps > 0 {
            self.steps.store(steps - 1, Ordering::Relaxed);
            return false;
        }
        let until = self.until.load(Ordering::Relaxed);
        let spent = until == 0 || milliseconds(self.opened.elapsed()) >= until;
        self.spent.store(spent, Ordering::Relaxed);
        self.steps.store(BETWEEN, Ordering::Relaxed);
        spent
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
