//! Accounts for the people of the file who have none.

use std::collections::HashSet;

use serde_json::json;

use super::comparison::Comparison;
use super::{Flag, Kind};
use crate::import::cursor::nearest_login;
use crate::import::desired::Role;
use crate::import::fault::shown;
use crate::import::logins::{self, Named};

/// The most owners without an account whose logins are compared with those of all members.
const MISTYPED: usize = 20;

impl Comparison<'_> {
    /// Adds the accounts that are missing.
    pub(super) fn accounts(&mut self) {
        let blocked_by = self.needs(Flag::CreateAccounts);
        let people = self.file.people.iter();
        let owners: HashSet<&str> =
            people.filter(|person| person.role == Role::Admin).map(|person| person.login.as_str()).collect();
        let mut compared = 0;
        for named in logins::named(self.file) {
            if self.stored.accounts.contains_key(&named.key) {
                continue;
            }
            if !self.flags.create_accounts && owners.contains(named.login) && compared < MISTYPED {
                compared += 1;
                self.refuse_mistyped_owner(&named);
            }
            self.add((Kind::Account, None, named.login), json!(null), blocked_by);
        }
    }

    /// Refuses an owner of an organization that exists who has no account, and whose login is almost that of a member.
    /// Without the flag that makes accounts, it is most likely a typing mistake.
    fn refuse_mistyped_owner(&mut self, named: &Named) {
        let members = self.stored.content.org.people.iter().map(|person| person.login.as_str());
        if let Some(near) = nearest_login(named.login, members) {
            let who = shown(named.login);
            let message = format!("{who} has no account and would become an owner; did you mean {}?", shown(near));
            self.faults.add(self.file.fault(named.line, named.place, message));
        }
    }

    /// The login of a person of the file, as the account has it.
    pub(super) fn login(&self, key: &str, written: &str) -> String {
        self.stored.accounts.get(key).map_or(written, |account| account.login.as_str()).to_owned()
    }
}
