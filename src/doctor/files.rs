//! Checks that only their owner can read the secret files of the data directory.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::{Finding, Report};
use crate::store::data_dir::SECRETS;

/// Checks the secret files in this data directory.
pub fn check(data_dir: &Path, report: &mut Report) {
    let is_open = |name: &&&str| {
        let metadata = std::fs::metadata(data_dir.join(name));
        // A secret that belongs to root can be mounted for the group of the server, as Kubernetes does.
        let others = |metadata: &Metadata| if metadata.uid() == 0 { 0o037 } else { 0o077 };
        metadata.is_ok_and(|metadata| metadata.mode() & others(&metadata) != 0)
    };
    let finding = |name| {
        Finding::new(format!("other users can read {name} in the data directory"), "run `chmod 600` on the file")
    };
    report.add("Secret files", SECRETS.iter().filter(is_open).map(finding).collect(), 0);
}
