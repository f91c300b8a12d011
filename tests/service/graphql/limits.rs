//! The limit of GraphQL, which has its own points.

use crate::graphql::{data, error, post};
use crate::support::world::Settings;
use crate::support::{Client, World, json};

/// A query that costs 101 points: 10,101 connections.
const COSTLY: &str = "{ organization(login: \"acme\") { teams(first: 100) { nodes { members(first: 100) { nodes {
    organizations(first: 40) { totalCount } } } } } } rateLimit { limit cost remaining used nodeCount resetAt } }";

#[test]
fn a_query_costs_what_its_connections_may_cost() {
    let world = World::new();
    let tom = world.tom();
    let answer = post(&tom, "{ viewer { login } rateLimit { limit cost remaining used } }", json!({}));
    let found = answer.expect(200)["data"]["rateLimit"].clone();
    assert_eq!(found, json!({ "limit": 5000, "cost": 1, "remaining": 4999, "used": 1 }));
    let header = |name: &str| answer.header(name).map(str::to_owned);
    assert_eq!(header("x-ratelimit-resource").as_deref(), Some("graphql"));
    assert_eq!(header("x-ratelimit-remaining").as_deref(), Some("4999"));
    let found = data(&tom, COSTLY, json!({}))["rateLimit"].clone();
    assert_eq!((&found["cost"], &found["used"]), (&json!(102), &json!(103)));
    assert_eq!(found["nodeCount"], 100 + 100 * 100 + 100 * 100 * 40);
    // What is refused costs one point, and requests of the table cost none.
    post(&tom, "{", json!({})).expect(200);
    let rates = tom.get("/rate_limit").expect(200).clone();
    assert_eq!(rates["resources"]["graphql"]["used"], 104);
    assert_eq!(rates["resources"]["graphql"]["limit"], 5000);
    assert_ne!(rates["resources"]["core"]["used"], 104);
    assert_eq!(tom.get("/user").header("x-ratelimit-resource"), Some("core"));
}

#[test]
fn a_person_without_points_waits_for_the_next_hour() {
    let world = World::new();
    let tom = world.tom();
    for _ in 0..49 {
        data(&tom, COSTLY, json!({}));
    }
    let (kind, message, has_data) = error(&tom, COSTLY, json!({}));
    assert_eq!((kind.as_str(), has_data), ("RATE_LIMITED", false));
    assert!(message.starts_with("API rate limit exceeded for user ID "), "{message}");
    // Two points are left.
    for _ in 0..2 {
        data(&tom, "{ viewer { login } }", json!({}));
    }
    let answer = post(&tom, "{ viewer { login } }", json!({}));
    assert_eq!(answer.expect(200)["errors"][0]["type"], "RATE_LIMITED");
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
    data(&world.max(), "{ viewer { login } }", json!({}));
    world.advance(3_600);
    data(&tom, "{ viewer { login } }", json!({}));
}

#[test]
fn tokens_are_not_guessed_without_end() {
    let world = World::with(Settings { limits: Some((1_000, 2)), ..Settings::default() });
    let guess =
        || Client::new(&world.base, Some("ghp_wrong")).post("/graphql", json!({ "query": "{ viewer { id } }" }));
    guess().expect(401);
    world.anonymous().post("/graphql", json!({})).expect(401);
    guess().expect(403);
    guess().expect(403);
    data(&world.max(), "{ viewer { login } }", json!({}));
}
