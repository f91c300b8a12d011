//! Fields that clients of today need in records of teams, repositories and organizations (decisions 52, 53 and 55).

use crate::spec::given;
use crate::spec::mail_invitations::world as world_with_mail;
use crate::spec::sign_in::signed_in;
use crate::support::{Value, World, json};

/// The settings that clients write and read back, as they are until someone sets them.
fn usual() -> Value {
    json!({
        "has_discussions": false, "has_downloads": true, "allow_merge_commit": true, "allow_squash_merge": true,
        "allow_rebase_merge": true, "allow_auto_merge": false, "allow_update_branch": false,
        "allow_forking": true, "delete_branch_on_merge": false, "squash_merge_commit_title": "COMMIT_OR_PR_TITLE",
        "squash_merge_commit_message": "COMMIT_MESSAGES", "merge_commit_title": "MERGE_MESSAGE",
        "merge_commit_message": "PR_TITLE", "web_commit_signoff_required": false, "topics": [],
    })
}

/// Each of them set to something else.
fn unusual() -> Value {
    json!({
        "has_discussions": true, "has_downloads": false, "allow_merge_commit": false, "allow_squash_merge": false,
        "allow_rebase_merge": false, "allow_auto_merge": true, "allow_update_branch": true,
        "allow_forking": false, "delete_branch_on_merge": true, "squash_merge_commit_title": "PR_TITLE",
        "squash_merge_commit_message": "BLANK", "merge_commit_title": "PR_TITLE",
        "merge_commit_message": "PR_BODY", "web_commit_signoff_required": true, "topics": ["rust", "a-1"],
    })
}

/// The members of a record that these settings name.
fn settings_of(record: &Value) -> Value {
    let usual = usual();
    let names = usual.as_object().expect("settings").keys();
    names.map(|name| (name.clone(), record[name].clone())).collect::<serde_json::Map<_, _>>().into()
}

#[track_caller]
fn belongs_to(team: &Value, org: i64) {
    assert_eq!((&team["type"], &team["organization_id"]), (&json!("organization"), &json!(org)), "{team}");
}

#[test]
fn decision_52_a_team_says_which_organization_it_belongs_to_wherever_it_is_shown() {
    let world = World::new();
    let (olivia, org) = (world.olivia(), given::org_id(&world));
    given::repository(&world, "web", None);
    let core = given::core(&world);
    let child = given::child(&world, &core, "Child");
    olivia.put("/orgs/acme/teams/child/repos/acme/web", json!({})).expect(204);
    let invited = json!({ "email": "una@example.org", "team_ids": [child["id"]] });
    let invitation = olivia.post("/orgs/acme/invitations", invited).expect(201)["id"].clone();
    let changed = olivia.patch("/orgs/acme/teams/child", json!({ "name": "Child", "description": "x" }));
    let mut shown = vec![child.clone(), changed.expect(200).clone()];
    shown.extend(given::forms(&child).map(|form| olivia.get(&form).expect(200).clone()));
    for list in [
        "/orgs/acme/teams?page=1&per_page=1".to_owned(),
        "/orgs/acme/teams/core/teams".to_owned(),
        "/user/teams".to_owned(),
        "/repos/acme/web/teams".to_owned(),
        format!("/orgs/acme/invitations/{invitation}/teams"),
    ] {
        shown.extend(olivia.get(&list).expect(200).as_array().expect("a list").iter().cloned());
    }
    assert_eq!(shown.len(), 11);
    for team in shown {
        belongs_to(&team, org);
        belongs_to(&team["parent"], org);
    }
}

#[test]
fn decision_52_an_event_shows_a_team_without_them() {
    let world = World::new();
    given::listener(&world);
    given::child(&world, &given::core(&world), "Child");
    let told: String = given::value(&world, "SELECT facts FROM journal_facts ORDER BY org_id DESC, entry DESC LIMIT 1");
    assert!(told.contains("\"Child\"") && told.contains("\"parent\""), "{told}");
    assert!(!told.contains("organization_id") && !told.contains("\"type\""), "{told}");
}

#[test]
fn decision_52_a_new_repository_has_the_documented_settings() {
    let world = World::new();
    for path in ["/orgs/acme/repos", "/user/repos"] {
        let made = world.olivia().post(path, json!({ "name": "web" })).expect(201).clone();
        assert_eq!(settings_of(&made), usual());
        assert_eq!(made["pushed_at"], made["created_at"]);
    }
}

