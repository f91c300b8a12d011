//! A visit to a page.

use std::net::IpAddr;
use std::sync::Arc;

use super::form::Form;
use crate::dispatch::Credentials;
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
    /// True if it came over TLS.
    pub tls: bool,
    /// The `Cookie` headers.
    pub cookies: String,
    /// The credentials of the visitor.
    pub credentials: Credentials,
    /// The query.
    pub query: String,
    /// True if the browser says that another site caused it.
    pub is_foreign: bool,
    /// The form that was sent, for POST.
    pub form: Option<Form>,
}
