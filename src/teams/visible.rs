//! Who sees a team (decision 17, privacy rules 1 and 2): the one definition, to find and to list.
//!
//! Closed: every active member of the organization. Secret: owners, and its direct active members.

use std::sync::Arc;

use crate::db::{Cacheable, MadeOf, Tx};
use crate::error::Result;
use crate::operation::Cx;

/// Whether somebody with this role in the organization, and directly in the team or not, sees it.
#[must_use]
pub fn sees(secret: bool, org_role: Option<&str>, in_team: bool) -> bool {
    match org_role {
        Some("admin") => true,
        Some("member") => !secret || in_team,
        _ => false,
    }
}

/// The same in a statement: that the person `$1` sees the team `t`.
macro_rules! is_seen {
    () => {
        "EXISTS (SELECT 1 FROM org_members om WHERE om.org_id = t.org_id AND om.user_id = $1
                 AND (om.role = 'admin' OR om.role = 'member' AND (t.privacy = 'closed' OR EXISTS
                     (SELECT 1 FROM team_members tm WHERE tm.team_id = t.id AND tm.user_id = $1))))"
    };
}
pub(super) use is_seen;

/// The teams that somebody is directly in.
#[derive(Debug, PartialEq, Eq)]
pub struct Own(pub Vec<i64>);

impl Cacheable for Own {
    fn weight(&self) -> usize {
        size_of_val(self.0.as_slice())
    }
}

/// Which teams of an organization somebody sees in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// All of them.
    Everything,
    /// The closed ones, and those of these that are secret.
    ClosedAnd(Arc<Own>),
    /// None.
    Nothing,
}

/// Which teams of an organization the caller sees, being in it with this role.
pub fn seen(cx: &mut Cx, org: i64, org_role: Option<&str>) -> Result<Seen> {
    match org_role {
        Some("admin") => Ok(Seen::Everything),
        Some("member") => {
            let me = cx.my_id();
            let key = [org.to_be_bytes(), me.to_be_bytes()].concat();
            Ok(Seen::ClosedAnd(cx.tx.cached_of(MadeOf::Org(org), &key, |tx| own(tx, me))?))
        }
        _ => Ok(Seen::Nothing),
    }
}

/// The teams that somebody is directly in, of all organizations: only those that are secret teams of the
/// organization asked count in its list, so that changes of others do not matter.
fn own(tx: &mut Tx, user: i64) -> Result<Own> {
    Ok(Own(tx.all::<(i64,)>(OWN, &[&user])?.into_iter().map(|(id,)| id).collect()))
}

const OWN: &str = "SELECT team_id FROM team_members WHERE user_id = $1 ORDER BY team_id";
