//! The values that a transaction caches, and those that it finds because others have cached them (docs/decisions/0023).

use std::sync::Arc;

use super::Tx;
use super::memory::{Memory, OfReaders};
use crate::db::at_commit::Collected;
use crate::db::memo::{Cacheable, MadeOf};
use crate::db::postgres::Origin;
use crate::db::postgres::shared::Shared;
use crate::db::row::{FromRow, Params};
use crate::error::{Error, Result};

impl<'c> Tx<'c> {
    /// Uses what was computed from this snapshot before.
    pub(in crate::db) fn with_memory(self, memory: Memory<'c>) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// Returns what the function makes of this snapshot. The result is cached for every caller that needs a `T` with
    /// the same key in the same snapshot. The function may depend only on the transaction and the key. An error is not
    /// cached.
    pub fn cached<T: Cacheable>(&mut self, key: &[u8], make: impl FnOnce(&mut Self) -> Result<T>) -> Result<Arc<T>> {
        self.cached_of(MadeOf::Anything, key, make)
    }

    /// Like [`Tx::cached`], but the value also stays cached until something changes that it is made of.
    pub fn cached_of<T: Cacheable>(
        &mut self,
        of: MadeOf,
        key: &[u8],
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Arc<T>> {
        if let Some(cached) = self.get_cached(key) {
            return Ok(cached);
        }
        let answer = Arc::new(make(self)?);
        self.insert(of, key, &answer);
        Ok(answer)
    }

    /// Like [`Tx::cached`], but a write caches it too, until it takes its locks or records a change that may concern
    /// it. On SQLite, builds with assertions make the value again each time and fail if it differs from the cached one.
    /// On PostgreSQL another transaction may have changed it in the meantime.
    pub fn found<T: Cacheable + PartialEq>(
        &mut self,
        key: &[u8],
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Arc<T>> {
        if !self.writes() {
            return self.cached_of(MadeOf::Found, key, make);
        }
        let cached = self.get_found(key);
        match cached {
            Some(cached) if self.is_remote() || !cfg!(debug_assertions) => return Ok(cached),
            _ => {}
        }
        let found = Arc::new(make(self)?);
        if cached.is_some_and(|cached| cached != found) {
            return Err(Error::Bug(format!("an outdated {} was cached", std::any::type_name::<T>())));
        }
        self.insert_found(key, &found);
        Ok(found)
    }

    /// The value that a write has found for this key.
    #[must_use]
    pub fn get_found<T: Cacheable>(&mut self, key: &[u8]) -> Option<Arc<T>> {
        let (writes, guesses) = (self.writes(), self.guesses);
        match &mut self.memory {
            _ if self.observed.is_active() => None,
            Some(Memory::Own(memo)) if writes => memo.get(key),
            Some(Memory::Writing { found, readers, incarnation }) => {
                let own = found.memo.get(key);
                let of_readers = || readers.found(*incarnation, key).filter(|_| found.of_readers == OfReaders::Holds);
                own.or_else(of_readers).or_else(|| readers.guess(key).filter(|_| guesses))
            }
            _ => None,
        }
    }

    /// Caches what a write has found, like [`Tx::found`].
    pub fn insert_found<T: Cacheable>(&mut self, key: &[u8], found: &Arc<T>) {
        let writes = self.writes();
        match &mut self.memory {
            Some(Memory::Own(memo)) if writes => memo.insert(key, found),
            Some(Memory::Writing { found: findings, .. }) => findings.memo.insert(key, found),
            _ => {}
        }
    }

    /// Runs a closure that may find data which is up to a second old. What it finds must be looked up again after the
    /// locks are taken.
    pub fn guess<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        self.guesses = true;
        let done = work(self);
        self.guesses = false;
        done
    }

    /// Drops what [`Tx::found`] has cached, because locks were taken. The first statement of
    /// [`Tx::maybe_alone`] that follows may find that what readers have cached holds.
    pub fn forget_found(&mut self) {
        match &mut self.memory {
            Some(Memory::Own(memo)) => memo.forget(),
            Some(Memory::Writing { found, .. }) => found.forget(),
            _ => {}
        }
    }

    /// Drops what [`Tx::found`] has cached, because a recorded change may concern it. What readers have cached is no
    /// longer used in this transaction: they do not see its changes.
    pub fn outdate_found(&mut self) {
        match &mut self.memory {
            Some(Memory::Own(memo)) => memo.forget(),
            Some(Memory::Writing { found, .. }) => found.outdate(),
            _ => {}
        }
    }

    /// The first row of a statement whose last column is the text of the snapshot, in a write. If only light changes
    /// were committed between the snapshot of the readers' cache and this one, then what [`Tx::found`] has cached for
    /// them holds here too.
    pub(super) fn maybe_comparing<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<Option<T>> {
        let (mut found, mut text) = (None, None);
        self.each(sql, params, |row| {
            (found, text) = (Some(T::from_row(row)?), row.last::<String>()?);
            Ok(())
        })?;
        if let (Some(text), Some(Memory::Writing { found, readers, incarnation }), Some(conn)) =
            (text, &mut self.memory, &self.conn)
            && found.of_readers == OfReaders::Unknown
            && conn.snapshot().is_some_and(|own| readers.found_holds(*incarnation, &text, own))
        {
            found.of_readers = OfReaders::Holds;
        }
        Ok(found)
    }

    /// The cached value of this snapshot for this key.
    #[must_use]
    pub fn get_cached<T: Cacheable>(&mut self, key: &[u8]) -> Option<Arc<T>> {
        if self.writes() || self.observed.is_active() {
            return None;
        }
        match self.memory.as_mut()? {
            Memory::Own(memo) => memo.get(key),
            Memory::Writing { .. } => None,
            Memory::Proven { shared, number } => shared.get(*number, key),
            Memory::Recent(shared) => shared.recent(key),
            Memory::Shared { own, .. } => own.get(key).or_else(|| self.get_shared(key)),
        }
    }

    /// Caches what was made of this snapshot. A write caches nothing, because it may be rolled back.
    pub fn insert<T: Cacheable>(&mut self, of: MadeOf, key: &[u8], answer: &Arc<T>) {
        if self.writes() {
            #[cfg(debug_assertions)]
            if let Some(Memory::Writing { readers, .. }) = &self.memory {
                readers.insert_unproven(of, key, answer);
            }
            return;
        }
        match &mut self.memory {
            Some(Memory::Own(memo)) => memo.insert(key, answer),
            Some(Memory::Proven { shared, number }) => shared.insert(*number, of, key, answer),
            Some(Memory::Recent(shared)) => shared.insert_recent(key, answer),
            Some(Memory::Shared { own, shared, incarnation, authorizes, .. }) => {
                own.insert(key, answer);
                let (shared, incarnation) = (*shared, *incarnation);
                if *authorizes {
                    shared.insert_recent(key, answer);
                }
                if let Some(number) = self.number(shared, incarnation) {
                    shared.insert(number, of, key, answer);
                }
            }
            Some(Memory::Writing { .. }) | None => {}
        }
    }

    /// Declares that this transaction, which shares its commit with no other, writes only rows that no value of
    /// [`MadeOf::Found`] or [`MadeOf::Org`] is made of, such as deliveries, or columns that none is made of. On
    /// PostgreSQL these values stay valid.
    pub fn is_bookkeeping(&mut self) {
        if let Some(collected) = &mut self.collected {
            collected.bookkeeping = true;
        }
    }

    /// Notes in which journals this transaction records, if its changes are light.
    pub(super) fn note_if_light(&self, collected: &Collected) {
        let (Some(Memory::Writing { readers, incarnation, .. }), Some(conn)) = (&self.memory, &self.conn) else {
            return;
        };
        let orgs = collected.concerns().filter(|orgs| !orgs.is_empty() || collected.bookkeeping || !conn.has_written());
        if let (Some(orgs), Some(number)) = (orgs, conn.snapshot()) {
            readers.note_light(*incarnation, number, orgs);
        }
    }

    /// Sets what the response of the request is made of.
    pub fn makes_of(&mut self, of: MadeOf) {
        self.makes_of = of;
    }

    /// The data that the response of the request is made of, as far as that was set.
    #[must_use]
    pub fn is_made_of(&self) -> MadeOf {
        self.makes_of
    }

    /// The origin of this snapshot. A later snapshot of the same origin contains everything that an earlier one did.
    pub fn origin(&mut self) -> Result<Origin> {
        let origin = match (&self.conn, &self.memory) {
            (Some(conn), Some(Memory::Shared { incarnation, .. })) => Some(conn.origin(*incarnation)),
            (Some(conn), _) => Some(conn.origin(0)),
            (None, Some(Memory::Proven { shared, number })) => shared.origin(*number),
            (None, _) => None,
        };
        origin.ok_or_else(|| self.run_elsewhere())
    }

    /// The number of the version that this connection sees, if the cache has that version.
    fn number(&self, shared: &Shared, incarnation: u64) -> Option<i64> {
        shared.number(incarnation, self.conn.as_ref()?.snapshot()?)
    }

    /// The value that readers have cached of the snapshot that this read sees or is presumed to see.
    fn get_shared<T: Cacheable>(&mut self, key: &[u8]) -> Option<Arc<T>> {
        let conn = self.conn.as_ref()?;
        let Some(Memory::Shared { shared, incarnation, presumes, seen, .. }) = &mut self.memory else { return None };
        if seen.is_none() && *presumes {
            *seen = shared.text(*incarnation);
        }
        let text = conn.snapshot().or(seen.as_deref())?;
        shared.get(shared.number(*incarnation, text)?, key)
    }

    /// Runs a closure that reads. A result that only rests on a presumed snapshot is not returned: the closure runs
    /// again.
    pub(in crate::db) fn look<R>(&mut self, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Result<R> {
        let answer = work(self);
        match (&self.conn, &self.memory) {
            // The server was asked and has not responded.
            _ if self.failed && answer.is_err() => answer,
            (Some(conn), Some(Memory::Shared { seen: Some(_), .. })) if conn.snapshot().is_none() => {
                Err(self.run_again())
            }
            _ => answer,
        }
    }

    /// Checks that the last statement has seen the same data as those before it. Without a transaction, or with a
    /// presumed snapshot, another transaction may have committed in between. Then the whole read runs again.
    pub(super) fn agree(&mut self) -> Result<()> {
        let (Some(conn), Some(Memory::Shared { seen, .. })) = (&self.conn, &mut self.memory) else {
            return Ok(());
        };
        match (conn.snapshot(), seen.as_deref()) {
            (Some(now), Some(before)) if now != before => Err(self.run_again()),
            (Some(now), None) => {
                *seen = Some(now.to_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
