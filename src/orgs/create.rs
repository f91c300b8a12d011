//! Creating an organization, with its first owner.
//!
//! Keeps decisions 21 (nobody suspended is added), 22 (logins) and 42 (site administration).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::record::OrganizationSimple;
use super::{changes, update};
use crate::clock::Time;
use crate::db::Tx;
use crate::derived::Change;
use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::operation::{Created, Cx};
use crate::people::admin::{given_login, login_taken};
use crate::people::login::{self, Owner};
use crate::people::user::{self, User};
use crate::policy::Granted;
use crate::site::Site;

/// Create an organization. Characters that no login can have become dashes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// The login: up to 100 letters, digits, dots, underscores and dashes, never used before.
    pub login: String,
    /// Login of the person who becomes the first owner.
    pub admin: String,
    /// The name that people read.
    pub profile_name: Option<String>,
}

/// Creates the organization and makes the person its owner.
pub fn create(cx: &mut Cx, _: Granted<Site>, p: Create) -> Result<Created<OrganizationSimple>> {
    let login = given_login(&p.login, "Organization")?;
    p.profile_name.as_deref().map_or(Ok(()), |name| update::storable("profile_name", name, update::TEXT_MAX))?;
    let owner = first_owner(cx.tx, &p.admin)?;
    let org = insert(cx.tx, &login, p.profile_name.as_deref(), *cx.now)?;
    let org = org.ok_or_else(|| login_taken("Organization", &login))?;
    cx.tx.run(FIRST_OWNER, &[&org, &owner.id, &cx.now.0])?;
    changes::log(cx.tx, org, &[Change::Person { user: owner.id, owner: true, public: false }])?;
    events::emit(cx, org, &Event::OrganizationCreated)?;
    events::record(cx, org, "org.create", &json!(null), &json!({ "login": login, "name": p.profile_name }))?;
    let member = json!({ "user": owner.login, "role": "admin" });
    events::record(cx, org, "org.add_member", &json!(null), &member)?;
    let record = OrganizationSimple::new(cx.links, org, &login, None);
    let location = Some(record.url.clone());
    Ok(Created { record, location })
}

const FIRST_OWNER: &str = "INSERT INTO org_members (org_id, user_id, role, created_at) VALUES ($1, $2, 'admin', $3)";

fn first_owner(tx: &mut Tx, login: &str) -> Result<User> {
    let refused = |text: &'static str| Error::explained("Organization", "invalid", "admin", text);
    let person = match user::by_login(tx, login) {
        Err(Error::NotFound) => return Err(refused("There is no person with this login. Create the person first.")),
        person => person?,
    };
    if person.suspended {
        return Err(refused("This person is suspended. Unsuspend them first, or name somebody else."));
    }
    Ok(person)
}

/// Makes an organization without anybody in it; `None` if the login is or was somebody's.
pub fn insert(tx: &mut Tx, login: &str, name: Option<&str>, now: Time) -> Result<Option<i64>> {
    let (id,) = tx.one(INSERT, &[&login, &name, &now.0])?;
    if login::claim(tx, login, Owner::Org(id))? {
        tx.run("INSERT INTO org_versions (org_id) VALUES ($1)", &[&id])?;
        return Ok(Some(id));
    }
    tx.run("DELETE FROM orgs WHERE id = $1", &[&id])?;
    Ok(None)
}

const INSERT: &str = "INSERT INTO orgs (login, name, created_at, updated_at) VALUES ($1, $2, $3, $3) RETURNING id";
