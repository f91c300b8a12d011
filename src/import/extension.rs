//! The content of a key `guildhall` in a peribolos file: what the service has and the format cannot express.
//!
//! An organization, a repository and a team may each have such a key. Other programs ignore it.

use std::collections::{HashMap, HashSet};

use super::cursor::Cursor;
use super::desired::{Invitation, Person, Project, ProjectCollaborator, ProjectGrant, Role};
use super::draft::Draft;
use super::fault::{Fault, shown};
use super::team_settings::TeamSettings;
use super::values;
use crate::people::{email, login};
use crate::rows::{Algorithm, ReviewDelegation};

/// The key.
pub const KEY: &str = "guildhall";

/// The keys of an organization below it.
const ORG: &[&str] = &[
    "audit_shows_addresses",
    "billing_managers",
    "invitations",
    "members_can_create_teams",
    "members_can_leave_teams",
    "projects",
    "public_members",
    "security_managers",
];

/// Those of them that are lists.
const LISTS: &[&str] = &["billing_managers", "invitations", "projects", "public_members", "security_managers"];

/// The keys of a repository below it.
const REPO: &[&str] = &["is_template", "vulnerability_alerts"];

/// The keys of a team below it, besides its settings.
const TEAM: &[&str] = &["id", "projects", "review_request_delegation", "security_manager"];

/// Keys of the delegation of requests for reviews. Those that are not there have their defaults.
const REVIEWS: &[&str] = &["algorithm", "enabled", "member_count", "notify_team"];

/// Keys of a project, which is under its number.
const PROJECT: &[&str] = &["body", "collaborators", "creator", "name", "organization_permission", "private", "state"];

/// Keys of an invitation.
const INVITATION: &[&str] = &["email", "login", "role", "teams"];

/// Reads the key of an organization whose people and teams have been read.
pub fn org(draft: &mut Draft, at: &Cursor) {
    if let Some(at) = at.get(KEY) {
        at.only(&[ORG]);
        draft.org.members_can_create_teams = at.flag("members_can_create_teams");
        draft.org.members_can_leave_teams = at.flag("members_can_leave_teams");
        draft.org.audit_shows_addresses = at.flag("audit_shows_addresses");
        draft.people(&at, "billing_managers", Role::BillingManager);
        at.each("public_members", |item| member(draft, &item, |person| person.public = true));
        at.each("security_managers", |item| member(draft, &item, |person| person.security_manager = true));
        projects(draft, &at);
        invitations(draft, &at);
        draft.org.lists.extend(at.present(LISTS));
    }
    project_grants(draft, at);
}

fn projects(draft: &mut Draft, at: &Cursor) {
    let Some(all) = at.get("projects") else { return };
    let mut known = HashMap::new();
    for (number, at) in all.entries() {
        let Some(number) = at.keep(values::project_number(&at, number)) else { continue };
        if let Some(first) = known.insert(number, at.line) {
            at.wrong(format!("project {number} is listed twice; see line {first}"));
        }
        draft.org.projects.push(project(&at, number));
    }
}

fn invitations(draft: &mut Draft, at: &Cursor) {
    let mut known = HashMap::new();
    at.each("invitations", |item| {
        let Some(invitation) = invitation(draft, &item) else { return };
        if let Some(first) = known.insert(invitee(&invitation), item.line) {
            item.wrong(format!("this invitation is listed twice; see line {first}"));
        }
        draft.org.invitations.push(invitation);
    });
}

/// Reads the key of the repository that was added last.
pub fn repo(draft: &mut Draft, at: &Cursor) {
    if let (Some(at), Some(repo)) = (at.get(KEY), draft.org.repos.last_mut()) {
        at.only(&[REPO]);
        repo.is_template = at.flag("is_template");
        repo.vulnerability_alerts = at.flag("vulnerability_alerts");
    }
}

/// Reads the key of a team.
pub fn team(draft: &mut Draft, at: &Cursor, index: usize) {
    let Some(at) = at.get(KEY) else { return };
    at.only(&[TeamSettings::KEYS, TEAM]);
    let team = &mut draft.org.teams[index];
    team.id = at.read("id", values::id);
    team.lists.extend(at.present(&["projects"]));
    team.settings = TeamSettings::read(&at);
    team.security_manager = at.flag("security_manager");
    team.reviews = at.get("review_request_delegation").map(|at| reviews(&at));
    let Some(all) = at.get("projects") else { return };
    let mut known = HashMap::new();
    for (number, at) in all.entries() {
        let level = at.keep(values::choice(&at, values::PROJECT_GRANTS));
        let Some(number) = at.keep(values::project_number(&at, number)) else { continue };
        if let Some(first) = known.insert(number, at.line) {
            at.wrong(format!("project {number} is granted twice; see line {first}"));
        }
        team.projects.extend(level.map(|level| ProjectGrant { number, level, line: at.line }));
    }
}

