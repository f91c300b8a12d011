//! Answering an invitation by the link in its mail (states 2; decisions 26, 27, 61 and 69).

use super::mail_invitations::{all, world};
use super::sign_in::{code, newest, signed_in};
use crate::support::browser::{Browser, encoded};
use crate::support::sent::is_small;
use crate::support::{World, json};

const DAY: i64 = 86_400;

/// Invites Nina by the team, and returns the path of her link.
pub fn invited(world: &World) -> String {
    world.olivia().put("/orgs/acme/teams/core/memberships/nina", json!({ "role": "maintainer" })).expect(200);
    all(world, 1).remove(0).link("/ui/invitations/")
}

/// Invites an address, and returns the path of the link.
pub fn invited_address(world: &World) -> String {
    let team = world.olivia().get("/orgs/acme/teams/core").json["id"].clone();
    let body = json!({ "email": "zoe@example.org", "team_ids": [team] });
    world.olivia().post("/orgs/acme/invitations", body).expect(201);
    all(world, 1).remove(0).link("/ui/invitations/")
}

pub fn state(world: &World, login: &str) -> String {
    let membership = world.olivia().get(&format!("/orgs/acme/teams/core/memberships/{login}"));
    membership.json["state"].as_str().unwrap_or("none").to_owned()
}

pub fn gone(world: &World, link: &str) {
    let page = Browser::open(&world.base, link).page;
    assert_eq!(page.status, 404, "{}", page.text);
    assert!(page.text.contains("does not work any more"), "{}", page.text);
}

/// The path of the page that signs in and leads back to this path.
pub fn leading_back(path: &str) -> String {
    format!("/login?return_to={}", encoded(&[("", path)]).trim_start_matches('='))
}

/// Signs in by the page to which an invitation leads, which leads back.
pub fn sign_in(world: &World, browser: &mut Browser, address: &str) {
    let link = browser.path.clone();
    let login = leading_back(&link);
    assert!(browser.page.text.contains(&format!("href=\"{login}\"")), "{}", browser.page.text);
    browser.visit(&login);
    browser.send(&[("email", address)]);
    browser.send(&[("code", &code(&newest(world, address)))]);
    assert_eq!((browser.page.status, &browser.path), (200, &link), "{}", browser.page.text);
}

#[test]
fn states_2_an_invited_person_signs_in_and_joins() {
    let world = world();
    let link = invited(&world);
    let mut browser = Browser::open(&world.base, &link);
    let page = &browser.page;
    assert_eq!(page.status, 200);
    for text in [
        "<strong><bdi>olivia</bdi></strong> invites you",
        "<strong><bdi>acme</bdi></strong>",
        "<li><bdi>Core</bdi> (maintainer)</li>",
        "Member",
        "nina",
    ] {
        assert!(page.text.contains(text), "{text} in {}", page.text);
    }
    assert!(!page.text.contains("value=\"accept\"") && page.text.contains("value=\"decline\""), "{}", page.text);
    let header = |name: &str| page.headers[name].to_str().expect("text").to_owned();
    assert!(header("content-security-policy").starts_with("default-src 'none'; style-src 'self'"));
    assert_eq!((header("referrer-policy"), header("cache-control")), ("same-origin".into(), "no-store".into()));
    assert!(header("set-cookie").contains("HttpOnly") && header("set-cookie").contains("SameSite=Lax"));
    sign_in(&world, &mut browser, "nina@example.com");
    let joined = browser.send(&[("answer", "accept")]);
    assert!(joined.status == 200 && joined.text.contains("You joined acme."), "{}", joined.text);
    assert_eq!(browser.path, "/ui?joined=acme");
    assert_eq!(state(&world, "nina"), "active");
    assert_eq!(world.olivia().get("/orgs/acme/teams/core/memberships/nina").json["role"], "maintainer");
    // The audit names the person, not the link.
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:org.add_member").json;
    assert_eq!((&log[0]["actor"], &log[0]["user"]), (&json!("nina"), &json!("nina")));
    let log = signed_in(&world, "olivia").visit("/ui/orgs/acme/audit?user=nina").text.clone();
    assert!(log.contains("<bdi>nina</bdi></a></b> joined the organization"), "{log}");
    gone(&world, &link);
}

