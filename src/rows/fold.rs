//! A change that is folded into memory, and the typed columns of the journal that contain it.

use crate::db::row;
use crate::error::{Error, Result};

/// A change that is folded into memory: an entry of the organization's journal, or a row of a full load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fold {
    /// A direct membership was added or its role changed. The team comes before its members.
    Member {
        /// Team.
        team: i64,
        /// User.
        user: i64,
        /// The stored role.
        maintainer: bool,
    },
    /// A direct membership ended.
    MemberGone {
        /// Team.
        team: i64,
        /// User.
        user: i64,
    },
    /// A team was created, moved, renamed, or its privacy changed.
    Team {
        /// Team.
        team: i64,
        /// Its parent, which may come later in a load.
        parent: Option<i64>,
        /// Its name, case folded.
        name_key: String,
        /// True if its privacy is secret.
        secret: bool,
    },
    /// A repository was granted to a team or taken from it.
    Grants {
        /// Team.
        team: i64,
    },
    /// A team was deleted with all its memberships; its children come before it.
    TeamGone {
        /// Team.
        team: i64,
    },
    /// An active member of the organization: added, or changed.
    Person {
        /// User.
        user: i64,
        /// True if an owner of the organization.
        owner: bool,
        /// True if the membership is public.
        public: bool,
    },
    /// A person left the organization, and with it all its teams (decision 28).
    PersonGone {
        /// User.
        user: i64,
    },
}

/// The kind of an entry that concerns nothing in memory.
const NOT_HELD: &str = "other";

/// The kind of an entry for more changes than are worth recording one by one.
const RELOAD: &str = "reload";

row! {
    /// The typed columns of an entry. Folding reads no other columns.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Folded from "j" {
        /// The kind of change.
        pub kind: String,
        /// Team.
        pub team: Option<i64> = "j.team_id",
        /// User.
        pub user: Option<i64> = "j.user_id",
        /// The team's parent.
        pub parent: Option<i64> = "j.parent_id",
        /// The team's name, case folded.
        pub name_key: Option<String>,
        /// True if they are a maintainer or owner, or the team is secret.
        pub flag: Option<bool>,
        /// True if the membership is public.
        pub other_flag: Option<bool>,
    }
}

impl Default for Folded {
    fn default() -> Self {
        Self::of_kind(NOT_HELD)
    }
}

impl Folded {
    fn of_kind(kind: &str) -> Self {
        let (kind, name_key, number, flag) = (kind.to_owned(), None, None, None);
        Self { kind, team: number, user: number, parent: number, name_key, flag, other_flag: flag }
    }

    /// Many changes at once: memory reloads the organization.
    #[must_use]
    pub fn reload() -> Self {
        Self::of_kind(RELOAD)
    }

    /// True if memory reloads the organization.
    #[must_use]
    pub fn is_reload(&self) -> bool {
        self.kind == RELOAD
    }

    /// True if it changes neither a team's row nor who is in the organization.
    #[must_use]
    pub fn is_of_teams_alone(&self) -> bool {
        matches!(self.kind.as_str(), "member" | "member_gone" | "grants")
    }

    /// The change in these columns; none if it concerns nothing in memory.
    pub fn fold(self) -> Result<Option<Fold>> {
        let (team, user) = (self.team.unwrap_or_default(), self.user.unwrap_or_default());
        let (flag, other_flag) = (self.flag.unwrap_or_default(), self.other_flag.unwrap_or_default());
        Ok(Some(match self.kind.as_str() {
            NOT_HELD => return Ok(None),
            "member" => Fold::Member { team, user, maintainer: flag },
            "member_gone" => Fold::MemberGone { team, user },
            "team" => {
                let name_key = self.name_key.unwrap_or_default();
                Fold::Team { team, parent: self.parent, name_key, secret: flag }
            }
            "grants" => Fold::Grants { team },
            "team_gone" => Fold::TeamGone { team },
            "person" => Fold::Person { user, owner: flag, public: other_flag },
            "person_gone" => Fold::PersonGone { user },
            other => return Err(Error::Bug(format!("the journal has an entry of the unknown kind {other}"))),
        }))
    }
}

impl From<&Fold> for Folded {
    fn from(change: &Fold) -> Self {
        match change {
            Fold::Member { team, user, maintainer } => {
                Self { team: Some(*team), user: Some(*user), flag: Some(*maintainer), ..Self::of_kind("member") }
            }
            Fold::MemberGone { team, user } => {
                Self { team: Some(*team), user: Some(*user), ..Self::of_kind("member_gone") }
            }
            Fold::Team { team, parent, name_key, secret } => Self {
                team: Some(*team),
                parent: *parent,
                name_key: Some(name_key.clone()),
                flag: Some(*secret),
                ..Self::of_kind("team")
            },
            Fold::Grants { team } => Self { team: Some(*team), ..Self::of_kind("grants") },
            Fold::TeamGone { team } => Self { team: Some(*team), ..Self::of_kind("team_gone") },
            Fold::Person { user, owner, public } => {
                Self { user: Some(*user), flag: Some(*owner), other_flag: Some(*public), ..Self::of_kind("person") }
            }
            Fold::PersonGone { user } => Self { user: Some(*user), ..Self::of_kind("person_gone") },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_hold_every_change() {
        let (team, user) = (7, 8);
        let changes = [
            Fold::Member { team, user, maintainer: true },
            Fold::MemberGone { team, user },
            Fold::Team { team, parent: Some(3), name_key: "core".into(), secret: true },
            Fold::Grants { team },
            Fold::TeamGone { team },
            Fold::Person { user, owner: true, public: false },
            Fold::PersonGone { user },
        ];
        for change in changes {
            assert_eq!(Folded::from(&change).fold().unwrap(), Some(change));
        }
        assert_eq!(Folded::default().fold().unwrap(), None);
        assert!(Folded::reload().is_reload() && !Folded::default().is_reload());
        assert!(Folded { kind: "unknown".into(), ..Folded::default() }.fold().is_err());
    }
}
