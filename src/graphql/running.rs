//! A query while it runs: its snapshot, what it has used, and what it has looked up.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::clock::cpu_time;
use crate::error::{Error, Result};
use crate::limits::requests::Quota;
use crate::links::Links;
use crate::operation::Cx;
use crate::orgs::org::Org;
use crate::orgs::record::{self, Profile as OrgProfile};
use crate::people::profile::{self, Profile};
use crate::policy::Standing;

/// How much CPU time a query may use.
const LONGEST: Duration = Duration::from_millis(100);

/// After how many fields that look nothing up the time is checked.
const UNCHECKED: u32 = 100;

/// How long a response may be, in bytes.
pub const LARGEST: usize = 8 << 20;

/// Why a field has no value.
#[derive(Debug)]
pub enum Failure {
    /// An error of this field: its type and its message.
    Field(&'static str, String),
    /// The whole query cannot be answered.
    Whole(Error),
    /// The whole query has used too much.
    TooMuch,
}

/// The value of a field, or why it has none.
pub type Resolved<T> = std::result::Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Whole(error)
    }
}

/// Why a query was stopped.
#[derive(Debug)]
pub enum Stop {
    /// It used too much CPU time, or its response is too large.
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

/// What a request has used.
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

    /// Whether nothing more may be used.
    #[must_use]
    pub fn is_too_much(self) -> bool {
        self.cpu > LONGEST || self.bytes > LARGEST
    }
}

/// What `rateLimit` shows.
#[derive(Debug, Clone, Copy)]
pub struct Spent {
    /// The caller's limit after this query.
    pub quota: Quota,
    /// What this query costs.
    pub cost: u32,
    /// The nodes that it may ask for.
    pub nodes: u64,
}

/// A query while it runs.
pub struct Running<'r> {
    snapshot: &'r dyn Snapshot,
    /// How URLs in the response begin.
    pub links: &'r Links,
    /// The caller.
    pub me: i64,
    /// Whether the teams above the caller's own count as theirs (decision 63).
    pub effective_teams: bool,
    /// The caller's limit, unless limits are switched off.
    pub spent: Option<Spent>,
    before: Used,
    began: Duration,
    unchecked: Cell<u32>,
    /// Until when it cannot have used up its CPU time, which passes no faster than any other time.
    safe_until: Cell<Instant>,
    orgs: RefCell<HashMap<i64, Rc<(Org, Standing)>>>,
    org_profiles: RefCell<HashMap<i64, Rc<OrgProfile>>>,
    profiles: RefCell<HashMap<i64, Rc<Profile>>>,
}

impl<'r> Running<'r> {
    /// A query of this caller that has used this before it began, when the CPU time of this thread was `began`.
    pub fn new(
        snapshot: &'r dyn Snapshot,
        links: &'r Links,
        (me, effective_teams): (i64, bool),
        spent: Option<Spent>,
        (before, began): (Used, Duration),
    ) -> Self {
        Self {
            snapshot,
            links,
            me,
            effective_teams,
            spent,
            before,
            began,
            unchecked: Cell::new(UNCHECKED),
            safe_until: Cell::new(Instant::now()),
            orgs: RefCell::default(),
            org_profiles: RefCell::default(),
            profiles: RefCell::default(),
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

    /// Refuses to go on once the query has used too much: its CPU time, or these bytes of the response.
    pub fn check(&self, bytes: usize) -> Resolved<()> {
        let bytes = self.before.bytes.saturating_add(bytes);
        if bytes > LARGEST { Err(Failure::TooMuch) } else { self.go_on() }
    }

    /// Refuses to go on once the query has used too much CPU time.
    pub fn go_on(&self) -> Resolved<()> {
        // To ask for the time costs more than most fields do, and to ask for CPU time costs ten times as much.
        self.unchecked.set(self.unchecked.get().saturating_add(1));
        if self.unchecked.get() < UNCHECKED {
            return Ok(());
        }
        self.unchecked.set(0);
        let now = Instant::now();
        if now < self.safe_until.get() {
            return Ok(());
        }
        let left = LONGEST.checked_sub(self.used(0).cpu).ok_or(Failure::TooMuch)?;
        self.safe_until.set(now + left);
        Ok(())
    }

    /// What was used so far, with these bytes of the response.
    pub fn used(&self, bytes: usize) -> Used {
        Used { bytes: self.before.bytes.saturating_add(bytes), ..self.before }.since(self.began)
    }

    /// An organization with the caller's standing.
    pub fn org(&self, id: i64) -> Result<Rc<(Org, Standing)>> {
        if let Some(known) = self.orgs.borrow().get(&id) {
            return Ok(Rc::clone(known));
        }
        let found = self.look(|cx| {
            let org = Org::by_id(cx.tx, cx.my_id(), id)?.ok_or(Error::NotFound)?;
            let standing = org.standing(cx);
            Ok(Rc::new((org, standing)))
        })?;
        self.orgs.borrow_mut().insert(id, Rc::clone(&found));
        Ok(found)
    }

    /// The profile of an organization.
    pub fn org_profile(&self, id: i64) -> Result<Rc<OrgProfile>> {
        if let Some(known) = self.org_profiles.borrow().get(&id) {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(self.look(|cx| record::profile(cx.tx, id))?);
        self.org_profiles.borrow_mut().insert(id, Rc::clone(&found));
        Ok(found)
    }

    /// The profile of a person, read together with those of the people on the same page.
    pub fn profile(&self, id: i64, page: &[i64]) -> Result<Rc<Profile>> {
        if let Some(known) = self.profiles.borrow().get(&id) {
            return Ok(Rc::clone(known));
        }
        let known = self.profiles.borrow();
        let missing: Vec<i64> = page.iter().filter(|id| !known.contains_key(id)).copied().collect();
        drop(known);
        let found = self.look(|cx| profile::profiles(cx.tx, &missing))?;
        self.profiles.borrow_mut().extend(found.into_iter().map(|profile| (profile.user.id, Rc::new(profile))));
        self.profiles.borrow().get(&id).cloned().ok_or(Error::NotFound)
    }
}
