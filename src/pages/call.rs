//! Calls operations for pages.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::visit::Visit;
use crate::dispatch::{InnerCall, Service};
use crate::error::{Error, Result};
use crate::operation::Path;

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
        (operation, token): (&str, &str),
        body: Map<String, Value>,
    ) -> Result<T> {
        let call = InnerCall {
            operation,
            path: Path(vec![("token".into(), token.to_owned())]),
            body,
            credentials: visit.credentials.clone(),
            peer: visit.client,
            links: Arc::clone(&visit.links),
            id: visit.id,
            is_counted: false,
            condition: None,
        };
        let record = self.service.call(call).await?;
        serde_json::from_value(record).map_err(|error| Error::Bug(error.to_string()))
    }
}
