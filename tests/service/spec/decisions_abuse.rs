//! The abuse limit: on what a person creates, and on guessing the names of hidden teams (decisions 9, 20 and 39, limit
//! 5, error 22). Invitations stand for all that is counted.

use crate::spec::given;
use crate::spec::provider::{Provider, link};
use crate::support::world::Settings;
use crate::support::{Answer, Client, Value, World, dump, json};

/// A node of its own on the world's data, with this limit; what was created before is an hour ago.
fn node(world: &World, per_minute: u32, per_hour: u32) -> World {
    let node = world.second_server_with(Settings { creation_limit: (per_minute, per_hour), ..Settings::default() });
    node.advance(3_600);
    node
}

/// Registers accounts `u0`, `u1` and so on, none of them invited yet.
fn register(world: &World, size: usize) {
    (0..size).for_each(|n| world.register(&format!("u{n}")));
}

fn invite(client: &Client, n: usize) -> Answer {
    client.put(&format!("/orgs/acme/memberships/u{n}"), json!({}))
}

fn invite_all(client: &Client, numbers: std::ops::Range<usize>) {
    for n in numbers {
        invite(client, n).expect(200);
    }
}

#[track_caller]
fn is_abuse(answer: &Answer, seconds: &str) {
    let message = answer.expect(403)["message"].as_str().expect("a message").to_owned();
    assert!(message.contains("secondary rate limit") && message.contains("abuse"), "{message}");
    assert_eq!(answer.header("retry-after"), Some(seconds), "{}", answer.text);
    let documentation = answer.json["documentation_url"].as_str().expect("an address");
    assert!(documentation.ends_with("#secondary-rate-limits"), "{documentation}");
    assert_eq!(answer.json.get("errors"), None);
}

#[test]
fn errors_22_too_much_created_too_quickly_is_403_with_retry_after() {
    let world = World::new();
    register(&world, 2);
    let node = node(&world, 1, 9);
    invite(&node.olivia(), 0).expect(200);
    is_abuse(&invite(&node.olivia(), 1), "60");
}

#[test]
fn limits_5_the_number_of_creations_in_a_minute_is_a_setting() {
    let world = World::new();
    register(&world, 7);
    let node = node(&world, 3, 100);
    invite_all(&node.olivia(), 0..3);
    node.advance(59);
    is_abuse(&invite(&node.olivia(), 3), "1");
    node.advance(1);
    invite_all(&node.olivia(), 3..6);
    is_abuse(&invite(&node.olivia(), 6), "60");
}

#[test]
fn limits_5_the_number_of_creations_in_an_hour_is_a_setting() {
    let world = World::new();
    register(&world, 4);
    let node = node(&world, 2, 3);
    invite_all(&node.olivia(), 0..2);
    node.advance(60);
    invite(&node.olivia(), 2).expect(200);
    is_abuse(&invite(&node.olivia(), 3), "3540");
    node.advance(3_539);
    is_abuse(&invite(&node.olivia(), 3), "1");
    node.advance(1);
    invite(&node.olivia(), 3).expect(200);
}

#[test]
fn decision_39_creations_are_counted_over_all_tokens_and_nodes() {
    let world = World::new();
    register(&world, 4);
    let (here, there) = (node(&world, 2, 9), node(&world, 2, 9));
    invite(&here.olivia(), 0).expect(200);
    invite(&there.limited("olivia", &["admin:org"]), 1).expect(200);
    is_abuse(&invite(&here.limited("olivia", &["admin:org"]), 2), "60");
    is_abuse(&invite(&there.olivia(), 3), "60");
}

#[test]
fn decision_39_creations_are_counted_for_each_person() {
    let world = World::new();
    register(&world, 3);
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    let node = node(&world, 1, 9);
    invite(&node.olivia(), 0).expect(200);
    is_abuse(&invite(&node.olivia(), 1), "60");
    invite(&node.max(), 1).expect(200);
}

#[test]
fn decision_39_exactly_the_creation_limit_passes_under_parallel_requests() {
    let world = World::new();
    register(&world, 24);
    let nodes = [node(&world, 10, 100), node(&world, 10, 100)];
    let clients = [nodes[0].olivia(), nodes[1].olivia()];
    let passed: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|thread| {
                let client = clients[thread % 2].clone();
                scope.spawn(move || {
                    let answers = (0..4).map(|n| invite(&client, thread * 4 + n).status);
                    answers.inspect(|status| assert!([200, 403].contains(status))).filter(|s| *s == 200).count()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("answers")).sum()
    });
    assert_eq!(passed, 10);
    assert_eq!(given::value::<i64>(&nodes[0], "SELECT COUNT(*) FROM invitations"), 10);
}

