//! `guildhall backup`: a copy of the embedded database, taken beside a running server.

use std::path::{Path, PathBuf};

use super::settings::StoreFlags;
use super::store::{absent_file, no_database};
use super::{Failure, say};
use crate::config::Database;
use crate::db::backup;

const EXAMPLES: &str = "\
The copy shows one moment, and a running server goes on meanwhile. On PostgreSQL, use pg_dump.
Keep a copy of the file guildhall.key of the data directory as well, in another place.

Examples:
  guildhall backup /backups/guildhall-monday
  guildhall backup --data-dir /var/lib/guildhall /backups/guildhall-monday";

/// Copy the embedded database to a file, beside a running server.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The file to write; it must not be there yet.
    file: PathBuf,
    #[command(flatten)]
    flags: StoreFlags,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let Database::Sqlite(path) = args.flags.settings()?.database else {
        return Err(Failure::Failed("the database is on PostgreSQL: back it up with pg_dump".into()));
    };
    if absent_file(&path) {
        return Err(no_database(&path).into());
    }
    if args.file.exists() {
        return Err(Failure::Failed(format!("{} is there already; name a new file", args.file.display())));
    }
    // A copy that was interrupted never has the name of a whole one.
    let partial = beside(&args.file, ".partial");
    let copied = backup::copy(&path, &partial).map_err(Failure::from).and_then(|()| {
        std::fs::rename(&partial, &args.file)
            .map_err(|error| Failure::Failed(format!("cannot name the copy {}: {error}", args.file.display())))
    });
    if copied.is_err() {
        drop(std::fs::remove_file(&partial));
    }
    copied?;
    sync_folder_of(&args.file)?;
    say(&format!("{} is backed up to {}", path.display(), args.file.display()));
    Ok(())
}

/// The same name with something after it.
pub fn beside(path: &Path, after: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(after);
    name.into()
}

/// Makes the names in the folder of a file durable.
pub fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    std::fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
