//! The disk is full while people write: 503, nothing that was acknowledged is lost, and with room again all is well.

use std::time::{Duration, Instant};

use crate::faults::cut::must_be_unavailable;
use crate::faults::limited;
use crate::faults::program::Place;
use crate::support::database::Database;
use crate::support::{Client, json};

/// Room for the empty database and a few hundred writes.
const KIB: u32 = 2 << 10;

/// For how long everything is refused when the last room has been used: a checkpoint may find a little more.
const FULL: Duration = Duration::from_secs(1);

/// Makes teams until all are refused; how many were made.
fn fill(client: &Client) -> usize {
    let (begun, mut made, mut latest) = (Instant::now(), 0, Instant::now());
    while latest.elapsed() < FULL {
        assert!(begun.elapsed() < Duration::from_mins(1), "the disk is never full");
        let team = json!({ "name": format!("Team {made}"), "description": "x".repeat(30_000) });
        let answer = client.post("/orgs/acme/teams", team);
        if answer.status == 201 {
            (made, latest) = (made + 1, Instant::now());
            continue;
        }
        must_be_unavailable(&answer);
    }
    made
}

#[test]
fn a_full_disk_refuses_writes_and_loses_none() {
    if Database::is_postgres() {
        // There the disk is that of the database server; `cut.rs` has tests of its errors.
        return;
    }
    let place = Place::new();
    let server = place.serve();
    let admin = server.admin();
    admin.post("/admin/users", json!({ "login": "olivia" })).expect(201);
    admin.post("/admin/organizations", json!({ "login": "acme", "admin": "olivia" })).expect(201);
    let made = place.run(&["token", "create", "--user", "olivia", "--scopes", "admin:org"]);
    let token = crate::faults::program::text(&made.stdout).trim().to_owned();
    server.tell_to_stop();
    assert!(server.wait());

    let server = place.serve_within(&limited::script(KIB));
    let client = server.client(&token);
    let made = fill(&client);
    assert!(made > 5, "only {made} teams found room");
    let all = || client.all("/orgs/acme/teams?per_page=100").len();
    assert_eq!(all(), made, "reads go on, and show what was acknowledged");
    for _ in 0..20 {
        let large = json!({ "name": "Refused", "description": "x".repeat(60_000) });
        client.post("/orgs/acme/teams", large).expect(503);
    }
    assert_eq!(all(), made);
    client.get("/healthz").expect(200);
    server.kill();

    place.must_be_well();
    let server = place.serve();
    let client = server.client(&token);
    assert_eq!(client.all("/orgs/acme/teams?per_page=100").len(), made);
    client.post("/orgs/acme/teams", json!({ "name": "Room again" })).expect(201);
    server.tell_to_stop();
    assert!(server.wait());
    place.must_be_well();
}
