//! The project: its row, and the subject of the table.
//!
//! Keeps decision 33: what one cannot read is not there.

use schemars::JsonSchema;
use serde::Deserialize;

use super::access;
use super::level::{ADMIN, READ, WRITE, word};
use super::record::ProjectRecord;
use crate::clock::Time;
use crate::db::{FromRow, Lock, Row, Tx};
use crate::error::{Error, Result};
use crate::journal::ProjectFacts;
use crate::operation::{Caller, Cx, Path, Record, Subject};
use crate::orgs::org;
use crate::people::login;
use crate::people::user::User;
use crate::policy::{Fact, Granted, Standing};

/// A project, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// ID.
    pub id: i64,
    /// Its organization.
    pub org_id: i64,
    /// The login of its organization.
    pub org_login: String,
    /// Its number in the organization.
    pub number: i64,
    /// Name.
    pub name: String,
    /// Description.
    pub body: Option<String>,
    /// `open` or `closed`.
    pub state: String,
    /// The level of every member of the organization.
    pub organization_level: i64,
    /// Whether only people with a level read it.
    pub private: bool,
    /// Who created it; of somebody whose account is gone the login that they had then.
    pub creator: User,
    /// Creation time.
    pub created_at: Time,
    /// Time of the last change.
    pub updated_at: Time,
}

/// The columns of [`Project`], of the tables that [`tables`] names.
macro_rules! columns {
    () => {
        "p.id, p.org_id, o.login, p.number, p.name, p.body, p.state, p.organization_level, p.private,
         p.creator_id, coalesce(u.login, p.creator_login), coalesce(u.site_admin, FALSE), p.created_at, p.updated_at"
    };
}
pub(crate) use columns;

/// The tables of [`columns`].
macro_rules! tables {
    () => {
        "projects p JOIN orgs o ON o.id = p.org_id LEFT JOIN users u ON u.id = p.creator_id"
    };
}
pub(crate) use tables;

impl FromRow for Project {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            org_id: row.get(1)?,
            org_login: row.get(2)?,
            number: row.get(3)?,
            name: row.get(4)?,
            body: row.get(5)?,
            state: row.get(6)?,
            organization_level: row.get(7)?,
            private: row.get(8)?,
            creator: User { id: row.get(9)?, login: row.get(10)?, site_admin: row.get(11)?, suspended: false },
            created_at: Time(row.get(12)?),
            updated_at: Time(row.get(13)?),
        })
    }
}

impl Project {
    /// How many columns it is read from.
    pub const COLUMNS: usize = 14;

    /// The project with this identifier, if there is one.
    pub fn by_id(tx: &mut Tx, id: i64) -> Result<Option<Self>> {
        tx.maybe(BY_ID, &[&id])
    }

    /// The project that a path names, with the caller's level; what they do not read is not there.
    pub fn readable(cx: &mut Cx, path: &Path) -> Result<(Self, i64)> {
        let id = path.id("project_id")?.unwrap_or_default();
        if let Some(project) = Self::by_id(cx.tx, id)? {
            let level = access::level(cx.tx, &project, cx.my_id())?;
            if level >= READ {
                return Ok((project, level));
            }
        }
        Err(Error::NotFound)
    }

    /// The project as events and the audit show it.
    #[must_use]
    pub fn facts(&self) -> ProjectFacts {
        ProjectFacts {
            id: self.id,
            number: self.number,
            name: self.name.clone(),
            body: self.body.clone(),
            state: self.state.clone(),
            organization_permission: word(self.organization_level),
            private: self.private,
            creator: self.creator.facts(),
        }
    }
}

const BY_ID: &str = concat!("SELECT ", columns!(), " FROM ", tables!(), " WHERE p.id = $1");

/// The identifier of the project with this number in the organization with this login, whoever asks.
pub fn numbered(tx: &mut Tx, org_login: &str, number: i64) -> Result<Option<i64>> {
    let found: Option<(i64,)> = tx.maybe(NUMBERED, &[&login::key(org_login), &number])?;
    Ok(found.map(|(id,)| id))
}

const NUMBERED: &str = "
    SELECT p.id FROM logins l JOIN projects p ON p.org_id = l.org_id AND p.number = $2
    WHERE l.login_key = $1 AND l.current = TRUE";

/// The facts that a level of somebody makes true.
#[must_use]
pub fn with_level(standing: Standing, level: i64) -> Standing {
    standing
        .with(Fact::ReadsProject, level >= READ)
        .with(Fact::WritesProject, level >= WRITE)
        .with(Fact::AdminsProject, level >= ADMIN)
}

impl Subject for Project {
    const FORMS: &'static [&'static str] = &["/projects/{project_id}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (project, level) = Self::readable(cx, path)?;
        Ok((project, with_level(org::signed_in(cx), level)))
    }

    fn locks(tx: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let id = path.id("project_id")?;
        let org: Option<(i64,)> = tx.maybe("SELECT org_id FROM projects WHERE id = $1", &[&id])?;
        Ok(org.map(|(org,)| Lock::Journal(org)).into_iter().collect())
    }

    fn canonical(&self) -> String {
        format!("/projects/{}", self.id)
    }
}

/// Get a project. A project that is not private is readable by everyone.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets a project.
pub fn get(cx: &mut Cx, project: Granted<Project>, _: Get) -> Result<Record<ProjectRecord>> {
    // Its creator is shown with their login of today, which changes without the project.
    Ok(ProjectRecord::new(cx.links, &project).into())
}
