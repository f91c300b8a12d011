//! Forms of pages that are sent more than once, too late, or as no browser sends them (decisions 34, 40, 41 and 61).

use std::collections::BTreeSet;
use std::sync::Barrier;

use super::given;
use super::mail_invitations::world;
use super::pages_board::{BOARD, post};
use super::pages_team::{CORE, hidden, send, shows};
use super::sign_in::signed_in;
use crate::support::browser::{Browser, encoded};
use crate::support::client::Answer;
use crate::support::world::Settings;
use crate::support::{World, json};

/// The responses to a form that is sent several times at once.
fn at_once(browser: &Browser, path: &str, forms: &[String]) -> Vec<Answer> {
    let begin = Barrier::new(forms.len());
    std::thread::scope(|scope| {
        let send = |form: &String| {
            let (client, form) = (browser.with_cookie(), form.clone());
            let begin = &begin;
            scope.spawn(move || {
                begin.wait();
                client.send("POST", path, Some(form))
            })
        };
        let threads: Vec<_> = forms.iter().map(send).collect();
        threads.into_iter().map(|answer| answer.join().expect("a response")).collect()
    })
}

/// The same for the form of the page at this path, six times with these fields.
fn pressed(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> Vec<Answer> {
    browser.visit(path);
    let code = browser.code();
    let form = encoded(&[&[("form", code.as_str())][..], fields].concat());
    at_once(browser, path, &vec![form; 6])
}

/// The number of rows that a statement counts.
fn count(world: &World, sql: &'static str) -> i64 {
    world.rows::<(i64,)>(sql)[0].0
}

#[test]
fn decision_61_a_form_that_is_sent_several_times_at_once_makes_one_thing() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    post(&world, "First", "Hello", false);
    let statement = "SELECT count(*) FROM";
    for (path, fields, sql) in [
        (
            "/ui/orgs/acme/teams/core/discussions/new",
            &[("do", "post"), ("title", "Once"), ("body", "Only once")][..],
            "SELECT count(*) FROM discussions",
        ),
        (
            "/ui/orgs/acme/teams/core/discussions/1",
            &[("do", "comment"), ("body", "Only once")],
            "SELECT count(*) FROM comments",
        ),
        ("/ui/orgs/acme/new-team", &[("name", "Once"), ("privacy", "closed")], "SELECT count(*) FROM teams"),
        ("/ui/orgs/acme/teams/core/teams", &[("do", "create"), ("name", "Below")], "SELECT count(*) FROM teams"),
        (
            "/ui/settings/tokens",
            &[("do", "make"), ("note", "CI"), ("scope", "repo"), ("days", "30")],
            "SELECT count(*) FROM tokens",
        ),
        (
            "/ui/orgs/acme/people",
            &[("do", "invite"), ("who", "new@example.com"), ("role", "direct_member")],
            "SELECT count(*) FROM invitations",
        ),
        (
            "/ui/settings/applications/new",
            &[("name", "App"), ("redirect_uris", "https://app.example"), ("kind", "confidential")],
            "SELECT count(*) FROM applications",
        ),
    ] {
        assert!(sql.starts_with(statement));
        let before = count(&world, sql);
        let answers = pressed(&mut olivia, path, fields);
        assert_eq!(count(&world, sql), before + 1, "{path}");
        // Each press has the same response, also the one with what is shown only once.
        let seen: BTreeSet<(u16, Option<&str>, &str)> =
            answers.iter().map(|of| (of.status, of.header("location"), of.text.as_str())).collect();
        assert_eq!(seen.len(), 1, "{path}: {seen:?}");
        assert!(answers[0].status < 400, "{path}: {}", answers[0].text);
    }
}

#[test]
fn decision_61_two_pages_with_the_same_post_make_one() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let path = "/ui/orgs/acme/teams/core/discussions/new";
    let forms: Vec<String> = (0..6)
        .map(|_| {
            olivia.visit(path);
            encoded(&[("form", &olivia.code()), ("do", "post"), ("title", "Once"), ("body", "Only once")])
        })
        .collect();
    assert_eq!(forms.iter().collect::<BTreeSet<_>>().len(), 6, "each page has its own code");
    let answers = at_once(&olivia, path, &forms);
    assert!(answers.iter().all(|of| of.status == 303), "{answers:?}");
    assert_eq!(count(&world, "SELECT count(*) FROM discussions"), 1);
}

