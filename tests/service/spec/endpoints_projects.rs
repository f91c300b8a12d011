//! Projects of organizations (sections 4 and 8): records, who may call, and what success looks like.

use crate::spec::given;
use crate::support::{Client, Value, World, json};

const PROJECTS: &str = "/orgs/acme/projects";

fn path(project: &Value) -> String {
    format!("/projects/{}", project["id"])
}

/// The status for each caller: owner, maintainer, member, other member, outsider, site administrator and anonymous.
fn statuses(world: &World, call: impl Fn(&Client) -> u16) -> [u16; 7] {
    let [olivia, max, tom, eve, nina, sam] =
        ["olivia", "max", "tom", "eve", "nina", "sam"].map(|login| call(&world.client(login)));
    [olivia, max, tom, eve, nina, sam, call(&world.anonymous())]
}

#[test]
fn record_a_project_says_all_of_this() {
    let world = World::new();
    let answer = world.olivia().post(PROJECTS, json!({ "name": " Roadmap ", "body": "Where we go." }));
    let project = answer.expect(201);
    let base = &world.base;
    let expected = json!({
        "owner_url": format!("{base}/orgs/acme"),
        "url": format!("{base}/projects/1"),
        "html_url": format!("{base}/ui/orgs/acme/projects/1"),
        "columns_url": format!("{base}/projects/1/columns"),
        "id": 1,
        "node_id": "MDc6UHJvamVjdDE=",
        "name": "Roadmap",
        "body": "Where we go.",
        "number": 1,
        "state": "open",
        "creator": project["creator"],
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "organization_permission": "read",
        "private": true,
    });
    assert_eq!(project, &expected);
    assert_eq!(given::keys(project), given::keys(&expected));
    assert_eq!(project["creator"]["login"], "olivia");
    assert_eq!(given::keys(&project["creator"]).len(), 18);
    assert_eq!(answer.header("location"), project["url"].as_str());
    assert_eq!(world.eve().get("/projects/1").expect(200), project);
}

#[test]
fn record_a_project_of_a_team_says_besides_what_the_team_may_do() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    for (permission, write, admin) in [("read", false, false), ("write", true, false), ("admin", true, true)] {
        given::grant(&world, "core", &project, permission);
        let mut expected = project.clone();
        expected["permissions"] = json!({ "read": true, "write": write, "admin": admin });
        let shown = world.tom().get(&given::grant_path("core", &project)).expect(200).clone();
        assert_eq!((given::keys(&shown), &shown), (given::keys(&expected), &expected));
        assert_eq!(world.tom().get("/orgs/acme/teams/core/projects").expect(200), &json!([expected]));
    }
}

#[test]
fn record_the_creator_of_a_project_stays_when_the_account_is_gone() {
    let world = World::new();
    let project = world.eve().post(PROJECTS, json!({ "name": "Roadmap" })).expect(201).clone();
    world.sam().delete("/admin/users/eve").expect(204);
    let shown = world.olivia().get(&path(&project)).expect(200).clone();
    assert_eq!(shown["creator"], project["creator"]);
}

#[test]
fn operation_projects_list_for_org_shows_what_the_caller_reads() {
    let world = World::new();
    given::project(&world, "For members");
    given::hidden_project(&world, "For nobody");
    let public = given::project(&world, "For all");
    world.olivia().patch(&path(&public), json!({ "private": false })).expect(200);
    let names = |client: &Client| given::each(client, PROJECTS, "name");
    assert_eq!(names(&world.olivia()), ["For members", "For nobody", "For all"]);
    assert_eq!(names(&world.eve()), ["For members", "For all"]);
    for outside in [world.nina(), world.sam(), world.anonymous()] {
        assert_eq!(names(&outside), ["For all"]);
    }
    let first = world.eve().get(&format!("{PROJECTS}?per_page=1"));
    assert_eq!(first.each("name"), ["For members"]);
    assert!(first.link("last").expect("a last page").ends_with("per_page=1&page=2"), "{:?}", first.headers);
}

#[test]
fn operation_projects_list_for_org_by_state() {
    let world = World::new();
    let done = given::project(&world, "Done");
    given::project(&world, "Going on");
    world.olivia().patch(&path(&done), json!({ "state": "closed" })).expect(200);
    for (query, expected) in [
        ("", &["Going on"][..]),
        ("?state=open", &["Going on"]),
        ("?state=closed", &["Done"]),
        ("?state=all", &["Done", "Going on"]),
        ("?state=other", &["Going on"]),
    ] {
        assert_eq!(given::each(&world.eve(), &format!("{PROJECTS}{query}"), "name"), expected, "{query}");
    }
}

