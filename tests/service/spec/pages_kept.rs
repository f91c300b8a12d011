//! Forms that could not be used as they were sent: what people wrote stays (decisions 10 and 61).

use super::mail_invitations::world;
use super::pages_admin_deliveries::administrator;
use super::pages_board::BOARD;
use super::pages_team::{hidden, send};
use super::sign_in::signed_in;
use crate::support::browser::{Browser, encoded};
use crate::support::world::Settings;
use crate::support::{World, json};

const WROTE: &str = "What took me half an hour";
const POST: [(&str, &str); 3] = [("do", "post"), ("title", "A title"), ("body", WROTE)];

/// The number of posts of the team.
fn posts(world: &World, team: &str) -> usize {
    world.olivia().all(&format!("/orgs/acme/teams/{team}/discussions")).len()
}

/// Asserts that the page has what was written in a form, and sends that.
#[track_caller]
fn send_again(browser: &mut Browser, status: u16) {
    assert!(browser.page.status == status && browser.page.text.contains(WROTE), "{}", browser.page.text);
    browser.send(&POST);
    assert!(browser.page.status == 200 && browser.page.text.contains(">A title</h1>"), "{}", browser.page.text);
}

#[test]
fn limits_5_a_post_beyond_the_limit_comes_back_and_says_when_to_send_it() {
    let world = world();
    let node = world.second_server_with(Settings { creation_limit: (1, 10), ..Settings::default() });
    let max = signed_in(&world, "max");
    let client = |path: &str| format!("{}{path}", node.base);
    let new = client(&format!("{BOARD}/new"));
    let mut status = Vec::new();
    for title in ["One", "Two"] {
        let page = max.with_cookie().get(&new).text.clone();
        let main = page.split("<main").nth(1).expect("a page");
        let code = main.split("name=\"form\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a code");
        let form = encoded(&[("form", code), ("do", "post"), ("title", title), ("body", WROTE)]);
        let answer = max.with_cookie().send("POST", &new, Some(form));
        status.push((answer.status, answer.header("retry-after").is_some(), answer.text.contains(WROTE)));
    }
    assert_eq!(status, [(303, false, false), (429, true, true)]);
}

#[test]
fn decision_10_a_form_of_a_team_that_was_renamed_comes_back_for_its_new_address() {
    let world = world();
    let mut max = signed_in(&world, "max");
    max.visit(&format!("{BOARD}/new"));
    world.olivia().patch("/orgs/acme/teams/core", json!({ "name": "Kernel" })).expect(200);
    max.send(&POST);
    assert!(max.page.text.contains("action=\"/ui/orgs/acme/teams/kernel/discussions/new\""), "{}", max.page.text);
    assert_eq!(posts(&world, "kernel"), 0);
    send_again(&mut max, 422);
    assert_eq!(posts(&world, "kernel"), 1);
    let mut nina = signed_in(&world, "nina");
    let code = nina.code();
    let page = nina.send_to(&format!("{BOARD}/new"), &code, &POST);
    assert!(page.status == 403 && !page.text.contains("kernel"), "{}", page.text);
    let page = nina.send(&POST);
    assert!(page.status == 404 && !page.text.contains("kernel"), "{}", page.text);
}

#[test]
fn decision_61_what_was_written_in_a_session_that_has_ended_is_sent_in_the_next_one() {
    let world = world();
    let mut max = signed_in(&world, "max");
    max.visit(&format!("{BOARD}/new"));
    world.execute("DELETE FROM sessions");
    max.send(&POST);
    assert!(max.page.status == 403 && max.page.text.contains("You are signed out"), "{}", max.page.text);
    max.cookies.extend(signed_in(&world, "max").cookies);
    max.send(&POST);
    assert_eq!(posts(&world, "core"), 0, "the code is that of another session");
    send_again(&mut max, 403);
    assert_eq!(posts(&world, "core"), 1);
}