#[test]
fn decision_52_settings_of_a_repository_are_stored_and_shown() {
    let world = World::new();
    let olivia = world.olivia();
    let mut body = unusual();
    body["name"] = json!("tools");
    for (base, path) in [("/repos/acme/tools", "/orgs/acme/repos"), ("/repos/olivia/tools", "/user/repos")] {
        let made = olivia.post(path, body.clone()).expect(201).clone();
        assert_eq!(settings_of(&made), unusual());
        assert_eq!(*olivia.get(base).expect(200), made);
        world.advance(60);
        let changed = olivia.patch(base, usual()).expect(200).clone();
        assert_eq!(settings_of(&changed), usual());
        assert_ne!(changed["updated_at"], made["updated_at"]);
        assert_eq!(changed["pushed_at"], changed["created_at"]);
        world.advance(60);
        assert_eq!(*olivia.patch(base, usual()).expect(200), changed, "nothing has changed");
    }
    for (name, value) in unusual().as_object().expect("settings") {
        let one = olivia.patch("/repos/acme/tools", json!({ name: value })).expect(200).clone();
        assert_eq!(one[name], *value);
        let null = olivia.patch("/repos/acme/tools", json!({ name: null })).expect(200).clone();
        assert_eq!(null[name], *value, "null is the same as leaving {name} out");
    }
    assert_eq!(settings_of(olivia.get("/repos/acme/tools").expect(200)), unusual());
}

#[test]
fn decision_52_lists_show_what_their_schema_has_of_the_settings() {
    let world = World::new();
    let olivia = world.olivia();
    let mut body = unusual();
    body["name"] = json!("tools");
    olivia.post("/orgs/acme/repos", body).expect(201);
    olivia.put("/orgs/acme/teams/core/repos/acme/tools", json!({})).expect(204);
    let record = "application/vnd.github.v3.repository+json";
    let mut shown = vec![olivia.with("Accept", record).get("/orgs/acme/teams/core/repos/acme/tools").json];
    for list in ["/orgs/acme/repos", "/user/repos", "/users/acme/repos", "/orgs/acme/teams/core/repos"] {
        shown.push(olivia.get(list).expect(200)[0].clone());
    }
    let names = [
        "has_discussions",
        "has_downloads",
        "allow_forking",
        "delete_branch_on_merge",
        "web_commit_signoff_required",
        "topics",
    ];
    for repo in shown {
        assert_eq!(repo["pushed_at"], repo["created_at"]);
        for name in names {
            assert_eq!(repo[name], unusual()[name], "{name}");
        }
    }
}

#[test]
fn decision_52_a_setting_of_a_repository_takes_no_other_value() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "tools" })).expect(201);
    let before = olivia.get("/repos/acme/tools").expect(200).clone();
    let line = "For 'properties/squash_merge_commit_title', \"TITLE\" is not a member of";
    let wrong = olivia.patch("/repos/acme/tools", json!({ "squash_merge_commit_title": "TITLE" }));
    let message = wrong.expect(422)["message"].as_str().expect("a message").to_owned();
    assert!(message.contains(line) && message.contains("[\"PR_TITLE\", \"COMMIT_OR_PR_TITLE\"]"), "{message}");
    for (name, value) in unusual().as_object().expect("settings") {
        let wrong = if value.is_boolean() { json!("yes") } else { json!(1) };
        for answer in [
            olivia.patch("/repos/acme/tools", json!({ name: wrong })),
            olivia.post("/orgs/acme/repos", json!({ "name": "other", name: wrong })),
        ] {
            let message = answer.expect(422)["message"].as_str().expect("a message").to_owned();
            assert!(message.contains(&format!("'properties/{name}'")), "{message}");
        }
    }
    assert_eq!(*olivia.get("/repos/acme/tools").expect(200), before);
    olivia.get("/repos/acme/other").expect(404);
}

#[test]
fn decision_52_topics_are_lower_case_words_with_dashes() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "tools", "topics": ["Rust", "rust", "x9"] })).expect(201);
    assert_eq!(olivia.get("/repos/acme/tools").expect(200)["topics"], json!(["rust", "x9"]));
    let many: Vec<String> = (0..21).map(|n| format!("topic-{n}")).collect();
    let long = "a".repeat(51);
    for refused in
        [json!([""]), json!(["-a"]), json!(["a b"]), json!(["a_b"]), json!(["é"]), json!([long]), json!(many)]
    {
        let answer = olivia.patch("/repos/acme/tools", json!({ "topics": refused }));
        let errors = &answer.refused(422, "Validation Failed")["errors"];
        assert_eq!((&errors[0]["resource"], &errors[0]["field"]), (&json!("Repository"), &json!("topics")));
        assert!(errors[0]["message"].is_string());
    }
    assert_eq!(olivia.get("/repos/acme/tools").expect(200)["topics"], json!(["rust", "x9"]));
    let full: Vec<String> = (0..20).map(|n| format!("{n}{}", "a".repeat(48))).collect();
    assert_eq!(olivia.patch("/repos/acme/tools", json!({ "topics": full })).expect(200)["topics"], json!(full));
    assert_eq!(olivia.patch("/repos/acme/tools", json!({ "topics": [] })).expect(200)["topics"], json!([]));
}

