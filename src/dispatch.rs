//! The lifecycle of a request, top to bottom: the only place that defines the order of refusals (decision 20).
//!
//! 404 no such route, 405 · 403 no User-Agent · 401 · 403 suspended · 403 limit · scope · 403 stale session · 404
//! subject · 403 policy · 403 synchronized · 411, 413, 400 body · 422 parameters · 422 rules · 403 abuse limit. A write is
//! authorized on a read snapshot first, so that a refused write never reaches the writer, and again in the transaction
//! that carries it out.

use std::future::Future;
use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio::time::Instant;

mod attempt;
mod budget;
mod call;
mod client;
mod memory;
mod request;
mod turns;

use attempt::{Attempt, Attempted};
pub use call::{FIRST, InnerCall, Replied};
pub use memory::{Holding, Limits, Memory, Room};
pub use request::{Condition, Credentials, Request, limited};

use crate::access::used::Used;
use crate::clock::{Clock, Time};
use crate::db::{Db, OUTAGE, Place};
use crate::error::{Error, Result};
use crate::journal::clock::{self, ADVICE, ClockCheck};
use crate::limits::guesses;
use crate::limits::requests::{self, Quota};
use crate::members::ends;
use crate::operation::{Caller, Method, Operation, Rendered, Site, Stage};

/// The reason that `/readyz` gives when even the reserve of memory is held.
const FULL: &str = "requests hold all of the memory that they may";

/// Everything that serves requests.
pub struct Service {
    /// The store.
    pub db: Db,
    /// Settings and state in memory.
    pub site: Site,
    /// The table.
    pub operations: Vec<Operation>,
    /// The clock.
    pub clock: Clock,
    /// Checks the clock.
    pub clock_check: ClockCheck,
    /// The tokens that were used since their use was last stored.
    pub used_tokens: Used,
    /// The sessions that were used since their use was last stored.
    pub used_sessions: Used,
    /// The memory that requests hold.
    pub memory: Arc<Memory>,
    /// Wakes the delivery worker after a commit.
    pub changed: Arc<Notify>,
}

/// The facts that the edge needs besides the reply.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The caller, as far as known.
    pub caller: Caller,
    /// The primary limit after this request.
    pub quota: Option<Quota>,
    /// The caller whose quota was charged, so that a 304 can give it back.
    pub charged: Option<requests::Caller>,
}

/// A reply or a refusal.
pub struct Outcome {
    /// The reply or the error.
    pub result: Result<Rendered>,
    /// The facts that the headers need.
    pub facts: Facts,
    /// The memory that the reply holds.
    pub holding: Option<Holding>,
}

impl Service {
    /// A service that has served nothing yet.
    #[must_use]
    pub fn new(db: Db, site: Site, operations: Vec<Operation>, clock: Clock, memory: Limits) -> Self {
        let memory = Memory::new(memory, db.readers_per_client()).into();
        Self {
            db,
            site,
            operations,
            clock,
            clock_check: ClockCheck::default(),
            used_tokens: Used::default(),
            used_sessions: Used::default(),
            memory,
            changed: Arc::default(),
        }
    }

    /// The time that all checks use.
    #[must_use]
    pub fn now(&self) -> Time {
        self.clock_check.now(&self.clock)
    }

    /// Succeeds if requests can be served; otherwise the error is the reason, as clients see it.
    pub async fn ready(&self) -> std::result::Result<(), String> {
        let wrong = match self.db.ready().await {
            Ok(()) => self.clock_check.distrusts(&self.clock).map(|what| format!("{what}. {ADVICE}")),
            Err(error) => {
                if OUTAGE.is_due() {
                    tracing::warn!(%error, "not ready");
                }
                return Err("the database cannot be reached".into());
            }
        };
        let wrong = wrong.or_else(|| (!self.memory.has_room()).then(|| FULL.to_owned()));
        if let Some(what) = &wrong
            && OUTAGE.is_due()
        {
            tracing::warn!("not ready: {what}");
        }
        wrong.map_or(Ok(()), Err)
    }

    /// Reads the journals again, against which the clock is checked.
    pub async fn check_clock(&self) -> Result<()> {
        let known = self.clock_check.known();
        let seen = self.db.read(clock::see).await?;
        self.clock_check.note(known, &seen, &self.clock);
        Ok(())
    }

