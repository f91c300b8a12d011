//! Plans over HTTP, and the export (decision 75): what an owner plans, reads and applies.

use guildhall::export::{export, yaml};

use crate::support::{Answer, Client, Value, World, json};

pub const PLANS: &str = "/orgs/acme/plans";

/// Plans a file with these options.
pub fn planned(client: &Client, options: &str, file: &str) -> Answer {
    client.send("POST", &format!("{PLANS}?{options}"), Some(file.to_owned()))
}

/// Applies a plan with these options.
pub fn applied(client: &Client, plan: &Value, options: &Value) -> Answer {
    client.post(&format!("{PLANS}/{}/apply", plan["id"]), options.clone())
}

/// Plans a file and applies the plan.
#[track_caller]
pub fn carried_out(client: &Client, options: &str, file: &str) -> Value {
    let plan = planned(client, options, file).expect(201).clone();
    applied(client, &plan, &json!({})).expect(200).clone()
}

/// The changes of a plan in short: sign, kind and subject.
pub fn changes(plan: &Value) -> Vec<String> {
    let changes = plan["changes"].as_array().expect("changes");
    let word = |change: &Value, key: &str| change[key].as_str().expect("a word").to_owned();
    changes
        .iter()
        .map(|change| [word(change, "action"), word(change, "kind"), word(change, "subject")].join(" "))
        .collect()
}

/// The file that the command writes.
pub fn exported(world: &World) -> String {
    let now = world.now();
    let org = world.block_on(world.db.read(move |tx| export(tx, "acme", now))).expect("an export").org;
    yaml::text(&org)
}

const FILE: &str = "
orgs:
  acme:
    description: From a file
    teams:
      Core:
        maintainers: [max]
        members: [tom, eve]
      Docs: {privacy: closed, members: [ray]}
";

#[test]
fn decision_75_an_export_is_what_the_command_writes_for_owners_alone() {
    let world = World::new();
    let answer = world.olivia().get("/orgs/acme/export");
    answer.expect(200);
    assert_eq!((answer.header("content-type"), &answer.text), (Some("application/yaml"), &exported(&world)));
    let known = answer.header("etag").expect("a tag").to_owned();
    world.olivia().with("If-None-Match", &known).get("/orgs/acme/export").expect(304);
    for client in [world.anonymous(), world.max(), world.nina(), world.sam()] {
        client.get("/orgs/acme/export").refused(404, "Not Found");
    }
    for scopes in [&["admin:org"][..], &["repo"], &["site_admin"]] {
        let answer = world.limited("olivia", scopes).get("/orgs/acme/export");
        answer.refused(404, "Not Found");
        assert_eq!(answer.header("x-accepted-oauth-scopes"), Some("admin:org, repo"));
    }
    world.limited("olivia", &["admin:org", "repo"]).get("/orgs/acme/export").expect(200);
}

#[test]
fn decision_75_the_plan_of_an_export_is_empty() {
    let world = World::new();
    let file = world.olivia().get("/orgs/acme/export").text;
    let plan = planned(&world.olivia(), "prune=true", &file).expect(201).clone();
    assert_eq!(plan["summary"], json!({ "add": 0, "change": 0, "remove": 0 }), "{plan}");
    assert_eq!(applied(&world.olivia(), &plan, &json!({})).expect(200)["changes"], json!([]));
}

