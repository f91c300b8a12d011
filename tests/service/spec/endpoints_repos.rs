//! The repositories of a team (section 8): who may call, what is listed, and what a grant needs.

use crate::spec::given;
use crate::support::{Answer, Client, Value, World, json};

const REPOS: &str = "/orgs/acme/teams/core/repos";
const VAULT: &str = "/orgs/acme/teams/core/repos/acme/vault";
const RECORD: &str = "application/vnd.github.v3.repository+json";

/// `acme` with a public repository `engine` and a private one `vault`, which members read only if they are given it;
/// `below` is a child team of `core` with Eve in it.
fn world() -> World {
    let world = World::new();
    world.execute(
        "INSERT INTO repos (org_id, name, name_key, private, created_at, updated_at)
         SELECT id, 'Engine', 'engine', FALSE, 0, 0 FROM orgs WHERE login = 'acme'
         UNION ALL SELECT id, 'Vault', 'vault', TRUE, 0, 0 FROM orgs WHERE login = 'acme'",
    );
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    given::child(&world, &given::core(&world), "Below");
    given::put(&world, "below", "eve", "member");
    world
}

fn grant(world: &World, team: &str, repo: &str, permission: &str) {
    let path = format!("/orgs/acme/teams/{team}/repos/acme/{repo}");
    world.olivia().put(&path, json!({ "permission": permission })).expect(204);
}

/// A fork of `vault` that belongs to a person, and what it is called.
fn fork(world: &World, login: &'static str) -> String {
    let sql = format!(
        "INSERT INTO repos (user_id, name, name_key, private, fork_of, source_id, created_at, updated_at)
         SELECT u.id, 'vault', 'vault', FALSE, r.id, r.id, 0, 0
         FROM users u CROSS JOIN repos r WHERE u.login = '{login}' AND r.org_id IS NOT NULL AND r.name_key = 'vault'"
    );
    assert_eq!(world.execute(sql.leak()), 1);
    format!("{login}/vault")
}

fn levels(client: &Client, path: &str) -> Vec<(String, String)> {
    let answer = client.get(path);
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let items = answer.expect(200).as_array().expect("a list").clone();
    items.iter().map(|repo| (text(&repo["name"]), text(&repo["role_name"]))).collect()
}

fn pairs<const N: usize>(of: [(&str, &str); N]) -> Vec<(String, String)> {
    of.iter().map(|(name, role)| ((*name).to_owned(), (*role).to_owned())).collect()
}

/// The status for each caller: owner, maintainer, member, other member, outsider, site administrator and anonymous.
fn statuses(world: &World, call: impl Fn(&Client) -> u16) -> [u16; 7] {
    let [olivia, max, tom, ray, nina, sam] =
        ["olivia", "max", "tom", "ray", "nina", "sam"].map(|login| call(&world.client(login)));
    [olivia, max, tom, ray, nina, sam, call(&world.anonymous())]
}

#[test]
fn operation_list_repos_shows_by_id_what_the_team_may_do() {
    let world = world();
    assert_eq!(levels(&world.tom(), REPOS), []);
    grant(&world, "core", "vault", "maintain");
    grant(&world, "core", "engine", "triage");
    assert_eq!(levels(&world.tom(), REPOS), pairs([("Engine", "triage"), ("Vault", "maintain")]));
    let page = world.tom().get(&format!("{REPOS}?per_page=1"));
    assert_eq!(page.each("name"), ["Engine"]);
    assert!(
        page.link("last").is_some_and(|link| link.ends_with("/repos?per_page=1&page=2")),
        "{:?}",
        page.link("last")
    );
    let vault = &world.tom().get(REPOS).expect(200)[1].clone();
    let allowed = json!({ "admin": false, "maintain": true, "push": true, "triage": true, "pull": true });
    assert_eq!(vault["permissions"], allowed);
}

#[test]
fn operation_list_repos_is_for_those_who_see_the_team() {
    let world = world();
    assert_eq!(statuses(&world, |client| client.get(REPOS).status), [200, 200, 200, 200, 404, 404, 404]);
}

