//! A request from its body to its response.

use std::cell::RefCell;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use apollo_compiler::executable::Operation;
use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::resolvers::Execution;
use apollo_compiler::response::{ExecutionResponse, JsonMap, JsonValue};
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};
use serde_json::{Map, Value, json};

use super::count::{Count, count};
use super::object::Object;
use super::problem::Problem;
use super::running::{LARGEST, Running, Spent, Stop};
use super::scan::scan;
use super::scopes::{self, Scoped};
use super::value::Thing;
use crate::access::token;
use crate::clock::{Time, cpu_time};
use crate::db::Tx;
use crate::dispatch::{self, Credentials, Service};
use crate::error::{Error, Result};
use crate::limits::requests::{self, Quota};
use crate::links::Links;
use crate::operation::{Caller, Cx, Json, Moment, Page, RequestId};

/// The schema that is served.
static SCHEMA: LazyLock<std::result::Result<Valid<Schema>, String>> = LazyLock::new(|| {
    Schema::parse_and_validate(include_str!("schema.graphql"), "schema.graphql")
        .map_err(|found| found.errors.to_string())
});

/// A request, as the edge has read it.
pub struct Asked {
    /// The token.
    pub credentials: Credentials,
    /// The IP address of the client.
    pub peer: IpAddr,
    /// How URLs in the response begin.
    pub links: Arc<Links>,
    /// Its ID.
    pub id: RequestId,
    /// Where a person changes the scopes of a token.
    pub settings: String,
    /// The fields of its body.
    pub body: Map<String, Value>,
}

/// A response, and what its headers need.
#[derive(Debug)]
pub struct Answered {
    /// The body.
    pub body: Json,
    /// The caller.
    pub caller: Caller,
    /// The limit after this request.
    pub quota: Option<Quota>,
}

/// The caller of a request. GraphQL is only for callers with credentials. A request without valid ones counts against
/// the limit of the IP address, as with operations, so that tokens cannot be guessed without end.
pub async fn caller(service: &Arc<Service>, credentials: &Credentials, peer: IpAddr) -> Result<Caller> {
    let (now, credentials) = (service.now(), credentials.clone());
    let found = service.db.read(move |tx| authenticate(tx, &credentials, now)).await;
    let who = requests::Caller::Address(peer);
    if matches!(found, Err(Error::Unauthenticated | Error::BadCredentials))
        && let Some(limiter) = &service.site.limiter
        && limiter.charge(who, now.seconds()).refused
    {
        return Err(Error::RateLimited { subject: dispatch::limited(who) });
    }
    found
}

fn authenticate(tx: &mut Tx, credentials: &Credentials, now: Time) -> Result<Caller> {
    match credentials {
        Credentials::None => Err(Error::Unauthenticated),
        Credentials::Malformed => Err(Error::BadCredentials),
        Credentials::Token(hash) => token::authenticate(tx, hash, now)?.active(),
    }
}

/// Carries out a request.
pub async fn answer(service: &Arc<Service>, asked: Asked) -> Result<Answered> {
    let service = Arc::clone(service);
    let db = service.db.clone();
    // A query may run twice, and is counted once.
    let counted = Mutex::default();
    db.read_on_pool(move |tx| {
        catch_unwind(AssertUnwindSafe(|| serve(&service, &asked, &counted, tx)))
            .unwrap_or_else(|_| Err(Error::Bug("a query panicked".into())))
    })
    .await
}

fn serve(service: &Service, asked: &Asked, counted: &Mutex<Option<Quota>>, tx: &mut Tx) -> Result<Answered> {
    let (began, now) = (cpu_time(), service.now());
    let schema = SCHEMA.as_ref().map_err(|error| Error::Bug(format!("the schema of GraphQL: {error}")))?;
    let caller = authenticate(tx, &asked.credentials, now)?;
    if let Some(token) = &caller.token {
        service.used_tokens.note(token.id, now);
    }
    let prepared = Prepared::new(schema, asked, &caller);
    let cost = prepared.as_ref().map_or(1, |prepared| prepared.count.cost());
    let quota = charge(service, &caller, asked.peer, now, counted, cost);
    let body = match prepared {
        _ if quota.is_some_and(|quota| quota.refused) => refusal(vec![limited(caller.counted(asked.peer))]),
        Err(problems) => refusal(problems),
        Ok(prepared) => {
            let moment = Moment::new(now, asked.peer, asked.id.as_str());
            let spent = quota.map(|quota| Spent { quota, cost, nodes: prepared.count.nodes });
            let page = Page { number: 1, per_page: 100 };
            let cx = Cx {
                tx,
                caller: &caller,
                moment,
                links: &asked.links,
                page,
                repository_record: false,
                prepared: None,
                site: &service.site,
            };
            prepared.execute(schema, cx, spent, began)?
        }
    };
    Ok(Answered { body: body.into(), caller, quota })
}

