//! `guildhall audit` as an operator meets it, and the heads that doctor verifies (decision 47).

use guildhall::db::Db;
use serde_json::{Value, json};

use crate::place::{OWNER, Place, outcome, refused};
use crate::support::Client;

const ORG: &str = "rust-embedded";

/// A place with an organization, in which its owner has put a new team together, and the ID of the owner's token.
fn place() -> (Place, i64) {
    let place = Place::new();
    place.import();
    let server = place.serve();
    let owner = Client::new(&server.base, Some(&place.token()));
    owner.post("/orgs/rust-embedded/teams", json!({ "name": "Keepers", "privacy": "closed" })).expect(201);
    owner.put("/orgs/rust-embedded/teams/keepers/memberships/coppernectar800", json!({})).expect(200);
    let tokens = printed(&place, &["token", "list", "--json", "--user", OWNER]).0;
    server.stop();
    let tokens: Value = serde_json::from_str(&tokens).expect("JSON");
    (place, tokens[0]["id"].as_i64().expect("a token"))
}

/// The output of a command, and its messages.
#[track_caller]
fn printed(place: &Place, arguments: &[&str]) -> (String, String) {
    let (code, out, err) = outcome(&place.run(arguments));
    assert_eq!(code, 0, "{arguments:?}: {err}");
    (out, err)
}

fn head(place: &Place, of: &[&str]) -> String {
    printed(place, &[&["audit", "--head"], of].concat()).0.trim().to_owned()
}

fn tamper(place: &Place, sql: &'static str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let db = Db::open(&place.database.address).await.expect("a database");
        db.write(move |tx| tx.run(sql, &[])).await.expect("a statement that works");
    });
}

#[test]
fn one_command_says_who_put_a_person_on_a_team_and_with_which_token() {
    let (place, token) = place();
    let search = ["audit", ORG, "--action", "team.add_member", "--user", "coppernectar800", "--team", "keepers"];
    let (out, err) = printed(&place, &search);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 1, "{out}");
    assert!(
        lines[0].contains(&format!(" team.add_member actor={OWNER} user=coppernectar800 team={ORG}/keepers ")),
        "{out}"
    );
    assert!(lines[0].contains(&format!(" token={token} request=")) && lines[0].ends_with(" role: member"), "{out}");
    assert!(!out.contains("address="), "{out}");
    assert!(err.contains(&format!("head of the log: {}", head(&place, &[ORG]))), "{err}");
    let with = |more: &[&str]| printed(&place, &[&search[..], more].concat()).0;
    for none in
        [&["--actor", "coppernectar800"][..], &["--until", "1d"], &["--phrase", "-team:keepers"], &["--limit", "0"]]
    {
        assert_eq!(with(none), "", "{none:?}");
    }
    for one in [&["--since", "1d"][..], &["--actor", OWNER, "--actor", "x"], &["--phrase", "-actor:x"]] {
        assert_eq!(with(one), out, "{one:?}");
    }
}

#[test]
fn values_are_words_and_a_token_has_its_note() {
    let (place, _) = place();
    let (note, _) =
        printed(&place, &["token", "create", "--user", OWNER, "--scopes", "admin:org,repo", "--note", "ci 1"]);
    let server = place.serve();
    let owner = Client::new(&server.base, Some(note.trim()));
    let team = format!("/orgs/{ORG}/teams/keepers");
    let grant = |level: &str| {
        owner.put(&format!("{team}/repos/{ORG}/cortex-m-rt"), json!({ "permission": level })).expect(204);
    };
    grant("pull");
    grant("push");
    let parent = owner.get(&format!("/orgs/{ORG}/teams/core")).expect(200)["id"].clone();
    owner.patch(&team, json!({ "name": "Keepers", "parent_team_id": parent })).expect(200);
    server.stop();
    let line = |action: &str| printed(&place, &["audit", ORG, "--action", action, "--limit", "1"]).0;
    let changed = line("team.update_repository_permission");
    assert!(changed.trim_end().ends_with(" level: read -> write"), "{changed}");
    assert!(changed.contains(" (ci 1) request=") && changed.lines().count() == 1, "{changed}");
    let moved = line("team.change_parent_team");
    assert!(moved.contains(": core") || moved.contains("-> core"), "{moved}");
    let given = line("team.add_repository");
    assert!(given.trim_end().ends_with(" level: read"), "{given}");
}

