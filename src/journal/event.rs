//! Every event, with all facts that its payload will need, as they were at that moment (decisions 44 and 45).

use std::collections::BTreeMap;

use serde::Serialize;

use super::{CommentFacts, DiscussionFacts, RepoChange, RepoFacts};
use crate::clock::Time;
use crate::db::{FromRow, Row};
use crate::error::Result;

/// A person as an event shows them.
#[derive(Debug, Clone, Serialize)]
pub struct PersonFacts {
    /// Identifier.
    pub id: i64,
    /// Login.
    pub login: String,
    /// Whether they administer the site.
    pub site_admin: bool,
}

/// A project as an event shows it.
#[derive(Debug, Clone, Serialize)]
pub struct ProjectFacts {
    /// Identifier.
    pub id: i64,
    /// Number in the organization.
    pub number: i64,
    /// Name.
    pub name: String,
    /// What it is for.
    pub body: Option<String>,
    /// `open` or `closed`.
    pub state: String,
    /// What every member of the organization may do.
    pub organization_permission: &'static str,
    /// Whether only people who were let in read it.
    pub private: bool,
    /// Who created it.
    pub creator: PersonFacts,
}

/// An invitation as an event shows it.
#[derive(Debug, Clone, Serialize)]
pub struct InvitationFacts {
    /// Identifier.
    pub id: i64,
    /// The login of the invited person, if there is an account.
    pub login: Option<String>,
    /// The address that was invited.
    pub email: Option<String>,
    /// The role that it gives.
    pub role: String,
    /// When it was made.
    pub created_at: Time,
    /// Who invited, unless nobody did or the account is gone.
    pub inviter: Option<PersonFacts>,
    /// How many teams it brings.
    pub team_count: i64,
}

/// A team as an event shows it.
#[derive(Debug, Clone, Serialize)]
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
    /// Whether its members are notified.
    pub notification_setting: String,
    /// Identifier of its parent.
    pub parent: Option<i64>,
}

impl FromRow for TeamFacts {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            slug: row.get(2)?,
            description: row.get(3)?,
            privacy: row.get(4)?,
            permission: row.get(5)?,
            notification_setting: row.get(6)?,
            parent: row.get(7)?,
        })
    }
}

/// What happened in an organization.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A team was created.
    TeamCreated {
        /// The team.
        team: TeamFacts,
    },
    /// A team was changed.
    TeamEdited {
        /// The team as it is now.
        team: TeamFacts,
        /// The team as it was.
        before: TeamFacts,
    },
    /// A team was deleted.
    TeamDeleted {
        /// The team as it was.
        team: TeamFacts,
        /// The people who were directly in it, each of whom is no longer a member.
        members: Vec<PersonFacts>,
        /// The repositories that it had been granted.
        repositories: Vec<i64>,
    },
    /// A repository was granted to a team.
    RepositoryAdded {
        /// The team.
        team: TeamFacts,
        /// The repository.
        repository: RepoFacts,
        /// The level, 1 pull to 5 admin.
        level: i64,
    },
    /// A repository was created.
    RepositoryCreated {
        /// The repository.
        repository: RepoFacts,
    },
    /// Something about a repository was changed.
    RepositoryChanged {
        /// What.
        change: RepoChange,
        /// The repository as it is now.
        repository: RepoFacts,
        /// The repository as it was.
        before: RepoFacts,
    },
    /// A repository was deleted.
    RepositoryDeleted {
        /// The repository as it was.
        repository: RepoFacts,
        /// The teams that had been granted it.
        teams: Vec<i64>,
    },
    /// A repository was forked.
    RepositoryForked {
        /// The repository.
        repository: RepoFacts,
        /// The fork.
        fork: RepoFacts,
    },
    /// A team may do something else with a repository that it had been granted.
    RepositoryLevelChanged {
        /// The team.
        team: TeamFacts,
        /// The repository.
        repository: RepoFacts,
        /// The level as it was.
        before: i64,
        /// The level as it is now.
        level: i64,
    },
    /// A team has a repository no longer.
    RepositoryRemoved {
        /// The team.
        team: TeamFacts,
        /// The repository.
        repository: RepoFacts,
    },
    /// Somebody was given a level on a repository.
    CollaboratorAdded {
        /// The repository.
        repository: RepoFacts,
        /// The person.
        member: PersonFacts,
        /// The level, 1 pull to 5 admin.
        level: i64,
    },
    /// Somebody was given another level on a repository.
    CollaboratorChanged {
        /// The repository.
        repository: RepoFacts,
        /// The person.
        member: PersonFacts,
        /// The level as it was.
        before: i64,
        /// The level as it is now.
        level: i64,
    },
    /// Somebody was given no level on a repository any more.
    CollaboratorRemoved {
        /// The repository.
        repository: RepoFacts,
        /// The person.
        member: PersonFacts,
    },
    /// Somebody became an active member of a team.
    MemberAdded {
        /// The team.
        team: TeamFacts,
        /// The person.
        member: PersonFacts,
    },
    /// Somebody is no longer a member of a team, which goes on without them.
    MemberRemoved {
        /// The team.
        team: TeamFacts,
        /// The person.
        member: PersonFacts,
    },
    /// A discussion was created.
    DiscussionCreated {
        /// The discussion.
        discussion: DiscussionFacts,
        /// Identifiers of the people of the organization whom its text mentions.
        mentions: Vec<i64>,
    },
    /// A discussion was changed.
    DiscussionEdited {
        /// The discussion.
        discussion: DiscussionFacts,
    },
    /// A discussion was deleted with its comments.
    DiscussionDeleted {
        /// The discussion as it was.
        discussion: DiscussionFacts,
    },
    /// A comment was created.
    CommentCreated {
        /// The comment.
        comment: CommentFacts,
        /// Identifiers of the people of the organization whom its text mentions.
        mentions: Vec<i64>,
    },
    /// A comment was changed.
    CommentEdited {
        /// The comment.
        comment: CommentFacts,
    },
    /// A comment was deleted.
    CommentDeleted {
        /// The comment as it was.
        comment: CommentFacts,
    },
    /// Somebody was invited to the organization.
    PersonInvited {
        /// The invitation.
        invitation: InvitationFacts,
        /// The person, if they have an account.
        person: Option<PersonFacts>,
        /// Whether a mail shall be sent.
        mail: bool,
    },
    /// Somebody became a member of the organization.
    PersonJoined {
        /// The person.
        person: PersonFacts,
        /// `admin` or `member`.
        role: String,
    },
    /// Somebody left the organization.
    PersonLeft {
        /// The person.
        person: PersonFacts,
        /// The role they had.
        role: String,
    },
    /// A project was created.
    ProjectCreated {
        /// The project.
        project: ProjectFacts,
    },
    /// A project was changed.
    ProjectEdited {
        /// The project as it is now.
        project: ProjectFacts,
        /// The project as it was.
        before: ProjectFacts,
    },
    /// A project has ended.
    ProjectClosed {
        /// The project.
        project: ProjectFacts,
    },
    /// A project that had ended goes on.
    ProjectReopened {
        /// The project.
        project: ProjectFacts,
    },
    /// A project was deleted.
    ProjectDeleted {
        /// The project as it was.
        project: ProjectFacts,
    },
    /// Files were imported into the organization: one event for all of it.
    Imported {
        /// How many of each kind were created.
        created: BTreeMap<&'static str, u64>,
        /// How many changes were made to what was there.
        changed: u64,
    },
    /// The organization was created.
    OrganizationCreated,
    /// The organization has another login.
    OrganizationRenamed {
        /// The former login.
        from: String,
    },
}

