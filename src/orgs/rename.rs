//! The properties of an organization that only a site administrator changes: its login and its plan.
//!
//! Implements decisions 21 and 48 (the plan), 22 (a former login names no account, and no other account can have it)
//! and 42.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::{self, Event, SITE};
use crate::members::groups;
use crate::operation::{Caller, Cx, Path, Record, Subject};
use crate::people::admin::{Change, given_login, rename_queued, take_login};
use crate::people::login::{self, Owner};
use crate::policy::{Granted, Standing};
use crate::site::signed_in;
use crate::words::words;

/// An organization below `/admin/organizations`.
#[derive(Debug, Clone)]
pub struct Administered {
    pub(super) id: i64,
    login: String,
    plan: String,
}

impl Subject for Administered {
    const FORMS: &'static [&'static str] = &["/admin/organizations/{org}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let key = login::key(path.get("org").unwrap_or_default());
        let (id, login, plan) = cx.tx.maybe(FIND, &[&key])?.ok_or(Error::NotFound)?;
        Ok((Self { id, login, plan }, signed_in(cx)))
    }

    fn locks(tx: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        match login::find(tx, path.get("org").unwrap_or_default())? {
            Some(Owner::Org(id)) => Ok(vec![Lock::Journal(SITE), Lock::Journal(id)]),
            _ => Err(Error::NotFound),
        }
    }

    fn organizations(&self) -> Vec<i64> {
        vec![self.id]
    }

    fn canonical(&self) -> String {
        format!("/admin/organizations/{}", self.login)
    }
}

const FIND: &str = "
    SELECT o.id, o.login, o.plan
    FROM logins l JOIN orgs o ON o.id = l.org_id
    WHERE l.login_key = $1 AND l.current = TRUE";

words! {
    /// The plan of an organization.
    #[derive(Serialize)]
    pub enum Plan {
        /// All features except team synchronization.
        Free = "free",
        /// The same features as `free`.
        Team = "team",
        /// All features.
        Enterprise = "enterprise",
    }
}

/// Rename an organization, set its plan, or both. The former login stays reserved, but no longer leads to the
/// organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// The new login.
    pub login: Option<String>,
    /// The new plan.
    pub plan: Option<Plan>,
}

/// Changes both at once; clients expect 202.
pub fn update(cx: &mut Cx, org: Granted<Administered>, p: Update) -> Result<Record<Change, 202>> {
    if p.login.is_none() && p.plan.is_none() {
        return Err(Error::Invalid(vec!["\"login\" or \"plan\" wasn't supplied.".into()]));
    }
    if let Some(wanted) = &p.login {
        rename(cx, &org, &given_login(wanted, "Organization")?)?;
    }
    let plan = p.plan.map_or_else(|| org.plan.clone(), |plan| plan.word().to_owned());
    if plan != org.plan {
        cx.tx.run(SET_PLAN, &[&org.id, &plan, &cx.now()?.0])?;
        let (before, after) = (json!({ "plan": org.plan }), json!({ "plan": plan }));
        cx.record(org.id, journal::Change::new("account.plan_change", &before, &after))?;
        groups::follow_all(cx, org.id)?;
    }
    let url = cx.links.api(&format!("/organizations/{}", org.id));
    let message = match p.login {
        Some(_) => rename_queued("organization"),
        None => format!("The organization is now on the plan {plan}."),
    };
    Ok(Record::from(Change { message, url: url.clone() }).at(url))
}

fn rename(cx: &mut Cx, org: &Administered, login: &str) -> Result<()> {
    if login == org.login {
        return Ok(());
    }
    take_login(cx, Owner::Org(org.id), "Organization", &org.login, login)?;
    cx.tx.run(SET_LOGIN, &[&org.id, &login, &cx.now()?.0])?;
    let change = journal::Change::new("org.rename", &json!({ "login": org.login }), &json!({ "login": login }));
    cx.record(org.id, change.with_event(&Event::OrganizationRenamed { from: org.login.clone() }))
}

const SET_PLAN: &str = "
    UPDATE orgs
    SET plan = $2, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
    WHERE id = $1";

const SET_LOGIN: &str = "
    UPDATE orgs
    SET login = $2, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
    WHERE id = $1";