#[test]
fn decision_61_a_form_is_carried_out_again_after_another_one_or_a_minute() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let room = "/ui/settings/tokens";
    olivia.visit(room);
    let code = olivia.code();
    let form = |note: &str| encoded(&[("form", &code), ("do", "make"), ("note", note), ("scope", "repo")]);
    let tokens = || count(&world, "SELECT count(*) FROM tokens");
    let before = tokens();
    for (note, made) in [("a", 1), ("a", 1), ("b", 2), ("a", 3), ("a", 3)] {
        let page = olivia.with_cookie().send("POST", room, Some(form(note)));
        assert_eq!((page.status, tokens() - before), (200, made), "{note}: {}", page.text);
    }
    world.advance(61);
    assert_eq!(olivia.with_cookie().send("POST", room, Some(form("a"))).status, 200);
    assert_eq!(tokens() - before, 4);
    // Another person and another browser get nothing of it.
    let eve = signed_in(&world, "eve");
    assert_eq!(eve.with_cookie().send("POST", room, Some(form("a"))).status, 403);
    assert_eq!(
        world.anonymous().send("POST", room, Some(form("a"))).header("location").map(|at| &at[..6]),
        Some("/login")
    );
    assert_eq!(tokens() - before, 4);
    // A form with a problem is checked again.
    for _ in 0..2 {
        assert_eq!(olivia.with_cookie().send("POST", room, Some(form(""))).status, 422);
    }
}

#[test]
fn decision_40_a_long_text_comes_back_from_each_room() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let [about, post] = [1_000, 60_000].map(|length| "\u{1f600}".repeat(length));
    for (path, fields, text) in [
        ("/ui/orgs/acme/new-team", &[("name", ""), ("description", about.as_str()), ("privacy", "closed")][..], &about),
        (
            &format!("{CORE}/settings"),
            &[("name", ""), ("description", &about), ("privacy", "closed"), ("news", "on")],
            &about,
        ),
        (&format!("{CORE}/teams"), &[("do", "create"), ("name", ""), ("description", &about)], &about),
        (&format!("{BOARD}/new"), &[("do", "post"), ("title", ""), ("body", &post)], &post),
    ] {
        assert_eq!(send(&mut olivia, path, fields), 422, "{path}");
        assert!(olivia.page.text.contains(text), "{path}");
    }
    // A form that is longer than any one is refused with its true limit.
    let (largest, code) = ("x".repeat(1 << 20), olivia.code());
    olivia.send_to(&format!("{BOARD}/new"), &code, &[("do", "post"), ("title", "x"), ("body", &largest)]);
    assert_eq!(olivia.page.status, 413);
    shows(&olivia, &["larger than 1 MiB.", "Nothing was saved. Go back in your browser"], &[]);
    olivia.send_to("/login", &code, &[("email", &"x".repeat(17_000))]);
    assert_eq!(olivia.page.status, 413);
    shows(&olivia, &["larger than 16 KiB."], &["MiB"]);
}

