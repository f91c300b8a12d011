//! Every event, with all facts that its payload needs, as they were at the time of the change. Implements decisions 44
//! and 45.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::facts::{
    CommentFacts, DiscussionFacts, EmailChange, InvitationFacts, Mentions, PersonFacts, ProjectFacts, TeamFacts,
};
use super::repository::{RepoChange, RepoFacts};

/// An event in an organization. `event_kind.rs` has a row for each event.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
        /// Its parent.
        parent: Option<TeamFacts>,
        /// Its direct members, who are removed with it.
        members: Vec<PersonFacts>,
        /// The repositories that were granted to it.
        repositories: Vec<RepoFacts>,
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
    /// A repository was changed.
    RepositoryChanged {
        /// The change.
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
    },
    /// A repository was forked.
    RepositoryForked {
        /// The repository.
        repository: RepoFacts,
        /// The fork.
        fork: RepoFacts,
    },
    /// The level of a team on a repository was changed.
    RepositoryLevelChanged {
        /// The team.
        team: TeamFacts,
        /// The repository.
        repository: RepoFacts,
        /// The level before.
        before: i64,
        /// The level after.
        level: i64,
    },
    /// A repository was removed from a team.
    RepositoryRemoved {
        /// The team.
        team: TeamFacts,
        /// The repository.
        repository: RepoFacts,
    },
    /// A collaborator was added to a repository.
    CollaboratorAdded {
        /// The repository.
        repository: RepoFacts,
        /// The person.
        member: PersonFacts,
        /// The level, 1 pull to 5 admin.
        level: i64,
    },
    /// The level of a collaborator was changed.
    CollaboratorChanged {
        /// The repository.
        repository: RepoFacts,
        /// The person.
        member: PersonFacts,
        /// The level before.
        before: i64,
        /// The level after.
        level: i64,
    },
    /// A collaborator was removed from a repository.
    CollaboratorRemoved {
        /// The repository.
        repository: RepoFacts,
        /// The person.
        member: PersonFacts,
    },
    /// A person became an active member of a team.
    MemberAdded {
        /// The team.
        team: TeamFacts,
        /// The person.
        member: PersonFacts,
    },
    /// A person was removed from a team, which still exists.
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
        /// The people and teams that its text mentions.
        #[serde(flatten)]
        mentions: Mentions,
    },
    /// A discussion was changed.
    DiscussionEdited {
        /// The discussion.
        discussion: DiscussionFacts,
        /// The people and teams that its text mentions and the previous text did not.
        #[serde(flatten)]
        mentions: Mentions,
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
        /// The people and teams that its text mentions.
        #[serde(flatten)]
        mentions: Mentions,
    },
    /// A comment was changed.
    CommentEdited {
        /// The comment.
        comment: CommentFacts,
        /// The people and teams that its text mentions and the previous text did not.
        #[serde(flatten)]
        mentions: Mentions,
    },
    /// A comment was deleted.
    CommentDeleted {
        /// The comment as it was.
        comment: CommentFacts,
    },
    /// A person was invited to the organization.
    PersonInvited {
        /// The invitation.
        invitation: InvitationFacts,
        /// The person, if they have an account.
        person: Option<PersonFacts>,
        /// True to send an e-mail.
        mail: bool,
        /// The generation of the link in that e-mail. Entries that are older than generations are about the first one.
        #[serde(default = "first")]
        generation: i64,
    },
    /// An invitation was made by the first load of an organization, which announces none, and is to be sent by e-mail.
    InvitationMailed {
        /// Identifier of the invitation.
        invitation: i64,
        /// The generation of the link in the e-mail.
        generation: i64,
    },
    /// A person has not answered an invitation for half of its validity.
    InvitationReminded {
        /// Identifier of the invitation.
        invitation: i64,
        /// The generation of the link in the e-mail.
        generation: i64,
    },
    /// A membership of a team ends in a week.
    MembershipEnds {
        /// Identifier of the team.
        team: i64,
        /// Identifier of the person.
        user: i64,
        /// The time at which it ends, in microseconds since 1970 UTC.
        expires_at: i64,
    },
    /// A person accepted an invitation.
    InvitationAccepted {
        /// Identifier of the invitation.
        invitation: i64,
        /// Identifier of the inviter, unless there is none or their account is gone.
        inviter: Option<i64>,
        /// The person who accepted.
        person: PersonFacts,
        /// Names of the teams that they joined.
        teams: Vec<String>,
    },
    /// A person became a member of the organization.
    PersonJoined {
        /// The person.
        person: PersonFacts,
        /// `admin` or `member`.
        role: String,
    },
    /// A person left the organization.
    PersonLeft {
        /// The person.
        person: PersonFacts,
        /// The role that they had.
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
    /// A project was closed.
    ProjectClosed {
        /// The project.
        project: ProjectFacts,
    },
    /// A closed project was reopened.
    ProjectReopened {
        /// The project.
        project: ProjectFacts,
    },
    /// A project was deleted.
    ProjectDeleted {
        /// The project as it was.
        project: ProjectFacts,
    },
    /// The organization was made from a file. There is one event for its whole content.
    Imported {
        /// Number of created records, by kind.
        created: BTreeMap<String, u64>,
    },
    /// An account was created by a site administrator.
    UserCreated {
        /// The person.
        user: PersonFacts,
    },
    /// An account was deleted.
    UserDeleted {
        /// The person.
        user: PersonFacts,
    },
    /// An e-mail address was added to an account and is not verified, or its link is sent again.
    EmailAdded {
        /// ID of the person.
        user: i64,
        /// ID of the e-mail address.
        email: i64,
        /// The number of times that the link was sent, with this one.
        generation: i64,
    },
    /// The e-mail addresses of an account changed, and an address that it had before is told.
    EmailChanged {
        /// ID of the person.
        user: i64,
        /// The address that is told.
        address: String,
        /// The change.
        change: EmailChange,
    },
    /// A code and a link that sign in were asked for.
    SignInAsked {
        /// Identifier of the sign-in.
        sign_in: i64,
        /// The person, unless no account has the e-mail address.
        user: Option<i64>,
        /// True if the code makes an account.
        #[serde(default)]
        signs_up: bool,
    },
    /// The owners of the organization were asked to let an application in.
    ApplicationAsked {
        /// ID of the application.
        application: i64,
        /// ID of the person who asked.
        person: i64,
    },
    /// A member asked to join a team, and the people who decide are told.
    JoinAsked {
        /// ID of the team.
        team: i64,
        /// ID of the request.
        request: i64,
    },
    /// A request to join a team was approved or declined.
    JoinDecided {
        /// ID of the request.
        request: i64,
        /// ID of the person who asked.
        person: i64,
    },
    /// A webhook is tested, because it is new or because a person asked for a test.
    HookPing {
        /// ID of the webhook.
        hook: i64,
    },
    /// A webhook was disabled, because no delivery to it succeeded.
    HookSwitchedOff {
        /// ID of the webhook.
        hook: i64,
    },
    /// A webhook was deleted. Its row remains until the receivers were notified.
    HookDeleted {
        /// ID of the webhook.
        hook: i64,
    },
    /// The organization was created.
    OrganizationCreated,
    /// The organization was renamed.
    OrganizationRenamed {
        /// The previous login.
        from: String,
    },
    /// The organization was deleted.
    OrganizationDeleted,
    /// An event of a newer release, which this one only reads.
    #[serde(other)]
    Unknown,
}

fn first() -> i64 {
    1
}
