//! Levels of access to a repository: stored as ranks, sent as words (section 3 of `SPEC.md`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a user may do with a repository. Each level contains those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Read and clone.
    Pull,
    /// Also manage issues and pull requests.
    Triage,
    /// Also push.
    Push,
    /// Also manage the repository, except sensitive or destructive actions.
    Maintain,
    /// Full access.
    Admin,
}

impl Level {
    /// Its rank, as it is stored: 1 pull to 5 admin.
    #[must_use]
    pub fn rank(self) -> i64 {
        self as i64 + 1
    }

    /// The level with this rank; there is none for 0, which is no access.
    #[must_use]
    pub fn of_rank(rank: i64) -> Option<Self> {
        match rank {
            1 => Some(Self::Pull),
            2 => Some(Self::Triage),
            3 => Some(Self::Push),
            4 => Some(Self::Maintain),
            5 => Some(Self::Admin),
            _ => None,
        }
    }

    /// The level with this name as a permission.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Pull, Self::Triage, Self::Push, Self::Maintain, Self::Admin]
            .into_iter()
            .find(|level| level.name() == name)
    }

    /// Its name as a permission.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pull => "pull",
            Self::Triage => "triage",
            Self::Push => "push",
            Self::Maintain => "maintain",
            Self::Admin => "admin",
        }
    }

    /// Its name as a role.
    #[must_use]
    pub fn role_name(self) -> &'static str {
        match self {
            Self::Pull => "read",
            Self::Push => "write",
            other => other.name(),
        }
    }

    /// The older word for it, from the time before there were five.
    #[must_use]
    pub fn older_name(self) -> &'static str {
        match self {
            Self::Pull | Self::Triage => "read",
            Self::Push | Self::Maintain => "write",
            Self::Admin => "admin",
        }
    }
}

/// Each permission on a repository, as a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "repository-permissions")]
#[expect(clippy::struct_excessive_bools, reason = "clients know the five of them")]
pub struct Permissions {
    /// Full access.
    pub admin: bool,
    /// Manage the repository.
    pub maintain: bool,
    /// Push.
    pub push: bool,
    /// Manage issues and pull requests.
    pub triage: bool,
    /// Read and clone.
    pub pull: bool,
}

impl Permissions {
    /// What a level allows; without one, nothing.
    #[must_use]
    pub fn of(level: Option<Level>) -> Self {
        Self {
            admin: level >= Some(Level::Admin),
            maintain: level >= Some(Level::Maintain),
            push: level >= Some(Level::Push),
            triage: level >= Some(Level::Triage),
            pull: level >= Some(Level::Pull),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_names_its_level_and_contains_those_below() {
        for (rank, name, role) in [
            (1, "pull", "read"),
            (2, "triage", "triage"),
            (3, "push", "write"),
            (4, "maintain", "maintain"),
            (5, "admin", "admin"),
        ] {
            let level = Level::of_rank(rank).unwrap();
            assert_eq!((level.rank(), level.name(), level.role_name()), (rank, name, role));
            let allowed = Permissions::of(Some(level));
            let steps = [allowed.pull, allowed.triage, allowed.push, allowed.maintain, allowed.admin];
            assert_eq!(i64::try_from(steps.iter().filter(|step| **step).count()).unwrap(), rank);
        }
        assert_eq!(Level::of_rank(0), None);
        assert!(!Permissions::of(None).pull);
    }
}
