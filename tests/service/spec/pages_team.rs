//! The rooms of a team: what each person sees there (decisions 17, 23 and 53).

use super::given;
use super::mail_invitations::world;
use super::provider::{Provider, link};
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::json;
use crate::support::sent::is_small;

/// The overview of `core`.
pub const CORE: &str = "/ui/orgs/acme/teams/core";

/// Sends the form of a page with these fields.
pub fn send(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> u16 {
    browser.visit(path);
    let code = browser.code();
    let at = path.split('?').next().unwrap_or(path);
    browser.send_to(at, &code, fields).status
}

/// Sends the form of the settings of a team, with the version that it shows.
pub fn save(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> u16 {
    browser.visit(path);
    let version = hidden(browser, "version");
    let fields = [&[("version", version.as_str())][..], fields].concat();
    browser.send(&fields).status
}

/// The value of this hidden field of the page.
pub fn hidden(browser: &Browser, name: &str) -> String {
    let after = browser.page.text.split_once(&format!("name=\"{name}\" value=\"")).map_or("", |(_, after)| after);
    after.split('"').next().unwrap_or_default().to_owned()
}

/// Asserts that a page has all of these texts and none of those.
#[track_caller]
pub fn shows(browser: &Browser, texts: &[&str], not: &[&str]) {
    let page = &browser.page.text;
    for text in texts {
        assert!(page.contains(text), "no {text} in {page}");
    }
    for text in not {
        assert!(!page.contains(text), "{text} in {page}");
    }
}

/// The section of the page with this heading's identifier.
pub fn section<'a>(browser: &'a Browser, id: &str) -> &'a str {
    let after = browser.page.text.split(&format!("<section aria-labelledby=\"{id}\">")).nth(1).unwrap_or_default();
    after.split("</section>").next().unwrap_or_default()
}

#[test]
fn decision_23_the_overview_shows_direct_people_apart_from_those_through_child_teams() {
    let world = world();
    let core = given::core(&world);
    for name in ["Build", "Release"] {
        given::child(&world, &core, name);
    }
    for team in ["build", "release"] {
        given::put(&world, team, "eve", "member");
        world.olivia().delete(&format!("/orgs/acme/teams/{team}/memberships/olivia")).expect(204);
    }
    let mut max = signed_in(&world, "max");
    assert_eq!(max.visit(CORE).status, 200);
    shows(&max, &["You are a <b>maintainer</b></span>", "Everyone in <bdi>acme</bdi> can see this team"], &[]);
    let (direct, through) = (section(&max, "direct"), section(&max, "through"));
    for (text, is_there) in [("/ui/max", true), ("/ui/tom", true), ("/ui/eve", false), ("Make a member", true)] {
        assert_eq!(direct.contains(text), is_there, "{text}: {direct}");
    }
    assert!(through.contains("/ui/eve") && !through.contains("class=\"menu\""), "{through}");
    let teams = "in <a href=\"/ui/orgs/acme/teams/build\"><bdi>Build</bdi></a> and \
                 <a href=\"/ui/orgs/acme/teams/release\"><bdi>Release</bdi></a>";
    assert!(through.contains(teams), "{through}");
    assert!(section(&max, "tree").contains("/ui/orgs/acme/teams/release"), "{}", max.page.text);
    max.visit("/ui/orgs/acme/teams/build");
    let crumbs = "<li><a href=\"/ui/orgs/acme\"><bdi>acme</bdi></a></li> <li><a href=\"/ui/orgs/acme/teams/core\">";
    shows(&max, &[crumbs, "You are <b>not on this team</b>", "Ask to join"], &["Add people", "build/settings"]);
}

#[test]
fn decision_17_a_team_is_there_for_those_who_see_it() {
    let world = world();
    given::secret(&world, "Hidden");
    given::post(&world.max(), "Only for us", true);
    given::post(&world.max(), "For everyone", false);
    for (login, standing) in [("olivia", "as an owner of"), ("tom", "You are a <b>member</b>"), ("eve", "<b>not on")] {
        let mut browser = signed_in(&world, login);
        for room in ["", "/members", "/teams", "/repositories", "/projects"] {
            assert_eq!(browser.visit(&format!("{CORE}{room}")).status, 200, "{login} {room}");
        }
        let is_owner = login == "olivia";
        for room in ["/settings", "/delete", "?remove=tom", "?end=tom"] {
            let status = browser.visit(&format!("{CORE}{room}")).status;
            assert_eq!(status, if is_owner { 200 } else { 404 }, "{login} {room}");
        }
        for path in ["/ui/orgs/acme/teams/hidden", "/ui/orgs/acme/teams/hidden/members"] {
            assert_eq!(browser.visit(path).status, if is_owner { 200 } else { 404 }, "{login} {path}");
        }
        browser.visit(CORE);
        let buttons = ["Add people", "Make a maintainer", "core/settings"];
        shows(&browser, &[standing, "For everyone"], if is_owner { &[] } else { &buttons });
        shows(&browser, if is_owner { &buttons } else { &[] }, &[]);
        assert_eq!(browser.page.text.contains("Only for us"), login != "eve", "{login}");
    }
    let mut nina = signed_in(&world, "nina");
    for room in ["", "/members", "/settings", "/x", "/members/x"] {
        assert_eq!(nina.visit(&format!("{CORE}{room}")).status, 404, "{room}");
    }
    assert!(Browser::open(&world.base, CORE).path.starts_with("/login?return_to="));
}

