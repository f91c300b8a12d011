//! The people to invite: the invitations that a file lists, and people who are in a team of the file but not in the
//! organization (decisions 25 and 29).

use std::collections::HashMap;

use super::super::logins::Account;
use super::roles::People;
use super::{Job, account};
use crate::error::Result;
use crate::members::invitations::invited_address;
use crate::people::email;

/// A person to invite.
#[derive(Default)]
pub(super) struct Outsider {
    /// The person; none for an e-mail address.
    pub(super) account: Option<Account>,
    /// The e-mail address that is invited, or to which the e-mail for the person is sent.
    pub(super) email: Option<String>,
    /// The account that the invited e-mail address belongs to.
    pub(super) tied: Option<i64>,
    /// The role in the file.
    pub(super) role: Option<&'static str>,
    /// The index of each team in the file, and the role there.
    pub(super) teams: Vec<(usize, &'static str)>,
}

impl Outsider {
    /// The name in the report.
    pub(super) fn who(&self) -> &str {
        self.account.as_ref().map_or(self.email.as_deref().unwrap_or_default(), |account| &account.login)
    }

    /// The account that can accept, if it exists already.
    pub(super) fn user(&self) -> Option<i64> {
        self.account.as_ref().map(|account| account.id).or(self.tied)
    }

    /// The invited e-mail address, in the form in which e-mail addresses are compared.
    pub(super) fn email_key(&self) -> Option<String> {
        self.email.as_deref().filter(|_| self.account.is_none()).map(email::key)
    }
}

/// All people to invite, each once.
#[derive(Default)]
pub(super) struct Outsiders {
    /// In the order of the file.
    pub(super) all: Vec<Outsider>,
    people: HashMap<i64, usize>,
}

impl Outsiders {
    /// The entry of a person, which may exist already.
    pub(super) fn person(&mut self, account: &Account) -> &mut Outsider {
        let nth = *self.people.entry(account.id).or_insert(self.all.len());
        if nth == self.all.len() {
            self.all.push(Outsider { account: Some(account.clone()), ..Outsider::default() });
        }
        &mut self.all[nth]
    }

    /// Adds the people that the file lists as invited.
    pub(super) fn listed(&mut self, job: &mut Job<'_, '_>, people: &People) -> Result<()> {
        let file = job.file;
        for invitation in &file.invitations {
            let email = invitation.email.clone();
            let person = match &invitation.login {
                Some(login) => Some(account(&job.accounts, login)?.clone()),
                None => None,
            };
            let tied = match &email {
                Some(address) if person.is_none() => {
                    invited_address::account_of(job.cx.tx, job.org, address)?.map(|user| user.id)
                }
                _ => None,
            };
            if person.as_ref().map(|person| person.id).or(tied).is_some_and(|user| people.is_member(user)) {
                let who = invitation.login.as_ref().or(email.as_ref()).map_or("", String::as_str);
                job.report.skipped.push(format!("{who} is already in the organization and is not invited"));
            } else if let Some(person) = person {
                let outsider = self.person(&person);
                (outsider.role, outsider.email) = (Some(invitation.role), email);
            } else {
                let teams = invitation.teams.iter().map(|(team, maintainer)| (*team, team_role(*maintainer))).collect();
                self.all.push(Outsider { account: None, email, tied, role: Some(invitation.role), teams });
            }
        }
        Ok(())
    }
}

/// The role of a person in a team, as it is stored.
pub(super) fn team_role(maintainer: bool) -> &'static str {
    if maintainer { "maintainer" } else { "member" }
}