#[test]
fn decision_39_a_call_refused_for_abuse_has_created_nothing() {
    let world = World::new();
    register(&world, 2);
    let node = node(&world, 1, 9);
    invite(&node.olivia(), 0).expect(200);
    let before = dump::everything(&node);
    for path in ["/orgs/acme/memberships/u1", "/orgs/acme/teams/core/memberships/u1"] {
        is_abuse(&node.olivia().put(path, json!({})), "60");
    }
    assert!(dump::everything(&node) == before, "a refused request changed something");
}

#[test]
fn decision_39_only_what_is_created_is_counted() {
    let world = World::new();
    register(&world, 3);
    world.register("walt");
    world.sam().put("/users/walt/suspended", json!({})).expect(204);
    let node = node(&world, 2, 9);
    let olivia = node.olivia();
    invite(&olivia, 0).expect(200);
    olivia.put("/orgs/acme/memberships/walt", json!({})).expect(422);
    olivia.put("/orgs/acme/memberships/nobody", json!({})).expect(404);
    node.eve().put("/orgs/acme/memberships/u1", json!({})).expect(403);
    // Neither what is there already nor a member of the organization is an invitation.
    invite(&olivia, 0).expect(200);
    olivia.put("/orgs/acme/teams/core/memberships/u0", json!({ "role": "maintainer" })).expect(200);
    olivia.put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
    invite(&olivia, 1).expect(200);
    is_abuse(&invite(&olivia, 2), "60");
}

#[test]
fn decision_20_every_other_refusal_comes_before_that_for_abuse() {
    let world = World::new();
    register(&world, 2);
    world.register("walt");
    world.sam().put("/users/walt/suspended", json!({})).expect(204);
    let node = node(&world, 1, 9);
    let olivia = node.olivia();
    invite(&olivia, 0).expect(200);
    olivia.put("/orgs/acme/memberships/nobody", json!({})).expect(404);
    olivia.put("/orgs/acme/memberships/u1", json!({ "role": "king" })).expect(422);
    olivia.put("/orgs/acme/memberships/walt", json!({})).expect(422);
    olivia.send("PUT", "/orgs/acme/memberships/u1", Some("{".into())).expect(400);
    is_abuse(&invite(&olivia, 1), "60");
}

/// A team that only Olivia sees, and its name.
fn hidden(world: &World) -> Value {
    given::secret(world, "Hidden");
    json!({ "name": "hidden!" })
}

#[test]
fn decision_9_twenty_refusals_a_minute_that_tell_of_hidden_teams_are_abuse() {
    let world = World::new();
    let name = hidden(&world);
    for _ in 0..20 {
        given::refuses_team(&world.eve().post("/orgs/acme/teams", name.clone()), given::NAME_TAKEN);
    }
    let other_token = world.limited("eve", &["repo"]);
    let before = dump::everything(&world);
    is_abuse(&world.eve().post("/orgs/acme/teams", name.clone()), "60");
    // Otherwise a free name would be told from a hidden one.
    is_abuse(&world.eve().post("/orgs/acme/teams", json!({ "name": "Free" })), "60");
    is_abuse(&other_token.post("/orgs/acme/teams", name.clone()), "60");
    assert!(dump::everything(&world) == before, "a refused request changed something");
    given::refuses_team(&world.tom().post("/orgs/acme/teams", name.clone()), given::NAME_TAKEN);
    world.advance(59);
    is_abuse(&world.eve().post("/orgs/acme/teams", json!({ "name": "Free" })), "1");
    world.advance(1);
    given::refuses_team(&world.eve().post("/orgs/acme/teams", name), given::NAME_TAKEN);
    world.eve().post("/orgs/acme/teams", json!({ "name": "Free" })).expect(201);
}

#[test]
fn decision_9_renaming_and_slugs_that_hidden_teams_left_count_too() {
    let world = World::new();
    hidden(&world);
    world.olivia().patch("/orgs/acme/teams/hidden", json!({ "name": "Vanished" })).expect(200);
    for name in ["Hidden", "Vanished"].iter().cycle().take(20) {
        let rename = world.max().patch("/orgs/acme/teams/core", json!({ "name": name }));
        given::refuses_team(&rename, given::NAME_TAKEN);
    }
    is_abuse(&world.max().patch("/orgs/acme/teams/core", json!({ "name": "Free" })), "60");
    world.max().patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": "Same." })).expect(200);
}

