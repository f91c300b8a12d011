//! The people and the teams of a repository (sections 4 and 8; decisions 21, 30, 31 and 33).

use crate::spec::given;
use crate::support::{Answer, Client, Value, World, json};

const PEOPLE: &str = "/repos/acme/vault/collaborators";

/// `acme` with a private repository `vault`, which members read only if they are given it; `below` is a child team of
/// `core` with Eve in it.
fn world() -> World {
    let world = World::new();
    given::listener(&world);
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "vault", "private": true })).expect(201);
    default(&world, "none");
    given::child(&world, &given::core(&world), "Below");
    given::put(&world, "below", "eve", "member");
    world
}

fn default(world: &World, permission: &str) {
    world.olivia().patch("/orgs/acme", json!({ "default_repository_permission": permission })).expect(200);
}

fn grant(world: &World, team: &str, permission: &str) {
    let path = format!("/orgs/acme/teams/{team}/repos/acme/vault");
    world.olivia().put(&path, json!({ "permission": permission })).expect(204);
}

fn give(world: &World, login: &str, permission: &str) {
    world.olivia().put(&format!("{PEOPLE}/{login}"), json!({ "permission": permission })).expect(204);
}

/// The level of a person on `vault`, in old words and new.
fn level(world: &World, login: &str) -> [Value; 2] {
    let answer = world.olivia().get(&format!("{PEOPLE}/{login}/permission"));
    ["permission", "role_name"].map(|key| answer.expect(200)[key].clone())
}

fn people(client: &Client, query: &str) -> Vec<(Value, Value)> {
    let answer = client.get(&format!("{PEOPLE}{query}"));
    answer.expect(200);
    answer.each("login").into_iter().zip(answer.each("role_name")).collect()
}

fn pairs<const N: usize>(of: [(&str, &str); N]) -> Vec<(Value, Value)> {
    of.map(|(login, role)| (json!(login), json!(role))).to_vec()
}

/// The status for each caller: owner, maintainer, member, other member, outsider, site administrator and anonymous.
fn statuses(world: &World, call: impl Fn(&Client) -> u16) -> [u16; 7] {
    let [olivia, max, tom, ray, nina, sam] =
        ["olivia", "max", "tom", "ray", "nina", "sam"].map(|login| call(&world.client(login)));
    [olivia, max, tom, ray, nina, sam, call(&world.anonymous())]
}

fn told(world: &World) -> Vec<(String, String)> {
    let events: Vec<(String,)> =
        world.rows("SELECT event FROM journal_facts WHERE event LIKE 'member.%' ORDER BY org_id, entry");
    let actions: Vec<(String,)> =
        world.rows("SELECT action FROM journal WHERE action LIKE 'repo.%_member' ORDER BY org_id DESC, entry");
    assert_eq!(events.len(), actions.len());
    events.into_iter().zip(actions).map(|((event,), (action,))| (event, action)).collect()
}

#[test]
fn record_a_collaborator_and_a_permission_say_all_of_this() {
    let world = world();
    give(&world, "nina", "triage");
    let mut nina = world.olivia().get("/orgs/acme/outside_collaborators").expect(200)[0].clone();
    nina["permissions"] = json!({ "admin": false, "maintain": false, "push": false, "triage": true, "pull": true });
    nina["role_name"] = json!("triage");
    let listed = world.olivia().get(&format!("{PEOPLE}?affiliation=direct")).expect(200).clone();
    assert_eq!(listed, json!([nina]));
    let permission = world.olivia().get(&format!("{PEOPLE}/NINA/permission")).expect(200).clone();
    assert_eq!(permission, json!({ "permission": "read", "role_name": "triage", "user": nina }));
}

