//! The process is killed while all clients write: what was acknowledged is kept, and what is kept is whole.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Sender};

use guildhall::db::Db;

use crate::faults::cut::must_be_unavailable;
use crate::faults::program::{ADMIN_TOKEN, Place, Server};
use crate::support::{Answer, Client, Value, json};

const WRITERS: usize = 6;
const ROUNDS: usize = 100;

/// The last acknowledged change of a team.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Known {
    /// It was answered that it was made.
    Made,
    /// And that Max is in it.
    Filled,
    /// And that it was deleted.
    Gone,
}

/// The answers to one writer, and the team for which it had no answer any more.
#[derive(Default)]
struct Log {
    known: BTreeMap<String, Known>,
    open: Option<String>,
}

/// Creates teams, fills them and deletes every third, until the server no longer answers.
fn write_on(client: &Client, round: usize, writer: usize, acknowledge: &Sender<()>) -> Log {
    let mut log = Log::default();
    for number in 0.. {
        let slug = format!("r{round}-w{writer}-{number}");
        let path = format!("/orgs/acme/teams/{slug}");
        let steps = [
            ("POST", "/orgs/acme/teams".to_owned(), Some(json!({ "name": slug, "privacy": "closed" })), Known::Made),
            ("PUT", format!("{path}/memberships/max"), Some(json!({})), Known::Filled),
            ("DELETE", path, None, Known::Gone),
        ];
        for (verb, path, body, then) in steps.into_iter().take(if number % 3 == 0 { 3 } else { 2 }) {
            let Some(answer) = persist(client, verb, &path, body.as_ref()) else {
                log.open = Some(slug);
                return log;
            };
            assert!(answer.status < 300, "{} answered {}", answer.request, answer.text);
            log.known.insert(slug.clone(), then);
            // Once enough was acknowledged, the receiver is gone.
            _ = acknowledge.send(());
        }
    }
    log
}

/// Sends a request until it is no longer refused for now: on a busy machine others may hold the organization for longer
/// than the service lets a client wait. `None` if the server does not answer.
fn persist(client: &Client, verb: &str, path: &str, body: Option<&Value>) -> Option<Answer> {
    loop {
        let answer = client.attempt(verb, path, body.map(Value::to_string)).ok()?;
        if answer.status != 503 {
            return Some(answer);
        }
        must_be_unavailable(&answer);
    }
}

/// Fails unless everything that was answered is true.
fn check(client: &Client, logs: &[Log]) {
    let open: Vec<&String> = logs.iter().filter_map(|log| log.open.as_ref()).collect();
    for (slug, known) in logs.iter().flat_map(|log| &log.known) {
        let path = format!("/orgs/acme/teams/{slug}");
        let status = |path: &str| persist(client, "GET", path, None).expect("the server answers").status;
        let (there, member) = (status(&path), status(&format!("{path}/memberships/max")) == 200);
        assert!([200, 404].contains(&there), "{slug} is answered with {there}");
        let there = there == 200;
        if open.contains(&slug) {
            // Its last step may have been done or not; what was answered before holds.
            assert!(!there || *known != Known::Gone && (member || *known != Known::Filled), "{slug} was {known:?}");
        } else {
            assert_eq!((there, member), (*known != Known::Gone, *known == Known::Filled), "{slug} was {known:?}");
        }
    }
}

/// Fails if there is a team that no client asked for.
fn check_nothing_else(client: &Client, logs: &[Log]) {
    for team in client.all("/orgs/acme/teams?per_page=100") {
        let slug = team["slug"].as_str().expect("a slug");
        let asked = logs.iter().any(|log| log.known.contains_key(slug) || log.open.as_deref() == Some(slug));
        assert!(asked, "{slug} was never asked for");
    }
}

/// An event for each team that was made, no more and no less.
fn check_events(place: &Place, logs: &[Log]) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let facts: Vec<(String,)> = runtime.block_on(async {
        let db = Db::open(&place.database.address).await.expect("the database");
        let read = db.read(|tx| {
            tx.all("SELECT facts FROM journal_facts WHERE event = 'team.created' ORDER BY org_id, entry", &[])
        });
        read.await.expect("events")
    });
    let facts: Vec<Value> = facts.iter().map(|(facts,)| serde_json::from_str(facts).expect("facts")).collect();
    let of = |slug: &str| facts.iter().filter(|facts| facts["team"]["slug"] == slug).count();
    for slug in logs.iter().flat_map(|log| log.known.keys()) {
        assert_eq!(of(slug), 1, "events of {slug}");
    }
    let open = logs.iter().filter_map(|log| log.open.as_ref()).filter(|slug| of(slug) > 0);
    let unanswered = open.filter(|slug| !logs.iter().any(|log| log.known.contains_key(*slug))).count();
    assert_eq!(facts.len(), logs.iter().map(|log| log.known.len()).sum::<usize>() + unanswered);
}

fn token_of_olivia(place: &Place, server: &Server) -> String {
    let admin = server.admin();
    for login in ["olivia", "max"] {
        admin.post("/admin/users", json!({ "login": login })).expect(201);
    }
    admin.post("/admin/organizations", json!({ "login": "acme", "admin": "olivia" })).expect(201);
    // Events of teams are stored while there is a webhook, even if it does not listen to them.
    let hook = json!({ "name": "web", "events": ["user"], "config": { "url": "https://hooks.example.com/" } });
    admin.post("/admin/hooks", hook).expect(201);
    let made = place.run(&["token", "create", "--user", "olivia", "--user", "max", "--scopes", "admin:org"]);
    let tokens = crate::faults::program::text(&made.stdout);
    let token = |login: &str| {
        let line = tokens.lines().find_map(|line| line.strip_prefix(login)).expect("a token");
        line.trim().to_owned()
    };
    let (olivia, max) = (server.client(&token("olivia")), server.client(&token("max")));
    olivia.put("/orgs/acme/memberships/max", json!({})).expect(200);
    max.patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    token("olivia")
}

/// Lets all clients write, and kills the server meanwhile, each time at another point of the work.
fn write_until_killed(place: &Place, server: Server, token: &str, round: usize) -> Vec<Log> {
    let (acknowledge, acknowledged) = mpsc::channel();
    std::thread::scope(|scope| {
        let writer = |number: usize| {
            let (client, acknowledge) = (server.client(token), acknowledge.clone());
            scope.spawn(move || write_on(&client, round, number, &acknowledge))
        };
        let writers: Vec<_> = (0..WRITERS).map(writer).collect();
        drop(acknowledge);
        for _ in 0..3 + 5 * round % 17 {
            acknowledged.recv().expect("somebody writes");
        }
        server.kill();
        place.until_forgotten();
        writers.into_iter().map(|writer| writer.join().expect("a writer")).collect()
    })
}

#[test]
fn killed_a_hundred_times_under_load_it_loses_nothing_that_was_acknowledged() {
    let place = Place::new();
    let mut server = place.serve();
    let token = token_of_olivia(&place, &server);
    let mut logs: Vec<Log> = Vec::new();
    for round in 0..ROUNDS {
        logs.extend(write_until_killed(&place, server, &token, round));
        // What is broken stays broken.
        if round % 10 == 9 {
            place.must_be_well();
        }
        server = place.serve();
        check(&server.client(&token), &logs[logs.len() - WRITERS..]);
    }
    check(&server.client(&token), &logs);
    check_nothing_else(&server.client(&token), &logs);
    server.client(ADMIN_TOKEN).get("/user").expect(200);
    server.tell_to_stop();
    assert!(server.wait(), "it stops in good order");
    check_events(&place, &logs);
    place.must_be_well();
}