#[test]
fn decision_61_a_text_of_one_word_comes_back_too() {
    let world = world();
    let mut max = signed_in(&world, "max");
    for (title, body) in [("\u{984c}\u{540d}", "\u{9577}\u{3044}\u{6587}\u{7ae0}\u{3002}"), ("Hello", "Hi")] {
        max.visit(&format!("{BOARD}/new"));
        world.execute("DELETE FROM sessions");
        max.send(&[("do", "post"), ("title", title), ("body", body)]);
        assert!(max.page.text.contains(&format!(">\n{title}</textarea>")), "{}", max.page.text);
        assert!(max.page.text.contains(&format!(">\n{body}</textarea>")), "{}", max.page.text);
        max = signed_in(&world, "max");
    }
}

#[test]
fn decision_61_a_secret_does_not_come_back() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let fields = [("url", "https://a.example/x y"), ("secret", "correct horse battery")];
    olivia.visit("/ui/orgs/acme/hooks/new");
    world.execute("DELETE FROM sessions");
    for _ in 0..2 {
        let page = olivia.send(&fields);
        assert!(page.status == 403 && page.text.contains("x y</textarea>"), "{}", page.text);
        assert!(!page.text.contains("horse") && !page.text.contains("name=\"secret\""), "{}", page.text);
        olivia.cookies.extend(signed_in(&world, "olivia").cookies);
    }
}

#[test]
fn decision_61_an_address_that_is_too_long_gets_a_page() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    for path in ["/ui/orgs/acme/audit?actor=", "/ui/search?q=", "/ui/orgs/acme/", "/login?return_to=", "/ui/ghost?"] {
        let page = olivia.visit(&format!("{path}{}", "a".repeat(9_000)));
        assert!(
            page.status == 400 && page.text.contains("The address of this page is too long."),
            "{path} {}",
            page.text
        );
    }
}

#[test]
fn decision_61_what_another_site_sent_does_not_come_back() {
    let world = world();
    let mut max = signed_in(&world, "max");
    max.visit(&format!("{BOARD}/new"));
    for (site, comes_back) in [("same-origin", true), ("same-site", false), ("cross-site", false)] {
        let client = max.with_cookie().with("Sec-Fetch-Site", site);
        let body = format!("form=guessed&do=post&title=A+title&body={}", WROTE.replace(' ', "+"));
        let page = client.send("POST", &format!("{BOARD}/new"), Some(body));
        assert_eq!((page.status, page.text.contains(WROTE)), (403, comes_back), "{site}: {}", page.text);
    }
    // A form in which nothing was written leads to sign in as before.
    world.execute("DELETE FROM sessions");
    let client = max.with_cookie();
    let page = client.send("POST", "/ui/notifications", Some("form=guessed&do=done".to_owned()));
    assert_eq!(page.status, 303);
    assert_eq!(posts(&world, "core"), 0);
}

#[test]
fn decision_61_what_an_administrator_wrote_comes_back_if_another_tab_began_to_act() {
    let world = world();
    let mut sam = administrator(&world);
    sam.visit("/ui/admin/users/tom?ask=suspend");
    let (code, id) = (sam.code(), hidden(&sam, "id"));
    let fields = [("do", "suspend"), ("id", id.as_str()), ("reason", "Went")];
    assert_eq!(send(&mut sam, "/ui/admin/users/nina/act", &[]), 200);
    let acting = sam.send_to("/ui/admin/users/tom", &code, &fields);
    assert_eq!(acting.status, 403, "{}", acting.text);
    assert!(acting.text.contains("You act for another person") && acting.text.contains(">\nWent</textarea>"));
    // A page of which nothing was written is not there.
    assert_eq!(sam.visit("/ui/admin/users/tom").status, 404);
    let nina = signed_in(&world, "nina");
    let body = "form=guessed&do=suspend&reason=Went";
    assert_eq!(nina.with_cookie().send("POST", "/ui/admin/users/tom", Some(body.to_owned())).status, 404);
    assert_eq!(world.rows::<(bool,)>("SELECT suspended FROM users WHERE login = 'tom'"), [(false,)]);
}
