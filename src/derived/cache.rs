//! The derived states of all organizations: memory is a cache, the version in the database decides.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use foldhash::HashMap;

use super::{Counts, Fold, NOT_HELD, OrgState, Part, RELOAD, Shown, Stored, stored_columns};
use crate::db::{ByIds, FromRow, Row, Tx, by_ids};
use crate::error::{Error, Result};

/// How many organizations are kept in memory.
const KEPT: usize = 10_000;

type Shared = Arc<Mutex<Option<OrgState>>>;

/// How rows of a kind are kept with a state.
#[derive(Clone, Copy)]
pub struct Kind<T> {
    /// Its identifier.
    pub id: fn(&T) -> i64,
    /// The one that is kept.
    pub get: fn(&OrgState, i64) -> Option<Arc<T>>,
    /// Keeps one.
    pub keep: fn(&mut OrgState, Arc<T>),
}

/// Teams.
pub const TEAMS: Kind<Stored> = Kind { id: |row| row.brief.id, get: OrgState::team, keep: OrgState::keep_team };

/// People as lists show them.
pub const SHOWN: Kind<Shown> = Kind { id: |row| row.id, get: OrgState::shown, keep: OrgState::keep_shown };

/// The derived states that are in memory.
#[derive(Default)]
pub struct Cache(RwLock<HashMap<i64, Shared>>);

impl Cache {
    /// Asks a part of the state of an organization as it is in this transaction's snapshot, which has this version.
    ///
    /// Only a read may ask: another change could get the version that a write has made and not committed.
    pub fn ask<R>(
        &self,
        tx: &mut Tx,
        (org, version): (i64, i64),
        part: Part,
        ask: impl FnOnce(&mut OrgState) -> R,
    ) -> Result<R> {
        brought_to(&self.shared(org), tx, (org, version), |slot, tx| {
            if let Some(state) = slot.as_mut().filter(|state| state.knows(part)) {
                return Ok(ask(state));
            }
            // Taken out until it is whole again: a read that is cut off leaves nothing half loaded.
            let mut state = slot.take().unwrap_or_else(|| OrgState::unknown(version));
            load(tx, org, &mut state, part)?;
            Ok(ask(slot.insert(state)))
        })
    }

    /// The rows of these identifiers, in this order: those that are kept with the state, and the others read and then
    /// kept.
    pub fn rows<T: FromRow>(
        &self,
        tx: &mut Tx,
        at: (i64, i64),
        ids: &[i64],
        read: &'static ByIds,
        kind: Kind<T>,
    ) -> Result<Vec<Arc<T>>> {
        let shared = self.shared(at.0);
        let kept: Vec<Option<Arc<T>>> = brought_to(&shared, tx, at, |slot, _| {
            let state = slot.get_or_insert_with(|| OrgState::unknown(at.1));
            Ok(ids.iter().map(|id| (kind.get)(state, *id)).collect())
        })?;
        let missing: Vec<i64> = ids.iter().zip(&kept).filter(|(_, row)| row.is_none()).map(|(id, _)| *id).collect();
        if missing.is_empty() {
            return Ok(kept.into_iter().flatten().collect());
        }
        let new: Vec<Arc<T>> = by_ids(tx, read, &missing)?.into_iter().map(Arc::new).collect();
        let mut found: HashMap<i64, Arc<T>> = new.iter().map(|row| ((kind.id)(row), Arc::clone(row))).collect();
        brought_to(&shared, tx, at, |slot, _| {
            let state = slot.get_or_insert_with(|| OrgState::unknown(at.1));
            for row in new {
                (kind.keep)(state, row);
            }
            Ok(())
        })?;
        let all = ids.iter().zip(kept).filter_map(|(id, row)| row.or_else(|| found.remove(id)));
        Ok(all.collect())
    }

    /// What is known of an organization already, as it is at this version; nothing if it is not in memory, or newer.
    pub fn known<R>(
        &self,
        tx: &mut Tx,
        at: (i64, i64),
        ask: impl FnOnce(&mut OrgState) -> Option<R>,
    ) -> Result<Option<R>> {
        let Some(shared) = self.kept(at.0) else { return Ok(None) };
        match brought_to(&shared, tx, at, |slot, _| Ok(slot.as_mut().and_then(ask))) {
            Err(Error::Stale) => Ok(None),
            known => known,
        }
    }

    /// What is known of an organization as it was when somebody last read of it, for whoever asks again before it counts;
    /// nothing while somebody else is at it.
    pub fn glimpse<R>(&self, org: i64, ask: impl FnOnce(&mut OrgState) -> Option<R>) -> Option<R> {
        self.kept(org)?.try_lock().ok()?.as_mut().and_then(ask)
    }

    fn kept(&self, org: i64) -> Option<Shared> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&org).cloned()
    }

    fn shared(&self, org: i64) -> Shared {
        if let Some(shared) = self.kept(org) {
            return shared;
        }
        let mut orgs = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if orgs.len() >= KEPT {
            orgs.clear();
        }
        Arc::clone(orgs.entry(org).or_default())
    }
}

/// Does something with what is kept of an organization, brought to this version; with nothing if that cannot be.
fn brought_to<R>(
    shared: &Shared,
    tx: &mut Tx,
    (org, version): (i64, i64),
    work: impl FnOnce(&mut Option<OrgState>, &mut Tx) -> Result<R>,
) -> Result<R> {
    if tx.writes() {
        return Err(Error::Bug("the derived state was asked within a write".into()));
    }
    let mut slot = shared.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(state) = slot.as_mut().filter(|state| state.version() != version) {
        if state.version() > version {
            return Err(Error::Stale);
        }
        if !catch_up(tx, org, state, version)? {
            *slot = None;
        }
    }
    work(&mut slot, tx)
}

