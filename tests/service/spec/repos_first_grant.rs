//! A repository that is created for a team (decisions 17 and 30), and the versions of the API.

use crate::spec::given;
use crate::support::{Client, World, json};

const REPOS: &str = "/orgs/acme/repos";

/// The level of the team on the repository.
fn level(world: &World, team: &str, repo: &str) -> String {
    let client = world.olivia().with("Accept", "application/vnd.github.v3.repository+json");
    let record = client.get(&format!("/orgs/acme/teams/{team}/repos/acme/{repo}")).expect(200).clone();
    record["role_name"].as_str().expect("a role").to_owned()
}

#[test]
fn decision_30_a_repository_is_created_for_a_team() {
    let world = World::new();
    let core = given::core(&world);
    let made = world.tom().post(REPOS, json!({ "name": "web", "team_id": core["id"] })).expect(201).clone();
    assert_eq!((&made["full_name"], &made["role_name"]), (&json!("acme/web"), &json!("admin")));
    assert_eq!(level(&world, "core", "web"), "read");
    assert_eq!(given::core(&world)["repos_count"], core["repos_count"].as_i64().expect("a number") + 1);
    let pushing = given::team(&world, json!({ "name": "Pushing", "permission": "push" }));
    world.olivia().post(REPOS, json!({ "name": "api", "team_id": pushing["id"] })).expect(201);
    assert_eq!(level(&world, "pushing", "api"), "write");
    let logged = world.olivia().get("/orgs/acme/audit-log?per_page=2&order=desc").expect(200).clone();
    assert_eq!((&logged[0]["action"], &logged[1]["action"]), (&json!("team.add_repository"), &json!("repo.create")));
}

#[test]
fn decision_17_a_team_that_the_caller_does_not_see_gets_no_repository() {
    let world = World::new();
    let hidden = given::secret(&world, "Hidden")["id"].clone();
    world.organization("globex", "nina", &["tom"]);
    let foreign = world.nina().post("/orgs/globex/teams", json!({ "name": "Theirs", "privacy": "closed" }));
    let foreign = foreign.expect(201)["id"].clone();
    let refused = |client: &Client, id| client.post(REPOS, json!({ "name": "web", "team_id": id }));
    let of_none = refused(&world.tom(), json!(999_999));
    for id in [hidden.clone(), foreign.clone(), json!(0), json!(-1)] {
        let refused = refused(&world.tom(), id);
        refused.refused(422, "Validation Failed");
        assert_eq!((refused.json["errors"][0]["field"].clone(), &refused.text), (json!("team_id"), &of_none.text));
    }
    refused(&world.olivia(), foreign).refused(422, "Validation Failed");
    refused(&world.olivia(), json!("core")).expect(422);
    world.olivia().get("/repos/acme/web").refused(404, "Not Found");
    refused(&world.olivia(), hidden).expect(201);
}

#[test]
fn operation_versions_are_dates() {
    let world = World::new();
    assert_eq!(world.anonymous().get("/versions").expect(200), &json!(["2022-11-28"]));
    assert_eq!(world.anonymous().under("/api/v3").get("/versions").expect(200), &json!(["2022-11-28"]));
}
