//! A visit to a page, and how a page calls operations.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::form::Form;
use super::layout::Shown;
use super::{invitation, unsubscribe};
use crate::dispatch::{Credentials, Request, Service};
use crate::error::{Error, Result};
use crate::links::Links;
use crate::operation::{Call, Page, Path, RequestId};

/// What is known of the request for a page.
pub struct Visit {
    /// Where it came from.
    pub client: IpAddr,
    /// How URLs in answers begin.
    pub links: Arc<Links>,
    /// Its ID, which the answer repeats.
    pub id: RequestId,
    /// Whether it came by TLS.
    pub tls: bool,
    /// The `Cookie` headers.
    pub cookies: String,
    /// The query.
    pub query: String,
    /// Whether a browser says that another site caused it.
    pub is_foreign: bool,
    /// The form that was sent, for POST.
    pub form: Option<Form>,
}

/// What answers visits.
pub struct Pages<'a> {
    /// What carries operations out.
    pub service: &'a Arc<Service>,
}

impl Pages<'_> {
    /// The page at a path below `/ui`, if pages are what answers there.
    #[must_use]
    pub fn answers(path: &str) -> bool {
        path.starts_with("/invitations/") || path.starts_with("/unsubscribe/")
    }

    /// Answers a visit to such a path.
    pub async fn answer(&self, path: &str, visit: &Visit) -> Result<Shown> {
        let (room, token) = path.trim_start_matches('/').split_once('/').unwrap_or_default();
        if token.is_empty() || token.len() > 200 || token.contains('/') {
            return Err(Error::NotFound);
        }
        match room {
            "invitations" => invitation::answer(self, token, visit).await,
            _ => unsubscribe::answer(self, token, visit).await,
        }
    }

    /// Calls the operation of this name with a token and a body.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        visit: &Visit,
        (name, token): (&str, &str),
        body: Map<String, Value>,
    ) -> Result<T> {
        let found = self.service.operations.iter().position(|row| row.name == name);
        let operation = found.ok_or_else(|| Error::Bug(format!("there is no operation {name}")))?;
        let path = Path(vec![("token".into(), token.to_owned())]);
        let call = Call { path, query: Vec::new(), body: OnceLock::new(), prepared: OnceLock::new(), legacy: false };
        let request = Request {
            operation,
            call,
            credentials: Credentials::None,
            peer: visit.client,
            links: Arc::clone(&visit.links),
            page: Page { number: 1, per_page: 30 },
            repository_record: false,
            id: visit.id,
        };
        let outcome = self.service.serve(request, async |room| Ok((body, room))).await;
        let rendered = outcome.result?;
        let bytes: Vec<u8> = match rendered.body {
            Some(body) => body.chunks().flatten().collect(),
            None => b"null".to_vec(),
        };
        serde_json::from_slice(&bytes).map_err(|error| Error::Bug(error.to_string()))
    }
}
