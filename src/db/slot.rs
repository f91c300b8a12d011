//! A value that is locked while statements run.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use super::tx::Tx;
use crate::error::Result;

/// The number of times that a read that may not wait looks at a locked value, for about ten microseconds.
const LOOKS: u32 = 1_000;

/// A value whose lock may be held across statements. Only a transaction can take the lock, and only a transaction that
/// may wait waits for it: a read on the thread of a connection runs again on a thread of the store.
#[derive(Debug, Default)]
pub struct Slot<T>(Mutex<T>);

impl<T> Slot<T> {
    /// A slot with this value.
    pub fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// The value, when nothing else has it.
    pub fn lock(&self, tx: &mut Tx) -> Result<MutexGuard<'_, T>> {
        if tx.may_wait() {
            return Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner));
        }
        for _ in 0..LOOKS {
            match self.0.try_lock() {
                Ok(value) => return Ok(value),
                Err(TryLockError::Poisoned(value)) => return Ok(value.into_inner()),
                Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
            }
        }
        Err(tx.run_elsewhere())
    }
}
