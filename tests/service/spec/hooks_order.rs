//! The events of one change reach a hook in the order in which they were recorded, whatever teams they are about
//! (decision 44).

use crate::spec::provider::Provider;
use crate::support::receiver::{Arrival, Receiver, Reply};
use crate::support::world::Settings;
use crate::support::{Value, World, json};

/// Nina is invited to the teams `core` and `docs`, `docs` is below `core`, and `other` is apart.
fn world() -> World {
    let world = World::with(Settings { delivers: true, ..Settings::default() });
    let olivia = world.olivia();
    let core = olivia.get("/orgs/acme/teams/core").expect(200)["id"].clone();
    olivia.post("/orgs/acme/teams", json!({ "name": "Docs", "parent_team_id": core })).expect(201);
    olivia.post("/orgs/acme/teams", json!({ "name": "Other" })).expect(201);
    for team in ["core", "docs"] {
        olivia.put(&format!("/orgs/acme/teams/{team}/memberships/nina"), json!({})).expect(200);
    }
    world
}

/// An event as the tests below name it.
fn name(body: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let team = body["team"]["name"].as_str().unwrap_or_default().to_lowercase();
    format!("{} {team}", text(&body["action"])).trim().to_owned()
}

fn names(arrivals: &[Arrival]) -> Vec<String> {
    arrivals.iter().filter(|arrival| arrival.accepted).map(|arrival| name(&arrival.body)).collect()
}

fn has(arrivals: &[Arrival], wanted: &str) -> bool {
    arrivals.iter().any(|arrival| name(&arrival.body) == wanted)
}

/// A hook whose receiver refuses this event, after that event was recorded and refused. Something else has arrived since.
fn refused(world: &World, events: &[&str], first: &'static str, change: impl FnOnce()) -> Receiver {
    let receiver = Receiver::new(move |_, body| Reply::Status(if name(body) == first { 500 } else { 200 }));
    let config = json!({ "url": receiver.url, "content_type": "json" });
    let body = json!({ "name": "web", "config": config, "events": events });
    world.olivia().post("/orgs/acme/hooks", body).expect(201);
    change();
    receiver.until(|arrivals| has(arrivals, first));
    world.olivia().put("/orgs/acme/teams/other/memberships/eve", json!({})).expect(200);
    receiver.until(|arrivals| has(arrivals, "added other"));
    receiver
}

fn accept(world: &World) {
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
}

/// From now on the receiver accepts everything; what it accepts of these, in order.
fn accepted(world: &World, receiver: &Receiver, expected: &[&str]) {
    let before = names(&receiver.arrivals());
    assert!(expected.iter().all(|event| !before.iter().any(|name| name == event)), "{before:?}");
    receiver.answer(|_, _| Reply::Status(200));
    world.advance(10);
    let last = expected.last().copied().unwrap_or_default();
    let all = names(&receiver.until(|arrivals| has(arrivals, last)));
    let told: Vec<&str> = all.iter().map(String::as_str).filter(|name| expected.contains(name)).collect();
    assert_eq!(told, expected);
}

#[test]
fn decision_44_a_person_joins_the_organization_before_its_teams() {
    let world = world();
    let receiver = refused(&world, &["organization", "membership"], "member_added", || accept(&world));
    accepted(&world, &receiver, &["member_added", "added core", "added docs"]);
}

#[test]
fn decision_44_a_person_leaves_the_teams_before_the_organization() {
    let world = world();
    accept(&world);
    let receiver = refused(&world, &["organization", "membership"], "removed core", || {
        world.olivia().delete("/orgs/acme/members/nina").expect(204);
    });
    accepted(&world, &receiver, &["removed core", "removed docs", "member_removed"]);
}

#[test]
fn decision_44_a_child_team_is_deleted_before_its_parent() {
    let world = world();
    let receiver = refused(&world, &["team", "membership"], "deleted docs", || {
        world.olivia().delete("/orgs/acme/teams/core").expect(204);
    });
    accepted(&world, &receiver, &["deleted docs", "deleted core"]);
}

#[test]
fn decision_44_a_hook_of_the_site_gets_a_change_of_two_journals_in_order() {
    let world = world();
    accept(&world);
    world.organization("globex", "olivia", &["nina"]);
    let receiver = Receiver::accepting();
    let config = json!({ "url": receiver.url, "content_type": "json" });
    world.advance(1);
    world.sam().post("/admin/hooks", json!({ "name": "web", "config": config })).expect(201);
    world.sam().delete("/admin/users/nina").expect(204);
    Provider::of(&world).user("anna", json!({}));
    let last =
        |arrivals: &[Arrival]| arrivals.iter().filter(|arrival| name(&arrival.body) == "member_added").count() == 1;
    let all = receiver.until(last);
    let told = all.iter().map(|arrival| {
        let org = arrival.body["organization"]["login"].as_str().unwrap_or_default();
        format!("{} {org}", name(&arrival.body)).trim().to_owned()
    });
    let told: Vec<String> = told.filter(|told| !told.is_empty()).collect();
    let expected = ["member_removed acme", "member_removed globex", "deleted", "created", "member_added acme"];
    assert_eq!(told, expected);
}

#[test]
fn decision_44_the_rest_of_a_change_waits_for_an_hour_at_most() {
    let world = world();
    let receiver = refused(&world, &["organization", "membership"], "member_added", || accept(&world));
    world.advance(3_700);
    let all = names(&receiver.until(|arrivals| has(arrivals, "added core") && has(arrivals, "added docs")));
    assert!(!all.iter().any(|name| name == "member_added"), "{all:?}");
}

#[test]
fn decision_44_a_replay_keeps_the_order_of_a_change() {
    let world = world();
    let receiver = Receiver::accepting();
    let config = json!({ "url": receiver.url, "content_type": "json" });
    let body = json!({ "name": "web", "config": config, "events": ["organization", "membership"] });
    let hook = world.olivia().post("/orgs/acme/hooks", body).expect(201)["id"].clone();
    accept(&world);
    let events = ["member_added", "added core", "added docs"];
    receiver.until(|arrivals| events.iter().all(|event| has(arrivals, event)));
    let before = receiver.count();
    receiver.answer(|_, body| Reply::Status(if name(body) == "member_added" { 500 } else { 200 }));
    let settled = "SELECT count(*) FROM deliveries WHERE state = 'waiting'";
    crate::support::waiting::found(|| {
        let waiting: Vec<(i64,)> = world.rows(settled);
        if waiting == [(0,)] { Ok(()) } else { Err(waiting) }
    });
    let since = json!({ "since": "2020-01-01T00:00:00Z" });
    world.olivia().post(&format!("/orgs/acme/hooks/{hook}/replays"), since).expect(202);
    let again = |arrivals: &[Arrival], event: &str| has(&arrivals[before..], event);
    receiver.until(|arrivals| again(arrivals, "member_added"));
    world.olivia().put("/orgs/acme/teams/other/memberships/eve", json!({})).expect(200);
    let arrivals = receiver.until(|arrivals| again(arrivals, "added other"));
    assert!(!again(&arrivals, "added core") && !again(&arrivals, "added docs"));
    receiver.answer(|_, _| Reply::Status(200));
    world.advance(10);
    receiver.until(|arrivals| again(arrivals, "added docs"));
    let all = receiver.arrivals();
    let told = names(&all[before..]);
    let told: Vec<&str> = told.iter().map(String::as_str).filter(|name| events.contains(name)).collect();
    assert_eq!(told, events);
}
