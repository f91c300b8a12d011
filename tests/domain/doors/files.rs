//! The files of SQLite: how long the write-ahead log becomes, and who maps the database into memory.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use guildhall::db::Tx;

use crate::doors::{Store, version};
use crate::support::database::Database;
use crate::support::waiting;

/// 300 MB are written while readers keep the log in use; it may not grow beyond a part of that. A machine that is busy
/// with something else can hold a reader up for longer than the writer waits for it, but not again and again.
#[test]
fn the_write_ahead_log_stays_bounded_under_load() {
    const BOUND: u64 = 160 << 20;
    if Database::is_postgres() {
        // It looks after its own log.
        return;
    }
    waiting::found(|| Some(longest_log()).filter(|longest| *longest < BOUND).ok_or("the log grew beyond its bound"));
}

/// The length that the write-ahead log reaches, in bytes.
fn longest_log() -> u64 {
    const WRITES: usize = 300;
    let store = Store::new();
    let file = store.db.file().expect("a file").with_extension("db-wal");
    let (org, _) = store.organization();
    let (done, mut longest) = (AtomicBool::new(false), 0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::SeqCst) {
                    store.read(&store.db, move |tx| version(tx, org));
                }
            });
            // As writes are judged beforehand.
            scope.spawn(|| {
                while !done.load(Ordering::SeqCst) {
                    let recent = store.db.read_recent(move |tx| version(tx, org), |_| true);
                    store.runtime.block_on(recent).expect("a read");
                }
            });
        }
        for n in 0..WRITES {
            let text = char::from(b'a' + u8::try_from(n % 26).expect("a letter")).to_string().repeat(1 << 20);
            store.write(&store.db, move |tx| {
                tx.run("UPDATE orgs SET description = $2 WHERE id = $1", &[&org, &text]).map(|_| ())
            });
            longest = longest.max(std::fs::metadata(&file).expect("a log").len());
        }
        done.store(true, Ordering::SeqCst);
    });
    assert!(longest > 1 << 20, "the log was looked at");
    longest
}

/// A user that still has the database open when its folder is removed learns that the server has stopped. It does not
/// report a missing file.
#[test]
fn a_retired_database_refuses_everything() {
    let store = Store::new();
    let Some(file) = store.db.file() else { return };
    let (org, _) = store.organization();
    store.db.retire();
    std::fs::remove_file(file).expect("to remove it");
    assert!(store.runtime.block_on(store.db.ready()).is_err_and(|error| error.to_string().contains("has stopped")));
    let read = store.runtime.block_on(store.db.read(move |tx| version(tx, org)));
    assert!(read.is_err_and(|error| error.to_string().contains("has stopped")));
    let write = |tx: &mut Tx<'_>| tx.run("UPDATE orgs SET name = 'x'", &[]);
    let written = store.runtime.block_on(store.db.write(write));
    assert!(written.is_err_and(|error| error.to_string().contains("has stopped")));
}

/// The pages of a mapping count as memory of the process, and stay there after the writes.
#[test]
fn the_writer_does_not_map_the_database() {
    let store = Store::new();
    let Some(file) = store.db.file() else { return };
    let file = std::fs::canonicalize(file).expect("a path");
    let (org, _) = store.organization();
    // More than the writer's cache.
    let long = "a".repeat(16 << 20);
    store
        .write(&store.db, move |tx| tx.run("UPDATE orgs SET description = $2 WHERE id = $1", &[&org, &long]).map(drop));
    let search = |tx: &mut Tx<'_>| tx.any("SELECT 1 FROM orgs WHERE description LIKE '%b'", &[]).map(drop);
    // Readers map it as soon as what they read was copied there from the log.
    waiting::until("readers map it", || {
        store.write(&store.db, search);
        assert_eq!(mappings(&file), 0, "the writer has one");
        store.read(&store.db, search);
        mappings(&file) > 0
    });
}

/// The number of times that this process maps the file.
fn mappings(file: &Path) -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the mappings of this process");
    let name = file.to_str().expect("a readable path");
    maps.lines().filter(|line| line.ends_with(name)).count()
}
