//! The permissions of teams on projects: sections 2 and 10, decisions 15, 21, 30 to 33, 45 and 47.

use crate::spec::given;
use crate::support::{Client, Value, World, json};

fn path(project: &Value) -> String {
    format!("/projects/{}", project["id"])
}

/// The level of a team on a project, by the check; nothing if it is 404.
fn level(client: &Client, slug: &str, project: &Value) -> &'static str {
    let answer = client.get(&given::grant_path(slug, project));
    if answer.status == 404 {
        return "none";
    }
    let permissions = &answer.expect(200)["permissions"];
    match ["read", "write", "admin"].map(|name| permissions[name] == true) {
        [true, false, false] => "read",
        [true, true, false] => "write",
        [true, true, true] => "admin",
        other => panic!("{other:?} is no level"),
    }
}

/// A chain of closed teams, `t0` on top.
fn chain(world: &World, length: usize) {
    let mut above = given::closed(world, "T0");
    for number in 1..length {
        above = given::child(world, &above, &format!("T{number}"));
    }
}

/// Nina's organization with a project of its own.
fn globex(world: &World) -> Value {
    world.organization("globex", "nina", &["max"]);
    world.nina().post("/orgs/globex/projects", json!({ "name": "Foreign" })).expect(201).clone()
}

#[test]
fn service_4_teams_hold_grants_on_projects() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    given::grant(&world, "core", &project, "write");
    assert_eq!(given::each(&world.eve(), "/orgs/acme/teams/core/projects", "name"), ["Roadmap"]);
    world.olivia().delete(&given::grant_path("core", &project)).expect(204);
    assert_eq!(world.eve().get("/orgs/acme/teams/core/projects").expect(200), &json!([]));
    world.olivia().get(&path(&project)).expect(200);
}

#[test]
fn behavior_1_a_grant_of_a_project_without_parameters_has_length_zero() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    world.olivia().put_empty(&given::grant_path("core", &project)).expect(204);
    assert_eq!(level(&world.tom(), "core", &project), "read");
}

#[test]
fn behavior_3_the_check_of_a_project_counts_what_is_inherited() {
    let world = World::new();
    chain(&world, 5);
    let project = given::project(&world, "Roadmap");
    given::grant(&world, "t0", &project, "write");
    for slug in ["t0", "t1", "t4"] {
        assert_eq!(level(&world.eve(), slug, &project), "write", "{slug}");
        let list = world.eve().get(&format!("/orgs/acme/teams/{slug}/projects")).expect(200).clone();
        assert_eq!(list[0]["permissions"], json!({ "read": true, "write": true, "admin": false }), "{slug}");
    }
    assert_eq!(level(&world.eve(), "core", &project), "none");
    world.olivia().delete("/orgs/acme/teams/t0").expect(204);
    world.olivia().get(&path(&project)).expect(200);
}

#[test]
fn decision_15_a_grant_without_a_level_has_what_the_permission_of_the_team_stands_for() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    for (permission, expected) in [("pull", "read"), ("push", "write"), ("admin", "admin")] {
        given::grant(&world, "core", &project, if expected == "admin" { "read" } else { "admin" });
        let body = json!({ "name": "Core", "permission": permission });
        world.olivia().patch("/orgs/acme/teams/core", body).expect(200);
        for body in [json!({}), json!({ "permission": null })] {
            world.olivia().put(&given::grant_path("core", &project), body).expect(204);
            assert_eq!(level(&world.tom(), "core", &project), expected);
        }
        assert_eq!(given::core(&world)["permission"], permission, "a grant does not change it");
    }
}

#[test]
fn decision_30_the_higher_of_own_and_inherited_holds() {
    let world = World::new();
    chain(&world, 3);
    let project = given::hidden_project(&world, "Roadmap");
    given::put(&world, "t2", "eve", "member");
    for (top, middle, own, expected) in [
        ("read", "read", "admin", "admin"),
        ("admin", "read", "read", "admin"),
        ("read", "write", "read", "write"),
        ("write", "read", "read", "write"),
    ] {
        for (slug, permission) in [("t0", top), ("t1", middle), ("t2", own)] {
            given::grant(&world, slug, &project, permission);
        }
        assert_eq!(level(&world.eve(), "t2", &project), expected);
        let person = format!("{}/collaborators/eve/permission", path(&project));
        assert_eq!(world.olivia().get(&person).expect(200)["permission"], expected);
    }
    let list = world.eve().get("/orgs/acme/teams/t2/projects");
    assert_eq!(list.each("name"), ["Roadmap"], "once, however often it is granted");
}

