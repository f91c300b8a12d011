//! One request in progress, which may run more than once: who asks, whether a limit, a scope or the policy refuses, and the
//! function.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::turns::RequestTurn;
use super::{Counted, Credentials, Facts, Request, Service, limited};
use crate::access::token::{self, Presenter};
use crate::access::{operator, session};
use crate::db::{Cacheable, Tx};
use crate::error::{Error, Result};
use crate::journal;
use crate::members::ends;
use crate::operation::{Caller, Cx, Moment, Rendered, Stage};

/// One request in progress; it may run more than once.
#[derive(Clone)]
pub(super) struct Attempt(pub Arc<Asked>);

/// The state that all runs of a request share.
pub(super) struct Asked {
    pub service: Arc<Service>,
    pub request: Request,
    /// Set once, however often the request runs.
    counted: OnceLock<Option<Counted>>,
    /// True if its locks were requested before.
    locked: AtomicBool,
    /// Its turn on the store's pool, while it reads there.
    turn: RequestTurn,
    /// True if its latest run has ended because memberships of teams have to end first.
    waits_for_ends: AtomicBool,
}

/// The result of one run, and what is known about its caller.
pub(super) type Attempted = (Result<Option<Rendered>>, Facts);

/// The verdict that the policy allows an operation.
struct Authorized;

impl Cacheable for Authorized {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

impl Attempt {
    /// A request that has not run yet.
    pub fn new(service: &Arc<Service>, request: Request) -> Self {
        Self(Arc::new(Asked {
            service: Arc::clone(service),
            request,
            counted: OnceLock::new(),
            locked: AtomicBool::new(false),
            turn: RequestTurn::default(),
            waits_for_ends: AtomicBool::new(false),
        }))
    }

    /// True if its latest run has ended because memberships of teams have to end first. True once for each run: if the door
    /// fails before the next one begins, the request ends with that error.
    pub fn waits_for_ends(&self) -> bool {
        self.0.waits_for_ends.swap(false, Ordering::Relaxed)
    }

    /// Runs the request, and again when memberships that are due have ended, or with a turn if it needed one that it did
    /// not get at once.
    pub async fn in_turn<M: Future<Output = Result<Attempted>>>(&self, run: impl Fn(Self) -> M) -> Result<Attempted> {
        loop {
            let ran = run(self.clone()).await;
            if self.waits_for_ends() {
                self.0.service.end_memberships().await?;
                continue;
            }
            match self.0.turn.wait().await {
                Ok(true) => {}
                Ok(false) => return ran,
                Err(error) => return ran.map(|(_, facts)| (Err(error), facts)),
            }
        }
    }

    pub fn run(&self, tx: &mut Tx, stage: Stage) -> Attempted {
        let mut facts = Facts::default();
        let result = catch_unwind(AssertUnwindSafe(|| self.steps(tx, stage, &mut facts)))
            .unwrap_or_else(|_| Err(Error::Bug("a request panicked".into())));
        (result, facts)
    }

    fn steps(&self, tx: &mut Tx, stage: Stage, facts: &mut Facts) -> Result<Option<Rendered>> {
        let Asked { service, request, .. } = &*self.0;
        let row = &service.operations[request.operation];
        let now = service.now();
        self.0.waits_for_ends.store(false, Ordering::Relaxed);

        let presenter = self.presenter(tx)?;
        let counted = self.count(&presenter.caller, facts);
        facts.caller = presenter.active()?;
        if !facts.caller.is_known() && !row.admits_anonymous() {
            return Err(Error::Unauthenticated);
        }
        if let Some(counted) = counted.filter(|counted| counted.quota.refused) {
            return Err(Error::RateLimited { subject: limited(counted.who), reset: counted.quota.reset });
        }
        if let Some(token) = &facts.caller.token {
            service.used_tokens.note(token.id, now);
            if !row.scopes.satisfied_by(token.scopes) {
                return Err(Error::MissingScope { list: row.is_list() && !row.is_hidden() });
            }
        }
        if let Some(session) = &facts.caller.session {
            service.used_sessions.note(session.id, now);
        }
        if row.recent {
            match facts.caller.refuse_stale_session(now) {
                // The person can sign in again.
                Err(Error::StaleSession) if request.only_asks => {}
                refused => refused?,
            }
        }
        if ends::is_due(tx, now)? {
            self.0.waits_for_ends.store(true, Ordering::Relaxed);
            // The snapshot may not be the newest, so that the door runs it again.
            return Err(Error::Bug("a request has not waited for the end of a membership".into()));
        }
        let authorizes = stage == Stage::Authorize && !row.authorized_by.is_empty();
        if tx.may_wait() && !tx.writes() {
            self.0.turn.take(|| service.memory.client(facts.caller.counted(request.peer)))?;
        }
        let mut cx = Cx {
            tx,
            caller: &facts.caller,
            moment: Moment::new(now, request.peer, request.id.as_str()).concealed_if(row.is_cacheable() || authorizes),
            links: &request.links,
            page: request.page,
            prepared: request.call.prepared.get(),
            site: &service.site,
            mails: true,
            inviter: None,
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

    /// Prepares a part of the request on a snapshot, for a caller whom the policy has allowed it.
    pub fn prepare(&self, tx: &mut Tx, caller: &Caller) -> Result<()> {
        let Asked { service, request, .. } = &*self.0;
        let row = &service.operations[request.operation];
        let moment = Moment::new(service.now(), request.peer, request.id.as_str());
        let mut cx = Cx::new(tx, caller, moment, &request.links, &service.site);
        catch_unwind(AssertUnwindSafe(|| row.prepare_on_pool(&mut cx, &request.call)))
            .unwrap_or_else(|_| Err(Error::Bug("a request panicked".into())))
    }

    /// The user who sends the request.
    fn presenter(&self, tx: &mut Tx) -> Result<Presenter> {
        let Asked { service, request, .. } = &*self.0;
        match &request.credentials {
            Credentials::None => Ok(Presenter::default()),
            Credentials::Malformed => Err(Error::BadCredentials),
            Credentials::Token(hash) => token::authenticate(tx, hash, service.now()),
            Credentials::Session(hash) => session::authenticate(tx, hash, service.now()),
            Credentials::Operator => operator::present(tx, &request.call.path),
        }
    }

    /// Counts the request once, for this caller, and records the remaining quota for the headers.
    pub fn count(&self, caller: &Caller, facts: &mut Facts) -> Option<Counted> {
        let Asked { service, request, counted, .. } = &*self.0;
        let count = || {
            let row = service.operations.get(request.operation).filter(|_| !request.is_counted)?;
            service.count(row, caller.counted(request.peer), service.now())
        };
        let counted = *counted.get_or_init(count);
        facts.quota = counted.map(|counted| counted.quota);
        facts.charged = counted.filter(|counted| counted.charged).map(|counted| counted.who);
        counted
    }

    /// Takes the locks that the row names, before the transaction reads anything that a decision depends on.
    /// Afterwards, the caller and the subject of the path are looked up again.
    pub fn lock(&self, tx: &mut Tx) -> Result<()> {
        let Asked { service, request, locked, .. } = &*self.0;
        let (row, path) = (&service.operations[request.operation], &request.call.path);
        let wanted = |tx: &mut Tx| {
            let caller = self.presenter(tx)?.caller;
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