#[test]
fn decision_61_get_and_head_change_nothing_and_a_form_is_needed() {
    let world = world();
    let link = invited_address(&world);
    let plain = world.anonymous();
    for _ in 0..3 {
        assert_eq!((plain.get(&link).status, plain.head(&link).status), (200, 200));
    }
    let accept = |code: &str| Some(encoded(&[("form", code), ("answer", "accept"), ("login", "zoe")]));
    let browser = Browser::open(&world.base, &link);
    let code = browser.code();
    // Without the cookie, with another one, without the code, and with that of another page.
    assert_eq!(plain.send("POST", &link, accept(&code)).status, 403);
    let other = Browser::open(&world.base, &link);
    assert_eq!(other.with_cookie().send("POST", &link, accept(&code)).status, 403);
    assert_eq!(browser.with_cookie().send("POST", &link, accept("")).status, 403);
    assert_eq!(browser.with_cookie().send("POST", &link, Some("answer=accept".into())).status, 403);
    for (name, value) in [("Origin", "https://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")] {
        let foreign = browser.with_cookie().with(name, value);
        assert_eq!(foreign.send("POST", &link, accept(&code)).status, 403, "{name}");
    }
    for verb in ["PUT", "PATCH", "DELETE"] {
        assert_eq!(browser.with_cookie().send(verb, &link, accept(&code)).status, 404, "{verb}");
    }
    assert_eq!(world.sam().get("/users/zoe").status, 404);
    let own = browser.with_cookie().with("Origin", &world.base);
    assert_eq!(own.send("POST", &link, accept(&code)).status, 303);
    assert_eq!(state(&world, "zoe"), "active");
}

#[test]
fn decision_69_forged_and_malformed_links_are_not_found() {
    let world = world();
    let link = invited(&world);
    let (start, end) = link.split_at(link.len() - 4);
    let reversed: String = end.chars().rev().collect();
    let number = link.trim_start_matches("/ui/invitations/").split('-').next().expect("a number").to_owned();
    let other = link.replacen(&format!("/{number}-"), "/999-", 1);
    for wrong in [
        format!("{start}{reversed}"),
        start.to_owned(),
        other,
        link.replacen(&format!("/{number}-"), &format!("/0{number}-"), 1),
        format!("{link}x"),
        format!("/ui/invitations/{number}"),
        format!("/ui/invitations/{number}-"),
        "/ui/invitations/-".to_owned(),
        format!("/ui/invitations/{}", "9".repeat(300)),
        "/ui/invitations/%00-%ff".to_owned(),
    ] {
        let page = world.anonymous().get(&wrong);
        assert!(matches!(page.status, 400 | 404), "{wrong}: {}", page.status);
        assert!(!page.text.contains("acme"), "{wrong}: {}", page.text);
        assert_ne!(world.anonymous().send("POST", &wrong, Some("answer=accept".into())).status, 200);
    }
    // The interface has no such paths.
    assert_eq!(world.anonymous().get(&format!("/api/v3{link}")).status, 404);
    assert_eq!(state(&world, "nina"), "pending");
}

#[test]
fn decision_27_a_link_ends_when_the_invitation_does() {
    for (end, wanted) in [
        ("decline", "does not work any more"),
        ("cancel", "does not work any more"),
        ("resend", "newer e-mail"),
        ("expire", "It was not accepted in time"),
        ("leave the address", "does not work any more"),
    ] {
        let world = world();
        let link = invited(&world);
        let mut browser = Browser::open(&world.base, &link);
        let code = browser.code();
        match end {
            "decline" => {
                let declined = browser.send(&[("answer", "decline")]);
                assert!(declined.text.contains("You declined the invitation"), "{}", declined.text);
            }
            "cancel" => {
                let id = world.olivia().get("/orgs/acme/invitations").json[0]["id"].clone();
                world.olivia().delete(&format!("/orgs/acme/invitations/{id}")).expect(204);
            }
            "resend" => {
                let nina = world.nina().get("/user").json["id"].clone();
                world.olivia().post("/orgs/acme/invitations", json!({ "invitee_id": nina })).expect(201);
            }
            "expire" => world.advance(8 * DAY),
            _ => {
                world.execute("UPDATE emails SET email = 'n@example.net', email_key = 'n@example.net' WHERE email = 'nina@example.com'");
            }
        }
        let page = browser.send_to(&link, &code, &[("answer", "accept")]);
        assert_eq!(page.status, 404, "{end}: {}", page.text);
        assert!(page.text.contains(wanted), "{end}: {}", page.text);
        assert_ne!(state(&world, "nina"), "active", "{end}");
    }
}

