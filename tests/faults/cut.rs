//! The database is taken away and comes back: 503 meanwhile, and nothing that was acknowledged is lost.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::support::database::Database;
use crate::support::{Answer, Client, World, json};

/// How long it may take until all requests are answered again.
const BACK: Duration = Duration::from_secs(10);

/// Waits until a request is answered with this status.
#[track_caller]
fn until(client: &Client, path: &str, status: u16) {
    let since = Instant::now();
    while client.get(path).status != status {
        assert!(since.elapsed() < BACK, "{path} does not become {status}");
    }
}

/// Fails unless it is said that it may be tried again.
#[track_caller]
pub fn must_be_unavailable(answer: &Answer) {
    answer.refused(503, "The service cannot answer right now. Try again shortly.");
    assert_eq!(answer.header("retry-after"), Some("1"));
}

/// Another process holds the lock of the file for longer than anybody waits.
#[test]
fn a_database_that_another_process_keeps_locked() {
    if Database::is_postgres() {
        return;
    }
    let world = World::new();
    let file = world.db.file().expect("a file").to_owned();
    let other = rusqlite::Connection::open(file).expect("the database");
    let make = |name: &str| world.olivia().post("/orgs/acme/teams", json!({ "name": name }));
    other.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    let since = Instant::now();
    std::thread::scope(|scope| {
        let waiting: Vec<_> = (0..4).map(|n| scope.spawn(move || make(&format!("Locked out {n}")))).collect();
        while !waiting.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            let read = Instant::now();
            world.olivia().get("/orgs/acme/teams/core").expect(200);
            assert!(read.elapsed() < Duration::from_secs(1), "reads wait for nobody");
        }
        for answer in waiting.into_iter().map(|one| one.join().expect("no panic")) {
            must_be_unavailable(&answer);
        }
    });
    let waited = since.elapsed();
    assert!(waited > Duration::from_secs(4) && waited < Duration::from_secs(25), "{waited:?}");
    other.execute_batch("ROLLBACK").expect("to let go");
    make("In again").expect(201);
    assert_eq!(world.olivia().all("/orgs/acme/teams").len(), 2, "what was refused is not there");
}

fn on_server(sql: &str) {
    let server = std::env::var("GUILDHALL_TEST_DATABASE").expect("PostgreSQL");
    let mut client = postgres::Client::connect(&server, postgres::NoTls).expect("a connection");
    client.batch_execute(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Ends every connection of the server under test.
fn cut(name: &str) {
    on_server(&format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"));
}

fn name_of_database(world: &World) -> String {
    world.rows::<(String,)>("SELECT CAST(current_database() AS TEXT)").remove(0).0
}

#[test]
fn connections_that_are_cut_are_made_again() {
    if !Database::is_postgres() {
        return;
    }
    let world = World::new();
    let (name, done) = (name_of_database(&world), AtomicBool::new(false));
    let (made, refused) = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let (world, done) = (&world, &done);
                scope.spawn(move || write_until(world, writer, done))
            })
            .collect();
        for _ in 0..5 {
            std::thread::sleep(Duration::from_millis(200));
            cut(&name);
        }
        std::thread::sleep(Duration::from_millis(300));
        done.store(true, Ordering::SeqCst);
        let logs = writers.into_iter().map(|writer| writer.join().expect("a writer"));
        logs.fold((BTreeSet::new(), 0), |(mut all, refused), (made, more)| {
            all.extend(made);
            (all, refused + more)
        })
    });
    assert!(refused > 0, "nobody noticed");
    let shown = world.olivia().all("/orgs/acme/teams?per_page=100");
    let shown: BTreeSet<String> = shown.iter().map(|team| team["slug"].as_str().expect("a slug").into()).collect();
    assert!(shown.is_superset(&made), "acknowledged and lost: {:?}", made.difference(&shown));
    assert!(shown.len() <= made.len() + 1 + refused, "more was made than was asked for");
    let findings = world.block_on(guildhall::cli::doctor::run(&world.db, &[7; 32])).expect("doctor can look");
    assert!(findings.is_empty(), "{findings:#?}");
}

/// Makes teams; those that were acknowledged, and how many were not.
fn write_until(world: &World, writer: usize, done: &AtomicBool) -> (BTreeSet<String>, usize) {
    let (client, mut made, mut refused) = (world.olivia(), BTreeSet::new(), 0);
    for number in 0.. {
        if done.load(Ordering::SeqCst) {
            break;
        }
        let slug = format!("w{writer}-{number}");
        match client.post("/orgs/acme/teams", json!({ "name": slug })).status {
            201 => drop(made.insert(slug)),
            503 => refused += 1,
            other => panic!("{other} while connections are cut"),
        }
        let read = client.get("/orgs/acme/teams/core").status;
        assert!(read == 200 || read == 503, "{read} while connections are cut");
    }
    (made, refused)
}

#[test]
fn a_server_out_of_reach_is_said_and_found_again() {
    if !Database::is_postgres() {
        return;
    }
    let world = World::new();
    let (name, olivia) = (name_of_database(&world), world.olivia());
    olivia.get("/readyz").expect(200);
    on_server(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"));
    cut(&name);
    until(&olivia, "/readyz", 503);
    olivia.get("/healthz").expect(200);
    for _ in 0..5 {
        for answer in [olivia.get("/orgs/acme/teams"), olivia.post("/orgs/acme/teams", json!({ "name": "Nowhere" }))] {
            must_be_unavailable(&answer);
        }
    }
    on_server(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true"));
    until(&olivia, "/readyz", 200);
    until(&olivia, "/orgs/acme/teams/core", 200);
    // Each thread of the pool finds its way back by itself.
    let since = Instant::now();
    let mut row = 0;
    while row < 40 {
        row = if olivia.get("/orgs/acme/teams/core").status == 200 { row + 1 } else { 0 };
        assert!(since.elapsed() < BACK, "requests are still refused");
    }
    olivia.post("/orgs/acme/teams", json!({ "name": "Here" })).expect(201);
    olivia.get("/orgs/acme/teams/nowhere").expect(404);
}
