//! The row of a team, the words in its columns, what events show of it, and its counts.

use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::db::{Cacheable, Joined, row, word_of};
use crate::words::words;

words! {
    /// The visibility of a team.
    pub enum Privacy {
        /// Visible only to owners and the members of the team.
        Secret = "secret",
        /// Visible to all members of the organization.
        Closed = "closed",
    }

    /// The default permission of a team.
    #[derive(Default)]
    pub enum Permission {
        /// Read and clone.
        #[default]
        Pull = "pull",
        /// Read and push.
        Push = "push",
        /// Read, push and administer.
        Admin = "admin",
    }

    /// The notification setting of a team.
    #[derive(Default)]
    pub enum NotificationSetting {
        /// Members are notified.
        #[default]
        NotificationsEnabled = "notifications_enabled",
        /// Members are not notified.
        NotificationsDisabled = "notifications_disabled",
    }

    /// The algorithm that chooses the members.
    #[derive(Default)]
    pub enum Algorithm {
        /// One after the other.
        #[default]
        RoundRobin = "round_robin",
        /// So that all get the same number of reviews.
        LoadBalance = "load_balance",
    }
}

row! {
    /// The delegation of a request for a review from a team to its members.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    pub struct ReviewDelegation from "t" {
        /// True if it is passed on.
        pub enabled: bool = "t.review_enabled",
        /// The algorithm that chooses the members: `round_robin` or `load_balance`.
        pub algorithm: &'static str = "t.review_algorithm" => word_of(&Algorithm::WORDS),
        /// The number of members who are chosen.
        pub member_count: i64 = "t.review_members",
        /// True if the whole team is notified too.
        pub notify_team: bool = "t.review_notify",
    }
}

impl Default for ReviewDelegation {
    fn default() -> Self {
        Self { enabled: false, algorithm: Algorithm::default().word(), member_count: 1, notify_team: true }
    }
}

row! {
    /// A team as it is stored.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct TeamRow from "t" {
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
        pub privacy: &'static str => word_of(&Privacy::WORDS),
        /// `notifications_enabled` or `notifications_disabled`.
        pub notification_setting: &'static str => word_of(&NotificationSetting::WORDS),
        /// Default permission.
        pub permission: &'static str => word_of(&Permission::WORDS),
        /// Parent.
        pub parent_id: Option<i64>,
        /// Creation time.
        pub created_at: Time,
        /// Time of the last change.
        pub updated_at: Time,
        /// The delegation of requests for reviews.
        pub reviews: ReviewDelegation = ReviewDelegation::COLUMNS,
    }
}

/// The columns of the parent `p` of a team.
pub(crate) const PARENT: &str = const_str::replace!(TeamRow::COLUMNS, "t.", "p.");

impl TeamRow {
    /// True if it is secret.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        self.privacy == "secret"
    }

    /// The team as an event shows it.
    #[must_use]
    pub fn facts(&self) -> TeamFacts {
        TeamFacts {
            id: self.id,
            name: self.name.clone(),
            slug: self.slug.clone(),
            description: self.description.clone(),
            privacy: self.privacy.to_owned(),
            permission: self.permission.to_owned(),
            notification_setting: self.notification_setting.to_owned(),
            parent: self.parent_id,
        }
    }
}

/// A team as an event shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TeamFacts {
    /// Identifier.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Slug.
    pub slug: String,
    /// Description.
    pub description: Option<String>,
    /// `secret` or `closed`.
    pub privacy: String,
    /// Default permission.
    pub permission: String,
    /// `notifications_enabled` or `notifications_disabled`.
    pub notification_setting: String,
    /// Identifier of the parent.
    pub parent: Option<i64>,
}

impl Joined for TeamRow {}

impl Cacheable for TeamRow {
    fn weight(&self) -> usize {
        let description = self.description.as_ref().map_or(0, String::len);
        size_of::<Self>() + self.name.len() + self.slug.len() + description
    }
}

row! {
    /// The numbers of members and repositories of a team.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct TeamCounts from "c" {
        /// Number of direct members.
        pub members: i64 = "(SELECT c.members FROM team_counts c WHERE c.team_id = t.id)",
        /// Number of repositories granted to it directly.
        pub repos: i64 = "(SELECT c.repos FROM team_counts c WHERE c.team_id = t.id)",
    }
}
