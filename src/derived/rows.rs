//! The rows of teams and people that lists show, kept beside what is derived: whoever changes one logs a change of
//! the team or the person, so that what is kept here is as fresh as the rest of the state.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use crate::clock::Time;
use crate::db::{FromRow, Kept, Row};
use crate::error::Result;

/// How many of a kind are kept for an organization.
const KEPT: usize = 200_000;

/// The largest row of a team that is kept, in bytes: descriptions may be long, and each team may have one.
const LARGEST: usize = 4_096;

/// The columns of [`Brief`], of a table called `t`.
macro_rules! brief_columns {
    () => {
        "t.id, t.org_id, t.name, t.slug, t.description, t.privacy, t.notification_setting, t.permission, t.parent_id"
    };
}
pub(crate) use brief_columns;

/// The columns of [`Stored`], of a table called `t`.
macro_rules! stored_columns {
    () => {
        concat!($crate::derived::brief_columns!(), ", t.created_at, t.updated_at")
    };
}
pub(crate) use stored_columns;

/// Who sees a team, as it is stored.
pub const PRIVACY: [&str; 2] = ["closed", "secret"];

/// Whether the members of a team are notified, as it is stored.
pub const NOTIFICATION_SETTING: [&str; 2] = ["notifications_enabled", "notifications_disabled"];

/// The default permission of a team, as it is stored.
pub const PERMISSION: [&str; 3] = ["pull", "push", "admin"];

/// A team as it is stored, with what its short record shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// ID.
    pub id: i64,
    /// Organization.
    pub org_id: i64,
    /// Name.
    pub name: String,
    /// Slug.
    pub slug: String,
    /// Description.
    pub description: Option<String>,
    /// `secret` or `closed`.
    pub privacy: &'static str,
    /// Whether members are notified.
    pub notification_setting: &'static str,
    /// Default permission.
    pub permission: &'static str,
    /// Parent.
    pub parent_id: Option<i64>,
}

impl Brief {
    /// Whether it is secret.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        self.privacy == "secret"
    }
}

impl FromRow for Brief {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let word = |column, words| row.word(column, words).map(Option::unwrap_or_default);
        Ok(Self {
            id: row.get(0)?,
            org_id: row.get(1)?,
            name: row.get(2)?,
            slug: row.get(3)?,
            description: row.get(4)?,
            privacy: word(5, &PRIVACY)?,
            notification_setting: word(6, &NOTIFICATION_SETTING)?,
            permission: word(7, &PERMISSION)?,
            parent_id: row.get(8)?,
        })
    }
}

/// What is stored of a team, whoever asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its row, in short.
    pub brief: Brief,
    /// Creation time.
    pub created_at: Time,
    /// Time of the last change.
    pub updated_at: Time,
}

impl Kept for Stored {
    fn weight(&self) -> usize {
        let Brief { name, slug, description, .. } = &self.brief;
        size_of::<Self>() + name.len() + slug.len() + description.as_ref().map_or(0, String::len)
    }
}

impl FromRow for Stored {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self { brief: Brief::from_row(row)?, created_at: Time(row.get(9)?), updated_at: Time(row.get(10)?) })
    }
}

/// The numbers kept of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Number of direct members.
    pub members: i64,
    /// Number of repositories granted to it directly.
    pub repos: i64,
}

impl FromRow for Counts {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self { members: row.get(0)?, repos: row.get(1)? })
    }
}

/// A person as lists show them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// ID.
    pub id: i64,
    /// Login, in its stored case.
    pub login: String,
    /// Whether they administer the site.
    pub site_admin: bool,
}

impl FromRow for Shown {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self { id: row.get(0)?, login: row.get(1)?, site_admin: row.get(2)? })
    }
}

/// Rows that are kept, by identifier.
#[derive(Debug)]
pub(super) struct Rows<T>(HashMap<i64, Arc<T>>);

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<T> Rows<T> {
    pub(super) fn get(&self, id: i64) -> Option<Arc<T>> {
        self.0.get(&id).cloned()
    }

    fn is_full(&self) -> bool {
        self.0.len() >= KEPT
    }

    pub(super) fn keep(&mut self, id: i64, row: Arc<T>) {
        if self.is_full() {
            self.0.clear();
        }
        self.0.insert(id, row);
    }

    pub(super) fn forget(&mut self, id: i64) -> Option<Arc<T>> {
        self.0.remove(&id)
    }

    pub(super) fn make_room(&mut self, rows: usize) {
        self.0.reserve(rows.min(KEPT));
    }
}

