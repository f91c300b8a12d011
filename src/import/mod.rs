//! `guildhall import`: organizations from files into the store (decision 50).
//!
//! All files are read and checked, against each other and against the store, before the first change. Then each
//! organization is one transaction, in which it is checked again.
//!
//! This is a bulk path with SQL of its own, next to the operations of the table. There is no caller, so there is
//! nothing to authorize, and half a million memberships cannot each be looked up, logged and reported. It loads what an
//! organization has, compares, and writes the differences, many rows per statement. For the same reason, an
//! organization that changed gets one journal entry with the counts, instead of one for each row.

mod apply;
pub mod check;
mod cursor;
pub mod desired;
mod document;
mod draft;
pub mod extension;
pub mod fault;
pub(crate) mod logins;
pub(crate) mod matching;
mod owners;
mod path;
mod peribolos;
pub mod progress;
pub mod read;
mod report;
pub mod seed;
pub(crate) mod stored_settings;
mod team_org;
pub mod team_settings;
mod unlisted;
pub mod values;

use std::path::PathBuf;
use std::sync::Arc;

pub use report::{OrgReport, Report};
pub use unlisted::Unlisted;

use crate::clock::{self, Time};
use crate::db::{Db, Tx};
use crate::error::{Error, Result};
use crate::operation::Site;
use desired::Org;
use fault::{Fault, Faults};
use progress::Progress;
use read::Source;

/// Shows the progress; called on the threads that do the work.
type Show = dyn Fn(Progress<'_>) + Send + Sync;

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::sentence(fault.to_string())
    }
}

impl From<Faults> for Error {
    fn from(faults: Faults) -> Self {
        Self::sentence(faults.to_string())
    }
}

/// The organizations of files, as far as they could be read.
#[derive(Debug)]
pub struct Files {
    /// In the order of the files.
    pub orgs: Vec<Org>,
    /// The errors that were found.
    pub faults: Faults,
}

impl Files {
    /// The organizations, if no error was found.
    pub fn complete(self) -> std::result::Result<Vec<Org>, Faults> {
        self.faults.ended().map(|()| self.orgs)
    }
}

/// Reads files and checks them against each other; an error names file, line and key. This needs no store. `org` is the
/// login for files that describe one organization without naming it.
pub fn read_files(files: &[PathBuf], org: Option<&str>, progress: impl Fn(Progress<'_>)) -> Files {
    let (mut orgs, faults) = (Vec::new(), Faults::default());
    for (file, nth) in files.iter().zip(1..) {
        progress(Progress::Reading(file, nth, files.len()));
        orgs.extend(read::read(file, org, &faults));
    }
    check::files(&orgs, &faults);
    Files { orgs, faults }
}

/// The same for texts of files that were read before.
#[must_use]
pub fn read_sources(sources: &[Source], org: Option<&str>) -> Files {
    let faults = Faults::default();
    let orgs: Vec<Org> = sources.iter().flat_map(|source| read::parse(source, org, &faults)).collect();
    check::files(&orgs, &faults);
    Files { orgs, faults }
}

/// The choices of the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices {
    /// The treatment of logins that a team names and its organization does not.
    pub unlisted: Unlisted,
    /// True if the invited people get e-mails (decision 50).
    pub mail: bool,
    /// True if the files may change who owns an organization that exists.
    pub owners: bool,
}

/// The errors of files that do not fit the store.
pub async fn check(db: &Db, now: Time, orgs: &Arc<Vec<Org>>, choices: Choices) -> Result<Faults> {
    let orgs = Arc::clone(orgs);
    db.read(move |tx| {
        let faults = Faults::default();
        orgs.iter().try_for_each(|org| check::store(tx, org, choices, now, &faults).map(drop))?;
        Ok(faults)
    })
    .await
}

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
    check(db, now, &orgs, choices).await?.ended()?;
    let was_empty = !db.read(|tx| tx.any("SELECT id FROM orgs LIMIT 1", &[])).await?;

    let mut report = Report::default();
    let ended = apply_all(db, site, (now, choices), &orgs, &mut report, &progress).await;
    if was_empty && !report.orgs.is_empty() {
        progress(Progress::Compacting);
        put_in_order(db);
    }
    ended.map(|()| report)
}

/// Loads an organization that does not exist yet.
pub fn load(
    tx: &mut Tx,
    (site, now): (&Site, Time),
    request_id: &str,
    org: &Org,
    choices: Choices,
) -> Result<OrgReport> {
    apply::apply(tx, site, now, request_id, org, choices, &|_| {})
}

/// One transaction for each organization; if one fails, those before it stay committed.
async fn apply_all(
    db: &Db,
    site: &Arc<Site>,
    (now, choices): (Time, Choices),
    orgs: &Arc<Vec<Org>>,
    report: &mut Report,
    progress: &Arc<Show>,
) -> Result<()> {
    let request_id: Arc<str> = format!("import-{:016x}", u64::from_le_bytes(clock::random()?)).into();
    for (done, org) in orgs.iter().enumerate() {
        let (orgs, site, request_id) = (Arc::clone(orgs), Arc::clone(site), Arc::clone(&request_id));
        let progress = Arc::clone(progress);
        let applied = db.write(move |tx| {
            let (login, of) = (orgs[done].login.as_str(), orgs.len());
            let part = |part| progress(Progress::Importing { login, part, done, of });
            apply::apply(tx, &site, now, &request_id, &orgs[done], choices, &part)
        });
        let applied = applied.await;
        report.orgs.push(applied.map_err(|error| stopped(&error, &org.login, done))?);
    }
    Ok(())
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
