//! An entry as the audit log shows it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Journal;
use super::subject::{Subject, Thing, value};
use crate::db::{ByIds, Tx, by_ids};
use crate::error::Result;
use crate::journal::chain::Entry;
use crate::projects::level::word;
use crate::rows::level::Level;

/// An entry of the audit log.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "audit-log-entry")]
pub struct AuditEntry {
    /// Time of the change, in epoch milliseconds.
    #[serde(rename = "@timestamp")]
    pub timestamp: i64,
    /// Identifier of the entry.
    #[serde(rename = "_document_id")]
    pub document_id: String,
    /// The action, such as `team.add_member`.
    pub action: String,
    /// Login of the person who made the change; null for the operator and the program itself.
    pub actor: Option<String>,
    /// ID of that person.
    pub actor_id: Option<i64>,
    /// IP address of the client; null unless the organization's `audit_shows_addresses` is on.
    pub actor_ip: Option<String>,
    /// Login of the site administrator who acted as that person.
    pub impersonator: Option<String>,
    /// ID of the token that was used.
    pub token_id: Option<i64>,
    /// ID of the request.
    pub request_id: String,
    /// Login of the organization; null for the site.
    pub org: Option<String>,
    /// ID of the organization.
    pub org_id: Option<i64>,
    /// Login of the person that the entry is about, if it is one.
    pub user: Option<String>,
    /// Organization and slug of the team that the entry is about.
    pub team: Option<String>,
    /// ID of that team.
    pub team_id: Option<i64>,
    /// Owner and name of the repository that the entry is about.
    pub repo: Option<String>,
    /// ID of that repository.
    pub repo_id: Option<i64>,
    /// Time of the change, in epoch milliseconds.
    pub created_at: i64,
    /// The values before the change.
    #[schemars(with = "Option<Map<String, Value>>")]
    pub before: Value,
    /// The values after the change.
    #[schemars(with = "Option<Map<String, Value>>")]
    pub after: Value,
    /// Number of the entry in its journal. Numbers that the audit log lacks belong to entries that it does not show.
    pub entry: i64,
    /// Hash of the entry and of all before it, in hexadecimal.
    pub hash: String,
}

/// Entries of a journal, as the audit log shows them.
pub fn records(tx: &mut Tx, journal: &Journal, entries: Vec<Entry>) -> Result<Vec<AuditEntry>> {
    let drafts: Vec<Draft> = entries.into_iter().map(Draft::new).collect();
    let names = Names::of(tx, &drafts)?;
    Ok(drafts.into_iter().map(|draft| draft.record(journal, &names)).collect())
}

/// An entry, and what was read from its values.
struct Draft {
    entry: Entry,
    before: Value,
    after: Value,
    subject: Subject,
}

impl Draft {
    fn new(mut entry: Entry) -> Self {
        // The texts are as long as the values and are no longer needed.
        let (before, after) = (value(entry.before.take().as_ref()), value(entry.after.take().as_ref()));
        let subject = Subject::of(entry.action.as_deref().unwrap_or_default(), &before, &after);
        Self { entry, before, after, subject }
    }

    fn record(self, journal: &Journal, names: &Names) -> AuditEntry {
        let Self { entry, mut before, mut after, subject } = self;
        let of_project = entry.action.as_deref().is_some_and(|action| action.contains("project"));
        for values in [&mut before, &mut after] {
            name_level(values, of_project);
        }
        let Subject { mut users, team, repo } = subject;
        let at = entry.at.div_euclid(1_000);
        let slug = Names::known(&names.teams, &team);
        AuditEntry {
            timestamp: at,
            document_id: format!("{}-{}", entry.org, entry.entry),
            action: entry.action.unwrap_or_default(),
            actor: entry.actor_login,
            actor_id: entry.actor_id,
            actor_ip: entry.remote_address.filter(|_| journal.shows_addresses),
            impersonator: entry.impersonator_login,
            token_id: entry.token_id,
            request_id: entry.request_id,
            org: journal.login.clone(),
            org_id: journal.login.is_some().then_some(journal.id),
            user: if users.len() == 1 { users.pop() } else { None },
            team: journal.login.as_ref().zip(slug).map(|(org, slug)| format!("{org}/{slug}")),
            team_id: team.id,
            repo: Names::known(&names.repos, &repo),
            repo_id: repo.id,
            created_at: at,
            before,
            after,
            entry: entry.entry,
            hash: hexadecimal(&entry.hash),
        }
    }
}

/// Names the level in the values of an entry, which stores its rank.
fn name_level(values: &mut Value, of_project: bool) {
    let Some(level) = values.get_mut("level") else { return };
    let Some(rank) = level.as_i64() else { return };
    let name = if of_project { word(rank) } else { Level::of_rank(rank).map_or("none", Level::role_name) };
    *level = name.into();
}

/// The current names of teams and repositories, by identifier.
struct Names {
    teams: BTreeMap<i64, String>,
    repos: BTreeMap<i64, String>,
}

impl Names {
    fn of(tx: &mut Tx, drafts: &[Draft]) -> Result<Self> {
        let ids = |thing: fn(&Subject) -> &Thing| -> Vec<i64> {
            let nameless = drafts.iter().map(|draft| thing(&draft.subject)).filter(|thing| thing.names.is_empty());
            let mut ids: Vec<i64> = nameless.filter_map(|thing| thing.id).collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let teams: Vec<(i64, String)> = by_ids(tx, &TEAMS, &ids(|subject| &subject.team))?;
        let repos: Vec<(i64, String, String)> = by_ids(tx, &REPOS, &ids(|subject| &subject.repo))?;
        let repos = repos.into_iter().map(|(id, owner, name)| (id, format!("{owner}/{name}")));
        Ok(Self { teams: teams.into_iter().collect(), repos: repos.collect() })
    }

    /// The name that a team or repository had then, or else its current name, unless it is gone.
    fn known(now: &BTreeMap<i64, String>, thing: &Thing) -> Option<String> {
        thing.names.first().cloned().or_else(|| now.get(&thing.id?).cloned())
    }
}

static TEAMS: ByIds = ByIds::new("SELECT id, slug FROM teams WHERE id IN ({ids}) ORDER BY id");

static REPOS: ByIds = ByIds::new(
    "SELECT r.id, coalesce(o.login, u.login), r.name
     FROM repos r LEFT JOIN orgs o ON o.id = r.org_id LEFT JOIN users u ON u.id = r.user_id
     WHERE r.id IN ({ids}) ORDER BY r.id",
);

/// Bytes in the form in which people compare them.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]))
        .collect()
}
