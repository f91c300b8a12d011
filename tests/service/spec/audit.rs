//! Reading the audit log (decision 47): who may, what an entry says, searches, cursors.

use std::collections::BTreeSet;

use crate::spec::given;
use crate::support::{Client, Value, World, json};

const LOG: &str = "/orgs/acme/audit-log";

/// The entries of a search, newest first.
fn found(client: &Client, phrase: &str) -> Vec<Value> {
    let path = format!(
        "{LOG}?per_page=100&phrase={}",
        phrase.replace(' ', "+").replace('>', "%3E").replace('<', "%3C").replace('"', "%22")
    );
    client.get(&path).expect(200).as_array().expect("a list").clone()
}

/// The members of each entry with these names.
fn each(entries: &[Value], name: &str) -> Vec<String> {
    entries.iter().map(|entry| entry[name].as_str().unwrap_or("-").to_owned()).collect()
}

#[test]
fn decision_47_one_request_says_who_put_max_on_core_and_with_which_token() {
    let world = World::new();
    let made = world.sam().post("/admin/users/olivia/authorizations", json!({ "scopes": ["admin:org"] }));
    let made = made.expect(201).clone();
    let sam = Client::new(&world.base, made["token"].as_str());
    sam.delete("/orgs/acme/teams/core/memberships/max").expect(204);
    world.advance(60);
    let put = sam.put("/orgs/acme/teams/core/memberships/max", json!({ "role": "maintainer" }));
    put.expect(200);
    let entry = found(&world.olivia(), "action:team.add_member user:max team:core")[0].clone();
    let team = given::core(&world)["id"].clone();
    let org = world.olivia().get("/orgs/acme").expect(200)["id"].clone();
    let olivia = world.olivia().get("/user").expect(200)["id"].clone();
    for (name, value) in [
        ("action", json!("team.add_member")),
        ("actor", json!("olivia")),
        ("actor_id", olivia),
        ("actor_ip", Value::Null),
        ("impersonator", json!("site-admin")),
        ("token_id", made["id"].clone()),
        ("request_id", json!(put.header("x-github-request-id"))),
        ("org", json!("acme")),
        ("org_id", org),
        ("user", json!("max")),
        ("team", json!("acme/core")),
        ("team_id", team.clone()),
        ("repo", Value::Null),
        ("@timestamp", json!(1_767_225_660_000_i64)),
        ("created_at", json!(1_767_225_660_000_i64)),
        ("before", Value::Null),
        ("after", json!({ "team": team, "team_slug": "core", "user": "max", "role": "maintainer" })),
    ] {
        assert_eq!(entry[name], value, "{name}: {entry}");
    }
    assert_eq!(entry["hash"].as_str().map(str::len), Some(64));
}

#[test]
fn decision_47_only_owners_read_the_log() {
    let world = World::new();
    world.olivia().get(LOG).expect(200);
    for login in ["max", "tom", "eve", "nina", "sam"] {
        world.client(login).get(LOG).refused(403, "You must be an organization owner to see the audit log.");
    }
    world.anonymous().get(LOG).expect(401);
    world.olivia().get("/orgs/nothing/audit-log").expect(404);
    for scopes in [&["read:audit_log"][..], &["audit_log"], &["admin:org"]] {
        world.limited("olivia", scopes).get(LOG).expect(200);
    }
    let refused = world.limited("olivia", &["read:org", "write:org", "repo", "user"]).get(LOG);
    refused.refused(403, "Must have admin rights to Repository.");
    assert_eq!(refused.header("x-accepted-oauth-scopes"), Some("admin:org, read:audit_log"));
    world.sam().get("/admin/audit-log").expect(200);
    world.olivia().get("/admin/audit-log").refused(403, "Must have admin rights to Repository.");
    let scoped = world.limited("olivia", &["site_admin"]).get("/admin/audit-log");
    scoped.refused(403, "You must be a site administrator to do this.");
}

#[test]
fn decision_47_addresses_are_shown_only_if_the_organization_wants_it() {
    let world = World::new();
    let addresses = || each(&found(&world.olivia(), "action:team.create"), "actor_ip");
    assert_eq!(addresses(), ["-"]);
    world.olivia().patch("/orgs/acme", json!({ "audit_shows_addresses": true })).expect(200);
    assert_eq!(addresses(), ["127.0.0.1"]);
    world.olivia().patch("/orgs/acme", json!({ "audit_shows_addresses": false })).expect(200);
    assert_eq!(addresses(), ["-"]);
    assert!(world.olivia().get("/orgs/acme").expect(200)["audit_shows_addresses"] == false);
    assert!(world.eve().get("/orgs/acme").expect(200).get("audit_shows_addresses").is_none());
}

