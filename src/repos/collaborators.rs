//! The people of a repository: those who were given a level directly, and all others who have one.
//!
//! Implements decisions 30 (the highest level counts), 33 (where a level comes from) and 38 (by id).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::access;
use super::level::{Level, Permissions};
use super::repo::Repo;
use crate::db::{row, select};
use crate::error::Result;
use crate::links::Links;
use crate::members::affiliation::Affiliation;
use crate::operation::{Cx, List};
use crate::people::user::{SimpleUser, User};
use crate::policy::Granted;

/// A person and their permission on a repository.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "collaborator")]
pub struct Collaborator {
    /// The person.
    #[serde(flatten)]
    pub person: SimpleUser,
    /// The actions that the permission allows.
    pub permissions: Permissions,
    /// Name of the role: `read`, `triage`, `write`, `maintain` or `admin`; `none` without access.
    pub role_name: &'static str,
}

impl Collaborator {
    /// The record of a person with this level.
    #[must_use]
    pub fn new(links: &Links, person: &User, level: Option<Level>) -> Self {
        Self {
            person: SimpleUser::new(links, person),
            permissions: Permissions::of(level),
            role_name: level.map_or("none", Level::role_name),
        }
    }
}

/// List the people who have access to a repository, by ID. The access that everyone has to a public repository does not
/// count.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListThem {
    /// Filter by how they have access to the repository.
    #[schemars(extend("default" = "all"))]
    pub affiliation: Option<Affiliation>,
    /// Return only people with this effective permission.
    pub permission: Option<Level>,
}

/// Lists the people who can do something with a repository, each with their level.
pub fn list(cx: &mut Cx, repo: Granted<Repo>, p: ListThem) -> Result<List<Collaborator>> {
    let statements = statements(p.affiliation.unwrap_or_default());
    let wanted = p.permission.map(Level::rank);
    let total: i64 = cx.tx.one(statements.count, &[&repo.id, &wanted])?;
    let (limit, offset) = cx.page.sql();
    let people: Vec<WithLevel> = cx.tx.all(statements.page, &[&repo.id, &wanted, &limit, &offset])?;
    let record = |with: &WithLevel| Collaborator::new(cx.links, &with.person, Level::of_rank(with.rank));
    List::of(people.iter().map(record), total)
}

row! {
    /// A person with their rank on a repository.
    #[derive(Debug)]
    pub struct WithLevel from "u" {
        /// The person.
        pub person: User = User::COLUMNS,
        /// The level of their access to it, as a rank.
        pub rank: i64 = access::level_of!("u.id"),
    }
}

/// The people of a repository, by ID: the same as the list of them.
pub fn every(cx: &mut Cx, repo: &Granted<Repo>, affiliation: Affiliation) -> Result<Vec<i64>> {
    cx.tx.all(statements(affiliation).every, &[&repo.id, &None::<i64>])
}

/// The people of a repository from `offset` on, in the same order.
pub fn some(
    cx: &mut Cx,
    repo: &Granted<Repo>,
    affiliation: Affiliation,
    (limit, offset): (i64, i64),
) -> Result<Vec<WithLevel>> {
    cx.tx.all(statements(affiliation).page, &[&repo.id, &None::<i64>, &limit, &offset])
}

/// These people, who have access to a repository.
pub fn of(cx: &mut Cx, repo: &Granted<Repo>, people: &[i64]) -> Result<Vec<WithLevel>> {
    people.iter().map(|person| cx.tx.one(OF, &[&repo.id, person])).collect()
}

const OF: &str = select!(WithLevel from "repos r CROSS JOIN users u WHERE r.id = $1 AND u.id = $2");

/// The statements for some of the people of a repository.
struct Statements {
    count: &'static str,
    page: &'static str,
    every: &'static str,
}

macro_rules! statements {
    ($people:expr) => {
        Statements {
            count: concat!("SELECT count(*) FROM (", $people, ") people"),
            page: select!(WithLevel from
                "(", $people, " ORDER BY person LIMIT $3 OFFSET $4) page CROSS JOIN users u CROSS JOIN repos r",
                " WHERE u.id = page.person AND r.id = $1 ORDER BY u.id"),
            every: concat!($people, " ORDER BY person"),
        }
    };
}

/// The collaborators of the repository `$1` that meet a condition: those with the level `$2`, or all if it is null.
macro_rules! given {
    ($and:literal) => {
        concat!(
            "SELECT given.user_id AS person FROM repos r CROSS JOIN repo_collaborators given
             WHERE r.id = $1 AND given.repo_id = r.id AND (CAST($2 AS BIGINT) IS NULL OR ",
            access::level_of!("given.user_id"),
            " = $2)",
            $and
        )
    };
}

macro_rules! outside {
    () => {
        given!(
            " AND NOT EXISTS (SELECT m.role FROM org_members m
              WHERE m.org_id = r.org_id AND m.user_id = given.user_id AND m.role <> 'billing_manager')"
        )
    };
}

fn statements(affiliation: Affiliation) -> Statements {
    match affiliation {
        Affiliation::Outside => statements!(outside!()),
        Affiliation::Direct => statements!(given!("")),
        Affiliation::All => statements!(access::people!()),
    }
}
