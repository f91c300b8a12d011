//! The command itself: its arguments, its progress bar, and its report.

use std::path::PathBuf;
use std::sync::Arc;

use super::desired::Org;
use super::progress::{Meter, Progress};
use super::{Choices, Report, Unlisted};
use crate::cli::settings::StoreFlags;
use crate::cli::store::{Missing, Store};
use crate::cli::{Failure, answer, answer_json};

const EXAMPLES: &str = "\
The files are peribolos YAML (top-level key `orgs`) or team-org/1 JSON (top-level key `format`); the format is \
detected. All files are checked before anything changes. Each organization is one transaction. Import adds and \
updates; it removes nothing, except grants whose level is `none`. Running it again changes nothing. It works \
while the server is running.

Examples:
  guildhall import org.yaml
  guildhall import --data-dir /var/lib/guildhall orgs/*.yaml";

/// Import organizations with their people, repositories, teams and permissions from files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files to import.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Invite people who are listed on a team, but not in the organization. Without this flag, such a file is refused.
    #[arg(long)]
    invite: bool,
    /// Send mail to the people who are invited by the import. Without this flag, none is sent.
    #[arg(long)]
    mail: bool,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let settings = args.flags.settings()?;
    let meter = Arc::new(Meter::begin());
    // Before opening the store, so that bad files do not create one.
    let orgs = super::read_files(&args.files, |progress| meter.show(progress))?;
    let store = Store::open(&settings, Missing::Make).await?;
    let unlisted = if args.invite { Unlisted::Invite } else { Unlisted::Refuse };
    let report = load(&store, orgs, Choices { unlisted, mail: args.mail }, meter).await?;
    // When the command succeeds, a running server shows the result.
    tokio::time::sleep(store.db.seen_after()).await;
    if args.json { answer_json(&report) } else { answer(&report.to_string()) }
}

/// Imports files, and shows the progress on a terminal.
pub async fn load(store: &Store, orgs: Vec<Org>, choices: Choices, meter: Arc<Meter>) -> Result<Report, Failure> {
    let shown = Arc::clone(&meter);
    let show = move |progress: Progress<'_>| shown.show(progress);
    let report = super::run(&store.db, &store.site, store.now().await?, orgs, choices, show).await;
    // Here, and not when the last thread drops it, because the report follows.
    meter.clear();
    Ok(report?)
}
