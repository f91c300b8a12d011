//! Carrying out the mutations of a document, one after the other.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use apollo_compiler::response::{ExecutionResponse, JsonValue};
use serde_json::Value;

use super::super::answer::{TOO_MUCH, too_much, written};
use super::super::prepared::Prepared;
use super::super::run::{self, authenticate, moment, on_pool, with_snapshot};
use super::super::running::{Failure, Resolved, Running, Stop, Used};
use super::super::value::Payload;
use super::plan::Plan;
use super::refusal;
use super::root::{Asked, Found, Shown, executed_before, part, without_payloads};
use crate::db::Tx;
use crate::dispatch::{InnerCall, Service};
use crate::error::{Error, Result};
use crate::operation::Caller;

/// A request while its mutations are carried out.
struct CarryingOut<'a> {
    service: &'a Arc<Service>,
    asked: &'a Arc<run::Asked>,
    prepared: Arc<Prepared>,
    me: i64,
    used: Used,
    /// Whether one of them has been carried out.
    has_changed: bool,
    retry_after: Option<u32>,
}

/// Carries out mutations. Returns the body of the response, and how long a client must wait whom the abuse limit has
/// refused. If the service fails before anything has changed, the request fails like any other.
pub async fn carry_out(
    service: &Arc<Service>,
    asked: &Arc<run::Asked>,
    found: Found,
    caller: &Caller,
    used: Used,
) -> Result<(Vec<u8>, Option<u32>)> {
    let Found { prepared, fields } = found;
    let me = caller.person.as_ref().map_or(0, |person| person.id);
    let mut carrying = CarryingOut { service, asked, prepared, me, used, has_changed: false, retry_after: None };
    let (mut parts, mut failures) = (Vec::new(), HashMap::new());
    for field in fields {
        let key = field.key.clone();
        match carrying.one(field).await {
            Ok(part) => parts.push((key, part)),
            Err(Failure::Whole(error)) if !carrying.has_changed => return Err(error),
            Err(failure) => drop(failures.insert(key, refusal::late(failure))),
        }
    }
    Ok((together(&carrying.prepared, parts, failures)?, carrying.retry_after))
}

/// The body of the response. If all payloads together are too long, it has none of them.
fn together(
    prepared: &Prepared,
    parts: Vec<(String, ExecutionResponse)>,
    mut failures: HashMap<String, String>,
) -> Result<Vec<u8>> {
    let mut answer = without_payloads(prepared, &failures)?;
    for (key, part) in parts {
        answer.errors.extend(part.errors);
        answer.data.get_or_insert_default().extend(part.data.unwrap_or_default());
        failures.insert(key, refusal::late(shows_too_much()));
    }
    match written(answer)? {
        Some(body) => Ok(body),
        None => Ok(written(without_payloads(prepared, &failures)?)?.unwrap_or_else(too_much)),
    }
}

/// The error of a mutation that was carried out, and of which too much is selected.
fn shows_too_much() -> Failure {
    let text = "The change was made, but what is selected of it is too much. Select less of it.";
    Failure::Field(TOO_MUCH, text.to_owned())
}

impl CarryingOut<'_> {
    /// Carries out one mutation, and returns its part of the response.
    async fn one(&mut self, field: Asked) -> Resolved<ExecutionResponse> {
        if self.used.is_too_much() {
            let text = "The mutation was not carried out, because the request has used too much. Send it again alone.";
            return Err(Failure::Field(TOO_MUCH, text.to_owned()));
        }
        let field = Arc::new(field);
        let record = self.call(&field).await?;
        self.has_changed = true;
        let node_id = record.get("node_id").and_then(Value::as_str).map(str::to_owned);
        // The change was made. If it cannot be shown, the client must learn that.
        match self.show(&field, node_id).await {
            Ok(Some((part, used))) => {
                self.used = used;
                Ok(part)
            }
            Ok(None) => {
                self.used = Used::UP;
                Err(shows_too_much())
            }
            Err(error) => {
                tracing::warn!(%error, "the result of a mutation cannot be shown");
                let text = "The change was made, but it cannot be shown now. Read it with a query.";
                Err(Failure::Field("SERVICE_UNAVAILABLE", text.to_owned()))
            }
        }
    }

    /// Calls the operation. Returns the record that it responds with.
    async fn call(&mut self, field: &Arc<Asked>) -> Resolved<Value> {
        let (me, planned) = (self.me, Arc::clone(field));
        let plan = self.service.db.read(move |tx| plan(tx, me, &planned)).await??;
        let Plan { operation, path, body, subject, condition } = plan;
        let call = InnerCall {
            operation,
            path,
            body,
            credentials: self.asked.credentials.clone(),
            peer: self.asked.peer,
            links: Arc::clone(&self.asked.links),
            id: self.asked.id,
            is_counted: true,
            condition,
        };
        let called = Box::pin(self.service.call(call)).await;
        if let Err(Error::Abuse { retry_after }) = called {
            self.retry_after = Some(retry_after);
        }
        called.map_err(|error| refusal::of(error, &subject))
    }

    /// Reads what is selected of the payload, unless that is too much.
    async fn show(&self, field: &Arc<Asked>, node_id: Option<String>) -> Result<Option<(ExecutionResponse, Used)>> {
        let (prepared, field, used) = (Arc::clone(&self.prepared), Arc::clone(field), self.used);
        on_pool(self.service, self.asked, move |service, asked, tx| {
            let caller = authenticate(tx, &asked.credentials, service.now())?;
            let id = field.input().0.get("clientMutationId").cloned();
            let client_mutation_id = id.unwrap_or(JsonValue::Null);
            let payload = Payload { kind: field.kind.clone(), client_mutation_id, node_id: node_id.clone() };
            let payload = Rc::new(payload);
            let work = |run: &Running| prepared.execute(&Shown { run, key: &field.key, payload });
            let at = (tx, moment(service, asked));
            let (answer, ended) = with_snapshot(service, asked, at, &caller, (None, used), work);
            match (answer, ended) {
                (_, Err(Stop::Error(error))) => Err(error),
                (_, Err(Stop::TooMuch)) => Ok(None),
                (Err(_), Ok(_)) => Err(executed_before()),
                (Ok(answer), Ok((_, used))) => Ok(Some((part(answer, &field.key), used))),
            }
        })
        .await
    }
}

/// The call that a mutation becomes, or why it becomes none.
fn plan(tx: &mut Tx, me: i64, field: &Asked) -> Result<Resolved<Plan>> {
    match (field.mutation.plan)(tx, me, field.input()) {
        Err(Failure::Whole(error)) => Err(error),
        planned => Ok(planned),
    }
}
