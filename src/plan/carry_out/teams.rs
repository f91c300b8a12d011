//! Teams, and their levels on repositories and projects.

use serde_json::{Map, Value, json};

use super::{Work, owner, parameters, removes, word};
use crate::error::{Error, Result};
use crate::journal::Change as Entry;
use crate::plan::{Action, Change};
use crate::repos::granting;
use crate::teams::create::{self, New};
use crate::teams::projects::TeamProject;
use crate::teams::repos::TeamRepo;
use crate::teams::team::Team;
use crate::teams::{delete, naming, projects, repos, reviews, slug, update};

impl Work<'_, '_, '_> {
    /// The identifier of the team that has this name now.
    pub(super) fn team_id(&self, name: &str) -> Result<i64> {
        self.teams.get(name).copied().ok_or(Error::NotFound)
    }

    /// A team, as the operator sees it.
    pub(super) fn granted_team(&mut self, id: i64) -> Result<Team> {
        Team::by_id(self.cx, 0, id)?.ok_or(Error::NotFound)
    }

    fn team_of(&mut self, change: &Change) -> Result<Team> {
        let id = self.team_id(change.team.as_deref().unwrap_or_default())?;
        self.granted_team(id)
    }

    pub(super) fn team(&mut self, change: &Change) -> Result<()> {
        match change.action {
            Action::Add => self.new_team(change),
            Action::Change => self.changed_team(change),
            Action::Remove => {
                let id = self.team_id(&change.subject)?;
                let team = owner(self.granted_team(id)?)?;
                self.teams.remove(&change.subject);
                delete::delete(self.cx, team, delete::Delete {}).map(drop)
            }
        }
    }

    fn new_team(&mut self, change: &Change) -> Result<()> {
        let mut values = self.with_parent(change)?;
        values.insert("name".to_owned(), json!(change.subject));
        let reviews = values.remove("review_request_delegation");
        let new: New = parameters(values.into())?;
        let made = create::insert(self.cx, self.org, true, &new)?;
        self.teams.insert(change.subject.clone(), made.id);
        self.delegated(made.id, reviews)
    }

    fn changed_team(&mut self, change: &Change) -> Result<()> {
        let was = change.before["name"].as_str().unwrap_or(&change.subject);
        let id = self.team_id(was)?;
        let mut values = self.with_parent(change)?;
        let reviews = values.remove("review_request_delegation");
        if !values.is_empty() {
            let team = owner(self.granted_team(id)?)?;
            update::update(self.cx, team, parameters(values.into())?)?;
            self.teams.remove(was);
            self.teams.insert(change.subject.clone(), id);
        }
        self.delegated(id, reviews)
    }

    /// The values after a change, with the identifier of the parent instead of its name.
    fn with_parent(&self, change: &Change) -> Result<Map<String, Value>> {
        let mut values = change.after.as_object().cloned().unwrap_or_default();
        if let Some(parent) = values.remove("parent") {
            let id = parent.as_str().map(|name| self.team_id(name)).transpose()?;
            values.insert("parent_team_id".to_owned(), json!(id));
        }
        Ok(values)
    }

    fn delegated(&mut self, team: i64, reviews: Option<Value>) -> Result<()> {
        let Some(mut reviews) = reviews else { return Ok(()) };
        reviews["team_member_count"] = reviews["member_count"].take();
        let team = owner(self.granted_team(team)?)?;
        reviews::update(self.cx, team, parameters(reviews)?).map(drop)
    }

    pub(super) fn former_team_name(&mut self, change: &Change) -> Result<()> {
        let team = self.team_of(change)?;
        let slug = slug::from_name(&change.subject).ok_or(Error::NotFound)?;
        naming::leave(self.cx.tx, self.org, team.id, &slug, self.cx.now()?.0)?;
        let after = json!({ "team": team.id, "team_slug": team.slug, "former_slug": slug });
        self.cx.record(self.org, Entry::new("team.add_former_name", &json!(null), &after))
    }

    pub(super) fn grant(&mut self, change: &Change) -> Result<()> {
        let (team, repo) = (self.team_of(change)?, self.repo(&change.subject)?);
        if removes(change) {
            // A file may also take repositories from a security manager, which reads them all the same.
            let had = super::repos::level(&change.before)?.rank();
            return granting::take(self.cx, self.org, &team.facts(), repo.facts(), had);
        }
        let at = owner(TeamRepo::of(team, repo))?;
        let permission = Some(super::repos::level(&change.after)?.word().to_owned());
        repos::put(self.cx, at, repos::Put { permission }).map(drop)
    }

    pub(super) fn project_grant(&mut self, change: &Change) -> Result<()> {
        let (team, project) = (self.team_of(change)?, self.numbered(&change.subject)?);
        let at = owner(TeamProject::of(team, project))?;
        if removes(change) {
            return projects::remove(self.cx, at, projects::Remove {}).map(drop);
        }
        let permission = json!({ "permission": word(&change.after)? });
        projects::put(self.cx, at, parameters(permission)?).map(drop)
    }
}
