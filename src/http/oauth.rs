//! The addresses of OAuth 2 for programs (decision 62): GitHub's form and the standard's. They are no pages: they read no
//! cookie, and `Basic` means the application, never a token.

mod answer;
mod sent;

use std::sync::Arc;

use hyper::Method;
use hyper::body::Incoming;
use hyper::header;
use hyper::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::edge::Edge;
use super::head::{Head, identified, refuse};
use super::query::decode_segment;
use super::response::{self, Answer};
use crate::dispatch::{Credentials, FIRST, InnerCall};
use crate::error::{Error, Result};
use crate::oauth::{Begun, Exchanged, Refusal};
use crate::operation::Path;

/// An address.
#[derive(Debug)]
pub(super) enum Address {
    /// The exchange in GitHub's form.
    AccessToken,
    /// The exchange in the form of the standard.
    Token,
    /// The codes of a device in GitHub's form.
    DeviceCode,
    /// The codes of a device in the form of the standard (RFC 8628).
    Device,
    /// A token of the application with this client ID.
    OfApplication(String),
    /// All that the person of such a token has allowed.
    Grant(String),
}

impl Edge {
    /// The address at a path. The pages of signing in are not below `/api/v3`, and neither are these.
    pub(super) fn address_of_application(prefix: &str, path: &str) -> Option<Address> {
        let words: Vec<&str> = path.split('/').skip(1).collect();
        let named = |client_id| decode_segment(client_id).map(std::borrow::Cow::into_owned).unwrap_or_default();
        match words[..] {
            ["login", "oauth", "access_token"] if prefix.is_empty() => Some(Address::AccessToken),
            ["login", "oauth", "token"] if prefix.is_empty() => Some(Address::Token),
            ["login", "device", "code"] if prefix.is_empty() => Some(Address::DeviceCode),
            ["login", "oauth", "device"] if prefix.is_empty() => Some(Address::Device),
            ["applications", client_id, "token"] => Some(Address::OfApplication(named(client_id))),
            ["applications", client_id, "grant"] => Some(Address::Grant(named(client_id))),
            _ => None,
        }
    }

    /// Answers an application.
    pub(super) async fn for_application(
        self: &Arc<Self>,
        address: Address,
        head: Head,
        parts: Parts,
        incoming: &mut Incoming,
    ) -> Answer {
        let head = Head { headers: parts.headers, ..head };
        let is_standard = matches!(address, Address::Token | Address::Device);
        let answered = match address {
            Address::AccessToken | Address::Token | Address::DeviceCode | Address::Device
                if parts.method != Method::POST =>
            {
                Err(Error::NotFound)
            }
            Address::AccessToken => self.exchange(&head, incoming, false).await,
            Address::Token => self.exchange(&head, incoming, true).await,
            Address::DeviceCode => self.begin_device(head.clone(), incoming, false).await,
            Address::Device => self.begin_device(head.clone(), incoming, true).await,
            Address::OfApplication(client_id) => {
                let operation = match parts.method {
                    Method::POST => "oauth.check",
                    Method::PATCH => "oauth.reset",
                    Method::DELETE => "oauth.revoke",
                    _ => return refuse(&head, None, &Error::NotFound),
                };
                self.on_token(&head, incoming, operation, client_id).await
            }
            Address::Grant(client_id) if parts.method == Method::DELETE => {
                self.on_token(&head, incoming, "oauth.revokeAll", client_id).await
            }
            Address::Grant(_) => Err(Error::NotFound),
        };
        answered.unwrap_or_else(|error| {
            if is_standard && matches!(error, Error::BadRequest(_)) {
                return identified(answer::standard(Err(Refusal::Request), &head), &head);
            }
            self.note_limit(&error, &head, None);
            refuse(&head, None, &error)
        })
    }

