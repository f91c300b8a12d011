//! The database is taken away and comes back: 503 meanwhile, and nothing that was acknowledged is lost.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use crate::faults::program::Place;
use crate::support::database::Database;
use crate::support::{Answer, Client, World, dump, json, waiting};

/// Less than a write waits for the lock of the file.
const LOCKED_OUT: Duration = Duration::from_secs(4);

/// Waits until a request is answered with this status.
#[track_caller]
fn until(client: &Client, path: &str, status: u16) {
    waiting::until(&format!("{path} becomes {status}"), || client.get(path).status == status);
}

/// Fails unless the response says that the request may be sent again.
#[track_caller]
pub fn must_be_unavailable(answer: &Answer) {
    answer.refused(503, "The service cannot answer right now. Try again shortly.");
    assert_eq!(answer.header("retry-after"), Some("1"));
}

/// Another process holds the lock of the file for longer than a request waits.
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
        for _ in 0..5 {
            world.olivia().get("/orgs/acme/teams/core").expect(200);
            assert!(!waiting.iter().any(ScopedJoinHandle::is_finished), "a read waited for a writer");
        }
        for answer in waiting.into_iter().map(|one| one.join().expect("no panic")) {
            must_be_unavailable(&answer);
        }
    });
    let waited = since.elapsed();
    assert!(waited > LOCKED_OUT, "{waited:?}");
    other.execute_batch("ROLLBACK").expect("to let go");
    make("In again").expect(201);
    assert_eq!(world.olivia().all("/orgs/acme/teams").len(), 2, "what was refused is not there");
}

/// The same on PostgreSQL: another session holds the head of the organization's journal.
#[test]
fn an_organization_that_another_session_keeps_locked() {
    if !Database::is_postgres() {
        return;
    }
    let world = World::new();
    world.organization("beta", "nina", &[]);
    let (org,) = world.rows::<(i64,)>("SELECT id FROM orgs WHERE login = 'acme'").remove(0);
    let mut other = on_database(&name_of_database(&world));
    other.execute("BEGIN", &[]).expect("a transaction");
    other.execute("SELECT entry FROM journal_heads WHERE org_id = $1 FOR UPDATE", &[&org]).expect("the lock");
    let before = dump::everything(&world);
    let since = Instant::now();
    let make = |name: &str| world.olivia().post("/orgs/acme/teams", json!({ "name": name }));
    must_be_unavailable(&make("Locked out"));
    let waited = since.elapsed();
    assert!(waited > LOCKED_OUT, "{waited:?}");
    world.olivia().get("/orgs/acme/teams/core").expect(200);
    assert!(dump::everything(&world) == before, "{}", dump::difference(&before, &dump::everything(&world)));
    world.nina().post("/orgs/beta/teams", json!({ "name": "Elsewhere" })).expect(201);
    other.execute("ROLLBACK", &[]).expect("to let go");
    make("In again").expect(201);
    assert_eq!(world.olivia().all("/orgs/acme/teams").len(), 2, "what was refused is not there");
}

/// Many requests wait for a head that another session has locked. Their timeouts are no outage: other requests are
/// served.
#[test]
fn an_organization_that_is_locked_while_many_write_disturbs_no_other() {
    if !Database::is_postgres() {
        return;
    }
    let place = Place::new();
    let log = place.database.directory().join("log");
    let server = place.serve_logging(&log);
    let admin = || server.admin();
    for org in ["acme", "beta"] {
        admin().post("/admin/organizations", json!({ "login": org, "admin": "site-admin" })).expect(201);
    }
    let url = place.database.argument();
    let (_, name) = url.rsplit_once('/').expect("the address names a database");
    let mut other = on_database(name);
    other.batch_execute("BEGIN").expect("a transaction");
    other.execute(HEAD, &[&"acme"]).expect("the lock");
    let mut watching = on_database(name);
    let mut waits = || watching.query_one(WAITS, &[]).expect("the sessions").get::<_, bool>(0);
    let since = Instant::now();
    let answers = std::thread::scope(|scope| {
        let write = move |number: u32| {
            let answer = admin().post("/orgs/acme/teams", json!({ "name": format!("Locked out {number}") }));
            (answer, since.elapsed())
        };
        let first = scope.spawn(move || write(0));
        waiting::until("the first waits", &mut waits);
        let further: Vec<_> = (1..WRITERS).map(|number| scope.spawn(move || write(number))).collect();
        let mut round = 0;
        while !further.iter().all(ScopedJoinHandle::is_finished) {
            round += 1;
            admin().patch("/orgs/beta", json!({ "company": round.to_string() })).expect(200);
            admin().get("/orgs/acme").expect(200);
        }
        let all = std::iter::once(first).chain(further);
        all.map(|one| one.join().expect("no panic")).collect::<Vec<_>>()
    });
    for (answer, _) in &answers {
        must_be_unavailable(answer);
    }
    let (first, last) = (answers[0].1, answers.iter().map(|(_, took)| *took).max().expect("answers"));
    assert!(last < first * WRITERS / 2, "they waited for the lock one after the other: {first:?}, {last:?}");
    let text = std::fs::read_to_string(&log).expect("the log");
    assert!(!text.contains("cannot be reached"), "{text}");
    other.batch_execute("ROLLBACK").expect("to let go");
    admin().post("/orgs/acme/teams", json!({ "name": "In again" })).expect(201);
    assert_eq!(admin().all("/orgs/acme/teams").len(), 1, "what was refused is not there");
}

