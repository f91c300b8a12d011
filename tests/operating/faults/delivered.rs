//! The process is killed while changes are delivered: each change still reaches each receiver, in order, and under the
//! same identifier each time (decisions 44 and 45).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};

use guildhall::db::Db;

use crate::faults::program::{Place, SERVE, Server, metrics_in, text};
use crate::support::receiver::{Arrival, Receiver, Reply};
use crate::support::{Client, Value, json, waiting};

const ROUNDS: usize = 50;
const WRITERS: usize = 3;

/// A directory with the organization `acme`, owned by the administrator, and a server that may deliver to this machine.
pub fn begin() -> (Place, Server) {
    let place = Place::new();
    let server = serve(&place);
    server.admin().post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    (place, server)
}

fn serve(place: &Place) -> Server {
    place.serve_with(&[&SERVE[..], &DELIVERING].concat())
}

const DELIVERING: [&str; 4] = ["--deliveries-retry-seconds", "1", "--webhooks-allow", "127.0.0.0/8"];

/// A hook for everything; its path.
pub fn make_hook(admin: &Client, receiver: &Receiver) -> String {
    let config = json!({ "url": receiver.url, "content_type": "json" });
    let body = json!({ "name": "web", "config": config, "events": ["*"] });
    let made = admin.post("/orgs/acme/hooks", body).expect(201).clone();
    format!("/orgs/acme/hooks/{}", made["id"])
}

/// Makes teams, fills them and deletes every third, until the server is gone.
fn write_on(client: &Client, round: usize, writer: usize, done: &AtomicUsize) {
    for number in 0.. {
        let slug = format!("r{round}-w{writer}-{number}");
        let path = format!("/orgs/acme/teams/{slug}");
        let steps = [
            ("POST", "/orgs/acme/teams".to_owned(), Some(json!({ "name": slug, "privacy": "closed" }))),
            ("PATCH", path.clone(), Some(json!({ "name": slug, "description": "changed" }))),
            ("DELETE", path, None),
        ];
        for (verb, path, body) in steps.into_iter().take(if number % 3 == 0 { 3 } else { 2 }) {
            let Ok(answer) = client.attempt(verb, &path, body.map(|body| body.to_string())) else { return };
            assert!(answer.status < 300 || answer.status == 503, "{} answered {}", answer.request, answer.text);
            done.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Lets changes be made and delivered, and kills the server in the midst of it: in every other round after so many
/// changes, otherwise after so many deliveries.
fn change_until_killed(place: &Place, server: Server, receivers: &[Receiver], round: usize) {
    let (done, more) = (AtomicUsize::new(0), 1 + 7 * round % 23);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (client, done) = (server.admin(), &done);
            scope.spawn(move || write_on(&client, round, writer, done));
        }
        let receiver = &receivers[round / 2 % receivers.len()];
        if round.is_multiple_of(2) {
            while done.load(Ordering::SeqCst) < more {
                std::thread::yield_now();
            }
        } else {
            let before = receiver.count();
            receiver.until(|arrivals| arrivals.len() >= before + more);
        }
        server.kill();
        place.until_forgotten();
    });
}

/// An event as it was stored: organization, entry and part, by its identifier.
type Events = HashMap<String, (i64, i64, i64)>;

/// The events that were stored, and the entries of acme that have some facts.
fn events(place: &Place) -> (Events, BTreeSet<i64>) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let db = Db::open(&place.database.address).await.expect("the database");
        let read = db.read(|tx| {
            let events: Vec<(String, i64, i64, i64)> =
                tx.all("SELECT guid, org_id, entry, part FROM delivery_events WHERE event <> 'ping'", &[])?;
            let told: Vec<(i64,)> =
                tx.all("SELECT entry FROM journal_facts WHERE org_id = 1 AND event LIKE 'team.%'", &[])?;
            Ok((events, told))
        });
        let (events, told) = read.await.expect("events");
        let events = events.into_iter().map(|(guid, org, entry, part)| (guid, (org, entry, part))).collect();
        (events, told.into_iter().map(|(entry,)| entry).collect())
    })
}

