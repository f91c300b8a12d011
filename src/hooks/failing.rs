//! The webhooks of all organizations that need a person: those that fail, and those that are switched off (decision 44).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::db::{row, select};
use crate::error::Result;
use crate::operation::{Cx, Record};
use crate::policy::Granted;
use crate::site::Site;

/// The most webhooks of each kind.
const MOST: i64 = 5;

row! {
    /// A webhook as it is stored.
    struct Stored from "h" {
        id: i64,
        org: Option<String> = "o.login",
        url: String,
        active: bool,
        at: Time = "coalesce(h.failing_since, h.updated_at)",
    }
}

/// A webhook that fails or is switched off.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Failing {
    /// ID.
    pub id: i64,
    /// Login of the organization; null for a webhook of the site.
    pub org: Option<String>,
    /// The host to which it sends.
    pub host: String,
    /// True if deliveries are still tried.
    pub active: bool,
    /// The time of the first failure since the last success; for one that is switched off, that of its last change.
    pub at: Time,
}

impl From<Stored> for Failing {
    fn from(of: Stored) -> Self {
        let Stored { id, org, url, active, at } = of;
        let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned();
        Self { id, org, host, active, at }
    }
}

/// List webhooks of all organizations and of the site that fail or are switched off, at most 5 of each kind.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct List {}

/// Lists the webhooks, those that fail first.
pub fn list(cx: &mut Cx, _: Granted<Site>, _: List) -> Result<Record<Vec<Failing>>> {
    let mut found: Vec<Stored> = cx.tx.all(FAILING, &[&MOST])?;
    found.extend(cx.tx.all::<Stored>(OFF, &[&MOST])?);
    Ok(found.into_iter().map(Failing::from).collect::<Vec<_>>().into())
}

const FAILING: &str = select!(Stored from
    "hooks h LEFT JOIN orgs o ON o.id = h.org_id
     WHERE h.active = TRUE AND h.failing_since IS NOT NULL AND h.deleted_at IS NULL AND h.id > 0 ORDER BY h.id LIMIT $1");
const OFF: &str = select!(Stored from
    "hooks h LEFT JOIN orgs o ON o.id = h.org_id
     WHERE h.active = FALSE AND h.deleted_at IS NULL AND h.id > 0 ORDER BY h.id LIMIT $1");