    /// Carries out a request. The body is read only after the policy has allowed the request.
    pub async fn serve<B, M>(self: &Arc<Self>, request: Request, body: B) -> Outcome
    where
        B: FnOnce(Room) -> M,
        M: Future<Output = Result<(Map<String, Value>, Room)>>,
    {
        if let Err(error) = self.memory.admit().await {
            return Outcome { result: Err(error), facts: Facts::default(), holding: None };
        }
        let reads = self.operations[request.operation].method == Method::Get;
        let attempt = Attempt::new(self, request);
        let carried_out = if reads { self.look(&attempt).await } else { Box::pin(self.change(&attempt, body)).await };
        let ((result, mut facts), holding) = match carried_out {
            Ok(((Ok(rendered), facts), holding)) => {
                let ended = || Error::Bug("a request ended before its function".into());
                ((rendered.ok_or_else(ended), facts), holding)
            }
            Ok(((Err(error), facts), _)) => ((Err(error), facts), None),
            Err(error) => ((Err(error), Facts::default()), None),
        };
        // Only the newest snapshot proves that the token does not exist: an older one may lack a new token.
        if matches!(result, Err(Error::BadCredentials)) {
            attempt.count(&Caller::default(), &mut facts);
        }
        self.advise(&attempt.0.request, &result);
        let person = facts.caller.person.as_ref().map(|person| person.id);
        let result = result.map_err(|error| guesses::charge_disclosure(&self.site.guesses, person, self.now(), error));
        Outcome { result, facts, holding }
    }

    /// Names the setting that would have accepted a partial update, once an hour (decision 8).
    fn advise(&self, request: &Request, result: &Result<Rendered>) {
        let (row, compat) = (&self.operations[request.operation], &self.site.compat);
        let refused = matches!(result, Err(Error::Invalid(_))) && !compat.partial_team_update;
        if refused && row.is_partial(&request.call) && compat.partial_refused.is_due(self.now()) {
            tracing::warn!(
                "refused an update of a team without its name; set compat.partial_team_update = true to accept updates \
                 that send only what changes"
            );
        }
    }

