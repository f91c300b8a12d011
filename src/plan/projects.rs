//! Projects, identified by their numbers, and people's own levels on them.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::Kind;
use super::comparison::Comparison;
use crate::import::desired::Project;
use crate::orgs::update::difference;
use crate::people::login;
use crate::projects::level::word;

impl Comparison<'_> {
    /// Compares the projects.
    pub(super) fn projects(&mut self) {
        let stored: HashMap<i64, &Project> =
            self.stored.content.org.projects.iter().map(|project| (project.number, project)).collect();
        for project in &self.file.projects {
            let subject = project.number.to_string();
            let at = (Kind::Project, None, subject.as_str());
            if let Some(was) = stored.get(&project.number) {
                let (before, after) = difference(&fields(was), &fields(&stated(project, was)));
                if after != json!({}) {
                    self.change(at, (before, after), None);
                }
            } else if self.owner.is_some() && project.number != self.next_project {
                let (number, next) = (project.number, self.next_project);
                self.skip(format!("project {number}: over HTTP, the next new project gets the number {next}"));
                self.skipped_projects.insert(number);
                continue;
            } else {
                self.next_project = project.number + 1;
                self.add(at, given(project, self.owner.is_none()), None);
            }
            self.project_collaborators(project, stored.get(&project.number).copied());
        }
        let mut left: Vec<&Project> = stored.into_values().collect();
        left.retain(|project| !self.file.projects.iter().any(|wanted| wanted.number == project.number));
        left.sort_by_key(|project| project.number);
        for project in left {
            let subject = project.number.to_string();
            self.stays((Kind::Project, None, &subject), json!({ "name": project.name }));
        }
    }

    fn project_collaborators(&mut self, project: &Project, stored: Option<&Project>) {
        let had = stored.map(|stored| stored.collaborators.as_slice()).unwrap_or_default();
        let mut left: HashMap<String, i64> = had.iter().map(|had| (login::key(&had.login), had.level)).collect();
        for wanted in &project.collaborators {
            let key = login::key(&wanted.login);
            let subject = format!("{}/{}", project.number, self.login(&key, &wanted.login));
            let at = (Kind::ProjectCollaborator, None, subject.as_str());
            match left.remove(&key) {
                // A person who leaves the organization loses all levels, and gets this one again.
                _ if self.removed.contains(&key) => self.add_late(at, word(wanted.level)),
                Some(was) if was == wanted.level => {}
                Some(was) => self.change(at, (word(was), word(wanted.level)), None),
                None if self.stored.is_suspended(&key) => {
                    let why = "is suspended and cannot be added to project";
                    self.skip(format!("{} {why} {}", wanted.login, project.number));
                }
                None => self.add(at, word(wanted.level), None),
            }
        }
        let is_listed = project.lists.contains("collaborators");
        for had in had.iter().filter(|had| left.contains_key(&login::key(&had.login))) {
            // A person who leaves the organization loses all levels.
            if !self.removed.contains(&login::key(&had.login)) {
                let subject = format!("{}/{}", project.number, had.login);
                self.beyond((Kind::ProjectCollaborator, None, &subject), word(had.level), is_listed, None);
            }
        }
    }
}

/// The fields that a file gives a new project. Over HTTP, the owner who asks has created it.
fn given(project: &Project, names_creator: bool) -> Value {
    let mut given = fields(project);
    given["creator"] = json!(project.creator.as_ref().filter(|_| names_creator));
    if let Some(fields) = given.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    given
}

/// The stored project, with what the file says.
fn stated(file: &Project, was: &Project) -> Project {
    Project {
        name: file.name.clone(),
        body: file.body.clone().or_else(|| was.body.clone()),
        state: file.state.or(was.state),
        organization_level: file.organization_level.or(was.organization_level),
        private: file.private.or(was.private),
        ..was.clone()
    }
}

fn fields(project: &Project) -> Value {
    json!({
        "name": project.name,
        "body": project.body,
        "state": project.state,
        "organization_permission": project.organization_level.map(word),
        "private": project.private,
    })
}
