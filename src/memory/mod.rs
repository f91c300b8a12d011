//! Organization memory: what is expensive to compute from the rows of an organization, for every reader of the process.
//! It is fresh if it has the newest entry of the organization's journal (docs/decisions/0023).
//!
//! [`merged`] has the tree of teams with their merged members. [`directory`] has the lists of teams, the people of the
//! organization, and the rows that lists show. User IDs come from our own sequence and fit in 32 bits. A person whose
//! ID does not fit is ignored and never listed.

mod branches;
mod directory;
mod merged;
mod origin;
mod places;
mod slots;

use std::sync::Arc;

pub use branches::{Branch, Room};
pub use directory::{People, Place, Rows, Viewer};
pub use merged::{MemberEntry, MemberPage, Reach, RoleFilter};
pub use places::{Sequence, TeamFilter, TeamPlace, Teams, Users};

use crate::db::{ByIds, FromRow, Origin, Row, Tx, by_ids, select};
use crate::error::{Error, Result};
use crate::rows::{Fold, Folded, PersonRow, TeamCounts, TeamRow};
use directory::{Key, Roster, TeamList, number, page};
use merged::Tree;
use slots::{Slot, Slots};

/// A state that is this many entries behind is loaded again.
const BEHIND: i64 = 10_000;

/// A part of an organization's state. It is loaded when it is needed, because listing teams should not wait for half a
/// million memberships, nor keep them in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The teams and their order.
    Teams,
    /// The people of the organization.
    People,
    /// The members of the teams. This needs both other parts.
    Members,
}

/// The state of one organization at one version, or the parts of it that were needed.
#[derive(Debug, Default)]
pub struct OrgState {
    version: i64,
    /// The origin of the snapshots that it was made of.
    origin: Origin,
    /// The hash of its newest entry, if the origin can change.
    hash: Vec<u8>,
    learnt: [bool; 3],
    tree: Tree,
    all: TeamList,
    closed: TeamList,
    people: Roster,
    /// The cached rows.
    pub rows: Rows,
}

impl OrgState {
    /// An organization of which nothing is loaded.
    #[must_use]
    pub fn unknown(version: i64) -> Self {
        Self { version, ..Self::default() }
    }

    /// True if this part is loaded.
    #[must_use]
    pub fn knows(&self, part: Part) -> bool {
        self.learnt[part as usize]
    }

    /// Marks a part as loaded. All of its rows are applied next, each as a change. Rows in the order of their list are
    /// appended to it, which is several times as fast.
    pub fn learn(&mut self, part: Part) {
        self.learnt[part as usize] = true;
    }

    /// Applies one change. A part that is not loaded ignores it and reads it later. Applying a change twice is
    /// harmless.
    pub fn apply(&mut self, change: Fold) {
        match change {
            Fold::Member { team, user, maintainer } => {
                self.rows.counts.remove(&team);
                if let Some(user) = number(user).filter(|_| self.knows(Part::Members)) {
                    self.tree.put_member(team, user, maintainer);
                }
            }
            Fold::MemberGone { team, user } => {
                self.rows.counts.remove(&team);
                if let Some(user) = number(user).filter(|_| self.knows(Part::Members)) {
                    self.tree.remove_member(team, user);
                }
            }
            Fold::Team { team, parent, name_key, secret } => {
                self.rows.teams.remove(&team);
                if self.knows(Part::Teams) {
                    self.put_team(Key { name: Arc::from(name_key), id: team }, parent, secret);
                }
            }
            Fold::Grants { team } => self.rows.counts.remove(&team),
            Fold::TeamGone { team } => {
                self.rows.teams.remove(&team);
                self.rows.counts.remove(&team);
                self.unlist(team);
                self.tree.remove_team(team);
            }
            Fold::Person { user, owner, public } => {
                self.rows.people.remove(&user);
                if let Some(user) = number(user).filter(|_| self.knows(Part::People)) {
                    self.people.put(user, owner, public);
                }
            }
            Fold::PersonGone { user } => {
                self.rows.people.remove(&user);
                // The counts of every team that they were in.
                self.rows.counts.clear();
                if let Some(user) = number(user) {
                    self.people.remove(user);
                    self.tree.remove_person(user);
                }
            }
        }
    }

    fn put_team(&mut self, key: Key, parent: Option<i64>, secret: bool) {
        self.unlist(key.id);
        self.all.insert(&key);
        if !secret {
            self.closed.insert(&key);
        }
        self.tree.put_team(key, parent, secret);
    }

    fn unlist(&mut self, team: i64) {
        if let Some(team) = self.tree.team(team) {
            self.all.remove(&team.key);
            self.closed.remove(&team.key);
        }
    }

