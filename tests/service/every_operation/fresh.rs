//! Whatever is changed, a server that has cached what it read before shows the same of every team as one that begins
//! now (docs/decisions/0023-what-is-kept-in-memory.md).

use crate::every_operation::samples;
use crate::every_operation::scene::Scene;
use crate::support::{World, json};

/// An owner, a maintainer, a member, a member of a child team, and the owner of another organization.
const PEOPLE: [&str; 5] = ["olivia", "max", "tom", "eve", "nina"];

/// The responses about teams that each of these people gets: the lists, then each team that was ever in one.
fn shown(world: &World, slugs: &mut Vec<(String, String)>) -> Vec<String> {
    let mut shown = Vec::new();
    let mut look = |person: &str, path: &str| {
        let answer = world.client(person).get(path);
        shown.push(format!("{person} {path} {} {}", answer.status, answer.text.replace(&world.base, "")));
        answer
    };
    for person in PEOPLE {
        for org in ["acme", "globex"] {
            let teams = look(person, &format!("/orgs/{org}/teams"));
            let found = if teams.status == 200 { teams.each("slug") } else { Vec::new() };
            for slug in found {
                let named = (org.to_owned(), slug.as_str().expect("a slug").to_owned());
                if !slugs.contains(&named) {
                    slugs.push(named);
                }
            }
        }
    }
    for (person, (org, slug)) in PEOPLE.iter().flat_map(|person| slugs.iter().map(move |named| (person, named))) {
        for below in ["", "/teams", "/members"] {
            look(person, &format!("/orgs/{org}/teams/{slug}{below}"));
        }
    }
    shown
}

/// Does something where everything was looked at before, and compares.
fn stays_fresh(scene: &Scene, what: &str, change: impl FnOnce()) {
    let mut slugs = Vec::new();
    let before = shown(&scene.world, &mut slugs);
    assert_eq!(shown(&scene.world, &mut slugs), before, "before {what}");
    change();
    let kept = shown(&scene.world, &mut slugs);
    assert_eq!(kept, shown(&scene.world.second_server(), &mut slugs), "after {what}");
}

#[test]
fn every_write_leaves_what_is_kept_of_teams_as_fresh_as_what_is_read_now() {
    samples::each_write(|row, sample| {
        let scene = Scene::new();
        stays_fresh(&scene, row.name, || {
            scene.send(row, sample).expect(sample.status);
        });
    });
}

#[test]
fn a_team_has_one_repository_more_when_it_is_granted_one() {
    let scene = Scene::new();
    let olivia = scene.client("olivia");
    olivia.post("/orgs/acme/repos", json!({ "name": "another" })).expect(201);
    let repos = || olivia.get("/orgs/acme/teams/core").expect(200)["repos_count"].as_i64();
    let before = repos();
    stays_fresh(&scene, "a grant", || {
        olivia.put("/orgs/acme/teams/core/repos/acme/another", json!({ "permission": "pull" })).expect(204);
    });
    assert_eq!(repos(), before.map(|number| number + 1));
}

/// Its owner has left the organization, so that nothing else of their account concerns the team.
#[test]
fn a_team_has_one_repository_less_when_the_account_that_owns_it_is_deleted() {
    let scene = Scene::new();
    let (max, olivia) = (scene.client("max"), scene.client("olivia"));
    max.post("/repos/acme/engine/forks", json!({})).expect(202);
    max.put("/orgs/acme/teams/core/repos/max/engine", json!({ "permission": "push" })).expect(204);
    olivia.delete("/orgs/acme/members/max").expect(204);
    let repos = || olivia.get("/orgs/acme/teams/core").expect(200)["repos_count"].as_i64();
    let before = repos();
    stays_fresh(&scene, "the deletion of an account", || {
        scene.world.sam().delete("/admin/users/max").expect(204);
    });
    assert_eq!(repos(), before.map(|number| number - 1));
}

/// The cached data of a team may be a moment old when a write is authorized early. It never decides whose write it is.
#[test]
fn a_write_finds_the_team_that_has_the_slug_now() {
    let scene = Scene::new();
    let (olivia, max) = (scene.client("olivia"), scene.client("max"));
    let seat = |slug: &str, login: &str| format!("/orgs/acme/teams/{slug}/memberships/{login}");
    olivia.get("/orgs/acme/teams").expect(200);
    olivia.patch("/orgs/acme/teams/core", json!({ "name": "Kernel" })).expect(200);
    max.put(&seat("kernel", "eve"), json!({})).expect(200);
    olivia.put(&seat("core", "olivia"), json!({})).refused(404, "Not Found");
    olivia.post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201);
    max.put(&seat("core", "eve"), json!({})).refused(404, "Not Found");
    olivia.put(&seat("core", "tom"), json!({ "role": "maintainer" })).expect(200);
    olivia.delete("/orgs/acme/teams/core").expect(204);
    olivia.put(&seat("core", "olivia"), json!({})).refused(404, "Not Found");
    let kernel = scene.world.second_server().client("olivia").get("/orgs/acme/teams/kernel/members");
    assert!(kernel.each("login").contains(&json!("eve")), "{}", kernel.text);
    assert!(!kernel.each("login").contains(&json!("olivia")), "{}", kernel.text);
}
