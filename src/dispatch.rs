//! The lifecycle of a request, top to bottom: the only place that defines the order of refusals (decision 20).
//!
//! 404 no such route, 405 · 403 no User-Agent · 401 · 403 suspended · 403 limit · scope · 404 subject · 403 policy ·
//! 403 synchronized · 411, 413, 400 body · 422 parameters · 422 rules · 403 abuse limit. A write is authorized on a
//! read snapshot first, so that a refused write never reaches the writer, and again in the transaction that carries it
//! out.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio::time::Instant;

mod call;
mod memory;
mod request;

pub use call::InnerCall;
pub use memory::{Holding, Limits, Memory, Room};
pub use request::{Condition, Credentials, Request, limited};

use crate::access::token;
use crate::clock::{Clock, Time};
use crate::db::{Cacheable, Db, OUTAGE, Place, Tx};
use crate::error::{Error, Result};
use crate::journal;
use crate::journal::clock::{self, ADVICE, ClockCheck};
use crate::limits::guesses;
use crate::limits::requests::{self, Quota};
use crate::operation::{Caller, Cx, Method, Moment, Operation, Rendered, Site, Stage};

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
    pub used_tokens: token::Used,
    /// What requests hold in memory.
    pub memory: Arc<Memory>,
    /// Wakes the delivery worker after a commit.
    pub changed: Arc<Notify>,
}

/// What the edge needs besides the reply.
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
    /// What the headers need.
    pub facts: Facts,
    /// The memory that the reply holds.
    pub holding: Option<Holding>,
}

impl Service {
    /// A service that has served nothing yet.
    #[must_use]
    pub fn new(db: Db, site: Site, operations: Vec<Operation>, clock: Clock, memory: Limits) -> Self {
        let (used_tokens, memory) = (token::Used::default(), Memory::new(memory).into());
        Self {
            db,
            site,
            operations,
            clock,
            clock_check: ClockCheck::default(),
            used_tokens,
            memory,
            changed: Arc::default(),
        }
    }

    /// The time that all checks use.
    #[must_use]
    pub fn now(&self) -> Time {
        self.clock_check.now(&self.clock)
    }

