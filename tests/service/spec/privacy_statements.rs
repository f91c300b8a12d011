//! Explanations, lists and searches take as many statements for things that the caller does not see as for things that are
//! not there (decisions 65, 67 and 78). `every_operation/alike.rs` compares the subjects of paths.

use super::explanations::{Scene, VAULT};
use super::given;
use crate::support::{Client, World, json};

/// The number of statements of a read that succeeds or refuses its query, when it is sent again.
fn taken(world: &World, client: &Client, path: &str) -> usize {
    client.get(path);
    world.faults.record();
    let status = client.get(path).status;
    assert!(matches!(status, 200 | 422), "{path}: {status}");
    world.faults.recorded().len()
}

/// Asserts that both paths have the same response, apart from what they name, for the same number of statements.
#[track_caller]
fn assert_alike(world: &World, login: &str, [hidden, absent]: [&str; 2]) {
    let client = world.client(login);
    let [there, not_there] = [hidden, absent].map(|path| taken(world, &client, path));
    assert_eq!(there, not_there, "{hidden} and {absent} for {login}");
}

/// Max administers `vault` and the project, and does not see `hidden`, the team that gives Ray both.
fn granted() -> Scene {
    let scene = Scene::new();
    for on in [VAULT, &scene.lab] {
        scene.give(on, "max", "admin");
    }
    scene.grant("hidden", "push");
    scene.grant_lab("hidden", "write");
    scene
}

#[test]
fn decision_67_a_path_that_is_hidden_takes_as_many_statements_as_none() {
    let scene = granted();
    let lists = [VAULT, &scene.lab];
    for (on, levels) in lists.into_iter().zip([["push", "maintain"], ["write", "read"]]) {
        // Tom has no access.
        let [ray, tom] = ["ray", "tom"].map(|login| format!("{on}/collaborators/{login}/explanation"));
        assert_alike(&scene.world, "max", [&ray, &tom]);
        let [ray, tom] = ["ray", "tom"].map(|login| format!("{on}/access?q={login}"));
        assert_alike(&scene.world, "max", [&ray, &tom]);
        let [of_ray, free] = levels.map(|level| format!("{on}/access?level={level}"));
        assert_alike(&scene.world, "max", [&of_ray, &free]);
    }
    let max = scene.world.max();
    let count = || lists.map(|on| taken(&scene.world, &max, &format!("{on}/access")));
    let with = count();
    scene.world.olivia().delete("/orgs/acme/teams/hidden").expect(204);
    assert_eq!(count(), with);
}

#[test]
fn decision_65_requests_of_others_take_no_statement_more() {
    let world = World::new();
    let requests = "/orgs/acme/teams/core/join_requests";
    let count = || taken(&world, &world.eve(), requests);
    let without = count();
    world.client("ray").post(requests, json!({})).expect(201);
    assert_eq!(count(), without);
}

#[test]
fn decision_78_a_search_takes_as_many_statements_for_what_is_hidden_as_for_what_is_absent() {
    let scene = granted();
    let world = &scene.world;
    let hidden = given::id(&given::secret(world, "Veiled"));
    given::put(world, "veiled", "eve", "member");
    for what in ["", "org:acme+", "member:ray+"] {
        let pair = ["hidden", "hiding"].map(|word| format!("/search/teams?q={what}{word}"));
        assert_alike(world, "max", [&pair[0], &pair[1]]);
    }
    assert_alike(world, "max", ["/search/teams?q=parent:hidden", "/search/teams?q=parent:hiding"]);
    assert_alike(world, "max", ["/search/teams?q=veiled+member:eve", "/search/teams?q=veiled+member:tom"]);
    for login in ["max", "nina"] {
        let pair = [format!("/search/teams?q={hidden}"), "/search/teams?q=999999".to_owned()];
        assert_alike(world, login, [&pair[0], &pair[1]]);
    }
    // Users outside `acme` see neither that Tom is a member nor the private repository.
    assert_alike(world, "nina", ["/search/users?q=org:acme+tom", "/search/users?q=org:acme+nobody"]);
    assert_alike(world, "nina", ["/search/repositories?q=vault", "/search/repositories?q=vaulting"]);
    assert_alike(
        world,
        "nina",
        ["/search/repositories?q=repo:acme/vault", "/search/repositories?q=repo:acme/vaulting"],
    );
}
