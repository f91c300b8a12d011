//! The organization's own row, its people, repositories and projects, as a file describes them.

use super::words::{known, level};
use super::{Exported, lists, teams};
use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::import::desired::{Collaborator, Org, Person, Project, ProjectCollaborator, Repo, Role};
use crate::import::stored_settings::RepoSettings;
use crate::import::values;
use crate::orgs::creation::Wanted;
use crate::orgs::settings;
use crate::people::login;
use crate::repos::name_key;

/// Reads the organization with this identifier.
pub fn read(tx: &mut Tx, id: i64, now: Time) -> Result<Exported> {
    let (login,): (String,) = tx.one("SELECT login FROM orgs WHERE id = $1", &[&id])?;
    let mut exported = profile(tx, id, login)?;
    exported.org.people = people(tx, id)?;
    repos(tx, id, &mut exported)?;
    projects(tx, id, &mut exported)?;
    let index = teams::read(tx, id, now, &mut exported)?;
    lists::invitations(tx, id, now, &index, &mut exported.org)?;
    Ok(exported)
}

fn profile(tx: &mut Tx, id: i64, login: String) -> Result<Exported> {
    let was = settings::stored(tx, id)?;
    let left_out = match was.plan.as_str() {
        "free" => Vec::new(),
        plan => vec![format!("the plan {plan}, which a site administrator sets")],
    };
    let creation = was.creation();
    let kinds = if creation.public == creation.private {
        (None, None)
    } else {
        (Some(creation.public), Some(creation.private))
    };
    let org = Org {
        login,
        name: line(was.name),
        description: was.description,
        company: line(was.company),
        blog: line(was.blog),
        location: line(was.location),
        email: line(was.email),
        twitter_username: line(was.twitter_username),
        billing_email: line(was.billing_email),
        default_repository_permission: Some(known(&was.default_repository_permission, values::BASE_PERMISSIONS)?),
        members_can_create_teams: Some(was.members_can_create_teams),
        members_can_leave_teams: Some(was.members_can_leave_teams).filter(|may| *may),
        creation: Wanted { kind: None, any: Some(creation.any()), public: kinds.0, private: kinds.1 },
        members_can_fork_private_repositories: Some(was.members_can_fork_private_repositories).filter(|may| *may),
        switches: was.switches.unusual(),
        has_organization_projects: Some(was.has_organization_projects),
        has_repository_projects: Some(was.has_repository_projects),
        audit_shows_addresses: Some(was.audit_shows_addresses),
        ..Org::default()
    };
    Ok(Exported { org, left_out, teams: Vec::new() })
}

