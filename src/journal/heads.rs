//! The heads of journals: the number and the hash of the newest entry. A transaction records only in journals whose
//! heads it has locked. Entries are collected, and appended at the end of the transaction.

use std::collections::{BTreeMap, BTreeSet};

use super::chain::{self, Entry};
use super::change::EventFacts;
use super::{SITE, cursors};
use crate::db::{AtCommit, Bind, Bulk, Cacheable, Lock, MadeOf, StatementList, Tx};
use crate::error::{Error, Result};

/// The locks and the records of the requests of one transaction.
#[derive(Default)]
struct Journals {
    /// The ends of the journals that this transaction has read, including the collected entries.
    ends: BTreeMap<i64, End>,
    /// The locks that this transaction holds, if the engine has locks.
    held: BTreeSet<Lock>,
    /// The locks that the current request has taken.
    taken: Vec<Lock>,
    /// The journals that the current request may record in.
    locked: BTreeSet<i64>,
    /// The journals that the current request has created.
    opened: Vec<i64>,
    recorded: Vec<Recorded>,
    /// The number of entries from earlier requests of the transaction.
    before: usize,
    /// Journals that a request found out late that it needs. The request runs again and locks them first.
    wanted: BTreeSet<i64>,
}

/// The number and the hash of the newest entry.
type End = (i64, Vec<u8>);

struct Recorded {
    entry: Entry,
    /// The previous hash.
    previous: Vec<u8>,
    event: Option<EventFacts>,
    /// True if it leaves what [`crate::db::Tx::found`] caches unchanged.
    light: bool,
}

impl AtCommit for Journals {
    fn restart(&mut self) {
        *self = Self { wanted: std::mem::take(&mut self.wanted), ..Self::default() };
    }

    fn begin(&mut self) {
        self.locked.clear();
        self.taken.clear();
        self.opened.clear();
        self.before = self.recorded.len();
    }

    fn undo(&mut self, rolled_back: bool) {
        for Recorded { entry, previous, .. } in self.recorded.drain(self.before..).rev() {
            self.ends.insert(entry.org, (entry.entry - 1, previous));
        }
        for org in self.opened.drain(..) {
            self.ends.remove(&org);
            self.held.remove(&Lock::Journal(org));
        }
        for lock in self.taken.drain(..).filter(|_| rolled_back) {
            self.held.remove(&lock);
        }
    }

    fn statements(&mut self, _: bool) -> StatementList<'_> {
        let entries: Vec<_> = self.recorded.iter().map(|recorded| chain::columns(&recorded.entry)).collect();
        let (always, heard) = (self.facts(true), self.facts(false));
        let orgs: BTreeSet<i64> = self.recorded.iter().map(|recorded| recorded.entry.org).collect();
        let moved = self.ends.iter().filter(|(org, _)| orgs.contains(org));
        let moved: Vec<[&dyn Bind; 3]> =
            moved.map(|(org, (entry, hash))| -> [&dyn Bind; 3] { [org, entry, hash] }).collect();
        let mut statements = chain::APPEND.statements(&entries);
        statements.extend(FACTS.statements(&always));
        statements.extend(FACTS_IF_HEARD.statements(&heard));
        statements.extend(moved.iter().map(|moved| (MOVE, moved.to_vec())));
        statements
    }

    fn concerns(&self) -> Option<Vec<i64>> {
        let light = |recorded: &Recorded| recorded.light && recorded.entry.org != SITE;
        let orgs: BTreeSet<i64> = self.recorded.iter().map(|recorded| recorded.entry.org).collect();
        self.recorded.iter().all(light).then(|| orgs.into_iter().collect())
    }
}

impl Journals {
    /// The rows of the facts that are stored always, or of those that are stored only while a webhook listens.
    fn facts(&self, always: bool) -> Vec<[&dyn Bind; 4]> {
        let events = self.recorded.iter().filter_map(|recorded| Some((&recorded.entry, recorded.event.as_ref()?)));
        let wanted = events.filter(|(_, event)| event.wanted_always == always);
        wanted
            .map(|(entry, event)| -> [&dyn Bind; 4] { [&entry.org, &entry.entry, &event.name, &event.facts] })
            .collect()
    }
}

static FACTS: Bulk<4> = Bulk::new("INSERT INTO journal_facts (org_id, entry, event, facts) VALUES {rows}");

/// A webhook receives only the events after its creation, so nothing will ever read these facts unless one listens now.
/// The statement is newer than the locks of the transaction, so it sees every webhook whose creation was acknowledged.
/// The first row names the types.
static FACTS_IF_HEARD: Bulk<4> = Bulk::new(
    "WITH recorded (org_id, entry, event, facts) AS (VALUES (CAST(0 AS BIGINT), CAST(0 AS BIGINT), '', ''), {rows})
     INSERT INTO journal_facts (org_id, entry, event, facts)
     SELECT r.org_id, r.entry, r.event, r.facts FROM recorded r
     WHERE r.entry > 0 AND EXISTS
         (SELECT 1 FROM hooks h
          WHERE h.org_id IN (r.org_id, 0) AND h.active = TRUE AND h.deleted_at IS NULL)",
);

const MOVE: &str = "UPDATE journal_heads SET entry = $2, hash = $3 WHERE org_id = $1";

/// Takes locks in ascending order: advisory locks, then the heads of journals, the site's first. Everything read
/// afterwards is newer than the locks. In a shared transaction, some locks may already be taken. A request that needs
/// one that comes before those runs again in a transaction of its own. Transactions that lock in the same order never
/// deadlock.
pub fn lock(tx: &mut Tx, locks: &[Lock]) -> Result<()> {
    lock_and(tx, locks, |_| Ok(()))
}

