//! The things that clients only look at, and the service does not have (decision 82).

use crate::support::{Client, Value, World, json};

/// The parts of a repository that the service does not have, each with the response.
fn of_repository() -> Vec<(&'static str, Value)> {
    let lists = ["hooks", "labels", "keys", "branches", "contributors", "rulesets"].map(|path| (path, json!([])));
    lists.into_iter().chain([("private-vulnerability-reporting", json!({ "enabled": false }))]).collect()
}

/// The public paths that the service does not have, each with the response.
fn in_public() -> [(&'static str, Value); 6] {
    [
        ("/users/tom/followers", json!([])),
        ("/users/acme/following", json!([])),
        ("/orgs/acme/events", json!([])),
        ("/orgs/acme/properties/schema", json!([])),
        ("/orgs/acme/external-groups", json!({ "groups": [] })),
        ("/orgs/acme/installations", json!({ "total_count": 0, "installations": [] })),
    ]
}

#[track_caller]
fn is_fixed(client: &Client, path: &str, fixed: &Value) {
    let answer = client.get(path);
    assert_eq!((answer.expect(200), answer.header("link")), (fixed, None), "{path}");
    assert_eq!(client.get(&format!("{path}?per_page=1&page=3")).expect(200), fixed, "{path}");
    assert_eq!(client.head(path).status, 200, "{path}");
}

/// Every write is 404, for every caller, as on a path that does not exist.
#[track_caller]
fn cannot_be_written(world: &World, path: &str) {
    for client in [world.olivia(), world.sam(), world.nina(), world.anonymous()] {
        for verb in ["POST", "PUT", "PATCH", "DELETE"] {
            let answer = client.send(verb, path, Some("{}".to_owned()));
            answer.refused(404, "Not Found");
            assert_eq!(answer.header("allow"), None, "{verb} {path}");
        }
    }
}

/// A private repository of the organization that Max reads, and a public one.
fn world() -> World {
    let world = World::new();
    let olivia = world.olivia();
    olivia.patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    olivia.post("/orgs/acme/repos", json!({ "name": "vault", "private": true })).expect(201);
    olivia.put("/repos/acme/vault/collaborators/max", json!({ "permission": "pull" })).expect(204);
    olivia.post("/orgs/acme/repos", json!({ "name": "site" })).expect(201);
    world
}

#[test]
fn decision_82_what_a_repository_lacks_is_shown_to_who_may_read_it() {
    let world = world();
    let vault = world.olivia().get("/repos/acme/vault").expect(200)["id"].clone();
    for (path, fixed) in of_repository() {
        for client in [world.olivia(), world.max()] {
            is_fixed(&client, &format!("/repos/acme/vault/{path}"), &fixed);
            is_fixed(&client.under("/api/v3"), &format!("/repositories/{vault}/{path}"), &fixed);
        }
        for client in [world.tom(), world.nina(), world.sam(), world.anonymous(), world.limited("max", &["read:org"])] {
            client.get(&format!("/repos/acme/vault/{path}")).refused(404, "Not Found");
        }
        for client in [world.nina(), world.anonymous(), world.limited("max", &[])] {
            is_fixed(&client, &format!("/repos/acme/site/{path}"), &fixed);
        }
        world.olivia().get(&format!("/repos/acme/nothing/{path}")).refused(404, "Not Found");
    }
}

#[test]
fn decision_82_what_an_organization_or_an_account_lacks_is_shown_to_everyone() {
    let world = world();
    for (path, fixed) in in_public() {
        for client in [world.olivia(), world.nina(), world.anonymous()] {
            is_fixed(&client, path, &fixed);
        }
        let nowhere = path.replace("acme", "nowhere").replace("tom", "nowhere");
        world.olivia().get(&nowhere).refused(404, "Not Found");
    }
}

#[test]
fn decision_82_writing_it_is_404() {
    let world = world();
    let before = world.olivia().get("/orgs/acme/audit-log").expect(200).clone();
    for (path, _) in of_repository() {
        cannot_be_written(&world, &format!("/repos/acme/vault/{path}"));
    }
    for (path, _) in in_public() {
        cannot_be_written(&world, path);
    }
    for path in ["/repos/acme/vault/invitations", "/user/repository_invitations", "/users/tom/keys"] {
        cannot_be_written(&world, path);
    }
    assert_eq!(*world.olivia().get("/orgs/acme/audit-log").expect(200), before);
}

#[test]
fn decision_82_pages_and_protection_of_branches_are_404() {
    let world = world();
    for path in ["pages", "branches/main", "branches/main/protection", "hooks/1", "labels/bug", "keys/1"] {
        for verb in ["GET", "PUT", "DELETE"] {
            world.olivia().send(verb, &format!("/repos/acme/site/{path}"), None).refused(404, "Not Found");
        }
    }
}

#[test]
fn decision_82_predefined_roles_are_listed_and_only_one_is_given() {
    const ROLES: &str = "/orgs/acme/organization-roles";
    let world = world();
    let olivia = world.olivia();
    let listed = olivia.get(ROLES).expect(200)["roles"].as_array().expect("roles").clone();
    let shown = |role: &Value| (role["id"].clone(), role["name"].clone(), role["base_role"].clone());
    let expected = [
        (138, "security_manager", "read"),
        (8132, "all_repo_read", "read"),
        (8133, "all_repo_triage", "triage"),
        (8134, "all_repo_write", "write"),
        (8135, "all_repo_maintain", "maintain"),
        (8136, "all_repo_admin", "admin"),
    ];
    let expected = expected.map(|(id, name, base)| (json!(id), json!(name), json!(base)));
    assert_eq!(listed.iter().map(shown).collect::<Vec<_>>(), expected);
    for role in &listed[1..] {
        let id = &role["id"];
        assert_eq!(olivia.get(&format!("{ROLES}/{id}")).expect(200), role);
        world.max().get(&format!("{ROLES}/{id}")).expect(403);
        for holders in ["teams", "users"] {
            let holder = if holders == "teams" { "core" } else { "tom" };
            let path = format!("{ROLES}/{holders}/{holder}/{id}");
            olivia.put_empty(&path).refused(404, "Not Found");
            olivia.delete(&path).refused(404, "Not Found");
            assert_eq!(*olivia.get(&format!("{ROLES}/{id}/{holders}")).expect(200), json!([]));
        }
    }
    olivia.put_empty(&format!("{ROLES}/users/tom/138")).expect(204);
    assert_eq!(olivia.get(&format!("{ROLES}/8132/users")).expect(200), &json!([]));
    world.tom().get("/repos/acme/vault").expect(200);
}
