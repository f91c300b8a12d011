//! Teams: names, maintainers, deleting, defaults and counts (decisions 9 and 13 to 16).

use crate::spec::given;
use crate::support::{World, json};

const TEAMS: &str = "/orgs/acme/teams";
const CORE: &str = "/orgs/acme/teams/core";

#[test]
fn decision_9_a_name_has_1_to_255_characters_after_trimming() {
    let world = World::new();
    assert_eq!(given::team(&world, json!({ "name": "  Design\t" }))["name"], "Design");
    let longest = "é".repeat(255);
    assert_eq!(given::team(&world, json!({ "name": format!(" {longest} ") }))["name"], longest.as_str());
    for name in ["", "   ", "\n", &"x".repeat(256), &"é".repeat(256)] {
        world.olivia().post(TEAMS, json!({ "name": name })).expect(422);
        world.olivia().patch(CORE, json!({ "name": name })).expect(422);
    }
    assert_eq!(given::core(&world)["name"], "Core");
}

#[test]
fn decision_9_a_description_has_at_most_65_535_characters() {
    let world = World::new();
    let longest = "é\n".repeat(32_767) + "x";
    let team = given::team(&world, json!({ "name": "A", "description": longest }));
    assert_eq!(team["description"], longest.as_str());
    let body = json!({ "name": "Core", "description": longest + "y" });
    world.olivia().post(TEAMS, body.clone()).expect(422);
    world.olivia().patch(CORE, body).expect(422);
    assert_eq!(given::core(&world)["description"], json!(null));
}

#[test]
fn decision_13_repo_names_come_with_and_without_the_organization() {
    let world = World::new();
    given::repository(&world, "site", None);
    given::repository(&world, "Docs", None);
    let team = given::team(&world, json!({ "name": "A", "repo_names": ["acme/site", "docs", "ACME/docs"] }));
    assert_eq!(team["repos_count"], 2);
    assert_eq!(world.olivia().get("/orgs/acme/teams/a").expect(200)["repos_count"], 2);
}

#[test]
fn decision_13_what_is_listed_again_and_again_is_looked_up_once() {
    let world = World::new();
    given::repository(&world, "site", None);
    let eve = given::user_id(&world, "eve");
    let faults = &world.faults;
    let statements = |name: &str, times: usize| {
        let maintainers = vec![vec![json!("tom"), json!("Tom"), json!(eve)]; times].concat();
        let repositories = ["site", "SITE", "acme/site"].repeat(times);
        faults.record();
        given::team(&world, json!({ "name": name, "maintainers": maintainers, "repo_names": repositories }));
        faults.recorded().len()
    };
    statements("Warm", 1);
    assert_eq!(statements("Often", 5_000), statements("Once", 1));
}

#[test]
fn decision_13_a_repository_is_known_own_and_administered_by_the_caller() {
    let world = World::new();
    given::repository(&world, "site", Some("ray"));
    for names in [json!(["absent"]), json!(["acme/absent"]), json!(["else/site"]), json!(["site", "tom/site"])] {
        world.olivia().post(TEAMS, json!({ "name": "A", "repo_names": names })).expect(422);
    }
    world.tom().post(TEAMS, json!({ "name": "A", "repo_names": ["site"] })).expect(422);
    world.olivia().get("/orgs/acme/teams/a").expect(404);
    world.ray().post(TEAMS, json!({ "name": "A", "repo_names": ["site"] })).expect(201);
}

#[test]
fn decision_13_the_grants_get_the_permission_of_the_request() {
    let world = World::new();
    given::repository(&world, "site", None);
    for (name, permission, level) in [("A", json!("push"), 3), ("B", json!("admin"), 5), ("C", json!(null), 1)] {
        given::team(&world, json!({ "name": name, "repo_names": ["site"], "permission": permission }));
        let last = "SELECT level FROM team_repos WHERE team_id = (SELECT MAX(id) FROM teams)";
        assert_eq!(given::value::<i64>(&world, last), level);
    }
}

#[test]
fn decision_14_a_maintainer_deletes_a_team_without_children() {
    let world = World::new();
    world.max().delete(CORE).expect(204);
    world.olivia().get(CORE).expect(404);
}

