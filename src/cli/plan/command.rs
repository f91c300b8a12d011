//! `guildhall plan`: its arguments, and the file of a saved plan.

use std::fs::{OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::desired::{Allowed, Desired};
use super::{print, server};
use crate::cli::remote::ServerFlags;
use crate::cli::settings::StoreFlags;
use crate::cli::{Failure, answer_json, complete};
use crate::plan::Summary;
use crate::plan::apply::MAX_REMOVALS;
use crate::plan::saved::Saved;

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
  guildhall plan --org acme people.csv
  guildhall plan --org acme --from-terraform terraform.tfstate
  guildhall plan --url https://guildhall.example.com acme.yaml
  guildhall export acme | guildhall plan -";

/// Show what would have to change so that organizations are as their files say.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files to compare. `-` is standard input.
    #[arg(required_unless_present = "from_terraform", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Terraform state whose resources of GitHub's provider say how the organization is. It needs --org.
    #[arg(long, value_name = "FILE", requires = "org")]
    from_terraform: Vec<PathBuf>,
    /// Login of the organization, for Terraform state, CSV, and a peribolos file without the key `orgs`.
    #[arg(long, value_name = "ORG", add = complete::orgs())]
    org: Option<String>,
    #[command(flatten)]
    allowed: Allowed,
    /// Print the plan as JSON.
    #[arg(long)]
    json: bool,
    /// Save the plan, with the files, in this file, which only its owner can read.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let files = [args.files, args.from_terraform].concat();
    if let Some(out) = args.out.as_deref().filter(|out| files.iter().any(|file| is_same(file, out))) {
        return Err(Failure::Usage(format!("--out would overwrite {}, which is to be planned", out.display())));
    }
    let desired = Desired::read(&files, args.org, args.allowed.into())?;
    let (plans, on_server) = match args.server.server(&args.flags)? {
        Some(server) => server::plans(&server, &desired).await.map(|(plans, made)| (plans, Some(made)))?,
        None => (desired.plans(&args.flags.store().await?).await?, None),
    };
    let summary = Summary::of(plans.iter().flat_map(|plan| &plan.changes));
    if args.json {
        answer_json(&json!({ "organizations": plans, "summary": summary }))?;
    } else {
        print::plans(&plans, summary, MAX_REMOVALS)?;
    }
    if let Some(file) = &args.out {
        let mut saved = Saved::new(desired.flags, desired.org, plans, desired.sources);
        saved.server = on_server;
        save(file, &saved)?;
    }
    if summary == Summary::default() { Ok(()) } else { Err(Failure::Differs) }
}

/// True if both paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

fn save(file: &Path, saved: &Saved) -> Result<(), Failure> {
    let text = serde_json::to_string(saved).map_err(|error| Failure::Failed(error.to_string()))?;
    write_private(file, &text).map_err(|error| {
        Failure::Failed(format!("cannot write {}: {error}; choose another file with --out", file.display()))
    })
}

/// Writes a file that only its owner can read, because it has all people and teams. One that exists becomes such a file.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    if file.metadata()?.is_file() {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    file.write_all(text.as_bytes())
}
