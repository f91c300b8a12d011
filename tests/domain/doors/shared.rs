//! Writes that share a transaction on PostgreSQL (docs/decisions/0029-postgresql-shares-commits.md): how long it lasts,
//! and what it holds after one of them was refused. SQLite has one writer and no locks.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::Poll;

use guildhall::db::{AtCommit, Db, Lock, Options, Place, StatementList, Tx};
use guildhall::error::{Error, Result};
use guildhall::journal;

use crate::doors::Store;
use crate::support::database::Database;

type Write = Box<dyn FnMut(&mut Tx<'_>) -> Result<()> + Send>;
type Answering = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// Everything here is in one lane.
const PLACE: Option<Place> = Some(Place { lane: 1, person: 0 });

/// Queues writes while their lane is held up, so that one transaction takes all of them; the writes under way.
fn together(store: &Store, writes: Vec<Write>) -> Vec<Answering> {
    let ((release, gate), (arrive, arrival)) = (mpsc::channel::<()>(), mpsc::channel());
    let gate = Mutex::new(gate);
    let hold: Write = Box::new(move |_| {
        arrive.send(()).expect("the test waits");
        gate.lock().expect("nobody panicked").recv().expect("a signal");
        Ok(())
    });
    let write = |write: Write| -> Answering {
        let db = store.db.clone();
        Box::pin(async move { db.write_in_lane(PLACE, write).await })
    };
    store.runtime.block_on(async {
        let (mut hold, mut queue) = (write(hold), writes.into_iter().map(write).collect::<Vec<_>>());
        let mut begun = false;
        poll_fn(|cx| {
            if !std::mem::replace(&mut begun, true) {
                assert!(hold.as_mut().poll(cx).is_pending());
                arrival.recv().expect("the lane begins");
                assert!(queue.iter_mut().all(|one| one.as_mut().poll(cx).is_pending()), "the lane is held up");
                release.send(()).expect("the lane waits");
                return Poll::Pending;
            }
            hold.as_mut().poll(cx)
        })
        .await
        .expect("it only waited");
        queue
    })
}

/// A request that is refused before it has changed anything is not rolled back, so its locks are held until the commit.
/// A request that needs a lock before those may not take it in the same transaction.
#[test]
fn what_a_refused_write_has_locked_stays_locked() {
    if !Database::is_postgres() {
        return;
    }
    let store = Store::new();
    store.write(&store.db, |tx| [2_001, 2_002].iter().try_for_each(|org| journal::open(tx, *org)));
    let runs = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&runs);
    let refused: Write = Box::new(|tx| {
        journal::lock(tx, &[Lock::Journal(2_002)])?;
        Err(Error::NotFound)
    });
    let next: Write = Box::new(move |tx| {
        counted.fetch_add(1, Ordering::SeqCst);
        journal::lock(tx, &[Lock::Journal(2_001)])
    });
    let answers = together(&store, vec![refused, next]).into_iter().map(|one| store.runtime.block_on(one));
    let answers: Vec<Result<()>> = answers.collect();
    assert!(matches!(answers[..], [Err(Error::NotFound), Ok(())]), "{answers:?}");
    assert_eq!(runs.load(Ordering::SeqCst), 2, "it left the transaction and ran by itself");
}

/// Slow statements of many do not add up: the first are committed and answered before the last begin.
#[test]
fn a_transaction_that_takes_long_takes_no_further_writes() {
    if !Database::is_postgres() {
        return;
    }
    let store = Store::new();
    let begun = Arc::new(AtomicU32::new(0));
    let slow = || -> Write {
        let begun = Arc::clone(&begun);
        Box::new(move |tx| {
            begun.fetch_add(1, Ordering::SeqCst);
            tx.any("SELECT 1 FROM pg_sleep(0.4)", &[]).map(drop)
        })
    };
    let mut answers = together(&store, (0..8).map(|_| slow()).collect()).into_iter();
    let first = answers.next().expect("a write");
    store.runtime.block_on(first).expect("it is committed");
    let when_answered = begun.load(Ordering::SeqCst);
    assert!((1..8).contains(&when_answered), "{when_answered} were begun");
    assert!(answers.all(|one| store.runtime.block_on(one).is_ok()), "the others follow");
    assert_eq!(begun.load(Ordering::SeqCst), 8, "each ran once");
}

/// A pooler may give each transaction another session of the server, which knows nothing of what was set before.
#[test]
fn settings_come_with_each_transaction_where_nothing_is_proven() {
    const SETTINGS: &str = "
        SELECT current_setting('synchronous_commit'), current_setting('statement_timeout') <> '0',
               current_setting('lock_timeout') <> '0'";
    if !Database::is_postgres() {
        return;
    }
    let store = Store::new();
    let options = Options { shared_reads: false, ..Options::default() };
    let db = store.runtime.block_on(Db::open_with(&store.database.address, options)).expect("a database");
    for _ in 0..32 {
        store.write(&db, |tx| {
            for name in ["synchronous_commit", "statement_timeout", "lock_timeout"] {
                tx.any(
                    "SELECT set_config($1, CASE $1 WHEN 'synchronous_commit' THEN 'off' ELSE '0' END, FALSE)",
                    &[&name],
                )?;
            }
            Ok(())
        });
        let set: (String, bool, bool) = store.write(&db, |tx| tx.one(SETTINGS, &[]));
        assert_eq!(set, ("on".to_owned(), true, true));
        let (_, statement, lock): (String, bool, bool) = store.read(&db, |tx| tx.one(SETTINGS, &[]));
        assert!(statement && lock);
    }
}

/// Fails when it is written.
#[derive(Default)]
struct Panic;

impl AtCommit for Panic {
    fn restart(&mut self) {}

    fn begin(&mut self) {}

    fn undo(&mut self, _rolled_back: bool) {}

    fn statements(&mut self, _: bool) -> StatementList<'_> {
        panic!("a test panics")
    }

    fn concerns(&self) -> Option<Vec<i64>> {
        None
    }
}

/// More often than there are threads.
#[test]
fn a_panic_at_the_commit_is_undone_and_ends_no_thread() {
    let store = Store::new();
    let insert = |tx: &mut Tx<'_>| tx.run("INSERT INTO site (name, value) VALUES ('panicked', 'here')", &[]).map(drop);
    for _ in 0..24 {
        let done = store.db.write(move |tx| {
            tx.at_commit::<Panic>()?;
            insert(tx)
        });
        assert!(store.runtime.block_on(done).is_err());
    }
    let there = |store: &Store| store.read(&store.db, |tx| tx.any("SELECT 1 FROM site WHERE name = 'panicked'", &[]));
    assert!(!there(&store));
    store.write(&store.db, insert);
    assert!(there(&store));
}
