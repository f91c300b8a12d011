//! A budget of bytes, the parts of it that are held, and waiting for parts to be given back.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::error::{Error, Result, Scarce};

/// The time for which a request waits for room.
pub(super) const TIMEOUT: Duration = Duration::from_secs(1);

/// An amount that is held in parts. Parts are counted in bytes, or in responses.
pub(super) struct Budget {
    of: Scarce,
    limit: usize,
    used: AtomicUsize,
    waiting: AtomicUsize,
    freed: Notify,
}

/// A part of a budget, returned on drop.
pub(super) struct Held {
    budget: Arc<Budget>,
    amount: usize,
}

/// An amount of a budget to take, besides what its holder already holds of it.
#[derive(Clone, Copy)]
pub(super) struct Part<'b> {
    pub budget: &'b Arc<Budget>,
    pub amount: usize,
    pub own: usize,
}

impl<'b> Part<'b> {
    pub fn of(budget: &'b Arc<Budget>, amount: usize) -> Self {
        Self { budget, amount, own: 0 }
    }
}

impl Budget {
    pub fn new(of: Scarce, limit: usize) -> Arc<Self> {
        Arc::new(Self { of, limit, used: AtomicUsize::new(0), waiting: AtomicUsize::new(0), freed: Notify::new() })
    }

    /// True if there is room for this much more.
    pub fn has_room(&self, amount: usize) -> bool {
        self.used() + amount <= self.limit
    }

    /// True if there is no room, and requests wait for some.
    pub fn is_awaited(&self) -> bool {
        !self.has_room(1) && self.waiting.load(Ordering::SeqCst) > 0
    }

    pub fn used(&self) -> usize {
        self.used.load(Ordering::SeqCst)
    }

    /// Takes an amount whether there is room or not.
    pub fn take(self: &Arc<Self>, amount: usize) -> Held {
        self.used.fetch_add(amount, Ordering::SeqCst);
        Held { budget: Arc::clone(self), amount }
    }

    /// An amount that is larger than the whole budget is granted as soon as nothing but the holder's own part is held.
    fn add(&self, amount: usize, own: usize) -> bool {
        let fits = |used: usize| (amount == 0 || used == own || used + amount <= self.limit).then_some(used + amount);
        self.used.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fits).is_ok()
    }
}

/// Takes all of these parts, or nothing at all. The error is the first budget without room. A failed attempt wakes none
/// of the waiting requests.
pub(super) fn try_take<const N: usize>(parts: [Part<'_>; N]) -> std::result::Result<[Held; N], Arc<Budget>> {
    for (at, Part { budget, amount, own }) in parts.iter().enumerate() {
        if !budget.add(*amount, *own) {
            for Part { budget, amount, .. } in &parts[..at] {
                budget.used.fetch_sub(*amount, Ordering::SeqCst);
            }
            return Err(Arc::clone(budget));
        }
    }
    Ok(parts.map(|Part { budget, amount, .. }| Held { budget: Arc::clone(budget), amount }))
}

/// Repeats an attempt whenever the budget that had no room gets some back.
pub(super) async fn until<T>(
    deadline: Instant,
    mut attempt: impl FnMut() -> std::result::Result<T, Arc<Budget>>,
) -> Result<T> {
    let mut lacking = match attempt() {
        Ok(done) => return Ok(done),
        Err(budget) => budget,
    };
    loop {
        let full = Arc::clone(&lacking);
        let _waiting = Waiting::begin(&full);
        let mut freed = std::pin::pin!(full.freed.notified());
        freed.as_mut().enable();
        match attempt() {
            Ok(done) => return Ok(done),
            Err(budget) => lacking = budget,
        }
        if Arc::ptr_eq(&full, &lacking) {
            tokio::time::timeout_at(deadline, freed).await.map_err(|_| Error::Busy(full.of))?;
        }
    }
}

impl Held {
    /// Splits off a part of this, at most all of it.
    pub fn part(&mut self, amount: usize) -> Self {
        let amount = amount.min(self.amount);
        self.amount -= amount;
        Self { budget: Arc::clone(&self.budget), amount }
    }

    pub fn add(&mut self, mut other: Self) {
        self.amount += std::mem::take(&mut other.amount);
    }

    /// This much more of the same budget.
    pub fn more(&self, amount: usize) -> Part<'_> {
        Part { budget: &self.budget, amount, own: self.amount }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.amount > 0 {
            self.budget.used.fetch_sub(self.amount, Ordering::SeqCst);
            if self.budget.waiting.load(Ordering::SeqCst) > 0 {
                self.budget.freed.notify_waiters();
            }
        }
    }
}

/// A request that waits for a budget.
struct Waiting<'a>(&'a Budget);

impl<'a> Waiting<'a> {
    fn begin(budget: &'a Budget) -> Self {
        budget.waiting.fetch_add(1, Ordering::SeqCst);
        Self(budget)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}
