//! Signing in at the site's identity provider (decision 61): the way there and back, and the connection of an account.

use super::sign_in::signed_in;
use crate::support::browser::Browser;
use crate::support::provider::{Login, Provider, Signature};
use crate::support::{World, json};

const SESSION: &str = "guildhall-session";

/// A browser that was sent to the provider, as this person.
pub fn begun(world: &World, provider: &Provider, subject: &str) -> (Browser, Login) {
    let mut browser = Browser::open(&world.base, "/login");
    let login = begin(world, provider, &mut browser, subject);
    (browser, login)
}

/// Begins in a browser that shows the page to sign in.
pub fn begin(world: &World, provider: &Provider, browser: &mut Browser, subject: &str) -> Login {
    let form = browser.code();
    browser.send_to("/login/provider", &form, &[]);
    assert_eq!(browser.page.status, 200, "{}", browser.page.text);
    provider.arrive(world, &browser.page.text, subject)
}

/// Connects a person's account in their settings. Returns the browser in which they are signed in.
pub fn connected(world: &World, provider: &Provider, login: &str, subject: &str) -> Browser {
    let mut browser = signed_in(world, login);
    browser.visit("/ui/settings/provider");
    browser.send(&[]);
    let back = provider.send_back(provider.arrive(world, &browser.page.text, subject));
    browser.visit(&back);
    assert!(browser.page.text.contains("Your account is connected."), "{}", browser.page.text);
    browser
}

/// The ID of the first connection on the page.
pub fn connection(browser: &Browser) -> String {
    let id = browser.page.text.split("name=\"untie\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    id.expect("a connection").to_owned()
}

/// True if no one is signed in.
pub fn is_signed_out(browser: &Browser) -> bool {
    !browser.cookies.contains_key(SESSION)
}

#[test]
fn decision_61_a_person_signs_in_at_the_provider() {
    let provider = Provider::new();
    let world = provider.world(|_| {});
    connected(&world, &provider, "nina", "nina at id");
    let mut browser = Browser::open(&world.base, "/ui/settings");
    let button = format!("Sign in with {}", provider.host());
    assert!(
        browser.page.text.contains(&button) && browser.page.text.contains("Send me a code"),
        "{}",
        browser.page.text
    );
    let login = begin(&world, &provider, &mut browser, "nina at id");
    let policy = browser.page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("form-action 'self';"), "{policy}");
    let planted = "a".repeat(43);
    browser.cookies.insert(SESSION.to_owned(), planted.clone());
    let back = provider.send_back(login);
    browser.visit(&back);
    assert_eq!((browser.path.as_str(), browser.page.status), ("/ui/settings", 200), "{}", browser.page.text);
    assert!(browser.page.text.contains("<bdi>nina</bdi>"), "{}", browser.page.text);
    assert_ne!(browser.cookies[SESSION], planted, "the session is a new one");
    let log = world.sam().get("/admin/audit-log?phrase=action:session.create").json;
    assert_eq!(log[0]["actor"], "nina");
    assert!(log[0].to_string().contains("\"by\":\"provider\""), "{log}");
    assert_eq!((provider.count("/.well-known/openid-configuration"), provider.count("/keys")), (1, 1));
}

#[test]
fn decision_61_es256_is_verified_too() {
    let provider = Provider::new();
    let world = provider.world(|_| {});
    connected(&world, &provider, "nina", "n");
    let (mut browser, login) = begun(&world, &provider, "n");
    let login = login.signed(Signature::Es256, "ES256").header("kid", "ec-1");
    // Half of the hash of `access-1`, the token that comes with the second code.
    let login = login.with("at_hash", "9MKET0Y7WpOlF96BtnoJyA");
    browser.visit(&provider.send_back(login));
    assert!(browser.page.text.contains("Hello, <bdi>nina</bdi>"), "{}", browser.page.text);
}

