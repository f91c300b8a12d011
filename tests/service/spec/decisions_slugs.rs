//! Slugs: how they come about, what a rename leaves behind, and who may take that (decisions 9 and 10).

use crate::spec::given;
use crate::support::{Client, World, json, raw};

const TEAMS: &str = "/orgs/acme/teams";
const CORE: &str = "/orgs/acme/teams/core";

/// Max renames `core` to `kernel`.
fn renamed() -> World {
    let world = World::new();
    let team = world.max().patch(CORE, json!({ "name": "Kernel" })).expect(200).clone();
    assert_eq!(team["slug"], "kernel");
    world
}

fn create(client: &Client, name: &str) -> crate::support::Answer {
    client.post(TEAMS, json!({ "name": name }))
}

#[test]
fn decision_9_the_slug_comes_from_the_name() {
    let world = World::new();
    for (name, slug) in [
        ("My TEam Näme", "my-team-name"),
        ("developers.redhat.com - Push", "developers-redhat-com-push"),
        ("cn.jenkins.io", "cn-jenkins-io"),
        ("fork_this admin", "fork_this-admin"),
        ("quarkiverse-hibernate_types", "quarkiverse-hibernate_types"),
        ("Monkeys & Bananas", "monkeys-bananas"),
        ("--A--  --B--", "a-b"),
        ("Straße Łódź Ærø", "strasse-lodz-aero"),
        ("a/b\\c:d", "a-b-c-d"),
        ("42", "42"),
    ] {
        assert_eq!(given::team(&world, json!({ "name": name }))["slug"], slug, "{name}");
        world.olivia().get(&format!("{TEAMS}/{slug}")).expect(200);
    }
}

#[test]
fn decision_9_a_name_of_which_nothing_is_left_gets_team_and_the_id() {
    let world = World::new();
    for name in ["核心", "🦀", "???"] {
        let team = given::team(&world, json!({ "name": name }));
        assert_eq!(team["slug"], format!("team-{}", team["id"]), "{name}");
        world.olivia().get(&format!("{TEAMS}/team-{}", team["id"])).expect(200);
    }
}

#[test]
fn decision_9_a_taken_slug_is_refused_without_a_number_appended() {
    let world = World::new();
    for name in ["Core", "CORE", "core!", "-Core-", "Cöre"] {
        given::refuses_team(&create(&world.tom(), name), given::NAME_TAKEN);
    }
    given::closed(&world, "Other");
    given::refuses_team(&world.max().patch(CORE, json!({ "name": "other." })), given::NAME_TAKEN);
    assert_eq!(given::each(&world.olivia(), TEAMS, "name"), ["Core", "Other"]);
}

#[test]
fn decision_9_slugs_are_unique_in_an_organization_only() {
    let world = World::new();
    world.organization("beta", "olivia", &[]);
    let other = world.olivia().post("/orgs/beta/teams", json!({ "name": "Core" }));
    assert_eq!(other.expect(201)["slug"], "core");
}

#[test]
fn decision_9_the_slug_of_a_secret_team_is_taken_too() {
    let world = World::new();
    given::secret(&world, "Hidden");
    given::refuses_team(&create(&world.eve(), "Hidden"), given::NAME_TAKEN);
}

#[test]
fn decision_9_a_team_may_change_its_name_and_keep_its_slug() {
    let world = World::new();
    let team = world.max().patch(CORE, json!({ "name": "CORE!" })).expect(200).clone();
    assert_eq!((&team["name"], &team["slug"]), (&json!("CORE!"), &json!("core")));
    world.max().get(CORE).expect(200);
}

#[test]
fn decision_10_a_rename_leads_reads_on() {
    let world = renamed();
    let team = world.tom().get("/orgs/acme/teams/kernel").expect(200).clone();
    for below in ["", "/members?role=member&per_page=1", "/memberships/max", "/teams?x=%20y"] {
        let answer = world.tom().get(&format!("{CORE}{below}"));
        answer.expect(302);
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let target = format!("{}{below}", team["url"].as_str().expect("an address"));
        assert_eq!(answer.header("location"), Some(target.as_str()));
        world.tom().get(&target).expect(200);
        let head = world.tom().head(&format!("{CORE}{below}"));
        assert_eq!((head.status, head.header("location")), (302, Some(target.as_str())));
    }
}

#[test]
fn decision_10_a_rename_leads_on_below_both_bases_and_by_the_organizations_id() {
    let world = renamed();
    let id = world.tom().get("/orgs/acme/teams/kernel").json["id"].clone();
    let org = given::org_id(&world);
    for base in ["", "/api/v3"] {
        let client = world.tom().under(base);
        for path in [CORE.to_owned(), format!("/organizations/{org}/teams/core")] {
            let target = format!("{}/organizations/{org}/team/{id}", client.base);
            assert_eq!(client.get(&path).header("location"), Some(target.as_str()));
        }
    }
}

