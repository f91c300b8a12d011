//! Lists of teams: of an organization, below a team, and of the caller.
//!
//! Keeps decisions 3, 17, 18 and 38: only what the caller sees; by name, or by id for the caller's own.

use super::record::{TeamFull, TeamShort, full};
use super::team::{Team, brief_columns};
use super::text;
use super::visible::{Seen, seen};
use crate::db::ByIds;
use crate::derived::{BRIEFS, Part, Viewer};
use crate::error::{Error, Result};
use crate::operation::{Cx, List, Written};
use crate::orgs::org::Org;
use crate::people::me::Me;
use crate::policy::Granted;
use schemars::JsonSchema;
use serde::Deserialize;

/// List the teams of an organization that the caller can see, by name.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfOrg {}

/// Lists the teams of an organization that the caller can see, by name.
pub fn of_org(cx: &mut Cx, org: Granted<Org>, _: OfOrg) -> Result<Written<TeamShort>> {
    let seen = seen(cx, org.my_role.as_deref())?;
    let viewer = match &seen {
        Seen::Everything => Viewer::Everything,
        Seen::ClosedAnd(own) => Viewer::ClosedAnd(&own.0),
        Seen::Nothing => return Ok(Written::new(b"[]".to_vec(), 0)),
    };
    let (offset, limit) = (cx.page.offset(), cx.page.per_page);
    let page = cx
        .site
        .derived
        .ask(cx.tx, (org.id, org.version), Part::Teams, |state| state.teams_page(viewer, offset, limit))?;
    page_of(cx, (org.id, org.version), &org.login, page)
}

/// List the direct child teams of a team, by name.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Children {}

/// Lists the direct child teams of a team, by name.
pub fn children(cx: &mut Cx, team: Granted<Team>, _: Children) -> Result<Written<TeamShort>> {
    let (offset, limit) = (cx.page.offset(), cx.page.per_page);
    let (id, org) = (team.brief.id, team.brief.org_id);
    let page = cx
        .site
        .derived
        .ask(cx.tx, (org, team.org_version), Part::Teams, |state| state.children_page(id, offset, limit))?;
    page_of(cx, (org, team.org_version), &team.org_login, page)
}

/// The teams of a page, in its order, each with its parent.
pub(super) fn page_of(
    cx: &mut Cx,
    (org, version): (i64, i64),
    login: &str,
    page: (Vec<i64>, u64),
) -> Result<Written<TeamShort>> {
    let (ids, total) = page;
    let derived = &cx.site.derived;
    let teams = derived.rows(cx.tx, (org, version), &ids, &READ, BRIEFS)?;
    let mut above: Vec<i64> = teams.iter().filter_map(|team| team.parent_id).collect();
    above.sort_unstable();
    above.dedup();
    let parents = derived.rows(cx.tx, (org, version), &above, &READ, BRIEFS)?;
    Ok(Written::new(text::list(cx, (org, login), &teams, &parents)?, total))
}

/// Teams in short, by identifier.
pub(super) static READ: ByIds = ByIds::new(concat!("SELECT ", brief_columns!(), " FROM teams t WHERE t.id IN ({ids})"));

/// List the teams of which the caller is a direct active member, in all organizations, by id.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfCaller {}

/// Lists the teams of which the caller is a direct active member, in all organizations, by id.
pub fn of_caller(cx: &mut Cx, me: Granted<Me>, _: OfCaller) -> Result<List<TeamFull>> {
    let (total,): (i64,) = cx.tx.one("SELECT count(*) FROM team_members WHERE user_id = $1", &[&me.id])?;
    let (limit, offset) = cx.page.sql();
    let ids: Vec<(i64,)> = cx.tx.all(OF_CALLER, &[&me.id, &limit, &offset])?;
    let mut items = Vec::with_capacity(ids.len());
    for (id,) in ids {
        let team = Team::by_id(cx.tx, me.id, id)?.ok_or(Error::NotFound)?;
        items.push(full(cx, &team)?);
    }
    Ok(List { items, total: u64::try_from(total).unwrap_or(0) })
}

const OF_CALLER: &str = "SELECT team_id FROM team_members WHERE user_id = $1 ORDER BY team_id LIMIT $2 OFFSET $3";
