//! Entries of the audit log as sentences.

use serde_json::Value;

use super::Entry;

/// A piece of a sentence.
pub(super) enum Piece<'a> {
    Text(&'a str),
    Person(&'a str),
    /// The slug of a team.
    Team(&'a str),
    /// The owner and the name of a repository.
    Repository(&'a str),
}

/// The actions, each with its sentence about a person, a team or a repository.
#[rustfmt::skip]
const SENTENCES: &[(&str, &str)] = &[
    ("hook.active_changed", "switched a webhook on or off"),
    ("hook.config_changed", "changed where a webhook goes"),
    ("hook.create", "created a webhook"),
    ("hook.destroy", "deleted a webhook"),
    ("hook.events_changed", "changed the events of a webhook"),
    ("hook.ping", "tested a webhook"),
    ("hook.redeliver", "sent a delivery again"),
    ("hook.replay", "sent events again to a webhook"),
    ("org.add_member", "added {user} to the organization"),
    ("org.cancel_invitation", "cancelled the invitation of {user}"),
    ("org.create", "created the organization"),
    ("org.decline_invitation", "declined the invitation of {user}"),
    ("org.delete", "deleted the organization"),
    ("org.import", "imported a file"),
    ("org.invite_member", "invited {user}"),
    ("org.oauth_app_access_approved", "let an application in"),
    ("org.oauth_app_access_denied", "refused an application"),
    ("org.oauth_app_access_requested", "asked the owners for an application"),
    ("org.remove_member", "removed {user} from the organization"),
    ("org.rename", "renamed the organization"),
    ("org.resend_invitation", "sent the invitation of {user} again"),
    ("org.update", "changed the settings"),
    ("org.update_invitation", "changed the invitation of {user}"),
    ("org.update_member", "changed the membership of {user}"),
    ("organization_role.assign", "gave a role to {user}{team}"),
    ("organization_role.revoke", "took a role from {user}{team}"),
    ("project.create", "created a project"),
    ("project.delete", "deleted a project"),
    ("project.update", "changed a project"),
    ("project.update_user_permission", "changed the level of {user} on a project"),
    ("repo.add_member", "gave {user} access to {repo}"),
    ("repo.create", "created {repo}"),
    ("repo.destroy", "deleted {repo}"),
    ("repo.remove_member", "took the access of {user} to {repo}"),
    ("repo.rename", "renamed {repo}"),
    ("repo.update_member", "changed the access of {user} to {repo}"),
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
    ("team.delete_reaction", "took a reaction back on the board of {team}"),
    ("team.destroy", "deleted {team}"),
    ("team.destroy_discussion", "deleted a post on the board of {team}"),
    ("team.destroy_discussion_comment", "deleted a comment on the board of {team}"),
    ("team.pin_discussion", "pinned a post on the board of {team}"),
    ("team.remove_member", "took {user} off {team}"),
    ("team.remove_project", "took the access of {team} to a project"),
    ("team.remove_repository", "took the access of {team} to {repo}"),
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
    ("team.withdraw_join", "took back the request to join {team}"),
];

/// The most changed values that an entry shows.
const MOST: usize = 12;

/// The longest value that is shown, in characters.
const LONGEST: usize = 80;

/// An entry as a sentence without its subject. An action without a sentence is shown as it is.
pub(super) fn sentence(entry: &Entry) -> Vec<Piece<'_>> {
    let Some((_, sentence)) = SENTENCES.iter().find(|(action, _)| *action == entry.action) else {
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
            "user" => entry.user.as_deref().map_or(Piece::Text(""), Piece::Person),
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

/// The values that differ, as `role: member → maintainer`.
pub(super) fn changes(before: &Value, after: &Value) -> Vec<String> {
    let none = serde_json::Map::new();
    let [before, after] = [before, after].map(|values| values.as_object().unwrap_or(&none));
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    let lines = names.filter_map(|name| {
        let [was, is] = [before, after].map(|values| values.get(name).and_then(shown));
        match (was, is) {
            (was, is) if was == is => None,
            (None, Some(is)) => Some(format!("{}: {is}", name.replace('_', " "))),
            (Some(was), None) => Some(format!("{}: {was} → nothing", name.replace('_', " "))),
            (was, is) => Some(format!("{}: {} → {}", name.replace('_', " "), was?, is?)),
        }
    });
    lines.take(MOST).collect()
}

/// A value as text, unless it is null, a record or a list of records.
fn shown(value: &Value) -> Option<String> {
    let text = match value {
        Value::Null | Value::Object(_) => return None,
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Option<Vec<_>>>()?.join(", "),
        Value::Number(number) => number.to_string(),
    };
    let mut cut: String = text.chars().take(LONGEST).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    Some(cut)
}
