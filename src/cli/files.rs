//! Files on disk: the names beside a file, durable names, and whether a file is there.

use std::path::{Path, PathBuf};

/// The same name with something after it.
pub fn sibling(path: &Path, after: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(after);
    name.into()
}

/// Makes the names in the folder of a file durable.
pub fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    std::fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Whether a database is still to be made in a file, as when it is empty; one that cannot be looked at is no such file.
pub fn absent_file(path: &Path) -> bool {
    match path.metadata() {
        Ok(metadata) => metadata.is_file() && metadata.len() == 0,
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}
