//! The facts of an entry that webhooks can receive, and the events that they result in, in order (decision 44).

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::journal::{InvitationFacts, PersonFacts, RepoChange, RepoFacts, TeamFacts};
use crate::repos::level::{Level, Permissions};

/// The content of an entry.
#[derive(Debug, Deserialize)]
pub struct Facts {
    /// What happened.
    #[serde(flatten)]
    pub happened: Happened,
    /// Whether the person who made the change administers the site.
    #[serde(default)]
    pub by_site_admin: bool,
}

/// What happened, as far as webhooks receive it.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Happened {
    /// A team was created.
    TeamCreated { team: TeamFacts },
    /// A team was changed.
    TeamEdited { team: TeamFacts, before: TeamFacts },
    /// A team was deleted.
    TeamDeleted { team: TeamFacts, parent: Option<TeamFacts>, members: Vec<PersonFacts>, repositories: Vec<RepoFacts> },
    /// A repository was granted to a team.
    RepositoryAdded { team: TeamFacts, repository: RepoFacts, level: i64 },
    /// The level of a team on a repository was changed.
    RepositoryLevelChanged { team: TeamFacts, repository: RepoFacts, before: i64, level: i64 },
    /// A repository was removed from a team.
    RepositoryRemoved { team: TeamFacts, repository: RepoFacts },
    /// A repository was created.
    RepositoryCreated { repository: RepoFacts },
    /// A repository was changed.
    RepositoryChanged { change: RepoChange, repository: RepoFacts, before: RepoFacts },
    /// A repository was deleted.
    RepositoryDeleted { repository: RepoFacts },
    /// A repository was forked.
    RepositoryForked { repository: RepoFacts, fork: RepoFacts },
    /// A collaborator was added to a repository.
    CollaboratorAdded { repository: RepoFacts, member: PersonFacts, level: i64 },
    /// The level of a collaborator was changed.
    CollaboratorChanged { repository: RepoFacts, member: PersonFacts, before: i64 },
    /// A collaborator was removed from a repository.
    CollaboratorRemoved { repository: RepoFacts, member: PersonFacts },
    /// A person became an active member of a team.
    MemberAdded { team: TeamFacts, member: PersonFacts },
    /// A person was removed from a team, which still exists.
    MemberRemoved { team: TeamFacts, member: PersonFacts },
    /// A person was invited to the organization.
    PersonInvited { invitation: InvitationFacts, person: Option<PersonFacts> },
    /// A person became a member of the organization.
    PersonJoined { person: PersonFacts, role: String },
    /// A person left the organization.
    PersonLeft { person: PersonFacts, role: String },
    /// The organization was created.
    OrganizationCreated,
    /// The organization was renamed.
    OrganizationRenamed { from: String },
    /// An account was created.
    UserCreated { user: PersonFacts },
    /// An account was deleted.
    UserDeleted { user: PersonFacts },
    /// A ping of a webhook was requested.
    HookPing { hook: i64 },
    /// A webhook was deleted.
    HookDeleted { hook: i64 },
    /// Anything else, which no webhook receives.
    #[serde(other)]
    Other,
}

/// One event that webhooks receive.
pub struct Part<'a> {
    /// Its name.
    pub event: &'static str,
    /// The action.
    pub action: Option<&'static str>,
    /// Its subject.
    pub about: About<'a>,
}

