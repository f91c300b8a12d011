//! The records that writes leave behind: grants, event rows, audit entries (decisions 30, 45 and 47).

use crate::spec::given;
use crate::support::{Client, Value, World, json};

/// The actions in the audit of `acme`, oldest first.
fn actions(world: &World) -> Vec<String> {
    let rows: Vec<(String,)> =
        world.rows("SELECT action FROM journal WHERE action IS NOT NULL AND org_id > 0 ORDER BY org_id, entry");
    rows.into_iter().map(|(action,)| action).collect()
}

/// The actions that an operation adds to the audit log.
fn audited(world: &World, work: impl Fn()) -> Vec<String> {
    let before = actions(world).len();
    work();
    actions(world).split_off(before)
}

fn outbox(world: &World) -> i64 {
    given::value(world, "SELECT COUNT(*) FROM journal_facts")
}

#[test]
fn decision_30_repositories_are_records_that_can_be_granted() {
    let world = World::new();
    given::repository(&world, "site", None);
    let team = given::team(&world, json!({ "name": "A", "repo_names": ["site"] }));
    assert_eq!(team["repos_count"], 1);
    world.olivia().delete("/orgs/acme/teams/a").expect(204);
    assert_eq!(given::value::<i64>(&world, "SELECT COUNT(*) FROM team_repos"), 0);
    assert_eq!(given::value::<i64>(&world, "SELECT COUNT(*) FROM repos"), 1);
}

#[test]
fn decision_45_a_change_writes_its_event_with_it() {
    let world = World::new();
    given::listener(&world);
    let olivia = world.olivia();
    let grows = |work: &dyn Fn()| {
        let before = outbox(&world);
        work();
        outbox(&world) > before
    };
    assert!(grows(&|| drop(olivia.post("/orgs/acme/teams", json!({ "name": "A" })))));
    assert!(grows(&|| drop(olivia.patch("/orgs/acme/teams/a", json!({ "name": "B" })))));
    assert!(grows(&|| drop(olivia.put("/orgs/acme/teams/b/memberships/tom", json!({})))));
    assert!(grows(&|| drop(olivia.delete("/orgs/acme/teams/b/memberships/tom"))));
    assert!(grows(&|| drop(olivia.delete("/orgs/acme/members/eve"))));
    assert!(grows(&|| drop(olivia.put("/orgs/acme/memberships/nina", json!({})))));
    assert!(grows(&|| drop(olivia.delete("/orgs/acme/teams/b"))));
}

#[test]
fn decision_45_an_event_that_has_no_reader_is_not_stored() {
    let world = World::new();
    let olivia = world.olivia();
    let grows = |work: &dyn Fn()| {
        let before = outbox(&world);
        work();
        outbox(&world) > before
    };
    let describe = |text: &str| {
        olivia.patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": text })).expect(200);
    };
    assert!(!grows(&|| describe("No webhook exists")));
    let discuss = |title: &str| drop(given::post(&world.tom(), title, false));
    let comments = "/orgs/acme/teams/core/discussions/1/comments";
    let answer = || {
        world.tom().post(comments, json!({ "body": "So" })).expect(201);
    };
    let notify = |setting: &str| {
        olivia.patch("/orgs/acme/teams/core", json!({ "name": "Core", "notification_setting": setting })).expect(200);
    };
    assert!(grows(&|| discuss("People are notified of it")));
    assert!(grows(&answer));
    notify("notifications_disabled");
    assert!(!grows(&|| discuss("Nobody is notified of it")));
    assert!(!grows(&answer));
    notify("notifications_enabled");
    assert!(grows(&|| discuss("People are notified again")));
    assert!(grows(&answer));

    let hook = json!({ "name": "web", "config": { "url": "http://127.0.0.1:9/" }, "events": ["team"] });
    let hook = given::id(olivia.post("/orgs/acme/hooks", hook).expect(201));
    assert!(grows(&|| describe("A webhook listens")));
    let path = format!("/orgs/acme/hooks/{hook}");
    olivia.patch(&path, json!({ "active": false })).expect(200);
    assert!(!grows(&|| describe("The webhook is inactive")));
    olivia.patch(&path, json!({ "active": true })).expect(200);
    assert!(grows(&|| describe("It listens again")));
    assert!(grows(&|| drop(olivia.delete(&path))), "its deletion is an event for it");
    assert!(!grows(&|| describe("The webhook is gone")));

    given::listener(&world);
    assert!(grows(&|| describe("A webhook of the site listens")));
}