#[test]
fn decision_9_a_name_that_the_caller_could_see_is_no_guess() {
    let world = World::new();
    hidden(&world);
    for _ in 0..25 {
        given::refuses_team(&world.eve().post("/orgs/acme/teams", json!({ "name": "Core" })), given::NAME_TAKEN);
        given::refuses_team(&world.olivia().post("/orgs/acme/teams", json!({ "name": "Hidden" })), given::NAME_TAKEN);
    }
    world.eve().post("/orgs/acme/teams", json!({ "name": "Free" })).expect(201);
}

#[test]
fn decision_9_names_of_repositories_that_the_caller_does_not_see_are_no_guesses_either() {
    let world = World::new();
    let olivia = world.olivia();
    let settings = json!({ "default_repository_permission": "none", "members_can_create_repositories": true });
    olivia.patch("/orgs/acme", settings).expect(200);
    for (name, private) in [("hidden", true), ("seen", false)] {
        olivia.post("/orgs/acme/repos", json!({ "name": name, "private": private })).expect(201);
    }
    let create = |login: &str, name: &str| world.client(login).post("/orgs/acme/repos", json!({ "name": name }));
    for _ in 0..25 {
        create("eve", "Seen").expect(422);
        create("olivia", "Hidden").expect(422);
    }
    for _ in 0..20 {
        create("eve", "Hidden").expect(422);
    }
    is_abuse(&create("eve", "Hidden"), "60");
    is_abuse(&create("eve", "free"), "60");
    create("eve", "seen").expect(422);
    create("max", "free").expect(201);
}

#[test]
fn limits_3_posts_and_comments_created_too_quickly_are_refused_for_a_while() {
    let world = World::new();
    given::post(&world.tom(), "before", false);
    let (board, comments) = ("/orgs/acme/teams/core/discussions", "/orgs/acme/teams/core/discussions/1/comments");
    let node = node(&world, 2, 9);
    let tom = node.tom();
    let post = |private: bool| tom.post(board, json!({ "title": "t", "body": "b", "private": private }));
    let comment = || tom.post(comments, json!({ "body": "b" }));
    post(false).expect(201);
    comment().expect(201);
    let before = dump::everything(&world);
    is_abuse(&post(true), "60");
    is_abuse(&comment(), "60");
    assert_eq!(dump::everything(&world), before, "a refused call has created something");
    node.advance(60);
    assert_eq!(post(true).expect(201)["number"], 3);
    assert_eq!(comment().expect(201)["number"], 2);
}

#[test]
fn decision_39_reading_deleting_and_reacting_are_not_counted() {
    let world = World::new();
    let node = node(&world, 2, 9);
    let tom = node.tom();
    given::post(&tom, "one that goes", false);
    given::post(&tom, "one that stays", false);
    tom.delete("/orgs/acme/teams/core/discussions/1").expect(204);
    let path = "/orgs/acme/teams/core/discussions/2";
    tom.get(path).expect(200);
    tom.post(&format!("{path}/reactions"), json!({ "content": "eyes" })).expect(201);
    is_abuse(&tom.post(&format!("{path}/comments"), json!({ "body": "b" })), "60");
    tom.post(&format!("{path}/comments"), json!({ "body": " " })).expect(422);
}

#[test]
fn decision_20_a_team_that_follows_groups_is_refused_before_the_creation_limit() {
    let world = World::new();
    register(&world, 2);
    let provider = Provider::of(&world);
    let group = provider.group("Staff", &[]);
    link(&world, "core", &[&group]).expect(200);
    let node = node(&world, 1, 9);
    invite(&node.olivia(), 0).expect(200);
    is_abuse(&invite(&node.olivia(), 1), "60");
    let core = given::core(&world)["id"].clone();
    for invitee in [json!("una@example.com"), json!("u0@example.com")] {
        let body = json!({ "email": invitee, "team_ids": [core] });
        let refused = node.olivia().post("/orgs/acme/invitations", body);
        let message = refused.expect(403)["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.contains("identity provider"), "{invitee}: {message}");
    }
}
