//! Members: the older calls, the list, the record, and who is put on a team (decisions 6, 23, 24, 25 and 28).

use crate::spec::given;
use crate::support::{Value, World, json};

const MEMBERS: &str = "/orgs/acme/teams/core/members";
const MEMBERSHIPS: &str = "/orgs/acme/teams/core/memberships";

/// `core` with a child where Eve maintains, and a grandchild where Tom and Ray are.
fn nested() -> World {
    let world = World::new();
    let child = given::child(&world, &given::core(&world), "Child");
    given::child(&world, &child, "Grandchild");
    given::put(&world, "child", "eve", "maintainer");
    given::put(&world, "grandchild", "tom", "maintainer");
    given::put(&world, "grandchild", "ray", "member");
    for slug in ["child", "grandchild"] {
        world.olivia().delete(&format!("/orgs/acme/teams/{slug}/memberships/olivia")).expect(204);
    }
    world
}

fn list(world: &World, query: &str) -> Vec<(Value, Value)> {
    let answer = world.tom().get(&format!("{MEMBERS}?{query}"));
    answer.expect(200);
    answer.each("login").into_iter().zip(answer.each("inherited")).collect()
}

fn people(expected: &[(&str, bool)]) -> Vec<(Value, Value)> {
    expected.iter().map(|(login, inherited)| (json!(login), json!(inherited))).collect()
}

#[test]
fn decision_6_the_older_get_is_204_for_anybody_on_the_team_or_below() {
    let world = nested();
    for form in given::forms(&given::core(&world)) {
        for login in ["max", "tom", "eve", "ray"] {
            world.tom().get(&format!("{form}/members/{login}")).expect(204);
        }
        for login in ["olivia", "nina", "nobody", "acme"] {
            world.tom().get(&format!("{form}/members/{login}")).expect(404);
        }
    }
    given::put(&world, "core", "nina", "member");
    world.olivia().get(&format!("{MEMBERS}/nina")).expect(404);
}

#[test]
fn decision_6_the_older_put_is_204_and_never_invites() {
    let world = World::new();
    for form in given::forms(&given::core(&world)) {
        world.max().put_empty(&format!("{form}/members/eve")).expect(204);
        assert_eq!(world.max().get(&format!("{MEMBERSHIPS}/eve")).expect(200)["role"], "member");
        world.max().delete(&format!("{form}/members/eve")).expect(204);
        world.max().get(&format!("{MEMBERSHIPS}/eve")).expect(404);
    }
    for client in [world.olivia(), world.max()] {
        let answer = client.put_empty(&format!("{MEMBERS}/nina"));
        assert_eq!(answer.expect(422)["errors"][0]["code"], "unaffiliated");
    }
    world.nina().get("/user/memberships/orgs/acme").expect(404);
}

#[test]
fn decision_6_the_older_calls_have_the_same_rights() {
    let world = World::new();
    world.tom().put_empty(&format!("{MEMBERS}/eve")).expect(403);
    world.tom().delete(&format!("{MEMBERS}/tom")).expect(403);
    world.nina().delete(&format!("{MEMBERS}/tom")).expect(404);
    world.max().put_empty(&format!("{MEMBERS}/nobody")).expect(404);
    world.max().delete(&format!("{MEMBERS}/eve")).expect(404);
    assert_eq!(world.max().put_empty(&format!("{MEMBERS}/acme")).expect(422)["errors"][0]["code"], "org");
}

#[test]
fn decision_23_the_list_merges_all_teams_below_each_person_once_by_id() {
    let world = nested();
    let all = people(&[("max", false), ("tom", false), ("eve", true), ("ray", true)]);
    assert_eq!(list(&world, ""), all);
    assert_eq!(given::each(&world.tom(), "/orgs/acme/teams/child/members", "login"), ["tom", "eve", "ray"]);
    assert_eq!(world.tom().all(&format!("{MEMBERS}?per_page=1")).len(), 4);
}

#[test]
fn decision_23_role_looks_at_the_team_that_was_asked() {
    let world = nested();
    assert_eq!(list(&world, "role=maintainer"), people(&[("max", false)]));
    assert_eq!(list(&world, "role=member"), people(&[("tom", false), ("eve", true), ("ray", true)]));
}

#[test]
fn decision_23_owners_count_as_maintainers_also_when_only_below() {
    let world = nested();
    given::put(&world, "grandchild", "olivia", "member");
    assert_eq!(list(&world, "role=maintainer"), people(&[("olivia", true), ("max", false)]));
    assert_eq!(list(&world, "role=member"), people(&[("tom", false), ("eve", true), ("ray", true)]));
    world.olivia().put("/orgs/acme/memberships/tom", json!({ "role": "admin" })).expect(200);
    assert_eq!(list(&world, "role=maintainer"), people(&[("olivia", true), ("max", false), ("tom", false)]));
}

#[test]
fn decision_23_membership_limits_the_list_to_own_or_inherited_people() {
    let world = nested();
    assert_eq!(list(&world, "membership=immediate"), people(&[("max", false), ("tom", false)]));
    assert_eq!(list(&world, "membership=child_team"), people(&[("eve", true), ("ray", true)]));
    assert_eq!(list(&world, "membership=all").len(), 4);
    assert_eq!(list(&world, "membership=immediate&role=maintainer"), people(&[("max", false)]));
}

#[test]
fn decision_24_the_role_is_worked_out_when_read_and_the_stored_one_waits() {
    let world = World::new();
    let role = || world.max().get(&format!("{MEMBERSHIPS}/tom")).expect(200)["role"].clone();
    world.olivia().put("/orgs/acme/memberships/tom", json!({ "role": "admin" })).expect(200);
    assert_eq!(role(), "maintainer");
    world.olivia().put("/orgs/acme/memberships/tom", json!({ "role": "member" })).expect(200);
    assert_eq!(role(), "member");
    let put = world.max().put(&format!("{MEMBERSHIPS}/olivia"), json!({ "role": "member" }));
    assert_eq!(put.expect(200)["role"], "maintainer");
}

