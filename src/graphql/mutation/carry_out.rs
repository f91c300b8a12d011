//! Carrying out the mutations of a document, one after the other.

use std::sync::Arc;

use serde_json::Value;

use super::super::answer::{Written, too_much};
use super::super::arguments::Refusal;
use super::super::execution;
use super::super::prepared::Prepared;
use super::super::run::{self, authenticate, moment, on_pool, with_snapshot};
use super::super::running::{Failure, Resolved, Running, Stop, Used};
use super::super::value::Payload;
use super::plan::Plan;
use super::root::{Asked, Found};
use super::{Mutation, refusal};
use crate::clock::cpu_time;
use crate::db::Tx;
use crate::dispatch::{FIRST, InnerCall, Service};
use crate::error::{Error, Result};
use crate::operation::Caller;

/// A request while its mutations are carried out.
struct CarryingOut<'a> {
    service: &'a Arc<Service>,
    asked: &'a Arc<run::Asked>,
    prepared: Arc<Prepared>,
    me: i64,
    used: Used,
    /// True if one of them has been carried out.
    has_changed: bool,
    /// The error of the abuse limit.
    limited: Option<Error>,
}

/// Carries out mutations. Returns the body of the response and, if the abuse limit refused one of them, its error. If the
/// service fails before anything has changed, the request fails like any other.
pub async fn carry_out(
    service: &Arc<Service>,
    asked: &Arc<run::Asked>,
    found: Found,
    caller: &Caller,
    used: Used,
) -> Result<(Vec<u8>, Option<Error>)> {
    let Found { prepared, fields } = found;
    let me = caller.person.as_ref().map_or(0, |person| person.id);
    let mut carrying = CarryingOut { service, asked, prepared, me, used, has_changed: false, limited: None };
    let mut parts = Vec::new();
    for field in fields {
        let field = Arc::new(field);
        let part = match (field.mutation, &field.arguments) {
            (None, _) => Ok(Written::of(b"\"Mutation\"")),
            (_, Err(refusal)) => Err(refusal.clone()),
            (Some(mutation), Ok(_)) => match carrying.one(mutation, &field).await {
                Err(Failure::Whole(error)) if !carrying.has_changed => return Err(error),
                part => part.map_err(refusal::late),
            },
        };
        parts.push((field, part));
    }
    let body = together(&parts, true).or_else(|| together(&parts, false)).unwrap_or_else(too_much);
    Ok((body, carrying.limited))
}

/// The body of the response, unless it is too long. Without payloads, those that there are have an error.
fn together(parts: &[(Arc<Asked>, std::result::Result<Written, Refusal>)], has_payloads: bool) -> Option<Vec<u8>> {
    let mut body = Written::default();
    for (at, (field, part)) in parts.iter().enumerate() {
        let begin = if at == 0 { '{' } else { ',' };
        body.data.extend_from_slice(format!("{begin}\"{}\":", field.key).as_bytes());
        match part {
            Ok(part) if has_payloads || field.mutation.is_none() => body.append(part),
            Ok(_) => body.refuse(field.problem(refusal::late(refusal::shows_too_much()))),
            Err(refusal) => body.refuse(field.problem(refusal.clone())),
        }
    }
    body.data.push(b'}');
    body.body()
}

impl CarryingOut<'_> {
    /// Carries out one mutation, and returns its part of the response.
    async fn one(&mut self, mutation: &'static Mutation, field: &Arc<Asked>) -> Resolved<Written> {
        if self.used.is_too_much() {
            return Err(Failure::TooMuch);
        }
        let record = self.call(mutation, field).await?;
        self.has_changed = true;
        let node_id = record.get("node_id").and_then(Value::as_str).map(str::to_owned);
        // The change was made. If it cannot be shown, the client must learn that.
        match self.show(field, node_id).await {
            Ok(Some((part, used))) => {
                self.used = used;
                Ok(part)
            }
            Ok(None) => {
                self.used = Used::UP;
                Err(refusal::shows_too_much())
            }
            Err(error) => {
                tracing::warn!(%error, "the result of a mutation cannot be shown");
                let text = "The change was made, but it cannot be shown now. Read it with a query.";
                Err(Failure::Field("SERVICE_UNAVAILABLE", text.to_owned()))
            }
        }
    }

    /// Calls the operation. Returns the record that it responds with.
    async fn call(&mut self, mutation: &'static Mutation, field: &Arc<Asked>) -> Resolved<Value> {
        let (me, planned) = (self.me, Arc::clone(field));
        let plan = self.service.db.read(move |tx| plan(tx, me, mutation, &planned)).await??;
        let Plan { operation, path, body, subject, condition } = plan;
        let call = InnerCall {
            operation,
            path,
            body,
            page: FIRST,
            credentials: self.asked.credentials.clone(),
            peer: self.asked.peer,
            links: Arc::clone(&self.asked.links),
            id: self.asked.id,
            is_counted: true,
            condition,
        };
        let called = Box::pin(self.service.call(call)).await;
        if let Err(Error::Abuse { retry_after }) = called {
            self.limited = Some(Error::Abuse { retry_after });
        }
        called.and_then(|replied| replied.record()).map_err(|error| refusal::of(error, &subject))
    }

    /// Reads what is selected of the payload, unless that is too much.
    async fn show(&self, field: &Arc<Asked>, node_id: Option<String>) -> Result<Option<(Written, Used)>> {
        let (prepared, field, used) = (Arc::clone(&self.prepared), Arc::clone(field), self.used);
        on_pool(self.service, self.asked, move |service, asked, tx| {
            let began = cpu_time();
            let caller = authenticate(tx, &asked.credentials, service.now())?;
            let client_mutation_id = field.input().text("clientMutationId").map(str::to_owned);
            let payload = Payload { kind: field.kind.clone(), client_mutation_id, node_id: node_id.clone() };
            let work = |run: &Running| {
                let written = execution::payload(&prepared, run, &field.key, payload)?;
                let used = run.used(written.len());
                Ok((written, used))
            };
            match with_snapshot(service, asked, (tx, moment(service, asked)), &caller, (None, used, began), work) {
                Ok(shown) => Ok(Some(shown)),
                Err(Stop::TooMuch) => Ok(None),
                Err(Stop::Error(error)) => Err(error),
            }
        })
        .await
    }
}

/// The call that a mutation becomes, or why it becomes none.
fn plan(tx: &mut Tx, me: i64, mutation: &Mutation, field: &Asked) -> Result<Resolved<Plan>> {
    match (mutation.plan)(tx, me, field.input()) {
        Err(Failure::Whole(error)) => Err(error),
        planned => Ok(planned),
    }
}
