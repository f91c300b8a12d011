//! The levels of teams on repositories and projects. The level `none` removes a grant, also without `--prune`.

use std::collections::{BTreeMap, HashMap};

use super::Kind;
use super::comparison::Comparison;
use crate::import::desired::Team;
use crate::projects::level::{NONE, word};
use crate::repos::level::Level;
use crate::repos::name_key;

impl Comparison<'_> {
    /// Compares the levels of all teams.
    pub(super) fn grants(&mut self) {
        let current = self.current_names();
        for (team, pair) in self.file.teams.iter().zip(&self.stored.pairs) {
            let stored = pair.map(|index| &self.stored.content.org.teams[index]);
            self.repositories_of(team, stored, &current);
            self.projects_of(team, stored);
        }
    }

    fn repositories_of(&mut self, team: &Team, stored: Option<&Team>, current: &HashMap<String, String>) {
        let mut left: BTreeMap<String, (String, Option<Level>)> = BTreeMap::new();
        for had in stored.iter().flat_map(|stored| &stored.grants) {
            let name = current.get(&name_key(&had.repo)).unwrap_or(&had.repo);
            left.insert(name_key(name), (name.clone(), had.level));
        }
        for wanted in &team.grants {
            let had = left.remove(&name_key(&wanted.repo));
            let name = had.as_ref().map_or(&wanted.repo, |(name, _)| name).clone();
            let at = (Kind::Grant, Some(team.name.as_str()), name.as_str());
            match (had.and_then(|(_, level)| level), wanted.level) {
                (Some(was), Some(level)) if was != level => {
                    self.change(at, (was.role_name(), level.role_name()), None);
                }
                (Some(was), None) => self.remove(at, was.role_name()),
                (None, Some(level)) => self.add(at, level.role_name(), None),
                _ => {}
            }
        }
        let is_listed = team.lists.contains("repos");
        for (name, level) in left.into_values() {
            let level = level.map_or("none", Level::role_name);
            self.beyond((Kind::Grant, Some(&team.name), &name), level, is_listed, None);
        }
    }

    fn projects_of(&mut self, team: &Team, stored: Option<&Team>) {
        let had = stored.iter().flat_map(|stored| &stored.projects);
        let mut left: BTreeMap<i64, i64> = had.map(|grant| (grant.number, grant.level)).collect();
        for wanted in &team.projects {
            let subject = wanted.number.to_string();
            let at = (Kind::ProjectGrant, Some(team.name.as_str()), subject.as_str());
            match (left.remove(&wanted.number), wanted.level) {
                (None, NONE) => {}
                (None, _) if self.skipped_projects.contains(&wanted.number) => {}
                (Some(was), NONE) => self.remove(at, word(was)),
                (None, level) => self.add(at, word(level), None),
                (Some(was), level) if was == level => {}
                (Some(was), level) => self.change(at, (word(was), word(level)), None),
            }
        }
        let is_listed = team.lists.contains("projects");
        for (number, level) in left {
            self.beyond((Kind::ProjectGrant, Some(&team.name), &number.to_string()), word(level), is_listed, None);
        }
    }
}
