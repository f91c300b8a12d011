//! The log of a webhook: each attempt to deliver an event to it, for the owners of its organization or, if it belongs to
//! the site, for site administrators (decision 44).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::{Error, Result};
use crate::hooks::HasHooks;
use crate::hooks::stored as hooks;
use crate::journal::SITE;
use crate::operation::{Behind, Cx, Record, since};
use crate::orgs::org::Org;
use crate::policy::Granted;
use crate::site::Site;

/// The prefix of a cursor.
const CURSOR: &str = "v1_";

row! {
    /// An attempt to deliver an event.
    #[derive(Debug, Serialize, JsonSchema)]
    #[schemars(rename = "hook-delivery-item")]
    pub struct Item from "a" {
        /// ID.
        pub id: i64,
        /// ID of the event: the same for all webhooks, retries and redeliveries.
        pub guid: String = "e.guid",
        /// Time of the attempt.
        pub delivered_at: Time = "a.at",
        /// True if it was requested manually.
        pub redelivery: bool,
        /// Duration in seconds.
        pub duration: f64 = "a.duration_ms" => seconds,
        /// The reason phrase of the response, or what went wrong.
        pub status: String,
        /// The status of the response; 0 if there was none.
        pub status_code: i64,
        /// The event.
        pub event: String = "e.event",
        /// The action; null if the event has no actions.
        pub action: Option<String> = "e.action",
        /// Always null.
        pub installation_id: Option<i64> = "CAST(NULL AS BIGINT)",
        /// ID of the repository; null if the event is not about one.
        pub repository_id: Option<i64> = "e.payload" => repository,
    }
}

/// An attempt to deliver an event, with what was sent and what came back.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "hook-delivery")]
pub struct Delivery {
    /// The fields that lists show too.
    #[serde(flatten)]
    pub item: Item,
    /// URL of the webhook, without user and password.
    pub url: String,
    /// The request that was sent.
    pub request: Sent,
    /// The response that came back.
    pub response: Answered,
}

/// The request that was sent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Sent {
    /// The headers; credentials are masked.
    pub headers: Map<String, Value>,
    /// The payload.
    pub payload: Map<String, Value>,
}

/// The response that came back.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Answered {
    /// The headers; null if there was no response.
    pub headers: Option<Map<String, Value>>,
    /// The beginning of the body; null if there was no response.
    pub payload: Option<String>,
}

row! {
    /// An attempt as it is stored.
    struct Attempt from "a" {
        item: Item = Item::COLUMNS,
        payload: String = "e.payload",
        request_headers: String,
        response_headers: Option<String>,
        response_body: Option<String>,
    }
}

/// The fields of a payload that lists show.
#[derive(Default, Deserialize)]
struct About {
    repository: Option<Repository>,
}

#[derive(Deserialize)]
struct Repository {
    id: i64,
}

/// Seconds with two decimals.
fn seconds(milliseconds: i64) -> f64 {
    let hundredths = u32::try_from((milliseconds + 5) / 10).unwrap_or(u32::MAX);
    f64::from(hundredths) / 100.0
}

/// The repository that a payload is about.
fn repository(payload: String) -> Option<i64> {
    let about: About = serde_json::from_str(&payload).unwrap_or_default();
    about.repository.map(|repository| repository.id)
}

/// List the deliveries of a webhook, the newest first. Pages have no numbers: the `Link` header leads from one to the
/// next.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct List {
    /// Id of the webhook.
    pub hook_id: i64,
    /// Number of results per page.
    #[schemars(range(min = 1, max = 100), extend("default" = 30))]
    pub per_page: Option<i64>,
    /// A cursor, as in the `Link` header. Only return deliveries after it.
    #[schemars(extend("x-function-validates" = true))]
    pub cursor: Option<String>,
    /// `true` returns only redeliveries, and `false` only other deliveries. Default: both.
    pub redelivery: Option<bool>,
}

