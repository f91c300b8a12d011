//! How somebody stops being in an organization: the one way out.
//!
//! Keeps decisions 21 (the last active owner stays), 28 (who leaves the organization leaves all its teams, and what
//! they were given on its repositories and projects) and 29 (what `reinstate` restores), and "removed from org" of the
//! events.

use serde_json::json;

use super::{changes, invitation_end, org, owners, synced};
use crate::db::{FromRow, Row};
use crate::derived::Change;
use crate::error::{Error, Result};
use crate::events::{self, Event, TeamFacts};
use crate::operation::Cx;
use crate::people::user::User;

/// Ends a person's membership of an organization and of all its teams; 404 if there is none, 422 for the last
/// active owner. An invitation that is still open ends with it.
pub fn leave(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    let role = org::role_of(cx.tx, org, person.id)?.ok_or(Error::NotFound)?;
    owners::keep_one(cx, org, person.id)?;
    invitation_end::close(cx, org, person.id)?;
    let seats: Vec<Seat> = cx.tx.all(SEATS, &[&person.id, &org])?;
    cx.tx.run(COUNT, &[&person.id, &org])?;
    cx.tx.run(LEAVE_TEAMS, &[&person.id, &org])?;
    cx.tx.run(LEAVE_PROJECTS, &[&person.id, &org])?;
    cx.tx.run(LEAVE_REPOS, &[&person.id, &org])?;
    cx.tx.run(REMEMBER, &[&org, &person.id, &role, &cx.now.0])?;
    cx.tx.run("DELETE FROM org_members WHERE org_id = $1 AND user_id = $2", &[&org, &person.id])?;
    synced::forget(cx.tx, org, person.id)?;
    changes::log(cx.tx, org, &[Change::PersonGone { user: person.id }])?;
    for Seat { team, role } in seats {
        let before = json!({ "team": team.id, "user": person.login, "role": role });
        events::emit(cx, org, &Event::MemberRemoved { team, member: person.facts() })?;
        events::record(cx, org, "team.remove_member", &before, &json!(null))?;
    }
    let before = json!({ "user": person.login, "role": role });
    events::emit(cx, org, &Event::PersonLeft { person: person.facts(), role: role.to_owned() })?;
    events::record(cx, org, "org.remove_member", &before, &json!(null))
}

/// A team that the person is directly in, and their role there.
struct Seat {
    team: TeamFacts,
    role: String,
}

impl FromRow for Seat {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self { team: TeamFacts::from_row(row)?, role: row.get(8)? })
    }
}

/// CROSS JOIN keeps the order: from the few memberships of a person, never from the many teams.
const SEATS: &str = "
    SELECT t.id, t.name, t.slug, t.description, t.privacy, t.permission, t.notification_setting, t.parent_id, m.role
    FROM team_members m CROSS JOIN teams t
    WHERE t.id = m.team_id AND m.user_id = $1 AND t.org_id = $2 ORDER BY m.team_id";

const COUNT: &str = "
    UPDATE team_counts SET members = members - 1
    WHERE team_id IN
        (SELECT t.id FROM team_members m CROSS JOIN teams t WHERE t.id = m.team_id AND m.user_id = $1 AND t.org_id = $2)";

const LEAVE_TEAMS: &str = "
    DELETE FROM team_members
    WHERE user_id = $1 AND team_id IN
        (SELECT t.id FROM team_members m CROSS JOIN teams t WHERE t.id = m.team_id AND m.user_id = $1 AND t.org_id = $2)";

/// Whoever is let go shall not go on administering what they once created.
const LEAVE_PROJECTS: &str = "
    DELETE FROM project_collaborators
    WHERE user_id = $1 AND project_id IN
        (SELECT p.id FROM project_collaborators c CROSS JOIN projects p
         WHERE p.id = c.project_id AND c.user_id = $1 AND p.org_id = $2)";

/// What was given to a member ends with the membership.
const LEAVE_REPOS: &str = "
    DELETE FROM repo_collaborators
    WHERE user_id = $1 AND repo_id IN
        (SELECT r.id FROM repo_collaborators c CROSS JOIN repos r
         WHERE r.id = c.repo_id AND c.user_id = $1 AND r.org_id = $2)";

const REMEMBER: &str = "
    INSERT INTO former_members (org_id, user_id, role, left_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (org_id, user_id) DO UPDATE SET role = excluded.role, left_at = excluded.left_at";