#[test]
fn decision_14_a_maintainer_who_is_no_owner_does_not_delete_children() {
    let world = World::new();
    let child = given::child(&world, &given::core(&world), "Child");
    given::put(&world, "child", "max", "maintainer");
    assert!(world.max().delete(CORE).expect(403)["message"].is_string());
    assert_eq!(given::core(&world)["id"], world.max().get("/orgs/acme/teams/child").json["parent"]["id"]);
    world.max().delete(&format!("/teams/{}", child["id"])).expect(204);
    world.max().delete(CORE).expect(204);
}

#[test]
fn decision_15_permission_is_first_pull_and_one_of_three() {
    let world = World::new();
    assert_eq!(given::closed(&world, "A")["permission"], "pull");
    for permission in ["pull", "push", "admin"] {
        let changed = world.olivia().patch("/orgs/acme/teams/a", json!({ "name": "A", "permission": permission }));
        assert_eq!(changed.expect(200)["permission"], permission);
    }
    for permission in ["triage", "maintain", "read", "Admin"] {
        world.olivia().patch("/orgs/acme/teams/a", json!({ "name": "A", "permission": permission })).expect(422);
        world.olivia().post(TEAMS, json!({ "name": "B", "permission": permission })).expect(422);
    }
}

#[test]
fn decision_15_a_put_of_a_membership_without_a_role_makes_a_maintainer_a_member() {
    let world = World::new();
    for body in [json!({}), json!({ "role": null })] {
        given::put(&world, "core", "tom", "maintainer");
        let put = world.olivia().put("/orgs/acme/teams/core/memberships/tom", body);
        assert_eq!(put.expect(200)["role"], "member");
    }
    given::put(&world, "core", "tom", "maintainer");
    assert_eq!(world.olivia().put_empty("/orgs/acme/teams/core/memberships/tom").expect(200)["role"], "member");
    world.tom().patch(CORE, json!({ "name": "Mine" })).expect(403);
}

#[test]
fn decision_16_notification_setting_is_taken_and_shown_after_privacy() {
    let world = World::new();
    let team = given::team(&world, json!({ "name": "A", "notification_setting": "notifications_disabled" }));
    assert_eq!(team["notification_setting"], "notifications_disabled");
    let names = given::keys(&team);
    let place = names.iter().position(|name| *name == "privacy").expect("privacy");
    assert_eq!(names[place + 1], "notification_setting");
    let body = json!({ "name": "A", "notification_setting": "notifications_enabled" });
    let changed = world.olivia().patch("/orgs/acme/teams/a", body);
    assert_eq!(changed.expect(200)["notification_setting"], "notifications_enabled");
    world.olivia().post(TEAMS, json!({ "name": "B", "notification_setting": "off" })).expect(422);
}

#[test]
fn decision_16_counts_are_of_the_team_itself() {
    let world = World::new();
    given::repository(&world, "site", None);
    let body = json!({ "name": "Child", "parent_team_id": given::core(&world)["id"], "repo_names": ["site"] });
    let child = given::team(&world, body);
    assert_eq!((&child["members_count"], &child["repos_count"]), (&json!(1), &json!(1)));
    given::put(&world, "core", "nina", "member");
    let core = given::core(&world);
    assert_eq!((&core["members_count"], &core["repos_count"]), (&json!(2), &json!(0)));
}

#[test]
fn decision_16_creation_can_be_restricted_to_owners() {
    let world = World::new();
    let org = world.olivia().patch("/orgs/acme", json!({ "members_can_create_teams": false }));
    assert_eq!(org.expect(200)["members_can_create_teams"], false);
    let body = json!({ "name": "Child", "parent_team_id": given::core(&world)["id"] });
    assert!(world.max().post(TEAMS, body).expect(403)["message"].is_string());
    assert!(world.tom().post(TEAMS, json!({ "name": "A" })).expect(403)["message"].is_string());
    assert_eq!(given::each(&world.olivia(), TEAMS, "slug"), ["core"]);
}

#[test]
fn decision_16_an_update_that_changes_nothing_leaves_the_time_and_tells_nobody() {
    let world = World::new();
    world.max().patch(CORE, json!({ "name": "Core", "description": "d" })).expect(200);
    let (before, written) = (given::core(&world), given::written(&world));
    world.advance(60);
    for body in [
        json!({ "name": "Core" }),
        json!({ "name": " Core ", "description": "d", "privacy": "closed", "permission": "pull" }),
        json!({ "name": "Core", "parent_team_id": null, "notification_setting": "notifications_enabled" }),
    ] {
        world.max().patch(CORE, body).expect(200);
    }
    assert_eq!(given::core(&world), before);
    assert_eq!(given::written(&world), written);
}
