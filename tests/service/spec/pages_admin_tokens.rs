//! The tokens of all people in the rooms of site administrators, and revoking one that was found (decisions 41 and 42).

use guildhall::access::token::{self, New};
use guildhall::oauth::Switched;
use guildhall::people::user;
use guildhall::scope::Scopes;

use super::mail_invitations::world;
use super::pages_admin_deliveries::administrator;
use super::pages_organization::{send, sound};
use super::pages_team::shows;
use super::sign_in::signed_in;
use super::sign_in_recent::call;
use crate::support::application::{granted, operate, register, wanted};
use crate::support::{Client, World, json};

const ROOM: &str = "/ui/admin/tokens";

/// The ID and the text of a token that Tom makes.
fn made(world: &World, note: &str) -> (String, String) {
    let tom = signed_in(world, "tom");
    let body = json!({ "note": note, "scopes": ["admin:org", "repo"], "days": 30 });
    let made = call(world, &tom, "tokens.create", &[], &body).expect("a token");
    (made["id"].to_string(), made["text"].as_str().expect("a text").to_owned())
}

#[test]
fn decision_42_all_tokens_are_listed_with_what_they_permit() {
    let world = world();
    let (id, text) = made(&world, "Rota <b>");
    let mut max = administrator(&world);
    assert_eq!(max.visit(ROOM).status, 200);
    sound(&max.page.text);
    let may = "Run their organizations as they can";
    shows(
        &max,
        &["Rota &#60;b&#62;", "/ui/admin/users/tom", may, &text[32..], "never used"],
        &[&text, "Rota <b>", "your "],
    );
    max.visit(&format!("{ROOM}?person=TOM"));
    shows(&max, &["Tokens of <bdi>TOM</bdi>", "Rota"], &["/ui/admin/users/sam"]);
    max.visit(&format!("{ROOM}?person=nina"));
    shows(&max, &["No tokens"], &["Rota"]);
    // A query with NUL is not read.
    for (unknown, status) in [("%3Cx%3E", 422), ("x%00", 200), ("%F0%9F%98%80", 422), ("x".repeat(300).as_str(), 422)] {
        assert_eq!(max.visit(&format!("{ROOM}?person={unknown}")).status, status, "{unknown}");
        shows(&max, &[], &["<x>"]);
    }
    max.visit(&format!("{ROOM}/{id}"));
    sound(&max.page.text);
    shows(&max, &["Revoke Rota &#60;b&#62; of tom?", "Their own programs"], &["<b>R", &text, "It is a token of"]);
    assert_eq!(Client::new(&world.base, Some(&text)).get("/user").status, 200);
    assert_eq!(max.send(&[("do", "revoke")]).status, 200);
    assert_eq!(max.path, format!("{ROOM}?done=revoked"));
    shows(&max, &["The token is revoked."], &["Rota"]);
    assert_eq!(Client::new(&world.base, Some(&text)).get("/user").status, 401);
    // A second form, and the page of a token that is gone.
    let code = max.code();
    assert_eq!(max.send_to(&format!("{ROOM}/{id}"), &code, &[("do", "revoke")]).status, 404);
    for gone in [&id, "0", "x", "%3Cx%3E", "99999999999999999999"] {
        assert_eq!(max.visit(&format!("{ROOM}/{gone}")).status, 404, "{gone}");
    }
}

#[test]
fn decision_42_a_form_for_a_token_that_is_gone_leads_to_the_list() {
    let world = world();
    let (id, _) = made(&world, "Rota");
    let mut max = administrator(&world);
    let page = format!("{ROOM}/{id}");
    max.visit(&page);
    world.sam().delete(&format!("/admin/tokens/{id}")).expect(204);
    assert_eq!(max.send(&[("do", "revoke")]).status, 200);
    assert_eq!(max.path, format!("{ROOM}?done=gone"));
    shows(&max, &["It is gone already"], &[]);
}

