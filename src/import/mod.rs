//! Files of organizations: reading them, checking them against each other and against the store, and the first load of
//! an organization that does not exist yet (decision 50). Everything else that a file changes is a plan.
//!
//! The first load is a bulk path with SQL of its own, next to the operations of the table. There is no caller, so there
//! is nothing to authorize, and half a million memberships cannot each be looked up, logged and reported. It writes many
//! rows per statement, and leaves one journal entry with the counts instead of one for each row.

pub mod check;
mod csv;
mod csv_rows;
pub(crate) mod cursor;
pub mod desired;
mod document;
mod draft;
pub mod extension;
pub mod fault;
mod load;
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
mod terraform;
mod unlisted;
pub mod values;

use std::path::PathBuf;
use std::sync::Arc;

pub use report::{Kind as Created, OrgReport, Report};
pub use unlisted::Unlisted;

use crate::clock::Time;
use crate::db::{Db, Tx};
use crate::error::{Error, Result};
use crate::operation::Site;
use desired::Org;
use fault::{Fault, Faults};
use progress::Progress;
use read::Source;

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

/// Loads an organization that does not exist yet. `part` is told which part begins.
pub fn load(
    tx: &mut Tx,
    at: (&Site, Time),
    request_id: &str,
    org: &Org,
    choices: Choices,
    part: &dyn Fn(&'static str),
) -> Result<OrgReport> {
    load::load(tx, at, request_id, org, choices, part)
}
