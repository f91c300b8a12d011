//! Deliveries as site administrators see them over HTTP: what is waiting and what was given up (decision 44).

use schemars::JsonSchema;
use serde::Deserialize;

use super::stored::{self, DeliveryRow, Filter, State};
use crate::clock::Time;
use crate::error::Result;
use crate::operation::{Behind, Cx, since};
use crate::policy::Granted;
use crate::record::record;
use crate::site::Site;

record! {
    /// A delivery of an event to a webhook.
    #[schemars(rename = "admin-delivery")]
    pub struct Delivery {
        /// ID.
        pub id: i64 = stored.id,
        /// Its state.
        pub state: State = state,
        /// Login of the organization; null for events of the site.
        pub organization: Option<String> = stored.org_login,
        /// ID of the webhook.
        pub hook_id: i64 = stored.target,
        /// ID of the event, as the webhook receives it.
        pub guid: String = stored.guid,
        /// The event.
        pub event: String = stored.event,
        /// The action; null if the event has no actions.
        pub action: Option<String> = stored.action,
        /// True if it was requested manually.
        pub redelivery: bool = stored.redelivery,
        /// Number of attempts so far.
        pub attempts: i64 = stored.attempts,
        /// Result of the last attempt; null if there was none.
        pub last_status: Option<String> = stored.last_status,
        /// Creation time.
        pub created_at: Time = stored.created_at,
        /// Time of the next attempt; null if there is none.
        pub next_at: Option<Time> = (state == State::Waiting).then_some(stored.next_at),
    }

    fn new(stored: DeliveryRow, state: State) {}
}

/// List deliveries of webhooks in one state, the oldest first. The `Link` header leads to the next page.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct List {
    /// State of the deliveries.
    #[schemars(extend("default" = "dead"))]
    pub state: Option<State>,
    /// Only deliveries to the webhook with this ID.
    pub hook_id: Option<i64>,
    /// Only deliveries after the one with this ID.
    pub after: Option<i64>,
    /// Number of results per page.
    #[schemars(range(min = 1, max = 100), extend("default" = 30))]
    pub per_page: Option<i64>,
}

/// Lists deliveries of all organizations.
pub fn list(cx: &mut Cx, _: Granted<Site>, p: List) -> Result<Behind<Delivery>> {
    let state = p.state.unwrap_or(State::Dead);
    let per_page = since::per_page(p.per_page);
    let filter = Filter { state, org: None, hook: p.hook_id };
    let mut found = stored::list(cx.tx, filter, p.after.unwrap_or(0), per_page + 1)?;
    let link = since::last_before_more(&mut found, per_page).map(|last| {
        let hook = p.hook_id.map(|hook| format!("&hook_id={hook}")).unwrap_or_default();
        let url = cx.links.api("/admin/deliveries");
        format!("<{url}?state={}{hook}&per_page={per_page}&after={}>; rel=\"next\"", state.word(), last.id)
    });
    Behind::linked(found.into_iter().map(|stored| Delivery::new(stored, state)), link)
}
