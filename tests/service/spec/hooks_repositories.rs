//! The events that webhooks receive about repositories, their collaborators and their teams. Every event is sent
//! (decision 44).

use std::collections::BTreeSet;

use guildhall::hooks::events::SENT;
use guildhall::hooks::plan::Wanted;
use guildhall::journal::EventEntry;

use crate::spec::hooks_told::{hook, in_steps, steps_of, told};
use crate::support::{Value, World, json};

fn names(told: &[(String, Value)]) -> Vec<&str> {
    told.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn decision_44_a_deleted_repository_is_told_to_its_teams_and_then_to_all() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "engine" })).expect(201);
    olivia.post("/orgs/acme/teams", json!({ "name": "Docs" })).expect(201);
    for team in ["core", "docs"] {
        olivia.put(&format!("/orgs/acme/teams/{team}/repos/acme/engine"), json!({})).expect(204);
    }
    hook(&olivia, &["team", "repository"]);
    let deleted = told(&world, || {
        olivia.delete("/repos/acme/engine").expect(204);
    });
    let gone = "team/removed_from_repository";
    assert_eq!(names(&deleted), [gone, gone, "repository/deleted"]);
    let teams = [&deleted[0].1["team"]["slug"], &deleted[1].1["team"]["slug"]];
    assert_eq!(teams, ["core", "docs"]);
    assert!(deleted.iter().all(|(_, payload)| payload["repository"]["full_name"] == "acme/engine"));
    assert_eq!(deleted[0].1["repository"]["permissions"]["pull"], false);
    let phrase = "/orgs/acme/audit-log?phrase=action:team.remove_repository";
    assert_eq!(olivia.get(phrase).expect(200).as_array().map(Vec::len), Some(2));
    assert_eq!(olivia.get("/orgs/acme/teams/core").expect(200)["repos_count"], 0);
}

#[test]
fn decision_44_a_deleted_account_takes_its_repositories_from_teams_with_an_event() {
    let world = World::new();
    let (olivia, sam) = (world.olivia(), world.sam());
    world.register("zoe");
    let zoe = world.client("zoe");
    olivia.post("/orgs/acme/repos", json!({ "name": "engine" })).expect(201);
    zoe.post("/repos/acme/engine/forks", json!({})).expect(202);
    zoe.put("/repos/zoe/engine/collaborators/olivia", json!({ "permission": "admin" })).expect(204);
    olivia.put("/orgs/acme/teams/core/repos/zoe/engine", json!({ "permission": "push" })).expect(204);
    hook(&olivia, &["team"]);
    let deleted = told(&world, || {
        sam.delete("/admin/users/zoe").expect(204);
    });
    assert_eq!(names(&deleted), ["team/removed_from_repository"]);
    assert_eq!(deleted[0].1["repository"]["full_name"], "zoe/engine");
    assert_eq!(olivia.get("/orgs/acme/teams/core").expect(200)["repos_count"], 0);
}

#[test]
fn decision_44_repositories_are_told_with_what_was_changed() {
    let world = World::new();
    let olivia = world.olivia();
    hook(&olivia, &["repository", "fork"]);
    let all = told(&world, || {
        olivia.post("/orgs/acme/repos", json!({ "name": "engine", "description": "old" })).expect(201);
        let edit = json!({ "name": "motor", "description": "new", "private": true, "archived": true });
        olivia.patch("/repos/acme/engine", edit).expect(200);
        olivia.patch("/repos/acme/motor", json!({ "archived": false, "private": false })).expect(200);
        world.nina().post("/repos/acme/motor/forks", json!({})).expect(202);
    });
    let expected = ["created", "edited", "renamed", "privatized", "archived", "publicized", "unarchived"];
    let mut expected: Vec<String> = expected.map(|action| format!("repository/{action}")).to_vec();
    expected.push("fork".to_owned());
    assert_eq!(names(&all), expected);
    let changes = |n: usize| all[n].1.get("changes").cloned();
    assert_eq!(changes(0), None);
    assert_eq!(changes(1), Some(json!({ "description": { "from": "old" } })));
    assert_eq!(changes(2), Some(json!({ "repository": { "name": { "from": "engine" } } })));
    let keys: Vec<&str> = all[0].1.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["action", "repository", "organization", "sender"]);
    let forked = &all[7].1;
    assert_eq!(
        (&forked["forkee"]["full_name"], &forked["repository"]["name"]),
        (&json!("nina/motor"), &json!("motor"))
    );
}

#[test]
fn decision_44_collaborators_are_told_with_the_permission() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "engine" })).expect(201);
    hook(&olivia, &["member"]);
    let path = "/repos/acme/engine/collaborators/nina";
    let all = told(&world, || {
        olivia.put(path, json!({ "permission": "maintain" })).expect(204);
        olivia.put(path, json!({ "permission": "admin" })).expect(204);
        olivia.delete(path).expect(204);
    });
    assert_eq!(names(&all), ["member/added", "member/edited", "member/removed"]);
    assert_eq!(all[0].1["changes"], json!({ "permission": { "to": "write" } }));
    assert_eq!(all[1].1["changes"], json!({ "old_permission": { "from": "write" } }));
    let keys: Vec<&str> = all[2].1.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["action", "member", "repository", "organization", "sender"]);
    assert!(all.iter().all(|(_, payload)| payload["member"]["login"] == "nina"));
}

