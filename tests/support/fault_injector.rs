//! Makes a chosen statement of a store fail, to show that a failure anywhere changes nothing, and records which
//! statements are run, to check their plans.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use guildhall::db::Observer;
use guildhall::error::{Error, Result};

/// Work that runs before a statement.
type Ahead = Arc<dyn Fn() + Send + Sync>;

/// Counts statements down to a failure and records them; does neither until a test asks. Clones share it.
#[derive(Clone, Default)]
pub struct FaultInjector(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// True if it was ever used.
    armed: AtomicBool,
    /// The number of statements until one fails; none does from 0 on.
    countdown: AtomicI64,
    /// The words of the statement that fails next.
    named: Mutex<Option<&'static str>>,
    recorded: Mutex<Option<Vec<&'static str>>>,
    /// Runs before each statement.
    ahead: Mutex<Option<Ahead>>,
}

impl FaultInjector {
    /// The n-th statement from now on (counted from 1) fails, once.
    pub fn arm(&self, n: u32) {
        self.0.countdown.store(i64::from(n), Ordering::SeqCst);
        self.0.armed.store(true, Ordering::SeqCst);
    }

    /// The next statement with these words fails, once, whatever others a worker runs before it.
    pub fn arm_at(&self, words: &'static str) {
        *self.0.named.lock().expect("words") = Some(words);
        self.0.armed.store(true, Ordering::SeqCst);
    }

    /// No statement fails any more; whether one was still going to.
    pub fn disarm(&self) -> bool {
        self.0.countdown.swap(0, Ordering::SeqCst) > 0
    }

    /// Records every statement from now on.
    pub fn record(&self) {
        *self.0.recorded.lock().expect("records") = Some(Vec::new());
        self.0.armed.store(true, Ordering::SeqCst);
    }

    /// The statements that were recorded, in order; none is recorded any more.
    pub fn recorded(&self) -> Vec<&'static str> {
        self.0.recorded.lock().expect("records").take().unwrap_or_default()
    }

    /// Runs this before every statement from now on.
    pub fn ahead(&self, work: impl Fn() + Send + Sync + 'static) {
        *self.0.ahead.lock().expect("work") = Some(Arc::new(work));
        self.0.armed.store(true, Ordering::SeqCst);
    }

    /// It as the observer of a store.
    pub fn observer(&self) -> Arc<dyn Observer> {
        Arc::<Inner>::clone(&self.0)
    }
}

impl Observer for Inner {
    fn before(&self, sql: &'static str) -> Result<()> {
        if !self.armed.load(Ordering::Relaxed) {
            return Ok(());
        }
        // It may wait for other statements, so the lock is not held.
        let work = self.ahead.lock().expect("work").clone();
        if let Some(work) = work {
            work();
        }
        if let Some(recorded) = self.recorded.lock().expect("records").as_mut() {
            recorded.push(sql);
        }
        let named = self.named.lock().expect("words").take_if(|words| sql.contains(*words)).is_some();
        if named || self.countdown.load(Ordering::SeqCst) > 0 && self.countdown.fetch_sub(1, Ordering::SeqCst) == 1 {
            return Err(Error::Unavailable("a test made this statement fail".into()));
        }
        Ok(())
    }

    fn is_active(&self) -> bool {
        self.armed.load(Ordering::Relaxed)
            && (self.countdown.load(Ordering::SeqCst) > 0 || self.recorded.lock().expect("records").is_some())
    }
}
