//! Accounts that people make for themselves (decision 71).

use super::mail_invitations::settle;
use super::provider::Provider;
use super::sign_in::{asked, code, newest};
use crate::support::browser::{Browser, encoded};
use crate::support::world::Settings;
use crate::support::{World, json, mail};

fn world(domains: Option<&[&str]>) -> World {
    let signup_domains = domains.map(|domains| domains.iter().map(|domain| (*domain).to_owned()).collect());
    World::with(Settings { delivers: true, signup_domains, ..Settings::default() })
}

fn is_signed_in(browser: &Browser) -> bool {
    browser.cookies.contains_key("guildhall-session")
}

/// True if an e-mail is sent when a code is asked for.
fn is_sent(world: &World, address: &str) -> bool {
    asked(world, address);
    settle(world);
    mail::saved(world.mail.path()).iter().any(|mail| mail.to() == address)
}

#[test]
fn decision_71_a_person_makes_an_account_with_a_code() {
    let world = world(Some(&["example.org"]));
    let mut browser = Browser::open(&world.base, "/ui/settings");
    browser.send(&[("email", "zoe@Example.org")]);
    let mail = newest(&world, "zoe@Example.org");
    for text in [&mail.text, &mail.html] {
        assert!(text.contains("No account has this e-mail address yet. This code makes one."), "{text}");
    }
    let sent = code(&mail);
    let page = browser.send(&[("code", &sent)]);
    assert!(page.status == 200 && page.text.contains("Make your account"), "{}", page.text);
    assert!(!is_signed_in(&browser));
    let make = |browser: &mut Browser, login: &str| {
        let fields = [("answer", "make"), ("code", sent.as_str()), ("login", login), ("name", "Zo\u{eb}")];
        browser.send(&fields).status
    };
    for (wrong, wanted) in
        [("-", "Choose a login of 1 to 39"), ("Tom", "in use or was used before"), ("docs", "reserved")]
    {
        assert_eq!(make(&mut browser, wrong), 422, "{wrong}");
        assert!(browser.page.text.contains(wanted) && browser.page.text.contains("Zo\u{eb}"), "{}", browser.page.text);
    }
    let form = browser.code();
    assert_eq!(make(&mut browser, "zoe"), 200);
    assert_eq!(browser.path, "/ui/settings", "the person returns");
    let zoe = world.client("zoe");
    let me = zoe.get("/user").expect(200).clone();
    assert_eq!((&me["name"], &me["email"]), (&json!("Zo\u{eb}"), &json!("zoe@Example.org")));
    assert_eq!(zoe.get("/user/emails").json[0]["verified"], true);
    let log = world.sam().get("/admin/audit-log?phrase=action:user.create").json;
    assert_eq!(log[0]["actor"], "zoe");
    browser.sign_out();
    let again = [("answer", "make"), ("code", sent.as_str()), ("login", "zoe-2")];
    assert_eq!(browser.send_to("/login/code", &form, &again).status, 422, "a code works once");
    assert_eq!(world.sam().get("/users/zoe-2").status, 404);
}

#[test]
fn decision_71_a_person_makes_an_account_with_a_link_in_the_browser_that_asked() {
    let world = world(None);
    let mut browser = asked(&world, "zoe@example.net");
    let mail = newest(&world, "zoe@example.net");
    let link = mail.link("/login/link/");
    let mut other = Browser::open(&world.base, &link);
    assert!(other.page.text.contains(&code(&mail)) && !other.page.text.contains("<form class"), "{}", other.page.text);
    let form = other.code();
    other.send_to(&link, &form, &[("answer", "make"), ("login", "zoe")]);
    assert_eq!((is_signed_in(&other), world.sam().get("/users/zoe").status), (false, 404));
    assert!(browser.visit(&link).text.contains("Make your account"), "{}", browser.page.text);
    assert_eq!(browser.send(&[("answer", "make"), ("login", "--")]).status, 422);
    browser.send(&[("answer", "make"), ("login", "zoe")]);
    assert_eq!(browser.path, "/ui?welcome=zoe");
    for wanted in ["Hello, <bdi>zoe</bdi>", "What you can do now", "You are in no organization yet"] {
        assert!(browser.page.text.contains(wanted), "{wanted} in {}", browser.page.text);
    }
    // Opened again, it leads to what it led to; in another session it works no more.
    assert_eq!(browser.visit(&link).status, 200);
    assert_eq!(browser.path, "/ui");
    browser.sign_out();
    assert_eq!(browser.visit(&link).status, 404, "it works once");
}

#[test]
fn decision_71_only_addresses_at_exactly_a_listed_domain_make_accounts() {
    let world = world(Some(&["Example.org", "ex\u{e4}mple.net"]));
    for (address, makes) in [
        ("a@example.org", true),
        ("b@EXAMPLE.ORG", true),
        ("c@xn--exmple-cua.net", true),
        ("d@sub.example.org", false),
        ("e@example.org.evil.example", false),
        ("f@evilexample.org", false),
        ("g@example.com", false),
    ] {
        assert_eq!(is_sent(&world, address), makes, "{address}");
        world.advance(3600);
    }
    let world = super::mail_invitations::world();
    assert!(!is_sent(&world, "a@example.org"), "by default, only invited people get an account");
}

