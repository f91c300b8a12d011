//! Teams that follow groups of an identity provider (decision 48).

use crate::spec::given;
use crate::spec::provider::{Provider, link, people, plan};
use crate::support::{World, json};

const MAPPINGS: &str = "/orgs/acme/teams/core/team-sync/group-mappings";

/// `core` follows a group of Tom and Eve.
fn synced(world: &World) -> (Provider, String, [String; 2]) {
    let provider = Provider::of(world);
    let records = [provider.tied(world, "tom"), provider.tied(world, "eve")];
    let group = provider.group("Staff", &[&records[0], &records[1]]);
    link(world, "core", &[&group]).expect(200);
    (provider, group, records)
}

#[test]
fn decision_48_the_members_of_a_linked_team_follow_its_groups() {
    let world = World::new();
    let (provider, group, [tom, _]) = synced(&world);
    assert_eq!(people(&world, "core"), ["tom", "eve"]);
    assert_eq!(given::core(&world)["members_count"], 2);
    provider.remove(&group, &tom);
    assert_eq!(people(&world, "core"), ["eve"]);
    provider.add(&group, &[&tom]);
    assert_eq!(people(&world, "core"), ["tom", "eve"]);
    provider.delete(&format!("/Groups/{group}")).expect(204);
    assert_eq!(people(&world, "core"), Vec::<&str>::new());
    given::put(&world, "core", "max", "member");
}

#[test]
fn decision_48_several_groups_are_taken_together() {
    let world = World::new();
    let (provider, first, [tom, _]) = synced(&world);
    let max = provider.tied(&world, "max");
    let second = provider.group("Others", &[&tom, &max]);
    let mapped = link(&world, "core", &[&first, &second]);
    assert_eq!(mapped.expect(200)["groups"].as_array().map(Vec::len), Some(2));
    assert_eq!(people(&world, "core"), ["max", "tom", "eve"]);
    provider.remove(&first, &tom);
    assert_eq!(people(&world, "core"), ["max", "tom", "eve"]);
    link(&world, "core", &[&first]).expect(200);
    assert_eq!(people(&world, "core"), ["eve"]);
}

#[test]
fn decision_48_members_cannot_be_changed_manually() {
    let world = World::new();
    synced(&world);
    let before = given::written(&world);
    let tom = "/orgs/acme/teams/core/memberships/tom";
    for login in ["max", "nina", "tom", "nobody-at-all"] {
        let path = format!("/orgs/acme/teams/core/memberships/{login}");
        let put = world.olivia().put(&path, json!({ "role": "maintainer" }));
        assert!(put.expect(403)["message"].as_str().is_some_and(|text| text.contains("identity provider")));
        world.olivia().delete(&path).expect(403);
        world.olivia().put_empty(&path.replace("memberships", "members")).refused(404, "Not Found");
        world.olivia().delete(&path.replace("memberships", "members")).refused(404, "Not Found");
    }
    // Before the body is read, and after the policy.
    world.olivia().send("PUT", tom, Some("{".into())).expect(403);
    let refusal = "You must be an organization owner or team maintainer to add a team membership.";
    world.eve().put(tom, json!({})).refused(403, refusal);
    assert_eq!(given::written(&world), before);
    assert_eq!(world.olivia().get(tom).expect(200)["state"], "active");
}

#[test]
fn decision_48_linking_needs_the_plan_and_an_owner_and_unlinking_an_owner() {
    let world = World::new();
    let (_, group, _) = synced(&world);
    let body = json!({ "groups": [{ "group_id": group, "group_name": "", "group_description": "" }] });
    world.max().patch(MAPPINGS, json!({ "groups": [] })).expect(403);
    given::closed(&world, "Other");
    plan(&world, "team");
    let other = "/orgs/acme/teams/other/team-sync/group-mappings";
    world.olivia().patch(other, body.clone()).expect(403);
    given::closed(&world, "Third");
    world.eve().patch("/orgs/acme/teams/third/team-sync/group-mappings", body).expect(403);
    world.olivia().patch(MAPPINGS, json!({ "groups": [] })).expect(200);
    assert_eq!(people(&world, "core"), ["tom", "eve"]);
    given::put(&world, "core", "max", "member");
}

#[test]
fn decision_48_a_group_must_be_the_organizations() {
    let world = World::new();
    let provider = Provider::of(&world);
    let group = provider.group("Staff", &[]);
    world.organization("globex", "nina", &[]);
    world.sam().patch("/admin/organizations/globex", json!({ "plan": "enterprise" })).expect(202);
    world.nina().post("/orgs/globex/teams", json!({ "name": "Core" })).expect(201);
    let body = json!({ "groups": [{ "group_id": group, "group_name": "", "group_description": "" }] });
    let foreign = world.nina().patch("/orgs/globex/teams/core/team-sync/group-mappings", body);
    foreign.refused(422, "Validation Failed");
    link(&world, "core", &["g999", &group]).refused(422, "Validation Failed");
    assert_eq!(world.olivia().get(MAPPINGS).expect(200), &json!({ "groups": [] }));
}

