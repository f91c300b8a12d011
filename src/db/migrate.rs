//! Applies the migrations in `schema/*.sql` that a database lacks, in order and in one transaction. The words in braces
//! of the portable dialect are replaced.

use std::iter;

use super::tx::{Lock, Tx};
use crate::error::{Error, Result};

/// The migrations in order. New ones are appended; existing ones never change.
const MIGRATIONS: &[(i64, &str)] = &[
    (1, include_str!("../../schema/0001_begin.sql")),
    (2, include_str!("../../schema/0002_repositories.sql")),
    (4, include_str!("../../schema/0004_projects.sql")),
    (5, include_str!("../../schema/0005_posts.sql")),
    (6, include_str!("../../schema/0006_invitations.sql")),
    (7, include_str!("../../schema/0007_identity.sql")),
    (8, include_str!("../../schema/0008_counts.sql")),
    (9, include_str!("../../schema/0009_repository_settings.sql")),
    (10, include_str!("../../schema/0010_journal.sql")),
    (11, include_str!("../../schema/0011_audit.sql")),
    (12, include_str!("../../schema/0012_hooks.sql")),
    (13, include_str!("../../schema/0013_deliveries.sql")),
    (14, include_str!("../../schema/0014_mail.sql")),
    (15, include_str!("../../schema/0015_settings.sql")),
    (16, include_str!("../../schema/0016_roles.sql")),
    (17, include_str!("../../schema/0017_reviews.sql")),
    (18, include_str!("../../schema/0018_readers_and_editors.sql")),
    (19, include_str!("../../schema/0019_searched_repositories.sql")),
    (20, include_str!("../../schema/0020_roles_of_people.sql")),
    (21, include_str!("../../schema/0021_hourly_mail.sql")),
    (22, include_str!("../../schema/0022_comments_of_people.sql")),
    (23, include_str!("../../schema/0023_order_of_changes.sql")),
    (24, include_str!("../../schema/0024_accounts_of_deleted_records.sql")),
    (25, include_str!("../../schema/0025_times_of_suspensions.sql")),
    (26, include_str!("../../schema/0026_sign_in.sql")),
    (27, include_str!("../../schema/0027_unverified_addresses.sql")),
    (28, include_str!("../../schema/0028_addresses_of_records.sql")),
    (29, include_str!("../../schema/0029_marked_sessions.sql")),
    (30, include_str!("../../schema/0030_provider.sql")),
    (31, include_str!("../../schema/0031_oauth.sql")),
    (32, include_str!("../../schema/0032_devices.sql")),
    (33, include_str!("../../schema/0033_approvals.sql")),
    (34, include_str!("../../schema/0034_deleted_organizations.sql")),
    (35, include_str!("../../schema/0035_ends.sql")),
    (36, include_str!("../../schema/0036_join_requests.sql")),
    (37, include_str!("../../schema/0037_grants.sql")),
    (38, include_str!("../../schema/0038_pinned_discussions.sql")),
    (39, include_str!("../../schema/0039_open_join_requests.sql")),
    (40, include_str!("../../schema/0040_administration.sql")),
    (41, include_str!("../../schema/0041_plans.sql")),
];

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS migrations (
        number BIGINT NOT NULL PRIMARY KEY,
        applied_at BIGINT NOT NULL
    )";

/// The schema version of this program.
#[must_use]
pub fn newest() -> i64 {
    MIGRATIONS.last().map_or(0, |m| m.0)
}

/// The numbers of all migrations, in order.
pub fn numbers() -> impl Iterator<Item = i64> {
    MIGRATIONS.iter().map(|migration| migration.0)
}

/// The statements that make the schema with this number.
pub fn up_to(schema: i64) -> impl Iterator<Item = &'static str> {
    let migrations = MIGRATIONS.iter().filter(move |migration| migration.0 <= schema);
    iter::once(TABLE).chain(migrations.map(|migration| migration.1))
}

/// Migrates the database to this program's schema. Refuses a newer schema, or a database of another program.
pub fn migrate(tx: &mut Tx<'_>, now: i64) -> Result<()> {
    tx.lock(Lock::Schema)?;
    refuse_other_schema(tx)?;
    tx.batch(TABLE)?;
    let at = schema(tx)?;
    for (number, sql) in MIGRATIONS.iter().filter(|m| m.0 > at) {
        tx.batch(sql)?;
        tx.run("INSERT INTO migrations (number, applied_at) VALUES ($1, $2)", &[number, &now])?;
    }
    Ok(())
}

/// Refuses a database that does not have this program's schema. Changes nothing.
pub fn check(tx: &mut Tx<'_>) -> Result<()> {
    refuse_other_schema(tx)?;
    if tx.tables()?.is_empty() {
        return Err(Error::Unavailable(
            "the database is empty; choose another one with --database, or initialize it with `guildhall serve` or \
             `guildhall import`"
                .into(),
        ));
    }
    let (at, newest) = (schema(tx)?, newest());
    if at < newest {
        return Err(Error::Unavailable(format!(
            "the database has schema {at} of an older Guildhall; this program needs {newest}. Take a backup and \
             start `guildhall serve` of this version, which migrates it"
        )));
    }
    Ok(())
}

/// The schema version of the database. Refuses one that this program does not know.
fn schema(tx: &mut Tx<'_>) -> Result<i64> {
    let (at,): (i64,) = tx.one("SELECT coalesce(max(number), 0) FROM migrations", &[])?;
    let newest = newest();
    if at > newest {
        return Err(Error::Unavailable(format!(
            "the database has schema {at} of a newer Guildhall; this program supports up to {newest}. Use the newer \
             program, or restore a backup of this version"
        )));
    }
    Ok(at)
}

/// A database that has tables but no `migrations` belongs to another program.
fn refuse_other_schema(tx: &mut Tx<'_>) -> Result<()> {
    let tables = tx.tables()?;
    if tables.is_empty() || tables.iter().any(|t| t == "migrations") {
        return Ok(());
    }
    Err(Error::Unavailable(format!(
        "the database contains tables of another program ({}); choose an empty database with --database",
        tables.join(", ")
    )))
}
