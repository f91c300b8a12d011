//! `guildhall backup`: copies the embedded database while a server may be running.

use std::path::PathBuf;

use super::settings::StoreFlags;
use super::{Failure, say};
use crate::config::Database;
use crate::db::backup;
use crate::store::files::{absent_file, sibling, sync_folder_of};
use crate::store::no_database;

const EXAMPLES: &str = "\
The backup shows a single moment, and the server keeps running. Also keep a copy of guildhall.key from the data \
directory, in another place. On PostgreSQL, use pg_dump.

Examples:
  guildhall backup /backups/guildhall-monday
  guildhall backup --data-dir /var/lib/guildhall /backups/guildhall-monday";

/// Back up the embedded database while the server is running.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// File to write. It must not exist.
    file: PathBuf,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let Database::Sqlite(path) = args.flags.settings()?.database else {
        return Err(Failure::Failed("the database is on PostgreSQL; use pg_dump".into()));
    };
    if absent_file(&path) {
        return Err(no_database(&path).into());
    }
    if args.file.exists() {
        return Err(Failure::Failed(format!("{} already exists; choose another file", args.file.display())));
    }
    // An interrupted copy never has the name of a complete one.
    let partial = sibling(&args.file, ".partial");
    let copied = backup::copy(&path, &partial).map_err(Failure::from).and_then(|()| {
        std::fs::rename(&partial, &args.file)
            .map_err(|error| Failure::Failed(format!("cannot rename the backup to {}: {error}", args.file.display())))
    });
    if copied.is_err() {
        drop(std::fs::remove_file(&partial));
    }
    copied?;
    sync_folder_of(&args.file)?;
    say(&format!("backed up {} to {}", path.display(), args.file.display()));
    Ok(())
}
