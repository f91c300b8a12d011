//! One commit for 64 requests, of which the first, one in the middle or the last fails (docs/decisions/0006).

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::Poll;

use guildhall::db::{Db, Place, Tx};
use guildhall::error::{Error, Result};
use tokio::runtime::Runtime;

use crate::faults::limited;
use crate::support::database::Database;

/// On PostgreSQL too they wait for one transaction.
const PLACE: Option<Place> = Some(Place { lane: 1, person: 0 });

const BATCH: usize = 64;
const PLACES: [usize; 3] = [0, 31, 63];

type Fault = fn(&mut Tx<'_>) -> Result<()>;
type Answering = Pin<Box<dyn Future<Output = Result<()>>>>;

struct Store {
    runtime: Runtime,
    db: Db,
    _database: Database,
}

/// The outcome of a batch.
struct Outcome {
    answers: Vec<Result<()>>,
    /// The number of times that each request was run.
    runs: Vec<u32>,
}

impl Store {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let (runtime, database) = (runtime.expect("a runtime"), Database::migrated());
        let db = runtime.block_on(Db::open(&database.address)).expect("a database");
        Self { runtime, db, _database: database }
    }

    /// Queues requests while the writer is held up, so that they share a commit.
    fn batch(&self, each: impl Fn(usize, &mut Tx<'_>) -> Result<()> + Clone + Send + 'static) -> Outcome {
        let ((release, gate), (arrive, arrival)) = (mpsc::channel::<()>(), mpsc::channel());
        let gate = Mutex::new(gate);
        let runs: Arc<Vec<AtomicU32>> = Arc::new((0..BATCH).map(|_| AtomicU32::new(0)).collect());
        let db = self.db.clone();
        let hold = async move {
            let wait = move |_: &mut Tx<'_>| {
                arrive.send(()).expect("the test waits");
                gate.lock().expect("nobody panicked").recv().expect("a signal");
                Ok(())
            };
            db.write_in_lane(PLACE, wait).await
        };
        let mut queue: Vec<Answering> = vec![Box::pin(hold)];
        for number in 0..BATCH {
            let (db, each, runs) = (self.db.clone(), each.clone(), Arc::clone(&runs));
            queue.push(Box::pin(async move {
                db.write_in_lane(PLACE, move |tx| {
                    runs[number].fetch_add(1, Ordering::SeqCst);
                    each(number, tx)
                })
                .await
            }));
        }
        let mut answers = self.runtime.block_on(async move {
            // The first poll of each puts it in the queue, in this order, once the writer is held up.
            poll_fn(|cx| {
                for (position, one) in queue.iter_mut().enumerate() {
                    assert!(one.as_mut().poll(cx).is_pending(), "nobody was held up");
                    if position == 0 {
                        arrival.recv().expect("the writer begins");
                    }
                }
                Poll::Ready(())
            })
            .await;
            release.send(()).expect("the writer waits");
            let mut answers = Vec::new();
            for one in queue {
                answers.push(one.await);
            }
            answers
        });
        answers.remove(0).expect("the first only waited");
        Outcome { answers, runs: runs.iter().map(|n| n.load(Ordering::SeqCst)).collect() }
    }

    /// A batch in which one request writes its row and then fails.
    fn failing(&self, place: usize, fault: Fault) -> Outcome {
        self.batch(move |number, tx| {
            refill(tx)?;
            put(tx, number)?;
            if number == place { fault(tx) } else { Ok(()) }
        })
    }

    /// The rows that are there, taken away.
    fn take(&self) -> Vec<String> {
        let rows = self.db.write(|tx| {
            let rows: Vec<(String,)> = tx.all("SELECT name FROM site WHERE name LIKE 'row %' ORDER BY name", &[])?;
            tx.run("DELETE FROM site WHERE name LIKE 'row %'", &[])?;
            Ok(rows.into_iter().map(|row| row.0).collect())
        });
        self.runtime.block_on(rows).expect("the store works again")
    }

    /// Fails a request in each place; all others are answered and kept, it is answered with its fault and is not.
    fn try_all_places(&self, fault: Fault, expected: fn(&Error) -> bool) {
        for place in PLACES {
            let outcome = self.failing(place, fault);
            for (number, answer) in outcome.answers.iter().enumerate() {
                match answer {
                    Ok(()) => assert_ne!(number, place, "the failed request was acknowledged"),
                    Err(error) => assert!(number == place && expected(error), "{number} of {place}: {error:?}"),
                }
            }
            let kept: Vec<String> = (0..BATCH).filter(|number| *number != place).map(name).collect();
            assert_eq!(self.take(), kept, "the request in place {place} failed");
        }
    }
}

