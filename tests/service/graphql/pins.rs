//! Pinning discussions with GraphQL (decision 35).

use crate::graphql::{ask, data, error};
use crate::support::{Client, Value, World, json};

const BOARD: &str = "/orgs/acme/teams/core/discussions";

const PIN: &str = "mutation($input: UpdateTeamDiscussionInput!) { updateTeamDiscussion(input: $input) {
    teamDiscussion { number title isPinned viewerCanPin } } }";

/// The node ID of a discussion.
pub fn id_of(world: &World, number: i64) -> Value {
    world.olivia().get(&format!("{BOARD}/{number}")).expect(200)["node_id"].clone()
}

/// Pins a discussion, or unpins it, and returns the payload.
pub fn pin(world: &World, client: &Client, number: i64, pinned: bool) -> Value {
    let input = json!({ "id": id_of(world, number), "pinned": pinned });
    data(client, PIN, json!({ "input": input }))["updateTeamDiscussion"]["teamDiscussion"].clone()
}

/// Posts with these numbers, of Tom; those that are even are private.
pub fn posts(world: &World, count: i64) {
    for number in 1..=count {
        let post = json!({ "title": format!("Post {number}"), "body": "Text.", "private": number % 2 == 0 });
        world.tom().post(BOARD, post).expect(201);
    }
}

/// The numbers of a list of discussions, and the number of all.
fn listed(client: &Client, arguments: &str) -> (Vec<i64>, Value) {
    let query = format!(
        "{{ organization(login: \"acme\") {{ team(slug: \"core\") {{ discussions({arguments}) {{
            nodes {{ number }} totalCount pageInfo {{ endCursor }} }} }} }} }}"
    );
    let found = data(client, &query, json!({}))["organization"]["team"]["discussions"].clone();
    let nodes = found["nodes"].as_array().expect("nodes").iter();
    (nodes.filter_map(|node| node["number"].as_i64()).collect(), found)
}

#[test]
fn decision_35_a_mutation_pins_and_changes_the_text_at_once() {
    let world = World::new();
    posts(&world, 2);
    let max = world.max();
    let shown = json!({ "number": 1, "title": "Post 1", "isPinned": true, "viewerCanPin": true });
    assert_eq!(pin(&world, &max, 1, true), shown);
    assert_eq!(pin(&world, &world.olivia(), 1, true), shown, "the same again");
    let run = |fields: Value| ask(&max, PIN, json!({ "input": fields }));
    let id = id_of(&world, 1);
    let version = max.get(&format!("{BOARD}/1")).expect(200)["body_version"].clone();
    run(json!({ "id": id, "pinned": false, "title": "Both", "body": "New.", "bodyVersion": version }));
    let record = max.get(&format!("{BOARD}/1")).expect(200).clone();
    assert_eq!((&record["pinned"], &record["title"], &record["body"]), (&json!(false), &json!("Both"), &json!("New.")));
    // A refused part changes nothing of the other.
    for fields in [
        json!({ "id": id, "pinned": true, "title": " " }),
        json!({ "id": id, "pinned": true, "body": "x".repeat(65_536) }),
        json!({ "id": id, "pinned": true, "body": "Again.", "bodyVersion": version }),
        json!({ "id": id, "pinned": "yes" }),
        json!({ "id": id, "pinned": 1 }),
    ] {
        assert!(run(fields.clone())["errors"].is_array(), "{fields}");
        assert_eq!(max.get(&format!("{BOARD}/1")).expect(200), &record, "{fields}");
    }
    assert_eq!(run(json!({ "id": id, "pinned": null }))["errors"], Value::Null);
}

#[test]
fn decision_35_maintainers_and_owners_pin() {
    let world = World::new();
    posts(&world, 2);
    let refused = |client: &Client, number: i64, pinned: bool| {
        let (kind, message, _) =
            error(client, PIN, json!({ "input": { "id": id_of(&world, number), "pinned": pinned } }));
        (kind, message)
    };
    for (client, number) in [(world.tom(), 1), (world.tom(), 2), (world.eve(), 1)] {
        for pinned in [true, false] {
            let (kind, message) = refused(&client, number, pinned);
            assert_eq!(kind, "FORBIDDEN");
            assert_eq!(message, "You must be a team maintainer or an organization owner to pin a post.");
        }
    }
    for (client, number) in [(world.eve(), 2), (world.nina(), 1)] {
        assert_eq!(refused(&client, number, true).0, "NOT_FOUND");
    }
    let reads = world.limited("max", &["read:discussion"]);
    assert_eq!(refused(&reads, 1, true).0, "INSUFFICIENT_SCOPES");
    for number in [1, 2] {
        assert_eq!(world.olivia().get(&format!("{BOARD}/{number}")).expect(200)["pinned"], false);
    }
    let query = "{ organization(login: \"acme\") { team(slug: \"core\") { discussion(number: 1) { viewerCanPin } } } }";
    for (client, may) in [(world.olivia(), true), (world.max(), true), (world.tom(), false), (world.eve(), false)] {
        let found = data(&client, query, json!({}))["organization"]["team"]["discussion"].clone();
        assert_eq!(found, json!({ "viewerCanPin": may }));
    }
}

#[test]
fn decision_35_a_connection_lists_what_is_pinned_or_not() {
    let world = World::new();
    posts(&world, 5);
    for number in [1, 2, 4] {
        pin(&world, &world.max(), number, true);
    }
    for (client, arguments, numbers) in [
        (world.tom(), "isPinned: true", vec![4, 2, 1]),
        (world.tom(), "isPinned: false", vec![5, 3]),
        (world.tom(), "first: 10", vec![5, 4, 3, 2, 1]),
        (world.eve(), "isPinned: true", vec![1]),
        (world.eve(), "isPinned: false", vec![5, 3]),
        (world.eve(), "isPinned: true, orderBy: {field: CREATED_AT, direction: ASC}", vec![1]),
        (world.tom(), "isPinned: true, orderBy: {field: CREATED_AT, direction: ASC}", vec![1, 2, 4]),
    ] {
        let (found, connection) = listed(&client, arguments);
        assert_eq!((&found, &connection["totalCount"]), (&numbers, &json!(numbers.len())), "{arguments}");
    }
    let (first, connection) = listed(&world.tom(), "first: 2, isPinned: true");
    let after = format!("first: 2, isPinned: true, after: {}", connection["pageInfo"]["endCursor"]);
    assert_eq!((first, listed(&world.tom(), &after).0), (vec![4, 2], vec![1]));
}
