//! The journal (docs/decisions/0022-one-journal.md): who may record in it, what is appended when others of a batch
//! fail, and when memory folds its entries or loads an organization again.

use std::sync::Arc;

use guildhall::clock::Time;
use guildhall::db::{Lock, Place, Tx};
use guildhall::error::{Error, Result};
use guildhall::journal::retention::{self, Cutoff};
use guildhall::journal::{self, Author, Change, chain};
use guildhall::memory::{Organizations, Part};
use guildhall::rows::Fold;

use crate::doors::{KEY, Store, join, people, version};

/// Records a change in the name of the program.
pub fn record(tx: &mut Tx, org: i64, change: Change) -> Result<()> {
    journal::lock(tx, &[Lock::Journal(org)])?;
    Author::program(&KEY, Time(0), "doors").record(tx, org, change)
}

/// Adds a user to the team and records nothing: loading the team shows them, folding entries does not.
fn slip_in(tx: &mut Tx, team: i64) -> Result<()> {
    let (user,): (i64,) =
        tx.run_one("INSERT INTO users (login, created_at, updated_at) VALUES ('unseen', 0, 0) RETURNING id", &[])?;
    tx.run("INSERT INTO team_members (team_id, user_id, role) VALUES ($1, $2, 'member')", &[&team, &user]).map(drop)
}

/// The number of people whom memory shows in the team.
fn shown(store: &Store, cache: &Arc<Organizations>, (org, team): (i64, i64)) -> usize {
    let cache = Arc::clone(cache);
    store.read(&store.db, move |tx| {
        let now = version(tx, org)?;
        cache.ask(tx, (org, now), Part::Members, |state| people(state, team).len())
    })
}

/// The number of people whom memory shows after a user was added without an entry and this was done.
fn shown_after(work: impl FnMut(&mut Tx<'_>, i64) -> Result<()> + Send + Clone + 'static) -> usize {
    let store = Store::new();
    let (org, team) = store.organization();
    let cache = Arc::new(Organizations::default());
    store.write(&store.db, move |tx| join(tx, org, team));
    assert_eq!(shown(&store, &cache, (org, team)), 1);
    let mut work = work;
    store.write(&store.db, move |tx| slip_in(tx, team).and_then(|()| work(tx, org)));
    shown(&store, &cache, (org, team))
}

#[test]
fn memory_folds_entries_and_skips_those_it_does_not_hold() {
    assert_eq!(shown_after(|tx, org| record(tx, org, Change::default())), 1, "nothing was loaded");
    assert_eq!(shown_after(move |tx, org| record(tx, org, Change::of_memory(&Fold::Grants { team: 1 }))), 1);
}

#[test]
fn memory_is_loaded_anew_when_an_entry_says_so_or_is_missing_or_too_far_back() {
    assert_eq!(shown_after(|tx, org| record(tx, org, Change::reload())), 2, "an entry says so");
    let behind = |tx: &mut Tx<'_>, org: i64| {
        tx.run("UPDATE journal_heads SET entry = entry + 10001 WHERE org_id = $1", &[&org]).map(drop)
    };
    assert_eq!(shown_after(behind), 2, "too many entries");
    let gap = |tx: &mut Tx<'_>, org: i64| {
        tx.run("UPDATE journal_heads SET entry = entry + 1 WHERE org_id = $1", &[&org]).map(drop)
    };
    assert_eq!(shown_after(gap), 2, "a missing entry");
}

