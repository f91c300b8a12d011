//! A cached value is never different from what its snapshot holds (docs/decisions/0023).

use std::time::Instant;

use guildhall::access::{token, token_text};
use guildhall::clock::Time;
use guildhall::db::{Address, Cacheable, Db, Lock, Place, Tx};
use guildhall::error::{Error, Result};
use guildhall::journal::{self, Change};
use guildhall::rows::Fold;
use guildhall::scope::Scopes;

use crate::doors::{ANOTHER_PROCESS, Store, raise, recording, version};
use crate::support::database::Database;

#[derive(PartialEq)]
struct Version(i64);

impl Cacheable for Version {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

/// The version as a write has found it; a bug if it was kept and has changed since.
fn written(tx: &mut Tx, org: i64) -> Result<i64> {
    Ok(tx.found(b"version", |tx| version(tx, org).map(Version))?.0)
}

/// The version of the organization as a reader has cached it and as it is, and whether it was read again.
fn cached(store: &Store, db: &Db, org: i64) -> (i64, i64, bool) {
    store.read(db, move |tx| {
        let mut anew = false;
        let found = tx.cached(b"version", |tx| {
            anew = true;
            version(tx, org).map(Version)
        })?;
        Ok((found.0, version(tx, org)?, anew))
    })
}

#[test]
fn what_is_cached_is_what_is_stored() {
    let store = Store::new();
    let (org, _) = store.organization();
    let other = store.second_handle();
    for n in 0..40 {
        let writer = if n % 2 == 0 { &store.db } else { &other };
        cached(&store, &store.db, org);
        let written = store.write(writer, move |tx| {
            let before = tx.cached(b"version", |tx| version(tx, org).map(Version))?;
            let raised = raise(tx, org)?;
            let after = tx.cached(b"version", |tx| version(tx, org).map(Version))?;
            assert_eq!(
                (before.0 + 1, after.0),
                (raised, raised),
                "what is made of a snapshot is not cached in a write"
            );
            Ok(raised)
        });
        let answered = Instant::now();
        loop {
            let age = answered.elapsed();
            let (found, stored, _) = cached(&store, &store.db, org);
            assert_eq!(found, stored);
            if stored == written {
                break;
            }
            assert!(!Database::is_postgres() && n % 2 == 1, "one's own write is cached at once");
            assert!(age < ANOTHER_PROCESS, "a read {age:?} after the commit of another process did not see it");
        }
    }
}

#[test]
fn what_is_cached_outlives_its_snapshot_if_nothing_was_committed() {
    let store = Store::new();
    let (org, _) = store.organization();
    let (begun, mut read, mut anew) = (Instant::now(), 0, 0);
    while begun.elapsed() < ANOTHER_PROCESS * 3 {
        read += 1;
        anew += u32::from(cached(&store, &store.db, org).2);
    }
    assert_eq!(anew, if Database::is_postgres() { read } else { 1 });
}

#[test]
fn what_fails_is_not_cached() {
    let store = Store::new();
    let (org, _) = store.organization();
    let failed = store.read(&store.db, |tx| Ok(tx.cached::<Version>(b"version", |_| Err(Error::NotFound)).is_err()));
    assert!(failed);
    assert_eq!(cached(&store, &store.db, org), (0, 0, true));
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

/// The version that a write finds after it was changed behind its back and this was recorded. Only builds with
/// assertions notice that what was kept is outdated; PostgreSQL keeps nothing for writes.
fn found_after(store: &Store, (org, team): (i64, i64), change: impl Fn(i64) -> Change + Send + 'static) -> Result<i64> {
    let work = move |tx: &mut Tx<'_>| {
        journal::lock(tx, &[Lock::Journal(org)])?;
        written(tx, org)?;
        tx.run("UPDATE journal_heads SET hash = hash, entry = entry + 100 WHERE org_id = $1", &[&org])?;
        recording::record(tx, org, change(team))?;
        written(tx, org)
    };
    store.runtime.block_on(store.db.write(work))
}

#[test]
fn a_write_forgets_what_it_found_when_a_change_is_recorded_that_may_concern_it() {
    type Make = fn(i64) -> Change;
    let changes: [(Make, bool); 4] = [
        (|_| Change::reload(), true),
        (|team| Change::of_memory(&Fold::TeamGone { team }), true),
        (|_| Change::new("org.update", &(), &()), true),
        (|team| Change::of_memory(&Fold::Grants { team }), false),
    ];
    for (place, (change, forgets)) in changes.into_iter().enumerate() {
        let store = Store::new();
        let found = found_after(&store, store.organization(), change);
        let outdated = matches!(&found, Err(Error::Bug(text)) if text.contains("outdated"));
        assert_eq!(outdated, !forgets && !Database::is_postgres(), "{place}: {found:?}");
    }
}

#[test]
fn writes_of_a_batch_find_nothing_that_was_undone() {
    let store = Store::new();
    let (org, _) = store.organization();
    for _ in 0..20 {
        let writes: Vec<_> = (0..16)
            .map(|n| {
                let db = store.db.clone();
                let write = move |tx: &mut Tx<'_>| {
                    journal::lock(tx, &[Lock::Journal(org)])?;
                    assert_eq!(written(tx, org)?, version(tx, org)?);
                    let raised = raise(tx, org)?;
                    assert_eq!(written(tx, org)?, raised);
                    if n % 4 == 3 { Err(Error::NotFound) } else { Ok(raised) }
                };
                let place = Some(Place { lane: 1, person: 0 });
                store.runtime.spawn(async move { db.write_in_lane(place, write).await })
            })
            .collect();
        let ended = writes.into_iter().map(|write| store.runtime.block_on(write).expect("a task"));
        assert_eq!(ended.flatten().count(), 12);
    }
    assert_eq!(store.read(&store.db, move |tx| version(tx, org)), 240);
}

