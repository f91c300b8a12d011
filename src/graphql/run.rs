//! A request from its body to its response.

use std::cell::RefCell;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Map, Value};

use super::answer::{refusal, too_much};
use super::cached::{self, CachedResponse};
use super::execution;
use super::mutation::{self, Found};
use super::prepared::Prepared;
use super::problem::Problem;
use super::rules::Rules;
use super::running::{Running, Spent, Stop, Used};
use crate::access::token;
use crate::clock::{Time, cpu_time};
use crate::db::{MadeOf, Tx};
use crate::dispatch::{self, Credentials, Service};
use crate::error::{Error, Result};
use crate::limits::requests::{self, Quota};
use crate::limits::resources::Resource;
use crate::links::Links;
use crate::members::ends;
use crate::operation::{Caller, Cx, Json, Moment, Operation, RequestId};

/// A request, as the edge has read it.
pub struct Asked {
    /// The token.
    pub credentials: Credentials,
    /// The client that what it holds counts for.
    pub who: requests::Caller,
    /// The IP address of the client.
    pub peer: IpAddr,
    /// The beginning of URLs in the response.
    pub links: Arc<Links>,
    /// Its ID.
    pub id: RequestId,
    /// The rules of the table for fields and mutations.
    pub rules: Arc<Rules>,
    /// The URL of the page on which a person changes the scopes of a token.
    pub settings: String,
    /// The fields of its body.
    pub body: Map<String, Value>,
}

/// The rest of a limit after a request, and what it limits.
pub type Charged = (Quota, Resource);

/// A response, and what its headers need.
#[derive(Debug)]
pub struct Answered {
    /// The body.
    pub body: Json,
    /// The caller.
    pub caller: Caller,
    /// The limit after this request, and what it limits.
    pub charged: Option<Charged>,
    /// The error of the limit that has refused the query, or a mutation.
    pub limited: Option<Error>,
}

/// The rules of these rows of the table for fields and mutations.
pub fn rules(rows: &[Operation]) -> Result<Rules> {
    Rules::of(rows, mutation::operations())
}

/// The caller of a request. GraphQL is only for callers with credentials. A request without valid ones counts against
/// the limit of the IP address, as with operations, so that tokens cannot be guessed without end.
pub async fn caller(service: &Arc<Service>, credentials: &Credentials, peer: IpAddr) -> Result<Caller> {
    let (now, credentials) = (service.now(), credentials.clone());
    let found = service.db.read(move |tx| authenticate(tx, &credentials, now)).await;
    let who = requests::Caller::Address(peer);
    if matches!(found, Err(Error::Unauthenticated | Error::BadCredentials))
        && let Some(limiters) = &service.site.limiters
        && let quota = limiters.of(Resource::Core).charge(who, now.seconds())
        && quota.refused
    {
        return Err(Error::RateLimited { subject: dispatch::limited(who), reset: quota.reset });
    }
    found
}

/// The caller, on this snapshot.
pub fn authenticate(tx: &mut Tx, credentials: &Credentials, now: Time) -> Result<Caller> {
    match credentials {
        Credentials::None | Credentials::Session(_) | Credentials::Operator => Err(Error::Unauthenticated),
        Credentials::Malformed => Err(Error::BadCredentials),
        Credentials::Token(hash) => token::authenticate(tx, hash, now)?.active(),
    }
}

/// The progress of a request on its first snapshot.
enum Begun {
    /// A query, or a refusal.
    Answered(Answered),
    /// The mutations, which are yet to be carried out, and what was used to find them.
    Mutations(Found, Used, Caller, Option<Charged>),
}

/// Carries out a request.
pub async fn answer(service: &Arc<Service>, asked: Asked) -> Result<Answered> {
    let asked = Arc::new(asked);
    // A query may run twice, and is counted once.
    let counted = OnceLock::new();
    let begun = on_pool(service, &asked, move |service, asked, tx| begin(service, asked, &counted, tx)).await?;
    match begun {
        Begun::Answered(answered) => Ok(answered),
        Begun::Mutations(found, used, caller, charged) => {
            let (body, limited) = Box::pin(mutation::carry_out(service, &asked, found, &caller, used)).await?;
            Ok(Answered { body: body.into(), caller, charged, limited })
        }
    }
}

/// Works on a snapshot in which no membership is due to end, on a thread that may take its time.
pub async fn on_pool<R: Send + 'static>(
    service: &Arc<Service>,
    asked: &Arc<Asked>,
    work: impl Fn(&Service, &Asked, &mut Tx<'_>) -> Result<R> + Send + Sync + 'static,
) -> Result<R> {
    let _turn = service.memory.turn(asked.who).await?;
    let work = Arc::new(work);
    loop {
        let (service, asked, work) = (Arc::clone(service), Arc::clone(asked), Arc::clone(&work));
        let (db, ending) = (service.db.clone(), Arc::clone(&service));
        let read = db.read_on_pool(move |tx| {
            if ends::is_due(tx, service.now())? {
                return Ok(None);
            }
            catch_unwind(AssertUnwindSafe(|| work(&service, &asked, tx)))
                .unwrap_or_else(|_| Err(Error::Bug("a query panicked".into())))
                .map(Some)
        });
        match read.await? {
            Some(read) => return Ok(read),
            None => ending.end_memberships().await?,
        }
    }
}

