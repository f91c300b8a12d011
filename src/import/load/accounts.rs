//! Accounts for people who have none in the store yet (decision 22). They share one entry in the log of the site
//! (decision 50).

use serde_json::json;

use super::super::logins::{self, Account};
use super::super::report::Kind;
use super::Job;
use crate::db::{Bind, Bulk};
use crate::error::Result;
use crate::journal::{Change, SITE};
use crate::people::login;

/// Creates the accounts that are missing.
pub(super) fn create(job: &mut Job<'_, '_>) -> Result<()> {
    let missing = logins::named(job.file).into_iter().filter(|named| !job.accounts.contains_key(&named.key));
    let missing: Vec<_> = missing.map(|named| named.login).collect();
    let now = job.cx.now()?.0;
    let rows: Vec<[&dyn Bind; 3]> = missing.iter().map(|login| [login as &dyn Bind, &now, &now]).collect();
    let created: Vec<(i64, String)> = CREATE.all(job.cx.tx, &rows)?;

    let keys: Vec<String> = created.iter().map(|(_, login)| login::key(login)).collect();
    let claims: Vec<[&dyn Bind; 3]> =
        created.iter().zip(&keys).map(|((id, _), key)| [key as &dyn Bind, id, &true]).collect();
    CLAIM.run(job.cx.tx, &claims)?;

    job.report.created(Kind::Account, created.len());
    record_all(job, created.len())?;
    let accounts = keys.into_iter().zip(created);
    job.accounts.extend(accounts.map(|(key, (id, login))| (key, Account { id, login, suspended: false })));
    Ok(())
}

fn record_all(job: &mut Job<'_, '_>, made: usize) -> Result<()> {
    if made == 0 {
        return Ok(());
    }
    let after = json!({ "org": job.file.login, "file": job.file.file, "created": { "accounts": made } });
    job.cx.record(SITE, Change::new("org.import", &json!(null), &after))
}

static CREATE: Bulk<3> =
    Bulk::new("INSERT INTO users (login, created_at, updated_at) VALUES {rows} RETURNING id, login");

static CLAIM: Bulk<3> = Bulk::new("INSERT INTO logins (login_key, user_id, current) VALUES {rows}");