#[test]
fn operation_projects_create_for_org_is_for_members() {
    let world = World::new();
    let got = statuses(&world, |client| client.post(PROJECTS, json!({ "name": "Roadmap" })).status);
    assert_eq!(got, [201, 201, 201, 201, 403, 403, 401]);
    let reading = world.limited("olivia", &["read:org"]);
    reading.post(PROJECTS, json!({ "name": "Roadmap" })).refused(404, "Not Found");
}

#[test]
fn operation_projects_get_is_for_who_reads_it() {
    let world = World::new();
    let [shared, hidden, public] = [
        given::project(&world, "For members"),
        given::hidden_project(&world, "For nobody"),
        given::project(&world, "For all"),
    ];
    world.olivia().patch(&path(&public), json!({ "private": false })).expect(200);
    let get = |project: &Value| statuses(&world, |client| client.get(&path(project)).status);
    assert_eq!(get(&shared), [200, 200, 200, 200, 404, 404, 404]);
    assert_eq!(get(&hidden), [200, 404, 404, 404, 404, 404, 404]);
    assert_eq!(get(&public), [200; 7]);
    assert_eq!(get(&json!({ "id": 9_999 })), [404; 7]);
}

#[test]
fn operation_projects_update_is_for_who_writes_and_openness_for_who_administers() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    let rename = |client: &Client| client.patch(&path(&project), json!({ "name": "Way" })).status;
    assert_eq!(statuses(&world, rename), [200, 403, 403, 403, 404, 404, 401]);
    let collaborator = format!("{}/collaborators/eve", path(&project));
    world.olivia().put(&collaborator, json!({ "permission": "write" })).expect(204);
    assert_eq!(world.eve().patch(&path(&project), json!({ "body": "New" })).expect(200)["body"], "New");
    for opening in [json!({ "private": false }), json!({ "organization_permission": "admin" })] {
        world.eve().patch(&path(&project), opening).expect(403);
    }
    let shown = world.olivia().get(&path(&project)).expect(200).clone();
    assert_eq!((&shown["private"], &shown["organization_permission"]), (&json!(true), &json!("read")));
    world.olivia().put(&collaborator, json!({ "permission": "admin" })).expect(204);
    let opened = world.eve().patch(&path(&project), json!({ "organization_permission": "write" }));
    assert_eq!(opened.expect(200)["organization_permission"], "write");
    world.tom().patch(&path(&project), json!({ "name": "Tom writes" })).expect(200);
}

#[test]
fn operation_projects_update_changes_what_it_names_and_null_clears_the_body() {
    let world = World::new();
    let project = world.olivia().post(PROJECTS, json!({ "name": "Roadmap", "body": "Text" })).expect(201).clone();
    world.advance(60);
    let nothing = world.olivia().patch(&path(&project), json!({ "name": "Roadmap", "state": null }));
    assert_eq!(nothing.expect(200), &project);
    let changed = world.olivia().patch(&path(&project), json!({ "body": null, "state": "closed" }));
    let mut expected = project.clone();
    expected["body"] = Value::Null;
    expected["state"] = json!("closed");
    expected["updated_at"] = json!("2026-01-01T00:01:00Z");
    assert_eq!(changed.expect(200), &expected);
    assert_eq!(world.eve().get(&path(&project)).expect(200), &expected);
}

#[test]
fn operation_projects_delete_is_for_who_administers_and_its_number_does_not_come_back() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    let delete = |client: &Client| client.delete(&path(&project)).status;
    assert_eq!(statuses(&world, delete), [204, 404, 404, 404, 404, 404, 401]);
    let next = given::project(&world, "Next");
    assert_eq!((&next["number"], &next["id"]), (&json!(2), &json!(2)));
    world.eve().delete(&path(&next)).refused(403, "Must have admin rights to Repository.");
}

