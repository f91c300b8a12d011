//! Creating, changing and deleting repositories, and their former names (decisions 5, 16, 30 and 33).

use crate::spec::given;
use crate::support::{Answer, Client, Value, World, json};

fn create(client: &Client, body: Value) -> Value {
    client.post("/orgs/acme/repos", body).expect(201).clone()
}

/// The public and the private repositories of `acme`, as its owners read them.
fn counted(world: &World) -> (i64, i64) {
    let org = world.olivia().get("/orgs/acme").expect(200).clone();
    let number = |name: &str| org[name].as_i64().expect("a number");
    (number("public_repos"), number("total_private_repos"))
}

fn events(world: &World) -> Vec<String> {
    let rows: Vec<(String,)> = world.rows(
        "SELECT event FROM journal_facts WHERE event LIKE 'repository.%' OR event = 'fork' ORDER BY org_id, entry",
    );
    rows.into_iter().map(|(event,)| event).collect()
}

fn actions(world: &World) -> Vec<String> {
    let rows: Vec<(String,)> =
        world.rows("SELECT action FROM journal WHERE action LIKE 'repo.%' ORDER BY at, org_id, entry");
    rows.into_iter().map(|(action,)| action).collect()
}

#[track_caller]
fn refused_because(answer: &Answer, field: &str, code: &str) {
    answer.refused(422, "Validation Failed");
    assert_eq!(answer.json["errors"][0]["field"], field, "{}", answer.text);
    assert_eq!(answer.json["errors"][0]["code"], code, "{}", answer.text);
}

#[test]
fn decision_30_a_repository_is_created_changed_and_deleted() {
    let world = World::new();
    given::listener(&world);
    let olivia = world.olivia();
    let made = olivia.post(
        "/orgs/acme/repos",
        json!({ "name": "Web", "description": "Pages.", "homepage": "https://w.example",
        "private": true, "has_issues": false, "has_wiki": false, "has_projects": false, "is_template": true }),
    );
    assert_eq!(made.header("location"), Some(format!("{}/repos/acme/Web", world.base).as_str()));
    let made = made.expect(201).clone();
    assert_eq!(*olivia.get("/repos/acme/web").expect(200), made);
    assert_eq!((&made["visibility"], &made["role_name"]), (&json!("private"), &json!("admin")));
    assert_eq!((&made["has_issues"], &made["is_template"]), (&json!(false), &json!(true)));
    assert_eq!(counted(&world), (0, 1));

    world.advance(60);
    let body =
        json!({ "description": null, "private": false, "archived": true, "default_branch": "trunk", "has_wiki": true });
    let changed = olivia.patch("/repos/acme/web", body.clone()).expect(200).clone();
    assert_eq!((&changed["description"], &changed["homepage"]), (&Value::Null, &json!("https://w.example")));
    assert_eq!((&changed["archived"], &changed["default_branch"]), (&json!(true), &json!("trunk")));
    assert_ne!(changed["updated_at"], changed["created_at"]);
    assert_eq!(counted(&world), (1, 0));
    world.advance(60);
    assert_eq!(*olivia.patch("/repos/acme/web", body).expect(200), changed);
    olivia.patch("/repos/acme/web", json!({ "archived": false, "visibility": "private" })).expect(200);

    olivia.delete("/repos/acme/web").expect(204);
    olivia.get("/repos/acme/web").refused(404, "Not Found");
    olivia.delete("/repos/acme/web").refused(404, "Not Found");
    assert_eq!(counted(&world), (0, 0));
    let told = ["created", "edited", "publicized", "archived", "privatized", "unarchived", "deleted"];
    assert_eq!(events(&world), told.map(|action| format!("repository.{action}")));
    let recorded = ["create", "update", "access", "archived", "access", "unarchived", "destroy"];
    assert_eq!(actions(&world), recorded.map(|action| format!("repo.{action}")));
}

