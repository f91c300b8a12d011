//! All organizations of the site, as its administrators look for them, and the owners of each (decision 61).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rename::Administered;
use crate::clock::Time;
use crate::db::{ByIds, by_ids, row, select};
use crate::error::{Error, Result};
use crate::operation::{self, Cx, Record};
use crate::policy::Granted;
use crate::site::Site;

/// The longest text that is looked for, in characters.
const LONGEST: usize = 200;

/// The most organizations at a time.
const MOST: i64 = 100;

row! {
    /// An organization in the list of all organizations. Its people and teams are counted up to 10,001 each.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Listed from "o" {
        /// ID.
        pub id: i64,
        /// Login.
        pub login: String,
        /// Name.
        pub name: Option<String>,
        /// Plan.
        pub plan: String,
        /// Creation time.
        pub created_at: Time,
        /// Number of members.
        pub people: i64 = "(SELECT count(*) FROM (SELECT m.user_id FROM org_members m WHERE m.org_id = o.id LIMIT 10001) mm)",
        /// Number of teams.
        pub teams: i64 = "(SELECT count(*) FROM (SELECT t.id FROM teams t WHERE t.org_id = o.id LIMIT 10001) tt)",
    }
}

/// The most people and teams that are counted. A number above it says that there are more.
pub const COUNTED: i64 = 10_000;

/// List organizations of the site, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct List {
    /// A text of at most 200 characters with which the login or the name begins. Of the first 10,000 organizations, also
    /// those that have it anywhere in their login or name. Of each kind, at most 1,000 are found.
    pub q: Option<String>,
    /// Only organizations after the one with this ID.
    pub after: Option<i64>,
    /// The most organizations to list, 1 to 100.
    pub most: i64,
}

/// Lists organizations.
pub fn list(cx: &mut Cx, _: Granted<Site>, p: List) -> Result<Record<Vec<Listed>>> {
    let (after, most) = (p.after.unwrap_or(0).max(0), p.most.clamp(1, MOST));
    let q = p.q.unwrap_or_default().trim().to_ascii_lowercase();
    if q.chars().count() > LONGEST {
        return Err(Error::explained("Organization", "invalid", "q", format!("Use at most {LONGEST} characters.")));
    }
    if q.is_empty() {
        return Ok(cx.tx.all::<Listed>(ALL, &[&after, &most])?.into());
    }
    let ids: Vec<i64> = cx.tx.all(MATCHING, &[&after, &q, &format!("{q}\u{10FFFF}"), &most])?;
    Ok(by_ids::<Listed>(cx.tx, &BY_IDS, &ids)?.into())
}

const ALL: &str = select!(Listed from "orgs o WHERE o.id > $1 ORDER BY o.id LIMIT $2");

const MATCHING: &str = "
    SELECT id FROM (
        SELECT id FROM (SELECT id FROM searched_orgs
                        WHERE login_text >= $2 AND login_text < $3 ORDER BY login_text LIMIT 1000) by_login
        UNION
        SELECT id FROM (SELECT id FROM searched_orgs
                        WHERE name_text >= $2 AND name_text < $3 ORDER BY name_text LIMIT 1000) by_name
        UNION
        SELECT id FROM (SELECT id, login_text, name_text FROM searched_orgs
                        WHERE id > 0 ORDER BY id LIMIT 10000) first
        WHERE replace(login_text, $2, '') <> login_text OR replace(name_text, $2, '') <> name_text) found
    WHERE id > $1 ORDER BY id LIMIT $4";

static BY_IDS: ByIds = ByIds::new(select!(Listed from "orgs o WHERE o.id IN ({ids}) ORDER BY o.id"));

/// Get an organization as site administrators see it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Gets the organization.
pub fn look(cx: &mut Cx, org: Granted<Administered>, _: Look) -> Result<Record<Listed>> {
    let found: Listed = cx.tx.maybe(ONE, &[&org.id])?.ok_or(Error::NotFound)?;
    Ok(found.into())
}

const ONE: &str = select!(Listed from "orgs o WHERE o.id = $1");

row! {
    /// An owner of an organization.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Owner from "u" {
        /// Login.
        pub login: String,
        /// Name.
        pub name: Option<String>,
        /// True if they administer the site, so that no one acts for them.
        pub site_admin: bool,
        /// True if the account is suspended.
        pub suspended: bool,
    }
}

/// List the owners of an organization, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Owners {}

/// Lists the owners.
pub fn owners(cx: &mut Cx, org: Granted<Administered>, _: Owners) -> Result<operation::List<Owner>> {
    let total: i64 = cx.tx.one(COUNT_OWNERS, &[&org.id])?;
    let (limit, offset) = cx.page.sql();
    let owners: Vec<Owner> = cx.tx.all(OWNERS, &[&org.id, &limit, &offset])?;
    operation::List::of(owners, total)
}

const COUNT_OWNERS: &str = "SELECT count(*) FROM org_members WHERE org_id = $1 AND role = 'admin'";
const OWNERS: &str = select!(Owner from
    "org_members m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND m.role = 'admin'
     ORDER BY m.user_id LIMIT $2 OFFSET $3");
