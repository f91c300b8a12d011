//! Providers that are down, wrong or hostile (decision 61).

use super::sign_in::signed_in;
use super::sign_in_provider::{begun, is_signed_out};
use super::sign_in_provider_attacks::{refused, world};
use crate::support::browser::{Browser, encoded};
use crate::support::json;
use crate::support::port::Port;
use crate::support::provider::Provider;

#[test]
fn decision_61_a_provider_that_answers_garbage_is_a_page() {
    let provider = Provider::new();
    let world = world(&provider);
    let large = format!("{{\"id_token\": \"{}\"}}", "a".repeat(70_000));
    let elsewhere = format!("Location: {}/stolen\r\n", provider.issuer());
    let garbage = [
        (200, "", ""),
        (200, "", "<html>"),
        (200, "", "\u{0}\u{1}"),
        (200, "", "[]"),
        (200, "", "{\"id_token\": 7}"),
        (200, "", "{\"id_token\": \"a.b.c\"}"),
        (200, "", "{\"id_token\": \"..\"}"),
        (200, "", "{\"id_token\": \"\"}"),
        (200, "", large.as_str()),
        (200, "Transfer-Encoding: chunked\r\n", "x"),
        (204, "", ""),
        (302, elsewhere.as_str(), ""),
        (307, elsewhere.as_str(), ""),
        (400, "", "{\"error\": \"invalid_grant\\r\\nforged line\"}"),
        (500, "", "{}"),
    ];
    for (status, headers, body) in garbage {
        provider.answer("/token", status, headers, body);
        refused(&world, &provider, |login| login);
    }
    assert_eq!(provider.count("/stolen"), 0, "no redirect is followed");
    provider.recover();
    world.advance(60 * 60);
    for body in ["", "{}", "[[[[", r#"{"keys": 1}"#] {
        provider.answer("/keys", 200, "", body);
        refused(&world, &provider, |login| login);
        world.advance(10);
    }
    provider.recover();
    let (mut browser, login) = begun(&world, &provider, "n");
    browser.visit(&provider.send_back(login));
    assert!(!is_signed_out(&browser), "{}", browser.page.text);
}

#[test]
fn decision_61_a_provider_that_never_answers_is_a_page_and_holds_no_one_else_up() {
    let provider = Provider::new();
    let world = world(&provider);
    provider.hold("/token");
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| refused(&world, &provider, |login| login));
        provider.until_held();
        assert_eq!(Browser::open(&world.base, "/login").page.status, 200);
        assert!(!waits.is_finished(), "the provider has not answered");
        waits.join().expect("a page");
    });
    provider.release();
}

#[test]
fn decision_61_a_provider_whose_metadata_is_wrong_or_away_is_a_page() {
    let provider = Provider::new();
    let path = "/.well-known/openid-configuration";
    let world = provider.world(|_| {});
    let begin = || {
        world.advance(10);
        let mut browser = Browser::open(&world.base, "/login");
        let form = browser.code();
        let page = browser.send_to("/login/provider", &form, &[]);
        (page.status, page.text.clone())
    };
    let other = json!({
        "issuer": "https://evil.example", "authorization_endpoint": "https://evil.example/", "jwks_uri": "https://evil.example/",
        "token_endpoint": "https://evil.example/",
    });
    for (status, body) in [(500, "{}"), (302, ""), (200, ""), (200, "{}"), (200, other.to_string().as_str())] {
        provider.answer(path, status, "", body);
        let (status, page) = begin();
        assert!(status == 502 && page.contains("or sign in with a code by e-mail"), "{page}");
        assert!(page.contains("href=\"/login\""), "{page}");
    }
    // After a failure, no one waits for it.
    let asked = provider.count(path);
    let mut browser = Browser::open(&world.base, "/login");
    let form = browser.code();
    assert_eq!(browser.send_to("/login/provider", &form, &[]).status, 502);
    assert_eq!(provider.count(path), asked);
    provider.recover();
    assert_eq!(begin().0, 200);
    let away = Port::take();
    let world = provider.world(|settings| {
        let known = settings.provider.as_mut().expect("a provider");
        known.issuer = format!("http://{}", away.address());
    });
    let mut browser = Browser::open(&world.base, "/login");
    let form = browser.code();
    assert_eq!(browser.send_to("/login/provider", &form, &[]).status, 502);
    assert!(!signed_in(&world, "nina").cookies.is_empty(), "other ways are open");
}

#[test]
fn decision_61_what_the_provider_says_about_a_failure_is_not_shown() {
    let provider = Provider::new();
    let world = world(&provider);
    for (error, status, title) in [
        ("access_denied", 403, "You were not signed in"),
        ("server_error", 502, "You could not be signed in"),
        ("<script>call 555", 502, "You could not be signed in"),
    ] {
        let (mut browser, login) = begun(&world, &provider, "n");
        let said = [("error", error), ("error_description", "call 555"), ("state", &login.state), ("code", "code+0")];
        let path = format!("/login/provider/callback?{}", encoded(&said));
        let page = browser.visit(&path);
        assert_eq!(page.status, status, "{error}");
        assert!(page.text.contains(title) && !page.text.contains("555"), "{}", page.text);
        assert!(is_signed_out(&browser));
        assert_eq!(browser.visit(&path).status, 422, "the sign-in has ended");
    }
}

#[test]
fn decision_61_neither_state_nor_nonce_nor_code_is_stored() {
    let provider = Provider::new();
    let world = world(&provider);
    let (mut browser, login) = begun(&world, &provider, "n");
    let stored = crate::support::dump::everything(&world);
    for secret in [&login.state, login.claims["nonce"].as_str().expect("a nonce")] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
    browser.visit(&provider.send_back(login));
    let verifier =
        provider.asked().iter().rfind(|asked| asked.path == "/token").expect("an exchange").fields["code_verifier"]
            .clone();
    assert_eq!(verifier.len(), 43);
    let stored = crate::support::dump::everything(&world);
    for secret in [verifier.as_str(), "a secret: 100%", "access-"] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
}

#[test]
fn decision_61_no_transaction_waits_for_the_provider() {
    let provider = Provider::new();
    let world = world(&provider);
    let (browser, login) = begun(&world, &provider, "n");
    let back = provider.send_back(login);
    provider.hold("/token");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| browser.with_cookie().get(&back).status);
        provider.until_held();
        // Others read and write meanwhile.
        world.olivia().post("/orgs/acme/teams", json!({ "name": "Meanwhile" })).expect(201);
        signed_in(&world, "tom");
        provider.release();
        assert_eq!(waiting.join().expect("an answer"), 303);
    });
}
