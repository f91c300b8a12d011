//! Letting in the application of a device, on the page that asks a person about it (decision 81).

use guildhall::oauth::Switched;

use super::mail_invitations::world;
use super::oauth_approval_pages::asked;
use super::sign_in::signed_in;
use crate::support::application::{Application, answers, granted, register, wanted};
use crate::support::browser::Browser;
use crate::support::device::Device;
use crate::support::{World, dump, json};

const CONNECTED: &str = "The device is connected";

fn application(world: &World) -> Application {
    register(world, wanted("Rota Planner", Switched { device_flow: Some(true), ..Switched::default() }))
}

/// A device of the application that asks for what needs no recent sign-in.
fn device(world: &World, app: &Application) -> Device {
    Device::of(world, &app.id, "read:org")
}

/// The page that shows a device.
fn shown(device: &Device, browser: &mut Browser) -> String {
    let page = device.typed(browser);
    assert!(page.status == 200 && page.text.contains("Is this you?"), "{} {}", page.status, page.text);
    page.text.clone()
}

/// Answers the device on the page that shows it, with these choices for organizations.
fn answers_it(device: &Device, browser: &mut Browser, answer: &str, organizations: &[&str]) -> (u16, String) {
    let chosen = organizations.iter().map(|login| ("organization", *login));
    // The button is the last field of the form, as in a browser.
    let own = [("user_code", device.user_code.as_str())].into_iter();
    let fields: Vec<(&str, &str)> = own.chain(chosen).chain([("answer", answer)]).collect();
    let page = browser.send(&fields);
    (page.status, page.text.clone())
}

fn connects(world: &World, app: &Application, browser: &mut Browser, organizations: &[&str]) {
    let device = device(world, app);
    shown(&device, browser);
    let (status, page) = answers_it(&device, browser, "allow", organizations);
    assert!(status == 200 && page.contains(CONNECTED), "{status} {page}");
    device.token(world);
}

#[test]
fn decision_81_a_member_asks_the_owners_on_the_page_of_a_device() {
    let world = world();
    let app = application(&world);
    let mut tom = signed_in(&world, "tom");
    let first = device(&world, &app);
    let page = shown(&first, &mut tom);
    assert!(
        page.contains("You are a member. It is not let in.") && page.contains("Ask the owners to let it in"),
        "{page}"
    );
    assert!(!page.contains("checked"), "nothing is chosen: {page}");
    // Who does not connect the device asks no owners, whatever they chose.
    let (_, page) = answers_it(&first, &mut tom, "deny", &["acme"]);
    assert!(page.contains("The device is not connected"), "{page}");
    connects(&world, &app, &mut tom, &[]);
    assert_eq!(asked(&world), []);
    connects(&world, &app, &mut tom, &["acme"]);
    let subject = "tom asks you to let Rota Planner into acme";
    assert_eq!(asked(&world), [("olivia@example.com".to_owned(), subject.to_owned())]);
    let page = shown(&device(&world, &app), &mut tom);
    assert!(page.contains("It is not let in yet. The owners were asked.") && !page.contains("checkbox"), "{page}");
    let reached = granted(&world, &app, "tom", "read:org");
    reached.get("/orgs/acme/teams/core").expect(403);
    // Where the owners have refused, no form asks them again.
    answers(&world, &app, "refused");
    let page = shown(&device(&world, &app), &mut tom);
    assert!(page.contains("It is not let in: the owners refused.") && !page.contains("checkbox"), "{page}");
    connects(&world, &app, &mut tom, &["acme"]);
    assert_eq!(asked(&world).len(), 1);
    reached.get("/orgs/acme/teams/core").expect(403);
    answers(&world, &app, "approved");
    let page = shown(&device(&world, &app), &mut tom);
    assert!(page.contains("<b><bdi>acme</bdi></b> <small>You are a member.</small>"), "{page}");
}

#[test]
fn decision_81_an_owner_lets_the_application_of_a_device_in() {
    let world = world();
    let app = application(&world);
    let mut olivia = signed_in(&world, "olivia");
    let page = shown(&device(&world, &app), &mut olivia);
    assert!(page.contains("You are an owner. It is not let in.") && !page.contains("checked"), "{page}");
    connects(&world, &app, &mut olivia, &[]);
    let reached = granted(&world, &app, "olivia", "read:org");
    reached.get("/orgs/acme/teams").expect(403);
    // An organization that is not theirs is not chosen, whatever a form says.
    connects(&world, &app, &mut olivia, &["globex", "", "acme", "<b>"]);
    reached.get("/orgs/acme/teams").expect(200);
    assert_eq!(asked(&world), []);
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:org.oauth_app_access_approved").json;
    assert_eq!((&log[0]["actor"], log.as_array().map(Vec::len)), (&json!("olivia"), Some(1)), "{log}");
}

