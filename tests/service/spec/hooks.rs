//! Managing the webhooks of an organization (decisions 41, 44 and 68).

use crate::support::{Client, Value, World, json, world::Settings};

const HOOKS: &str = "/orgs/acme/hooks";

fn hook(config: &Value) -> Value {
    json!({ "name": "web", "config": config, "events": ["team"] })
}

/// The path of a new hook that delivers to this URL.
fn new(client: &Client, url: &str) -> String {
    let made = client.post(HOOKS, hook(&json!({ "url": url, "secret": "hush" }))).expect(201).clone();
    format!("{HOOKS}/{}", made["id"])
}

/// The items of a refusal.
#[track_caller]
fn errors(client: &Client, body: &Value) -> Value {
    let answer = client.post(HOOKS, body.clone());
    answer.refused(422, "Validation Failed");
    answer.json["errors"].clone()
}

#[test]
fn decision_44_a_hook_has_the_record_that_clients_know() {
    let world = World::new();
    let olivia = world.olivia();
    let made = olivia.post(HOOKS, json!({ "name": "web", "config": { "url": "https://ci.example.com/x?y=z" } }));
    let id = made.expect(201)["id"].clone();
    let url = format!("{}{HOOKS}/{id}", olivia.base);
    assert_eq!(made.header("location"), Some(url.as_str()));
    let expected = json!({
        "type": "Organization",
        "id": id,
        "name": "web",
        "active": true,
        "events": ["*"],
        "config": { "content_type": "form", "url": "https://ci.example.com/x?y=z", "insecure_ssl": "0" },
        "updated_at": "2026-01-01T00:00:00Z",
        "created_at": "2026-01-01T00:00:00Z",
        "url": url,
        "ping_url": format!("{url}/pings"),
        "deliveries_url": format!("{url}/deliveries"),
    });
    assert_eq!(made.text, expected.to_string());
    let read = olivia.get(&url);
    assert_eq!(read.expect(200), &expected);
    assert_eq!(read.header("last-modified"), Some("Thu, 01 Jan 2026 00:00:00 GMT"));
    assert_eq!(olivia.get(HOOKS).expect(200), &json!([expected]));
    assert_eq!(olivia.get(&format!("{url}/config")).expect(200), &expected["config"]);
    olivia.delete(&url).expect(204);
    olivia.delete(&url).refused(404, "Not Found");
    olivia.get(&url).refused(404, "Not Found");
    assert_eq!(olivia.get(HOOKS).expect(200), &json!([]));
}

#[test]
fn decision_44_only_owners_with_the_scope_learn_that_there_are_hooks() {
    let world = World::new();
    let path = new(&world.olivia(), "https://ci.example.com");
    let without = world.limited("olivia", &["admin:org", "repo"]);
    for client in [&world.max(), &world.nina(), &world.sam(), &without] {
        client.get(HOOKS).refused(404, "Not Found");
        client.get(&path).refused(404, "Not Found");
        client.get(&format!("{path}/config")).refused(404, "Not Found");
        client.post(HOOKS, json!({})).refused(404, "Not Found");
        client.patch(&path, json!({ "active": false })).refused(404, "Not Found");
        client.delete(&path).refused(404, "Not Found");
    }
    world.anonymous().get(HOOKS).refused(404, "Not Found");
    let hooks = world.limited("olivia", &["admin:org_hook"]);
    assert_eq!(hooks.get(HOOKS).header("x-accepted-oauth-scopes"), Some("admin:org_hook"));
    hooks.get(&path).expect(200);
    world.organization("globex", "olivia", &[]);
    hooks.get(&path.replace("acme", "globex")).refused(404, "Not Found");
}

