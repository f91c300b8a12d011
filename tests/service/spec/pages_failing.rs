//! Pages while the store fails: each is a page for people, and a form keeps what was typed (decision 53).

use super::given;
use super::mail_invitations::world;
use super::pages_team::{CORE, hidden, shows};
use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::{World, json};

/// More statements than any page should need.
const TOO_MANY: u32 = 400;

/// The rooms of members, owners and site administrators.
const ROOMS: [&str; 54] = [
    "/ui",
    "/ui/orgs/acme",
    "/ui/orgs/acme?q=core",
    "/ui/orgs/acme/new-team",
    "/ui/orgs/acme/people",
    "/ui/orgs/acme/people?q=tom",
    "/ui/orgs/acme/people/tom",
    "/ui/orgs/acme/repositories",
    "/ui/orgs/acme/projects",
    "/ui/orgs/acme/applications",
    "/ui/orgs/acme/settings",
    "/ui/orgs/acme/delete",
    "/ui/orgs/acme/audit",
    "/ui/orgs/acme/hooks",
    "/ui/orgs/acme/hooks/new",
    "/ui/orgs/acme/hooks/1",
    "/ui/orgs/acme/hooks/1/edit",
    "/ui/orgs/acme/hooks/1/delete",
    "/ui/tom",
    "/ui/search?q=core",
    CORE,
    "/ui/orgs/acme/teams/core/members",
    "/ui/orgs/acme/teams/core/teams",
    "/ui/orgs/acme/teams/core/repositories",
    "/ui/orgs/acme/teams/core/projects",
    "/ui/orgs/acme/teams/core/settings",
    "/ui/orgs/acme/teams/core/delete",
    "/ui/orgs/acme/teams/core/discussions",
    "/ui/orgs/acme/teams/core/discussions/new",
    "/ui/orgs/acme/teams/core/discussions/1",
    "/ui/acme/web",
    "/ui/orgs/acme/projects/1",
    "/ui/notifications?part=all",
    "/ui/settings",
    "/ui/admin",
    "/ui/admin/people?q=tom",
    "/ui/admin/users/tom",
    "/ui/admin/organizations?q=acme",
    "/ui/admin/organizations/acme",
    "/ui/admin/audit",
    "/ui/admin/hooks",
    "/ui/admin/hooks/new",
    "/ui/admin/hooks/2",
    "/ui/admin/hooks/2/edit",
    "/ui/admin/hooks/2/delete",
    "/ui/admin/deliveries",
    "/ui/admin/deliveries?state=waiting&kind=hook",
    "/ui/admin/deliveries/1",
    "/ui/admin/tokens?person=tom",
    "/ui/admin/tokens/1",
    "/ui/admin/applications",
    "/ui/admin/applications/178c6fc778ccc68e1d6a",
    "/ui/admin/health",
    "/ui/admin/limits",
];

fn furnished() -> World {
    let world = world();
    given::repository(&world, "web", None);
    given::grant(&world, "core", &given::project(&world, "Plan"), "read");
    given::post(&world.max(), "Hello", false);
    world.sam().put("/users/olivia/site_admin", json!({})).expect(204);
    let hook = json!({ "name": "web", "config": { "url": "http://127.0.0.1:9/" } });
    assert_eq!(world.olivia().post("/orgs/acme/hooks", hook.clone()).expect(201)["id"], 1);
    assert_eq!(world.sam().post("/admin/hooks", hook).expect(201)["id"], 2);
    world
}

/// Asserts that the page says that the store fails, to people.
#[track_caller]
fn is_for_people(browser: &Browser, what: &str) {
    let page = &browser.page;
    assert_eq!(page.status, 503, "{what}: {}", page.text);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{what}");
    let is_whole = page.text.starts_with("<!DOCTYPE html>") && page.text.trim_end().ends_with("</html>");
    assert!(is_whole && page.text.contains("<h1>Back in a moment</h1>"), "{what}: {}", page.text);
}

#[test]
fn decision_53_every_room_whose_statement_fails_is_a_page_for_people() {
    let world = furnished();
    let mut olivia = signed_in(&world, "olivia");
    for room in ROOMS {
        assert_eq!(olivia.visit(room).status, 200, "{room}");
        let mut failed = 0;
        for n in 1..TOO_MANY {
            world.faults.arm(n);
            let status = olivia.visit(room).status;
            if world.faults.disarm() {
                break;
            }
            // A discussion is shown even if it cannot be marked as read.
            if status != 200 {
                is_for_people(&olivia, &format!("{room} whose statement {n} failed"));
                failed += 1;
            }
        }
        assert!(failed > 0, "{room} has no statement that can fail");
        assert_eq!(olivia.visit(room).status, 200, "{room} afterwards");
    }
}

/// The fields for texts, which come back as fields of the form.
const TEXTS: [&str; 6] = ["body", "description", "message", "name", "note", "title"];