#[test]
fn decision_47_every_term_of_a_phrase_narrows_a_search() {
    let world = World::new();
    let olivia = world.olivia();
    world.advance(86_400);
    olivia.post("/orgs/acme/teams", json!({ "name": "Other", "privacy": "closed" })).expect(201);
    world.max().put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
    olivia.post("/orgs/acme/repos", json!({ "name": "engine" })).expect(201);
    olivia.put("/orgs/acme/teams/core/repos/acme/engine", json!({ "permission": "push" })).expect(204);
    let count = |phrase: &str| found(&olivia, phrase).len();
    let all = count("");
    for (phrase, expected) in [
        ("actor:max", &["team.add_member", "org.add_member"][..]),
        ("actor:MAX action:team", &["team.add_member"]),
        ("actor:max actor:tom action:org", &["org.add_member", "org.add_member"]),
        ("user:eve team:core", &["team.add_member"]),
        ("user:@eve team:acme/core", &["team.add_member"]),
        ("team:other action:team.create", &["team.create"]),
        ("team:globex/other", &[]),
        ("team:nothing", &[]),
        ("user:unknown", &[]),
        ("action:team.add", &[]),
        ("repo:engine", &["team.add_repository", "repo.create"]),
        ("repository:\"acme/engine\" -action:repo", &["team.add_repository"]),
        (
            "created:2026-01-02 action:team",
            &["team.add_repository", "team.add_member", "team.add_member", "team.create"],
        ),
        ("created:>=2026-01-02 action:team.create", &["team.create"]),
        ("created:<2026-01-02 action:team.create", &["team.create"]),
        ("created:>2026-01-02", &[]),
        ("created:>=2026-01-01 created:<2026-01-01T00:00:00Z", &[]),
        ("created:2025-01-01..2026-01-01 action:team.create team:core", &["team.create"]),
        ("created:*..2025-12-31", &[]),
    ] {
        assert_eq!(each(&found(&olivia, phrase), "action"), expected, "{phrase}");
    }
    assert_eq!(count("-actor:olivia") + count("actor:olivia"), all);
    assert_eq!(count("-created:2026-01-02") + count("created:2026-01-02"), all);
    assert!(olivia.get(&format!("{LOG}?include=git")).expect(200).as_array().is_some_and(Vec::is_empty));
    assert_eq!(olivia.get(&format!("{LOG}?include=all&per_page=100")).expect(200).as_array().map(Vec::len), Some(all));
}

#[test]
fn decision_47_a_search_finds_people_teams_and_repositories_by_their_names_of_now_and_then() {
    let world = World::new();
    let olivia = world.olivia();
    world.sam().patch("/admin/users/max", json!({ "login": "maxine" })).expect(202);
    olivia.patch("/orgs/acme/teams/core", json!({ "name": "Kernel" })).expect(200);
    let added = |phrase: &str| each(&found(&olivia, &format!("action:team.add_member {phrase}")), "team");
    for phrase in ["user:maxine", "user:max", "user:maxine team:kernel", "user:max team:core"] {
        assert_eq!(added(phrase), ["acme/core"], "{phrase}");
    }
    assert_eq!(each(&found(&olivia, "actor:maxine"), "actor"), ["max"]);
    assert_eq!(each(&found(&olivia, "team:core action:team.rename"), "team"), ["acme/kernel"]);
    olivia.delete("/orgs/acme/teams/kernel").expect(204);
    // Entries of a team that is gone have the name that it had then.
    let gone = found(&olivia, "team:core user:tom");
    assert_eq!(
        (each(&gone, "action"), each(&gone, "team")),
        (vec!["team.add_member".into()], vec!["acme/core".into()])
    );
    assert_eq!(each(&found(&olivia, "team:kernel user:tom"), "action"), ["team.destroy"]);
}

#[test]
fn decision_47_a_malformed_phrase_is_422_with_what_is_wrong() {
    let world = World::new();
    let long = "a".repeat(1_001);
    let many = "actor:max ".repeat(21);
    for (phrase, why) in [
        ("max", "`max` is not a term."),
        ("color:red", "`color:` is not a known term."),
        ("actor:", "`actor:` has no value."),
        ("user:%22max", "is not closed"),
        ("created:yesterday", "`yesterday` is not a date."),
        (long.as_str(), "too long"),
        (many.as_str(), "too many terms"),
    ] {
        for path in [LOG, "/admin/audit-log"] {
            let client = if path == LOG { world.olivia() } else { world.sam() };
            let answer = client.get(&format!("{path}?phrase={}", phrase.replace(' ', "+")));
            let body = answer.expect(422);
            assert_eq!(body["errors"][0]["field"], "phrase", "{body}");
            assert!(body["errors"][0]["message"].as_str().is_some_and(|text| text.contains(why)), "{body}");
        }
    }
}

/// Follows `next` from the first page to the end; the numbers of all entries, page by page.
fn pages(client: &Client, path: &str, rel: &str) -> Vec<Vec<i64>> {
    let (mut pages, mut next) = (Vec::new(), Some(path.to_owned()));
    while let Some(path) = next {
        let answer = client.get(&path);
        let page = answer.expect(200).as_array().expect("a list").clone();
        pages.push(page.iter().filter_map(|entry| entry["entry"].as_i64()).collect());
        next = answer.link(rel);
        assert!(pages.len() < 1_000, "{path} has no end");
    }
    pages
}

