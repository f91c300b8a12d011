//! The two doors of the store, used at the same time and by several processes (docs/decisions/0001-two-doors.md): what
//! a read sees, how long it may take, and how much a busy server leaves behind.

mod cached;
mod files;
mod long;
mod recording;
mod shared;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::support::database::Database;
use guildhall::db::{Db, Tx};
use guildhall::error::{Error, Result};
use guildhall::journal::{self, Change};
use guildhall::memory::{MemberEntry, OrgState, Organizations, Part, Reach, RoleFilter};
use guildhall::rows::Fold;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::support::waiting::{self, HANG};

/// The key of the chains.
const KEY: [u8; 32] = [7; 32];

/// The age that a snapshot may have in which another process's commit is missing.
const ANOTHER_PROCESS: Duration = Duration::from_millis(50);

/// A read that takes far longer than a worker may spend on it.
const LONG: &str = "
    WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
    SELECT count(*), CAST(sum(i) AS BIGINT) FROM n";

struct Store {
    runtime: Runtime,
    db: Db,
    database: Database,
}

impl Store {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build();
        let (runtime, database) = (runtime.expect("a runtime"), Database::migrated());
        let db = runtime.block_on(Db::open(&database.address)).expect("a database");
        Self { runtime, db, database }
    }

    /// A second handle on the same data, with nothing in common but the database: another node or process.
    fn second_handle(&self) -> Db {
        self.runtime.block_on(Db::open(&self.database.address)).expect("the same database")
    }

    fn write<R: Send + 'static>(&self, db: &Db, work: impl FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static) -> R {
        self.runtime.block_on(db.write(work)).expect("a write")
    }

    fn read<R: Send + 'static>(&self, db: &Db, work: impl FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static) -> R {
        self.runtime.block_on(db.read(work)).expect("a read")
    }

    /// Begins a read of short statements, one after the other in one snapshot, that goes on until it may end.
    fn long_read(&self, org: i64, begun: &Arc<AtomicBool>, may_end: &Arc<AtomicBool>) -> JoinHandle<Result<i64>> {
        let (db, begun, may_end) = (self.db.clone(), Arc::clone(begun), Arc::clone(may_end));
        self.runtime.spawn(async move {
            let work = move |tx: &mut Tx<'_>| {
                while !may_end.load(Ordering::SeqCst) {
                    tx.one::<(i64, i64)>(LONG, &[])?;
                    begun.store(true, Ordering::SeqCst);
                }
                version(tx, org)
            };
            db.read(work).await
        })
    }

    /// An organization with an empty team.
    fn organization(&self) -> (i64, i64) {
        self.write(&self.db, |tx| {
            let (org,): (i64,) =
                tx.run_one("INSERT INTO orgs (login, created_at, updated_at) VALUES ('acme', 0, 0) RETURNING id", &[])?;
            journal::open(tx, org)?;
            let (team,): (i64,) = tx.run_one(
                "INSERT INTO teams (org_id, name, name_key, slug, privacy, created_at, updated_at)
                 VALUES ($1, 'Core', 'core', 'core', 'closed', 0, 0) RETURNING id",
                &[&org],
            )?;
            Ok((org, team))
        })
    }
}

fn version(tx: &mut Tx, org: i64) -> Result<i64> {
    tx.one::<(i64,)>("SELECT entry FROM journal_heads WHERE org_id = $1", &[&org]).map(|row| row.0)
}

fn raise(tx: &mut Tx, org: i64) -> Result<i64> {
    let sql = "UPDATE journal_heads SET entry = entry + 1 WHERE org_id = $1 RETURNING entry";
    tx.forget_found();
    tx.run_one::<(i64,)>(sql, &[&org]).map(|row| row.0)
}

/// Puts a new person on the team.
fn join(tx: &mut Tx, org: i64, team: i64) -> Result<i64> {
    let sql = "INSERT INTO users (login, created_at, updated_at) VALUES ('somebody', 0, 0) RETURNING id";
    let (user,): (i64,) = tx.run_one(sql, &[])?;
    tx.run("INSERT INTO team_members (team_id, user_id, role) VALUES ($1, $2, 'member')", &[&team, &user])?;
    recording::record(tx, org, Change::of_memory(&Fold::Member { team, user, maintainer: false }))?;
    Ok(user)
}

fn people(state: &mut OrgState, team: i64) -> Vec<i64> {
    let page = state.members_page(team, RoleFilter::All, Reach::All, 0, 10_000);
    page.entries.into_iter().map(|MemberEntry { user, .. }| user).collect()
}