#[test]
fn decision_10_what_stands_behind_the_old_slug_is_repeated_in_ascii() {
    let world = renamed();
    let (host, token) = (world.base.trim_start_matches("http://"), world.tom().token.expect("a token"));
    let ask = format!(
        "GET {CORE}/members?role=all&of=\u{e9} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: x\r\nConnection: close\r\n\
         Authorization: token {token}\r\n\r\n"
    );
    let answer = raw::send(host, ask.as_bytes());
    assert_eq!(raw::status(&answer), 302, "{answer}");
    assert!(answer.contains("/members?role=all&of=%C3%A9\r\n"), "{answer}");
}

#[test]
fn decision_10_who_does_not_see_the_team_is_not_led_on() {
    let world = renamed();
    world.nina().get(CORE).refused(404, "Not Found");
    world.anonymous().get(CORE).refused(404, "Not Found");
    world.max().patch("/orgs/acme/teams/kernel", json!({ "name": "Kernel", "privacy": "secret" })).expect(200);
    world.eve().get(CORE).refused(404, "Not Found");
    world.tom().get(CORE).expect(302);
}

#[test]
fn decision_10_any_other_verb_finds_nothing_by_the_old_slug() {
    let world = renamed();
    let olivia = world.olivia();
    olivia.patch(CORE, json!({ "name": "Other" })).refused(404, "Not Found");
    olivia.post(CORE, json!({ "name": "Other" })).refused(404, "Not Found");
    olivia.put("/orgs/acme/teams/core/memberships/eve", json!({})).refused(404, "Not Found");
    olivia.delete("/orgs/acme/teams/core/memberships/tom").refused(404, "Not Found");
    olivia.delete(CORE).refused(404, "Not Found");
    let team = olivia.get("/orgs/acme/teams/kernel");
    assert_eq!((&team.expect(200)["name"], &team.json["members_count"]), (&json!("Kernel"), &json!(2)));
}

#[test]
fn decision_10_every_former_slug_leads_to_the_team() {
    let world = renamed();
    world.max().patch("/orgs/acme/teams/kernel", json!({ "name": "Third" })).expect(200);
    let location = |slug: &str| world.tom().get(&format!("{TEAMS}/{slug}")).header("location").map(str::to_owned);
    assert!(location("core").is_some());
    assert_eq!(location("core"), location("kernel"));
}

#[test]
fn decision_10_a_team_may_take_its_old_slug_back() {
    let world = renamed();
    let back = world.max().patch("/orgs/acme/teams/kernel", json!({ "name": "Core" }));
    assert_eq!(back.expect(200)["slug"], "core");
    world.tom().get(CORE).expect(200);
    world.tom().get("/orgs/acme/teams/kernel").expect(302);
}

#[test]
fn decision_10_for_90_days_only_an_owner_or_a_maintainer_gives_the_old_slug_away() {
    let world = renamed();
    for login in ["tom", "eve"] {
        given::refuses_team_somehow(&create(&world.client(login), "Core"));
    }
    let eves = world.eve().post(TEAMS, json!({ "name": "Mine" })).expect(201).clone();
    let rename = world.eve().patch(&format!("/teams/{}", eves["id"]), json!({ "name": "Core" }));
    given::refuses_team_somehow(&rename);
    world.advance(89 * 86_400);
    given::refuses_team_somehow(&create(&world.eve(), "Core"));
    create(&world.max(), "Core").expect(201);
}

#[test]
fn decision_10_an_owner_takes_the_old_slug_at_once_and_the_redirect_ends() {
    let world = renamed();
    let taken = create(&world.olivia(), "Core").expect(201).clone();
    assert_eq!(taken["slug"], "core");
    assert_eq!(world.olivia().get(CORE).expect(200)["id"], taken["id"]);
    world.tom().get(CORE).refused(404, "Not Found");
    world.olivia().delete(CORE).expect(204);
    world.tom().get(CORE).refused(404, "Not Found");
}

#[test]
fn decision_10_a_taken_slug_leads_to_the_team_that_left_it_last() {
    let world = renamed();
    let taken = create(&world.olivia(), "Core").expect(201).clone();
    let path = format!("/teams/{}", taken["id"]);
    world.olivia().patch(&path, json!({ "name": "Elsewhere", "privacy": "closed" })).expect(200);
    assert_eq!(world.tom().get(CORE).header("location"), taken["url"].as_str());
}

#[test]
fn decision_10_after_90_days_the_redirect_ends_and_anybody_may_take_the_slug() {
    let world = renamed();
    world.advance(90 * 86_400 + 1);
    world.tom().get(CORE).refused(404, "Not Found");
    assert_eq!(create(&world.eve(), "Core").expect(201)["slug"], "core");
}

#[test]
fn decision_10_the_slug_of_a_deleted_team_is_free() {
    let world = renamed();
    world.max().delete("/orgs/acme/teams/kernel").expect(204);
    for slug in ["core", "kernel"] {
        world.olivia().get(&format!("{TEAMS}/{slug}")).refused(404, "Not Found");
        assert_eq!(create(&world.eve(), slug).expect(201)["slug"], slug);
    }
}
