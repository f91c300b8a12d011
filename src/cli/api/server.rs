//! Operations on a server.

use std::sync::Arc;

use serde_json::Value;

use super::{Fields, Names, Refused, Reply, text};
use crate::cli::remote::{Answer, Remote, Request, Unanswered};
use crate::links::segment;
use crate::operation::{JSON, Method, Operation, Page, Path};
use crate::operations::operations;

/// A server.
pub struct Server {
    remote: Remote,
    operations: Vec<Operation>,
}

impl Server {
    /// The operations of this server.
    pub fn new(remote: Remote) -> Self {
        Self { remote, operations: operations() }
    }

    pub(super) async fn ask(
        &self,
        operation: &str,
        names: Names<'_>,
        fields: Fields,
        page: Page,
    ) -> Result<Reply, Refused> {
        let row = self.operations.iter().find(|row| row.name == operation);
        let row = row.ok_or_else(|| Refused::unknown(format!("there is no operation {operation}")))?;
        let path = names.iter().map(|(name, value)| (Arc::from(*name), (*value).to_owned())).collect();
        let mut target = Path(path).fill(&row.forms[0]);
        let body = if row.method == Method::Get {
            target.push_str(&query(&fields, page));
            None
        } else {
            Some((JSON, Value::Object(fields).to_string()))
        };
        let sent = self.remote.send(Request { method: row.method.name(), path: target, body }).await;
        let answer = sent.map_err(|unanswered| refused(unanswered, row.method))?;
        let record = serde_json::from_str(&answer.text).unwrap_or_default();
        match answer.status {
            200..300 => Ok(Reply { record, has_more: answer.has_more }),
            401 => Err(Refused::unknown(Answer::unknown_token(self.remote.base()))),
            status => Err(Refused::of(status, &record)),
        }
    }
}

/// The failure of a request that got no response.
fn refused(Unanswered { why, sent }: Unanswered, method: Method) -> Refused {
    let unknown = if sent && method != Method::Get { ". The result is unknown; run the command again" } else { "" };
    Refused::unknown(format!("{why}{unknown}"))
}

/// The query of a read. A part of a list that begins after an ID has its own size.
fn query(fields: &Fields, page: Page) -> String {
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), |_| text(value).to_owned());
    let mut pairs: Vec<String> =
        fields.iter().map(|(name, value)| format!("{name}={}", segment(&shown(value)))).collect();
    if !fields.contains_key("per_page") {
        pairs.push(format!("per_page={}&page={}", page.per_page, page.number));
    }
    format!("?{}", pairs.join("&"))
}
