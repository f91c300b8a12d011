//! Marked sessions, in which a site administrator acts for a person (decision 61).

use guildhall::error::{Error, Result};

use super::mail_invitations::world;
use super::oauth_approval_pages::allows;
use super::pages_invitations::invited_address;
use super::sign_in::{newest, signed_in};
use super::sign_in_recent::call;
use crate::support::application::{Application, CALLBACK};
use crate::support::browser::Browser;
use crate::support::device::{Device, GH};
use crate::support::{Value, World, json};

const HOUR: i64 = 60 * 60;

/// A world in which Max and Tom administer the site.
fn administered() -> World {
    let world = world();
    for login in ["max", "tom"] {
        world.sam().put(&format!("/users/{login}/site_admin"), json!({})).expect(204);
    }
    world
}

fn page(login: &str) -> String {
    format!("/ui/admin/users/{login}/act")
}

/// A browser in which Max acts for this person.
fn acting(world: &World, login: &str) -> Browser {
    let mut max = signed_in(world, "max");
    max.visit(&page(login));
    max.send(&[]);
    assert!(max.page.text.contains(&format!("Hello, <bdi>{login}</bdi>")), "{}", max.page.text);
    max
}

/// True if pages show the banner, false if they do not; none if the browser is signed out.
fn acts(browser: &mut Browser) -> Option<bool> {
    browser.visit("/ui");
    browser.path.starts_with("/ui").then(|| browser.page.text.contains("you act for"))
}

/// Sends the form of the banner.
pub fn stop(browser: &mut Browser) {
    browser.visit("/ui");
    let form = browser.page.text.split("action=\"/login/own\"").nth(1).expect("a form");
    let code = form.split("value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a code").to_owned();
    browser.send_to("/login/own", &code, &[]);
}

#[test]
fn decision_61_no_application_gets_a_token_in_a_marked_session() {
    let world = administered();
    let app = Application::of(&world);
    app.allowed(&mut signed_in(&world, "nina"), &[]);
    let mut max = acting(&world, "nina");
    // Neither one that the person has allowed, nor another one, nor a device.
    for scope in ["", "read:org"] {
        let page = max.visit(&app.asks(&[("scope", scope)]));
        assert!(page.status == 403 && page.text.contains("You act for another person"), "{}", page.text);
        let path = [("client_id", app.id.as_str()), ("redirect_uri", CALLBACK), ("scope", scope)];
        let refused = call(&world, &max, "oauth.allow", &path, &json!({ "effective_teams": true }));
        assert!(matches!(refused, Err(Error::Forbidden(_))), "{refused:?}");
    }
    let device = Device::of(&world, GH, "read:org");
    device.typed(&mut max);
    let page = max.send(&[("user_code", &device.user_code), ("answer", "allow")]);
    assert!(page.status == 403 && page.text.contains("You act for another person"), "{}", page.text);
    assert_eq!(device.error(&world), "authorization_pending");
    assert_eq!(world.rows::<(String,)>("SELECT scopes FROM consents"), [(String::new(),)]);
}

#[test]
fn decision_61_an_administrator_acts_for_a_person_and_the_audit_log_names_both() {
    let world = administered();
    let mut max = signed_in(&world, "max");
    let own = max.cookies["guildhall-session"].clone();
    assert!(max.visit(&page("nina")).text.contains("Act for <bdi>nina</bdi>?"), "{}", max.page.text);
    assert_eq!(acts(&mut max), Some(false), "GET changes nothing");
    max.visit(&page("nina"));
    max.send(&[]);
    assert_eq!(acts(&mut max), Some(true));
    for path in ["/ui", "/ui/settings", "/ui/settings/tokens", "/ui/nothing", "/login/out"] {
        let text = &max.visit(path).text;
        let banner = "<b><bdi>max</bdi></b>, you act for <b><bdi>nina</bdi></b>.";
        assert!(text.contains(banner) && text.contains(">Stop</button>"), "{path}: {text}");
    }
    max.visit("/ui/settings");
    max.send(&[("name", "Nina Nord")]);
    let log = world.sam().get("/admin/audit-log").json;
    let entry = |action: &str| {
        let found = log.as_array().expect("a list").iter().find(|entry| entry["action"] == action).expect("an entry");
        (found["actor"].clone(), found["impersonator"].clone())
    };
    assert_eq!(entry("user.update"), (json!("nina"), json!("max")));
    assert_eq!(entry("session.create"), (json!("max"), Value::Null));
    // The person sees the session.
    let mut nina = signed_in(&world, "nina");
    let list = nina.visit("/ui/settings/sessions").text.clone();
    assert!(list.contains("The site administrator <bdi>max</bdi> acts for you"), "{list}");
    // Stopping returns to the own session, with another token.
    let marked = max.cookies["guildhall-session"].clone();
    stop(&mut max);
    assert!(max.page.text.contains("Hello, <bdi>max</bdi>") && acts(&mut max) == Some(false), "{}", max.page.text);
    for ended in [marked, own] {
        assert_ne!(max.cookies["guildhall-session"], ended);
        let mut stolen = Browser::open(&world.base, "/login");
        stolen.cookies.insert("guildhall-session".into(), ended);
        assert_eq!(acts(&mut stolen), None);
    }
    assert!(!nina.visit("/ui/settings/sessions").text.contains("acts for you"), "{}", nina.page.text);
}

