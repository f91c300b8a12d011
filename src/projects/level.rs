//! A person's level of access to a project, as a rank: the highest one counts (decisions 15 and 30).

use schemars::JsonSchema;
use serde::Serialize;

use crate::words::words;

/// No access.
pub const NONE: i64 = 0;
/// Read the project.
pub const READ: i64 = 1;
/// Read and edit the project.
pub const WRITE: i64 = 2;
/// Read, edit and administer the project.
pub const ADMIN: i64 = 3;

words! {
    /// The permission of a person or a team on a project.
    pub enum Level {
        /// Read the project.
        Read = "read",
        /// Read and edit the project.
        Write = "write",
        /// Read, edit and administer the project.
        Admin = "admin",
    }

    /// The permission of every organization member on a project.
    pub enum OrganizationLevel {
        /// Read the project.
        Read = "read",
        /// Read and edit the project.
        Write = "write",
        /// Read, edit and administer the project.
        Admin = "admin",
        /// No access.
        None = "none",
    }
}

words! {
    /// The state of a project.
    pub enum State {
        /// The project is open.
        Open = "open",
        /// The project is closed.
        Closed = "closed",
    }
}

impl Level {
    /// The value as it is stored.
    #[must_use]
    pub fn rank(self) -> i64 {
        rank(self.word())
    }
}

impl OrganizationLevel {
    /// The value as it is stored.
    #[must_use]
    pub fn rank(self) -> i64 {
        rank(self.word())
    }
}

/// The word in the API for a stored level.
#[must_use]
pub fn word(rank: i64) -> &'static str {
    match rank {
        READ => "read",
        WRITE => "write",
        ADMIN => "admin",
        _ => "none",
    }
}

/// The stored level for a word in the API.
#[must_use]
pub fn rank(word: &str) -> i64 {
    [READ, WRITE, ADMIN].into_iter().find(|rank| self::word(*rank) == word).unwrap_or(NONE)
}

/// The actions that a permission on a project allows.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "project-permissions")]
pub struct Permissions {
    /// Read the project.
    pub read: bool,
    /// Edit the project.
    pub write: bool,
    /// Administer the project.
    pub admin: bool,
}

impl Permissions {
    /// Converts a stored level.
    #[must_use]
    pub fn of(rank: i64) -> Self {
        Self { read: rank >= READ, write: rank >= WRITE, admin: rank >= ADMIN }
    }
}
