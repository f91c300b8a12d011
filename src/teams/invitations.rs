//! Invitations and teams: the open invitations that include a team, and the teams that an invitation includes.
//!
//! Implements decisions 26 and 29.

use schemars::JsonSchema;
use serde::Deserialize;

use super::list;
use super::record::TeamShort;
use super::team::Team;
use super::visible::is_seen;
use crate::db::Bind;
use crate::error::{Error, Result};
use crate::journal::InvitationFacts;
use crate::members::invitations;
use crate::members::invitations::invitation::{self, Invitation, OrganizationInvitation};
use crate::operation::{Cx, List};
use crate::orgs::org::Org;
use crate::policy::Granted;

/// List the open invitations to the organization that include a team, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfTeam {}

/// Lists the open invitations that include the team.
pub fn of_team(cx: &mut Cx, team: Granted<Team>, _: OfTeam) -> Result<List<OrganizationInvitation>> {
    let (me, team_id, now, (limit, offset)) = (cx.my_id(), team.id, cx.now()?.0, cx.page.sql());
    let list: [&dyn Bind; 5] = [&me, &team_id, &now, &limit, &offset];
    invitation::page(cx, &team.org.login, (COUNT_OF_TEAM, &[&team_id, &now]), (OF_TEAM, &list))
}

/// CROSS JOIN keeps the join order: it starts with the few invitations that include the team.
const COUNT_OF_TEAM: &str = "
    SELECT count(*) FROM invitation_teams b CROSS JOIN invitations i
    WHERE i.id = b.invitation_id AND b.team_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2";

/// A maintainer does not learn how many secret teams of others an invitation includes.
const OF_TEAM: &str = invitation::shown!(
    concat!(
        "(SELECT count(*) FROM invitation_teams b CROSS JOIN teams t
          WHERE t.id = b.team_id AND b.invitation_id = i.id AND ",
        is_seen!(),
        ")"
    ),
    "invitation_teams x CROSS JOIN invitations i",
    "WHERE i.id = x.invitation_id AND x.team_id = $2 AND i.failed_at IS NULL AND i.expires_at > $3
     ORDER BY x.invitation_id LIMIT $4 OFFSET $5"
);

/// The open invitations that include a team, by ID: the same as the list of them.
pub fn every(cx: &mut Cx, team: &Granted<Team>) -> Result<Vec<i64>> {
    cx.tx.all(EVERY_OF_TEAM, &[&team.id, &cx.now()?.0])
}

const EVERY_OF_TEAM: &str = "
    SELECT i.id FROM invitation_teams b CROSS JOIN invitations i
    WHERE i.id = b.invitation_id AND b.team_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2 ORDER BY i.id";

/// The open invitations that include a team from `offset` on, in the same order.
pub fn some(cx: &mut Cx, team: &Granted<Team>, (limit, offset): (i64, i64)) -> Result<Vec<InvitationFacts>> {
    let list: [&dyn Bind; 5] = [&cx.my_id(), &team.id, &cx.now()?.0, &limit, &offset];
    let found: Vec<Invitation> = cx.tx.all(OF_TEAM, &list)?;
    Ok(found.iter().map(Invitation::facts).collect())
}

/// List the teams in an invitation to an organization, by ID. A failed invitation has none.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Brought {
    /// The id of the invitation.
    pub invitation_id: i64,
}

/// Lists the teams that an invitation includes.
pub fn brought(cx: &mut Cx, org: Granted<Org>, p: Brought) -> Result<List<TeamShort>> {
    let id = p.invitation_id;
    if invitations::open(cx, org.id, id)?.is_none() {
        let failed = cx.tx.any("SELECT id FROM invitations WHERE id = $1 AND org_id = $2", &[&id, &org.id])?;
        return if failed { Ok(List::default()) } else { Err(Error::NotFound) };
    }
    let (limit, offset) = cx.page.sql();
    let total: i64 = cx.tx.one("SELECT count(*) FROM invitation_teams WHERE invitation_id = $1", &[&id])?;
    let ids: Vec<i64> = cx.tx.all(BROUGHT, &[&id, &limit, &offset])?;
    list::page_of(cx, (org.id, org.version), &org.login, (ids, u64::try_from(total).unwrap_or(0)))
}

const BROUGHT: &str = "
    SELECT team_id FROM invitation_teams WHERE invitation_id = $1 ORDER BY team_id LIMIT $2 OFFSET $3";
