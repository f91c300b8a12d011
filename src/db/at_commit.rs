//! What the requests of a transaction collect, to be written in one go just before it is committed.

use std::any::Any;

use super::Tx;
use crate::error::Result;

/// A collection that belongs to a transaction.
pub trait AtCommit: Any + Send {
    /// A transaction begins; what the one before collected was written, or is not wanted any more.
    fn restart(&mut self);

    /// A request begins.
    fn begin(&mut self);

    /// The request that began last has failed: what it collected is dropped. If it is rolled back, to its savepoint, the
    /// locks that it has taken are given up; else the transaction still holds them.
    fn undo(&mut self, rolled_back: bool);

    /// Writes what was collected.
    fn write(&mut self, tx: &mut Tx<'_>) -> Result<()>;
}

/// What a transaction has collected, if anything.
#[derive(Default)]
pub(super) struct Collected(pub Option<Box<dyn AtCommit>>);

impl Collected {
    pub fn restart(&mut self) {
        self.each(AtCommit::restart);
    }

    pub fn begin(&mut self) {
        self.each(AtCommit::begin);
    }

    pub fn undo(&mut self, rolled_back: bool) {
        self.each(|collected| collected.undo(rolled_back));
    }

    fn each(&mut self, work: impl FnOnce(&mut dyn AtCommit)) {
        if let Some(collected) = &mut self.0 {
            work(collected.as_mut());
        }
    }
}
