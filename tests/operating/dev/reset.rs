//! A reset: everything is as it was, byte for byte.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::dev::calls;
use crate::dev::server::{Server, names};
use crate::dev::wire::{Call, Wire};
use crate::support::waiting::HANG;
use crate::support::{Client, json};

/// Sends all requests over two connections in turn.
fn answers(server: &Server, first: &mut Wire) -> Vec<String> {
    let mut second = Wire::open(&server.address);
    let calls = calls::all();
    let sent = calls.iter().enumerate();
    sent.map(|(n, call)| if n % 3 == 0 { second.send(call) } else { first.send(call) }).collect()
}

fn first_difference<'a>(one: &'a [String], other: &'a [String]) -> Option<(&'a String, &'a String)> {
    assert_eq!((one.len(), other.len()), (200, 200));
    one.iter().zip(other).find(|(one, other)| one != other)
}

#[test]
fn the_same_200_requests_get_the_same_bytes_after_a_reset() {
    let server = Server::sampled();
    // One connection stays open through the reset.
    let mut wire = Wire::open(&server.address);
    let before = answers(&server, &mut wire);
    let status =
        |status: &str| before.iter().filter(|answer| answer.starts_with(&format!("HTTP/1.1 {status}"))).count();
    assert!(status("201") >= 60 && status("200") >= 70 && status("204") >= 10 && status("4") >= 20, "{before:#?}");
    let different = answers(&server, &mut wire);
    assert!(first_difference(&before, &different).is_some(), "the requests see no state");
    server.reset();
    let after = answers(&server, &mut wire);
    assert_eq!(first_difference(&before, &after), None);
}

#[test]
fn decision_81_organizations_need_no_approval_of_applications() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    assert_eq!(olivia.get("/orgs/acme").expect(200)["applications_need_approval"], false);
    let created = json!({ "login": "fresh", "admin": "olivia" });
    server.client("sam-token").post("/admin/organizations", created).expect(201);
    assert_eq!(olivia.get("/orgs/fresh").expect(200)["applications_need_approval"], false);
}

#[test]
fn two_processes_with_the_same_seed_answer_the_same() {
    let (one, other) = (Server::sampled(), Server::sampled());
    let listed = |server: &Server| {
        let (base, olivia) = (server.base(), server.client("olivia-token"));
        let minted = server.client("sam-token").post("/admin/users/max/authorizations", json!({ "scopes": ["repo"] }));
        let id = minted.header("x-github-request-id").expect("an ID").to_owned();
        let teams = olivia.get("/orgs/acme/teams");
        (minted.text.replace(&base, ""), id, teams.text.replace(&base, ""), teams.header("etag").map(str::len))
    };
    assert_eq!(listed(&one), listed(&other));
}

#[test]
fn a_reset_empties_everything() {
    let server = Server::sampled();
    let (control, olivia) = (server.control(), server.client("olivia-token"));
    olivia.post("/orgs/acme/teams", json!({ "name": "Gone" })).expect(201);
    let minted = server.client("sam-token").post("/admin/users/max/authorizations", json!({ "scopes": ["repo"] }));
    let minted = minted.expect(201)["token"].as_str().expect("a token").to_owned();
    olivia.post("/orgs/acme/invitations", json!({ "email": "new@example.com" })).expect(201);
    crate::dev::server::until(|| (control.get("/mail").json["mail"].as_array()?.len() == 1).then_some(()));
    control.post("/clock", json!({ "advance": "8d", "frozen": false })).expect(200);
    server.fault(json!({ "operation": "teams.list", "status": 500 })).expect(200);
    olivia.get("/orgs/acme/teams").expect(500);

    let clock = control.post("/reset", json!({}));
    assert_eq!(clock.expect(200), &json!({ "now": "2026-01-01T00:00:00Z", "frozen": true }));
    assert_eq!(control.get("/mail").expect(200), &json!({ "mail": [] }));
    assert_eq!(control.get("/deliveries").expect(200), &json!({ "deliveries": [] }));
    assert_eq!(control.get("/faults").expect(200), &json!({ "faults": [] }));
    assert_eq!(control.get("/requests").expect(200), &json!({ "total": 0, "requests": [] }));
    let teams = olivia.get("/orgs/acme/teams");
    assert_eq!(
        (names(&teams), teams.header("x-ratelimit-used")),
        (vec!["Core".into(), "Engineering".into(), "Security".into()], Some("1"))
    );
    server.client(&minted).get("/user").expect(401);
    assert_eq!(olivia.get("/orgs/acme/invitations").expect(200), &json!([]));
}

#[test]
fn two_resets_at_once_both_succeed() {
    let server = Server::sampled();
    std::thread::scope(|scope| {
        let resets: Vec<_> =
            (0..2).map(|_| scope.spawn(|| server.control().post("/reset", json!({})).status)).collect();
        for reset in resets {
            assert_eq!(reset.join().expect("a status"), 200);
        }
    });
    server.client("olivia-token").get("/user").expect(200);
}

