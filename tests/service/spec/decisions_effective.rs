//! Effective teams: the teams above a person's own, for clients that ask for them (decision 63).

use crate::spec::given;
use crate::support::{Client, Value, World, json};

const MINE: &str = "/user/teams";
const EFFECTIVE: &str = "/user/teams?effective=true";

/// Tom is in `core` and in `leaf`, which is below `branch`, which is below `trunk`.
pub fn grown(world: &World) {
    let trunk = given::closed(world, "Trunk");
    let branch = given::child(world, &trunk, "Branch");
    given::child(world, &branch, "Leaf");
    given::child(world, &branch, "Other");
    given::put(world, "leaf", "tom", "member");
}

/// The slugs of the teams in a list, and whether each is inherited.
fn listed(client: &Client, path: &str) -> Vec<(String, Value)> {
    let teams = client.get(path).expect(200).as_array().expect("a list").clone();
    teams.iter().map(|team| (team["slug"].as_str().expect("a slug").to_owned(), team["inherited"].clone())).collect()
}

fn pairs(teams: &[(&str, Value)]) -> Vec<(String, Value)> {
    teams.iter().map(|(slug, inherited)| ((*slug).to_owned(), inherited.clone())).collect()
}

fn marked(world: &World, login: &str) -> Client {
    let body = json!({ "scopes": ["read:org"], "effective_teams": true });
    let made = world.sam().post(&format!("/admin/users/{login}/authorizations"), body).expect(201).clone();
    assert_eq!(made["effective_teams"], true);
    Client::new(&world.base, made["token"].as_str())
}

#[test]
fn decision_63_the_teams_above_are_listed_if_the_request_asks_for_them() {
    let world = World::new();
    grown(&world);
    let all = [("core", false), ("trunk", true), ("branch", true), ("leaf", false)];
    let all = pairs(&all.map(|(slug, inherited)| (slug, json!(inherited))));
    assert_eq!(listed(&world.tom(), EFFECTIVE), all);
    assert_eq!(listed(&world.tom(), "/user/teams?effective=true&per_page=1&page=2"), all[1..2]);
    let last = world.tom().get("/user/teams?effective=true&per_page=1").link("last").expect("a last page");
    assert!(last.contains("effective=true") && last.contains("page=4"), "{last}");

    let own = pairs(&[("core", Value::Null), ("leaf", Value::Null)]);
    for path in [MINE, "/user/teams?effective=false", "/user/teams?effective=perhaps"] {
        assert_eq!(listed(&world.tom(), path), own, "{path}");
        let team = world.tom().get(path).expect(200)[0].clone();
        assert!(!given::keys(&team).contains(&"inherited"), "{path}");
    }
}

#[test]
fn decision_63_a_direct_member_of_a_team_and_of_one_below_it_does_not_inherit_it() {
    let world = World::new();
    grown(&world);
    given::put(&world, "trunk", "tom", "member");
    let listed = listed(&world.tom(), EFFECTIVE);
    let inherited: Vec<&str> = listed.iter().filter(|(_, is)| is == true).map(|(slug, _)| slug.as_str()).collect();
    assert_eq!((listed.len(), inherited), (4, vec!["branch"]));
}

#[test]
fn decision_63_a_marked_token_asks_for_them_by_itself() {
    let world = World::new();
    grown(&world);
    let marked = marked(&world, "tom");
    assert_eq!(listed(&marked, MINE), listed(&world.tom(), EFFECTIVE));
    assert_eq!(listed(&marked, "/user/teams?effective=false"), listed(&world.tom(), MINE));
    let unmarked = world.sam().post("/admin/users/eve/authorizations", json!({})).expect(201).clone();
    assert_eq!(unmarked["effective_teams"], false);
    let body = json!({ "effective_teams": "yes" });
    world.sam().post("/admin/users/tom/authorizations", body).expect(422);
    let wanted: Vec<Value> = world.sam().all("/admin/tokens").iter().map(|t| t["effective_teams"].clone()).collect();
    assert_eq!(wanted.iter().filter(|marked| **marked == true).count(), 1);
}

#[test]
fn decision_63_each_answer_has_its_own_etag() {
    let world = World::new();
    grown(&world);
    let (tom, marked) = (world.tom(), marked(&world, "tom"));
    let etag = |client: &Client, path: &str| client.get(path).header("etag").expect("an ETag").to_owned();
    let tags = [etag(&tom, MINE), etag(&tom, EFFECTIVE), etag(&marked, MINE), etag(&marked, EFFECTIVE)];
    assert_ne!(tags[0], tags[1]);
    assert_ne!(tags[0], tags[2]);
    assert_ne!(tags[1], tags[3]);
    tom.with("If-None-Match", &tags[0]).get(EFFECTIVE).expect(200);
    tom.with("If-None-Match", &tags[1]).get(EFFECTIVE).expect(304);
    marked.with("If-None-Match", &tags[0]).get(MINE).expect(200);
    assert_eq!(listed(&tom, MINE).len(), 2);
}

#[test]
fn decision_63_a_team_above_that_the_caller_does_not_see_is_not_listed() {
    let world = World::new();
    grown(&world);
    // No operation makes a parent secret, but a store may hold one.
    assert_eq!(world.execute("UPDATE teams SET privacy = 'secret' WHERE slug = 'trunk'"), 1);
    let slugs = |client: &Client| listed(client, EFFECTIVE).into_iter().map(|(slug, _)| slug).collect::<Vec<_>>();
    assert_eq!(slugs(&world.tom()), ["core", "branch", "leaf"]);
    assert_eq!(world.tom().get(EFFECTIVE).expect(200)[1]["slug"], "branch");
}

#[test]
fn decision_63_who_left_the_organization_inherits_nothing() {
    let world = World::new();
    grown(&world);
    world.olivia().delete("/orgs/acme/members/tom").expect(204);
    assert_eq!(world.tom().get(EFFECTIVE).expect(200), &json!([]));
    world.anonymous().get(EFFECTIVE).expect(401);
}
