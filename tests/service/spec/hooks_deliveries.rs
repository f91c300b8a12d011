//! The deliveries of a webhook: listed, shown, sent again, replayed; and switched off when nothing gets through
//! (decision 44).

use guildhall::hooks;
use guildhall::journal::Author;

use crate::support::receiver::{Arrival, Receiver, Reply};
use crate::support::world::Settings;
use crate::support::{Client, Value, World, json, waiting};

fn world() -> World {
    World::with(Settings { delivers: true, ..Settings::default() })
}

/// The path of a new hook of acme for these events.
fn hook(world: &World, receiver: &Receiver, events: &[&str]) -> String {
    let config = json!({ "url": receiver.url, "content_type": "json", "secret": "hush hush" });
    let body = json!({ "name": "web", "config": config, "events": events });
    let made = world.olivia().post("/orgs/acme/hooks", body).expect(201).clone();
    format!("/orgs/acme/hooks/{}", made["id"])
}

fn describe(client: &Client, text: &str) {
    client.patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": text })).expect(200);
}

/// The descriptions of the teams that have arrived, in order.
fn told(arrivals: &[Arrival]) -> Vec<&str> {
    let teams = arrivals.iter().filter(|arrival| arrival.event == "team");
    teams.filter_map(|arrival| arrival.body["team"]["description"].as_str()).collect()
}

/// The delivery of this event.
fn of<'a>(found: &'a [Value], event: &str) -> &'a Value {
    found.iter().find(|item| item["event"] == event).unwrap_or_else(|| panic!("no {event} in {found:?}"))
}

/// The deliveries of a hook, the newest first, as soon as there are so many.
fn listed(client: &Client, path: &str, count: usize) -> Vec<Value> {
    waiting::found(|| {
        let found = client.all(&format!("{path}/deliveries"));
        if found.len() >= count { Ok(found) } else { Err(found) }
    })
}

#[test]
fn decision_44_a_delivery_is_listed_and_shown_without_its_secrets() {
    let (world, receiver) = (world(), Receiver::accepting());
    let olivia = world.olivia();
    let path = hook(&world, &receiver, &["team"]);
    describe(&olivia, "first");
    let arrivals = receiver.until(|arrivals| told(arrivals) == ["first"]);
    let arrival = arrivals.iter().find(|arrival| arrival.event == "team").expect("a team");
    let found = listed(&olivia, &path, 2);
    let (ping, item) = (of(&found, "ping"), of(&found, "team"));
    let expected = json!({
        "id": item["id"],
        "guid": arrival.guid,
        "delivered_at": "2026-01-01T00:00:00Z",
        "redelivery": false,
        "duration": item["duration"],
        "status": "OK",
        "status_code": 200,
        "event": "team",
        "action": "edited",
        "installation_id": null,
        "repository_id": null,
    });
    assert_eq!(item.to_string(), expected.to_string());
    assert!(item["duration"].is_f64());
    assert_eq!(ping["action"], Value::Null);
    let shown = olivia.get(&format!("{path}/deliveries/{}", item["id"])).expect(200).clone();
    assert_eq!(shown["url"], receiver.url);
    assert_eq!(shown["request"]["payload"], arrival.body);
    assert_eq!(shown["request"]["headers"]["X-GitHub-Delivery"], arrival.guid);
    assert_eq!(shown["response"], json!({ "headers": { "content-length": "2" }, "payload": "ok" }));
    let everything = crate::support::dump::everything(&world);
    assert!(!everything.contains("hush hush"), "a secret is stored");
}

#[test]
fn decision_44_pages_of_deliveries_have_cursors() {
    let (world, receiver) = (world(), Receiver::accepting());
    let olivia = world.olivia();
    let path = hook(&world, &receiver, &["team"]);
    for text in ["a", "b", "c", "d"] {
        describe(&olivia, text);
    }
    let all = listed(&olivia, &path, 5);
    let first = olivia.get(&format!("{path}/deliveries?per_page=2"));
    assert_eq!(first.expect(200), &json!(all[..2]));
    let next = first.link("next").expect("a next page");
    assert!(next.contains("per_page=2") && next.contains("cursor=v1_"), "{next}");
    assert_eq!(first.link("last"), None);
    assert_eq!(olivia.get(&next).expect(200), &json!(all[2..4]));
    for wrong in ["1", "v1_", "v1_x", "v1_-1", "v2_1"] {
        let refused = olivia.get(&format!("{path}/deliveries?cursor={wrong}"));
        refused.refused(422, "Validation Failed");
        assert_eq!(refused.json["errors"][0]["field"], "cursor", "{wrong}");
    }
    // Another hook, and another organization, have none of these.
    let other = hook(&world, &Receiver::accepting(), &["member"]);
    let id = &all[0]["id"];
    olivia.get(&format!("{other}/deliveries/{id}")).refused(404, "Not Found");
    olivia.post(&format!("{other}/deliveries/{id}/attempts"), json!({})).refused(404, "Not Found");
    world.organization("globex", "olivia", &[]);
    olivia.get(&format!("{}/deliveries", path.replace("acme", "globex"))).refused(404, "Not Found");
    let cursor = next.split("cursor=").nth(1).expect("a cursor");
    let of_other = olivia.get(&format!("{other}/deliveries?cursor={cursor}")).expect(200).clone();
    assert!(of_other.as_array().expect("a list").iter().all(|item| item["event"] == "ping"), "{of_other}");
    world.max().get(&format!("{path}/deliveries")).refused(404, "Not Found");
}

