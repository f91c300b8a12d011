//! The record of an invitation to an organization, and the lists of those that are open and of those that failed.
//!
//! Keeps decisions 26 (expiry is judged when read: what nobody has marked as failed yet is shown as failed) and 29
//! (`login` is null until an account belongs to the invitation).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::invited_address;
use super::org::Org;
use crate::clock::Time;
use crate::db::{FromRow, Row, Tx};
use crate::error::Result;
use crate::events::{InvitationFacts, PersonFacts};
use crate::links::{Links, node_id};
use crate::operation::{Cx, List};
use crate::people::user::SimpleUser;
use crate::policy::Granted;

/// What is recorded of an invitation that was not accepted in time.
pub(super) const EXPIRED: &str = "Invitation expired. It was not accepted in time.";

/// An invitation as it is shown.
#[derive(Debug, Clone)]
pub struct Invitation {
    id: i64,
    org_id: i64,
    login: Option<String>,
    email: Option<String>,
    role: String,
    created_at: Time,
    expires_at: Time,
    failed_at: Option<Time>,
    failed_reason: Option<String>,
    inviter: Option<PersonFacts>,
    teams: i64,
}

impl FromRow for Invitation {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let inviter = match (row.get(9)?, row.get(10)?, row.get(11)?) {
            (Some(id), Some(login), Some(site_admin)) => Some(PersonFacts { id, login, site_admin }),
            _ => None,
        };
        Ok(Self {
            id: row.get(0)?,
            org_id: row.get(1)?,
            login: row.get(2)?,
            email: row.get(3)?,
            role: row.get(4)?,
            created_at: Time(row.get(5)?),
            expires_at: Time(row.get(6)?),
            failed_at: row.get::<Option<i64>>(7)?.map(Time),
            failed_reason: row.get(8)?,
            inviter,
            teams: row.get(12)?,
        })
    }
}

/// The columns of [`Invitation`], of a table called `i`, and what must be joined to it. The account of an invitation
/// is the one that it names, else the one whose its address is.
macro_rules! shown {
    ($from:literal, $rest:literal) => {
        concat!(
            "SELECT i.id, i.org_id, u.login, i.email, i.role, i.created_at, i.expires_at, i.failed_at, i.failed_reason,
                    v.id, v.login, v.site_admin,
                    (SELECT count(*) FROM invitation_teams b WHERE b.invitation_id = i.id)
             FROM ",
            $from,
            " LEFT JOIN users u ON u.id = coalesce(i.user_id, ",
            invited_address::account!("i.org_id", "i.email_key"),
            ")
              LEFT JOIN users v ON v.id = i.inviter_id ",
            $rest
        )
    };
}

impl Invitation {
    /// The invitation with this identifier, which exists.
    pub fn by_id(tx: &mut Tx, id: i64) -> Result<Self> {
        tx.one(BY_ID, &[&id])
    }

    /// As an event shows it.
    #[must_use]
    pub fn facts(&self) -> InvitationFacts {
        InvitationFacts {
            id: self.id,
            login: self.login.clone(),
            email: self.email.clone(),
            role: self.role.clone(),
            created_at: self.created_at,
            inviter: self.inviter.clone(),
            team_count: self.teams,
        }
    }
}

const BY_ID: &str = shown!("invitations i", "WHERE i.id = $1");

/// An invitation to an organization.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "organization-invitation")]
pub struct OrganizationInvitation {
    /// Identifier.
    pub id: i64,
    /// Identifier in GraphQL.
    pub node_id: String,
    /// The login of the invited person; null as long as no account belongs to the invitation.
    pub login: Option<String>,
    /// The address that was invited; null if a person was.
    pub email: Option<String>,
    /// `direct_member`, `admin`, `billing_manager`, `hiring_manager` or `reinstate`.
    pub role: String,
    /// When it was made.
    pub created_at: Time,
    /// When it expired or was declined.
    pub failed_at: Option<Time>,
    /// Why it failed.
    pub failed_reason: Option<String>,
    /// Who invited; the organization itself if nobody did or the account is gone.
    pub inviter: SimpleUser,
    /// How many teams it brings.
    pub team_count: i64,
    /// Address of the teams that it brings.
    pub invitation_teams_url: String,
}

