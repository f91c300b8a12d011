//! `guildhall import`: its arguments, its progress bar, and its report.

use std::path::PathBuf;
use std::sync::Arc;

use super::meter::Meter;
use super::settings::StoreFlags;
use super::{Failure, answer, answer_json, complete};
use crate::config::Settings;
use crate::error::Error;
use crate::import::desired::Org;
use crate::import::fault::Faults;
use crate::import::progress::Progress;
use crate::import::{self, Choices, Files, Report, Unlisted};
use crate::plan;
use crate::store::{Missing, Store};

const EXAMPLES: &str = "\
The files are peribolos YAML (top-level key `orgs`) or team-org/1 JSON (top-level key `format`), and with --org Terraform \
state and CSV of people and teams; the format is detected. All files are checked before anything changes, and all errors \
are listed, up to 20. Each organization is one transaction; the audit log has an entry for each change of one that exists. \
Import adds and updates; it removes nothing, except grants whose level is `none`. Running it again changes nothing. It \
works while the server is running.

Examples:
  guildhall import org.yaml
  guildhall import --data-dir /var/lib/guildhall orgs/*.yaml
  guildhall import --org acme config/acme/org.yaml
  generate-org | guildhall import -";

/// Import organizations with their people, repositories, teams and permissions from files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Args {
    /// Files to import. `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Login of the organization, for Terraform state, CSV, and a peribolos file without the key `orgs`.
    #[arg(long, value_name = "ORG", add = complete::orgs())]
    org: Option<String>,
    /// Invite people who are listed on a team, but not in the organization. Without this flag, such a file is refused.
    #[arg(long)]
    invite: bool,
    /// Send mail to the people who are invited by the import. Without this flag, none is sent.
    #[arg(long)]
    mail: bool,
    /// Change who owns organizations that exist, as the files say. Without this flag, such a file is refused.
    #[arg(long)]
    owners: bool,
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
    let files = import::read_files(&args.files, args.org.as_deref(), |progress| meter.show(progress));
    let unlisted = if args.invite { Unlisted::Invite } else { Unlisted::Refuse };
    let choices = Choices { unlisted, mail: args.mail, owners: args.owners };
    if !files.faults.is_empty() {
        return Err(Failure::Failed(all_faults(files, &settings, choices).await.to_string()));
    }
    let store = Store::open(&settings, Missing::Make).await?;
    let report = load(&store, files.orgs, choices, meter).await?;
    // When the command succeeds, a running server shows the result.
    tokio::time::sleep(store.db.seen_after()).await;
    if args.json { answer_json(&report) } else { answer(&report.to_string()) }
}

/// The errors of files, and those that comparing them with the store finds. A store that cannot be read finds none.
async fn all_faults(files: Files, settings: &Settings, choices: Choices) -> Faults {
    let Files { orgs, faults } = files;
    let orgs = Arc::new(orgs);
    let compared = async {
        let Some(store) = Store::find(settings).await? else {
            orgs.iter().for_each(|org| import::check::new_store(org, choices, &faults));
            return Ok(Faults::default());
        };
        import::check(&store.db, store.now().await?, &orgs, choices).await
    };
    let compared: Result<Faults, Error> = compared.await;
    faults.extend(compared.unwrap_or_default());
    faults
}

/// Imports files, and shows the progress on a terminal.
pub async fn load(store: &Store, orgs: Vec<Org>, choices: Choices, meter: Arc<Meter>) -> Result<Report, Failure> {
    let shown = Arc::clone(&meter);
    let show = move |progress: Progress<'_>| shown.show(progress);
    let report = plan::import::run(&store.db, &store.site, store.now().await?, orgs, choices, show).await;
    // Here, and not when the last thread drops it, because the report follows.
    meter.clear();
    report.map_err(|error| match error {
        // Each error of a file has its line.
        Error::Unprocessable { .. } => Failure::Failed(error.to_string()),
        error => error.into(),
    })
}
