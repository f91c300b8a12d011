//! How somebody becomes a member of an organization: the one way in.
//!
//! Keeps decisions 26, 29 and 48, and "invitation accepted" of the events.

use std::collections::BTreeSet;

use serde_json::json;

use super::{changes, invitation_end, synced};
use crate::derived::Change;
use crate::error::Result;
use crate::events::{self, Event};
use crate::operation::Cx;
use crate::people::user::User;

/// Makes a person who is no member one, with the role `admin`, `member` or `billing_manager`; an invitation that
/// is still open ends with it.
pub fn join(cx: &mut Cx, org: i64, person: &User, role: &str) -> Result<()> {
    invitation_end::close(cx, org, person.id)?;
    cx.tx.run(JOIN, &[&org, &person.id, &role, &cx.now.0])?;
    cx.tx.run("DELETE FROM former_members WHERE org_id = $1 AND user_id = $2", &[&org, &person.id])?;
    if role != "billing_manager" {
        let joined = Change::Person { user: person.id, owner: role == "admin", public: false };
        changes::log(cx.tx, org, &[joined])?;
    }
    events::emit(cx, org, &Event::PersonJoined { person: person.facts(), role: role.to_owned() })?;
    let after = json!({ "user": person.login, "role": role });
    events::record(cx, org, "org.add_member", &json!(null), &after)?;
    synced::follow(cx, org, &BTreeSet::from([person.id]))
}

/// A billing manager has a row already.
const JOIN: &str = "
    INSERT INTO org_members (org_id, user_id, role, is_public, created_at) VALUES ($1, $2, $3, FALSE, $4)
    ON CONFLICT (org_id, user_id) DO UPDATE SET role = excluded.role, created_at = excluded.created_at";