#[test]
fn decision_33_a_list_shows_only_what_the_caller_reads() {
    let world = world();
    grant(&world, "core", "vault", "pull");
    grant(&world, "core", "engine", "pull");
    assert_eq!(levels(&world.eve(), REPOS), pairs([("Engine", "read"), ("Vault", "read")]), "Eve is in a team below");
    let other = world.ray().get(&format!("{REPOS}?per_page=1"));
    assert_eq!((other.each("name"), other.link("next")), (vec![json!("Engine")], None), "Ray is in no team");
    assert_eq!(levels(&world.ray(), REPOS), pairs([("Engine", "read")]), "nor on a longer page");
    assert_eq!(world.ray().get(VAULT).status, 404);
}

#[test]
fn behavior_3_checks_and_lists_count_what_the_teams_above_have() {
    let world = world();
    let below = "/orgs/acme/teams/below/repos";
    let vault = "/orgs/acme/teams/below/repos/acme/vault";
    world.eve().get(vault).expect(404);
    grant(&world, "core", "vault", "push");
    world.eve().get(vault).expect(204);
    assert_eq!(levels(&world.eve(), below), pairs([("Vault", "write")]));
    grant(&world, "below", "vault", "pull");
    assert_eq!(levels(&world.eve(), below), pairs([("Vault", "write")]), "the higher of own and inherited");
    grant(&world, "below", "vault", "admin");
    assert_eq!(levels(&world.eve(), below), pairs([("Vault", "admin")]));
    assert_eq!(levels(&world.tom(), REPOS), pairs([("Vault", "write")]), "nothing rises to the parent");
}

#[test]
fn behavior_2_a_check_answers_204_or_the_record_with_what_the_team_may_do() {
    let world = world();
    world.tom().get("/orgs/acme/teams/core/repos/acme/engine").refused(404, "Not Found");
    grant(&world, "core", "vault", "triage");
    let plain = world.tom().get(VAULT);
    plain.expect(204);
    assert_eq!((plain.text.as_str(), plain.header("etag")), ("", None));
    for accept in
        [RECORD, "Application/VND.GitHub.v3.Repository+JSON", "text/html, application/vnd.github.v3.repository+json"]
    {
        let record = world.tom().with("Accept", accept).get(VAULT).expect(200).clone();
        assert_eq!((&record["full_name"], &record["role_name"]), (&json!("acme/Vault"), &json!("triage")), "{accept}");
        assert_eq!(record["permissions"]["push"], false);
    }
    assert_eq!(
        world.olivia().with("Accept", RECORD).get(VAULT).expect(200)["role_name"],
        "triage",
        "not the owner's own"
    );
    world.tom().with("Accept", RECORD).get("/orgs/acme/teams/core/repos/acme/engine").refused(404, "Not Found");
}

#[test]
fn behavior_1_a_grant_without_parameters_says_content_length_0() {
    let world = world();
    world.olivia().put_empty(VAULT).expect(204);
    world.tom().get(VAULT).expect(204);
}

#[test]
fn operation_put_repo_is_for_those_who_administer_it_and_see_the_team() {
    let world = world();
    grant(&world, "core", "vault", "push");
    let put = |client: &Client| client.put(VAULT, json!({ "permission": "push" })).status;
    assert_eq!(statuses(&world, put), [204, 403, 403, 404, 404, 404, 401]);
    world.execute(
        "INSERT INTO repo_collaborators (repo_id, user_id, level)
         SELECT r.id, u.id, 5 FROM repos r JOIN users u ON u.login IN ('ray', 'nina') WHERE r.name_key = 'vault'",
    );
    world.ray().put(VAULT, json!({ "permission": "admin" })).expect(204);
    world.nina().put(VAULT, json!({})).refused(404, "Not Found");
    world.tom().put(VAULT, json!({ "permission": "pull" })).expect(204);
    world.tom().put(VAULT, json!({ "permission": "admin" })).expect(403);
}

#[test]
fn decision_31_no_grant_by_a_token_that_only_reads() {
    let world = world();
    let reading = world.limited("olivia", &["read:org", "user"]);
    reading.put(VAULT, json!({})).refused(404, "Not Found");
    world.limited("olivia", &["repo"]).put(VAULT, json!({})).expect(204);
    reading.delete(VAULT).refused(404, "Not Found");
    world.limited("olivia", &["repo"]).delete(VAULT).expect(204);
}

