//! The repositories of an organization that a person was given, alone or through a team of the organization, for the pages of
//! owners and of the person (decisions 33 and 67). Owners see all of these. What teams of other organizations give is not
//! shown, because owners may not see those teams.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::db::row;
use crate::error::Result;
use crate::operation::{Cx, List};
use crate::orgs::org::Org;
use crate::people::user;
use crate::policy::Granted;
use crate::repos::access::{collaborating, in_team, in_teams, of_member};
use crate::repos::level::Level;

/// A repository that a person was given.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Reached {
    /// Name.
    pub name: String,
    /// True if only people with access can read it.
    pub private: bool,
    /// The highest level that the person has on it in these ways, or as a member of the organization: `read`, `triage`,
    /// `write`, `maintain` or `admin`.
    pub level: String,
}

row! {
    /// The same as it is found.
    struct Found from "p" {
        name: String,
        private: bool,
        level: i64,
    }
}

/// The repositories of the organization `$2` that the person `$1` was given.
macro_rules! given {
    () => {
        concat!(
            "SELECT c.id AS id, c.name_key AS name_key FROM (",
            collaborating!(),
            " UNION ",
            in_teams!(),
            " AND EXISTS (SELECT 1 FROM teams gt WHERE gt.id = ag.team_id AND gt.org_id = $2)) g CROSS JOIN repos c WHERE c.id = g.id AND c.org_id = $2"
        )
    };
}

/// List the repositories of an organization that a person was given, by name.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfPerson {
    /// Login of the person.
    pub username: String,
}

/// Lists the repositories that a person was given; 404 if there is no such person.
pub fn list(cx: &mut Cx, org: Granted<Org>, p: OfPerson) -> Result<List<Reached>> {
    let person = user::by_login(cx.tx, &p.username)?.id;
    let total: i64 = cx.tx.one(COUNT, &[&person, &org.id])?;
    let (limit, offset) = cx.page.sql();
    let found: Vec<Found> = cx.tx.all(PAGE, &[&person, &org.id, &limit, &offset])?;
    let reached = |of: Found| {
        let level = Level::of_rank(of.level).map_or("none", Level::role_name).to_owned();
        Reached { name: of.name, private: of.private, level }
    };
    List::of(found.into_iter().map(reached), total)
}

const COUNT: &str = concat!("SELECT count(*) FROM (", given!(), ") p");
const PAGE: &str = const_str::concat!(
    "SELECT ",
    Found::COLUMNS,
    " FROM (SELECT r.name, r.name_key, r.private, ",
    "(SELECT max(a.level) FROM (
        SELECT ac.level FROM repo_collaborators ac WHERE ac.repo_id = r.id AND ac.user_id = $1
        UNION ALL SELECT ",
    of_member!(),
    " FROM org_members am CROSS JOIN orgs ao WHERE am.org_id = r.org_id AND am.user_id = $1 AND ao.id = am.org_id
        UNION ALL SELECT ag.level FROM team_repos ag CROSS JOIN teams gt
        WHERE ag.repo_id = r.id AND gt.id = ag.team_id AND gt.org_id = r.org_id AND ",
    in_team!("$1", "ag.team_id"),
    ") a) AS level FROM (",
    given!(),
    " ORDER BY name_key LIMIT $3 OFFSET $4) s CROSS JOIN repos r WHERE r.id = s.id) p ORDER BY p.name_key"
);
