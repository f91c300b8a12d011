//! The report of an import into an organization that exists: its plan, in the words of the report.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Action, Change, Item, Kind, Plan};
use crate::import::desired::Role;
use crate::import::fault::shown;
use crate::import::{Created, OrgReport};
use crate::people::login;

/// The report of a plan that was carried out, with e-mails to the people who are invited or without.
pub fn of(plan: &Plan, mail: bool) -> OrgReport {
    let mut report = OrgReport {
        login: plan.org.clone(),
        skipped: plan.skipped.clone(),
        not_kept: plan.not_kept.clone(),
        beyond: plan.not_in_file.iter().map(left).collect(),
        mail,
        ..OrgReport::default()
    };
    // A login without an account may be spelled in several ways.
    let mut teams: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for change in plan.changes.iter().filter(|change| change.kind == Kind::TeamMember) {
        teams.entry(login::key(&change.subject)).or_default().push(team(change.team.as_ref()));
    }
    if plan.changes.iter().any(|change| change.kind == Kind::Setting) {
        report.changed.push("profile and settings of the organization".to_owned());
    }
    for change in &plan.changes {
        match created(change.kind).filter(|_| change.action == Action::Add) {
            Some(created) => report.created(created, 1),
            None => report.changed.extend(changed(change)),
        }
        if (change.kind, change.action) == (Kind::Invitation, Action::Add) {
            report.invited.push(invited(change, teams.get(&login::key(&change.subject)).map_or(&[], Vec::as_slice)));
        }
    }
    report
}

/// The word under which new subjects are counted.
fn created(kind: Kind) -> Option<Created> {
    Some(match kind {
        Kind::Setting | Kind::PublicMember => return None,
        Kind::Organization => Created::Organization,
        Kind::Account => Created::Account,
        Kind::Member => Created::Member,
        Kind::SecurityManager => Created::SecurityManager,
        Kind::Repository => Created::Repository,
        Kind::FormerRepositoryName | Kind::FormerTeamName => Created::FormerName,
        Kind::Collaborator => Created::Collaborator,
        Kind::Project => Created::Project,
        Kind::ProjectCollaborator => Created::ProjectCollaborator,
        Kind::Team => Created::Team,
        Kind::Invitation => Created::Invitation,
        Kind::TeamMember => Created::Membership,
        Kind::Grant => Created::Grant,
        Kind::ProjectGrant => Created::ProjectGrant,
    })
}

/// A change of something that was there before; none for a setting, which has no line of its own.
fn changed(change: &Change) -> Option<String> {
    let (who, after) = (&change.subject, word(&change.after));
    let team = team(change.team.as_ref());
    Some(match change.kind {
        Kind::Setting | Kind::Organization | Kind::Account => return None,
        Kind::Member => format!("{who} is now {}", role(after)),
        Kind::PublicMember => format!("{who} is now a public member"),
        Kind::SecurityManager => format!("team {team}: no longer a security manager"),
        Kind::Repository => match change.before["name"].as_str() {
            Some(before) => format!("repository {who}: renamed from {before}"),
            None => format!("settings of repository {who}"),
        },
        Kind::FormerRepositoryName => format!("the former name {who} now redirects to repository {after}"),
        Kind::FormerTeamName => format!("the former name {who} now redirects to team {team}"),
        Kind::Collaborator => {
            let (repo, login) = parts(who);
            format!("{login} now has {after} on repository {repo}")
        }
        Kind::Project => format!("settings of project {who}"),
        Kind::ProjectCollaborator => {
            let (project, login) = parts(who);
            format!("{login} now has {after} on project {project}")
        }
        Kind::Team => format!("team {}: {}", shown(who), fields(change).join(", ")),
        Kind::Invitation => format!("the invitation of {who} is now for {after}"),
        Kind::TeamMember => format!("{who} is now {after} of team {team}"),
        Kind::Grant => granted(change, &team, "repository"),
        Kind::ProjectGrant => granted(change, &team, "project"),
    })
}

fn granted(change: &Change, team: &str, what: &str) -> String {
    let subject = &change.subject;
    match change.action {
        Action::Remove => format!("team {team} no longer has access to {what} {subject}"),
        _ => format!("team {team} now has {} on {what} {subject}", word(&change.after)),
    }
}

/// The fields of a team that changed, with those values that say something.
fn fields(change: &Change) -> Vec<String> {
    let fields = change.after.as_object().into_iter().flatten();
    let field = |(key, value): (&String, &Value)| match key.as_str() {
        "name" => format!("renamed from {}", shown(word(&change.before["name"]))),
        "description" | "parent" => key.clone(),
        "review_request_delegation" => "review requests".to_owned(),
        _ => format!("{key} {}", word(value)),
    };
    fields.map(field).collect()
}

/// An invitation: the person, the role and the teams.
fn invited(change: &Change, teams: &[String]) -> String {
    let role = change.after.get("role").unwrap_or(&change.after);
    let mut line = format!("{} as {}", change.subject, word(role));
    match teams.len() {
        0 => {}
        1 => line.push_str(", to team "),
        _ => line.push_str(", to teams "),
    }
    line.push_str(&teams.join(", "));
    line
}

/// An item that stays.
fn left(item: &Item) -> String {
    let (subject, value, team) = (&item.subject, word(&item.value), team(item.team.as_ref()));
    match item.kind {
        Kind::Member => format!("{subject} ({})", role(value)),
        Kind::PublicMember => format!("that {subject} is a public member"),
        Kind::SecurityManager if item.team.is_some() => format!("that team {team} is a security manager"),
        Kind::SecurityManager => format!("that {subject} is a security manager"),
        Kind::Repository => format!("repository {subject}"),
        Kind::Collaborator => {
            let (repo, login) = parts(subject);
            format!("{login} on repository {repo} with {value}")
        }
        Kind::Project => format!("project {subject} {}", shown(word(&item.value["name"]))),
        Kind::ProjectCollaborator => {
            let (project, login) = parts(subject);
            format!("{login} on project {project} with {value}")
        }
        Kind::Team => format!("team {}", shown(subject)),
        Kind::Invitation => format!("invitation of {}", shown(subject)),
        Kind::TeamMember => format!("{subject} in team {team}"),
        Kind::Grant => format!("repository {subject} of team {team} with {value}"),
        Kind::ProjectGrant => format!("project {subject} of team {team} with {value}"),
        Kind::Organization | Kind::Setting | Kind::Account | Kind::FormerRepositoryName | Kind::FormerTeamName => {
            subject.clone()
        }
    }
}

fn team(name: Option<&String>) -> String {
    name.map(|name| shown(name)).unwrap_or_default()
}

fn role(word: &str) -> &'static str {
    let of_word = [Role::Admin, Role::Member].into_iter().find(|role| role.word() == word);
    of_word.unwrap_or(Role::BillingManager).wording()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The two parts of the subject of a collaborator.
fn parts(subject: &str) -> (&str, &str) {
    subject.split_once('/').unwrap_or((subject, ""))
}