#[test]
fn decision_30_a_wrong_level_on_a_project_is_an_invalid_request() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    for (value, shown) in [(json!("pull"), "\"pull\""), (json!("none"), "\"none\""), (json!("Admin"), "\"Admin\"")] {
        let answer = world.olivia().put(&given::grant_path("core", &project), json!({ "permission": value }));
        let members = "is not a member of [\"read\", \"write\", \"admin\"].";
        answer.refused(422, &format!("Invalid request.\n\nFor 'properties/permission', {shown} {members}"));
        assert!(answer.json.get("errors").is_none());
    }
    assert_eq!(level(&world.tom(), "core", &project), "none");
}

#[test]
fn decision_31_removing_what_is_inherited_or_not_there_does_nothing() {
    let world = World::new();
    chain(&world, 2);
    let (project, other) = (given::project(&world, "Roadmap"), given::project(&world, "Other"));
    given::grant(&world, "t0", &project, "write");
    let before = given::written(&world);
    for _ in 0..2 {
        world.olivia().delete(&given::grant_path("t1", &project)).expect(204);
        world.olivia().delete(&given::grant_path("t1", &other)).expect(204);
    }
    assert_eq!(given::written(&world), before);
    assert_eq!(level(&world.eve(), "t1", &project), "write");
}

#[test]
fn decision_32_who_administers_the_project_adds_it() {
    let world = World::new();
    let project = world.eve().post("/orgs/acme/projects", json!({ "name": "Roadmap" })).expect(201).clone();
    let put = |client: &Client| client.put(&given::grant_path("core", &project), json!({})).status;
    assert_eq!(put(&world.max()), 403, "a maintainer of the team alone does not");
    world.max().put_empty(&given::grant_path("core", &project)).refused(403, "Must have admin rights to Repository.");
    assert_eq!([&world.eve(), &world.olivia()].map(put), [204, 204]);
    let write = json!({ "permission": "write" });
    world.olivia().put(&format!("{}/collaborators/tom", path(&project)), write).expect(204);
    assert_eq!(put(&world.tom()), 403, "a user with write access may not");
    given::secret(&world, "Hidden");
    world.eve().put(&given::grant_path("hidden", &project), json!({})).refused(404, "Not Found");
    world.limited("eve", &["read:org"]).put(&given::grant_path("core", &project), json!({})).refused(404, "Not Found");
}

#[test]
fn decision_32_a_team_with_admin_on_the_project_gives_its_people_the_right_to_add_it() {
    let world = World::new();
    let project = given::hidden_project(&world, "Roadmap");
    given::closed(&world, "Other");
    let other = given::grant_path("other", &project);
    world.tom().put(&other, json!({})).refused(404, "Not Found");
    given::grant(&world, "core", &project, "write");
    world.tom().put(&other, json!({})).expect(403);
    given::grant(&world, "core", &project, "admin");
    world.tom().put(&other, json!({})).expect(204);
    assert_eq!(level(&world.tom(), "other", &project), "read");
}

#[test]
fn decision_32_a_project_of_another_organization_is_403_to_who_reads_it_and_else_404() {
    let world = World::new();
    let foreign = globex(&world);
    let core = given::grant_path("core", &foreign);
    world.olivia().put(&core, json!({})).refused(404, "Not Found");
    world.max().put(&core, json!({})).refused(403, "Must have admin rights to Repository.");
    let administers = format!("{}/collaborators/olivia", path(&foreign));
    world.nina().put(&administers, json!({ "permission": "admin" })).expect(204);
    world.olivia().put(&core, json!({})).refused(403, "Must have admin rights to Repository.");
    world.olivia().put(&core, json!({ "permission": "no level" })).expect(403);
    world.olivia().get(&core).refused(404, "Not Found");
    world.olivia().delete(&core).expect(204);
    assert_eq!(world.olivia().get("/orgs/acme/teams/core/projects").expect(200), &json!([]));
}

