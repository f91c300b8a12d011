//! Behavior rules (section 10).

use crate::spec::given;
use crate::spec::provider::{Provider, link, people};
use crate::support::{World, json};

#[test]
fn behavior_1_a_put_without_parameters_has_length_zero() {
    let world = World::new();
    let put = world.olivia().put_empty("/orgs/acme/teams/core/memberships/eve");
    assert_eq!(put.expect(200)["role"], "member");
}

#[test]
fn behavior_4_deleting_a_parent_deletes_its_children() {
    let world = World::new();
    let child = given::child(&world, &given::core(&world), "Child");
    given::child(&world, &child, "Grandchild");
    given::closed(&world, "Other");
    world.olivia().delete("/orgs/acme/teams/core").expect(204);
    assert_eq!(given::each(&world.olivia(), "/orgs/acme/teams", "slug"), ["other"]);
    for slug in ["core", "child", "grandchild"] {
        world.olivia().get(&format!("/orgs/acme/teams/{slug}")).refused(404, "Not Found");
    }
    assert_eq!(given::each(&world.olivia(), "/user/teams", "slug"), ["other"]);
}

#[test]
fn behavior_4_deleting_a_child_leaves_its_parent() {
    let world = World::new();
    given::child(&world, &given::core(&world), "Child");
    world.olivia().delete("/orgs/acme/teams/child").expect(204);
    assert_eq!(world.olivia().get("/orgs/acme/teams/core/teams").expect(200), &json!([]));
    given::core(&world);
}

#[test]
fn behavior_5_the_creator_is_a_maintainer_without_being_listed() {
    let world = World::new();
    for (body, count) in [
        (json!({ "name": "One" }), 1),
        (json!({ "name": "Two", "maintainers": [] }), 1),
        (json!({ "name": "Three", "maintainers": ["tom"] }), 1),
        (json!({ "name": "Four", "maintainers": ["max"] }), 2),
    ] {
        let team = world.tom().post("/orgs/acme/teams", body);
        assert_eq!(team.expect(201)["members_count"], count);
        let membership = format!("/organizations/{}/team/{}/memberships/tom", given::org_id(&world), team.json["id"]);
        assert_eq!(world.tom().get(&membership).expect(200)["role"], "maintainer");
    }
}

#[test]
fn behavior_6_members_create_teams_unless_owners_have_kept_that_for_themselves() {
    let world = World::new();
    world.eve().post("/orgs/acme/teams", json!({ "name": "One" })).expect(201);
    world.olivia().patch("/orgs/acme", json!({ "members_can_create_teams": false })).expect(200);
    world.eve().post("/orgs/acme/teams", json!({ "name": "Two" })).expect(403);
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Two" })).expect(201);
    world.olivia().patch("/orgs/acme", json!({ "members_can_create_teams": true })).expect(200);
    world.eve().post("/orgs/acme/teams", json!({ "name": "Three" })).expect(201);
}

#[test]
fn behavior_7_the_members_of_a_team_that_follows_a_provider_are_changed_there_alone() {
    let world = World::new();
    let provider = Provider::of(&world);
    let eve = provider.tied(&world, "eve");
    let group = provider.group("Staff", &[&eve]);
    link(&world, "core", &[&group]).expect(200);
    assert_eq!(people(&world, "core"), ["eve"]);
    world.olivia().put("/orgs/acme/teams/core/memberships/tom", json!({})).expect(403);
    world.olivia().delete("/orgs/acme/teams/core/memberships/eve").expect(403);
    provider.remove(&group, &eve);
    assert_eq!(people(&world, "core"), Vec::<&str>::new());
}
