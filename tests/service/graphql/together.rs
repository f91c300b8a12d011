//! Fields of all objects on a page take few statements.

use crate::graphql::data;
use crate::support::database::Database;
use crate::support::{Client, World, json};

/// The number of statements of a query for the first items of a list.
fn statements(world: &World, client: &Client, query: &str, first: i64) -> usize {
    // What a connection looks up when it is new is not counted.
    data(client, query, json!({ "first": first }));
    world.faults.record();
    data(client, query, json!({ "first": first }));
    world.faults.recorded().len()
}

/// Asserts that five times as many items take no more statements. SQLite, which needs no round trip, looks up this many
/// rows for each of them.
#[track_caller]
fn takes_few(world: &World, client: &Client, query: &str, rows: usize) {
    let (few, many) = (statements(world, client, query, 5), statements(world, client, query, 25));
    let allowed = if Database::is_postgres() { 0 } else { 20 * rows };
    assert!(many <= few + allowed, "{few} and {many} statements of {query}");
}

fn world() -> World {
    let world = World::new();
    let olivia = world.olivia();
    let parent = olivia.post("/orgs/acme/teams", json!({ "name": "a", "privacy": "closed" })).expect(201)["id"].clone();
    for n in 10..40 {
        let team = json!({ "name": format!("b{n}"), "privacy": "closed", "parent_team_id": parent });
        olivia.post("/orgs/acme/teams", team).expect(201);
        olivia.post("/orgs/acme/repos", json!({ "name": format!("r{n}") })).expect(201);
        olivia.put(&format!("/orgs/acme/teams/b{n}/repos/acme/r{n}"), json!({ "permission": "push" })).expect(204);
        olivia.put(&format!("/orgs/acme/teams/b{n}/memberships/tom"), json!({ "role": "maintainer" })).expect(200);
    }
    world
}

fn of_teams(fields: &str) -> String {
    format!(
        "query($first: Int!) {{ organization(login: \"acme\") {{ teams(first: $first, query: \"b\") {{ totalCount nodes {{
            {fields} }} }} }} }}"
    )
}

#[test]
fn what_the_teams_of_a_page_have() {
    let world = world();
    for client in [world.olivia(), world.tom()] {
        takes_few(&world, &client, &of_teams("viewerCanAdminister"), 1);
        takes_few(&world, &client, &of_teams("parentTeam { name }"), 1);
        takes_few(
            &world,
            &client,
            &of_teams("repositories(first: 2) { totalCount edges { permission node { name } } }"),
            2,
        );
        takes_few(&world, &client, &of_teams("members(first: 3) { nodes { login } }"), 1);
    }
}

#[test]
fn what_the_repositories_of_a_page_have() {
    let world = world();
    let olivia = world.olivia();
    for n in 10..40 {
        world.nina().post(&format!("/repos/acme/r{n}/forks"), json!({})).expect(202);
        olivia.put_empty(&format!("/repos/acme/r{n}/vulnerability-alerts")).expect(204);
    }
    let of_acme = "query($first: Int!) { organization(login: \"acme\") { repositories(first: $first) { nodes {
        hasVulnerabilityAlertsEnabled } } } }";
    takes_few(&world, &olivia, of_acme, 1);
    let of_nina = "query($first: Int!) { user(login: \"nina\") { repositories(first: $first) { nodes { parent { name }
        } } } }";
    takes_few(&world, &olivia, of_nina, 2);
    let found = "query($first: Int!) { search(type: REPOSITORY, query: \"r fork:only\", first: $first) { nodes { ... on
        Repository { parent { name } } } } }";
    takes_few(&world, &olivia, found, 1);
}

#[test]
fn what_they_have_is_theirs() {
    let world = world();
    let fields = "name viewerCanAdminister parentTeam { name } repositories(first: 2) { nodes { name } }";
    let found = data(&world.tom(), &of_teams(fields), json!({ "first": 30 }))["organization"]["teams"]["nodes"].clone();
    for (n, team) in (10..40).zip(found.as_array().expect("teams")) {
        let expected = json!({
            "name": format!("b{n}"), "viewerCanAdminister": true, "parentTeam": { "name": "a" },
            "repositories": { "nodes": [{ "name": format!("r{n}") }] },
        });
        assert_eq!(*team, expected);
    }
    let led = data(&world.max(), &of_teams("viewerCanAdminister"), json!({ "first": 1 }));
    assert_eq!(led["organization"]["teams"]["nodes"][0]["viewerCanAdminister"], false);
}

#[test]
fn the_organizations_of_people_and_what_they_are_called() {
    let world = World::new();
    for n in 0..25 {
        world.organization(&format!("more-{n}"), "tom", &["max"]);
    }
    let query =
        "query($first: Int!) { viewer { organizations(first: $first) { nodes { login name viewerCanAdminister } } } }";
    takes_few(&world, &world.tom(), query, 2);
    let query = "query($first: Int!) { organization(login: \"acme\") { membersWithRole(first: $first) { nodes {
        name organizations(first: 1) { totalCount nodes { name } } } } } }";
    takes_few(&world, &world.olivia(), query, 5);
}
