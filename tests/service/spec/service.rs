//! The features of the service (section 2).

use crate::spec::given;
use crate::support::{World, json};

#[test]
fn service_1_teams_are_created_read_changed_and_deleted() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/teams", json!({ "name": "Design" })).expect(201);
    assert_eq!(olivia.get("/orgs/acme/teams/design").expect(200)["name"], "Design");
    let changed = olivia.patch("/orgs/acme/teams/design", json!({ "name": "Design", "description": "draws" }));
    assert_eq!(changed.expect(200)["description"], "draws");
    assert_eq!(olivia.get("/orgs/acme/teams/design").expect(200)["description"], "draws");
    olivia.delete("/orgs/acme/teams/design").expect(204);
    olivia.get("/orgs/acme/teams/design").refused(404, "Not Found");
}

#[test]
fn service_1_a_team_stands_below_a_parent_and_has_children() {
    let world = World::new();
    let parent = given::closed(&world, "Parent");
    let middle = given::child(&world, &parent, "Middle");
    given::child(&world, &middle, "Leaf");
    let record = world.olivia().get("/orgs/acme/teams/middle");
    assert_eq!(record.expect(200)["parent"]["slug"], "parent");
    assert_eq!(given::each(&world.olivia(), "/orgs/acme/teams/middle/teams", "slug"), ["leaf"]);
    assert_eq!(given::each(&world.olivia(), "/orgs/acme/teams/parent/teams", "slug"), ["middle"]);
}

#[test]
fn service_2_in_each_team_a_person_is_member_or_maintainer() {
    let world = World::new();
    given::closed(&world, "Other");
    given::put(&world, "other", "max", "member");
    let role =
        |slug: &str| world.tom().get(&format!("/orgs/acme/teams/{slug}/memberships/max")).expect(200)["role"].clone();
    assert_eq!((role("core"), role("other")), (json!("maintainer"), json!("member")));
    let third = world.olivia().put("/orgs/acme/teams/other/memberships/max", json!({ "role": "admin" }));
    assert!(third.expect(422)["message"].as_str().unwrap_or_default().starts_with("Invalid request.\n\n"));
    assert_eq!(role("other"), "member");
}

#[test]
fn service_3_an_outsider_put_on_a_team_is_invited() {
    let world = World::new();
    assert_eq!(given::put(&world, "core", "nina", "member")["state"], "pending");
    let invitation = world.nina().get("/user/memberships/orgs/acme");
    assert_eq!(invitation.expect(200)["state"], "pending");
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    assert_eq!(given::each(&world.nina(), "/user/teams", "slug"), ["core"]);
}

#[test]
fn service_5_a_team_has_a_board_of_discussions_with_comments() {
    let world = World::new();
    let (tom, board) = (world.tom(), "/orgs/acme/teams/core/discussions");
    assert_eq!(tom.get(board).expect(200), &json!([]));
    given::post(&tom, "Lunch", false);
    tom.post(&format!("{board}/1/comments"), json!({ "body": "Where?" })).expect(201);
    tom.patch(&format!("{board}/1"), json!({ "title": "Dinner" })).expect(200);
    tom.patch(&format!("{board}/1/comments/1"), json!({ "body": "When?" })).expect(200);
    assert_eq!(given::each(&tom, board, "title"), ["Dinner"]);
    assert_eq!(given::each(&tom, &format!("{board}/1/comments"), "body"), ["When?"]);
    tom.delete(&format!("{board}/1/comments/1")).expect(204);
    tom.delete(&format!("{board}/1")).expect(204);
    assert_eq!(tom.get(board).expect(200), &json!([]));
}

#[test]
fn service_6_there_are_the_teams_of_an_organization_and_those_of_the_caller() {
    let world = World::new();
    given::closed(&world, "Other");
    assert_eq!(given::each(&world.tom(), "/orgs/acme/teams", "slug"), ["core", "other"]);
    assert_eq!(given::each(&world.tom(), "/user/teams", "slug"), ["core"]);
    assert_eq!(given::each(&world.olivia(), "/user/teams", "slug"), ["other"]);
}

#[test]
fn service_7_the_slug_is_derived_from_the_name_and_stands_in_paths() {
    let world = World::new();
    let team = given::team(&world, json!({ "name": "My TEam Näme", "slug": "chosen" }));
    assert_eq!(team["slug"], "my-team-name");
    assert_eq!(world.olivia().get("/orgs/acme/teams/my-team-name").expect(200)["id"], team["id"]);
    world.olivia().get("/orgs/acme/teams/chosen").expect(404);
}
