//! Queued writes, in lanes. The writes of a lane share transactions, which run one after the other. Lanes do not wait
//! for each other. Writes of an organization would wait for its lock anyway, so they share a lane.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::timeouts::Timeouts;
use super::wait::Wait;
use crate::db::writer::{self, Job};
use crate::error::Error;

/// A lane. Writes with other timeouts or for another organization are in other lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Lane {
    /// The lane of an organization or the like.
    Shared(Timeouts, u64),
    /// The lane of a single write that shares its transaction with no other.
    Own(u64),
}

/// A queued write.
pub(super) struct Queued {
    pub job: Box<dyn Job>,
    /// The person who writes. The writes of a transaction run in this order.
    pub person: i64,
    pub wait: Wait,
    /// Set by the thread that begins it, or by the caller when it gives up.
    pub taken: Arc<AtomicBool>,
}

impl AsMut<dyn Job> for Queued {
    fn as_mut(&mut self) -> &mut (dyn Job + 'static) {
        self.job.as_mut()
    }
}

/// The queued writes of each lane that is being run.
#[derive(Clone, Default)]
pub(super) struct Lanes(Arc<Mutex<HashMap<Lane, Vec<Queued>>>>);

impl Lanes {
    /// Adds a write. Returns whether the lane was empty, so that it must be started.
    pub(super) fn add(&self, lane: Lane, write: Queued) -> bool {
        match self.lock().entry(lane) {
            Entry::Occupied(mut waiting) => {
                waiting.get_mut().push(write);
                false
            }
            Entry::Vacant(empty) => {
                empty.insert(vec![write]);
                true
            }
        }
    }

    /// Takes up to this many queued writes, without those that were given up.
    pub(super) fn take(&self, lane: Lane, most: usize) -> Vec<Queued> {
        let mut lanes = self.lock();
        let Some(waiting) = lanes.get_mut(&lane) else { return Vec::new() };
        let most = most.min(waiting.len());
        waiting.drain(..most).filter(|write| !write.taken.swap(true, Ordering::SeqCst)).collect()
    }

    /// Puts back writes that were taken and not begun, before the others. Writes that have waited too long are refused.
    pub(super) fn give_back(&self, lane: Lane, writes: Vec<Queued>) {
        let (outdated, mut waiting): (Vec<_>, Vec<_>) = writes.into_iter().partition(|write| write.wait.is_over());
        for write in &waiting {
            write.taken.store(false, Ordering::SeqCst);
        }
        if let Some(others) = self.lock().get_mut(&lane) {
            waiting.append(others);
            *others = waiting;
        }
        refuse(outdated, &Error::Unavailable("other writes took too long".into()));
    }

    /// Ends a lane that has no queued writes. Returns whether it has ended.
    pub(super) fn end(&self, lane: Lane) -> bool {
        let mut lanes = self.lock();
        let empty = lanes.get(&lane).is_none_or(Vec::is_empty);
        if empty {
            lanes.remove(&lane);
        }
        empty
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Lane, Vec<Queued>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers writes that were not committed.
pub(super) fn refuse(writes: Vec<Queued>, error: &Error) {
    if writes.is_empty() {
        return;
    }
    tracing::debug!(%error, "writes were not committed");
    let refused = writes.into_iter().map(|mut write| {
        write.job.fail(Error::Unavailable(error.to_string()));
        write.job
    });
    writer::answer(refused.collect());
}
