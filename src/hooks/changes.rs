//! The changes, as the payloads of webhooks show them (decision 44).

use serde_json::{Map, Value, json};

use crate::journal::{Changes, RepoFacts, TeamFacts};
use crate::repos::level::{Level, Permissions};

/// The field `changes` of a payload.
pub fn json(changes: &Changes<'_>) -> Value {
    let word = |level: i64| Level::of_rank(level).map(Level::older_name);
    match *changes {
        Changes::Team { before, after } => team(before, after),
        Changes::TeamLevel(before) => {
            let was = Permissions::of(Level::of_rank(before));
            let from = json!({ "admin": was.admin, "pull": was.pull, "push": was.push });
            json!({ "repository": { "permissions": { "from": from } } })
        }
        Changes::Repository { before, after } => repository(before, after),
        Changes::RepositoryName { before } => {
            json!({ "repository": { "name": { "from": before.full_name.rsplit('/').next() } } })
        }
        Changes::NewLevel(level) => json!({ "permission": { "to": word(level) } }),
        Changes::Level(before) => json!({ "old_permission": { "from": word(before) } }),
        Changes::Login(from) => json!({ "login": { "from": from } }),
    }
}

/// The changes that receivers know; the parent and other settings are not among them.
fn team(before: &TeamFacts, after: &TeamFacts) -> Value {
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
fn repository(before: &RepoFacts, after: &RepoFacts) -> Value {
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
