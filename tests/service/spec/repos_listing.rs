//! Lists of repositories and forks: only what the caller reads, by id (decisions 5, 30, 33 and 38).

use crate::spec::given;
use crate::support::{Client, Value, World, json};

/// `acme`, whose members read nothing by default, with `one` (public), `two` (private), `three` (public) and `four`
/// (private); Nina has `notes` (public) and `diary` (private).
fn world() -> World {
    let world = World::new();
    given::listener(&world);
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    for (name, private) in [("one", false), ("two", true), ("three", false), ("four", true)] {
        world.olivia().post("/orgs/acme/repos", json!({ "name": name, "private": private })).expect(201);
    }
    for (name, private) in [("notes", false), ("diary", true)] {
        world.nina().post("/user/repos", json!({ "name": name, "private": private })).expect(201);
    }
    world
}

fn names(client: &Client, path: &str) -> Vec<String> {
    let list = client.get(path).expect(200).clone();
    let name = |item: &Value| item["name"].as_str().expect("a name").to_owned();
    list.as_array().expect("a list").iter().map(name).collect()
}

/// Gives the team `core`, in which Max and Tom are, a level on `two`.
fn grant(world: &World) {
    world.execute(
        "INSERT INTO team_repos (team_id, repo_id, level)
         SELECT t.id, r.id, 3 FROM teams t JOIN repos r ON r.name_key = 'two' WHERE t.slug = 'core'",
    );
}

#[test]
fn decision_33_an_organization_lists_what_the_caller_reads() {
    let world = world();
    grant(&world);
    let path = "/orgs/acme/repos";
    assert_eq!(names(&world.olivia(), path), ["one", "two", "three", "four"]);
    assert_eq!(names(&world.tom(), path), ["one", "two", "three"]);
    for client in [world.eve(), world.nina(), world.anonymous(), world.limited("olivia", &["admin:org", "user"])] {
        assert_eq!(names(&client, path), ["one", "three"]);
    }
    let roles: Vec<Value> =
        world.tom().get(path).expect(200).as_array().expect("a list").iter().map(|r| r["role_name"].clone()).collect();
    assert_eq!(roles, ["read", "write", "read"]);
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "read" })).expect(200);
    assert_eq!(names(&world.eve(), path), ["one", "two", "three", "four"]);
}

#[test]
fn decision_33_a_list_is_of_public_or_private_ones_if_asked() {
    let world = world();
    grant(&world);
    assert_eq!(names(&world.olivia(), "/orgs/acme/repos?type=public"), ["one", "three"]);
    assert_eq!(names(&world.olivia(), "/orgs/acme/repos?type=private"), ["two", "four"]);
    assert_eq!(names(&world.tom(), "/orgs/acme/repos?type=private"), ["two"]);
    assert_eq!(names(&world.nina(), "/orgs/acme/repos?type=private"), [""; 0]);
    assert_eq!(names(&world.nina(), "/orgs/acme/repos?type=sideways"), ["one", "three"]);
}

#[test]
fn decision_38_repositories_are_listed_by_id_in_pages() {
    let world = world();
    let first = world.olivia().get("/orgs/acme/repos?per_page=3");
    let id = world.olivia().get("/orgs/acme").expect(200)["id"].clone();
    let link = first.header("link").expect("a link");
    assert!(link.contains(&format!("/organizations/{id}/repos?per_page=3&page=2>; rel=\"next\"")), "{link}");
    assert_eq!(names(&world.olivia(), "/orgs/acme/repos?per_page=3"), ["one", "two", "three"]);
    assert_eq!(names(&world.olivia(), "/orgs/acme/repos?per_page=3&page=2"), ["four"]);
    assert_eq!(names(&world.olivia(), "/orgs/acme/repos?page=9"), [""; 0]);
    assert!(world.nina().get("/orgs/acme/repos?per_page=2").header("link").is_none());
}

#[test]
fn decision_33_a_person_lists_what_others_may_read_of_theirs() {
    let world = world();
    assert_eq!(names(&world.nina(), "/users/nina/repos"), ["notes", "diary"]);
    for client in [world.olivia(), world.anonymous(), world.limited("nina", &["user"])] {
        assert_eq!(names(&client, "/users/nina/repos"), ["notes"]);
    }
    assert_eq!(names(&world.anonymous(), "/users/acme/repos"), ["one", "three"]);
    world.execute(
        "INSERT INTO repo_collaborators (repo_id, user_id, level)
         SELECT r.id, u.id, 1 FROM repos r JOIN users u ON u.login = 'eve' WHERE r.name_key = 'diary'",
    );
    assert_eq!(names(&world.eve(), "/users/nina/repos"), ["notes", "diary"]);
    world.anonymous().get("/users/nobody/repos").refused(404, "Not Found");
}