/// The subject of an event.
pub enum About<'a> {
    /// A team, with its changes and the repository concerned.
    Team {
        team: &'a TeamFacts,
        parent: Parent<'a>,
        changes: Option<Value>,
        repository: Option<(&'a RepoFacts, Option<Level>)>,
    },
    /// A membership of a team.
    Membership { team: &'a TeamFacts, member: &'a PersonFacts, deleted: bool },
    /// A repository, with its changes.
    Repository { repository: &'a RepoFacts, changes: Option<Value> },
    /// A fork of a repository.
    Fork { repository: &'a RepoFacts, fork: &'a RepoFacts },
    /// A collaborator of a repository, with what was changed.
    Collaborator { repository: &'a RepoFacts, member: &'a PersonFacts, changes: Option<Value> },
    /// A membership of the organization.
    Person { person: &'a PersonFacts, role: &'a str },
    /// An invitation.
    Invitation { invitation: &'a InvitationFacts, person: Option<&'a PersonFacts> },
    /// The organization, with its changes.
    Organization { changes: Option<Value> },
    /// An account.
    User(&'a PersonFacts),
    /// A webhook, which alone receives the event.
    Hook(i64),
}

/// Where the parent of a team is found.
#[derive(Clone, Copy)]
pub enum Parent<'a> {
    /// In the database.
    Stored,
    /// In the facts, because it may have been deleted with the team.
    Was(Option<&'a TeamFacts>),
}

/// The names of the webhook events for an entry that is stored under this name.
#[must_use]
pub fn names(stored: &str) -> &'static [&'static str] {
    match stored {
        "team.deleted" => &["membership", "team"],
        "team.added_to_repository" => &["team", "team_add"],
        "membership.added" | "membership.removed" => &["membership"],
        "ping" => &["ping"],
        "meta.deleted" => &["meta"],
        "fork" => &["fork"],
        _ if stored.starts_with("repository.") => &["repository"],
        _ if stored.starts_with("member.") => &["member"],
        _ if stored.starts_with("team.") => &["team"],
        _ if stored.starts_with("organization.") => &["organization"],
        _ if stored.starts_with("user.") => &["user"],
        _ => &[],
    }
}

impl Happened {
    /// The number of events that webhooks receive.
    #[must_use]
    pub fn parts(&self) -> usize {
        match self {
            Self::TeamDeleted { members, repositories, .. } => members.len() + repositories.len() + 1,
            Self::RepositoryAdded { .. } => 2,
            Self::Other => 0,
            _ => 1,
        }
    }

    /// The event with this number, from 0. Its name and its action are the same each time.
    #[must_use]
    pub fn part(&self, number: usize) -> Option<Part<'_>> {
        if number >= self.parts() {
            return None;
        }
        Some(match self {
            Self::TeamCreated { .. } | Self::TeamEdited { .. } => self.of_team()?,
            Self::TeamDeleted { .. } => self.of_deleted(number)?,
            Self::RepositoryAdded { .. } | Self::RepositoryLevelChanged { .. } | Self::RepositoryRemoved { .. } => {
                self.of_grant(number)?
            }
            Self::MemberAdded { team, member } => membership("added", team, member, false),
            Self::MemberRemoved { team, member } => membership("removed", team, member, false),
            Self::UserCreated { user } => Part { event: "user", action: Some("created"), about: About::User(user) },
            Self::UserDeleted { user } => Part { event: "user", action: Some("deleted"), about: About::User(user) },
            Self::HookPing { hook } => Part { event: "ping", action: None, about: About::Hook(*hook) },
            Self::HookDeleted { hook } => Part { event: "meta", action: Some("deleted"), about: About::Hook(*hook) },
            Self::RepositoryForked { repository, fork } => {
                Part { event: "fork", action: None, about: About::Fork { repository, fork } }
            }
            _ => self.of_repository().or_else(|| self.of_collaborator()).or_else(|| self.of_organization())?,
        })
    }

    fn of_repository(&self) -> Option<Part<'_>> {
        let (action, repository, changes) = match self {
            Self::RepositoryCreated { repository } => ("created", repository, None),
            Self::RepositoryDeleted { repository } => ("deleted", repository, None),
            Self::RepositoryChanged { change, repository, before } => match change {
                RepoChange::Edited => ("edited", repository, Some(edits(before, repository))),
                RepoChange::Renamed => {
                    let from = before.full_name.rsplit('/').next();
                    ("renamed", repository, Some(json!({ "repository": { "name": { "from": from } } })))
                }
                RepoChange::Privatized => ("privatized", repository, None),
                RepoChange::Publicized => ("publicized", repository, None),
                RepoChange::Archived => ("archived", repository, None),
                RepoChange::Unarchived => ("unarchived", repository, None),
            },
            _ => return None,
        };
        Some(Part { event: "repository", action: Some(action), about: About::Repository { repository, changes } })
    }

    fn of_collaborator(&self) -> Option<Part<'_>> {
        let word = |level: i64| Level::of_rank(level).map(Level::older_name);
        let (action, repository, member, changes) = match self {
            Self::CollaboratorAdded { repository, member, level } => {
                ("added", repository, member, Some(json!({ "permission": { "to": word(*level) } })))
            }
            Self::CollaboratorChanged { repository, member, before } => {
                ("edited", repository, member, Some(json!({ "old_permission": { "from": word(*before) } })))
            }
            Self::CollaboratorRemoved { repository, member } => ("removed", repository, member, None),
            _ => return None,
        };
        Some(Part { event: "member", action: Some(action), about: About::Collaborator { repository, member, changes } })
    }

    fn of_organization(&self) -> Option<Part<'_>> {
        let (action, about) = match self {
            Self::PersonInvited { invitation, person } => {
                ("member_invited", About::Invitation { invitation, person: person.as_ref() })
            }
            Self::PersonJoined { person, role } => ("member_added", About::Person { person, role }),
            Self::PersonLeft { person, role } => ("member_removed", About::Person { person, role }),
            Self::OrganizationCreated => ("created", About::Organization { changes: None }),
            Self::OrganizationRenamed { from } => {
                ("renamed", About::Organization { changes: Some(json!({ "login": { "from": from } })) })
            }
            _ => return None,
        };
        Some(Part { event: "organization", action: Some(action), about })
    }

    fn of_team(&self) -> Option<Part<'_>> {
        let (action, team, changes) = match self {
            Self::TeamCreated { team } => ("created", team, None),
            Self::TeamEdited { team, before } => ("edited", team, Some(changes(before, team))),
            _ => return None,
        };
        Some(of_team(action, About::Team { team, parent: Parent::Stored, changes, repository: None }))
    }

    /// The members leave first, then the repositories, then the team is deleted.
    fn of_deleted(&self, number: usize) -> Option<Part<'_>> {
        let Self::TeamDeleted { team, parent, members, repositories } = self else { return None };
        if let Some(member) = members.get(number) {
            return Some(membership("removed", team, member, true));
        }
        let parent = Parent::Was(parent.as_ref());
        let repository = repositories.get(number - members.len()).map(|repository| (repository, None));
        let action = if repository.is_some() { "removed_from_repository" } else { "deleted" };
        Some(of_team(action, About::Team { team, parent, changes: None, repository }))
    }

    fn of_grant(&self, number: usize) -> Option<Part<'_>> {
        let (action, team, repository, level, changes) = match self {
            Self::RepositoryAdded { team, repository, level } => {
                ("added_to_repository", team, repository, Level::of_rank(*level), None)
            }
            Self::RepositoryLevelChanged { team, repository, before, level } => {
                let was = Permissions::of(Level::of_rank(*before));
                let from = json!({ "admin": was.admin, "pull": was.pull, "push": was.push });
                let changes = json!({ "repository": { "permissions": { "from": from } } });
                ("edited", team, repository, Level::of_rank(*level), Some(changes))
            }
            Self::RepositoryRemoved { team, repository } => ("removed_from_repository", team, repository, None, None),
            _ => return None,
        };
        let about = About::Team { team, parent: Parent::Stored, changes, repository: Some((repository, level)) };
        let part = of_team(action, about);
        Some(if number == 0 { part } else { Part { event: "team_add", action: None, ..part } })
    }
}

