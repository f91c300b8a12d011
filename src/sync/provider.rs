//! The subject of provisioning: an organization, as its identity provider names it, and the responses to the provider.

use std::ops::Deref;

use serde_json::Value;

use crate::clock::Time;
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::members::synced;
use crate::operation::{Caller, Cx, Path, Rendered, Subject};
use crate::orgs::org::{self, Org};
use crate::people::me;
use crate::policy::{Fact, Standing};

/// The message for a caller who may not provision. It mentions the plan because a provider shows this text to an
/// administrator.
pub const REFUSAL: &str = "Provisioning needs the token of an organization owner, and the enterprise plan, which a site \
                           administrator sets: PATCH /admin/organizations/{org}. Without the plan, records can only be \
                           read, deactivated (`active: false`) and deleted.";

/// An organization below `/scim/v2`.
#[derive(Debug, Clone)]
pub struct Provider(Org);

impl Deref for Provider {
    type Target = Org;
    fn deref(&self) -> &Org {
        &self.0
    }
}

impl Subject for Provider {
    const FORMS: &'static [&'static str] = &["/scim/v2/organizations/{org}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (org, standing) = Org::find(cx, path)?;
        let enterprise = synced::is_offered(cx.tx, org.id)?;
        Ok((Self(org), standing.with(Fact::Enterprise, enterprise)))
    }

    /// The organization, and all other organizations of its people whose accounts may be renamed or suspended.
    fn locks(tx: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let Some(org) = org::id_of(tx, path)? else { return Ok(Vec::new()) };
        let record = path.get("id").and_then(|id| number(id, USER));
        let tied: Option<(Option<i64>,)> = match record {
            Some(record) => {
                tx.maybe("SELECT user_id FROM scim_users WHERE id = $1 AND org_id = $2", &[&record, &org])?
            }
            None => None,
        };
        let mut locks = match tied {
            Some((Some(user),)) => me::user_and_orgs(tx, user)?,
            _ => Vec::new(),
        };
        locks.push(Lock::Journal(org));
        Ok(locks)
    }

    fn organizations(&self) -> Vec<i64> {
        self.0.organizations()
    }

    fn canonical(&self) -> String {
        format!("/scim/v2/organizations/{}", self.0.login)
    }
}

impl Provider {
    /// The URL below which all its resources are.
    #[must_use]
    pub fn base(&self, cx: &Cx) -> String {
        cx.links.api(&self.canonical())
    }
}

/// The prefix of the identifiers of people.
pub const USER: char = 'u';
/// The prefix of the identifiers of groups.
pub const GROUP: char = 'g';

/// An identifier as the provider sees it: a person and a group never have the same one.
#[must_use]
pub fn identifier(kind: char, id: i64) -> String {
    format!("{kind}{id}")
}

/// The number in an identifier of this kind.
#[must_use]
pub fn number(identifier: &str, kind: char) -> Option<i64> {
    let digits = identifier.strip_prefix(kind)?;
    digits.parse().ok().filter(|number: &i64| number.to_string() == digits)
}

/// The number in the path.
pub fn named(path: &Path, kind: char) -> Result<i64> {
    path.get("id").and_then(|id| number(id, kind)).ok_or(Error::NotFound)
}

/// A time in the format of the standard.
#[must_use]
pub fn moment(micros: i64) -> String {
    Time(micros).to_string()
}

/// A response with a body.
pub fn answer(status: u16, body: &Value, location: Option<String>) -> Rendered {
    let body = Some(body.to_string().into_bytes().into());
    Rendered { status, body, location, ..Rendered::default() }
}

/// A response without a body.
#[must_use]
pub fn done() -> Rendered {
    Rendered { status: 204, ..Rendered::default() }
}