#[test]
fn decision_44_a_redelivery_has_the_same_payload_and_identifier() {
    let (world, receiver) = (world(), Receiver::new(|_, _| Reply::Status(500)));
    let olivia = world.olivia();
    let path = hook(&world, &receiver, &["team"]);
    describe(&olivia, "first");
    let failed = of(&listed(&olivia, &path, 2), "team").clone();
    assert_eq!((&failed["status_code"], &failed["status"]), (&json!(500), &json!("Internal Server Error")));
    let before = receiver.count();
    receiver.answer(|_, _| Reply::Status(200));
    let again = olivia.post(&format!("{path}/deliveries/{}/attempts", failed["id"]), json!({}));
    assert_eq!(again.expect(202), &json!({}));
    let arrivals = receiver.until(|arrivals| arrivals.len() > before);
    let (first, last) = (arrivals.iter().find(|a| a.event == "team").expect("a team"), &arrivals[before]);
    assert_eq!((&last.guid, &last.body), (&first.guid, &first.body));
    let all = listed(&olivia, &path, 3);
    assert_eq!((&all[0]["redelivery"], &all[0]["status_code"]), (&json!(true), &json!(200)));
    let only = olivia.get(&format!("{path}/deliveries?redelivery=true")).expect(200).clone();
    assert_eq!(only, json!(all[..1]));
    let log = olivia.get("/orgs/acme/audit-log?phrase=action:hook.redeliver").expect(200).clone();
    assert_eq!(log[0]["after"]["guid"], first.guid);
    olivia.post(&format!("{path}/deliveries/999999/attempts"), json!({})).refused(404, "Not Found");
}

#[test]
fn decision_44_everything_since_a_time_or_a_delivery_is_replayed_in_order() {
    let (world, receiver) = (world(), Receiver::accepting());
    let olivia = world.olivia();
    let path = hook(&world, &receiver, &["team"]);
    describe(&olivia, "first");
    listed(&olivia, &path, 2);
    world.advance(60);
    describe(&olivia, "second");
    describe(&olivia, "third");
    let all = listed(&olivia, &path, 4);
    let replays = format!("{path}/replays");
    let second = all.iter().find(|item| item["delivered_at"] == "2026-01-01T00:01:00Z").expect("a delivery");
    assert_eq!(second["event"], "team");
    let replayed = olivia.post(&replays, json!({ "since": "2026-01-01T00:01:00Z" }));
    assert_eq!(replayed.expect(202), &json!({ "events": 2 }));
    let arrivals = receiver.until(|arrivals| told(arrivals).len() == 5);
    assert_eq!(told(&arrivals), ["first", "second", "third", "second", "third"]);
    listed(&olivia, &path, 6);
    let since = olivia.post(&replays, json!({ "since_delivery": all[1]["id"], "since": "2026-01-01T00:01:00Z" }));
    assert!(since.expect(202)["events"].as_i64().is_some_and(|events| events >= 1));
    olivia
        .post(&replays, json!({}))
        .refused(422, "Invalid request.\n\n\"since\" or \"since_delivery\" wasn't supplied.");
    olivia.post(&replays, json!({ "since": "yesterday" })).refused(422, "Validation Failed");
    let none = olivia.post(&replays, json!({ "since": "2027-01-01T00:00:00Z" }));
    assert_eq!(none.expect(202), &json!({ "events": 0 }));
    let log = olivia.get("/orgs/acme/audit-log?phrase=action:hook.replay").expect(200).clone();
    assert_eq!(log.as_array().map(Vec::len), Some(2), "nothing is recorded of nothing: {log}");
}

#[test]
fn decision_44_a_ping_and_its_own_deletion_reach_a_hook() {
    let (world, receiver) = (world(), Receiver::accepting());
    let olivia = world.olivia();
    let path = hook(&world, &receiver, &["meta"]);
    let has = |arrivals: &[Arrival], event: &str, times: usize| {
        arrivals.iter().filter(|arrival| arrival.event == event).count() == times
    };
    receiver.until(|arrivals| has(arrivals, "ping", 1));
    olivia.patch(&path, json!({ "active": false })).expect(200);
    olivia.post(&format!("{path}/pings"), json!({})).expect(204);
    receiver.until(|arrivals| has(arrivals, "ping", 2));
    olivia.patch(&path, json!({ "active": true })).expect(200);
    olivia.delete(&path).expect(204);
    let arrivals = receiver.until(|arrivals| has(arrivals, "meta", 1));
    let meta = arrivals.iter().find(|arrival| arrival.event == "meta").expect("meta");
    assert_eq!((meta.action(), &meta.body["hook"]["active"]), ("deleted", &json!(true)));
    assert!(meta.headers.iter().any(|(name, _)| name == "x-hub-signature-256"), "it is signed");
    olivia.get(&format!("{path}/deliveries")).refused(404, "Not Found");
}