fn of_team<'a>(action: &'static str, about: About<'a>) -> Part<'a> {
    Part { event: "team", action: Some(action), about }
}

fn membership<'a>(action: &'static str, team: &'a TeamFacts, member: &'a PersonFacts, deleted: bool) -> Part<'a> {
    Part { event: "membership", action: Some(action), about: About::Membership { team, member, deleted } }
}

/// The changes that receivers know; the parent and other settings are not among them.
fn changes(before: &TeamFacts, after: &TeamFacts) -> Value {
    let mut changes = Map::new();
    let mut note = |name: &str, before: &str, after: &str| {
        if before != after {
            changes.insert(name.to_owned(), json!({ "from": before }));
        }
    };
    note("name", &before.name, &after.name);
    let description = |team: &TeamFacts| team.description.clone().unwrap_or_default();
    note("description", &description(before), &description(after));
    note("privacy", &before.privacy, &after.privacy);
    changes.into()
}

/// The edits of a repository that receivers know.
fn edits(before: &RepoFacts, after: &RepoFacts) -> Value {
    let mut changes = Map::new();
    let mut note = |name: &str, before: Option<&str>, after: Option<&str>| {
        if before != after {
            changes.insert(name.to_owned(), json!({ "from": before }));
        }
    };
    note("description", before.description.as_deref(), after.description.as_deref());
    note("homepage", before.homepage.as_deref(), after.homepage.as_deref());
    note("default_branch", Some(&before.default_branch), Some(&after.default_branch));
    changes.into()
}

impl Part<'_> {
    /// The key of the order in which a webhook gets its deliveries: the team, or one key for all events without a team.
    #[must_use]
    pub fn order_key(&self) -> i64 {
        match self.about {
            About::Team { team, .. } | About::Membership { team, .. } => team.id,
            _ => 0,
        }
    }
}
