//! The deliveries in the rooms of site administrators: why each failed, and trying again (decision 44).

use super::mail_invitations::world;
use super::pages_organization::sound;
use super::pages_team::shows;
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::{World, json, waiting};

const ROOM: &str = "/ui/admin/deliveries";

/// Port 9 answers nothing.
const URL: &str = "http://127.0.0.1:9/";

/// A browser in which Max administers the site.
pub fn administrator(world: &World) -> Browser {
    world.sam().put("/users/max/site_admin", json!({})).expect(204);
    signed_in(world, "max")
}

/// The IDs of the deliveries to webhooks in this state.
fn stored(world: &World, state: &'static str) -> Vec<i64> {
    let rows: Vec<(i64, String)> = world.rows("SELECT id, state FROM deliveries WHERE kind = 'hook' ORDER BY id");
    rows.into_iter().filter(|(_, is)| is == state).map(|(id, _)| id).collect()
}

/// Deliveries of acme that were given up, as many as this, after one that waits.
fn given_up(world: &World, count: usize) -> Vec<i64> {
    let config = json!({ "url": URL, "content_type": "json", "secret": "hush hush" });
    world.olivia().post("/orgs/acme/hooks", json!({ "name": "web", "config": config })).expect(201);
    for n in 0..count {
        let fields = json!({ "name": "Core", "description": n.to_string() });
        world.olivia().patch("/orgs/acme/teams/core", fields).expect(200);
    }
    waiting::until("deliveries", || stored(world, "waiting").len() == count + 1);
    world.settle();
    world.execute("UPDATE hooks SET url = 'http://127.0.0.1:9/?<x>'");
    world.execute(
        "UPDATE deliveries SET state = 'dead', attempts = 80, last_status = 'failed to connect', finished_at = created_at
         WHERE kind = 'hook' AND state = 'waiting' AND event_id IN
             (SELECT id FROM delivery_events WHERE event = 'team')",
    );
    let dead = stored(world, "dead");
    assert_eq!(dead.len(), count);
    dead
}

#[test]
fn decision_44_an_administrator_sees_why_a_delivery_failed_and_tries_it_again() {
    let world = world();
    let id = given_up(&world, 1)[0];
    let mut max = administrator(&world);
    assert_eq!(max.visit(ROOM).status, 200);
    sound(&max.page.text);
    let reason = "Nothing answers at this address. “<bdi>failed to connect</bdi>”";
    shows(
        &max,
        &["aria-current=\"page\">Deliveries</a>", "team.edited", "http://127.0.0.1:9/?&#60;x&#62;", reason],
        &["hush", "<x>"],
    );
    max.visit(&format!("{ROOM}?state=waiting"));
    sound(&max.page.text);
    shows(&max, &[">ping</a>"], &["team.edited", "Try again", "Try all"]);
    let page = format!("{ROOM}/{id}");
    max.visit(&page);
    sound(&max.page.text);
    // Max is no owner of acme.
    shows(
        &max,
        &[
            "Given up",
            "Start the program there",
            "/ui/admin/organizations/acme",
            "<dt>Tries</dt><dd>80</dd>",
            "Try it again",
        ],
        &["href=\"/ui/orgs/acme/hooks", "hush"],
    );
    let code = max.code();
    // The worker drops what it cannot send to an address like the one above.
    world.execute("UPDATE hooks SET url = 'http://127.0.0.1:9/'");
    assert_eq!(max.send(&[]).status, 200);
    assert_eq!(max.path, format!("{page}?done=again"));
    shows(&max, &["It is tried again.", "<span class=\"state warn\">Waits for "], &["Try it again"]);
    assert_eq!(stored(&world, "dead").len(), 0);
    // It waits now, so a second form changes nothing.
    let attempts = "SELECT attempts, next_at FROM deliveries WHERE kind = 'hook' ORDER BY id";
    world.settle();
    let before = world.rows::<(i64, i64)>(attempts);
    for again in ["1", "2"] {
        assert_eq!(max.send_to(&page, &code, &[("again", again)]).status, 422);
        shows(&max, &["It waits to be sent already, or was accepted meanwhile."], &[]);
    }
    assert_eq!(world.rows::<(i64, i64)>(attempts), before);
    let log = world.sam().get("/admin/audit-log?phrase=action:delivery.retry").expect(200).clone();
    assert_eq!(
        (&log[0]["actor"], &log[0]["after"], log.as_array().map(Vec::len)),
        (&json!("max"), &json!({ "ids": [id] }), Some(1))
    );
}

