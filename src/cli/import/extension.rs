//! The content of a key `guildhall` in a peribolos file: what the service has and the format cannot express.
//!
//! An organization, a repository and a team may each have such a key. Other programs ignore it.

use std::collections::{HashMap, HashSet};

use super::cursor::Cursor;
use super::desired::{Invitation, Person, Project, ProjectCollaborator, ProjectGrant, Role};
use super::draft::Draft;
use super::fault::{Fault, shown};
use super::values;
use crate::people::{email, login};
use crate::rows::ReviewDelegation;

/// The key.
pub const KEY: &str = "guildhall";

/// The keys of an organization below it.
const ORG: &[&str] = &[
    "audit_shows_addresses",
    "billing_managers",
    "invitations",
    "members_can_create_teams",
    "projects",
    "public_members",
    "security_managers",
];

/// The keys of a repository below it.
const REPO: &[&str] = &["is_template", "vulnerability_alerts"];

/// The keys of a team below it.
const TEAM: &[&str] =
    &["notification_setting", "permission", "projects", "review_request_delegation", "security_manager"];

/// Keys of the delegation of requests for reviews. Those that are not there have their defaults.
const REVIEWS: &[&str] = &["algorithm", "enabled", "member_count", "notify_team"];

/// Keys of a project, which is under its number.
const PROJECT: &[&str] = &["body", "collaborators", "creator", "name", "organization_permission", "private", "state"];

/// Keys of an invitation.
const INVITATION: &[&str] = &["email", "login", "role", "teams"];

/// Reads the key of an organization whose people and teams have been read.
pub fn org(draft: &mut Draft, at: &Cursor) -> Result<(), Fault> {
    let Some(at) = at.get(KEY) else { return project_grants(draft) };
    at.only(&[ORG])?;
    draft.org.members_can_create_teams = at.get("members_can_create_teams").map(|at| at.truth()).transpose()?;
    draft.org.audit_shows_addresses = at.get("audit_shows_addresses").map(|at| at.truth()).transpose()?;
    each(&at, "billing_managers", |item| draft.person(item, Role::BillingManager))?;
    each(&at, "public_members", |item| member(draft, item).map(|person| person.public = true))?;
    each(&at, "security_managers", |item| member(draft, item).map(|person| person.security_manager = true))?;
    if let Some(all) = at.get("projects") {
        let mut known = HashMap::new();
        for (number, at) in all.entries()? {
            let project = project(&at, number)?;
            if let Some(first) = known.insert(project.number, at.line) {
                let number = project.number;
                return Err(at.fault(format!("project {number} is listed twice; see line {first}")));
            }
            draft.org.projects.push(project);
        }
    }
    let mut known = HashMap::new();
    each(&at, "invitations", |item| {
        let invitation = invitation(draft, item)?;
        let key = invitee(&invitation);
        if let Some(first) = known.insert(key, item.line) {
            return Err(item.fault(format!("this invitation is listed twice; see line {first}")));
        }
        draft.org.invitations.push(invitation);
        Ok(())
    })?;
    project_grants(draft)
}

/// Reads the key of the repository that was added last.
pub fn repo(draft: &mut Draft, at: &Cursor) -> Result<(), Fault> {
    if let (Some(at), Some(repo)) = (at.get(KEY), draft.org.repos.last_mut()) {
        at.only(&[REPO])?;
        repo.is_template = at.get("is_template").map(|at| at.truth()).transpose()?;
        repo.vulnerability_alerts = at.get("vulnerability_alerts").map(|at| at.truth()).transpose()?;
    }
    Ok(())
}

/// Reads the key of a team.
pub fn team(draft: &mut Draft, at: &Cursor, index: usize) -> Result<(), Fault> {
    let Some(at) = at.get(KEY) else { return Ok(()) };
    at.only(&[TEAM])?;
    let team = &mut draft.org.teams[index];
    team.permission = at.get("permission").map(|at| values::choice(&at, values::PERMISSIONS)).transpose()?;
    team.notification_setting =
        at.get("notification_setting").map(|at| values::choice(&at, values::NOTIFICATIONS)).transpose()?;
    team.security_manager = at.get("security_manager").map(|at| at.truth()).transpose()?;
    team.reviews = at.get("review_request_delegation").map(|at| reviews(&at)).transpose()?;
    if let Some(all) = at.get("projects") {
        let mut known = HashMap::new();
        for (number, at) in all.entries()? {
            let number = values::project_number(&at, number)?;
            if let Some(first) = known.insert(number, at.line) {
                return Err(at.fault(format!("project {number} is granted twice; see line {first}")));
            }
            let level = values::choice(&at, values::PROJECT_GRANTS)?;
            team.projects.push(ProjectGrant { number, level, line: at.line });
        }
    }
    Ok(())
}