#[test]
fn decision_61_an_account_is_connected_after_a_recent_sign_in_only() {
    let provider = Provider::new();
    let world = provider.world(|_| {});
    let mut nina = signed_in(&world, "nina");
    nina.visit("/ui/settings/provider");
    assert!(nina.page.text.contains("Nothing yet."), "{}", nina.page.text);
    let form = nina.code();
    world.advance(15 * 60 - 1);
    nina.send(&[]);
    let login = provider.arrive(&world, &nina.page.text, "n");
    world.advance(1);
    assert!(!nina.visit("/ui/settings/provider").text.contains("Connect with"), "{}", nina.page.text);
    nina.send_to("/ui/settings/provider", &form, &[]);
    assert_eq!(nina.page.status, 403, "{}", nina.page.text);
    assert!(nina.page.text.contains("within the last 15 minutes"), "{}", nina.page.text);
    // What began in time ends as usual.
    nina.visit(&provider.send_back(login));
    assert!(nina.page.text.contains("Your account is connected."), "{}", nina.page.text);
    assert!(Browser::open(&world.base, "/ui/settings/provider").path.starts_with("/login"));
}

#[test]
fn decision_61_a_connection_is_removed_after_a_recent_sign_in_only() {
    let provider = Provider::new();
    let world = provider.world(|_| {});
    let mut nina = connected(&world, &provider, "nina", "n");
    let (id, form) = (connection(&nina), nina.code());
    world.advance(15 * 60);
    let refused = nina.send_to("/ui/settings/provider", &form, &[("untie", &id)]);
    assert!(refused.status == 403 && refused.text.contains("Nothing was changed"), "{}", refused.text);
    let page = &nina.visit("/ui/settings/provider").text;
    assert!(page.contains(provider.host()) && page.contains("Confirm it’s you"), "still connected: {page}");
    assert!(!page.contains("Disconnect"), "{page}");
}

#[test]
fn decision_61_connections_are_listed_removed_and_audited() {
    let provider = Provider::new();
    let world = provider.world(|_| {});
    let mut nina = connected(&world, &provider, "nina", "n");
    assert!(nina.page.text.contains(&format!("<bdi>{}</bdi>", provider.host())), "{}", nina.page.text);
    assert!(!nina.page.text.contains("Connect with"), "one connection is enough: {}", nina.page.text);
    let id = connection(&nina);
    let mut tom = signed_in(&world, "tom");
    tom.visit("/ui/settings/provider");
    for wrong in [id.as_str(), "x", "0"] {
        let form = tom.code();
        tom.send_to("/ui/settings/provider", &form, &[("untie", wrong)]);
        assert_eq!(tom.path, "/ui/settings/provider?done=gone");
        tom.visit("/ui/settings/provider");
    }
    nina.send(&[("untie", &id)]);
    assert!(nina.page.text.contains("not connected any more"), "{}", nina.page.text);
    for (action, told) in [("create", "\"by\":\"settings\""), ("destroy", provider.issuer())] {
        let log = world.sam().get(&format!("/admin/audit-log?phrase=action:provider_tie.{action}")).json;
        assert_eq!(log[0]["actor"], "nina");
        assert!(log[0].to_string().contains(told) && !log[0].to_string().contains("\"n\""), "{log}");
    }
    let (mut browser, login) = begun(&world, &provider, "n");
    browser.visit(&provider.send_back(login));
    assert!(is_signed_out(&browser) && browser.page.status == 403, "{}", browser.page.text);
}

#[test]
fn decision_61_one_person_at_the_provider_has_one_account() {
    let provider = Provider::new();
    let world = provider.world(|_| {});
    connected(&world, &provider, "nina", "n");
    let connect = |login: &str, subject: &str| {
        let mut browser = signed_in(&world, login);
        browser.visit("/ui/settings/provider");
        let form = browser.code();
        browser.send_to("/ui/settings/provider", &form, &[]);
        let back = provider.send_back(provider.arrive(&world, &browser.page.text, subject));
        let page = browser.visit(&back);
        (page.status, page.text.clone())
    };
    let (status, text) = connect("tom", "n");
    assert!(status == 422 && text.contains("Another account is connected with you"), "{text}");
    let (status, text) = connect("nina", "other");
    assert!(status == 422 && text.contains("Disconnect it first"), "{text}");
    let (status, text) = connect("nina", "n");
    assert!(status == 200 && text.contains("Your account is connected."), "{text}");
    assert_eq!(world.rows::<(String,)>("SELECT subject FROM provider_ties t ORDER BY t.id"), [("n".to_owned(),)]);
}

