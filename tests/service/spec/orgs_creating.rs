//! Creating organizations as an owner to be: the operation and the page (decision 71).

use guildhall::config::Creators;

use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::world::Settings;
use crate::support::{World, json};

const PATH: &str = "/user/organizations";

fn everyone(settings: Settings) -> World {
    World::with(Settings { creators: Creators::Everyone, delivers: true, ..settings })
}

#[test]
fn decision_71_site_administrators_create_organizations_and_own_them() {
    let world = World::new();
    let made = world.sam().post(PATH, json!({ "login": "Hooli Inc", "profile_name": " Hooli " }));
    assert_eq!(made.expect(201)["login"], "Hooli-Inc");
    assert!(made.header("location").is_some_and(|url| url.ends_with("/orgs/Hooli-Inc")), "{:?}", made.headers);
    let login = world.sam().get("/user").json["login"].clone();
    let owner = world.sam().get(&format!("/orgs/Hooli-Inc/memberships/{}", login.as_str().expect("a login")));
    assert_eq!(owner.expect(200)["role"], "admin");
    assert_eq!(world.anonymous().get("/orgs/hooli-inc").expect(200)["name"], "Hooli");
    for client in [world.nina(), world.olivia()] {
        client.post(PATH, json!({ "login": "mine" })).refused(403, "You must be a site administrator to do this.");
    }
    world.anonymous().post(PATH, json!({ "login": "mine" })).expect(401);
    world.sam().get("/orgs/mine").expect(404);
}

#[test]
fn decision_71_everyone_creates_organizations_if_the_operator_allows_it() {
    let world = everyone(Settings::default());
    world.nina().post(PATH, json!({ "login": "ninas" })).expect(201);
    assert_eq!(world.nina().get("/orgs/ninas/memberships/nina").expect(200)["role"], "admin");
    let log = world.nina().get("/orgs/ninas/audit-log?phrase=action:org.create").json;
    assert_eq!((&log[0]["actor"], &log[0]["after"]["login"]), (&json!("nina"), &json!("ninas")), "{log}");
    world.limited("nina", &["repo", "read:org"]).post(PATH, json!({ "login": "mine" })).expect(404);
    for wrong in [json!({}), json!({ "login": "" }), json!({ "login": "ACME" }), json!({ "login": "settings" })] {
        world.nina().post(PATH, wrong).expect(422);
    }
    world.anonymous().post(PATH, json!({ "login": "mine" })).expect(401);
}

#[test]
fn decision_71_an_organization_counts_as_a_creation() {
    let world = everyone(Settings { creation_limit: (1, 10), ..Settings::default() });
    // A refused one is not counted.
    world.nina().post(PATH, json!({ "login": "acme" })).expect(422);
    world.nina().post(PATH, json!({ "login": "one" })).expect(201);
    let refused = world.nina().post(PATH, json!({ "login": "two" }));
    refused.expect(403);
    assert!(refused.header("retry-after").is_some() && refused.text.contains("abuse detection"), "{}", refused.text);
    world.sam().get("/orgs/two").expect(404);
    world.advance(60);
    world.nina().post(PATH, json!({ "login": "two" })).expect(201);
}

#[test]
fn decision_71_a_person_creates_an_organization_on_a_page() {
    let world = everyone(Settings::default());
    let mut nina = signed_in(&world, "nina");
    assert!(nina.page.text.contains("href=\"/ui/organizations/new\""), "{}", nina.page.text);
    nina.visit("/ui/organizations/new");
    let page = nina.send(&[("login", "acme"), ("profile_name", "Nina's")]);
    assert_eq!(page.status, 422);
    for wanted in ["<a href=\"#login\">The login acme is in use", "value=\"acme\"", "id=\"login-error\"", "Nina&#39;s"]
    {
        assert!(page.text.contains(wanted), "{wanted} in {}", page.text);
    }
    nina.send(&[("login", "ninas"), ("profile_name", "Nina's")]);
    assert!(nina.page.text.contains("You created ninas.") && nina.path == "/ui?created=ninas", "{}", nina.page.text);
    assert_eq!(world.anonymous().get("/orgs/ninas").expect(200)["name"], "Nina's");
    let forged = nina.send_to("/ui/organizations/new", "x", &[("login", "forged")]).status;
    assert_eq!((forged, world.anonymous().get("/orgs/forged").status), (403, 404));
    assert!(Browser::open(&world.base, "/ui/organizations/new").path.starts_with("/login?return_to="));
}

#[test]
fn decision_71_the_page_is_for_site_administrators_unless_everyone_may() {
    let world = World::with(Settings { delivers: true, ..Settings::default() });
    let mut nina = signed_in(&world, "nina");
    assert!(!nina.page.text.contains("/ui/organizations/new"), "{}", nina.page.text);
    let code = nina.code();
    let refused = nina.visit("/ui/organizations/new");
    let says_who =
        refused.text.contains("Only site administrators can create") && !refused.text.contains("An owner of");
    assert!(refused.status == 403 && says_who, "{}", refused.text);
    assert_eq!(nina.send_to("/ui/organizations/new", &code, &[("login", "mine")]).status, 403);
    world.sam().put("/users/nina/site_admin", json!({})).expect(204);
    nina.visit("/ui");
    assert!(nina.page.text.contains("href=\"/ui/organizations/new\""), "{}", nina.page.text);
    nina.visit("/ui/organizations/new");
    nina.send(&[("login", "mine"), ("profile_name", "")]);
    assert_eq!(nina.path, "/ui?created=mine");
    assert_eq!(nina.visit("/ui/organizations/other").status, 404);
}
