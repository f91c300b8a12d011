//! The organizations that are kept in memory.

use std::sync::{Arc, Mutex, PoisonError};

use super::{At, OrgState};
use crate::cache::Cache;
use crate::db;

/// The number of organizations that are kept in memory.
const ORGANIZATIONS: usize = 10_000;

/// The state of an organization, which is locked while it is loaded.
pub(super) type Slot = Arc<db::Slot<OrgState>>;

/// The states by organization.
pub(super) struct Slots(Mutex<Cache<i64, Slot>>);

impl Default for Slots {
    fn default() -> Self {
        Self(Mutex::new(Cache::new(ORGANIZATIONS)))
    }
}

impl Slots {
    /// The state, if the organization is in memory.
    pub fn held(&self, org: i64) -> Option<Slot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&org)
    }

    /// The state, of which nothing is loaded if it was not in memory.
    pub fn slot(&self, (org, version): At) -> Slot {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots.get(&org).unwrap_or_else(|| {
            let slot = Arc::new(db::Slot::new(OrgState::unknown(version)));
            slots.insert(org, Arc::clone(&slot), 1);
            slot
        })
    }
}
