//! Commands that root runs on the data of another user, such as the one that the Debian package creates.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use super::Failure;

/// Begins the command again as the owner of the data directory if root runs it, so that the server can use every file
/// that the command creates. Returns if there is nothing to switch.
pub fn switch_to_owner(data_dir: &Path) -> Result<(), Failure> {
    let Some(directory) = of_another_user(data_dir) else { return Ok(()) };
    let mut again = Command::new(std::env::current_exe()?);
    let error = again.args(std::env::args_os().skip(1)).uid(directory.uid()).gid(directory.gid()).exec();
    Err(Failure::Failed(format!(
        "cannot run as the owner of {}: {error}; install the program where that user can run it",
        data_dir.display()
    )))
}

/// True if root runs the command, and the data directory is of another user.
pub fn is_of_another_user(data_dir: &Path) -> bool {
    of_another_user(data_dir).is_some()
}

fn of_another_user(data_dir: &Path) -> Option<Metadata> {
    let directory = std::fs::metadata(data_dir).ok()?;
    (directory.uid() != 0 && rustix::process::geteuid().is_root()).then_some(directory)
}
