//! Managing the webhooks of the site (decision 68).

use crate::support::{World, json};

const HOOKS: &str = "/admin/hooks";

#[test]
fn decision_68_a_global_hook_has_the_record_that_clients_know() {
    let world = World::new();
    let sam = world.sam();
    let made =
        sam.post(HOOKS, json!({ "name": "web", "config": { "url": "https://u:p@ci.example.com", "secret": "s" } }));
    let id = made.expect(201)["id"].clone();
    let url = format!("{}{HOOKS}/{id}", sam.base);
    assert_eq!(made.header("location"), Some(url.as_str()));
    let expected = json!({
        "type": "Global",
        "id": id,
        "name": "web",
        "active": true,
        "events": ["user", "organization"],
        "config": {
            "content_type": "form",
            "secret": "********",
            "url": "https://ci.example.com",
            "insecure_ssl": "0",
        },
        "updated_at": "2026-01-01T00:00:00Z",
        "created_at": "2026-01-01T00:00:00Z",
        "url": url,
        "ping_url": format!("{url}/pings"),
    });
    assert_eq!(made.text, expected.to_string());
    assert_eq!(sam.get(HOOKS).expect(200), &json!([expected]));
    let changed = sam.patch(&url, json!({ "events": ["user"], "active": false })).expect(200).clone();
    assert_eq!((&changed["events"], &changed["active"]), (&json!(["user"]), &json!(false)));
    sam.post(&format!("{url}/pings"), json!({})).expect(204);
    let entries = sam.get("/admin/audit-log?phrase=action:hook").expect(200).clone();
    assert_eq!(entries.as_array().map(Vec::len), Some(4), "{entries}");
    sam.delete(&url).expect(204);
    sam.get(&url).refused(404, "Not Found");
}

#[test]
fn decision_68_a_global_hook_has_events_of_people_and_organizations_only() {
    let world = World::new();
    let sam = world.sam();
    for events in [json!(["team"]), json!(["*"]), json!(["user", "push"])] {
        let hook = json!({ "name": "web", "config": { "url": "https://ci.example.com" }, "events": events });
        let refused = sam.post(HOOKS, hook);
        refused.refused(422, "Validation Failed");
        assert_eq!(refused.json["errors"][0]["field"], "events");
    }
    world.olivia().get(HOOKS).expect(403);
    let made = world.olivia().post(
        "/orgs/acme/hooks",
        json!({ "name": "web", "config": { "url": "https://ci.example.com" }, "events": ["team"] }),
    );
    let id = &made.expect(201)["id"];
    sam.get(&format!("{HOOKS}/{id}")).refused(404, "Not Found");
}
