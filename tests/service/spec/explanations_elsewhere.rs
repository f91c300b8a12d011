//! Explanations of access through teams of another organization, for applications, and of what was imported (decision 67).

use super::decisions_import::import;
use super::explanations::{Scene, ask, kinds, sees};
use crate::support::application::{Application, answers, granted};
use crate::support::{Client, Value, World, json};

const FORK: &str = "/repos/beta/vault";

/// A fork of `acme/vault` in `beta`, which Olivia, Nina and Tom own. `hidden` and `core` of `acme` have it.
fn forked() -> Scene {
    let scene = Scene::new();
    let (world, olivia) = (&scene.world, scene.world.olivia());
    world.organization("beta", "olivia", &["nina", "tom"]);
    for owner in ["nina", "tom"] {
        olivia.put(&format!("/orgs/beta/memberships/{owner}"), json!({ "role": "admin" })).expect(200);
    }
    olivia.post("/repos/acme/vault/forks", json!({ "organization": "beta" })).expect(202);
    for (team, level) in [("hidden", "push"), ("core", "pull")] {
        let path = format!("/orgs/acme/teams/{team}/repos/beta/vault");
        olivia.put(&path, json!({ "permission": level })).expect(204);
    }
    scene
}

fn listed(client: &Client, query: &str) -> Vec<Value> {
    client.get(&format!("{FORK}/access{query}")).each("login")
}

#[test]
fn decision_67_owners_of_a_fork_do_not_see_paths_through_teams_that_another_organization_hides() {
    let scene = forked();
    let [olivia, nina, tom] = ["olivia", "nina", "tom"].map(|login| scene.world.client(login));
    sees(&olivia, FORK, "ray", "push", &[["team", "push", "hidden"]]);
    sees(&olivia, FORK, "max", "pull", &[["team", "pull", "core"]]);
    // Tom is a member of `acme`, and sees its closed teams. Nina sees none.
    sees(&tom, FORK, "ray", "none", &[]);
    sees(&tom, FORK, "max", "pull", &[["team", "pull", "core"]]);
    sees(&nina, FORK, "ray", "none", &[]);
    sees(&nina, FORK, "max", "none", &[]);
    let logins = |of: &[&str]| of.iter().map(|login| json!(login)).collect::<Vec<_>>();
    assert_eq!(listed(&olivia, ""), logins(&["olivia", "tom", "nina", "ray", "max", "eve"]));
    assert_eq!(listed(&tom, ""), logins(&["olivia", "tom", "nina", "max", "eve"]));
    assert_eq!(listed(&nina, ""), logins(&["olivia", "tom", "nina"]));
    for query in ["?level=push", "?q=ray", "?per_page=3&page=2"] {
        assert_eq!(listed(&nina, query), logins(&[]), "{query}");
    }
    assert_eq!(nina.get(&format!("{FORK}/access?per_page=3")).link("next"), None);
    // Ray, who has the repository through such a team, sees why.
    sees(&scene.world.client("ray"), FORK, "ray", "push", &[["team", "push", "hidden"]]);
}

#[test]
fn decision_67_an_application_sees_nothing_through_teams_of_organizations_that_do_not_let_it_in() {
    let scene = forked();
    let world = &scene.world;
    world.olivia().patch("/orgs/beta", json!({ "applications_need_approval": false })).expect(200);
    world.olivia().put(&format!("{FORK}/collaborators/max"), json!({ "permission": "triage" })).expect(204);
    let app = Application::of(world);
    let [olivia, max] = ["olivia", "max"].map(|login| granted(world, &app, login, "repo"));
    let own = ["collaborator", "triage", "-"];
    sees(&olivia, FORK, "ray", "none", &[]);
    sees(&olivia, FORK, "max", "triage", &[own]);
    sees(&max, FORK, "max", "triage", &[own]);
    let without = listed(&olivia, "");
    assert_eq!(without, ["olivia", "tom", "nina", "max"].map(|login| json!(login)));
    assert_eq!(listed(&olivia, "?level=push"), [] as [Value; 0]);
    assert_eq!(olivia.get(&format!("{FORK}/access?per_page=4")).link("next"), None);
    let listed_max = olivia.get(&format!("{FORK}/access?q=max"));
    assert_eq!(kinds(&listed_max.expect(200)[0]), [own]);
    // The person sees it without the application, and the application once it is let in.
    sees(&world.max(), FORK, "max", "triage", &[own, ["team", "pull", "core"]]);
    answers(world, &app, "approved");
    sees(&olivia, FORK, "ray", "push", &[["team", "push", "hidden"]]);
    sees(&max, FORK, "max", "triage", &[own, ["team", "pull", "core"]]);
    assert_eq!(listed(&olivia, ""), listed(&world.olivia(), ""));
    assert_eq!(listed(&olivia, "?level=push"), [json!("ray")]);
}

#[test]
fn decision_67_an_import_gives_levels_at_its_time_and_for_no_person() {
    let world = World::new();
    let file = |repo: &str, project: &str| {
        format!(
            "orgs: {{gamma: {{admins: [olivia], members: [max], default_repository_permission: none,
               repos: {{site: {{collaborators: {{tom: {repo}}}}}}},
               teams: {{Alone: {{members: [max], repos: {{site: {repo}}}, guildhall: {{projects: {{1: {project}}}}}}}}},
               guildhall: {{projects: {{1: {{name: Plan, collaborators: {{tom: {project}}}}}}}}}}}}}"
        )
    };
    let imported = |repo, project| drop(import(&world, &[&file(repo, project)]).expect("a report"));
    imported("read", "read");
    let olivia = world.olivia();
    let project = format!("/projects/{}", olivia.get("/orgs/gamma/projects").expect(200)[0]["id"]);
    let site = "/repos/gamma/site";
    let first = |on: &str, login: &str| {
        let path = ask(&olivia, on, login).expect(200)["paths"][0].clone();
        (path["level"].clone(), path["granted_by"].clone(), path["granted_at"].clone())
    };
    let all = || [first(site, "tom"), first(site, "max"), first(&project, "tom"), first(&project, "max")];
    let by_import = |level: &str| (json!(level), json!(null), json!("2026-01-01T00:00:00Z"));
    assert_eq!(all(), ["pull", "pull", "read", "read"].map(by_import));
    world.advance(3600);
    let (push, write) = (json!({ "permission": "push" }), json!({ "permission": "write" }));
    olivia.put(&format!("{site}/collaborators/tom"), push.clone()).expect(204);
    olivia.put("/orgs/gamma/teams/alone/repos/gamma/site", push).expect(204);
    olivia.put(&format!("{project}/collaborators/tom"), write.clone()).expect(204);
    olivia.put(&format!("/orgs/gamma/teams/alone{project}"), write).expect(204);
    let given = all();
    for (_, by, at) in &given {
        assert_eq!((&by["login"], at), (&json!("olivia"), &json!("2026-01-01T01:00:00Z")));
    }
    // The same levels again change nothing, and others are those of the import.
    imported("write", "write");
    assert_eq!(all(), given);
    imported("triage", "admin");
    assert_eq!(all(), ["triage", "triage", "admin", "admin"].map(by_import));
}
