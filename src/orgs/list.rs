//! Lists of organizations: all of them, the caller's, and those of another account.
//!
//! Implements decisions 18 (what is public, and who sees the rest) and 38 (by id).

use schemars::JsonSchema;
use serde::Deserialize;

use super::account::Account;
use super::org;
use super::record::OrganizationSimple;
use crate::db::{ByIds, by_ids_after, row, select};
use crate::error::Result;
use crate::operation::{Cx, List, Part, Record, let_in};
use crate::people::login::Owner;
use crate::people::me::Me;
use crate::policy::Granted;
use crate::site::Site;

row! {
    /// The fields of an organization in a list.
    struct Short from "o" {
        id: i64,
        login: String,
        description: Option<String>,
    }
}

fn records(cx: &Cx, orgs: &[Short]) -> Vec<OrganizationSimple> {
    let record = |org: &Short| OrganizationSimple::new(cx.links, org.id, &org.login, org.description.clone());
    orgs.iter().map(record).collect()
}

/// List all organizations, in order of creation.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct All {
    /// The requested part of the list.
    #[serde(flatten)]
    pub part: Part,
}

/// Lists the organizations after an identifier.
pub fn all(cx: &mut Cx, _: Granted<Site>, p: All) -> Result<Record<Vec<OrganizationSimple>>> {
    let (since, limit) = p.part.sql();
    let orgs: Vec<Short> = cx.tx.all(ALL, &[&since, &limit])?;
    let rows = orgs.iter().map(|org| org.id).zip(records(cx, &orgs)).collect();
    p.part.of(cx.links, "/organizations", rows)
}

const ALL: &str = select!(Short from "orgs o WHERE o.id > $1 ORDER BY o.id LIMIT $2");

/// List the organizations that the caller is an active member of.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfCaller {}

/// Lists the organizations of which the caller is an active member.
pub fn of_caller(cx: &mut Cx, me: Granted<Me>, _: OfCaller) -> Result<List<OrganizationSimple>> {
    shared(cx, me.id)
}

/// List the organizations of a person. Private memberships appear only in organizations that the caller is a member of
/// too, and only if the token has `read:org`, `repo` or `user`.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfAccount {}

/// Lists the organizations of a person whose membership is public, and those of which the caller is a member too.
pub fn of_account(cx: &mut Cx, account: Granted<Account>, _: OfAccount) -> Result<List<OrganizationSimple>> {
    match account.owner {
        Owner::User(id) => shared(cx, id),
        Owner::Org(_) => Ok(List::default()),
    }
}

/// Callers share all their own organizations with themselves.
fn shared(cx: &mut Cx, user: i64) -> Result<List<OrganizationSimple>> {
    // Without such a scope, the caller shares nothing, so only public memberships are listed. The operator shares all.
    let me = if cx.caller.is_operator {
        user
    } else if org::reads_concealed(cx) {
        cx.my_id()
    } else {
        0
    };
    let application = cx.caller.application();
    let total: i64 = cx.tx.one(COUNT_SHARED, &[&user, &me, &application])?;
    let (limit, offset) = cx.page.sql();
    let orgs: Vec<Short> = cx.tx.all(SHARED, &[&user, &me, &application, &limit, &offset])?;
    List::of(records(cx, &orgs), total)
}

/// The organizations of these people that the caller may know of, each after the person, by ID: the same as the list of
/// them.
pub fn every(cx: &mut Cx, users: &[i64]) -> Result<Vec<(i64, i64)>> {
    let me = if org::reads_concealed(cx) { cx.my_id() } else { 0 };
    by_ids_after(cx.tx, &EVERY_SHARED, &[&me, &cx.caller.application()], users)
}

macro_rules! shared {
    ($columns:expr, $users:literal, $me:literal, $application:literal, $end:literal) => {
        const_str::concat!(
            "SELECT ",
            $columns,
            " FROM org_members m JOIN orgs o ON o.id = m.org_id",
            " LEFT JOIN org_members mine ON mine.org_id = m.org_id AND mine.user_id = ",
            $me,
            " AND mine.role <> 'billing_manager' AND ",
            let_in!("mine.org_id", $application),
            " WHERE m.user_id IN (",
            $users,
            ") AND m.role <> 'billing_manager'",
            // An application is not told of its person's own organizations what everyone is told.
            " AND (m.is_public = TRUE AND (CAST(",
            $application,
            " AS BIGINT) IS NULL OR m.user_id <> ",
            $me,
            ") OR mine.user_id IS NOT NULL)",
            $end
        )
    };
}

const COUNT_SHARED: &str = shared!("count(*)", "$1", "$2", "$3", "");
static EVERY_SHARED: ByIds = ByIds::after(2, shared!("m.user_id, o.id", "{ids}", "$1", "$2", " ORDER BY m.org_id"));
const SHARED: &str = shared!(Short::COLUMNS, "$1", "$2", "$3", " ORDER BY m.org_id LIMIT $4 OFFSET $5");
