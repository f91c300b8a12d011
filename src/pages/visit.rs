//! A visit to a page.

use std::net::IpAddr;
use std::sync::Arc;

use super::form::Form;
use crate::links::Links;
use crate::operation::RequestId;

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
    /// The form that was sent, for POST.
    pub form: Option<Form>,
}

impl Visit {
    /// The path and the query on the host, to which a person returns after signing in.
    pub(super) fn target(&self) -> String {
        let query = if self.query.is_empty() { String::new() } else { format!("?{}", self.query) };
        [self.links.prefix(), &self.path, &query].concat()
    }
}
