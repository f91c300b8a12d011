//! The limits on asking for codes and on loading pages (decision 61).

use guildhall::server::last_use;

use super::mail_invitations::{settle, world};
use super::sign_in::{asked, signed_in};
use crate::support::browser::Browser;
use crate::support::mail;
use crate::support::world::Settings;
use crate::support::{World, dump};

/// Asks in a new browser, and returns the status.
fn ask(world: &World, address: &str) -> u16 {
    Browser::open(&world.base, "/login").send(&[("email", address)]).status
}

#[test]
fn decision_61_an_address_gets_five_codes_an_hour_and_twenty_a_day() {
    let world = world();
    for address in ["nina@example.com", "nobody@example.com"] {
        for _ in 0..5 {
            assert_eq!(ask(&world, address), 200);
        }
        let mut refused = Browser::open(&world.base, "/login");
        let page = refused.send(&[("email", &address.to_uppercase())]);
        assert_eq!((page.status, page.header("retry-after")), (429, Some("3600")), "{}", page.text);
        assert!(page.text.contains("That was too often") && page.text.contains("60 minutes"), "{}", page.text);
    }
    for _ in 0..3 {
        settle(&world);
        world.advance(3600);
        for address in ["nina@example.com", "nobody@example.com"] {
            for _ in 0..5 {
                assert_eq!(ask(&world, address), 200);
            }
            assert_eq!(ask(&world, address), 429);
        }
    }
    settle(&world);
    world.advance(3600);
    for address in ["nina@example.com", "nobody@example.com"] {
        assert_eq!(ask(&world, address), 429, "20 a day");
    }
    assert_eq!(mail::saved(world.mail.path()).len(), 20);
    world.advance(20 * 3600);
    assert_eq!(ask(&world, "nina@example.com"), 200);
}

#[test]
fn decision_61_strangers_lock_no_one_out() {
    let world = world();
    let mut known = signed_in(&world, "nina");
    known.sign_out();
    for _ in 0..4 {
        assert_eq!(ask(&world, "nina@example.com"), 200);
    }
    assert_eq!(ask(&world, "nina@example.com"), 429);
    for _ in 0..5 {
        known.visit("/login");
        assert_eq!(known.send(&[("email", "nina@example.com")]).status, 200);
    }
    known.visit("/login");
    assert_eq!(known.send(&[("email", "nina@example.com")]).status, 429, "its own allowance is as large");
    // It is known for this person only.
    for _ in 0..5 {
        assert_eq!(ask(&world, "tom@example.com"), 200);
    }
    known.visit("/login");
    assert_eq!(known.send(&[("email", "tom@example.com")]).status, 429);
}

#[test]
fn decision_61_a_network_gets_thirty_codes_an_hour() {
    let settings = Settings { trusted_proxies: vec!["127.0.0.1/32"], ..Settings::default() };
    let world = World::with(settings);
    let ask = |peer: &str, address: &str| {
        let client = world.anonymous().with("X-Forwarded-For", peer);
        Browser::open_as(client, "/login").send(&[("email", address)]).status
    };
    for n in 0..30 {
        assert_eq!(ask(&format!("2001:db8:1:2::{n}"), &format!("person-{n}@example.org")), 200);
    }
    assert_eq!(ask("2001:db8:1:2:ffff::", "other@example.org"), 429);
    assert_eq!(ask("2001:db8:1:3::1", "other@example.org"), 200);
    assert_eq!(ask("192.0.2.1", "other@example.org"), 200);
    world.advance(3600);
    assert_eq!(ask("2001:db8:1:2::1", "other@example.org"), 200);
}

