//! How pages call operations.

use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::visit::Visit;
use crate::dispatch::{Credentials, Request, Service};
use crate::error::{Error, Result};
use crate::operation::{Call, Page, Path};

/// Answers visits.
pub struct Pages<'a> {
    /// Carries out operations.
    pub service: &'a Arc<Service>,
}

impl Pages<'_> {
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