#[test]
fn decision_53_names_of_every_kind_are_shown_as_they_are() {
    let world = world();
    let long = "x".repeat(200);
    let core = given::core(&world);
    given::child(&world, &core, &long);
    given::child(&world, &core, "<script>alert(1)</script>");
    given::child(&world, &core, "צוות 🚀 Team");
    world.client("tom").patch("/user", json!({ "name": "<img src=x onerror=alert(1)>" })).expect(200);
    let text = json!({ "name": "Core", "description": format!("<b>bold</b> {}", "y".repeat(65_000)) });
    world.olivia().patch("/orgs/acme/teams/core", text).expect(200);
    let mut max = signed_in(&world, "max");
    for room in ["", "/members", "/teams"] {
        let page = max.visit(&format!("{CORE}{room}"));
        assert_eq!(page.status, 200, "{room}");
        is_small(&page.text);
        shows(&max, &[], &["<script>alert", "<img src=x", "<b>bold</b>"]);
    }
    // A line has the beginning of a name, and the room of the team has all of it.
    let beginning = format!("<bdi>{}…</bdi>", &long[..59]);
    shows(&max, &[&beginning, "&#60;script&#62;alert(1)", "צוות 🚀 Team"], &[&format!(">{long}")]);
    max.visit(CORE);
    shows(&max, &["<bdi>&#60;img src=x onerror=alert(1)&#62;</bdi></a>"], &[]);
    assert_eq!(max.visit(&format!("/ui/orgs/acme/teams/{long}")).status, 200);
    shows(&max, &[&format!("<h1><bdi>{long}</bdi></h1>")], &[]);
    max.visit(&format!("/ui/orgs/acme/teams/{long}/teams"));
    shows(&max, &[&format!("<h1><bdi>{long}</bdi></h1>")], &[]);
}

#[test]
fn decision_53_every_address_that_a_name_makes_opens() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    // Some characters become several letters of a slug.
    for (name, slug) in [("v".repeat(201), "v".repeat(201)), ("\u{33af}".repeat(255), "rad-s2".repeat(255))] {
        let room = format!("/ui/orgs/acme/teams/{slug}");
        assert_eq!(send(&mut olivia, "/ui/orgs/acme/new-team", &[("name", &name), ("privacy", "closed")]), 200);
        assert!(olivia.path.starts_with(&room), "{}", olivia.path);
        let post = json!({ "title": "Hello", "body": "All" });
        world.olivia().post(&format!("/orgs/acme/teams/{slug}/discussions"), post).expect(201);
        for tab in
            ["", "/members", "/teams", "/repositories", "/projects", "/discussions", "/discussions/1", "/settings"]
        {
            assert_eq!(olivia.visit(&format!("{room}{tab}")).status, 200, "{tab}");
        }
        // The former address leads to the new one.
        world.olivia().patch(&format!("/orgs/acme/teams/{slug}"), json!({ "name": "Short" })).expect(200);
        assert_eq!(olivia.visit(&room).status, 200);
        assert!(olivia.path.starts_with("/ui/orgs/acme/teams/short"), "{}", olivia.path);
        world.olivia().delete("/orgs/acme/teams/short").expect(204);
    }
    let long = "v".repeat(7_000);
    for path in [format!("/ui/orgs/acme/teams/{long}"), format!("/ui/{long}"), format!("/ui/acme/{long}")] {
        assert_eq!(olivia.visit(&path).status, 404);
    }
}

