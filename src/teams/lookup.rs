//! Looks up the row of a team and its counts: in what lists have read of the organization, or with a statement
//! (docs/decisions/0023).

use std::sync::Arc;

use super::roles::TeamRole;
use crate::db::{Bind, ByIds, Cacheable, MadeOf, Tx, row, select, word_or_none};
use crate::error::{Error, Result};
use crate::journal;
use crate::members::{counts, synced};
use crate::memory::OrgState;
use crate::operation::Cx;
use crate::orgs::org::ROLES;
use crate::orgs::org_ref::{self, OrgRef};
use crate::rows::{PARENT, TeamCounts, TeamRow};

macro_rules! team_where {
    ($where:literal) => {
        select!(TeamRow from "teams t WHERE ", $where)
    };
}

const BY_SLUG: &str = team_where!("t.org_id = $1 AND t.slug = $2");
const BY_ID: &str = team_where!("t.id = $1");
/// Teams by identifier.
pub(super) static BY_IDS: ByIds = ByIds::new(team_where!("t.id IN ({ids})"));

const COUNTS: &str = "SELECT members, repos FROM team_counts WHERE team_id = $1";

/// The name of a team in a path.
pub(super) enum Name<'a> {
    Id(i64),
    OrgIdAndSlug(i64, &'a str),
    Slug(&'a str, &'a str),
}

/// The team of an organization with this slug; 404 if there is none.
pub(super) fn by_slug(cx: &mut Cx, org: i64, slug: &str) -> Result<Arc<TeamRow>> {
    known_or(
        cx,
        org,
        |state| state.rows.team_by_slug(slug),
        insert,
        |tx| {
            let key = [&org.to_be_bytes(), slug.as_bytes()].concat();
            tx.found(&key, |tx| tx.maybe(BY_SLUG, &[&org, &slug])?.ok_or(Error::NotFound))
        },
    )
}

/// The team with this identifier; 404 if there is none.
pub(super) fn by_id(tx: &mut Tx, id: i64) -> Result<Arc<TeamRow>> {
    tx.found(&by_id_key(id), |tx| tx.maybe(BY_ID, &[&id])?.ok_or(Error::NotFound))
}

/// No organization has the identifier 0.
fn by_id_key(id: i64) -> Vec<u8> {
    [[0; 8], id.to_be_bytes()].concat()
}

row! {
    /// A team as the caller sees it: its row and its parent's, the organization's login, and the caller's role in each.
    /// Each role is a subquery and not a join, so that it is looked up by its key whatever the table statistics say.
    pub(super) struct Found from "t" {
        pub row: TeamRow = TeamRow::COLUMNS,
        pub login: String = "(SELECT o.login FROM orgs o WHERE o.id = t.org_id)",
        pub org_role: Option<&'static str> =
            "(SELECT om.role FROM org_members om WHERE om.org_id = t.org_id AND om.user_id = $1)" => word_or_none(&ROLES),
        pub team_role: Option<&'static str> =
            "(SELECT tm.role FROM team_members tm WHERE tm.team_id = t.id AND tm.user_id = $1)" => word_or_none(&TeamRole::WORDS),
        /// True if its members are synced from groups of an identity provider.
        pub is_synced: bool = "EXISTS (SELECT 1 FROM team_groups g WHERE g.team_id = t.id)",
        pub counts: TeamCounts = TeamCounts::COLUMNS,
        pub parent: Option<TeamRow> = PARENT,
    }
}

macro_rules! found {
    ($where:literal) => {
        const_str::concat!(
            "SELECT ",
            Found::COLUMNS,
            ", CAST(pg_current_snapshot() AS TEXT)",
            " FROM teams t LEFT JOIN teams p ON p.id = t.parent_id WHERE ",
            $where
        )
    };
}

