//! Attacks on signing in at the provider (decision 61).

use super::sign_in::signed_in;
use super::sign_in_provider::{begin, begun, connected, is_signed_out};
use crate::support::World;
use crate::support::browser::{Browser, encoded};
use crate::support::json;
use crate::support::provider::{Login, Provider, Signature};

/// A world in which nina's account is connected with the person `n`.
pub fn world(provider: &Provider) -> World {
    let world = provider.world(|_| {});
    connected(&world, provider, "nina", "n");
    world
}

/// Fails unless a person who comes back like this is refused, and the page says so.
#[track_caller]
pub fn refused(world: &World, provider: &Provider, change: impl FnOnce(Login) -> Login) {
    let (mut browser, login) = begun(world, provider, "n");
    let changed = change(login);
    let shown = format!("{changed:?}");
    browser.visit(&provider.send_back(changed));
    assert_eq!(browser.page.status, 502, "{shown}: {}", browser.page.text);
    assert!(is_signed_out(&browser), "{shown}");
    for wanted in ["You could not be signed in", "Nothing was changed.", "error 502, request "] {
        assert!(browser.page.text.contains(wanted), "{}", browser.page.text);
    }
}

#[test]
fn decision_61_an_id_token_that_is_not_signed_by_the_provider_is_refused() {
    let provider = Provider::new();
    let world = world(&provider);
    let attacks: [fn(Login) -> Login; 11] = [
        |login| login.signed(Signature::None, "none"),
        |login| login.signed(Signature::None, "None"),
        |login| login.signed(Signature::None, "RS256"),
        |login| login.signed(Signature::Hs256, "HS256"),
        |login| login.signed(Signature::Hs256, "RS256"),
        |login| login.signed(Signature::Wrong, "RS256"),
        |login| login.signed(Signature::Es256, "RS256"),
        |login| login.signed(Signature::Rs256, "ES256"),
        |login| login.signed(Signature::Rs256, "RS512"),
        |login| login.header("kid", "unknown"),
        |login| login.header("crit", json!(["exp"])),
    ];
    for attack in attacks {
        refused(&world, &provider, attack);
    }
    // A key in the token itself counts for nothing.
    refused(&world, &provider, |login| login.header("kid", "x").header("jwk", json!({ "kty": "RSA" })));
}

#[test]
fn decision_61_an_id_token_for_something_else_is_refused() {
    let provider = Provider::new();
    let world = world(&provider);
    let now = world.now().seconds();
    let client = "guildhall & co";
    let attacks: Vec<Box<dyn FnOnce(Login) -> Login>> = vec![
        Box::new(|login| login.with("nonce", "another")),
        Box::new(|login| login.without("nonce")),
        Box::new(|login| login.with("iss", "https://evil.example")),
        Box::new(|login| login.clone().with("iss", format!("{}/", login.claims["iss"].as_str().expect("an issuer")))),
        Box::new(|login| login.with("aud", "another")),
        Box::new(|login| login.with("aud", json!([]))),
        Box::new(|login| login.without("aud")),
        Box::new(move |login| login.with("aud", json!([client, "another"]))),
        Box::new(move |login| login.with("aud", json!([client, "another"])).with("azp", "another")),
        Box::new(|login| login.with("azp", "another")),
        Box::new(move |login| login.with("exp", now - 60)),
        Box::new(|login| login.with("exp", "never")),
        Box::new(|login| login.without("exp")),
        Box::new(move |login| login.with("iat", now + 61)),
        Box::new(move |login| login.with("iat", now - 661)),
        Box::new(|login| login.with("iat", i64::MIN)),
        Box::new(|login| login.without("iat")),
        Box::new(move |login| login.with("nbf", now + 61)),
        Box::new(|login| login.with("nbf", i64::MAX)),
        Box::new(|login| login.with("at_hash", "AAAAAAAAAAAAAAAAAAAAAA")),
        Box::new(|login| login.without("sub")),
        Box::new(|login| login.with("sub", "")),
        Box::new(|login| login.with("sub", 7)),
        Box::new(|login| login.with("sub", "n\0")),
        Box::new(|login| login.with("sub", "n".repeat(256))),
    ];
    for attack in attacks {
        refused(&world, &provider, attack);
    }
    let accepted: [fn(Login, i64) -> Login; 3] = [
        |login, now| login.with("exp", now - 59).with("iat", now - 660).with("nbf", now + 60),
        |login, now| login.with("iat", now + 60),
        |login, _| login.with("aud", json!(["guildhall & co", "another"])).with("azp", "guildhall & co"),
    ];
    for change in accepted {
        let (mut browser, login) = begun(&world, &provider, "n");
        browser.visit(&provider.send_back(change(login, now)));
        assert!(!is_signed_out(&browser), "{}", browser.page.text);
    }
}

