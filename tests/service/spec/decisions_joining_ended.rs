//! Requests to join a team that end without a decision, and approvals that are refused (decision 65).

use crate::spec::decisions_import::import;
use crate::spec::decisions_joining::{REQUESTS, ask, decide, listed, path, people};
use crate::spec::given;
use crate::spec::provider::{Provider, link};
use crate::support::{Client, Value, World, json};

const EVE: &str = "/orgs/acme/teams/core/memberships/eve";

/// Asserts that no request is there any more, and that Eve can make another one.
#[track_caller]
fn ended(world: &World, request: &Value) {
    is_gone(world, request);
    let next = ask(&world.eve());
    assert!(next["id"].as_i64() > request["id"].as_i64(), "{next}");
    assert_eq!(listed(&world.max(), ""), people(&[("eve", "open")]));
}

#[track_caller]
fn is_gone(world: &World, request: &Value) {
    for client in [world.olivia(), world.eve()] {
        assert_eq!(listed(&client, ""), people(&[]));
        client.delete(&path(request)).refused(404, "Not Found");
    }
    for state in ["approved", "declined"] {
        decide(&world.olivia(), request, state).refused(404, "Not Found");
    }
}

#[test]
fn decision_65_a_request_ends_when_the_person_is_added_otherwise() {
    for adds in [
        |client: &Client| drop(client.put(EVE, json!({})).expect(200).clone()),
        |client: &Client| drop(client.put_empty("/orgs/acme/teams/core/members/eve").expect(204).clone()),
    ] {
        let world = World::new();
        let request = ask(&world.eve());
        adds(&world.max());
        is_gone(&world, &request);
        world.eve().post(REQUESTS, json!({})).expect(422);
        // It does not open again when they leave.
        world.max().delete(EVE).expect(204);
        ended(&world, &request);
    }
}

#[test]
fn decision_65_a_request_ends_when_a_file_adds_the_person() {
    let world = World::new();
    let request = ask(&world.eve());
    let file = "orgs: {acme: {admins: [olivia], members: [eve], teams: {Core: {members: [eve]}}}}";
    import(&world, &[file]).expect("a report");
    world.max().get(EVE).expect(200);
    is_gone(&world, &request);
    world.max().delete(EVE).expect(204);
    ended(&world, &request);
}

#[test]
fn decision_65_a_request_ends_when_the_team_becomes_secret() {
    for hides in [
        |world: &World| {
            let secret = json!({ "name": "Core", "privacy": "secret" });
            world.max().patch("/orgs/acme/teams/core", secret).expect(200);
        },
        |world: &World| {
            let file = "orgs: {acme: {admins: [olivia], teams: {Core: {privacy: secret}}}}";
            import(world, &[file]).expect("a report");
        },
    ] {
        let world = World::new();
        let request = ask(&world.eve());
        hides(&world);
        world.eve().get(REQUESTS).refused(404, "Not Found");
        assert_eq!(listed(&world.max(), ""), people(&[]));
        decide(&world.max(), &request, "approved").refused(404, "Not Found");
        // It does not open again either.
        world.max().patch("/orgs/acme/teams/core", json!({ "name": "Core", "privacy": "closed" })).expect(200);
        ended(&world, &request);
    }
}

#[test]
fn decision_65_a_synchronized_team_takes_no_requests() {
    let world = World::new();
    let request = ask(&world.eve());
    let provider = Provider::of(&world);
    let group = provider.group("Staff", &[]);
    link(&world, "core", &[&group]).expect(200);
    let managed = "The members of this team are managed by the organization's identity provider. Change its groups there, \
                   or have an owner unlink the team.";
    world.eve().post(REQUESTS, json!({})).refused(403, managed);
    decide(&world.olivia(), &request, "approved").refused(404, "Not Found");
    world.eve().delete(&path(&request)).refused(404, "Not Found");
    assert_eq!(listed(&world.olivia(), ""), people(&[]));
    link(&world, "core", &[]).expect(200);
    given::put(&world, "core", "max", "maintainer");
    ended(&world, &request);
}

#[test]
fn decision_65_requests_go_with_the_membership_of_the_organization() {
    let world = World::new();
    let (request, declined) = (ask(&world.eve()), ask(&world.client("ray")));
    decide(&world.max(), &declined, "declined").expect(200);
    for login in ["eve", "ray"] {
        world.olivia().delete(&format!("/orgs/acme/members/{login}")).expect(204);
        world.client(login).get(REQUESTS).refused(404, "Not Found");
    }
    assert_eq!(listed(&world.max(), ""), people(&[]));
    decide(&world.max(), &request, "approved").refused(404, "Not Found");
    world.max().get(EVE).refused(404, "Not Found");
    world.join("acme", "olivia", "eve");
    ended(&world, &request);
}

#[test]
fn decision_65_requests_go_with_the_account_and_with_the_team() {
    let world = World::new();
    let request = ask(&world.eve());
    world.sam().delete("/admin/users/eve").expect(204);
    assert_eq!(listed(&world.max(), ""), people(&[]));
    decide(&world.max(), &request, "approved").refused(404, "Not Found");
    let request = ask(&world.client("ray"));
    world.olivia().delete("/orgs/acme/teams/core").expect(204);
    world.client("ray").delete(&path(&request)).refused(404, "Not Found");
    assert_eq!(given::value::<i64>(&world, "SELECT count(*) FROM join_requests"), 0);
}

#[test]
fn decision_65_the_account_of_the_person_who_decided_may_go() {
    let world = World::new();
    let request = ask(&world.eve());
    decide(&world.max(), &request, "declined").expect(200);
    world.sam().delete("/admin/users/max").expect(204);
    let list = world.olivia().get(REQUESTS).expect(200).clone();
    assert_eq!((&list[0]["state"], &list[0]["decided_by"]), (&json!("declined"), &json!(null)), "{list}");
    assert!(list[0]["decided_at"].is_string(), "{list}");
}

#[test]
fn decision_65_a_suspended_person_waits_until_the_suspension_ends() {
    let world = World::new();
    let request = ask(&world.eve());
    world.sam().put("/users/eve/suspended", json!({})).expect(204);
    assert_eq!(listed(&world.max(), ""), people(&[("eve", "open")]));
    let before = given::written(&world);
    decide(&world.max(), &request, "approved").refused(422, "Validation Failed");
    assert_eq!(given::written(&world), before);
    world.sam().delete("/users/eve/suspended").expect(204);
    decide(&world.max(), &request, "approved").expect(200);
    world.max().get(EVE).expect(200);
}

#[test]
fn decision_65_a_maintainer_who_is_demoted_decides_no_more() {
    let world = World::new();
    let request = ask(&world.eve());
    given::put(&world, "core", "max", "member");
    decide(&world.max(), &request, "approved").expect(403);
    assert_eq!(listed(&world.max(), ""), people(&[]));
    decide(&world.olivia(), &request, "approved").expect(200);
}
