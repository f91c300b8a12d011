//! A visit to a page.

use std::net::IpAddr;
use std::sync::Arc;

use super::form::Form;
use crate::links::Links;
use crate::operation::RequestId;

/// A method, as far as pages tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// GET or HEAD.
    Reads,
    /// POST.
    Sends,
    /// One that no page has.
    Other,
}

/// The facts about the request for a page.
pub struct Visit {
    /// The IP address of the client.
    pub client: IpAddr,
    /// The beginning of URLs in responses.
    pub links: Arc<Links>,
    /// Its ID, which the response repeats.
    pub id: RequestId,
    /// True if browsers use TLS to reach the pages.
    pub tls: bool,
    /// The path below the base URL.
    pub path: String,
    /// The `Cookie` headers.
    pub cookies: String,
    /// The `User-Agent` header.
    pub agent: String,
    /// The query.
    pub query: String,
    /// True if the browser says that another site caused it.
    pub is_foreign: bool,
    /// True if the browser says that it shows the response as a page.
    pub navigates: bool,
    /// The method.
    pub verb: Verb,
    /// The form that was sent, for POST.
    pub form: Option<Form>,
}

impl Visit {
    /// True if the method is one that no page has.
    pub(super) fn has_other_verb(&self) -> bool {
        self.verb == Verb::Other
    }

    /// The path and the query on the host, to which a person returns after signing in.
    pub(super) fn target(&self) -> String {
        let query = if self.query.is_empty() { String::new() } else { format!("?{}", self.query) };
        [self.links.prefix(), &self.path, &query].concat()
    }
}