#[test]
fn decision_32_owners_maintainers_and_members_who_see_both_remove_it() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    let remove = |login: &str| {
        given::grant(&world, "core", &project, "read");
        let status = world.client(login).delete(&given::grant_path("core", &project)).status;
        (status, level(&world.olivia(), "core", &project))
    };
    for login in ["olivia", "max", "tom", "eve"] {
        assert_eq!(remove(login), (204, "none"), "{login}");
    }
    for login in ["nina", "sam"] {
        assert_eq!(remove(login), (404, "read"), "{login}");
    }
    let closed = json!({ "organization_permission": "none" });
    world.olivia().patch(&path(&project), closed).expect(200);
    assert_eq!(remove("eve"), (404, "read"), "a user who cannot read the project");
    assert_eq!(remove("tom"), (204, "none"), "a member of the team, who can read it");
}

#[test]
fn decision_32_a_check_without_a_grant_is_404() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    for client in [world.olivia(), world.tom()] {
        client.get(&given::grant_path("core", &project)).refused(404, "Not Found");
    }
}

#[test]
fn decision_32_projects_can_be_switched_off_and_those_there_stay() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    world.olivia().patch("/orgs/acme", json!({ "has_organization_projects": false })).expect(200);
    let refused = world.olivia().post("/orgs/acme/projects", json!({ "name": "Next" }));
    refused.refused(422, "Projects are disabled for this organization.");
    world.eve().get(&path(&project)).expect(200);
    world.olivia().patch("/orgs/acme", json!({ "has_organization_projects": true })).expect(200);
    assert_eq!(given::project(&world, "Next")["number"], 2, "a refused creation uses no number up");
}

#[test]
fn decision_32_a_new_project_has_the_default_permission_of_its_organization() {
    let world = World::new();
    for permission in ["none", "write", "admin", "read"] {
        let body = json!({ "default_repository_permission": permission });
        world.olivia().patch("/orgs/acme", body).expect(200);
        assert_eq!(given::project(&world, "Roadmap")["organization_permission"], permission);
    }
    assert_eq!(world.olivia().get("/projects/1").expect(200)["organization_permission"], "none");
}

#[test]
fn decision_32_who_leaves_the_organization_is_no_collaborator_any_more() {
    let world = World::new();
    let foreign = globex(&world);
    let mine = world.max().post("/orgs/acme/projects", json!({ "name": "Mine" })).expect(201).clone();
    world.nina().put(&format!("{}/collaborators/max", path(&foreign)), json!({})).expect(204);
    world.olivia().delete("/orgs/acme/memberships/max").expect(204);
    world.max().get(&path(&mine)).refused(404, "Not Found");
    world.max().patch(&path(&foreign), json!({ "name": "Still" })).expect(200);
}

#[test]
fn decision_33_private_projects_are_read_by_owners_collaborators_teams_and_by_the_default() {
    let world = World::new();
    chain(&world, 2);
    given::put(&world, "t1", "ray", "member");
    let project = given::hidden_project(&world, "Roadmap");
    given::grant(&world, "t0", &project, "read");
    let readers = || {
        let all = ["olivia", "max", "tom", "eve", "ray", "nina", "sam"];
        all.into_iter().filter(|login| world.client(login).get(&path(&project)).status == 200).collect::<Vec<_>>()
    };
    assert_eq!(readers(), ["olivia", "ray"]);
    given::grant(&world, "core", &project, "read");
    assert_eq!(readers(), ["olivia", "max", "tom", "ray"]);
    world.olivia().put(&format!("{}/collaborators/nina", path(&project)), json!({})).expect(204);
    assert_eq!(readers(), ["olivia", "max", "tom", "ray", "nina"]);
    let opened = json!({ "organization_permission": "read" });
    world.olivia().patch(&path(&project), opened).expect(200);
    assert_eq!(readers(), ["olivia", "max", "tom", "eve", "ray", "nina"]);
    world.olivia().patch(&path(&project), json!({ "private": false })).expect(200);
    assert_eq!(readers(), ["olivia", "max", "tom", "eve", "ray", "nina", "sam"]);
}

#[test]
fn decision_33_somebody_who_was_only_invited_reads_nothing() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    given::grant(&world, "core", &project, "admin");
    given::put(&world, "core", "nina", "maintainer");
    world.nina().get(&path(&project)).refused(404, "Not Found");
    assert_eq!(world.nina().get("/orgs/acme/projects").expect(200), &json!([]));
}