#[test]
fn decision_24_what_is_set_while_somebody_owns_the_organization_holds_later() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    for role in ["maintainer", "member"] {
        world.max().put("/orgs/acme/memberships/olivia", json!({ "role": "admin" })).expect(200);
        let put = world.max().put(&format!("{MEMBERSHIPS}/olivia"), json!({ "role": role }));
        assert_eq!(put.expect(200)["role"], "maintainer");
        world.max().put("/orgs/acme/memberships/olivia", json!({ "role": "member" })).expect(200);
        assert_eq!(world.max().get(&format!("{MEMBERSHIPS}/olivia")).expect(200)["role"], role);
    }
}

#[test]
fn decision_24_for_somebody_who_is_only_below_get_is_active_and_delete_does_nothing() {
    let world = nested();
    let membership = world.max().get(&format!("{MEMBERSHIPS}/eve"));
    assert_eq!((&membership.expect(200)["state"], &membership.json["role"]), (&json!("active"), &json!("member")));
    let written = given::written(&world);
    world.max().delete(&format!("{MEMBERSHIPS}/eve")).expect(204);
    assert_eq!(given::written(&world), written);
    assert_eq!(world.max().get(&format!("{MEMBERSHIPS}/eve")).expect(200)["state"], "active");
    assert_eq!(world.max().get("/orgs/acme/teams/child/memberships/eve").expect(200)["role"], "maintainer");
}

#[test]
fn decision_24_of_an_account_without_a_membership_get_is_404_and_delete_does_nothing() {
    let world = World::new();
    let written = given::written(&world);
    for login in ["eve", "olivia", "nina", "EVE"] {
        world.max().get(&format!("{MEMBERSHIPS}/{login}")).refused(404, "Not Found");
        for form in given::forms(&given::core(&world)) {
            world.max().delete(&format!("{form}/memberships/{login}")).expect(204);
        }
    }
    for login in ["nobody", "acme"] {
        world.max().delete(&format!("{MEMBERSHIPS}/{login}")).refused(404, "Not Found");
    }
    world.tom().delete(&format!("{MEMBERSHIPS}/eve")).expect(403);
    world.nina().delete(&format!("{MEMBERSHIPS}/eve")).expect(404);
    assert_eq!(given::written(&world), written);
}

#[test]
fn decision_24_a_membership_may_be_deleted_after_its_person_left_the_organization() {
    let world = World::new();
    world.olivia().delete("/orgs/acme/memberships/tom").expect(204);
    world.max().delete(&format!("{MEMBERSHIPS}/tom")).expect(204);
    world.max().delete(&format!("{MEMBERS}/tom")).refused(404, "Not Found");
}

#[test]
fn decision_24_leaving_needs_the_right_to_remove() {
    let world = World::new();
    world.tom().delete(&format!("{MEMBERSHIPS}/tom")).expect(403);
    world.max().delete(&format!("{MEMBERSHIPS}/max")).expect(204);
}

#[test]
fn decision_25_an_unknown_login_is_404_and_an_organizations_422() {
    let world = World::new();
    for client in [world.olivia(), world.max()] {
        client.put(&format!("{MEMBERSHIPS}/nobody"), json!({})).refused(404, "Not Found");
        let answer = client.put(&format!("{MEMBERSHIPS}/acme"), json!({}));
        answer.refused(422, "Cannot add an organization as a member.");
        let item = json!([{ "resource": "TeamMember", "code": "org", "field": "user" }]);
        assert_eq!(answer.json["errors"], item);
    }
}

#[test]
fn decision_25_a_maintainer_who_names_an_outsider_is_refused() {
    let world = World::new();
    let answer = world.max().put(&format!("{MEMBERSHIPS}/nina"), json!({}));
    given::violates(&answer, json!({ "resource": "TeamMember", "code": "no_permission", "field": "user" }));
    world.nina().get("/user/memberships/orgs/acme").expect(404);
}

#[test]
fn decision_25_a_role_is_one_of_two() {
    let world = World::new();
    for role in [json!("owner"), json!("Maintainer"), json!(1), json!("")] {
        let answer = world.max().put(&format!("{MEMBERSHIPS}/eve"), json!({ "role": role }));
        assert!(answer.expect(422)["message"].as_str().is_some_and(|text| text.starts_with("Invalid request.")));
    }
    world.max().get(&format!("{MEMBERSHIPS}/eve")).expect(404);
}

#[test]
fn decision_28_removal_from_the_organization_removes_from_all_its_teams_and_from_no_other() {
    let world = World::new();
    given::secret(&world, "Hidden");
    given::put(&world, "hidden", "tom", "maintainer");
    world.organization("beta", "tom", &[]);
    world.tom().post("/orgs/beta/teams", json!({ "name": "Other" })).expect(201);
    world.olivia().delete("/orgs/acme/members/tom").expect(204);
    assert_eq!(given::each(&world.tom(), "/user/teams", "slug"), ["other"]);
    world.join("acme", "olivia", "tom");
    assert_eq!(given::each(&world.tom(), "/user/teams", "slug"), ["other"], "nothing comes back");
}

#[test]
fn decision_28_a_team_may_lose_its_last_maintainer() {
    let world = World::new();
    world.max().delete(&format!("{MEMBERSHIPS}/max")).expect(204);
    assert_eq!(world.tom().get(&format!("{MEMBERS}?role=maintainer")).expect(200), &json!([]));
}