#[test]
fn decision_41_a_token_that_was_found_is_looked_up_by_its_hash_and_revoked() {
    let world = world();
    let (id, text) = made(&world, "Rota");
    let app = register(&world, wanted("Planner", Switched::default()));
    granted(&world, &app, "nina", "read:org");
    let mut max = administrator(&world);
    for pasted in [text.clone(), format!("  Authorization: Bearer {text}\r\n")] {
        assert_eq!(send(&mut max, ROOM, &[("do", "find"), ("token", &pasted)]), 200);
        assert_eq!(max.path, format!("{ROOM}/{id}?done=found"));
        sound(&max.page.text);
        shows(&max, &["It is a token of <bdi>tom</bdi>."], &[&text]);
    }
    assert_eq!(max.send_to(&format!("{ROOM}/{id}"), &max.code(), &[("do", "revoke")]).status, 200);
    assert_eq!(Client::new(&world.base, Some(&text)).get("/user").status, 401);
    for (pasted, said) in [
        (text.as_str(), "No token here has this text."),
        ("<x>", "No token here has this text."),
        (" \r\n ", "Paste a token."),
        ("", "Paste a token."),
    ] {
        assert_eq!(send(&mut max, ROOM, &[("do", "find"), ("token", pasted)]), 422, "{pasted}");
        sound(&max.page.text);
        shows(&max, &[&format!("<a href=\"#token\">{said}")], &["<x>", &text]);
    }
    assert_eq!(send(&mut max, ROOM, &[("do", "banana"), ("token", &text)]), 404);
    // The audit log says that it was revoked, without its text.
    let log = world.sam().get("/admin/audit-log?phrase=action:oauth_access.destroy").expect(200).clone();
    assert_eq!((&log[0]["actor"], &log[0]["before"]["user"]), (&json!("max"), &json!("tom")));
    assert!(!crate::support::dump::everything(&world).contains(&text));
}

#[test]
fn decision_41_a_token_that_was_found_does_not_come_back_when_its_form_is_refused() {
    let world = world();
    let (_, text) = made(&world, "Rota");
    let mut max = administrator(&world);
    max.visit(ROOM);
    let (code, found) = (max.code(), format!("two words {text}"));
    world.faults.arm_at("WHERE t.hash = $1");
    assert_eq!(max.send_to(ROOM, &code, &[("do", "find"), ("token", &found)]).status, 503);
    shows(&max, &["Back in a moment"], &[&text, "two words"]);
    assert_eq!(max.send_to(ROOM, "wrong", &[("do", "find"), ("token", &found)]).status, 403);
    shows(&max, &[], &[&text, "two words"]);
    max.sign_out();
    max.send_to(ROOM, &code, &[("do", "find"), ("token", &found)]);
    shows(&max, &[], &[&text, "two words"]);
}

#[test]
fn decision_42_tokens_are_shown_page_by_page() {
    let world = world();
    let made = operate(&world, |cx| {
        let (user, now) = (user::by_login(cx.tx, "nina")?.id, cx.now()?);
        for _ in 0..35 {
            let new = New {
                user,
                kind: "personal",
                made_by: None,
                scopes: Scopes::default(),
                note: Some("n"),
                expires_at: None,
                effective_teams: false,
                application: None,
            };
            token::create(cx.tx, &new, None, "ghp_", now)?;
        }
        Ok(())
    });
    made.expect("tokens");
    let mut max = administrator(&world);
    let shown = |page: &str| page.matches(">Revoke…<").count();
    assert_eq!(shown(&max.visit(&format!("{ROOM}?person=nina")).text), 30);
    sound(&max.page.text);
    let before = world.rows::<(i64,)>("SELECT min(id) + 5 FROM tokens WHERE note = 'n'")[0].0;
    let next = format!("{ROOM}?person=nina&amp;before={before}");
    shows(&max, &[&format!("href=\"{next}\" rel=\"next\">Older</a>")], &["Newest</a>"]);
    assert_eq!(shown(&max.visit(&next.replace("&amp;", "&")).text), 5);
    shows(&max, &["Newest</a>"], &["Older"]);
    for query in ["?before=x", "?before=0", "?before=-3", "?before=99999999999999999999"] {
        assert_eq!(shown(&max.visit(&format!("{ROOM}{query}")).text), 30, "{query}");
    }
    max.visit(&format!("{ROOM}?before=1"));
    shows(&max, &["There are no older tokens"], &[]);
}
