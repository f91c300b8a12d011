//! The people to whom an organization gave its role `security_manager` themselves, not through a team (section 8 of
//! `SPEC.md`, "Roles of organizations").
//!
//! The role is part of the membership: it ends when the person leaves the organization.

use serde_json::{Value, json};

use crate::db::Tx;
use crate::error::Result;
use crate::journal::Change;
use crate::operation::Cx;
use crate::people::user::User;

/// A role that every organization has.
#[derive(Debug, Clone, Copy)]
pub struct Predefined {
    /// ID, as clients know it.
    pub id: i64,
    /// Name.
    pub name: &'static str,
    /// Description.
    pub description: &'static str,
    /// The level that it gives on every repository.
    pub base_role: &'static str,
}

/// The role of security managers.
pub const SECURITY_MANAGER: Predefined = Predefined {
    id: 138,
    name: "security_manager",
    description: "Lets people and the people of teams read every repository of the organization.",
    base_role: "read",
};

/// True if the role was given to a person themselves.
pub fn is_one(tx: &mut Tx, org: i64, user: i64) -> Result<bool> {
    tx.any("SELECT user_id FROM user_security_managers WHERE org_id = $1 AND user_id = $2", &[&org, &user])
}

/// Gives the role to a member of the organization, who does not have it yet.
pub fn appoint(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    insert(cx.tx, org, person.id)?;
    cx.record(org, Change::new("organization_role.assign", &Value::Null, &facts(person)))
}

/// Takes the role from a person. Does nothing if they do not have it.
pub fn dismiss(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    if cx.tx.run(DELETE, &[&org, &person.id])? > 0 {
        cx.record(org, Change::new("organization_role.revoke", &facts(person), &Value::Null))?;
    }
    Ok(())
}

const DELETE: &str = "DELETE FROM user_security_managers WHERE org_id = $1 AND user_id = $2";

fn facts(person: &User) -> Value {
    json!({ "role": SECURITY_MANAGER.name, "role_id": SECURITY_MANAGER.id, "user": person.login })
}

/// Gives the role to members of a new organization. The end of its load records everything once.
pub fn import(tx: &mut Tx, org: i64, people: &[i64]) -> Result<()> {
    people.iter().try_for_each(|user| insert(tx, org, *user))
}

fn insert(tx: &mut Tx, org: i64, user: i64) -> Result<()> {
    tx.run("INSERT INTO user_security_managers (org_id, user_id) VALUES ($1, $2)", &[&org, &user]).map(drop)
}
