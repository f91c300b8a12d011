//! The life of a request, top to bottom: the only place that knows the order of refusal (decision 20).
//!
//! 404 no such route, 405 · 403 no User-Agent · 401 · 403 suspended · 403 limit · scope · 404 subject ·
//! 403 policy · 403 synchronized · 411, 413, 400 body · 422 parameters · 422 rules · 403 abuse limit. A write is judged
//! on a read snapshot first, so that a refused one never reaches the writer, and again in the transaction that carries
//! it out.

use std::future::Future;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use crate::access::limit::{self, Quota};
use crate::access::{abuse, token};
use crate::clock::{Clock, Now, Time};
use crate::db::{Db, Kept, Tx};
use crate::error::{Error, Result};
use crate::links::Links;
use crate::operation::{Call, Caller, Cx, Method, Operation, Page, Rendered, RequestId, Site, Stage};

/// Everything that serves requests.
pub struct Service {
    /// The store.
    pub db: Db,
    /// Settings and state in memory.
    pub site: Site,
    /// The table.
    pub operations: Vec<Operation>,
    /// Time.
    pub clock: Clock,
    /// Which tokens were used since it was last written down.
    pub used_tokens: token::Used,
}

/// A request for an operation of the table.
pub struct Request {
    /// Which row.
    pub operation: usize,
    /// What was sent, without the body.
    pub call: Call,
    /// The token that was presented: none, one, or something that is none.
    pub credentials: Credentials,
    /// Where it came from.
    pub peer: IpAddr,
    /// How addresses in the answer begin.
    pub links: Arc<Links>,
    /// The page of a list.
    pub page: Page,
    /// Whether a check of a repository is to answer with the record.
    pub repository_record: bool,
    /// Its id, which the answer repeats.
    pub id: RequestId,
}

impl Request {
    /// All that a judgement depends on beside the data: what is to be done with what, and by whom.
    fn verdict_key(&self, caller: &Caller, judged_by: &[&str]) -> Vec<u8> {
        let mut key = self.begin_key(caller);
        for name in judged_by {
            push_text(&mut key, self.call.path.get(name).unwrap_or_default());
        }
        key
    }

    fn begin_key(&self, caller: &Caller) -> Vec<u8> {
        let token = caller.token.as_ref().map_or(0, |token| token.id);
        let mut key = Vec::with_capacity(256);
        for number in [self.operation.to_be_bytes(), token.to_be_bytes()] {
            key.extend_from_slice(&number);
        }
        key
    }

    /// All that a read depends on beside the data: what is asked, and by whom.
    fn key(&self, caller: &Caller) -> Vec<u8> {
        let Call { path, query, legacy, .. } = &self.call;
        let mut key = self.begin_key(caller);
        key.extend_from_slice(&[u8::from(*legacy), u8::from(self.repository_record)]);
        self.links.push_key(&mut key);
        let path = path.0.iter().map(|(name, value)| (&**name, value));
        for (name, value) in path.chain(query.iter().map(|(name, value)| (name.as_str(), value))) {
            push_text(&mut key, name);
            push_text(&mut key, value);
        }
        key
    }
}

fn push_text(key: &mut Vec<u8>, text: &str) {
    key.extend_from_slice(&text.len().to_be_bytes());
    key.extend_from_slice(text.as_bytes());
}

/// What a request says of who sends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// Nothing.
    None,
    /// A token, as its hash: nothing beyond the edge knows its text.
    Token([u8; 32]),
    /// Something that cannot be a token.
    Malformed,
}

/// What the edge needs beside the reply.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Who called, as far as that was found out.
    pub caller: Caller,
    /// The primary limit, as it stands after this request.
    pub quota: Option<Quota>,
    /// What the quota was charged to, so that a 304 can give it back.
    pub charged: Option<limit::Caller>,
}

/// A reply or a refusal.
pub struct Outcome {
    /// What happened.
    pub result: Result<Rendered>,
    /// What the headers say of it.
    pub facts: Facts,
}

