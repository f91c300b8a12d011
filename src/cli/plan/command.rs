//! `guildhall plan`: its arguments, and the file of a saved plan.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::print;
use crate::cli::settings::StoreFlags;
use crate::cli::{Failure, answer_json};
use crate::clock::Clock;
use crate::db::Db;
use crate::import::desired::Org;
use crate::import::fault::Faults;
use crate::import::read::{self, Source};
use crate::import::{self, Files};
use crate::plan::saved::Saved;
use crate::plan::{self, Flags, Plan, Summary};

const EXAMPLES: &str = "\
Compares the files with the database and changes nothing. The files are those of `guildhall import`. Lines begin with \
+ (new), ~ (different) or - (gone). What the database has and the file does not is listed apart, and stays, unless \
--prune is given: then it goes, as far as the file has the list in which it would be. A list that is absent is left \
alone; an empty one means none.

Exit codes:
  0  nothing to do
  1  failure, or a wrong command line; the reason is on standard error
  2  there are changes

Examples:
  guildhall plan acme.yaml
  guildhall plan --prune --owners acme.yaml
  guildhall plan --json orgs/*.yaml
  guildhall export acme | guildhall plan -";

/// Show what would have to change so that organizations are as their files say.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files to compare. `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Login of the organization, for a peribolos file of one organization without the key `orgs`.
    #[arg(long, value_name = "ORG")]
    org: Option<String>,
    #[command(flatten)]
    allowed: Allowed,
    /// Print the plan as JSON.
    #[arg(long)]
    json: bool,
    /// Save the plan, with the files, in this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    flags: StoreFlags,
}

/// The flags that allow changes.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
struct Allowed {
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

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let (sources, orgs) = read(&args.files, args.org.as_deref())?;
    let store = args.flags.store().await?;
    let now = store.clock_check().await?.now(&Clock::System);
    let flags = Flags::from(args.allowed);
    let orgs = Arc::new(orgs);
    let mut plans = Vec::with_capacity(orgs.len());
    for nth in 0..orgs.len() {
        plans.push(planned(&store.db, &orgs, nth, flags, now).await?);
    }
    let summary = Summary::of(plans.iter().flat_map(|plan| &plan.changes));
    if args.json {
        answer_json(&json!({ "organizations": plans, "summary": summary }))?;
    } else {
        print::plans(&plans, summary)?;
    }
    if let Some(file) = &args.out {
        save(file, &Saved::new(flags, args.org, plans, sources))?;
    }
    if summary == Summary::default() { Ok(()) } else { Err(Failure::Differs) }
}

async fn planned(
    db: &Db,
    orgs: &Arc<Vec<Org>>,
    nth: usize,
    flags: Flags,
    now: crate::clock::Time,
) -> Result<Plan, Failure> {
    let orgs = Arc::clone(orgs);
    let planned = db.read(move |tx| plan::of(tx, &orgs[nth], flags, now)).await;
    planned.map_err(|error| match error {
        // Each error of a file has its line.
        crate::error::Error::Unprocessable { .. } => Failure::Failed(error.to_string()),
        error => error.into(),
    })
}

/// Reads the files and checks them against each other.
fn read(files: &[PathBuf], org: Option<&str>) -> Result<(Vec<Source>, Vec<Org>), Failure> {
    let unread = Faults::default();
    let sources: Vec<Source> = files.iter().filter_map(|file| read::source(file, &unread)).collect();
    let Files { orgs, faults } = import::read_sources(&sources, org);
    unread.extend(faults);
    if unread.is_empty() { Ok((sources, orgs)) } else { Err(Failure::Failed(unread.to_string())) }
}

fn save(file: &Path, saved: &Saved) -> Result<(), Failure> {
    let text = serde_json::to_string(saved).map_err(|error| Failure::Failed(error.to_string()))?;
    fs::write(file, text).map_err(|error| {
        Failure::Failed(format!("cannot write {}: {error}; choose another file with --out", file.display()))
    })
}
