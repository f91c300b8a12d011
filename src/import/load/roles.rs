//! The roles of people in the organization after the import.

use std::collections::HashMap;

pub(super) const OWNER: &str = "admin";
pub(super) const MEMBER: &str = "member";
pub(super) const BILLING: &str = "billing_manager";

/// The roles of people in the organization after the import.
pub(super) struct People(pub HashMap<i64, &'static str>);

impl People {
    /// True if the user is an active member. Owners are members.
    pub(super) fn is_member(&self, user: i64) -> bool {
        matches!(self.0.get(&user), Some(&(OWNER | MEMBER)))
    }

    /// True if the user is only a billing manager.
    pub(super) fn is_billing(&self, user: i64) -> bool {
        self.0.get(&user) == Some(&BILLING)
    }
}