impl OrganizationInvitation {
    /// The record of an invitation to the organization with this login, at this time.
    #[must_use]
    pub fn new(links: &Links, org_login: &str, now: Time, invitation: Invitation) -> Self {
        let Invitation { id, org_id, role, created_at, .. } = invitation;
        let overdue = invitation.failed_at.is_none() && invitation.expires_at <= now;
        let inviter = match invitation.inviter {
            Some(person) => SimpleUser::of_kind(links, "User", person.id, &person.login, person.site_admin),
            None => SimpleUser::of_kind(links, "Organization", org_id, org_login, false),
        };
        Self {
            id,
            node_id: node_id("OrganizationInvitation", id),
            login: invitation.login,
            email: invitation.email,
            role,
            created_at,
            failed_at: if overdue { Some(invitation.expires_at) } else { invitation.failed_at },
            failed_reason: if overdue { Some(EXPIRED.to_owned()) } else { invitation.failed_reason },
            inviter,
            team_count: if overdue { 0 } else { invitation.teams },
            invitation_teams_url: links.api(&format!("/organizations/{org_id}/invitations/{id}/teams")),
        }
    }
}

/// List the open invitations to an organization, by id.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListOpen {}

/// Lists the open invitations to an organization, by id.
pub fn list(cx: &mut Cx, org: Granted<Org>, _: ListOpen) -> Result<List<OrganizationInvitation>> {
    page(cx, &org.login, (COUNT_OPEN, OPEN), org.id)
}

const COUNT_OPEN: &str =
    "SELECT count(*) FROM invitations i WHERE i.org_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2";

const OPEN: &str = shown!(
    "invitations i",
    "WHERE i.org_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2 ORDER BY i.id LIMIT $3 OFFSET $4"
);

/// List the invitations to an organization that expired or were declined, by id.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListFailed {}

/// Lists the invitations to an organization that expired or were declined, by id.
pub fn list_failed(cx: &mut Cx, org: Granted<Org>, _: ListFailed) -> Result<List<OrganizationInvitation>> {
    page(cx, &org.login, (COUNT_FAILED, FAILED), org.id)
}

const COUNT_FAILED: &str = "
    SELECT count(*) FROM invitations i WHERE i.org_id = $1 AND (i.failed_at IS NOT NULL OR i.expires_at <= $2)";

const FAILED: &str = shown!(
    "invitations i",
    "WHERE i.org_id = $1 AND (i.failed_at IS NOT NULL OR i.expires_at <= $2) ORDER BY i.id LIMIT $3 OFFSET $4"
);

/// The open invitations that bring a team of the organization with this login, by id.
pub fn of_team(cx: &mut Cx, org_login: &str, team: i64) -> Result<List<OrganizationInvitation>> {
    page(cx, org_login, (COUNT_OF_TEAM, OF_TEAM), team)
}

/// CROSS JOIN keeps the order: from the few invitations that bring the team.
const COUNT_OF_TEAM: &str = "
    SELECT count(*) FROM invitation_teams t CROSS JOIN invitations i
    WHERE i.id = t.invitation_id AND t.team_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2";

const OF_TEAM: &str = shown!(
    "invitation_teams t CROSS JOIN invitations i",
    "WHERE i.id = t.invitation_id AND t.team_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2
     ORDER BY t.invitation_id LIMIT $3 OFFSET $4"
);

/// A page of invitations to the organization with this login: those that two statements find for an identifier now.
fn page(
    cx: &mut Cx,
    org_login: &str,
    (count, list): (&'static str, &'static str),
    of: i64,
) -> Result<List<OrganizationInvitation>> {
    let (limit, offset) = cx.page.sql();
    let (total,): (i64,) = cx.tx.one(count, &[&of, &cx.now.0])?;
    let found: Vec<Invitation> = cx.tx.all(list, &[&of, &cx.now.0, &limit, &offset])?;
    let record = |invitation| OrganizationInvitation::new(cx.links, org_login, *cx.now, invitation);
    let items = found.into_iter().map(record).collect();
    Ok(List { items, total: u64::try_from(total).unwrap_or(0) })
}