/// Counts a request once, and returns what is left.
fn charge(
    service: &Service,
    caller: &Caller,
    peer: IpAddr,
    now: Time,
    counted: &Mutex<Option<Quota>>,
    cost: u32,
) -> Option<Quota> {
    let points = service.site.points.as_ref()?;
    let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
    Some(*counted.get_or_insert_with(|| points.charge_points(caller.counted(peer), now.seconds(), cost)))
}

fn limited(who: requests::Caller) -> Problem {
    Problem::of("RATE_LIMITED", format!("API rate limit exceeded for {}", dispatch::limited(who)))
}

/// The response to a request that was not carried out: errors, and no data.
fn refusal(problems: Vec<Problem>) -> Vec<u8> {
    let errors: Vec<Value> = problems.into_iter().map(Problem::into_value).collect();
    json!({ "errors": errors }).to_string().into_bytes()
}

/// A query that may run.
struct Prepared {
    document: Valid<ExecutableDocument>,
    name: Option<String>,
    variables: Valid<JsonMap>,
    count: Count,
}

impl Prepared {
    fn new(schema: &Valid<Schema>, asked: &Asked, caller: &Caller) -> std::result::Result<Self, Vec<Problem>> {
        let one = |problem: Problem| vec![problem];
        let text = asked.body.get("query").and_then(Value::as_str);
        let unsaid = || one(Problem::untyped("A query attribute must be specified and must be a string."));
        let text = text.ok_or_else(unsaid)?;
        scan(text).map_err(one)?;
        let document = ExecutableDocument::parse_and_validate(schema, text, "query.graphql")
            .map_err(|found| Problem::of_document(&found.errors))?;
        let name = asked.body.get("operationName").and_then(Value::as_str).filter(|name| !name.is_empty());
        let invalid = |error: apollo_compiler::request::RequestError| {
            one(Problem::of_query(error.to_graphql_error(&document.sources)))
        };
        let operation: &Operation = document.operations.get(name).map_err(invalid)?;
        let variables = match asked.body.get("variables") {
            None | Some(Value::Null) => JsonMap::new(),
            Some(Value::Object(fields)) => {
                fields.iter().map(|(name, value)| (name.as_str().into(), JsonValue::from(value.clone()))).collect()
            }
            Some(_) => return Err(one(Problem::untyped("Variables must be an object."))),
        };
        let variables = coerce_variable_values(schema, operation, &variables).map_err(invalid)?;
        let (count, scoped): (Count, Scoped) = count(&document, operation, &variables).map_err(one)?;
        scopes::check(&scoped, caller.token.as_ref(), &asked.settings)?;
        Ok(Self { name: name.map(str::to_owned), document, variables, count })
    }

    fn execute(&self, schema: &Valid<Schema>, cx: Cx, spent: Option<Spent>, began: Duration) -> Result<Vec<u8>> {
        let (links, me) = (cx.links, cx.my_id());
        let snapshot = RefCell::new(cx);
        let run = Running::new(&snapshot, links, me, spent, began);
        let execution = Execution::new(schema, &self.document)
            .operation_name(self.name.as_deref())
            .map(|execution| execution.coerced_variable_values(&self.variables).enable_schema_introspection(true));
        let answer = {
            let root = Object { run: &run, thing: Thing::Query };
            execution.and_then(|execution| execution.execute_sync(&root))
        };
        let absent = match run.end() {
            Ok(absent) => absent,
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::TooMuch) => return Ok(refusal(vec![too_much()])),
        };
        match answer {
            Ok(mut answer) => {
                answer.errors.extend(absent);
                written(answer)
            }
            Err(error) => Ok(refusal(vec![Problem::of_query(error.to_graphql_error(&self.document.sources))])),
        }
    }
}

fn too_much() -> Problem {
    let text = "Resource limits for this query exceeded. Ask for less at a time.";
    Problem::of("RESOURCE_LIMITS_EXCEEDED", text)
}

fn written(answer: ExecutionResponse) -> Result<Vec<u8>> {
    let bug = |error: serde_json::Error| Error::Bug(error.to_string());
    let mut body = b"{\"data\":".to_vec();
    serde_json::to_writer(&mut body, &answer.data).map_err(bug)?;
    if !answer.errors.is_empty() {
        let errors: Vec<Value> = answer.errors.into_iter().map(|error| Problem::of_field(error).into_value()).collect();
        body.extend_from_slice(b",\"errors\":");
        serde_json::to_writer(&mut body, &errors).map_err(bug)?;
    }
    body.push(b'}');
    Ok(if body.len() > LARGEST { refusal(vec![too_much()]) } else { body })
}