/// Makes Olivia a member of this organization, whose owner is Tom.
fn joins(world: &World, org: &str) {
    world.sam().post("/admin/organizations", json!({ "login": org, "admin": "tom" })).expect(201);
    world.tom().put(&format!("/orgs/{org}/memberships/olivia"), json!({})).expect(200);
    world.olivia().patch(&format!("/user/memberships/orgs/{org}"), json!({ "state": "active" })).expect(200);
}

#[test]
fn decision_61_letting_an_application_in_needs_a_recent_sign_in_on_every_page() {
    let world = world();
    let app = application(&world);
    joins(&world, "aaa");
    let mut olivia = signed_in(&world, "olivia");
    world.advance(16 * 60);
    let device = device(&world, &app);
    shown(&device, &mut olivia);
    let before = dump::everything(&world);
    // The owners of the other organization are not asked either.
    let (status, page) = answers_it(&device, &mut olivia, "allow", &["aaa", "acme"]);
    assert!(status == 403 && page.contains("Confirm it"), "{status} {page}");
    olivia.visit(&app.asks(&[]));
    olivia.send(&[("organization", "aaa"), ("organization", "acme"), ("answer", "allow")]);
    assert_eq!((olivia.page.status, olivia.page.text.contains("Confirm it")), (403, true), "{}", olivia.page.text);
    assert!(dump::everything(&world) == before, "nothing changed");
    // Asking needs none.
    shown(&device, &mut olivia);
    let (status, page) = answers_it(&device, &mut olivia, "allow", &["aaa"]);
    assert!(status == 200 && page.contains(CONNECTED), "{status} {page}");
    assert_eq!(
        asked(&world),
        [("tom@example.com".to_owned(), "olivia asks you to let Rota Planner into aaa".to_owned())]
    );
}

#[test]
fn decision_81_a_device_that_waits_no_more_and_a_form_from_elsewhere_let_nothing_in() {
    let world = world();
    let app = application(&world);
    let mut olivia = signed_in(&world, "olivia");
    let first = device(&world, &app);
    shown(&first, &mut olivia);
    let form = olivia.code();
    let chosen = |device: &Device| {
        [("user_code", device.user_code.clone()), ("organization", "acme".into()), ("answer", "allow".into())]
    };
    let sent = |browser: &mut Browser, form: &str, device: &Device| {
        let fields = chosen(device);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser.send_to("/login/device", form, &fields).status
    };
    assert_eq!(sent(&mut olivia, "wrong", &first), 403);
    assert_eq!(sent(&mut signed_in(&world, "eve"), &form, &first), 403);
    // The code of a form is for the device that its page shows.
    assert_eq!(sent(&mut olivia, &form, &device(&world, &app)), 403);
    // In another tab, the device was refused.
    shown(&first, &mut olivia);
    answers_it(&first, &mut olivia, "deny", &[]);
    assert_eq!(sent(&mut olivia, &form, &first), 422);
    assert!(olivia.page.text.contains("No device waits"), "{}", olivia.page.text);
    assert_eq!(approvals(&world), 0);
}

fn approvals(world: &World) -> i64 {
    world.rows::<(i64,)>("SELECT count(*) FROM application_approvals")[0].0
}

#[test]
fn decision_81_every_organization_that_a_page_shows_can_be_chosen() {
    let world = world();
    let app = application(&world);
    let logins: Vec<String> = (10..31).map(|number| format!("a{number}")).collect();
    for login in &logins {
        world.sam().post("/admin/organizations", json!({ "login": login, "admin": "eve" })).expect(201);
    }
    let mut eve = signed_in(&world, "eve");
    let device = device(&world, &app);
    let page = shown(&device, &mut eve);
    assert_eq!(page.matches("name=\"organization\"").count(), 20);
    assert!(page.contains("And in 2 more, and in organizations that you join later"), "{page}");
    let all: Vec<&str> = logins.iter().map(String::as_str).collect();
    let (status, page) = answers_it(&device, &mut eve, "allow", &all[..20]);
    assert!(status == 200 && page.contains(CONNECTED), "{status} {page}");
    assert_eq!(approvals(&world), 20);
}
