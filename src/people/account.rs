//! The account of a person as site administrators see it (decision 61): what it is, what it has, and the organizations
//! that would be left without an owner.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::email;
use super::named::Administered;
use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::{Error, Result};
use crate::operation::{Cx, List, Record};
use crate::policy::Granted;

/// The most tokens, applications or organizations that are counted.
pub const COUNTED: i64 = 10_000;

/// The most organizations that are named because they have no other owner.
const NAMED: i64 = 20;

row! {
    /// The columns of an account.
    struct Stored from "u" {
        name: Option<String>,
        suspended_at: Option<Time>,
        created_at: Time,
    }
}

/// An e-mail address of an account.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Address {
    /// E-mail address.
    pub email: String,
    /// True if it is the primary one.
    pub primary: bool,
    /// True if it is verified.
    pub verified: bool,
}

/// An account.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Account {
    /// ID.
    pub id: i64,
    /// Login.
    pub login: String,
    /// Name.
    pub name: Option<String>,
    /// True if the person administers the site.
    pub site_admin: bool,
    /// True if the account is suspended.
    pub suspended: bool,
    /// The time of the suspension.
    pub suspended_at: Option<Time>,
    /// Creation time.
    pub created_at: Time,
    /// E-mail addresses, the oldest first.
    pub addresses: Vec<Address>,
    /// Number of tokens, up to 10,000.
    pub tokens: i64,
    /// Number of applications that the person has allowed to act for them, up to 10,000.
    pub applications: i64,
    /// Logins of the first 20 organizations that have no other active owner.
    pub only_owner_of: Vec<String>,
}

/// Get the account of a person.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Gets the account.
pub fn look(cx: &mut Cx, person: Granted<Administered>, _: Look) -> Result<Record<Account>> {
    let id = person.id;
    let Stored { name, suspended_at, created_at } = cx.tx.maybe(STORED, &[&id])?.ok_or(Error::NotFound)?;
    let shown =
        |of: email::Held| Address { email: of.shown.email, primary: of.shown.primary, verified: of.shown.verified };
    let account = Account {
        id,
        login: person.login.clone(),
        name,
        site_admin: person.site_admin,
        suspended: person.suspended,
        suspended_at,
        created_at,
        addresses: email::of(cx.tx, id)?.into_iter().map(shown).collect(),
        tokens: count(cx.tx, TOKENS, id)?,
        applications: count(cx.tx, APPLICATIONS, id)?,
        only_owner_of: cx.tx.all(ONLY_OWNER_OF, &[&id, &NAMED])?,
    };
    Ok(account.into())
}

fn count(tx: &mut Tx, sql: &'static str, user: i64) -> Result<i64> {
    tx.one(sql, &[&user, &COUNTED])
}

const STORED: &str = select!(Stored from "users u WHERE u.id = $1");
const TOKENS: &str = "SELECT count(*) FROM (SELECT id FROM tokens WHERE user_id = $1 LIMIT $2) counted";
const APPLICATIONS: &str =
    "SELECT count(*) FROM (SELECT application_id FROM consents WHERE user_id = $1 LIMIT $2) counted";

/// The condition that the membership `m` is of an owner, and that the organization has no other active one.
macro_rules! is_only_owner {
    () => {
        "(m.role = 'admin'
          AND NOT EXISTS (SELECT 1 FROM org_members a JOIN users au ON au.id = a.user_id
                          WHERE a.org_id = m.org_id AND a.role = 'admin' AND a.user_id <> m.user_id
                            AND au.suspended = FALSE))"
    };
}

const ONLY_OWNER_OF: &str = concat!(
    "SELECT o.login FROM org_members m JOIN orgs o ON o.id = m.org_id WHERE m.user_id = $1 AND ",
    is_only_owner!(),
    " ORDER BY m.org_id LIMIT $2"
);

row! {
    /// A membership of a person.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Membership from "m" {
        /// Login of the organization.
        pub org: String = "o.login",
        /// Name of the organization.
        pub name: Option<String> = "o.name",
        /// `admin`, `member` or `billing_manager`.
        pub role: String,
        /// True if the organization has no other active owner.
        pub is_only_owner: bool = is_only_owner!(),
        /// The time at which they became a member.
        pub since: Time = "m.created_at",
    }
}

/// List the memberships of a person, by organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Memberships {}

/// Lists the memberships.
pub fn memberships(cx: &mut Cx, person: Granted<Administered>, _: Memberships) -> Result<List<Membership>> {
    let total: i64 = cx.tx.one("SELECT count(*) FROM org_members WHERE user_id = $1", &[&person.id])?;
    let (limit, offset) = cx.page.sql();
    let memberships: Vec<Membership> = cx.tx.all(MEMBERSHIPS, &[&person.id, &limit, &offset])?;
    List::of(memberships, total)
}

const MEMBERSHIPS: &str = select!(Membership from
    "org_members m JOIN orgs o ON o.id = m.org_id WHERE m.user_id = $1 ORDER BY m.org_id LIMIT $2 OFFSET $3");