#[test]
fn memory_is_loaded_anew_after_what_it_lacks_was_trimmed() {
    let store = Store::new();
    let (org, team) = store.organization();
    let cache = Arc::new(Organizations::default());
    assert_eq!(shown(&store, &cache, (org, team)), 0);
    for _ in 0..3 {
        store.write(&store.db, move |tx| join(tx, org, team));
    }
    let all = Cutoff { entries: Time(1), facts: Time(1) };
    store.write(&store.db, move |tx| retention::trim(tx, &KEY, org, all));
    let left = store.read(&store.db, move |tx| chain::entries(tx, org, 0, 10));
    assert_eq!(left.iter().map(|entry| entry.entry).collect::<Vec<_>>(), [3], "the newest stays");
    assert!(!store.read(&store.db, move |tx| retention::is_due(tx, org, all)));
    assert_eq!(shown(&store, &cache, (org, team)), 3);
    let found = store.runtime.block_on(guildhall::doctor::run(&store.db, &KEY)).expect("doctor can look").findings;
    assert!(!found.iter().any(|finding| finding.what.contains("journal")), "{found:?}");
    store.write(&store.db, |tx| tx.run("UPDATE journal_heads SET trimmed = 1, first_entry = 2 WHERE trimmed = 2", &[]));
    let found = store.runtime.block_on(guildhall::doctor::run(&store.db, &KEY)).expect("doctor can look").findings;
    assert!(found.iter().any(|finding| finding.what.contains("does not begin where it was trimmed")), "{found:?}");
}

#[test]
fn a_journal_that_is_not_locked_is_not_recorded_in() {
    let store = Store::new();
    let (org, _) = store.organization();
    let refused = |work: fn(&mut Tx<'_>, i64) -> Result<()>| {
        let refused = store.runtime.block_on(store.db.write(move |tx| work(tx, org)));
        assert!(
            matches!(&refused, Err(Error::Bug(text)) if text.contains("is recorded in and not locked")),
            "{refused:?}"
        );
    };
    refused(|tx, org| Author::program(&KEY, Time(0), "doors").record(tx, org, Change::default()));
    refused(|tx, org| {
        record(tx, org, Change::default())
            .and_then(|()| Author::program(&KEY, Time(0), "doors").record(tx, journal::SITE, Change::default()))
    });
    // What it finds out late it may record in too.
    store.write(&store.db, move |tx| {
        journal::lock(tx, &[Lock::Journal(org)])?;
        journal::widen(tx, [journal::SITE])?;
        Author::program(&KEY, Time(0), "doors").record(tx, journal::SITE, Change::default())
    });
    assert_eq!(store.read(&store.db, |tx| version(tx, journal::SITE)), 1);
}

/// Some of a batch fail after they have recorded, and some begin an organization and fail.
#[test]
fn what_a_failed_write_has_recorded_is_dropped_and_the_chain_stays_whole() {
    let store = Store::new();
    let (org, _) = store.organization();
    for _ in 0..10 {
        let write = |n: i64| {
            let db = store.db.clone();
            let write = move |tx: &mut Tx<'_>| {
                record(tx, org, Change::default())?;
                tx.run("UPDATE orgs SET updated_at = updated_at + 1 WHERE id = $1", &[&org])?;
                if n % 4 == 3 {
                    journal::open(tx, 1000 + n)?;
                    record(tx, 1000 + n, Change::default())?;
                    return Err(Error::NotFound);
                }
                Ok(())
            };
            let place = Some(Place { lane: 1, person: 0 });
            store.runtime.spawn(async move { db.write_in_lane(place, write).await })
        };
        let writes: Vec<_> = (0..16).map(write).collect();
        let done = writes.into_iter().map(|write| store.runtime.block_on(write).expect("no panic"));
        assert_eq!(done.flatten().count(), 12);
    }
    let (entries, head) = store.read(&store.db, move |tx| Ok((chain::entries(tx, org, 0, 1000)?, version(tx, org)?)));
    assert_eq!((entries.len(), head), (120, 120));
    let mut previous = Vec::new();
    for (entry, number) in entries.iter().zip(1..) {
        assert_eq!(entry.entry, number);
        assert_eq!(entry.hash, entry.sealed(&previous, &KEY).expect("a hash"));
        previous.clone_from(&entry.hash);
    }
    let heads: Vec<(i64,)> =
        store.read(&store.db, |tx| tx.all("SELECT org_id FROM journal_heads ORDER BY org_id", &[]));
    assert_eq!(heads, [(journal::SITE,), (org,)]);
}
