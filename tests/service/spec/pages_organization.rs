//! The room of an organization: its teams as a tree, finding one, and creating one (decisions 16, 17, 53 and 78).

use super::given;
use super::mail_invitations::world;
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::sent::is_small;
use crate::support::{Value, World, json};

const ROOM: &str = "/ui/orgs/acme";

const NEW: &str = "/ui/orgs/acme/new-team";

/// Sends the form of a room with these fields.
pub fn send(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> u16 {
    browser.visit(path);
    let code = browser.code();
    browser.send_to(path, &code, fields).status
}

/// The line of a team in a tree.
fn line(page: &str, slug: &str) -> String {
    let begin = format!("<div class=\"node\"><a href=\"/ui/orgs/acme/teams/{slug}\">");
    page.split_once(&begin).and_then(|(_, rest)| rest.split_once("</div>")).map_or("", |(line, _)| line).to_owned()
}

/// Asserts that a page is well: every list that begins ends, nothing is inline, and it is not too long.
#[track_caller]
pub fn sound(page: &str) {
    for tag in ["ul", "li", "details", "section", "form", "div", "table", "span"] {
        let begins = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(begins, page.matches(&format!("</{tag}>")).count(), "{tag} in {page}");
    }
    assert!(!page.contains("style=") && !page.contains("<script>"), "{page}");
    is_small(page);
}

fn tree(world: &World) {
    let core = given::core(world);
    let build = given::child(world, &core, "Build");
    given::child(world, &build, "Night");
    given::put(world, "build", "eve", "member");
    given::secret(world, "Hidden");
    given::put(world, "hidden", "max", "maintainer");
}

#[test]
fn decision_17_the_room_shows_the_teams_that_the_visitor_sees_as_a_tree() {
    let world = world();
    tree(&world);
    let mut max = signed_in(&world, "max");
    let page = max.visit(ROOM).text.clone();
    sound(&page);
    for wanted in ["You are a member", "<dt>Teams</dt><dd>4</dd>", ">5</a></dd>", "Child teams of <bdi>Core</bdi>"] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    // Max, Tom and Eve, each once, with those of child teams: Olivia made both and is their maintainer.
    assert!(line(&page, "core").contains("<span class=\"n\">4<span"), "{page}");
    assert!(line(&page, "core").contains("<small>Maintainer</small>"), "{page}");
    assert!(line(&page, "build").contains("<span class=\"n\">2<span") && !line(&page, "build").contains("Maintainer"));
    assert!(line(&page, "hidden").contains(">Secret</span>"), "{page}");
    assert!(page.contains("/new-team"), "{page}");
    let tree = page.split("class=\"tree").nth(1).expect("a tree");
    let places = ["core", "build", "night", "hidden"].map(|slug| tree.find(&format!("/teams/{slug}\"")).expect(slug));
    assert!(places.is_sorted(), "{places:?}");

    let mut eve = signed_in(&world, "eve");
    let page = eve.visit(ROOM).text.clone();
    assert!(!page.contains("Hidden") && page.contains("<dt>Teams</dt><dd>3</dd>"), "{page}");
    assert!(!page.contains("What members can do here") && !page.contains("/applications"), "{page}");
    let mut olivia = signed_in(&world, "olivia");
    let page = olivia.visit(ROOM).text.clone();
    for wanted in ["You are an owner", "Hidden", "What members can do here", "/applications"] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
}

#[test]
fn decision_17_people_from_outside_see_no_team() {
    let world = world();
    tree(&world);
    world.olivia().patch("/orgs/acme", json!({ "description": "Trains <b>" })).expect(200);
    let mut nina = signed_in(&world, "nina");
    let page = nina.visit(ROOM).text.clone();
    sound(&page);
    assert!(page.contains("Its teams are for its members") && page.contains("Trains &#60;b&#62;"), "{page}");
    for hidden in ["Core", "Hidden", "<dt>", "new-team", "/people"] {
        assert!(!page.contains(hidden), "{hidden} in {page}");
    }
    assert!(!nina.visit("/ui/orgs/acme?q=core").text.contains("Core"));
    for path in [NEW, "/ui/orgs/acme/people", "/ui/orgs/acme/people/tom", "/ui/orgs/nothing", "/ui/orgs/acme/x"] {
        assert_eq!(nina.visit(path).status, 404, "{path}");
    }
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    let page = nina.visit(ROOM).text.clone();
    assert!(page.contains("You are invited") && !page.contains("Core"), "{page}");
    assert!(Browser::open(&world.base, ROOM).path.starts_with("/login?return_to="));
}

#[test]
fn decision_78_a_team_is_found_by_typing_a_part_of_its_name() {
    let world = world();
    tree(&world);
    given::closed(&world, "Gates & \"printers\"");
    let mut eve = signed_in(&world, "eve");
    let page = eve.visit("/ui/orgs/acme?q=NIG").text.clone();
    sound(&page);
    assert!(page.contains("<bdi>Night</bdi>") && page.contains("below <bdi>Build</bdi>"), "{page}");
    assert!(!page.contains("<bdi>Core</bdi>") && page.contains("value=\"NIG\""), "{page}");
    assert!(eve.visit("/ui/orgs/acme?q=%26+%22printers%22").text.contains("Gates &#38; &#34;printers&#34;"));
    // What is typed is no query: not a qualifier, an operator or a quotation mark.
    for typed in ["org:other", "-core", "NOT", "a+OR+b", "%22", "%22%22%22", "member:", "hidden", "%3Cscript%3E"] {
        let page = eve.visit(&format!("/ui/orgs/acme?q={typed}"));
        assert_eq!(page.status, 200, "{typed}: {}", page.text);
        sound(&page.text);
        assert!(!page.text.contains("<bdi>Hidden</bdi>"), "{typed}");
    }
    let long = "x".repeat(5_000);
    assert_eq!(eve.visit(&format!("/ui/orgs/acme?q={long}&page=99999999999")).status, 200);
}

#[test]
fn decision_17_a_large_tree_comes_in_parts() {
    let world = world();
    let olivia = world.olivia();
    let create = |name: String, parent: &Value| {
        olivia
            .post("/orgs/acme/teams", json!({ "name": name, "privacy": "closed", "parent_team_id": parent }))
            .expect(201)
            .clone()
    };
    let mut above = given::core(&world);
    for level in 2..8 {
        above = create(format!("Level {level}"), &above["id"]);
    }
    for number in 10..75 {
        create(format!("Wide {number} with a name that is as long as names are in large organizations"), &json!(null));
    }
    let wide =
        world.olivia().get("/orgs/acme/teams/wide-10-with-a-name-that-is-as-long-as-names-are-in-large-organizations");
    for number in 0..90 {
        create(format!("Below {number}"), &wide.json["id"]);
    }
    let mut eve = signed_in(&world, "eve");
    let page = eve.visit(ROOM).text.clone();
    sound(&page);
    assert!(page.contains("1 to 40 of 66") && page.contains("?page=2"), "{page}");
    // The deepest levels, and what there is no room for, are behind a link.
    assert!(page.contains("<bdi>Level 5</bdi>") && !page.contains("<bdi>Level 6</bdi>"), "{page}");
    assert!(line(&page, "level-5").contains("/teams/level-5/teams\">1 child team<"), "{page}");
    assert!(page.contains("organizations/teams\">90 child teams<") && !page.contains("<bdi>Below 1</bdi>"), "{page}");
    let page = eve.visit("/ui/orgs/acme?page=2").text.clone();
    sound(&page);
    assert!(page.contains("<bdi>Wide 74") && !page.contains("<bdi>Core</bdi>") && page.contains("41 to 66 of 66"));
    for number in ["0", "-1", "x", "99", "18446744073709551615"] {
        assert_eq!(eve.visit(&format!("/ui/orgs/acme?page={number}")).status, 200, "{number}");
    }
}

#[test]
fn decision_53_an_empty_organization_says_what_to_do_first() {
    let world = world();
    world.organization("empty", "nina", &[]);
    let mut nina = signed_in(&world, "nina");
    let page = nina.visit("/ui/orgs/EMPTY").text.clone();
    assert!(page.contains("There are no teams here yet") && page.contains("Create the first team"), "{page}");
    assert!(page.contains("href=\"/ui/orgs/empty/new-team\""), "{page}");
}

#[test]
fn decision_16_a_member_creates_a_team_on_a_page() {
    let world = world();
    let mut eve = signed_in(&world, "eve");
    let fields = [
        ("name", "Gates & printers"),
        ("description", "At every <station>"),
        ("parent", ""),
        ("privacy", "closed"),
        ("maintainers", "tom, @max"),
    ];
    send(&mut eve, NEW, &fields);
    assert!(eve.path.starts_with("/ui/orgs/acme/teams/gates-printers"), "{}", eve.path);
    let team = world.olivia().get("/orgs/acme/teams/gates-printers").expect(200).clone();
    assert_eq!((&team["description"], &team["privacy"]), (&json!("At every <station>"), &json!("closed")));
    assert_eq!(team["members_count"], 3);
    // The parent is found by its name, with a comma or not, and however it is spelled.
    send(&mut eve, NEW, &[("name", "Spare parts"), ("parent", "GATES & Printers,"), ("privacy", "closed")]);
    assert_eq!(world.olivia().get("/orgs/acme/teams/spare-parts").expect(200)["parent"]["name"], "Gates & printers");
    assert!(eve.visit(&format!("{NEW}?parent=Core%22")).text.contains("value=\"Core&#34;\""));
    send(&mut eve, NEW, &[("name", "Quiet"), ("privacy", "secret")]);
    assert_eq!(world.eve().get("/orgs/acme/teams/quiet").expect(200)["privacy"], "secret");
}

#[test]
fn decision_16_what_is_wrong_with_a_new_team_is_told_at_the_field() {
    let world = world();
    given::secret(&world, "Hidden");
    let mut eve = signed_in(&world, "eve");
    let long = "x".repeat(256);
    for (field, fields) in [
        ("name", vec![("name", " ")]),
        ("name", vec![("name", long.as_str())]),
        ("name", vec![("name", "core"), ("description", "Typed <before>")]),
        ("parent", vec![("name", "New"), ("parent", "Nothing <b>")]),
        ("parent", vec![("name", "New"), ("parent", "hidden")]),
        ("parent", vec![("name", "New"), ("parent", "core")]),
        ("maintainers", vec![("name", "New"), ("maintainers", "nina")]),
    ] {
        assert_eq!(send(&mut eve, NEW, &fields), 422, "{fields:?}: {}", eve.page.text);
        let page = &eve.page.text;
        sound(page);
        let wanted = [format!("id=\"{field}-error\""), format!("href=\"#{field}\""), "<title>Error: ".to_owned()];
        assert!(wanted.iter().all(|wanted| page.contains(wanted)), "{fields:?}: {page}");
        for (_, value) in &fields {
            let value = value.trim().replace('<', "&#60;").replace('>', "&#62;");
            assert!(page.contains(&format!("value=\"{value}")), "{value} in {page}");
        }
    }
    assert_eq!(world.olivia().get("/orgs/acme/teams").expect(200).as_array().map(Vec::len), Some(2));
    eve.visit(NEW);
    assert_eq!(eve.send_to(NEW, "forged", &[("name", "Forged")]).status, 403);
    world.olivia().patch("/orgs/acme", json!({ "members_can_create_teams": false })).expect(200);
    assert_eq!(eve.visit(NEW).status, 404);
    assert!(!eve.visit(ROOM).text.contains("/new-team"), "{}", eve.page.text);
    world.olivia().get("/orgs/acme/teams/forged").expect(404);
}

#[test]
fn decision_10_the_room_of_a_renamed_team_is_led_to() {
    let world = world();
    tree(&world);
    world.olivia().patch("/orgs/acme/teams/build", json!({ "name": "Builders" })).expect(200);
    world.olivia().patch("/orgs/acme/teams/hidden", json!({ "name": "Deeper" })).expect(200);
    let eve = signed_in(&world, "eve");
    let location = |path: &str| {
        let answer = eve.with_cookie().get(path);
        (answer.status, answer.header("location").map(str::to_owned))
    };
    for (from, to) in [
        ("/ui/orgs/acme/teams/build", "/ui/orgs/acme/teams/builders"),
        ("/ui/orgs/acme/teams/build/members?page=2", "/ui/orgs/acme/teams/builders/members?page=2"),
    ] {
        assert_eq!(location(from), (303, Some(to.to_owned())));
    }
    // Those who do not see a team do not learn of its new name.
    assert_eq!(location("/ui/orgs/acme/teams/hidden"), (404, None));
}