#[test]
fn decision_30_members_create_repositories_unless_owners_keep_that_for_themselves() {
    let world = World::new();
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    let made = create(&world.tom(), json!({ "name": "toms", "private": true }));
    assert_eq!(made["role_name"], "admin");
    world.eve().get("/repos/acme/toms").refused(404, "Not Found");
    world.tom().patch("/repos/acme/toms", json!({ "description": "Mine." })).expect(200);
    for outsider in [world.nina(), world.sam()] {
        outsider.post("/orgs/acme/repos", json!({ "name": "theirs" })).expect(403);
    }
    world.anonymous().post("/orgs/acme/repos", json!({ "name": "theirs" })).refused(401, "Requires authentication");
    world.olivia().patch("/orgs/acme", json!({ "members_can_create_repositories": false })).expect(200);
    world.tom().post("/orgs/acme/repos", json!({ "name": "more" })).expect(403);
    create(&world.olivia(), json!({ "name": "more" }));
}

#[test]
fn decision_30_who_leaves_the_organization_leaves_what_they_created_there() {
    let world = World::new();
    create(&world.tom(), json!({ "name": "toms", "private": true }));
    world.olivia().delete("/orgs/acme/members/tom").expect(204);
    world.tom().get("/repos/acme/toms").refused(404, "Not Found");
    world.olivia().get("/repos/acme/toms").expect(200);
}

#[test]
fn decision_30_a_person_has_repositories_of_their_own() {
    let world = World::new();
    let made =
        world.nina().post("/user/repos", json!({ "name": "notes", "visibility": "private" })).expect(201).clone();
    assert_eq!((&made["full_name"], &made["organization"]), (&json!("nina/notes"), &Value::Null));
    assert_eq!(made["owner"]["type"], "User");
    world.olivia().get("/repos/nina/notes").refused(404, "Not Found");
    assert_eq!(world.nina().get("/user").expect(200)["total_private_repos"], 1);
    world.nina().patch("/repos/nina/notes", json!({ "private": false })).expect(200);
    world.olivia().get("/repos/nina/notes").expect(200);
    assert_eq!(world.anonymous().get("/users/nina").expect(200)["public_repos"], 1);
    world.olivia().patch("/repos/nina/notes", json!({ "description": "Hers." })).expect(403);
    world.olivia().delete("/repos/nina/notes").expect(403);
    assert_eq!(actions(&world), ["repo.create", "repo.access"]);
    assert!(events(&world).is_empty());
}

#[test]
fn decision_30_only_who_administers_a_repository_changes_it() {
    let world = World::new();
    create(&world.olivia(), json!({ "name": "web" }));
    for who in [world.tom(), world.nina()] {
        who.patch("/repos/acme/web", json!({ "name": "stolen" })).expect(403);
        who.delete("/repos/acme/web").expect(403);
    }
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "admin" })).expect(200);
    world.tom().patch("/repos/acme/web", json!({ "name": "ours" })).expect(200);
}

#[test]
fn decision_30_names_are_plain_and_each_owner_has_one_once() {
    let world = World::new();
    create(&world.olivia(), json!({ "name": "web" }));
    create(&world.olivia(), json!({ "name": "other" }));
    for name in ["", " ", ".", "..", "a b", "a/b", "ä", "web.git", "Web.GIT", "a\nb", &"x".repeat(101)] {
        refused_because(&world.olivia().post("/orgs/acme/repos", json!({ "name": name })), "name", "custom");
        refused_because(&world.olivia().patch("/repos/acme/web", json!({ "name": name })), "name", "custom");
    }
    refused_because(&world.olivia().post("/orgs/acme/repos", json!({ "name": "WEB" })), "name", "custom");
    refused_because(&world.olivia().patch("/repos/acme/web", json!({ "name": "Other" })), "name", "custom");
    let both = json!({ "name": "new", "private": true, "visibility": "public" });
    refused_because(&world.olivia().post("/orgs/acme/repos", both), "visibility", "custom");
    for branch in ["", "a b", "a:b", "a\\b", &"x".repeat(256)] {
        let body = json!({ "default_branch": branch });
        refused_because(&world.olivia().patch("/repos/acme/web", body), "default_branch", "invalid");
    }
    world.olivia().post("/orgs/acme/repos", json!({})).refused(422, "Invalid request.\n\n\"name\" wasn't supplied.");
    world
        .olivia()
        .post("/user/repos", json!({ "name": 7 }))
        .refused(422, "Invalid request.\n\nFor 'properties/name', 7 is not a string.");
    assert_eq!(counted(&world), (2, 0));
    world.olivia().patch("/repos/acme/web", json!({ "name": "WEB" })).expect(200);
}

