//! What one may do with a project, as a rank: the higher one holds (decisions 15 and 30).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Nothing.
pub const NONE: i64 = 0;
/// Look.
pub const READ: i64 = 1;
/// Look and change.
pub const WRITE: i64 = 2;
/// Look, change and administer.
pub const ADMIN: i64 = 3;

/// A level that is given to a person or a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Look.
    Read,
    /// Look and change.
    Write,
    /// Look, change and administer.
    Admin,
}

impl Level {
    /// As it is stored.
    #[must_use]
    pub fn rank(self) -> i64 {
        match self {
            Self::Read => READ,
            Self::Write => WRITE,
            Self::Admin => ADMIN,
        }
    }
}

/// The level that every member of the organization has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OrganizationLevel {
    /// Look.
    Read,
    /// Look and change.
    Write,
    /// Look, change and administer.
    Admin,
    /// Nothing.
    None,
}

impl OrganizationLevel {
    /// As it is stored.
    #[must_use]
    pub fn rank(self) -> i64 {
        match self {
            Self::Read => READ,
            Self::Write => WRITE,
            Self::Admin => ADMIN,
            Self::None => NONE,
        }
    }
}

/// A stored level in the interface's word.
#[must_use]
pub fn word(rank: i64) -> &'static str {
    match rank {
        READ => "read",
        WRITE => "write",
        ADMIN => "admin",
        _ => "none",
    }
}

/// The level that such a word means.
#[must_use]
pub fn rank(word: &str) -> i64 {
    match word {
        "read" => READ,
        "write" => WRITE,
        "admin" => ADMIN,
        _ => NONE,
    }
}

/// What a level contains.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "project-permissions")]
pub struct Permissions {
    /// Look.
    pub read: bool,
    /// Change.
    pub write: bool,
    /// Administer.
    pub admin: bool,
}

impl Permissions {
    /// Of a stored level.
    #[must_use]
    pub fn of(rank: i64) -> Self {
        Self { read: rank >= READ, write: rank >= WRITE, admin: rank >= ADMIN }
    }
}