/// Like [`lock`]. `ask` may send statements ahead. They are sent together with the last lock and run after it.
pub fn lock_and(tx: &mut Tx, locks: &[Lock], ask: impl FnOnce(&mut Tx) -> Result<()>) -> Result<()> {
    let remote = tx.is_remote();
    let journals = tx.at_commit::<Journals>()?;
    let wanted = journals.wanted.iter().map(|org| Lock::Journal(*org));
    let locks: BTreeSet<Lock> = wanted.chain(locks.iter().copied()).collect();
    journals.locked.extend(locks.iter().filter_map(|lock| lock.journal()));
    if !remote {
        return Ok(());
    }
    let missing: Vec<Lock> = locks.difference(&journals.held).copied().collect();
    if missing.first().is_some_and(|first| journals.held.last().is_some_and(|last| first < last)) {
        return Err(tx.run_again());
    }
    let Some((last, first)) = missing.split_last() else { return Ok(()) };
    first.iter().try_for_each(|lock| take(tx, *lock))?;
    ask(tx)?;
    take(tx, *last)
}

/// Takes a lock. What was found before may have changed while this transaction waited for it.
fn take(tx: &mut Tx, lock: Lock) -> Result<()> {
    match lock {
        Lock::Journal(org) => read_end(tx, LOCK, org)?,
        Lock::Schema | Lock::User(_) => tx.lock(lock)?,
        Lock::Creations(_) => {}
    }
    if !matches!(lock, Lock::Creations(_)) {
        tx.forget_found();
    }
    let journals = tx.at_commit::<Journals>()?;
    journals.held.insert(lock);
    journals.taken.push(lock);
    Ok(())
}

/// Lets an operation record in more journals if it finds out late that it needs them. On PostgreSQL the request runs
/// again and locks them together with the others, so that the order of locks stays the same.
pub fn widen(tx: &mut Tx, orgs: impl IntoIterator<Item = i64>) -> Result<()> {
    let remote = tx.is_remote();
    let journals = tx.at_commit::<Journals>()?;
    let missing: Vec<i64> = orgs.into_iter().filter(|org| !journals.locked.contains(org)).collect();
    let held = missing.iter().all(|org| journals.held.contains(&Lock::Journal(*org)));
    if remote && !held {
        journals.wanted.extend(missing);
        return Err(tx.run_again());
    }
    journals.locked.extend(missing);
    Ok(())
}

fn read_end(tx: &mut Tx, sql: &'static str, org: i64) -> Result<()> {
    if let Some((entry, hash)) = tx.maybe::<(i64, Option<Vec<u8>>)>(sql, &[&org])? {
        tx.at_commit::<Journals>()?.ends.insert(org, (entry, hash.unwrap_or_default()));
    }
    Ok(())
}

const READ: &str = "SELECT entry, hash FROM journal_heads WHERE org_id = $1";

/// A separate statement, because rows joined to it would be older than the lock.
const LOCK: &str = "SELECT entry, hash FROM journal_heads WHERE org_id = $1 FOR UPDATE";

/// Creates the journal of an organization that this transaction creates.
pub fn open(tx: &mut Tx, org: i64) -> Result<()> {
    tx.run("INSERT INTO journal_heads (org_id, entry, first_entry, trimmed) VALUES ($1, 0, 1, 0)", &[&org])?;
    cursors::follow_new(tx, org)?;
    let journals = tx.at_commit::<Journals>()?;
    journals.ends.insert(org, (0, Vec::new()));
    journals.locked.insert(org);
    journals.held.insert(Lock::Journal(org));
    journals.opened.push(org);
    Ok(())
}

/// The end of a locked journal.
pub(super) fn end(tx: &mut Tx, org: i64) -> Result<End> {
    let remote = tx.is_remote();
    let journals = tx.at_commit::<Journals>()?;
    if !journals.locked.contains(&org) {
        return Err(Error::Bug(format!("the journal {org} is recorded in and not locked")));
    }
    if !remote && !journals.ends.contains_key(&org) {
        read_end(tx, READ, org)?;
    }
    let end = tx.at_commit::<Journals>()?.ends.get(&org).cloned();
    end.ok_or_else(|| Error::Bug(format!("the journal {org} has no head")))
}

/// The number of the newest entry of a locked journal, with those that this transaction has recorded.
pub fn newest(tx: &mut Tx, org: i64) -> Result<i64> {
    end(tx, org).map(|(entry, _)| entry)
}

/// The journal and the number of the newest entry with an event that the current request has recorded.
pub(super) fn last_event(tx: &mut Tx) -> Result<Option<(i64, i64)>> {
    let journals = tx.at_commit::<Journals>()?;
    let mut recorded = journals.recorded[journals.before..].iter().rev();
    let last = recorded.find(|recorded| recorded.event.is_some());
    Ok(last.map(|recorded| (recorded.entry.org, recorded.entry.entry)))
}

/// Adds an entry after this end.
pub(super) fn collect(
    tx: &mut Tx,
    entry: Entry,
    previous: Vec<u8>,
    event: Option<EventFacts>,
    light: bool,
) -> Result<()> {
    let journals = tx.at_commit::<Journals>()?;
    journals.ends.insert(entry.org, (entry.entry, entry.hash.clone()));
    journals.recorded.push(Recorded { entry, previous, event, light });
    Ok(())
}

/// The version of an organization: the number of the newest committed entry.
pub fn version(tx: &mut Tx, org: i64) -> Result<i64> {
    let found = tx.cached_of(MadeOf::Org(org), &org.to_be_bytes(), |tx| {
        tx.one(VERSION, &[&org]).map(|(version,)| Version(version))
    })?;
    Ok(found.0)
}

const VERSION: &str = "SELECT entry FROM journal_heads WHERE org_id = $1";

struct Version(i64);

impl Cacheable for Version {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}
