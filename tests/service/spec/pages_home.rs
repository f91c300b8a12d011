//! The home of a person, the room of another, and finding things (decisions 17, 18, 53, 65 and 78).

use super::given;
use super::mail_invitations::{settle, world};
use super::pages_organization::sound;
use super::sign_in::signed_in;
use crate::support::json;

#[test]
fn decision_17_home_shows_the_own_teams_as_a_tree_with_those_above() {
    let world = world();
    let core = given::core(&world);
    let build = given::child(&world, &core, "Build");
    given::child(&world, &build, "Night");
    given::put(&world, "night", "eve", "member");
    given::closed(&world, "Other");
    world.organization("second", "eve", &[]);
    let mut eve = signed_in(&world, "eve");
    let page = eve.visit("/ui").text.clone();
    sound(&page);
    for wanted in
        ["Child teams of <bdi>Core</bdi>", "Child teams of <bdi>Build</bdi>", "<bdi>Night</bdi>", "<bdi>second</bdi>"]
    {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    // Core has Max, Tom, Eve and Olivia, who made the teams below it.
    assert!(page.contains("<bdi>Core</bdi></a> <span class=\"n\">4<span"), "{page}");
    assert!(page.contains("<bdi>Night</bdi></a> <small>Member</small> <span class=\"n\">2<span"), "{page}");
    assert!(!page.contains("Other") && page.contains("You are not on a team yet."), "{page}");
    let mut tom = signed_in(&world, "tom");
    let page = tom.visit("/ui").text.clone();
    assert!(page.contains("<bdi>Core</bdi>") && !page.contains("<bdi>Build</bdi>"), "{page}");
}

#[test]
fn decision_65_requests_to_join_wait_on_the_home_page() {
    let world = world();
    let mut browsers = ["max", "olivia", "tom", "eve"].map(|login| signed_in(&world, login));
    let ask = |login: &str, message: &str| {
        world.client(login).post("/orgs/acme/teams/core/join_requests", json!({ "message": message })).expect(201);
    };
    ask("eve", "Let me <b>in</b>");
    ask("ray", "Me too");
    for browser in &mut browsers[..2] {
        let page = browser.visit("/ui").text.clone();
        sound(&page);
        assert!(page.contains("Waiting for you <span class=\"meta\">2</span>"), "{page}");
        assert!(page.contains("“<bdi>Let me &#60;b&#62;in&#60;/b&#62;</bdi>”"), "{page}");
    }
    for browser in &mut browsers[2..] {
        assert!(!browser.visit("/ui").text.contains("Waiting for you"), "{}", browser.page.text);
    }
    let request = |login: &str| {
        let all = world.olivia().get("/orgs/acme/teams/core/join_requests").expect(200).clone();
        let of = all.as_array().expect("a list").iter().find(|one| one["user"]["login"] == login).cloned();
        of.expect("a request")["id"].to_string()
    };
    let [mut max, ..] = browsers;
    max.visit("/ui");
    let (eve, ray) = (request("eve"), request("ray"));
    let code = max.code();
    let mut send = |id: &str, answer: &str| {
        let fields = [("org", "acme"), ("team", "core"), ("request", id), ("answer", answer)];
        max.send_to("/ui", &code, &fields).text.clone()
    };
    assert!(send(&eve, "add").contains("They are on the team now."));
    assert!(send(&eve, "refuse").contains("That request was answered or withdrawn."));
    assert!(send(&ray, "refuse").contains("Request declined."));
    world.olivia().get("/orgs/acme/teams/core/memberships/eve").expect(200);
    world.olivia().get("/orgs/acme/teams/core/memberships/ray").expect(404);
}

#[test]
fn decision_37_home_shows_what_is_new_on_boards() {
    let world = world();
    for number in 0..6 {
        let post = json!({ "title": format!("News {number} <i>"), "body": "x" });
        world.max().post("/orgs/acme/teams/core/discussions", post).expect(201);
    }
    settle(&world);
    let mut tom = signed_in(&world, "tom");
    let page = tom.visit("/ui").text.clone();
    sound(&page);
    assert!(page.contains("<bdi>News 5 &#60;i&#62;</bdi>") && page.contains("All 6 in your inbox"), "{page}");
    assert!(page.contains("href=\"/ui/orgs/acme/teams/core/discussions/6\""), "{page}");
    assert!(signed_in(&world, "eve").visit("/ui").text.contains("Nothing is unread."));
}

#[test]
fn decision_18_the_room_of_a_person_shows_what_the_visitor_may_see() {
    let world = world();
    world.client("tom").patch("/user", json!({ "name": "Tomás <b>" })).expect(200);
    given::secret(&world, "Hidden");
    given::put(&world, "hidden", "tom", "member");
    let mut eve = signed_in(&world, "eve");
    let page = eve.visit("/ui/TOM").text.clone();
    sound(&page);
    for wanted in ["<bdi>Tomás &#60;b&#62;</bdi>", "<bdi>Core</bdi>", "<bdi>acme</bdi>"] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    assert!(!page.contains("Hidden") && !page.contains("Change"), "{page}");
    let mut olivia = signed_in(&world, "olivia");
    let page = olivia.visit("/ui/tom").text.clone();
    assert!(page.contains("<bdi>Hidden</bdi>") && page.contains("/ui/orgs/acme/people/tom\""), "{page}");
    assert!(olivia.visit("/ui/olivia").text.contains("/ui/settings\">Settings</a></div>"), "{}", olivia.page.text);
    let mut nina = signed_in(&world, "nina");
    let page = nina.visit("/ui/tom").text.clone();
    assert!(page.contains("No teams that you see") && page.contains("None that you see."), "{page}");
    nina.visit("/ui/acme");
    assert_eq!((nina.path.as_str(), nina.page.status), ("/ui/orgs/acme", 200));
    for path in ["/ui/nothing", "/ui/%3Cscript%3E", "/ui/a%22b", "/ui/%F0%9F%98%80"] {
        assert_eq!(nina.visit(path).status, 404, "{path}");
    }
}

#[test]
fn decision_65_home_shows_the_requests_that_a_person_may_decide_once() {
    let world = world();
    given::team(&world, json!({ "name": "Own", "privacy": "closed", "maintainers": ["max"] }));
    given::closed(&world, "Other");
    world.organization("second", "max", &["eve"]);
    let path = |team: &str| format!("/orgs/acme/teams/{team}/join_requests");
    for team in ["core", "own", "other"] {
        world.eve().post(&path(team), json!({})).expect(201);
    }
    let shown = |login: &str| {
        let mut browser = signed_in(&world, login);
        let page = browser.visit("/ui").text.clone();
        ["core", "own", "other"].map(|team| page.matches(&format!("name=\"team\" value=\"{team}\"")).count())
    };
    assert_eq!(shown("olivia"), [1, 1, 1], "an owner, who maintains some of the teams");
    assert_eq!(shown("max"), [1, 1, 0], "a maintainer, who owns another organization");
    assert_eq!((shown("tom"), shown("eve")), ([0; 3], [0; 3]));
    given::put(&world, "own", "eve", "member");
    assert_eq!(shown("olivia"), [1, 0, 1]);
}

#[test]
fn decision_78_the_search_finds_teams_people_and_repositories() {
    let world = world();
    world
        .olivia()
        .post("/orgs/acme/repos", json!({ "name": "core-web", "private": true, "description": "<b>" }))
        .expect(201);
    given::secret(&world, "Core secret");
    for number in 0..12 {
        given::closed(&world, &format!("Core {number}"));
    }
    let mut max = signed_in(&world, "max");
    let page = max.visit("/ui/search?q=core").text.clone();
    sound(&page);
    for wanted in
        ["Teams <span class=\"meta\">13</span>", "All 13 teams", "<bdi>Core</bdi>", "/ui/orgs/acme/teams/core\""]
    {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    assert!(!page.contains("secret"), "{page}");
    let page = signed_in(&world, "nina").visit("/ui/search?q=core").text.clone();
    assert!(page.contains("Nothing found for <bdi>core</bdi>"), "{page}");
    let page = max.visit("/ui/search?q=core&part=teams&page=1").text.clone();
    assert!(page.contains("Core 11") && page.contains("name=\"part\" value=\"teams\""), "{page}");
    let mut olivia = signed_in(&world, "olivia");
    let page = olivia.visit("/ui/search?q=core").text.clone();
    assert!(page.contains("<bdi>acme/core-web</bdi>") && page.contains(">Private<"), "{page}");
    assert!(olivia.visit("/ui/search?q=core&part=people").text.contains("Nothing found"), "{}", olivia.page.text);
    let page = olivia.visit("/ui/search?q=AC").text.clone();
    assert!(page.contains("href=\"/ui/acme\"") && page.contains(">Organization<"), "{page}");
    assert!(olivia.visit("/ui/search?q=max").text.contains("href=\"/ui/max\""), "{}", olivia.page.text);
    assert!(olivia.visit("/ui/search").text.contains("What are you looking for?"));
    for typed in ["%3Cscript%3E", "org:acme", "-", "%22%22", "a+OR+b+NOT", "%F0%9F%98%80", "x+".repeat(300).as_str()] {
        let page = olivia.visit(&format!("/ui/search?q={typed}&part=x&page=y"));
        assert_eq!(page.status, 200, "{typed}: {}", page.text);
        sound(&page.text);
    }
}

#[test]
fn decision_17_home_has_pages_for_many_organizations() {
    let world = world();
    for number in 1..=30 {
        world.organization(&format!("org-{number}"), "olivia", &[]);
    }
    world.sam().post("/admin/organizations", json!({ "login": "open", "admin": "eve" })).expect(201);
    world.client("eve").put("/orgs/open/memberships/olivia", json!({})).expect(200);
    let mut olivia = signed_in(&world, "olivia");
    let page = olivia.page.text.clone();
    assert!(page.contains("1 to 30 of 31") && page.contains("<bdi>org-29</bdi></a>"), "{page}");
    assert!(page.contains("Join <bdi>open</bdi>") && !page.contains("<bdi>org-30</bdi></a>"), "{page}");
    let page = olivia.visit("/ui?page=2").text.clone();
    assert!(page.contains("<bdi>org-30</bdi></a>") && !page.contains("<bdi>org-29</bdi></a>"), "{page}");
}
