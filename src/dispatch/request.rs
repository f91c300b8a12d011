//! A request for an operation of the table: what was sent, who sent it, and the key of its cached response.

use std::net::IpAddr;
use std::sync::Arc;

use crate::db::Tx;
use crate::error::Result;
use crate::limits::requests;
use crate::links::Links;
use crate::operation::{Call, Caller, Illegible, Page, RequestId};

/// A request for an operation of the table.
pub struct Request {
    /// The index of the row.
    pub operation: usize,
    /// The request without its body.
    pub call: Call,
    /// The credentials: none, a token, a session, or something malformed.
    pub credentials: Credentials,
    /// The IP address of the client.
    pub peer: IpAddr,
    /// The beginning of URLs in the response.
    pub links: Arc<Links>,
    /// The page of a list.
    pub page: Page,
    /// Its ID, which the response repeats.
    pub id: RequestId,
    /// True if another limit has counted it, so that the primary limit does not.
    pub is_counted: bool,
    /// A further condition that must hold in the transaction of a write.
    pub condition: Option<Condition>,
    /// True if it is not carried out, and only asks if the policy allows it.
    pub only_asks: bool,
}

/// A condition that must hold in the transaction of a write, besides the policy. The error is the reason why it does
/// not.
pub type Condition = Box<dyn Fn(&mut Tx) -> Result<()> + Send + Sync>;

impl Request {
    /// Everything that authorization depends on besides the data: the operation, its subject and the caller.
    pub(super) fn verdict_key(&self, caller: &Caller, authorized_by: &[&str]) -> Vec<u8> {
        let mut key = self.begin_key(caller);
        for name in authorized_by {
            push_text(&mut key, self.call.path.get(name).unwrap_or_default());
        }
        key
    }

    fn begin_key(&self, caller: &Caller) -> Vec<u8> {
        let token = caller.token.as_ref().map_or(0, |token| token.id);
        let session = caller.session.as_ref().map_or(0, |session| session.id);
        let mut key = Vec::with_capacity(256);
        for number in [self.operation.to_be_bytes(), token.to_be_bytes(), session.to_be_bytes()] {
            key.extend_from_slice(&number);
        }
        key
    }

    /// Everything that a read depends on besides the data: the request and the caller.
    pub(super) fn key(&self, caller: &Caller) -> Vec<u8> {
        let Call { path, query, legacy, accepts_repository, .. } = &self.call;
        let mut key = self.begin_key(caller);
        key.extend_from_slice(&[u8::from(*legacy), u8::from(*accepts_repository)]);
        // Of a call in process, the page is not in the query.
        for number in [self.page.number, self.page.per_page] {
            key.extend_from_slice(&number.to_be_bytes());
        }
        self.links.push_key(&mut key);
        for (name, value) in &path.0 {
            push_text(&mut key, name);
            push_text(&mut key, value);
        }
        for (name, value) in query {
            push_text(&mut key, name);
            match value {
                Ok(text) => push_text(&mut key, text),
                // No text is this long.
                Err(Illegible) => key.extend_from_slice(&usize::MAX.to_be_bytes()),
            }
        }
        key
    }
}

fn push_text(key: &mut Vec<u8>, text: &str) {
    key.extend_from_slice(&text.len().to_be_bytes());
    key.extend_from_slice(text.as_bytes());
}

/// The credentials in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// Nothing.
    None,
    /// A token, as its hash: only the edge sees its text.
    Token([u8; 32]),
    /// A session, as the hash of its token. Only pages have it, which call operations in process (decision 61).
    Session([u8; 32]),
    /// Those of the operator. Only commands on the store have them.
    Operator,
    /// Something that cannot be a token.
    Malformed,
}

/// The holder of the limit that is used up, as the refusal names them.
#[must_use]
pub fn limited(who: requests::Caller) -> String {
    match who {
        requests::Caller::Person(id) => format!("user ID {id}."),
        requests::Caller::Address(address) => format!(
            "{address}. (But here's the good news: Authenticated requests get a higher rate limit. \
             Check out the documentation for more details.)"
        ),
    }
}