#[test]
fn operation_list_collaborators_by_affiliation_and_level() {
    let world = world();
    grant(&world, "core", "triage");
    give(&world, "nina", "push");
    give(&world, "tom", "pull");
    give(&world, "eve", "maintain");
    let olivia = world.olivia();
    assert_eq!(people(&olivia, "?affiliation=outside"), pairs([("nina", "write")]));
    let direct = pairs([("tom", "triage"), ("eve", "maintain"), ("nina", "write")]);
    assert_eq!(people(&olivia, "?affiliation=direct"), direct);
    let all = [("olivia", "admin"), ("max", "triage"), ("tom", "triage"), ("eve", "maintain"), ("nina", "write")];
    assert_eq!(people(&olivia, ""), pairs(all));
    assert_eq!(people(&olivia, "?affiliation=everybody&permission=everything"), pairs(all));
    assert_eq!(people(&olivia, "?permission=triage"), pairs([("max", "triage"), ("tom", "triage")]));
    assert_eq!(people(&olivia, "?affiliation=direct&permission=triage"), pairs([("tom", "triage")]));
    assert_eq!(people(&olivia, "?permission=pull"), []);
    let page = olivia.get(&format!("{PEOPLE}?permission=triage&per_page=1&page=2"));
    assert_eq!((page.each("login"), page.link("next")), (vec![json!("tom")], None));
    assert!(page.link("prev").is_some_and(|link| link.contains("/collaborators?permission=triage&per_page=1&page=1")));
    default(&world, "write");
    assert_eq!(people(&olivia, "?permission=push").len(), 4);
    world.execute(
        "UPDATE org_members SET role = 'billing_manager' WHERE user_id = (SELECT id FROM users WHERE login = 'ray')",
    );
    assert_eq!(people(&olivia, "?permission=push").len(), 3);
    give(&world, "ray", "pull");
    assert_eq!(people(&olivia, "?affiliation=outside"), pairs([("ray", "read"), ("nina", "write")]));
}

#[test]
fn operation_list_collaborators_leaves_out_who_reads_what_everybody_reads() {
    let world = world();
    world.olivia().patch("/repos/acme/vault", json!({ "private": false })).expect(200);
    assert_eq!(people(&world.olivia(), ""), pairs([("olivia", "admin")]));
    assert_eq!(level(&world, "nina"), ["read", "read"]);
    for (login, status) in [("olivia", 204), ("nina", 404), ("tom", 404), ("nobody", 404), ("acme", 404)] {
        assert_eq!(world.olivia().get(&format!("{PEOPLE}/{login}")).status, status, "{login}");
    }
    default(&world, "read");
    world.olivia().get(&format!("{PEOPLE}/tom")).expect(204);
}

#[test]
fn operation_collaborators_are_seen_by_who_writes_and_managed_by_who_administers() {
    let world = world();
    grant(&world, "core", "pull");
    let olivia = format!("{PEOPLE}/olivia");
    for (path, seen) in [(PEOPLE, 200), (&olivia, 204), (&format!("{olivia}/permission"), 200)] {
        let get = |client: &Client| client.get(path).status;
        assert_eq!(statuses(&world, get), [seen, 403, 403, 404, 404, 404, 404], "{path}");
    }
    world.tom().get(PEOPLE).refused(403, "Must have push access to view repository collaborators.");
    let permission = format!("{PEOPLE}/tom/permission");
    world.tom().get(&permission).refused(403, "Must have push access to view collaborator permission.");
    give(&world, "max", "push");
    world.max().get(PEOPLE).expect(200);
    let put = |client: &Client| client.put(&format!("{PEOPLE}/eve"), json!({})).status;
    assert_eq!(statuses(&world, put), [204, 403, 403, 404, 404, 404, 401]);
    let delete = |client: &Client| client.delete(&format!("{PEOPLE}/eve")).status;
    assert_eq!(statuses(&world, delete), [204, 403, 403, 404, 404, 404, 401]);
    give(&world, "nina", "admin");
    world.nina().put(&format!("{PEOPLE}/eve"), json!({})).expect(204);
    let elsewhere = world.limited("olivia", &["admin:org", "user", "public_repo"]);
    elsewhere.get(PEOPLE).expect(403);
    elsewhere.get(&permission).expect(404);
}

#[test]
fn operation_remove_collaborator_also_ends_what_one_was_given_oneself() {
    let world = world();
    grant(&world, "below", "pull");
    give(&world, "nina", "pull");
    give(&world, "eve", "push");
    world.nina().delete(&format!("{PEOPLE}/eve")).expect(403);
    world.nina().delete(&format!("{PEOPLE}/Nina")).expect(204);
    world.nina().get("/repos/acme/vault").expect(404);
    world.nina().delete(&format!("{PEOPLE}/nina")).expect(404);
    for _ in 0..2 {
        world.eve().delete(&format!("{PEOPLE}/eve")).expect(204);
        assert_eq!(level(&world, "eve"), ["read", "read"]);
    }
}

