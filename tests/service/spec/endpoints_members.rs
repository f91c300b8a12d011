//! The operations of members (section 8): who may call them and what success looks like.

use crate::spec::given;
use crate::support::{Client, World, json};

const MEMBERS: &str = "/orgs/acme/teams/core/members";
const EVE: &str = "/orgs/acme/teams/core/memberships/eve";
const TOM: &str = "/orgs/acme/teams/core/memberships/tom";

/// The statuses that the people of the tests and an anonymous client get.
fn statuses(world: &World, call: impl Fn(&Client) -> u16) -> [u16; 7] {
    let [olivia, max, tom, eve, nina, sam] =
        ["olivia", "max", "tom", "eve", "nina", "sam"].map(|login| call(&world.client(login)));
    [olivia, max, tom, eve, nina, sam, call(&world.anonymous())]
}

#[test]
fn operation_list_members_is_for_those_who_see_the_team() {
    let world = World::new();
    assert_eq!(statuses(&world, |client| client.get(MEMBERS).status), [200, 200, 200, 200, 404, 404, 404]);
    assert_eq!(given::each(&world.eve(), MEMBERS, "login"), ["max", "tom"]);
}

#[test]
fn operation_get_membership_is_for_those_who_see_the_team() {
    let world = World::new();
    assert_eq!(statuses(&world, |client| client.get(TOM).status), [200, 200, 200, 200, 404, 404, 404]);
    world.olivia().get(EVE).refused(404, "Not Found");
    world.olivia().get("/orgs/acme/teams/core/memberships/nobody").refused(404, "Not Found");
}

#[test]
fn operation_put_membership_is_for_owners_and_maintainers() {
    let world = World::new();
    let put = |client: &Client| client.put(EVE, json!({})).status;
    assert_eq!(statuses(&world, put), [200, 200, 403, 403, 404, 404, 401]);
}

#[test]
fn operation_remove_membership_is_for_owners_and_maintainers() {
    let world = World::new();
    let delete = |client: &Client| {
        given::put(&world, "core", "eve", "member");
        client.delete(EVE).status
    };
    assert_eq!(statuses(&world, delete), [204, 204, 403, 403, 404, 404, 401]);
}

#[test]
fn operation_remove_membership_that_does_not_exist_is_404_only_without_the_account() {
    let world = World::new();
    world.max().delete(EVE).expect(204);
    world.max().delete("/orgs/acme/teams/core/memberships/nobody").refused(404, "Not Found");
    world.max().delete("/orgs/acme/teams/core/memberships/acme").refused(404, "Not Found");
}

#[test]
fn states_3_a_put_that_changes_nothing_writes_nothing() {
    let world = World::new();
    let first = world.max().put(EVE, json!({ "role": "member" })).expect(200).clone();
    let written = given::written(&world);
    let second = world.max().put(EVE, json!({ "role": "member" }));
    assert_eq!(second.expect(200), &first);
    assert_eq!(given::written(&world), written);
    assert_eq!(given::core(&world)["members_count"], 3);
}

#[test]
fn decision_2_a_login_in_a_membership_is_found_in_any_case() {
    let world = World::new();
    let put = world.max().put("/orgs/ACME/teams/CORE/memberships/EVE", json!({}));
    let url = put.expect(200)["url"].as_str().expect("an address").to_owned();
    assert!(url.ends_with("/memberships/eve"), "{url}");
    world.max().get("/orgs/Acme/teams/Core/memberships/Eve").expect(200);
}

#[test]
fn decision_23_role_filters_the_members_and_owners_are_maintainers() {
    let world = World::new();
    given::put(&world, "core", "olivia", "member");
    let list = |query: &str| given::each(&world.tom(), &format!("{MEMBERS}?{query}"), "login");
    assert_eq!(list("role=maintainer"), ["olivia", "max"]);
    assert_eq!(list("role=member"), ["tom"]);
    assert_eq!(list("role=all"), ["olivia", "max", "tom"]);
}

#[test]
fn limits_2_members_come_in_pages() {
    let world = World::new();
    given::put(&world, "core", "eve", "member");
    assert_eq!(given::each(&world.tom(), &format!("{MEMBERS}?per_page=2"), "login"), ["max", "tom"]);
    assert_eq!(given::each(&world.tom(), &format!("{MEMBERS}?per_page=2&page=2"), "login"), ["eve"]);
    let role = format!("{MEMBERS}?role=member&per_page=1");
    let all: Vec<_> = world.tom().all(&role).iter().map(|person| person["login"].clone()).collect();
    assert_eq!(all, ["tom", "eve"]);
}

#[test]
fn decision_17_a_pending_person_is_on_no_team_yet() {
    let world = World::new();
    given::put(&world, "core", "nina", "member");
    assert_eq!(given::each(&world.olivia(), MEMBERS, "login"), ["max", "tom"]);
    world.nina().get(MEMBERS).refused(404, "Not Found");
    assert_eq!(world.nina().get("/user/teams").expect(200), &json!([]));
}