/// An entry of the journal, as far as a state folds it.
struct Logged {
    entry: i64,
    folded: Folded,
}

enum Folded {
    Change(Fold),
    Nothing,
    Everything,
}

impl FromRow for Logged {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let number = |index| row.get::<Option<i64>>(index).map(Option::unwrap_or_default);
        let flag = |index| row.get::<Option<bool>>(index).map(Option::unwrap_or_default);
        let kind: String = row.get(1)?;
        let (team, user) = (number(2)?, number(3)?);
        let change = match kind.as_str() {
            NOT_HELD => return Ok(Self { entry: row.get(0)?, folded: Folded::Nothing }),
            RELOAD => return Ok(Self { entry: row.get(0)?, folded: Folded::Everything }),
            "member" => Fold::Member { team, user, maintainer: flag(6)? },
            "member_gone" => Fold::MemberGone { team, user },
            "team" => {
                let name_key = row.get::<Option<String>>(5)?.unwrap_or_default();
                Fold::Team { team, parent: row.get(4)?, name_key, secret: flag(6)? }
            }
            "grants" => Fold::Grants { team },
            "team_gone" => Fold::TeamGone { team },
            "person" => Fold::Person { user, owner: flag(6)?, public: flag(7)? },
            "person_gone" => Fold::PersonGone { user },
            other => return Err(Error::Bug(format!("the journal has an entry of the unknown kind {other}"))),
        };
        Ok(Self { entry: row.get(0)?, folded: Folded::Change(change) })
    }
}

/// A state that is further behind than this is loaded anew.
const BEHIND: i64 = 10_000;

/// Folds what was recorded since, in order; false when that cannot be: entries are missing or trimmed, or say that
/// everything is to be loaded.
fn catch_up(tx: &mut Tx, org: i64, state: &mut OrgState, version: i64) -> Result<bool> {
    if version - state.version() > BEHIND {
        return Ok(false);
    }
    let logged: Vec<Logged> = tx.all(LOGGED, &[&org, &state.version(), &version])?;
    let complete = (state.version() + 1..=version).eq(logged.iter().map(|logged| logged.entry));
    if !complete || logged.iter().any(|logged| matches!(logged.folded, Folded::Everything)) {
        return Ok(false);
    }
    for Logged { folded, .. } in logged {
        if let Folded::Change(change) = folded {
            state.apply(change);
        }
    }
    state.set_version(version);
    Ok(true)
}

const LOGGED: &str = "
    SELECT entry, kind, team_id, user_id, parent_id, name_key, flag, other_flag
    FROM journal WHERE org_id = $1 AND entry > $2 AND entry <= $3 ORDER BY entry";

/// Reads a part, and first what it needs, straight into the state.
fn load(tx: &mut Tx, org: i64, state: &mut OrgState, part: Part) -> Result<()> {
    if state.knows(part) {
        return Ok(());
    }
    if part == Part::Members {
        load(tx, org, state, Part::Teams)?;
        load(tx, org, state, Part::People)?;
    }
    state.learn(part);
    let (statement, change): (_, fn(&Row<'_>) -> Result<Fold>) = match part {
        Part::Teams => return load_teams(tx, org, state),
        Part::People => (PEOPLE, |row| Ok(Fold::Person { user: row.get(0)?, owner: row.get(1)?, public: row.get(2)? })),
        Part::Members => {
            (MEMBERS, |row| Ok(Fold::Member { team: row.get(0)?, user: row.get(1)?, maintainer: row.get(2)? }))
        }
    };
    tx.each(statement, &[&org], |row| {
        state.apply(change(row)?);
        Ok(())
    })
}

/// The teams with their whole rows: whoever lists them asks for some of them next.
fn load_teams(tx: &mut Tx, org: i64, state: &mut OrgState) -> Result<()> {
    let (teams,) = tx.one::<(i64,)>(HOW_MANY, &[&org])?;
    state.make_room(usize::try_from(teams).unwrap_or(0));
    tx.each(ALL_TEAMS, &[&org], |row| {
        let stored = Stored::from_row(row)?;
        let (team, parent, secret) = (stored.brief.id, stored.brief.parent_id, stored.brief.is_secret());
        state.apply(Fold::Team { team, parent, name_key: row.get(11)?, secret });
        state.keep_team(Arc::new(stored));
        if let (Some(members), Some(repos)) = (row.get(12)?, row.get(13)?) {
            state.keep_counts(team, Counts { members, repos });
        }
        Ok(())
    })
}

const PEOPLE: &str = "
    SELECT user_id, role = 'admin', is_public FROM org_members
    WHERE org_id = $1 AND role <> 'billing_manager' ORDER BY user_id";

const HOW_MANY: &str = "SELECT count(*) FROM teams WHERE org_id = $1";

const ALL_TEAMS: &str = concat!(
    "SELECT ",
    stored_columns!(),
    ", t.name_key, c.members, c.repos FROM teams t LEFT JOIN team_counts c ON c.team_id = t.id ",
    "WHERE t.org_id = $1 ORDER BY t.name_key, t.id"
);

/// In whatever order they are found: sorting half a million rows would take longer than reading them.
const MEMBERS: &str = "
    SELECT m.team_id, m.user_id, m.role = 'maintainer'
    FROM teams t JOIN team_members m ON m.team_id = t.id
    WHERE t.org_id = $1";
