//! Memberships of an organization and the invitation behind a pending one (section 8, decision 26).

use crate::spec::given;
use crate::support::{World, json};

const NINA: &str = "/orgs/acme/memberships/nina";
const MINE: &str = "/user/memberships/orgs/acme";

#[test]
fn operation_org_memberships_get_is_for_members_and_for_the_pending_person() {
    let world = World::new();
    world.olivia().put(NINA, json!({})).expect(200);
    for login in ["olivia", "tom"] {
        assert_eq!(world.client(login).get("/orgs/acme/memberships/max").expect(200)["state"], "active");
    }
    assert_eq!(world.nina().get(NINA).expect(200)["state"], "pending");
    world.nina().get("/orgs/acme/memberships/max").expect(403);
    world.olivia().get("/orgs/acme/memberships/nobody").refused(404, "Not Found");
}

#[test]
fn operation_org_memberships_get_is_404_for_somebody_who_is_neither_member_nor_invited() {
    let world = World::new();
    world.tom().get(NINA).refused(404, "Not Found");
}

#[test]
fn operation_org_memberships_put_invites_somebody_who_is_registered() {
    let world = World::new();
    let invited = world.olivia().put(NINA, json!({ "role": "admin" }));
    assert_eq!(invited.expect(200)["state"], "pending");
    assert_eq!(world.nina().get(MINE).expect(200)["state"], "pending");
    let accepted = world.nina().patch(MINE, json!({ "state": "active" }));
    assert_eq!((&accepted.expect(200)["state"], &accepted.json["role"]), (&json!("active"), &json!("admin")));
    world.nina().patch("/orgs/acme", json!({ "company": "c" })).expect(200);
}

#[test]
fn operation_org_memberships_put_changes_the_role_of_a_member() {
    let world = World::new();
    let promoted = world.olivia().put("/orgs/acme/memberships/tom", json!({ "role": "admin" }));
    assert_eq!((&promoted.expect(200)["state"], &promoted.json["role"]), (&json!("active"), &json!("admin")));
    let demoted = world.tom().put("/orgs/acme/memberships/olivia", json!({ "role": "member" }));
    assert_eq!(demoted.expect(200)["role"], "member");
    world.olivia().patch("/orgs/acme", json!({ "company": "c" })).expect(403);
}

#[test]
fn operation_org_memberships_put_changes_the_role_of_an_open_invitation() {
    let world = World::new();
    world.olivia().put(NINA, json!({ "role": "admin" })).expect(200);
    assert_eq!(world.olivia().put(NINA, json!({ "role": "member" })).expect(200)["state"], "pending");
    let accepted = world.nina().patch(MINE, json!({ "state": "active" }));
    assert_eq!(accepted.expect(200)["role"], "member");
}

#[test]
fn operation_org_memberships_put_without_a_role_is_member() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/tom", json!({ "role": "admin" })).expect(200);
    let demoted = world.olivia().put_empty("/orgs/acme/memberships/tom");
    assert_eq!(demoted.expect(200)["role"], "member");
}

#[test]
fn operation_org_memberships_put_is_for_owners_and_for_people_who_exist() {
    let world = World::new();
    for login in ["max", "tom", "nina", "sam"] {
        world.client(login).put(NINA, json!({})).expect(403);
    }
    world.olivia().put("/orgs/acme/memberships/nobody", json!({})).refused(404, "Not Found");
    world.olivia().put(NINA, json!({ "role": "maintainer" })).expect(422);
    world.nina().get(MINE).refused(404, "Not Found");
}

#[test]
fn operation_org_memberships_delete_removes_a_member_or_cancels_the_invitation() {
    let world = World::new();
    world.olivia().delete("/orgs/acme/memberships/tom").expect(204);
    world.olivia().get("/orgs/acme/memberships/tom").expect(404);
    world.olivia().put(NINA, json!({})).expect(200);
    world.olivia().delete(NINA).expect(204);
    world.nina().get(MINE).refused(404, "Not Found");
    world.nina().patch(MINE, json!({ "state": "active" })).refused(404, "Not Found");
    world.olivia().delete(NINA).refused(404, "Not Found");
}

#[test]
fn operation_org_memberships_delete_is_for_owners() {
    let world = World::new();
    for login in ["max", "tom", "nina"] {
        world.client(login).delete("/orgs/acme/memberships/tom").expect(403);
    }
    world.olivia().get("/orgs/acme/memberships/tom").expect(200);
}

#[test]
fn operation_org_memberships_the_callers_memberships_are_listed_by_state() {
    let world = World::new();
    world.organization("beta", "nina", &["tom"]);
    world.organization("gamma", "nina", &[]);
    world.nina().put("/orgs/gamma/memberships/tom", json!({})).expect(200);
    let list = |query: &str| -> Vec<String> {
        let memberships = world.tom().all(&format!("/user/memberships/orgs?{query}"));
        memberships.iter().map(|m| m["organization"]["login"].as_str().expect("a login").to_owned()).collect()
    };
    assert_eq!(list("per_page=1"), ["acme", "beta", "gamma"]);
    assert_eq!(list("state=active"), ["acme", "beta"]);
    assert_eq!(list("state=pending"), ["gamma"]);
    assert_eq!(list("state=nonsense"), ["acme", "beta", "gamma"]);
}

#[test]
fn operation_org_memberships_only_active_can_be_asked_for() {
    let world = World::new();
    world.olivia().put(NINA, json!({})).expect(200);
    for body in [json!({ "state": "pending" }), json!({ "state": "x" }), json!({}), json!({ "state": null })] {
        world.nina().patch(MINE, body).expect(422);
    }
    assert_eq!(world.nina().get(MINE).expect(200)["state"], "pending");
}

#[test]
fn operation_org_memberships_accepting_twice_is_the_same_as_once() {
    let world = World::new();
    world.olivia().put(NINA, json!({})).expect(200);
    world.nina().patch(MINE, json!({ "state": "active" })).expect(200);
    let again = world.nina().patch(MINE, json!({ "state": "active" }));
    assert_eq!(again.expect(200)["state"], "active");
    assert_eq!(given::each(&world.tom(), "/orgs/acme/members", "login").len(), 6);
}

#[test]
fn operation_org_memberships_an_invitation_expires_and_is_revived_by_a_new_one() {
    let world = World::new();
    world.olivia().put(NINA, json!({})).expect(200);
    world.advance(7 * 86_400 + 1);
    world.olivia().get(NINA).refused(404, "Not Found");
    world.nina().get(MINE).refused(404, "Not Found");
    assert_eq!(world.nina().get("/user/memberships/orgs").expect(200), &json!([]));
    assert_eq!(world.olivia().put(NINA, json!({})).expect(200)["state"], "pending");
    world.advance(7 * 86_400 - 1);
    world.nina().patch(MINE, json!({ "state": "active" })).expect(200);
}
