//! Plans as lines for people: `+`, `~` and `-`, grouped by team, with colors on a terminal.

use std::collections::HashMap;
use std::io::{IsTerminal, Write};

use serde_json::Value;

use crate::cli::{Failure, answer};
use crate::import::fault::whole;
use crate::plan::{Action, Change, Flag, Guarded, Item, Kind, Plan, Summary};

/// The longest value that a line has, in characters.
const LONGEST: usize = 1_000;

/// The characters before the first difference of two values that are cut.
const CONTEXT: usize = 20;

/// Prints plans, and the numbers of all their changes as the last line. A plan with more removals than this many percent
/// has a line that says so.
pub fn plans(plans: &[Plan], summary: Summary, most: usize) -> Result<(), Failure> {
    answer(&text(plans, summary, most, std::io::stdout().is_terminal()))
}

/// The same on standard error, for a command whose output is for programs.
pub fn plans_aside(plans: &[Plan], summary: Summary, most: usize) -> Result<(), Failure> {
    let mut err = std::io::stderr().lock();
    Ok(writeln!(err, "{}", text(plans, summary, most, err.is_terminal()))?)
}

fn text(plans: &[Plan], summary: Summary, most: usize, is_terminal: bool) -> String {
    let colored = is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut text = Vec::new();
    for plan in plans {
        write_plan(&mut text, plan, colored);
    }
    let changes = || plans.iter().flat_map(|plan| &plan.changes);
    for flag in [Flag::Owners, Flag::Invite, Flag::CreateAccounts] {
        let blocked = changes().filter(|change| change.blocked_by == Some(flag)).count();
        if blocked > 0 {
            let verb = if blocked == 1 { "change needs" } else { "changes need" };
            text.push(format!("{blocked} {verb} {}", flag.typed()));
        }
    }
    text.extend(plans.iter().filter_map(|plan| beyond(plan, most)));
    let Summary { add, change, remove } = summary;
    text.push(format!("Plan: {add} to add, {change} to change, {remove} to remove"));
    text.join("\n")
}

/// The line for a plan with more removals than this many percent.
fn beyond(plan: &Plan, most: usize) -> Option<String> {
    let Guarded { held, removed, .. } = plan.guarded;
    let needed = removed.saturating_mul(100).div_ceil(held.max(1));
    let org = whole(&plan.org);
    (needed > most).then(|| {
        format!("{org}: {removed} of {held} memberships and grants would go, so apply needs --max-removals {needed}%")
    })
}

/// The heading under which a change of no team stands.
fn heading(kind: Kind) -> &'static str {
    match kind {
        Kind::Organization | Kind::Setting => "organization",
        Kind::Account => "accounts",
        Kind::Member | Kind::PublicMember => "people",
        Kind::SecurityManager => "security managers",
        Kind::Repository | Kind::FormerRepositoryName | Kind::Collaborator => "repositories",
        Kind::Project | Kind::ProjectCollaborator => "projects",
        Kind::Invitation => "invitations",
        Kind::Team | Kind::FormerTeamName | Kind::TeamMember | Kind::Grant | Kind::ProjectGrant => "team",
    }
}

/// The group of a change: its team, or the heading of its kind.
fn group(change: &Change) -> String {
    match (change.kind, &change.team) {
        (Kind::Team, _) => format!("team {}", whole(&change.subject)),
        (_, Some(team)) => format!("team {}", whole(team)),
        (kind, None) => heading(kind).to_owned(),
    }
}

