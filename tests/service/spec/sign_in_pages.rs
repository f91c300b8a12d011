//! The pages of a person who is signed in: home, sessions, signing out, and errors (decision 61).

use guildhall::access::session;
use guildhall::db::Tx;
use guildhall::error::{Error, Result};

use super::mail_invitations::world;
use super::sign_in::{asked, signed_in};
use super::sign_in_recent::call;
use crate::support::browser::Browser;
use crate::support::{Value, json};

#[test]
fn decision_61_home_shows_organizations_teams_and_invitations() {
    let world = world();
    let home = signed_in(&world, "max").page.text.clone();
    for wanted in [
        "Hello, <bdi>max</bdi>",
        "href=\"/ui/orgs/acme\"><bdi>acme</bdi></a> <small>You are a member.",
        "href=\"/ui/orgs/acme/teams/core\"><bdi>Core</bdi>",
    ] {
        assert!(home.contains(wanted), "{wanted} in {home}");
    }
    assert!(!home.contains("Waiting for you"), "{home}");
    assert!(signed_in(&world, "olivia").page.text.contains("You are an owner."));
    assert!(signed_in(&world, "nina").page.text.contains("You are in no organization yet"));
}

#[test]
fn decision_61_an_invitation_is_answered_on_the_home_page() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    for (answer, said, state) in [("decline", "You declined the invitation.", 404), ("accept", "You joined acme.", 204)]
    {
        world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
        nina.visit("/ui");
        assert!(nina.page.text.contains("Join <bdi>acme</bdi>"), "{}", nina.page.text);
        nina.send(&[("org", "acme"), ("answer", answer)]);
        assert!(nina.page.text.contains(said) && !nina.page.text.contains("Join <bdi>"), "{}", nina.page.text);
        assert_eq!(world.olivia().get("/orgs/acme/members/nina").status, state);
    }
    // There is nothing left to answer, and a member does not leave by declining.
    let (code, path) = (nina.code(), "/ui");
    assert_eq!(nina.send_to(path, &code, &[("org", "acme"), ("answer", "decline")]).status, 403);
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    let refused: Result<Value> = call(&world, &nina, "memberships.decline", &[], &json!({ "org": "acme" }));
    assert!(matches!(refused, Err(Error::NotFound)), "{refused:?}");
    assert_eq!(world.olivia().get("/orgs/acme/members/nina").status, 204);
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:org.add_member").json;
    assert_eq!(log[0]["actor"], "nina");
}

#[test]
fn decision_61_a_person_has_at_most_100_sessions_and_sees_all_of_them() {
    let world = world();
    let mut first = signed_in(&world, "nina");
    let (nina, now) = (world.nina().get("/user").json["id"].as_i64().expect("an ID"), world.now());
    let more = move |tx: &mut Tx<'_>| {
        (0..99).try_for_each(|_| session::create(tx, nina, ("A browser", "192.0.2.1"), now).map(drop))
    };
    world.block_on(world.db.write(more)).expect("sessions");
    for (page, listed) in [(1, 30), (2, 30), (3, 30), (4, 10), (5, 10)] {
        let room = format!("/ui/settings/sessions?page={page}");
        assert_eq!(first.visit(&room).text.matches("signed in <time").count(), listed, "{page}");
    }
    assert!(first.page.text.contains("This browser"), "{}", first.page.text);
    signed_in(&world, "nina");
    first.visit("/ui/settings/sessions");
    assert_eq!(first.path, "/login?return_to=%2Fui%2Fsettings%2Fsessions");
}

