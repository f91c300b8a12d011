//! People whom an identity provider deactivates: what they keep, and what they do not (decisions 21 and 49).

use crate::spec::given;
use crate::spec::provider::{Provider, link, people};
use crate::support::{Value, World, json};

/// Anna, whose account `acme` manages: an owner, maintainer of `core`, member of a team below, with a repository.
fn anna(world: &World) -> (Provider, String) {
    let provider = Provider::of(world);
    let anna = provider.user("anna", json!({}));
    given::child(world, &given::core(world), "Child");
    given::repository(world, "web", None);
    given::put(world, "core", "anna", "maintainer");
    given::put(world, "child", "anna", "member");
    world.olivia().put("/repos/acme/web/collaborators/anna", json!({ "permission": "admin" })).expect(204);
    world.client("anna").put_empty("/orgs/acme/public_members/anna").expect(204);
    world.olivia().put("/orgs/acme/memberships/anna", json!({ "role": "admin" })).expect(200);
    (provider, anna)
}

/// Everything that connects Anna to the organization, as Olivia sees it.
fn standing(world: &World) -> Vec<Value> {
    let paths = [
        "/orgs/acme/memberships/anna",
        "/orgs/acme/members",
        "/orgs/acme/public_members",
        "/orgs/acme/teams/core/memberships/anna",
        "/orgs/acme/teams/core/members",
        "/orgs/acme/teams/child/memberships/anna",
        "/orgs/acme/teams/core",
        "/repos/acme/web/collaborators/anna/permission",
        "/orgs/acme",
    ];
    let mut seen: Vec<Value> = paths.iter().map(|path| world.olivia().get(path).expect(200).clone()).collect();
    seen.push(world.rows::<(String,)>("SELECT role FROM team_members ORDER BY team_id, user_id").len().into());
    seen
}

#[test]
fn decision_21_who_is_deactivated_by_the_provider_keeps_memberships_and_is_listed_and_counted() {
    let world = World::new();
    let (provider, anna) = anna(&world);
    let before = standing(&world);
    assert_eq!(provider.active(&anna, false).expect(200)["active"], false);
    assert_eq!(standing(&world), before);
    world.client("anna").get("/user").refused(403, "Sorry. Your account was suspended.");
    assert_eq!(provider.active(&anna, true).expect(200)["active"], true);
    assert_eq!(standing(&world), before);
    world.client("anna").get("/orgs/acme/teams/core").expect(200);
    // Putting the whole record says the same.
    let record = |active: bool| json!({ "userName": "anna", "active": active });
    let path = format!("{}/Users/{anna}", crate::spec::provider::SCIM);
    provider.client.put(&path, record(false)).expect(200);
    assert_eq!(standing(&world), before);
    world.client("anna").get("/user").expect(403);
    provider.client.put(&path, record(true)).expect(200);
    world.client("anna").get("/user").expect(200);
    assert_eq!(standing(&world), before);
}

#[test]
fn decision_21_who_is_deactivated_by_the_provider_cannot_be_added() {
    let world = World::new();
    let provider = Provider::of(&world);
    let anna = provider.user("anna", json!({}));
    provider.active(&anna, false).expect(200);
    world.olivia().put("/orgs/acme/teams/core/memberships/anna", json!({})).refused(422, "Validation Failed");
    world.olivia().put_empty("/orgs/acme/teams/core/members/anna").refused(422, "Validation Failed");
    world.organization("globex", "nina", &[]);
    world.nina().put("/orgs/globex/memberships/anna", json!({})).refused(422, "Validation Failed");
    // A site administrator could not unsuspend her, so the refusals do not say so.
    let globex = json!({ "login": "initech", "admin": "anna" });
    for refused in [
        world.olivia().put("/orgs/acme/teams/core/memberships/anna", json!({})),
        world.nina().put("/orgs/globex/memberships/anna", json!({})),
        world.sam().post("/admin/organizations", globex),
    ] {
        let message = &refused.refused(422, "Validation Failed")["errors"][0]["message"];
        assert!(message.as_str().is_some_and(|text| text.contains("Activate it there first.")), "{message}");
        assert!(!refused.text.contains("acme") && !refused.text.contains("suspended"), "{}", refused.text);
    }
    provider.active(&anna, true).expect(200);
    given::put(&world, "core", "anna", "member");
}

#[test]
fn decision_21_groups_bring_a_deactivated_person_into_a_team_when_they_are_active_again() {
    let world = World::new();
    let provider = Provider::of(&world);
    let [anna, bert] = ["anna", "bert"].map(|name| provider.user(name, json!({})));
    let group = provider.group("Staff", &[&anna, &bert]);
    link(&world, "core", &[&group]).expect(200);
    assert_eq!(people(&world, "core"), ["anna", "bert"]);
    for person in [&anna, &bert] {
        provider.active(person, false).expect(200);
    }
    assert_eq!(people(&world, "core"), ["anna", "bert"]);
    provider.remove(&group, &anna);
    assert_eq!(people(&world, "core"), ["bert"]);
    provider.add(&group, &[&anna]);
    assert_eq!(people(&world, "core"), ["bert"]);
    provider.active(&anna, true).expect(200);
    assert_eq!(people(&world, "core"), ["anna", "bert"]);
}

