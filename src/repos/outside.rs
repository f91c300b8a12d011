//! Outside collaborators: people who were given a level on repositories of an organization and are not members of it.
//!
//! Implements decisions 21 (the last active owner stays), 28 (a person who leaves the organization leaves its teams)
//! and 38 (by id). A member who becomes an outside collaborator keeps what they were given directly and what their
//! teams had, and nothing else.

use schemars::JsonSchema;
use serde::Deserialize;

use super::collaborator;
use super::level::Level;
use super::repo::Repo;
use crate::db::select;
use crate::error::{Error, Result};
use crate::members::organization;
use crate::operation::{Cx, Done, List};
use crate::orgs::members::Filter;
use crate::orgs::org::{self, Org};
use crate::people::user::{self, SimpleUser, User};
use crate::policy::Granted;

/// List the outside collaborators of an organization, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListThem {
    /// Filter by a property of the account.
    #[schemars(extend("default" = "all"))]
    pub filter: Option<Filter>,
}

/// Lists the outside collaborators of an organization.
pub fn list(cx: &mut Cx, org: Granted<Org>, p: ListThem) -> Result<List<SimpleUser>> {
    if p.filter == Some(Filter::TwoFactorDisabled) {
        // No account has a second factor here, so none can be switched on or off.
        return Ok(List::default());
    }
    let total: i64 = cx.tx.one(COUNT, &[&org.id])?;
    let (limit, offset) = cx.page.sql();
    let people: Vec<User> = cx.tx.all(PAGE, &[&org.id, &limit, &offset])?;
    let items = people.iter().map(|person| SimpleUser::new(cx.links, person));
    List::of(items, total)
}

macro_rules! outside {
    () => {
        "SELECT DISTINCT c.user_id FROM repos r CROSS JOIN repo_collaborators c
         WHERE r.org_id = $1 AND c.repo_id = r.id AND NOT EXISTS (
             SELECT m.role FROM org_members m
             WHERE m.org_id = $1 AND m.user_id = c.user_id AND m.role <> 'billing_manager')"
    };
}

const COUNT: &str = concat!("SELECT count(*) FROM (", outside!(), ") people");

const PAGE: &str = select!(User from
    "(", outside!(),
    " ORDER BY c.user_id LIMIT $2 OFFSET $3) page CROSS JOIN users u WHERE u.id = page.user_id ORDER BY u.id");

/// Convert a member of an organization to an outside collaborator. They leave its teams but keep the repository access
/// that they had directly or through those teams.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Convert {
    /// Login of the person.
    pub username: String,
}

/// Makes a member an outside collaborator.
pub fn convert(cx: &mut Cx, org: Granted<Org>, p: Convert) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    if !is_member(cx, &org, &person)? {
        let text = format!("{} is not a member of the {} organization.", person.login, org.login);
        return Err(Error::Forbidden(text.into()));
    }
    let kept: Vec<(i64, i64, Option<i64>)> = cx.tx.all(KEPT, &[&person.id, &org.id])?;
    organization::convert(cx, org.id, &person)?;
    for (id, rank, own) in kept.into_iter().filter(|(_, rank, own)| *own != Some(*rank)) {
        let repo = Repo::by_id(cx.tx, person.id, id)?;
        if let (Some(repo), Some(level)) = (repo, Level::of_rank(rank)) {
            collaborator::set(cx, &repo, &person, own.and_then(Level::of_rank), level)?;
        }
    }
    Ok(Done)
}

fn is_member(cx: &mut Cx, org: &Org, person: &User) -> Result<bool> {
    Ok(org::role_of(cx.tx, org.id, person.id)?.is_some_and(org::is_member))
}

/// The repositories of an organization on which a person has a level, directly or through its teams: the highest level
/// and the direct one.
const KEPT: &str = "
    SELECT r.id, max(k.level), max(k.own)
    FROM (
        SELECT c.repo_id, c.level, c.level AS own FROM repo_collaborators c WHERE c.user_id = $1
        UNION ALL
        SELECT g.repo_id, g.level, CAST(NULL AS BIGINT)
        FROM team_members m CROSS JOIN teams t CROSS JOIN team_tree up CROSS JOIN team_repos g
        WHERE m.user_id = $1 AND t.id = m.team_id AND t.org_id = $2
          AND up.descendant_id = t.id AND g.team_id = up.ancestor_id
    ) k CROSS JOIN repos r
    WHERE r.id = k.repo_id AND r.org_id = $2
    GROUP BY r.id ORDER BY r.id";

/// Remove an outside collaborator from all repositories of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Remove {
    /// Login of the person.
    pub username: String,
}

/// Removes every level that a person who is not a member has on the organization's repositories.
pub fn remove(cx: &mut Cx, org: Granted<Org>, p: Remove) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    if is_member(cx, &org, &person)? {
        let text = "You cannot specify an organization member to remove as an outside collaborator.";
        return Err(Error::sentence(text));
    }
    let given: Vec<(i64, i64)> = cx.tx.all(GIVEN, &[&person.id, &org.id])?;
    for (id, rank) in given {
        let repo = Repo::by_id(cx.tx, person.id, id)?;
        if let (Some(repo), Some(level)) = (repo, Level::of_rank(rank)) {
            collaborator::unset(cx, &repo, &person, level)?;
        }
    }
    Ok(Done)
}

const GIVEN: &str = "
    SELECT r.id, c.level FROM repo_collaborators c CROSS JOIN repos r
    WHERE c.user_id = $1 AND r.id = c.repo_id AND r.org_id = $2 ORDER BY r.id";