#[test]
fn decision_68_during_a_rotation_deliveries_are_signed_with_both_secrets() {
    let (world, receiver) = (world(), Receiver::accepting());
    let olivia = world.olivia();
    let path = hook(&world, &receiver, &["team"]);
    olivia.patch(&format!("{path}/config"), json!({ "secret": "new" })).expect(200);
    let signed = |text: &'static str| {
        describe(&olivia, text);
        let arrivals = receiver.until(|arrivals| told(arrivals).contains(&text));
        let arrival = arrivals.into_iter().find(|arrival| arrival.body["team"]["description"] == text).expect("a team");
        arrival.headers.iter().filter(|(name, _)| name.starts_with("x-hub-signature")).count()
    };
    assert_eq!(signed("during"), 3);
    world.advance(86_399);
    assert_eq!(signed("at the end"), 3);
    world.advance(1);
    assert_eq!(signed("after"), 2);
}

#[test]
fn decision_44_a_hook_is_switched_off_only_if_nothing_gets_through_for_three_days() {
    let (world, receiver) = (world(), Receiver::new(|_, _| Reply::Status(500)));
    let olivia = world.olivia();
    let path = hook(&world, &receiver, &["team"]);
    let failing = || -> Option<i64> { world.rows::<(Option<i64>,)>("SELECT failing_since FROM hooks")[0].0 };
    let wait = |wanted: bool| waiting::until("it is noted", || failing().is_some() == wanted);
    let look = || {
        let (now, key) = (world.now(), [7; 32]);
        let off = world.db.write(move |tx| hooks::switch_off_failing(tx, &Author::program(&key, now, "deliveries")));
        world.block_on(off).expect("a look").len()
    };
    wait(true);
    world.advance(2 * 86_400);
    assert_eq!(look(), 0, "it has not failed for long enough");
    receiver.answer(|_, _| Reply::Status(200));
    describe(&olivia, "gets through");
    wait(false);
    receiver.answer(|_, _| Reply::Status(500));
    describe(&olivia, "does not");
    wait(true);
    world.advance(3 * 86_400);
    assert_eq!(look(), 1);
    assert_eq!(look(), 0);
    assert_eq!(olivia.get(&path).expect(200)["active"], false);
    let log = olivia.get("/orgs/acme/audit-log?phrase=action:hook.active_changed").expect(200).clone();
    assert_eq!((&log[0]["after"]["active"], &log[0]["actor"]), (&json!(false), &Value::Null));
    // One that is switched on again gets another three days. No attempt from before is under way.
    let left = || world.rows::<(i64,)>("SELECT count(*) FROM deliveries WHERE state = 'waiting'")[0].0;
    waiting::until("what waits is given up", || {
        world.advance(60);
        left() == 0
    });
    olivia.patch(&path, json!({ "active": true })).expect(200);
    assert_eq!((look(), failing()), (0, None));
}

/// Hooks of this world may reach `127.0.0.0/8`, and nothing else that is not public.
#[test]
fn decision_44_an_address_that_is_not_public_is_refused_however_it_is_spelled() {
    let world = world();
    let olivia = world.olivia();
    let hosts = ["[::1]", "10.0.0.1", "167772161", "012.0.0.1", "[::ffff:10.0.0.1]", "169.254.169.254", "[fe80::1]"];
    for host in hosts {
        let config = json!({ "url": format!("http://{host}:9/{}", hosts.len()) });
        let made = olivia.post("/orgs/acme/hooks", json!({ "name": "web", "config": config })).expect(201).clone();
        let path = format!("/orgs/acme/hooks/{}", made["id"]);
        let ping = &listed(&olivia, &path, 1)[0];
        assert_eq!((&ping["status"], &ping["status_code"]), (&json!("refused: the address is not public"), &json!(0)));
        let shown = olivia.get(&format!("{path}/deliveries/{}", ping["id"])).expect(200).clone();
        assert_eq!(shown["response"], json!({ "headers": null, "payload": null }), "{host}");
    }
}

#[test]
fn decision_68_a_redirect_is_a_failed_delivery() {
    let (world, receiver) = (world(), Receiver::new(|_, _| Reply::Status(302)));
    let path = hook(&world, &receiver, &["team"]);
    let ping = &listed(&world.olivia(), &path, 1)[0];
    assert_eq!((&ping["status"], &ping["status_code"]), (&json!("Found"), &json!(302)));
    let waiting: Vec<(i64,)> = world.rows("SELECT count(*) FROM deliveries WHERE state = 'waiting'");
    assert_eq!(waiting[0].0, 1, "it is tried again");
}
