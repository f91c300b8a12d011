//! The command itself: its arguments, and where the file goes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{export, yaml};
use crate::cli::backup::{beside, sync_folder_of};
use crate::cli::settings::StoreFlags;
use crate::cli::store::{Missing, Store};
use crate::cli::{Failure, say};
use crate::clock::Clock;

const EXAMPLES: &str = "\
The file is peribolos YAML. `guildhall import` makes the same organization of it in another database, and changes
nothing in this one. What peribolos has no word for stands under keys named `guildhall`. What is left out, such as
the link of a team to an identity provider, is named on standard error.

It has the profile and settings, people, repositories, teams, projects, what each may do with which, former names
and open invitations. It has no discussions, tokens, audit or mail addresses of accounts: for these take a backup.

The order is always the same, so that two exports can be compared. It shows one moment, beside a running server.

Examples:
  guildhall export acme > acme.yaml
  guildhall export acme --output orgs/acme.yaml
  guildhall export acme --data-dir /var/lib/guildhall | guildhall import --data-dir ./copy /dev/stdin";

/// Write an organization to a file from which it can be imported.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The login of the organization.
    #[arg(value_name = "ORG")]
    org: String,
    /// The file to write, in place of what it holds; standard output unless given.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let store = Store::open(&args.flags.settings()?, Missing::Refuse).await?;
    let now = Clock::System.now();
    let org = args.org;
    let exported = store.db.read(move |tx| export(tx, &org, now)).await?;
    let text = yaml::text(&exported.org);
    match &args.output {
        Some(file) => replace(file, &text)?,
        None => std::io::stdout().write_all(text.as_bytes())?,
    }
    for line in &exported.left_out {
        say(&format!("left out: {line}"));
    }
    Ok(())
}

/// A file that was there is replaced as a whole or not at all.
fn replace(file: &Path, text: &str) -> Result<(), Failure> {
    let partial = beside(file, ".partial");
    let written = fs::write(&partial, text).and_then(|()| fs::rename(&partial, file));
    written.and_then(|()| sync_folder_of(file)).map_err(|error| {
        drop(fs::remove_file(&partial));
        Failure::Failed(format!("{} cannot be written: {error}; name another file with --output", file.display()))
    })
}