#[test]
fn decision_61_a_person_who_was_sent_back_by_another_provider_is_refused() {
    let provider = Provider::new();
    let world = world(&provider);
    refused(&world, &provider, |mut login| {
        login.iss = Some("https://evil.example".to_owned());
        login
    });
    let (mut browser, mut login) = begun(&world, &provider, "n");
    login.iss = Some(provider.issuer().to_owned());
    browser.visit(&provider.send_back(login));
    assert!(!is_signed_out(&browser), "{}", browser.page.text);
}

#[test]
fn decision_61_a_sign_in_at_the_provider_ends_only_in_its_browser_and_once() {
    let provider = Provider::new();
    let world = world(&provider);
    let (mut browser, login) = begun(&world, &provider, "n");
    let back = provider.send_back(login);
    // The browser of an attacker, of a person who was lured here, and one without cookies.
    let mut other = Browser::open(&world.base, "/login");
    let mut tom = signed_in(&world, "tom");
    let session = tom.cookies["guildhall-session"].clone();
    for victim in [&mut other, &mut tom] {
        let page = victim.visit(&back);
        assert!(page.status == 422 && page.text.contains("This sign-in has ended"), "{}", page.text);
    }
    assert!(is_signed_out(&other));
    assert_eq!(tom.cookies["guildhall-session"], session, "tom is still tom");
    assert_eq!(world.anonymous().get(&back).status, 422);
    let before = provider.count("/token");
    browser.visit(&back);
    assert!(!is_signed_out(&browser), "{}", browser.page.text);
    browser.sign_out();
    assert_eq!(browser.visit(&back).status, 422, "it works once");
    assert!(is_signed_out(&browser));
    assert_eq!(provider.count("/token"), before + 1);
}

#[test]
fn decision_61_no_forged_or_late_state_signs_in() {
    let provider = Provider::new();
    let world = world(&provider);
    let (mut browser, login) = begun(&world, &provider, "n");
    let state = login.state.clone();
    let (id, code) = state.split_once('-').expect("a code");
    let forged = [
        String::new(),
        "x".to_owned(),
        id.to_owned(),
        format!("0{state}"),
        format!("{id}-{}", "A".repeat(43)),
        format!("{}-{code}", id.parse::<i64>().expect("a number") + 1),
        "a".repeat(5_000),
    ];
    for state in &forged {
        let path = format!("/login/provider/callback?{}", encoded(&[("code", "code+0"), ("state", state)]));
        assert_eq!(browser.visit(&path).status, 422, "{state}");
    }
    for query in ["", "?", "?state=%ff&code=x", "?code=x&state"] {
        assert_eq!(browser.visit(&format!("/login/provider/callback{query}")).status, 422, "{query}");
    }
    assert_eq!(provider.count("/token"), 1, "only for the connection");
    world.advance(10 * 60);
    assert_eq!(browser.visit(&provider.send_back(login)).status, 422, "ten minutes have passed");
    let now = world.now().plus_seconds(1);
    world.block_on(world.db.write(move |tx| guildhall::signin::trim(tx, now))).expect("old rows go");
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM provider_visits"), []);
}

