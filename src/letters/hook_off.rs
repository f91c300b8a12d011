//! The e-mail that says that a webhook was switched off (decision 44).

use serde::Deserialize;

use super::addressee::{Addressee, Composing, addressee, named_organization};
use crate::db::Tx;
use crate::error::Result;
use crate::hooks;
use crate::journal::SITE;
use crate::links::segment;
use crate::mail::letter::{Content, Letter};

/// The number of owners who are notified at most.
const MOST: i64 = 100;

/// The recipients: the owners of the organization, or the site administrators.
pub(super) fn recipients(tx: &mut Tx, org: i64) -> Result<Vec<i64>> {
    let people: Vec<(i64,)> = match org {
        SITE => tx.all(SITE_ADMINS, &[&MOST])?,
        org => tx.all(OWNERS, &[&org, &MOST])?,
    };
    Ok(people.into_iter().map(|(id,)| id).collect())
}

const OWNERS: &str = "
    SELECT user_id FROM org_members WHERE org_id = $1 AND role = 'admin' ORDER BY user_id LIMIT $2";

const SITE_ADMINS: &str = "SELECT id FROM users WHERE site_admin = TRUE ORDER BY id LIMIT $1";

/// The fields of the payload.
#[derive(Deserialize)]
pub(super) struct OfHook {
    hook: i64,
    /// The journal entry of the switch-off, which the e-mail names.
    #[serde(default)]
    entry: i64,
}

/// The letter to one of the recipients, if they are still one and the webhook is still switched off.
pub(super) fn letter(tx: &mut Tx, composing: &Composing, of: &OfHook, to: i64) -> Result<Option<Letter>> {
    let Some(hook) = hooks::stored::by_id(tx, of.hook)?.filter(|hook| !hook.active && hook.deleted_at.is_none()) else {
        return Ok(None);
    };
    let is_told = match hook.org_id {
        SITE => tx.any("SELECT 1 FROM users WHERE id = $1 AND site_admin = TRUE", &[&to])?,
        org => is_owner(tx, org, to)?,
    };
    let Some(Addressee { name, address }) = addressee(tx, to)?.filter(|_| is_told) else { return Ok(None) };
    let (login, org) = named_organization(tx, hook.org_id)?.unzip();
    let url = login.map(|login| composing.links.html(&format!("/orgs/{}/hooks/{}", segment(&login), hook.id)));
    let id = format!("hook/{}/off/{}", hook.id, of.entry);
    let content = Content::HookOff { org, hook: hook.id, receiver: hook.url, url };
    Ok(Some(Letter { name, address, id, follows: None, board: None, content }))
}

/// True if the person owns the organization.
pub(super) fn is_owner(tx: &mut Tx, org: i64, person: i64) -> Result<bool> {
    tx.any(IS_OWNER, &[&org, &person])
}

const IS_OWNER: &str = "SELECT 1 FROM org_members WHERE org_id = $1 AND user_id = $2 AND role = 'admin'";
