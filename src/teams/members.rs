//! The list of a team's people, who are in it directly or through the teams below it.
//!
//! Implements "The member list of a team includes the members of its child teams" and decisions 17, 23 and 38.

use schemars::JsonSchema;
use serde::Deserialize;

use super::team::SeenTeam;
use crate::error::Result;
use crate::journal;
use crate::memory::{OrgState, Part, Reach, RoleFilter};
use crate::operation::{Cx, List};
use crate::people;
use crate::people::list::TeamMember;

/// List the members of a team and its child teams, by ID.
#[derive(Deserialize, JsonSchema)]
pub struct ListMembers {
    /// Return only people with this role in the team. Owners count as maintainers, members of child teams as members.
    #[schemars(extend("default" = "all"))]
    pub role: Option<RoleFilter>,
    /// Return only direct members, or only members of child teams.
    #[schemars(extend("default" = "all"))]
    pub membership: Option<Reach>,
}

/// Lists the people of a page, each once.
pub fn list(cx: &mut Cx, team: SeenTeam, p: ListMembers) -> Result<List<TeamMember>> {
    let (role, reach) = (p.role.unwrap_or_default(), p.membership.unwrap_or_default());
    cx.cached_page(&[team.id, role as i64, reach as i64], |cx| page(cx, &team, role, reach))
}

fn page(cx: &mut Cx, team: &SeenTeam, role: RoleFilter, reach: Reach) -> Result<List<TeamMember>> {
    let (offset, limit) = (cx.page.offset(), cx.page.per_page);
    let (id, org) = (team.id, team.org_id);
    let ask = |state: &mut OrgState| state.members_page(id, role, reach, offset, limit);
    let version = journal::version(cx.tx, org)?;
    let page = cx.site.organizations.ask(cx.tx, (org, version), Part::Members, ask)?;
    let ids: Vec<i64> = page.entries.iter().map(|entry| entry.user).collect();
    let people = people::list::shown(cx.tx, &cx.site.organizations, (org, version), &ids)?;
    let members: Vec<_> =
        people.into_iter().zip(&page.entries).map(|(person, entry)| (person, entry.inherited)).collect();
    Ok(List::written(people::list::members(cx.links, &members)?, page.total))
}