impl Service {
    /// Carries a request out. The body is asked for only after the policy has agreed.
    pub async fn serve<B>(self: &Arc<Self>, request: Request, body: B) -> Outcome
    where
        B: Future<Output = Result<Map<String, Value>>>,
    {
        let reads = self.operations[request.operation].method == Method::Get;
        let asked = Asked { service: Arc::clone(self), request, counted: Mutex::default() };
        let attempt = Attempt(Arc::new(asked));
        let carried_out =
            if reads { self.judge(&attempt, Stage::Serve).await } else { self.change(attempt, body).await };
        let (result, facts) = match carried_out {
            Ok((Ok(rendered), facts)) => {
                (rendered.ok_or_else(|| Error::Bug("a request ended before its function".into())), facts)
            }
            Ok((Err(error), facts)) => (Err(error), facts),
            Err(error) => return Outcome { result: Err(error), facts: Facts::default() },
        };
        let result = result.map_err(|error| abuse::told(&self.site, &facts.caller, self.clock.now(), error));
        Outcome { result, facts }
    }

    /// Runs a request on the newest snapshot.
    async fn judge(&self, attempt: &Attempt, stage: Stage) -> Result<Judged> {
        let attempt = attempt.clone();
        self.db.read(move |tx| attempt.judge(tx, stage)).await
    }

    /// Judges a write on a snapshot that may be a moment old, then in its transaction. Whatever speaks against it is
    /// said by the newest snapshot: the caller may have got, or lost, what it takes a moment ago.
    async fn change<B>(&self, attempt: Attempt, body: B) -> Result<Judged>
    where
        B: Future<Output = Result<Map<String, Value>>>,
    {
        let first = attempt.clone();
        let judged = self.db.read_recent(move |tx| first.judge(tx, Stage::Judge), holds).await?;
        let (Ok(_), facts) = judged else { return Ok(judged) };
        let members = match body.await {
            Ok(members) => members,
            // What is wrong with a body is only said to whoever may still do it.
            Err(error) => return Ok(self.refusal(&attempt).await.unwrap_or((Err(error), facts))),
        };
        if attempt.0.request.call.body.set(members).is_err() {
            return Err(Error::Bug("a body was read twice".into()));
        }
        match self.write(attempt.clone()).await {
            Ok((rendered, facts)) => Ok((Ok(rendered), facts)),
            Err(error) => Ok(self.refusal(&attempt).await.unwrap_or((Err(error), facts))),
        }
    }

    /// What the newest snapshot says against a write, if anything.
    async fn refusal(&self, attempt: &Attempt) -> Option<Judged> {
        match self.judge(attempt, Stage::Judge).await {
            Ok(refused @ (Err(_), _)) => Some(refused),
            _ => None,
        }
    }

    async fn write(&self, attempt: Attempt) -> Result<(Option<Rendered>, Facts)> {
        let written = self.db.write(move |tx| {
            attempt.lock(tx)?;
            let (done, facts) = attempt.run(tx, Stage::Serve);
            done.map(|rendered| (rendered, facts))
        });
        written.await
    }

    /// What is left to the caller after this request, and whether the request was counted.
    fn count(&self, row: &Operation, who: limit::Caller, now: Time) -> Option<Counted> {
        let limiter = self.site.limiter.as_ref()?;
        let now = now.seconds();
        let quota = if row.free { limiter.peek(who, now) } else { limiter.charge(who, now) };
        Some(Counted { who, quota, charged: !row.free })
    }
}

/// What the primary limit says of a request.
#[derive(Clone, Copy)]
struct Counted {
    who: limit::Caller,
    quota: Quota,
    charged: bool,
}

/// One request on its way; the doors may run it more than once.
#[derive(Clone)]
struct Attempt(Arc<Asked>);

/// What is the same each time that a request is run.
struct Asked {
    service: Arc<Service>,
    request: Request,
    /// Counted once, however often it is run.
    counted: Mutex<Option<Counted>>,
}

type Judged = (Result<Option<Rendered>>, Facts);

/// That the policy has agreed to something.
struct Allowed;

impl Kept for Allowed {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

/// Whether a judgement of a write stands although it was made of what is not the newest, nor all of one moment.
fn holds((judged, _): &Judged) -> bool {
    matches!(judged, Ok(_) | Err(Error::Unavailable(_)))
}

impl Attempt {
    /// Runs on a snapshot; only what makes the door try again is an error of the door.
    fn judge(&self, tx: &mut Tx, stage: Stage) -> Result<Judged> {
        match self.run(tx, stage) {
            (Err(again @ (Error::Stale | Error::Budget)), _) => Err(again),
            judged => Ok(judged),
        }
    }