    /// Whether requests can be served; otherwise the reason, as clients see it.
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
        let asked =
            Asked { service: Arc::clone(self), request, counted: Mutex::default(), locked: AtomicBool::new(false) };
        let attempt = Attempt(Arc::new(asked));
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
        let person = facts.caller.person.as_ref().map(|person| person.id);
        let result = result.map_err(|error| guesses::charge_disclosure(&self.site.guesses, person, self.now(), error));
        Outcome { result, facts, holding }
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
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + memory::TIMEOUT);
            match self.memory.reserve(need, deadline).await {
                Ok(room) => reserved = Some(room),
                Err(error) => return Ok(((Err(error), facts), None)),
            }
        }
    }

    /// Runs a request on the newest snapshot.
    async fn run_on_newest(&self, attempt: &Attempt, stage: Stage) -> Result<Attempted> {
        let attempt = attempt.clone();
        self.db.read(move |tx| Ok(attempt.run(tx, stage))).await
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
        let first = attempt.clone();
        let answer = self.db.read_recent(move |tx| Ok(first.run(tx, Stage::Authorize)), holds).await?;
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
        self.operations[attempt.0.request.operation].prepare(&attempt.0.request.call);
        let person = facts.caller.person.as_ref().map_or(0, |person| person.id);
        match self.write(attempt.clone(), person).await {
            Ok((rendered, facts)) => {
                let body = rendered.as_ref().and_then(|rendered| rendered.body.as_ref());
                let holding = body.map(|body| self.memory.hold(body));
                Ok(((Ok(rendered), facts), holding))
            }
            // A store that has just failed is not queried again.
            Err(error @ Error::Unavailable(_)) => Ok(((Err(error), facts), None)),
            Err(error) => Ok((self.refusal(attempt).await.unwrap_or((Err(error), facts)), None)),
        }
    }

    /// The refusal of a write on the newest snapshot, if it is refused.
    async fn refusal(&self, attempt: &Attempt) -> Option<Attempted> {
        match self.run_on_newest(attempt, Stage::Authorize).await {
            Ok(refused @ (Err(_), _)) => Some(refused),
            _ => None,
        }
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
        let limiter = self.site.limiter.as_ref()?;
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

/// One request in progress; it may run more than once.
#[derive(Clone)]
struct Attempt(Arc<Asked>);

/// What is the same in each run of a request.
struct Asked {
    service: Arc<Service>,
    request: Request,
    /// Set once, however often the request runs.
    counted: Mutex<Option<Counted>>,
    /// Whether its locks were requested before.
    locked: AtomicBool,
}

/// The result of one run, and what is known about its caller.
type Attempted = (Result<Option<Rendered>>, Facts);

/// The verdict that the policy allows an operation.
struct Authorized;

impl Cacheable for Authorized {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

/// Whether the verdict on a write may come from a snapshot that is not the newest; a refusal may not.
fn holds((answer, _): &Attempted) -> bool {
    matches!(answer, Ok(_) | Err(Error::Unavailable(_)))
}

impl Attempt {
    fn run(&self, tx: &mut Tx, stage: Stage) -> Attempted {
        let mut facts = Facts::default();
        let result = catch_unwind(AssertUnwindSafe(|| self.steps(tx, stage, &mut facts)))
            .unwrap_or_else(|_| Err(Error::Bug("a request panicked".into())));
        (result, facts)
    }

    fn steps(&self, tx: &mut Tx, stage: Stage, facts: &mut Facts) -> Result<Option<Rendered>> {
        let Asked { service, request, .. } = &*self.0;
        let row = &service.operations[request.operation];
        let now = service.now();

        let presenter = match &request.credentials {
            Credentials::None => token::Presenter::default(),
            Credentials::Malformed => return Err(Error::BadCredentials),
            Credentials::Token(hash) => token::authenticate(tx, hash, now)?,
        };
        let counted = self.count(&presenter.caller, facts);
        facts.caller = presenter.active()?;
        if facts.caller.person.is_none() && !row.admits_anonymous() {
            return Err(Error::Unauthenticated);
        }
        if let Some(counted) = counted.filter(|counted| counted.quota.refused) {
            return Err(Error::RateLimited { subject: limited(counted.who) });
        }
        if let Some(token) = &facts.caller.token {
            service.used_tokens.note(token.id, now);
            if !row.scopes.satisfied_by(token.scopes) {
                return Err(Error::MissingScope { list: row.is_list() && !row.is_hidden() });
            }
        }
        let authorizes = stage == Stage::Authorize && !row.authorized_by.is_empty();
        let mut cx = Cx {
            tx,
            caller: &facts.caller,
            moment: Moment::new(now, request.peer, request.id.as_str()).concealed_if(row.is_cacheable() || authorizes),
            links: &request.links,
            page: request.page,
            repository_record: request.repository_record,
            prepared: request.call.prepared.get(),
            site: &service.site,
        };
        let call = &request.call;
        if authorizes {
            let key = request.verdict_key(&facts.caller, row.authorized_by);
            return cx.cached(&key, |cx| row.run(cx, call, stage).map(|_| Authorized)).map(|_| None);
        }
        if let Some(condition) = request.condition.as_ref().filter(|_| stage == Stage::Serve) {
            condition(cx.tx)?;
        }
        if !row.is_cacheable() {
            return row.run(&mut cx, call, stage);
        }
        // The same request on the same snapshot has the same response (docs/decisions/0023).
        let answer = cx.cached(&request.key(&facts.caller), |cx| {
            let rendered = row.run(cx, call, stage)?;
            let rendered = rendered.ok_or_else(|| Error::Bug("a read ended before its function".into()))?;
            Ok(rendered.digested(&service.site.etag_key))
        })?;
        Ok(Some(Arc::try_unwrap(answer).unwrap_or_else(|kept| Rendered::clone(&kept))))
    }

    /// Counts the request once, for this caller, and records the remaining quota for the headers.
    fn count(&self, caller: &Caller, facts: &mut Facts) -> Option<Counted> {
        let Asked { service, request, counted, .. } = &*self.0;
        let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.is_none() && !request.is_counted {
            let row = &service.operations[request.operation];
            *counted = service.count(row, caller.counted(request.peer), service.now());
        }
        facts.quota = counted.map(|counted| counted.quota);
        facts.charged = counted.filter(|counted| counted.charged).map(|counted| counted.who);
        *counted
    }

    /// Takes the locks that the row names, before the transaction reads anything that a decision depends on.
    /// Afterwards, the caller and the subject of the path are looked up again.
    fn lock(&self, tx: &mut Tx) -> Result<()> {
        let Asked { service, request, locked, .. } = &*self.0;
        let (row, path) = (&service.operations[request.operation], &request.call.path);
        let wanted = |tx: &mut Tx| {
            let caller = match &request.credentials {
                Credentials::Token(hash) => token::authenticate(tx, hash, service.now())?.caller,
                _ => Caller::default(),
            };
            (row.locks)(tx, &caller, path).map(|locks| (locks, caller))
        };
        // If a guess has missed a lock once, another guess would miss one again.
        let again = locked.swap(true, Ordering::Relaxed);
        let (locks, caller) = if again { wanted(tx)? } else { tx.guess(wanted)? };
        journal::lock_and(tx, &locks, |tx| {
            if let Credentials::Token(hash) = &request.credentials {
                token::ask_ahead(tx, hash);
            }
            (row.ask_ahead)(tx, caller.person.as_ref().map_or(0, |person| person.id), path)
        })?;
        if !tx.is_remote() {
            return Ok(());
        }
        if let Credentials::Token(hash) = &request.credentials {
            // The row of the token also has the text of the snapshot, which says whether what readers have cached still
            // holds under the locks. The token itself is checked later.
            drop(token::authenticate(tx, hash, service.now()));
        }
        let moved = (row.locks)(tx, &caller, path)?.iter().any(|lock| !locks.contains(lock));
        if moved { Err(tx.run_again()) } else { Ok(()) }
    }
}
