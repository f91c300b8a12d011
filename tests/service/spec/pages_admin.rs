//! The rooms of site administrators: the frame, the overview and the organizations (decisions 42, 61 and 71).

use guildhall::error::Error;

use super::given;
use super::mail_invitations::world as usual;
use super::pages_organization::sound;
use super::pages_team::{hidden, send, shows};
use super::sign_in::signed_in;
use super::sign_in_recent::call;
use crate::support::browser::Browser;
use crate::support::{World, json};

const PEOPLE: &str = "/ui/admin/people";
const ORGS: &str = "/ui/admin/organizations";

/// The rooms of site administrators.
const ROOMS: [&str; 21] = [
    "/ui/admin",
    PEOPLE,
    "/ui/admin/people?q=tom&show=suspended",
    "/ui/admin/users/tom",
    "/ui/admin/users/tom?ask=suspend",
    "/ui/admin/users/tom?ask=delete",
    "/ui/admin/users/tom?remove=tom@example.com",
    "/ui/admin/users/tom/act",
    ORGS,
    "/ui/admin/organizations/acme",
    "/ui/admin/audit?user=tom",
    "/ui/admin/hooks",
    "/ui/admin/hooks/new",
    "/ui/admin/deliveries",
    "/ui/admin/deliveries/1",
    "/ui/admin/tokens",
    "/ui/admin/tokens/1",
    "/ui/admin/applications",
    "/ui/admin/applications/178c6fc778ccc68e1d6a",
    "/ui/admin/health",
    "/ui/admin/limits",
];

/// A world in which Max administers the site.
pub fn world() -> World {
    let world = usual();
    world.sam().put("/users/max/site_admin", json!({})).expect(204);
    world
}

#[test]
fn decision_61_the_rooms_of_site_administrators_are_not_there_for_others() {
    let world = world();
    let mut max = signed_in(&world, "max");
    max.visit("/ui");
    shows(&max, &["<a href=\"/ui/admin\">Site administration</a>"], &[]);
    for room in ROOMS {
        max.visit(room);
        assert_eq!(max.page.status, 200, "{room}: {}", max.page.text);
        sound(&max.page.text);
        assert!(Browser::open(&world.base, room).path.starts_with("/login?return_to="), "{room}");
    }
    let stored = world.rows::<(String, bool, bool)>("SELECT login, suspended, site_admin FROM users ORDER BY id");
    for login in ["olivia", "nina"] {
        let mut other = signed_in(&world, login);
        other.visit("/ui");
        shows(&other, &[], &["/ui/admin"]);
        let own = other.code();
        let absent = other.visit("/ui/nothing/at/all").text.clone();
        for room in ROOMS {
            let shown = other.visit(room);
            assert_eq!((shown.status, without_codes(&shown.text)), (404, without_codes(&absent)), "{login} {room}");
            let path = room.split('?').next().expect("a path");
            for code in [own.as_str(), &max.code()] {
                let fields = [("do", "suspend"), ("login", "x"), ("admin", "nina"), ("id", "1")];
                assert_eq!(other.send_to(path, code, &fields).status, 404, "{login} {room}");
            }
            for verb in ["PUT", "DELETE", "PATCH"] {
                assert_eq!(other.with_cookie().send(verb, path, None).status, 404, "{login} {verb} {room}");
            }
        }
    }
    assert_eq!(
        world.rows::<(String, bool, bool)>("SELECT login, suspended, site_admin FROM users ORDER BY id"),
        stored
    );
    // In a marked session, the rooms are those of the person.
    assert_eq!(send(&mut max, "/ui/admin/users/nina/act", &[]), 200);
    shows(&max, &["you act for"], &["/ui/admin\""]);
    assert_eq!(max.visit("/ui/admin").status, 404);
}

#[test]
fn decision_42_the_operations_of_these_rooms_are_for_site_administrators() {
    let world = world();
    let (max, olivia) = (signed_in(&world, "max"), signed_in(&world, "olivia"));
    let (person, org) = (&[("username", "tom")][..], &[("org", "acme")][..]);
    for (operation, path) in [
        ("administration.look", &[][..]),
        ("administration.hooks", &[]),
        ("administration.people", &[]),
        ("administration.person", person),
        ("administration.memberships", person),
        ("administration.sessions", person),
        ("administration.endSessions", person),
        ("administration.endTokens", person),
        ("administration.organizations", &[]),
        ("administration.organization", org),
        ("administration.owners", org),
    ] {
        let body = json!({ "most": 10 });
        let refused = call(&world, &olivia, operation, path, &body);
        assert!(matches!(refused, Err(Error::NotFound)), "{operation}: {refused:?}");
        call(&world, &max, operation, path, &body).expect(operation);
    }
}

