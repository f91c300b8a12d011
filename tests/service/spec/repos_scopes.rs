//! Private repositories need a token with the scope `repo`, also below a team (decisions 31 and 33).

use crate::support::{Client, World, json};

/// `acme` with a private repository `vault`, which was `safe`, and a public one `engine`. The team `core` has both.
fn world() -> World {
    let world = World::new();
    let olivia = world.olivia();
    for (name, private) in [("safe", true), ("engine", false)] {
        olivia.post("/orgs/acme/repos", json!({ "name": name, "private": private })).expect(201);
        olivia.put(&format!("/orgs/acme/teams/core/repos/acme/{name}"), json!({ "permission": "push" })).expect(204);
    }
    olivia.patch("/repos/acme/safe", json!({ "name": "vault" })).expect(200);
    world
}

/// The team `core` in every form of the path.
fn forms(world: &World) -> [String; 4] {
    let team = world.olivia().get("/orgs/acme/teams/core").expect(200).clone();
    let (org, team) = (&team["organization"]["id"], &team["id"]);
    [
        "/orgs/acme/teams/core".to_owned(),
        format!("/organizations/{org}/team/{team}"),
        format!("/organizations/{org}/teams/core"),
        format!("/teams/{team}"),
    ]
}

fn names(client: &Client, path: &str) -> Vec<String> {
    let names = client.all(path).into_iter().map(|repo| repo["name"].as_str().unwrap_or_default().to_owned());
    names.collect()
}

#[test]
fn decision_33_a_team_leads_to_private_repositories_only_with_a_token_for_them() {
    let world = world();
    for (who, scopes, shown) in [
        ("olivia", &["read:org"][..], false),
        ("tom", &["user"], false),
        ("tom", &["write:org", "public_repo"], false),
        ("olivia", &["admin:org", "user"], false),
        ("tom", &["repo"], true),
    ] {
        let client = world.limited(who, scopes);
        let record = client.with("Accept", "application/vnd.github.v3.repository+json");
        let (listed, found): (&[&str], _) =
            if shown { (&["vault", "engine"], [204, 200, 302]) } else { (&["engine"], [404; 3]) };
        for team in forms(&world) {
            assert_eq!(names(&client, &format!("{team}/repos?per_page=1")), listed, "{scopes:?} {team}");
            let statuses = [(&client, "vault"), (&record, "vault"), (&client, "safe")]
                .map(|(client, name)| client.get(&format!("{team}/repos/acme/{name}")).status);
            assert_eq!(statuses, found, "{scopes:?} {team}");
            client.get(&format!("{team}/repos/acme/engine")).expect(204);
            record.get(&format!("{team}/repos/acme/engine")).expect(200);
        }
    }
}

#[test]
fn decision_31_grants_of_private_repositories_are_written_only_with_a_token_for_them() {
    let world = world();
    let vault = || world.olivia().get("/repos/acme/vault/teams").expect(200)[0]["permission"].clone();
    for form in forms(&world) {
        for scopes in [&["admin:org", "user"][..], &["read:org"]] {
            let client = world.limited("olivia", scopes);
            let path = format!("{form}/repos/acme/vault");
            client.put(&path, json!({ "permission": "admin" })).refused(404, "Not Found");
            client.delete(&path).refused(404, "Not Found");
            assert_eq!(vault(), "push", "{form}");
        }
        let organizing = world.limited("olivia", &["admin:org"]);
        organizing.put(&format!("{form}/repos/acme/engine"), json!({ "permission": "admin" })).expect(204);
        organizing.delete(&format!("{form}/repos/acme/engine")).expect(204);
        let trusted = world.limited("olivia", &["repo"]);
        trusted.delete(&format!("{form}/repos/acme/vault")).expect(204);
        trusted.put(&format!("{form}/repos/acme/vault"), json!({ "permission": "push" })).expect(204);
    }
}

#[test]
fn decision_13_a_team_begins_with_a_private_repository_only_by_a_token_for_it() {
    let world = world();
    let create = |scopes: &[&str], name: &str, repo: &str| {
        let body = json!({ "name": name, "repo_names": [repo] });
        world.limited("olivia", scopes).post("/orgs/acme/teams", body)
    };
    create(&["admin:org"], "Locked", "vault").refused(422, "Validation Failed");
    world.olivia().get("/orgs/acme/teams/locked").expect(404);
    create(&["admin:org"], "Open", "acme/engine").expect(201);
    create(&["repo"], "Locked", "acme/vault").expect(201);
}
