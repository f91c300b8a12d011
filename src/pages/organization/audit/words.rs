//! Entries of the audit log as sentences.

use serde_json::Value;

use super::Entry;
use crate::audit::words::{self, Changed};
use crate::clock::Time;

/// A piece of a sentence.
pub(super) enum Piece<'a> {
    Text(&'a str),
    Person(&'a str),
    /// The slug of a team.
    Team(&'a str),
    /// The owner and the name of a repository.
    Repository(&'a str),
    /// The login of an account or an organization that may be gone.
    Login(&'a str),
}

/// The actions, each with its sentence about a person, a team or a repository.
#[rustfmt::skip]
const SENTENCES: &[(&str, &str)] = &[
    ("delivery.drop", "gave up deliveries"),
    ("delivery.retry", "tried deliveries again"),
    ("hook.active_changed", "switched a webhook on or off"),
    ("hook.config_changed", "changed the address of a webhook"),
    ("hook.create", "created a webhook"),
    ("hook.destroy", "deleted a webhook"),
    ("hook.events_changed", "changed the events of a webhook"),
    ("hook.ping", "tested a webhook"),
    ("hook.redeliver", "sent a delivery again"),
    ("hook.replay", "sent events again to a webhook"),
    ("login.free", "set the login {login} free"),
    ("oauth_access.create", "created a token of {user}"),
    ("oauth_access.destroy", "revoked a token of {user}"),
    ("oauth_access.regenerate", "replaced a token of {user}"),
    ("oauth_application.create", "registered an application"),
    ("oauth_application.destroy", "deleted an application"),
    ("oauth_application.update", "changed an application"),
    ("oauth_authorization.create", "allowed an application to act for {user}"),
    ("oauth_authorization.destroy", "ended what an application may do for {user}"),
    ("oauth_authorization.update", "changed what an application may do for {user}"),
    ("org.add_member", "added {user} to the organization"),
    ("org.cancel_invitation", "canceled the invitation of {user}"),
    ("org.create", "created the organization"),
    ("org.decline_invitation", "declined the invitation of {user}"),
    ("org.delete", "deleted the organization {login}"),
    ("org.import", "imported a file"),
    ("org.invite_member", "invited {user}"),
    ("org.join", "joined the organization"),
    ("org.oauth_app_access_approved", "gave an application access"),
    ("org.oauth_app_access_denied", "refused an application access"),
    ("org.oauth_app_access_requested", "asked the owners for an application"),
    ("org.remove_member", "removed {user} from the organization"),
    ("org.rename", "renamed the organization"),
    ("org.resend_invitation", "sent the invitation of {user} again"),
    ("org.update", "changed the settings"),
    ("org.update_invitation", "changed the invitation of {user}"),
    ("org.update_member", "changed the membership of {user}"),
    ("organization_role.assign", "gave a role to {user}{team}"),
    ("organization_role.revoke", "removed a role from {user}{team}"),
    ("project.create", "created a project"),
    ("project.delete", "deleted a project"),
    ("project.update", "changed a project"),
    ("project.update_user_permission", "changed the level of {user} on a project"),
    ("provider_tie.create", "connected {user} with the identity provider"),
    ("provider_tie.destroy", "ended the connection of {user} with the identity provider"),
    ("repo.add_former_name", "gave {repo} a former name"),
    ("repo.add_member", "gave {user} access to {repo}"),
    ("repo.create", "created {repo}"),
    ("repo.destroy", "deleted {repo}"),
    ("repo.remove_member", "removed the access of {user} to {repo}"),
    ("repo.rename", "renamed {repo}"),
    ("repo.update_member", "changed the access of {user} to {repo}"),
    ("session.act", "began to act for {user}"),
    ("session.create", "signed in as {user}"),
    ("session.destroy", "ended sessions of {user}"),
    ("session.stop", "ended the session of the administrator"),
    ("setup_link.create", "made a link that sets up the site"),
    ("sign_in_link.create", "made a link that signs in {user}"),
    ("team.add_former_name", "gave {team} a former name"),
    ("team.add_member", "added {user} to {team}"),
    ("team.add_project", "gave {team} access to a project"),
    ("team.add_repository", "gave {team} access to {repo}"),
    ("team.change_parent_team", "moved {team}"),
    ("team.change_privacy", "changed who sees {team}"),
    ("team.create", "created {team}"),
    ("team.create_discussion", "wrote a post on the board of {team}"),
    ("team.create_discussion_comment", "commented on the board of {team}"),
    ("team.create_reaction", "reacted on the board of {team}"),
    ("team.decide_join", "answered the request of {user} to join {team}"),
    ("team.delete_reaction", "removed a reaction on the board of {team}"),
    ("team.destroy", "deleted {team}"),
    ("team.destroy_discussion", "deleted a post on the board of {team}"),
    ("team.destroy_discussion_comment", "deleted a comment on the board of {team}"),
    ("team.pin_discussion", "pinned a post on the board of {team}"),
    ("team.remove_member", "removed {user} from {team}"),
    ("team.remove_project", "removed the access of {team} to a project"),
    ("team.remove_repository", "removed the access of {team} to {repo}"),
    ("team.rename", "renamed {team}"),
    ("team.request_join", "asked to join {team}"),
    ("team.unpin_discussion", "unpinned a post on the board of {team}"),
    ("team.update", "changed {team}"),
    ("team.update_discussion", "edited a post on the board of {team}"),
    ("team.update_discussion_comment", "edited a comment on the board of {team}"),
    ("team.update_group_mappings", "changed the groups that {team} follows"),
    ("team.update_member", "changed the membership of {user} on {team}"),
    ("team.update_project_permission", "changed the level of {team} on a project"),
    ("team.update_repository_permission", "changed the level of {team} on {repo}"),
    ("team.withdraw_join", "withdrew the request to join {team}"),
    ("user.add_email", "added an e-mail address of {user}"),
    ("user.change_email_visibility", "changed who sees the e-mail address of {user}"),
    ("user.change_primary_email", "changed the main e-mail address of {user}"),
    ("user.create", "created the account {user}"),
    ("user.delete", "deleted the account {login}"),
    ("user.demote", "ended the site administration of {user}"),
    ("user.promote", "made {user} a site administrator"),
    ("user.remove_email", "removed an e-mail address of {user}"),
    ("user.rename", "renamed {user}"),
    ("user.suspend", "suspended {user}"),
    ("user.unsuspend", "let {user} in again"),
    ("user.update", "changed the name of {user}"),
    ("user.verify_email", "verified an e-mail address of {user}"),
];

/// The most characters of the changed values that an entry shows, before the last of them.
const MOST: usize = 240;

/// The longest value that is shown, in characters.
const LONGEST: usize = 60;

/// An entry as a sentence without its subject. An action without a sentence is shown as it is.
pub(super) fn sentence(entry: &Entry) -> Vec<Piece<'_>> {
    let action = match entry.action.as_str() {
        "org.add_member" if entry.actor.is_some() && entry.actor == entry.user => "org.join",
        "session.create" if entry.after["by"] == "administrator" => "session.act",
        "session.destroy" if entry.before["by"] == "administrator" && entry.before["id"].is_i64() => "session.stop",
        action => action,
    };
    let Some((_, sentence)) = SENTENCES.iter().find(|(known, _)| *known == action) else {
        return vec![Piece::Text(&entry.action)];
    };
    let mut pieces = Vec::new();
    let mut rest = *sentence;
    while let Some((before, name, after)) = rest
        .split_once('{')
        .and_then(|(before, behind)| behind.split_once('}').map(|(name, after)| (before, name, after)))
    {
        pieces.push(Piece::Text(before));
        pieces.push(match name {
            "user" => entry.person().map_or_else(|| unnamed(&entry.action), Piece::Person),
            "login" => entry.before["login"].as_str().map_or(Piece::Text(""), Piece::Login),
            "team" => entry
                .team
                .as_deref()
                .map_or(Piece::Text(""), |team| Piece::Team(team.rsplit('/').next().unwrap_or(team))),
            _ => entry.repo.as_deref().map_or(Piece::Text("a repository"), Piece::Repository),
        });
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// The person of an entry that names none: e-mail addresses are not in the log, and a role may be a team's.
fn unnamed(action: &str) -> Piece<'static> {
    Piece::Text(match action {
        "organization_role.assign" | "organization_role.revoke" => "",
        action if action.ends_with("_invitation") || action == "org.invite_member" => "someone by e-mail",
        _ => "someone",
    })
}

/// The values that differ and that the sentence does not have, as `role: Member → Maintainer`. Numbers and records are for
/// programs.
pub(super) fn changes(entry: &Entry) -> Vec<String> {
    let team = entry.team.as_deref().and_then(|team| team.rsplit('/').next());
    let gone = entry.before["login"].as_str().filter(|_| entry.after.is_null());
    let about = [entry.user.as_deref(), team, entry.repo.as_deref(), gone];
    let changed = words::changes(&entry.before, &entry.after, &about, shown);
    let lines = changed.into_iter().map(|Changed { name, was, is }| match (was, is) {
        (None, is) => format!("{name}: {}", is.unwrap_or_default()),
        (Some(was), is) => format!("{name}: {was} → {}", is.as_deref().unwrap_or("none")),
    });
    let mut characters = 0;
    let fits = |line: &String| {
        let is_first = characters < MOST;
        characters += line.chars().count();
        is_first
    };
    lines.take_while(fits).collect()
}

impl Entry {
    /// The login of the person, since then if they were renamed.
    fn person(&self) -> Option<&str> {
        let renamed = || self.after["login"].as_str().filter(|_| self.action == "user.rename");
        self.user.as_deref().or_else(renamed)
    }
}

/// A value as text, unless only programs need it.
fn shown(name: &str, value: &Value) -> Option<String> {
    // The sentence says who did it.
    if name == "by" {
        return None;
    }
    let text = words::plain(value, &|text| worded(name, text))?;
    let mut cut: String = text.chars().take(LONGEST).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    Some(cut)
}

/// A role, a level, who sees something or a time as pages call it; any other text as it is.
fn worded(name: &str, text: &str) -> String {
    let word = match (name, text) {
        ("role", "admin") => "Owner",
        ("role", "member" | "direct_member") => "Member",
        ("role", "maintainer") => "Maintainer",
        ("role", "billing_manager") => "Billing manager",
        ("level" | "permission" | "default_repository_permission", word) => match word {
            "read" | "pull" => "Read",
            "triage" => "Triage",
            "write" | "push" => "Write",
            "maintain" => "Maintain",
            "admin" => "Admin",
            other => other,
        },
        ("notification_setting", "notifications_enabled") => "on",
        ("notification_setting", "notifications_disabled") => "off",
        ("privacy", "closed") => "members of the organization",
        ("privacy", "secret") => "only its people",
        (_, text) => return Time::read(text).map_or_else(|| text.to_owned(), Time::minute),
    };
    word.to_owned()
}
