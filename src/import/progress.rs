//! The progress of an import.

use std::path::Path;

/// Shows the progress; called on the threads that do the work.
pub type Show = dyn Fn(Progress<'_>) + Send + Sync;

/// A step of an import.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// A file is read and parsed: its number, from 1, and how many there are.
    Reading(&'a Path, usize, usize),
    /// The files are compared with the database.
    Checking,
    /// A part of an organization is imported.
    Importing {
        /// The organization.
        login: &'a str,
        /// The part.
        part: &'static str,
        /// The number of organizations that are done.
        done: usize,
        /// The number of organizations in the files.
        of: usize,
    },
    /// The database file is rewritten.
    Compacting,
}
