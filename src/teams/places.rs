//! Teams for connections: their places in the order of a list, and the teams at some of these places (decision 60). What
//! is listed is the same as in the lists of `list.rs`.

use super::lookup;
use super::team::SeenTeam;
use super::visible::{Seen, seen};
use crate::error::Result;
use crate::journal;
use crate::memory::{OrgState, TeamFilter, TeamPlace, Teams, Viewer};
use crate::operation::Cx;
use crate::orgs::org::Org;
use crate::orgs::org_ref;

/// Runs a function on the teams of an organization that the caller sees, by name.
pub fn of_org<R>(cx: &mut Cx, org: &Org, filter: &TeamFilter, ask: impl FnOnce(&Teams) -> R) -> Result<R> {
    let (memory, at) = (&cx.site.organizations, (org.id, org.version));
    let own = match seen(cx, org.id, org.my_role.as_deref())? {
        Seen::Everything => None,
        Seen::ClosedAnd(own) => Some(own),
        Seen::Nothing => return Ok(ask(&Teams::of(Vec::new()))),
    };
    memory.ask(cx.tx, at, filter.part(), |state| match &own {
        None => ask(&state.teams(Viewer::Everything, filter)),
        Some(own) => ask(&state.teams(Viewer::ClosedAnd(&state.places(&own.0)), filter)),
    })
}

/// Runs a function on the teams below a team, by name. The caller sees them: secret teams are in no tree.
pub fn below<R>(
    cx: &mut Cx,
    team: &SeenTeam,
    immediate: bool,
    filter: &TeamFilter,
    ask: impl FnOnce(&Teams) -> R,
) -> Result<R> {
    let at = (team.org_id, journal::version(cx.tx, team.org_id)?);
    let of = |state: &mut OrgState| ask(&state.teams_below(team.id, immediate, filter));
    cx.site.organizations.ask(cx.tx, at, filter.part(), of)
}

/// Those of these teams whose name or slug contains a text, in any case.
pub fn containing(cx: &mut Cx, org: i64, places: Vec<TeamPlace>, text: &str) -> Result<Vec<TeamPlace>> {
    let (text, teams) = (text.to_lowercase(), rows(cx, org, &places)?);
    let contains = |team: &SeenTeam| team.name.to_lowercase().contains(&text) || team.slug.contains(&text);
    Ok(places.into_iter().zip(&teams).filter(|(_, team)| contains(team)).map(|(place, _)| place).collect())
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