impl Event {
    /// The name under which it is stored.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::TeamCreated { .. } => "team.created",
            Self::TeamEdited { .. } | Self::RepositoryLevelChanged { .. } => "team.edited",
            Self::TeamDeleted { .. } => "team.deleted",
            Self::RepositoryAdded { .. } => "team.added_to_repository",
            Self::RepositoryCreated { .. } => "repository.created",
            Self::RepositoryChanged { change, .. } => match change {
                RepoChange::Edited => "repository.edited",
                RepoChange::Renamed => "repository.renamed",
                RepoChange::Privatized => "repository.privatized",
                RepoChange::Publicized => "repository.publicized",
                RepoChange::Archived => "repository.archived",
                RepoChange::Unarchived => "repository.unarchived",
            },
            Self::RepositoryDeleted { .. } => "repository.deleted",
            Self::RepositoryForked { .. } => "fork",
            Self::RepositoryRemoved { .. } => "team.removed_from_repository",
            Self::CollaboratorAdded { .. } => "member.added",
            Self::CollaboratorChanged { .. } => "member.edited",
            Self::CollaboratorRemoved { .. } => "member.removed",
            Self::MemberAdded { .. } => "membership.added",
            Self::MemberRemoved { .. } => "membership.removed",
            Self::DiscussionCreated { .. } => "discussion.created",
            Self::DiscussionEdited { .. } => "discussion.edited",
            Self::DiscussionDeleted { .. } => "discussion.deleted",
            Self::CommentCreated { .. } => "discussion_comment.created",
            Self::CommentEdited { .. } => "discussion_comment.edited",
            Self::CommentDeleted { .. } => "discussion_comment.deleted",
            Self::PersonInvited { .. } => "organization.member_invited",
            Self::PersonJoined { .. } => "organization.member_added",
            Self::PersonLeft { .. } => "organization.member_removed",
            Self::ProjectCreated { .. } => "project.created",
            Self::ProjectEdited { .. } => "project.edited",
            Self::ProjectClosed { .. } => "project.closed",
            Self::ProjectReopened { .. } => "project.reopened",
            Self::ProjectDeleted { .. } => "project.deleted",
            Self::Imported { .. } => "organization.imported",
            Self::OrganizationCreated => "organization.created",
            Self::OrganizationRenamed { .. } => "organization.renamed",
        }
    }
}
