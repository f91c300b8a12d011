//! Open invitations: those that the file lists, and those of people who are on a team and not in the organization.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::comparison::{Comparison, is_member};
use super::{Flag, Kind};
use crate::import::desired::{Invitation, Role};
use crate::people::{email, login};

/// The role that an invitation offers if the file names no other.
const USUAL: &str = "direct_member";

/// The role that an invitation offers to people who cannot be on teams.
pub(super) const BILLING: &str = "billing_manager";

impl Comparison<'_> {
    /// Compares the invitations.
    pub(super) fn invitations(&mut self) {
        let stored: HashMap<String, &Invitation> =
            self.stored.content.org.invitations.iter().map(|invitation| (key(invitation), invitation)).collect();
        let mut named: HashSet<String> = HashSet::new();
        for invitation in &self.file.invitations {
            let key = key(invitation);
            self.invitation(invitation, &key, stored.get(&key).copied());
            named.insert(key);
        }
        self.outsiders(&stored, &named);
        let is_listed = self.file.lists.contains("invitations");
        let of_store = self.stored;
        for invitation in &of_store.content.org.invitations {
            let key = key(invitation);
            // A person who joins needs no invitation.
            if named.contains(&key) || self.outsiders.contains(&key) || self.roles.contains_key(&key) {
                continue;
            }
            let (subject, needs) = (subject(invitation), concerns_owners(invitation.role).then_some(Flag::Owners));
            if self.beyond((Kind::Invitation, None, subject), invitation.role, is_listed, needs) {
                self.removed.insert(key);
            }
        }
    }

    fn invitation(&mut self, wanted: &Invitation, key: &str, stored: Option<&Invitation>) {
        let account = self.invited(wanted);
        let who = match &wanted.login {
            Some(login) => self.login(key, login),
            None => subject(wanted).to_owned(),
        };
        let at = (Kind::Invitation, None, who.as_str());
        let blocked_by = self.needs_owners(wanted.role, stored.map(|was| was.role));
        let role = self.roles.get(&account);
        if is_member(role) || role.is_some() && wanted.role == BILLING {
            return self.skip(format!("{who} is already in the organization and is not invited"));
        }
        if self.stored.is_suspended(&account) {
            return self.skip(format!("{who} is suspended and cannot be invited"));
        }
        self.offered.insert(key.to_owned(), wanted.role);
        match stored {
            Some(was) if was.role == wanted.role => {}
            Some(was) => self.change(at, (was.role, wanted.role), blocked_by),
            None => {
                let address = wanted.email.as_ref().filter(|_| wanted.login.is_some());
                let after = match address {
                    Some(address) => json!({ "role": wanted.role, "email": address }),
                    None => Value::from(wanted.role),
                };
                self.add(at, after, blocked_by);
            }
        }
    }

    /// The login key of the invited person, or the key of an e-mail address of which no account is known.
    pub(super) fn invited(&self, invitation: &Invitation) -> String {
        let key = key(invitation);
        self.stored.tied.get(&key).cloned().unwrap_or(key)
    }

    /// Invites a person whom the file lists in the organization, because an owner adds no members over HTTP.
    pub(super) fn invite_person(&mut self, login: &str, key: &str, role: Role) {
        let wanted = if role == Role::Member { USUAL } else { role.word() };
        let (at, offered) = ((Kind::Invitation, None, login), self.offered.insert(key.to_owned(), wanted));
        let blocked_by = self.needs_owners(wanted, offered);
        match offered {
            Some(was) if was == wanted => {}
            Some(was) => self.change(at, (was, wanted), blocked_by),
            None => self.add(at, wanted, blocked_by),
        }
        self.outsiders.insert(key.to_owned());
        if role == Role::BillingManager {
            self.roles.insert(key.to_owned(), role);
        }
    }

    /// The flag that an invitation with this role needs in place of one with that role.
    fn needs_owners(&self, role: &str, was: Option<&str>) -> Option<Flag> {
        let concerned = concerns_owners(role) || was.is_some_and(concerns_owners);
        if concerned { self.needs(Flag::Owners) } else { None }
    }

    /// Invites the people whom a team of the file names and no list of people or invitations has.
    fn outsiders(&mut self, stored: &HashMap<String, &Invitation>, named: &HashSet<String>) {
        let blocked_by = self.needs(Flag::Invite);
        let file = self.file;
        for member in file.teams.iter().flat_map(|team| &team.members) {
            let key = login::key(&member.login);
            if is_member(self.roles.get(&key)) || named.contains(&key) || self.removed.contains(&key) {
                continue;
            }
            let invited = stored.get(&key);
            if self.may_be_invited(&key) && self.outsiders.insert(key.clone()) && invited.is_none() {
                let login = self.login(&key, &member.login);
                self.add((Kind::Invitation, None, &login), USUAL, blocked_by);
            }
        }
    }

    /// True if the person may get an invitation only because a team of the file names them.
    pub(super) fn may_be_invited(&self, key: &str) -> bool {
        let is_offered_billing = self.offered.get(key).is_some_and(|role| *role == BILLING);
        self.roles.get(key) != Some(&Role::BillingManager) && !is_offered_billing && !self.stored.is_suspended(key)
    }
}

/// The invited login or e-mail address, in the form in which they are compared; no login contains an `@`.
pub(super) fn key(invitation: &Invitation) -> String {
    match &invitation.login {
        Some(login) => login::key(login),
        None => email::key(invitation.email.as_deref().unwrap_or_default()),
    }
}

/// The invited login or e-mail address, as it is written.
pub(super) fn subject(invitation: &Invitation) -> &str {
    invitation.login.as_ref().or(invitation.email.as_ref()).map_or("", String::as_str)
}

/// True if the invitation makes an owner, or may do so.
fn concerns_owners(role: &str) -> bool {
    matches!(role, "admin" | "reinstate")
}
