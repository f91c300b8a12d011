//! The events, one row for each: the name that is stored, the events that webhooks receive, and the notification of
//! people. Implements decision 44.

use super::event_part::{About, Changes, Notification, Part, Post};
use super::{Event, RepoChange};

/// The properties of an event that its name alone determines.
#[derive(Debug)]
pub struct EventKind {
    /// The name that is stored.
    pub(super) name: &'static str,
    /// The subject of an event that concerns nothing else.
    of: Option<Subject>,
    /// The events that webhooks receive, in this order, with their actions.
    pub webhooks: &'static [(&'static str, Option<&'static str>)],
    /// True if people are notified of it.
    pub notifies_people: bool,
}

/// The subject of an event that concerns nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// Posts.
    Posts,
    /// One webhook, which receives it, active or not.
    OneWebhook,
}

impl EventKind {
    /// Every kind.
    #[must_use]
    pub fn all() -> &'static [Self] {
        KINDS
    }

    /// The kinds of the events that are stored under a name; none if it is of a newer release.
    pub fn named(name: &str) -> impl Iterator<Item = &'static Self> {
        KINDS.iter().filter(move |kind| kind.name == name)
    }

    /// True if it concerns only posts.
    pub(super) fn is_of_posts(&self) -> bool {
        self.of == Some(Subject::Posts)
    }

    /// True if only the webhook that it is about receives it.
    #[must_use]
    pub fn is_for_one_webhook(&self) -> bool {
        self.of == Some(Subject::OneWebhook)
    }
}

const fn only<T: Copy>(values: &[T]) -> Option<T> {
    if let [value] = values { Some(*value) } else { None }
}

/// Makes the kinds and the parts of the rows. A row has an event with the fields that are needed, the name that is stored,
/// and what it concerns alone. Below that are the name and the action of each event that webhooks receive, with the
/// subjects of the parts, and the notification of people.
macro_rules! events {
    ($(
        $event:ident $({ $($field:tt)* })? => $name:literal $(of $subject:ident)? {
            $($sent:literal $($action:literal)? => $about:expr,)*
            $(people => $notification:expr,)?
        }
    )*) => {
        static KINDS: &[EventKind] = &[$(
            events!(@kind $name [$($subject)?] [$($sent [$($action)?])*] [$($notification)?])
        ),*];

        #[expect(unused_variables, reason = "a row names the fields that any of these functions needs")]
        impl Event {
            /// The properties that its name alone determines.
            #[must_use]
            pub fn kind(&self) -> &'static EventKind {
                match self {
                    $(Self::$event $({ $($field)* })? => const {
                        &events!(@kind $name [$($subject)?] [$($sent [$($action)?])*] [$($notification)?])
                    },)*
                }
            }

            /// The events that webhooks receive, in order. Their names and actions are the same each time.
            #[must_use]
            pub(crate) fn parts(&self) -> Vec<Part<'_>> {
                let mut parts = Vec::new();
                match self {
                    $(Self::$event $({ $($field)* })? => {
                        $(parts.extend($about.into_iter().map(|about| {
                            Part { event: $sent, action: const { only(&[$($action)?]) }, about }
                        }));)*
                    })*
                }
                parts
            }

            /// The notification of people, if there is one.
            #[must_use]
            pub(crate) fn notification(&self) -> Option<Notification<'_>> {
                match self {
                    $(Self::$event $({ $($field)* })? => [$($notification)?].into_iter().next(),)*
                }
            }
        }
    };
    (@kind $name:literal [$($subject:ident)?] [$($sent:literal [$($action:literal)?])*] [$($notification:expr)?]) => {
        EventKind {
            name: $name,
            of: only(&[$(Subject::$subject)?]),
            webhooks: &[$(($sent, only(&[$($action)?]))),*],
            notifies_people: only::<&str>(&[$(stringify!($notification))?]).is_some(),
        }
    };
}

