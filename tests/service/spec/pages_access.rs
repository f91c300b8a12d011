//! The pages of a repository and of a project: who has access, and why (decision 67).

use super::mail_invitations::world;
use super::pages_team::hidden;
use super::sign_in::signed_in;
use crate::spec::given;
use crate::support::browser::Browser;
use crate::support::{World, json};

const PAGE: &str = "/ui/acme/vault";

/// An organization whose members have no access by default, with a private repository that Core has.
fn begin() -> World {
    let world = world();
    let olivia = world.olivia();
    olivia
        .post("/orgs/acme/repos", json!({ "name": "vault", "private": true, "description": "<b>Keys</b>" }))
        .expect(201);
    olivia.patch("/orgs/acme", json!({ "default_repository_permission": "none" })).expect(200);
    olivia.put("/orgs/acme/teams/core/repos/acme/vault", json!({ "permission": "push" })).expect(204);
    world
}

/// The text of the page, without its elements.
fn words(html: &str) -> String {
    let main = html.split_once("<main").map_or("", |(_, main)| main);
    let text: Vec<&str> = main.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
    text.join("").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The part of the page after the name of a person in the list, up to the next one.
fn row(browser: &Browser, login: &str) -> String {
    let html = &browser.page.text;
    let (_, after) =
        html.split_once(&format!("<a href=\"/ui/{login}\"><bdi>")).unwrap_or_else(|| panic!("no {login}: {html}"));
    words(&format!("<main>{}", after.split("</li>\n<li><img").next().unwrap_or_default()))
}

#[test]
fn decision_67_an_administrator_sees_everyone_with_every_reason() {
    let world = begin();
    world.olivia().put("/repos/acme/vault/collaborators/nina", json!({ "permission": "maintain" })).expect(204);
    let mut olivia = signed_in(&world, "olivia");
    let page = olivia.visit(PAGE);
    assert_eq!(page.status, 200);
    assert!(page.text.contains("&#60;b&#62;Keys&#60;/b&#62;") && words(&page.text).contains("Private"));
    assert!(row(&olivia, "olivia").contains("owner of acme"), "{}", row(&olivia, "olivia"));
    let nina = row(&olivia, "nina");
    assert!(nina.contains("added directly, given by olivia") && nina.contains("Maintain"), "{nina}");
    assert!(row(&olivia, "max").contains("on Core"), "{}", row(&olivia, "max"));
    for (query, shown, hidden) in
        [("q=nin", "nina", "max"), ("level=push", "max", "nina"), ("level=nonsense", "max", "zz")]
    {
        let page = olivia.visit(&format!("{PAGE}?{query}")).text.clone();
        assert!(
            page.contains(&format!("href=\"/ui/{shown}\"")) && !page.contains(&format!("href=\"/ui/{hidden}\"")),
            "{query}"
        );
    }
}

#[test]
fn decision_67_a_reader_sees_only_their_own_access() {
    let world = begin();
    let mut max = signed_in(&world, "max");
    let text = words(&max.visit(PAGE).text);
    assert!(text.contains("Your access") && text.contains("on Core") && text.contains("Write"), "{text}");
    assert!(!text.contains("olivia added") && !text.contains("People, and why") && !text.contains("Give"), "{text}");
    // A maintainer may take the repository away from the team, a member of it may not.
    let taken = format!("{PAGE}?take=team&org=acme&who=core");
    assert_eq!(max.visit(&taken).status, 200);
    assert_eq!(max.visit(&format!("{PAGE}?take=person&who=olivia")).status, 404);
    assert_eq!(signed_in(&world, "tom").visit(&taken).status, 404);
    let mut nina = signed_in(&world, "nina");
    assert_eq!(nina.visit(PAGE).status, 404);
}

#[test]
fn decision_67_access_is_given_and_taken_on_the_page() {
    let world = begin();
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(PAGE);
    olivia.send(&[("do", "give-person"), ("who", "nina"), ("level", "triage")]);
    assert!(words(&olivia.page.text).contains("Access given."), "{}", words(&olivia.page.text));
    assert!(row(&olivia, "nina").contains("Triage"));
    given::closed(&world, "Crew");
    olivia.send(&[("do", "give-team"), ("who", "crew"), ("level", "admin")]);
    world.olivia().get("/orgs/acme/teams/crew/repos/acme/vault").expect(204);
    olivia.visit(&format!("{PAGE}?take=team&org=acme&who=crew"));
    assert!(words(&olivia.page.text).contains("Take vault away from crew?"), "{}", words(&olivia.page.text));
    let id = hidden(&olivia, "id");
    olivia.send(&[("do", "take-team"), ("org", "acme"), ("who", "crew"), ("id", &id)]);
    assert!(words(&olivia.page.text).contains("Access taken away."));
    world.olivia().get("/orgs/acme/teams/crew/repos/acme/vault").expect(404);
    olivia.visit(&format!("{PAGE}?take=person&who=nina"));
    let id = hidden(&olivia, "id");
    olivia.send(&[("do", "take-person"), ("who", "nina"), ("id", &id)]);
    assert!(words(&olivia.page.text).contains("Access taken away."));
    assert!(!olivia.page.text.contains("href=\"/ui/nina\""));
}

#[test]
fn decision_67_what_names_nothing_stays_in_the_form() {
    let world = begin();
    let mut olivia = signed_in(&world, "olivia");
    for (action, who, level) in [
        ("give-person", "no<b>body", "push"),
        ("give-person", "", "push"),
        ("give-person", "nina", "everything"),
        ("give-team", "nothing", "push"),
        ("give-team", "core", "\u{1F512}"),
        ("give-team", "\u{5d0}\u{5d1}", "push"),
    ] {
        olivia.visit(PAGE);
        let page = olivia.send(&[("do", action), ("who", who), ("level", level)]);
        assert_eq!(page.status, 422, "{action} {who} {level}: {}", page.text);
        assert!(page.text.contains("There is a problem") && !page.text.contains("<b>body"), "{}", page.text);
        let typed = who.replace('<', "&#60;").replace('>', "&#62;");
        assert!(page.text.contains(&format!("value=\"{typed}\"")), "{}", page.text);
    }
    assert_eq!(olivia.send(&[("do", "everything")]).status, 404);
    for query in ["take=all&who=core", "take=team", "take=team&who="] {
        assert_eq!(olivia.visit(&format!("{PAGE}?{query}")).status, 404, "{query}");
    }
}

#[test]
fn decision_67_a_form_of_one_page_does_nothing_on_another() {
    let world = begin();
    world.olivia().post("/orgs/acme/repos", json!({ "name": "other", "private": true })).expect(201);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit("/ui/acme/other");
    let code = olivia.code();
    let give = [("do", "give-person"), ("who", "nina"), ("level", "admin")];
    assert_eq!(olivia.send_to(PAGE, &code, &give).status, 403);
    world.olivia().get("/repos/acme/vault/collaborators/nina").expect(404);
    // Who has lost the right since the page was shown is refused, and nothing has changed.
    olivia.visit(PAGE);
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    let (code, mut max) = (olivia.code(), signed_in(&world, "max"));
    assert_eq!(max.send_to(PAGE, &code, &give).status, 403);
}

#[test]
fn decision_67_the_link_above_calls_the_owner_by_its_name() {
    let world = begin();
    world.olivia().patch("/orgs/acme", json!({ "name": "The Works" })).expect(200);
    let mut olivia = signed_in(&world, "olivia");
    for path in [PAGE.to_owned(), format!("{PAGE}?take=team&who=core&org=acme")] {
        let page = olivia.visit(&path).text.clone();
        assert!(page.contains("<li><a href=\"/ui/acme\"><bdi>The Works</bdi></a></li>"), "{path}: {page}");
    }
}

#[test]
fn decision_67_a_project_shows_who_has_access() {
    let world = begin();
    let project = given::hidden_project(&world, "Lab");
    let path = format!("/ui/orgs/acme/projects/{}", project["number"]);
    let mut olivia = signed_in(&world, "olivia");
    assert!(words(&olivia.visit(&path).text).contains("owner of acme"), "{}", olivia.page.text);
    olivia.send(&[("do", "give-team"), ("who", "core"), ("level", "write")]);
    assert!(row(&olivia, "max").contains("on Core"), "{}", olivia.page.text);
    let mut max = signed_in(&world, "max");
    let text = words(&max.visit(&path).text);
    assert!(text.contains("Your access") && text.contains("Write"), "{text}");
    olivia.visit(&format!("{path}?take=team&who=core"));
    let id = hidden(&olivia, "id");
    olivia.send(&[("do", "take-team"), ("org", "acme"), ("who", "core"), ("id", &id)]);
    assert_eq!(max.visit(&path).status, 404);
}
