//! Operations that another part of this program calls for a client: pages and GraphQL.

use std::net::IpAddr;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::attempt::Attempt;
use super::{Condition, Credentials, Outcome, Request, Service};
use crate::error::{Error, Result};
use crate::links::Links;
use crate::operation::{Call, Method, Page, Path, Rendered, RequestId, Stage};

/// The page of a list for a call that wants no other.
pub const FIRST: Page = Page { number: 1, per_page: 100 };

/// A call of an operation by its name.
pub struct InnerCall<'a> {
    /// The name of the operation.
    pub operation: &'a str,
    /// The subject that its path would name.
    pub path: Path,
    /// The fields of its body; those of a read are in its query.
    pub body: Map<String, Value>,
    /// The page of a list.
    pub page: Page,
    /// The credentials.
    pub credentials: Credentials,
    /// The IP address of the client.
    pub peer: IpAddr,
    /// The beginning of URLs in the response.
    pub links: Arc<Links>,
    /// The ID of the client's request.
    pub id: RequestId,
    /// True if it is already counted by another limit.
    pub is_counted: bool,
    /// A further condition, which its transaction checks.
    pub condition: Option<Condition>,
}

/// The reply to a call.
#[derive(Debug)]
pub struct Replied {
    /// The body, JSON; empty if there is none.
    body: Vec<u8>,
    /// For a numbered list: how many items there are on all pages.
    pub total: Option<u64>,
    /// For a list whose pages have no numbers: the `Link` header, if there are other pages.
    pub link: Option<String>,
}

impl Replied {
    /// The record of the reply; null if it has none.
    pub fn record<T: DeserializeOwned>(&self) -> Result<T> {
        let body = if self.body.is_empty() { b"null" } else { self.body.as_slice() };
        serde_json::from_slice(body).map_err(|error| Error::Bug(error.to_string()))
    }
}

impl Service {
    /// Carries out an operation like a request for it.
    pub async fn call(self: &Arc<Self>, asked: InnerCall<'_>) -> Result<Replied> {
        let (request, body) = self.request(asked)?;
        let Outcome { result, holding: _holding, .. } = self.serve(request, async |room| Ok((body, room))).await;
        let Rendered { body, total, link, .. } = result?;
        let body = body.map(|body| body.chunks().collect::<Vec<_>>().concat()).unwrap_or_default();
        Ok(Replied { body, total, link })
    }

    /// Succeeds if the policy allows the caller a write now, as far as its path tells; otherwise the error is the refusal.
    /// A session that is too old counts as recent, because the person can sign in again; a marked one never does.
    pub async fn authorize(self: &Arc<Self>, asked: InnerCall<'_>) -> Result<()> {
        let (request, _) = self.request(asked)?;
        let attempt = Attempt::new(self, Request { only_asks: true, ..request });
        self.run_on_newest(&attempt, Stage::Authorize).await?.0.map(drop)
    }

    /// The request for a call, and the fields of its body.
    fn request(&self, asked: InnerCall<'_>) -> Result<(Request, Map<String, Value>)> {
        let InnerCall { path, body, page, credentials, peer, links, id, is_counted, condition, .. } = asked;
        let found = self.operations.iter().position(|row| row.name == asked.operation);
        let operation = found.ok_or_else(|| Error::Bug(format!("there is no operation {}", asked.operation)))?;
        let (query, body) = match self.operations[operation].method {
            Method::Get => (body.into_iter().map(|(name, value)| (name, Ok(text(value)))).collect(), Map::new()),
            _ => (Vec::new(), body),
        };
        let call = Call { path, query, ..Call::default() };
        Ok((
            Request { operation, call, credentials, peer, links, page, id, is_counted, condition, only_asks: false },
            body,
        ))
    }
}

/// A value as a query has it.
fn text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
