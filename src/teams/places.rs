//! Teams for connections: their places in the order of a list, and the teams at some of these places (decision 60). What
//! is listed is the same as in the lists of `list.rs`.

use std::sync::Arc;

use super::lookup;
use super::team::SeenTeam;
use super::visible::{Seen, seen};
use crate::db::select;
use crate::error::Result;
use crate::memory::{OrgState, TeamFilter, TeamPlace, Teams, Viewer};
use crate::operation::Cx;
use crate::orgs::org::Org;
use crate::orgs::org_ref::OrgRef;
use crate::rows::TeamRow;

/// Runs a function on the teams of an organization that the caller sees, by name.
pub fn of_org<R>(cx: &mut Cx, org: &Org, filter: &TeamFilter, ask: impl FnOnce(&Teams) -> R) -> Result<R> {
    let (memory, at) = (&cx.site.organizations, (org.id, org.version));
    let own = match seen(cx, org.id, org.my_role)? {
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
    org: &Org,
    team: i64,
    immediate: bool,
    filter: &TeamFilter,
    ask: impl FnOnce(&Teams) -> R,
) -> Result<R> {
    let at = (org.id, org.version);
    let of = |state: &mut OrgState| ask(&state.teams_below(team, immediate, filter));
    cx.site.organizations.ask(cx.tx, at, filter.part(), of)
}

/// Those of these teams whose name or slug contains a text, in any case.
pub fn containing(cx: &mut Cx, org: &Org, places: Vec<TeamPlace>, text: &str) -> Result<Vec<TeamPlace>> {
    let ids: Vec<i64> = places.iter().map(|(_, id)| *id).collect();
    let (text, teams) = (text.to_lowercase(), rows(cx, org, &ids)?);
    let contains = |team: &SeenTeam| team.name.to_lowercase().contains(&text) || team.slug.contains(&text);
    Ok(places.into_iter().zip(&teams).filter(|(_, team)| contains(team)).map(|(place, _)| place).collect())
}

/// The teams with these identifiers, which the caller sees.
pub fn rows(cx: &mut Cx, org: &Org, ids: &[i64]) -> Result<Vec<SeenTeam>> {
    let of = Arc::new(OrgRef { id: org.id, login: org.login.clone() });
    let rows = cx.site.organizations.teams(cx.tx, (org.id, org.version), ids, &lookup::BY_IDS)?;
    Ok(rows.into_iter().map(|row| SeenTeam::at(row, of.clone())).collect())
}

/// The teams above a team, nearest first.
pub fn above(cx: &mut Cx, team: &SeenTeam) -> Result<Vec<SeenTeam>> {
    let found: Vec<TeamRow> = cx.tx.all(ABOVE, &[&team.id])?;
    Ok(found.into_iter().map(|row| SeenTeam::at(row.into(), team.org.clone())).collect())
}

const ABOVE: &str = select!(TeamRow from
    "team_tree x JOIN teams t ON t.id = x.ancestor_id
     WHERE x.descendant_id = $1 AND x.depth > 0 ORDER BY x.depth");
