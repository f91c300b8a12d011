//! The organizations that tests read: those in the folder that `GUILDHALL_SAMPLES` names, else the committed ones.

use std::path::PathBuf;

/// The folder of samples.
pub fn folder() -> PathBuf {
    let committed = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("samples");
    std::env::var_os("GUILDHALL_SAMPLES").map_or(committed, PathBuf::from)
}

/// The peribolos file of every organization, by name.
pub fn peribolos() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder().join("peribolos"))
        .expect("the folder of samples has peribolos/")
        .map(|entry| entry.expect("an entry").path().join("org.yaml"))
        .filter(|file| file.is_file())
        .collect();
    files.sort();
    assert!(files.len() >= 3, "the folder of samples has at least the three committed organizations");
    files
}