fn stored(tx: &mut Tx, team: i64) -> Result<Vec<i64>> {
    let rows: Vec<(i64,)> = tx.all("SELECT user_id FROM team_members WHERE team_id = $1 ORDER BY user_id", &[&team])?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

#[test]
fn a_read_sees_every_write_that_was_answered_before() {
    let store = Store::new();
    let (org, _) = store.organization();
    let (answered, done) = (AtomicI64::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let now = store.write(&store.db, move |tx| raise(tx, org));
                        answered.fetch_max(now, Ordering::SeqCst);
                        let seen = store.read(&store.db, move |tx| version(tx, org));
                        assert!(seen >= now, "I wrote {now} and read {seen}");
                    }
                })
            })
            .collect();
        for _ in 0..4 {
            scope.spawn(|| {
                while !done.load(Ordering::SeqCst) {
                    let before = answered.load(Ordering::SeqCst);
                    let seen = store.read(&store.db, move |tx| version(tx, org));
                    assert!(seen >= before, "{before} was answered before {seen} was read");
                }
            });
        }
        let failed = writers.into_iter().any(|writer| writer.join().is_err());
        done.store(true, Ordering::SeqCst);
        assert!(!failed, "a writer read something older than its own write");
    });
    assert_eq!(store.read(&store.db, move |tx| version(tx, org)), 400, "every write is there once");
}

#[test]
fn a_snapshot_is_one_moment_however_much_is_written_meanwhile() {
    let store = Store::new();
    let (org, team) = store.organization();
    let (other, done) = (store.second_handle(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for db in [&store.db, &other] {
            let (store, done) = (&store, &done);
            scope.spawn(move || {
                while !done.load(Ordering::SeqCst) {
                    store.write(db, move |tx| join(tx, org, team));
                }
            });
        }
        for _ in 0..300 {
            let (first, counted, last) = store.read(&store.db, move |tx| {
                let first = version(tx, org)?;
                let counted = stored(tx, team)?.len();
                Ok((first, counted, version(tx, org)?))
            });
            assert_eq!((first, i64::try_from(counted)), (last, Ok(last)));
        }
        done.store(true, Ordering::SeqCst);
    });
}

#[test]
fn a_commit_of_another_process_is_seen_within_50_ms() {
    let store = Store::new();
    let (org, _) = store.organization();
    let other = store.second_handle();
    for _ in 0..20 {
        // Load: the snapshot would be kept open for as long as nothing is written here.
        let before = store.read(&store.db, move |tx| version(tx, org));
        let written = store.write(&other, move |tx| raise(tx, org));
        let answered = Instant::now();
        assert_eq!(written, before + 1);
        loop {
            let begun = Instant::now();
            if store.read(&store.db, move |tx| version(tx, org)) == written {
                break;
            }
            let age = begun - answered;
            assert!(!Database::is_postgres(), "on PostgreSQL a commit is seen at once");
            assert!(age < ANOTHER_PROCESS, "a read {age:?} after the commit of another process did not see it");
        }
    }
}

#[test]
fn a_long_read_leaves_its_worker_and_is_answered() {
    let store = Store::new();
    let (org, _) = store.organization();
    let one_worker = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let db = store.db.clone();
    let (seen, long_threads) = (mpsc::channel(), Arc::new(AtomicU32::new(0)));
    let (sender, attempts) = (seen.0, Arc::clone(&long_threads));
    let enough = Arc::<AtomicBool>::default();
    let short_reads = one_worker.block_on(async move {
        let (long_db, may_end) = (db.clone(), Arc::clone(&enough));
        let long = tokio::spawn(async move {
            let answer = long_db.read(move |tx| {
                attempts.fetch_add(1, Ordering::SeqCst);
                sender.send(std::thread::current().id()).expect("somebody listens");
                let since = Instant::now();
                loop {
                    let found = tx.one::<(i64, i64)>(LONG, &[])?;
                    if may_end.load(Ordering::SeqCst) || since.elapsed() > HANG {
                        return Ok(found);
                    }
                }
            });
            answer.await.expect("a long read is answered")
        });
        let mut short_reads = 0;
        while !long.is_finished() {
            db.read(move |tx| version(tx, org)).await.expect("a short read");
            short_reads += 1;
            enough.store(short_reads > 3, Ordering::SeqCst);
            tokio::task::yield_now().await;
        }
        assert_eq!(long.await.expect("no panic"), (1_000_000, 500_000_500_000));
        short_reads
    });
    let threads: Vec<_> = seen.1.iter().collect();
    assert!(threads.last() != Some(&std::thread::current().id()), "it was answered on the worker");
    assert_eq!(threads.len(), if Database::is_postgres() { 1 } else { 2 }, "inline first, then on the pool");
    assert!(short_reads > 3, "only {short_reads} short reads were answered beside the long one");
}

