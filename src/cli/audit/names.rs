//! The names of what entries know by ID only: the notes of tokens, teams, projects and repositories.

use std::collections::BTreeMap;

use serde_json::{Number, Value};

use crate::audit::entry::AuditEntry;
use crate::db::{ByIds, Tx, by_ids};
use crate::error::Result;

/// The values that are IDs of teams.
const TEAMS_IN: [&str; 2] = ["parent", "team"];

/// The names that the store has now, by ID.
#[derive(Default)]
pub(super) struct Names {
    notes: BTreeMap<i64, String>,
    teams: BTreeMap<i64, String>,
    projects: BTreeMap<i64, String>,
    repositories: BTreeMap<i64, String>,
}

impl Names {
    /// The names of what these entries mention.
    pub fn of_entries(tx: &mut Tx, entries: &[AuditEntry]) -> Result<Self> {
        let tokens = ids(entries.iter().filter_map(|entry| entry.token_id));
        let values = |names: &'static [&'static str]| {
            let values = entries.iter().flat_map(|entry| [&entry.before, &entry.after]);
            ids(values.flat_map(move |values| names.iter().filter_map(|name| values.get(name).and_then(Value::as_i64))))
        };
        let (teams, projects) = (values(&TEAMS_IN), values(&["project"]));
        let lists = entries.iter().filter_map(|entry| entry.before.get("repositories")?.as_array());
        let repositories = ids(lists.flatten().filter_map(Value::as_i64));
        let mut named =
            |sql, ids: &[i64]| by_ids::<(i64, String)>(tx, sql, ids).map(|found| found.into_iter().collect());
        Ok(Self {
            notes: named(&NOTES, &tokens)?,
            teams: named(&TEAMS, &teams)?,
            projects: named(&PROJECTS, &projects)?,
            repositories: named(&REPOSITORIES, &repositories)?,
        })
    }

    /// The ID of a token, with its note while it has one.
    pub fn token(&self, id: i64) -> String {
        self.notes.get(&id).map_or_else(|| id.to_string(), |note| format!("{id} ({note})"))
    }

    /// A number, or the name of what it is the ID of.
    pub fn of(&self, name: &str, number: &Number) -> String {
        let names = match name {
            "project" => &self.projects,
            "repositories" => &self.repositories,
            name if TEAMS_IN.contains(&name) => &self.teams,
            _ => return number.to_string(),
        };
        let found = number.as_i64().and_then(|id| names.get(&id));
        found.map_or_else(|| number.to_string(), Clone::clone)
    }
}

fn ids(of: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut ids: Vec<i64> = of.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

static NOTES: ByIds = ByIds::new("SELECT id, note FROM tokens WHERE id IN ({ids}) AND note IS NOT NULL ORDER BY id");

static TEAMS: ByIds = ByIds::new("SELECT id, slug FROM teams WHERE id IN ({ids}) ORDER BY id");

static PROJECTS: ByIds = ByIds::new("SELECT id, name FROM projects WHERE id IN ({ids}) ORDER BY id");

static REPOSITORIES: ByIds = ByIds::new("SELECT id, name FROM repos WHERE id IN ({ids}) ORDER BY id");