#[test]
fn operation_projects_list_collaborators_by_affiliation() {
    let world = World::new();
    let project = given::hidden_project(&world, "Roadmap");
    let people = |client: &Client, query: &str| {
        given::each(client, &format!("{}/collaborators{query}", path(&project)), "login")
    };
    given::grant(&world, "core", &project, "read");
    for login in ["eve", "nina"] {
        let collaborator = format!("{}/collaborators/{login}", path(&project));
        world.olivia().put(&collaborator, json!({})).expect(204);
    }
    let olivia = world.olivia();
    assert_eq!(people(&olivia, "?affiliation=outside"), ["nina"]);
    assert_eq!(people(&olivia, "?affiliation=direct"), ["olivia", "eve", "nina"]);
    assert_eq!(people(&olivia, ""), ["olivia", "max", "tom", "eve", "nina"]);
    assert_eq!(people(&olivia, "?affiliation=direct&per_page=2&page=2"), ["nina"]);
    olivia.patch(&path(&project), json!({ "organization_permission": "read" })).expect(200);
    assert_eq!(people(&olivia, "?affiliation=all"), ["olivia", "max", "tom", "eve", "ray", "nina"]);
    let list = |client: &Client| client.get(&format!("{}/collaborators", path(&project))).status;
    assert_eq!(statuses(&world, list), [200, 403, 403, 403, 403, 404, 404]);
}

#[test]
fn operation_projects_add_and_remove_a_collaborator() {
    let world = World::new();
    let project = given::hidden_project(&world, "Roadmap");
    let nina = format!("{}/collaborators/nina", path(&project));
    let permission = || world.olivia().get(&format!("{nina}/permission")).expect(200)["permission"].clone();
    assert_eq!(permission(), "none");
    world.nina().get(&path(&project)).expect(404);
    for (body, expected) in
        [(json!({ "permission": "read" }), "read"), (json!({}), "write"), (json!({ "permission": "admin" }), "admin")]
    {
        world.olivia().put(&nina, body).expect(204);
        assert_eq!(permission(), expected);
    }
    world.nina().get(&path(&project)).expect(200);
    world.nina().put(&format!("{}/collaborators/eve", path(&project)), json!({})).expect(204);
    for _ in 0..2 {
        world.olivia().delete(&nina).expect(204);
        assert_eq!(permission(), "none");
    }
    world.nina().get(&path(&project)).expect(404);
    let put = |client: &Client| client.put(&nina, json!({})).status;
    assert_eq!(statuses(&world, put), [204, 404, 404, 403, 403, 404, 401]);
}

#[test]
fn operation_projects_permission_for_a_user_is_the_effective_one() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    given::grant(&world, "core", &project, "write");
    let of = |login: &str| {
        let answer = world.olivia().get(&format!("{}/collaborators/{login}/permission", path(&project)));
        let record = answer.expect(200);
        assert_eq!((given::keys(record), &record["user"]["login"]), (vec!["permission", "user"], &json!(login)));
        record["permission"].clone()
    };
    let all = ["olivia", "tom", "eve", "nina"].map(of);
    assert_eq!(all, ["admin", "write", "read", "none"]);
    world.olivia().patch(&path(&project), json!({ "private": false })).expect(200);
    assert_eq!(of("nina"), "read");
    world.olivia().get(&format!("{}/collaborators/acme/permission", path(&project))).expect(404);
}

#[test]
fn operation_projects_refuse_what_does_not_fit() {
    let world = World::new();
    let project = given::project(&world, "Roadmap");
    let before = given::written(&world);
    let invalid = |body: Value, field: &str| {
        let refused = |answer: crate::support::Answer| {
            let item = answer.refused(422, "Validation Failed")["errors"][0].clone();
            assert_eq!((&item["resource"], &item["field"]), (&json!("Project"), &json!(field)), "{item}");
        };
        refused(world.olivia().post(PROJECTS, body.clone()));
        refused(world.olivia().patch(&path(&project), body));
    };
    invalid(json!({ "name": " \t" }), "name");
    invalid(json!({ "name": "x".repeat(256) }), "name");
    invalid(json!({ "name": "x", "body": "x".repeat(65_536) }), "body");
    for body in [json!({}), json!({ "name": 1 }), json!({ "name": "a\0b" })] {
        world.olivia().post(PROJECTS, body).expect(422);
    }
    for body in [json!({ "state": "done" }), json!({ "organization_permission": "pull" }), json!({ "private": "no" })] {
        world.olivia().patch(&path(&project), body).expect(422);
    }
    let collaborators = format!("{}/collaborators", path(&project));
    world.olivia().put(&format!("{collaborators}/eve"), json!({ "permission": "push" })).expect(422);
    world.olivia().put(&format!("{collaborators}/nobody"), json!({})).expect(404);
    world.olivia().delete(&format!("{collaborators}/nobody")).expect(404);
    assert_eq!(given::written(&world), before);
}
