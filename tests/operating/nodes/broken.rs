//! The checker of histories finds what it is there to find: each test here breaks a rule of decision records 0028 and
//! 0029 on purpose. Without the flaw, the same scenario is in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use guildhall::db::{Address, Cacheable, Flaw, Tx};
use guildhall::error::{Error, Result};

use crate::nodes::as_served;
use crate::nodes::history::{Action, History, contradiction};
use crate::nodes::posts::Posts;
use crate::nodes::proxy::{Cut, Proxy};
use crate::nodes::registers::Register;
use crate::support::database::Database;
use crate::support::waiting::until;
use crate::support::{Client, World, json};

/// The time that an answer of PostgreSQL is on its way to the second node.
const DELAY: Duration = Duration::from_millis(5);

/// The number of times that it is tried.
const ROUNDS: usize = 60;

/// The number of times that it is tried at most to find a flaw that only shows if requests meet.
const UNTIL_FOUND: usize = 6_000;

/// Two nodes on PostgreSQL, of which the second has this flaw and reaches it by a proxy. There is a team R0.
fn nodes(flaw: Option<Flaw>) -> Option<(World, World, Proxy)> {
    let first = World::with(as_served());
    let Address::Postgres(url) = first.address() else { return None };
    let proxy = Proxy::before(url);
    let second = World::on(&Address::Postgres(proxy.url(url)), as_served());
    first.olivia().post("/orgs/acme/teams", json!({ "name": "R0", "description": "0" })).expect(201);
    if let Some(flaw) = flaw {
        second.db.suffer(flaw);
    }
    Some((first, second, proxy))
}

/// Writes at one node and reads at the other at once, while further readers there have it ask for proofs.
fn read_after_writing(flaw: Option<Flaw>, rounds: usize) -> Option<String> {
    let (first, second, proxy) = nodes(flaw)?;
    let (writer, reader, register) = (first.olivia(), second.olivia(), Register::default());
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let (reader, ended) = (second.olivia(), &ended);
            scope.spawn(move || {
                while !ended.load(Ordering::SeqCst) {
                    reader.get("/orgs/acme/teams/r0").expect(200);
                }
            });
        }
        proxy.delay(DELAY);
        let mut found = None;
        for _ in 0..rounds {
            // Until memory has it.
            for _ in 0..4 {
                register.read(&reader, 0);
            }
            register.write(&writer, 0);
            register.read(&reader, 0);
            found = register.contradiction();
            if found.is_some() {
                break;
            }
        }
        ended.store(true, Ordering::SeqCst);
        found
    })
}

#[test]
fn a_proof_that_is_shared_with_readers_who_came_too_late_is_found() {
    if !Database::is_postgres() {
        return;
    }
    assert_eq!(read_after_writing(None, ROUNDS), None);
    assert!(read_after_writing(Some(Flaw::ShareLate), UNTIL_FOUND).is_some(), "stale reads were not found");
}

struct Described(u64);

impl Cacheable for Described {
    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

fn described(tx: &mut Tx<'_>) -> Result<u64> {
    let described = tx.cached(b"broken", |tx| {
        let (text,): (String,) = tx.one("SELECT description FROM teams WHERE slug = 'r0'", &[])?;
        Ok(Described(text.parse().expect("a number")))
    });
    Ok(described?.0)
}

/// A write changes the description, looks at it again and again, and fails. It is read meanwhile.
fn read_beside_a_write_that_fails(flaw: Option<Flaw>) -> Option<String> {
    let (_first, second, _proxy) = nodes(flaw)?;
    let (db, history) = (second.db.clone().for_requests(), History::default());
    let [written, released] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    std::thread::scope(|scope| {
        let (looked, end) = (Arc::clone(&written), Arc::clone(&released));
        let write = second.db.write(move |tx| {
            tx.run("UPDATE teams SET description = '1' WHERE slug = 'r0'", &[])?;
            while !end.load(Ordering::SeqCst) {
                described(tx)?;
                looked.store(true, Ordering::SeqCst);
            }
            Err::<(), _>(Error::NotFound)
        });
        let writing = scope.spawn(|| second.block_on(write));
        until("the write is under way", || written.load(Ordering::SeqCst));
        for _ in 0..ROUNDS {
            let asked = Instant::now();
            let value = second.block_on(db.read(described)).expect("a description");
            history.note(Action::Read(value), asked, true);
        }
        released.store(true, Ordering::SeqCst);
        assert!(writing.join().expect("no panic").is_err());
    });
    contradiction(&history.operations())
}

#[test]
fn memory_that_is_filled_by_a_writing_transaction_is_found() {
    if !Database::is_postgres() {
        return;
    }
    assert_eq!(read_beside_a_write_that_fails(None), None);
    let found = read_beside_a_write_that_fails(Some(Flaw::FillWhileWriting)).expect("the checker finds it");
    assert!(found.contains("was read and never written"), "{found}");
}

/// The answers to commits are lost while posts are made.
fn make_posts(flaw: Option<Flaw>) -> Option<String> {
    let (first, second, proxy) = nodes(flaw)?;
    let (owner, posts): (Client, Posts) = (second.olivia(), Posts::default());
    posts.make(&owner, 0);
    for _ in 0..3 {
        let before = proxy.cuts();
        proxy.cut(Cut::After, 1);
        std::thread::scope(|scope| {
            let making = scope.spawn(|| posts.make(&owner, 0));
            while proxy.cuts() == before {
                std::thread::yield_now();
            }
            proxy.cut(Cut::Nowhere, 1);
            making.join().expect("no panic");
        });
    }
    assert!(posts.list(&first.olivia(), 0));
    posts.contradiction()
}

#[test]
fn a_commit_that_is_repeated_blindly_is_found() {
    if !Database::is_postgres() {
        return;
    }
    assert_eq!(make_posts(None), None);
    let found = make_posts(Some(Flaw::RepeatBlindly)).expect("the checker finds it");
    assert!(found.contains("times"), "{found}");
}
