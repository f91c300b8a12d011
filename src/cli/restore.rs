//! `guildhall restore`: replaces the embedded database with a backup, and keeps the previous one.

use std::path::{Path, PathBuf};

use super::settings::StoreFlags;
use super::{Failure, say};
use crate::clock::Clock;
use crate::config::Database;
use crate::db::backup;
use crate::store::data_dir::DataDir;
use crate::store::files::sibling;

const EXAMPLES: &str = "\
Stop the server first. The backup is checked before anything changes, and the previous database is kept under \
another name. Run `guildhall doctor` afterwards. On PostgreSQL, use pg_restore.

Examples:
  guildhall restore /backups/guildhall-monday
  guildhall restore --data-dir /var/lib/guildhall /backups/guildhall-monday";

/// Restore the embedded database from a backup.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Backup to restore, written by `guildhall backup`.
    file: PathBuf,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let settings = args.flags.settings()?;
    let Database::Sqlite(path) = &settings.database else {
        return Err(Failure::Failed("the database is on PostgreSQL; use pg_restore".into()));
    };
    backup::check(&args.file)?;
    let _lock = DataDir::open(&settings.data_dir)?.lock(&settings.database)?;
    let new = sibling(path, ".restoring");
    drop(std::fs::remove_file(&new));
    super::backup::copy(&args.file, path, (&new, "copy"), || set_aside(path))?;
    say(&format!("restored {} to {}; check it with `guildhall doctor`", args.file.display(), path.display()));
    Ok(())
}

/// Keeps a database under another name.
fn set_aside(path: &Path) -> Result<(), Failure> {
    let time = Clock::System.now().to_string().replace(':', "");
    let aside = sibling(path, &format!(".before-{time}"));
    backup::set_aside(path, &aside)?;
    if aside.exists() {
        say(&format!("kept the previous database as {}", aside.display()));
    }
    Ok(())
}
