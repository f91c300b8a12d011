//! The callers who see a team (decision 17, privacy rules 1 and 2): the one definition, for lookups and lists.
//!
//! Every active member of the organization sees a closed team. Owners and the direct active members see a secret team.

use std::sync::Arc;

use crate::db::{Cacheable, MadeOf, Tx};
use crate::error::Result;
use crate::operation::Cx;

/// True if a user with this role in the organization, directly in the team or not, sees it.
#[must_use]
pub fn sees(secret: bool, org_role: Option<&str>, in_team: bool) -> bool {
    match org_role {
        Some("admin") => true,
        Some("member") => !secret || in_team,
        _ => false,
    }
}

/// The same as SQL: whether the person `$1` sees the team `t`.
macro_rules! is_seen {
    () => {
        "EXISTS (SELECT 1 FROM org_members om WHERE om.org_id = t.org_id AND om.user_id = $1
                 AND (om.role = 'admin' OR om.role = 'member' AND (t.privacy = 'closed' OR EXISTS
                     (SELECT 1 FROM team_members tm WHERE tm.team_id = t.id AND tm.user_id = $1))))"
    };
}
pub(crate) use is_seen;

/// The teams that a user is directly in.
#[derive(Debug, PartialEq, Eq)]
pub struct Own(pub Vec<i64>);

impl Cacheable for Own {
    fn weight(&self) -> usize {
        size_of_val(self.0.as_slice())
    }
}

/// The teams of an organization that a user sees in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// All of them.
    Everything,
    /// The closed ones, and those of these teams that are secret.
    ClosedAnd(Arc<Own>),
    /// None.
    Nothing,
}

/// The teams of an organization that a caller with this role in it sees.
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

/// The teams that a user is directly in, in all organizations. Only those that are secret teams of the requested
/// organization count in its list, so changes of others do not matter.
fn own(tx: &mut Tx, user: i64) -> Result<Own> {
    tx.all(OWN, &[&user]).map(Own)
}

const OWN: &str = "SELECT team_id FROM team_members WHERE user_id = $1 ORDER BY team_id";
