//! The command itself: its arguments, the files that only their user may read, and what it prints.

use std::os::unix::fs::PermissionsExt;

use super::Finding;
use crate::cli::data_dir::SECRETS;
use crate::cli::settings::StoreFlags;
use crate::cli::store::{Missing, Store};
use crate::cli::{Failure, answer};
use crate::config::Settings;

const EXAMPLES: &str = "\
Works beside a running server, and changes nothing without --mend. For each finding it says how to mend it.

Exit codes:
  0  all is well
  1  something was found, or doctor could not look
  2  the command line or a setting is wrong

Examples:
  guildhall doctor
  guildhall doctor --data-dir /var/lib/guildhall --mend";

/// Check every rule that the data must obey, and say how to mend what is broken.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// First make anew what is counted or derived from other rows.
    #[arg(long)]
    mend: bool,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub async fn run(args: Args) -> Result<(), Failure> {
    let settings = args.flags.settings()?;
    let store = Store::open(&settings, Missing::Refuse).await?;
    if args.mend {
        for line in super::mend(&store.db).await? {
            answer(&format!("mended: {line}"))?;
        }
    }
    let mut findings = open_files(&settings);
    findings.extend(super::run(&store.db, &store.key.audit()?).await?);
    for finding in &findings {
        answer(&finding.to_string())?;
    }
    if findings.is_empty() {
        return answer("All is well.");
    }
    Err(Failure::Said)
}

/// Files with secrets that others could read.
fn open_files(settings: &Settings) -> Vec<Finding> {
    let is_open = |name: &&&str| {
        let metadata = std::fs::metadata(settings.data_dir.join(name));
        metadata.is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
    };
    let finding = |name| Finding::new(format!("others can read {name} in the data directory"), "run `chmod 600` on it");
    SECRETS.iter().filter(is_open).map(finding).collect()
}