fn reviews(at: &Cursor) -> Result<ReviewDelegation, Fault> {
    at.only(&[REVIEWS])?;
    let usual = ReviewDelegation::default();
    let truth = |key, usual| at.get(key).map_or(Ok(usual), |at| at.truth());
    let algorithm = at.get("algorithm");
    Ok(ReviewDelegation {
        enabled: truth("enabled", usual.enabled)?,
        algorithm: algorithm.map_or(Ok(usual.algorithm), |at| values::choice(&at, values::REVIEW_ALGORITHMS))?,
        member_count: at.get("member_count").map_or(Ok(usual.member_count), |at| values::reviewers(&at))?,
        notify_team: truth("notify_team", usual.notify_team)?,
    })
}

fn each(at: &Cursor, key: &str, mut take: impl FnMut(&Cursor) -> Result<(), Fault>) -> Result<(), Fault> {
    if let Some(list) = at.get(key) {
        for item in list.items()? {
            take(&item)?;
        }
    }
    Ok(())
}

fn member<'d>(draft: &'d mut Draft, at: &Cursor) -> Result<&'d mut Person, Fault> {
    let login = values::login(at, at.text()?)?;
    let person = draft.people.get(&login::key(login)).map(|index| &mut draft.org.people[*index]);
    match person {
        Some(person) if person.role != Role::BillingManager => Ok(person),
        _ => Err(at.fault(format!("{} is not listed as an owner or a member", shown(login)))),
    }
}

fn project(at: &Cursor, number: &str) -> Result<Project, Fault> {
    at.only(&[PROJECT])?;
    let number = values::project_number(at, number)?;
    let name = at.get("name").ok_or_else(|| at.fault("missing key \"name\""))?;
    let level = at.get("organization_permission");
    Ok(Project {
        number,
        name: values::project_name(&name)?,
        body: at.get("body").map(|at| values::description(&at)).transpose()?,
        state: at.get("state").map(|at| values::choice(&at, values::PROJECT_STATES)).transpose()?,
        organization_level: level.map(|at| values::choice(&at, values::PROJECT_GRANTS)).transpose()?,
        private: at.get("private").map(|at| at.truth()).transpose()?,
        creator: at.get("creator").map(|at| values::login(&at, at.text()?).map(str::to_owned)).transpose()?,
        collaborators: collaborators(at)?,
        line: at.line,
        key: at.path.to_string(),
    })
}

fn collaborators(at: &Cursor) -> Result<Vec<ProjectCollaborator>, Fault> {
    let mut known = HashMap::new();
    let mut collaborators = Vec::new();
    if let Some(all) = at.get("collaborators") {
        for (name, at) in all.entries()? {
            let login = values::login(&at, name)?.to_owned();
            if let Some(first) = known.insert(login::key(&login), at.line) {
                return Err(at.fault(format!("{} is listed twice; see line {first}", shown(&login))));
            }
            let level = values::choice(&at, values::PROJECT_LEVELS)?;
            collaborators.push(ProjectCollaborator { login, level, line: at.line });
        }
    }
    Ok(collaborators)
}

fn invitation(draft: &Draft, at: &Cursor) -> Result<Invitation, Fault> {
    at.only(&[INVITATION])?;
    let login = at.get("login").map(|at| values::login(&at, at.text()?).map(str::to_owned)).transpose()?;
    let email = at.get("email").map(|at| values::address(&at)).transpose()?;
    if login.is_none() && email.is_none() {
        return Err(at.fault("an invitation needs a \"login\" or an \"email\""));
    }
    let role = at.get("role").map_or(Ok("direct_member"), |at| values::choice(&at, values::INVITED))?;
    let mut teams = Vec::new();
    if let Some(all) = at.get("teams") {
        if login.is_some() {
            return Err(all.fault(
                "only an invitation to an e-mail address can have \"teams\"; list this person in the teams instead",
            ));
        }
        for (name, at) in all.entries()? {
            let team = draft.teams.get(values::team_name(&at, name)?).copied();
            let team = team.ok_or_else(|| at.fault("the file has no team with this name"))?;
            teams.push((team, values::choice(&at, values::TEAM_ROLES)?));
        }
    }
    Ok(Invitation { login, email, role, teams, line: at.line, key: at.path.to_string() })
}

/// The invited login or e-mail address, in the form in which they are compared; no login contains an `@`.
fn invitee(invitation: &Invitation) -> String {
    match (&invitation.login, &invitation.email) {
        (Some(login), _) => login::key(login),
        (None, email) => email::key(email.as_deref().unwrap_or_default()),
    }
}

fn project_grants(draft: &Draft) -> Result<(), Fault> {
    let known: HashSet<i64> = draft.org.projects.iter().map(|project| project.number).collect();
    for team in &draft.org.teams {
        for grant in &team.projects {
            if !known.contains(&grant.number) {
                let message =
                    format!("the file has no project {}; add it to the projects of the organization", grant.number);
                return Err(Fault::new(grant.line, &team.key, message));
            }
        }
    }
    Ok(())
}
