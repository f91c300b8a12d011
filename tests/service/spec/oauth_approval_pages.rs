//! Asking the owners of an organization about an application, and their page (decision 81).

use guildhall::oauth::{Switched, Wanted, update};

use super::given;
use super::mail_invitations::{settle, world};
use super::sign_in::{newest, signed_in};
use crate::support::application::{Application, answered, granted, operate};
use crate::support::browser::Browser;
use crate::support::mail;
use crate::support::{World, json};

const PAGE: &str = "/ui/orgs/acme/applications";

/// The subjects of the e-mails about applications.
pub fn asked(world: &World) -> Vec<(String, String)> {
    settle(world);
    let about = |mail: &mail::Mail| mail.header("Subject").contains("Rota Planner");
    mail::saved(world.mail.path()).iter().filter(|mail| about(mail)).map(|m| (m.to(), m.header("Subject"))).collect()
}

/// Allows the application, with these choices for organizations.
pub fn allows(app: &Application, browser: &mut Browser, organizations: &[&str]) {
    browser.visit(&app.asks(&[("scope", "repo,read:org"), ("prompt", "consent")]));
    assert_eq!(browser.page.status, 200, "{}", browser.page.text);
    let chosen = organizations.iter().map(|login| ("organization", *login));
    let fields: Vec<(&str, &str)> = chosen.chain([("answer", "allow")]).collect();
    browser.send(&fields);
    answered(&browser.page).remove("code").expect("a code");
}

#[test]
fn decision_81_a_member_asks_the_owners_once_and_an_owner_answers() {
    let world = world();
    let app = Application::of(&world);
    let mut tom = signed_in(&world, "tom");
    let page = tom.visit(&app.asks(&[])).text.clone();
    assert!(
        page.contains("You are a member. It is not let in.") && page.contains("Ask the owners to let it in"),
        "{page}"
    );
    assert!(!page.contains("checked"), "{page}");
    allows(&app, &mut tom, &[]);
    assert_eq!(asked(&world), []);
    allows(&app, &mut tom, &["acme"]);
    let subject = "tom asks you to let Rota Planner into acme";
    assert_eq!(asked(&world), [("olivia@example.com".to_owned(), subject.to_owned())]);
    assert!(newest(&world, "olivia@example.com").text.contains(PAGE));
    let page = tom.visit(&app.asks(&[("prompt", "consent")])).text.clone();
    assert!(page.contains("It is not let in yet. The owners were asked.") && !page.contains("checkbox"), "{page}");
    // There is only one request, even if another person asks too.
    allows(&app, &mut tom, &["acme"]);
    allows(&app, &mut signed_in(&world, "eve"), &["acme"]);
    assert_eq!(asked(&world).len(), 1);
    let reached = granted(&world, &app, "tom", "repo,read:org");
    reached.get("/orgs/acme/teams/core").expect(403);

    let mut olivia = signed_in(&world, "olivia");
    let home = olivia.visit("/ui").text.clone();
    assert!(home.contains("Let <bdi>Rota Planner</bdi> into <bdi>acme</bdi>"), "{home}");
    let page = olivia.visit(PAGE).text.clone();
    assert!(page.contains("Waiting for your answer") && page.contains("asked by <bdi>tom</bdi>"), "{page}");
    olivia.send(&[("application", &app.id), ("do", "let-in")]);
    let page = olivia.page.text.clone();
    assert!(page.contains("The application has access now.") && page.contains("An owner let it in"), "{page}");
    assert!(page.contains("1 person here uses it") && !page.contains("Waiting for your answer"), "{page}");
    reached.get("/orgs/acme/teams/core").expect(200);
    assert!(!olivia.visit("/ui").text.contains("Rota Planner"));
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:org.oauth_app_access_approved").json;
    assert_eq!(
        (&log[0]["actor"], &log[0]["after"]["application"]),
        (&json!("olivia"), &json!("Rota Planner")),
        "{log}"
    );
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:org.oauth_app_access_requested").json;
    assert_eq!((&log[0]["actor"], log.as_array().map(Vec::len)), (&json!("tom"), Some(1)), "{log}");

    // Revoking asks before, and ends the tokens of the people here.
    let elsewhere = granted(&world, &app, "nina", "repo");
    let page = olivia.visit(&format!("{PAGE}?refuse={}", app.id)).text.clone();
    assert!(page.contains("Revoke <bdi>Rota Planner</bdi> in <bdi>acme</bdi>?"), "{page}");
    olivia.send(&[("application", &app.id), ("do", "refuse")]);
    assert!(olivia.page.text.contains("Access refused."), "{}", olivia.page.text);
    reached.get("/user").refused(401, "Bad credentials");
    elsewhere.get("/user").expect(200);
    granted(&world, &app, "tom", "repo").get("/orgs/acme/teams/core").expect(403);
    let page = tom.visit(&app.asks(&[("prompt", "consent")])).text.clone();
    assert!(page.contains("It is not let in: the owners refused.") && !page.contains("checkbox"), "{page}");
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:org.oauth_app_access_denied").json;
    assert_eq!(log[0]["before"]["state"], "approved", "{log}");
}

#[test]
fn decision_81_an_owner_lets_an_application_in_when_they_allow_it() {
    let world = world();
    let app = Application::of(&world);
    let mut olivia = signed_in(&world, "olivia");
    allows(&app, &mut olivia, &[]);
    let reached = granted(&world, &app, "olivia", "repo,read:org");
    reached.get("/orgs/acme/teams").expect(403);
    let page = olivia.visit(&app.asks(&[("prompt", "consent")])).text.clone();
    assert!(page.contains("You are an owner. It is not let in.") && page.contains("Let it in"), "{page}");
    assert!(!page.contains("checked"), "it is not chosen: {page}");
    // An organization that is not theirs is not chosen, whatever a form says.
    allows(&app, &mut olivia, &["acme", "globex"]);
    reached.get("/orgs/acme/teams").expect(200);
    assert_eq!(asked(&world), []);
}