const WRITERS: u32 = 16;

const WAITS: &str = "
    SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')";

const HEAD: &str = "
    SELECT h.entry FROM journal_heads h JOIN orgs o ON o.id = h.org_id WHERE o.login = $1 FOR UPDATE OF h";

/// A session of another program.
fn on_database(name: &str) -> postgres::Client {
    let server = std::env::var("GUILDHALL_TEST_DATABASE").expect("PostgreSQL");
    let (root, _) = server.rsplit_once('/').expect("the address names a database");
    postgres::Client::connect(&format!("{root}/{name}"), postgres::NoTls).expect("a connection")
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
    let (name, work) = (name_of_database(&world), Work::default());
    let made = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let (world, work) = (&world, &work);
                scope.spawn(move || write_until(world, writer, work))
            })
            .collect();
        for _ in 0..5 {
            more(&work.made);
            let before = work.refused.load(Ordering::SeqCst);
            waiting::until("a request is refused", || {
                cut(&name);
                work.refused.load(Ordering::SeqCst) > before
            });
        }
        more(&work.made);
        work.done.store(true, Ordering::SeqCst);
        writers.into_iter().flat_map(|writer| writer.join().expect("a writer")).collect::<BTreeSet<_>>()
    });
    until_all_answer(&world.olivia());
    let shown = world.olivia().all("/orgs/acme/teams?per_page=100");
    let shown: BTreeSet<String> = shown.iter().map(|team| team["slug"].as_str().expect("a slug").into()).collect();
    assert!(shown.is_superset(&made), "acknowledged and lost: {:?}", made.difference(&shown));
    let refused = work.refused.load(Ordering::SeqCst);
    assert!(shown.len() <= made.len() + 1 + refused, "more was made than was asked for");
    let findings = world.block_on(guildhall::doctor::run(&world.db, &[7; 32])).expect("doctor can look").findings;
    assert!(findings.is_empty(), "{findings:#?}");
}

/// The outcome of the requests of some writers.
#[derive(Default)]
struct Work {
    made: AtomicUsize,
    refused: AtomicUsize,
    done: AtomicBool,
}

/// Waits until all writers can have got further.
fn more(made: &AtomicUsize) {
    let before = made.load(Ordering::SeqCst);
    waiting::until("more is written", || made.load(Ordering::SeqCst) >= before + 4);
}

/// Makes teams; those that were acknowledged.
fn write_until(world: &World, writer: usize, work: &Work) -> BTreeSet<String> {
    let (client, mut made) = (world.olivia(), BTreeSet::new());
    for number in 0.. {
        if work.done.load(Ordering::SeqCst) {
            break;
        }
        let slug = format!("w{writer}-{number}");
        let status = client.post("/orgs/acme/teams", json!({ "name": slug })).status;
        let counted = match status {
            201 => &work.made,
            503 => &work.refused,
            other => panic!("{other} while connections are cut"),
        };
        counted.fetch_add(1, Ordering::SeqCst);
        if status == 201 {
            made.insert(slug);
        }
        let read = client.get("/orgs/acme/teams/core").status;
        assert!(read == 200 || read == 503, "{read} while connections are cut");
    }
    made
}

/// Waits until each thread of the pool has found its way back, as it does by itself.
#[track_caller]
fn until_all_answer(client: &Client) {
    let is_served = || client.get("/orgs/acme/teams/core").status == 200;
    waiting::until("no request is refused", || (0..40).all(|_| is_served()));
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
    until_all_answer(&olivia);
    olivia.post("/orgs/acme/teams", json!({ "name": "Here" })).expect(201);
    olivia.get("/orgs/acme/teams/nowhere").expect(404);
}
