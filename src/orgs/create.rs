//! Creating an organization with its first owner.
//!
//! Implements decisions 21 (no suspended user is added), 22 (logins), 42 (site administration) and 71 (who may).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::record::OrganizationSimple;
use super::update;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::{self, Change, Event};
use crate::members::invitations::suspension;
use crate::members::organization;
use crate::operation::{Cx, Record};
use crate::people::admin::{given_login, login_taken};
use crate::people::login::{self, Owner};
use crate::people::me::Me;
use crate::people::user::{self, User};
use crate::policy::Granted;
use crate::site::Site;

/// Create an organization. ASCII characters that a login cannot contain are replaced by dashes; others are refused.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// The login: 1 to 100 letters, digits, dots, underscores and dashes. It must be new, and not reserved.
    pub login: String,
    /// Login of the person who becomes the first owner.
    pub admin: String,
    /// Display name of the organization.
    #[schemars(extend("x-function-validates" = true))]
    pub profile_name: Option<String>,
}

/// Creates the organization and makes the person its owner.
pub fn create(cx: &mut Cx, _: Granted<Site>, p: Create) -> Result<Record<OrganizationSimple, 201>> {
    let owner = first_owner(cx.tx, &p.admin)?;
    begin(cx, &p.login, p.profile_name.as_deref(), &owner).map(created)
}

fn created(record: OrganizationSimple) -> Record<OrganizationSimple, 201> {
    let location = record.url.clone();
    Record::from(record).at(location)
}

/// Create an organization whose owner is the caller. ASCII characters that a login cannot contain are replaced by dashes;
/// others are refused.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CreateOwn {
    /// The login: 1 to 100 letters, digits, dots, underscores and dashes. It must be new, and not reserved.
    pub login: String,
    /// Display name of the organization.
    #[schemars(extend("x-function-validates" = true))]
    pub profile_name: Option<String>,
}

/// Creates the organization and makes the caller its owner.
pub fn own(cx: &mut Cx, me: Granted<Me>, p: CreateOwn) -> Result<Record<OrganizationSimple, 201>> {
    let owner = user::by_id(cx.tx, me.id)?.ok_or(Error::NotFound)?;
    let org = begin(cx, &p.login, p.profile_name.as_deref(), &owner)?;
    cx.count_creation()?;
    Ok(created(org))
}

/// Creates an organization with this login and name, and makes the person its owner.
pub fn begin(cx: &mut Cx, login: &str, name: Option<&str>, owner: &User) -> Result<OrganizationSimple> {
    let login = given_login(login, "Organization")?;
    let name = name.map(str::trim);
    if let Some(name) = name {
        update::shown("profile_name", name)?;
        update::storable("profile_name", name, update::TEXT_MAX)?;
    }
    let org = insert(cx, &login, name)?;
    let org = org.ok_or_else(|| login_taken("Organization", &login))?;
    let after = json!({ "login": login, "name": name });
    cx.record(org, Change::new("org.create", &json!(null), &after).with_event(&Event::OrganizationCreated))?;
    organization::add_first_owner(cx, org, owner)?;
    Ok(OrganizationSimple::new(cx.links, org, &login, None))
}

fn first_owner(tx: &mut Tx, login: &str) -> Result<User> {
    let refused = |text: String| Error::explained("Organization", "invalid", "admin", text);
    let person = match user::by_login(tx, login) {
        Err(Error::NotFound) => {
            return Err(refused("No person has this login. Create the person first: POST /admin/users.".into()));
        }
        person => person?,
    };
    match suspension(tx, &person)? {
        Some(text) => Err(refused(format!("{text} Or choose another person."))),
        None => Ok(person),
    }
}

/// Inserts an organization without members, which may not fork its private repositories (section 4 of `SPEC.md`);
/// `None` if another account has or had the login, or if it is reserved.
pub fn insert(cx: &mut Cx, login: &str, name: Option<&str>) -> Result<Option<i64>> {
    let id = cx.tx.run_one(INSERT, &[&login, &name, &cx.now()?.0, &cx.site.applications_need_approval])?;
    if login::claim(cx.tx, login, Owner::Org(id))? {
        journal::open(cx.tx, id)?;
        return Ok(Some(id));
    }
    cx.tx.run("DELETE FROM orgs WHERE id = $1", &[&id])?;
    Ok(None)
}

const INSERT: &str = "
    INSERT INTO orgs (login, name, created_at, updated_at, applications_need_approval,
                      members_can_fork_private_repositories)
    VALUES ($1, $2, $3, $3, $4, FALSE)
    RETURNING id";
