//! Repositories: their names, their settings, and the former names that redirect to them.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::Kind;
use super::comparison::Comparison;
use crate::import::desired::Repo;
use crate::import::matching;
use crate::import::stored_settings::RepoSettings;
use crate::orgs::update::difference;
use crate::repos::name_key;

impl Comparison<'_> {
    /// Compares the repositories.
    pub(super) fn repositories(&mut self) {
        let stored: HashMap<String, &Repo> =
            self.stored.content.org.repos.iter().map(|repo| (name_key(&repo.name), repo)).collect();
        let used = self.used_repositories();
        let pairs = matching::pair_repos(&self.file.repos, &stored.keys().cloned().collect());
        let mut left: HashSet<String> = stored.keys().cloned().collect();
        for (repo, pair) in self.file.repos.iter().zip(pairs) {
            match pair {
                Some(key) => {
                    self.repository(stored[&key], repo);
                    left.remove(&key);
                }
                None if repo.declared || used.contains(&name_key(&repo.name)) => {
                    let settings = settings(&RepoSettings::of_new(repo));
                    let (_, mut chosen) = difference(&settings_of(&Repo::default()), &settings);
                    // Who may read a new repository is seen also where it is the usual.
                    chosen["private"] = settings["private"].clone();
                    self.add((Kind::Repository, None, &repo.name), chosen, None);
                }
                None => {
                    let why = "is not created, because the file only removes grants on it";
                    self.skip(format!("repository {} {why}", repo.name));
                }
            }
        }
        let store = self.stored;
        for repo in store.content.org.repos.iter().filter(|repo| left.contains(&name_key(&repo.name))) {
            self.stays((Kind::Repository, None, &repo.name), Value::Null);
        }
        self.former_repository_names(&stored, &left);
    }

    /// The repositories on which a team or a person gets a level.
    fn used_repositories(&self) -> HashSet<String> {
        let granted = self.file.teams.iter().flat_map(|team| &team.grants).filter(|grant| grant.level.is_some());
        let given = self.file.collaborators.iter().map(|collaborator| &collaborator.repo);
        granted.map(|grant| &grant.repo).chain(given).map(|name| name_key(name)).collect()
    }

    /// A different spelling of the same name is not stored.
    fn repository(&mut self, stored: &Repo, repo: &Repo) {
        let was = RepoSettings::usual().with(stored);
        let (mut before, mut after) = difference(&settings(&was), &settings(&was.with(repo)));
        let mut name = stored.name.as_str();
        if name_key(name) != name_key(&repo.name) {
            (before["name"], after["name"]) = (json!(name), json!(repo.name));
            name = &repo.name;
        }
        if after != json!({}) {
            self.change((Kind::Repository, None, name), (before, after), None);
        }
    }

    /// A name that is in use, and a former name that was claimed first, take precedence.
    fn former_repository_names(&mut self, stored: &HashMap<String, &Repo>, left: &HashSet<String>) {
        let mut redirects: HashMap<String, &str> = HashMap::new();
        for repo in stored.values() {
            redirects.extend(repo.former_names.iter().map(|name| (name_key(name), repo.name.as_str())));
        }
        let mut living: HashSet<String> = self.file.repos.iter().map(|repo| name_key(&repo.name)).collect();
        living.extend(left.iter().cloned());
        let known: HashSet<String> = stored.keys().cloned().collect();
        let pairs = matching::pair_repos(&self.file.repos, &known);
        let mut claimed = HashSet::new();
        for (repo, pair) in self.file.repos.iter().zip(pairs) {
            for former in &repo.former_names {
                let (key, own) = (name_key(former), pair.as_deref().map(|key| stored[key].name.as_str()));
                if key == name_key(&repo.name) || own.is_some_and(|own| name_key(own) == key) {
                    claimed.insert(key);
                    continue;
                }
                if living.contains(&key) || !claimed.insert(key.clone()) {
                    let why = "it is a name, or a former name, of another repository";
                    self.skip(format!("former name {former} of repository {}: {why}", repo.name));
                    continue;
                }
                match redirects.get(&key).copied() {
                    was if was.is_some() && was == own => {}
                    _ if self.owner.is_some() => {
                        let why = "only the command on the server adds former names";
                        self.skip(format!("former name {former} of repository {}: {why}", repo.name));
                    }
                    Some(was) => {
                        self.change((Kind::FormerRepositoryName, None, former), (was, repo.name.as_str()), None);
                    }
                    None => self.add((Kind::FormerRepositoryName, None, former), repo.name.as_str(), None),
                }
            }
        }
    }
}

fn settings(settings: &RepoSettings) -> Value {
    json!(settings)
}

fn settings_of(repo: &Repo) -> Value {
    json!(RepoSettings::usual().with(repo))
}