#[test]
fn decision_53_a_form_that_the_store_refuses_is_sent_again_with_what_was_typed() {
    let world = furnished();
    let mut olivia = signed_in(&world, "olivia");
    let typed = "What I <wrote>\r\n\r\nover two hours";
    let shown = "What I &#60;wrote&#62;\r\n\r\nover two hours</textarea>";
    let settings = [("name", "Core"), ("description", typed), ("parent", ""), ("privacy", "closed"), ("news", "on")];
    let board = "/ui/orgs/acme/teams/core/discussions";
    for (page, action, fields, name, statement) in [
        (
            format!("{board}/new"),
            format!("{board}/new"),
            vec![("do", "post"), ("title", "Two words"), ("body", typed)],
            "body",
            "INSERT INTO discussions",
        ),
        (
            format!("{board}/1"),
            format!("{board}/1"),
            vec![("do", "comment"), ("body", typed)],
            "body",
            "INSERT INTO comments",
        ),
        (format!("{CORE}/settings"), format!("{CORE}/settings"), settings.to_vec(), "description", "UPDATE teams"),
    ] {
        olivia.visit(&page);
        let (code, version) = (olivia.code(), hidden(&olivia, "version"));
        let fields = [&fields[..], &[("version", version.as_str())]].concat();
        world.faults.arm_at(statement);
        olivia.send_to(&action, &code, &fields);
        is_for_people(&olivia, &action);
        shows(&olivia, &[shown, &format!("name=\"{name}\" rows"), &format!("action=\"{action}\"")], &["<wrote>"]);
        for (name, value) in fields.iter().filter(|(name, value)| !value.contains(' ') && !TEXTS.contains(name)) {
            shows(&olivia, &[&format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">")], &[]);
        }
        assert_eq!(olivia.code(), code, "the form that comes back has the code of the page");
        assert_eq!(olivia.send(&fields).status, 200, "{action}");
    }
    let record = world.olivia().get("/orgs/acme/teams/core").expect(200).clone();
    assert!(record["description"].as_str().is_some_and(|text| text.contains("over two hours")), "{record}");
    let path = "/orgs/acme/teams/core/discussions";
    assert_eq!(world.olivia().get(path).expect(200).as_array().map(Vec::len), Some(2));
    assert_eq!(world.olivia().get(&format!("{path}/1/comments")).expect(200).as_array().map(Vec::len), Some(1));
}

#[test]
fn decision_61_a_form_of_another_site_or_of_signing_in_does_not_come_back() {
    let world = furnished();
    let olivia = signed_in(&world, "olivia");
    let refused = |path: &str, site: &str| {
        let client = olivia.with_cookie().with("Sec-Fetch-Site", site);
        world.faults.arm_at("sessions s JOIN users u");
        let page = client.send("POST", path, Some("body=what+another+wrote".to_owned()));
        assert_eq!(page.status, 503, "{}", page.text);
        page.text.contains("what another wrote")
    };
    assert!(refused(&format!("{CORE}/settings"), "same-origin"));
    assert!(!refused(&format!("{CORE}/settings"), "cross-site"));
    assert!(!refused("/login", "same-origin"));
}

#[test]
fn decision_10_the_pages_of_what_was_renamed_lead_to_its_new_address_with_their_query() {
    let world = furnished();
    let olivia = world.olivia();
    olivia.patch("/repos/acme/web", json!({ "name": "site" })).expect(200);
    olivia.patch("/orgs/acme/teams/core", json!({ "name": "Kernel" })).expect(200);
    let browser = signed_in(&world, "olivia");
    for (from, to) in [
        ("/ui/acme/web?q=tom&page=1", "/ui/acme/site?q=tom&page=1"),
        ("/ui/acme/web", "/ui/acme/site"),
        ("/ui/orgs/acme/teams/core/members?role=maintainer", "/ui/orgs/acme/teams/kernel/members?role=maintainer"),
        ("/ui/orgs/acme/teams/core", "/ui/orgs/acme/teams/kernel"),
        ("/ui/orgs/acme/teams/core/discussions/1?page=1", "/ui/orgs/acme/teams/kernel/discussions/1?page=1"),
    ] {
        let answer = browser.with_cookie().get(from);
        assert_eq!((answer.status, answer.header("location")), (303, Some(to)), "{from}");
        assert_eq!(browser.with_cookie().get(to).status, 200, "{to}");
    }
    // Those who do not see what was renamed do not learn its name.
    given::run(&world, "UPDATE repos SET private = TRUE WHERE name = 'site'");
    let nina = signed_in(&world, "nina");
    for path in ["/ui/acme/web", "/ui/orgs/acme/teams/core"] {
        assert_eq!(nina.with_cookie().get(path).status, 404, "{path}");
    }
}