#[test]
fn decision_45_what_is_refused_or_only_read_writes_none() {
    let world = World::new();
    let written = given::written(&world);
    world.tom().delete("/orgs/acme/teams/core").expect(403);
    world.tom().post("/orgs/acme/teams", json!({ "name": "Core" })).expect(422);
    world.max().patch("/orgs/acme/teams/core", json!({})).expect(422);
    world.max().put("/orgs/acme/teams/core/memberships/nina", json!({})).expect(422);
    world.olivia().delete("/orgs/acme/members/olivia").expect(422);
    world.tom().get("/orgs/acme/teams").expect(200);
    assert_eq!(given::written(&world), written);
}

#[test]
fn decision_45_a_cascade_tells_of_the_people_and_teams_it_removes() {
    let world = World::new();
    given::listener(&world);
    given::child(&world, &given::core(&world), "Child");
    given::put(&world, "child", "eve", "member");
    let before = outbox(&world);
    world.olivia().delete("/orgs/acme/teams/core").expect(204);
    let facts: Vec<(String,)> = world.rows("SELECT facts FROM journal_facts ORDER BY org_id, entry");
    let told: String = facts.into_iter().skip(usize::try_from(before).expect("a count")).map(|row| row.0).collect();
    for name in ["\"core\"", "\"child\"", "\"eve\"", "\"max\"", "\"tom\""] {
        assert!(told.contains(name), "{name} in {told}");
    }
}

#[test]
fn decision_45_a_new_membership_tells_of_its_team_as_it_was() {
    let world = World::new();
    given::listener(&world);
    let team = given::team(&world, json!({ "name": "First", "description": "Of old", "privacy": "closed" }));
    given::put(&world, "first", "tom", "member");
    given::put(&world, "first", "nina", "member");
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    world.olivia().patch("/orgs/acme/teams/first", json!({ "name": "Second" })).expect(200);
    world.olivia().delete("/orgs/acme/teams/second").expect(204);
    let told: Vec<(String,)> =
        world.rows("SELECT facts FROM journal_facts WHERE event = 'membership.added' ORDER BY org_id, entry");
    let told: Vec<Value> = told.iter().map(|(facts,)| serde_json::from_str(facts).expect("facts")).collect();
    let of_first: Vec<&Value> = told.iter().filter(|facts| facts["team"]["id"] == team["id"]).collect();
    let logins: Vec<&Value> = of_first.iter().map(|facts| &facts["member"]["login"]).collect();
    assert_eq!(logins, ["olivia", "tom", "nina"]);
    for facts in of_first {
        for (key, value) in [("name", "First"), ("slug", "first"), ("description", "Of old"), ("privacy", "closed")] {
            assert_eq!(facts["team"][key], value, "{facts}");
        }
    }
}

