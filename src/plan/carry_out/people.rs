//! Members, public memberships, security managers, invitations, and memberships of teams.

use super::{Work, owner, removes, word};
use crate::error::{Error, Result};
use crate::members::invitations::{self, Invitee, ending, open_for, open_of};
use crate::members::{organization, roles, security_managers};
use crate::operation::Patch;
use crate::plan::{Action, Change};
use crate::rows::TeamRow;
use crate::teams::leaving::Leaving;
use crate::teams::membership::{self, Put};
use crate::teams::roles::TeamRole;
use crate::teams::team;

impl Work<'_, '_, '_> {
    pub(super) fn member(&mut self, change: &Change) -> Result<()> {
        let (org, person) = (self.org, self.person(&change.subject)?);
        match change.action {
            // Those who are invited join the teams of their invitations.
            Action::Add if open_of(self.cx, org, person.id)?.is_some() => {
                ending::accept(self.cx, org, &person)?;
                let (now, wanted) = (roles::role_of(self.cx.tx, org, person.id)?, word(&change.after)?);
                match now.filter(|now| *now != wanted) {
                    Some(now) => organization::set_role(self.cx, org, &person, (now, wanted)),
                    None => Ok(()),
                }
            }
            Action::Add => organization::add(self.cx, org, &person, word(&change.after)?),
            Action::Change => {
                organization::set_role(self.cx, org, &person, (word(&change.before)?, word(&change.after)?))
            }
            // Those who stay collaborators keep their levels on repositories.
            Action::Remove if change.after.is_string() => organization::convert(self.cx, org, &person),
            Action::Remove => organization::remove(self.cx, org, &person),
        }
    }

    pub(super) fn public_member(&mut self, change: &Change) -> Result<()> {
        let person = self.person(&change.subject)?;
        let owner = roles::role_of(self.cx.tx, self.org, person.id)? == Some("admin");
        organization::set_public(self.cx, self.org, &person, owner, !removes(change))
    }

    pub(super) fn security_manager(&mut self, change: &Change) -> Result<()> {
        use crate::teams::security_managers as of_teams;
        if change.team.is_some() {
            let team: TeamRow = team::row(self.cx.tx, self.team_id(&change.subject)?)?;
            let changed = if removes(change) { of_teams::dismiss } else { of_teams::appoint };
            return changed(self.cx, &team).map(drop);
        }
        let person = self.person(&change.subject)?;
        let changed = if removes(change) { security_managers::dismiss } else { security_managers::appoint };
        changed(self.cx, self.org, &person)
    }

    pub(super) fn invitation(&mut self, change: &Change) -> Result<()> {
        let who = change.subject.as_str();
        let person = if who.contains('@') { None } else { Some(self.person(who)?) };
        let address = change.after["email"].as_str();
        let invitee = person.as_ref().map_or(Invitee::Address(who), |person| Invitee::Person(person, address));
        if change.action == Action::Add {
            self.cx.inviter = match self.inviter {
                Some(login) if self.cx.caller.person.is_none() => Some(self.person(login)?.id),
                _ => None,
            };
            let role = change.after.get("role").unwrap_or(&change.after);
            return invitations::send(self.cx, self.org, &invitee, word(role)?, &[]).map(drop);
        }
        let mut open = open_for(self.cx, self.org, &invitee)?.ok_or(Error::NotFound)?;
        if removes(change) {
            return ending::cancel(self.cx, &open);
        }
        invitations::set_role(self.cx, &mut open, word(&change.after)?)
    }

    pub(super) fn team_member(&mut self, change: &Change) -> Result<()> {
        let id = self.team_id(change.team.as_deref().unwrap_or_default())?;
        if change.subject.contains('@') {
            return self.invited(change, id);
        }
        let (team, username) = (self.granted_team(id)?, change.subject.clone());
        if removes(change) {
            return membership::remove(self.cx, owner(Leaving::of(team))?, membership::Remove { username }).map(drop);
        }
        let maintainer = word(&change.after)? == TeamRole::Maintainer.word();
        let role = Some(if maintainer { TeamRole::Maintainer } else { TeamRole::Member });
        membership::put(self.cx, owner(team)?, Put { username, role, expires_at: Patch::Absent }).map(drop)
    }

    /// The pending membership of an invitation to an e-mail address.
    fn invited(&mut self, change: &Change, team: i64) -> Result<()> {
        let open = open_for(self.cx, self.org, &Invitee::Address(&change.subject))?.ok_or(Error::NotFound)?;
        if removes(change) {
            return invitations::remove_seat(self.cx, &open, team);
        }
        let maintainer = word(&change.after)? == TeamRole::Maintainer.word();
        let role = if maintainer { TeamRole::Maintainer.word() } else { TeamRole::Member.word() };
        invitations::put_teams(self.cx, &open, &[(team, role)])
    }
}
