//! Trees of teams, as pages show them: those of an organization that the caller sees, and the caller's own. Numbers of
//! people include those of child teams, each once, like the lists of members (decision 23).

use std::collections::HashMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::lookup;
use super::super::visible::{Seen, is_seen, seen};
use crate::db::{row, select};
use crate::error::Result;
use crate::journal;
use crate::memory::{self, OrgState, Part, Reach, RoleFilter, Room, Viewer};
use crate::operation::{Cx, List};
use crate::orgs::org::Org;
use crate::people::me::Me;
use crate::policy::Granted;
use crate::rows::TeamRow;

/// The room for a part of the tree of an organization.
const ROOM: Room = Room { teams: 90, levels: 5 };

/// The longest beginning of a description that is shown, in characters.
const DESCRIBED: usize = 80;

/// The most levels of the caller's own tree; teams below begin a tree of their own.
const OWN_LEVELS: usize = 16;

/// A team in a tree.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Branch {
    /// Name.
    pub name: String,
    /// Slug.
    pub slug: String,
    /// The beginning of its description, for the first level of an organization's tree.
    pub description: Option<String>,
    /// True if it is secret.
    pub secret: bool,
    /// Number of people, with those of child teams.
    pub people: u64,
    /// Number of child teams.
    pub children: u64,
    /// `maintainer` or `member`, if the caller is directly in it.
    pub role: Option<String>,
    /// The child teams that are shown with it.
    pub below: Vec<Branch>,
}

/// List the teams of an organization without a parent, by name, each with the teams below it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfOrg {}

/// Lists the first level of the tree that the caller sees, with as much of the tree below it as there is room for.
pub fn of_org(cx: &mut Cx, org: Granted<Org>, _: OfOrg) -> Result<List<Branch>> {
    let (memory, at, me) = (&cx.site.organizations, (org.id, org.version), cx.my_id());
    let own = match seen(cx, org.id, org.my_role)? {
        Seen::Everything => None,
        Seen::ClosedAnd(own) => Some(own),
        Seen::Nothing => return Ok(List::default()),
    };
    let page = (cx.page.offset(), cx.page.per_page);
    let (found, total) = memory.ask(cx.tx, at, Part::Members, |state| match &own {
        None => state.branches((Viewer::Everything, me), page, ROOM),
        Some(own) => {
            let places = state.places(&own.0);
            state.branches((Viewer::ClosedAnd(&places), me), page, ROOM)
        }
    })?;
    let mut ids = Vec::new();
    collect(&found, &mut ids);
    let rows = memory.teams(cx.tx, at, &ids, &lookup::BY_IDS)?;
    let rows: HashMap<i64, Arc<TeamRow>> = rows.into_iter().map(|row| (row.id, row)).collect();
    let shown = found.into_iter().filter_map(|branch| shown(&rows, branch, DESCRIBED));
    List::of(shown.collect::<Vec<_>>(), total)
}

/// The teams of these branches.
fn collect(branches: &[memory::Branch], ids: &mut Vec<i64>) {
    for branch in branches {
        ids.push(branch.team);
        collect(&branch.below, ids);
    }
}

/// The record of a branch, with at most this much of its description.
fn shown(rows: &HashMap<i64, Arc<TeamRow>>, branch: memory::Branch, described: usize) -> Option<Branch> {
    let row = rows.get(&branch.team)?;
    let description = row.description.as_deref().map(|text| text.chars().take(described).collect());
    Some(Branch {
        name: row.name.clone(),
        slug: row.slug.clone(),
        description: description.filter(|text: &String| !text.is_empty()),
        secret: row.is_secret(),
        people: branch.people,
        children: branch.children,
        role: branch.leads.map(|leads| if leads { "maintainer" } else { "member" }.to_owned()),
        below: branch.below.into_iter().filter_map(|below| shown(rows, below, 0)).collect(),
    })
}

/// The caller's teams in one organization.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct OwnBranches {
    /// Login of the organization.
    pub organization: String,
    /// The teams of the first level.
    pub teams: Vec<Branch>,
}

row! {
    /// A team of the caller, or one above it.
    struct Own from "t" {
        id: i64,
        org_id: i64,
        organization: String = "o.login",
        name: String,
        slug: String,
        secret: bool = "t.privacy = 'secret'",
        parent_id: Option<i64>,
        role: Option<String> = "m.role",
    }
}

/// List the caller's teams and those above them as trees, one for each organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfCaller {}

/// Lists the caller's teams of a page. The number of items is that of teams.
pub fn of_caller(cx: &mut Cx, me: Granted<Me>, _: OfCaller) -> Result<List<OwnBranches>> {
    let teams: Vec<Own> = cx.tx.all(OWN, &[&me.id, &cx.page.sql().0])?;
    let total = teams.len() as u64;
    let mut trees = Vec::new();
    for teams in teams.chunk_by(|one, next| one.org_id == next.org_id) {
        let Some(Own { org_id, organization, .. }) = teams.first() else { continue };
        let at = (*org_id, journal::version(cx.tx, *org_id)?);
        let count = |state: &mut OrgState| -> Vec<u64> {
            let people = |team: &Own| state.members_page(team.id, RoleFilter::All, Reach::All, 0, 0).total;
            teams.iter().map(people).collect()
        };
        let people = cx.site.organizations.ask(cx.tx, at, Part::Members, count)?;
        let counted: Vec<(&Own, u64)> = teams.iter().zip(people).collect();
        let tops = counted.iter().filter(|(team, _)| level(teams, team).is_multiple_of(OWN_LEVELS));
        let teams = tops.map(|top| own_branch(&counted, *top, OWN_LEVELS)).collect();
        trees.push(OwnBranches { organization: organization.clone(), teams });
    }
    List::of(trees, total)
}

/// The number of these teams above this one.
fn level(teams: &[Own], team: &Own) -> usize {
    let above = |team: &&Own| teams.iter().find(|other| Some(other.id) == team.parent_id);
    std::iter::successors(Some(team), above).skip(1).count()
}

/// A team with this many levels at most, its own among them.
fn own_branch(all: &[(&Own, u64)], (team, people): (&Own, u64), levels: usize) -> Branch {
    let below = all.iter().filter(|(other, _)| other.parent_id == Some(team.id));
    let children = below.clone().count() as u64;
    let below: Vec<Branch> = below.filter(|_| levels > 1).map(|child| own_branch(all, *child, levels - 1)).collect();
    Branch {
        name: team.name.clone(),
        slug: team.slug.clone(),
        description: None,
        secret: team.secret,
        people,
        children,
        role: team.role.clone(),
        below,
    }
}

const OWN: &str = select!(Own from
    "teams t JOIN orgs o ON o.id = t.org_id LEFT JOIN team_members m ON m.team_id = t.id AND m.user_id = $1
     WHERE t.id IN (SELECT x.ancestor_id FROM team_members mine JOIN team_tree x ON x.descendant_id = mine.team_id
                    WHERE mine.user_id = $1) AND ",
    is_seen!(), " ORDER BY t.org_id, t.name_key, t.id LIMIT $2");
