//! The states of a membership and their transitions (section 5).

use crate::spec::given;
use crate::support::{World, json};

const NINA: &str = "/orgs/acme/teams/core/memberships/nina";
const EVE: &str = "/orgs/acme/teams/core/memberships/eve";
const TOM: &str = "/orgs/acme/teams/core/memberships/tom";

fn accept(world: &World, login: &str) {
    let accepted = world.client(login).patch("/user/memberships/orgs/acme", json!({ "state": "active" }));
    assert_eq!(accepted.expect(200)["state"], "active");
}

#[test]
fn states_1_an_outsider_whom_an_owner_names_becomes_pending() {
    let world = World::new();
    world.olivia().get(NINA).expect(404);
    let put = world.olivia().put(NINA, json!({ "role": "maintainer" }));
    assert_eq!((&put.expect(200)["state"], &put.json["role"]), (&json!("pending"), &json!("maintainer")));
    assert_eq!(world.olivia().get(NINA).expect(200)["state"], "pending");
    assert_eq!(given::each(&world.olivia(), "/orgs/acme/teams/core/members", "login"), ["max", "tom"]);
}

#[test]
fn states_2_who_accepts_is_active_with_the_role_of_the_invitation() {
    let world = World::new();
    given::put(&world, "core", "nina", "maintainer");
    accept(&world, "nina");
    let membership = world.olivia().get(NINA);
    assert_eq!(membership.expect(200)["state"], "active");
    assert_eq!(membership.json["role"], "maintainer");
    assert_eq!(given::each(&world.nina(), "/orgs/acme/teams/core/members", "login"), ["max", "tom", "nina"]);
    assert_eq!(world.olivia().get("/orgs/acme/memberships/nina").expect(200)["role"], "member");
}

#[test]
fn states_3_a_put_for_somebody_on_the_team_changes_the_role() {
    let world = World::new();
    let promoted = world.max().put(TOM, json!({ "role": "maintainer" }));
    assert_eq!((&promoted.expect(200)["state"], &promoted.json["role"]), (&json!("active"), &json!("maintainer")));
    assert_eq!(world.tom().get(TOM).expect(200)["role"], "maintainer");
    let back = world.olivia().put(TOM, json!({ "role": "member" }));
    assert_eq!(back.expect(200)["role"], "member");
    assert_eq!(given::core(&world)["members_count"], 2);
}

#[test]
fn states_4_an_owner_removes_and_the_account_stays() {
    let world = World::new();
    world.olivia().delete(TOM).expect(204);
    world.olivia().get(TOM).refused(404, "Not Found");
    assert_eq!(world.tom().get("/user").expect(200)["login"], "tom");
    world.tom().get("/orgs/acme/members/tom").expect(204);
}

#[test]
fn states_4_a_maintainer_removes() {
    let world = World::new();
    world.max().delete(TOM).expect(204);
    assert_eq!(given::each(&world.max(), "/orgs/acme/teams/core/members", "login"), ["max"]);
    assert_eq!(given::core(&world)["members_count"], 1);
}

#[test]
fn states_4_a_pending_membership_is_removed() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    world.max().delete(NINA).expect(204);
    world.olivia().get(NINA).expect(404);
    world.olivia().delete(NINA).expect(204);
    world.nina().get("/user").expect(200);
}

#[test]
fn states_4_nobody_else_removes() {
    let world = World::new();
    let refused = "You must be an organization owner or team maintainer to remove a team membership.";
    world.tom().delete(TOM).refused(403, refused);
    world.eve().delete(TOM).refused(403, refused);
    world.nina().delete(TOM).refused(404, "Not Found");
    assert_eq!(world.olivia().get(TOM).expect(200)["state"], "active");
}

#[test]
fn states_5_a_member_of_the_organization_is_active_at_once() {
    let world = World::new();
    let put = world.max().put(EVE, json!({}));
    assert_eq!((&put.expect(200)["state"], &put.json["role"]), (&json!("active"), &json!("member")));
    assert_eq!(given::each(&world.eve(), "/user/teams", "slug"), ["core"]);
    assert_eq!(given::core(&world)["members_count"], 3);
}

#[test]
fn states_6_the_role_to_be_given_changes_while_pending() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    let put = world.olivia().put(NINA, json!({ "role": "maintainer" }));
    assert_eq!((&put.expect(200)["state"], &put.json["role"]), (&json!("pending"), &json!("maintainer")));
    accept(&world, "nina");
    assert_eq!(world.nina().get(NINA).expect(200)["role"], "maintainer");
}

#[test]
fn states_7_what_was_pending_is_gone_when_the_invitation_expires() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    world.advance(7 * 86_400 + 1);
    world.olivia().get(NINA).refused(404, "Not Found");
    world.nina().get("/user/memberships/orgs/acme").expect(404);
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(404);
    assert_eq!(given::each(&world.olivia(), "/orgs/acme/failed_invitations", "login"), ["nina"]);
}

#[test]
fn states_8_who_leaves_the_organization_leaves_all_its_teams() {
    let world = World::new();
    given::closed(&world, "Other");
    given::put(&world, "other", "tom", "member");
    world.olivia().delete("/orgs/acme/memberships/tom").expect(204);
    for team in ["core", "other"] {
        world.olivia().get(&format!("/orgs/acme/teams/{team}/memberships/tom")).expect(404);
    }
    assert_eq!(given::core(&world)["members_count"], 1);
    assert_eq!(world.tom().get("/user/teams").expect(200), &json!([]));
}

#[test]
fn states_8_who_is_no_longer_invited_is_pending_nowhere() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    world.olivia().delete("/orgs/acme/memberships/nina").expect(204);
    world.olivia().get(NINA).expect(404);
    world.nina().get("/user/memberships/orgs/acme").expect(404);
}

#[test]
fn states_9_creator_and_named_maintainers_are_active_maintainers() {
    let world = World::new();
    world.tom().post("/orgs/acme/teams", json!({ "name": "Design", "maintainers": ["eve"] })).expect(201);
    for login in ["tom", "eve"] {
        let membership = world.tom().get(&format!("/orgs/acme/teams/design/memberships/{login}"));
        assert_eq!(membership.expect(200)["state"], "active");
        assert_eq!(membership.json["role"], "maintainer");
    }
    assert_eq!(world.tom().get("/orgs/acme/teams/design").expect(200)["members_count"], 2);
}
