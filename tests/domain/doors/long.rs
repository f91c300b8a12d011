//! Long reads: who has turns, what makes a read a long one, and what the thread of a connection does not wait for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, mpsc};
use std::thread::ThreadId;

use guildhall::db::{Slot, Tx};
use guildhall::error::{Error, Result, Scarce};

use crate::doors::Store;
use crate::support::database::Database;
use crate::support::waiting;

/// More text than a connection to PostgreSQL loads without a turn.
const MUCH: usize = 5 << 20;

const TEXT: &str = "SELECT description FROM orgs WHERE id = $1";

fn describe(store: &Store, org: i64, length: usize) {
    let text = "a".repeat(length);
    store
        .write(&store.db, move |tx| tx.run("UPDATE orgs SET description = $2 WHERE id = $1", &[&org, &text]).map(drop));
}

/// The length of the description.
fn load(tx: &mut Tx<'_>, org: i64) -> Result<usize> {
    tx.one::<(String,)>(TEXT, &[&org]).map(|(text,)| text.len())
}

#[test]
fn requests_that_use_up_the_turns_of_long_reads_leave_deliveries_theirs() {
    let store = Store::new();
    let (org, _) = store.organization();
    describe(&store, org, MUCH);
    let db = store.db.clone().for_requests();
    let turns = if Database::is_postgres() { 1 } else { 4 };
    let (begun, end) = (Arc::<AtomicUsize>::default(), Arc::new(Barrier::new(turns + 1)));
    let long: Vec<_> = (0..turns)
        .map(|_| {
            let (db, begun, end) = (db.clone(), Arc::clone(&begun), Arc::clone(&end));
            store.runtime.spawn(async move {
                let work = move |tx: &mut Tx<'_>| {
                    let length = load(tx, org)?;
                    begun.fetch_add(1, Ordering::SeqCst);
                    end.wait();
                    Ok(length)
                };
                db.read_on_pool(work).await
            })
        })
        .collect();
    waiting::until("all turns are taken", || begun.load(Ordering::SeqCst) == turns);
    let read = store.runtime.block_on(store.db.clone().for_deliveries().read_on_pool(move |tx| load(tx, org)));
    assert_eq!(read.expect("a turn"), MUCH);
    let refused = store.runtime.block_on(db.read_on_pool(move |tx| load(tx, org)));
    assert!(matches!(refused, Err(Error::Busy(Scarce::Readers))), "{refused:?}");
    end.wait();
    for one in long {
        assert_eq!(store.runtime.block_on(one).expect("no panic").expect("a read"), MUCH);
    }
}

/// The threads on which a read runs.
fn threads_of(store: &Store, work: impl Fn(&mut Tx<'_>) -> Result<usize> + Send + 'static) -> Vec<ThreadId> {
    let (seen, threads) = mpsc::channel();
    let read = store.db.read(move |tx| {
        seen.send(std::thread::current().id()).expect("the test listens");
        work(tx)
    });
    store.runtime.block_on(read).expect("a read");
    threads.iter().collect()
}

/// PostgreSQL's reads run on threads of their own in any case.
#[test]
fn a_read_that_loads_much_text_leaves_its_worker() {
    let store = Store::new();
    let (org, _) = store.organization();
    let here = std::thread::current().id();
    for (length, inline) in [(200 << 10, !Database::is_postgres()), (300 << 10, false)] {
        describe(&store, org, length);
        let threads = threads_of(&store, move |tx| load(tx, org));
        assert_eq!(threads.last() == Some(&here), inline, "{length} bytes");
    }
}

#[test]
fn a_read_on_a_worker_does_not_wait_for_what_another_read_has_locked() {
    let store = Store::new();
    let (org, _) = store.organization();
    let slot = Arc::new(Slot::new(()));
    let (locked, other) = (Arc::new(Barrier::new(2)), Arc::clone(&slot));
    let (db, both) = (store.db.clone(), Arc::clone(&locked));
    let holding = store.runtime.spawn(async move {
        let work = move |tx: &mut Tx<'_>| {
            let _held = other.lock(tx)?;
            both.wait();
            // Until the read beside it has left its worker.
            both.wait();
            Ok(())
        };
        db.read_on_pool(work).await
    });
    locked.wait();
    let here = std::thread::current().id();
    let threads = threads_of(&store, move |tx| {
        if std::thread::current().id() != here {
            locked.wait();
        }
        drop(slot.lock(tx)?);
        load(tx, org).or(Ok(0))
    });
    assert!(threads.last() != Some(&here), "it was answered on the worker");
    store.runtime.block_on(holding).expect("no panic").expect("a read");
}
