//! The parts of an event, which are the events that webhooks receive (decision 44), and the notification of people
//! (decisions 25, 37 and 46).

use super::facts::{CommentFacts, DiscussionFacts, EmailChange, InvitationFacts, Mentions, PersonFacts, TeamFacts};
use super::repository::RepoFacts;

/// One event that webhooks receive.
#[derive(Debug)]
pub struct Part<'a> {
    /// Its name.
    pub event: &'static str,
    /// The action.
    pub action: Option<&'static str>,
    /// Its subject.
    pub about: About<'a>,
}

/// The subject of an event.
#[derive(Debug)]
pub enum About<'a> {
    /// A team, with its changes and the repository concerned, and the level of the team on that.
    Team {
        team: &'a TeamFacts,
        parent: Parent<'a>,
        changes: Option<Changes<'a>>,
        repository: Option<(&'a RepoFacts, Option<i64>)>,
    },
    /// A membership of a team.
    Membership { team: &'a TeamFacts, member: &'a PersonFacts, deleted: bool },
    /// A repository, with its changes.
    Repository { repository: &'a RepoFacts, changes: Option<Changes<'a>> },
    /// A fork of a repository.
    Fork { repository: &'a RepoFacts, fork: &'a RepoFacts },
    /// A collaborator of a repository, with what was changed.
    Collaborator { repository: &'a RepoFacts, member: &'a PersonFacts, changes: Option<Changes<'a>> },
    /// A membership of the organization.
    Person { person: &'a PersonFacts, role: &'a str },
    /// An invitation.
    Invitation { invitation: &'a InvitationFacts, person: Option<&'a PersonFacts> },
    /// The organization, with its changes.
    Organization { changes: Option<Changes<'a>> },
    /// An account.
    User(&'a PersonFacts),
    /// A webhook, which alone receives the event.
    Hook(i64),
}

/// The place where the parent of a team is found.
#[derive(Debug, Clone, Copy)]
pub enum Parent<'a> {
    /// In the database.
    Stored,
    /// In the facts, because it may have been deleted with the team.
    Was(Option<&'a TeamFacts>),
}

/// The changes, with the values before. A level is 1 pull to 5 admin.
#[derive(Debug, Clone, Copy)]
pub enum Changes<'a> {
    /// A team.
    Team { before: &'a TeamFacts, after: &'a TeamFacts },
    /// The level of a team on a repository, which was this.
    TeamLevel(i64),
    /// The settings of a repository.
    Repository { before: &'a RepoFacts, after: &'a RepoFacts },
    /// The name of a repository.
    RepositoryName { before: &'a RepoFacts },
    /// The level of a new collaborator, which is this.
    NewLevel(i64),
    /// The level of a collaborator, which was this.
    Level(i64),
    /// The login of the organization, which was this.
    Login(&'a str),
}

impl<'a> About<'a> {
    /// A team that exists.
    pub(super) fn team(team: &'a TeamFacts, changes: Option<Changes<'a>>) -> Self {
        Self::Team { team, parent: Parent::Stored, changes, repository: None }
    }

    /// A grant of a repository to a team, at this level; none if it was removed.
    pub(super) fn grant(
        team: &'a TeamFacts,
        repository: &'a RepoFacts,
        level: Option<i64>,
        changes: Option<Changes<'a>>,
    ) -> Self {
        Self::Team { team, parent: Parent::Stored, changes, repository: Some((repository, level)) }
    }

    /// A team that was deleted, or its grant of a repository.
    pub(super) fn deleted(
        team: &'a TeamFacts,
        parent: Option<&'a TeamFacts>,
        repository: Option<&'a RepoFacts>,
    ) -> Self {
        let repository = repository.map(|repository| (repository, None));
        Self::Team { team, parent: Parent::Was(parent), changes: None, repository }
    }

    /// The key of the order in which a webhook gets its deliveries: the team, or one key for all events without a team.
    #[must_use]
    pub fn order_key(&self) -> i64 {
        match self {
            Self::Team { team, .. } | Self::Membership { team, .. } => team.id,
            Self::Repository { .. }
            | Self::Fork { .. }
            | Self::Collaborator { .. }
            | Self::Person { .. }
            | Self::Invitation { .. }
            | Self::Organization { .. }
            | Self::User(_)
            | Self::Hook(_) => 0,
        }
    }
}

/// A notification of people, by e-mail or in their inboxes.
#[derive(Debug)]
pub enum Notification<'a> {
    /// An invitation. An e-mail is sent only if `mail` is true.
    Invitation { invitation: i64, generation: i64, mail: bool },
    /// An invitation that waits for an answer.
    Reminder { invitation: i64, generation: i64 },
    /// A membership of a team that ends at this time; for this person.
    MembershipEnds { team: i64, user: i64, expires_at: i64 },
    /// An invitation that this person accepted; for the inviter.
    Acceptance { invitation: i64, inviter: Option<i64>, person: i64, teams: &'a [String] },
    /// A code and a link that sign in; for this person, or for a person who makes an account with it, if there is one.
    SignIn { sign_in: i64, user: Option<i64>, signs_up: bool },
    /// An application that owners were asked to let in, and the person who asked.
    ApplicationAsked { application: i64, person: i64 },
    /// A request to join this team, for the people who decide.
    JoinAsked { team: i64, request: i64 },
    /// A decision about a request to join a team, for this person, who asked.
    JoinDecided { request: i64, person: i64 },
    /// A webhook that was disabled.
    HookOff { hook: i64 },
    /// An unverified e-mail address, which gets its link.
    EmailAdded { user: i64, email: i64, generation: i64 },
    /// A change of a person's e-mail addresses, for an address that they had before.
    EmailChanged { user: i64, address: &'a str, change: EmailChange },
    /// A post, which is new or was edited.
    Post { post: Post<'a>, mentions: &'a Mentions, edited: bool },
}

/// A discussion or a comment.
#[derive(Debug, Clone, Copy)]
pub enum Post<'a> {
    /// A discussion.
    Discussion(&'a DiscussionFacts),
    /// A comment.
    Comment(&'a CommentFacts),
}

impl<'a> Post<'a> {
    /// The discussion that it is or belongs to.
    #[must_use]
    pub fn discussion(self) -> &'a DiscussionFacts {
        match self {
            Self::Discussion(discussion) => discussion,
            Self::Comment(comment) => &comment.discussion,
        }
    }
}

impl Notification<'_> {
    /// True if there may be a recipient. A post has none if its team has notifications switched off (decision 37), and
    /// an edited one has none unless the edit mentions more people or teams.
    pub(super) fn is_wanted(&self) -> bool {
        match self {
            Self::Post { post, mentions, edited } => {
                post.discussion().team.notifies() && !(*edited && mentions.is_empty())
            }
            Self::Invitation { .. }
            | Self::Reminder { .. }
            | Self::MembershipEnds { .. }
            | Self::Acceptance { .. }
            | Self::ApplicationAsked { .. }
            | Self::JoinAsked { .. }
            | Self::JoinDecided { .. }
            | Self::HookOff { .. }
            | Self::EmailAdded { .. }
            | Self::EmailChanged { .. }
            | Self::SignIn { .. } => true,
        }
    }
}
