//! The audit: who did what, one chain of entries per organization (decision 47).
//!
//! Each entry's hash is keyed and covers the entry and the hash before it, so that an entry which is changed,
//! removed or slipped in is found by `guildhall doctor`.

use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use sha2::Sha256;

use crate::db::{FromRow, Kept, Row, Tx};
use crate::error::{Error, Result};
use crate::operation::Cx;

/// The chain of what belongs to the site and to no organization.
pub const SITE: i64 = 0;

/// An entry as it is stored.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its place in the chain, from 1.
    pub entry: i64,
    /// When.
    pub at: i64,
    /// What, in the interface's own action names.
    pub action: String,
    /// By whom.
    pub actor_login: Option<String>,
    /// The site administrator behind an impersonation.
    pub behind_login: Option<String>,
    /// With which token.
    pub token_id: Option<i64>,
    /// In which request.
    pub request_id: String,
    /// What was, as JSON.
    pub before: String,
    /// What is, as JSON.
    pub after: String,
    /// The keyed hash over all of it and the hash before.
    pub hash: Vec<u8>,
}

impl FromRow for Entry {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            entry: row.get(0)?,
            at: row.get(1)?,
            action: row.get(2)?,
            actor_login: row.get(3)?,
            behind_login: row.get(4)?,
            token_id: row.get(5)?,
            request_id: row.get(6)?,
            before: row.get(7)?,
            after: row.get(8)?,
            hash: row.get(9)?,
        })
    }
}

impl Entry {
    /// The hash that this entry must have after one with that hash.
    pub fn sealed(&self, org: i64, previous: &[u8], key: &[u8; 32]) -> Result<Vec<u8>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|e| Error::Bug(e.to_string()))?;
        let token = self.token_id.unwrap_or(0);
        for number in [org, self.entry, self.at, token] {
            mac.update(&number.to_le_bytes());
        }
        let actor = self.actor_login.as_deref().unwrap_or_default();
        let behind = self.behind_login.as_deref().unwrap_or_default();
        for text in [&self.action, actor, behind, &self.request_id, &self.before, &self.after] {
            mac.update(&(text.len() as u64).to_le_bytes());
            mac.update(text.as_bytes());
        }
        mac.update(previous);
        Ok(mac.finalize().into_bytes().to_vec())
    }
}

/// Writes an entry at the end of an organization's chain: what was, and what is, as JSON.
pub fn record(cx: &mut Cx, org: i64, action: &str, before: &impl Serialize, after: &impl Serialize) -> Result<()> {
    let json = |text: serde_json::Result<String>| text.map_err(|e| Error::Bug(e.to_string()));
    write(cx, org, action, json(serde_json::to_string(before))?, json(serde_json::to_string(after))?)
}

fn write(cx: &mut Cx, org: i64, action: &str, before: String, after: String) -> Result<()> {
    let key = org.to_be_bytes();
    let end = cx.tx.recall(&key, |tx| end_of_chain(tx, org))?;
    let person = cx.caller.person.as_ref();
    let token = cx.caller.token.as_ref();
    let mut entry = Entry {
        entry: end.entry + 1,
        at: cx.now.0,
        action: action.to_owned(),
        actor_login: person.map(|p| p.login.to_string()),
        behind_login: token.and_then(|t| t.behind.as_deref().map(str::to_owned)),
        token_id: token.map(|t| t.id),
        request_id: cx.request_id.to_owned(),
        before,
        after,
        hash: Vec::new(),
    };
    entry.hash = entry.sealed(org, &end.hash, &cx.site.audit_key)?;
    append(cx.tx, org, person.map(|p| p.id), &entry)?;
    cx.tx.keep(&key, &Arc::new(End { entry: entry.entry, hash: entry.hash }));
    Ok(())
}

/// The number and the hash of the newest entry.
struct End {
    entry: i64,
    hash: Vec<u8>,
}

impl Kept for End {
    const READ_FROM: &'static [&'static str] = &["audit"];

    fn weight(&self) -> usize {
        size_of::<Self>() + self.hash.len()
    }
}

fn end_of_chain(tx: &mut Tx, org: i64) -> Result<End> {
    let (entry, hash) = tx.maybe(END, &[&org])?.unwrap_or_default();
    Ok(End { entry, hash })
}

const END: &str = "SELECT entry, hash FROM audit WHERE org_id = $1 ORDER BY entry DESC LIMIT 1";

fn append(tx: &mut Tx, org: i64, actor: Option<i64>, entry: &Entry) -> Result<()> {
    tx.run(
        APPEND,
        &[
            &org,
            &entry.entry,
            &entry.at,
            &entry.action,
            &actor,
            &entry.actor_login,
            &entry.behind_login,
            &entry.token_id,
            &entry.request_id,
            &entry.before,
            &entry.after,
            &entry.hash,
        ],
    )?;
    Ok(())
}

const APPEND: &str = "
    INSERT INTO audit (org_id, entry, at, action, actor_id, actor_login, behind_login, token_id, request_id,
                       before, after, hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";

/// Entries of a chain after this one, in order, for whoever checks it.
pub fn entries(tx: &mut Tx, org: i64, after: i64, limit: i64) -> Result<Vec<Entry>> {
    tx.all(ENTRIES, &[&org, &after, &limit])
}

const ENTRIES: &str = "
    SELECT entry, at, action, actor_login, behind_login, token_id, request_id, before, after, hash
    FROM audit WHERE org_id = $1 AND entry > $2 ORDER BY entry LIMIT $3";
