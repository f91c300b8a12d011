//! Inviting through the organization's list of invitations: a person or an e-mail address, with a role and teams.
//!
//! Implements decisions 26 (sending again, canceling), 27 and 29.

use schemars::JsonSchema;
use serde::Deserialize;

use super::org::{self, Org};
use crate::error::{Error, Result};
use crate::mail::address;
use crate::members::invitations::invitation::{Invitation, OrganizationInvitation};
use crate::members::invitations::{self, Invitee, ending, invited_address};
use crate::operation::{Cx, Done, Record};
use crate::people::user;
use crate::policy::Granted;
use crate::words::words;

/// The resource that refusals name.
const RESOURCE: &str = "OrganizationInvitation";

words! {
    /// The role that an invitation offers.
    #[derive(Default)]
    pub enum Role {
        /// Organization owner.
        Admin = "admin",
        /// Organization member.
        #[default]
        DirectMember = "direct_member",
        /// Billing manager, who handles billing only and cannot be on a team.
        BillingManager = "billing_manager",
        /// The role that the person had before they left; `member` if they were never a member.
        Reinstate = "reinstate",
    }
}

/// Invite a person to an organization. An open invitation is sent again with this role and the additional teams.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// ID of the person. Required unless `email` is given.
    pub invitee_id: Option<i64>,
    /// E-mail address to invite. With `invitee_id`, it only determines where the invitation is sent.
    pub email: Option<String>,
    /// Role of the person in the organization.
    #[schemars(extend("default" = "direct_member"))]
    pub role: Option<Role>,
    /// IDs of the organization's teams that the person joins. Not allowed for a billing manager.
    pub team_ids: Option<Vec<i64>>,
}

/// Sends an invitation, or sends it again.
pub fn create(cx: &mut Cx, org: Granted<Org>, p: Create) -> Result<Record<OrganizationInvitation, 201>> {
    let role = p.role.unwrap_or_default();
    let address = p.email.as_deref().map(valid_address).transpose()?;
    let person = match p.invitee_id {
        Some(id) => Some(user::by_id(cx.tx, id)?.ok_or_else(|| Error::field(RESOURCE, "invalid", "invitee_id"))?),
        None => None,
    };
    let invitee = match (&person, address.as_deref()) {
        (Some(person), address) => Invitee::Person(person, address),
        (None, Some(address)) => Invitee::Address(address),
        (None, None) => return Err(Error::Invalid(vec!["\"invitee_id\" or \"email\" wasn't supplied.".into()])),
    };
    refuse_member(cx, org.id, &invitee, role)?;
    let teams = teams(cx, org.id, p.team_ids.unwrap_or_default())?;
    if role == Role::BillingManager && !teams.is_empty() {
        return Err(Error::data(RESOURCE, "A billing manager cannot be on teams. Omit team_ids.").at("team_ids"));
    }
    let open = invitations::send(cx, org.id, &invitee, role.word(), &teams)?;
    let invitation = Invitation::by_id(cx.tx, open.id)?;
    let record = OrganizationInvitation::made(cx.links, &org.login, cx.now()?, invitation);
    Ok(record.into())
}

fn valid_address(text: &str) -> Result<String> {
    address::read(text.trim()).ok_or_else(|| Error::field(RESOURCE, "invalid", "email"))
}

/// A billing manager can be invited to another role.
fn refuse_member(cx: &mut Cx, org: i64, invitee: &Invitee, role: Role) -> Result<()> {
    let (known, text, parameter) = match invitee {
        Invitee::Person(person, _) => {
            (org::role_of(cx.tx, org, person.id)?, "Invitee is already a part of this organization", "invitee_id")
        }
        // Clients know this message with this spelling.
        Invitee::Address(address) => (
            invited_address::role_of(cx.tx, org, address)?,
            "A user with this email addresss is already a part of this organization",
            "email",
        ),
    };
    let known = match known {
        Some(known) if !org::is_member(known) => role == Role::BillingManager,
        known => known.is_some(),
    };
    if known { Err(Error::data(RESOURCE, text).at(parameter)) } else { Ok(()) }
}

/// The teams of an invitation, each once; an unknown team or one of another organization is refused.
fn teams(cx: &mut Cx, org: i64, mut ids: Vec<i64>) -> Result<Vec<(i64, &'static str)>> {
    ids.sort_unstable();
    ids.dedup();
    for id in &ids {
        if !cx.tx.any(TEAM, &[id, &org])? {
            return Err(Error::data(RESOURCE, "Teams must belong to this organization").at("team_ids"));
        }
    }
    Ok(ids.into_iter().map(|id| (id, "member")).collect())
}

const TEAM: &str = "SELECT id FROM teams WHERE id = $1 AND org_id = $2";

/// Cancel an open invitation to an organization. Its pending team memberships are removed too.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Cancel {
    /// The id of the invitation.
    pub invitation_id: i64,
}

/// Withdraws an open invitation.
pub fn cancel(cx: &mut Cx, org: Granted<Org>, p: Cancel) -> Result<Done> {
    let open = invitations::open(cx, org.id, p.invitation_id)?.ok_or(Error::NotFound)?;
    ending::cancel(cx, &open)?;
    Ok(Done)
}
