//! Ending mails by the link in one of them (decisions 37 and 61).

use super::mail_invitations::{all, world};
use crate::support::browser::{Browser, encoded};
use crate::support::{World, json};

/// Tom and Max are in `core`; Max posts, and Tom's link is returned.
fn posted(world: &World) -> String {
    post(world, "First");
    all(world, 1).remove(0).link("/ui/unsubscribe/")
}

fn post(world: &World, body: &str) {
    let new = json!({ "title": "News", "body": body });
    world.max().post("/orgs/acme/teams/core/discussions", new).expect(201);
}

fn comment(world: &World, body: &str) {
    world.max().post("/orgs/acme/teams/core/discussions/1/comments", json!({ "body": body })).expect(201);
}

#[test]
fn decision_61_one_click_ends_mails_about_posts_without_signing_in() {
    let world = world();
    let link = posted(&world);
    for _ in 0..2 {
        let ended = world.anonymous().send("POST", &link, Some("List-Unsubscribe=One-Click".into()));
        assert_eq!(ended.status, 200, "{}", ended.text);
        assert!(ended.text.contains("you get no e-mail about posts"), "{}", ended.text);
    }
    post(&world, "Second, @tom");
    comment(&world, "Third");
    assert_eq!(all(&world, 1).len(), 1, "nothing more");
    // The inbox goes on.
    let notices = world.rows::<(i64,)>("SELECT id FROM notices n WHERE n.unread = TRUE");
    assert_eq!(notices.len(), 2);
    let again = world.anonymous().send("POST", &link, Some("List-Unsubscribe=One-Click".into()));
    assert!(again.headers.get("set-cookie").is_none(), "nobody is signed in");
    assert_eq!(world.anonymous().get("/user").status, 401);
}

#[test]
fn decision_61_one_click_works_as_mail_programs_send_it() {
    // RFC 8058 allows both, and prefers parts.
    let (encoded, parts) = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=\"a-b\"");
    let part = |value: &str| {
        format!("--a-b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\n{value}\r\n--a-b--\r\n")
    };
    for (media, body) in [(encoded, "List-Unsubscribe=One-Click".to_owned()), (parts, part("One-Click"))] {
        let world = world();
        let link = posted(&world);
        let program = world.anonymous().with("Content-Type", media);
        assert_eq!(program.send("POST", &link, Some(part("Two-Clicks"))).status, 403);
        assert_eq!(program.send("POST", &link, Some("x".repeat(20_000))).status, 413);
        let ended = program.send("POST", &link, Some(body));
        assert_eq!(ended.status, 200, "{media}: {}", ended.text);
        let set = world.rows::<(String,)>("SELECT posts FROM mail_settings");
        assert_eq!(set, [("none".to_owned(),)]);
    }
    let world = world();
    let link = posted(&world);
    let broken = world.anonymous().with("Content-Type", parts).send("POST", &link, Some("--a-b\r\n".into()));
    assert_eq!(broken.status, 400, "{}", broken.text);
}

#[test]
fn decision_37_a_choice_is_answered_by_a_page_that_may_be_loaded_again() {
    let world = world();
    let link = posted(&world);
    let browser = Browser::open(&world.base, &link);
    let form = encoded(&[("form", &browser.code()), ("choice", "none")]);
    let chosen = browser.with_cookie().send("POST", &link, Some(form));
    let next = format!("{link}?done=none");
    assert_eq!((chosen.status, chosen.header("location")), (303, Some(next.as_str())));
    for _ in 0..2 {
        let page = browser.with_cookie().get(&next);
        assert!(page.text.contains("From now on, you get no e-mail about posts."), "{}", page.text);
    }
    // What was not chosen is not said.
    for other in ["mentions", "discussion", "all", "%3Cb%3E", "%ff"] {
        let page = browser.with_cookie().get(&format!("{link}?done={other}"));
        assert!(page.status == 200 && !page.text.contains("role=\"status\""), "{other}: {}", page.text);
    }
}

#[test]
fn decision_37_the_page_mutes_a_discussion_or_asks_for_mentions_only() {
    let world = world();
    let link = posted(&world);
    let mut browser = Browser::open(&world.base, &link);
    assert!(browser.page.text.contains("To tom@example.com."), "{}", browser.page.text);
    let muted = browser.send(&[("choice", "discussion")]);
    assert!(muted.text.contains("This post is muted."), "{}", muted.text);
    comment(&world, "Muted, @tom");
    assert_eq!(all(&world, 1).len(), 1);
    browser.send(&[("choice", "mentions")]);
    post(&world, "Second");
    assert_eq!(all(&world, 1).len(), 1);
    post(&world, "Third, @tom");
    assert_eq!(all(&world, 2)[1].header("Subject"), "[acme/Core] News");
    let again = browser.send(&[("choice", "all")]);
    assert!(again.text.contains("e-mail about all posts again"), "{}", again.text);
    comment(&world, "Back");
    assert_eq!(all(&world, 3).len(), 3);
}

#[test]
fn decision_61_get_changes_nothing_and_a_forged_link_or_form_is_refused() {
    let world = world();
    let link = posted(&world);
    let plain = world.anonymous();
    assert_eq!((plain.get(&link).status, plain.head(&link).status), (200, 200));
    assert_eq!(plain.send("POST", &link, Some("choice=none".into())).status, 403);
    assert_eq!(plain.send("POST", &link, Some("List-Unsubscribe=Two-Clicks".into())).status, 403);
    let forged = format!("{}AAAA", &link[..link.len() - 4]);
    assert_eq!(plain.send("POST", &forged, Some("List-Unsubscribe=One-Click".into())).status, 404);
    assert_eq!(plain.get(&forged).status, 404);
    let rows = world.rows::<(i64,)>("SELECT user_id FROM mail_settings");
    assert!(rows.is_empty());
    // It ends with the address.
    world.execute(
        "UPDATE emails SET email = 't@example.net', email_key = 't@example.net' WHERE email = 'tom@example.com'",
    );
    assert_eq!(plain.get(&link).status, 404);
}

#[test]
fn decision_61_a_form_in_parts_that_is_deep_or_long_is_refused_and_the_server_goes_on() {
    let world = world();
    let level = |n: usize| format!("--{n}\r\nContent-Type:multipart/x;boundary={}\r\n\r\n", n + 1);
    let deep: String = (0..6_000).map(level).chain(["--0--".to_owned()]).collect();
    let words = "=?".repeat(200_000);
    let long = format!("--0\r\nContent-Disposition: form-data; name=\"{words}\"\r\n\r\na\r\n--0--");
    for body in [deep, long] {
        let client = world.anonymous().with("Content-Type", "multipart/form-data; boundary=0");
        let answer = client.send("POST", "/ui/orgs/acme/teams/core/discussions/new", Some(body));
        assert_eq!(answer.status, 400, "{}", answer.text);
    }
    let media = format!("multipart/form-data; boundary=\"{}\"", "=?".repeat(4_000));
    assert!(world.anonymous().with("Content-Type", &media).send("POST", "/login", Some("a".into())).status < 500);
    world.anonymous().get("/meta").expect(200);
}