#[test]
fn a_reset_under_load_leaves_nothing_of_before() {
    let server = Server::sampled();
    let (stop, written) = (AtomicBool::new(false), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for writer in 0..32 {
            let (server, stop, written) = (&server, &stop, &written);
            scope.spawn(move || {
                let olivia = server.client("olivia-token");
                let mut n = 0;
                while !stop.load(Ordering::SeqCst) {
                    let made = olivia.post("/orgs/acme/teams", json!({ "name": format!("Load {writer} {n}") }));
                    // 422 for a name that another generation does not have cannot happen: names are never repeated.
                    assert!(matches!(made.status, 201 | 403), "{} {}", made.status, made.text);
                    written.fetch_add(u32::from(made.status == 201), Ordering::SeqCst);
                    n += 1;
                }
            });
        }
        for _ in 0..5 {
            let before = written.load(Ordering::SeqCst);
            crate::dev::server::until(|| (written.load(Ordering::SeqCst) > before + 40).then_some(()));
            server.reset();
        }
        stop.store(true, Ordering::SeqCst);
    });
    server.reset();
    let olivia = server.client("olivia-token");
    assert_eq!(names(&olivia.get("/orgs/acme/teams?per_page=100")).len(), 3);
    // IDs begin where the seed ends, as if nothing had been written.
    let id = |server: &Server| {
        server.client("olivia-token").post("/orgs/acme/teams", json!({ "name": "A" })).expect(201)["id"].clone()
    };
    assert_eq!(id(&server), id(&Server::sampled()));
}

#[test]
fn a_reset_does_not_wait_for_a_delayed_request() {
    let server = Server::sampled();
    server.fault(json!({ "operation": "teams.list", "delay_ms": 60_000 })).expect(200);
    std::thread::scope(|scope| {
        let delayed = scope.spawn(|| server.client("olivia-token").get("/orgs/acme/teams").status);
        crate::dev::server::until(|| (server.control().get("/faults").json["faults"][0]["hits"] == 1).then_some(()));
        // It would be refused after some seconds.
        server.reset();
        assert_eq!(delayed.join().expect("a status"), 503, "its delay has ended early");
    });
}

#[test]
fn a_reset_that_waits_too_long_changes_nothing() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    olivia.post("/orgs/acme/teams", json!({ "name": "Kept" })).expect(201);
    // A request whose body does not arrive is under way.
    let mut stuck = std::net::TcpStream::connect(&server.address).expect("a connection");
    let head = "POST /orgs/acme/teams HTTP/1.1\r\nHost: localhost\r\nUser-Agent: test\r\n\
                Authorization: token olivia-token\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n";
    stuck.write_all(head.as_bytes()).expect("to send");
    stuck.set_read_timeout(Some(HANG)).expect("a time limit");
    // `100 Continue` shows that the server wants the body.
    let mut interim = [0; 25];
    stuck.read_exact(&mut interim).expect("an interim answer");
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    let refused = server.control().post("/reset", json!({}));
    assert_eq!(refused.status, 503, "{}", refused.text);
    assert!(refused.text.contains("still under way after 5 seconds; nothing has changed"), "{}", refused.text);
    assert_eq!(names(&olivia.get("/orgs/acme/teams")).len(), 4);
    drop(stuck);
    server.reset();
}

#[test]
fn a_killed_server_does_not_hinder_the_next_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    let arguments = ["--data-dir", path.to_str().expect("a path")];
    let mut killed = Server::seeded(&crate::dev::server::sample(), &arguments);
    killed.child.kill().expect("it is killed");
    killed.child.wait().expect("it has ended");
    assert!(path.join("seed/guildhall.db").exists());
    let next = Server::seeded(&crate::dev::server::sample(), &arguments);
    next.client("olivia-token").get("/user").expect(200);
    next.stop();
    // The directory existed, so it stays, without anything in it.
    assert_eq!(std::fs::read_dir(&path).expect("the directory").count(), 0);
}

#[test]
fn the_next_server_removes_what_a_killed_one_left_in_memory() {
    let mut killed = Server::sampled();
    let running = Server::sampled();
    let name = format!("guildhall-dev-{}-0", killed.child.id());
    let folder = || {
        let parents = [PathBuf::from("/dev/shm"), std::env::temp_dir()];
        parents.map(|parent| parent.join(&name)).into_iter().find(|folder| folder.exists())
    };
    assert!(folder().is_some());
    killed.child.kill().expect("it is killed");
    killed.child.wait().expect("it has ended");
    let next = Server::sampled();
    assert_eq!(folder(), None);
    for server in [&running, &next] {
        server.reset();
        server.client("olivia-token").get("/user").expect(200);
    }
}

#[test]
fn the_data_is_gone_when_the_server_stops() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    let server = Server::start(&["--data-dir", path.to_str().expect("a path")]);
    let admin = Client::new(&server.base(), Some("guildhall-dev-site-admin"));
    assert_eq!(admin.get("/user").expect(200)["login"], "site-admin");
    server.reset();
    admin.get("/user").expect(200);
    assert!(path.exists());
    server.stop();
    assert!(!path.exists());
}

#[test]
fn the_databases_are_closed_before_the_folder_is_removed() {
    // A database that notices the end of its folder logs an error.
    for resets in [0, 1, 4].repeat(4) {
        let server = Server::sampled();
        server.client("olivia-token").post("/orgs/acme/teams", json!({ "name": "Last" })).expect(201);
        for _ in 0..resets {
            server.reset();
        }
        server.stop();
    }
}

#[test]
fn a_connection_from_before_a_reset_goes_on() {
    let server = Server::sampled();
    let mut wire = Wire::open(&server.address);
    let user = Call { verb: "GET", path: "/user".into(), token: "max-token", body: None };
    let before = wire.send(&user);
    server.reset();
    assert_eq!(wire.send(&user), before);
}