/// A line of the profile, trimmed; `None` if it is empty.
fn line(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn people(tx: &mut Tx, id: i64) -> Result<Vec<Person>> {
    let stored: Vec<(String, String, bool, bool)> = tx.all(PEOPLE, &[&id])?;
    let mut people = Vec::with_capacity(stored.len());
    for (login, role, public, security_manager) in stored {
        people.push(Person { login, role: known(&role, ROLES)?, public, security_manager, line: 0 });
    }
    people.sort_by_cached_key(|person| login::key(&person.login));
    Ok(people)
}

const PEOPLE: &str = "
    SELECT u.login, m.role, m.is_public,
           EXISTS (SELECT 1 FROM user_security_managers sp WHERE sp.org_id = m.org_id AND sp.user_id = m.user_id)
    FROM org_members m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1";

const ROLES: &[(&str, Role)] =
    &[("admin", Role::Admin), ("member", Role::Member), ("billing_manager", Role::BillingManager)];

row! {
    struct StoredRepo from "r" {
        name: String,
        settings: RepoSettings = RepoSettings::COLUMNS,
        fork_of: Option<String> = "coalesce(o.login, u.login) || '/' || f.name",
    }
}

fn desired(name: String, was: RepoSettings) -> Repo {
    Repo {
        name,
        description: was.description,
        homepage: was.homepage,
        private: Some(was.private),
        archived: Some(was.archived),
        default_branch: Some(was.default_branch),
        has_issues: Some(was.has_issues),
        has_projects: Some(was.has_projects),
        has_wiki: Some(was.has_wiki),
        is_template: Some(was.is_template).filter(|template| *template),
        settings: was.others.unusual(),
        vulnerability_alerts: Some(was.vulnerability_alerts).filter(|alerts| *alerts),
        declared: true,
        ..Repo::default()
    }
}

fn repos(tx: &mut Tx, id: i64, exported: &mut Exported) -> Result<()> {
    let mut stored: Vec<StoredRepo> = tx.all(REPOS, &[&id])?;
    stored.sort_by_cached_key(|stored| name_key(&stored.name));
    let mut former = lists::by_key::<String>(tx, FORMER_NAMES, id)?;
    let mut levels = lists::by_key::<String>(tx, COLLABORATORS, id)?;
    for StoredRepo { name, settings, fork_of } in stored {
        let mut repo = desired(name, settings);
        repo.former_names = former.remove(&repo.name).unwrap_or_default().into_iter().map(|(name, _)| name).collect();
        repo.former_names.sort_unstable();
        if let Some(parent) = fork_of {
            exported.left_out.push(format!("that repository {} is a fork of {parent}", repo.name));
        }
        for (login, rank) in levels.remove(&repo.name).unwrap_or_default() {
            let level = level(rank)?;
            exported.org.collaborators.push(Collaborator { repo: repo.name.clone(), login, level, line: 0 });
        }
        exported.org.repos.push(repo);
    }
    Ok(())
}

const REPOS: &str = select!(StoredRepo from
    "repos r
     LEFT JOIN repos f ON f.id = r.fork_of
     LEFT JOIN orgs o ON o.id = f.org_id
     LEFT JOIN users u ON u.id = f.user_id
     WHERE r.org_id = $1");

const FORMER_NAMES: &str = "
    SELECT r.name, n.name_key, CAST(0 AS BIGINT)
    FROM repos r JOIN old_repo_names n ON n.repo_id = r.id WHERE r.org_id = $1";

const COLLABORATORS: &str = "
    SELECT r.name, u.login, c.level
    FROM repos r
    JOIN repo_collaborators c ON c.repo_id = r.id
    JOIN users u ON u.id = c.user_id
    WHERE r.org_id = $1";

row! {
    struct StoredProject from "p" {
        number: i64,
        name: String,
        body: Option<String>,
        state: String,
        organization_level: i64,
        private: bool,
        creator: Option<String> = "u.login",
    }
}

fn projects(tx: &mut Tx, id: i64, exported: &mut Exported) -> Result<()> {
    let stored: Vec<StoredProject> = tx.all(PROJECTS, &[&id])?;
    let mut levels = lists::by_key::<i64>(tx, PROJECT_COLLABORATORS, id)?;
    for StoredProject { number, name, body, state, organization_level, private, creator } in stored {
        let mut project = Project {
            number,
            name,
            body,
            state: Some(known(&state, values::PROJECT_STATES)?),
            organization_level: Some(organization_level),
            private: Some(private),
            creator,
            ..Project::default()
        };
        if project.creator.is_none() {
            exported.left_out.push(format!("who created project {}, whose account is gone", project.number));
        }
        let people = levels.remove(&project.number).unwrap_or_default();
        let person = |(login, level)| ProjectCollaborator { login, level, line: 0 };
        project.collaborators = people.into_iter().map(person).collect();
        exported.org.projects.push(project);
    }
    Ok(())
}

const PROJECTS: &str = select!(StoredProject from
    "projects p LEFT JOIN users u ON u.id = p.creator_id WHERE p.org_id = $1 ORDER BY p.number");

const PROJECT_COLLABORATORS: &str = "
    SELECT p.number, u.login, c.level
    FROM projects p
    JOIN project_collaborators c ON c.project_id = p.id
    JOIN users u ON u.id = c.user_id
    WHERE p.org_id = $1";
