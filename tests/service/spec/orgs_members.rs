//! Members and public members of an organization (section 8).

use crate::spec::given;
use crate::support::{World, json};

const MEMBERS: &str = "/orgs/acme/members";

#[test]
fn operation_org_members_list_shows_members_everybody_by_id() {
    let world = World::new();
    let all = ["olivia", "max", "tom", "eve", "ray"];
    assert_eq!(given::each(&world.tom(), MEMBERS, "login"), all);
    assert_eq!(given::each(&world.tom(), &format!("{MEMBERS}?per_page=2&page=2"), "login"), ["tom", "eve"]);
}

#[test]
fn operation_org_members_list_filters_by_role() {
    let world = World::new();
    let list = |query: &str| given::each(&world.tom(), &format!("{MEMBERS}?{query}"), "login");
    assert_eq!(list("role=admin"), ["olivia"]);
    assert_eq!(list("role=member"), ["max", "tom", "eve", "ray"]);
    assert_eq!(list("role=nonsense").len(), 5);
}

#[test]
fn operation_org_members_list_shows_others_the_public_members() {
    let world = World::new();
    assert_eq!(world.nina().get(MEMBERS).expect(200), &json!([]));
    world.tom().put_empty("/orgs/acme/public_members/tom").expect(204);
    for client in [world.nina(), world.anonymous(), world.sam()] {
        assert_eq!(given::each(&client, MEMBERS, "login"), ["tom"]);
    }
}

#[test]
fn operation_org_members_list_leaves_out_who_is_only_invited() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    assert_eq!(given::each(&world.olivia(), MEMBERS, "login").len(), 5);
}

#[test]
fn operation_org_members_check_says_204_or_404_to_members() {
    let world = World::new();
    let answer = world.tom().get("/orgs/acme/members/eve");
    answer.expect(204);
    assert_eq!(answer.text, "");
    world.tom().get("/orgs/acme/members/nina").expect(404);
    world.tom().get("/orgs/acme/members/nobody").expect(404);
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    world.tom().get("/orgs/acme/members/nina").expect(404);
}

#[test]
fn operation_org_members_check_sends_others_to_the_public_form() {
    let world = World::new();
    world.tom().put_empty("/orgs/acme/public_members/tom").expect(204);
    for client in [world.nina(), world.anonymous()] {
        for (login, status) in [("tom", 204), ("eve", 404)] {
            let answer = client.get(&format!("/orgs/acme/members/{login}"));
            answer.expect(302);
            let location = answer.header("location").expect("a location");
            assert!(location.ends_with(&format!("/public_members/{login}")), "{location}");
            client.get(location).expect(status);
        }
    }
}

#[test]
fn operation_org_members_remove_is_for_owners() {
    let world = World::new();
    for login in ["max", "tom", "eve"] {
        world.client(login).delete("/orgs/acme/members/tom").expect(403);
    }
    world.limited("olivia", &["repo"]).delete("/orgs/acme/members/tom").refused(404, "Not Found");
    world.olivia().delete("/orgs/acme/members/tom").expect(204);
    world.olivia().get("/orgs/acme/members/tom").expect(404);
    world.olivia().delete("/orgs/acme/members/tom").expect(404);
    assert_eq!(given::each(&world.max(), "/orgs/acme/teams/core/members", "login"), ["max"]);
}

#[test]
fn operation_org_members_public_membership_is_for_oneself_only() {
    let world = World::new();
    let refused = world.olivia().put_empty("/orgs/acme/public_members/tom");
    refused.refused(403, "Only the user can publicize their membership");
    world.olivia().delete("/orgs/acme/public_members/tom").expect(403);
    world.nina().put_empty("/orgs/acme/public_members/nina").expect(403);
    world.anonymous().get("/orgs/acme/public_members/tom").expect(404);
}

#[test]
fn operation_org_members_public_members_are_shown_and_concealed() {
    let world = World::new();
    world.tom().put_empty("/orgs/acme/public_members/tom").expect(204);
    world.anonymous().get("/orgs/acme/public_members/tom").expect(204);
    assert_eq!(given::each(&world.anonymous(), "/orgs/acme/public_members", "login"), ["tom"]);
    world.tom().delete("/orgs/acme/public_members/tom").expect(204);
    world.anonymous().get("/orgs/acme/public_members/tom").expect(404);
    assert_eq!(world.anonymous().get("/orgs/acme/public_members").expect(200), &json!([]));
}
