//! The requests to join teams that the caller may decide, as the home page shows them (decision 65).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::db::{row, select};
use crate::error::Result;
use crate::name;
use crate::operation::{Cx, Record};
use crate::people::me::Me;
use crate::policy::Granted;

/// The most requests that are shown.
const MOST: i64 = 20;

row! {
    /// An open request to join a team.
    #[derive(Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Waiting from "j" {
        /// ID.
        pub id: i64,
        /// Login of the organization.
        pub organization: String = "o.login",
        /// Slug of the team.
        pub slug: String = "t.slug",
        /// Name of the team.
        pub team: String = "t.name",
        /// Login of the person who asks.
        pub login: String = "u.login",
        /// Their name.
        pub name: Option<String> = "u.name",
        /// Their message.
        pub message: Option<String>,
        /// Creation time.
        pub created_at: Time,
    }
}

impl Waiting {
    /// The name of the person who asks, or their login if they have none.
    #[must_use]
    pub fn called(&self) -> &str {
        name::called(self.name.as_deref(), &self.login)
    }
}

/// List the oldest requests to join teams that the caller may decide.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct List {}

/// Lists the open requests to join teams that the caller maintains, or that are in organizations of which they are an
/// owner.
pub fn list(cx: &mut Cx, me: Granted<Me>, _: List) -> Result<Record<Vec<Waiting>>> {
    let waiting: Vec<Waiting> = cx.tx.all(WAITING, &[&me.id, &MOST])?;
    Ok(waiting.into())
}

const WAITING: &str = select!(Waiting from
    "(SELECT asked.id FROM team_members led CROSS JOIN join_requests asked
      WHERE led.user_id = $1 AND led.role = 'maintainer' AND asked.team_id = led.team_id AND asked.state = 'open'
        AND EXISTS (SELECT 1 FROM org_members of WHERE of.user_id = $1 AND of.role <> 'admin')
      UNION
      SELECT asked.id FROM org_members own CROSS JOIN join_requests asked
      WHERE own.user_id = $1 AND own.role = 'admin' AND asked.org_id = own.org_id AND asked.state = 'open') x
     CROSS JOIN join_requests j CROSS JOIN users u CROSS JOIN teams t CROSS JOIN orgs o
     WHERE j.id = x.id AND u.id = j.user_id AND t.id = j.team_id AND o.id = t.org_id
       AND NOT EXISTS (SELECT 1 FROM team_members tm WHERE tm.team_id = j.team_id AND tm.user_id = j.user_id)
     ORDER BY j.id LIMIT $2");
