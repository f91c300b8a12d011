//! The times at which deliveries are made, repeated, given up and forgotten (decisions 44, 45 and 47).

use std::time::Duration;

use guildhall::deliver::trim::{self, Cutoff};
use guildhall::journal::{cursors, retention};

use crate::support::receiver::{Arrival, Receiver, Reply};
use crate::support::world::Settings;
use crate::support::{Client, Value, World, json, waiting};

const DAY: i64 = 86_400;

fn world() -> World {
    World::with(Settings { delivers: true, ..Settings::default() })
}

/// A hook of acme for teams, which has got its ping.
fn hook(world: &World, receiver: &Receiver) -> String {
    let config = json!({ "url": receiver.url, "content_type": "json" });
    let body = json!({ "name": "web", "config": config, "events": ["team"] });
    let made = world.olivia().post("/orgs/acme/hooks", body).expect(201).clone();
    format!("/orgs/acme/hooks/{}", made["id"])
}

fn team(client: &Client, name: &str) {
    client.post("/orgs/acme/teams", json!({ "name": name })).expect(201);
}

fn describe(client: &Client, text: &str) {
    client.patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": text })).expect(200);
}

/// The descriptions and names of the teams that have arrived, in order.
fn told(arrivals: &[Arrival]) -> Vec<String> {
    let text = |arrival: &Arrival| {
        let team = &arrival.body["team"];
        team["description"].as_str().or(team["name"].as_str()).unwrap_or_default().to_owned()
    };
    arrivals.iter().filter(|arrival| arrival.event == "team").map(text).collect()
}

fn has(arrivals: &[Arrival], wanted: &str, times: usize) -> bool {
    told(arrivals).iter().filter(|text| *text == wanted).count() >= times
}

/// Advances the clock, a minute at a time, until this is so.
fn advance_until(world: &World, receiver: &Receiver, wanted: &str, times: usize) -> Vec<Arrival> {
    waiting::found(|| {
        let arrivals = receiver.arrivals();
        if has(&arrivals, wanted, times) {
            return Ok(arrivals);
        }
        world.advance(60);
        Err(format!("{wanted} has not arrived: {:?}", told(&arrivals)))
    })
}

#[test]
fn decision_44_a_failed_delivery_is_repeated_and_holds_up_its_team_for_an_hour_at_most() {
    let world = world();
    let fails = |_: usize, body: &Value| {
        if body["team"]["description"] == "first" { Reply::Status(500) } else { Reply::Status(200) }
    };
    let receiver = Receiver::new(fails);
    hook(&world, &receiver);
    let olivia = world.olivia();
    describe(&olivia, "first");
    describe(&olivia, "second");
    describe(&olivia, "third");
    team(&olivia, "Other");
    let arrivals = receiver.until(|arrivals| has(arrivals, "Other", 1) && has(arrivals, "first", 1));
    assert!(!has(&arrivals, "second", 1), "{:?}", told(&arrivals));
    // It is repeated under the same identifier, and the next one still waits.
    world.advance(10);
    let arrivals = receiver.until(|arrivals| has(arrivals, "first", 2));
    let firsts: Vec<&Arrival> = arrivals.iter().filter(|a| a.body["team"]["description"] == "first").collect();
    assert_eq!(firsts[0].guid, firsts[1].guid);
    assert!(!has(&arrivals, "second", 1), "{:?}", told(&arrivals));
    // An hour later the others go on, in their order.
    world.advance(3_700);
    let arrivals = receiver.until(|arrivals| has(arrivals, "third", 1));
    let texts = told(&arrivals);
    let at = |wanted: &str| texts.iter().position(|text| text == wanted);
    assert!(at("second") < at("third"), "{texts:?}");
    let failed = texts.iter().filter(|text| *text == "first").count();
    receiver.answer(|_, _| Reply::Status(200));
    let arrivals = advance_until(&world, &receiver, "first", failed + 1);
    assert!(arrivals.last().is_some_and(|last| last.accepted));
}

