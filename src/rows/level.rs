//! Levels of access to a repository: stored as ranks, sent as words (section 3 of `SPEC.md`).

use crate::record::record;
use crate::words::words;

words! {
    /// A user's level of access to a repository. Each level contains those before it.
    #[derive(PartialOrd, Ord)]
    pub enum Level {
        /// Read and clone.
        Pull = "pull",
        /// Also manage issues and pull requests.
        Triage = "triage",
        /// Also push.
        Push = "push",
        /// Also manage the repository, except sensitive or destructive actions.
        Maintain = "maintain",
        /// Full access.
        Admin = "admin",
    }
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
        Self::ALL.get(usize::try_from(rank).ok()?.checked_sub(1)?).copied()
    }

    /// Its name as a role.
    #[must_use]
    pub fn role_name(self) -> &'static str {
        match self {
            Self::Pull => "read",
            Self::Push => "write",
            other => other.word(),
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

record! {
    /// Each permission on a repository, as a flag.
    #[derive(Clone, Copy, PartialEq, Eq)]
    #[schemars(rename = "repository-permissions")]
    pub struct Permissions {
        /// Full access.
        pub admin: bool = level >= Some(Level::Admin),
        /// Manage the repository.
        pub maintain: bool = level >= Some(Level::Maintain),
        /// Push.
        pub push: bool = level >= Some(Level::Push),
        /// Manage issues and pull requests.
        pub triage: bool = level >= Some(Level::Triage),
        /// Read and clone.
        pub pull: bool = level >= Some(Level::Pull),
    }

    /// The actions that a level allows; without one, none.
    pub fn of(level: Option<Level>) {}
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
            assert_eq!((level.rank(), level.word(), level.role_name()), (rank, name, role));
            let allowed = Permissions::of(Some(level));
            let steps = [allowed.pull, allowed.triage, allowed.push, allowed.maintain, allowed.admin];
            assert_eq!(i64::try_from(steps.iter().filter(|step| **step).count()).unwrap(), rank);
        }
        assert_eq!(Level::of_rank(0), None);
        assert!(!Permissions::of(None).pull);
    }
}
