//! `guildhall export`: its arguments, and the output file.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::meter::{DATABASE, waiting};
use super::remote::{Remote, Request, ServerFlags};
use super::settings::StoreFlags;
use super::{Failure, complete, say};
use crate::clock::Clock;
use crate::export::{export, yaml};
use crate::store::files::{sibling, sync_folder_of};

const EXAMPLES: &str = "\
The file is peribolos YAML. `guildhall import` creates the same organization from it in another database. Settings \
that peribolos does not know are under keys named `guildhall`. What cannot be exported, such as the link of a team \
to an identity provider, is listed on standard error.

The file contains the profile and settings, people, repositories, teams, projects, permissions, former names and \
open invitations. It does not contain discussions, tokens, the audit log or e-mail addresses. To keep these, take a \
backup.

The order is always the same, so exports can be compared. An export works while the server is running, and shows a \
single moment.

Examples:
  guildhall export acme > acme.yaml
  guildhall export acme --output orgs/acme.yaml
  guildhall export acme --url https://guildhall.example.com > acme.yaml
  guildhall export acme --data-dir /srv/guildhall | guildhall import --data-dir ./copy -";

/// Export an organization to a file that can be imported.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Login of the organization.
    #[arg(value_name = "ORG", add = complete::orgs())]
    org: String,
    /// File to write; an existing file is replaced. Default: standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let (text, left_out) = match args.server.server(&args.flags)? {
        Some(server) => (from_server(&server, &args.org).await?, Vec::new()),
        None => from_database(&args.flags, args.org).await?,
    };
    match &args.output {
        Some(file) => replace(file, &text)?,
        None => std::io::stdout().write_all(text.as_bytes())?,
    }
    for line in left_out {
        say(&format!("left out: {line}"));
    }
    Ok(())
}

async fn from_database(flags: &StoreFlags, org: String) -> Result<(String, Vec<String>), Failure> {
    let store = flags.store().await?;
    let now = store.clock_check().await?.now(&Clock::System);
    let exported = waiting(DATABASE, store.db.read(move |tx| export(tx, &org, now))).await?;
    Ok((yaml::text(&exported.org), exported.left_out))
}

async fn from_server(server: &Remote, org: &str) -> Result<String, Failure> {
    let request = Request { method: "GET", path: Remote::of_org(org, "/export", &[]), body: None };
    let answer = server.send(request).await.map_err(|unanswered| Failure::Failed(unanswered.why))?;
    if answer.status == 200 { Ok(answer.text) } else { Err(answer.failure(org, server.base())) }
}

/// Replaces an existing file completely or not at all.
fn replace(file: &Path, text: &str) -> Result<(), Failure> {
    let partial = sibling(file, ".partial");
    let written = fs::write(&partial, text).and_then(|()| fs::rename(&partial, file));
    written.and_then(|()| sync_folder_of(file)).map_err(|error| {
        drop(fs::remove_file(&partial));
        Failure::Failed(format!("cannot write {}: {error}; choose another file with --output", file.display()))
    })
}
