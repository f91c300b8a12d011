//! Webhooks as they are stored.

use crate::clock::Time;
use crate::db::{FromRow, Row, Tx};
use crate::error::{Error, Result};

/// A webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// ID.
    pub id: i64,
    /// The organization, or the site.
    pub org_id: i64,
    /// Whether it receives events.
    pub active: bool,
    /// The URL of the receiver, without user and password.
    pub url: String,
    /// `form` or `json`.
    pub content_type: String,
    /// Whether certificates are not verified, if the site allows that.
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
    pub events: Vec<String>,
    /// It receives the events of its journal after this entry.
    pub after_entry: i64,
    /// Creation time.
    pub created_at: Time,
    /// Time of the last change.
    pub updated_at: Time,
    /// When it was deleted; after that it only receives the event of its deletion.
    pub deleted_at: Option<Time>,
}

/// The columns of [`Hook`].
macro_rules! columns {
    () => {
        "id, org_id, active, url, content_type, insecure_ssl, secret, previous_secret, previous_until, credentials, \
         events, after_entry, created_at, updated_at, deleted_at"
    };
}

impl FromRow for Hook {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let events = serde_json::from_str(&row.get::<String>(10)?);
        Ok(Self {
            id: row.get(0)?,
            org_id: row.get(1)?,
            active: row.get(2)?,
            url: row.get(3)?,
            content_type: row.get(4)?,
            insecure_ssl: row.get(5)?,
            secret: row.get(6)?,
            previous_secret: row.get(7)?,
            previous_until: row.get::<Option<i64>>(8)?.map(Time),
            credentials: row.get(9)?,
            events: events.map_err(|error| Error::Bug(format!("the events of a hook: {error}")))?,
            after_entry: row.get(11)?,
            created_at: Time(row.get(12)?),
            updated_at: Time(row.get(13)?),
            deleted_at: row.get::<Option<i64>>(14)?.map(Time),
        })
    }
}

/// The webhooks of an organization, or of the site, in order of creation.
pub fn of_org(tx: &mut Tx, org: i64) -> Result<Vec<Hook>> {
    tx.all(OF_ORG, &[&org])
}

const OF_ORG: &str = concat!("SELECT ", columns!(), " FROM hooks WHERE org_id = $1 AND deleted_at IS NULL ORDER BY id");

/// A webhook of an organization, or of the site; 404 if there is none with this identifier.
pub fn one(tx: &mut Tx, org: i64, id: i64) -> Result<Hook> {
    by_id(tx, id)?.filter(|hook| hook.org_id == org && hook.deleted_at.is_none()).ok_or(Error::NotFound)
}

/// The webhook with this identifier, even if it is deleted.
pub fn by_id(tx: &mut Tx, id: i64) -> Result<Option<Hook>> {
    tx.maybe(BY_ID, &[&id])
}

const BY_ID: &str = concat!("SELECT ", columns!(), " FROM hooks WHERE id = $1");

/// Inserts a webhook and returns its identifier.
pub fn insert(tx: &mut Tx, hook: &Hook) -> Result<i64> {
    let (id,) = tx.one(
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

const LISTENING: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM hooks WHERE org_id IN ($1, 0) AND active = TRUE AND deleted_at IS NULL ORDER BY id"
);

fn text(events: &[String]) -> Result<String> {
    serde_json::to_string(events).map_err(|error| Error::Bug(error.to_string()))
}
