//! The disk is full while people write: 503, nothing that was acknowledged is lost, and with room again all is well.

use crate::faults::cut::must_be_unavailable;
use crate::faults::limited;
use crate::faults::program::Place;
use crate::support::database::Database;
use crate::support::{Client, json};

/// Room for the empty database and a few hundred writes.
const KIB: u32 = 2 << 10;

/// The number of requests in a row that are refused when the disk is full.
const REFUSED: usize = 50;

/// Makes teams of so many bytes until many in a row are refused, and counts all that were made. A checkpoint may find a
/// little more room at any time.
fn fill(client: &Client, bytes: usize, made: &mut usize) {
    let mut refused = 0;
    while refused < REFUSED {
        assert!(*made < 1_000, "the disk is never full");
        let team = json!({ "name": format!("Team {made}"), "description": "x".repeat(bytes) });
        let answer = client.post("/orgs/acme/teams", team);
        if answer.status == 201 {
            (*made, refused) = (*made + 1, 0);
        } else {
            must_be_unavailable(&answer);
            refused += 1;
        }
    }
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
    let mut made = 0;
    fill(&client, 30_000, &mut made);
    assert!(made > 5, "only {made} teams found room");
    let all = || client.all("/orgs/acme/teams?per_page=100").len();
    assert_eq!(all(), made, "reads go on, and show what was acknowledged");
    fill(&client, 60_000, &mut made);
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
