//! What is expensive to compute from the rows of one organization, kept in memory: merged members, ordered lists of
//! teams and of people, any page and the exact total at the same cost (house section 16, decisions 17, 23, 38).
//!
//! Pure data: the version of the organization decides whether it is fresh, and whoever holds it applies what
//! the journal has since. Applying a put twice is harmless. User ids come from our own sequence and fit in 32 bits: a person whose id does
//! not is ignored, and never listed.

mod cache;
mod directory;
mod merged;
mod people;
mod rows;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

pub use cache::{Cache, SHOWN, TEAMS};
pub use directory::{Place, Viewer};
pub use people::People;
pub use rows::{Brief, Counts, NOTIFICATION_SETTING, PERMISSION, PRIVACY, Shown, Stored};
pub(crate) use rows::{brief_columns, stored_columns};

use directory::{Key, TeamList};
use merged::Tree;
use people::Roster;

/// One entry of the organization's journal, or a row of a full load.
#[derive(Clone, Debug)]
pub enum Fold {
    /// A direct membership was added or its role changed; the team is known before its members.
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
    /// A team was granted a repository, or has one no longer.
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
        /// True if the membership is shown to everybody.
        public: bool,
    },
    /// A person left the organization, and with it every team of it (decisions 28).
    PersonGone {
        /// User.
        user: i64,
    },
}

/// The kind of an entry that concerns nothing which is held here.
pub const NOT_HELD: &str = "other";

/// The kind of an entry that stands for more changes than are worth recording one by one.
pub const RELOAD: &str = "reload";

impl Fold {
    /// The kinds that change neither a team's row nor who is in the organization.
    pub const OF_TEAMS_ALONE: [&'static str; 3] = ["member", "member_gone", "grants"];

    /// The kind of its entry.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Member { .. } => "member",
            Self::MemberGone { .. } => "member_gone",
            Self::Team { .. } => "team",
            Self::Grants { .. } => "grants",
            Self::TeamGone { .. } => "team_gone",
            Self::Person { .. } => "person",
            Self::PersonGone { .. } => "person_gone",
        }
    }
}

/// A part of an organization's state, loaded when something that needs it is first asked: whoever only lists teams
/// does not wait for, nor keep, half a million memberships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The teams and their order.
    Teams,
    /// The people of the organization.
    People,
    /// The members of the teams, which needs both.
    Members,
}

/// Which role the listed people have in the team asked (decisions 23).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoleFilter {
    /// Everyone.
    #[default]
    All,
    /// Only people who are neither maintainers nor owners.
    Member,
    /// Only maintainers of this team, and owners.
    Maintainer,
}

/// Whether the listed people are in the team itself (decisions 23).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Members of the team and its child teams.
    #[default]
    All,
    /// Only direct members.
    Immediate,
    /// Only members of child teams.
    ChildTeam,
}

/// One person in a list of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberEntry {
    /// User.
    pub user: i64,
    /// True if not in the team itself, only below it.
    pub inherited: bool,
}

/// A page of members by user id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberPage {
    /// The people of this page.
    pub entries: Vec<MemberEntry>,
    /// The exact number of people on all pages.
    pub total: u64,
}

/// The derived state of one organization at one version, or those parts of it that were asked for.
#[derive(Debug, Default)]
pub struct OrgState {
    version: i64,
    learnt: [bool; 3],
    tree: Tree,
    all: TeamList,
    closed: TeamList,
    people: Roster,
    teams: rows::Teams,
    shown: rows::Rows<Shown>,
}

impl OrgState {
    /// An organization without teams and people.
    #[must_use]
    pub fn new(version: i64) -> Self {
        Self { version, learnt: [true; 3], ..Self::default() }
    }

    /// An organization of which nothing is known.
    #[must_use]
    pub fn unknown(version: i64) -> Self {
        Self { version, ..Self::default() }
    }

    /// Whether this part is known.
    #[must_use]
    pub fn knows(&self, part: Part) -> bool {
        self.learnt[part as usize]
    }

    /// Says that this part is known from here on: all its rows are applied next, each as a change. In the order of
    /// their lists they are added at the end of each, which is several times as fast.
    pub fn learn(&mut self, part: Part) {
        self.learnt[part as usize] = true;
    }

    /// Makes room for so many teams: tables that grow on the way leave the memory of the smaller ones behind.
    pub fn make_room(&mut self, teams: usize) {
        self.teams.make_room(teams);
        self.tree.make_room(teams);
        self.all.make_room(teams);
        self.closed.make_room(teams);
    }

    /// The version of the organization up to which changes are applied.
    #[must_use]
    pub fn version(&self) -> i64 {
        self.version
    }

    /// Says up to which version changes are applied.
    pub fn set_version(&mut self, version: i64) {
        self.version = version;
    }

    /// The row of a team, if it is kept.
    #[must_use]
    pub fn team(&self, team: i64) -> Option<Arc<Stored>> {
        self.teams.get(team)
    }

