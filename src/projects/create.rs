//! Creating a project, and the limits of its name and text.
//!
//! Implements decision 32: the caller who creates a project administers it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::level::{ADMIN, OrganizationLevel, State, rank};
use super::project::{Project, ProjectRecord};
use crate::db::{Bind, select};
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::name::{self, NAME_MAX};
use crate::operation::{Cx, Record};
use crate::orgs::org::Org;
use crate::people::user::{self, User};
use crate::policy::Granted;

/// The longest text, in characters.
pub const BODY_MAX: usize = 65_535;

/// Create a project in an organization. It is private, and members get the organization's default permission on it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// The name of the project.
    #[schemars(length(min = 1, max = NAME_MAX), extend("x-function-validates" = true))]
    pub name: String,
    /// Description of the project.
    #[schemars(length(max = BODY_MAX))]
    pub body: Option<String>,
}

/// Creates the project, which its creator administers.
pub fn create(cx: &mut Cx, org: Granted<Org>, p: Create) -> Result<Record<ProjectRecord, 201>> {
    let name = valid_name(&p.name)?;
    let body = valid_body(p.body.as_deref())?;
    let (enabled, default): (bool, String) = cx.tx.one(SETTINGS, &[&org.id])?;
    if !enabled {
        return Err(Error::sentence("Projects are disabled for this organization."));
    }
    let me = cx.me()?;
    let number: i64 = cx.tx.run_one(NUMBER, &[&org.id])?;
    let id: i64 =
        cx.tx.run_one(CREATE, &[&org.id, &number, &name, &body, &rank(&default), &me.id, &&*me.login, &cx.now()?.0])?;
    cx.tx.run(CREATOR, &[&id, &me.id, &ADMIN, &cx.now()?.0])?;
    let project = Project::by_id(cx.tx, id)?.ok_or(Error::NotFound)?;
    cx.record(
        org.id,
        Change::new("project.create", &json!(null), &json!(project.facts()))
            .with_event(&Event::ProjectCreated { project: project.facts() }),
    )?;
    let record = ProjectRecord::new(cx.links, &project);
    let location = record.url.clone();
    Ok(Record::from(record).at(location))
}

const SETTINGS: &str = "SELECT has_organization_projects, default_repository_permission FROM orgs WHERE id = $1";

const NUMBER: &str = "
    UPDATE orgs SET last_project_number = last_project_number + 1 WHERE id = $1 RETURNING last_project_number";

const CREATE: &str = "
    INSERT INTO projects (org_id, number, name, body, organization_level, creator_id, creator_login,
                          created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
    RETURNING id";

const CREATOR: &str = "
    INSERT INTO project_collaborators (project_id, user_id, level, granted_by, granted_at) VALUES ($1, $2, $3, $2, $4)";

/// A project of a file. Its fields are valid.
#[derive(Debug, Deserialize)]
pub struct Given {
    name: String,
    body: Option<String>,
    state: Option<State>,
    organization_permission: Option<OrganizationLevel>,
    private: Option<bool>,
    /// The login of the person who created it. Default: the first owner.
    creator: Option<String>,
}

/// Creates a project with a number that no project of the organization has. No person gets a level on it.
pub fn numbered(cx: &mut Cx, org: i64, number: i64, given: Given) -> Result<()> {
    let creator = match &given.creator {
        Some(login) => user::by_login(cx.tx, login)?,
        None => cx.tx.one(FIRST_OWNER, &[&org])?,
    };
    let (_, default): (bool, String) = cx.tx.one(SETTINGS, &[&org])?;
    let level = given.organization_permission.map_or(rank(&default), OrganizationLevel::rank);
    let (state, private) = (given.state.unwrap_or(State::Open).word(), given.private.unwrap_or(true));
    let row: &[&dyn Bind] =
        &[&org, &number, &given.name, &given.body, &level, &creator.id, &creator.login, &cx.now()?.0, &state, &private];
    let id: i64 = cx.tx.run_one(CREATE_NUMBERED, row)?;
    cx.tx.run(TAKE_NUMBER, &[&org, &number])?;
    let project = Project::by_id(cx.tx, id)?.ok_or(Error::NotFound)?;
    cx.record(
        org,
        Change::new("project.create", &json!(null), &json!(project.facts()))
            .with_event(&Event::ProjectCreated { project: project.facts() }),
    )
}

const FIRST_OWNER: &str = select!(User from
    "org_members m JOIN users u ON u.id = m.user_id
     WHERE m.org_id = $1 AND m.role = 'admin' ORDER BY m.user_id LIMIT 1");

const CREATE_NUMBERED: &str = "
    INSERT INTO projects (org_id, number, name, body, organization_level, creator_id, creator_login,
                          created_at, updated_at, state, private)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10)
    RETURNING id";

/// A number that was taken is never assigned again.
const TAKE_NUMBER: &str = "UPDATE orgs SET last_project_number = $2 WHERE id = $1 AND last_project_number < $2";

/// Returns the name without surrounding whitespace; 422 if it is blank, too long or cannot be shown.
pub fn valid_name(name: &str) -> Result<&str> {
    name::valid(name).map_err(|why| Error::explained("Project", "invalid", "name", why))
}

/// Returns the text; 422 if it is too long.
pub fn valid_body(body: Option<&str>) -> Result<Option<&str>> {
    match body {
        Some(text) if text.chars().count() > BODY_MAX => {
            let message = format!("Body is too long (maximum is {BODY_MAX} characters)");
            Err(Error::explained("Project", "invalid", "body", message))
        }
        body => Ok(body),
    }
}
