//! What a transaction keeps of what it has read, and finds of what others have kept (decision record 0023).

use std::sync::Arc;

use super::memory::Memory;
use super::{Conn, Tx};
use crate::db::memo::Cacheable;
use crate::db::postgres::Origin;
use crate::db::postgres::shared::Shared;
use crate::error::{Error, Result};

impl<'c> Tx<'c> {
    /// With what was made from this snapshot before.
    pub(in crate::db) fn with_memory(self, memory: Memory<'c>) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// What the function makes of this snapshot, kept for whoever asks for a `T` by the same key in the same
    /// snapshot. The function may depend on nothing but the transaction and the key; an error is not kept.
    pub fn cached<T: Cacheable>(&mut self, key: &[u8], make: impl FnOnce(&mut Self) -> Result<T>) -> Result<Arc<T>> {
        if let Some(kept) = self.get_cached(key) {
            return Ok(kept);
        }
        let answer = Arc::new(make(self)?);
        self.insert(key, &answer);
        Ok(answer)
    }

    /// Like [`Tx::cached`], but a write keeps it too, until it takes its locks or records a change that may concern it.
    /// On SQLite, builds with assertions make it again each time, and fail if it differs from what was kept. On
    /// PostgreSQL another transaction may have changed it since.
    pub fn found<T: Cacheable + PartialEq>(
        &mut self,
        key: &[u8],
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Arc<T>> {
        if !self.writes {
            return self.cached(key, make);
        }
        let kept = self.get_found(key);
        match kept {
            Some(kept) if self.is_remote() || !cfg!(debug_assertions) => return Ok(kept),
            _ => {}
        }
        let found = Arc::new(make(self)?);
        if kept.is_some_and(|kept| kept != found) {
            return Err(Error::Bug(format!("an outdated {} was kept", std::any::type_name::<T>())));
        }
        self.insert_found(key, &found);
        Ok(found)
    }

    /// What a write has found by this key.
    #[must_use]
    pub fn get_found<T: Cacheable>(&self, key: &[u8]) -> Option<Arc<T>> {
        match &self.memory {
            _ if self.observed.is_active() => None,
            Some(Memory::Own(memo)) if self.writes => memo.get(key),
            Some(Memory::Writing { found, recent }) => {
                found.get(key).or_else(|| recent.recent(key).filter(|_| self.guesses))
            }
            _ => None,
        }
    }

    /// Keeps what a write has found, like [`Tx::found`].
    pub fn insert_found<T: Cacheable>(&mut self, key: &[u8], found: &Arc<T>) {
        match &mut self.memory {
            Some(Memory::Own(memo) | Memory::Writing { found: memo, .. }) if self.writes => memo.insert(key, found),
            _ => {}
        }
    }

    /// Runs a closure that may find what was so a second ago. What it finds must be found again after the locks.
    pub fn guess<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        self.guesses = true;
        let done = work(self);
        self.guesses = false;
        done
    }

    /// Forgets what [`Tx::found`] keeps, because a change was recorded that may concern it, or locks were taken.
    pub fn forget_found(&mut self) {
        if let Some(Memory::Own(memo) | Memory::Writing { found: memo, .. }) = &mut self.memory {
            memo.forget();
        }
    }

    /// What was kept of this snapshot by this key.
    #[must_use]
    pub fn get_cached<T: Cacheable>(&self, key: &[u8]) -> Option<Arc<T>> {
        if self.writes || self.observed.is_active() {
            return None;
        }
        match self.memory.as_ref()? {
            Memory::Own(memo) => memo.get(key),
            Memory::Writing { .. } => None,
            Memory::Proven { shared, number } => shared.get(*number, key),
            Memory::Recent(shared) => shared.recent(key),
            Memory::Shared { shared, incarnation, .. } => shared.get(self.number(shared, *incarnation)?, key),
        }
    }

    /// Keeps what was made of this snapshot. A write keeps nothing, because it may be rolled back.
    pub fn insert<T: Cacheable>(&mut self, key: &[u8], answer: &Arc<T>) {
        if self.writes {
            #[cfg(debug_assertions)]
            if let Some(Memory::Writing { recent, .. }) = &self.memory {
                recent.insert_unproven(key, answer);
            }
            return;
        }
        match &mut self.memory {
            Some(Memory::Own(memo)) => memo.insert(key, answer),
            Some(Memory::Proven { shared, number }) => shared.insert(*number, key, answer),
            Some(Memory::Recent(shared)) => shared.insert_recent(key, answer),
            Some(Memory::Shared { shared, incarnation, authorizes }) => {
                let (shared, incarnation) = (*shared, *incarnation);
                if *authorizes {
                    shared.insert_recent(key, answer);
                }
                if let Some(number) = self.number(shared, incarnation) {
                    shared.insert(number, key, answer);
                }
            }
            Some(Memory::Writing { .. }) | None => {}
        }
    }

    /// Where this snapshot comes from: another one of the same origin lacks nothing that an earlier one had.
    pub fn origin(&mut self) -> Result<Origin> {
        match (&self.conn, &self.memory) {
            (Conn::Sqlite(_), _) => Ok(Origin::default()),
            (Conn::Postgres(conn), Some(Memory::Shared { incarnation, .. })) => {
                Ok(Origin::of(*incarnation, conn.server()))
            }
            (Conn::Postgres(conn), _) => Ok(Origin::of(0, conn.server())),
            (Conn::Nothing, Some(Memory::Proven { shared, number })) => match shared.origin(*number) {
                Some(origin) => Ok(origin),
                None => Err(self.run_elsewhere()),
            },
            (Conn::Nothing, _) => Err(self.run_elsewhere()),
        }
    }

    /// The number of the version that this connection sees, if memory is at that version.
    fn number(&self, shared: &Shared, incarnation: u64) -> Option<i64> {
        match &self.conn {
            Conn::Postgres(conn) => shared.number(incarnation, conn.snapshot()?),
            _ => None,
        }
    }
}