#[test]
fn decision_75_a_plan_is_stored_read_and_carried_out_as_its_owner() {
    let world = World::new();
    let olivia = world.olivia();
    let made = planned(&olivia, "file=orgs/acme.yaml", FILE);
    let plan = made.expect(201).clone();
    let url = format!("{}{PLANS}/{}", olivia.base, plan["id"]);
    assert_eq!((made.header("location"), &plan["url"]), (Some(url.as_str()), &json!(url)));
    assert_eq!((&plan["expires_at"], &plan["file"]), (&json!("2026-01-02T00:00:00Z"), &json!("orgs/acme.yaml")));
    assert_eq!(plan["summary"], json!({ "add": 3, "change": 1, "remove": 0 }));
    let expected = ["change setting description", "add team Docs", "add team_member eve", "add team_member ray"];
    assert_eq!(changes(&plan), expected);
    let eve = json!({
        "action": "add", "kind": "team_member", "team": "Core", "subject": "eve",
        "before": null, "after": "member", "blocked_by": null,
    });
    assert!(plan["changes"].as_array().is_some_and(|changes| changes.contains(&eve)), "{plan}");
    assert_eq!(olivia.get(&url).expect(200), &plan);
    assert_eq!(olivia.get("/orgs/acme").expect(200)["description"], json!(null), "a plan changes nothing");

    let token = world.limited("olivia", &["admin:org", "repo"]);
    let done = applied(&token, &plan, &json!({})).expect(200).clone();
    assert_eq!(done, plan);
    olivia.get("/orgs/acme/teams/docs/members/ray").expect(204);
    let entries = olivia.get("/orgs/acme/audit-log?phrase=action:team.add_member");
    let entries: Vec<Value> = entries.expect(200).as_array().expect("entries")[..2].to_vec();
    for entry in entries {
        let request = format!("plan-{}:orgs/acme.yaml", plan["id"]);
        assert_eq!((&entry["actor"], &entry["request_id"]), (&json!("olivia"), &json!(request)), "{entry}");
        assert!(entry["token_id"].is_i64(), "{entry}");
    }
    let created = olivia.get("/orgs/acme/audit-log?phrase=action:team.create").expect(200)[0].clone();
    assert_eq!(created["request_id"], json!(format!("plan-{}:orgs/acme.yaml", plan["id"])));
    assert_eq!(planned(&olivia, "", FILE).expect(201)["changes"], json!([]));
}

#[test]
fn decision_75_a_plan_that_was_applied_has_nothing_left_to_do() {
    let world = World::new();
    let plan = planned(&world.olivia(), "", FILE).expect(201).clone();
    applied(&world.olivia(), &plan, &json!({})).expect(200);
    let before = exported(&world);
    let again = applied(&world.olivia(), &plan, &json!({})).expect(200).clone();
    assert_eq!((&again["changes"], &again["summary"]["add"]), (&json!([]), &json!(0)));
    assert_eq!(exported(&world), before);
}

#[test]
fn decision_75_an_organization_that_has_changed_is_shown_what_differs() {
    let world = World::new();
    let plan = planned(&world.olivia(), "", FILE).expect(201).clone();
    world.olivia().put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
    let before = exported(&world);
    let refused = applied(&world.olivia(), &plan, &json!({}));
    refused.refused(409, "The organization is no longer as it was planned. Nothing was changed. Plan again.");
    let differences = &refused.json["differences"];
    assert_eq!(differences["no_longer_planned"][0]["subject"], "eve");
    assert_eq!(differences["planned_now"], json!([]));
    assert_eq!(exported(&world), before);
}

#[test]
fn decision_75_a_file_in_json_and_one_without_a_name_are_of_the_path() {
    let world = World::new();
    let json = json!({ "format": "team-org/1", "org": { "login": "ACME", "description": "Json" } });
    let plan = world.olivia().post(PLANS, json).expect(201).clone();
    assert_eq!(changes(&plan), ["change setting description"]);
    let plan = planned(&world.olivia(), "", "description: Bare").expect(201).clone();
    assert_eq!(plan["changes"][0]["after"], "Bare");
    let several = "orgs: {globex: {admins: [nina]}, acme: {description: Among others}}";
    let plan = planned(&world.olivia(), "", several).expect(201).clone();
    assert_eq!(plan["changes"][0]["after"], "Among others");
    let by_id = world.olivia().get("/orgs/acme").expect(200)["id"].clone();
    let path = format!("/organizations/{by_id}/plans");
    assert_eq!(world.olivia().send("POST", &path, Some(several.to_owned())).expect(201)["org"], "acme");
}
