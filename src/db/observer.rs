//! Lets tests observe the statements of a store, and make one fail, and lets measurements count the rows that statements
//! return. A production store has no observer.

use std::sync::Arc;

use crate::error::Result;

/// Observes the statements of a store.
pub trait Observer: Send + Sync {
    /// Called before each statement. If it returns an error, the statement fails with that error.
    fn before(&self, sql: &'static str) -> Result<()>;

    /// True if it is currently observing. While it is, nothing is read from the cache, so that every statement is run.
    fn is_active(&self) -> bool;

    /// Called after each statement that returns rows, with their number.
    fn after(&self, _rows: u64) {}
}

/// The observer of a store, if there is one.
#[derive(Clone, Default)]
pub(super) struct Observed(Option<Arc<dyn Observer>>);

impl Observed {
    pub(super) fn by(observer: Arc<dyn Observer>) -> Self {
        Self(Some(observer))
    }

    pub(super) fn is_active(&self) -> bool {
        self.0.as_ref().is_some_and(|observer| observer.is_active())
    }

    pub(super) fn before(&self, sql: &'static str) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |observer| observer.before(sql))
    }

    pub(super) fn after(&self, rows: u64) {
        if let Some(observer) = &self.0 {
            observer.after(rows);
        }
    }
}
