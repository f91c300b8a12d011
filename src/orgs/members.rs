//! The members of an organization, and those whose membership is public.
//!
//! Implements decisions 18 (public members are public, and only members see concealed ones), 21 (suspended people are
//! listed and counted, and the last active owner stays), 28 (a person who leaves the organization leaves its teams) and
//! 38 (by id).

use schemars::JsonSchema;
use serde::Deserialize;

use super::org::{self, Org};
use crate::error::{Error, Result};
use crate::links::segment;
use crate::members::organization;
use crate::memory::{OrgState, Part, People};
use crate::operation::{Cx, Done, Either, List, Redirect};
use crate::people;
use crate::people::user::{self, SimpleUser, User};
use crate::policy::{Granted, OWNER, SEES_CONCEALED};

/// The members to list, by role.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everyone.
    #[default]
    All,
    /// Only owners.
    Admin,
    /// Only members who are not owners.
    Member,
}

/// The members to list, by a property of their accounts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Filter {
    /// Everyone.
    #[default]
    #[serde(rename = "all")]
    All,
    /// Only accounts without two-factor authentication. Only owners may use this filter.
    #[serde(rename = "2fa_disabled")]
    TwoFactorDisabled,
}

/// List the members of an organization, by ID. Callers who are not members, and tokens without `read:org`, `repo` or
/// `user`, get only the public members.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Members {
    /// Filter by role. The list of public members ignores it.
    #[schemars(extend("default" = "all"))]
    pub role: Option<Role>,
    /// Filter by a property of the account.
    #[schemars(extend("default" = "all", "x-function-refuses" = true))]
    pub filter: Option<Filter>,
}

/// Lists the members.
pub fn list(cx: &mut Cx, org: Granted<Org>, p: Members) -> Result<List<SimpleUser>> {
    if p.filter == Some(Filter::TwoFactorDisabled) {
        if org.allows(&OWNER) {
            // No account has a second factor here, so none can be switched on or off.
            return Ok(List::default());
        }
        return Err(Error::sentence(
            "Only owners of the organization can filter members by two-factor authentication.",
        ));
    }
    if !org.allows(&SEES_CONCEALED) {
        return page_of(cx, &org, People::Public);
    }
    let which = match p.role.unwrap_or_default() {
        Role::All => People::All,
        Role::Admin => People::Owners,
        Role::Member => People::NonOwners,
    };
    page_of(cx, &org, which)
}

/// List the public members of an organization, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListPublic {}

/// Lists the members of an organization whose membership is public, by id.
pub fn list_public(cx: &mut Cx, org: Granted<Org>, _: ListPublic) -> Result<List<SimpleUser>> {
    page_of(cx, &org, People::Public)
}

fn page_of(cx: &mut Cx, org: &Org, which: People) -> Result<List<SimpleUser>> {
    let (offset, limit) = (cx.page.offset(), cx.page.per_page);
    let page = |state: &mut OrgState| state.people_page(which, offset, limit);
    let (ids, total) = cx.site.organizations.ask(cx.tx, (org.id, org.version), Part::People, page)?;
    let people = people::list::shown(cx.tx, &cx.site.organizations, (org.id, org.version), &ids)?;
    Ok(List::written(people::list::people(cx.links, &people)?, total))
}

/// Check whether a person is a member of an organization. Callers who are not members, and tokens without `read:org`,
/// `repo` or `user`, are redirected to the check for public members.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Check {
    /// The login of the person.
    pub username: String,
}

/// Checks whether a person is a member of an organization.
pub fn check(cx: &mut Cx, org: Granted<Org>, p: Check) -> Result<Either<Done, Redirect>> {
    if !org.allows(&SEES_CONCEALED) {
        let below = format!("/public_members/{}", segment(&p.username));
        return Ok(Either::Other(Redirect(cx.links.api_of("/orgs/", &org.login, &below))));
    }
    member(cx, &org, &p.username)?;
    Ok(Either::One(Done))
}

/// Check whether a person is a public member of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CheckPublic {
    /// The login of the person.
    pub username: String,
}

/// Checks whether a person's membership of an organization is public.
pub fn check_public(cx: &mut Cx, org: Granted<Org>, p: CheckPublic) -> Result<Done> {
    match member(cx, &org, &p.username) {
        Ok(member) if member.is_public => Ok(Done),
        Ok(_) | Err(Error::NotFound) => Err(Error::Absent(NOT_PUBLIC.into())),
        Err(other) => Err(other),
    }
}

const NOT_PUBLIC: &str = "User does not exist or is not a public member of the organization";

/// Make your own membership of an organization public.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Publicize {
    /// The login of the person.
    pub username: String,
}

/// Makes the caller's own membership of an organization public.
pub fn publicize(cx: &mut Cx, org: Granted<Org>, p: Publicize) -> Result<Done> {
    show(cx, &org, &p.username, true)
}

/// Make your own membership of an organization private, visible to its members only.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Conceal {
    /// The login of the person.
    pub username: String,
}

/// Makes the caller's own membership of an organization visible to members only.
pub fn conceal(cx: &mut Cx, org: Granted<Org>, p: Conceal) -> Result<Done> {
    show(cx, &org, &p.username, false)
}

fn show(cx: &mut Cx, org: &Org, username: &str, public: bool) -> Result<Done> {
    let member = member(cx, org, username)?;
    if member.is_public != public {
        organization::set_public(cx, org.id, &member.person, member.owner, public)?;
    }
    Ok(Done)
}

/// Remove a person from an organization and all its teams.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Remove {
    /// The login of the person.
    pub username: String,
}

/// Removes a person from an organization and from all its teams.
pub fn remove(cx: &mut Cx, org: Granted<Org>, p: Remove) -> Result<Done> {
    let member = member(cx, &org, &p.username)?;
    organization::remove(cx, org.id, &member.person)?;
    Ok(Done)
}

struct Member {
    person: User,
    owner: bool,
    is_public: bool,
}

/// The member with this login; 404 for every other person, including billing managers.
fn member(cx: &mut Cx, org: &Org, username: &str) -> Result<Member> {
    let person = user::by_login(cx.tx, username)?;
    let row: Option<(String, bool)> = cx.tx.maybe(MEMBER_ROW, &[&org.id, &person.id])?;
    let (role, is_public) = row.filter(|(role, _)| org::is_member(role)).ok_or(Error::NotFound)?;
    Ok(Member { person, owner: role == "admin", is_public })
}

const MEMBER_ROW: &str = "SELECT role, is_public FROM org_members WHERE org_id = $1 AND user_id = $2";
