//! The project: its row, its record (section 4 of `SPEC.md`), and the subject of its operations.
//!
//! Implements decision 33: a project that the caller cannot read is not found. A person has the highest of these levels
//! on a project: an owner of the organization administers it; a collaborator has their level; a member of a team has
//! the levels granted to the team and to the teams above it; every member has the organization's level; and everyone
//! reads a public project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::level::{ADMIN, NONE, READ, WRITE, word};
use crate::clock::Time;
use crate::db::{Lock, Tx, row, select};
use crate::error::{Error, Result};
use crate::journal::ProjectFacts;
use crate::links::{Links, node_id};
use crate::operation::{Caller, Cx, Path, Record, Subject};
use crate::orgs::org::{self, Org};
use crate::people::user::{SimpleUser, User};
use crate::policy::{Fact, Granted, Standing};
use crate::record::record;

row! {
    /// A project, as it is stored.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Project from "p" {
        /// ID.
        pub id: i64,
        /// Its organization.
        pub org_id: i64,
        /// The login of its organization.
        pub org_login: String = "o.login",
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
        /// True if only people with a level can read it.
        pub private: bool,
        /// The person who created it. If the account is gone, it has the login from that time.
        pub creator: User = "p.creator_id, coalesce(u.login, p.creator_login), coalesce(u.site_admin, FALSE), FALSE",
        /// Creation time.
        pub created_at: Time,
        /// Time of the last change.
        pub updated_at: Time,
    }
}

/// The tables that [`Project`] is read from.
macro_rules! tables {
    () => {
        "projects p JOIN orgs o ON o.id = p.org_id LEFT JOIN users u ON u.id = p.creator_id"
    };
}
pub(crate) use tables;

impl Project {
    /// The project with this identifier, if there is one.
    pub fn by_id(tx: &mut Tx, id: i64) -> Result<Option<Self>> {
        tx.maybe(BY_ID, &[&id])
    }

    /// The project of an organization with this number, if there is one.
    pub fn by_number(tx: &mut Tx, org: i64, number: i64) -> Result<Option<Self>> {
        tx.maybe(BY_NUMBER, &[&org, &number])
    }

    /// The project that a path names, with the caller's level; one that they cannot read is not found.
    pub fn readable(cx: &mut Cx, path: &Path) -> Result<(Self, i64)> {
        let id = path.id("project_id")?.unwrap_or_default();
        if let Some(project) = Self::by_id(cx.tx, id)? {
            let level = level(cx.tx, &project, cx.my_id())?;
            if level >= READ {
                return Ok((project, level));
            }
        }
        Err(Error::NotFound)
    }

    /// The project as events and the audit log show it.
    #[must_use]
    pub fn facts(&self) -> ProjectFacts {
        ProjectFacts {
            id: self.id,
            number: self.number,
            name: self.name.clone(),
            body: self.body.clone(),
            state: self.state.clone(),
            organization_permission: word(self.organization_level).into(),
            private: self.private,
            creator: self.creator.facts(),
        }
    }
}

const BY_ID: &str = select!(Project from tables!(), " WHERE p.id = $1");

const BY_NUMBER: &str = select!(Project from tables!(), " WHERE p.org_id = $1 AND p.number = $2");

/// Find a project by its number in the organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Find {
    /// The number.
    pub number: i64,
}

/// The ID of a project, for its page.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Numbered {
    /// ID; 0 if there is no project with this number.
    pub id: i64,
}

/// Finds a project by its number, even if the caller cannot read it: only the ID is returned.
pub fn numbered(cx: &mut Cx, org: Granted<Org>, p: Find) -> Result<Record<Numbered>> {
    let id: Option<i64> = cx.tx.maybe(NUMBERED, &[&org.id, &p.number])?;
    Ok(Numbered { id: id.unwrap_or_default() }.into())
}

const NUMBERED: &str = "SELECT id FROM projects WHERE org_id = $1 AND number = $2";

/// The level of a person; an anonymous caller has the identifier 0.
pub fn level(tx: &mut Tx, project: &Project, person: i64) -> Result<i64> {
    let (role, own): (Option<String>, i64) = tx.one(STANDING, &[&project.org_id, &project.id, &person])?;
    let of_role = match role.as_deref() {
        Some("admin") => ADMIN,
        Some("member") => project.organization_level,
        _ => NONE,
    };
    let of_all = if project.private { NONE } else { READ };
    Ok(own.max(of_role).max(of_all))
}

