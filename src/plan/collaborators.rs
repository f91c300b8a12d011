//! People's own levels on repositories.

use std::collections::{HashMap, HashSet};

use super::Kind;
use super::comparison::Comparison;
use crate::import::desired::Repo;
use crate::import::matching;
use crate::people::login;
use crate::repos::level::Level;
use crate::repos::name_key;

/// A repository of the store and a person, in the forms in which they are compared.
type Key = (String, String);

impl Comparison<'_> {
    /// Compares the levels of people on repositories.
    pub(super) fn collaborators(&mut self) {
        let current = self.current_names();
        let current = |name: &str| current.get(&name_key(name)).cloned().unwrap_or_else(|| name.to_owned());
        let mut left: HashMap<Key, Level> = HashMap::new();
        for had in &self.stored.content.org.collaborators {
            left.insert((name_key(&current(&had.repo)), login::key(&had.login)), had.level);
        }
        for wanted in &self.file.collaborators {
            let key = login::key(&wanted.login);
            let subject = format!("{}/{}", wanted.repo, self.login(&key, &wanted.login));
            let at = (Kind::Collaborator, None, subject.as_str());
            match left.remove(&(name_key(&wanted.repo), key.clone())) {
                Some(was) if was == wanted.level => {}
                Some(was) => self.change(at, (was.role_name(), wanted.level.role_name()), None),
                None if self.stored.is_suspended(&key) => {
                    self.skip(format!(
                        "{} is suspended and cannot be added to repository {}",
                        wanted.login, wanted.repo
                    ));
                }
                None => self.add(at, wanted.level.role_name(), None),
            }
        }
        self.left_collaborators(&left, current);
    }

    fn left_collaborators(&mut self, left: &HashMap<Key, Level>, current: impl Fn(&str) -> String) {
        let named: HashMap<String, &Repo> = self.file.repos.iter().map(|repo| (name_key(&repo.name), repo)).collect();
        let stored = self.stored;
        for had in &stored.content.org.collaborators {
            let name = current(&had.repo);
            let (repo, key) = (name_key(&name), login::key(&had.login));
            if !left.contains_key(&(repo.clone(), key.clone())) {
                continue;
            }
            // A person who leaves the organization loses all levels.
            if self.removed.contains(&key) && !self.keeps_a_level(&key) {
                continue;
            }
            let is_listed = named.get(&repo).is_some_and(|repo| repo.lists.contains("collaborators"));
            let subject = format!("{name}/{}", had.login);
            self.beyond((Kind::Collaborator, None, &subject), had.level.role_name(), is_listed, None);
        }
    }

    /// True if the file gives the person a level on a repository.
    pub(super) fn keeps_a_level(&self, key: &str) -> bool {
        self.collaborators.contains(key)
    }

    /// The names that the repositories of the store have after the plan, by the form of their names before.
    pub(super) fn current_names(&self) -> HashMap<String, String> {
        let known: HashSet<String> = self.stored.content.org.repos.iter().map(|repo| name_key(&repo.name)).collect();
        let pairs = matching::pair_repos(&self.file.repos, &known);
        let renamed = self.file.repos.iter().zip(pairs).filter_map(|(repo, pair)| Some((pair?, repo.name.clone())));
        renamed.collect()
    }
}
