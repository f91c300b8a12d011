//! A query while it runs: its snapshot, what it has used, and what it has looked up.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use super::known::Known;
use super::rules::Rules;
use crate::clock::{Clock, Time, cpu_time};
use crate::error::{Error, Result};
use crate::limits::requests::Quota;
use crate::links::Links;
use crate::operation::Cx;

/// The CPU time that a query may use.
const LONGEST: Duration = Duration::from_millis(100);

/// The longest time of a query, in seconds. The time that it waits for the database counts.
const DEADLINE: i64 = 5;

/// After how many fields that look nothing up the time is checked.
const UNCHECKED: u32 = 100;

/// The length of the longest response, in bytes.
pub const LARGEST: usize = 8 << 20;

/// The reason why a field has no value.
#[derive(Debug)]
pub enum Failure {
    /// An error of this field: its type and its message.
    Field(&'static str, String),
    /// The whole query cannot be answered.
    Whole(Error),
    /// The whole query has used too much.
    TooMuch,
}

impl Failure {
    /// The failure of a field that the schema has and its resolver does not know.
    pub fn unknown(kind: &str, field: &str) -> Self {
        Error::Bug(format!("`{kind}` has no value for its field `{field}`")).into()
    }
}

/// The value of a field, or why it has none.
pub type Resolved<T> = std::result::Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Whole(error)
    }
}

/// The reason why a query was stopped.
#[derive(Debug)]
pub enum Stop {
    /// It used too much time, or its response is too large.
    TooMuch,
    /// The store, or this program, failed.
    Error(Error),
}

/// The context of the snapshot, of which resolvers use one at a time.
pub trait Snapshot {
    /// Runs the work on it.
    fn look(&self, work: &mut dyn FnMut(&mut Cx<'_, '_>));
}

impl Snapshot for RefCell<Cx<'_, '_>> {
    fn look(&self, work: &mut dyn FnMut(&mut Cx<'_, '_>)) {
        work(&mut self.borrow_mut());
    }
}

/// The resources that a request has used.
#[derive(Debug, Clone, Copy, Default)]
pub struct Used {
    cpu: Duration,
    bytes: usize,
}

impl Used {
    /// Everything that a request may use.
    pub const UP: Self = Self { cpu: Duration::MAX, bytes: LARGEST };

    /// The same, with the CPU time of this thread since then.
    #[must_use]
    pub fn since(self, began: Duration) -> Self {
        Self { cpu: self.cpu.saturating_add(cpu_time().saturating_sub(began)), ..self }
    }

    /// True if nothing more may be used.
    #[must_use]
    pub fn is_too_much(self) -> bool {
        self.cpu > LONGEST || self.bytes > LARGEST
    }
}

/// The values of `rateLimit`.
#[derive(Debug, Clone, Copy)]
pub struct Spent {
    /// The caller's limit after this query.
    pub quota: Quota,
    /// The cost of this query, in points.
    pub cost: u32,
    /// The nodes that it may ask for.
    pub nodes: u64,
}

/// A query while it runs.
pub struct Running<'r> {
    snapshot: &'r dyn Snapshot,
    /// The beginning of URLs in the response.
    pub links: &'r Links,
    /// The rules of the table for fields.
    pub rules: &'r Rules,
    /// The caller.
    pub me: i64,
    /// True if the teams above the caller's own count as theirs (decision 63).
    pub effective_teams: bool,
    /// The caller's limit, unless limits are switched off.
    pub spent: Option<Spent>,
    before: Used,
    began: Duration,
    clock: &'r Clock,
    /// The time at which it is stopped, however much of its time it has waited for the database.
    deadline: Time,
    unchecked: Cell<u32>,
    /// Until when it cannot have used up its CPU time, which passes no faster than any other time.
    safe_until: Cell<Instant>,
    /// Everything that it has looked up.
    pub known: Known,
}

impl<'r> Running<'r> {
    /// A query of this caller that has used this before it began, when the CPU time of this thread was `began`.
    pub fn new(
        snapshot: &'r dyn Snapshot,
        links: &'r Links,
        rules: &'r Rules,
        (me, effective_teams): (i64, bool),
        spent: Option<Spent>,
        (before, began): (Used, Duration),
        clock: &'r Clock,
    ) -> Self {
        Self {
            clock,
            deadline: clock.now().plus_seconds(DEADLINE),
            snapshot,
            links,
            rules,
            me,
            effective_teams,
            spent,
            before,
            began,
            unchecked: Cell::new(UNCHECKED),
            safe_until: Cell::new(Instant::now()),
            known: Known::default(),
        }
    }

    /// Runs work on the snapshot.
    pub fn look<R>(&self, work: impl FnOnce(&mut Cx<'_, '_>) -> Result<R>) -> Result<R> {
        self.unchecked.set(UNCHECKED);
        let (mut work, mut done) = (Some(work), None);
        self.snapshot.look(&mut |cx| done = work.take().map(|work| work(cx)));
        done.unwrap_or_else(|| Err(Error::Bug("a snapshot was not looked at".into())))
    }

    /// The same, where what does not exist is no error.
    pub fn find<R>(&self, work: impl FnOnce(&mut Cx<'_, '_>) -> Result<R>) -> Result<Option<R>> {
        match self.look(work) {
            Ok(found) => Ok(Some(found)),
            Err(Error::NotFound | Error::Absent(_) | Error::Moved { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Refuses to go on once the query has used too much: its time, or these bytes of the response.
    pub fn check(&self, bytes: usize) -> Resolved<()> {
        let bytes = self.before.bytes.saturating_add(bytes);
        if bytes > LARGEST { Err(Failure::TooMuch) } else { self.go_on() }
    }

    /// Refuses to go on once the query has used too much time.
    pub fn go_on(&self) -> Resolved<()> {
        // To ask for the time costs more than most fields do, and to ask for CPU time costs ten times as much.
        self.unchecked.set(self.unchecked.get().saturating_add(1));
        if self.unchecked.get() < UNCHECKED {
            return Ok(());
        }
        self.unchecked.set(0);
        if self.clock.now() > self.deadline {
            return Err(Failure::TooMuch);
        }
        let now = Instant::now();
        if now < self.safe_until.get() {
            return Ok(());
        }
        let left = LONGEST.checked_sub(self.used(0).cpu).ok_or(Failure::TooMuch)?;
        self.safe_until.set(now + left);
        Ok(())
    }

    /// The resources that were used so far, with these bytes of the response.
    pub fn used(&self, bytes: usize) -> Used {
        Used { bytes: self.before.bytes.saturating_add(bytes), ..self.before }.since(self.began)
    }
}