fn name(number: usize) -> String {
    format!("row {number:02}")
}

fn put(tx: &mut Tx<'_>, number: usize) -> Result<()> {
    tx.run("INSERT INTO site (name, value) VALUES ($1, 'here')", &[&name(number)]).map(|_| ())
}

/// Gives the disk and the memory back that a fault took away.
fn refill(tx: &mut Tx<'_>) -> Result<()> {
    if !tx.is_remote() {
        tx.any("PRAGMA max_page_count = 4294967294", &[])?;
        tx.run("PRAGMA cache_size = -64000", &[])?;
    }
    Ok(())
}

/// More than there is room for: SQLite ends the whole transaction when a plain insert finds the disk full.
fn fill(tx: &mut Tx<'_>) -> Result<()> {
    tx.any("PRAGMA max_page_count = 1", &[])?;
    write_much(tx)
}

fn write_much(tx: &mut Tx<'_>) -> Result<()> {
    let much = "x".repeat(8 << 20);
    tx.run("INSERT INTO site (name, value) VALUES ('row of eight megabytes', $1)", &[&much]).map(|_| ())
}

fn is_unavailable(error: &Error) -> bool {
    matches!(error, Error::Unavailable(_))
}

#[test]
fn a_refused_request_is_undone_alone() {
    Store::new().try_all_places(
        |_| Err(Error::sentence("No.")),
        |error| matches!(error, Error::Unprocessable { message, .. } if message == "No."),
    );
}

#[test]
fn a_request_refused_before_it_changes_anything_disturbs_no_other() {
    let store = Store::new();
    let outcome = store.batch(|number, tx| {
        refill(tx)?;
        if number % 2 == 0 { Err(Error::sentence("No.")) } else { put(tx, number) }
    });
    let kept: Vec<String> = (0..BATCH).filter(|number| number % 2 == 1).map(name).collect();
    assert_eq!(outcome.answers.iter().filter(|answer| answer.is_ok()).count(), kept.len());
    assert_eq!(store.take(), kept);
    assert!(outcome.runs.iter().all(|runs| *runs == 1), "nothing was run again: {:?}", outcome.runs);
}

#[test]
fn a_request_refused_late_has_the_others_run_again_once() {
    let store = Store::new();
    let outcome = store.batch(|number, tx| {
        put(tx, number)?;
        if number % 2 == 0 { Err(Error::sentence("No.")) } else { Ok(()) }
    });
    let kept: Vec<String> = (0..BATCH).filter(|number| number % 2 == 1).map(name).collect();
    assert_eq!(store.take(), kept);
    assert!(outcome.runs.iter().all(|runs| *runs <= 2), "{:?}", outcome.runs);
}

#[test]
fn a_panic_is_undone_alone() {
    Store::new().try_all_places(|_| panic!("a test panics"), |error| matches!(error, Error::Bug(_)));
}

#[test]
fn a_broken_rule_of_the_schema_is_undone_alone() {
    Store::new().try_all_places(|tx| put(tx, 31).and_then(|()| put(tx, 31)), |error| matches!(error, Error::Taken(_)));
}

