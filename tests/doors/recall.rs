//! What is recalled of a snapshot is never anything else than what the snapshot holds (decision record 0005).

use std::time::Instant;

use guildhall::db::{Db, Kept};
use guildhall::error::Error;

use crate::database::Database;
use crate::{ANOTHER_PROCESS, Store, raise, version};

struct Version(i64);

impl Kept for Version {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

/// The version of the organization as a reader recalls it and as it is, and whether it was read anew to be recalled.
fn recalled(store: &Store, db: &Db, org: i64) -> (i64, i64, bool) {
    store.read(db, move |tx| {
        let mut anew = false;
        let recalled = tx.recall(b"version", |tx| {
            anew = true;
            version(tx, org).map(Version)
        })?;
        Ok((recalled.0, version(tx, org)?, anew))
    })
}

#[test]
fn what_is_recalled_is_what_is_stored() {
    let store = Store::new();
    let (org, _) = store.organization();
    let other = store.beside();
    for n in 0..40 {
        let writer = if n % 2 == 0 { &store.db } else { &other };
        recalled(&store, &store.db, org);
        let written = store.write(writer, move |tx| {
            let before = tx.recall(b"version", |tx| version(tx, org).map(Version))?;
            let raised = raise(tx, org)?;
            let after = tx.recall(b"version", |tx| version(tx, org).map(Version))?;
            assert_eq!((before.0 + 1, after.0), (raised, raised), "a write recalls nothing");
            Ok(raised)
        });
        let answered = Instant::now();
        loop {
            let (recalled, stored, _) = recalled(&store, &store.db, org);
            assert_eq!(recalled, stored);
            if stored == written {
                break;
            }
            assert!(!Database::is_postgres() && n % 2 == 1, "one's own write is recalled at once");
            assert!(answered.elapsed() < ANOTHER_PROCESS * 20, "the commit of another process was never seen");
        }
    }
}

#[test]
fn what_is_recalled_outlives_its_snapshot_if_nothing_was_committed() {
    let store = Store::new();
    let (org, _) = store.organization();
    let (begun, mut read, mut anew) = (Instant::now(), 0, 0);
    while begun.elapsed() < ANOTHER_PROCESS * 3 {
        read += 1;
        anew += u32::from(recalled(&store, &store.db, org).2);
    }
    assert_eq!(anew, if Database::is_postgres() { read } else { 1 });
}

#[test]
fn what_fails_is_not_recalled() {
    let store = Store::new();
    let (org, _) = store.organization();
    let failed = store.read(&store.db, |tx| Ok(tx.recall::<Version>(b"version", |_| Err(Error::NotFound)).is_err()));
    assert!(failed);
    assert_eq!(recalled(&store, &store.db, org), (0, 0, true));
}

#[test]
fn what_is_recent_is_read_again_if_it_does_not_hold() {
    let store = Store::new();
    let (org, _) = store.organization();
    for _ in 0..20 {
        let raised = store.write(&store.db, move |tx| raise(tx, org));
        let any = store.db.read_recent(move |tx| version(tx, org), |_| true);
        let recent = store.runtime.block_on(any).expect("a read");
        assert!(recent <= raised && (recent == raised || !Database::is_postgres()));
        let never = store.db.read_recent(move |tx| version(tx, org), |_| false);
        assert_eq!(store.runtime.block_on(never).expect("a read"), raised);
    }
}
