//! Writes that wait, in lanes. The writes of a lane share transactions, one after the other; lanes do not wait for each
//! other. Writes of an organization wait for its lock anyway, so they are in one lane.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::timeouts::Timeouts;
use super::wait::Wait;
use crate::db::writer::{self, Job};
use crate::error::Error;

/// A lane: writes of other callers, or of another place, go elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Lane {
    /// Of a place.
    Shared(Timeouts, u64),
    /// Of a write that shares its transaction with no other.
    Own(u64),
}

/// A write that waits.
pub(super) struct Queued {
    pub job: Box<dyn Job>,
    /// Whose it is: in a transaction, writes are carried out in this order.
    pub person: i64,
    pub wait: Wait,
    /// Set by the thread that begins it, or by the caller who gives it up.
    pub taken: Arc<AtomicBool>,
}

impl AsMut<dyn Job> for Queued {
    fn as_mut(&mut self) -> &mut (dyn Job + 'static) {
        self.job.as_mut()
    }
}

/// What waits in each lane that is under way.
#[derive(Clone, Default)]
pub(super) struct Lanes(Arc<Mutex<HashMap<Lane, Vec<Queued>>>>);

impl Lanes {
    /// Adds a write; whether the lane was empty, and has to be begun.
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

    /// Takes what waits, up to so many, but what was given up.
    pub(super) fn take(&self, lane: Lane, most: usize) -> Vec<Queued> {
        let mut lanes = self.lock();
        let Some(waiting) = lanes.get_mut(&lane) else { return Vec::new() };
        let most = most.min(waiting.len());
        waiting.drain(..most).filter(|write| !write.taken.swap(true, Ordering::SeqCst)).collect()
    }

    /// Puts back, before what waits, what was taken and not begun. What has waited too long already is refused.
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

    /// Ends a lane in which nothing waits; whether it has ended.
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