#[test]
fn decision_52_topics_are_replaced_by_themselves() {
    let world = World::new();
    let olivia = world.olivia();
    let path = "/repos/acme/tools/topics";
    olivia.post("/orgs/acme/repos", json!({ "name": "tools", "private": true, "topics": ["old"] })).expect(201);
    assert_eq!(*world.tom().get(path).expect(200), json!({ "names": ["old"] }));
    let before = olivia.get("/repos/acme/tools").expect(200).clone();
    world.advance(60);
    let replaced = olivia.put(path, json!({ "names": ["New", "other"] }));
    assert_eq!(*replaced.expect(200), json!({ "names": ["new", "other"] }));
    let after = olivia.get("/repos/acme/tools").expect(200).clone();
    assert_eq!(after["topics"], json!(["new", "other"]));
    assert_ne!(after["updated_at"], before["updated_at"]);
    olivia.put(path, json!({})).refused(422, "Invalid request.\n\n\"names\" wasn't supplied.");
    olivia.put(path, json!({ "names": ["a b"] })).refused(422, "Validation Failed");
    world.tom().put(path, json!({ "names": [] })).expect(403);
    world.nina().get(path).refused(404, "Not Found");
    world.nina().put(path, json!({ "names": [] })).refused(404, "Not Found");
    world.anonymous().get(path).refused(404, "Not Found");
    assert_eq!(*olivia.get(path).expect(200), json!({ "names": ["new", "other"] }));
    assert_eq!(*olivia.put(path, json!({ "names": [] })).expect(200), json!({ "names": [] }));
}

#[test]
fn decision_52_a_change_of_these_settings_is_in_the_audit() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "tools" })).expect(201);
    olivia.patch("/repos/acme/tools", json!({ "allow_auto_merge": true })).expect(200);
    let entry =
        "SELECT action, before, after FROM journal WHERE action IS NOT NULL AND org_id > 0 ORDER BY entry DESC LIMIT 1";
    let (action, before, after): (String, String, String) = world.rows(entry).remove(0);
    assert_eq!(action, "repo.update");
    assert!(!before.contains("allow_auto_merge") && after.contains("\"allow_auto_merge\":true"), "{before} {after}");
}

#[test]
fn decision_52_a_fork_begins_with_the_documented_settings() {
    let world = World::new();
    let mut body = unusual();
    body["name"] = json!("tools");
    world.olivia().post("/orgs/acme/repos", body).expect(201);
    let fork = world.tom().post("/repos/acme/tools/forks", json!({})).expect(202).clone();
    assert_eq!(settings_of(&fork), usual());
    assert_eq!((&fork["parent"]["topics"], &fork["pushed_at"]), (&unusual()["topics"], &fork["created_at"]));
}

#[test]
fn decision_53_the_page_of_an_organization_is_that_of_an_account() {
    let world = world_with_mail();
    let page = format!("{}/ui/acme", world.base);
    let olivia = world.olivia();
    let team = olivia.post("/orgs/acme/teams", json!({ "name": "New" })).expect(201).clone();
    let records = [
        olivia.get("/orgs/acme").expect(200).clone(),
        world.anonymous().get("/orgs/acme").expect(200).clone(),
        olivia.get("/users/acme").expect(200).clone(),
        olivia.patch("/orgs/acme", json!({ "description": "x" })).expect(200).clone(),
        olivia.get("/orgs/acme/teams/new").expect(200)["organization"].clone(),
        olivia.get("/user/teams").expect(200)[0]["organization"].clone(),
        team["organization"].clone(),
    ];
    for record in records {
        assert_eq!(record["html_url"], page, "{record}");
    }
    let under = world.anonymous().under("/api/v3").get("/orgs/acme").expect(200)["html_url"].clone();
    assert_eq!(under, page);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit("/ui/acme").expect(200);
    assert_eq!(olivia.path, "/ui/orgs/acme");
}

#[test]
fn decision_55_a_level_on_a_repository_has_its_name() {
    let world = World::new();
    given::repository(&world, "web", None);
    let names = ["read", "triage", "write", "maintain", "admin"];
    let levels = ["pull", "triage", "push", "maintain", "admin"];
    for (at, level) in levels.into_iter().enumerate() {
        world.olivia().put("/orgs/acme/teams/core/repos/acme/web", json!({ "permission": level })).expect(204);
        let team = world.tom().get("/repos/acme/web/teams").expect(200)[0].clone();
        assert_eq!((&team["permission"], &team["role_name"]), (&json!(level), &json!(names[at])), "{level}");
        for (of, name) in levels.into_iter().enumerate() {
            assert_eq!(team["permissions"][name], json!(of <= at), "{name} at {level}");
        }
    }
}
