//! Teams for connections: their places in the order of a list, and the teams at some of these places (decision 60). What
//! is listed is the same as in the lists of `list.rs`.

use super::lookup;
use super::team::SeenTeam;
use super::visible::{Seen, seen};
use crate::error::Result;
use crate::journal;
use crate::memory::{OrgState, Part, TeamFilter, TeamPlace, Viewer};
use crate::operation::Cx;
use crate::orgs::org::Org;
use crate::orgs::org_ref;

/// The teams of an organization that the caller sees, by name.
pub fn of_org(cx: &mut Cx, org: &Org, filter: &TeamFilter) -> Result<Vec<TeamPlace>> {
    let (memory, at) = (&cx.site.organizations, (org.id, org.version));
    let part = if filter.people.is_some() { Part::Members } else { Part::Teams };
    let own = match seen(cx, org.id, org.my_role.as_deref())? {
        Seen::Everything => None,
        Seen::ClosedAnd(own) => Some(own),
        Seen::Nothing => return Ok(Vec::new()),
    };
    memory.ask(cx.tx, at, part, |state| match &own {
        None => state.every_team(Viewer::Everything, filter),
        Some(own) => state.every_team(Viewer::ClosedAnd(&state.places(&own.0)), filter),
    })
}

/// The teams below a team, by name. The caller sees them: secret teams are in no tree.
pub fn below(cx: &mut Cx, team: &SeenTeam, immediate: bool, filter: &TeamFilter) -> Result<Vec<TeamPlace>> {
    let at = (team.org_id, journal::version(cx.tx, team.org_id)?);
    let part = if filter.people.is_some() { Part::Members } else { Part::Teams };
    let ask = |state: &mut OrgState| state.every_child(team.id, immediate, filter);
    cx.site.organizations.ask(cx.tx, at, part, ask)
}

/// The teams at these places, which the caller sees.
pub fn rows(cx: &mut Cx, org: i64, places: &[TeamPlace]) -> Result<Vec<SeenTeam>> {
    let at = (org, journal::version(cx.tx, org)?);
    let of = org_ref::by_id(cx.tx, org)?;
    let ids: Vec<i64> = places.iter().map(|(_, id)| *id).collect();
    let rows = cx.site.organizations.teams(cx.tx, at, &ids, &lookup::BY_IDS)?;
    Ok(rows.into_iter().map(|row| SeenTeam::at(row, of.clone())).collect())
}

/// The team above a team, if there is one.
pub fn above(cx: &mut Cx, team: &SeenTeam) -> Result<Option<SeenTeam>> {
    let Some(parent) = team.parent_id else { return Ok(None) };
    let row = lookup::by_id(cx.tx, parent)?;
    Ok(Some(SeenTeam::at(row, team.org.clone())))
}