fn reviews(at: &Cursor) -> ReviewDelegation {
    at.only(&[REVIEWS]);
    let usual = ReviewDelegation::default();
    let truth = |key, usual| at.flag(key).unwrap_or(usual);
    let algorithm = at.read("algorithm", |at| values::word(at, &Algorithm::WORDS));
    ReviewDelegation {
        enabled: truth("enabled", usual.enabled),
        algorithm: algorithm.unwrap_or(usual.algorithm),
        member_count: at.read("member_count", values::reviewers).unwrap_or(usual.member_count),
        notify_team: truth("notify_team", usual.notify_team),
    }
}

fn member(draft: &mut Draft, at: &Cursor, mark: impl Fn(&mut Person)) {
    let Some(login) = at.keep(at.text().and_then(|text| values::login(at, text))) else { return };
    let person = draft.people.get(&login::key(login)).map(|index| &mut draft.org.people[*index]);
    match person {
        Some(person) if person.role != Role::BillingManager => mark(person),
        _ if draft.unread => {}
        _ => at.wrong(format!("{} is not listed as an owner or a member", shown(login))),
    }
}

fn project(at: &Cursor, number: i64) -> Project {
    at.only(&[PROJECT]);
    if at.get("name").is_none() {
        at.wrong("missing key \"name\"");
    }
    Project {
        number,
        name: at.read("name", values::project_name).unwrap_or_default(),
        body: at.read("body", values::description),
        state: at.read("state", |at| values::choice(at, values::PROJECT_STATES)),
        organization_level: at.read("organization_permission", |at| values::choice(at, values::PROJECT_GRANTS)),
        private: at.flag("private"),
        creator: at.read("creator", some_login),
        collaborators: collaborators(at),
        lists: at.present(&["collaborators"]),
        line: at.line,
        key: at.path.to_string(),
    }
}

fn some_login(at: &Cursor) -> Result<String, Fault> {
    values::login(at, at.text()?).map(str::to_owned)
}

fn collaborators(at: &Cursor) -> Vec<ProjectCollaborator> {
    let mut known = HashMap::new();
    let mut collaborators = Vec::new();
    let Some(all) = at.get("collaborators") else { return collaborators };
    for (name, at) in all.entries() {
        let level = at.keep(values::choice(&at, values::PROJECT_LEVELS));
        let Some(login) = at.keep(values::login(&at, name)) else { continue };
        if let Some(first) = known.insert(login::key(login), at.line) {
            at.wrong(format!("{} is listed twice; see line {first}", shown(login)));
        }
        let login = login.to_owned();
        collaborators.extend(level.map(|level| ProjectCollaborator { login, level, line: at.line }));
    }
    collaborators
}

fn invitation(draft: &Draft, at: &Cursor) -> Option<Invitation> {
    at.only(&[INVITATION]);
    let login = at.read("login", some_login);
    let email = at.read("email", values::address);
    if at.get("login").is_none() && at.get("email").is_none() {
        at.wrong("an invitation needs a \"login\" or an \"email\"");
    }
    let role = at.read("role", |at| values::choice(at, values::INVITED)).unwrap_or("direct_member");
    let mut teams = Vec::new();
    if let Some(all) = at.get("teams") {
        if at.get("login").is_some() {
            all.wrong(
                "only an invitation to an e-mail address can have \"teams\"; list this person in the teams instead",
            );
        }
        for (name, at) in all.entries() {
            let role = at.keep(values::choice(&at, values::TEAM_ROLES));
            let Some(name) = at.keep(values::team_name(&at, name)) else { continue };
            match draft.teams.get(name) {
                Some(team) => teams.extend(role.map(|maintainer| (*team, maintainer))),
                None => at.wrong("the file has no team with this name"),
            }
        }
    }
    let is_known = login.is_some() || email.is_some();
    is_known.then(|| Invitation {
        login,
        email,
        role,
        teams,
        only_teams: false,
        line: at.line,
        key: at.path.to_string(),
    })
}

/// The invited login or e-mail address, in the form in which they are compared; no login contains an `@`.
fn invitee(invitation: &Invitation) -> String {
    match (&invitation.login, &invitation.email) {
        (Some(login), _) => login::key(login),
        (None, email) => email::key(email.as_deref().unwrap_or_default()),
    }
}

fn project_grants(draft: &Draft, at: &Cursor) {
    let known: HashSet<i64> = draft.org.projects.iter().map(|project| project.number).collect();
    for team in &draft.org.teams {
        for grant in &team.projects {
            if !known.contains(&grant.number) {
                let message =
                    format!("the file has no project {}; add it to the projects of the organization", grant.number);
                at.faults.add(Fault::new(grant.line, &team.key, message));
            }
        }
    }
}