/// Fails unless each event has reached the receiver, and those of each team in their order.
fn check(arrivals: &[Arrival], events: &Events, told: &BTreeSet<i64>) {
    let accepted = arrivals.iter().filter(|arrival| arrival.accepted && arrival.event != "ping");
    let accepted: BTreeSet<&str> = accepted.map(|arrival| arrival.guid.as_str()).collect();
    for (guid, place) in events {
        assert!(accepted.contains(guid.as_str()), "{place:?} has not arrived");
    }
    let entries: BTreeSet<i64> = accepted.iter().map(|guid| events[*guid].1).collect();
    assert!(told.is_subset(&entries), "{:?} were never sent", told.difference(&entries));
    let (mut seen, mut last) = (BTreeSet::new(), BTreeMap::new());
    for arrival in arrivals.iter().filter(|arrival| arrival.accepted && arrival.event != "ping") {
        let place = events.get(&arrival.guid).unwrap_or_else(|| panic!("{arrival:?} was invented"));
        if seen.insert(&arrival.guid) {
            let before = last.insert(arrival.team(), place);
            assert!(before.is_none_or(|before| before < place), "{place:?} of a team after {before:?}");
        }
    }
}

#[test]
fn decision_45_killed_fifty_times_each_change_still_reaches_each_receiver_in_order() {
    let (place, mut server) = begin();
    let receivers: Vec<Receiver> = (0..2)
        .map(|_| {
            Receiver::new(|number, _| {
                if number % 3 == 2 { [Reply::Status(500), Reply::Close][number % 2] } else { Reply::Status(200) }
            })
        })
        .collect();
    for receiver in &receivers {
        make_hook(&server.admin(), receiver);
    }
    for round in 0..ROUNDS {
        change_until_killed(&place, server, &receivers, round);
        server = serve(&place);
    }
    for receiver in &receivers {
        receiver.answer(|_, _| Reply::Status(200));
    }
    // Everything is expanded when the last change is.
    let last = server.admin().post("/orgs/acme/teams", json!({ "name": "The last" })).expect(201)["id"].as_i64();
    for receiver in &receivers {
        receiver.until(|arrivals| arrivals.iter().any(|a| a.accepted && Some(a.team()) == last));
    }
    let (events, told) = events(&place);
    for receiver in &receivers {
        let all = |arrivals: &[Arrival]| {
            let accepted: BTreeSet<&str> = arrivals.iter().filter(|a| a.accepted).map(|a| a.guid.as_str()).collect();
            events.keys().all(|guid| accepted.contains(guid.as_str()))
        };
        let arrivals = receiver.until(all);
        check(&arrivals, &events, &told);
    }
    server.tell_to_stop();
    assert!(server.wait(), "it stops in good order");
    place.must_be_well();
}

#[test]
fn what_is_sent_but_not_written_down_is_sent_again_with_the_same_identifier_and_what_is_not_sent_is_sent() {
    let (place, server) = begin();
    let receiver = Receiver::new(|_, body| if body["zen"].is_string() { Reply::Status(200) } else { Reply::Hold });
    make_hook(&server.admin(), &receiver);
    let admin = server.admin();
    admin.post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201);
    let of_teams = |arrivals: Vec<Arrival>| -> Vec<Arrival> { arrivals.into_iter().filter(|a| a.team() > 0).collect() };
    let held = of_teams(receiver.until(|arrivals| arrivals.iter().any(|arrival| arrival.team() > 0)));
    // Committed and acknowledged, and not sent as long as the one before is not done.
    admin.patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": "changed" })).expect(200);
    admin.patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": "changed again" })).expect(200);
    let sent = receiver.count();
    server.kill();
    receiver.release();
    receiver.answer(|_, _| Reply::Status(200));
    place.until_forgotten();
    let server = serve(&place);
    // The owner who makes a team is in it.
    let expected = ["created", "added", "edited", "edited"];
    let has_all = |arrivals: &[Arrival]| of_teams(arrivals[sent..].to_vec()).len() >= expected.len();
    let again = of_teams(receiver.until(has_all)[sent..].to_vec());
    assert_eq!((&again[0].guid, &again[0].body), (&held[0].guid, &held[0].body));
    let actions: Vec<&str> = again.iter().map(Arrival::action).collect();
    assert_eq!(actions, expected);
    let guids: BTreeSet<&String> = again.iter().map(|arrival| &arrival.guid).collect();
    assert_eq!(guids.len(), expected.len());
    server.tell_to_stop();
    assert!(server.wait(), "it stops in good order");
    place.must_be_well();
    let all = of_teams(receiver.arrivals()).len();
    assert_eq!(all, held.len() + expected.len(), "what is written down is not sent again");
}

