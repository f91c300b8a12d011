//! What tests do to statements: they make a chosen one fail, to show that a failure anywhere changes nothing, and note
//! which are run, to ask for their plans.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, Result};

/// Counts statements down to a failure and notes them; does neither unless a test asks.
#[derive(Debug, Clone, Default)]
pub struct Breaker(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// Whether anything of this is in use.
    armed: AtomicBool,
    /// How many statements there are until one fails; none does from 0 on.
    countdown: AtomicI64,
    noted: Mutex<Option<Vec<&'static str>>>,
}

impl Breaker {
    /// The n-th statement from now on (counted from 1) fails, once.
    pub fn arm(&self, n: u32) {
        self.0.countdown.store(i64::from(n), Ordering::SeqCst);
        self.0.armed.store(true, Ordering::SeqCst);
    }

    /// No statement fails any more; whether one had been going to.
    #[must_use]
    pub fn disarm(&self) -> bool {
        self.0.countdown.swap(0, Ordering::SeqCst) > 0
    }

    /// Notes every statement from now on.
    pub fn note(&self) {
        *self.0.noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
        self.0.armed.store(true, Ordering::SeqCst);
    }

    /// The statements that were noted, in order; none is noted any more.
    #[must_use]
    pub fn noted(&self) -> Vec<&'static str> {
        self.0.noted.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
    }

    /// Whether statements are counted or noted at the moment: then each has to be run.
    pub(super) fn is_watching(&self) -> bool {
        self.0.armed.load(Ordering::Relaxed)
            && (self.0.countdown.load(Ordering::SeqCst) > 0
                || self.0.noted.lock().unwrap_or_else(PoisonError::into_inner).is_some())
    }

    pub(super) fn pass(&self, sql: &'static str) -> Result<()> {
        if !self.0.armed.load(Ordering::Relaxed) {
            return Ok(());
        }
        if let Some(noted) = self.0.noted.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            noted.push(sql);
        }
        if self.0.countdown.load(Ordering::SeqCst) > 0 && self.0.countdown.fetch_sub(1, Ordering::SeqCst) == 1 {
            return Err(Error::Unavailable("a test made this statement fail".into()));
        }
        Ok(())
    }
}
