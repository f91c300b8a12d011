//! What only a site administrator changes of an organization: its login and its plan.
//!
//! Keeps decisions 21 and 48 (the plan), 22 (a former login names nobody and is nobody else's) and 42.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::synced;
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::operation::{Accepted, Caller, Cx, Path, Subject};
use crate::people::admin::{Change, given_login, take_login};
use crate::people::login::{self, Owner};
use crate::policy::{Granted, Standing};
use crate::site::signed_in;

/// An organization below `/admin/organizations`.
#[derive(Debug, Clone)]
pub struct Administered {
    id: i64,
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
            Some(Owner::Org(id)) => Ok(vec![Lock::Site, Lock::Org(id)]),
            _ => Err(Error::NotFound),
        }
    }

    fn canonical(&self) -> String {
        format!("/admin/organizations/{}", self.login)
    }
}

const FIND: &str = "
    SELECT o.id, o.login, o.plan
    FROM logins l JOIN orgs o ON o.id = l.org_id
    WHERE l.login_key = $1 AND l.current = TRUE";

/// What an organization has booked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Plan {
    /// Everything but team synchronization.
    Free,
    /// The same.
    Team,
    /// Everything.
    Enterprise,
}

impl Plan {
    fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Team => "team",
            Self::Enterprise => "enterprise",
        }
    }
}

/// Rename an organization or set its plan, or both. Its former login stays its own, but nothing is found by it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// The new login.
    pub login: Option<String>,
    /// The new plan.
    pub plan: Option<Plan>,
}

/// Changes both at once; 202 is what clients expect.
pub fn update(cx: &mut Cx, org: Granted<Administered>, p: Update) -> Result<Accepted<Change>> {
    if p.login.is_none() && p.plan.is_none() {
        return Err(Error::Invalid(vec!["\"login\" or \"plan\" wasn't supplied.".into()]));
    }
    let mut login = org.login.clone();
    if let Some(wanted) = &p.login {
        login = given_login(wanted, "Organization")?;
        rename(cx, &org, &login)?;
    }
    let plan = p.plan.map_or_else(|| org.plan.clone(), |plan| plan.as_str().to_owned());
    if plan != org.plan {
        cx.tx.run("UPDATE orgs SET plan = $2, updated_at = $3 WHERE id = $1", &[&org.id, &plan, &cx.now.0])?;
        events::record(cx, org.id, "account.plan_change", &json!({ "plan": org.plan }), &json!({ "plan": plan }))?;
        synced::follow_all(cx, org.id)?;
    }
    let url = cx.links.api(&format!("/organizations/{}", org.id));
    let message = format!("The organization is now {login} with the plan {plan}.");
    Ok(Accepted { record: Change { message, url: url.clone() }, location: Some(url) })
}

fn rename(cx: &mut Cx, org: &Administered, login: &str) -> Result<()> {
    if login == org.login {
        return Ok(());
    }
    take_login(cx, Owner::Org(org.id), "Organization", &org.login, login)?;
    cx.tx.run("UPDATE orgs SET login = $2, updated_at = $3 WHERE id = $1", &[&org.id, &login, &cx.now.0])?;
    events::emit(cx, org.id, &Event::OrganizationRenamed { from: org.login.clone() })?;
    events::record(cx, org.id, "org.rename", &json!({ "login": org.login }), &json!({ "login": login }))
}
