//! The board of a team as a page: who sees which posts, and writing one (decisions 34, 35 and 37).

use super::mail_invitations::{settle, world};
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::sent::is_small;
use crate::support::{World, json};

pub const BOARD: &str = "/ui/orgs/acme/teams/core/discussions";

/// Max writes a post.
pub fn post(world: &World, title: &str, body: &str, private: bool) {
    let new = json!({ "title": title, "body": body, "private": private });
    world.max().post("/orgs/acme/teams/core/discussions", new).expect(201);
}

/// Sends a form of the page at this path with its code.
pub fn send(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> u16 {
    browser.visit(path);
    let code = browser.code();
    browser.send_to(path, &code, fields).status
}

/// The titles of the posts of the team, the newest first.
fn titles(world: &World) -> Vec<String> {
    let all = world.olivia().get("/orgs/acme/teams/core/discussions").expect(200).clone();
    all.as_array().expect("a list").iter().map(|of| of["title"].as_str().expect("a title").to_owned()).collect()
}

#[test]
fn decision_34_a_board_shows_its_posts_to_those_who_see_them() {
    let world = world();
    let mut eve = signed_in(&world, "eve");
    assert!(eve.visit(BOARD).text.contains("No one has written here yet"), "{}", eve.page.text);
    assert!(eve.page.text.contains("Write the first post"), "{}", eve.page.text);
    post(&world, "Public <b>", "Hello **all** <script>alert(1)</script>", false);
    post(&world, "Hidden", "For us", true);
    let page = eve.visit(BOARD).text.clone();
    assert!(page.contains("<bdi>Public &#60;b&#62;</bdi>") && page.contains("Hello all"), "{page}");
    assert!(page.contains("1 post<") && !page.contains("Hidden") && !page.contains("<script>alert"), "{page}");
    for login in ["tom", "olivia"] {
        let mut browser = signed_in(&world, login);
        let page = browser.visit(BOARD).text.clone();
        assert!(page.contains("2 posts<") && page.contains("<span class=\"badge warn\">Private</span>"), "{page}");
        let (hidden, public) = (page.find("Hidden").expect("a post"), page.find("Public").expect("a post"));
        assert!(hidden < public, "the newest is first");
    }
    let mut nina = signed_in(&world, "nina");
    for path in
        ["", "/new", "/1", "/1/edit", "/1/delete", "/1/comments/1", "/x", "/1/x", "/0", "/9", "/99999999999999999999"]
    {
        assert_eq!(nina.visit(&format!("{BOARD}{path}")).status, 404, "{path}");
    }
    assert_eq!(eve.visit(&format!("{BOARD}/2")).status, 404, "a private post");
    assert!(Browser::open(&world.base, BOARD).path.starts_with("/login?return_to="));
}

#[test]
fn decision_37_a_board_marks_what_is_new_until_it_is_read() {
    let world = world();
    post(&world, "First", "One", false);
    settle(&world);
    let mut tom = signed_in(&world, "tom");
    assert!(tom.visit(BOARD).text.contains("<li class=\"post new\">"), "{}", tom.page.text);
    let page = tom.visit(&format!("{BOARD}/1")).text.clone();
    assert!(!page.contains("id=\"unread\""), "it is read now: {page}");
    assert!(!tom.visit(BOARD).text.contains("<li class=\"post new\">"), "{}", tom.page.text);
    assert!(world.rows::<(i64,)>("SELECT id FROM notices n WHERE n.unread = TRUE").is_empty());
}

#[test]
fn decision_37_a_person_without_a_verified_address_learns_that_no_e_mail_comes_yet() {
    let world = world();
    post(&world, "First", "One", false);
    let mut tom = signed_in(&world, "tom");
    let mut ways = |verified: bool| {
        world.execute(if verified {
            "UPDATE emails SET verified = TRUE"
        } else {
            "UPDATE emails SET verified = FALSE"
        });
        tom.visit(&format!("{BOARD}/1")).text.contains("by e-mail once your address is verified")
    };
    assert_eq!([false, true].map(&mut ways), [true, false]);
}

#[test]
fn decision_37_an_administrator_who_acts_for_a_person_leaves_their_inbox_unread() {
    let world = world();
    post(&world, "First", "One", false);
    settle(&world);
    world.sam().put("/users/max/site_admin", json!({})).expect(204);
    let mut max = signed_in(&world, "max");
    assert_eq!(send(&mut max, "/ui/admin/users/tom/act", &[]), 200);
    assert!(max.visit(&format!("{BOARD}/1")).text.contains("you act for"), "{}", max.page.text);
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM notices n WHERE n.unread = TRUE").len(), 1);
}

#[test]
fn decision_34_long_boards_have_pages() {
    let world = world();
    for number in 1..=21 {
        post(&world, &format!("Post number {number}"), &"word ".repeat(2_000), false);
    }
    let mut tom = signed_in(&world, "tom");
    let page = tom.visit(BOARD).text.clone();
    assert!(
        page.contains("21 posts") && page.contains("Post number 21<") && !page.contains("Post number 1<"),
        "{page}"
    );
    assert!(page.contains("?page=2\" rel=\"next\""), "{page}");
    is_small(&page);
    let page = tom.visit(&format!("{BOARD}?page=2")).text.clone();
    assert!(page.contains("Post number 1<") && page.contains("21 to 21 of 21"), "{page}");
    for odd in ["0", "-1", "x", "99999999999999999999", "%00", "9223372036854775807"] {
        let status = tom.visit(&format!("{BOARD}?page={odd}")).status;
        assert!(status == 200 || status == 404 || status == 422, "{odd}: {status}");
    }
}

#[test]
fn decision_35_the_first_words_of_a_post_keep_table_cells_apart() {
    let world = world();
    post(
        &world,
        "Table",
        "| Day | Who |\n|-|-|\n| Mon | Ray |\n\n- one\n- two\n\n<ul><li>three</li><li>four</li></ul>",
        false,
    );
    let page = signed_in(&world, "tom").visit(BOARD).text.clone();
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Day Who Mon Ray one two three four"), "{page}");
}

#[test]
fn decision_35_a_person_writes_a_post_with_a_preview() {
    let world = world();
    let new = format!("{BOARD}/new");
    let mut tom = signed_in(&world, "tom");
    let typed = [("title", "Freeze & <b>"), ("body", "No *merges*\r\n\r\n<script>x</script>until\u{a0}Monday")];
    assert_eq!(send(&mut tom, &new, &[&typed[..], &[("private", "yes"), ("do", "preview")]].concat()), 200);
    let page = tom.page.text.clone();
    assert!(page.contains("<p>No <em>merges</em></p>") && !page.contains("<script>x"), "{page}");
    assert!(page.contains("value=\"Freeze &#38; &#60;b&#62;\"") && page.contains("No *merges*\n"), "{page}");
    assert!(page.contains("value=\"yes\" checked"), "{page}");
    assert!(titles(&world).is_empty(), "a preview writes nothing");
    assert_eq!(send(&mut tom, &new, &[&typed[..], &[("private", "yes"), ("do", "post")]].concat()), 200);
    assert_eq!(tom.path, format!("{BOARD}/1?done=posted"));
    assert!(tom.page.text.contains("Freeze &#38; &#60;b&#62;</h1>"), "{}", tom.page.text);
    let stored = world.tom().get("/orgs/acme/teams/core/discussions/1").expect(200).clone();
    assert_eq!((&stored["private"], &stored["author"]["login"]), (&json!(true), &json!("tom")));
    assert!(!stored["body"].as_str().expect("a text").contains('\r'), "{stored}");
}

#[test]
fn decision_35_what_was_typed_comes_back_with_what_is_wrong() {
    let world = world();
    let new = format!("{BOARD}/new");
    let mut tom = signed_in(&world, "tom");
    let long = "x".repeat(256);
    for (title, body, field) in [(" ", "kept", "title"), (long.as_str(), "kept", "title"), ("kept", " \r\n", "body")] {
        assert_eq!(send(&mut tom, &new, &[("title", title), ("body", body), ("do", "post")]), 422, "{title} {body}");
        let page = &tom.page.text;
        assert!(page.contains(&format!("id=\"{field}-error\"")) && page.contains("<title>Error: "), "{page}");
        assert!(page.contains("kept"), "{page}");
    }
    assert_eq!(send(&mut tom, &new, &[("title", "a"), ("body", ""), ("do", "preview")]), 422);
    let too_long = "\u{e9}".repeat(65_536);
    for act in ["post", "preview"] {
        assert_eq!(send(&mut tom, &new, &[("title", "a"), ("body", &too_long), ("do", act)]), 422);
    }
    // The longest text that is allowed fits into a form.
    let longest = "\u{10348}".repeat(65_535);
    assert_eq!(send(&mut tom, &new, &[("title", "Long"), ("body", &longest), ("do", "post")]), 200);
    assert_eq!(titles(&world), ["Long"]);
    assert_eq!(send(&mut tom, &new, &[("title", "a"), ("body", &"x".repeat(1 << 20)), ("do", "post")]), 413);
    for odd in ["", "x"] {
        assert_eq!(send(&mut tom, &new, &[("title", "a"), ("body", "b"), ("do", odd)]), 404);
    }
    // Eve sees the board, and may not write what she could not read.
    let mut eve = signed_in(&world, "eve");
    assert!(!eve.visit(&new).text.contains("name=\"private\""), "{}", eve.page.text);
    let private = [("title", "Secret"), ("body", "kept by Eve"), ("private", "yes"), ("do", "post")];
    assert_eq!(send(&mut eve, &new, &private), 403);
    assert!(eve.page.text.contains("Your text was not saved") && eve.page.text.contains("kept by Eve"));
    assert_eq!(titles(&world), ["Long"]);
}

#[test]
fn decision_35_a_post_that_is_sent_twice_is_one_post() {
    let world = world();
    let new = format!("{BOARD}/new");
    let mut tom = signed_in(&world, "tom");
    let typed = [("title", "Once"), ("body", "One\r\ntext"), ("do", "post")];
    for _ in 0..3 {
        assert_eq!(send(&mut tom, &new, &typed), 200);
        assert_eq!(tom.path, format!("{BOARD}/1?done=posted"));
    }
    world.advance(61);
    send(&mut tom, &new, &typed);
    let mut max = signed_in(&world, "max");
    send(&mut max, &new, &typed);
    assert_eq!(titles(&world).len(), 3, "a minute later, or by another person, it is another post");
}

#[test]
fn decision_61_a_form_of_the_board_needs_its_code() {
    let world = world();
    post(&world, "First", "One", false);
    let mut tom = signed_in(&world, "tom");
    let olivia = signed_in(&world, "olivia");
    for (path, fields) in [
        (format!("{BOARD}/new"), vec![("title", "a"), ("body", "b"), ("do", "post")]),
        (format!("{BOARD}/1"), vec![("body", "b"), ("do", "comment")]),
        (format!("{BOARD}/1"), vec![("give", "+1")]),
        (format!("{BOARD}/1/edit"), vec![("title", "a"), ("body", "b"), ("do", "save")]),
        (format!("{BOARD}/1/delete"), vec![]),
    ] {
        tom.visit(&path);
        let own = tom.code();
        for code in ["", "x", &olivia.code(), own.trim_end_matches(|c: char| c.is_ascii_alphanumeric())] {
            assert_eq!(tom.send_to(&path, code, &fields).status, 403, "{path} {code}");
        }
    }
    assert_eq!(titles(&world), ["First"]);
}

#[test]
fn decision_9_names_and_texts_of_people_do_not_break_the_page() {
    let world = world();
    let odd = "\u{5d1}\u{5e8}\u{5d5}\u{5db}\u{5d9}\u{5dd} <script>\"'&\u{1f469}\u{200d}\u{1f4bb}";
    let long = "W".repeat(200);
    world.olivia().patch("/orgs/acme/teams/core", json!({ "name": format!("Core {odd}") })).expect(200);
    let teams = world.olivia().all("/orgs/acme/teams");
    let slug = teams.iter().find_map(|team| team["slug"].as_str().filter(|slug| slug.contains("core"))).expect("core");
    let board = format!("/ui/orgs/acme/teams/{slug}/discussions");
    let api = format!("/orgs/acme/teams/{slug}/discussions");
    for title in [odd, long.as_str()] {
        world.max().post(&api, json!({ "title": title, "body": title })).expect(201);
    }
    let mut tom = signed_in(&world, "tom");
    for path in ["", "/new", "/1", "/2", "/1/comments/1"] {
        let page = tom.visit(&format!("{board}{path}"));
        assert!(!page.text.contains("<script>\""), "{path}: {}", page.text);
        assert!(page.status == 200 || path.contains("comments"), "{path}: {}", page.status);
    }
}