#[test]
fn decision_26_a_declined_invitation_stays_among_the_failed_ones() {
    let world = world();
    let link = invited_address(&world);
    let browser = Browser::open(&world.base, &link);
    assert!(browser.page.text.contains("<li><bdi>Core</bdi></li>"), "{}", browser.page.text);
    let form = encoded(&[("form", &browser.code()), ("answer", "decline")]);
    let declined = browser.with_cookie().send("POST", &link, Some(form));
    // Loading what follows again declines nothing.
    assert_eq!((declined.status, declined.header("location")), (303, Some("/ui/invitations/declined")));
    let said = browser.with_cookie().get("/ui/invitations/declined");
    assert!(said.status == 200 && said.text.contains("You declined the invitation"), "{}", said.text);
    let failed = world.olivia().get("/orgs/acme/failed_invitations").json;
    assert_eq!(failed[0]["email"], "zoe@example.org");
    assert!(failed[0]["failed_reason"].as_str().is_some_and(|why| why.contains("declined")), "{failed}");
}

#[test]
fn decision_21_a_suspended_account_cannot_join() {
    let world = world();
    let link = invited(&world);
    let mut browser = Browser::open(&world.base, &link);
    world.sam().put("/users/nina/suspended", json!({})).expect(204);
    let page = browser.send(&[("answer", "accept")]);
    assert!(page.status == 403 || page.status == 404, "{}", page.text);
    assert_ne!(state(&world, "nina"), "active");
}

#[test]
fn decision_69_of_two_answers_at_once_one_wins() {
    let world = world();
    let link = invited_address(&world);
    let browsers: Vec<Browser> = (0..4).map(|_| Browser::open(&world.base, &link)).collect();
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let running: Vec<_> = browsers
            .into_iter()
            .enumerate()
            .map(|(n, mut browser)| {
                let login = format!("zoe-{n}");
                scope.spawn(move || browser.send(&[("answer", "accept"), ("login", &login)]).status)
            })
            .collect();
        running.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
    let accounts = world.rows::<(String,)>("SELECT login FROM users WHERE login LIKE 'zoe-%'");
    assert_eq!(accounts.len(), 1, "{accounts:?}");
}

#[test]
fn decision_40_a_form_that_is_too_long_or_no_form_is_refused() {
    let world = world();
    let link = invited(&world);
    let plain = world.anonymous();
    assert_eq!(plain.send("POST", &link, Some(format!("form={}", "x".repeat(20_000)))).status, 413);
    assert_eq!(plain.send("POST", &link, Some("form=%ff".into())).status, 400);
    assert_eq!(plain.send("POST", &link, Some(String::new())).status, 403);
}

#[test]
fn decision_61_pages_load_one_style_sheet_one_script_and_nothing_foreign() {
    let world = world();
    let link = invited(&world);
    let page = world.anonymous().get(&link);
    let loaded: Vec<&str> =
        page.text.split("\"/ui/assets/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let [style, script] = loaded[..] else { panic!("{loaded:?}") };
    for (name, media, most) in
        [(style, "text/css; charset=utf-8", 16_384), (script, "text/javascript; charset=utf-8", 10_240)]
    {
        let file = world.anonymous().get(&format!("/ui/assets/{name}"));
        assert_eq!((file.status, file.header("content-type")), (200, Some(media)));
        assert_eq!(file.headers["cache-control"], "public, max-age=31536000, immutable");
        assert!(file.text.len() < most && !file.text.contains("://"), "{name} has {} bytes", file.text.len());
    }
    is_small(&page.text);
    assert_eq!(world.anonymous().get("/ui/assets/style-0.css").status, 404);
    assert!(!page.text.contains(" style=") && page.text.matches("<script").count() == 1);
    let icon = world.anonymous().get("/favicon.ico");
    assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/x-icon")));
}
