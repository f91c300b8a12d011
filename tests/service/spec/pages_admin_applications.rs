//! All applications in the rooms of site administrators, and the marks that they give (decisions 62 and 81).

use guildhall::oauth::Switched;

use super::mail_invitations::world;
use super::pages_admin_deliveries::administrator;
use super::pages_organization::{send, sound};
use super::pages_team::{hidden, shows};
use super::sign_in::signed_in;
use super::sign_in_recent::call;
use crate::support::application::{Application, register, wanted};
use crate::support::browser::Browser;
use crate::support::{Value, World, json};

const ROOM: &str = "/ui/admin/applications";

/// Sends the form of the page of an application, with the version that it shows.
fn mark(browser: &mut Browser, page: &str, marks: &[&str]) -> u16 {
    browser.visit(page);
    let version = hidden(browser, "version");
    let marks: Vec<(&str, &str)> = marks.iter().map(|mark| (*mark, "on")).collect();
    browser.send(&[&[("do", "mark"), ("version", version.as_str())][..], &marks].concat()).status
}

/// The marks as they are stored.
fn stored(world: &World) -> Vec<(bool, bool)> {
    world.rows("SELECT trusted, skip_consent FROM applications WHERE name = '<Planner>'")
}

/// The changes of applications in the audit log of the site.
fn changes(world: &World) -> Vec<Value> {
    world
        .sam()
        .get("/admin/audit-log?phrase=action:oauth_application.update")
        .expect(200)
        .as_array()
        .expect("a list")
        .clone()
}

#[test]
fn decision_62_an_administrator_marks_an_application_as_trusted_and_without_consent() {
    let world = world();
    let app = register(&world, wanted("<Planner>", Switched::default()));
    Application { ..app.clone() }.allowed(&mut signed_in(&world, "nina"), &[]);
    let page = format!("{ROOM}/{}", app.id);
    let mut max = administrator(&world);
    max.visit(ROOM);
    sound(&max.page.text);
    shows(&max, &["&#60;Planner&#62;", "of the site · allowed by 1 person"], &["<Planner>", "Without consent"]);
    max.visit(&page);
    sound(&max.page.text);
    shows(&max, &["https://app.example/callback", "The site", "It proves with a secret"], &[&app.secret, " checked"]);
    assert_eq!(mark(&mut max, &page, &["trusted", "skip_consent"]), 200);
    assert_eq!(max.path, format!("{page}?done=saved"));
    shows(&max, &["Saved.", "name=\"trusted\" value=\"on\" checked"], &[]);
    assert_eq!(stored(&world), [(true, true)]);
    max.visit(ROOM);
    shows(&max, &["<span class=\"badge on\">Trusted</span>", "<span class=\"badge warn\">Without consent</span>"], &[]);
    let log = changes(&world);
    assert_eq!(
        (&log[0]["actor"], &log[0]["after"]["trusted"], &log[0]["before"]["trusted"]),
        (&json!("max"), &json!(true), &json!(false))
    );
    // Nothing but the marks has changed, and the same marks once more are no change.
    assert_eq!(log[0]["after"]["redirect_uris"], json!(["https://app.example/callback"]));
    assert_eq!(mark(&mut max, &page, &["trusted", "skip_consent"]), 200);
    assert_eq!(changes(&world).len(), log.len());
    assert_eq!(mark(&mut max, &page, &[]), 200);
    assert_eq!(stored(&world), [(false, false)]);
    assert_eq!(send(&mut max, &page, &[("do", "banana")]), 404);
    for gone in ["nothing", "%3Cx%3E", "%20"] {
        assert_eq!(max.visit(&format!("{ROOM}/{gone}")).status, 404, "{gone}");
    }
}

#[test]
fn decision_62_people_who_use_a_public_application_are_always_asked() {
    let world = world();
    let app = register(&world, wanted("<Planner>", Switched { public: Some(true), ..Switched::default() }));
    let page = format!("{ROOM}/{}", app.id);
    let mut max = administrator(&world);
    max.visit(&page);
    shows(&max, &["name=\"trusted\""], &["skip_consent"]);
    assert_eq!(mark(&mut max, &page, &["trusted", "skip_consent"]), 422);
    sound(&max.page.text);
    let why = "<a href=\"#skip_consent\">Anyone can claim to be a public application, so people must be asked.</a>";
    shows(&max, &[why, "name=\"skip_consent\" value=\"on\" checked"], &["<Planner>"]);
    assert_eq!(stored(&world), [(false, false)]);
    assert_eq!(mark(&mut max, &page, &["trusted"]), 200);
    assert_eq!(stored(&world), [(true, false)]);
}

#[test]
fn decision_61_marks_need_a_recent_sign_in_and_the_newest_page() {
    let world = world();
    let app = register(&world, wanted("<Planner>", Switched::default()));
    let page = format!("{ROOM}/{}", app.id);
    let mut max = administrator(&world);
    max.visit(&page);
    let (code, old) = (max.code(), hidden(&max, "version"));
    let body = json!({ "client_id": app.id, "trusted": true, "skip_consent": false });
    call(&world, &max, "administration.markApplication", &[], &body).expect("a mark");
    let fields = [("do", "mark"), ("version", old.as_str()), ("skip_consent", "on")];
    assert_eq!(max.send_to(&page, &code, &fields).status, 422);
    shows(&max, &["The marks were changed after you opened this page.", "name=\"trusted\" value=\"on\" checked"], &[]);
    assert_eq!(stored(&world), [(true, false)]);
    world.advance(15 * 60);
    max.visit(&page);
    shows(&max, &["This needs a sign-in within the last 15 minutes.", "It is trusted"], &["name=\"trusted\""]);
    max.send_to(&page, &code, &[("do", "mark"), ("trusted", "on"), ("skip_consent", "on")]);
    assert_eq!(stored(&world), [(true, false)]);
    let old = json!({ "client_id": app.id, "trusted": false, "skip_consent": true });
    call(&world, &max, "administration.markApplication", &[], &old).expect_err("a session that is too old");
    assert_eq!(stored(&world), [(true, false)]);
}