events! {
    TeamCreated { team } => "team.created" {
        "team" "created" => [About::team(team, None)],
    }
    TeamEdited { team, before } => "team.edited" {
        "team" "edited" => [About::team(team, Some(Changes::Team { before, after: team }))],
    }
    TeamDeleted { team, parent, members, repositories } => "team.deleted" {
        "membership" "removed" => members.iter().map(|member| About::Membership { team, member, deleted: true }),
        "team" "removed_from_repository" =>
            repositories.iter().map(|repository| About::deleted(team, parent.as_ref(), Some(repository))),
        "team" "deleted" => [About::deleted(team, parent.as_ref(), None)],
    }
    RepositoryAdded { team, repository, level } => "team.added_to_repository" {
        "team" "added_to_repository" => [About::grant(team, repository, Some(*level), None)],
        "team_add" => [About::grant(team, repository, Some(*level), None)],
    }
    RepositoryLevelChanged { team, repository, before, level } => "team.edited" {
        "team" "edited" => [About::grant(team, repository, Some(*level), Some(Changes::TeamLevel(*before)))],
    }
    RepositoryRemoved { team, repository } => "team.removed_from_repository" {
        "team" "removed_from_repository" => [About::grant(team, repository, None, None)],
    }
    RepositoryCreated { repository } => "repository.created" {
        "repository" "created" => [About::Repository { repository, changes: None }],
    }
    RepositoryChanged { change: RepoChange::Edited, repository, before } => "repository.edited" {
        "repository" "edited" =>
            [About::Repository { repository, changes: Some(Changes::Repository { before, after: repository }) }],
    }
    RepositoryChanged { change: RepoChange::Renamed, repository, before } => "repository.renamed" {
        "repository" "renamed" =>
            [About::Repository { repository, changes: Some(Changes::RepositoryName { before }) }],
    }
    RepositoryChanged { change: RepoChange::Privatized, repository, .. } => "repository.privatized" {
        "repository" "privatized" => [About::Repository { repository, changes: None }],
    }
    RepositoryChanged { change: RepoChange::Publicized, repository, .. } => "repository.publicized" {
        "repository" "publicized" => [About::Repository { repository, changes: None }],
    }
    RepositoryChanged { change: RepoChange::Archived, repository, .. } => "repository.archived" {
        "repository" "archived" => [About::Repository { repository, changes: None }],
    }
    RepositoryChanged { change: RepoChange::Unarchived, repository, .. } => "repository.unarchived" {
        "repository" "unarchived" => [About::Repository { repository, changes: None }],
    }
    RepositoryDeleted { repository } => "repository.deleted" {
        "repository" "deleted" => [About::Repository { repository, changes: None }],
    }
    RepositoryForked { repository, fork } => "fork" {
        "fork" => [About::Fork { repository, fork }],
    }
    CollaboratorAdded { repository, member, level } => "member.added" {
        "member" "added" => [About::Collaborator { repository, member, changes: Some(Changes::NewLevel(*level)) }],
    }
    CollaboratorChanged { repository, member, before, .. } => "member.edited" {
        "member" "edited" => [About::Collaborator { repository, member, changes: Some(Changes::Level(*before)) }],
    }
    CollaboratorRemoved { repository, member } => "member.removed" {
        "member" "removed" => [About::Collaborator { repository, member, changes: None }],
    }
    MemberAdded { team, member } => "membership.added" {
        "membership" "added" => [About::Membership { team, member, deleted: false }],
    }
    MemberRemoved { team, member } => "membership.removed" {
        "membership" "removed" => [About::Membership { team, member, deleted: false }],
    }
    DiscussionCreated { discussion, mentions } => "discussion.created" of Posts {
        people => Notification::Post { post: Post::Discussion(discussion), mentions, edited: false },
    }
    DiscussionEdited { discussion, mentions } => "discussion.edited" of Posts {
        people => Notification::Post { post: Post::Discussion(discussion), mentions, edited: true },
    }
    DiscussionDeleted { .. } => "discussion.deleted" of Posts {}
    CommentCreated { comment, mentions } => "discussion_comment.created" of Posts {
        people => Notification::Post { post: Post::Comment(comment), mentions, edited: false },
    }
    CommentEdited { comment, mentions } => "discussion_comment.edited" of Posts {
        people => Notification::Post { post: Post::Comment(comment), mentions, edited: true },
    }
    CommentDeleted { .. } => "discussion_comment.deleted" of Posts {}
    PersonInvited { invitation, person, mail, generation } => "organization.member_invited" {
        "organization" "member_invited" => [About::Invitation { invitation, person: person.as_ref() }],
        people => Notification::Invitation { invitation: invitation.id, generation: *generation, mail: *mail },
    }
    InvitationMailed { invitation, generation } => "invitation.mailed" {
        people => Notification::Invitation { invitation: *invitation, generation: *generation, mail: true },
    }
    InvitationReminded { invitation, generation } => "invitation.reminded" {
        people => Notification::Reminder { invitation: *invitation, generation: *generation },
    }
    MembershipEnds { team, user, expires_at } => "membership.ends" {
        people => Notification::MembershipEnds { team: *team, user: *user, expires_at: *expires_at },
    }
    InvitationAccepted { invitation, inviter, person, teams } => "invitation.accepted" {
        people =>
            Notification::Acceptance { invitation: *invitation, inviter: *inviter, person: person.id, teams },
    }
    PersonJoined { person, role } => "organization.member_added" {
        "organization" "member_added" => [About::Person { person, role }],
    }
    PersonLeft { person, role } => "organization.member_removed" {
        "organization" "member_removed" => [About::Person { person, role }],
    }
    ProjectCreated { .. } => "project.created" {}
    ProjectEdited { .. } => "project.edited" {}
    ProjectClosed { .. } => "project.closed" {}
    ProjectReopened { .. } => "project.reopened" {}
    ProjectDeleted { .. } => "project.deleted" {}
    Imported { .. } => "organization.imported" {}
    UserCreated { user } => "user.created" {
        "user" "created" => [About::User(user)],
    }
    UserDeleted { user } => "user.deleted" {
        "user" "deleted" => [About::User(user)],
    }
    EmailAdded { user, email, generation } => "email.added" {
        people => Notification::EmailAdded { user: *user, email: *email, generation: *generation },
    }
    EmailChanged { user, address, change } => "email.changed" {
        people => Notification::EmailChanged { user: *user, address, change: *change },
    }
    SignInAsked { sign_in, user, signs_up } => "sign_in.asked" {
        people => Notification::SignIn { sign_in: *sign_in, user: *user, signs_up: *signs_up },
    }
    ApplicationAsked { application, person } => "application.asked" {
        people => Notification::ApplicationAsked { application: *application, person: *person },
    }
    JoinAsked { team, request } => "team.join_asked" {
        people => Notification::JoinAsked { team: *team, request: *request },
    }
    JoinDecided { request, person } => "team.join_decided" {
        people => Notification::JoinDecided { request: *request, person: *person },
    }
    HookPing { hook } => "ping" of OneWebhook {
        "ping" => [About::Hook(*hook)],
    }
    HookSwitchedOff { hook } => "hook.switched_off" {
        people => Notification::HookOff { hook: *hook },
    }
    HookDeleted { hook } => "meta.deleted" of OneWebhook {
        "meta" "deleted" => [About::Hook(*hook)],
    }
    OrganizationCreated => "organization.created" {
        "organization" "created" => [About::Organization { changes: None }],
    }
    OrganizationRenamed { from } => "organization.renamed" {
        "organization" "renamed" => [About::Organization { changes: Some(Changes::Login(from)) }],
    }
    OrganizationDeleted => "organization.deleted" {
        "organization" "deleted" => [About::Organization { changes: None }],
    }
    Unknown => "unknown" {}
}
