//! The changes of a plan, the entries of the audit log and the events are one list (decision 74). The table in
//! `docs/source-of-truth.md` says which entry and which event each change has; it is read here.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;

use guildhall::journal::EventKind;
use guildhall::plan::{Action, Change, Kind, Plan};
use serde_json::Value;

use crate::support::store::Store;

/// Without a webhook, no facts of events are stored.
const HOOK: &str = "
    INSERT INTO hooks (org_id, active, url, content_type, insecure_ssl, events, after_entry, created_at, updated_at)
    VALUES (0, TRUE, 'https://hooks.example.com/', 'json', FALSE, '*', 0, 0, 0)";

/// The entries that go with a change, besides its own, and events without an entry of the audit log.
const WITH: &[(&str, &[&str])] = &[
    // People who are invited join the teams of their invitations, and have the role that the file says.
    ("+ member", &["team.add_member", "org.update_member", "invitation.accepted"]),
    (
        "- member",
        &["team.remove_member", "organization_role.revoke", "project.update_user_permission", "repo.remove_member"],
    ),
    ("+ repository", &["repo.update", "repo.archived", "repository_vulnerability_alerts.enable"]),
    ("+ team", &["team.update_review_assignment"]),
    ("- team", &["organization_role.revoke"]),
    ("+ invitation", &["organization.member_invited"]),
    ("~ project", &["project.edited"]),
];

/// A row of the table.
struct Row {
    change: String,
    actions: Vec<String>,
    /// The events of webhooks, each with its action.
    events: Vec<String>,
}

/// The content of one entry of a journal.
#[derive(Debug)]
struct Told {
    /// The action in the audit log, or the name of an event that has none.
    action: String,
    /// The events that webhooks get.
    events: Vec<String>,
    /// The values before and after.
    values: String,
}

/// Begins to store events, and returns the newest entry of each journal.
pub fn begin(store: &Store) -> Vec<(i64, i64)> {
    store.tamper(HOOK);
    store.rows("SELECT org_id, entry FROM journal_heads ORDER BY org_id")
}

/// Checks that each change of a plan that was carried out is told, in order, and that nothing else is.
pub fn is_told(store: &Store, since: &[(i64, i64)], plan: &Plan) {
    let table = table();
    let (accounts, others): (Vec<&Change>, Vec<&Change>) =
        plan.changes.iter().partition(|change| change.kind == Kind::Account);
    for (changes, of_site) in [(accounts, true), (others, false)] {
        let mut told = told(store, since, of_site);
        let mut changes: VecDeque<&Change> = changes.into();
        while let Some(change) = changes.pop_front() {
            // All settings are one change of the organization.
            while change.kind == Kind::Setting && changes.front().is_some_and(|next| next.kind == Kind::Setting) {
                changes.pop_front();
            }
            take(&table, change, &mut told);
        }
        assert!(told.is_empty(), "told without a change: {told:#?}");
    }
}

/// Takes the entries of one change off the list.
fn take(table: &[Row], change: &Change, told: &mut VecDeque<Told>) {
    let mut rows = rows(table, change);
    assert!(!rows.is_empty(), "no row for {change:?}");
    let name = name(change);
    let with = WITH.iter().find(|(of, _)| *of == name).map_or(&[] as &[&str], |(_, with)| with);
    let expected: Vec<&[String]> = rows.iter().map(|row| row.events.as_slice()).collect();
    let mut sent = Vec::new();
    while let Some(next) = told.front() {
        // What goes with a removal, and the event of an invitation, comes before the entry of its own.
        if rows.is_empty() && (change.kind == Kind::Invitation || change.action == Action::Remove) {
            break;
        }
        let row = rows.iter().position(|row| row.actions.contains(&next.action) && concerns(next, change));
        let goes_with = with.contains(&next.action.as_str()) && concerns(next, change);
        // What only changes who sees a membership is a change of its own.
        if row.is_none() && (!goes_with || next.action == "org.update_member" && !next.values.contains("\"role\"")) {
            break;
        }
        sent.extend(told.pop_front().unwrap().events.into_iter().filter(|event| {
            let is_expected = expected.iter().any(|events| events.contains(event));
            assert!(is_expected || row.is_none(), "{event} of {change:?}");
            is_expected
        }));
        row.map(|row| rows.remove(row));
    }
    let left: Vec<&String> = rows.iter().map(|row| &row.change).collect();
    assert!(left.is_empty(), "{change:?} is not told: {left:?}, next {:#?}", told.front());
    for events in expected {
        let may_be_none = events.is_empty() || events.iter().any(String::is_empty);
        let is_sent = events.iter().any(|event| sent.contains(event));
        assert!(is_sent || may_be_none, "{change:?} has no event of {events:?}");
    }
}

