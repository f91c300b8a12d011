//! Invitations to an organization: those that include a team, and the people who have one.

use std::rc::Rc;
use std::sync::Arc;

use super::page::Listing;
use super::person;
use super::running::{Failure, Resolved, Running};
use super::value::{Args, Invited, Out, Thing};
use crate::journal::PersonFacts;
use crate::links::node_id;
use crate::orgs;
use crate::orgs::org::Org;
use crate::people::login::{self, Owner};
use crate::policy::Standing;
use crate::rows::PersonRow;
use crate::teams::invitations;
use crate::teams::team::{SeenTeam, Team};

/// The open invitations that include a team, by ID; null for callers who may not see them.
pub fn of_team(run: &Running, team: &SeenTeam, (of, standing): (Team, Standing), args: Args) -> Resolved<Out<'static>> {
    let Ok(granted) = run.rules.team_invitations.who_may.check(of, standing) else { return Ok(Out::Null) };
    let places = run.look(|cx| invitations::every(cx, &granted))?;
    let kinds = ("OrganizationInvitationConnection", "OrganizationInvitationEdge");
    let listing = Listing { kinds, field: "invitations", of: team.id, order: "ID", places: &places, descending: false };
    listing.page(args, |page, before| {
        let window = (i64::try_from(page.len()).unwrap_or(0), i64::try_from(before).unwrap_or(0));
        let found = run.look(|cx| invitations::some(cx, &granted, window))?;
        let invited = |facts| Thing::Invitation(Rc::new(Invited { org: team.org_id, facts }));
        Ok(found.into_iter().map(|facts| (invited(facts), None)).collect())
    })
}

/// The people with an open invitation to an organization, by ID; none for callers who may not see them. An invitation to
/// an e-mail address has no account yet.
pub fn of_org(run: &Running, (org, standing): &(Org, Standing), args: Args) -> Resolved<Out<'static>> {
    let Ok(granted) = run.rules.org_invitations.who_may.check(org.clone(), *standing) else { return Ok(Out::Nothing) };
    let places = run.look(|cx| orgs::invitation::invited(cx, &granted))?;
    let (kinds, field, of) = (("UserConnection", "UserEdge"), "pendingMembers", org.id);
    let listing = Listing { kinds, field, of, order: "ID", places: &places, descending: false };
    listing.page(args, |page, _| {
        run.known.list_people(&page.into());
        page.iter().map(|id| Ok((person::of(run, *id)?, None))).collect()
    })
}

/// A field of an invitation.
pub fn field<'a>(run: &Running, invited: &'a Invited, name: &str) -> Resolved<Out<'a>> {
    let Invited { org, facts } = invited;
    match name {
        "id" => Out::leaf(node_id("OrganizationInvitation", facts.id)),
        "createdAt" => Out::leaf(facts.created_at.to_string()),
        "email" => Out::maybe(facts.email.as_ref()),
        "organization" => Ok(Out::One(Thing::Org(*org))),
        "invitationType" => Out::leaf(if facts.email.is_some() { "EMAIL" } else { "USER" }),
        // Which of an owner's invitations came from a provider is not stored.
        "invitationSource" => Out::leaf(if facts.inviter.is_some() { "MEMBER" } else { "UNKNOWN" }),
        "role" => Out::leaf(match facts.role.as_str() {
            "admin" => "ADMIN",
            "billing_manager" => "BILLING_MANAGER",
            "reinstate" => "REINSTATE",
            // Clients know no other word for hiring managers, who have the rights of members.
            _ => "DIRECT_MEMBER",
        }),
        "invitee" => match &facts.login {
            Some(name) => match run.look(|cx| login::find(cx.tx, name))? {
                Some(Owner::User(id)) => Ok(Out::One(person::of(run, id)?)),
                _ => Ok(Out::Null),
            },
            None => Ok(Out::Null),
        },
        "inviter" | "inviterActor" => Out::one(facts.inviter.as_ref().map(inviter)),
        _ => Err(Failure::unknown("OrganizationInvitation", name)),
    }
}

fn inviter(person: &PersonFacts) -> Thing {
    Thing::User(Arc::new(PersonRow { id: person.id, login: person.login.clone(), site_admin: person.site_admin }))
}
