//! The numbers that site administrators see first (decision 61). Each is counted up to a bound, so that looking is cheap on
//! a large site.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Site;
use crate::db::{Tx, newest_schema};
use crate::error::Result;
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// The most rows that are counted. A number above it says that there are more.
pub const MOST: i64 = 100_000;

/// The site as its administrators see it first.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Overview {
    /// Number of accounts of people.
    pub people: i64,
    /// Number of people who are suspended.
    pub suspended: i64,
    /// Number of site administrators.
    pub site_admins: i64,
    /// Number of organizations.
    pub organizations: i64,
    /// Number of deliveries that were given up.
    pub failed: i64,
    /// Number of deliveries that wait to be sent.
    pub waiting: i64,
    /// Number of webhooks that fail, but are still tried.
    pub hooks_failing: i64,
    /// Number of webhooks that are switched off.
    pub hooks_off: i64,
    /// True if the store is PostgreSQL, false if it is SQLite.
    pub postgres: bool,
    /// Version of the schema.
    pub schema: i64,
}

/// Get the site as its administrators see it first.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Gets the numbers.
pub fn look(cx: &mut Cx, _: Granted<Site>, _: Look) -> Result<Record<Overview>> {
    let postgres = cx.tx.is_remote();
    let mut count = |sql| count(cx.tx, sql);
    let overview = Overview {
        people: count(PEOPLE)?,
        suspended: count(SUSPENDED)?,
        site_admins: count(SITE_ADMINS)?,
        organizations: count(ORGANIZATIONS)?,
        failed: count(FAILED)?,
        waiting: count(WAITING)?,
        hooks_failing: count(HOOKS_FAILING)?,
        hooks_off: count(HOOKS_OFF)?,
        postgres,
        schema: newest_schema(),
    };
    Ok(overview.into())
}

fn count(tx: &mut Tx, sql: &'static str) -> Result<i64> {
    tx.one(sql, &[&(MOST + 1)])
}

const PEOPLE: &str = "SELECT count(*) FROM (SELECT id FROM users WHERE id > 0 LIMIT $1) counted";
const SUSPENDED: &str =
    "SELECT count(*) FROM (SELECT id FROM users WHERE suspended = TRUE AND id > 0 LIMIT $1) counted";
const SITE_ADMINS: &str =
    "SELECT count(*) FROM (SELECT id FROM users WHERE site_admin = TRUE AND id > 0 LIMIT $1) counted";
const ORGANIZATIONS: &str = "SELECT count(*) FROM (SELECT id FROM orgs WHERE id > 0 LIMIT $1) counted";
const FAILED: &str =
    "SELECT count(*) FROM (SELECT id FROM deliveries WHERE state = 'dead' AND id > 0 LIMIT $1) counted";
const WAITING: &str =
    "SELECT count(*) FROM (SELECT id FROM deliveries WHERE state = 'waiting' AND id > 0 LIMIT $1) counted";
const HOOKS_FAILING: &str = "
    SELECT count(*)
    FROM (SELECT id FROM hooks
          WHERE active = TRUE AND failing_since IS NOT NULL AND deleted_at IS NULL AND id > 0 LIMIT $1) counted";
const HOOKS_OFF: &str = "
    SELECT count(*) FROM (SELECT id FROM hooks WHERE active = FALSE AND deleted_at IS NULL AND id > 0 LIMIT $1) counted";