    /// Exchanges a code for a token.
    async fn exchange(self: &Arc<Self>, head: &Head, incoming: &mut Incoming, standard: bool) -> Result<Answer> {
        let parameters = ["grant_type", "code", "redirect_uri", "code_verifier", "device_code"];
        let exchanged: Exchanged = self.asked(head, incoming, "oauth.exchange", (&parameters, standard)).await?;
        let outcome = answer::token(exchanged, standard);
        let answer = if standard { answer::standard(outcome, head) } else { answer::of_github(outcome, head) };
        Ok(identified(answer, head))
    }

    /// Makes the codes of a device. People use pages at the public URL only.
    async fn begin_device(self: &Arc<Self>, head: Head, incoming: &mut Incoming, standard: bool) -> Result<Answer> {
        let begun: Begun = self.asked(&head, incoming, "device.begin", (&["scope"], standard)).await?;
        let head = self.public(head);
        let outcome = answer::device(begun, head.links.login("/device"));
        let answer = match outcome {
            outcome if standard => answer::standard(outcome, &head),
            Err(Refusal::Client) => answer::unknown(&head),
            outcome => answer::of_github(outcome, &head),
        };
        Ok(identified(answer, &head))
    }

    /// Calls an operation with these parameters of a request and with the credentials of its application.
    async fn asked<T: DeserializeOwned>(
        self: &Arc<Self>,
        head: &Head,
        incoming: &mut Incoming,
        operation: &str,
        (parameters, standard): (&[&str], bool),
    ) -> Result<T> {
        let sent = self.sent(head, incoming, !standard).await?;
        let mut names = parameters.iter().chain(&["client_id", "client_secret"]);
        if standard && names.any(|name| sent.repeats(name)) {
            return Err(sent::malformed());
        }
        let (client_id, client_secret) = match sent::basic(head) {
            Some((client_id, secret)) => (Some(client_id), Some(secret)),
            None => (sent.get("client_id"), sent.get("client_secret")),
        };
        let names_another = sent.get("client_id").is_some() && sent.get("client_id") != client_id;
        let client_id = client_id.filter(|_| !names_another);
        let mut body = Map::from_iter([("standard".to_owned(), standard.into())]);
        let given = parameters.iter().map(|name| (*name, sent.get(name)));
        for (name, value) in given.chain([("client_id", client_id), ("client_secret", client_secret)]) {
            body.extend(value.map(|value| (name.to_owned(), value.into())));
        }
        let record = self.called(head, operation, Path::default(), body).await?;
        serde_json::from_value(record).map_err(|error| Error::Bug(error.to_string()))
    }

    /// Checks, resets or revokes a token.
    async fn on_token(
        self: &Arc<Self>,
        head: &Head,
        incoming: &mut Incoming,
        operation: &str,
        client_id: String,
    ) -> Result<Answer> {
        let (named, secret) = sent::basic(head).ok_or(Error::Unauthenticated)?;
        let sent = self.sent(head, incoming, false).await?;
        let token =
            sent.get("access_token").ok_or_else(|| Error::field("OauthAccess", "missing_field", "access_token"))?;
        if named != client_id {
            return Err(Error::NotFound);
        }
        let pairs = [("client_id", client_id), ("secret", secret), ("access_token", token.clone())];
        let path = Path(pairs.into_iter().map(|(name, value)| (Arc::from(name), value)).collect());
        let body = Map::from_iter([("access_token".to_owned(), Value::from(token))]);
        let record = self.called(head, operation, path, body).await?;
        let mut answer = match record {
            Value::Null => response::json(204, None),
            record => response::json(200, Some(record.to_string().into_bytes().into())),
        };
        answer.headers.insert(header::CACHE_CONTROL, response::NOT_KEPT);
        Ok(identified(answer, head))
    }

    async fn called(
        self: &Arc<Self>,
        head: &Head,
        operation: &str,
        path: Path,
        body: Map<String, Value>,
    ) -> Result<Value> {
        let call = InnerCall {
            operation,
            path,
            body,
            page: FIRST,
            credentials: Credentials::None,
            peer: head.client,
            links: Arc::clone(&head.links),
            id: head.id,
            is_counted: false,
            condition: None,
        };
        self.service.call(call).await?.record()
    }
}