#[test]
fn decision_61_another_person_does_not_end_a_connection_that_was_begun() {
    let provider = Provider::new();
    let world = provider.world(|_| {});
    let mut browser = signed_in(&world, "nina");
    browser.visit("/ui/settings/provider");
    browser.send(&[]);
    let back = provider.send_back(provider.arrive(&world, &browser.page.text, "n"));
    let of_tom = signed_in(&world, "tom").cookies[SESSION].clone();
    let of_nina = browser.cookies.insert(SESSION.to_owned(), of_tom).expect("a session");
    browser.visit(&back);
    assert_eq!(browser.page.status, 422, "{}", browser.page.text);
    browser.cookies.remove(SESSION);
    browser.visit(&back);
    assert_eq!(browser.page.status, 422, "{}", browser.page.text);
    browser.cookies.insert(SESSION.to_owned(), of_nina);
    assert!(browser.visit(&back).text.contains("Your account is connected."), "{}", browser.page.text);
}

#[test]
fn decision_61_a_suspended_person_does_not_sign_in_at_the_provider() {
    let provider = Provider::new();
    let world = provider.world(|_| {});
    connected(&world, &provider, "nina", "n");
    world.sam().put("/users/nina/suspended", json!({})).expect(204);
    let (mut browser, login) = begun(&world, &provider, "n");
    browser.visit(&provider.send_back(login));
    assert!(browser.page.status == 403 && is_signed_out(&browser), "{}", browser.page.text);
    assert!(browser.page.text.contains("Your account is suspended"), "{}", browser.page.text);
}

#[test]
fn decision_61_a_site_may_require_its_provider_or_switch_it_off() {
    let provider = Provider::new();
    let required = provider.world(|settings| settings.signin_by_mail = false);
    let page = Browser::open(&required.base, "/login").page.text;
    assert!(page.contains("Sign in with") && !page.contains("Send me a code"), "{page}");
    let (mut browser, login) = begun(&required, &provider, "n");
    browser.visit(&provider.send_back(login));
    assert!(browser.page.text.contains("Ask the operator of this site for a link"), "{}", browser.page.text);
    let off = provider.world(|settings| settings.provider = None);
    let mut browser = Browser::open(&off.base, "/login");
    assert!(!browser.page.text.contains("Sign in with"), "{}", browser.page.text);
    let form = browser.code();
    for path in ["/login/provider", "/login/provider/callback"] {
        assert_eq!(browser.send_to(path, &form, &[]).status, 404, "{path}");
        assert_eq!(browser.visit(path).status, 404, "{path}");
    }
    assert_eq!(signed_in(&off, "nina").visit("/ui/settings/provider").status, 404);
}

#[test]
fn decision_61_the_person_returns_to_a_page_of_this_site_only() {
    let provider = Provider::new();
    let world = provider.world(|_| {});
    connected(&world, &provider, "nina", "n");
    for (to, lands) in [("/ui/settings", "/ui/settings"), ("//evil.example/ui", "/ui"), ("/ui/..//evil", "/ui")] {
        let mut browser = Browser::open(&world.base, "/login");
        let form = browser.code();
        let sent = [("form", form.as_str()), ("return_to", to)];
        let answer =
            browser.with_cookie().send("POST", "/login/provider", Some(crate::support::browser::encoded(&sent)));
        browser.visit(&provider.send_back(provider.arrive(&world, &answer.text, "n")));
        assert_eq!(browser.path, lands);
    }
}
