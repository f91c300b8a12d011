//! Plans: what a file would change (decision 74).

mod applied;
mod csv;
mod people;
mod random;
mod sampled;
mod teams;
mod terraform;
mod told;

use std::path::PathBuf;

use guildhall::plan::{Action, Change, Flags, Plan};
use serde_json::Value;

use crate::exported::RICH;
use crate::support::samples;
use crate::support::store::Store;

/// Every flag.
pub const ALL: Flags = Flags { prune: true, owners: true, invite: true, create_accounts: true };

/// Every flag that removes nothing.
pub const KEEPING: Flags = Flags { prune: false, ..ALL };

/// A file of the organization `acme` with these lines below its login.
pub fn acme(store: &Store, lines: &str) -> PathBuf {
    store.file("planned.yaml", &format!("orgs:\n  acme:\n    {}\n", lines.replace('\n', "\n    ")))
}

/// The plan of these lines.
pub fn planned(store: &Store, lines: &str, flags: Flags) -> Plan {
    let mut plans = store.plan(&[acme(store, lines)], flags).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(plans.len(), 1);
    plans.remove(0)
}

/// A change in one line, such as `+ team_member Core/nina: member (invite)`.
fn line(change: &Change) -> String {
    let sign = match change.action {
        Action::Add => '+',
        Action::Change => '~',
        Action::Remove => '-',
    };
    let word = |value: &Value| match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let kind = word(&serde_json::to_value(change.kind).unwrap());
    let team = change.team.as_ref().map(|team| format!("{team}/")).unwrap_or_default();
    let values = match (&change.before, &change.after) {
        (Value::Null, Value::Null) => String::new(),
        (before, Value::Null) if before["child_teams"].is_i64() => match (&before["child_teams"], &before["posts"]) {
            (teams, posts) if teams == 0 && posts == 0 => String::new(),
            (teams, posts) => format!(": with {teams}, {posts}"),
        },
        (Value::Null, value) | (value, Value::Null) if sign != '~' => format!(": {}", word(value)),
        (before, after) => format!(": {} -> {}", word(before), word(after)),
    };
    let flag = change.blocked_by.map(|flag| format!(" ({})", flag.typed())).unwrap_or_default();
    format!("{sign} {kind} {team}{}{values}{flag}", change.subject)
}

/// The changes of a plan, each in one line, in order.
pub fn lines(plan: &Plan) -> Vec<String> {
    plan.changes.iter().map(line).collect()
}

/// The items that stay, each as its kind, team, name and value.
pub fn left(plan: &Plan) -> Vec<String> {
    let item = |item: &guildhall::plan::Item| {
        let team = item.team.as_ref().map(|team| format!("{team}/")).unwrap_or_default();
        let kind = serde_json::to_value(item.kind).unwrap();
        format!("{} {team}{}", kind.as_str().unwrap(), item.subject)
    };
    plan.not_in_file.iter().map(item).collect()
}

/// Plans the files and, for each organization, its export: nothing is to do.
fn at_rest(store: &Store, files: &[PathBuf], flags: Flags) {
    let exports = store.texts("SELECT login FROM orgs ORDER BY id").into_iter().map(|login| {
        let (text, _) = store.export(&login).unwrap();
        store.file(&format!("{login}-export.yaml"), &text)
    });
    let exports: Vec<PathBuf> = exports.collect();
    for plan in [files, &exports].into_iter().flat_map(|files| store.plan(files, flags).unwrap()) {
        assert_eq!((lines(&plan), left(&plan)), (Vec::new(), Vec::new()), "{}", plan.file);
    }
}

#[test]
fn decision_74_nothing_is_planned_for_what_was_imported_or_exported() {
    let store = Store::new();
    let files = samples::peribolos();
    store.import(&files).unwrap_or_else(|error| panic!("{error}"));
    let before = store.state();
    at_rest(&store, &files, ALL);
    at_rest(&store, &files, Flags::default());
    assert_eq!(store.state(), before);
}