/// Reads the team in one statement, for PostgreSQL, where each statement is a round trip.
pub(super) fn at_once(tx: &mut Tx, name: &Name, caller: i64) -> Result<Option<Found>> {
    let (sql, params) = at_once_by(name, caller);
    let params: Vec<&dyn Bind> = params.iter().map(|value| -> &dyn Bind { &**value }).collect();
    let found = tx.maybe_alone::<Found>(sql, &params)?;
    if let Some(found) = &found {
        let org = OrgRef { id: found.row.org_id, login: found.login.clone() };
        match name {
            Name::Slug(login, _) => org_ref::know(tx, login, org),
            Name::Id(id) => tx.insert(MadeOf::Found, &by_id_key(*id), &Arc::new(found.row.clone())),
            Name::OrgIdAndSlug(..) => {}
        }
        synced::know(tx, found.row.id, found.is_synced)?;
        let counts = Arc::new(Counts(found.counts));
        tx.insert(MadeOf::Org(found.row.org_id), &found.row.id.to_be_bytes(), &counts);
        if let Some(parent) = &found.parent {
            tx.insert(MadeOf::Found, &by_id_key(parent.id), &Arc::new(parent.clone()));
        }
    }
    Ok(found)
}

/// Asks for the same ahead, and for what leads to the organization.
pub(super) fn ask_ahead(tx: &mut Tx, name: &Name, caller: i64) {
    match name {
        Name::Id(id) => tx.ahead(BY_ID, vec![Box::new(*id)]),
        Name::OrgIdAndSlug(..) => {}
        Name::Slug(org, _) => org_ref::ask_ahead(tx, org),
    }
    let (sql, params) = at_once_by(name, caller);
    tx.ahead(sql, params);
}

fn at_once_by(name: &Name, caller: i64) -> (&'static str, Vec<Box<dyn Bind + Send>>) {
    let caller = Box::new(caller);
    match name {
        Name::Id(id) => (found!("t.id = $2"), vec![caller, Box::new(*id)]),
        Name::OrgIdAndSlug(org, slug) => {
            (found!("t.org_id = $2 AND t.slug = $3"), vec![caller, Box::new(*org), Box::new((*slug).to_owned())])
        }
        Name::Slug(org, slug) => (
            found!(
                "t.slug = $3 AND t.org_id = (SELECT l.org_id FROM logins l WHERE l.login_key = $2 AND l.current = TRUE)"
            ),
            vec![caller, Box::new((*org).to_owned()), Box::new((*slug).to_owned())],
        ),
    }
}

/// The counts of a team in a snapshot.
struct Counts(TeamCounts);

impl Cacheable for Counts {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

/// The values that the full record of a team shows in addition to its row: its counts, and its parent if it has one.
pub(super) fn counts_and_parent(cx: &mut Cx, team: &TeamRow) -> Result<(TeamCounts, Option<Arc<TeamRow>>)> {
    let (id, parent) = (team.id, team.parent_id);
    let know = |state: &mut OrgState| {
        let counts = state.rows.counts(id)?;
        let Some(parent) = parent else { return Some((counts, None)) };
        state.rows.team(parent).map(|parent| (counts, Some(parent)))
    };
    let insert = |state: &mut OrgState, (counts, parent): &(TeamCounts, Option<Arc<TeamRow>>)| {
        state.rows.insert_counts(id, *counts);
        if let Some(parent) = parent {
            state.rows.insert_team(parent);
        }
    };
    counts::settle(cx.tx)?;
    known_or(cx, team.org_id, know, insert, |tx| {
        let known = if tx.is_remote() { tx.get_cached::<Counts>(&id.to_be_bytes()) } else { None };
        let counts = known.map_or_else(|| tx.one(COUNTS, &[&id]), |known| Ok(known.0))?;
        Ok((counts, parent.map(|parent| by_id(tx, parent)).transpose()?))
    })
}

fn insert(state: &mut OrgState, team: &Arc<TeamRow>) {
    state.rows.insert_team(team);
}

/// Returns what organization memory already has. Otherwise reads it and inserts it there.
fn known_or<R>(
    cx: &mut Cx,
    org: i64,
    know: impl FnOnce(&mut OrgState) -> Option<R>,
    insert: impl FnOnce(&mut OrgState, &R),
    read: impl FnOnce(&mut Tx) -> Result<R>,
) -> Result<R> {
    let memory = &cx.site.organizations;
    // On PostgreSQL, reading the version costs as much as reading the row.
    if cx.tx.writes() || cx.tx.is_remote() {
        return read(cx.tx);
    }
    let at = (org, journal::version(cx.tx, org)?);
    if let Some(known) = memory.known(cx.tx, at, know)? {
        return Ok(known);
    }
    let found = read(cx.tx)?;
    memory.known(cx.tx, at, |state| {
        insert(state, &found);
        Some(())
    })?;
    Ok(found)
}