#[test]
fn operation_add_collaborator_gives_a_level_at_once_and_changes_it() {
    let world = world();
    assert_eq!(level(&world, "nina"), ["none", "none"]);
    let nina = format!("{PEOPLE}/nina");
    for (body, expected) in [
        (json!({ "permission": "pull" }), ["read", "read"]),
        (json!({ "permission": "triage" }), ["read", "triage"]),
        (json!({}), ["write", "write"]),
        (json!({ "permission": null }), ["write", "write"]),
        (json!({ "permission": "maintain" }), ["write", "maintain"]),
        (json!({ "permission": "admin" }), ["admin", "admin"]),
    ] {
        world.olivia().put(&nina, body).expect(204);
        assert_eq!(level(&world, "nina"), expected);
    }
    world.olivia().put_empty(&nina).expect(204);
    assert_eq!(world.nina().get("/repos/acme/vault").expect(200)["role_name"], "write");
    let before = given::written(&world);
    world.olivia().put_empty(&nina).expect(204);
    assert_eq!(given::written(&world), before);
    world.olivia().delete(&nina).expect(204);
    let pair = |what: &str, action: &str| (format!("member.{what}"), format!("repo.{action}_member"));
    let mut expected = vec![pair("added", "add")];
    expected.resize(6, pair("edited", "update"));
    expected.push(pair("removed", "remove"));
    assert_eq!(told(&world), expected);
    let facts: String = given::value(&world, "SELECT facts FROM journal_facts WHERE event = 'member.added'");
    for fact in ["\"login\":\"nina\"", "\"full_name\":\"acme/vault\"", "\"level\":1"] {
        assert!(facts.contains(fact), "{facts}");
    }
}

#[test]
fn decision_30_a_level_that_is_none_or_not_for_this_repository_is_refused() {
    let world = world();
    world.nina().post("/user/repos", json!({ "name": "notes", "private": true })).expect(201);
    let before = given::written(&world);
    let refused = world.olivia().put(&format!("{PEOPLE}/nina"), json!({ "permission": "write" }));
    assert!(refused.refused(422, "Validation Failed").get("errors").is_none());
    world.olivia().put(&format!("{PEOPLE}/nina"), json!({ "permission": 1 })).expect(422);
    let invalid = |answer: &Answer, field: &str, code: &str| {
        let item = &answer.refused(422, "Validation Failed")["errors"][0];
        assert_eq!((&item["field"], &item["code"]), (&json!(field), &json!(code)), "{item}");
        assert_eq!(item["resource"], "RepositoryCollaborator");
    };
    for permission in ["triage", "maintain"] {
        let body = json!({ "permission": permission });
        invalid(&world.nina().put("/repos/nina/notes/collaborators/eve", body), "permission", "invalid");
    }
    invalid(&world.nina().put("/repos/nina/notes/collaborators/nina", json!({})), "user", "custom");
    for login in ["nobody", "acme"] {
        world.olivia().put(&format!("{PEOPLE}/{login}"), json!({})).expect(404);
    }
    assert_eq!(given::written(&world), before);
}

#[test]
fn decision_21_somebody_suspended_cannot_be_added_to_a_repository() {
    let world = world();
    give(&world, "eve", "pull");
    for login in ["nina", "eve"] {
        world.sam().put(&format!("/users/{login}/suspended"), json!({})).expect(204);
    }
    let before = given::written(&world);
    for login in ["nina", "eve"] {
        world.olivia().put(&format!("{PEOPLE}/{login}"), json!({})).refused(422, "Validation Failed");
    }
    world.olivia().put(&format!("{PEOPLE}/eve"), json!({ "permission": "pull" })).expect(204);
    assert_eq!(given::written(&world), before);
    world.olivia().delete(&format!("{PEOPLE}/eve")).expect(204);
}

