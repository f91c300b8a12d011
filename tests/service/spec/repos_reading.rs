//! Repositories as records: who reads them, and what the record shows (decisions 30 and 33).

use crate::support::{Client, Value, World, json};

/// `acme` with a private repository `vault` and a public one `engine`; members read nothing by default.
fn world() -> World {
    let world = World::new();
    world.execute(
        "INSERT INTO repos (org_id, name, name_key, private, created_at, updated_at)
         SELECT id, 'Engine', 'engine', FALSE, 0, 0 FROM orgs WHERE login = 'acme'
         UNION ALL SELECT id, 'Vault', 'vault', TRUE, 0, 0 FROM orgs WHERE login = 'acme'",
    );
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    world
}

fn role(client: &Client, name: &str) -> String {
    let answer = client.get(&format!("/repos/acme/{name}"));
    if answer.status == 404 {
        "404".to_owned()
    } else {
        answer.expect(200)["role_name"].as_str().unwrap_or_default().to_owned()
    }
}

/// The role of each caller on a repository: Olivia, Max, Tom, Eve, Ray, Nina and an anonymous client.
fn roles(world: &World, name: &str) -> [String; 7] {
    let anonymous = world.anonymous();
    [world.olivia(), world.max(), world.tom(), world.eve(), world.ray(), world.nina(), anonymous]
        .map(|who| role(&who, name))
}

fn grant(world: &World, slug: &'static str, level: i64) {
    let sql = format!(
        "INSERT INTO team_repos (team_id, repo_id, level)
         SELECT t.id, r.id, {level} FROM teams t JOIN repos r ON r.org_id = t.org_id WHERE t.slug = '{slug}' AND r.name_key = 'vault'"
    );
    assert_eq!(world.execute(sql.leak()), 1);
}

#[test]
fn decision_33_what_is_public_is_read_by_everybody_and_what_is_private_by_owners() {
    let world = world();
    assert_eq!(roles(&world, "engine"), ["admin", "read", "read", "read", "read", "read", "read"]);
    assert_eq!(roles(&world, "vault"), ["admin", "404", "404", "404", "404", "404", "404"]);
}

#[test]
fn decision_33_the_default_permission_lets_members_read() {
    let world = world();
    for (default, role) in [("read", "read"), ("write", "write"), ("admin", "admin")] {
        world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": default })).expect(200);
        assert_eq!(roles(&world, "vault"), ["admin", role, role, role, role, "404", "404"], "{default}");
    }
    world.execute(
        "UPDATE org_members SET role = 'billing_manager' WHERE user_id = (SELECT id FROM users WHERE login = 'ray')",
    );
    assert_eq!(role(&world.ray(), "vault"), "404");
}

#[test]
fn decision_30_the_highest_of_own_and_inherited_counts() {
    let world = world();
    let below = |name: &str, above: &str| {
        let above = world.olivia().get(&format!("/orgs/acme/teams/{above}")).expect(200)["id"].clone();
        world.olivia().post("/orgs/acme/teams", json!({ "name": name, "parent_team_id": above })).expect(201);
    };
    below("Lower", "core");
    below("Lowest", "lower");
    world.olivia().put("/orgs/acme/teams/lowest/memberships/eve", json!({})).expect(200);
    for team in ["lower", "lowest"] {
        world.olivia().delete(&format!("/orgs/acme/teams/{team}/memberships/olivia")).expect(204);
    }
    grant(&world, "core", 2);
    assert_eq!(roles(&world, "vault"), ["admin", "triage", "triage", "triage", "404", "404", "404"]);
    grant(&world, "lower", 4);
    assert_eq!(roles(&world, "vault"), ["admin", "triage", "triage", "maintain", "404", "404", "404"]);
    grant(&world, "lowest", 1);
    assert_eq!(role(&world.eve(), "vault"), "maintain");
}

#[test]
fn decision_33_a_collaborator_from_outside_reads() {
    let world = world();
    world.execute(
        "INSERT INTO repo_collaborators (repo_id, user_id, level)
         SELECT r.id, u.id, 3 FROM repos r JOIN users u ON u.login = 'nina' WHERE r.name_key = 'vault'",
    );
    assert_eq!(roles(&world, "vault"), ["admin", "404", "404", "404", "404", "write", "404"]);
    assert_eq!(role(&world.nina(), "engine"), "read");
}

#[test]
fn decision_33_a_private_repository_needs_a_token_for_it() {
    let world = world();
    let reading = world.limited("olivia", &["admin:org", "user", "public_repo"]);
    assert_eq!((role(&reading, "vault"), role(&reading, "engine")), ("404".to_owned(), "admin".to_owned()));
    assert_eq!(role(&world.limited("olivia", &["repo"]), "vault"), "admin");
}

#[test]
fn record_of_a_repository_has_what_is_kept_and_constants_for_the_rest() {
    let world = world();
    let found = world.olivia().get("/repos/ACME/eNGINE").expect(200).clone();
    let id = found["id"].as_i64().expect("an id");
    assert_eq!(found["full_name"], "acme/Engine");
    assert_eq!(found["owner"]["type"], "Organization");
    assert_eq!(found["organization"]["login"], "acme");
    assert_eq!(found["url"], world.base.clone() + "/repos/acme/Engine");
    assert_eq!(found["archive_url"], world.base.clone() + "/repos/acme/Engine/{archive_format}{/ref}");
    assert_eq!(found["html_url"], world.base.clone() + "/ui/acme/Engine");
    assert_eq!((&found["visibility"], &found["default_branch"]), (&json!("public"), &json!("main")));
    for constant in ["description", "homepage", "language", "license", "mirror_url"] {
        assert_eq!(found[constant], Value::Null, "{constant}");
    }
    assert_eq!(found["pushed_at"], found["created_at"]);
    for absent in ["parent", "source"] {
        assert!(found.get(absent).is_none(), "{absent}");
    }
    let all = json!({ "admin": true, "maintain": true, "push": true, "triage": true, "pull": true });
    assert_eq!(found["permissions"], all);
    let read = json!({ "admin": false, "maintain": false, "push": false, "triage": false, "pull": true });
    assert_eq!(world.anonymous().get("/repos/acme/engine").expect(200)["permissions"], read);
    assert_eq!(*world.olivia().get(&format!("/repositories/{id}")).expect(200), found);
}