#[test]
fn decision_61_signed_out_visitors_load_300_pages_an_hour_apart_from_the_interface() {
    let world = World::with(Settings { delivers: true, limits: Some((5_000, 60)), ..Settings::default() });
    let visitor = world.anonymous();
    for _ in 0..300 {
        assert_eq!(visitor.get("/login").status, 200);
    }
    let page = visitor.get("/login");
    assert_eq!((page.status, page.header("content-type")), (429, Some("text/html; charset=utf-8")));
    assert_eq!(page.header("retry-after"), Some("3600"));
    assert!(page.text.contains("That was too often") && page.text.contains("in 60 minutes"), "{}", page.text);
    assert_eq!(visitor.get("/ui/nothing").status, 429);
    for (verb, body) in [("POST", "a=%ff".to_owned()), ("POST", "a".repeat(60_000)), ("PUT", String::new())] {
        assert_eq!(visitor.send(verb, "/login", Some(body)).status, 429, "{verb}");
    }
    let core = visitor.get("/rate_limit").expect(200)["resources"]["core"].clone();
    assert_eq!(core["used"], 0);
    world.advance(3600);
    assert_eq!(visitor.get("/login").status, 200);
}

#[test]
fn decision_61_a_page_costs_one_of_the_requests_of_the_person() {
    let world = World::with(Settings { delivers: true, limits: Some((5_000, 60)), ..Settings::default() });
    let mut browser = signed_in(&world, "nina");
    let used = || world.nina().get("/rate_limit").expect(200)["resources"]["core"]["used"].clone();
    let before = used().as_i64().expect("a number");
    browser.visit("/ui");
    browser.visit("/ui/settings");
    browser.visit("/ui/nina");
    assert_eq!(used(), before + 3);
}

#[test]
fn decision_61_a_page_with_a_session_writes_nothing() {
    let world = world();
    let mut browser = signed_in(&world, "tom");
    settle(&world);
    let before = dump::everything(&world);
    world.advance(3600);
    for path in ["/ui", "/ui/settings", "/ui/orgs/acme", "/ui/nothing", "/login/out"] {
        browser.visit(path);
    }
    assert_eq!(dump::everything(&world), before);
    // The worker stores when the session was last used.
    let used = || world.rows::<(i64, i64)>("SELECT signed_in_at, used_at FROM sessions s ORDER BY s.id")[0];
    assert_eq!(used().0, used().1);
    world.block_on(last_use::store(&world.edge.service));
    assert_eq!(used().1 - used().0, 3_600_000_000);
}

#[test]
fn decision_61_a_session_ends_after_30_days_without_use_and_after_90() {
    const DAY: i64 = 86_400;
    let world = world();
    let mut idle = signed_in(&world, "nina");
    world.advance(30 * DAY - 1);
    assert_eq!(idle.visit("/ui").status, 200);
    assert_eq!(idle.path, "/ui");
    // That use was not stored, as if the server had stopped.
    world.advance(1);
    idle.visit("/ui");
    assert!(idle.path.starts_with("/login"), "{}", idle.path);
    let mut used = signed_in(&world, "nina");
    for _ in 0..4 {
        world.advance(22 * DAY);
        used.visit("/ui");
        assert_eq!(used.path, "/ui");
        world.block_on(last_use::store(&world.edge.service));
    }
    world.advance(2 * DAY);
    used.visit("/ui");
    assert!(used.path.starts_with("/login"), "{}", used.path);
}

#[test]
fn decision_61_old_rows_are_deleted() {
    const DAY: i64 = 86_400;
    let world = world();
    signed_in(&world, "nina");
    asked(&world, "nobody@example.com");
    let rows = || {
        let counts = "SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM sign_ins), \
                      (SELECT count(*) FROM known_browsers)";
        world.rows::<(i64, i64, i64)>(counts)[0]
    };
    let trim = || {
        let now = world.now();
        world.block_on(world.db.write(move |tx| guildhall::signin::trim(tx, now))).expect("rows are deleted");
    };
    trim();
    assert_eq!(rows(), (1, 2, 1));
    world.advance(3 * DAY);
    trim();
    assert_eq!(rows(), (1, 0, 1));
    world.advance(90 * DAY);
    trim();
    assert_eq!(rows(), (0, 0, 1));
    world.advance(365 * DAY);
    trim();
    assert_eq!(rows(), (0, 0, 0));
}