#[test]
fn a_full_disk_in_one_request_loses_no_other() {
    if Database::is_postgres() {
        return cut_in_one_request_loses_no_other();
    }
    let store = Store::new();
    store.try_all_places(fill, is_unavailable);
    let outcome = store.failing(31, fill);
    assert!(outcome.answers[31].is_err());
    assert_eq!((outcome.runs[30], outcome.runs[31], outcome.runs[32]), (2, 1, 1), "those before it were run again");
    store.take();
}

/// The counterpart of a full disk on PostgreSQL: the connection of one request ends in the middle of it.
fn cut_in_one_request_loses_no_other() {
    Store::new()
        .try_all_places(|tx| tx.any("SELECT pg_terminate_backend(pg_backend_pid())", &[]).map(|_| ()), is_unavailable);
}

#[test]
fn several_full_disks_in_one_batch_lose_no_other() {
    let store = Store::new();
    let outcome = store.batch(|number, tx| {
        refill(tx)?;
        put(tx, number)?;
        match number % 8 {
            3 if Database::is_postgres() => panic!("a test panics"),
            3 => fill(tx),
            5 => panic!("a test panics"),
            _ => Ok(()),
        }
    });
    let kept: Vec<String> = (0..BATCH).filter(|number| number % 8 != 3 && number % 8 != 5).map(name).collect();
    assert_eq!(outcome.answers.iter().filter(|answer| answer.is_ok()).count(), kept.len());
    assert_eq!(store.take(), kept);
}

/// A function that goes on after a failed statement must not make the store forget what it acknowledged.
#[test]
fn what_is_acknowledged_after_a_swallowed_failure_is_there() {
    let store = Store::new();
    for swallowed in [fill as Fault, |tx| put(tx, 99).and_then(|()| put(tx, 99))] {
        if Database::is_postgres() && std::ptr::fn_addr_eq(swallowed, fill as Fault) {
            continue;
        }
        for place in PLACES {
            let outcome = store.batch(move |number, tx| {
                refill(tx)?;
                put(tx, number)?;
                if number == place {
                    drop(swallowed(tx));
                    drop(put(tx, 77));
                }
                Ok(())
            });
            let acknowledged = outcome.answers.iter().enumerate().filter(|(_, answer)| answer.is_ok());
            let mut expected: Vec<String> = acknowledged.map(|(number, _)| name(number)).collect();
            assert!(expected.len() >= BATCH - 1);
            if expected.contains(&name(place)) {
                expected.extend([name(77), name(99)]);
            }
            assert_eq!(store.take(), expected);
        }
    }
}

#[test]
fn an_io_error_in_one_request_loses_no_other() {
    let test = "faults::batch::an_io_error_in_one_request_loses_no_other";
    if Database::is_postgres() || !limited::within(test, 4 << 10) {
        return;
    }
    let store = Store::new();
    store.try_all_places(
        |tx| {
            // With room for a few pages only, SQLite writes to the file before the commit.
            tx.run("PRAGMA cache_size = 5", &[])?;
            write_much(tx)
        },
        is_unavailable,
    );
}

#[test]
fn a_batch_that_cannot_be_committed_is_refused_as_a_whole() {
    let test = "faults::batch::a_batch_that_cannot_be_committed_is_refused_as_a_whole";
    if Database::is_postgres() || !limited::within(test, 4 << 10) {
        return;
    }
    let store = Store::new();
    for place in PLACES {
        let outcome = store.batch(move |number, tx| {
            put(tx, number)?;
            if number == place { write_much(tx) } else { Ok(()) }
        });
        for answer in outcome.answers {
            let error = answer.expect_err("nothing of it was kept");
            assert!(is_unavailable(&error), "{error:?}");
        }
        assert_eq!(store.take(), Vec::<String>::new());
        let again = store.batch(|number, tx| put(tx, number));
        assert!(again.answers.iter().all(Result::is_ok), "smaller requests find room");
        assert_eq!(store.take().len(), BATCH);
    }
}