#[test]
fn decision_44_after_three_days_a_delivery_is_given_up_and_administrators_see_it() {
    let world = world();
    let receiver = Receiver::new(|_, body| if body["zen"].is_string() { Reply::Status(200) } else { Reply::Close });
    let hook = hook(&world, &receiver);
    describe(&world.olivia(), "lost");
    receiver.until(|arrivals| has(arrivals, "lost", 1));
    world.advance(3 * DAY);
    receiver.until(|arrivals| has(arrivals, "lost", 2));
    let sam = world.sam();
    let dead = waiting::found(|| {
        let dead = sam.get("/admin/deliveries").expect(200).clone();
        if dead == json!([]) { Err("nothing was given up") } else { Ok(dead) }
    });
    let id = hook.rsplit('/').next().and_then(|id| id.parse::<i64>().ok());
    assert_eq!(
        (dead[0]["hook_id"].as_i64(), &dead[0]["organization"], &dead[0]["event"]),
        (id, &json!("acme"), &json!("team"))
    );
    assert_eq!(
        (&dead[0]["state"], &dead[0]["attempts"], &dead[0]["next_at"]),
        (&json!("dead"), &json!(2), &Value::Null)
    );
    assert_eq!(sam.get("/admin/deliveries?state=waiting").expect(200), &json!([]));
    assert_eq!(sam.get("/admin/deliveries?hook_id=999").expect(200), &json!([]));
    world.olivia().get("/admin/deliveries").expect(403);
    // What comes after it is not held up.
    receiver.answer(|_, _| Reply::Status(200));
    describe(&world.olivia(), "later");
    receiver.until(|arrivals| has(arrivals, "later", 1));
    let link = waiting::found(|| {
        let page = sam.get("/admin/deliveries?state=delivered&per_page=1");
        page.header("link").map(str::to_owned).ok_or("it is not written down")
    });
    assert!(link.contains("state=delivered") && link.contains("after="), "{link}");
    let delivered = sam.get("/admin/deliveries?state=delivered").expect(200).clone();
    assert_eq!(delivered.as_array().map(Vec::len), Some(2), "{delivered}");
}

#[test]
fn decision_44_a_receiver_that_hangs_delays_neither_another_nor_a_request() {
    let world = world();
    let (hanging, working) = (Receiver::new(|_, _| Reply::Hold), Receiver::accepting());
    hook(&world, &hanging);
    hook(&world, &working);
    hanging.until(|arrivals| !arrivals.is_empty());
    let olivia = world.olivia();
    team(&olivia, "Team 0");
    working.until(|arrivals| told(arrivals) == ["Team 0"]);
    // An attempt that has ended is written down by then.
    world.settle();
    assert_eq!(world.rows::<(i64,)>(HAS_HUNG), [(0,)], "it waited for the receiver that hangs");
    for number in 1..40 {
        team(&olivia, &format!("Team {number}"));
    }
    working.until(|arrivals| told(arrivals).len() == 40);
    // A sixth comes only when an attempt was given up, after ten seconds.
    let arrivals = hanging.arrivals();
    let after = arrivals.get(5).map(|sixth| sixth.at - arrivals[0].at);
    assert!(after.is_none_or(|after| after > Duration::from_secs(5)), "it has few connections: {after:?}");
    hanging.answer(|_, _| Reply::Status(200));
    hanging.release();
}

/// The number of attempts at the first webhook that have ended.
const HAS_HUNG: &str = "SELECT count(*) FROM delivery_attempts WHERE target_id = (SELECT min(id) FROM hooks)";

#[test]
fn decision_44_a_hook_gets_nothing_from_before_its_creation() {
    let world = world();
    let olivia = world.olivia();
    team(&olivia, "Before");
    let receiver = Receiver::accepting();
    hook(&world, &receiver);
    team(&olivia, "After");
    let arrivals = receiver.until(|arrivals| has(arrivals, "After", 1));
    assert_eq!(told(&arrivals), ["After"]);
    // A second one beside it begins where it was made, too.
    let second = Receiver::accepting();
    hook(&world, &second);
    team(&olivia, "Last");
    assert_eq!(told(&second.until(|arrivals| has(arrivals, "Last", 1))), ["Last"]);
    assert_eq!(told(&receiver.until(|arrivals| has(arrivals, "Last", 1))), ["After", "Last"]);
}

#[test]
fn decision_44_what_waits_for_a_hook_that_is_deleted_is_dropped_and_the_hook_is_told_of_that() {
    let world = world();
    let receiver = Receiver::new(|_, body| Reply::Status(if body["team"].is_object() { 500 } else { 200 }));
    let path = hook(&world, &receiver);
    let olivia = world.olivia();
    olivia.patch(&path, json!({ "events": ["team", "meta"] })).expect(200);
    describe(&olivia, "first");
    describe(&olivia, "second");
    receiver.until(|arrivals| has(arrivals, "first", 1));
    olivia.delete(&path).expect(204);
    receiver.until(|arrivals| arrivals.iter().any(|arrival| arrival.event == "meta" && arrival.accepted));
    world.advance(2 * 3_600);
    let sam = world.sam();
    waiting::found(|| {
        let waiting = sam.get("/admin/deliveries?state=waiting");
        if waiting.json == json!([]) { Ok(()) } else { Err(waiting.text) }
    });
    assert_eq!(sam.get("/admin/deliveries").expect(200), &json!([]), "nothing is left to be retried");
    assert!(!has(&receiver.arrivals(), "second", 1));
}

