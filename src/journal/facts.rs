//! People, teams, projects, invitations and posts as events show them. For posts, this is the author and the place,
//! never the text. Implements decision 41.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::db::{Tx, select};
use crate::error::Result;
pub use crate::rows::TeamFacts;
use crate::rows::TeamRow;

/// A person as an event shows them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PersonFacts {
    /// Identifier.
    pub id: i64,
    /// Login.
    pub login: String,
    /// True if they administer the site.
    pub site_admin: bool,
}

/// A change of the e-mail addresses of an account, as an address that it had before is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmailChange {
    /// Another address was verified. The one that is told is the primary one.
    Added,
    /// Another address became the primary one.
    Replaced,
    /// The address was removed.
    Removed,
}

/// The people and teams of the organization that a text mentions.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Mentions {
    /// Identifiers of people.
    #[serde(rename = "mentions", default)]
    pub people: Vec<i64>,
    /// Identifiers of teams.
    #[serde(rename = "mentioned_teams", default)]
    pub teams: Vec<i64>,
}

impl Mentions {
    /// True if the text mentions no person and no team.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.people.is_empty() && self.teams.is_empty()
    }
}

/// A project as an event shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProjectFacts {
    /// Identifier.
    pub id: i64,
    /// Number in the organization.
    pub number: i64,
    /// Name.
    pub name: String,
    /// Description.
    pub body: Option<String>,
    /// `open` or `closed`.
    pub state: String,
    /// The level of every member of the organization.
    pub organization_permission: Cow<'static, str>,
    /// True if only people with access can read it.
    pub private: bool,
    /// The person who created it.
    pub creator: PersonFacts,
}

/// An invitation as an event shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InvitationFacts {
    /// Identifier.
    pub id: i64,
    /// The login of the invited person, if there is an account.
    pub login: Option<String>,
    /// The invited e-mail address.
    pub email: Option<String>,
    /// The role that the person gets.
    pub role: String,
    /// Time of creation.
    pub created_at: Time,
    /// The inviter, unless there is none or their account is gone.
    pub inviter: Option<PersonFacts>,
    /// Number of teams in the invitation.
    pub team_count: i64,
}

impl TeamFacts {
    /// The team with this identifier, if there is one.
    pub fn by_id(tx: &mut Tx, id: i64) -> Result<Option<Self>> {
        Ok(tx.maybe::<TeamRow>(BY_ID, &[&id])?.map(|team| team.facts()))
    }

    /// True if people are notified of its posts.
    #[must_use]
    pub fn notifies(&self) -> bool {
        self.notification_setting != "notifications_disabled"
    }
}

const BY_ID: &str = select!(TeamRow from "teams t WHERE t.id = $1");

/// A discussion as an event shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DiscussionFacts {
    /// The team that it was posted to.
    pub team: TeamFacts,
    /// Identifier.
    pub id: i64,
    /// Number in the team.
    pub number: i64,
    /// True if only the team's direct members and owners see it.
    pub private: bool,
    /// Identifier of the author, unless the account is gone.
    pub author: Option<i64>,
}

/// A comment as an event shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CommentFacts {
    /// The discussion that it belongs to.
    pub discussion: DiscussionFacts,
    /// Identifier.
    pub id: i64,
    /// Number in the discussion.
    pub number: i64,
    /// Identifier of the author, unless the account is gone.
    pub author: Option<i64>,
}