#[test]
fn decision_61_what_is_gone_already_leads_to_its_list() {
    let world = world();
    post(&world, "First", "Hello", false);
    post(&world, "Second", "Hello", false);
    given::closed(&world, "Twice");
    let api = world.olivia();
    api.post("/orgs/acme/teams/core/discussions/2/comments", json!({ "body": "Hello" })).expect(201);
    let mut olivia = signed_in(&world, "olivia");
    let gone = "It is gone already, or you may not see it any more.";
    for (path, fields, deleted, list) in [
        (format!("{BOARD}/1/delete"), &[][..], "/orgs/acme/teams/core/discussions/1", BOARD),
        (
            format!("{BOARD}/2/comments/1/delete"),
            &[],
            "/orgs/acme/teams/core/discussions/2/comments/1",
            "/ui/orgs/acme/teams/core/discussions/2",
        ),
        ("/ui/orgs/acme/teams/twice/delete".to_owned(), &[("team", "1")], "/orgs/acme/teams/twice", "/ui/orgs/acme"),
        ("/ui/orgs/acme/people/eve/remove".to_owned(), &[], "/orgs/acme/members/eve", "/ui/orgs/acme/people"),
    ] {
        olivia.visit(&path);
        let code = olivia.code();
        assert_eq!(olivia.page.status, 200, "{path}");
        api.delete(deleted).expect(204);
        olivia.send_to(&path, &code, fields);
        assert_eq!((olivia.page.status, olivia.path.as_str()), (200, format!("{list}?done=gone").as_str()), "{path}");
        shows(&olivia, &[gone], &[]);
        // A form of another page leads nowhere.
        olivia.visit("/ui");
        let code = olivia.code();
        assert!([403, 404].contains(&olivia.send_to(&path, &code, &[]).status), "{path}: {}", olivia.path);
    }
    // If what it was in is gone too, the nearest page above is shown.
    let path = format!("{BOARD}/2/delete");
    olivia.visit(&path);
    let code = olivia.code();
    api.delete("/orgs/acme/teams/core").expect(204);
    olivia.send_to(&path, &code, &[]);
    assert_eq!(olivia.path, "/ui/orgs/acme?done=gone");
    shows(&olivia, &[gone], &[]);
    // The word in the query opens nothing.
    let mut nina = signed_in(&world, "nina");
    for path in ["/ui/orgs/acme/teams/core?done=gone", "/ui/orgs/acme/teams/twice?done=gone", "/ui/ghost?done=gone"] {
        nina.visit(path);
        assert!(nina.path.ends_with("?done=gone") && nina.page.status == 200, "{path}: {}", nina.path);
    }
}

#[test]
fn decision_41_a_token_that_is_revoked_already_leads_to_the_list() {
    let world = world();
    let mut tom = signed_in(&world, "tom");
    let room = "/ui/settings/tokens";
    let make = [("do", "make"), ("note", "CI"), ("scope", "repo"), ("days", "30")];
    assert_eq!(send(&mut tom, room, &make), 200);
    let id = world.rows::<(i64,)>("SELECT max(id) FROM tokens")[0].0.to_string();
    for _ in 0..2 {
        tom.visit(room);
        let code = tom.code();
        assert_eq!(tom.send_to(room, &code, &[("do", "revoke"), ("token", &id)]).status, 200);
        assert!(tom.path.starts_with(room), "{}", tom.path);
    }
    shows(&tom, &["It is gone already"], &[&format!("?revoke={id}\"")]);
}

#[test]
fn decision_61_a_person_can_always_sign_out() {
    let world = World::with(Settings { delivers: true, limits: Some((8, 60)), ..Settings::default() });
    let mut nina = signed_in(&world, "nina");
    let mut code = String::new();
    while nina.visit("/ui/search").status == 200 {
        code = hidden(&nina, "form");
    }
    assert_eq!(nina.page.status, 429);
    assert_eq!(nina.send_to("/login/out", &code, &[]).status, 200);
    shows(&nina, &["You are signed out"], &[]);
    assert!(!nina.cookies.contains_key("guildhall-session"), "{:?}", nina.cookies);
    assert_eq!(count(&world, "SELECT count(*) FROM sessions"), 0);
}

#[test]
fn decision_61_a_form_of_another_site_signs_no_one_out_and_says_so() {
    let world = world();
    let nina = signed_in(&world, "nina");
    // A browser sends no cookie of ours with such a form.
    for client in [world.anonymous(), nina.with_cookie()] {
        let page = client.with("Sec-Fetch-Site", "cross-site").send("POST", "/login/out", Some("form=x".to_owned()));
        assert_eq!(page.status, 403, "{}", page.text);
        assert!(page.text.contains("This form cannot be used") && !page.text.contains("signed out<"), "{}", page.text);
    }
    assert_eq!(count(&world, "SELECT count(*) FROM sessions"), 1);
}