/// The output of a command.
#[track_caller]
fn printed(place: &Place, command: &[&str]) -> String {
    let output = place.run(command);
    assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn an_operator_sees_what_was_not_delivered_and_retries_or_drops_it() {
    let (place, server) = begin();
    let receiver = Receiver::new(|_, body| Reply::Status(if body["team"].is_object() { 500 } else { 200 }));
    let admin = server.admin();
    let hook = make_hook(&admin, &receiver);
    let id = hook.rsplit('/').next().expect("an identifier").to_owned();
    admin.post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201);
    receiver.until(|arrivals| arrivals.len() > 1);
    // It is no longer told of anything, so what waits is given up.
    admin.patch(&hook, json!({ "active": false })).expect(200);
    let list = ["deliveries", "list", "--org", "acme", "--hook", id.as_str(), "--jsonl"];
    let dead = waiting::found(|| {
        let lines = printed(&place, &list);
        if lines.lines().count() == 2 { Ok(lines) } else { Err(lines) }
    });
    let dead: Vec<Value> = dead.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        (&dead[0]["event"], &dead[0]["action"], &dead[0]["state"]),
        (&json!("team"), &json!("created"), &json!("dead"))
    );
    assert_eq!((&dead[1]["event"], &dead[1]["organization"]), (&json!("membership"), &json!("acme")));
    let array = ["deliveries", "list", "--org", "acme", "--json"];
    assert_eq!(serde_json::from_str::<Vec<Value>>(&printed(&place, &array)).expect("an array"), dead);
    assert!(printed(&place, &["doctor"]).contains("note: 2 deliveries were given up"));
    let line = printed(&place, &["deliveries", "list", "--limit", "1"]);
    assert!(line.starts_with(&format!("{} dead acme hook={id} team.created guid=", dead[0]["id"])), "{line}");
    assert!(!place.run(&["deliveries", "retry"]).status.success(), "it says which, or --all");
    assert!(!place.run(&["deliveries", "list", "--org", "nowhere"]).status.success());
    // What is not there is refused, and what is named next to it stays as it is.
    let there = dead[0]["id"].to_string();
    let no_hook = "no webhook has the identifier 999";
    let no_delivery = "no waiting or dead delivery has the identifier 999";
    for (command, why) in [
        (&["retry", "--all", "--hook", "999"][..], no_hook),
        (&["retry", there.as_str(), "--hook", "999"], no_hook),
        (&["retry", there.as_str(), "999"], no_delivery),
        (&["drop", there.as_str(), "999"], no_delivery),
    ] {
        let refused = place.run(&[&["deliveries"], command].concat());
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(1) && refused.stdout.is_empty() && said.contains(why), "{said}");
    }
    assert_eq!(printed(&place, &list).lines().count(), 2);

    let dropped = printed(&place, &["deliveries", "drop", &dead[1]["id"].to_string()]);
    assert_eq!(dropped.trim(), "1 delivery was dropped");
    admin.patch(&hook, json!({ "active": true })).expect(200);
    receiver.answer(|_, _| Reply::Status(200));
    let before = receiver.count();
    assert_eq!(printed(&place, &["deliveries", "retry", "--all"]).trim(), "1 delivery is attempted again");
    let arrivals = receiver.until(|arrivals| arrivals.len() > before);
    assert_eq!(arrivals[before].guid, dead[0]["guid"].as_str().expect("an identifier"));
    assert_eq!(printed(&place, &list), "");
    let log = printed(&place, &["audit", "--site", "--action", "delivery"]);
    assert!(log.contains("delivery.drop") && log.contains("delivery.retry"), "{log}");
    server.tell_to_stop();
    assert!(server.wait());
    place.must_be_well();
}

