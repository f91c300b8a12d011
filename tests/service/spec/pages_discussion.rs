//! A discussion as a page: its comments, reactions, changes and notifications (decisions 34 to 37).

use super::mail_invitations::{settle, world};
use super::pages_board::{BOARD, post, send};
use super::pages_team::hidden;
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::{Client, World, json};

const POST: &str = "/ui/orgs/acme/teams/core/discussions/1";

const API: &str = "/orgs/acme/teams/core/discussions/1";

fn comment(client: &Client, body: &str) {
    client.post(&format!("{API}/comments"), json!({ "body": body })).expect(201);
}

/// The texts of the comments, the oldest first.
fn comments(world: &World) -> Vec<String> {
    let all = world.olivia().all(&format!("{API}/comments?direction=asc"));
    all.iter().map(|of| of["body"].as_str().expect("a text").to_owned()).collect()
}

/// A world with a post, and a browser of this person that shows it.
fn reading(login: &str) -> (World, Browser) {
    let world = world();
    post(&world, "Freeze", "No **merges**", false);
    settle(&world);
    let mut browser = signed_in(&world, login);
    browser.visit(POST).expect(200);
    (world, browser)
}

#[test]
fn decision_35_a_person_comments_with_a_preview() {
    let (world, mut eve) = reading("eve");
    assert!(eve.page.text.contains("<p>No <strong>merges</strong></p>"), "{}", eve.page.text);
    assert_eq!(send(&mut eve, POST, &[("body", "Does *that*\r\nhold?"), ("do", "preview")]), 200);
    assert!(eve.page.text.contains("<p>Does <em>that</em>\nhold?</p>"), "{}", eve.page.text);
    assert!(eve.page.text.contains("Does *that*\nhold?</textarea>") && comments(&world).is_empty());
    for _ in 0..2 {
        assert_eq!(send(&mut eve, POST, &[("body", "Does *that*\r\nhold?"), ("do", "comment")]), 200);
        assert_eq!(eve.path, format!("{POST}#comment-1"));
    }
    assert_eq!(comments(&world), ["Does *that*\nhold?"], "sent twice, it is one comment");
    assert!(eve.page.text.contains("id=\"comment-1\"") && eve.page.text.contains("1 comment<"), "{}", eve.page.text);
    assert_eq!(send(&mut eve, POST, &[("body", " "), ("do", "comment")]), 422);
    assert!(eve.page.text.contains("id=\"body-error\"") && eve.page.text.contains("<title>Error: Freeze"));
    assert_eq!(send(&mut eve, POST, &[("body", "x")]), 404);
}

#[test]
fn decision_35_a_text_comes_back_if_its_post_is_gone_meanwhile() {
    let (world, mut eve) = reading("eve");
    let mut tom = signed_in(&world, "tom");
    comment(&world.tom(), "Mine");
    let edit = format!("{POST}/comments/1/edit");
    let (code, change) = (eve.code(), tom.visit(&edit).status);
    let change_code = tom.code();
    assert_eq!(change, 200);
    world.max().delete(API).expect(204);
    for (browser, path, code, act) in
        [(&mut eve, POST, &code, "comment"), (&mut tom, edit.as_str(), &change_code, "save")]
    {
        assert_eq!(browser.send_to(path, code, &[("body", "What I <wrote>"), ("do", act)]).status, 404);
        let page = &browser.page.text;
        assert!(
            page.contains("Your text was not saved") && page.contains("What I &#60;wrote&#62;</textarea>"),
            "{page}"
        );
    }
}