#[test]
fn decision_44_all_that_was_given_up_is_tried_again_and_nothing_else() {
    let world = world();
    let dead = given_up(&world, 3);
    let mut max = administrator(&world);
    max.visit(ROOM);
    let code = max.code();
    // Deliveries of the other kind are left out.
    assert_eq!(max.send_to(ROOM, &code, &[("do", "all"), ("kind", "mail")]).status, 200);
    shows(&max, &["There is nothing left to try again.", "Nothing was given up"], &[]);
    assert_eq!(stored(&world, "dead"), dead);
    world.execute("UPDATE hooks SET url = 'http://127.0.0.1:9/'");
    assert_eq!(max.send_to(ROOM, &code, &[("again", &dead[0].to_string())]).status, 200);
    shows(&max, &["1 delivery is tried again."], &[]);
    assert_eq!(max.send_to(ROOM, &code, &[("do", "all"), ("kind", "hook")]).status, 200);
    shows(&max, &["2 deliveries are tried again."], &[]);
    assert_eq!(stored(&world, "dead").len(), 0);
    assert_eq!(max.send_to(ROOM, &code, &[("do", "all")]).status, 200);
    shows(&max, &["There is nothing left to try again."], &[]);
    let log = world.sam().get("/admin/audit-log?phrase=action:delivery.retry").expect(200).clone();
    assert_eq!((&log[0]["after"]["ids"], &log[1]["after"]["ids"]), (&json!(dead[1..]), &json!(dead[..1])));
    for wrong in ["", "0", "x", "<x>", "99999999999999999999"] {
        assert_eq!(max.send_to(ROOM, &code, &[("again", wrong)]).status, 422, "{wrong}");
        shows(&max, &["This delivery is not kept any more."], &["<x>"]);
    }
    assert_eq!(max.send_to(ROOM, &code, &[("do", "banana")]).status, 404);
    assert_eq!(max.send_to(ROOM, &code, &[]).status, 404);
    for query in ["?done=retried&count=%3Cx%3E", "?done=retried&count=-1", "?done=retried"] {
        max.visit(&format!("{ROOM}{query}"));
        shows(&max, &[], &["tried again", "<x>"]);
    }
}

#[test]
fn decision_44_a_webhook_that_is_off_is_switched_on_before_its_deliveries_are_tried_again() {
    let world = world();
    let id = given_up(&world, 1)[0];
    world.execute("UPDATE hooks SET active = FALSE");
    world.execute("UPDATE deliveries SET last_status = 'the hook is switched off' WHERE state = 'dead'");
    let mut max = administrator(&world);
    max.visit(&format!("{ROOM}/{id}"));
    shows(&max, &["The webhook was switched off.", "Switch it on in its room if it is off."], &["Try it again"]);
    max.visit(ROOM);
    shows(&max, &["The webhook was switched off."], &["Try again<"]);
    // An owner who administers the site is led to the room.
    world.sam().put("/users/olivia/site_admin", json!({})).expect(204);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&format!("{ROOM}/{id}"));
    shows(&olivia, &["<a href=\"/ui/orgs/acme/hooks/1\">Look at it, and correct it</a>"], &[]);
    assert_eq!(olivia.visit("/ui/orgs/acme/hooks/1").status, 200);
}

#[test]
fn decision_44_deliveries_are_shown_page_by_page() {
    let world = world();
    let dead = given_up(&world, 33);
    let mut max = administrator(&world);
    let shown = |page: &str| page.matches("name=\"again\"").count();
    assert_eq!(shown(&max.visit(ROOM).text), 30);
    sound(&max.page.text);
    let next = format!("{ROOM}?state=dead&#38;kind=&amp;after={}", dead[29]);
    shows(&max, &[&format!("href=\"{next}\" rel=\"next\">Next</a>")], &["Oldest"]);
    assert_eq!(shown(&max.visit(&next.replace("&amp;", "&").replace("&#38;", "&")).text), 3);
    shows(&max, &["Oldest"], &["rel=\"next\""]);
    for (query, count) in [
        ("?kind=hook", 30),
        ("?kind=mail", 0),
        ("?kind=banana", 30),
        ("?state=banana", 30),
        ("?state=delivered", 30),
        ("?after=x", 30),
        ("?after=99999999999999999999", 30),
        ("?after=9223372036854775807", 0),
        ("?after=-1", 30),
    ] {
        assert_eq!(shown(&max.visit(&format!("{ROOM}{query}")).text), count, "{query}");
    }
}

#[test]
fn decision_44_the_advice_about_an_invitation_whose_address_is_refused_is_to_invite_again() {
    let world = world();
    let body = json!({ "email": "nobody@example.com" });
    world.olivia().post("/orgs/acme/invitations", body).expect(201);
    world.settle();
    let found = || world.rows::<(i64,)>("SELECT id FROM deliveries WHERE kind = 'mail' AND order_key < 0");
    waiting::until("the e-mail of the invitation", || !found().is_empty());
    let page = format!("{ROOM}/{}", found()[0].0);
    world.execute(
        "UPDATE deliveries SET state = 'dead', attempts = 1, finished_at = created_at,
         last_status = 'permanent error (550): no such user' WHERE kind = 'mail' AND order_key < 0",
    );
    let mut max = administrator(&world);
    max.visit(&page);
    sound(&max.page.text);
    let advice = "Cancel the invitation, and invite the person again with the right address.";
    shows(&max, &[advice, "its owners see the invitation"], &["Then try again", "/ui/orgs/acme/people"]);
    world.sam().put("/users/olivia/site_admin", json!({})).expect(204);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&page);
    shows(&olivia, &[advice, "href=\"/ui/orgs/acme/people?show=invited\""], &["its owners see the invitation"]);
    // One that waits is tried again without anyone, and one that arrived says what came of it before.
    for (sql, texts) in [
        (
            "UPDATE deliveries SET last_status = 'no', next_at = created_at + 10000000000, state = 'waiting'
             WHERE kind = 'mail' AND order_key < 0",
            ["Waits for the next try", "Guildhall tries again by itself."],
        ),
        (
            "UPDATE deliveries SET state = 'delivered' WHERE kind = 'mail' AND order_key < 0",
            ["<span class=\"state good\">Delivered</span>", "<dt>What came back</dt>"],
        ),
    ] {
        world.execute(sql);
        olivia.visit(&page);
        shows(&olivia, &texts, &["Try it again", "Then try again"]);
    }
}