#[test]
fn decision_15_a_grant_without_a_level_has_the_teams_permission_also_where_it_had_another() {
    let world = world();
    grant(&world, "core", "vault", "admin");
    world.olivia().put(VAULT, json!({})).expect(204);
    assert_eq!(levels(&world.tom(), REPOS), pairs([("Vault", "read")]));
    world.olivia().patch("/orgs/acme/teams/core", json!({ "name": "Core", "permission": "push" })).expect(200);
    assert_eq!(levels(&world.tom(), REPOS), pairs([("Vault", "read")]), "what was granted stays");
    world.olivia().put(VAULT, json!({ "permission": null })).expect(204);
    assert_eq!(levels(&world.tom(), REPOS), pairs([("Vault", "write")]));
    assert_eq!(given::core(&world)["permission"], "push", "grants do not change it");
}

fn not_owned(answer: &Answer) {
    given::violates(answer, json!({ "resource": "TeamMember", "code": "not_owned", "field": "repository" }));
}

#[test]
fn errors_1_only_repositories_of_the_organization_and_direct_forks_of_them_are_granted() {
    let world = world();
    world.organization("globex", "olivia", &[]);
    world.execute(
        "INSERT INTO repos (org_id, name, name_key, created_at, updated_at)
         SELECT id, 'foreign', 'foreign', 0, 0 FROM orgs WHERE login = 'globex'",
    );
    let written = given::written(&world);
    not_owned(&world.olivia().put(&format!("{REPOS}/globex/foreign"), json!({})));
    assert_eq!(given::written(&world), written);
    let fork = fork(&world, "olivia");
    world.execute("UPDATE repos SET fork_of = NULL WHERE user_id IS NOT NULL");
    not_owned(&world.olivia().put(&format!("{REPOS}/{fork}"), json!({ "permission": "push" })));
}

#[test]
fn errors_1_a_fork_of_a_fork_or_of_what_is_foreign_is_no_direct_fork() {
    let world = world();
    let first = fork(&world, "max");
    let second = world.tom().post(&format!("/repos/{first}/forks"), json!({})).expect(202)["full_name"].clone();
    world.organization("globex", "olivia", &[]);
    world.olivia().post("/orgs/globex/repos", json!({ "name": "foreign" })).expect(201);
    let third = world.olivia().post("/repos/globex/foreign/forks", json!({})).expect(202)["full_name"].clone();
    for (login, name) in [("tom", second), ("olivia", third)] {
        let name = name.as_str().expect("a name");
        not_owned(&world.client(login).put(&format!("{REPOS}/{name}"), json!({ "permission": "pull" })));
    }
    world.max().put(&format!("{REPOS}/{first}"), json!({ "permission": "pull" })).expect(204);
}

#[test]
fn decision_30_maintain_and_triage_are_for_repositories_of_organizations() {
    let world = world();
    let fork = format!("{REPOS}/{}", fork(&world, "olivia"));
    for permission in ["maintain", "triage"] {
        world.olivia().put(&fork, json!({ "permission": permission })).refused(422, "Validation Failed");
        grant(&world, "core", "vault", permission);
    }
    world.olivia().put(&fork, json!({ "permission": "push" })).expect(204);
}

#[test]
fn errors_19_a_level_that_is_none_of_the_five_is_refused_without_errors() {
    let world = world();
    for permission in ["write", "read", "Admin", "", "none"] {
        let body =
            world.olivia().put(VAULT, json!({ "permission": permission })).refused(422, "Validation Failed").clone();
        assert_eq!(given::keys(&body), ["message", "documentation_url"], "{permission}");
    }
    let wrong = world.olivia().put(VAULT, json!({ "permission": 5 }));
    wrong.refused(422, "Invalid request.\n\nFor 'properties/permission', 5 is not a string.");
    assert_eq!(levels(&world.olivia(), REPOS), []);
}

#[test]
fn decision_7_unknown_members_of_a_grant_are_refused() {
    let world = world();
    let refused = world.olivia().put(VAULT, json!({ "permission": "push", "level": 1 }));
    refused.refused(422, "Invalid request.\n\n\"level\" is not a permitted key.");
    let sent_along = json!({ "team_id": 1, "org": "x", "owner": "x", "repo": "x", "team_slug": "x", "org_id": 1 });
    world.olivia().put(VAULT, sent_along).expect(204);
    world.tom().get(VAULT).expect(204);
}

#[test]
fn errors_2_a_repository_that_is_unknown_or_not_granted_is_404() {
    let world = world();
    world.olivia().get(VAULT).refused(404, "Not Found");
    for unknown in ["acme/nothing", "nobody/vault", "acme/..", "acme/%20"] {
        world.olivia().get(&format!("{REPOS}/{unknown}")).refused(404, "Not Found");
        world.olivia().put(&format!("{REPOS}/{unknown}"), json!({})).refused(404, "Not Found");
        world.olivia().delete(&format!("{REPOS}/{unknown}")).refused(404, "Not Found");
    }
}