    /// One page of the team's members. A team that is not loaded has none.
    pub fn members_page(&mut self, team: i64, filter: RoleFilter, reach: Reach, offset: u64, limit: u64) -> MemberPage {
        self.tree.members(team, self.people.list(People::Owners), (filter, reach), (offset, limit))
    }

    /// One page of the teams that the viewer sees, and their exact number.
    #[must_use]
    pub fn teams_page(&self, viewer: Viewer<'_>, offset: u64, limit: u64) -> (Vec<i64>, u64) {
        match viewer {
            Viewer::Everything => self.all.page(&[], offset, limit),
            Viewer::ClosedAnd(own) => self.closed.page(own, offset, limit),
        }
    }

    /// The positions of the secret ones among these teams, in the list of a person who is in them.
    #[must_use]
    pub fn places(&self, own: &[i64]) -> Vec<Place> {
        let teams = own.iter().filter_map(|id| self.tree.team(*id));
        let mut secret: Vec<&Key> = teams.filter(|team| team.secret).map(|team| &team.key).collect();
        secret.sort_unstable();
        secret.dedup();
        self.closed.places(&secret)
    }

    /// One page of the team's children, and their exact number.
    #[must_use]
    pub fn children_page(&self, team: i64, offset: u64, limit: u64) -> (Vec<i64>, u64) {
        self.tree.children(team).map(|children| children.page(&[], offset, limit)).unwrap_or_default()
    }

    /// One page of the organization's people by user ID, and their exact number.
    #[must_use]
    pub fn people_page(&self, which: People, offset: u64, limit: u64) -> (Vec<i64>, u64) {
        let people = self.people.list(which);
        (page(people, offset, limit).map(i64::from).collect(), people.len())
    }
}

/// The ID of an organization, and its version in the transaction's snapshot.
pub type At = (i64, i64);

/// The organizations in memory. Only reads may use them: a write sees a version that is not committed yet, and another
/// change may get the same number.
#[derive(Default)]
pub struct Organizations(Slots);

impl Organizations {
    /// Runs a function on the state of an organization, after loading this part if necessary.
    pub fn ask<R>(&self, tx: &mut Tx, at: At, part: Part, ask: impl FnOnce(&mut OrgState) -> R) -> Result<R> {
        let asked = current(&self.0.slot(at), tx, at, |state, tx| {
            if !state.knows(part) {
                // The state is taken out until it is complete, so that an interrupted read leaves nothing half loaded.
                let mut whole = std::mem::replace(state, OrgState::unknown(at.1));
                load(tx, at.0, &mut whole, part)?;
                whole.hash = if tx.is_remote() { origin::hash(tx, at)? } else { Vec::new() };
                *state = whole;
            }
            Ok(ask(state))
        })?;
        asked.ok_or_else(|| tx.run_again())
    }

    /// Runs a function on what is loaded of an organization. Returns none if it is not in memory or newer than the
    /// snapshot.
    pub fn known<R>(&self, tx: &mut Tx, at: At, ask: impl FnOnce(&mut OrgState) -> Option<R>) -> Result<Option<R>> {
        let Some(slot) = self.0.held(at.0) else { return Ok(None) };
        Ok(current(&slot, tx, at, |state, _| Ok(ask(state)))?.flatten())
    }

    /// The rows of these teams, in this order. Rows that are not cached are read by the statement.
    pub fn teams(&self, tx: &mut Tx, at: At, ids: &[i64], read: &'static ByIds) -> Result<Vec<Arc<TeamRow>>> {
        self.rows(tx, at, ids, read, Rows::team, Rows::insert_team)
    }

    /// The rows of these people, in this order. Rows that are not cached are read by the statement.
    pub fn people(&self, tx: &mut Tx, at: At, ids: &[i64], read: &'static ByIds) -> Result<Vec<Arc<PersonRow>>> {
        self.rows(tx, at, ids, read, Rows::person, Rows::insert_person)
    }

    fn rows<T: FromRow>(
        &self,
        tx: &mut Tx,
        at: At,
        ids: &[i64],
        read: &'static ByIds,
        get: impl Fn(&mut Rows, i64) -> Option<Arc<T>>,
        insert: impl Fn(&mut Rows, &Arc<T>) -> i64,
    ) -> Result<Vec<Arc<T>>> {
        let rows = current(&self.0.slot(at), tx, at, |state, tx| {
            let mut rows: Vec<Option<Arc<T>>> = ids.iter().map(|id| get(&mut state.rows, *id)).collect();
            let missing: Vec<i64> = ids.iter().zip(&rows).filter(|(_, row)| row.is_none()).map(|(id, _)| *id).collect();
            for row in by_ids(tx, read, &missing)? {
                let row = Arc::new(row);
                let id = insert(&mut state.rows, &row);
                if let Some(place) = ids.iter().position(|asked| *asked == id) {
                    rows[place] = Some(row);
                }
            }
            Ok(rows.into_iter().flatten().collect())
        })?;
        rows.ok_or_else(|| tx.run_again())
    }
}