#[test]
fn decision_44_what_is_wrong_with_a_hook_is_said_as_clients_know_it() {
    let world = World::new();
    let olivia = world.olivia();
    let config = json!({ "url": "https://ci.example.com" });
    let custom = |message: &str| json!([{ "resource": "Hook", "code": "custom", "message": message }]);
    let url = "The URL you've entered is not valid. Please make sure that you encode all special characters first";
    for wrong in ["ci.example.com", "ftp://ci.example.com", "http://", "https://ci.example.com/ä b", "javascript:x"] {
        assert_eq!(errors(&olivia, &hook(&json!({ "url": wrong }))), custom(url), "{wrong}");
    }
    assert_eq!(errors(&olivia, &hook(&json!({}))), custom("Config must contain URL for webhooks"));
    let other = json!({ "name": "email", "config": config });
    assert_eq!(errors(&olivia, &other)[0]["field"], "name");
    for events in [json!([]), json!(["teams"]), json!(["team", "push"]), json!(["user"])] {
        let items = errors(&olivia, &json!({ "name": "web", "config": config, "events": events }));
        assert_eq!((&items[0]["field"], &items[0]["code"]), (&json!("events"), &json!("invalid")));
    }
    let pushed = json!({ "name": "web", "config": config, "events": ["push"] });
    let text = errors(&olivia, &pushed)[0]["message"].as_str().unwrap_or_default().to_owned();
    assert!(text.starts_with("`push` is not sent here. Use any of `fork`, `member`, "), "{text}");
    for (field, value) in [
        ("insecure_ssl", json!("2")),
        ("insecure_ssl", json!("1")),
        ("secret", json!("a\nb")),
        ("secret", json!("********")),
    ] {
        let items = errors(&olivia, &hook(&json!({ "url": "https://ci.example.com", field: value })));
        assert_eq!(items[0]["field"], field);
    }
    for (config, problem) in [
        (json!({ "url": 7 }), "config/url', 7 is not a string"),
        (json!({ "url": "https://ci.example.com", "secret": [] }), "config/secret', [] is not a string"),
        (json!({ "url": "a\u{0}b" }), "config/url', the text contains a NUL character"),
        (json!({ "content_type": "xml" }), "config/content_type', \"xml\" is not a member of [\"json\", \"form\"]"),
        (json!({ "insecure_ssl": {} }), "config/insecure_ssl', {} is not a string"),
    ] {
        let message = format!("Invalid request.\n\nFor 'properties/{problem}.");
        olivia.post(HOOKS, hook(&config)).refused(422, &message);
    }
    olivia.post(HOOKS, hook(&config)).expect(201);
    assert_eq!(errors(&olivia, &hook(&config)), custom("Hook already exists on this organization"));
    let as_json = json!({ "url": "https://ci.example.com", "content_type": "json" });
    olivia.post(HOOKS, hook(&as_json)).expect(201);
    let path = new(&olivia, "https://ci.example.com/other");
    olivia.patch(&path, json!({ "config": config })).refused(422, "Validation Failed");
    olivia.patch(&path, json!({ "config": {} })).refused(422, "Validation Failed");
    olivia
        .patch(&format!("{path}/config"), json!({ "url": "https://ci.example.com" }))
        .refused(422, "Validation Failed");
}

#[test]
fn decision_44_an_event_has_at_most_20_hooks() {
    let world = World::new();
    let olivia = world.olivia();
    let create = |number: i32, events: &Value| {
        let config = json!({ "url": format!("https://ci.example.com/{number}") });
        olivia.post(HOOKS, json!({ "name": "web", "config": config, "events": events }))
    };
    for number in 0..20 {
        create(number, &if number < 5 { json!(["*"]) } else { json!(["team", "repository"]) }).expect(201);
    }
    let repository = json!(["member", "repository"]);
    for (events, full) in [(json!(["team"]), "team"), (repository, "repository"), (json!(["*"]), "team")] {
        let answer = create(20, &events);
        let message = format!("The \"{full}\" event cannot have more than 20 hooks");
        assert_eq!(answer.expect(422)["errors"][0]["message"], message);
    }
    create(20, &json!(["member"])).expect(201);
    assert_eq!(olivia.all(HOOKS).len(), 21);
}

#[test]
fn decision_44_an_update_replaces_the_configuration_and_the_events() {
    let world = World::new();
    let olivia = world.olivia();
    let path = new(&olivia, "https://ci.example.com");
    world.advance(60);
    let config = json!({ "url": "https://ci.example.com/new", "content_type": "json" });
    let updated = olivia.patch(&path, json!({ "config": config, "events": ["*", "team"], "active": false }));
    let record = updated.expect(200);
    assert_eq!(record["config"]["content_type"], "json");
    assert_eq!(record["config"]["secret"], Value::Null, "a configuration without a secret removes it");
    assert_eq!((&record["events"], &record["active"]), (&json!(["*"]), &json!(false)));
    assert_eq!(record["updated_at"], "2026-01-01T00:01:00Z");
    world.advance(60);
    let same = olivia.patch(&path, json!({ "config": config, "name": "web" })).expect(200).clone();
    assert_eq!(same["updated_at"], "2026-01-01T00:01:00Z", "nothing has changed");
    let part =
        olivia.patch(&format!("{path}/config"), json!({ "secret": "hush", "insecure_ssl": 0 })).expect(200).clone();
    let expected = json!({
        "content_type": "json",
        "secret": "********",
        "url": "https://ci.example.com/new",
        "insecure_ssl": "0",
    });
    assert_eq!(part, expected);
    let masked = json!({ "url": "https://ci.example.com/new", "content_type": "json", "secret": "********" });
    let kept = olivia.patch(&path, json!({ "config": masked })).expect(200).clone();
    assert_eq!(kept["config"], expected, "the mask keeps the secret");
    let removed = olivia.patch(&format!("{path}/config"), json!({ "secret": "" })).expect(200).clone();
    assert_eq!(removed["secret"], Value::Null);
}

