//! `guildhall backup`: copies the embedded database while a server may be running.

use std::path::{Path, PathBuf};

use super::meter::Meter;
use super::settings::StoreFlags;
use super::{Failure, say};
use crate::clock::Clock;
use crate::config::Database;
use crate::db::backup;
use crate::store::data_dir::DataDir;
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
    let settings = args.flags.settings()?;
    let Database::Sqlite(path) = settings.database else {
        return Err(Failure::Failed("the database is on PostgreSQL; use pg_dump".into()));
    };
    if absent_file(&path) {
        return Err(no_database(&path).into());
    }
    if args.file.exists() {
        return Err(Failure::Failed(format!("{} already exists; choose another file", args.file.display())));
    }
    copy(&path, &args.file, (&sibling(&args.file, ".partial"), "backup"), || Ok(()))?;
    say(&format!("backed up {} to {}", path.display(), args.file.display()));
    let file = std::path::absolute(&args.file)?;
    if let Err(error) = DataDir::at(&settings.data_dir).note_backup(Clock::System.now(), &file) {
        say(&format!("`guildhall status` will not know of this backup: {error}"));
    }
    Ok(())
}

/// Copies a database to a place that `make_room` frees. An interrupted copy has another name than a complete one.
pub fn copy(
    from: &Path,
    to: &Path,
    (partial, called): (&Path, &str),
    make_room: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let meter = Meter::begin();
    meter.say(format!("copying {}", from.display()));
    let copied = backup::copy(from, partial).map_err(Failure::from);
    drop(meter);
    let wrong = |error| Failure::Failed(format!("cannot rename the {called} to {}: {error}", to.display()));
    let copied = copied.and_then(|()| make_room()).and_then(|()| std::fs::rename(partial, to).map_err(wrong));
    if copied.is_err() {
        drop(std::fs::remove_file(partial));
    }
    copied.and_then(|()| Ok(sync_folder_of(to)?))
}
