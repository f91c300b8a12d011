//! Accepting an invitation at the path of the membership, which some clients use instead of `/user/memberships/orgs`
//! (decision 59).

use schemars::JsonSchema;
use serde::Deserialize;

use super::memberships::OrganizationMembership;
use super::my_memberships::{Accepted, accept_as};
use super::org::Org;
use crate::db::{Lock, Tx};
use crate::error::Result;
use crate::operation::{Caller, Cx, Path, Record, Subject};
use crate::people::me;
use crate::policy::{Granted, Standing};

/// An organization that has invited the caller. Accepting also writes to the caller's account.
#[derive(Debug, Clone)]
pub struct Inviting(Org);

impl Subject for Inviting {
    const FORMS: &'static [&'static str] = Org::FORMS;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (org, standing) = Org::find(cx, path)?;
        Ok((Self(org), standing))
    }

    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let mut locks = Org::locks(tx, caller, path)?;
        if let Some(person) = &caller.person {
            locks.extend(me::user_and_orgs(tx, person.id)?);
        }
        Ok(locks)
    }

    fn organizations(&self) -> Vec<i64> {
        self.0.organizations()
    }

    fn canonical(&self) -> String {
        self.0.canonical()
    }
}

/// Accept your own invitation to an organization. All team memberships in it become active at once.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Accept {
    /// The login of the caller.
    pub username: String,
    /// Must be `active`.
    pub state: Accepted,
}

/// Accepts the caller's invitation. The rule has already compared the caller with the path.
pub fn accept(cx: &mut Cx, org: Granted<Inviting>, p: Accept) -> Result<Record<OrganizationMembership>> {
    let Accept { username: _, state: Accepted::Active } = p;
    accept_as(cx, org.0.id)
}