#[test]
fn decision_61_two_sign_ins_begun_in_one_browser_are_not_mixed_up() {
    let provider = Provider::new();
    let world = world(&provider);
    let mut browser = Browser::open(&world.base, "/login");
    let first = begin(&world, &provider, &mut browser, "n");
    browser.visit("/login");
    let second = begin(&world, &provider, &mut browser, "n");
    assert!(first.state != second.state && first.claims["nonce"] != second.claims["nonce"]);
    // The code of the second with the state of the first: the provider refuses the secret of PKCE.
    let code = provider.send_back(second.clone());
    let mixed = code.replace(&encoded(&[("", &second.state)])[1..], &encoded(&[("", &first.state)])[1..]);
    assert_ne!(code, mixed);
    browser.visit(&mixed);
    assert_eq!(browser.page.status, 502, "{}", browser.page.text);
    // The token of the first with the state of the second: the nonce is wrong.
    browser.visit("/login");
    let third = begin(&world, &provider, &mut browser, "n");
    let mut swapped = second.clone();
    swapped.claims = third.claims.clone();
    browser.visit(&provider.send_back(swapped));
    assert_eq!(browser.page.status, 502, "{}", browser.page.text);
    assert!(is_signed_out(&browser));
    browser.visit(&provider.send_back(third));
    assert!(!is_signed_out(&browser), "{}", browser.page.text);
}

#[test]
fn decision_61_only_the_form_of_this_browser_begins_a_sign_in() {
    let provider = Provider::new();
    let world = world(&provider);
    let browser = Browser::open(&world.base, "/login");
    let form = encoded(&[("form", &browser.code())]);
    let begin = |client: crate::support::Client, form: &str| {
        let answer = client.send("POST", "/login/provider", Some(form.to_owned()));
        assert!(!answer.text.contains("http-equiv"), "{}", answer.text);
        answer.status
    };
    assert_eq!(begin(browser.with_cookie(), ""), 403);
    assert_eq!(begin(world.anonymous(), &form), 403);
    assert_eq!(begin(browser.with_cookie().with("Sec-Fetch-Site", "cross-site"), &form), 403);
    assert_eq!(begin(browser.with_cookie().with("Origin", "https://evil.example"), &form), 403);
    let other = Browser::open(&world.base, "/login");
    assert_eq!(begin(other.with_cookie(), &form), 403);
    let led = browser.with_cookie().get("/login/provider?return_to=%2Fui%2Fsettings");
    assert_eq!((led.status, led.header("location")), (303, Some("/login?return_to=%2Fui%2Fsettings")));
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM provider_visits"), []);
    // The connection of an account needs the form of that page.
    let mut nina = signed_in(&world, "nina");
    nina.visit("/ui/settings");
    let form = nina.code();
    assert_eq!(nina.send_to("/ui/settings/provider", &form, &[]).status, 403);
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM provider_visits"), []);
}

#[test]
fn decision_61_new_keys_are_asked_for_but_not_too_often() {
    let provider = Provider::new();
    let world = world(&provider);
    let enter = || {
        let (mut browser, login) = begun(&world, &provider, "n");
        browser.visit(&provider.send_back(login));
        (browser.page.status, provider.count("/keys"))
    };
    assert_eq!(enter(), (200, 1), "the keys of the connection are kept");
    provider.rotate(["rsa-2", "ec-2"]);
    assert_eq!(enter(), (502, 1), "they were asked for a moment ago");
    world.advance(10);
    assert_eq!(enter(), (200, 2));
    for _ in 0..3 {
        refused(&world, &provider, |login| login.header("kid", "rsa-1"));
    }
    assert_eq!(provider.count("/keys"), 2);
    // A key that is no longer published is not believed for ever.
    provider.answer("/keys", 200, "", r#"{"keys": []}"#);
    world.advance(60 * 60);
    assert_eq!(enter(), (502, 3));
}