/// Teams that are kept, by identifier and by slug, and how much there is of each.
#[derive(Debug, Default)]
pub(super) struct Teams {
    rows: Rows<Stored>,
    called: HashSet<Called>,
    counts: HashMap<i64, Counts>,
}

/// A team, found by the slug in its row.
#[derive(Debug)]
struct Called(Arc<Stored>);

impl Borrow<str> for Called {
    fn borrow(&self) -> &str {
        &self.0.brief.slug
    }
}

impl Hash for Called {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.brief.slug.hash(state);
    }
}

impl PartialEq for Called {
    fn eq(&self, other: &Self) -> bool {
        self.0.brief.slug == other.0.brief.slug
    }
}

impl Eq for Called {}

impl Teams {
    pub(super) fn get(&self, id: i64) -> Option<Arc<Stored>> {
        self.rows.get(id)
    }

    pub(super) fn called(&self, slug: &str) -> Option<Arc<Stored>> {
        self.called.get(slug).map(|team| Arc::clone(&team.0))
    }

    /// A slug belongs to the team that was kept last: no other has it at this version.
    pub(super) fn keep(&mut self, team: Arc<Stored>) {
        self.forget(team.brief.id);
        if team.weight() > LARGEST {
            return;
        }
        if self.rows.is_full() {
            self.called.clear();
        }
        self.called.replace(Called(Arc::clone(&team)));
        self.rows.keep(team.brief.id, team);
    }

    /// Forgets a team by its identifier, and by its slug unless another one has taken that.
    pub(super) fn forget(&mut self, id: i64) {
        if let Some(team) = self.rows.forget(id) {
            let slug = team.brief.slug.as_str();
            if self.called.get(slug).is_some_and(|called| called.0.brief.id == id) {
                self.called.remove(slug);
            }
        }
    }

    pub(super) fn counts(&self, id: i64) -> Option<Counts> {
        self.counts.get(&id).copied()
    }

    pub(super) fn keep_counts(&mut self, id: i64, counts: Counts) {
        if self.counts.len() >= KEPT {
            self.counts.clear();
        }
        self.counts.insert(id, counts);
    }

    pub(super) fn forget_counts(&mut self, id: i64) {
        self.counts.remove(&id);
    }

    pub(super) fn forget_all_counts(&mut self) {
        self.counts.clear();
    }

    pub(super) fn make_room(&mut self, teams: usize) {
        self.rows.make_room(teams);
        self.called.reserve(teams.min(KEPT));
        self.counts.reserve(teams.min(KEPT));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(id: i64, slug: &str) -> Arc<Stored> {
        let brief = Brief {
            id,
            org_id: 1,
            name: slug.into(),
            slug: slug.into(),
            description: None,
            privacy: "closed",
            notification_setting: "notifications_enabled",
            permission: "pull",
            parent_id: None,
        };
        Arc::new(Stored { brief, created_at: Time(0), updated_at: Time(0) })
    }

    #[test]
    fn a_team_is_found_by_the_slug_of_its_row_alone() {
        let mut teams = Teams::default();
        let found = |teams: &Teams, slug: &str| teams.called(slug).map(|team| team.brief.id);
        teams.keep(team(1, "a"));
        teams.keep(team(1, "b"));
        teams.keep(team(2, "a"));
        assert_eq!((found(&teams, "a"), found(&teams, "b")), (Some(2), Some(1)));
        teams.forget(2);
        assert_eq!((found(&teams, "a"), found(&teams, "b")), (None, Some(1)));
        teams.forget(1);
        assert_eq!((found(&teams, "a"), found(&teams, "b")), (None, None));
    }

    #[test]
    fn a_team_with_a_long_description_is_not_kept() {
        let mut teams = Teams::default();
        teams.keep(team(1, "a"));
        let mut long = Arc::unwrap_or_clone(team(1, "a"));
        long.brief.description = Some("x".repeat(LARGEST));
        teams.keep(long.into());
        assert_eq!((teams.get(1), teams.called("a")), (None, None));
    }

    #[test]
    fn teams_that_are_kept_have_a_bound() {
        let mut teams = Teams::default();
        let most = i64::try_from(KEPT).unwrap();
        for id in 0..=most {
            teams.keep(team(id, &id.to_string()));
        }
        assert_eq!((teams.called("0").is_some(), teams.get(0).is_some()), (false, false));
        assert_eq!(teams.called(&most.to_string()), teams.get(most));
        assert_eq!((teams.rows.0.len(), teams.called.len()), (1, 1));
    }
}