#[test]
fn an_operator_replays_what_a_hook_was_sent() {
    let (place, server) = begin();
    let receiver = Receiver::accepting();
    let admin = server.admin();
    let hook = make_hook(&admin, &receiver);
    let id = hook.rsplit('/').next().expect("an identifier").to_owned();
    admin.post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201);
    let sent = receiver.until(|arrivals| arrivals.len() == 3);
    let written = || admin.get(&format!("{hook}/deliveries")).expect(200).as_array().map_or(0, Vec::len);
    waiting::until("the deliveries are written down", || written() == 3);
    let replay = ["deliveries", "replay", "--hook", id.as_str()];
    assert_eq!(printed(&place, &[&replay[..], &["--since", "1h"]].concat()).trim(), "3 events are sent again");
    let arrivals = receiver.until(|arrivals| arrivals.len() == 6);
    let guids = |arrivals: &[Arrival]| arrivals.iter().map(|arrival| arrival.guid.clone()).collect::<BTreeSet<_>>();
    assert_eq!(guids(&arrivals[3..]), guids(&sent));
    assert!(printed(&place, &["audit", "acme", "--action", "hook.replay"]).contains("hook.replay"));
    assert!(!place.run(&replay).status.success(), "it says since when");
    let unknown = place.run(&["deliveries", "replay", "--hook", "999", "--since", "1h"]);
    assert!(text(&unknown.stderr).contains("no webhook has the identifier 999"));
}

#[test]
fn metrics_show_what_is_delivered_what_fails_and_what_waits() {
    let (place, server) = begin();
    let receiver = Receiver::new(|_, body| Reply::Status(if body["team"].is_object() { 500 } else { 200 }));
    make_hook(&server.admin(), &receiver);
    server.kill();
    place.until_forgotten();
    let log = place.database.directory().join("log");
    let arguments = place.arguments(&[&SERVE[..], &DELIVERING, &["--metrics-listen", "127.0.0.1:0"]].concat());
    let server = Server::within(&format!("exec \"$@\" 2>{}", log.display()), &arguments);
    let metrics = metrics_in(&log);
    server.admin().post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201);
    let client = Client::new(&format!("http://{metrics}"), None);
    waiting::found(|| {
        let text = client.get("/metrics").text;
        let value = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.and_then(|value| value.parse::<f64>().ok()).unwrap_or_else(|| panic!("no {name} in {text}"))
        };
        // Two events of a team: the second waits behind the first, which fails.
        let waits = value("guildhall_deliveries_waiting") >= 2.0 && value("guildhall_delivery_oldest_seconds") >= 1.0;
        assert!(value("guildhall_deliveries_given_up_total") < 1.0 && value("guildhall_deliveries_dead") < 1.0);
        if waits && value("guildhall_delivery_failures_total") >= 1.0 { Ok(()) } else { Err(text) }
    });
    receiver.answer(|_, _| Reply::Status(200));
    receiver.until(|arrivals| arrivals.iter().filter(|a| a.accepted && a.team() > 0).count() >= 2);
}

#[test]
fn the_first_start_on_a_store_with_history_says_that_nothing_from_before_is_delivered() {
    let place = Place::new();
    let (file, log) = (place.database.directory().join("org.yaml"), place.database.directory().join("log"));
    std::fs::write(&file, "orgs:\n  acme:\n    admins: [olivia]\n").expect("to write");
    assert!(place.run(&["import", file.to_str().expect("text")]).status.success());
    for lines in [1, 0] {
        let server = place.serve_logging(&log);
        server.tell_to_stop();
        assert!(server.wait());
        let text = std::fs::read_to_string(&log).expect("the log");
        assert_eq!(text.matches("earlier changes are not delivered").count(), lines, "{text}");
    }
}

/// Decision 1: payloads are built from `public_url`, or else from the listening address, and the log says so once.
#[test]
fn links_in_payloads_begin_with_the_public_url_and_the_log_warns_if_there_is_none() {
    for (flag, lines) in [("", 1), ("--public-url https://teams.example.com", 0)] {
        let place = Place::new();
        let log = place.database.directory().join("log");
        let allow = "--webhooks-allow 127.0.0.0/8";
        let server = place.serve_within(&format!("exec \"$@\" {allow} {flag} 2> {}", log.display()));
        let (admin, receiver) = (server.admin(), Receiver::accepting());
        admin.post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
        make_hook(&admin, &receiver);
        admin.post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201);
        let arrivals = receiver.until(|arrivals| arrivals.len() == 3);
        server.tell_to_stop();
        assert!(server.wait());
        let text = std::fs::read_to_string(&log).expect("the log");
        assert_eq!(text.matches("because `public_url` is not set").count(), lines, "{text}");
        let begins = if lines == 0 { "https://teams.example.com/orgs/acme" } else { "http://127.0.0.1:" };
        for arrival in arrivals {
            assert!(arrival.body["organization"]["url"].as_str().is_some_and(|url| url.starts_with(begins)));
        }
    }
}