#[test]
fn decision_33_lists_and_checks_show_what_the_caller_reads() {
    let world = World::new();
    let (open, hidden) = (given::project(&world, "Open"), given::hidden_project(&world, "Hidden"));
    for project in [&open, &hidden] {
        given::grant(&world, "core", project, "write");
    }
    let list = "/orgs/acme/teams/core/projects";
    assert_eq!(given::each(&world.tom(), list, "name"), ["Open", "Hidden"]);
    assert_eq!(given::each(&world.eve(), list, "name"), ["Open"]);
    assert_eq!(world.eve().get(&format!("{list}?per_page=1")).link("last"), None, "nor in numbers");
    world.eve().get(&given::grant_path("core", &hidden)).refused(404, "Not Found");
    world.nina().get(list).refused(404, "Not Found");
    let first = world.tom().get(&format!("{list}?per_page=1"));
    assert_eq!(first.each("name"), ["Open"]);
    assert!(first.link("next").expect("a next page").contains("/organizations/1/team/1/projects?"));
}

#[test]
fn decision_21_somebody_suspended_cannot_be_added_to_a_project() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    world.sam().put_empty("/users/eve/suspended").expect(204);
    let answer = world.olivia().put(&format!("{}/collaborators/eve", path(&project)), json!({}));
    answer.refused(422, "Validation Failed");
}

#[test]
fn decision_45_changes_of_a_project_are_told_and_grants_are_not() {
    let world = World::new();
    given::listener(&world);
    let project = given::project(&world, "Roadmap");
    for body in [
        json!({ "name": "Way" }),
        json!({ "state": "closed" }),
        json!({ "state": "open", "private": false }),
        json!({ "name": "Way" }),
    ] {
        world.olivia().patch(&path(&project), body).expect(200);
    }
    given::grant(&world, "core", &project, "read");
    world.olivia().put(&format!("{}/collaborators/eve", path(&project)), json!({})).expect(204);
    world.olivia().delete(&path(&project)).expect(204);
    let told: Vec<(String, String)> =
        world.rows("SELECT event, facts FROM journal_facts WHERE event LIKE 'project.%' ORDER BY org_id, entry");
    let events: Vec<&str> = told.iter().map(|(event, _)| event.as_str()).collect();
    let expected =
        ["created", "edited", "closed", "reopened", "edited", "deleted"].map(|name| format!("project.{name}"));
    assert_eq!(events, expected);
    let facts: Value = serde_json::from_str(&told[1].1).expect("facts");
    assert_eq!((&facts["before"]["name"], &facts["project"]["name"]), (&json!("Roadmap"), &json!("Way")));
}

#[test]
fn decision_47_changes_of_projects_and_grants_are_in_the_audit() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    for permission in ["read", "read", "admin"] {
        given::grant(&world, "core", &project, permission);
    }
    world.olivia().delete(&given::grant_path("core", &project)).expect(204);
    let eve = format!("{}/collaborators/eve", path(&project));
    world.olivia().put(&eve, json!({})).expect(204);
    world.olivia().delete(&eve).expect(204);
    world.olivia().patch(&path(&project), json!({ "name": "Way" })).expect(200);
    world.olivia().delete(&path(&project)).expect(204);
    let entries: Vec<(String, String, String)> =
        world.rows("SELECT action, before, after FROM journal WHERE action LIKE '%project%' ORDER BY org_id, entry");
    let actions: Vec<&str> = entries.iter().map(|(action, ..)| action.as_str()).collect();
    let expected = [
        "project.create",
        "team.add_project",
        "team.update_project_permission",
        "team.remove_project",
        "project.update_user_permission",
        "project.update_user_permission",
        "project.update",
        "project.delete",
    ];
    assert_eq!(actions, expected);
    let read = |text: &str| serde_json::from_str::<Value>(text).expect("facts");
    let grant = |permission: &str| json!({ "team": 1, "team_slug": "core", "project": 1, "permission": permission });
    assert_eq!((read(&entries[2].1), read(&entries[2].2)), (grant("read"), grant("admin")));
    assert_eq!((read(&entries[5].2), read(&entries[5].1)["user"].clone()), (Value::Null, json!("eve")));
}
