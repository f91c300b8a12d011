//! Outside collaborators of an organization (section 8; decisions 21 and 28).

use crate::spec::given;
use crate::support::{Client, Value, World, json};

const OUTSIDE: &str = "/orgs/acme/outside_collaborators";

/// `acme` with the private repositories `web`, `docs` and `vault`, which members read only with a level on them.
/// `below` is a child team of `core`.
fn world() -> World {
    let world = World::new();
    given::listener(&world);
    let olivia = world.olivia();
    for name in ["web", "docs", "vault"] {
        olivia.post("/orgs/acme/repos", json!({ "name": name, "private": true })).expect(201);
    }
    olivia.patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    given::child(&world, &given::core(&world), "Below");
    given::put(&world, "below", "eve", "member");
    world
}

fn give(world: &World, repo: &str, login: &str, permission: &str) {
    let path = format!("/repos/acme/{repo}/collaborators/{login}");
    world.olivia().put(&path, json!({ "permission": permission })).expect(204);
}

fn grant(world: &World, team: &str, repo: &str, permission: &str) {
    let path = format!("/orgs/acme/teams/{team}/repos/acme/{repo}");
    world.olivia().put(&path, json!({ "permission": permission })).expect(204);
}

fn outside(world: &World) -> Vec<Value> {
    given::each(&world.olivia(), OUTSIDE, "login")
}

/// The roles of a person on the repositories.
fn roles(client: &Client) -> Vec<(Value, Value)> {
    let answer = client.get("/user/repos?affiliation=collaborator");
    answer.expect(200);
    answer.each("name").into_iter().zip(answer.each("role_name")).collect()
}

fn pairs<const N: usize>(of: [(&str, &str); N]) -> Vec<(Value, Value)> {
    of.map(|(name, role)| (json!(name), json!(role))).to_vec()
}

fn statuses(world: &World, call: impl Fn(&Client) -> u16) -> [u16; 5] {
    let [olivia, tom, nina, sam] = ["olivia", "tom", "nina", "sam"].map(|login| call(&world.client(login)));
    [olivia, tom, nina, sam, call(&world.anonymous())]
}

#[test]
fn operation_list_outside_collaborators_names_each_once_by_id() {
    let world = world();
    assert!(outside(&world).is_empty());
    world.register("zoe");
    for (repo, login) in [("web", "zoe"), ("web", "nina"), ("docs", "nina"), ("docs", "tom")] {
        give(&world, repo, login, "pull");
    }
    assert_eq!(outside(&world), ["nina", "zoe"]);
    let page = world.olivia().get(&format!("{OUTSIDE}?per_page=1&page=2"));
    assert_eq!((page.each("login"), page.link("next")), (vec![json!("zoe")], None));
    assert_eq!(world.olivia().get(&format!("{OUTSIDE}?filter=2fa_disabled")).expect(200), &json!([]));
    assert_eq!(given::each(&world.olivia(), &format!("{OUTSIDE}?filter=everybody"), "login").len(), 2);
    world.join("acme", "olivia", "nina");
    assert_eq!(outside(&world), ["zoe"]);
    assert_eq!(statuses(&world, |client| client.get(OUTSIDE).status), [200, 403, 403, 403, 401]);
}

#[test]
fn operation_convert_a_member_keeps_what_their_teams_had_and_what_was_given() {
    let world = world();
    grant(&world, "core", "web", "push");
    grant(&world, "below", "web", "pull");
    grant(&world, "core", "docs", "pull");
    give(&world, "docs", "eve", "triage");
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "read" })).expect(200);
    world.eve().get("/repos/acme/vault").expect(200);
    let eve = format!("{OUTSIDE}/eve");
    let put = |client: &Client| client.put(&eve, json!({})).status;
    assert_eq!(statuses(&world, put), [204, 403, 403, 403, 401]);
    assert_eq!(roles(&world.eve()), pairs([("web", "write"), ("docs", "triage")]));
    world.eve().get("/repos/acme/vault").expect(404);
    world.eve().get("/orgs/acme/teams/below").expect(404);
    world.olivia().get("/orgs/acme/members/eve").expect(404);
    assert_eq!(outside(&world), ["eve"]);
    let told: Vec<(String,)> = world.rows(
        "SELECT event FROM journal_facts WHERE event LIKE 'member%' OR event = 'organization.member_removed' ORDER BY org_id DESC, entry DESC LIMIT 3",
    );
    assert_eq!(
        told.into_iter().map(|(event,)| event).collect::<Vec<_>>(),
        ["member.added", "organization.member_removed", "membership.removed"]
    );
    let kept: String = given::value(
        &world,
        "SELECT facts FROM journal_facts WHERE event = 'member.added' ORDER BY org_id DESC, entry DESC LIMIT 1",
    );
    assert!(kept.contains("\"acme/web\"") && kept.contains("\"level\":3"), "{kept}");
    let refused = world.olivia().put(&eve, json!({}));
    refused.refused(403, "eve is not a member of the acme organization.");
    world.olivia().put(&format!("{OUTSIDE}/nobody"), json!({})).expect(404);
}

#[test]
fn operation_convert_a_member_tells_of_a_level_that_rises() {
    let world = world();
    grant(&world, "core", "web", "maintain");
    give(&world, "web", "tom", "pull");
    world.olivia().put_empty(&format!("{OUTSIDE}/tom")).expect(204);
    assert_eq!(roles(&world.tom()), pairs([("web", "maintain")]));
    let edited: i64 = given::value(&world, "SELECT count(*) FROM journal_facts WHERE event = 'member.edited'");
    let entries: i64 = given::value(&world, "SELECT count(*) FROM journal WHERE action = 'repo.update_member'");
    assert_eq!((edited, entries), (1, 1));
}

#[test]
fn decision_21_the_last_owner_is_not_made_an_outside_collaborator() {
    let world = world();
    let before = given::written(&world);
    world.olivia().put_empty(&format!("{OUTSIDE}/olivia")).refused(422, "Validation Failed");
    assert_eq!(given::written(&world), before);
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    world.max().put_empty(&format!("{OUTSIDE}/olivia")).expect(204);
    world.olivia().get(OUTSIDE).expect(403);
}

#[test]
fn operation_remove_an_outside_collaborator_takes_all_repositories_of_the_organization() {
    let world = world();
    for (repo, login) in [("web", "nina"), ("docs", "nina"), ("docs", "tom")] {
        give(&world, repo, login, "push");
    }
    world.eve().post("/user/repos", json!({ "name": "notes", "private": true })).expect(201);
    world.eve().put("/repos/eve/notes/collaborators/nina", json!({})).expect(204);
    let remove = |client: &Client| client.delete(&format!("{OUTSIDE}/nina")).status;
    assert_eq!(statuses(&world, remove), [204, 403, 403, 403, 401]);
    assert_eq!(roles(&world.nina()), pairs([("notes", "write")]));
    assert!(outside(&world).is_empty());
    let told: i64 = given::value(&world, "SELECT count(*) FROM journal_facts WHERE event = 'member.removed'");
    let entries: i64 = given::value(&world, "SELECT count(*) FROM journal WHERE action = 'repo.remove_member'");
    assert_eq!((told, entries), (2, 2));
    let before = given::written(&world);
    let member = world.olivia().delete(&format!("{OUTSIDE}/tom"));
    member.refused(422, "You cannot specify an organization member to remove as an outside collaborator.");
    world.olivia().delete(&format!("{OUTSIDE}/nina")).expect(204);
    world.olivia().delete(&format!("{OUTSIDE}/nobody")).expect(404);
    assert_eq!(given::written(&world), before);
}
