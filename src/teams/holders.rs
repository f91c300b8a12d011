//! The people who hold a role of an organization: it was given to them, or they have it through a team (section 8 of
//! `SPEC.md`, "Roles of organizations").

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::org_roles::{assignment, has_holders, refuse_others};
use super::record::TeamSimple;
use crate::db::{row, select};
use crate::error::{Error, Result};
use crate::members::invitations::refuse_suspended;
use crate::members::security_managers::{appoint, dismiss, is_one};
use crate::operation::{Cx, Done, List};
use crate::orgs::org::{self, Org};
use crate::people::user::{self, SimpleUser, User};
use crate::policy::Granted;
use crate::repos::access::in_team;
use crate::rows::TeamRow;

/// The resource that refusals name.
const RESOURCE: &str = "OrganizationRole";

/// A person with a role.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "user-role-assignment")]
pub struct UserRoleAssignment {
    /// The person.
    #[serde(flatten)]
    pub person: SimpleUser,
    /// `direct` if the role was given to the person, `indirect` if the person has it through a team, `mixed` if both.
    pub assignment: &'static str,
    /// The teams through which the person has the role: those to which it was given. Empty if there are none.
    pub inherited_from: Vec<TeamSimple>,
}

/// List the people with a role in an organization, by ID. They were given it, or have it through a team.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Users {
    /// ID of the role.
    pub role_id: i64,
}

row! {
    /// A person with a role.
    struct Holder from "u" {
        person: User = User::COLUMNS,
        /// True if the role was given to the person.
        direct: bool = "sp.user_id IS NOT NULL",
        /// One of the teams through which the person has it.
        through: Option<TeamRow> = TeamRow::COLUMNS,
    }
}

/// Lists the people with a role.
pub fn list(cx: &mut Cx, org: Granted<Org>, p: Users) -> Result<List<UserRoleAssignment>> {
    if !has_holders(p.role_id)? {
        return Ok(List::default());
    }
    let total: i64 = cx.tx.one(COUNT, &[&org.id])?;
    let (limit, offset) = cx.page.sql();
    let found: Vec<Holder> = cx.tx.all(PAGE, &[&org.id, &limit, &offset])?;
    let items = found.chunk_by(|one, next| one.person.id == next.person.id).map(|rows| {
        let team = |row: &Holder| Some(TeamSimple::new(cx.links, &org.login, row.through.clone()?));
        let inherited_from: Vec<TeamSimple> = rows.iter().filter_map(team).collect();
        UserRoleAssignment {
            person: SimpleUser::new(cx.links, &rows[0].person),
            assignment: assignment(rows[0].direct, !inherited_from.is_empty()),
            inherited_from,
        }
    });
    List::of(items.collect::<Vec<_>>(), total)
}

macro_rules! holders {
    () => {
        "SELECT mt.user_id AS user_id
         FROM reading_teams rt CROSS JOIN team_members mt WHERE rt.org_id = $1 AND mt.team_id = rt.team_id
         UNION SELECT sp.user_id FROM user_security_managers sp WHERE sp.org_id = $1"
    };
}

const COUNT: &str = concat!("SELECT count(*) FROM (", holders!(), ") holders");

const PAGE: &str = select!(Holder from
    "(SELECT found.user_id FROM (", holders!(), ") found ORDER BY found.user_id LIMIT $2 OFFSET $3) holders
     CROSS JOIN users u
     LEFT JOIN user_security_managers sp ON sp.org_id = $1 AND sp.user_id = u.id
     LEFT JOIN security_managers sm ON sm.org_id = $1 AND ", in_team!("u.id", "sm.team_id"),
    " LEFT JOIN teams t ON t.id = sm.team_id
     WHERE u.id = holders.user_id
     ORDER BY u.id, t.id NULLS LAST");

/// Give a member of an organization a role.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Assign {
    /// Login of the person.
    pub username: String,
    /// ID of the role.
    pub role_id: i64,
}

/// Gives a member a role. Does nothing if it was given before.
pub fn assign(cx: &mut Cx, org: Granted<Org>, p: Assign) -> Result<Done> {
    refuse_others(p.role_id)?;
    let person = user::by_login(cx.tx, &p.username)?;
    if is_one(cx.tx, org.id, person.id)? {
        return Ok(Done);
    }
    if !org::role_of(cx.tx, org.id, person.id)?.is_some_and(org::is_member) {
        let text = "This person is not a member of the organization. Make them a member first: \
                    PUT /orgs/{org}/memberships/{username}.";
        return Err(Error::data(RESOURCE, text));
    }
    refuse_suspended(cx.tx, &person, RESOURCE)?;
    appoint(cx, org.id, &person)?;
    Ok(Done)
}

/// Take a role from a person in an organization. What the person has through a team stays.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Revoke {
    /// Login of the person.
    pub username: String,
    /// ID of the role.
    pub role_id: i64,
}

/// Takes a role from a person. Does nothing if it was not given to the person.
pub fn revoke(cx: &mut Cx, org: Granted<Org>, p: Revoke) -> Result<Done> {
    refuse_others(p.role_id)?;
    let person = user::by_login(cx.tx, &p.username)?;
    dismiss(cx, org.id, &person)?;
    Ok(Done)
}

/// Take all roles from a person in an organization. What the person has through a team stays.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RevokeAll {
    /// Login of the person.
    pub username: String,
}

/// Takes every role from a person: there is one.
pub fn revoke_all(cx: &mut Cx, org: Granted<Org>, p: RevokeAll) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    dismiss(cx, org.id, &person)?;
    Ok(Done)
}
