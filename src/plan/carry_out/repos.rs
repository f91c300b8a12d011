//! Repositories and projects, and people's own levels on them.

use serde_json::{Value, json};

use super::{Work, owner, parameters, removes, word};
use crate::error::{Error, Result};
use crate::journal::Change as Entry;
use crate::orgs::org::Org;
use crate::people::login::Owner;
use crate::plan::{Action, Change};
use crate::projects::project::Project;
use crate::projects::{self, collaborators};
use crate::repos::level::Level;
use crate::repos::repo::Repo;
use crate::repos::{alerts, collaborator, create, naming, update};

impl Work<'_, '_, '_> {
    /// The repository of the organization that has this name now.
    pub(super) fn repo(&mut self, name: &str) -> Result<Repo> {
        Repo::by_name(self.cx.tx, 0, Owner::Org(self.org), name)?.ok_or(Error::NotFound)
    }

    /// The project of the organization with this number.
    pub(super) fn numbered(&mut self, number: &str) -> Result<Project> {
        let number: i64 = number.parse().map_err(|_| Error::NotFound)?;
        Project::by_number(self.cx.tx, self.org, number)?.ok_or(Error::NotFound)
    }

    pub(super) fn repository(&mut self, change: &Change) -> Result<()> {
        let repo = match change.action {
            Action::Add => {
                let org = Org::by_id(self.cx.tx, 0, self.org)?.ok_or(Error::NotFound)?;
                let mut chosen = change.after.clone();
                chosen["name"] = json!(change.subject);
                create::in_org(self.cx, &owner(org)?, parameters(chosen)?)?
            }
            Action::Change => self.repo(change.before["name"].as_str().unwrap_or(&change.subject))?,
            Action::Remove => return Err(Error::Bug("a plan removes no repository".into())),
        };
        if let Some(enabled) = change.after["vulnerability_alerts"].as_bool() {
            let repo = owner(repo.clone())?;
            if enabled {
                alerts::enable(self.cx, repo, alerts::Enable {})?;
            } else {
                alerts::disable(self.cx, repo, alerts::Disable {})?;
            }
        }
        // A creation does not take everything that an update takes.
        update::update(self.cx, owner(repo)?, parameters(change.after.clone())?).map(drop)
    }

    pub(super) fn former_repository_name(&mut self, change: &Change) -> Result<()> {
        let (repo, former) = (self.repo(word(&change.after)?)?, change.subject.as_str());
        naming::take(self.cx.tx, repo.owner, former)?;
        naming::leave(self.cx.tx, repo.owner, former, repo.id)?;
        let after = json!({ "repository": repo.id, "full_name": repo.full_name(), "former_name": former });
        self.cx.record(self.org, Entry::new("repo.add_former_name", &json!(null), &after))
    }

    pub(super) fn collaborator(&mut self, change: &Change) -> Result<()> {
        let (repo, username) = split(&change.subject)?;
        let repo = owner(self.repo(repo)?)?;
        if removes(change) {
            return collaborator::remove(self.cx, repo, collaborator::Remove { username }).map(drop);
        }
        let permission = Some(level(&change.after)?.word().to_owned());
        collaborator::put(self.cx, repo, collaborator::Put { username, permission }).map(drop)
    }

    pub(super) fn project(&mut self, change: &Change) -> Result<()> {
        if change.action == Action::Add {
            if self.cx.caller.person.is_some() {
                return self.own_project(change);
            }
            let number = change.subject.parse().map_err(|_| Error::NotFound)?;
            let given: projects::create::Given = parameters(change.after.clone())?;
            return projects::create::numbered(self.cx, self.org, number, given);
        }
        let project = owner(self.numbered(&change.subject)?)?;
        if removes(change) {
            return Err(Error::Bug("a plan removes no project".into()));
        }
        projects::update::update(self.cx, project, parameters(change.after.clone())?).map(drop)
    }

    /// A project that the caller creates, which gets the next number.
    fn own_project(&mut self, change: &Change) -> Result<()> {
        let org = owner(Org::by_id(self.cx.tx, 0, self.org)?.ok_or(Error::NotFound)?)?;
        projects::create::create(self.cx, org, parameters(change.after.clone())?)?;
        let project = owner(self.numbered(&change.subject)?)?;
        projects::update::update(self.cx, project, parameters(change.after.clone())?).map(drop)
    }

    pub(super) fn project_collaborator(&mut self, change: &Change) -> Result<()> {
        let (project, username) = split(&change.subject)?;
        let project = owner(self.numbered(project)?)?;
        if removes(change) {
            return collaborators::remove(self.cx, project, collaborators::Remove { username }).map(drop);
        }
        let put = json!({ "username": username, "permission": word(&change.after)? });
        collaborators::put(self.cx, project, parameters(put)?).map(drop)
    }
}

/// The two parts of a subject; neither has a slash.
fn split(subject: &str) -> Result<(&str, String)> {
    subject.split_once('/').map(|(of, login)| (of, login.to_owned())).ok_or(Error::NotFound)
}

/// A level in the words of files.
pub(super) fn level(value: &Value) -> Result<Level> {
    let name = word(value)?;
    Level::ALL.iter().find(|level| level.role_name() == name).copied().ok_or(Error::NotFound)
}