#[test]
fn decision_35_a_text_comes_back_if_the_right_is_lost_meanwhile() {
    let (world, mut eve) = reading("eve");
    comment(&world.eve(), "Mine");
    eve.visit(POST);
    let code = eve.code();
    let secret = json!({ "name": "Core", "privacy": "secret" });
    world.olivia().patch("/orgs/acme/teams/core", secret).expect(200);
    assert_eq!(eve.send_to(POST, &code, &[("body", "Lost?"), ("do", "comment")]).status, 404);
    assert!(eve.page.text.contains("Lost?</textarea>"), "{}", eve.page.text);
    let mut tom = signed_in(&world, "tom");
    world.olivia().put("/orgs/acme/teams/core/memberships/tom", json!({ "role": "maintainer" })).expect(200);
    let edit = format!("{POST}/edit");
    assert_eq!(tom.visit(&edit).status, 200);
    let code = tom.code();
    world.olivia().put("/orgs/acme/teams/core/memberships/tom", json!({ "role": "member" })).expect(200);
    let version = hidden(&tom, "version");
    let typed = [("title", "T"), ("body", "Mine now"), ("version", version.as_str()), ("do", "save")];
    assert_eq!(tom.send_to(&edit, &code, &typed).status, 403);
    assert!(
        tom.page.text.contains("Mine now</textarea>")
            && tom.page.text.contains("Only the author, maintainers of the team")
    );
    assert_eq!(tom.visit(&edit).status, 403);
}

#[test]
fn decision_35_posts_and_comments_are_changed_by_those_who_may() {
    let (world, mut tom) = reading("tom");
    comment(&world.eve(), "By Eve");
    comment(&world.tom(), "By Tom");
    let page = tom.visit(POST).text.clone();
    assert!(page.contains("/1/comments/2/edit") && !page.contains("/1/comments/1/edit") && !page.contains("/1/edit"));
    let edit = format!("{POST}/comments/2/edit");
    let version = |path: &str| world.tom().get(path).expect(200)["body_version"].as_str().expect("text").to_owned();
    let own = version(&format!("{API}/comments/2"));
    let save = |body| [("body", body), ("version", own.as_str()), ("do", "save")];
    assert!(tom.visit(&edit).text.contains("By Tom</textarea>"), "{}", tom.page.text);
    assert_eq!(send(&mut tom, &edit, &save(" ")), 422);
    assert_eq!(send(&mut tom, &edit, &[("body", "*new*"), ("version", &own), ("do", "preview")]), 200);
    assert!(tom.page.text.contains("<em>new</em>") && comments(&world)[1] == "By Tom", "{}", tom.page.text);
    assert_eq!(send(&mut tom, &edit, &save("New text")), 200);
    assert_eq!(tom.path, format!("{POST}#comment-2"));
    assert!(tom.page.text.contains("· edited"), "{}", tom.page.text);
    // Another person has changed it since the page was shown.
    assert_eq!(send(&mut tom, &edit, &save("Newer text")), 422);
    assert!(tom.page.text.contains("changed by another person") && tom.page.text.contains("Newer text</textarea>"));
    let now = version(&format!("{API}/comments/2"));
    assert_eq!(send(&mut tom, &edit, &[("body", "Newer text"), ("version", &now), ("do", "save")]), 200);
    assert_eq!(comments(&world), ["By Eve", "Newer text"]);
    for path in ["/edit", "/delete", "/comments/1/edit", "/comments/1/delete"] {
        assert_eq!(tom.visit(&format!("{POST}{path}")).status, 403, "{path}");
    }
    let mut max = signed_in(&world, "max");
    let page = max.visit(POST).text.clone();
    assert!(["/1/edit", "/1/comments/1/edit", "/1/comments/2/edit"].iter().all(|path| page.contains(path)), "{page}");
    max.visit(&format!("{POST}/edit"));
    let post = hidden(&max, "version");
    let typed = [("title", "Thaw"), ("body", "Merge"), ("version", post.as_str()), ("do", "save")];
    assert_eq!(send(&mut max, &format!("{POST}/edit"), &typed), 200);
    assert_eq!(max.path, format!("{POST}?done=saved"));
    assert!(max.page.text.contains("Thaw</h1>") && max.page.text.contains("Saved."), "{}", max.page.text);
    assert_eq!(send(&mut max, &format!("{POST}/edit"), &[("title", ""), ("body", "Merge"), ("do", "save")]), 422);
}

