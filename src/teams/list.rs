//! Lists of teams: of an organization, below a team, and of the caller.
//!
//! Implements decisions 3, 17, 18 and 38. The lists contain only what the caller sees. They are sorted by name; the
//! caller's own teams are sorted by id.

use super::record::{TeamFull, TeamShort, full};
use super::team::{SeenTeam, Team};
use super::text;
use super::visible::{Seen, seen};
use crate::db::{Cacheable, MadeOf, Tx};
use crate::error::{Error, Result};
use crate::journal;
use crate::memory::{OrgState, Part, Place, Viewer};
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
    let (memory, at) = (&cx.site.organizations, (org.id, org.version));
    let places;
    let viewer = match seen(cx, org.id, org.my_role.as_deref())? {
        Seen::Everything => Viewer::Everything,
        Seen::ClosedAnd(own) => {
            let key = [org.id.to_be_bytes(), cx.my_id().to_be_bytes()].concat();
            let find = |tx: &mut Tx| memory.ask(tx, at, Part::Teams, |state| Places(state.places(&own.0)));
            places = cx.tx.cached_of(MadeOf::Org(org.id), &key, find)?;
            Viewer::ClosedAnd(&places.0)
        }
        Seen::Nothing => return Ok(Written::new(b"[]".to_vec(), 0)),
    };
    let (offset, limit) = (cx.page.offset(), cx.page.per_page);
    let page = memory.ask(cx.tx, at, Part::Teams, |state| state.teams_page(viewer, offset, limit))?;
    page_of(cx, at, &org.login, page)
}

/// The positions of a user's secret teams in the list of an organization's teams.
struct Places(Vec<Place>);

impl Cacheable for Places {
    fn weight(&self) -> usize {
        size_of_val(self.0.as_slice())
    }
}

/// List the direct child teams of a team, by name.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Children {}

/// Lists the direct child teams of a team, by name.
pub fn children(cx: &mut Cx, team: SeenTeam, _: Children) -> Result<Written<TeamShort>> {
    let (offset, limit) = (cx.page.offset(), cx.page.per_page);
    let (id, org) = (team.id, team.org_id);
    let version = journal::version(cx.tx, org)?;
    let ask = |state: &mut OrgState| state.children_page(id, offset, limit);
    let page = cx.site.organizations.ask(cx.tx, (org, version), Part::Teams, ask)?;
    page_of(cx, (org, version), &team.org.login, page)
}

/// The teams of a page, in its order, each with its parent.
pub(super) fn page_of(
    cx: &mut Cx,
    (org, version): (i64, i64),
    login: &str,
    page: (Vec<i64>, u64),
) -> Result<Written<TeamShort>> {
    let (ids, total) = page;
    Ok(Written::new(text::list(cx, (org, login), version, &ids)?, total))
}

/// List the teams that the caller is a direct, active member of, in all organizations, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfCaller {}

/// Lists the teams of which the caller is a direct active member, in all organizations, by id.
pub fn of_caller(cx: &mut Cx, me: Granted<Me>, _: OfCaller) -> Result<List<TeamFull>> {
    let (total,): (i64,) = cx.tx.one("SELECT count(*) FROM team_members WHERE user_id = $1", &[&me.id])?;
    let (limit, offset) = cx.page.sql();
    let ids: Vec<(i64,)> = cx.tx.all(OF_CALLER, &[&me.id, &limit, &offset])?;
    let mut items = Vec::with_capacity(ids.len());
    for (id,) in ids {
        let team = Team::by_id(cx, me.id, id)?.ok_or(Error::NotFound)?;
        items.push(full(cx, &team)?);
    }
    Ok(List { items, total: u64::try_from(total).unwrap_or(0) })
}

const OF_CALLER: &str = "SELECT team_id FROM team_members WHERE user_id = $1 ORDER BY team_id LIMIT $2 OFFSET $3";