#[test]
fn a_deleted_team_is_named_with_its_people_and_repositories() {
    let place = Place::new();
    place.import();
    let team = |words: &[&str]| printed(&place, &[&["team"], words].concat());
    team(&["create", ORG, "Night watch"]);
    team(&["add", ORG, "night-watch", OWNER, "coppernectar800"]);
    team(&["grant", ORG, "night-watch", "cortex-m-rt", "write"]);
    team(&["delete", ORG, "night-watch", "--yes"]);
    let (out, _) = printed(&place, &["audit", ORG, "--action", "team.destroy"]);
    assert!(out.contains(&format!(" team={ORG}/night-watch ")) && out.contains(" repositories: cortex-m-rt"), "{out}");
    let members = [format!(" members: {OWNER}, coppernectar800"), format!(" members: coppernectar800, {OWNER}")];
    assert!(members.iter().any(|members| out.contains(members)), "{out}");
    assert!(!out.contains("event") && !out.contains(" id "), "{out}");
}

#[test]
fn the_log_is_exported_as_json_lines() {
    let (place, token) = place();
    let entries = |arguments: &[&str]| -> Vec<Value> {
        let out = printed(&place, &[&["audit", "--jsonl"], arguments].concat()).0;
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let own = entries(&[ORG, "--since", "7d", "--actor", OWNER]);
    assert_eq!(own.iter().filter(|entry| entry["token_id"] == token).count(), own.len());
    assert_eq!((&own[0]["action"], &own[0]["user"]), (&json!("team.add_member"), &json!("coppernectar800")));
    let numbers = |entries: &[Value]| -> Vec<i64> { entries.iter().filter_map(|e| e["entry"].as_i64()).collect() };
    let (down, mut up) = (numbers(&entries(&[ORG])), numbers(&entries(&[ORG, "--order", "asc"])));
    up.reverse();
    assert_eq!(down, up);
    assert_eq!(numbers(&entries(&[ORG, "--limit", "2"])), down[..2]);
    let array = |limit: &str| -> Vec<Value> {
        serde_json::from_str(&printed(&place, &["audit", ORG, "--json", "--limit", limit]).0).expect("an array")
    };
    assert_eq!((numbers(&array("2")), array("0")), (down[..2].to_vec(), Vec::new()));
    let site = entries(&["--site", "--action", "oauth_access.create"]);
    assert_eq!(site[0]["after"]["user"], OWNER);
    assert!(site[0]["actor"].is_null() && site[0]["actor_ip"] == "127.0.0.1", "{}", site[0]);
}

#[test]
fn addresses_are_printed_only_if_the_organization_wants_it() {
    let (place, _) = place();
    let log = || printed(&place, &["audit", ORG, "--action", "team.create"]).0;
    assert!(!log().contains("address="));
    tamper(&place, "UPDATE orgs SET audit_shows_addresses = TRUE");
    assert!(log().contains(" address=127.0.0.1 "), "{}", log());
}

#[test]
fn the_log_of_a_deleted_organization_is_printed_and_the_store_stays_well() {
    let (place, _) = place();
    let before = printed(&place, &["audit", ORG, "--action", "team"]).0;
    let server = place.serve();
    let owner = Client::new(&server.base, Some(&place.token()));
    owner.delete(&format!("/orgs/{ORG}")).expect(202);
    server.stop();
    assert_eq!(printed(&place, &["audit", ORG, "--action", "team"]).0, before);
    let (out, _) = printed(&place, &["audit", ORG, "--action", "org.delete"]);
    assert!(out.lines().count() == 1 && out.contains(&format!("actor={OWNER}")), "{out}");
    assert!(head(&place, &[ORG]).starts_with(&format!("{ORG}:")));
    refused(&place.run(&["audit", "nothing"]), 1, "no organization has the login nothing");
    refused(&place.run(&["export", ORG]), 1, &format!("there is no organization {ORG}"));
    place.must_be_well();
}

#[test]
fn every_entry_of_a_long_log_is_printed_once() {
    let (place, _) = place();
    tamper(&place, LENGTHEN);
    tamper(&place, "UPDATE journal_heads SET entry = entry + 30000 WHERE org_id = 0");
    let count = |arguments: &[&str]| printed(&place, arguments).0.lines().count();
    let before = count(&["audit", "--site", "--phrase", "-action:x"]);
    assert_eq!(count(&["audit", "--site"]), 29_999 + before);
    assert_eq!(count(&["audit", "--site", "--order", "asc"]), 29_999 + before);
    // The only entry of another action is at the other end.
    assert_eq!(count(&["audit", "--site", "--action", "y", "--order", "asc"]), 1);
    assert_eq!(count(&["audit", "--site", "--action", "y"]), 1);
}

/// More entries of the site than one walk looks at.
const LENGTHEN: &str = "
    INSERT INTO journal (org_id, entry, at, kind, request_id, action, format, hash)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
    SELECT j.org_id, j.entry + n.i, j.at, 'other', 'many', CASE WHEN n.i = 1 THEN 'y' ELSE 'x' END, 2, j.hash
    FROM n, journal j JOIN journal_heads h ON h.org_id = j.org_id AND h.entry = j.entry WHERE j.org_id = 0";

#[test]
fn doctor_verifies_a_head_that_was_kept() {
    let (place, _) = place();
    let heads = [head(&place, &[ORG]), head(&place, &["--site"])];
    let doctor = |heads: &[&str]| {
        let flags: Vec<&str> = heads.iter().flat_map(|head| ["--head", head]).collect();
        outcome(&place.run(&[&["doctor"], &flags[..]].concat()))
    };
    assert_eq!(doctor(&[&heads[0], &heads[1]]).0, 0);
    place.token();
    let (code, out, err) = doctor(&[&heads[0], &heads[1]]);
    assert_eq!(code, 0, "{out}{err}");
    let (name, hash) = heads[0].rsplit_once(':').expect("a hash");
    let changed = format!("{name}:{}", hash.replace(|c: char| c.is_ascii_digit(), "a"));
    let later = format!("{ORG}:999999:{hash}");
    let unknown = heads[0].replace(ORG, "nothing");
    for (wrong, why) in [
        (&changed, "is not the one that was kept"),
        (&later, "ends before entry 999999"),
        (&unknown, "nothing has no audit log"),
    ] {
        let (code, out, _) = doctor(&[wrong]);
        assert!(code == 1 && out.contains(why), "{out}");
    }
    let (code, _, err) = doctor(&["acme"]);
    assert!(code == 2 && err.contains("use a head as `guildhall audit` prints it"), "{err}");
}

#[test]
fn a_head_is_verified_as_long_as_retention_keeps_its_hash() {
    let (place, _) = place();
    let (out, _) = printed(&place, &["audit", "--site", "--jsonl", "--order", "asc", "--limit", "1"]);
    let oldest: Value = serde_json::from_str(&out).expect("JSON");
    let entry = oldest["entry"].as_i64().expect("a number");
    let head = format!("@site:{entry}:{}", oldest["hash"].as_str().expect("a hash"));
    // Not sealed, so doctor finds that as well.
    let trim = |last: i64| {
        let seal = format!(
            "UPDATE journal_heads SET first_entry = {last} + 1, trimmed = {last},
                    trimmed_hash = (SELECT hash FROM journal WHERE org_id = 0 AND entry = {last}) WHERE org_id = 0"
        );
        tamper(&place, seal.leak());
        tamper(&place, format!("DELETE FROM journal WHERE org_id = 0 AND entry <= {last}").leak());
        outcome(&place.run(&["doctor", "--head", &head])).1
    };
    for (last, too_old) in [(entry, false), (entry + 1, true)] {
        let out = trim(last);
        assert!(out.contains("does not begin where it was trimmed"), "{out}");
        assert_eq!(out.contains("is too old to be compared with the one that was kept"), too_old, "{out}");
        assert!(!out.contains("is not the one that was kept"), "{out}");
    }
}

#[test]
fn a_wrong_search_is_wrong_usage() {
    let (place, _) = place();
    for (arguments, why) in [
        (&["audit"][..], "<ORG>"),
        (&["audit", ORG, "--site"], "cannot be used with"),
        (&["audit", ORG, "--since", "yesterday"], "`yesterday` is not a time; use 12h, 7d, 2w, 2026-01-31"),
        (&["audit", ORG, "--phrase", "max"], "`max` is not a term"),
        (&["audit", ORG, "--user", ""], "`user:` has no value"),
        (&["audit", ORG, "--order", "up"], "[possible values: desc, asc]"),
    ] {
        refused(&place.run(arguments), 2, why);
    }
    refused(&place.run(&["audit", "nothing"]), 1, "no organization has the login nothing");
}
