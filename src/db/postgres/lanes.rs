//! Writes that wait, in lanes. The writes of a lane share transactions, one after the other; lanes do not wait for each
//! other. Writes of an organization wait for its lock anyway, so they are in one lane.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::timeouts::{Timeouts, Wait};
use crate::db::writer::Job;

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