fn write_plan(text: &mut Vec<String>, plan: &Plan, colored: bool) {
    text.push(format!("{}:", whole(&plan.org)));
    if plan.changes.is_empty() {
        text.push("  no changes".to_owned());
    }
    let mut groups: Vec<(String, Vec<&Change>)> = Vec::new();
    let mut index = HashMap::new();
    for change in &plan.changes {
        let at = *index.entry(group(change)).or_insert_with_key(|name| {
            groups.push((name.clone(), Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push(change);
    }
    for (name, changes) in groups {
        text.push(format!("  {name}"));
        for change in changes {
            write_change(text, change, colored);
        }
    }
    write_list(text, "Not in the file, stays as it is", plan.not_in_file.iter().map(item));
    write_list(text, "Skipped", plan.skipped.iter().map(|line| plain_line(line)));
    write_list(text, "Not kept", plan.not_kept.iter().map(|key| plain_line(key)));
    text.push(String::new());
}

fn write_list(text: &mut Vec<String>, title: &str, lines: impl Iterator<Item = String>) {
    for (nth, line) in lines.enumerate() {
        if nth == 0 {
            text.push(format!("  {title}:"));
        }
        text.push(format!("    {line}"));
    }
}

fn write_change(text: &mut Vec<String>, change: &Change, colored: bool) {
    let (sign, color) = match change.action {
        Action::Add => ('+', "\u{1b}[32m"),
        Action::Change => ('~', "\u{1b}[33m"),
        Action::Remove => ('-', "\u{1b}[31m"),
    };
    let (begin, end) = if colored { (color, "\u{1b}[0m") } else { ("", "") };
    let mut line = format!("    {begin}{sign}{end} {}", name(change.kind, &change.subject));
    let goes_with = goes_with(change);
    if let Some(with) = &goes_with {
        line += with;
    } else if !(change.before.is_object() || change.after.is_object()) {
        line += &values(change);
    }
    if let Some(flag) = change.blocked_by {
        line.extend(["  (needs ", flag.typed(), ")"]);
    }
    text.push(line);
    let fields = change.after.as_object().or(change.before.as_object()).filter(|_| goes_with.is_none());
    for key in fields.into_iter().flatten().map(|(key, _)| key) {
        let called = whole(key);
        text.push(match (change.before.get(key), change.after.get(key)) {
            (Some(before), Some(after)) => format!("        {called}: {}", both(&value(before), &value(after))),
            (before, after) => {
                format!("        {called}: {}", part(&value(before.or(after).unwrap_or(&Value::Null)), 0))
            }
        });
    }
}

/// The child teams and posts that go with a team that is removed; none for another change.
fn goes_with(change: &Change) -> Option<String> {
    let counted = |key: &str, one: &str, more: &str| match change.before[key].as_i64()? {
        0 => Some(None),
        1 => Some(Some(format!("1 {one}"))),
        count => Some(Some(format!("{count} {more}"))),
    };
    let (teams, posts) = (counted("child_teams", "child team", "child teams")?, counted("posts", "post", "posts")?);
    let with: Vec<String> = [teams, posts].into_iter().flatten().collect();
    Some(if with.is_empty() { String::new() } else { format!("  (with {})", with.join(" and ")) })
}

/// The values of a change that has one value: a role, a level, or a setting.
fn values(change: &Change) -> String {
    let word = |value: &Value| match value {
        Value::String(text) if change.kind != Kind::Setting => whole(text),
        value => self::value(value),
    };
    match (change.action, &change.before, &change.after) {
        (Action::Change, before, after) => format!(": {}", both(&word(before), &word(after))),
        (_, Value::Null | Value::Bool(true), Value::Null | Value::Bool(true)) => String::new(),
        (_, Value::Null, value) | (_, value, _) => format!(": {}", part(&word(value), 0)),
    }
}

fn value(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{}\"", whole(text)),
        Value::Null => "none".to_owned(),
        value => whole(&value.to_string()),
    }
}

/// Two values, from shortly before their first difference if one of them is cut.
fn both(before: &str, after: &str) -> String {
    let is_cut = [before, after].iter().any(|value| value.chars().count() > LONGEST);
    let same = before.chars().zip(after.chars()).take_while(|(before, after)| before == after).count();
    let from = if is_cut { same.saturating_sub(CONTEXT) } else { 0 };
    format!("{} -> {}", part(before, from), part(after, from))
}

/// The value from this character on, as far as a line of a plan has it.
fn part(value: &str, from: usize) -> String {
    let mut chars = value.chars().skip(from);
    let mut part = if from > 0 { "…".to_owned() } else { String::new() };
    part.extend(chars.by_ref().take(LONGEST));
    if chars.next().is_some() {
        part.push('…');
    }
    part
}

/// A subject within its group.
fn name(kind: Kind, subject: &str) -> String {
    let subject = whole(subject);
    match kind {
        Kind::Organization => format!("organization {subject}"),
        Kind::PublicMember => format!("{subject}: public member"),
        Kind::SecurityManager => format!("{subject}: security manager"),
        Kind::FormerRepositoryName | Kind::FormerTeamName => format!("former name {subject}"),
        Kind::Grant => format!("repository {subject}"),
        Kind::ProjectGrant | Kind::Project => format!("project {subject}"),
        _ => subject,
    }
}

fn item(item: &Item) -> String {
    let subject = match item.kind {
        Kind::Team => format!("team {}", whole(&item.subject)),
        Kind::Repository => format!("repository {}", whole(&item.subject)),
        Kind::Invitation => format!("invitation of {}", whole(&item.subject)),
        kind => name(kind, &item.subject),
    };
    let team = match &item.team {
        Some(team) if item.kind != Kind::SecurityManager => format!(" in team {}", whole(team)),
        _ => String::new(),
    };
    match &item.value {
        Value::String(text) => format!("{subject}{team}: {}", whole(text)),
        _ => format!("{subject}{team}"),
    }
}

/// A change in one line, without its place in a group.
pub fn line(change: &Change) -> String {
    let mut lines = Vec::new();
    write_change(&mut lines, change, false);
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    format!("{}: {}", group(change), lines.join(", "))
}

fn plain_line(line: &str) -> String {
    crate::cli::in_one_line(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_where_long_values_differ() {
        assert_eq!(both("\"one\"", "\"two\""), "\"one\" -> \"two\"");
        let long = |end: &str| format!("\"{}{end}\"", "x".repeat(2_000));
        let context = "x".repeat(CONTEXT);
        assert_eq!(both(&long("one"), &long("two")), format!("…{context}one\" -> …{context}two\""));
        assert_eq!(part(&long(""), 0), format!("\"{}…", "x".repeat(LONGEST - 1)));
    }

    #[test]
    fn names_are_whole_and_cannot_control_the_terminal() {
        let name = format!("{}@example.com", "a".repeat(64));
        let after = Value::from("admin");
        let change = Change {
            action: Action::Add,
            kind: Kind::Invitation,
            team: None,
            subject: format!("{name}\u{202e}"),
            before: Value::Null,
            after,
            blocked_by: None,
        };
        assert_eq!(line(&change), format!("invitations: + {name}\\u{{202e}}: admin"));
    }
}