#[test]
fn decision_61_a_marked_session_lasts_an_hour() {
    let world = administered();
    let mut max = acting(&world, "nina");
    world.advance(HOUR - 1);
    assert_eq!(acts(&mut max), Some(true));
    world.advance(1);
    assert_eq!(acts(&mut max), None);
    let mut nina = signed_in(&world, "nina");
    assert!(!nina.visit("/ui/settings/sessions").text.contains("acts for you"), "{}", nina.page.text);
}

#[test]
fn decision_61_a_marked_session_ends_with_what_it_rests_on() {
    let world = administered();
    let ends = |how: &dyn Fn()| {
        // An address gets five codes an hour.
        world.advance(HOUR);
        let mut max = acting(&world, "nina");
        how();
        assert_eq!(acts(&mut max), None);
    };
    let sam = world.sam();
    ends(&|| _ = sam.delete("/users/max/site_admin").expect(204));
    sam.put("/users/max/site_admin", json!({})).expect(204);
    ends(&|| _ = sam.put("/users/max/suspended", json!({})).expect(204));
    sam.delete("/users/max/suspended").expect(204);
    ends(&|| _ = sam.put("/users/nina/suspended", json!({})).expect(204));
    sam.delete("/users/nina/suspended").expect(204);
    ends(&|| _ = sam.put("/users/nina/site_admin", json!({})).expect(204));
    sam.delete("/users/nina/site_admin").expect(204);
    // They have ended for good.
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM sessions WHERE made_by IS NOT NULL"), [(0,)]);
    ends(&|| {
        let mut nina = signed_in(&world, "nina");
        nina.visit("/ui/settings/sessions");
        nina.send(&[("end", "all")]);
    });
    ends(&|| {
        let mut elsewhere = signed_in(&world, "max");
        elsewhere.visit("/ui/settings/sessions");
        elsewhere.send(&[("end", "all")]);
    });
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM sessions WHERE made_by IS NOT NULL"), [(0,)]);
}

#[test]
fn decision_61_only_a_site_administrator_acts_and_for_no_other_one() {
    let world = administered();
    world.sam().put("/users/eve/suspended", json!({})).expect(204);
    let mut max = signed_in(&world, "max");
    max.visit(&page("nina"));
    let code = max.code();
    for (login, status) in [("tom", 403), ("max", 403), ("eve", 403), ("acme", 404), ("nobody", 404), ("%2e%2e", 404)] {
        assert_eq!(max.visit(&page(login)).status, status, "{login}");
        // The form of another person's page does nothing.
        assert_eq!(max.send_to(&page(login), &code, &[]).status, 403, "{login}");
    }
    let mut olivia = signed_in(&world, "olivia");
    assert_eq!(olivia.visit(&page("nina")).status, 404);
    assert_eq!(olivia.send_to(&page("nina"), &code, &[]).status, 404);
    assert!(Browser::open(&world.base, &page("nina")).path.starts_with("/login"));
    for person in ["tom", "max", "eve"] {
        let refused = call(&world, &max, "acting.start", &[("username", person)], &json!({ "agent": "" }));
        assert!(matches!(refused, Err(Error::Forbidden(_))), "{person}: {refused:?}");
    }
    let refused = call(&world, &olivia, "acting.start", &[("username", "nina")], &json!({ "agent": "" }));
    assert!(matches!(refused, Err(Error::Forbidden(_))), "{refused:?}");
    // In a marked session, no one else's rights are left, and one that is not marked is not stopped.
    let other = acting(&world, "olivia");
    let refused = call(&world, &other, "acting.start", &[("username", "nina")], &json!({ "agent": "" }));
    assert!(matches!(refused, Err(Error::Forbidden(_))), "{refused:?}");
    assert!(matches!(call(&world, &max, "acting.stop", &[], &json!({})), Err(Error::NotFound)));
    // It needs a recent sign-in.
    world.advance(15 * 60);
    let page_of_nina = max.visit(&page("nina")).text.clone();
    assert!(
        page_of_nina.contains("Confirm it’s you") && !page_of_nina.contains("Act for nina</button>"),
        "{page_of_nina}"
    );
    assert!(max.send_to(&page("nina"), &code, &[]).text.contains("Nothing was changed"), "{}", max.page.text);
    assert_eq!(acts(&mut max), Some(false));
}

