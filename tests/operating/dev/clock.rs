//! The clock: it is set, advanced, frozen, and never goes back.

use crate::dev::server::{Server, sample, until};
use crate::support::{Answer, json};

fn now(server: &Server) -> String {
    server.control().get("/clock").expect(200)["now"].as_str().expect("a time").to_owned()
}

#[test]
fn an_invitation_expires_when_the_clock_advances() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    olivia.post("/orgs/acme/invitations", json!({ "email": "new@example.com" })).expect(201);
    server.control().post("/clock", json!({ "advance": "6d" })).expect(200);
    assert_eq!(olivia.get("/orgs/acme/invitations").each("email"), ["new@example.com"]);
    server.control().post("/clock", json!({ "advance": "2d" })).expect(200);
    assert_eq!(olivia.get("/orgs/acme/invitations").expect(200), &json!([]));
    assert_eq!(olivia.get("/orgs/acme/failed_invitations").each("email"), ["new@example.com"]);
}

#[test]
fn a_reminder_is_sent_when_the_clock_advances() {
    let server = Server::sampled();
    server.client("olivia-token").post("/orgs/acme/invitations", json!({ "email": "new@example.com" })).expect(201);
    let mails = |count: usize| {
        until(|| (server.control().get("/mail").json["mail"].as_array()?.len() == count).then_some(()));
    };
    mails(1);
    server.control().post("/clock", json!({ "advance": "5d" })).expect(200);
    mails(2);
}

#[test]
fn a_rate_limit_ends_when_the_clock_advances() {
    let server = Server::seeded(&crate::dev::server::sample(), &["--rate-limit-per-hour", "3"]);
    let olivia = server.client("olivia-token");
    for _ in 0..3 {
        olivia.get("/user").expect(200);
    }
    let reset = olivia.get("/user");
    reset.expect(403);
    assert_eq!(reset.header("x-ratelimit-reset"), Some("1767229200"));
    server.control().post("/clock", json!({ "advance": "59m" })).expect(200);
    olivia.get("/user").expect(403);
    server.control().post("/clock", json!({ "advance": "1m" })).expect(200);
    olivia.get("/user").expect(200);
    // So does the secondary limit.
    server.reset();
    olivia.get("/user").expect(200);
}

/// Updates a team without its name.
fn update_in_part(server: &Server) -> Answer {
    server.client("olivia-token").patch("/orgs/acme/teams/core", json!({ "description": "Engines" }))
}

#[test]
fn a_partial_update_of_a_team_is_accepted_unless_a_setting_refuses_it() {
    assert_eq!(update_in_part(&Server::sampled()).expect(200)["description"], "Engines");
    let server = Server::seeded(&sample(), &["--compat-partial-team-update", "false"]);
    update_in_part(&server).refused(422, "Invalid request.\n\n\"name\" wasn't supplied.");
}

#[test]
fn the_log_names_the_setting_for_partial_updates_once_an_hour() {
    const QUIET: [&str; 4] = ["--compat-partial-team-update", "false", "--log-level", "warn"];
    let named_after = |advances: &[&str]| {
        let server = Server::seeded(&sample(), &QUIET);
        // A team without a name is refused whatever the setting says.
        server.client("olivia-token").post("/orgs/acme/teams", json!({})).expect(422);
        for advance in advances {
            server.control().post("/clock", json!({ "advance": advance })).expect(200);
            update_in_part(&server).expect(422);
        }
        server.log().matches("compat.partial_team_update").count()
    };
    assert_eq!(named_after(&[]), 0);
    assert_eq!(named_after(&["0s", "0s", "59m"]), 1);
    assert_eq!(named_after(&["0s", "59m", "1m", "59m"]), 2);
}

#[test]
fn responses_have_the_time_of_the_clock() {
    let server = Server::sampled();
    let set = server.control().post("/clock", json!({ "now": "2030-01-01T00:00:00Z" }));
    assert_eq!(set.expect(200), &json!({ "now": "2030-01-01T00:00:00Z", "frozen": true }));
    let olivia = server.client("olivia-token");
    let team = olivia.post("/orgs/acme/teams", json!({ "name": "Later" }));
    assert_eq!(team.expect(201)["created_at"], "2030-01-01T00:00:00Z");
    assert_eq!(team.header("date"), Some("Tue, 01 Jan 2030 00:00:00 GMT"));
}

#[test]
fn the_clock_runs_unless_it_is_frozen() {
    let server = Server::start(&[]);
    let clock = server.control().get("/clock");
    assert_eq!(clock.expect(200)["frozen"], false);
    assert!(now(&server).starts_with("2026-01-01T00:0"), "{}", now(&server));
    let first = now(&server);
    until(|| (now(&server) > first).then_some(()));
    server.control().post("/clock", json!({ "now": "2030-01-01T00:00:00Z", "frozen": true })).expect(200);
    assert_eq!(server.control().post("/clock", json!({ "frozen": true })).expect(200)["now"], "2030-01-01T00:00:00Z");
    server.control().post("/clock", json!({ "frozen": false })).expect(200);
    until(|| (now(&server).as_str() > "2030-01-01T00:00:00Z").then_some(()));
    server.reset();
    assert!(now(&server).starts_with("2026-01-01T00:0"));
}

#[test]
fn a_clock_that_would_go_back_is_refused() {
    let server = Server::sampled();
    let control = server.control();
    let refused = control.post("/clock", json!({ "now": "2025-12-31T23:59:59Z", "frozen": false }));
    assert_eq!(refused.expect(422)["key"], "now");
    let text = "now: the clock is at 2026-01-01T00:00:00Z already and does not go back; reset the server first";
    assert_eq!(refused.json["message"], text);
    assert_eq!(control.get("/clock").expect(200), &json!({ "now": "2026-01-01T00:00:00Z", "frozen": true }));
    control.post("/clock", json!({ "advance": "1d" })).expect(200);
    control.post("/clock", json!({ "now": "2026-01-01T00:00:00Z" })).expect(422);
    server.reset();
    control.post("/clock", json!({ "now": "2026-01-01T00:00:00Z" })).expect(200);
}

#[test]
fn a_wrong_change_of_the_clock_names_its_key() {
    let server = Server::sampled();
    for (body, key) in [
        (json!({ "advance": "-8d" }), "advance"),
        (json!({ "advance": 8 }), "advance"),
        (json!({ "advance": "8 days" }), "advance"),
        (json!({ "advance": "999999w" }), "advance"),
        (json!({ "now": "tomorrow" }), "now"),
        (json!({ "now": "2030-01-01T00:00:00Z", "advance": "1d" }), "advance"),
        (json!({ "frozen": "yes" }), "frozen"),
        (json!({ "to": "2030-01-01T00:00:00Z" }), "to"),
    ] {
        let refused = server.control().post("/clock", body.clone());
        assert_eq!(refused.expect(422)["key"], key, "{body}");
        assert!(refused.json["message"].as_str().is_some_and(|text| text.starts_with(&format!("{key}: "))), "{body}");
    }
    server.control().post("/clock", json!({})).expect(422);
    server.control().send("POST", "/clock", Some("[]".into())).expect(400);
    server.control().send("POST", "/clock", Some("{".into())).expect(400);
    assert_eq!(now(&server), "2026-01-01T00:00:00Z");
}