    fn run(&self, tx: &mut Tx, stage: Stage) -> Judged {
        let mut facts = Facts::default();
        let result = catch_unwind(AssertUnwindSafe(|| self.steps(tx, stage, &mut facts)))
            .unwrap_or_else(|_| Err(Error::Bug("a request panicked".into())));
        (result, facts)
    }

    fn steps(&self, tx: &mut Tx, stage: Stage, facts: &mut Facts) -> Result<Option<Rendered>> {
        let Asked { service, request, .. } = &*self.0;
        let row = &service.operations[request.operation];
        let now = service.clock.now();

        let authenticated = match &request.credentials {
            Credentials::None => Ok(Caller::default()),
            Credentials::Malformed => Err(Error::BadCredentials),
            Credentials::Token(hash) => token::authenticate(tx, hash, now),
        };
        let nobody = Caller::default();
        let known = authenticated.as_ref().unwrap_or(&nobody);
        let counted = self.count(row, known, now);
        facts.quota = counted.map(|counted| counted.quota);
        facts.charged = counted.filter(|counted| counted.charged).map(|counted| counted.who);
        facts.caller = authenticated?;
        if facts.caller.person.is_none() && (row.personal || row.method != Method::Get) {
            return Err(Error::Unauthenticated);
        }
        if let Some(counted) = counted.filter(|counted| counted.quota.refused) {
            return Err(Error::RateLimited { subject: limited(counted.who) });
        }
        if let Some(token) = &facts.caller.token {
            service.used_tokens.note(token.id, now);
            if !row.scopes.satisfied_by(token.scopes) {
                return Err(Error::MissingScope { list: row.is_list() });
            }
        }
        let mut cx = Cx {
            tx,
            caller: &facts.caller,
            peer: request.peer,
            now: Now::new(now),
            links: &request.links,
            page: request.page,
            repository_record: request.repository_record,
            request_id: request.id.as_str(),
            site: &service.site,
        };
        let call = &request.call;
        if stage == Stage::Judge && !row.judged_by.is_empty() {
            let key = request.verdict_key(&facts.caller, row.judged_by);
            return cx.recall(&key, |cx| row.run(cx, call, stage).map(|_| Allowed)).map(|_| None);
        }
        if row.method != Method::Get {
            return row.run(&mut cx, call, stage);
        }
        // Whoever asks the same again, of the same snapshot, gets the same answer (decision record 0005).
        let answer = cx.recall(&request.key(&facts.caller), |cx| {
            row.run(cx, call, stage)?.ok_or_else(|| Error::Bug("a read ended before its function".into()))
        })?;
        Ok(Some(Arc::try_unwrap(answer).unwrap_or_else(|kept| Rendered::clone(&kept))))
    }

    fn count(&self, row: &Operation, caller: &Caller, now: Time) -> Option<Counted> {
        let Asked { service, request, counted } = &*self.0;
        let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.is_none() {
            *counted = service.count(row, caller.counted(request.peer), now);
        }
        *counted
    }

    /// Takes the locks of the row's subject before anything is read that is decided on.
    fn lock(&self, tx: &mut Tx) -> Result<()> {
        if !tx.has_locks() {
            return Ok(());
        }
        let Asked { service, request, .. } = &*self.0;
        let caller = match &request.credentials {
            Credentials::Token(hash) => token::authenticate(tx, hash, service.clock.now())?,
            _ => Caller::default(),
        };
        let row = &service.operations[request.operation];
        let mut locks = (row.locks)(tx, &caller, &request.call.path)?;
        tx.lock(&mut locks)
    }
}

fn limited(who: limit::Caller) -> String {
    match who {
        limit::Caller::Person(id) => format!("user ID {id}."),
        limit::Caller::Address(address) => format!(
            "{address}. (But here's the good news: Authenticated requests get a higher rate limit. \
             Check out the documentation for more details.)"
        ),
    }
}
