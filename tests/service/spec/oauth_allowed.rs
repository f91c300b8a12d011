//! The applications that a person has allowed, which they see and revoke on a page (decision 62).

use guildhall::oauth::{Switched, Wanted, update};

use super::mail_invitations::world;
use super::oauth_rooms::{ROOM, registered};
use super::oauth_tokens::store_uses;
use super::sign_in::signed_in;
use crate::support::application::{Application, answered, operate, register, wanted};
use crate::support::{Client, json};

#[test]
fn decision_62_a_person_sees_what_they_have_allowed_in_plain_words() {
    let world = world();
    let (mut nina, mut tom) = (signed_in(&world, "nina"), signed_in(&world, "tom"));
    assert!(nina.visit(ROOM).text.contains("No application acts for you"), "{}", nina.page.text);
    let app = Application::of(&world);
    let of_tom = registered(&mut tom, &[("name", "<i>Toms</i>"), ("effective_teams", "on")]);
    app.allowed(&mut nina, &[("scope", "read:org gist")]);
    of_tom.allowed(&mut nina, &[]);
    app.token(&world, &mut tom, "user:email");
    let page = nina.visit(ROOM).text.clone();
    for wanted in [
        "<b><bdi>Rota Planner</bdi></b>",
        "Registered by the operator of this site · never used",
        "See your organizations and teams, and who is on them. Nothing here uses gist.",
        "<b><bdi>&#60;i&#62;Toms&#60;/i&#62;</bdi></b>",
        "Registered by <bdi>tom</bdi>",
        "See what everyone can see. See the teams above yours as if you were on them.",
        &format!("{ROOM}?revoke={}", app.id),
    ] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    assert!(!page.contains("e-mail addresses"), "that is what tom has allowed: {page}");
    let token = app.token(&world, &mut nina, "repo");
    Client::new(&world.base, Some(&token)).get("/user").expect(200);
    store_uses(&world);
    let page = nina.visit(ROOM).text.clone();
    assert_eq!(page.matches("Rota Planner</bdi></b>").count(), 1, "{page}");
    assert!(page.contains("· last used <time") && page.contains("delete repositories that you administer"), "{page}");
}

#[test]
fn decision_62_revoking_an_application_ends_its_consent_and_all_its_tokens() {
    let world = world();
    let (mut nina, mut tom) = (signed_in(&world, "nina"), signed_in(&world, "tom"));
    let (app, other) = (Application::of(&world), register(&world, wanted("Other", Switched::default())));
    let tokens = ["repo", "user"].map(|scope| app.token(&world, &mut nina, scope));
    let kept = [other.token(&world, &mut nina, "repo"), app.token(&world, &mut tom, "repo")];
    nina.visit(&format!("{ROOM}?revoke={}", app.id));
    assert!(nina.page.text.contains("Revoke Rota Planner?") && nina.page.text.contains("It may ask you again."));
    Client::new(&world.base, Some(&tokens[0])).get("/user").expect(200);
    nina.send(&[("do", "revoke"), ("application", &app.id)]);
    assert!(nina.page.text.contains("The application no longer acts for you."), "{}", nina.page.text);
    assert!(!nina.page.text.contains("Rota Planner"), "{}", nina.page.text);
    for token in &tokens {
        Client::new(&world.base, Some(token)).get("/user").refused(401, "Bad credentials");
    }
    for token in &kept {
        Client::new(&world.base, Some(token)).get("/user").expect(200);
    }
    assert_eq!(nina.visit(&app.asks(&[("scope", "repo")])).status, 200, "she is asked again");
    let log = world.sam().get("/admin/audit-log?phrase=action:oauth_authorization.destroy").json;
    assert_eq!((&log[0]["actor"], log.as_array().map(Vec::len)), (&json!("nina"), Some(1)), "{log}");
    // There is nothing left to revoke.
    assert_eq!(nina.visit(&format!("{ROOM}?revoke={}", app.id)).status, 404);
    nina.visit(&format!("{ROOM}?revoke={}", other.id));
    let form = nina.code();
    for wrong in [app.id.as_str(), "", "nothing"] {
        nina.send_to(ROOM, &form, &[("do", "revoke"), ("application", wrong)]);
        assert_eq!(nina.path, format!("{ROOM}?done=gone"), "{wrong}");
    }
    assert_eq!(nina.send_to(ROOM, &form, &[("application", &other.id)]).status, 404);
}

#[test]
fn decision_62_an_application_that_need_not_ask_is_listed_too() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let silent = register(&world, wanted("Wiki", Switched { skip_consent: Some(true), ..Switched::default() }));
    nina.visit(&silent.asks(&[("scope", "repo")]));
    let code = answered(&nina.page).remove("code").expect("a code");
    let answer = silent.exchanges(&world, &code, &[]);
    let token = answer.json["access_token"].as_str().expect("a token");
    assert!(nina.visit(ROOM).text.contains("<b><bdi>Wiki</bdi></b>"), "{}", nina.page.text);
    nina.visit(&format!("{ROOM}?revoke={}", silent.id));
    assert!(nina.page.text.contains("without asking you"), "{}", nina.page.text);
    nina.send(&[("do", "revoke"), ("application", &silent.id)]);
    Client::new(&world.base, Some(token)).get("/user").refused(401, "Bad credentials");
    assert!(nina.page.text.contains("No application acts for you"), "{}", nina.page.text);
}

#[test]
fn decision_62_revoking_one_token_of_an_application_leaves_what_it_was_allowed() {
    let world = world();
    let app = Application::of(&world);
    let mut nina = signed_in(&world, "nina");
    let [token, other] = [(); 2].map(|()| app.token(&world, &mut nina, "repo"));
    let page = nina.visit("/ui/settings/tokens").text.clone();
    assert!(page.contains("<span class=\"badge\">Application</span>"), "{page}");
    let (id,) = world.rows::<(i64,)>("SELECT id FROM tokens t WHERE t.kind = 'oauth' ORDER BY id")[0];
    nina.visit(&format!("/ui/settings/tokens?revoke={id}"));
    assert!(nina.page.text.contains("The application keeps what you have allowed it"), "{}", nina.page.text);
    nina.send(&[("do", "revoke"), ("token", &id.to_string())]);
    Client::new(&world.base, Some(&token)).get("/user").refused(401, "Bad credentials");
    Client::new(&world.base, Some(&other)).get("/user").expect(200);
    assert!(nina.visit(ROOM).text.contains("Rota Planner"), "{}", nina.page.text);
    assert_eq!(nina.visit(&app.asks(&[("scope", "repo")])).status, 303, "she is not asked");
}

#[test]
fn decision_62_what_an_application_loses_shows_on_the_page() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let marked = Switched { effective_teams: Some(true), ..Switched::default() };
    let app = register(&world, wanted("Wiki", marked));
    app.token(&world, &mut nina, "read:org");
    assert!(nina.visit(ROOM).text.contains("See the teams above yours"), "{}", nina.page.text);
    let (id, off) = (app.id, Switched { effective_teams: Some(false), ..Switched::default() });
    operate(&world, move |cx| update(cx, &id, &Wanted { switched: off, ..Wanted::default() })).expect("a change");
    assert!(!nina.visit(ROOM).text.contains("See the teams above yours"), "{}", nina.page.text);
}
