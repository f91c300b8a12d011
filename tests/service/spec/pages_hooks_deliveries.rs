//! The deliveries of a webhook on its pages: what came back, and sending them again (decision 44).

use super::given;
use super::mail_invitations::world;
use super::pages_hooks::HOOKS;
use super::pages_organization::{send, sound};
use super::pages_team::{hidden, shows};
use super::sign_in::signed_in;
use crate::support::receiver::{Receiver, Reply};
use crate::support::{Value, World, json, waiting};

/// A webhook of acme for changes of teams: the path of its record below the API and of its room.
fn hook(world: &World, receiver: &Receiver) -> (String, String) {
    let config = json!({ "url": receiver.url, "content_type": "json", "secret": "hush hush" });
    let body = json!({ "name": "web", "config": config, "events": ["team"] });
    let made = world.olivia().post("/orgs/acme/hooks", body).expect(201).clone();
    (format!("/orgs/acme/hooks/{}", made["id"]), format!("{HOOKS}/{}", made["id"]))
}

fn describe(world: &World, text: &str) {
    let fields = json!({ "name": "Core", "description": text });
    world.olivia().patch("/orgs/acme/teams/core", fields).expect(200);
}

/// The deliveries, the newest first, as soon as there are so many.
fn listed(world: &World, record: &str, count: usize) -> Vec<Value> {
    waiting::found(|| {
        let found = world.olivia().all(&format!("{record}/deliveries"));
        if found.len() >= count { Ok(found) } else { Err(found) }
    })
}

#[test]
fn decision_44_the_room_shows_deliveries_and_sends_one_again() {
    let (world, receiver) = (world(), Receiver::accepting());
    let (record, room) = hook(&world, &receiver);
    describe(&world, "<b>bold</b>");
    let found = listed(&world, &record, 2);
    let item = found.iter().find(|item| item["event"] == "team").expect("a team");
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(HOOKS);
    shows(&olivia, &["<span class=\"state good\">Working</span>"], &[]);
    assert!(!olivia.visit("/ui").text.contains("Waiting for you"), "{}", olivia.page.text);
    olivia.visit(&room);
    sound(&olivia.page.text);
    shows(&olivia, &[">team.edited</a>", ">ping</a>", "<span class=\"state good\">200 after "], &["failed", "hush"]);
    let delivery = format!("{room}/deliveries/{}", item["id"]);
    olivia.visit(&delivery);
    sound(&olivia.page.text);
    shows(&olivia, &["X-GitHub-Event: team", "&#60;b&#62;bold", "content-length: 2"], &["<b>bold", "hush"]);
    assert_eq!(olivia.send(&[]).status, 200);
    shows(&olivia, &["It is sent again."], &[]);
    let found = listed(&world, &record, 3);
    assert_eq!((&found[0]["redelivery"], &found[0]["guid"]), (&json!(true), &item["guid"]));
    let id = item["id"].to_string();
    assert_eq!(send(&mut olivia, &room, &[("again", &id)]), 200);
    assert_eq!(listed(&world, &record, 4)[0]["guid"], item["guid"]);
    olivia.visit(&room);
    shows(&olivia, &["sent again on request"], &[]);
    for again in ["", "0", "x", "<x>", "99999999999999999999"] {
        assert_eq!(send(&mut olivia, &room, &[("again", again)]), 422, "{again}");
        shows(&olivia, &["This delivery is not kept any more."], &["<x>"]);
    }
    // The delivery belongs to its webhook alone.
    let (_, other) = hook(&world, &Receiver::accepting());
    assert_eq!(olivia.visit(&delivery.replace(&room, &other)).status, 404);
    assert_eq!(send(&mut olivia, &other, &[("again", &id)]), 422);
}

#[test]
fn decision_44_a_delivery_that_gets_no_answer_says_why() {
    let world = world();
    let (record, room) = hook(&world, &Receiver::new(|_, _| Reply::Close));
    listed(&world, &record, 1);
    let mut olivia = signed_in(&world, "olivia");
    for path in ["/ui", &room] {
        olivia.visit(path);
        shows(
            &olivia,
            &["The program ended the connection without an answer."],
            &["after 0.", "connection was closed"],
        );
    }
}