#[test]
fn decision_61_in_a_marked_session_no_token_address_or_owner_is_made() {
    let world = administered();
    let olivia = acting(&world, "olivia");
    let refused = |operation: &str, path: &[(&str, &str)], body: &Value| {
        let refused: Result<Value> = call(&world, &olivia, operation, path, body);
        assert!(matches!(refused, Err(Error::Forbidden(_))), "{operation}: {refused:?}");
    };
    refused("tokens.create", &[], &json!({ "note": "mine", "scopes": ["repo"] }));
    refused("provider.untie", &[], &json!({ "id": 1 }));
    let fields = json!({ "name": "A", "redirect_uris": ["https://a.example/"], "public": false, "secret": 1 });
    for operation in ["create", "update", "delete", "addSecret", "removeSecret"] {
        refused(&format!("ownApplications.{operation}"), &[("client_id", "x")], &fields);
    }
    refused("users.addEmailForAuthenticated", &[], &json!({ "emails": ["mine@example.org"] }));
    refused("users.deleteEmailForAuthenticated", &[], &json!({ "emails": ["olivia@example.com"] }));
    refused("users.updateAuthenticated", &[], &json!({ "email": "olivia@example.com" }));
    refused("users.setPrimaryEmailVisibilityForAuthenticated", &[], &json!({ "visibility": "public" }));
    let owner = json!({ "role": "admin" });
    refused("orgs.setMembershipForUser", &[("org", "acme"), ("username", "tom")], &owner);
    refused("orgs.setMembershipForUser", &[("org", "acme"), ("username", "nina")], &owner);
    let member =
        call(&world, &olivia, "orgs.setMembershipForUser", &[("org", "acme"), ("username", "nina")], &json!({}));
    assert_eq!(member.expect("an invitation")["state"], "pending");
    // Nor does it lead to a code for the person.
    let mut browser = olivia;
    assert!(browser.visit("/login").text.contains("You act for another person"), "{}", browser.page.text);
    let client = browser.with_cookie();
    client.get("/user").expect(401);
    client.post("/graphql", json!({ "query": "{ viewer { login } }" })).expect(401);
    client.get("/scim/v2/organizations/acme/Users").expect(401);
}

#[test]
fn decision_61_forms_of_one_session_do_nothing_in_the_other() {
    let world = administered();
    let mut max = signed_in(&world, "max");
    max.visit("/ui/settings");
    let of_own = max.code();
    max.visit(&page("nina"));
    let began = max.code();
    max.send(&[]);
    assert_eq!(max.send_to("/ui/settings", &of_own, &[("name", "evil")]).status, 403);
    assert_eq!(max.send_to("/login/own", &of_own, &[]).status, 403);
    assert_eq!(max.send_to(&page("nina"), &began, &[]).status, 404, "sent again");
    max.visit("/ui/settings");
    let of_marked = max.code();
    stop(&mut max);
    assert_eq!(max.send_to("/ui/settings", &of_marked, &[("name", "evil")]).status, 403);
    for login in ["max", "nina"] {
        assert_eq!(world.olivia().get(&format!("/users/{login}")).expect(200)["name"], Value::Null);
    }
    assert_eq!(acts(&mut max), Some(false));
}

#[test]
fn decision_61_in_a_marked_session_no_button_leads_to_a_refusal() {
    let world = administered();
    let app = Application::of(&world);
    allows(&app, &mut signed_in(&world, "tom"), &["acme"]);
    let room = "/ui/orgs/acme/applications";
    let shows = |browser: &mut Browser, path: &str, yes: &str, no: &str| {
        let page = browser.visit(path);
        assert!(page.text.contains(yes) && !page.text.contains(no), "{path}: {}", page.text);
    };
    shows(&mut signed_in(&world, "olivia"), room, "value=\"let-in\"", "let none in");
    let mut olivia = acting(&world, "olivia");
    shows(&mut olivia, room, "let none in", "value=\"let-in\"");
    let fields = [("do", "let-in"), ("application", app.id.as_str())];
    assert_eq!(olivia.send(&fields).status, 403);
    shows(&mut olivia, "/ui/orgs/acme/settings", "you act for", "/ui/orgs/acme/delete");
    assert_eq!(olivia.visit("/ui/orgs/acme/delete").status, 404);
    olivia.visit(room);
    assert!(olivia.send(&[("do", "refuse"), fields[1]]).text.contains("Access refused."));
    shows(&mut olivia, room, "Refused", "value=\"let-in\"");

    world.client("nina").post("/user/emails", json!({ "emails": ["second@example.com"] })).expect(201);
    let verifying = newest(&world, "second@example.com").link("/ui/emails/");
    shows(&mut signed_in(&world, "nina"), &verifying, "Verify this e-mail address", "act for");
    let mut nina = acting(&world, "nina");
    shows(&mut nina, &verifying, "You cannot verify it while you act", "Verify this e-mail address");
    assert_eq!(nina.send(&[]).status, 403);
}

#[test]
fn decision_61_in_a_marked_session_an_invited_address_is_not_accepted() {
    let world = administered();
    let link = invited_address(&world);
    let mut nina = acting(&world, "nina");
    let page = nina.visit(&link).text.clone();
    assert!(page.contains("You cannot accept it while you act") && !page.contains("value=\"accept\""), "{page}");
    assert_eq!(nina.send(&[("answer", "accept")]).status, 403);
    world.olivia().get("/orgs/acme/members/nina").expect(404);
}
