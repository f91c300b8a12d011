//! A seed of 300 teams and 1,300 people: how long it takes until the server is ready, and how long a reset takes.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::dev::server::{Server, names};

/// The seed as YAML: each team has about ten members and three repositories.
fn large() -> String {
    let mut text = "orgs:\n  large:\n    admins: [person-0]\n    members:\n".to_owned();
    for person in 1..1_300 {
        writeln!(text, "    - person-{person}").expect("a line");
    }
    text.push_str("    repos:\n");
    for repo in 0..100 {
        writeln!(text, "      repo-{repo}: {{private: true}}").expect("a line");
    }
    text.push_str("    teams:\n");
    for team in 0..300 {
        let members: Vec<String> = (0..10).map(|n| format!("person-{}", (team * 13 + n * 7) % 1_300)).collect();
        let (members, repo) = (members.join(", "), team % 100);
        writeln!(text, "      Team {team}: {{privacy: closed, members: [{members}], repos: {{repo-{repo}: write}}}}")
            .expect("a line");
    }
    text.push_str("tokens:\n  person-token: {login: person-0, scopes: [\"admin:org\", repo]}\n");
    text
}

/// The least: a busy machine makes all of them longer, but not all of them much longer.
fn least(times: impl Iterator<Item = Duration>) -> Duration {
    times.min().expect("a time")
}

/// A reset does not import the seed again, so it takes far less time than a start.
#[test]
fn a_large_seed_is_reset_sooner_than_it_is_imported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("seed.yaml");
    std::fs::write(&path, large()).expect("a file");
    let server = Server::seeded(&path, &[]);
    let person = server.client("person-token");
    let control = server.control();
    let reset = least((0..15).map(|_| {
        assert_eq!(names(&person.get("/orgs/large/teams?per_page=100")).len(), 100);
        let began = Instant::now();
        control.post("/reset", crate::support::json!({})).expect(200);
        began.elapsed()
    }));
    let ready = least((0..3).map(|_| Server::seeded(&path, &[]).took));
    let small = least((0..3).map(|_| Server::sampled().took));
    println!("ready in {ready:?}, a small seed in {small:?}, reset in {reset:?}");
    assert!(reset < ready / 3, "reset in {reset:?}, ready in {ready:?}");
}