#[test]
fn decision_44_what_failed_waits_at_home_and_is_sent_again_at_once() {
    let world = world();
    let receiver = Receiver::new(|_, _| Reply::Status(500));
    let (record, room) = hook(&world, &receiver);
    listed(&world, &record, 1);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit("/ui");
    sound(&olivia.page.text);
    shows(&olivia, &["Waiting for you <span class=\"meta\">1</span>", "500 after ", &format!("href=\"{room}\"")], &[]);
    olivia.visit(HOOKS);
    shows(&olivia, &["<span class=\"state bad\">Failing</span>"], &[]);
    olivia.visit(&room);
    sound(&olivia.page.text);
    shows(&olivia, &["<b>The last delivery failed.</b>", "for 3 days.</span>"], &["name=\"delivery\"", "at once."]);
    for login in ["max", "nina"] {
        let mut other = signed_in(&world, login);
        other.visit("/ui");
        shows(&other, &[], &["Waiting for you", "webhook"]);
    }
    // What waits to be sent is not sent twice.
    let first = listed(&world, &record, 1).last().expect("one")["id"].to_string();
    assert_eq!(send(&mut olivia, &room, &[("do", "replay"), ("delivery", &first)]), 200);
    shows(&olivia, &["There is nothing to send again"], &[]);
    receiver.answer(|_, _| Reply::Status(200));
    world.advance(60 * 60);
    waiting::until("a delivery that was accepted", || listed(&world, &record, 1)[0]["status_code"] == 200);
    for since in [("delivery", first.as_str()), ("period", "day")] {
        let before = listed(&world, &record, 1).len();
        assert_eq!(send(&mut olivia, &room, &[("do", "replay"), since]), 200);
        shows(&olivia, &["Everything since then is sent again, in order."], &[]);
        listed(&world, &record, before + 1);
    }
    olivia.visit("/ui");
    shows(&olivia, &[], &["Waiting for you"]);
    for wrong in [("period", ""), ("period", "<x>"), ("delivery", ""), ("delivery", "x"), ("delivery", "1e9")] {
        assert_eq!(send(&mut olivia, &room, &[("do", "replay"), wrong]), 422, "{wrong:?}");
        shows(&olivia, &["<title>Error: "], &["<x>"]);
    }
    assert_eq!(send(&mut olivia, &room, &[("do", "banana")]), 404);
}

#[test]
fn decision_44_what_failed_is_offered_again_if_it_does_not_wait_to_be_sent() {
    let world = world();
    let receiver = Receiver::new(|_, _| Reply::Status(500));
    let (record, room) = hook(&world, &receiver);
    for n in 0..20 {
        given::closed(&world, &format!("Team {n}"));
    }
    listed(&world, &record, 21);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&room);
    shows(&olivia, &["<b>The last 20 or more deliveries failed.</b>"], &["name=\"delivery\"", "at once.", "and more"]);
    assert_eq!(world.execute("UPDATE deliveries SET state = 'dead' WHERE kind = 'hook' AND state = 'waiting'"), 21);
    olivia.visit(&room);
    sound(&olivia.page.text);
    shows(&olivia, &["you can send all of them at once.", "Send all 20 again</button>"], &[]);
    let first = hidden(&olivia, "delivery");
    assert_eq!(olivia.send(&[("do", "replay"), ("delivery", &first)]).status, 200);
    shows(&olivia, &["Everything since then is sent again, in order."], &[]);
}

#[test]
fn decision_44_the_room_shows_its_deliveries_page_by_page() {
    let (world, receiver) = (world(), Receiver::accepting());
    let (record, room) = hook(&world, &receiver);
    for n in 0..24 {
        describe(&world, &format!("{n}"));
    }
    let all = listed(&world, &record, 25);
    let mut olivia = signed_in(&world, "olivia");
    let shown = |page: &str| page.matches("name=\"again\"").count();
    assert_eq!(shown(&olivia.visit(&room).text), 20);
    sound(&olivia.page.text);
    let next = format!("{room}?before={}", all[19]["id"]);
    shows(&olivia, &[&format!("href=\"{next}\" rel=\"next\">Older</a>")], &["Newest"]);
    assert_eq!(shown(&olivia.visit(&next).text), 5);
    sound(&olivia.page.text);
    shows(&olivia, &["Newest"], &["Older"]);
    for query in ["?before=0", "?before=-1", "?before=x", "?before=99999999999999999999", "?before=", "?before=%00"] {
        assert_eq!(shown(&olivia.visit(&format!("{room}{query}")).text), 20, "{query}");
    }
    olivia.visit(&format!("{room}?before=1"));
    shows(&olivia, &["There are no older deliveries"], &[]);
}

#[test]
fn decision_53_long_and_odd_responses_fit_the_page() {
    let world = world();
    let receiver = Receiver::accepting();
    let (record, room) = hook(&world, &receiver);
    // The second change names the first text, too, and the name of the team is in each of its URLs.
    for first in ["a", "b"] {
        let text = format!("{first}{}", "<&\"\u{202e}\u{1f600}".repeat(200));
        let fields = json!({ "name": "x".repeat(255), "description": text });
        let slug = if first == "a" { "core".to_owned() } else { "x".repeat(255) };
        world.olivia().patch(&format!("/orgs/acme/teams/{slug}"), fields).expect(200);
    }
    let found = listed(&world, &record, 3);
    let ids = found.iter().filter(|item| item["event"] == "team").filter_map(|item| item["id"].as_i64());
    let id = ids.max().expect("a team");
    let mut olivia = signed_in(&world, "olivia");
    assert_eq!(olivia.visit(&format!("{room}/deliveries/{id}")).status, 200);
    sound(&olivia.page.text);
    shows(&olivia, &["…</code>"], &["<&"]);
}