#[test]
fn decision_61_sessions_are_listed_and_ended() {
    let world = world();
    let mut first = signed_in(&world, "nina");
    let mut second = signed_in(&world, "nina");
    let mut foreign = signed_in(&world, "tom");
    let list = second.visit("/ui/settings/sessions").text.clone();
    assert_eq!(list.matches("Unknown browser</b>").count(), 2, "{list}");
    assert_eq!(list.matches("This browser").count(), 1, "{list}");
    assert!(list.contains("127.0.0.1 · signed in <time datetime=\"2026-01-01T00:00:00Z\">1 January 2026, 00:00 UTC"));
    let id =
        list.split("name=\"end\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an ID").to_owned();
    foreign.visit("/ui/settings/sessions");
    foreign.send(&[("end", &id)]);
    assert_eq!(foreign.path, "/ui/settings/sessions?done=gone", "not a session of this person");
    for wrong in ["", "x", "99999999", "-1"] {
        second.visit("/ui/settings/sessions");
        second.send(&[("end", wrong)]);
        assert_eq!(second.path, "/ui/settings/sessions?done=gone", "{wrong}");
    }
    first.visit("/ui");
    assert_eq!(first.path, "/ui");
    second.visit("/ui/settings/sessions");
    assert!(second.send(&[("end", &id)]).text.contains("That session has ended."), "{}", second.page.text);
    first.visit("/ui");
    assert!(first.path.starts_with("/login"), "{}", first.path);
    foreign.visit("/ui");
    assert_eq!(foreign.path, "/ui");
}

#[test]
fn decision_61_a_person_signs_out_everywhere() {
    let world = world();
    let mut browsers: Vec<Browser> = (0..3).map(|_| signed_in(&world, "nina")).collect();
    let mut waiting = asked(&world, "nina@example.com");
    let mut other = signed_in(&world, "tom");
    browsers[0].visit("/ui/settings/sessions");
    assert!(browsers[0].send(&[("end", "all")]).text.contains("You are signed out"), "{}", browsers[0].page.text);
    assert!(!browsers[0].cookies.contains_key("guildhall-session"));
    for browser in &mut browsers {
        browser.visit("/ui");
        assert!(browser.path.starts_with("/login"), "{}", browser.path);
    }
    waiting.visit("/login/code");
    assert_eq!(waiting.path, "/login", "what was asked for has ended, too");
    other.visit("/ui");
    assert_eq!(other.path, "/ui");
}

#[test]
fn decision_61_signing_out_ends_the_session() {
    let world = world();
    let mut browser = signed_in(&world, "nina");
    let stolen = browser.cookies["guildhall-session"].clone();
    assert!(browser.visit("/login/out").text.contains("You are signed in as"), "{}", browser.page.text);
    browser.send(&[]);
    assert!(browser.page.text.contains("You are signed out"), "{}", browser.page.text);
    assert!(!browser.cookies.contains_key("guildhall-session"));
    let says_why = |browser: &Browser| browser.page.text.contains("The session in this browser has ended");
    assert!(!says_why(&browser), "{}", browser.page.text);
    browser.cookies.insert("guildhall-session".to_owned(), stolen);
    browser.visit("/ui");
    assert!(browser.path.starts_with("/login") && says_why(&browser), "{}", browser.page.text);
    let log = world.sam().get("/admin/audit-log?phrase=action:session.destroy").json;
    assert_eq!(log[0]["actor"], "nina");
}

#[test]
fn decision_61_rooms_are_shown_to_the_person_who_is_signed_in() {
    let world = world();
    world.olivia().post("/orgs/acme/repos", json!({ "name": "hidden", "private": true })).expect(201);
    let mut olivia = signed_in(&world, "olivia");
    for path in ["/ui/orgs/acme/teams/core", "/ui/acme/hidden", "/ui/orgs/acme"] {
        let page = olivia.visit(path);
        assert_eq!(page.status, 200, "{path}: {}", page.text);
    }
    // What one person may see is not kept for another.
    let mut nina = signed_in(&world, "nina");
    for path in ["/ui/orgs/acme/teams/core", "/ui/acme/hidden", "/ui/nothing/at/all"] {
        let page = nina.visit(path);
        assert_eq!(page.status, 404, "{path}: {}", page.text);
        let visitor = Browser::open(&world.base, path);
        assert!(visitor.path.starts_with("/login?return_to=%2Fui%2F"), "{path}: {}", visitor.path);
    }
}