#[test]
fn decision_47_cursors_lead_through_the_log_and_back() {
    let world = World::new();
    let olivia = world.olivia();
    let all = pages(&olivia, &format!("{LOG}?per_page=100"), "next").concat();
    for query in ["per_page=4", "per_page=4&order=asc", "per_page=3&phrase=action:org"] {
        let path = format!("{LOG}?{query}");
        let forth = pages(&olivia, &path, "next");
        let flat = forth.concat();
        assert_eq!(flat.iter().collect::<BTreeSet<_>>().len(), flat.len(), "{query}");
        assert!(flat.is_sorted_by(|a, b| query.contains("asc") == (a < b)), "{query}: {flat:?}");
        assert!(query.contains("phrase") || flat.len() == all.len(), "{query}");
        assert!(forth.iter().rev().skip(1).all(|page| page.len() == forth[0].len()), "{query}: {forth:?}");
        // What is recorded meanwhile comes before the pages that are left.
        let mut last = path.clone();
        while let Some(next) = olivia.get(&last).link("next") {
            last = next;
        }
        let mut back = pages(&olivia, &last, "prev");
        back.reverse();
        assert_eq!(back, forth, "{query}");
        let answer = olivia.get(&last);
        let first = answer.link("first").expect("a first page");
        assert_eq!(pages(&olivia, &first, "next"), forth, "{query}");
    }
    let answer = olivia.get(&format!("{LOG}?per_page=100"));
    assert_eq!(answer.header("link"), None);
}

#[test]
fn decision_47_pages_stay_the_same_while_entries_are_added() {
    let world = World::new();
    let olivia = world.olivia();
    let before = pages(&olivia, &format!("{LOG}?per_page=100"), "next").concat();
    let first = olivia.get(&format!("{LOG}?per_page=5"));
    let next = first.link("next").expect("a second page");
    olivia.post("/orgs/acme/teams", json!({ "name": "Meanwhile" })).expect(201);
    let rest = pages(&olivia, &next, "next").concat();
    assert_eq!(rest, before[5..]);
}

#[test]
fn decision_47_a_cursor_of_another_organization_or_search_is_422() {
    let world = World::new();
    world.organization("globex", "olivia", &["nina", "tom"]);
    let olivia = world.olivia();
    let cursor = |path: &str| {
        let next = olivia.get(path).link("next").expect("a second page");
        next.split_once("after=").expect("a cursor").1.to_owned()
    };
    let own = cursor(&format!("{LOG}?per_page=1"));
    let searched = cursor(&format!("{LOG}?per_page=1&phrase=action:org"));
    let foreign = cursor("/orgs/globex/audit-log?per_page=1");
    olivia.get(&format!("{LOG}?after={own}&before=")).expect(200);
    let forged = own.replace(|c: char| c.is_ascii_lowercase(), "A");
    for query in [
        format!("after={foreign}"),
        format!("before={foreign}"),
        format!("after={searched}"),
        format!("after={own}&order=asc"),
        format!("after={own}&phrase=actor:max"),
        format!("after={own}&before={own}"),
        format!("after={forged}"),
        "after=1".to_owned(),
        "before=%20".to_owned(),
        "after=AAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAA".to_owned(),
    ] {
        let answer = olivia.get(&format!("{LOG}?{query}"));
        assert_eq!(answer.expect(422)["errors"][0]["resource"], "AuditLog", "{query}");
    }
    world.sam().get(&format!("/admin/audit-log?after={own}")).expect(422);
}

#[test]
fn decision_47_what_has_no_action_is_no_entry_of_the_log() {
    let world = World::new();
    given::run(&world, "UPDATE journal SET action = NULL WHERE org_id = 1 AND action = 'team.create'");
    assert!(found(&world.olivia(), "action:team.create").is_empty());
    assert!(!found(&world.olivia(), "action:team").is_empty());
}

#[test]
fn decision_47_the_site_has_a_log_of_its_own() {
    let world = World::new();
    let entries = world.sam().get("/admin/audit-log?phrase=action:user.create+user:max").expect(200).clone();
    let entry = &entries[0];
    assert_eq!(entries.as_array().map(Vec::len), Some(1));
    let got = ["action", "actor", "user", "actor_ip"].map(|name| entry[name].as_str().unwrap_or("-"));
    assert_eq!(got, ["user.create", "site-admin", "max", "127.0.0.1"]);
    assert!(entry["org"].is_null() && entry["org_id"].is_null() && entry["team"].is_null());
    assert_eq!(entry["after"]["login"], "max");
    let next = world.sam().get("/admin/audit-log?per_page=2").link("next").expect("a second page");
    assert_eq!(world.sam().get(&next).expect(200).as_array().map(Vec::len), Some(2));
}