/// Brings a state to this version and runs a function on it, or clears it if that is impossible. Returns none if it is
/// newer.
fn current<R>(
    slot: &Slot,
    tx: &mut Tx,
    (org, version): At,
    work: impl FnOnce(&mut OrgState, &mut Tx) -> Result<R>,
) -> Result<Option<R>> {
    if tx.writes() {
        return Err(Error::Bug("organization memory was asked within a write".into()));
    }
    let mut state = slot.lock(tx)?;
    let found = tx.origin()?;
    if state.origin != found && !origin::has_entry(tx, (org, state.version), &state.hash)? {
        *state = OrgState::unknown(version);
    }
    if state.version > version {
        return Ok(None);
    }
    if state.version < version && !catch_up(tx, org, &mut state, version)? {
        *state = OrgState::unknown(version);
    }
    state.origin = found;
    work(&mut state, tx).map(Some)
}

/// Folds the newer entries in order. Returns false if that is impossible: entries are missing or trimmed, or one
/// demands a reload.
fn catch_up(tx: &mut Tx, org: i64, state: &mut OrgState, version: i64) -> Result<bool> {
    if version - state.version > BEHIND {
        return Ok(false);
    }
    let (mut logged, mut hash): (Vec<(i64, Folded)>, Vec<u8>) = Default::default();
    tx.each(LOGGED, &[&org, &state.version, &version], |row| {
        logged.push(row.read()?);
        hash = row.read()?;
        Ok(())
    })?;
    let complete = (state.version + 1..=version).eq(logged.iter().map(|(entry, _)| *entry));
    if !complete || logged.iter().any(|(_, folded)| folded.is_reload()) {
        return Ok(false);
    }
    for (_, folded) in logged {
        folded.fold()?.into_iter().for_each(|change| state.apply(change));
    }
    (state.version, state.hash) = (version, hash);
    Ok(true)
}

const LOGGED: &str = const_str::concat!(
    "SELECT j.entry, ",
    Folded::COLUMNS,
    ", j.hash FROM journal j WHERE j.org_id = $1 AND j.entry > $2 AND j.entry <= $3 ORDER BY j.entry"
);

/// Loads a part after the parts that it needs.
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
        Part::People => (PEOPLE, |row| row.read().map(|(user, owner, public)| Fold::Person { user, owner, public })),
        Part::Members => {
            (MEMBERS, |row| row.read().map(|(team, user, maintainer)| Fold::Member { team, user, maintainer }))
        }
    };
    tx.each(statement, &[&org], |row| {
        state.apply(change(row)?);
        Ok(())
    })
}

const PEOPLE: &str = "
    SELECT user_id, role = 'admin', is_public FROM org_members
    WHERE org_id = $1 AND role <> 'billing_manager' ORDER BY user_id";

/// In any order, because sorting half a million rows would take longer than reading them.
const MEMBERS: &str = "
    SELECT m.team_id, m.user_id, m.role = 'maintainer'
    FROM teams t JOIN team_members m ON m.team_id = t.id
    WHERE t.org_id = $1";

/// Reads the teams with their complete rows, because a list of teams needs some of them next.
fn load_teams(tx: &mut Tx, org: i64, state: &mut OrgState) -> Result<()> {
    let teams = tx.one::<i64>("SELECT count(*) FROM teams WHERE org_id = $1", &[&org])?;
    // Without this, tables that grow step by step would waste the memory of the smaller ones.
    let teams = usize::try_from(teams).unwrap_or(0);
    state.rows.reserve(teams);
    state.tree.reserve(teams);
    state.all.reserve(teams);
    state.closed.reserve(teams);
    tx.each(TEAMS, &[&org], |row| {
        let (team, name_key): (TeamRow, String) = row.read()?;
        let (id, parent, secret) = (team.id, team.parent_id, team.is_secret());
        state.apply(Fold::Team { team: id, parent, name_key, secret });
        state.rows.insert_team(&Arc::new(team));
        if let (Some(members), Some(repos)) = row.read()? {
            state.rows.insert_counts(id, TeamCounts { members, repos });
        }
        Ok(())
    })
}

const TEAMS: &str = select!(TeamRow, "t.name_key, c.members, c.repos" from
    "teams t LEFT JOIN team_counts c ON c.team_id = t.id ", "WHERE t.org_id = $1 ORDER BY t.name_key, t.id");