#[test]
fn a_write_knows_no_token_that_was_revoked_before_it() {
    let store = Store::new();
    let (org, _) = store.organization();
    store.write(&store.db, move |tx| {
        let now = Time(0);
        let (user,): (i64,) =
            tx.run_one("INSERT INTO users (login, created_at, updated_at) VALUES ('sam', 0, 0) RETURNING id", &[])?;
        let new = token::New {
            user,
            kind: "personal",
            made_by: None,
            scopes: Scopes::default(),
            note: None,
            expires_at: None,
            effective_teams: false,
            application: None,
        };
        let (id, text) = token::create(tx, &new, None, "ghp_", now)?;
        assert!(token::authenticate(tx, &token_text::hash(&text), now)?.active().is_ok());
        let change = |tx: &mut Tx<'_>, sql| tx.run(sql, &[&user]).and_then(|_| raise(tx, org));
        change(tx, "UPDATE users SET suspended = TRUE WHERE id = $1")?;
        assert!(matches!(token::authenticate(tx, &token_text::hash(&text), now)?.active(), Err(Error::Suspended)));
        change(tx, "UPDATE users SET suspended = FALSE WHERE id = $1")?;
        assert!(token::authenticate(tx, &token_text::hash(&text), now)?.active().is_ok());
        token::delete(tx, id)?;
        raise(tx, org)?;
        assert!(matches!(token::authenticate(tx, &token_text::hash(&text), now), Err(Error::BadCredentials)));
        Ok(())
    });
}

#[test]
fn a_write_finds_nothing_from_before_a_commit_of_another_process() {
    let store = Store::new();
    let (org, _) = store.organization();
    let other = store.second_handle();
    for n in 0..10 {
        let writer = if n % 2 == 0 { &store.db } else { &other };
        store.write(writer, move |tx| {
            assert_eq!(written(tx, org)?, version(tx, org)?);
            raise(tx, org)?;
            written(tx, org)
        });
    }
}

/// Each connection may lead to another of several hosts, so nothing that one of them shows is proven by another.
#[test]
fn nothing_is_kept_for_others_where_an_address_has_several_hosts() {
    let store = Store::new();
    let Address::Postgres(url) = &store.database.address else { return };
    let (org, _) = store.organization();
    let (user, rest) = url.split_once('@').expect("a user");
    let (server, name) = rest.split_once('/').expect("a database");
    let (host, port) = server.split_once(':').expect("a port");
    for several in
        [format!("{user}@{server},{server}/{name}"), format!("{user}@/{name}?hostaddr={host},{host}&port={port}")]
    {
        let db = store.runtime.block_on(Db::open(&Address::Postgres(several))).expect("a database").for_requests();
        assert_eq!((0..200).filter(|_| cached(&store, &db, org).2).count(), 200);
    }
}
