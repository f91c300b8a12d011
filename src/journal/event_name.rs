//! The names of events, as they are stored.

use super::{Event, RepoChange};

/// The names of the events that people are notified of, by e-mail or in their inboxes.
pub const NOTIFIES_PEOPLE: [&str; 9] = [
    "discussion.created",
    "discussion.edited",
    "discussion_comment.created",
    "discussion_comment.edited",
    "hook.switched_off",
    "invitation.accepted",
    "invitation.mailed",
    "invitation.reminded",
    "organization.member_invited",
];

impl Event {
    /// The name that is stored.
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
            Self::InvitationMailed { .. } => "invitation.mailed",
            Self::InvitationReminded { .. } => "invitation.reminded",
            Self::InvitationAccepted { .. } => "invitation.accepted",
            Self::PersonJoined { .. } => "organization.member_added",
            Self::PersonLeft { .. } => "organization.member_removed",
            Self::ProjectCreated { .. } => "project.created",
            Self::ProjectEdited { .. } => "project.edited",
            Self::ProjectClosed { .. } => "project.closed",
            Self::ProjectReopened { .. } => "project.reopened",
            Self::ProjectDeleted { .. } => "project.deleted",
            Self::Imported { .. } => "organization.imported",
            Self::UserCreated { .. } => "user.created",
            Self::UserDeleted { .. } => "user.deleted",
            Self::HookPing { .. } => "ping",
            Self::HookSwitchedOff { .. } => "hook.switched_off",
            Self::HookDeleted { .. } => "meta.deleted",
            Self::OrganizationCreated => "organization.created",
            Self::OrganizationRenamed { .. } => "organization.renamed",
        }
    }

    /// Whether it may have a recipient although no webhook listens: people are notified of it, unless its team has
    /// notifications switched off (decision 37), or it concerns one webhook, active or not.
    #[must_use]
    pub(super) fn is_wanted_always(&self) -> bool {
        match self {
            Self::DiscussionCreated { discussion, .. } => discussion.team.notifies(),
            Self::CommentCreated { comment, .. } => comment.discussion.team.notifies(),
            Self::DiscussionEdited { discussion, mentions } => !mentions.is_empty() && discussion.team.notifies(),
            Self::CommentEdited { comment, mentions } => !mentions.is_empty() && comment.discussion.team.notifies(),
            Self::HookPing { .. } | Self::HookDeleted { .. } => true,
            _ => NOTIFIES_PEOPLE.contains(&self.name()),
        }
    }

    /// Whether it only concerns posts.
    #[must_use]
    pub(super) fn is_of_posts(&self) -> bool {
        self.name().starts_with("discussion")
    }
}
