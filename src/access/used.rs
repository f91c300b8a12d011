//! The tokens and sessions that were used since the last uses were stored (decisions 41 and 61).

use std::sync::{Mutex, PoisonError};

use foldhash::HashMap;

use crate::clock::Time;

/// The tokens, or the sessions, that were used since their last use was stored. They are in memory, so that a read writes
/// nothing.
#[derive(Default)]
pub struct Used(Mutex<HashMap<i64, Time>>);

impl Used {
    /// Records in memory that one was used.
    pub fn note(&self, id: i64, now: Time) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, now);
    }

    /// Removes and returns what was recorded.
    pub fn take(&self) -> Vec<(i64, Time)> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
    }
}