#[test]
fn decision_21_groups_bring_a_person_whom_a_site_administrator_suspended_when_that_ends() {
    let world = World::new();
    let provider = Provider::of(&world);
    let anna = provider.user("anna", json!({}));
    let group = provider.group("Staff", &[]);
    link(&world, "core", &[&group]).expect(200);
    world.sam().put_empty("/users/anna/suspended").expect(204);
    provider.add(&group, &[&anna]);
    assert_eq!(people(&world, "core"), Vec::<&str>::new());
    world.sam().delete("/users/anna/suspended").expect(204);
    assert_eq!(people(&world, "core"), ["anna"]);
}

#[test]
fn decision_21_the_provider_does_not_deactivate_the_last_active_owner() {
    let world = World::new();
    let (provider, anna) = anna(&world);
    world.anonymous().get("/users/anna").expect(200);
    world.client("anna").put("/orgs/acme/memberships/olivia", json!({ "role": "member" })).expect(200);
    let client = world.client("anna");
    let path = format!("{}/Users/{anna}", crate::spec::provider::SCIM);
    client.put(&path, json!({ "userName": "anna", "active": false })).expect(422);
    client.delete(&path).expect(422);
    client.get("/user").expect(200);
    world.client("anna").put("/orgs/acme/memberships/olivia", json!({ "role": "admin" })).expect(200);
    provider.active(&anna, false).expect(200);
    // Olivia is the last one now.
    world.olivia().delete("/orgs/acme/memberships/olivia").expect(422);
}

#[test]
fn decision_49_a_deleted_record_ends_the_membership_of_the_account_that_scim_made() {
    let world = World::new();
    let (provider, anna) = anna(&world);
    provider.active(&anna, false).expect(200);
    provider.delete(&format!("/Users/{anna}")).expect(204);
    for path in ["/orgs/acme/memberships/anna", "/orgs/acme/teams/core/memberships/anna"] {
        world.olivia().get(path).expect(404);
    }
    world.client("anna").get("/user").refused(403, "Sorry. Your account was suspended.");
}

#[test]
fn decision_49_a_provider_lifts_no_suspension_but_its_own() {
    let world = World::new();
    let provider = Provider::of(&world);
    let anna = provider.user("anna", json!({}));
    let client = world.client("anna");
    let suspend = || world.sam().put_empty("/users/anna/suspended").expect(204).clone();
    // In either order.
    suspend();
    provider.active(&anna, false).expect(200);
    provider.active(&anna, true).expect(200);
    client.get("/user").expect(403);
    provider.active(&anna, false).expect(200);
    provider.active(&anna, true).expect(200);
    world.sam().delete("/users/anna/suspended").expect(204);
    client.get("/user").expect(200);
    provider.active(&anna, false).expect(200);
    suspend();
    provider.active(&anna, true).expect(200);
    client.get("/user").expect(403);
    world.sam().delete("/users/anna/suspended").expect(204);
    client.get("/user").expect(200);
}

#[test]
fn decision_49_a_site_administrator_does_not_bring_back_a_member_whom_the_provider_has_deactivated() {
    let world = World::new();
    let provider = Provider::of(&world);
    let anna = provider.user("anna", json!({}));
    provider.active(&anna, false).expect(200);
    for _ in 0..2 {
        let refused = world.sam().delete("/users/anna/suspended");
        let message = &refused.refused(422, "Validation Failed")["errors"][0]["message"];
        assert!(message.as_str().is_some_and(|text| text.contains("/scim/v2/organizations/acme/Users/")), "{message}");
        world.client("anna").get("/user").expect(403);
        world.sam().put_empty("/users/anna/suspended").expect(204);
    }
    provider.delete(&format!("/Users/{anna}")).expect(204);
    world.sam().delete("/users/anna/suspended").expect(204);
    world.client("anna").get("/user").expect(200);
    world.olivia().get("/orgs/acme/memberships/anna").expect(404);
}

#[test]
fn decision_49_another_account_leaves_the_organization_and_is_invited_again() {
    let world = World::new();
    let provider = Provider::of(&world);
    let tom = provider.tied(&world, "tom");
    provider.active(&tom, false).expect(200);
    world.tom().get("/user").expect(200);
    for path in ["/orgs/acme/memberships/tom", "/orgs/acme/teams/core/memberships/tom"] {
        world.olivia().get(path).expect(404);
    }
    provider.active(&tom, true).expect(200);
    assert_eq!(world.olivia().get("/orgs/acme/memberships/tom").expect(200)["state"], "pending");
    world.tom().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    world.olivia().get("/orgs/acme/teams/core/memberships/tom").expect(404);
}