#[test]
fn decision_71_a_person_whom_a_provider_deactivated_makes_no_account() {
    let world = world(None);
    let provider = Provider::of(&world);
    let emails = json!({ "emails": [{ "value": "gone@example.org" }] });
    let record = provider.user("gone@idp", emails);
    provider.active(&record, false).expect(200);
    assert!(!is_sent(&world, "Gone@example.org"));
    // Nor if it is deactivated, or deleted with its account, after the code was sent.
    let record = provider.user("late@idp", json!({ "emails": [{ "value": "other@example.org" }] }));
    let mut browser = asked(&world, "late@example.org");
    let sent = code(&newest(&world, "late@example.org"));
    let value = json!([{ "value": "late@example.org" }]);
    provider
        .patch(&format!("/Users/{record}"), json!({ "op": "replace", "path": "emails", "value": value }))
        .expect(200);
    provider.active(&record, false).expect(200);
    assert_eq!(browser.send(&[("code", &sent)]).status, 422);
    assert!(!is_signed_in(&browser));
}

#[test]
fn decision_71_an_address_that_was_verified_in_the_meantime_makes_no_account() {
    let world = world(None);
    let mut browser = asked(&world, "zoe@example.org");
    let sent = code(&newest(&world, "zoe@example.org"));
    browser.send(&[("code", &sent)]);
    world
        .sam()
        .post("/admin/users/nina/emails", json!({ "emails": ["zoe@example.org"], "verified": true }))
        .expect(201);
    let page = browser.send(&[("answer", "make"), ("code", &sent), ("login", "zoe")]);
    assert!(page.status == 422 && page.text.contains("not the code"), "{}", page.text);
    assert_eq!((is_signed_in(&browser), world.sam().get("/users/zoe").status), (false, 404));
    // A suspended account keeps its address.
    world.sam().put("/users/eve/suspended", json!({})).expect(204);
    assert!(!is_sent(&world, "eve@example.com"));
}

#[test]
fn decision_71_a_wrong_code_makes_no_account() {
    let world = world(None);
    let mut browser = asked(&world, "zoe@example.org");
    let right = code(&newest(&world, "zoe@example.org"));
    let wrong = if right == "0000 0000" { "1111 1111" } else { "0000 0000" };
    for _ in 0..5 {
        browser.send(&[("answer", "make"), ("code", wrong), ("login", "zoe")]);
    }
    assert!(browser.page.text.contains("This code does not work any more"), "{}", browser.page.text);
    assert_eq!((is_signed_in(&browser), world.sam().get("/users/zoe").status), (false, 404));
    // A right one makes none in another browser.
    let mut other = asked(&world, "yan@example.org");
    assert_eq!(other.send(&[("answer", "make"), ("code", &right), ("login", "zoe")]).status, 422);
}

#[test]
fn decision_71_the_answer_does_not_tell_whether_an_account_exists() {
    let signup_domains = Some(vec!["example.com".to_owned()]);
    let world = World::with(Settings { signup_domains, ..Settings::default() });
    let seen = |address: &str| {
        let mut browser = Browser::open(&world.base, "/login");
        world.faults.record();
        browser.send(&[("email", address)]);
        browser.send(&[("code", "0000 0000")]);
        let statements = world.faults.recorded();
        let shown = browser.page.text.replace(address, "ADDRESS").replace(&browser.code(), "FORM");
        (shown, statements)
    };
    // The first request may also begin something.
    seen("first@example.com");
    let known = seen("tom@example.com");
    assert!(known.1.len() > 10 && known.0.contains("or may have one"), "{known:?}");
    for address in ["new@example.com", "elsewhere@example.org"] {
        assert_eq!(seen(address), known, "{address}");
    }
}

#[test]
fn decision_61_the_link_in_the_mail_returns_to_the_page() {
    let world = super::mail_invitations::world();
    let mut browser = Browser::open(&world.base, "/ui/settings");
    browser.send(&[("email", "nina@example.com")]);
    browser.visit(&newest(&world, "nina@example.com").link("/login/link/"));
    browser.send(&[]);
    assert_eq!(browser.path, "/ui/settings");
    // Only a page of this site, whatever the browser keeps; and nothing of an earlier time.
    browser.sign_out();
    world.advance(1);
    let mut browser = asked(&world, "nina@example.com");
    let link = newest(&world, "nina@example.com").link("/login/link/");
    for evil in ["https://evil.example/ui", "//evil.example/ui", "/ui/..//evil.example"] {
        let value = encoded(&[("", evil)]).trim_start_matches('=').to_owned();
        browser.cookies.insert("guildhall-return".into(), value);
        browser.visit(&link);
        assert!(!browser.page.text.contains("evil"), "{}", browser.page.text);
    }
    browser.send(&[]);
    assert_eq!(browser.path, "/ui");
    browser.sign_out();
    browser.cookies.insert("guildhall-return".into(), "%2Fui%2Fsettings".into());
    world.advance(1);
    browser.visit("/login");
    browser.send(&[("email", "nina@example.com")]);
    assert!(!browser.cookies.contains_key("guildhall-return"));
}
