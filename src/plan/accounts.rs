//! Accounts for the people of the file who have none.

use serde_json::json;

use super::comparison::Comparison;
use super::{Flag, Kind};
use crate::import::logins;

impl Comparison<'_> {
    /// Adds the accounts that are missing.
    pub(super) fn accounts(&mut self) {
        let blocked_by = self.needs(Flag::CreateAccounts);
        for named in logins::named(self.file) {
            if !self.stored.accounts.contains_key(&named.key) {
                self.add((Kind::Account, None, named.login), json!(null), blocked_by);
            }
        }
    }

    /// The login of a person of the file, as the account has it.
    pub(super) fn login(&self, key: &str, written: &str) -> String {
        self.stored.accounts.get(key).map_or(written, |account| account.login.as_str()).to_owned()
    }
}