#[test]
fn decision_61_approving_needs_a_recent_sign_in() {
    let world = world();
    let app = Application::of(&world);
    let mut olivia = signed_in(&world, "olivia");
    world.advance(16 * 60);
    let before = crate::support::dump::everything(&world);
    olivia.visit(&app.asks(&[("prompt", "consent")]));
    olivia.send(&[("organization", "acme"), ("answer", "allow")]);
    assert_eq!((olivia.page.status, olivia.page.text.contains("Confirm it")), (403, true), "{}", olivia.page.text);
    for fields in [vec![("application", app.id.as_str()), ("do", "let-in")], vec![("do", "switch")]] {
        olivia.visit(PAGE);
        olivia.send(&fields);
        assert_eq!(olivia.page.status, 403, "{}", olivia.page.text);
    }
    assert!(crate::support::dump::everything(&world) == before, "nothing changed");
    // Refusing needs none.
    olivia.visit(PAGE);
    olivia.send(&[("application", &app.id), ("do", "refuse")]);
    assert_eq!(olivia.page.status, 200, "{}", olivia.page.text);
}

#[test]
fn decision_81_the_page_and_its_forms_are_for_owners() {
    let world = world();
    let app = Application::of(&world);
    assert!(Browser::open(&world.base, PAGE).path.starts_with("/login?return_to="));
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(PAGE);
    let code = olivia.code();
    for login in ["eve", "nina"] {
        let mut other = signed_in(&world, login);
        assert_eq!(other.visit(PAGE).status, 404, "{login}");
        assert_eq!(other.visit("/ui/orgs/nothing/applications").status, 404);
        other.send_to(PAGE, &code, &[("application", &app.id), ("do", "let-in")]);
        assert_eq!(other.page.status, 404, "{login}");
    }
    // A form from elsewhere changes nothing.
    olivia.send_to(PAGE, "wrong", &[("application", &app.id), ("do", "let-in")]);
    assert_eq!(olivia.page.status, 403);
    for (application, wanted) in [("nothing", 404), ("", 404)] {
        olivia.send_to(PAGE, &code, &[("application", application), ("do", "let-in")]);
        assert_eq!(olivia.page.status, wanted, "{}", olivia.page.text);
    }
    olivia.visit(PAGE);
    olivia.send(&[("do", "switch")]);
    assert!(olivia.page.text.contains("Saved."), "{}", olivia.page.text);
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["applications_need_approval"], false);
    let page = granted(&world, &app, "tom", "read:org");
    page.get("/orgs/acme/teams/core").expect(200);
    assert!(olivia.visit(PAGE).text.contains("This organization asks for no approval"), "{}", olivia.page.text);
    olivia.send(&[("do", "switch"), ("need", "on")]);
    page.get("/orgs/acme/teams/core").expect(403);
}

#[test]
fn decision_81_owners_who_cannot_answer_are_not_asked() {
    let world = world();
    world.olivia().put("/orgs/acme/memberships/max", json!({ "role": "admin" })).expect(200);
    world.sam().put("/users/max/suspended", json!({})).expect(204);
    let app = Application::of(&world);
    allows(&app, &mut signed_in(&world, "tom"), &["acme"]);
    let to: Vec<String> = asked(&world).into_iter().map(|(to, _)| to).collect();
    assert_eq!(to, ["olivia@example.com"]);
    // An application that is removed takes its request along.
    let (id, removed) = (app.id.clone(), signed_in(&world, "olivia").visit(PAGE).text.contains("Rota Planner"));
    assert!(removed);
    crate::support::application::operate(&world, move |cx| guildhall::oauth::remove(cx, &id)).expect("removed");
    assert!(!signed_in(&world, "olivia").visit(PAGE).text.contains("Rota Planner"));
    assert_eq!(given::value::<i64>(&world, "SELECT count(*) FROM application_approvals"), 0);
}

#[test]
fn decision_81_a_person_who_does_not_allow_an_application_lets_it_in_nowhere() {
    let world = world();
    let app = Application::of(&world);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit(&app.asks(&[]));
    // It asks for more than the page has shown.
    let (id, switched) = (app.id.clone(), Switched { effective_teams: Some(true), ..Switched::default() });
    operate(&world, move |cx| update(cx, &id, &Wanted { switched, ..Wanted::default() })).expect("a change");
    assert_eq!(olivia.send(&[("organization", "acme"), ("answer", "allow")]).status, 422);
    let page = olivia.visit(PAGE).text.clone();
    assert!(!page.contains("Rota Planner"), "{page}");
    olivia.visit(&app.asks(&[]));
    olivia.send(&[("organization", "acme"), ("teams", "effective"), ("answer", "allow")]);
    assert!(olivia.visit(PAGE).text.contains("Rota Planner"));
}

#[test]
fn decision_81_a_form_has_room_for_every_organization_that_is_shown_and_one_with_more_is_refused() {
    let world = world();
    let app = Application::of(&world);
    let mut tom = signed_in(&world, "tom");
    let fields = |count: usize| {
        let chosen = std::iter::repeat_n(("organization", "acme"), count);
        chosen.chain([("answer", "allow")]).collect::<Vec<_>>()
    };
    tom.visit(&app.asks(&[]));
    tom.send(&fields(20));
    assert!(answered(&tom.page).contains_key("code"));
    tom.visit(&app.asks(&[("prompt", "consent")]));
    assert_eq!(tom.send(&fields(40)).status, 400);
    assert_eq!(tom.visit(&(app.asks(&[]) + &"&a=1".repeat(40))).status, 404);
}