#[test]
fn decision_53_a_description_that_is_too_long_for_a_form_stays() {
    let world = world();
    let (long, short) = ("é".repeat(1_001), "é".repeat(1_000));
    for (record, room, form) in [
        ("/orgs/acme", "/ui/orgs/acme/settings", &[("end", "yes"), ("permission", "read"), ("name", "New")][..]),
        (
            "/orgs/acme/teams/core",
            &format!("{CORE}/settings"),
            &[("name", "Core"), ("privacy", "closed"), ("news", "off")],
        ),
    ] {
        let mut olivia = signed_in(&world, "olivia");
        let stored = || world.olivia().get(record).expect(200)["description"].clone();
        let save = |olivia: &mut Browser, description: &str| {
            let version = hidden(olivia, "version");
            let fields = [form, &[("version", version.as_str()), ("description", description)]].concat();
            assert_eq!(olivia.send(&fields).status, 200, "{room}");
        };
        world.olivia().patch(record, json!({ "name": "Core", "description": long })).expect(200);
        olivia.visit(room);
        shows(&olivia, &["is too long for this form. It stays", "Save"], &[&short]);
        save(&mut olivia, "");
        assert_eq!(stored(), long.as_str());
        save(&mut olivia, &short);
        assert_eq!(stored(), short.as_str());
        olivia.visit(room);
        shows(&olivia, &[&short], &["is too long for this form"]);
        save(&mut olivia, "");
        assert!(stored().as_str().is_none_or(str::is_empty), "{}", stored());
    }
}

#[test]
fn decision_23_people_are_listed_in_pages_with_filters() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let people = format!("{CORE}/members");
    olivia.visit(&people);
    shows(&olivia, &["/ui/max", "/ui/tom"], &["class=\"pager\""]);
    for (query, shown, hidden) in [
        ("?role=maintainer", "/ui/max\"", "/ui/tom\""),
        ("?role=member", "/ui/tom\"", "/ui/max\""),
        ("?membership=child_team", "No one like this is on", "/ui/max\""),
        ("?membership=immediate&role=x&page=0", "/ui/max\"", "No one like this"),
        ("?page=99999999999999999999", "/ui/max\"", "No one like this"),
        ("?page=9", "/ui/max\"", "This page is empty"),
    ] {
        assert_eq!(olivia.visit(&format!("{people}{query}")).status, 200, "{query}");
        shows(&olivia, &[shown], &[hidden]);
    }
}

#[test]
fn decision_53_an_empty_team_says_what_it_is_for() {
    let world = world();
    let body = json!({ "name": "Tooling", "privacy": "closed" });
    world.olivia().post("/orgs/acme/teams", body).expect(201);
    world.olivia().delete("/orgs/acme/teams/tooling/memberships/olivia").expect(204);
    let room = "/ui/orgs/acme/teams/tooling";
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(room);
    shows(&olivia, &["No one is on <bdi>Tooling</bdi> yet", "id=\"who\"", "Made by mistake?", "No posts yet"], &[]);
    assert_eq!(send(&mut olivia, room, &[("do", "add"), ("who", "eve")]), 200);
    shows(&olivia, &["/ui/eve", "Added."], &["No one is on"]);
    let mut eve = signed_in(&world, "eve");
    for (at, text) in [("/teams", "No team is inside"), ("/repositories", "No repositories that you can see")] {
        eve.visit(&format!("{room}{at}"));
        shows(&eve, &[text], &[]);
    }
}

#[test]
fn decision_48_a_synchronized_team_says_so_and_shows_no_buttons_for_its_people() {
    let world = world();
    let provider = Provider::of(&world);
    let tom = provider.tied(&world, "tom");
    let group = provider.group("Staff", &[&tom]);
    link(&world, "core", &[&group]).expect(200);
    let mut olivia = signed_in(&world, "olivia");
    for room in ["", "/members"] {
        olivia.visit(&format!("{CORE}{room}"));
        shows(&olivia, &["come from groups of the identity provider", "/ui/tom"], &["Add people", "Make a maintainer"]);
    }
    let code = olivia.code();
    assert_eq!(olivia.send_to(CORE, &code, &[("do", "add"), ("who", "eve")]).status, 403);
    let mut eve = signed_in(&world, "eve");
    eve.visit(CORE);
    shows(&eve, &[], &["Ask to join"]);
}

#[test]
fn decision_53_a_page_of_people_is_small() {
    let world = world();
    let mut olivia = signed_in(&world, "olivia");
    let logins: Vec<String> = (0..40).map(|n| format!("colleague-with-a-long-login-{n}")).collect();
    for login in &logins {
        world.register(login);
        world.join("acme", "olivia", login);
        given::put(&world, "core", login, "member");
    }
    let page = olivia.visit(&format!("{CORE}/members")).text.clone();
    is_small(&page);
    shows(&olivia, &["1 to 30 of 42", "page=2\" rel=\"next\""], &[&format!("/ui/{}\"", logins[39])]);
    olivia.visit(&format!("{CORE}/members?page=2"));
    shows(&olivia, &["31 to 42 of 42", &format!("/ui/{}\"", logins[39])], &["/ui/max\""]);
    olivia.visit(CORE);
    shows(&olivia, &["All 42 people on this team"], &[&format!("/ui/{}\"", logins[39])]);
}
