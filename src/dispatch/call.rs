//! Operations that another part of this program calls for a client: pages and GraphQL.

use std::net::IpAddr;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Condition, Credentials, Outcome, Request, Service};
use crate::error::{Error, Result};
use crate::links::Links;
use crate::operation::{Call, Page, Path, RequestId};

/// A call of an operation by its name.
pub struct InnerCall<'a> {
    /// The name of the operation.
    pub operation: &'a str,
    /// The subject that its path would name.
    pub path: Path,
    /// The fields of its body.
    pub body: Map<String, Value>,
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

impl Service {
    /// Carries out an operation like a request for it. Returns its record, or null.
    pub async fn call(self: &Arc<Self>, asked: InnerCall<'_>) -> Result<Value> {
        let InnerCall { path, body, credentials, peer, links, id, is_counted, condition, .. } = asked;
        let found = self.operations.iter().position(|row| row.name == asked.operation);
        let operation = found.ok_or_else(|| Error::Bug(format!("there is no operation {}", asked.operation)))?;
        let call = Call { path, ..Call::default() };
        let page = Page { number: 1, per_page: 100 };
        let request = Request { operation, call, credentials, peer, links, page, id, is_counted, condition };
        let Outcome { result, holding: _holding, .. } = self.serve(request, async |room| Ok((body, room))).await;
        let Some(record) = result?.body else { return Ok(Value::Null) };
        let bytes: Vec<u8> = record.chunks().flatten().collect();
        serde_json::from_slice(&bytes).map_err(|error| Error::Bug(error.to_string()))
    }
}