const STANDING: &str = "
    SELECT (SELECT role FROM org_members WHERE org_id = $1 AND user_id = $3), coalesce(max(own.level), 0)
    FROM (SELECT level FROM project_collaborators WHERE project_id = $2 AND user_id = $3
          UNION ALL
          SELECT g.level FROM team_members m CROSS JOIN team_tree up CROSS JOIN team_projects g
          WHERE m.user_id = $3 AND up.descendant_id = m.team_id
            AND g.team_id = up.ancestor_id AND g.project_id = $2) own";

/// The condition that the person `$1` can read the project `p`, because their level is above none; for lists.
macro_rules! reads {
    () => {
        "(p.private = FALSE
         OR EXISTS (SELECT om.role FROM org_members om WHERE om.org_id = p.org_id AND om.user_id = $1
                      AND (om.role = 'admin' OR om.role = 'member' AND p.organization_level > 0))
         OR p.id IN (SELECT c.project_id FROM project_collaborators c WHERE c.user_id = $1)
         OR p.id IN (SELECT g.project_id FROM team_members m CROSS JOIN team_tree up CROSS JOIN team_projects g
                     WHERE m.user_id = $1 AND up.descendant_id = m.team_id AND g.team_id = up.ancestor_id))"
    };
}
pub(crate) use reads;

/// The condition that the person `$1` administers the project `p`, for lists.
macro_rules! administers {
    () => {
        "(EXISTS (SELECT om.role FROM org_members om WHERE om.org_id = p.org_id AND om.user_id = $1
                    AND (om.role = 'admin' OR om.role = 'member' AND p.organization_level = 3))
         OR p.id IN (SELECT c.project_id FROM project_collaborators c WHERE c.user_id = $1 AND c.level = 3)
         OR p.id IN (SELECT g.project_id FROM team_members m CROSS JOIN team_tree up CROSS JOIN team_projects g
                     WHERE m.user_id = $1 AND up.descendant_id = m.team_id AND g.team_id = up.ancestor_id
                       AND g.level = 3))"
    };
}
pub(crate) use administers;

/// Adds the facts that follow from a person's level.
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
        let standing = org::signed_in(cx).with(Fact::TheUser, org::names_caller(cx, path));
        Ok((project, with_level(standing, level)))
    }

    fn locks(tx: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let id = path.id("project_id")?;
        let org: Option<i64> = tx.maybe("SELECT org_id FROM projects WHERE id = $1", &[&id])?;
        Ok(org.map(Lock::Journal).into_iter().collect())
    }

    fn organizations(&self) -> Vec<i64> {
        vec![self.org_id]
    }

    fn canonical(&self) -> String {
        format!("/projects/{}", self.id)
    }
}

record! {
    /// A project of an organization.
    #[schemars(rename = "project")]
    pub struct ProjectRecord {
        /// URL of the organization.
        pub owner_url: String = links.api_of("/orgs/", &project.org_login, ""),
        /// URL of the record.
        pub url: String = below(""),
        /// URL of the web page.
        pub html_url: String = links.html(&format!("/orgs/{}/projects/{}", project.org_login, project.number)),
        /// URL of the columns.
        pub columns_url: String = below("/columns"),
        /// ID.
        pub id: i64 = project.id,
        /// GraphQL node ID.
        pub node_id: String = node_id("Project", project.id),
        /// Name.
        pub name: String = project.name.clone(),
        /// Description.
        pub body: Option<String> = project.body.clone(),
        /// Project number in the organization.
        pub number: i64 = project.number,
        /// `open` or `closed`.
        pub state: String = project.state.clone(),
        /// The person who created it.
        pub creator: SimpleUser = SimpleUser::new(links, &project.creator),
        /// Creation time.
        pub created_at: Time = project.created_at,
        /// Time of the last change.
        pub updated_at: Time = project.updated_at,
        /// Permission of every organization member: `read`, `write`, `admin` or `none`.
        pub organization_permission: &'static str = word(project.organization_level),
        /// True if only people with access can read it.
        pub private: bool = project.private,
    }

    /// The record of a project.
    pub fn new(links: &Links, project: &Project) {
        let below = |path: &str| links.api(&format!("/projects/{}{path}", project.id));
    }
}

/// Get a project. A project that is not private is readable by everyone.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets a project.
pub fn get(cx: &mut Cx, project: Granted<Project>, _: Get) -> Result<Record<ProjectRecord>> {
    // The record shows the current login of its creator, which can change without a change of the project.
    Ok(ProjectRecord::new(cx.links, &project).into())
}
