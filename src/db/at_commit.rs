//! The changes that the requests of a transaction collect, to be written together just before the commit.

use std::any::Any;

use super::Bind;

/// Statements with their parameters.
pub type StatementList<'a> = Vec<(&'static str, Vec<&'a dyn Bind>)>;

/// A collection that belongs to a transaction.
pub trait AtCommit: Any + Send {
    /// A transaction begins. The changes that the previous one collected have been written or are no longer wanted.
    fn restart(&mut self);

    /// A request begins.
    fn begin(&mut self);

    /// The latest request has failed, so what it collected is dropped. If it is rolled back to its savepoint, the locks
    /// that it took are released. Otherwise the transaction still holds them.
    fn undo(&mut self, rolled_back: bool);

    /// The statements that write what was collected. None of them needs the result of another.
    fn statements(&mut self, remote: bool) -> StatementList<'_>;

    /// The organizations that the collected changes concern, or none if they also concern what [`Tx::found`] caches.
    ///
    /// [`Tx::found`]: super::Tx::found
    fn concerns(&self) -> Option<Vec<i64>>;
}

/// The collections of a transaction, one of each kind.
#[derive(Default)]
pub(super) struct Collected {
    kinds: Vec<Box<dyn AtCommit>>,
    /// True if nothing else that it writes concerns values that are cached across versions.
    pub bookkeeping: bool,
}

impl Collected {
    pub fn restart(&mut self) {
        self.bookkeeping = false;
        self.kinds.iter_mut().for_each(|collection| collection.restart());
    }

    pub fn begin(&mut self) {
        self.kinds.iter_mut().for_each(|collection| collection.begin());
    }

    pub fn undo(&mut self, rolled_back: bool) {
        self.kinds.iter_mut().for_each(|collection| collection.undo(rolled_back));
    }

    /// The transaction's collection of this type.
    pub fn of<T: AtCommit + Default>(&mut self) -> Option<&mut T> {
        let place = self.kinds.iter().position(|collection| (collection.as_ref() as &dyn Any).is::<T>());
        let place = place.unwrap_or_else(|| {
            self.kinds.push(Box::<T>::default());
            self.kinds.len() - 1
        });
        (self.kinds[place].as_mut() as &mut dyn Any).downcast_mut()
    }

    pub fn statements(&mut self, remote: bool) -> StatementList<'_> {
        self.kinds.iter_mut().flat_map(|collection| collection.statements(remote)).collect()
    }

    pub fn concerns(&self) -> Option<Vec<i64>> {
        let each = self.kinds.iter().map(|collection| collection.concerns());
        Some(each.collect::<Option<Vec<_>>>()?.concat())
    }
}
