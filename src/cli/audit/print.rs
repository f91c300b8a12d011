//! Entries of the audit log as lines in words, or as JSON.

use serde_json::Value;

use super::names::Names;
use crate::audit::entry::AuditEntry;
use crate::audit::words::{Changed, changes, plain};
use crate::cli::in_one_line;
use crate::clock::Time;

/// `2026-01-31T12:00:00Z team.add_member actor=olivia user=max … role: member`; fields that an entry lacks are left out.
pub(super) fn line(entry: &AuditEntry, names: &Names) -> String {
    let fields = [
        ("actor", Some(entry.actor.clone().unwrap_or_else(|| "-".to_owned()))),
        ("impersonator", entry.impersonator.clone()),
        ("user", entry.user.clone()),
        ("team", entry.team.clone()),
        ("repo", entry.repo.clone()),
        ("token", entry.token_id.map(|id| names.token(id))),
        ("request", Some(entry.request_id.clone())),
        ("address", entry.actor_ip.clone()),
    ];
    let time = Time(entry.timestamp.saturating_mul(1_000)).to_string();
    let fields = fields.into_iter().filter_map(|(name, value)| value.map(|value| format!("{name}={value}")));
    let words: Vec<String> = [time, entry.action.clone()].into_iter().chain(fields).collect();
    let values: Vec<String> = values(entry, names).into_iter().map(in_words).collect();
    in_one_line(format!("{} {}", words.join(" "), values.join("; ")).trim_end())
}

/// The values that the entry changed, without those that the line has by name.
fn values(entry: &AuditEntry, names: &Names) -> Vec<Changed> {
    let slug = entry.team.as_deref().and_then(|team| team.rsplit('/').next());
    let about = [entry.user.as_deref(), slug, entry.repo.as_deref()];
    let kind = entry.action.split('.').next().unwrap_or_default();
    let is_named = |name: &str| match name {
        "id" => slug.is_some() && kind == "team" || entry.repo.is_some() && kind == "repo",
        "team" => slug.is_some(),
        "repository" => entry.repo.is_some(),
        "event" => true,
        _ => false,
    };
    let shown = |name: &str, value: &Value| match value {
        _ if value.is_null() || is_named(name) => None,
        Value::Number(number) => Some(names.of(name, number)),
        Value::Array(items) if items.iter().any(Value::is_number) => {
            let item = |item: &Value| item.as_number().map_or_else(|| record(item), |number| names.of(name, number));
            Some(items.iter().map(item).collect::<Vec<_>>().join(", "))
        }
        value => plain(value, &str::to_owned).or_else(|| Some(record(value))),
    };
    changes(&entry.before, &entry.after, &about, shown)
}

/// A record as `teams 11, members 41`, or the login of a person.
fn record(value: &Value) -> String {
    match value {
        Value::Object(fields) if fields.contains_key("login") => record(&fields["login"]),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{} {}", name.replace('_', " "), record(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
        Value::Array(items) => items.iter().map(record).collect::<Vec<_>>().join(", "),
        value => plain(value, &str::to_owned).unwrap_or_else(|| value.to_string()),
    }
}

/// `level: read -> write`, or `role: member` for what had no value before.
fn in_words(Changed { name, was, is }: Changed) -> String {
    match (was, is) {
        (None, is) => format!("{name}: {}", is.unwrap_or_default()),
        (Some(was), is) => format!("{name}: {was} -> {}", is.as_deref().unwrap_or("none")),
    }
}
