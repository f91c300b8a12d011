//! What the requests of a transaction collect, to be written in one go just before it is committed.

use std::any::Any;

use super::Bind;

/// Statements with their parameters.
pub type StatementList<'a> = Vec<(&'static str, Vec<&'a dyn Bind>)>;

/// A collection that belongs to a transaction.
pub trait AtCommit: Any + Send {
    /// A transaction begins; what the one before collected was written, or is not wanted any more.
    fn restart(&mut self);

    /// A request begins.
    fn begin(&mut self);

    /// The request that began last has failed: what it collected is dropped. If it is rolled back, to its savepoint, the
    /// locks that it has taken are given up; else the transaction still holds them.
    fn undo(&mut self, rolled_back: bool);

    /// What was collected, as statements of which none needs the outcome of another.
    fn statements(&mut self, remote: bool) -> StatementList<'_>;

    /// The organizations that what was collected concerns; none if it also concerns what [`Tx::found`] keeps.
    ///
    /// [`Tx::found`]: super::Tx::found
    fn concerns(&self) -> Option<Vec<i64>>;
}

/// What a transaction has collected, each kind once.
#[derive(Default)]
pub(super) struct Collected(Vec<Box<dyn AtCommit>>);

impl Collected {
    pub fn restart(&mut self) {
        self.0.iter_mut().for_each(|collection| collection.restart());
    }

    pub fn begin(&mut self) {
        self.0.iter_mut().for_each(|collection| collection.begin());
    }

    pub fn undo(&mut self, rolled_back: bool) {
        self.0.iter_mut().for_each(|collection| collection.undo(rolled_back));
    }

    /// The collection of this kind.
    pub fn of<T: AtCommit + Default>(&mut self) -> Option<&mut T> {
        let place = self.0.iter().position(|collection| (collection.as_ref() as &dyn Any).is::<T>());
        let place = place.unwrap_or_else(|| {
            self.0.push(Box::<T>::default());
            self.0.len() - 1
        });
        (self.0[place].as_mut() as &mut dyn Any).downcast_mut()
    }

    pub fn statements(&mut self, remote: bool) -> StatementList<'_> {
        self.0.iter_mut().flat_map(|collection| collection.statements(remote)).collect()
    }

    pub fn concerns(&self) -> Option<Vec<i64>> {
        let each = self.0.iter().map(|collection| collection.concerns());
        Some(each.collect::<Option<Vec<_>>>()?.concat())
    }
}