#[test]
fn decision_44_a_level_that_ends_with_a_membership_or_an_account_is_told() {
    let world = World::new();
    let (olivia, sam) = (world.olivia(), world.sam());
    let settings = json!({ "name": "engine", "description": "old", "allow_auto_merge": true, "topics": ["a"] });
    olivia.post("/orgs/acme/repos", settings).expect(201);
    olivia.post("/orgs/acme/repos", json!({ "name": "docs", "private": true })).expect(201);
    hook(&olivia, &["member", "membership", "organization"]);
    let given = told(&world, || {
        for (repo, login) in [("engine", "tom"), ("docs", "tom"), ("engine", "eve"), ("engine", "nina")] {
            olivia.put(&format!("/repos/acme/{repo}/collaborators/{login}"), json!({})).expect(204);
        }
    });
    let left = told(&world, || {
        olivia.delete("/orgs/acme/members/tom").expect(204);
    });
    let removed = "member/removed";
    assert_eq!(names(&left), ["membership/removed", removed, removed, "organization/member_removed"]);
    for (given, left) in given.iter().zip(&left[1..]).take(2) {
        assert_eq!(left.1["repository"], given.1["repository"]);
        assert_eq!(left.1["member"], given.1["member"]);
    }
    let converted = told(&world, || {
        olivia.put_empty("/orgs/acme/outside_collaborators/eve").expect(204);
    });
    assert_eq!(names(&converted), ["organization/member_removed"], "eve keeps the level");
    let deleted = told(&world, || {
        sam.delete("/admin/users/nina").expect(204);
    });
    assert_eq!(names(&deleted), [removed]);
    assert_eq!(
        (&deleted[0].1["member"], &deleted[0].1["repository"]),
        (&given[3].1["member"], &given[3].1["repository"])
    );
    let entries = olivia.get("/orgs/acme/audit-log?phrase=action:repo.remove_member&order=asc").expect(200).clone();
    let users: Vec<&Value> = entries.as_array().expect("a list").iter().map(|entry| &entry["user"]).collect();
    assert_eq!(users, ["tom", "tom", "nina"]);
    assert_eq!(entries[0]["before"]["permission"], "push");
}

const NEW: &str = "
    SELECT j.entry, j.at, j.actor_id, j.actor_login, f.event, f.facts, j.request_id
    FROM journal j JOIN journal_facts f ON f.org_id = j.org_id AND f.entry = j.entry
    WHERE j.org_id = (SELECT id FROM deleted_orgs WHERE login = 'initech') ORDER BY j.entry";

/// Does something of every kind that hooks are told of.
fn everything(world: &World) {
    let (olivia, sam) = (world.olivia(), world.sam());
    world.register("zoe");
    sam.delete("/admin/users/zoe").expect(204);
    olivia.post("/orgs/acme/repos", json!({ "name": "engine", "description": "old" })).expect(201);
    let edit = json!({ "name": "motor", "description": "new", "private": true, "archived": true });
    olivia.patch("/repos/acme/engine", edit).expect(200);
    olivia.patch("/repos/acme/motor", json!({ "archived": false, "private": false })).expect(200);
    world.nina().post("/repos/acme/motor/forks", json!({})).expect(202);
    for permission in ["push", "admin"] {
        olivia.put("/repos/acme/motor/collaborators/ray", json!({ "permission": permission })).expect(204);
        olivia.put("/orgs/acme/teams/core/repos/acme/motor", json!({ "permission": permission })).expect(204);
    }
    olivia.delete("/repos/acme/motor/collaborators/ray").expect(204);
    olivia.delete("/repos/acme/motor").expect(204);
    olivia.post("/orgs/acme/teams", json!({ "name": "Docs" })).expect(201);
    olivia.delete("/orgs/acme/teams/docs").expect(204);
    olivia.put("/orgs/acme/memberships/nina", json!({})).expect(200);
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    olivia.delete("/orgs/acme/members/nina").expect(204);
    sam.post("/admin/organizations", json!({ "login": "initech", "admin": "olivia" })).expect(201);
    sam.patch("/admin/organizations/acme", json!({ "login": "apex" })).expect(202);
}

#[test]
fn decision_44_every_event_that_a_hook_accepts_is_sent_and_no_other() {
    let world = World::new();
    let olivia = world.olivia();
    let all = hook(&olivia, &["*"]);
    let config = json!({ "url": "https://ci.example.com/site" });
    world.sam().post("/admin/hooks", json!({ "name": "web", "config": config })).expect(201);
    everything(&world);
    let org = olivia.get("/orgs/apex").expect(200)["id"].as_i64().expect("an identifier");
    let new = olivia.get("/orgs/initech").expect(200)["id"].as_i64().expect("an identifier");
    olivia.delete("/orgs/initech").expect(202);
    let entries: Vec<EventEntry> = world.rows(NEW);
    let of_new = steps_of(&world, (new, entries), 0, 500);
    let before = [in_steps(&world, org, 0, 500), in_steps(&world, 0, 0, 500), of_new].concat();
    olivia.delete(&format!("/orgs/apex/hooks/{all}")).expect(204);
    let told = [before, in_steps(&world, org, 0, 500)].concat();
    let name = |event: &Wanted| (event.event.clone(), event.action.clone());
    let told: BTreeSet<_> = told.iter().map(name).collect();
    let sent = SENT.iter().flat_map(|(event, actions)| {
        let actions: Vec<Option<String>> = actions.iter().map(|action| Some((*action).to_owned())).collect();
        let actions = if actions.is_empty() { vec![None] } else { actions };
        actions.into_iter().map(|action| ((*event).to_owned(), action))
    });
    assert_eq!(told, sent.collect());
    let accepted = SENT.keys().copied().filter(|event| *event != "user");
    for event in accepted {
        let config = json!({ "url": format!("https://ci.example.com/{event}/again") });
        let body = json!({ "name": "web", "config": config, "events": [event] });
        olivia.post("/orgs/apex/hooks", body).expect(201);
    }
}