#[test]
fn decision_47_every_write_leaves_an_entry_in_the_words_of_the_interface() {
    let world = World::new();
    let (olivia, nina) = (world.olivia(), world.nina());
    let team = "/orgs/acme/teams/a";
    let one =
        |action: &str, work: &dyn Fn()| assert_eq!(audited(&world, work).first().map(String::as_str), Some(action));
    one("team.create", &|| drop(olivia.post("/orgs/acme/teams", json!({ "name": "A", "privacy": "closed" }))));
    one("team.rename", &|| drop(olivia.patch(team, json!({ "name": "A!" }))));
    one("team.change_privacy", &|| drop(olivia.patch(team, json!({ "name": "A!", "privacy": "secret" }))));
    let core = given::core(&world)["id"].clone();
    one("team.add_member", &|| drop(given::put(&world, "a", "tom", "member")));
    one("team.update_member", &|| drop(given::put(&world, "a", "tom", "maintainer")));
    one("team.remove_member", &|| drop(olivia.delete("/orgs/acme/teams/a/memberships/tom")));
    olivia.patch(team, json!({ "name": "A!", "privacy": "closed" })).expect(200);
    let moved = json!({ "name": "A!", "parent_team_id": core });
    one("team.change_parent_team", &|| drop(olivia.patch(team, moved.clone())));
    one("team.destroy", &|| drop(olivia.delete(team)));
    one("org.invite_member", &|| drop(olivia.put("/orgs/acme/memberships/nina", json!({}))));
    one("org.cancel_invitation", &|| drop(olivia.delete("/orgs/acme/memberships/nina")));
    olivia.put("/orgs/acme/memberships/nina", json!({})).expect(200);
    one("org.add_member", &|| drop(nina.patch("/user/memberships/orgs/acme", json!({ "state": "active" }))));
    one("org.update_member", &|| drop(olivia.put("/orgs/acme/memberships/nina", json!({ "role": "admin" }))));
    one("org.remove_member", &|| drop(olivia.delete("/orgs/acme/memberships/nina")));
}

#[test]
fn decision_47_an_entry_names_person_token_request_and_what_changed() {
    let world = World::new();
    let answer = world.max().patch("/orgs/acme/teams/core", json!({ "name": "Kernel" }));
    answer.expect(200);
    let last = "
        SELECT actor_login, CAST(token_id AS TEXT), request_id, before, after FROM journal
        WHERE org_id > 0 ORDER BY entry DESC LIMIT 1";
    let rows: Vec<(String, String, String, String, String)> = world.rows(last);
    let (actor, token, request, before, after) = &rows[0];
    assert_eq!((actor.as_str(), Some(request.as_str())), ("max", answer.header("x-github-request-id")));
    assert!(token.parse::<i64>().is_ok_and(|id| id > 0));
    assert!(before.contains("Core") && after.contains("Kernel"), "{before} {after}");
}

#[test]
fn decision_47_an_impersonation_names_both_people() {
    let world = World::new();
    let made = world.sam().post("/admin/users/max/authorizations", json!({ "scopes": ["repo"] })).expect(201).clone();
    let acting = Client::new(&world.base, made["token"].as_str());
    acting.patch("/orgs/acme/teams/core", json!({ "name": "Kernel" })).expect(200);
    let last = "SELECT actor_login, impersonator_login FROM journal WHERE org_id > 0 ORDER BY entry DESC LIMIT 1";
    let rows: Vec<(String, String)> = world.rows(last);
    let sam = world.sam().get("/user").json["login"].as_str().expect("a login").to_owned();
    assert_eq!(rows, [("max".to_owned(), sam)]);
}

#[test]
fn decision_47_entries_of_an_organization_form_one_chain_without_gaps() {
    let world = World::new();
    world.organization("beta", "tom", &["max"]);
    given::closed(&world, "Other");
    world.tom().post("/orgs/beta/teams", json!({ "name": "Other" })).expect(201);
    let entries: Vec<(i64, i64, Vec<u8>)> =
        world.rows("SELECT org_id, entry, hash FROM journal ORDER BY org_id, entry");
    let (mut org, mut next) = (-1, 1);
    let mut hashes = std::collections::HashSet::new();
    for (of, entry, hash) in entries {
        next = if of == org { next + 1 } else { 1 };
        org = of;
        assert_eq!((entry, hash.len()), (next, 32), "organization {of}");
        assert!(hashes.insert(hash), "two entries have one hash");
    }
}