#[test]
fn decision_30_a_person_shares_a_repository_of_their_own() {
    let world = world();
    world.nina().post("/user/repos", json!({ "name": "notes", "private": true })).expect(201);
    let people = "/repos/nina/notes/collaborators";
    world.nina().put(&format!("{people}/eve"), json!({ "permission": "admin" })).expect(204);
    world.eve().put(&format!("{people}/tom"), json!({ "permission": "pull" })).expect(204);
    assert_eq!(given::each(&world.eve(), people, "login"), ["tom", "eve", "nina"]);
    assert_eq!(given::each(&world.eve(), &format!("{people}?affiliation=direct"), "login"), ["tom", "eve"]);
    assert_eq!(given::each(&world.eve(), &format!("{people}?affiliation=outside"), "login"), ["tom", "eve"]);
    world.eve().get(&format!("{people}/nina")).expect(204);
    assert_eq!(world.tom().get("/repos/nina/notes").expect(200)["role_name"], "read");
    world.tom().get(&format!("{people}/tom")).expect(403);
    // No hook is sent what concerns a user's own repository; the audit has it.
    let told: i64 = given::value(&world, "SELECT count(*) FROM journal_facts WHERE event LIKE 'member.%'");
    let entries: i64 = given::value(&world, "SELECT count(*) FROM journal WHERE action = 'repo.add_member'");
    assert_eq!((told, entries), (0, 2));
}

#[test]
fn decision_33_a_former_name_leads_to_the_collaborators_too() {
    let world = world();
    world.olivia().patch("/repos/acme/vault", json!({ "name": "safe" })).expect(200);
    let led = world.olivia().get(&format!("{PEOPLE}/olivia"));
    assert_eq!(led.status, 302);
    assert!(led.header("location").is_some_and(|to| to.ends_with("/collaborators/olivia")), "{:?}", led.headers);
    world.olivia().put(&format!("{PEOPLE}/nina"), json!({})).expect(404);
}

#[test]
fn record_a_team_of_a_repository_says_what_it_may_do_there() {
    let world = world();
    grant(&world, "core", "maintain");
    let mut core = world.olivia().get("/orgs/acme/teams").expect(200)[1].clone();
    assert_eq!(core["slug"], "core");
    core["permission"] = json!("maintain");
    core["permissions"] = json!({ "admin": false, "maintain": true, "push": true, "triage": true, "pull": true });
    core["role_name"] = json!("maintain");
    let teams = world.olivia().get("/repos/acme/vault/teams").expect(200).clone();
    assert_eq!(teams[0], core);
    assert_eq!(given::keys(&teams[0]), given::keys(&core));
    assert_eq!((&teams[1]["slug"], &teams[1]["parent"]["slug"]), (&json!("below"), &json!("core")));
}

#[test]
fn operation_list_teams_of_a_repository_shows_those_that_the_caller_sees() {
    let world = world();
    given::secret(&world, "Hidden");
    given::put(&world, "hidden", "tom", "member");
    let teams = |client: &Client| {
        let answer = client.get("/repos/acme/vault/teams");
        answer.expect(200);
        let found: Vec<_> = answer.each("slug").into_iter().zip(answer.each("permission")).collect();
        let first = client.get("/repos/acme/vault/teams?per_page=1");
        let pages = first
            .link("last")
            .map_or(1, |link| link.split("&page=").nth(1).map_or(0, |n| n.parse().expect("a number")));
        assert_eq!(found.len(), if found.is_empty() { 0 } else { pages }, "{:?}", first.link("last"));
        found
    };
    assert_eq!(teams(&world.olivia()), []);
    grant(&world, "core", "push");
    grant(&world, "below", "pull");
    grant(&world, "hidden", "admin");
    give(&world, "nina", "pull");
    let closed = [("core", "push"), ("below", "push")];
    let all = [closed[0], closed[1], ("hidden", "admin")];
    assert_eq!(teams(&world.olivia()), pairs(all));
    assert_eq!(teams(&world.tom()), pairs(all));
    assert_eq!(teams(&world.eve()), pairs(closed));
    assert_eq!(teams(&world.nina()), []);
    grant(&world, "below", "maintain");
    assert_eq!(teams(&world.eve()), pairs([("core", "push"), ("below", "maintain")]));
    let list = |client: &Client| client.get("/repos/acme/vault/teams").status;
    assert_eq!(statuses(&world, list), [200, 200, 200, 404, 200, 404, 404]);
    world.olivia().patch("/repos/acme/vault", json!({ "private": false })).expect(200);
    assert_eq!(teams(&world.ray()), pairs([("core", "push"), ("below", "maintain")]));
    assert_eq!(statuses(&world, list), [200, 200, 200, 200, 200, 200, 401]);
}
