//! The people of a team, with what made each of them one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TeamLink;
use crate::clock::Time;
use crate::db::{ByIds, by_ids_after, row};
use crate::error::Result;
use crate::journal;
use crate::memory::{OrgState, Part, Reach, RoleFilter};
use crate::name;
use crate::operation::{Cx, List};
use crate::people::login::{self, Owner};
use crate::teams::team::SeenTeam;

/// The most child teams that are named for a person.
const NAMED: usize = 3;

/// A person of a team in a list.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct RoomMember {
    /// ID.
    pub id: i64,
    /// Login.
    pub login: String,
    /// Name.
    pub name: Option<String>,
    /// True if the person owns the organization.
    pub owner: bool,
    /// The stored role, if the person is on the team directly.
    pub role: Option<String>,
    /// The time at which the direct membership ends, if it does.
    pub ends: Option<Time>,
    /// Some of the teams below it that the person is on.
    pub via: Vec<TeamLink>,
    /// The number of further ones.
    pub more: i64,
}

row! {
    /// A membership that makes a person one of the team.
    struct Membership {
        user: i64,
        login: String,
        name: Option<String>,
        owner: bool,
        role: String,
        ends: Option<Time>,
        is_direct: bool,
        team: TeamLink,
        /// The number of such memberships.
        all: i64,
    }
}

/// List the people of a team, by ID, like `teams.listMembersInOrg`.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct People {
    /// Role to filter by. Default: `all`.
    pub role: Option<RoleFilter>,
    /// Memberships to list. Default: `all`.
    pub membership: Option<Reach>,
    /// Login of the only person to list.
    pub login: Option<String>,
}

/// Lists the people of a page, or the person with this login if they are one of them.
pub fn list(cx: &mut Cx, team: SeenTeam, p: People) -> Result<List<RoomMember>> {
    if let Some(login) = p.login {
        let Some(Owner::User(id)) = login::find(cx.tx, &login)? else { return List::of(Vec::new(), 0) };
        let found = people(cx, &team, &[id])?;
        let total = found.len();
        return List::of(found, total);
    }
    let (role, reach) = (p.role.unwrap_or_default(), p.membership.unwrap_or_default());
    let (offset, limit) = (cx.page.offset(), cx.page.per_page);
    let ask = |state: &mut OrgState| state.members_page(team.id, role, reach, offset, limit);
    let version = journal::version(cx.tx, team.org_id)?;
    let page = cx.site.organizations.ask(cx.tx, (team.org_id, version), Part::Members, ask)?;
    let ids: Vec<i64> = page.entries.iter().map(|entry| entry.user).collect();
    let people = people(cx, &team, &ids)?;
    List::of(people, page.total)
}

/// The people with these IDs who are on the team.
fn people(cx: &mut Cx, team: &SeenTeam, ids: &[i64]) -> Result<Vec<RoomMember>> {
    let rows: Vec<Membership> = by_ids_after(cx.tx, &PEOPLE, &[&team.id, &team.org_id], ids)?;
    let mut people: Vec<(i64, RoomMember)> = Vec::with_capacity(ids.len());
    for row in rows {
        let user = row.user;
        match people.last_mut().filter(|(last, _)| *last == user) {
            Some((_, person)) => person.add(row),
            None => people.push((user, RoomMember::new(row))),
        }
    }
    Ok(people.into_iter().map(|(_, person)| person).collect())
}

impl RoomMember {
    /// The name, or the login of a person without one.
    #[must_use]
    pub fn shown(&self) -> &str {
        name::called(self.name.as_deref(), &self.login)
    }

    /// True if more is known of the person than a role on the team.
    #[must_use]
    pub fn is_explained(&self) -> bool {
        self.owner || self.ends.is_some() || !self.via.is_empty()
    }

    /// The role that counts: owners are maintainers.
    #[must_use]
    pub fn level(&self) -> &'static str {
        if self.owner || self.role.as_deref() == Some("maintainer") { "Maintainer" } else { "Member" }
    }

    fn new(mut row: Membership) -> Self {
        let (login, name) = (std::mem::take(&mut row.login), row.name.take());
        let mut person = Self { id: row.user, login, name, owner: row.owner, more: row.all, ..Self::default() };
        person.add(row);
        person
    }

    /// Adds a membership, the direct one first.
    fn add(&mut self, row: Membership) {
        if row.is_direct {
            (self.role, self.ends) = (Some(row.role), row.ends);
        } else if self.via.len() < NAMED {
            self.via.push(row.team);
        } else {
            return;
        }
        self.more -= 1;
    }
}

/// The first memberships of each person in the team `$1` of the organization `$2` and below it: the direct one, then by
/// name.
static PEOPLE: ByIds = ByIds::after(
    2,
    "SELECT k.user_id, k.login, k.name, k.owner, k.role, k.expires_at, k.direct, k.team_name, k.slug, k.total
     FROM (SELECT m.user_id, u.login, u.name, o.role = 'admin' AS owner, m.role, m.expires_at, x.depth = 0 AS direct,
                  t.name AS team_name, t.slug, count(*) OVER (PARTITION BY m.user_id) AS total,
                  row_number() OVER (PARTITION BY m.user_id ORDER BY x.depth > 0, t.name_key, t.id) AS nth
           FROM users u CROSS JOIN org_members o CROSS JOIN team_members m CROSS JOIN team_tree x CROSS JOIN teams t
           WHERE u.id IN ({ids}) AND o.org_id = $2 AND o.user_id = u.id AND m.user_id = u.id
             AND x.ancestor_id = $1 AND x.descendant_id = m.team_id AND t.id = m.team_id) k
     WHERE k.nth <= 4 ORDER BY k.user_id, k.nth",
);