#[test]
fn decision_44_what_waits_for_a_hook_that_is_switched_off_is_given_up() {
    let world = world();
    let receiver =
        Receiver::new(|_, body| if body["team"].is_object() { Reply::Status(500) } else { Reply::Status(200) });
    let path = hook(&world, &receiver);
    let olivia = world.olivia();
    describe(&olivia, "first");
    describe(&olivia, "second");
    receiver.until(|arrivals| has(arrivals, "first", 1));
    // The ping may not be written down yet.
    waiting::found(|| {
        let waiting = world.sam().all("/admin/deliveries?state=waiting");
        let of_teams = waiting.iter().filter(|delivery| delivery["event"] == "team").count();
        if of_teams == 2 { Ok(()) } else { Err(waiting) }
    });
    olivia.patch(&path, json!({ "active": false })).expect(200);
    world.advance(2 * 3_600);
    waiting::found(|| {
        let dead = world.sam().get("/admin/deliveries");
        if dead.json.as_array().map(Vec::len) == Some(2) { Ok(()) } else { Err(dead.text) }
    });
    assert!(world.sam().get("/admin/deliveries").json[0]["last_status"] == "the hook is switched off");
    assert!(!has(&receiver.arrivals(), "second", 1));
}

#[test]
fn decision_47_deliveries_are_deleted_after_their_time_and_facts_only_when_they_are_expanded() {
    let world = world();
    let receiver = Receiver::accepting();
    hook(&world, &receiver);
    describe(&world.olivia(), "old");
    receiver.until(|arrivals| has(arrivals, "old", 1));
    let count = || world.rows::<(i64,)>("SELECT count(*) FROM deliveries WHERE state = 'delivered'")[0].0;
    // The ping, and the change.
    waiting::until("both are written down", || count() == 2);
    let delivered = count();
    world.block_on(trim::trim(&world.db, Cutoff::of_days(world.now(), 30, 90))).expect("to trim");
    assert_eq!(count(), delivered, "they are not old");
    world.advance(31 * DAY);
    describe(&world.olivia(), "new");
    receiver.until(|arrivals| has(arrivals, "new", 1));
    world.execute(
        "UPDATE deliveries SET state = 'dead', finished_at = created_at WHERE id = (SELECT min(id) FROM deliveries)",
    );
    world.block_on(trim::trim(&world.db, Cutoff::of_days(world.now(), 30, 90))).expect("to trim");
    let left =
        world.rows::<(String, i64)>("SELECT d.state, count(*) FROM deliveries d GROUP BY d.state ORDER BY d.state");
    assert!(left.iter().any(|(state, _)| state == "dead"), "those that were given up are kept longer: {left:?}");
    let old = world.now().plus_seconds(-30 * DAY).0;
    let attempts = world.rows::<(i64,)>("SELECT at FROM delivery_attempts");
    assert!(attempts.iter().all(|(at,)| *at > old), "attempts are as old as deliveries");

    // Another server's worker may be behind: what it has not read is kept.
    let idle = World::new();
    idle.block_on(idle.db.write(cursors::follow_all)).expect("followed journals");
    hook(&idle, &receiver);
    team(&idle.olivia(), "Kept");
    idle.advance(40 * DAY);
    let due = |world: &World| {
        let cutoff = retention::Cutoff::of_days(world.now(), 365, 30);
        let due = world.db.read(move |tx| {
            let before: Vec<(i64,)> = tx.all("SELECT count(*) FROM journal_facts WHERE org_id = 1", &[])?;
            Ok((retention::is_due(tx, 1, cutoff)?, before[0].0))
        });
        world.block_on(due).expect("to look")
    };
    let trim_all = |world: &World| {
        let cutoff = retention::Cutoff::of_days(world.now(), 365, 30);
        while due(world).0 {
            world.block_on(world.db.write(move |tx| retention::trim(tx, &[7; 32], 1, cutoff))).expect("to trim");
        }
    };
    trim_all(&idle);
    let kept = due(&idle).1;
    assert!(kept >= 2, "the ping and the team are not expanded yet, but only {kept} facts are left");
    idle.execute("UPDATE delivery_cursors SET entry = (SELECT h.entry FROM journal_heads h WHERE h.org_id = delivery_cursors.org_id)");
    trim_all(&idle);
    assert_eq!(due(&idle).1, 0, "nothing needs them any more");
}

#[test]
fn decision_45_a_store_that_fails_at_any_statement_loses_no_delivery() {
    const CHANGES: u32 = 40;
    let world = world();
    let receiver = Receiver::accepting();
    hook(&world, &receiver);
    let olivia = world.olivia();
    for number in 1..=CHANGES {
        let body = json!({ "name": "Core", "description": format!("number {number}") });
        // The statement that fails may be one of this request.
        while olivia.patch("/orgs/acme/teams/core", body.clone()).status != 200 {}
        world.faults.arm(number);
    }
    _ = world.faults.disarm();
    let last = format!("number {CHANGES}");
    let texts = told(&receiver.until(|arrivals| has(arrivals, &last, 1)));
    // What was sent may be sent again, so each counts by its first time.
    let firsts: Vec<&String> =
        texts.iter().enumerate().filter(|(at, text)| !texts[..*at].contains(text)).map(|(_, text)| text).collect();
    let expected: Vec<String> = (1..=CHANGES).map(|number| format!("number {number}")).collect();
    assert_eq!(firsts, expected.iter().collect::<Vec<_>>());
}
