//! `guildhall import`: organizations from files into the store (decision 50).
//!
//! All files are read and checked, against each other and against the store, before the first change. Then each
//! organization is one transaction, in which it is checked again.
//!
//! This is a bulk path with SQL of its own beside the operations of the table: nobody calls, so there is no standing
//! to judge, and half a million memberships cannot each be looked up, logged and told. It loads what an organization
//! has, compares, and writes what differs in many rows a statement. For the same reason an organization that changed
//! gets one raise of its version, one event and one audit entry with the counts, instead of one for each row.

mod apply;
mod check;
pub mod command;
mod cursor;
pub mod desired;
mod document;
mod draft;
pub(super) mod extension;
pub mod fault;
mod logins;
mod matching;
mod peribolos;
pub mod read;
mod report;
mod team_org;
pub(super) mod values;

use std::path::PathBuf;
use std::sync::Arc;

pub use report::{Kind, OrgReport, Report};

use crate::clock::{self, Time};
use crate::db::Db;
use crate::error::{Error, Result};
use crate::operation::Site;
use desired::Org;
use fault::Fault;

/// How far an import is: shown on a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Organizations that are done.
    pub done: usize,
    /// Organizations in all.
    pub of: usize,
    /// The login of the one that is next.
    pub login: &'a str,
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::sentence(fault.to_string())
    }
}

/// Reads files and checks them against each other; a refusal names file, line and key. It needs no store.
pub fn read_files(files: &[PathBuf]) -> Result<Vec<Org>> {
    let mut orgs = Vec::new();
    for file in files {
        orgs.extend(read::read(file)?);
    }
    check::files(&orgs)?;
    Ok(orgs)
}

/// Imports what files say; a refusal names file, line and key, and has changed nothing.
pub async fn run(
    db: &Db,
    site: &Arc<Site>,
    now: Time,
    orgs: Vec<Org>,
    progress: impl FnMut(Progress<'_>),
) -> Result<Report> {
    let orgs = Arc::new(orgs);
    let checked = Arc::clone(&orgs);
    db.read(move |tx| checked.iter().try_for_each(|org| check::store(tx, org).map(|_| ()))).await?;
    let was_empty = !db.read(|tx| tx.any("SELECT id FROM orgs LIMIT 1", &[])).await?;

    let mut report = Report::default();
    let ended = apply_all(db, site, now, &orgs, &mut report, progress).await;
    if was_empty && !report.orgs.is_empty() {
        put_in_order(db);
    }
    ended.map(|()| report)
}

/// One transaction for each organization; those before one that fails stay.
async fn apply_all(
    db: &Db,
    site: &Arc<Site>,
    now: Time,
    orgs: &Arc<Vec<Org>>,
    report: &mut Report,
    mut progress: impl FnMut(Progress<'_>),
) -> Result<()> {
    let request_id: Arc<str> = format!("import-{:016x}", u64::from_le_bytes(clock::random()?)).into();
    for (done, org) in orgs.iter().enumerate() {
        progress(Progress { done, of: orgs.len(), login: &org.login });
        let (orgs, site, request_id) = (Arc::clone(orgs), Arc::clone(site), Arc::clone(&request_id));
        let applied = db.write(move |tx| apply::apply(tx, &site, now, &request_id, &orgs[done])).await;
        report.orgs.push(applied.map_err(|error| stopped(&error, &org.login, done))?);
    }
    Ok(())
}

/// After the first load nothing in the file stands in the order in which it will be read and written. Later loads leave
/// it as it is: a server that is at work would have to wait.
fn put_in_order(db: &Db) {
    if let Err(error) = db.compact() {
        tracing::warn!(%error, "what was imported stays, but the database file could not be put in order");
    }
}

fn stopped(error: &Error, login: &str, done: usize) -> Error {
    let before = match done {
        0 => "Nothing was changed".to_owned(),
        1 => "One organization before it was imported".to_owned(),
        n => format!("{n} organizations before it were imported"),
    };
    Error::sentence(format!("{login} could not be imported: {error}. {before}; run the same command again to go on"))
}
