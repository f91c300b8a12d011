//! The form of payloads, the events that a webhook receives about itself, and those that the webhooks of the site
//! receive (decisions 44 and 68).

use crate::spec::hooks_told::{ORIGIN, acme, hook, in_steps, newest, told};
use crate::support::{Value, World, json};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn decision_44_payloads_have_the_members_that_receivers_know() {
    let world = World::new();
    let olivia = world.olivia();
    olivia.post("/orgs/acme/repos", json!({ "name": "engine", "description": "It runs." })).expect(201);
    hook(&olivia, &["*"]);
    let core = olivia.get("/orgs/acme/teams/core").expect(200)["id"].clone();
    let team = json!({ "name": "Below", "parent_team_id": core, "repo_names": ["acme/engine"] });
    let told = told(&world, || {
        olivia.post("/orgs/acme/teams", team).expect(201);
    });
    assert_eq!(keys(&told[0].1), ["action", "team", "organization", "sender"]);
    assert_eq!(keys(&told[1].1), ["action", "scope", "member", "team", "organization", "sender"]);
    assert_eq!(keys(&told[2].1), ["action", "team", "repository", "organization", "sender"]);
    assert_eq!(keys(&told[3].1), ["team", "repository", "organization", "sender"]);
    let team = &told[0].1["team"];
    let short = [
        "name",
        "id",
        "node_id",
        "slug",
        "description",
        "privacy",
        "notification_setting",
        "url",
        "html_url",
        "members_url",
        "repositories_url",
        "permission",
    ];
    assert_eq!(keys(team), [&short[..], &["parent"]].concat());
    assert_eq!(keys(&team["parent"]), short);
    let url = format!("{ORIGIN}/organizations/{}/team/{}", acme(&world), team["id"]);
    assert_eq!((&team["url"], &team["members_url"]), (&json!(url), &json!(format!("{url}/members{{/member}}"))));
    let rest = olivia.get("/orgs/acme/teams/below").expect(200).clone();
    for name in ["name", "id", "node_id", "slug", "description", "privacy", "notification_setting", "permission"] {
        assert_eq!(team[name], rest[name], "{name}");
    }
    let shown = &told[2].1["repository"];
    let rest = olivia.get("/repos/acme/engine").expect(200).clone();
    for name in ["id", "node_id", "full_name", "private", "description", "created_at", "default_branch", "has_issues"] {
        assert_eq!(shown[name], rest[name], "{name}");
    }
    assert_eq!((&shown["custom_properties"], shown.get("role_name")), (&json!({}), None));
    assert_eq!(told[0].1["organization"]["url"], format!("{ORIGIN}/orgs/acme"));
    assert_eq!(told[0].1["sender"]["html_url"], format!("{ORIGIN}/ui/olivia"));
}

#[test]
fn decision_44_a_sender_who_administers_the_site_is_shown_as_such() {
    let world = World::new();
    let olivia = world.olivia();
    hook(&olivia, &["membership"]);
    let shown = |login: &str| {
        let path = format!("/orgs/acme/teams/core/memberships/{login}");
        told(&world, || {
            olivia.put(&path, json!({})).expect(200);
        })[0]
            .1["sender"]["site_admin"]
            .clone()
    };
    assert_eq!(shown("eve"), json!(false));
    world.sam().put("/users/olivia/site_admin", json!({})).expect(204);
    assert_eq!(shown("ray"), json!(true));
}

#[test]
fn decision_44_a_hook_hears_of_itself_by_ping_and_meta() {
    let world = World::new();
    let olivia = world.olivia();
    let created = told(&world, || {
        hook(&olivia, &["meta"]);
    });
    assert_eq!(created.len(), 1);
    let (name, payload) = &created[0];
    assert_eq!((name.as_str(), keys(payload)), ("ping", vec!["zen", "hook_id", "hook", "organization", "sender"]));
    let path = format!("/orgs/acme/hooks/{}", payload["hook_id"]);
    let mut record = olivia.get(&path).expect(200).clone();
    for url in ["url", "ping_url", "deliveries_url"] {
        record[url] = record[url].as_str().expect("an address").replace(&world.base, ORIGIN).into();
    }
    assert_eq!(payload["hook"], record);
    let pinged = told(&world, || {
        olivia.post(&format!("{path}/pings"), json!({})).expect(204);
    });
    assert_eq!(pinged[0].0, "ping");
    let deleted = told(&world, || {
        olivia.delete(&path).expect(204);
    });
    let (name, payload) = &deleted[0];
    assert_eq!((name.as_str(), &payload["hook_id"]), ("meta/deleted", &record["id"]));
    let head = ["type", "id", "name", "active", "events", "config", "updated_at", "created_at"];
    assert_eq!(keys(&payload["hook"]), head);
    let other = hook(&olivia, &["team"]);
    let deleted = told(&world, || {
        olivia.delete(&format!("/orgs/acme/hooks/{other}")).expect(204);
    });
    assert_eq!(deleted, [], "it has not asked for meta");
}

#[test]
fn decision_68_global_hooks_are_told_of_people_and_of_every_organization() {
    let world = World::new();
    let (olivia, sam) = (world.olivia(), world.sam());
    let made = sam.post("/admin/hooks", json!({ "name": "web", "config": { "url": "https://ci.example.com" } }));
    let hook = made.expect(201)["id"].as_i64().expect("an identifier");
    world.advance(1);
    let before = newest(&world);
    olivia.put("/orgs/acme/teams/core/memberships/nina", json!({})).expect(200);
    olivia.put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
    sam.patch("/admin/organizations/acme", json!({ "login": "apex" })).expect(202);
    let org = olivia.get("/orgs/apex").expect(200)["id"].as_i64().expect("an identifier");
    let of_org = in_steps(&world, org, before, 500);
    let told: Vec<_> = of_org.iter().map(|event| (event.action.as_deref(), event.to.clone())).collect();
    assert_eq!(told, [(Some("member_invited"), vec![hook]), (Some("renamed"), vec![hook])]);
    let renamed: Value = serde_json::from_str(&of_org[1].payload).expect("JSON");
    assert_eq!(renamed["changes"], json!({ "login": { "from": "acme" } }));
    assert_eq!(renamed["organization"]["login"], "apex");
    world.register("zoe");
    sam.delete("/admin/users/zoe").expect(204);
    let of_site = in_steps(&world, 0, 0, 500);
    let told: Vec<_> = of_site.iter().map(|event| (event.event.as_str(), event.action.as_deref())).collect();
    assert_eq!(told, [("ping", None), ("user", Some("created")), ("user", Some("deleted"))]);
    let created: Value = serde_json::from_str(&of_site[1].payload).expect("JSON");
    assert_eq!(keys(&created), ["action", "user", "sender"]);
    assert_eq!((&created["user"]["login"], &created["sender"]["login"]), (&json!("zoe"), &json!("site-admin")));
    let ping: Value = serde_json::from_str(&of_site[0].payload).expect("JSON");
    assert_eq!(keys(&ping), ["zen", "hook_id", "hook", "sender"]);
}