/// True if an entry names what the change is about.
fn concerns(told: &Told, change: &Change) -> bool {
    let subject = change.subject.rsplit('/').next();
    // Entries name projects by their identifiers.
    let team = change.team.as_deref().filter(|_| change.kind == Kind::ProjectGrant);
    let mut names = [subject, team, change.before["name"].as_str()].into_iter().flatten();
    matches!(change.kind, Kind::Setting | Kind::FormerTeamName | Kind::Project)
        || told.values.is_empty()
        // The audit log has no e-mail addresses.
        || change.subject.contains('@')
        || names.any(|name| told.values.to_lowercase().contains(&name.to_lowercase()))
}

/// A change in the words of the table.
fn name(change: &Change) -> String {
    let sign = match change.action {
        Action::Add => '+',
        Action::Change => '~',
        Action::Remove => '-',
    };
    format!("{sign} {}", serde_json::to_value(change.kind).unwrap().as_str().unwrap())
}

/// The rows of a change: of a team and a repository, one for each field that has its own, and one for all others.
fn rows<'t>(table: &'t [Row], change: &Change) -> Vec<&'t Row> {
    let name = name(change);
    let of = |key: &str| table.iter().find(|row| row.change == key);
    let fields = match &change.after {
        Value::Object(fields) if of(&name).is_none() => fields.keys().collect(),
        _ => Vec::new(),
    };
    let own = fields.iter().filter_map(|field| of(&format!("{name} {field}")));
    let others = fields.iter().find(|field| of(&format!("{name} {field}")).is_none());
    let others = others.and_then(|_| of(&format!("{name}, other settings")));
    own.chain(others).chain(of(&name)).collect()
}

/// The entries of the log of the site or of the organization, in order.
fn told(store: &Store, since: &[(i64, i64)], of_site: bool) -> VecDeque<Told> {
    let rows: Vec<(i64, i64, String, String, String)> = store.rows(
        "SELECT j.org_id, j.entry, coalesce(j.action, ''), coalesce(f.event, ''),
                coalesce(j.before, '') || coalesce(j.after, '')
         FROM journal j LEFT JOIN journal_facts f ON f.org_id = j.org_id AND f.entry = j.entry
         ORDER BY j.org_id, j.entry",
    );
    let is_new = |org: i64, entry: i64| {
        !since.contains(&(org, entry)) && since.iter().all(|(of, newest)| *of != org || entry > *newest)
    };
    let rows = rows.into_iter().filter(|row| (row.0 == 0) == of_site && is_new(row.0, row.1));
    let told = rows.map(|(_, _, action, event, values)| {
        let webhooks = EventKind::named(&event).next().map_or(&[] as &[_], |kind| kind.webhooks);
        let events = webhooks.iter().map(|(event, action)| [*event, action.unwrap_or_default()].join(" "));
        let events = events.map(|event| event.trim_end().to_owned()).collect();
        Told { action: if action.is_empty() { event } else { action }, events, values }
    });
    told.collect()
}

/// The table of the documentation. An empty event means that there may be none.
fn table() -> Vec<Row> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/source-of-truth.md");
    let text = fs::read_to_string(file).unwrap();
    let (_, table) = text.split_once("|---|---|---|\n").expect("the table");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [change, actions, events] = cells.try_into().expect("three cells");
        let parts = events.split(", ").flat_map(|part| part.split(" or ")).filter(|part| *part != "-");
        let events = parts.map(|part| words(part).join(" ")).collect();
        Row { change: change.replace('`', ""), actions: words(actions), events }
    };
    rows.map(row).collect()
}

/// The words of a cell that stand in backticks.
fn words(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
