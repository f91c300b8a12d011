//! The desired state of a command: files, and the flags that allow changes.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::Failure;
use crate::cli::meter::{DATABASE, waiting};
use crate::clock::Clock;
use crate::error::Error;
use crate::import::desired::Org;
use crate::import::fault::Faults;
use crate::import::read::{self, Source};
use crate::import::{self, Files};
use crate::plan::{self, Flags, Plan};
use crate::store::Store;

/// The flags that allow changes.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Allowed {
    /// Remove what the database has and a list of the file does not.
    #[arg(long)]
    prune: bool,
    /// Change who owns organizations that exist.
    #[arg(long)]
    owners: bool,
    /// Invite people who are on a team, but not in the organization.
    #[arg(long)]
    invite: bool,
    /// Make accounts for logins that no account has.
    #[arg(long)]
    create_accounts: bool,
}

impl From<Allowed> for Flags {
    fn from(allowed: Allowed) -> Self {
        let Allowed { prune, owners, invite, create_accounts } = allowed;
        Self { prune, owners, invite, create_accounts }
    }
}

/// The organizations of files.
pub struct Desired {
    /// The files.
    pub sources: Vec<Source>,
    /// The login for files that describe one organization without naming it.
    pub org: Option<String>,
    /// The organizations, in the order of the files.
    pub orgs: Arc<Vec<Org>>,
    /// The flags that allow changes.
    pub flags: Flags,
}

impl Desired {
    /// Reads files and checks them against each other.
    pub fn read(files: &[PathBuf], org: Option<String>, flags: Flags) -> Result<Self, Failure> {
        let unread = Faults::default();
        let sources: Vec<Source> = files.iter().filter_map(|file| read::source(file, &unread)).collect();
        Self::checked(sources, org, flags, unread)
    }

    /// The same for texts of files that were read before.
    pub fn of(sources: Vec<Source>, org: Option<String>, flags: Flags) -> Result<Self, Failure> {
        Self::checked(sources, org, flags, Faults::default())
    }

    fn checked(sources: Vec<Source>, org: Option<String>, flags: Flags, unread: Faults) -> Result<Self, Failure> {
        let Files { orgs, faults } = import::read_sources(&sources, org.as_deref());
        unread.extend(faults);
        let (orgs, sources) = (Arc::new(orgs), sources.into_iter().map(Source::without_secrets).collect());
        if unread.is_empty() {
            Ok(Self { sources, org, orgs, flags })
        } else {
            Err(Failure::Failed(unread.to_string()))
        }
    }

    /// The plans of all organizations.
    pub async fn plans(&self, store: &Store) -> Result<Vec<Plan>, Failure> {
        let (now, flags) = (store.clock_check().await?.now(&Clock::System), self.flags);
        let mut plans = Vec::with_capacity(self.orgs.len());
        for nth in 0..self.orgs.len() {
            let orgs = Arc::clone(&self.orgs);
            let planned = waiting(DATABASE, store.db.read(move |tx| plan::of(tx, &orgs[nth], flags, now))).await;
            plans.push(planned.map_err(|error| match error {
                // Each error of a file has its line.
                Error::Unprocessable { .. } => Failure::Failed(error.to_string()),
                error => error.into(),
            })?);
        }
        Ok(plans)
    }
}