#[test]
fn operation_remove_repo_is_for_owners_maintainers_and_those_who_administer_it() {
    let world = world();
    let remove = |client: &Client| {
        grant(&world, "core", "vault", "pull");
        client.delete(VAULT).status
    };
    assert_eq!(statuses(&world, remove), [204, 204, 403, 404, 404, 404, 401]);
    grant(&world, "core", "vault", "admin");
    world.tom().delete(VAULT).expect(204);
    world.tom().get(VAULT).expect(404);
}

#[test]
fn decision_31_removing_what_is_inherited_or_not_there_does_nothing() {
    let world = world();
    grant(&world, "core", "vault", "push");
    let written = given::written(&world);
    world.olivia().delete("/orgs/acme/teams/below/repos/acme/vault").expect(204);
    world.olivia().delete("/orgs/acme/teams/core/repos/acme/engine").expect(204);
    assert_eq!(given::written(&world), written);
    world.eve().get("/orgs/acme/teams/below/repos/acme/vault").expect(204);
    world.max().delete("/orgs/acme/teams/core/repos/acme/engine").expect(204);
    world.max().delete(VAULT).expect(204);
    world.max().delete(VAULT).refused(404, "Not Found");
}

#[test]
fn decision_16_repos_count_counts_direct_grants() {
    let world = world();
    let count = |slug: &str| world.olivia().get(&format!("/orgs/acme/teams/{slug}")).expect(200)["repos_count"].clone();
    grant(&world, "core", "vault", "push");
    grant(&world, "core", "vault", "admin");
    grant(&world, "core", "engine", "pull");
    assert_eq!((count("core"), count("below")), (json!(2), json!(0)));
    world.olivia().delete(VAULT).expect(204);
    assert_eq!(count("core"), 1);
    given::team(&world, json!({ "name": "Fresh", "repo_names": ["vault", "acme/engine", "VAULT"] }));
    assert_eq!(count("fresh"), 2);
}

#[test]
fn decision_45_the_event_of_a_grant_tells_the_team_and_the_repository_as_they_were() {
    let world = world();
    given::listener(&world);
    grant(&world, "core", "vault", "push");
    grant(&world, "core", "vault", "push");
    grant(&world, "core", "vault", "admin");
    world.olivia().delete(VAULT).expect(204);
    let told: Vec<(String, String)> =
        world.rows("SELECT event, facts FROM journal_facts WHERE facts LIKE '%acme/Vault%' ORDER BY org_id, entry");
    let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["team.added_to_repository", "team.edited", "team.removed_from_repository"]);
    let edited: Value = serde_json::from_str(&told[1].1).expect("facts");
    assert_eq!((&edited["before"], &edited["level"], &edited["team"]["slug"]), (&json!(3), &json!(5), &json!("core")));
    let audited: Vec<(String,)> =
        world.rows("SELECT action FROM journal WHERE action LIKE 'team.%repository%' ORDER BY entry");
    let audited: Vec<&str> = audited.iter().map(|(action,)| action.as_str()).collect();
    assert_eq!(audited, ["team.add_repository", "team.update_repository_permission", "team.remove_repository"]);
}

#[test]
fn decision_33_a_former_name_leads_reads_on_and_nothing_else() {
    let world = world();
    grant(&world, "core", "vault", "push");
    world.execute(
        "INSERT INTO old_repo_names (org_id, name_key, repo_id)
         SELECT org_id, 'safe', id FROM repos WHERE name_key = 'vault'",
    );
    let core = given::core(&world);
    for form in given::forms(&core) {
        let old = format!("{form}/repos/acme/safe");
        let led = world.tom().get(&old);
        led.expect(302);
        let to =
            format!("{}/organizations/{}/team/{}/repos/acme/Vault", world.base, core["organization"]["id"], core["id"]);
        assert_eq!(led.header("location"), Some(to.as_str()));
        world.olivia().put(&old, json!({})).refused(404, "Not Found");
        world.olivia().delete(&old).refused(404, "Not Found");
        world.ray().get(&old).refused(404, "Not Found");
    }
    world.tom().get(VAULT).expect(204);
}