    /// The row of the team with this slug, if it is kept.
    #[must_use]
    pub fn team_called(&self, slug: &str) -> Option<Arc<Stored>> {
        self.teams.called(slug)
    }

    /// Keeps the row of a team as it is at this version.
    pub fn keep_team(&mut self, team: Arc<Stored>) {
        self.teams.keep(team);
    }

    /// How much there is of a team, if it is kept.
    #[must_use]
    pub fn counts(&self, team: i64) -> Option<Counts> {
        self.teams.counts(team)
    }

    /// Keeps how much there is of a team at this version.
    pub fn keep_counts(&mut self, team: i64, counts: Counts) {
        self.teams.keep_counts(team, counts);
    }

    /// How a person is shown, if it is kept.
    #[must_use]
    pub fn shown(&self, user: i64) -> Option<Arc<Shown>> {
        self.shown.get(user)
    }

    /// Keeps how a person is shown at this version.
    pub fn keep_shown(&mut self, person: Arc<Shown>) {
        self.shown.keep(person.id, person);
    }

    /// Applies one change; what it changes of a part that is not known is read with that part.
    pub fn apply(&mut self, change: Fold) {
        match change {
            Fold::Member { team, user, maintainer } => {
                self.teams.forget_counts(team);
                if let Some(user) = self.person(Part::Members, user) {
                    self.tree.put_member(team, user, maintainer);
                }
            }
            Fold::MemberGone { team, user } => {
                self.teams.forget_counts(team);
                if let Some(user) = self.person(Part::Members, user) {
                    self.tree.remove_member(team, user);
                }
            }
            Fold::Team { team, parent, name_key, secret } => {
                self.teams.forget(team);
                if self.knows(Part::Teams) {
                    self.put_team(Key { name: Arc::from(name_key), id: team }, parent, secret);
                }
            }
            Fold::Grants { team } => self.teams.forget_counts(team),
            Fold::TeamGone { team } => {
                self.teams.forget(team);
                self.teams.forget_counts(team);
                self.unlist(team);
                self.tree.remove_team(team);
            }
            Fold::Person { user, owner, public } => {
                self.shown.forget(user);
                if let Some(user) = self.person(Part::People, user) {
                    self.people.put(user, owner, public);
                }
            }
            Fold::PersonGone { user } => {
                self.shown.forget(user);
                // Of every team that they were in.
                self.teams.forget_all_counts();
                if let Some(user) = people::number(user) {
                    self.people.remove(user);
                    self.tree.remove_person(user);
                }
            }
        }
    }

    /// One page of the team's members; a team that is not known has none.
    pub fn members_page(&mut self, team: i64, filter: RoleFilter, reach: Reach, offset: u64, limit: u64) -> MemberPage {
        self.tree.members(team, self.people.owners(), (filter, reach), (offset, limit))
    }

    /// One page of the teams that the viewer sees, and their exact number.
    #[must_use]
    pub fn teams_page(&self, viewer: Viewer<'_>, offset: u64, limit: u64) -> (Vec<i64>, u64) {
        match viewer {
            Viewer::Everything => self.all.page(offset, limit),
            Viewer::ClosedAnd(own) => self.closed.page_with(own, offset, limit),
        }
    }

    /// Where those of these teams that are secret stand in the list of somebody who is in them.
    #[must_use]
    pub fn places(&self, own: &[i64]) -> Vec<Place> {
        let teams = own.iter().filter_map(|id| self.tree.team(*id));
        let mut secret: Vec<&Key> = teams.filter(|team| team.secret).map(|team| &team.key).collect();
        secret.sort_unstable();
        secret.dedup();
        self.closed.places(&secret)
    }

    /// One page of the team's children, and their exact number.
    #[must_use]
    pub fn children_page(&self, team: i64, offset: u64, limit: u64) -> (Vec<i64>, u64) {
        self.tree.children(team).map(|children| children.page(offset, limit)).unwrap_or_default()
    }

    /// One page of the organization's people by user id, and their exact number.
    #[must_use]
    pub fn people_page(&self, which: People, offset: u64, limit: u64) -> (Vec<i64>, u64) {
        self.people.page(which, offset, limit)
    }

    /// A person whom a change of this part is about, if the part is known.
    fn person(&self, part: Part, user: i64) -> Option<u32> {
        people::number(user).filter(|_| self.knows(part))
    }

    fn put_team(&mut self, key: Key, parent: Option<i64>, secret: bool) {
        self.unlist(key.id);
        self.all.insert(&key);
        if !secret {
            self.closed.insert(&key);
        }
        self.tree.put_team(key, parent, secret);
    }

    fn unlist(&mut self, team: i64) {
        if let Some(team) = self.tree.team(team) {
            self.all.remove(&team.key);
            self.closed.remove(&team.key);
        }
    }
}