#[test]
fn decision_74_the_number_of_statements_does_not_depend_on_the_number_of_teams_and_people() {
    let statements = |number: usize| {
        let people: Vec<String> = (0..number).map(|nth| format!("p{nth}")).collect();
        let teams: Vec<String> =
            (0..number).map(|nth| format!("T{nth}: {{members: [p{nth}], repos: {{r{nth}: read}}}}")).collect();
        let (people, teams) = (people.join(", "), teams.join(", "));
        let text = format!("admins: [olivia]\nmembers: [{people}]\nteams: {{Top: {{teams: {{{teams}}}}}}}");
        let store = Store::new();
        store.acme(&text);
        let file = acme(&store, &text);
        store.faults.record();
        let plans = store.plan(&[file], ALL).unwrap();
        assert_eq!(lines(&plans[0]), Vec::<String>::new());
        store.faults.recorded().len()
    };
    assert_eq!(statements(2), statements(40));
}

#[test]
fn decision_74_an_organization_with_everything_is_at_rest() {
    let store = Store::new();
    store.acme(RICH);
    let file = acme(&store, RICH);
    at_rest(&store, &[file], ALL);
}

#[test]
fn decision_74_everything_of_a_new_organization_is_added() {
    let store = Store::new();
    let plan = planned(&store, RICH, KEEPING);
    assert!(plan.changes.iter().all(|change| change.blocked_by.is_none() && change.action != Action::Remove));
    let lines = lines(&plan);
    for expected in [
        "+ organization acme",
        "~ setting description: null -> two\nlines ",
        "~ setting members_can_create_pages: true -> false",
        "+ account Olivia",
        "+ member Olivia: admin",
        "+ member bea: billing_manager",
        "+ public_member 007: true",
        "+ repository .github: {\"private\":false}",
        "+ former_repository_name site: web",
        "+ collaborator web/Tom: admin",
        "+ project_collaborator 2/ray: admin",
        "+ team <<: {\"privacy\":\"closed\",\"parent\":\"Core\"}",
        "+ former_team_name Core/Kernel: true",
        "+ invitation nina: admin",
        "+ invitation ray: direct_member",
        "+ invitation Una@Example.org: reinstate",
        "+ team_member Core/nina: member",
        "+ team_member yes/Una@Example.org: member",
        "+ grant Core/web: maintain",
        "+ project_grant Core/7: read",
        "+ security_manager Core/Core: true",
        "+ security_manager zoe: true",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected} is not in {lines:#?}");
    }
    let unchanged = ["has_organization_projects", "setting plan", "applications_need_approval"];
    assert!(!lines.iter().any(|line| unchanged.iter().any(|word| line.contains(word))), "{lines:#?}");
    assert_eq!(store.texts("SELECT login FROM orgs"), Vec::<String>::new());
}

#[test]
fn decision_74_settings_repositories_and_projects_are_compared_by_field() {
    let store = Store::new();
    store.acme(
        "admins: [olivia]\nname: Acme\nrepos: {web: {private: true}, old: {}, gone: {}}\n\
         guildhall: {projects: {1: {name: A}, 2: {name: B, collaborators: {olivia: read}}}}",
    );
    let lines_of = |text, flags| lines(&planned(&store, text, flags));
    let edited = "name: Acme Ltd\nrepos: {web: {private: false, topics: [a]}, new: {previously: [old]}}\n\
                  guildhall: {projects: {1: {name: A, state: closed}, 2: {name: B, collaborators: {}}, 3: {name: C}}}";
    let kept = [
        "~ setting name: Acme -> Acme Ltd",
        "~ repository web: {\"private\":true,\"topics\":[]} -> {\"private\":false,\"topics\":[\"a\"]}",
        "~ repository new: {\"name\":\"old\"} -> {\"name\":\"new\"}",
        "~ project 1: {\"state\":\"open\"} -> {\"state\":\"closed\"}",
        "+ project 3: {\"name\":\"C\"}",
    ];
    assert_eq!(lines_of(edited, KEEPING), kept);
    let gone = ["- project_collaborator 2/olivia: read"];
    assert_eq!(lines_of(edited, ALL), [&kept[..], &gone[..]].concat());
    // No file removes a repository or a project.
    let none = planned(&store, "repos: {}\nguildhall: {projects: {}}", ALL);
    assert_eq!(lines(&none), Vec::<String>::new());
    let left: Vec<&str> = none.not_in_file.iter().map(|item| item.subject.as_str()).collect();
    assert!(["web", "old", "gone", "1", "2"].iter().all(|subject| left.contains(subject)), "{left:?}");
}