#[test]
fn decision_61_errors_are_pages() {
    let world = world();
    let mut browser = signed_in(&world, "nina");
    for path in [
        "/ui/nothing",
        "/ui/orgs/nothing",
        "/login/nothing",
        "/ui/settings/nothing",
        "/login/link/x",
        "/ui/assets/style-0.css",
        "/ui/avatars/nothing",
    ] {
        let page = browser.visit(path);
        assert_eq!((page.status, page.header("content-type")), (404, Some("text/html; charset=utf-8")), "{path}");
        assert!(page.text.contains("Guildhall") && page.text.contains("/ui/assets/style-"), "{}", page.text);
    }
    assert!(browser.visit("/ui/nothing").text.contains("You are signed in as <bdi>nina</bdi>"));
    for verb in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
        for path in ["/ui", "/login", "/ui/docs", "/ui/orgs/acme", "/ui/avatars/nina", "/ui/nothing"] {
            for (client, sees) in
                [(browser.with_cookie(), ["/ui", "/ui/orgs/acme"].contains(&path)), (world.olivia(), false)]
            {
                let page = client.send(verb, path, Some(String::new()));
                let status = if sees { 405 } else { 404 };
                let found = (page.status, page.header("content-type"));
                assert_eq!(found, (status, Some("text/html; charset=utf-8")), "{verb} {path}");
                assert!(page.text.contains("/ui/assets/style-"), "{verb} {path}: {}", page.text);
            }
        }
    }
    let page = browser.with_cookie().send("POST", "/ui", Some("a=%ff".into()));
    assert_eq!((page.status, page.header("content-type")), (400, Some("text/html; charset=utf-8")));
    assert_eq!(browser.with_cookie().send("POST", "/ui/orgs/acme", Some(String::new())).status, 405);
}

#[test]
fn decision_61_no_other_site_reads_pages() {
    let world = world();
    let browser = signed_in(&world, "olivia");
    for client in [world.anonymous(), browser.with_cookie(), world.olivia()] {
        for path in ["/ui", "/login", "/ui/docs", "/ui/orgs/acme", "/ui/nothing", "/login/nothing"] {
            for verb in ["GET", "OPTIONS"] {
                let page = client.with("Origin", "https://evil.example").send(verb, path, None);
                for name in ["access-control-allow-origin", "access-control-allow-methods"] {
                    assert_eq!(page.header(name), None, "{verb} {path}");
                }
            }
        }
        let picture = client.with("Origin", "https://other.example").get("/ui/avatars/olivia");
        assert_eq!((picture.status, picture.header("access-control-allow-origin")), (200, Some("*")));
    }
}

#[test]
fn decision_61_home_says_that_it_does_not_show_all_teams() {
    let world = world();
    let note = "Only 50 of your teams are shown here.";
    let (olivia, mut max) = (world.olivia(), signed_in(&world, "max"));
    assert!(!max.page.text.contains(note), "{}", max.page.text);
    for number in 1..50 {
        olivia.post("/orgs/acme/teams", json!({ "name": format!("T{number}"), "maintainers": ["max"] })).expect(201);
    }
    assert!(max.visit("/ui").text.contains(note), "{}", max.page.text);
}

#[test]
fn decision_61_an_outage_is_a_page() {
    let world = world();
    let browser = signed_in(&world, "nina");
    world.faults.arm_at("FROM sessions s JOIN users u");
    let page = browser.with_cookie().get("/ui");
    assert_eq!((page.status, page.header("content-type")), (503, Some("text/html; charset=utf-8")), "{}", page.text);
    assert!(page.text.contains("Back in a moment") && page.header("retry-after").is_some(), "{}", page.text);
}

#[test]
fn decision_61_a_browser_at_the_root_is_led_to_the_pages() {
    let world = world();
    let accepting = |accept: &str| world.anonymous().with("Accept", accept).get("/");
    let browser = accepting("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    assert_eq!((browser.status, browser.header("location")), (303, Some("/ui")));
    for accept in ["*/*", "application/json", "application/vnd.github+json", "text/html;q=0.5,application/json"] {
        accepting(accept).expect(200);
    }
    world.anonymous().get("/").expect(200);
    assert_eq!(world.anonymous().with("Accept", "text/html").get("/meta").status, 200);
}
