//! Webhooks as they are stored.

use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::{Error, Result};

row! {
    /// A webhook.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Hook from "h" {
        /// ID.
        pub id: i64,
        /// The organization, or the site.
        pub org_id: i64,
        /// True if it receives events.
        pub active: bool,
        /// The URL of the receiver, without user and password.
        pub url: String,
        /// `form` or `json`.
        pub content_type: String,
        /// True if certificates are not verified, if the site allows that.
        pub insecure_ssl: bool,
        /// The secret, sealed.
        pub secret: Option<Vec<u8>>,
        /// The previous secret, sealed.
        pub previous_secret: Option<Vec<u8>>,
        /// Until when deliveries are also signed with the previous secret.
        pub previous_until: Option<Time>,
        /// User and password, sealed.
        pub credentials: Option<Vec<u8>>,
        /// The events that it wants.
        pub events: Vec<String> => events,
        /// It receives the events of its journal after this entry.
        pub after_entry: i64,
        /// Creation time.
        pub created_at: Time,
        /// Time of the last change.
        pub updated_at: Time,
        /// The time at which it was deleted; after that it only receives the event of its deletion.
        pub deleted_at: Option<Time>,
    }
}

fn events(held: String) -> Result<Vec<String>> {
    serde_json::from_str(&held).map_err(|error| Error::Bug(format!("the events of a hook: {error}")))
}

/// The webhooks of an organization, or of the site, in order of creation.
pub fn of_org(tx: &mut Tx, org: i64) -> Result<Vec<Hook>> {
    tx.all(OF_ORG, &[&org])
}

const OF_ORG: &str = select!(Hook from "hooks h WHERE h.org_id = $1 AND h.deleted_at IS NULL ORDER BY h.id");

/// A webhook of an organization, or of the site; 404 if there is none with this identifier.
pub fn one(tx: &mut Tx, org: i64, id: i64) -> Result<Hook> {
    by_id(tx, id)?.filter(|hook| hook.org_id == org && hook.deleted_at.is_none()).ok_or(Error::NotFound)
}

/// The webhook with this identifier, even if it is deleted.
pub fn by_id(tx: &mut Tx, id: i64) -> Result<Option<Hook>> {
    tx.maybe(BY_ID, &[&id])
}

const BY_ID: &str = select!(Hook from "hooks h WHERE h.id = $1");

/// Inserts a webhook and returns its identifier.
pub fn insert(tx: &mut Tx, hook: &Hook) -> Result<i64> {
    let id = tx.run_one(
        INSERT,
        &[
            &hook.org_id,
            &hook.active,
            &hook.url,
            &hook.content_type,
            &hook.insecure_ssl,
            &hook.secret,
            &hook.credentials,
            &text(&hook.events)?,
            &hook.after_entry,
            &hook.created_at.0,
        ],
    )?;
    Ok(id)
}

const INSERT: &str = "
    INSERT INTO hooks (org_id, active, url, content_type, insecure_ssl, secret, credentials, events, after_entry,
                       created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
    RETURNING id";

/// Stores a changed webhook. If it was switched on, earlier failures no longer count.
pub fn save(tx: &mut Tx, hook: &Hook, now: Time) -> Result<()> {
    tx.run(
        SAVE,
        &[
            &hook.id,
            &hook.active,
            &hook.url,
            &hook.content_type,
            &hook.insecure_ssl,
            &hook.secret,
            &hook.previous_secret,
            &hook.previous_until.map(|until| until.0),
            &hook.credentials,
            &text(&hook.events)?,
            &now.0,
        ],
    )?;
    Ok(())
}

const SAVE: &str = "
    UPDATE hooks
    SET failing_since = CASE WHEN active = $2 THEN failing_since ELSE NULL END,
        active = $2, url = $3, content_type = $4, insecure_ssl = $5, secret = $6, previous_secret = $7,
        previous_until = $8, credentials = $9, events = $10,
        updated_at = CASE WHEN updated_at > $11 THEN updated_at ELSE $11 END
    WHERE id = $1";

/// Marks a webhook as deleted. Its row stays until the webhook has been notified of that.
pub fn delete(tx: &mut Tx, id: i64, now: Time) -> Result<()> {
    tx.run("UPDATE hooks SET deleted_at = $2 WHERE id = $1", &[&id, &now.0]).map(drop)
}

/// The webhooks that may receive events of an organization, or of the site.
pub fn listening(tx: &mut Tx, org: i64) -> Result<Vec<Hook>> {
    tx.all(LISTENING, &[&org])
}

const LISTENING: &str =
    select!(Hook from "hooks h WHERE h.org_id IN ($1, 0) AND h.active = TRUE AND h.deleted_at IS NULL ORDER BY h.id");

fn text(events: &[String]) -> Result<String> {
    serde_json::to_string(events).map_err(|error| Error::Bug(error.to_string()))
}
