//! The record of an invitation to an organization.
//!
//! Implements decisions 26 (readers check the expiry: an expired invitation is shown as failed even if it is not yet
//! marked as failed) and 29 (`login` is null until an account is tied to the invitation).

use schemars::JsonSchema;
use serde::Serialize;

use super::EXPIRED;
use crate::clock::Time;
use crate::db::{Bind, Tx, row};
use crate::error::Result;
use crate::journal::InvitationFacts;
use crate::links::{Links, node_id};
use crate::operation::{Cx, List};
use crate::people::user::{self, SimpleUser, User};

row! {
    /// An invitation as its record shows it.
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
        inviter: Option<User> => user::joined,
        teams: i64,
    }
}

/// The columns of [`Invitation`], from a table with the alias `i`, and the tables to join. No account
/// belongs to an invited e-mail address until the invitation is accepted. All its teams count unless a condition is
/// given.
macro_rules! shown {
    ($from:literal, $rest:literal) => {
        shown!("(SELECT count(*) FROM invitation_teams b WHERE b.invitation_id = i.id)", $from, $rest)
    };
    ($teams:expr, $from:literal, $rest:literal) => {
        concat!(
            "SELECT i.id, i.org_id, u.login, i.email, i.role, i.created_at, i.expires_at, i.failed_at, i.failed_reason,
                    v.id, v.login, v.site_admin, ",
            $teams,
            " FROM ",
            $from,
            " LEFT JOIN users u ON u.id = i.user_id
              LEFT JOIN users v ON v.id = i.inviter_id ",
            $rest
        )
    };
}
pub(crate) use shown;

impl Invitation {
    /// The invitation with this identifier, which exists.
    pub fn by_id(tx: &mut Tx, id: i64) -> Result<Self> {
        tx.one(BY_ID, &[&id])
    }

    /// The invitation as an event shows it.
    #[must_use]
    pub fn facts(&self) -> InvitationFacts {
        InvitationFacts {
            id: self.id,
            login: self.login.clone(),
            email: self.email.clone(),
            role: self.role.clone(),
            created_at: self.created_at,
            inviter: self.inviter.as_ref().map(User::facts),
            team_count: self.teams,
        }
    }
}

const BY_ID: &str = shown!("invitations i", "WHERE i.id = $1");

/// An invitation to an organization.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "organization-invitation")]
pub struct OrganizationInvitation {
    /// ID.
    pub id: i64,
    /// GraphQL node ID.
    pub node_id: String,
    /// Login of the invited person; null if an e-mail address was invited.
    pub login: Option<String>,
    /// The invited e-mail address; null if an account was invited.
    pub email: Option<String>,
    /// `direct_member`, `admin`, `billing_manager`, `hiring_manager` or `reinstate`.
    pub role: String,
    /// Creation time.
    pub created_at: Time,
    /// The failure; not in the response to a request that creates the invitation.
    #[serde(flatten)]
    pub failure: Option<Failure>,
    /// The person who sent the invitation; the organization if there is none or their account was deleted.
    pub inviter: SimpleUser,
    /// Number of teams in the invitation that the caller can see.
    pub team_count: i64,
    /// URL of the list of teams in the invitation.
    pub invitation_teams_url: String,
}

/// The failure of an invitation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Failure {
    /// Time when it expired or was declined.
    pub failed_at: Option<Time>,
    /// Reason for the failure.
    pub failed_reason: Option<String>,
}

impl OrganizationInvitation {
    /// The record of an invitation that was just made. Clients know it without the fields of a failure (decision 57).
    #[must_use]
    pub fn made(links: &Links, org_login: &str, now: Time, invitation: Invitation) -> Self {
        Self { failure: None, ..Self::new(links, org_login, now, invitation) }
    }

    /// The record of an invitation to the organization with this login, at this time.
    #[must_use]
    pub fn new(links: &Links, org_login: &str, now: Time, invitation: Invitation) -> Self {
        let Invitation { id, org_id, role, created_at, .. } = invitation;
        let overdue = invitation.failed_at.is_none() && invitation.expires_at <= now;
        let inviter = match invitation.inviter {
            Some(person) => SimpleUser::new(links, &person),
            None => SimpleUser::of_kind(links, "Organization", org_id, org_login, false),
        };
        Self {
            id,
            node_id: node_id("OrganizationInvitation", id),
            login: invitation.login,
            email: invitation.email,
            role,
            created_at,
            failure: Some(Failure {
                failed_at: if overdue { Some(invitation.expires_at) } else { invitation.failed_at },
                failed_reason: if overdue { Some(EXPIRED.to_owned()) } else { invitation.failed_reason },
            }),
            inviter,
            team_count: if overdue { 0 } else { invitation.teams },
            invitation_teams_url: links.api(&format!("/organizations/{org_id}/invitations/{id}/teams")),
        }
    }
}

/// A page of invitations to the organization with this login, from a statement that counts them and one that lists
/// them.
pub fn page(
    cx: &mut Cx,
    org_login: &str,
    (count, of): (&'static str, &[&dyn Bind]),
    (list, from): (&'static str, &[&dyn Bind]),
) -> Result<List<OrganizationInvitation>> {
    let total: i64 = cx.tx.one(count, of)?;
    let found: Vec<Invitation> = cx.tx.all(list, from)?;
    let now = cx.now()?;
    let record = |invitation| OrganizationInvitation::new(cx.links, org_login, now, invitation);
    let items = found.into_iter().map(record);
    List::of(items, total)
}