#[test]
fn decision_33_a_former_name_leads_reads_to_the_repository() {
    let world = World::new();
    let id = create(&world.olivia(), json!({ "name": "web", "private": true }))["id"].clone();
    world.olivia().patch("/repos/acme/web", json!({ "name": "site" })).expect(200);
    let lasting = format!("{}/repositories/{id}", world.base);
    for (path, behind) in [("", ""), ("?a=b", "?a=b")] {
        let led = world.olivia().get(&format!("/repos/ACME/Web{path}"));
        assert_eq!((led.status, led.header("location")), (302, Some(format!("{lasting}{behind}").as_str())));
        assert_eq!(led.header("cache-control"), Some("no-store"));
    }
    assert_eq!(world.olivia().head("/repos/acme/web").status, 302);
    assert_eq!(
        world.olivia().under("/api/v3").get("/repos/acme/web").header("location"),
        Some(format!("{}/api/v3/repositories/{id}", world.base).as_str())
    );
    assert_eq!(
        *world.olivia().get(&format!("/repositories/{id}")).expect(200),
        *world.olivia().get("/repos/acme/site").expect(200)
    );
    world.olivia().patch("/repos/acme/web", json!({ "description": "Lost." })).refused(404, "Not Found");
    world.olivia().delete("/repos/acme/web").refused(404, "Not Found");
    world.olivia().post("/repos/acme/web/forks", json!({})).refused(404, "Not Found");
    world.nina().get("/repos/acme/web").refused(404, "Not Found");
    world.limited("olivia", &["admin:org"]).get("/repos/acme/web").refused(404, "Not Found");
}

#[test]
fn decision_33_a_new_repository_of_the_name_ends_what_it_led_to() {
    let world = World::new();
    let olivia = world.olivia();
    create(&olivia, json!({ "name": "web" }));
    olivia.patch("/repos/acme/web", json!({ "name": "site" })).expect(200);
    let new = create(&olivia, json!({ "name": "WEB" }));
    assert_eq!(olivia.get("/repos/acme/web").expect(200)["id"], new["id"]);
    olivia.delete("/repos/acme/web").expect(204);
    olivia.get("/repos/acme/web").refused(404, "Not Found");
    // Renamed back and forth, each name leads only where nothing has it.
    olivia.patch("/repos/acme/site", json!({ "name": "page" })).expect(200);
    olivia.patch("/repos/acme/page", json!({ "name": "site" })).expect(200);
    olivia.get("/repos/acme/site").expect(200);
    assert_eq!(olivia.get("/repos/acme/page").status, 302);
    olivia.delete("/repos/acme/site").expect(204);
    olivia.get("/repos/acme/page").refused(404, "Not Found");
}

#[test]
fn decision_16_deleting_a_repository_takes_it_from_its_teams() {
    let world = World::new();
    create(&world.olivia(), json!({ "name": "web" }));
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Web", "repo_names": ["web"] })).expect(201);
    let count = || world.olivia().get("/orgs/acme/teams/web").expect(200)["repos_count"].clone();
    assert_eq!(count(), 1);
    world.olivia().delete("/repos/acme/web").expect(204);
    assert_eq!(count(), 0);
}

#[test]
fn decision_13_a_team_begins_with_repositories_that_the_caller_administers() {
    let world = World::new();
    create(&world.tom(), json!({ "name": "toms" }));
    create(&world.olivia(), json!({ "name": "web" }));
    let with = |name: &str| world.tom().post("/orgs/acme/teams", json!({ "name": name, "repo_names": [name] }));
    with("web").refused(422, "Validation Failed");
    with("toms").expect(201);
}

#[test]
fn decision_30_a_write_needs_a_scope_that_writes() {
    let world = World::new();
    create(&world.olivia(), json!({ "name": "web" }));
    let limited = |scopes: &[&str]| world.limited("olivia", scopes);
    for client in [limited(&["admin:org", "user", "public_repo", "read:org"]), limited(&["delete_repo"])] {
        client.post("/orgs/acme/repos", json!({ "name": "new" })).refused(404, "Not Found");
        client.post("/user/repos", json!({ "name": "new" })).refused(404, "Not Found");
        client.patch("/repos/acme/web", json!({ "name": "new" })).refused(404, "Not Found");
    }
    limited(&["admin:org", "public_repo", "delete_repo"]).delete("/repos/acme/web").refused(404, "Not Found");
    limited(&["repo"]).delete("/repos/acme/web").expect(204);
}
