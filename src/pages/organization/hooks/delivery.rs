//! A delivery of a webhook: what was sent, what came back, and sending it again.

use askama::Template;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::records::{Delivery, Hook};
use super::room;
use crate::error::{Error, Result};
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::organization::holder::{At, Holder};

/// The most characters of a request and of a response on the page.
const MOST: usize = 5_000;

/// A delivery with what was sent and what came back.
#[derive(Deserialize)]
struct Exchange {
    #[serde(flatten)]
    item: Delivery,
    url: String,
    request: Sent,
    response: Answered,
}

#[derive(Deserialize)]
struct Sent {
    headers: Map<String, Value>,
    payload: Map<String, Value>,
}

#[derive(Deserialize)]
struct Answered {
    headers: Option<Map<String, Value>>,
    payload: Option<String>,
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, (at, id): (At<'_>, &str), delivery: &str) -> Result<Shown> {
    let hook = Hook::find(guest, (at, id)).await?;
    let operations = ["orgs.getWebhookDelivery", "administration.hookDelivery"];
    let (operation, path) = at.operation(operations, &[("hook_id", id), ("delivery_id", delivery)]);
    let exchange: Exchange = guest.call(operation, &path, body([])).await?;
    let of = Holder::find(guest, at).await?;
    if guest.has_form() {
        if let Some(refusal) = guest.refuse(&guest.visit.path)? {
            return Ok(refusal);
        }
        let done = room::redeliver(guest, (at, id), delivery).await?;
        return Ok(guest.see(&hook.path(of.at()), done));
    }
    let payload = serde_json::to_string_pretty(&exchange.request.payload);
    let payload = payload.map_err(|error| Error::Bug(error.to_string()))?;
    let sent = said(&exchange.request.headers, &payload);
    let came = exchange.response.headers.as_ref().map(|headers| {
        let text = exchange.response.payload.as_deref().unwrap_or_default();
        said(headers, text)
    });
    let Exchange { item, url, .. } = exchange;
    Shown::of(200, &DeliveryPage { frame: guest.frame()?, of, hook, item, url, sent, came })
}

/// The beginning of a request or a response, with characters that have no shape replaced.
fn said(headers: &Map<String, Value>, body: &str) -> String {
    let line = |(name, value): (&String, &Value)| format!("{name}: {}\n", value.as_str().unwrap_or_default());
    let text: String = headers.iter().map(line).chain(["\n".to_owned(), body.to_owned()]).collect();
    let cut = if text.chars().nth(MOST).is_some() { "…" } else { "" };
    let shape = |c: char| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c };
    text.chars().filter(|c| *c != '\r').take(MOST).map(shape).chain(cut.chars()).collect()
}

#[derive(Template)]
#[template(path = "hooks/delivery.html")]
struct DeliveryPage {
    frame: Frame,
    of: Holder,
    hook: Hook,
    item: Delivery,
    /// The URL of the webhook.
    url: String,
    /// The beginning of the request.
    sent: String,
    /// The beginning of the response; none if there was none.
    came: Option<String>,
}