#[test]
fn decision_33_the_caller_lists_what_they_were_given() {
    let world = world();
    grant(&world);
    world.tom().post("/user/repos", json!({ "name": "toms" })).expect(201);
    world.execute(
        "INSERT INTO repo_collaborators (repo_id, user_id, level)
         SELECT r.id, u.id, 1 FROM repos r JOIN users u ON u.login = 'tom' WHERE r.name_key = 'diary'",
    );
    let tom = world.tom();
    assert_eq!(names(&tom, "/user/repos"), ["two", "diary", "toms"]);
    assert_eq!(names(&tom, "/user/repos?affiliation=owner"), ["toms"]);
    assert_eq!(names(&tom, "/user/repos?affiliation=collaborator"), ["diary"]);
    assert_eq!(names(&tom, "/user/repos?affiliation=organization_member"), ["two"]);
    assert_eq!(names(&tom, "/user/repos?affiliation=owner,%20collaborator"), ["diary", "toms"]);
    assert_eq!(names(&tom, "/user/repos?affiliation=owner,friend"), ["two", "diary", "toms"]);
    assert_eq!(names(&tom, "/user/repos?visibility=public"), ["toms"]);
    assert_eq!(names(&tom, "/user/repos?visibility=private&per_page=1&page=2"), ["diary"]);
    assert_eq!(names(&world.limited("tom", &["user"]), "/user/repos"), ["toms"]);
    assert_eq!(names(&world.eve(), "/user/repos"), [""; 0]);
    assert_eq!(names(&world.olivia(), "/user/repos"), ["one", "two", "three", "four"]);
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "read" })).expect(200);
    assert_eq!(names(&tom, "/user/repos"), ["one", "two", "three", "four", "diary", "toms"]);
    world.anonymous().get("/user/repos").refused(401, "Requires authentication");
}

#[test]
fn decision_33_lists_hold_exactly_what_can_be_found() {
    let world = world();
    grant(&world);
    let people = [world.olivia(), world.max(), world.tom(), world.eve(), world.ray(), world.nina(), world.anonymous()];
    for client in people {
        let found: Vec<&str> = ["one", "two", "three", "four"]
            .into_iter()
            .filter(|name| client.get(&format!("/repos/acme/{name}")).status == 200)
            .collect();
        assert_eq!(names(&client, "/orgs/acme/repos"), found);
    }
}

#[test]
fn decision_5_a_fork_is_answered_with_202_and_is_there_at_once() {
    let world = world();
    let answer = world.nina().post("/repos/acme/one/forks", json!({}));
    assert_eq!(answer.header("location"), Some(format!("{}/repos/nina/one", world.base).as_str()));
    let fork = answer.expect(202).clone();
    assert_eq!((&fork["full_name"], &fork["fork"]), (&json!("nina/one"), &json!(true)));
    assert_eq!(fork["parent"]["full_name"], "acme/one");
    assert_eq!(*world.nina().get("/repos/nina/one").expect(200), fork);
    assert_eq!(world.olivia().get("/repos/acme/one").expect(200)["forks_count"], 1);
    // Again it is the same.
    assert_eq!(world.nina().post("/repos/acme/one/forks", json!({})).expect(202)["id"], fork["id"]);
    assert_eq!(world.olivia().get("/repos/acme/one").expect(200)["forks_count"], 1);
    let second = world.tom().post("/repos/nina/one/forks", json!({ "name": "third-hand" })).expect(202).clone();
    assert_eq!(
        (&second["parent"]["full_name"], &second["source"]["full_name"]),
        (&json!("nina/one"), &json!("acme/one"))
    );
    world.nina().delete("/repos/nina/one").expect(204);
    assert_eq!(world.olivia().get("/repos/acme/one").expect(200)["forks_count"], 0);
    let orphan = world.tom().get("/repos/tom/third-hand").expect(200).clone();
    assert_eq!((&orphan["fork"], orphan.get("parent")), (&json!(false), None));
}

#[test]
fn decision_30_a_fork_of_what_is_private_is_private() {
    let world = world();
    grant(&world);
    world.nina().post("/repos/acme/two/forks", json!({})).refused(404, "Not Found");
    world.olivia().patch("/orgs/acme", json!({ "members_can_fork_private_repositories": true })).expect(200);
    let fork = world.tom().post("/repos/acme/two/forks", json!({})).expect(202).clone();
    assert_eq!((&fork["private"], &fork["parent"]["name"]), (&json!(true), &json!("two")));
    world.olivia().get("/repos/tom/two").refused(404, "Not Found");
    // A user who can no longer read the parent is not shown it.
    world.olivia().delete("/orgs/acme/members/tom").expect(204);
    let fork = world.tom().get("/repos/tom/two").expect(200).clone();
    assert_eq!((&fork["fork"], fork.get("parent")), (&json!(true), None));
}

#[test]
fn decision_30_an_organization_can_own_a_fork() {
    let world = world();
    let fork = |client: &Client, body: Value| client.post("/repos/nina/notes/forks", body);
    let made = fork(&world.tom(), json!({ "organization": "ACME" })).expect(202).clone();
    assert_eq!((&made["full_name"], &made["role_name"]), (&json!("acme/notes"), &json!("admin")));
    assert_eq!(fork(&world.eve(), json!({ "organization": "acme" })).expect(202)["id"], made["id"]);
    fork(&world.nina(), json!({ "organization": "acme" })).expect(403);
    for nowhere in ["nowhere", "tom", ""] {
        fork(&world.tom(), json!({ "organization": nowhere })).refused(422, "Validation Failed");
    }
    fork(&world.nina(), json!({})).refused(422, "Validation Failed");
    fork(&world.tom(), json!({ "name": "a/b" })).refused(422, "Validation Failed");
    world.olivia().patch("/orgs/acme", json!({ "members_can_create_repositories": false })).expect(200);
    world.tom().post("/repos/nina/notes/forks", json!({ "organization": "acme" })).expect(403);
    let events: Vec<(String,)> =
        world.rows("SELECT event FROM journal_facts WHERE event LIKE '%fork%' OR event = 'repository.created' ORDER BY org_id, entry");
    assert_eq!(events.len(), 5);
}

#[test]
fn decision_30_deleting_a_person_takes_their_forks_from_the_count() {
    let world = world();
    world.nina().post("/repos/acme/one/forks", json!({})).expect(202);
    world.sam().delete("/admin/users/nina").expect(204);
    assert_eq!(world.olivia().get("/repos/acme/one").expect(200)["forks_count"], 0);
}
