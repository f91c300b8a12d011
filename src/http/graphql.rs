//! Requests of GraphQL: HTTP to a query, and its result to HTTP (decision 60).

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{CACHE_CONTROL, HeaderMap, HeaderValue, RETRY_AFTER, USER_AGENT};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};
use serde_json::json;

use super::body;
use super::compression;
use super::edge::{Edge, presented};
use super::head::{Head, identified, refuse};
use super::outgoing::Outgoing;
use super::request_log::RequestLog;
use super::response::{self, Answer};
use crate::error::{Error, Result};
use crate::graphql::{self, Answered, Asked};
use crate::operation::Caller;

/// The name in logs and metrics.
const NAME: &str = "graphql";

impl Edge {
    /// Answers a query. Its errors are in the body; the status says only whether it was read.
    pub(super) async fn graphql(
        self: &Arc<Self>,
        head: Head,
        parts: Parts,
        incoming: &mut Incoming,
        log: &mut RequestLog,
    ) -> Answer {
        if parts.method != Method::POST {
            return refuse(&head, None, &Error::NotFound);
        }
        log.operation = Some(NAME);
        if parts.headers.get(USER_AGENT).is_none_or(HeaderValue::is_empty) {
            return identified(response::no_user_agent(), &head);
        }
        match self.query(&head, &parts.headers, incoming, log).await {
            Ok(Answered { body, caller, charged, limited }) => {
                if let Some(error) = &limited {
                    self.note_limit(error, &head, log.caller.as_deref());
                }
                let holding = self.service.memory.hold(caller.counted(head.client), &body);
                let gzip = compression::applies(body.weight() as u64, &parts.headers);
                let body = if gzip { compression::compressed(body) } else { body };
                let mut answer = response::json(200, Some(Outgoing::whole(body, Some(holding))));
                let headers = &mut answer.headers;
                if gzip {
                    compression::mark(headers);
                }
                headers.insert(CACHE_CONTROL, response::NOT_KEPT);
                if let Some(token) = &caller.token {
                    response::scopes(headers, token, "");
                }
                if let Some((quota, resource)) = &charged {
                    response::quota(headers, quota, *resource);
                }
                if let Some(Error::Abuse { retry_after }) = limited {
                    headers.insert(RETRY_AFTER, HeaderValue::from(retry_after));
                }
                identified(answer, &head)
            }
            Err(Error::Unauthenticated) => unauthenticated(&head),
            Err(error) => {
                self.note_limit(&error, &head, log.caller.as_deref());
                refuse(&head, None, &error)
            }
        }
    }

    async fn query(
        &self,
        head: &Head,
        headers: &HeaderMap,
        incoming: &mut Incoming,
        log: &mut RequestLog,
    ) -> Result<Answered> {
        self.service.memory.admit().await?;
        let credentials = presented(headers);
        let caller: Caller = graphql::caller(&self.service, &credentials, head.client).await?;
        log.caller = caller.person.as_ref().map(|person| person.login.clone());
        let who = caller.counted(head.client);
        let room = self.service.memory.room(who);
        // The memory is held for as long as the fields of the body are.
        let (body, _room) = body::members(Method::POST, false, None, incoming, room).await?;
        let asked = Asked {
            credentials,
            who,
            peer: head.client,
            links: Arc::clone(&head.links),
            id: head.id,
            rules: Arc::clone(&self.rules),
            settings: head.docs(),
            body,
        };
        Box::pin(graphql::answer(&self.service, asked)).await
    }
}

/// The response to a request without credentials, in the words that clients of GraphQL know.
fn unauthenticated(head: &Head) -> Answer {
    let message = "This endpoint requires you to be authenticated.";
    let body = json!({ "message": message, "documentation_url": head.docs() }).to_string();
    let mut answer = refuse(head, None, &Error::Unauthenticated);
    answer.status = StatusCode::UNAUTHORIZED;
    answer.body = body.into_bytes().into();
    answer
}
