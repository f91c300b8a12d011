//! The row of a team, the words in its columns, and its counts.

use serde::Serialize;

use crate::clock::Time;
use crate::db::{Cacheable, FromRow, Row};
use crate::error::Result;

/// Who sees a team, as it is stored.
pub const PRIVACY: [&str; 2] = ["closed", "secret"];

/// Whether the members of a team are notified, as it is stored.
pub const NOTIFICATION_SETTING: [&str; 2] = ["notifications_enabled", "notifications_disabled"];

/// The default permission of a team, as it is stored.
pub const PERMISSION: [&str; 3] = ["pull", "push", "admin"];

/// How the people for a review are chosen, as it is stored.
pub const REVIEW_ALGORITHM: [&str; 2] = ["round_robin", "load_balance"];

/// The columns of [`TeamRow`], from a table with this alias, or `t`.
macro_rules! team_columns {
    () => {
        $crate::rows::team_columns!("t")
    };
    ($table:literal) => {
        $crate::rows::team_columns!(
            $table: id, org_id, name, slug, description, privacy, notification_setting, permission, parent_id,
            created_at, updated_at, review_enabled, review_algorithm, review_members, review_notify
        )
    };
    ($table:literal: $first:ident $(, $column:ident)*) => {
        concat!($table, ".", stringify!($first) $(, ", ", $table, ".", stringify!($column))*)
    };
}
pub(crate) use team_columns;

/// How a request for a review to a team is passed on to its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ReviewDelegation {
    /// Whether it is passed on.
    pub enabled: bool,
    /// How the members are chosen: `round_robin` or `load_balance`.
    pub algorithm: &'static str,
    /// How many members are chosen.
    pub member_count: i64,
    /// Whether the whole team is notified too.
    pub notify_team: bool,
}

impl Default for ReviewDelegation {
    fn default() -> Self {
        Self { enabled: false, algorithm: REVIEW_ALGORITHM[0], member_count: 1, notify_team: true }
    }
}

/// A team as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TeamRow {
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
    /// Creation time.
    pub created_at: Time,
    /// Time of the last change.
    pub updated_at: Time,
    /// What happens with requests for reviews.
    pub reviews: ReviewDelegation,
}

impl TeamRow {
    /// The number of [`team_columns`]; the other columns of a statement follow.
    pub const COLUMNS: usize = 15;

    /// The team in a row, of which this column is its first.
    pub fn from_columns(row: &Row<'_>, first: usize) -> Result<Self> {
        let word = |column, words| row.word(first + column, words).map(Option::unwrap_or_default);
        Ok(Self {
            id: row.get(first)?,
            org_id: row.get(first + 1)?,
            name: row.get(first + 2)?,
            slug: row.get(first + 3)?,
            description: row.get(first + 4)?,
            privacy: word(5, &PRIVACY)?,
            notification_setting: word(6, &NOTIFICATION_SETTING)?,
            permission: word(7, &PERMISSION)?,
            parent_id: row.get(first + 8)?,
            created_at: Time(row.get(first + 9)?),
            updated_at: Time(row.get(first + 10)?),
            reviews: ReviewDelegation {
                enabled: row.get(first + 11)?,
                algorithm: word(12, &REVIEW_ALGORITHM)?,
                member_count: row.get(first + 13)?,
                notify_team: row.get(first + 14)?,
            },
        })
    }

    /// Whether it is secret.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        self.privacy == "secret"
    }
}

impl FromRow for TeamRow {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Self::from_columns(row, 0)
    }
}

impl Cacheable for TeamRow {
    fn weight(&self) -> usize {
        let description = self.description.as_ref().map_or(0, String::len);
        size_of::<Self>() + self.name.len() + self.slug.len() + description
    }
}

/// How many members and repositories a team has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TeamCounts {
    /// Number of direct members.
    pub members: i64,
    /// Number of repositories granted to it directly.
    pub repos: i64,
}

impl FromRow for TeamCounts {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self { members: row.get(0)?, repos: row.get(1)? })
    }
}