#[test]
fn decision_44_each_change_of_a_hook_is_in_the_audit_log_without_its_secret() {
    let world = World::new();
    let olivia = world.olivia();
    let path = new(&olivia, "https://user:password@ci.example.com/x?token=sesame");
    let config = json!({ "url": "https://ci.example.com/y", "secret": "novel" });
    olivia.patch(&path, json!({ "config": config, "events": ["member"], "active": false })).expect(200);
    olivia.patch(&path, json!({ "active": false })).expect(200);
    olivia.post(&format!("{path}/pings"), json!({})).expect(204);
    olivia.delete(&path).expect(204);
    let entries = olivia.get("/orgs/acme/audit-log?phrase=action:hook&per_page=100").expect(200).clone();
    let actions: Vec<&str> = entries.as_array().expect("a list").iter().filter_map(|e| e["action"].as_str()).collect();
    let expected = [
        "hook.destroy",
        "hook.ping",
        "hook.active_changed",
        "hook.events_changed",
        "hook.config_changed",
        "hook.create",
    ];
    assert_eq!(actions, expected);
    assert_eq!(entries[4]["after"]["secret_changed"], true);
    assert_eq!(entries[5]["after"]["config"]["url"], "https://ci.example.com/x");
    for secret in ["hush", "novel", "password", "sesame"] {
        assert!(!entries.to_string().contains(secret), "{secret} is in {entries}");
    }
}

#[test]
fn decision_41_secrets_of_hooks_are_sealed() {
    let world = World::new();
    let olivia = world.olivia();
    let path = new(&olivia, "https://user:password@ci.example.com/x");
    let shown = olivia.get(&path).expect(200)["config"].clone();
    assert_eq!((&shown["url"], &shown["secret"]), (&json!("https://ci.example.com/x"), &json!("********")));
    let kept: Vec<(Vec<u8>, Vec<u8>)> = world.rows("SELECT secret, credentials FROM hooks");
    for (bytes, text) in [(&kept[0].0, "hush"), (&kept[0].1, "password")] {
        assert!(bytes.len() > 28 && !bytes.windows(text.len()).any(|part| part == text.as_bytes()));
    }
    let found = crate::support::dump::everything(&world);
    assert!(!found.contains("hush") && !found.contains("user:password"));
}

#[test]
fn decision_68_certificates_are_verified_unless_the_site_allows_otherwise() {
    let world = World::with(Settings { insecure_ssl: true, ..Settings::default() });
    let olivia = world.olivia();
    for (number, sent) in [json!("1"), json!(1), json!(true)].into_iter().enumerate() {
        let config = json!({ "url": format!("https://ci.example.com/{number}"), "insecure_ssl": sent });
        assert_eq!(olivia.post(HOOKS, hook(&config)).expect(201)["config"]["insecure_ssl"], "1");
    }
    let beside = world.second_server();
    let config = json!({ "url": "https://ci.example.com/3", "insecure_ssl": "1" });
    let refused = beside.olivia().post(HOOKS, hook(&config));
    refused.refused(422, "Validation Failed");
    assert!(refused.text.contains("webhooks.insecure_ssl"), "{}", refused.text);
}

#[test]
fn decision_68_a_rotation_keeps_the_former_secret_for_a_day() {
    let world = World::new();
    let olivia = world.olivia();
    let path = new(&olivia, "https://ci.example.com");
    let kept = || -> (Option<i64>, bool) {
        let rows = world.rows("SELECT previous_until, previous_secret IS NOT NULL FROM hooks");
        rows.into_iter().next().expect("a hook")
    };
    assert_eq!(kept(), (None, false));
    olivia.patch(&format!("{path}/config"), json!({ "secret": "hush" })).expect(200);
    assert_eq!(kept(), (None, false), "the same secret is no rotation");
    olivia.patch(&format!("{path}/config"), json!({ "secret": "hush hush" })).expect(200);
    let until = world.now().plus_seconds(86_400).0;
    assert_eq!(kept(), (Some(until), true));
    olivia.patch(&format!("{path}/config"), json!({ "secret": "" })).expect(200);
    assert_eq!(kept(), (None, false), "without a secret there is nothing to go over to");
}
