//! The child teams of a team, with their sizes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sizes;
use crate::error::Result;
use crate::journal;
use crate::memory::{OrgState, Part};
use crate::operation::{Cx, List};
use crate::teams::lookup::BY_IDS;
use crate::teams::team::SeenTeam;

/// The most characters of a description in the list.
const DESCRIPTION: usize = 200;

/// A child team in a list.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChildTeam {
    /// Name.
    pub name: String,
    /// Slug.
    pub slug: String,
    /// The beginning of the description.
    pub description: String,
    /// Number of people, direct and through child teams.
    pub people: u64,
    /// Number of child teams.
    pub children: u64,
}

/// List the child teams of a team, by name, with their sizes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Children {}

/// Lists the child teams of a page.
pub fn list(cx: &mut Cx, team: SeenTeam, _: Children) -> Result<List<ChildTeam>> {
    let (offset, limit, id) = (cx.page.offset(), cx.page.per_page, team.id);
    let at = (team.org_id, journal::version(cx.tx, team.org_id)?);
    let ask = |state: &mut OrgState| state.children_page(id, offset, limit);
    let (ids, total) = cx.site.organizations.ask(cx.tx, at, Part::Teams, ask)?;
    let rows = cx.site.organizations.teams(cx.tx, at, &ids, &BY_IDS)?;
    let sizes = sizes(cx, team.org_id, &ids)?;
    let child = |(row, (people, children)): (&std::sync::Arc<crate::rows::TeamRow>, (u64, u64))| ChildTeam {
        name: row.name.clone(),
        slug: row.slug.clone(),
        description: row.description.iter().flat_map(|text| text.chars().take(DESCRIPTION)).collect(),
        people,
        children,
    };
    List::of(rows.iter().zip(sizes).map(child).collect::<Vec<_>>(), total)
}
