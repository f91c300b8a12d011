//! Pages of lists: their sizes, their directions, and cursors that stay valid.

use crate::graphql::{data, error};
use crate::support::{Client, Value, World, json};

const TEAMS: &str = "query($first: Int, $last: Int, $after: String, $before: String, $order: TeamOrder) {
    organization(login: \"acme\") { teams(first: $first, last: $last, after: $after, before: $before, orderBy: $order) {
        totalCount edges { cursor node { slug } } nodes { slug }
        pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }";

fn teams(client: &Client, variables: Value) -> Value {
    data(client, TEAMS, variables)["organization"]["teams"].clone()
}

fn slugs(teams: &Value) -> Vec<&str> {
    let nodes = teams["nodes"].as_array().expect("nodes");
    nodes.iter().map(|team| team["slug"].as_str().unwrap_or_default()).collect()
}

/// A world with the teams a to e, and core.
fn world() -> World {
    let world = World::new();
    for name in ["a", "b", "c", "d", "e"] {
        world.olivia().post("/orgs/acme/teams", json!({ "name": name, "privacy": "closed" })).expect(201);
    }
    world
}

#[test]
fn pages_follow_each_other_in_both_directions() {
    let world = world();
    let olivia = world.olivia();
    let first = teams(&olivia, json!({ "first": 2 }));
    assert_eq!((slugs(&first), &first["totalCount"]), (vec!["a", "b"], &json!(6)));
    let info = &first["pageInfo"];
    assert_eq!((&info["hasNextPage"], &info["hasPreviousPage"]), (&json!(true), &json!(false)));
    assert_eq!(
        (&info["startCursor"], &info["endCursor"]),
        (&first["edges"][0]["cursor"], &first["edges"][1]["cursor"])
    );
    let second = teams(&olivia, json!({ "first": 2, "after": info["endCursor"] }));
    assert_eq!(slugs(&second), ["c", "core"]);
    assert_eq!(second["pageInfo"]["hasPreviousPage"], true);
    let before = teams(&olivia, json!({ "last": 1, "before": second["pageInfo"]["startCursor"] }));
    assert_eq!(slugs(&before), ["b"]);
    let last = teams(&olivia, json!({ "last": 2 }));
    assert_eq!((slugs(&last), &last["pageInfo"]["hasNextPage"]), (vec!["d", "e"], &json!(false)));
    let none = teams(&olivia, json!({ "first": 0 }));
    assert_eq!((slugs(&none), &none["pageInfo"]["endCursor"]), (vec![], &json!(null)));
    let every = teams(&olivia, json!({}));
    assert_eq!(slugs(&every).len(), 6);
    let order = json!({ "field": "NAME", "direction": "DESC" });
    let down = teams(&olivia, json!({ "first": 2, "order": order }));
    assert_eq!(slugs(&down), ["e", "d"]);
    let down = teams(&olivia, json!({ "first": 9, "order": order, "after": down["pageInfo"]["endCursor"] }));
    assert_eq!(slugs(&down), ["core", "c", "b", "a"]);
}

#[test]
fn a_cursor_stays_valid_while_teams_come_and_go() {
    let world = world();
    let olivia = world.olivia();
    let first = teams(&olivia, json!({ "first": 2 }));
    let after = &first["pageInfo"]["endCursor"];
    olivia.post("/orgs/acme/teams", json!({ "name": "aa", "privacy": "closed" })).expect(201);
    olivia.post("/orgs/acme/teams", json!({ "name": "bb", "privacy": "closed" })).expect(201);
    olivia.delete("/orgs/acme/teams/b").expect(204);
    olivia.delete("/orgs/acme/teams/a").expect(204);
    assert_eq!(slugs(&teams(&olivia, json!({ "first": 2, "after": after }))), ["bb", "c"]);
    assert_eq!(slugs(&teams(&world.tom(), json!({ "last": 2, "before": after }))), ["aa"]);
}

#[test]
fn members_are_paged_by_their_identifiers() {
    let world = World::new();
    let olivia = world.olivia();
    let query = "query($after: String) { organization(login: \"acme\") { team(slug: \"core\") {
        members(first: 1, after: $after) { nodes { login } pageInfo { endCursor hasNextPage } } } } }";
    let page =
        |after: Value| data(&olivia, query, json!({ "after": after }))["organization"]["team"]["members"].clone();
    let first = page(json!(null));
    olivia.delete("/orgs/acme/teams/core/memberships/max").expect(204);
    olivia.put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
    let second = page(first["pageInfo"]["endCursor"].clone());
    assert_eq!((&first["nodes"][0]["login"], &second["nodes"][0]["login"]), (&json!("max"), &json!("tom")));
    let third = page(second["pageInfo"]["endCursor"].clone());
    assert_eq!((&third["nodes"][0]["login"], &third["pageInfo"]["hasNextPage"]), (&json!("eve"), &json!(false)));
}

#[test]
fn a_page_has_a_size_from_0_to_100_in_one_direction() {
    let world = World::new();
    let olivia = world.olivia();
    let (kind, message, has_data) = error(&olivia, TEAMS, json!({ "first": 101 }));
    assert_eq!((kind.as_str(), has_data), ("EXCESSIVE_PAGINATION", true));
    assert_eq!(message, "Requesting 101 records on the `teams` connection exceeds the `first` limit of 100 records.");
    assert_eq!(error(&olivia, TEAMS, json!({ "last": 101 })).0, "EXCESSIVE_PAGINATION");
    for variables in [json!({ "first": -1 }), json!({ "first": 1, "last": 1 })] {
        assert_eq!(error(&olivia, TEAMS, variables).0, "INVALID_PAGINATION");
    }
}

#[test]
fn a_cursor_of_another_list_or_an_invented_one_is_refused() {
    let world = World::new();
    let olivia = world.olivia();
    let of_teams = teams(&olivia, json!({ "first": 1 }))["pageInfo"]["endCursor"].clone();
    let query = "query($after: String) { organization(login: \"acme\") { membersWithRole(after: $after) {
        pageInfo { endCursor } } } }";
    assert_eq!(error(&olivia, query, json!({ "after": of_teams })).0, "INVALID_CURSOR_ARGUMENTS");
    let of_members =
        data(&olivia, query, json!({}))["organization"]["membersWithRole"]["pageInfo"]["endCursor"].clone();
    for cursor in [of_members, json!(""), json!("100"), json!("djE6"), json!("%%%"), json!("/w==")] {
        let (kind, _, _) = error(&olivia, TEAMS, json!({ "first": 1, "after": cursor }));
        assert_eq!(kind, "INVALID_CURSOR_ARGUMENTS", "{cursor}");
    }
}