    /// Runs a read, and runs it again if it has to wait for memory for its response.
    async fn look(&self, attempt: &Attempt) -> Result<(Attempted, Option<Holding>)> {
        let (mut deadline, mut reserved) = (None, None);
        loop {
            let (mut answer, facts) = self.run_on_newest(attempt, Stage::Serve).await?;
            drop(reserved.take());
            let Ok(Some(Rendered { body: Some(body), .. })) = &mut answer else { return Ok(((answer, facts), None)) };
            let who = facts.caller.counted(attempt.0.request.peer);
            let need = match self.memory.try_hold(who, body) {
                Ok(holding) => return Ok(((answer, facts), Some(holding))),
                Err(need) => need,
            };
            // A request that waits holds no memory.
            drop(answer);
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + budget::TIMEOUT);
            match self.memory.reserve(need, deadline).await {
                Ok(room) => reserved = Some(room),
                Err(error) => return Ok(((Err(error), facts), None)),
            }
        }
    }

    /// Runs a request on the newest snapshot.
    async fn run_on_newest(&self, attempt: &Attempt, stage: Stage) -> Result<Attempted> {
        attempt.in_turn(|attempt| self.db.read(move |tx| Ok(attempt.run(tx, stage)))).await
    }

    /// Authorizes a write on a snapshot that may be a second old, reads its body, and authorizes it again in its
    /// transaction. Only the newest snapshot can refuse: the caller may have gained or lost the permission a moment
    /// ago.
    async fn change<B, M>(&self, attempt: &Attempt, body: B) -> Result<(Attempted, Option<Holding>)>
    where
        B: FnOnce(Room) -> M,
        M: Future<Output = Result<(Map<String, Value>, Room)>>,
    {
        self.clock_check.check(&self.clock)?;
        let authorize = |attempt: Attempt| self.db.read_recent(move |tx| Ok(attempt.run(tx, Stage::Authorize)), holds);
        let answer = attempt.in_turn(authorize).await?;
        let (Ok(_), facts) = answer else { return Ok((answer, None)) };
        let room = self.memory.room(facts.caller.counted(attempt.0.request.peer));
        // The memory is held for as long as the fields of the body are.
        let (members, _room) = match body(room).await {
            Ok(read) => read,
            // Errors in a body are only reported to callers who still have the permission.
            Err(error) => return Ok((self.refusal(attempt).await.unwrap_or((Err(error), facts)), None)),
        };
        if attempt.0.request.call.body.set(members).is_err() {
            return Err(Error::Bug("a body was read twice".into()));
        }
        if let Err(error) = self.prepare(attempt, &facts.caller).await {
            return Ok((self.refusal(attempt).await.unwrap_or((Err(error), facts)), None));
        }
        let person = facts.caller.person.as_ref().map_or(0, |person| person.id);
        match self.write_current(attempt, person).await {
            Ok((rendered, facts)) => {
                let body = rendered.as_ref().and_then(|rendered| rendered.body.as_ref());
                let who = facts.caller.counted(attempt.0.request.peer);
                let holding = body.map(|body| self.memory.hold(who, body));
                Ok(((Ok(rendered), facts), holding))
            }
            // A store that has just failed is not queried again.
            Err(error @ Error::Unavailable(_)) => Ok(((Err(error), facts), None)),
            Err(error) => Ok((self.refusal(attempt).await.unwrap_or((Err(error), facts)), None)),
        }
    }

    /// Prepares the costly part of a write, outside of its transaction.
    async fn prepare(&self, attempt: &Attempt, caller: &Caller) -> Result<()> {
        let request = &attempt.0.request;
        let row = &self.operations[request.operation];
        row.prepare(&request.call);
        if !row.prepares_on_pool() {
            return Ok(());
        }
        let _turn = self.memory.turn(caller.counted(request.peer)).await?;
        let (attempt, caller) = (attempt.clone(), caller.clone());
        Box::pin(self.db.read_on_pool(move |tx| attempt.prepare(tx, &caller))).await
    }

    /// The refusal of a write on the newest snapshot, if it is refused.
    async fn refusal(&self, attempt: &Attempt) -> Option<Attempted> {
        match self.run_on_newest(attempt, Stage::Authorize).await {
            Ok(refused @ (Err(_), _)) => Some(refused),
            _ => None,
        }
    }

    /// Writes, and again as long as memberships of teams have to end first (decision 64).
    async fn write_current(&self, attempt: &Attempt, person: i64) -> Result<(Option<Rendered>, Facts)> {
        loop {
            let written = self.write(attempt.clone(), person).await;
            if !attempt.waits_for_ends() {
                return written;
            }
            self.end_memberships().await?;
        }
    }

    /// Ends the memberships of teams that are due.
    pub async fn end_memberships(&self) -> Result<()> {
        self.clock_check.check(&self.clock)?;
        let (key, now) = (self.site.audit_key, self.now());
        while self.db.write(move |tx| ends::end(tx, &key, now)).await? {}
        self.clock_check.wrote(now);
        self.changed.notify_one();
        Ok(())
    }

    async fn write(&self, attempt: Attempt, person: i64) -> Result<(Option<Rendered>, Facts)> {
        let lane = attempt.0.request.call.path.lane();
        let place = lane.map(|lane| Place { lane, person });
        let written = self.db.write_in_lane(place, move |tx| {
            attempt.lock(tx)?;
            let (done, facts) = attempt.run(tx, Stage::Serve);
            done.map(|rendered| (rendered, facts))
        });
        let written = written.await?;
        self.clock_check.wrote(self.now());
        self.changed.notify_one();
        Ok(written)
    }

    /// The quota of the caller after this request, and whether the request was counted.
    fn count(&self, row: &Operation, who: requests::Caller, now: Time) -> Option<Counted> {
        let limiter = self.site.limiters.as_ref()?.of(row.resource.counted_for(who));
        let now = now.seconds();
        let quota = if row.free { limiter.peek(who, now) } else { limiter.charge(who, now) };
        Some(Counted { who, quota, charged: !row.free })
    }
}

/// The result of the primary limit for a request.
#[derive(Clone, Copy)]
struct Counted {
    who: requests::Caller,
    quota: Quota,
    charged: bool,
}

/// True if the verdict on a write may come from a snapshot that is not the newest; a refusal may not.
fn holds((answer, _): &Attempted) -> bool {
    matches!(answer, Ok(_) | Err(Error::Unavailable(_)))
}
