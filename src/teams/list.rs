//! Lists of teams: of an organization, below a team, and of the caller.
//!
//! Implements decisions 3, 17, 18, 38 and 63. The lists contain only what the caller sees. They are sorted by name; the
//! caller's own teams are sorted by id.

use std::collections::BTreeSet;

use super::record::{Origin, TeamFull, TeamShort, UserTeam};
use super::team::SeenTeam;
use super::text;
use super::visible::{Seen, is_seen, seen};
use crate::db::{Cacheable, MadeOf, Tx, row};
use crate::error::{Error, Result};
use crate::journal;
use crate::memory::{OrgState, Part, Place, Viewer};
use crate::operation::{Cx, List, let_in};
use crate::orgs::org::Org;
use crate::orgs::record;
use crate::people::me::Me;
use crate::policy::Granted;
use crate::rows::{PARENT, TeamCounts, TeamRow};
use schemars::JsonSchema;
use serde::Deserialize;

/// List the teams of an organization that the caller can see, by name.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfOrg {}

/// Lists the teams of an organization that the caller can see, by name.
pub fn of_org(cx: &mut Cx, org: Granted<Org>, _: OfOrg) -> Result<List<TeamShort>> {
    let (memory, at) = (&cx.site.organizations, (org.id, org.version));
    let places;
    let viewer = match seen(cx, org.id, org.my_role)? {
        Seen::Everything => Viewer::Everything,
        Seen::ClosedAnd(own) => {
            let key = [org.id.to_be_bytes(), cx.my_id().to_be_bytes()].concat();
            let find = |tx: &mut Tx| memory.ask(tx, at, Part::Teams, |state| Places(state.places(&own.0)));
            places = cx.tx.cached_of(MadeOf::Org(org.id), &key, find)?;
            Viewer::ClosedAnd(&places.0)
        }
        Seen::Nothing => return Ok(List::default()),
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
pub fn children(cx: &mut Cx, team: SeenTeam, _: Children) -> Result<List<TeamShort>> {
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
) -> Result<List<TeamShort>> {
    let (ids, total) = page;
    Ok(List::written(text::list(cx, (org, login), version, &ids)?, total))
}

/// List the teams that the caller is a direct, active member of, in all organizations, by ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfCaller {
    /// True to list the teams above them too, as far as the caller sees them. Each team then has `inherited`.
    /// Default: what the token says, which is `false` unless it was created with `effective_teams`.
    pub effective: Option<bool>,
}

/// Lists the teams of which the caller is a direct active member, in all organizations, by id, and if asked for also
/// the teams above them.
pub fn of_caller(cx: &mut Cx, me: Granted<Me>, p: OfCaller) -> Result<List<UserTeam>> {
    let marked = cx.caller.token.as_ref().is_some_and(|token| token.effective_teams);
    let effective = p.effective.unwrap_or(marked);
    let (count, page) = if effective { (EFFECTIVE_COUNT, EFFECTIVE) } else { (OWN_COUNT, OWN) };
    let application = cx.caller.application();
    let total: i64 = cx.tx.one(count, &[&me.id, &application])?;
    let (limit, offset) = cx.page.sql();
    let teams: Vec<Listed> = cx.tx.all(page, &[&me.id, &application, &limit, &offset])?;
    let orgs: BTreeSet<i64> = teams.iter().map(|team| team.row.org_id).collect();
    let orgs = record::profiles(cx.tx, &Vec::from_iter(orgs))?;
    let items = teams.into_iter().map(|Listed { row, inherited, counts, parent }| {
        let org = orgs.iter().find(|org| org.id == row.org_id).cloned().ok_or(Error::NotFound)?;
        let team = TeamFull::new(cx.links, org, row, counts, parent);
        Ok(UserTeam { team, origin: effective.then_some(Origin { inherited }) })
    });
    List::of(items.collect::<Result<Vec<_>>>()?, total)
}

row! {
    /// A team of the caller, with what its full record shows besides its organization. The parent is `p`.
    struct Listed {
        row: TeamRow,
        counts: TeamCounts,
        /// True if the caller is only in a team below it.
        inherited: bool,
        parent: Option<TeamRow>,
    }
}

/// The columns of [`Listed`].
macro_rules! listed {
    ($inherited:literal) => {
        const_str::concat!(TeamRow::COLUMNS, ", ", TeamCounts::COLUMNS, ", ", $inherited, ", ", PARENT)
    };
}

/// True for the caller's teams `m`, in organizations that let their application in.
macro_rules! is_own {
    () => {
        concat!(
            "m.user_id = $1 AND (CAST($2 AS BIGINT) IS NULL OR EXISTS
                (SELECT 1 FROM teams own WHERE own.id = m.team_id AND ",
            let_in!("own.org_id", "$2"),
            "))"
        )
    };
}

const OWN_COUNT: &str = concat!("SELECT count(*) FROM team_members m WHERE ", is_own!());

const OWN: &str = const_str::concat!(
    "SELECT ",
    listed!("FALSE"),
    " FROM team_members m JOIN teams t ON t.id = m.team_id LEFT JOIN teams p ON p.id = t.parent_id
    WHERE ",
    is_own!(),
    " ORDER BY m.team_id LIMIT $3 OFFSET $4"
);

/// True for the caller's teams and those above them that they see.
macro_rules! is_effective {
    () => {
        concat!(
            "t.id IN (SELECT tree.ancestor_id FROM team_members m
                JOIN team_tree tree ON tree.descendant_id = m.team_id WHERE m.user_id = $1) AND ",
            is_seen!(),
            " AND ",
            let_in!("t.org_id", "$2")
        )
    };
}

const EFFECTIVE_COUNT: &str = concat!("SELECT count(*) FROM teams t WHERE ", is_effective!());

const EFFECTIVE: &str = const_str::concat!(
    "SELECT ",
    listed!("NOT EXISTS (SELECT 1 FROM team_members own WHERE own.team_id = t.id AND own.user_id = $1)"),
    " FROM teams t LEFT JOIN teams p ON p.id = t.parent_id WHERE ",
    is_effective!(),
    " ORDER BY t.id LIMIT $3 OFFSET $4"
);