#[test]
fn writes_go_on_beside_a_long_read() {
    let store = Store::new();
    let (org, _) = store.organization();
    let (begun, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let long = store.long_read(org, &begun, &done);
    waiting::until("the long read has begun", || begun.load(Ordering::SeqCst));
    let writes = async {
        for _ in 0..10 {
            store.db.write(move |tx| raise(tx, org)).await.expect("a write");
        }
    };
    let written = async { tokio::time::timeout(HANG, writes).await };
    store.runtime.block_on(written).expect("writes are answered beside the long read");
    assert!(!long.is_finished());
    done.store(true, Ordering::SeqCst);
    store.runtime.block_on(long).expect("no panic").expect("an answer");
}

#[test]
fn a_reader_that_is_older_than_organization_memory_renews_its_snapshot() {
    let store = Store::new();
    let (org, team) = store.organization();
    let (cache, attempts) = (Arc::new(Organizations::default()), Arc::new(AtomicU32::new(0)));
    let other = store.second_handle();
    store.read(&store.db, {
        let cache = Arc::clone(&cache);
        move |tx| version(tx, org).and_then(|v| cache.ask(tx, (org, v), Part::Members, |state| people(state, team)))
    });

    let (reader, counted, handle) = (Arc::clone(&cache), Arc::clone(&attempts), store.runtime.handle().clone());
    let seen = store.read(&store.db, move |tx| {
        let seen = version(tx, org)?;
        if counted.fetch_add(1, Ordering::SeqCst) == 0 {
            // Meanwhile one user joins, and another reader has already listed the members.
            let (other, cache, handle) = (other.clone(), Arc::clone(&reader), handle.clone());
            let meanwhile = std::thread::spawn(move || {
                handle.block_on(other.write(move |tx| join(tx, org, team))).expect("a write");
                let ask = move |tx: &mut Tx<'_>| {
                    let now = version(tx, org)?;
                    cache.ask(tx, (org, now), Part::Members, |state| people(state, team).len())
                };
                handle.block_on(other.read(ask)).expect("a read")
            });
            assert_eq!(meanwhile.join().expect("no panic"), 1);
        }
        let rows = stored(tx, team)?;
        reader.ask(tx, (org, seen), Part::Members, |state| (people(state, team), rows))
    });
    assert_eq!(seen.0, seen.1, "rows and memory are of one moment");
    assert_eq!((seen.0.len(), attempts.load(Ordering::SeqCst)), (1, 2), "the second attempt saw the new person");
}

#[test]
fn a_read_that_never_catches_up_is_given_up() {
    let store = Store::new();
    let refused = store.runtime.block_on(store.db.read(|tx| Err::<(), _>(tx.run_again())));
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
}

#[test]
fn two_nodes_see_each_others_people_in_organization_memory() {
    let store = Store::new();
    let (org, team) = store.organization();
    let other = store.second_handle();
    let nodes = [(&store.db, Arc::new(Organizations::default())), (&other, Arc::new(Organizations::default()))];
    for n in 0..40 {
        let (writer, _) = &nodes[n % 2];
        let user = store.write(writer, move |tx| join(tx, org, team));
        let answered = Instant::now();
        for (reader, cache) in &nodes {
            loop {
                let begun = Instant::now();
                let cache = Arc::clone(cache);
                let (kept, rows) = store.read(reader, move |tx| {
                    let (now, rows) = (version(tx, org)?, stored(tx, team)?);
                    cache.ask(tx, (org, now), Part::Members, |state| (people(state, team), rows))
                });
                assert_eq!(kept, rows, "memory and rows of one snapshot are the same");
                if kept.contains(&user) {
                    break;
                }
                assert!(!Database::is_postgres(), "on PostgreSQL a commit is seen at once");
                assert!(!std::ptr::eq(*reader, *writer), "one's own write is seen at once");
                assert!(begun - answered < ANOTHER_PROCESS, "the other node saw it too late");
            }
        }
    }
}

/// A read that takes its time keeps the log from starting again; writes do not wait for it.
#[test]
fn writes_do_not_wait_for_a_long_read_while_the_log_is_long() {
    let store = Store::new();
    let (org, _) = store.organization();
    let (begun, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let long = store.long_read(org, &begun, &done);
    waiting::until("the long read has begun", || begun.load(Ordering::SeqCst));
    let since = Instant::now();
    for n in 0..150 {
        let text = char::from(b'a' + u8::try_from(n % 26).expect("a letter")).to_string().repeat(1 << 20);
        store.write(&store.db, move |tx| {
            tx.run("UPDATE orgs SET description = $2 WHERE id = $1", &[&org, &text]).map(|_| ())
        });
    }
    let took = since.elapsed();
    done.store(true, Ordering::SeqCst);
    store.runtime.block_on(long).expect("no panic").expect("an answer");
    // The log is long for more than half of them. If each of these waited for the lock as long as it may, they would
    // take longer than anything but a hang.
    assert!(took < HANG, "they took {took:?}");
}

/// Decision record 0009.
#[test]
fn sqlite_is_compiled_as_it_was_decided() {
    let connection = rusqlite::Connection::open_in_memory().expect("a database");
    let mut asked = connection.prepare("SELECT compile_options FROM pragma_compile_options").expect("a statement");
    let options: Vec<String> =
        asked.query_map([], |row| row.get(0)).and_then(Iterator::collect).expect("the options it was compiled with");
    for option in ["THREADSAFE=2", "DEFAULT_MEMSTATUS=0"] {
        assert!(options.iter().any(|is| is == option), "{option} is not among {options:?}");
    }
    assert!(!options.iter().any(|is| is == "ENABLE_API_ARMOR"), "{options:?}");
}
