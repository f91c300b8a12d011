//! Files on disk: names next to a file, durable names, and whether a file exists.

use std::path::{Path, PathBuf};

/// The same path with a suffix.
pub fn sibling(path: &Path, after: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(after);
    name.into()
}

/// Makes the names in the directory of a file durable.
pub fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    std::fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// True if a file has no database yet, for example because it is empty; false for a file that cannot be read.
pub fn absent_file(path: &Path) -> bool {
    match path.metadata() {
        Ok(metadata) => metadata.is_file() && metadata.len() == 0,
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}