#[test]
fn decision_48_a_team_with_children_is_not_linked_and_a_linked_team_gets_none() {
    let world = World::new();
    let provider = Provider::of(&world);
    let group = provider.group("Staff", &[]);
    let parent = given::closed(&world, "Parent");
    let child = given::child(&world, &parent, "Child");
    link(&world, "parent", &[&group]).refused(422, "Validation Failed");
    link(&world, "core", &[&group]).expect(200);
    let below = json!({ "name": "Below", "parent_team_id": given::core(&world)["id"] });
    world.olivia().post("/orgs/acme/teams", below.clone()).refused(422, "Validation Failed");
    let moved = json!({ "name": "Child", "parent_team_id": below["parent_team_id"] });
    world.olivia().patch("/orgs/acme/teams/child", moved).refused(422, "Validation Failed");
    assert_eq!(world.olivia().get("/orgs/acme/teams/child").expect(200)["parent"]["id"], parent["id"]);
    link(&world, "child", &[&group]).expect(200);
    assert_eq!(child["slug"], "child");
}

#[test]
fn decision_48_linking_takes_the_team_off_open_invitations() {
    let world = World::new();
    let provider = Provider::of(&world);
    given::closed(&world, "Other");
    given::put(&world, "core", "nina", "member");
    given::put(&world, "other", "nina", "member");
    let group = provider.group("Staff", &[]);
    link(&world, "core", &[&group]).expect(200);
    world.olivia().get("/orgs/acme/teams/core/memberships/nina").expect(404);
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    assert_eq!(given::each(&world.nina(), "/user/teams", "slug"), ["other"]);
}

#[test]
fn decision_48_no_invitation_brings_somebody_onto_a_linked_team() {
    let world = World::new();
    synced(&world);
    let core = given::core(&world)["id"].clone();
    let before = given::written(&world);
    let invited = json!({ "email": "new@example.com", "team_ids": [core] });
    let refused = world.olivia().post("/orgs/acme/invitations", invited);
    assert!(refused.expect(403)["message"].as_str().is_some_and(|text| text.contains("identity provider")));
    assert_eq!(given::written(&world), before);
}

#[test]
fn decision_48_somebody_removed_leaves_the_team_until_the_provider_names_them_again() {
    let world = World::new();
    let (provider, group, [tom, _]) = synced(&world);
    world.olivia().delete("/orgs/acme/members/tom").expect(204);
    assert_eq!(people(&world, "core"), ["eve"]);
    world.join("acme", "olivia", "tom");
    assert_eq!(people(&world, "core"), ["eve"]);
    provider.add(&group, &[&tom]);
    assert_eq!(people(&world, "core"), ["tom", "eve"]);
}

#[test]
fn decision_48_when_the_plan_ends_people_stay_and_nothing_follows_until_it_is_back() {
    let world = World::new();
    let (provider, group, [tom, _]) = synced(&world);
    plan(&world, "free");
    let remove = json!({ "op": "remove", "path": format!("members[value eq \"{tom}\"]") });
    provider.patch(&format!("/Groups/{group}"), remove).expect(403);
    assert_eq!(people(&world, "core"), ["tom", "eve"]);
    assert_eq!(world.olivia().get(MAPPINGS).expect(200)["groups"][0]["status"], "paused");
    world.olivia().delete("/orgs/acme/teams/core/memberships/tom").expect(403);
    world.execute("DELETE FROM scim_group_members WHERE member_id = (SELECT min(member_id) FROM scim_group_members)");
    assert_eq!(people(&world, "core"), ["tom", "eve"]);
    plan(&world, "enterprise");
    assert_eq!(people(&world, "core"), ["eve"]);
}

#[test]
fn decision_48_a_person_outside_the_organization_is_skipped_and_reported_and_not_invited() {
    let world = World::new();
    let (provider, group, _) = synced(&world);
    let nina = provider.tied(&world, "nina");
    world.olivia().delete("/orgs/acme/members/nina").expect(204);
    provider.add(&group, &[&nina]);
    assert_eq!(people(&world, "core"), ["tom", "eve"]);
    let mapping = world.olivia().get(MAPPINGS);
    assert_eq!(mapping.expect(200)["groups"][0]["status"], "synced; skipped, not in the organization: 1");
    world.nina().get("/user/memberships/orgs/acme").expect(404);
}

#[test]
fn decision_48_reads_work_and_show_the_groups_to_who_sees_the_team() {
    let world = World::new();
    let (provider, group, _) = synced(&world);
    let expected = json!({ "groups": [
        { "group_id": group, "group_name": "Staff", "group_description": "", "status": "synced" }
    ] });
    assert_eq!(world.eve().get(MAPPINGS).expect(200), &expected);
    world.nina().get(MAPPINGS).refused(404, "Not Found");
    world.tom().get("/orgs/acme/team-sync/groups").expect(403);
    for n in 0..4 {
        provider.group(&format!("More {n}"), &[]);
    }
    let first = world.olivia().get("/orgs/acme/team-sync/groups?per_page=3");
    assert_eq!(first.expect(200)["groups"].as_array().map(Vec::len), Some(3));
    let next = first.link("next").expect("more");
    let rest = world.olivia().get(&next);
    assert_eq!(rest.expect(200)["groups"][1]["group_name"], "More 3");
    assert_eq!(rest.link("next"), None);
}