fn begin(service: &Service, asked: &Asked, counted: &OnceLock<Charged>, tx: &mut Tx) -> Result<Begun> {
    let (began, now) = (cpu_time(), service.now());
    let caller = authenticate(tx, &asked.credentials, now)?;
    if let Some(token) = &caller.token {
        service.used_tokens.note(token.id, now);
    }
    let key = cached::key(&asked.body, &asked.links, &caller);
    if let Some(cached) = key.as_ref().and_then(|key| tx.get_cached::<CachedResponse>(key)) {
        let charged = charge(service, caller.counted(asked.peer), now, counted, (cached.cost, 0));
        return answered(asked, caller, charged, |_| Ok(cached.body.clone()));
    }
    let prepared = Prepared::new(&asked.body, &caller, &asked.rules, &asked.settings)?;
    let cost = prepared.as_ref().map_or(1, |prepared| prepared.count.cost());
    let searches = prepared.as_ref().map_or(0, |prepared| prepared.count.searches);
    let charged = charge(service, caller.counted(asked.peer), now, counted, (cost, searches));
    match prepared {
        Ok(prepared) if prepared.is_mutation && !charged.is_some_and(|(quota, _)| quota.refused) => {
            match Found::of(prepared)? {
                Ok(found) => Ok(Begun::Mutations(found, Used::default().since(began), caller, charged)),
                Err(problem) => answered(asked, caller, charged, |_| Ok(refusal(vec![problem]).into())),
            }
        }
        Ok(prepared) => answered(asked, caller, charged, |caller| {
            let key = key.filter(|_| !prepared.count.fleeting);
            let body = query(service, asked, (tx, caller), &prepared, (charged, began), key.is_some())?;
            let Some(body) = body.map(Json::from) else { return Ok(too_much().into()) };
            if let Some(key) = key {
                tx.insert(MadeOf::Anything, &key, &Arc::new(CachedResponse { body: body.clone(), cost }));
            }
            Ok(body)
        }),
        Err(problems) => answered(asked, caller, charged, |_| Ok(refusal(problems).into())),
    }
}

/// A response, unless the limit of points refuses it, or that of searches.
fn answered(
    asked: &Asked,
    caller: Caller,
    charged: Option<Charged>,
    body: impl FnOnce(&Caller) -> Result<Json>,
) -> Result<Begun> {
    let (body, limited) = if let Some((Quota { reset, .. }, _)) = charged.filter(|(quota, _)| quota.refused) {
        let subject = dispatch::limited(caller.counted(asked.peer));
        let problem = Problem::of("RATE_LIMITED", format!("API rate limit exceeded for {subject}"));
        (refusal(vec![problem]).into(), Some(Error::RateLimited { subject, reset }))
    } else {
        (body(&caller)?, None)
    };
    Ok(Begun::Answered(Answered { body, caller, charged, limited }))
}

/// The body of the response to a query, unless it uses too much.
fn query(
    service: &Service,
    asked: &Asked,
    (tx, caller): (&mut Tx, &Caller),
    prepared: &Prepared,
    (charged, began): (Option<Charged>, Duration),
    is_timeless: bool,
) -> Result<Option<Vec<u8>>> {
    let spent = charged.map(|(quota, _)| Spent { quota, cost: prepared.count.cost(), nodes: prepared.count.nodes });
    let moment = moment(service, asked).concealed_if(is_timeless);
    let work = |run: &Running| execution::query(prepared, run);
    match with_snapshot(service, asked, (tx, moment), caller, (spent, Used::default(), began), work) {
        Ok(written) => Ok(written.body()),
        Err(Stop::TooMuch) => Ok(None),
        Err(Stop::Error(error)) => Err(error),
    }
}

/// The moment of a request.
pub fn moment<'a>(service: &Service, asked: &'a Asked) -> Moment<'a> {
    Moment::new(service.now(), asked.peer, asked.id.as_str())
}

/// Runs resolvers on a snapshot.
pub fn with_snapshot<R>(
    service: &Service,
    asked: &Asked,
    (tx, moment): (&mut Tx, Moment),
    caller: &Caller,
    (spent, before, began): (Option<Spent>, Used, Duration),
    work: impl FnOnce(&Running) -> R,
) -> R {
    let cx = Cx::new(tx, caller, moment, &asked.links, &service.site);
    let effective_teams = caller.token.as_ref().is_some_and(|token| token.effective_teams);
    let me = (cx.my_id(), effective_teams);
    let snapshot = RefCell::new(cx);
    work(&Running::new(&snapshot, &asked.links, &asked.rules, me, spent, (before, began), &service.clock))
}

/// Counts a request once, by its points and its searches, and returns what is left. If there are too many searches, that
/// is what is left of those.
fn charge(
    service: &Service,
    who: requests::Caller,
    now: Time,
    counted: &OnceLock<Charged>,
    (cost, searches): (u32, u32),
) -> Option<Charged> {
    let limiters = service.site.limiters.as_ref()?;
    Some(*counted.get_or_init(|| {
        let charge = |resource, cost| (limiters.of(resource).charge_points(who, now.seconds(), cost), resource);
        let points = charge(Resource::Graphql, cost);
        if searches == 0 || points.0.refused {
            return points;
        }
        Some(charge(Resource::Search, searches)).filter(|(searches, _)| searches.refused).unwrap_or(points)
    }))
}