/// A page without the codes of its forms, which differ in each response.
fn without_codes(page: &str) -> String {
    let mut parts = page.split("name=\"form\" value=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('"').map_or("", |(_, rest)| rest))
}

#[test]
fn decision_61_a_room_of_site_administrators_has_its_methods_and_addresses() {
    let world = world();
    let mut max = signed_in(&world, "max");
    for room in ["/ui/admin", PEOPLE, ORGS, "/ui/admin/users/tom", "/ui/admin/organizations/acme"] {
        let refused = max.with_cookie().send("DELETE", room, None);
        assert_eq!((refused.status, refused.header("allow").is_some()), (405, true), "{room}");
        let slash = max.with_cookie().get(&format!("{room}/"));
        assert_eq!((slash.status, slash.header("location")), (303, Some(room)), "{room}");
        for code in ["", "wrong"] {
            assert!(matches!(max.send_to(room, code, &[("login", "x")]).status, 403 | 405), "{room}");
        }
    }
    for path in [
        "/ui/admin/nothing",
        "/ui/admin/users",
        "/ui/admin/users/ghost",
        "/ui/admin/users/acme",
        "/ui/admin/users/%3Cx%3E",
        "/ui/admin/users/tom/nothing",
        "/ui/admin/organizations/tom",
        "/ui/admin/organizations/nothing",
        "/ui/admin/organizations/acme/nothing",
    ] {
        assert_eq!(max.visit(path).status, 404, "{path}");
    }
}

#[test]
fn decision_61_the_overview_says_what_needs_someone() {
    let world = world();
    let mut max = signed_in(&world, "max");
    max.visit("/ui/admin");
    let number = |name: &str, count: i64| format!("<dt>{name}</dt><dd>{count}</dd>");
    let linked =
        |name: &str, at: &str, count: i64| format!("<dt>{name}</dt><dd><a href=\"/ui/admin/{at}\">{count}</a></dd>");
    let people: i64 = given::value(&world, "SELECT count(*) FROM users");
    shows(
        &max,
        &[
            &linked("People", "people", people),
            &linked("Suspended", "people?show=suspended", 0),
            &linked("Organizations", "organizations", 1),
            &number("Webhooks failing", 0),
            env!("CARGO_PKG_VERSION"),
            "schema ",
            "aria-current=\"page\">Overview</a>",
        ],
        &["given up", "Webhooks that need attention"],
    );
    world.sam().put("/users/tom/suspended", json!({})).expect(204);
    let olivia = world.olivia();
    let hook = |url: &str| json!({ "name": "web", "config": { "url": url } });
    olivia.post("/orgs/acme/hooks", hook("https://user:secret@one.example/x?key=hush")).expect(201);
    olivia.post("/orgs/acme/hooks", hook("https://two.example/y")).expect(201);
    given::run(&world, "UPDATE hooks SET failing_since = created_at WHERE url LIKE '%one%'");
    given::run(&world, "UPDATE hooks SET active = FALSE WHERE url LIKE '%two%'");
    world.settle();
    given::run(&world, "UPDATE deliveries SET state = 'dead' WHERE id = (SELECT min(id) FROM deliveries)");
    max.visit("/ui/admin");
    sound(&max.page.text);
    shows(
        &max,
        &[
            &linked("Suspended", "people?show=suspended", 1),
            &number("Webhooks failing", 1),
            &number("Webhooks off", 1),
            "1 delivery was given up.",
            "<bdi>one.example</bdi>",
            "<span class=\"state bad\">Failing</span>",
            "<bdi>two.example</bdi>",
            "<span class=\"state warn\">Switched off</span>",
            "<a href=\"/ui/admin/organizations/acme\"><bdi>acme</bdi></a>",
        ],
        &["secret", "hush"],
    );
    // A webhook of the site, and a deleted one.
    let config = json!({ "url": "https://three.example/", "content_type": "json" });
    world.sam().post("/admin/hooks", json!({ "name": "web", "config": config, "active": false })).expect(201);
    given::run(&world, "UPDATE hooks SET deleted_at = 1 WHERE url LIKE '%two%' OR url LIKE '%one%'");
    max.visit("/ui/admin");
    shows(&max, &["<bdi>three.example</bdi>", "of the site"], &["one.example", "two.example"]);
}

#[test]
fn decision_71_a_site_administrator_creates_an_organization_for_its_owner() {
    let world = world();
    let mut max = signed_in(&world, "max");
    for (fields, text) in [
        (vec![], "There are 2 problems"),
        (vec![("login", "globex"), ("admin", "ghost")], "No person has this login."),
        (vec![("login", "globex"), ("admin", "acme")], "No person has this login."),
        (vec![("login", "acme"), ("admin", "nina")], "is in use or was used before"),
        (vec![("login", "settings"), ("admin", "nina")], "is reserved"),
        (vec![("login", "\u{e9}"), ("admin", "nina")], "Use only letters"),
    ] {
        let typed = [&fields[..], &[("name", "<b>Globex</b>")]].concat();
        assert_eq!(send(&mut max, ORGS, &typed), 422, "{fields:?}");
        sound(&max.page.text);
        shows(&max, &[text, "<title>Error: ", "value=\"&#60;b&#62;Globex&#60;/b&#62;\""], &["<b>Globex"]);
    }
    world.sam().put("/users/eve/suspended", json!({})).expect(204);
    assert_eq!(send(&mut max, ORGS, &[("login", "globex"), ("admin", "eve")]), 422);
    assert_eq!(world.sam().get("/orgs/globex").status, 404);
    let fields = [("login", "globex"), ("admin", "nina"), ("name", "<b>Globex</b>")];
    assert_eq!(send(&mut max, ORGS, &fields), 200);
    assert_eq!(max.path, "/ui/admin/organizations/globex?done=created");
    shows(&max, &["The organization is there.", "<bdi>nina</bdi>", "Act for nina…"], &["<b>Globex"]);
    // Twice is once.
    assert_eq!(send(&mut max, ORGS, &fields), 422);
    let owners = "SELECT u.login FROM org_members m JOIN orgs o ON o.id = m.org_id JOIN users u ON u.id = m.user_id
                  WHERE o.login = 'globex' AND m.role = 'admin'";
    assert_eq!(world.rows::<(String,)>(owners), [("nina".to_owned(),)]);
}

#[test]
fn decision_61_organizations_are_found_and_listed_in_parts() {
    let world = world();
    given::run(&world, "UPDATE orgs SET name = 'Ünique <i>Works</i>' WHERE login = 'acme'");
    let mut max = signed_in(&world, "max");
    max.visit(ORGS);
    sound(&max.page.text);
    shows(&max, &["5 people · 1 team", "<span class=\"badge\">free</span>", "&#60;i&#62;Works"], &["<i>Works", "Next"]);
    for q in ["acme", "ACM", "cme", "works", "W"] {
        max.visit(&format!("{ORGS}?q={q}"));
        shows(&max, &["/ui/admin/organizations/acme\""], &[]);
    }
    let long = "x".repeat(5_000);
    for q in ["zzz", "%3Cx%3E", "%25", "_", long.as_str()] {
        max.visit(&format!("{ORGS}?q={q}"));
        assert_eq!(max.page.status, 200);
        shows(&max, &["No organization matches", "Show all organizations"], &["<x>"]);
    }
    for number in 1..=31 {
        world.organization(&format!("part{number}"), "nina", &[]);
    }
    max.visit(ORGS);
    assert_eq!(max.page.text.matches("<span class=\"badge\">free</span>").count(), 30);
    let next = next(&max);
    max.visit(&next);
    shows(&max, &["/ui/admin/organizations/part30\"", "First page"], &["part29", ">Next<"]);
    for after in ["99999999", "-1", "0", "x", "99999999999999999999999"] {
        assert_eq!(max.visit(&format!("{ORGS}?after={after}")).status, 200, "{after}");
        let is_behind = after == "99999999";
        assert_eq!(max.page.text.contains("There are no more organizations"), is_behind, "{after}");
    }
    max.visit(&format!("{ORGS}?q=part"));
    let next = self::next(&max);
    assert!(next.contains("q=part"), "{next}");
    max.visit(&next);
    shows(&max, &["/ui/admin/organizations/part31\""], &["part30", "acme"]);
}

/// The address of the next page of a list.
pub fn next(browser: &Browser) -> String {
    let link = browser.page.text.split("rel=\"next\"").next().and_then(|before| before.rsplit("href=\"").next());
    let link = link.and_then(|link| link.split('"').next()).unwrap_or_default();
    link.replace("&#38;", "&")
}

#[test]
fn decision_22_a_site_administrator_renames_an_organization_and_changes_its_plan() {
    let world = world();
    let page = "/ui/admin/organizations/acme";
    let mut max = signed_in(&world, "max");
    max.visit(page);
    sound(&max.page.text);
    let (id, was) = (hidden(&max, "id"), hidden(&max, "was"));
    assert_eq!(was, "free");
    // A site administrator acts for no other one, and for no one who is suspended.
    shows(&max, &["/ui/admin/users/olivia/act", "5</dd>"], &["No owner can sign in"]);
    for (fields, text) in [
        (vec![("do", "rename"), ("login", " ")], "Enter a short name."),
        (vec![("do", "rename"), ("login", "nina")], "is in use or was used before"),
        (vec![("do", "plan"), ("plan", "gold"), ("was", "free")], "Choose a plan."),
        (vec![("do", "plan"), ("was", "free")], "Choose a plan."),
    ] {
        assert_eq!(send(&mut max, page, &fields), 422, "{fields:?}");
        shows(&max, &[text], &[]);
    }
    let code = max.code();
    let other = [("do", "rename"), ("login", "other"), ("id", "99")];
    assert_eq!(max.with_cookie().send("POST", page, Some(encoded(&code, &other))).status, 422);
    let plan = [("do", "plan"), ("plan", "enterprise"), ("was", was.as_str())];
    assert_eq!(send(&mut max, page, &plan), 200);
    shows(&max, &["The organization has its new plan.", "value=\"enterprise\" checked"], &[]);
    // A form of before says that the plan was changed meanwhile, and changes nothing.
    let stale = [("do", "plan"), ("plan", "team"), ("was", "free")];
    assert_eq!(send(&mut max, page, &stale), 422);
    shows(&max, &["The plan was changed after you opened this page.", "value=\"team\" checked"], &[]);
    let now = hidden(&max, "was");
    assert_eq!(send(&mut max, page, &[("do", "plan"), ("plan", "team"), ("was", &now)]), 200);
    assert_eq!(send(&mut max, page, &[("do", "rename"), ("login", "Acme Works"), ("id", &id)]), 200);
    assert_eq!(max.path, "/ui/admin/organizations/Acme-Works?done=rename");
    shows(&max, &["The old one stays reserved."], &[]);
    assert_eq!(max.visit(page).status, 404);
    let stored = world.rows::<(String, String)>("SELECT login, plan FROM orgs");
    assert_eq!(stored, [("Acme-Works".to_owned(), "team".to_owned())]);
    assert_eq!(send(&mut max, "/ui/admin/organizations/Acme-Works", &[("do", "explode")]), 404);
}

/// A form with this code and these fields.
pub fn encoded(code: &str, fields: &[(&str, &str)]) -> String {
    crate::support::browser::encoded(&[&[("form", code)], fields].concat())
}

#[test]
fn decision_21_an_organization_without_an_active_owner_says_so() {
    let world = world();
    world.sam().put("/users/olivia/suspended", json!({})).expect(204);
    let mut max = signed_in(&world, "max");
    max.visit("/ui/admin/organizations/acme");
    shows(&max, &["No owner can sign in.", "All of them are suspended.", ">Suspended</span>"], &["olivia/act"]);
    given::run(&world, "UPDATE org_members SET role = 'member'");
    max.visit("/ui/admin/organizations/acme");
    sound(&max.page.text);
    shows(&max, &["The organization has no owner."], &[]);
}

#[test]
fn decision_61_an_old_session_makes_no_account_and_no_site_administrator() {
    let world = world();
    let mut max = signed_in(&world, "max");
    world.advance(16 * 60);
    let before = world.rows::<(String, bool)>("SELECT login, site_admin FROM users ORDER BY id");
    for (page, fields) in [
        (PEOPLE, vec![("login", "zoe"), ("email", "zoe@example.com")]),
        ("/ui/admin/users/tom?ask=promote", vec![("do", "promote")]),
        ("/ui/admin/users/eve?ask=delete", vec![("do", "delete"), ("login", "eve")]),
    ] {
        assert_eq!(send(&mut max, page, &fields), 403, "{page}");
        shows(&max, &["Confirm it"], &[]);
    }
    assert_eq!(world.rows::<(String, bool)>("SELECT login, site_admin FROM users ORDER BY id"), before);
}