#[test]
fn decision_61_a_slash_at_the_end_leads_to_the_page_without() {
    let world = world();
    let olivia = signed_in(&world, "olivia");
    for (path, to) in [
        ("/ui/orgs/acme/", "/ui/orgs/acme"),
        ("/ui/orgs/acme/teams/core/members/?role=member&page=2", "/ui/orgs/acme/teams/core/members?role=member&page=2"),
        ("/ui/settings//", "/ui/settings"),
        ("/ui//", "/ui"),
        ("/login/", "/login"),
        ("/ui/orgs/ghost/", "/ui/orgs/ghost"),
        ("/ui/%2f%2fevil.example/", "/ui/%2f%2fevil.example"),
    ] {
        for client in [olivia.with_cookie(), world.anonymous()] {
            let page = client.get(path);
            assert_eq!((page.status, page.header("location")), (303, Some(to)), "{path}");
        }
    }
    assert_eq!(olivia.with_cookie().get("/ui/").status, 200);
    assert_eq!(olivia.with_cookie().send("POST", "/ui/settings/", Some("form=x".to_owned())).status, 404);
}

#[test]
fn decision_61_another_method_is_405_where_the_visitor_sees_a_page() {
    let world = world();
    post(&world, "First", "Hello", false);
    let (olivia, nina) = (signed_in(&world, "olivia"), signed_in(&world, "nina"));
    for verb in ["PUT", "PATCH", "DELETE"] {
        for path in ["/ui", "/ui/orgs/acme/teams/core", "/ui/settings/tokens", &format!("{BOARD}/1")] {
            let page = olivia.with_cookie().send(verb, path, None);
            assert_eq!((page.status, page.header("allow")), (405, Some("GET, HEAD, POST")), "{verb} {path}");
            assert!(page.text.contains("This page cannot be used like that"), "{}", page.text);
        }
        for path in [CORE, "/ui/orgs/acme/teams/ghost", "/ui/orgs/ghost", "/ui/nothing/here"] {
            assert_eq!(nina.with_cookie().send(verb, path, None).status, 404, "{verb} {path}");
            assert_eq!(world.anonymous().send(verb, path, None).status, 404, "{verb} {path}");
        }
        for path in ["/login/out", "/login/provider/callback?code=x", "/ui/invitations/x", "/ui/emails/x"] {
            assert_eq!(olivia.with_cookie().send(verb, path, None).status, 404, "{verb} {path}");
        }
    }
    for path in ["/ui/orgs/acme", "/ui/search", "/ui/nina", "/ui/notifications/count"] {
        let page = olivia.with_cookie().send("POST", path, Some("form=x".to_owned()));
        assert_eq!((page.status, page.header("allow")), (405, Some("GET, HEAD")), "{path}");
    }
    assert_eq!(nina.with_cookie().send("POST", BOARD, Some("form=x".to_owned())).status, 403);
}

#[test]
fn decision_35_an_old_title_does_not_replace_a_newer_one() {
    let world = world();
    post(&world, "First", "Hello", false);
    let (room, record) = (format!("{BOARD}/1/edit"), "/orgs/acme/teams/core/discussions/1");
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&room);
    let (code, old) = (olivia.code(), hidden(&olivia, "version"));
    world.max().patch(record, json!({ "title": "Newer" })).expect(200);
    let fields = [("do", "save"), ("version", old.as_str()), ("title", "First"), ("body", "Hello")];
    assert_eq!(olivia.send_to(&room, &code, &fields).status, 422);
    shows(&olivia, &["The title was changed by another person", "Newer", "value=\"First\""], &[]);
    assert_eq!(world.max().get(record).expect(200)["title"], "Newer");
    // Sent again, it is saved; what changes nothing needs no version.
    let (code, now) = (olivia.code(), hidden(&olivia, "version"));
    let fields = [("do", "save"), ("version", now.as_str()), ("title", "First"), ("body", "Hello")];
    assert_eq!(olivia.send_to(&room, &code, &fields).status, 200);
    assert_eq!(world.max().get(record).expect(200)["title"], "First");
    for version in ["", "x", &old] {
        let fields = [("do", "save"), ("version", version), ("title", "First"), ("body", "Hello")];
        assert_eq!(send(&mut olivia, &room, &fields), 200, "{version}");
    }
}