#[test]
fn decision_35_a_page_asks_before_something_is_deleted() {
    let (world, mut max) = reading("max");
    comment(&world.eve(), "By Eve");
    comment(&world.tom(), "By Tom");
    world.tom().post(&format!("{API}/reactions"), json!({ "content": "heart" })).expect(201);
    let page = max.visit(&format!("{POST}/comments/1/delete")).text.clone();
    assert!(page.contains("<h1>Delete the comment?</h1>") && page.contains(">Keep it</a>"), "{page}");
    assert_eq!(comments(&world).len(), 2, "GET deletes nothing");
    assert_eq!(send(&mut max, &format!("{POST}/comments/1/delete"), &[]), 200);
    assert_eq!(
        (comments(&world).as_slice(), max.path.as_str()),
        (&["By Tom".to_owned()][..], &*format!("{POST}?done=deleted"))
    );
    assert!(max.page.text.contains("Comment deleted."), "{}", max.page.text);
    comment(&world.eve(), "Again");
    let page = max.visit(&format!("{POST}/delete")).text.clone();
    assert!(page.contains("<h1>Delete the post and its 2 comments?</h1>") && page.contains(">Keep them</a>"), "{page}");
    assert!(page.contains("<dt>Reactions</dt><dd>1</dd>"), "{page}");
    let code = max.code();
    assert_eq!(send(&mut max, &format!("{POST}/delete"), &[]), 200);
    assert_eq!(max.path, format!("{BOARD}?done=deleted"));
    assert!(max.page.text.contains("The post and its comments are deleted."), "{}", max.page.text);
    assert_eq!(max.send_to(&format!("{POST}/delete"), &code, &[]).status, 200);
    assert_eq!(max.path, format!("{BOARD}?done=gone"));
    assert_eq!(max.visit(POST).status, 404);
}

#[test]
fn decision_36_pressing_a_reaction_again_takes_it_back() {
    let (world, mut tom) = reading("tom");
    comment(&world.eve(), "By Eve");
    let counts = |path: &str| world.olivia().get(path).expect(200)["reactions"]["+1"].clone();
    for (more, path, anchor) in
        [(vec![], API.to_owned(), "post"), (vec![("comment", "1")], format!("{API}/comments/1"), "comment-1")]
    {
        let with = |own| [&more[..], &[own]].concat();
        assert_eq!(send(&mut tom, POST, &with(("give", "+1"))), 200);
        assert_eq!((counts(&path), tom.path.as_str()), (json!(1), &*format!("{POST}#{anchor}")));
        assert_eq!(send(&mut tom, POST, &with(("give", "+1"))), 200);
        assert_eq!(counts(&path), json!(1), "the same again changes nothing");
        let pressed = tom.page.text.split("name=\"take\" value=\"").nth(1).expect("a pressed button").to_owned();
        let id = pressed.split('"').next().expect("an ID").to_owned();
        assert!(pressed.split_once('>').is_some_and(|(tag, _)| tag.contains("aria-pressed=\"true\"")), "{pressed}");
        for _ in 0..2 {
            assert_eq!(send(&mut tom, POST, &with(("take", &id))), 200);
            assert_eq!(counts(&path), json!(0));
        }
        assert!(!tom.page.text.contains("name=\"take\""), "{}", tom.page.text);
    }
    world.max().post(&format!("{API}/reactions"), json!({ "content": "eyes" })).expect(201);
    let id = world.max().get(&format!("{API}/reactions")).expect(200)[0]["id"].to_string();
    assert_eq!(send(&mut tom, POST, &[("take", &id)]), 403, "a reaction of another person");
    for (name, wrong) in [("give", "x"), ("give", ""), ("take", "x"), ("nothing", "")] {
        let status = send(&mut tom, POST, &[(name, wrong)]);
        assert!([200, 404, 422].contains(&status), "{name}={wrong}: {status}");
    }
    assert_eq!(send(&mut tom, POST, &[("give", "+1"), ("comment", "7")]), 404);
}

