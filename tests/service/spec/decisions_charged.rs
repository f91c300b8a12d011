//! The caller to whom the primary limit is charged (decision 56).

use crate::spec::given;
use crate::support::world::Settings;
use crate::support::{Client, World, json};

/// The number of requests that are left to anonymous callers and to the person of a client, without counting a request.
fn left(client: &Client) -> i64 {
    let rate = client.get("/rate_limit");
    rate.expect(200)["resources"]["core"]["remaining"].as_i64().expect("a number")
}

/// Nothing is left to anonymous callers.
fn exhausted() -> World {
    let world = World::empty(Settings { limits: Some((1_000, 1)), ..Settings::default() });
    world.anonymous().get("/meta").expect(200);
    world.anonymous().get("/meta").expect(403);
    world
}

#[test]
fn decision_56_a_write_with_a_new_token_is_charged_to_its_person() {
    let world = exhausted();
    for n in 0..20 {
        let login = format!("person-{n}");
        // Each write leaves a snapshot that knows nothing of the token that is made next.
        world.register(&login);
        let client = world.client(&login);
        let answer = client.post("/user/repos", json!({ "name": "first" }));
        answer.expect(201);
        let header = |name: &str| answer.header(name).map(str::to_owned);
        let headers = (header("x-ratelimit-limit"), header("x-ratelimit-used"));
        assert_eq!(headers, (Some("1000".into()), Some("1".into())), "{login}");
        assert_eq!(left(&client), 999, "{login}");
    }
}

#[test]
fn decision_56_a_new_token_takes_nothing_from_the_ip_address() {
    let world = World::empty(Settings { limits: Some((1_000, 50)), ..Settings::default() });
    for n in 0..20 {
        world.register(&format!("person-{n}"));
        let client = world.client(&format!("person-{n}"));
        client.post("/user/repos", json!({ "name": "first" })).expect(201);
        client.delete("/repos/nobody/nothing").expect(404);
        client.patch("/user/memberships/orgs/nothing", json!({ "state": "active" })).expect(404);
    }
    assert_eq!(left(&world.anonymous()), 50);
}

#[test]
fn decision_56_a_refusal_of_a_suspended_person_is_charged_to_the_person() {
    let world = World::empty(Settings { limits: Some((1_000, 50)), ..Settings::default() });
    world.register("tom");
    let tom = world.client("tom");
    world.sam().put("/users/tom/suspended", json!({})).expect(204);
    for _ in 0..3 {
        tom.get("/user").refused(403, "Sorry. Your account was suspended.");
        tom.post("/user/repos", json!({ "name": "a" })).refused(403, "Sorry. Your account was suspended.");
    }
    assert_eq!(left(&world.anonymous()), 50);
    world.sam().delete("/users/tom/suspended").expect(204);
    assert_eq!(left(&tom), 994);
}

#[test]
fn decision_56_what_is_no_token_is_charged_to_the_ip_address_once() {
    let world = World::empty(Settings { limits: Some((1_000, 50)), ..Settings::default() });
    let stranger = Client::new(&world.base, Some("ghp_000000000000000000000000000000000000"));
    stranger.get("/user").refused(401, "Bad credentials");
    let write = stranger.post("/user/repos", json!({ "name": "a" }));
    write.refused(401, "Bad credentials");
    assert_eq!(write.header("x-ratelimit-remaining"), Some("48"));
    assert_eq!(left(&world.anonymous()), 48);
    assert_eq!(given::value::<i64>(&world, "SELECT count(*) FROM repos"), 0);
}
