//! The command itself: its arguments, the bar that shows how far it is, and its report.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use super::desired::Org;
use super::{Progress, Report};
use crate::cli::settings::StoreFlags;
use crate::cli::store::{Missing, Store};
use crate::cli::{Failure, answer};
use crate::clock::Clock;

const EXAMPLES: &str = "\
The files are peribolos YAML (top key `orgs`) or team-org/1 JSON (top key `format`); the format is recognized.
All are read and checked before anything changes, and a bad one is named with line and key. Each organization
is one transaction. An import adds and updates, and removes nothing but grants whose level is `none`. Running
it again changes nothing. It works beside a running server.

Examples:
  guildhall import org.yaml
  guildhall import --data-dir /var/lib/guildhall orgs/*.yaml";

/// Load organizations with their people, repositories, teams and grants from files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let settings = args.flags.settings()?;
    // Before the store: bad files do not make one.
    let orgs = super::read_files(&args.files)?;
    let store = Store::open(&settings, Missing::Make).await?;
    let report = load(&store, orgs).await?;
    answer(&report.to_string())
}

/// Imports what files say, with a bar on a terminal.
pub async fn load(store: &Store, orgs: Vec<Org>) -> Result<Report, Failure> {
    // Drawn on standard error, and only if that is a terminal.
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    let show = |progress: Progress<'_>| {
        bar.set_length(progress.of as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(progress.login.to_owned());
    };
    let report = super::run(&store.db, &store.site, Clock::System.now(), orgs, show).await;
    bar.finish_and_clear();
    Ok(report?)
}