#[test]
fn decision_37_a_person_chooses_what_they_are_told_about_a_post() {
    let (world, mut tom) = reading("tom");
    assert!(tom.page.text.contains("Because you are on this team"), "{}", tom.page.text);
    let chosen = || world.rows::<(bool,)>("SELECT ignored FROM subscriptions");
    let choose = |browser: &mut Browser, choice| send(browser, POST, &[("do", "choose"), ("choice", choice)]);
    assert_eq!(choose(&mut tom, "nothing"), 200);
    assert!(
        tom.page.text.contains("You get no notifications of this post") && tom.page.text.contains("Unmute this post")
    );
    comment(&world.max(), "@tom");
    settle(&world);
    assert!(!tom.visit(BOARD).text.contains("post new"), "muted means muted: {}", tom.page.text);
    assert_eq!((choose(&mut tom, "default"), chosen().len()), (200, 0));
    comment(&world.max(), "@tom again");
    settle(&world);
    assert!(tom.visit(BOARD).text.contains("post new"), "{}", tom.page.text);
    // Olivia owns the organization, and is not on the team.
    let mut olivia = signed_in(&world, "olivia");
    assert!(olivia.visit(POST).text.contains("You are not on this team"), "{}", olivia.page.text);
    assert_eq!((choose(&mut olivia, "everything"), chosen()), (200, vec![(false,)]));
    assert!(olivia.page.text.contains("Because you asked for it"), "{}", olivia.page.text);
    comment(&world.max(), "More");
    settle(&world);
    assert!(olivia.visit(BOARD).text.contains("post new"), "{}", olivia.page.text);
    let mut max = signed_in(&world, "max");
    assert!(max.visit(POST).text.contains("Because you wrote the post"), "{}", max.page.text);
    assert_eq!(choose(&mut max, "x"), 422);
    let off = json!({ "name": "Core", "notification_setting": "notifications_disabled" });
    world.olivia().patch("/orgs/acme/teams/core", off).expect(200);
    assert!(max.visit(POST).text.contains("notifications of this team are switched off"), "{}", max.page.text);
    // By e-mail or not is said as it is chosen.
    assert!(tom.visit(POST).text.contains("You get no notifications"), "{}", tom.page.text);
}

#[test]
fn decision_53_the_address_of_a_comment_leads_to_its_page() {
    let (world, mut tom) = reading("tom");
    for number in 1..=22 {
        comment(&world.max(), &format!("Comment number {number}."));
    }
    world.max().delete(&format!("{API}/comments/3")).expect(204);
    for (number, page) in [(1, ""), (16, ""), (17, "?page=2"), (22, "?page=2")] {
        let html_url = world.tom().get(&format!("{API}/comments/{number}")).expect(200)["html_url"].clone();
        let path = html_url.as_str().expect("a URL").strip_prefix(&world.base).expect("our URL").to_owned();
        tom.visit(&path);
        assert_eq!(tom.path, format!("{POST}{page}#comment-{number}"));
        assert!(tom.page.text.contains(&format!("Comment number {number}.")), "{}", tom.page.text);
    }
    assert!(tom.page.text.contains("16 to 21 of 21") && tom.page.text.contains("Go to the post"), "{}", tom.page.text);
    for gone in ["3", "23", "x", "0", "-1"] {
        assert_eq!(tom.visit(&format!("{POST}/comments/{gone}")).status, 404, "{gone}");
    }
    // A comment that is written on another page leads to the last one.
    assert_eq!(send(&mut tom, POST, &[("body", "Last"), ("do", "comment")]), 200);
    assert_eq!(tom.path, format!("{POST}?page=2#comment-23"));
    assert!(tom.visit(POST).text.contains("Taking part"));
}

#[test]
fn decision_35_a_discussion_shows_accounts_that_are_gone() {
    let (world, mut tom) = reading("tom");
    comment(&world.eve(), "By Eve");
    world.sam().delete("/admin/users/eve").expect(204);
    let page = tom.visit(POST).text.clone();
    assert!(page.contains("A deleted account") && page.contains("By Eve"), "{page}");
}
