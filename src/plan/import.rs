//! `guildhall import`: an apply that makes accounts and removes nothing (decisions 50 and 74).
//!
//! All files are read and checked, against each other and against the store, before the first change. Then each
//! organization is one transaction, in which it is checked and planned again. Only an organization that does not exist
//! yet is loaded in bulk.

use std::sync::Arc;

use super::apply;
use super::{Flags, report};
use crate::clock::{self, Time};
use crate::db::{Db, Tx};
use crate::error::{Error, Result};
use crate::import::desired::Org;
use crate::import::progress::{Progress, Show};
use crate::import::{self, Choices, OrgReport, Report};
use crate::operation::Site;

/// The check of the file has refused what needs a choice of the operator.
const FLAGS: Flags = Flags { prune: false, owners: true, invite: true, create_accounts: true };

/// Imports files. An error names file, line and key; nothing has changed then.
pub async fn run(
    db: &Db,
    site: &Arc<Site>,
    now: Time,
    orgs: Vec<Org>,
    choices: Choices,
    progress: impl Fn(Progress<'_>) + Send + Sync + 'static,
) -> Result<Report> {
    let progress: Arc<Show> = Arc::new(progress);
    progress(Progress::Checking);
    let orgs = Arc::new(orgs);
    import::check(db, now, &orgs, choices).await?.ended()?;
    let was_empty = !db.read(|tx| tx.any("SELECT id FROM orgs LIMIT 1", &[])).await?;

    let mut report = Report::default();
    let ended = all(db, site, (now, choices), &orgs, &mut report, &progress).await;
    if was_empty && !report.orgs.is_empty() {
        progress(Progress::Compacting);
        put_in_order(db);
    }
    ended.map(|()| report)
}

/// One transaction for each organization; if one fails, those before it stay committed.
async fn all(
    db: &Db,
    site: &Arc<Site>,
    (now, choices): (Time, Choices),
    orgs: &Arc<Vec<Org>>,
    report: &mut Report,
    progress: &Arc<Show>,
) -> Result<()> {
    let run = u64::from_le_bytes(clock::random()?);
    for (done, org) in orgs.iter().enumerate() {
        let (orgs, site) = (Arc::clone(orgs), Arc::clone(site));
        let progress = Arc::clone(progress);
        let imported = db.write(move |tx| {
            let (file, of) = (&orgs[done], orgs.len());
            let part = |part| progress(Progress::Importing { login: &file.login, part, done, of });
            one(tx, (&site, now), run, file, choices, &part)
        });
        let imported = imported.await;
        report.orgs.push(imported.map_err(|error| stopped(&error, &org.login, done))?);
    }
    Ok(())
}

fn one(
    tx: &mut Tx,
    at: (&Site, Time),
    run: u64,
    file: &Org,
    choices: Choices,
    part: &dyn Fn(&'static str),
) -> Result<OrgReport> {
    let request_id = apply::request_id(format!("import-{run:016x}"), &file.file);
    let Some(org) = apply::lock(tx, file)? else {
        return import::load(tx, at, &request_id, file, choices, part);
    };
    part("changes");
    let plan = super::checked(tx, file, choices, FLAGS, at.1)?;
    apply::carry_out(tx, at, &request_id, (org, &plan), choices.mail)?;
    Ok(report::of(&plan, choices.mail))
}

/// After the first import, the rows in the database file are not in the order in which they will be read and written,
/// so the file is rewritten. Later imports leave it as it is, because a running server would have to wait.
fn put_in_order(db: &Db) {
    if let Err(error) = db.compact() {
        tracing::warn!(%error, "the import succeeded, but the database file could not be compacted");
    }
}

fn stopped(error: &Error, login: &str, done: usize) -> Error {
    let before = match done {
        0 => "Nothing was changed".to_owned(),
        1 => "One organization was imported before it".to_owned(),
        n => format!("{n} organizations were imported before it"),
    };
    Error::sentence(format!("cannot import {login}: {error}. {before}. Run the same command again to continue"))
}
