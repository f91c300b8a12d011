//! Open invitations of an organization, with what became of the e-mail of each, for the page of its owners (decision 26).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::db::{ByIds, by_ids_after, row, select};
use crate::error::{Error, Result};
use crate::operation::{Cx, Record};
use crate::orgs::org::Org;
use crate::policy::Granted;

/// The most invitations at a time.
const MOST: usize = 100;

/// An open invitation.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Invited {
    /// ID.
    pub id: i64,
    /// The login of the invited person; null if an e-mail address was invited.
    pub login: Option<String>,
    /// The invited e-mail address; null if an account was invited.
    pub email: Option<String>,
    /// `direct_member`, `admin`, `billing_manager`, `hiring_manager` or `reinstate`.
    pub role: String,
    /// The time at which it expires.
    pub expires_at: Time,
    /// The names of the first three teams that it brings.
    pub teams: Vec<String>,
    /// The status of the last failed attempt to send its newest e-mail; null unless that was given up.
    pub undelivered: Option<String>,
}

row! {
    /// An invitation as it is found.
    struct Found from "i" {
        id: i64,
        login: Option<String> = "(SELECT u.login FROM users u WHERE u.id = i.user_id)",
        email: Option<String>,
        role: String,
        expires_at: Time,
        undelivered: Option<String> = "CASE WHEN d.state = 'dead' THEN coalesce(d.last_status, '') END",
    }
}

row! {
    /// A team of an invitation.
    struct FoundTeam from "x" {
        invitation_id: i64,
        name: String,
    }
}

/// Look up invitations.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {
    /// IDs of invitations, with commas between them.
    pub invitations: String,
}

/// Looks up the open invitations of an organization with these IDs, by ID.
pub fn look(cx: &mut Cx, org: Granted<Org>, p: Look) -> Result<Record<Vec<Invited>>> {
    let ids: Vec<i64> = p.invitations.split(',').filter_map(|id| id.trim().parse().ok()).collect();
    if ids.len() > MOST {
        let text = format!("Use at most {MOST} invitations.");
        return Err(Error::explained("Invitation", "invalid", "invitations", text));
    }
    let found: Vec<Found> = by_ids_after(cx.tx, &FOUND, &[&org.id, &cx.now()?.0], &ids)?;
    let teams: Vec<FoundTeam> = by_ids_after(cx.tx, &TEAMS, &[&org.id], &ids)?;
    let invited = |of: Found| {
        let teams = teams.iter().filter(|team| team.invitation_id == of.id);
        let teams = teams.map(|team| team.name.clone()).collect();
        let Found { id, login, email, role, expires_at, undelivered } = of;
        Invited { id, login, email, role, expires_at, teams, undelivered }
    };
    Ok(found.into_iter().map(invited).collect::<Vec<_>>().into())
}

static FOUND: ByIds = ByIds::after(
    2,
    select!(Found from
    "invitations i
     LEFT JOIN deliveries d ON d.id =
         (SELECT max(m.id) FROM deliveries m WHERE m.kind = 'mail' AND m.order_key < 0 AND m.order_key = -i.id)
     WHERE i.org_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2 AND i.id IN ({ids}) ORDER BY i.id"),
);

/// An invitation brings any number of teams.
static TEAMS: ByIds = ByIds::after(
    1,
    select!(FoundTeam from
    "(SELECT b.invitation_id, t.name, t.name_key,
             row_number() OVER (PARTITION BY b.invitation_id ORDER BY t.name_key, t.id) AS place
      FROM invitation_teams b JOIN teams t ON t.id = b.team_id
      WHERE b.invitation_id IN ({ids}) AND t.org_id = $1) x
     WHERE x.place <= 3 ORDER BY x.invitation_id, x.place"),
);