/// Lists the attempts of a webhook.
pub fn list(cx: &mut Cx, org: Granted<Org>, p: List) -> Result<Behind<Item>> {
    let hook = hooks::one(cx.tx, org.id, p.hook_id)?;
    let before = p.cursor.as_deref().map_or(Ok(i64::MAX), read_cursor)?;
    let per_page = since::per_page(p.per_page);
    let mut found: Vec<Attempt> = cx.tx.all(LIST, &[&hook.id, &before, &p.redelivery, &(per_page + 1)])?;
    let link = since::last_before_more(&mut found, per_page).map(|last| {
        let url = cx.links.api(&format!("/organizations/{}/hooks/{}/deliveries", org.id, hook.id));
        let redelivery = p.redelivery.map(|only| format!("&redelivery={only}")).unwrap_or_default();
        format!("<{url}?per_page={per_page}{redelivery}&cursor={CURSOR}{}>; rel=\"next\"", last.item.id)
    });
    Behind::linked(found.into_iter().map(|attempt| attempt.item), link)
}

/// Lists the attempts of a webhook of the site, for its page.
pub fn list_of_site(cx: &mut Cx, _: Granted<Site>, p: List) -> Result<Record<Vec<Item>>> {
    let hook = hooks::one(cx.tx, SITE, p.hook_id)?;
    let before = p.cursor.as_deref().map_or(Ok(i64::MAX), read_cursor)?;
    let most = since::per_page(p.per_page);
    let found: Vec<Attempt> = cx.tx.all(LIST, &[&hook.id, &before, &p.redelivery, &most])?;
    Ok(found.into_iter().map(|attempt| attempt.item).collect::<Vec<_>>().into())
}

const LIST: &str = select!(Attempt from
    "delivery_attempts a JOIN delivery_events e ON e.id = a.event_id
     WHERE a.target_id = $1 AND a.id < $2 AND (a.redelivery = $3 OR CAST($3 AS BOOLEAN) IS NULL)
     ORDER BY a.id DESC LIMIT $4");

fn read_cursor(text: &str) -> Result<i64> {
    let id = text.strip_prefix(CURSOR).and_then(|id| id.parse().ok()).filter(|id: &i64| *id > 0);
    id.ok_or_else(|| Error::explained("HookDelivery", "invalid", "cursor", "Use a cursor of the `Link` header."))
}

/// Get a delivery of a webhook.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {
    /// Id of the webhook.
    pub hook_id: i64,
    /// Id of the delivery.
    pub delivery_id: i64,
}

/// Gets an attempt.
pub fn get<S: HasHooks>(cx: &mut Cx, of: Granted<S>, p: Get) -> Result<Record<Delivery>> {
    let hook = hooks::one(cx.tx, of.journal(), p.hook_id)?;
    let attempt: Option<Attempt> = cx.tx.maybe(GET, &[&p.delivery_id, &hook.id])?;
    let attempt = attempt.ok_or(Error::NotFound)?;
    let object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    Ok(Record::from(Delivery {
        item: attempt.item,
        url: hook.url,
        request: Sent { headers: object(&attempt.request_headers), payload: object(&attempt.payload) },
        response: Answered { headers: attempt.response_headers.as_deref().map(object), payload: attempt.response_body },
    }))
}

const GET: &str = select!(Attempt from
    "delivery_attempts a JOIN delivery_events e ON e.id = a.event_id WHERE a.id = $1 AND a.target_id = $2");

/// The event of an attempt of a webhook, with its identifier on the wire; 404 if there is none.
pub(super) fn event_of(tx: &mut Tx, hook: i64, attempt: i64) -> Result<(i64, String)> {
    tx.maybe(EVENT_OF, &[&attempt, &hook])?.ok_or(Error::NotFound)
}

const EVENT_OF: &str = "
    SELECT e.id, e.guid FROM delivery_attempts a JOIN delivery_events e ON e.id = a.event_id
    WHERE a.id = $1 AND a.target_id = $2";
