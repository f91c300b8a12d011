//! A request of an application: its parameters, as a form, as JSON, or in the query, and its credentials.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::body::Incoming;
use hyper::header;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::http::body;
use crate::http::edge::Edge;
use crate::http::head::Head;
use crate::limits::requests::Caller;
use crate::pages::Form;

/// The refusal of parameters that cannot be read.
pub(super) fn malformed() -> Error {
    Error::BadRequest("The parameters are malformed. Send a form or JSON, in UTF-8.".into())
}

/// The parameters of a request. None of them is logged.
pub(super) struct Sent {
    form: Form,
    json: Map<String, Value>,
    query: Form,
}

impl Sent {
    /// A parameter; one without a value counts as missing.
    pub fn get(&self, name: &str) -> Option<String> {
        let texts = [
            self.form.get(name),
            self.json.get(name).and_then(Value::as_str).unwrap_or_default(),
            self.query.get(name),
        ];
        texts.into_iter().find(|text| !text.is_empty()).map(str::to_owned)
    }

    /// True if a form has a parameter several times, which the standard forbids.
    pub fn repeats(&self, name: &str) -> bool {
        self.form.repeats(name)
    }
}

impl Edge {
    /// Reads the parameters of a request, those in the query only where they may be there.
    pub(super) async fn sent(self: &Arc<Self>, head: &Head, incoming: &mut Incoming, in_query: bool) -> Result<Sent> {
        let room = self.service.memory.room(Caller::Address(head.client));
        let bytes = body::form(incoming, body::LONGEST_FORM, room).await?;
        let media = head.header(header::CONTENT_TYPE).unwrap_or_default();
        // Some programs send JSON as a form, as the rest of the API permits.
        let is_json = media.to_ascii_lowercase().contains("json") || bytes.starts_with(b"{");
        let (form, json) = if is_json && !bytes.is_empty() {
            let json: Map<String, Value> = serde_json::from_slice(&bytes).map_err(|_| malformed())?;
            if json.values().filter_map(Value::as_str).any(|text| text.contains('\0')) {
                return Err(malformed());
            }
            (Form::default(), json)
        } else {
            (Form::read(media, &bytes).ok_or_else(malformed)?, Map::new())
        };
        let query = head.query.as_deref().filter(|_| in_query).unwrap_or_default();
        Ok(Sent { form, json, query: Form::read("", query.as_bytes()).ok_or_else(malformed)? })
    }
}

/// The client ID and the secret in an `Authorization` header, which are form-encoded (RFC 6749, section 2.3.1). Other
/// schemes mean nothing here.
pub(super) fn basic(head: &Head) -> Option<(String, String)> {
    let (scheme, rest) = head.header(header::AUTHORIZATION)?.trim().split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = STANDARD.decode(rest.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let (id, secret) = text.split_once(':').unwrap_or((&text, ""));
    Some((decoded(id), decoded(secret)))
}

/// No client ID and no secret has a character that is encoded, except those that are not decoded by mistake.
fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map(std::borrow::Cow::into_owned).unwrap_or_default()
}
