//! The inbox as a page (decision 37).

use super::mail_invitations::{settle, world};
use super::pages_board::{BOARD, post, send};
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::{World, json};

const INBOX: &str = "/ui/notifications";

/// Tom's browser, after Max has written these posts.
fn told(titles: &[&str]) -> (World, Browser) {
    let world = world();
    for title in titles {
        post(&world, title, "Hello", false);
        world.advance(60);
    }
    settle(&world);
    let tom = signed_in(&world, "tom");
    (world, tom)
}

/// The titles that the page lists.
fn shown(browser: &Browser) -> Vec<String> {
    let found = browser.page.text.split("<div class=\"what\"><h3>").skip(1);
    let title = |text: &str| text.split("<bdi>").nth(1).and_then(|text| text.split('<').next()).map(str::to_owned);
    found.map(|text| title(text).expect("a title")).collect()
}

/// The ID of the first thread of the page.
fn thread(browser: &Browser) -> String {
    let after = browser.page.text.split("name=\"thread\" value=\"").nth(1).expect("a thread");
    after.split('"').next().expect("an ID").to_owned()
}

#[test]
fn decision_37_the_inbox_shows_what_is_new_first_and_by_organization() {
    let (world, mut tom) = told(&["First", "Second <b>"]);
    let comment = json!({ "body": "@tom" });
    world.max().post("/orgs/acme/teams/core/discussions/1/comments", comment).expect(201);
    settle(&world);
    tom.visit(INBOX).expect(200);
    assert!(tom.page.text.contains("of your teams and of the teams above them"), "{}", tom.page.text);
    assert_eq!(shown(&tom), ["First", "Second &#60;b&#62;"]);
    let page = tom.page.text.clone();
    assert!(page.contains("Unread <span>2</span>") && page.contains("Taking part <span>1</span>"), "{page}");
    assert!(page.contains("<b>Mentions you</b>") && page.contains("/discussions/1/comments/1\""), "{page}");
    assert!(page.contains("<span class=\"count\" id=\"unread\">2<"), "{page}");
    tom.visit(&format!("{INBOX}?part=mentions"));
    assert_eq!(shown(&tom), ["First"]);
    tom.visit(&format!("{BOARD}/1"));
    tom.visit(INBOX);
    assert_eq!(shown(&tom), ["Second &#60;b&#62;"], "the other one is read");
    tom.visit(&format!("{INBOX}?part=all"));
    assert_eq!(shown(&tom).len(), 2);
    assert_eq!(signed_in(&world, "nina").visit(INBOX).text.matches("Nothing new").count(), 1);
    assert!(Browser::open(&world.base, INBOX).path.starts_with("/login?return_to="));
}

#[test]
fn decision_37_what_is_done_leaves_the_inbox_until_something_happens() {
    let (world, mut tom) = told(&["First", "Second"]);
    tom.visit(INBOX);
    let id = thread(&tom);
    assert_eq!(send(&mut tom, INBOX, &[("thread", &id), ("do", "finish")]), 200);
    assert!(shown(&tom) == ["First"] && tom.page.text.contains("Done. It comes back"), "{}", tom.page.text);
    let until =
        tom.page.text.split("name=\"until\" value=\"").nth(1).expect("a time").split('"').next().expect("a time");
    let until = until.to_owned();
    world.advance(60);
    post(&world, "Third", "Hello", false);
    settle(&world);
    assert_eq!(send(&mut tom, INBOX, &[("until", &until), ("do", "read-all")]), 200);
    assert_eq!(shown(&tom), ["Third"], "what came since stays unread");
    for (act, id) in [("finish", "0"), ("finish", "x"), ("mute", "999"), ("x", "1"), ("", "")] {
        assert_eq!(send(&mut tom, INBOX, &[("thread", id), ("do", act)]), 404, "{act} {id}");
    }
    assert_eq!(send(&mut tom, INBOX, &[("until", "yesterday"), ("do", "read-all")]), 422);
    assert_eq!(tom.send_to(INBOX, "forged", &[("do", "read-all")]).status, 403);
}

#[test]
fn decision_37_a_muted_post_is_listed_and_can_be_unmuted() {
    let (world, mut tom) = told(&["First", "Second"]);
    tom.visit(&format!("{INBOX}?part=muted"));
    assert!(tom.page.text.contains("Nothing is muted"), "{}", tom.page.text);
    tom.visit(INBOX);
    let id = thread(&tom);
    assert_eq!(send(&mut tom, INBOX, &[("thread", &id), ("do", "mute")]), 200);
    assert!(shown(&tom) == ["First"] && tom.page.text.contains("Muted <span>1</span>"), "{}", tom.page.text);
    tom.visit(&format!("{INBOX}?part=muted"));
    assert_eq!(shown(&tom), ["Second"]);
    let named = [("org", "acme"), ("team_slug", "core"), ("discussion_number", "2")];
    let comment = || {
        world.max().post("/orgs/acme/teams/core/discussions/2/comments", json!({ "body": "@tom" })).expect(201);
        settle(&world);
    };
    comment();
    tom.visit(INBOX);
    assert_eq!(shown(&tom), ["First"], "nothing of it comes, not even a mention");
    assert_eq!(send(&mut tom, INBOX, &[&named[..], &[("do", "unmute")]].concat()), 200);
    assert!(tom.page.text.contains("No longer muted.") && !tom.page.text.contains("Muted <span>"), "{}", tom.page.text);
    comment();
    tom.visit(INBOX);
    assert_eq!(shown(&tom).len(), 2);
    // What a person may no longer see is not listed, and cannot be unmuted.
    let (id, code) = (thread(&tom), tom.code());
    send(&mut tom, INBOX, &[("thread", &id), ("do", "mute")]);
    world.olivia().patch("/orgs/acme/teams/core", json!({ "name": "Core", "privacy": "secret" })).expect(200);
    world.olivia().delete("/orgs/acme/teams/core/memberships/tom").expect(204);
    tom.visit(&format!("{INBOX}?part=muted"));
    assert!(tom.page.text.contains("Nothing is muted") && !tom.page.text.contains("Second"), "{}", tom.page.text);
    assert_eq!(tom.send_to(INBOX, &code, &[&named[..], &[("do", "unmute")]].concat()).status, 404);
}

#[test]
fn decision_37_the_number_of_unread_posts_has_an_address_of_its_own() {
    let (world, mut tom) = told(&["First", "Second"]);
    let count = format!("{INBOX}/count");
    assert!(tom.visit(&count).text.contains("<h1>2 unread</h1>"), "{}", tom.page.text);
    world.limited("tom", &["notifications"]).put("/notifications", json!({})).expect(205);
    let page = tom.visit(&count).text.clone();
    assert!(page.contains("Nothing is unread") && !page.contains("id=\"unread\""), "{page}");
    assert!(Browser::open(&world.base, &count).path.starts_with("/login"));
}
