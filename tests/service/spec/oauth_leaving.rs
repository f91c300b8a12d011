//! The page that leads a browser on to an application after a form (decision 62).

use guildhall::oauth::{Switched, Wanted};

use super::mail_invitations::world;
use super::sign_in::{code, newest, signed_in};
use crate::support::application::{Application, CALLBACK, register, wanted};
use crate::support::browser::{Browser, encoded};
use crate::support::client::Answer;
use crate::support::world::Settings;
use crate::support::{Client, World};

const MODE: &str = "Sec-Fetch-Mode";

/// A client that shows responses as pages, as browsers do.
fn navigating(world: &World) -> Client {
    world.anonymous().with(MODE, "navigate")
}

/// The URL to which a page leads on. Its link leads there, too, and no redirect does.
#[track_caller]
fn led(page: &Answer) -> String {
    assert_eq!((page.status, page.header("location")), (200, None), "{}", page.text);
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
    let refresh = page.text.split_once("http-equiv=\"refresh\" content=\"0; url=").expect("a page that leads on").1;
    let url = refresh.split('"').next().expect("a URL");
    assert!(page.text.contains(&format!("<a class=\"button main\" href=\"{url}\">")), "{}", page.text);
    let escapes = [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")];
    escapes.iter().fold(url.to_owned(), |url, (escape, character)| url.replace(escape, character))
}

/// Sends the form of the page, as a browser does. Redirects are not followed.
fn sends(browser: &Browser, path: &str, fields: &[(&str, &str)]) -> Answer {
    sends_in(browser, path, "navigate", fields)
}

fn sends_in(browser: &Browser, path: &str, mode: &str, fields: &[(&str, &str)]) -> Answer {
    let code = browser.code();
    let form = [&[("form", code.as_str())], fields].concat();
    browser.with_cookie().with(MODE, mode).send("POST", path, Some(encoded(&form)))
}

#[test]
fn decision_62_a_browser_goes_on_to_the_application_by_a_page_after_a_form() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let path = app.asks(&[("scope", "repo")]);
    browser.visit(&path);
    let page = sends(&browser, &path, &[("answer", "deny")]);
    assert!(led(&page).starts_with(&format!("{CALLBACK}?error=access_denied&")), "{}", page.text);
    let page = sends(&browser, &path, &[("answer", "allow")]);
    assert!(page.text.contains("On to <bdi>app.example</bdi>"), "{}", page.text);
    let url = led(&page);
    let (code, state) = url.strip_prefix(CALLBACK).and_then(|url| url.split_once('&')).expect("a code and a state");
    assert_eq!(state, "state=a%20b%26c%3Dd");
    let given = app.exchanges(&world, code.strip_prefix("?code=").expect("a code"), &[]);
    given.json["access_token"].as_str().expect("a token");
    // No form came before what is answered at once.
    let at_once = browser.with_cookie().with(MODE, "navigate").get(&path);
    assert_eq!(at_once.status, 303);
    assert!(at_once.header("location").expect("a redirect").starts_with(CALLBACK));
}

#[test]
fn decision_62_other_clients_are_redirected_after_a_form() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let path = app.asks(&[("scope", "repo")]);
    browser.visit(&path);
    for mode in ["", "cors", "no-cors", "same-origin", "websocket", "NAVIGATE", "navigate, navigate"] {
        let answer = sends_in(&browser, &path, mode, &[("answer", "deny")]);
        assert_eq!(answer.status, 303, "{mode}");
        assert!(answer.header("location").expect("a redirect").starts_with(CALLBACK), "{mode}");
    }
    browser.send(&[("answer", "deny")]);
    assert_eq!(browser.page.status, 303, "no mode");
}

#[test]
fn decision_62_signing_in_leads_on_to_a_waiting_application_by_a_page() {
    let world = world();
    let app = Application::of(&world);
    app.allowed(&mut signed_in(&world, "tom"), &[("scope", "repo")]);
    let asked = app.asks(&[("scope", "repo")]);
    let typed = |client: Client| {
        let mut browser = Browser::open_as(client, &asked);
        browser.send(&[("email", "tom@example.com")]);
        let sent = code(&newest(&world, "tom@example.com"));
        browser.send(&[("code", &sent)]);
        browser
    };
    let mut browser = typed(navigating(&world));
    assert!(browser.page.text.contains("On to <bdi>app.example</bdi>"), "{}", browser.page.text);
    // The page belongs to no session: the one before has ended.
    assert!(!browser.page.text.contains("/login/out"), "{}", browser.page.text);
    let url = led(&browser.page);
    assert_eq!(url, asked);
    let answer = browser.visit(&url);
    assert!(answer.status == 303 && answer.header("location").expect("a redirect").starts_with(CALLBACK));
    // Any other client is redirected.
    let answer = typed(world.anonymous()).page;
    assert!(answer.status == 303 && answer.header("location").expect("a redirect").starts_with(CALLBACK));
}

#[test]
fn decision_62_the_link_in_an_e_mail_leads_on_as_the_code_does() {
    let world = World::with(Settings { delivers: true, signup_domains: None, ..Settings::default() });
    let app = Application::of(&world);
    let asked = app.asks(&[("scope", "repo")]);
    for (address, fields) in
        [("tom@example.com", vec![]), ("zoe@example.net", vec![("answer", "make"), ("login", "zoe")])]
    {
        let mut browser = Browser::open_as(navigating(&world), &asked);
        browser.send(&[("email", address)]);
        let link = newest(&world, address).link("/login/link/");
        browser.visit(&link);
        browser.send(&fields);
        assert_eq!(led(&browser.page), asked, "{address}");
        assert_eq!(browser.visit(&asked).status, 200, "{address} is asked");
    }
    // Other pages of this site are redirected to as before.
    let mut browser = Browser::open_as(navigating(&world), "/ui/settings");
    browser.send(&[("email", "tom@example.com")]);
    let sent = code(&newest(&world, "tom@example.com"));
    browser.send(&[("code", &sent)]);
    assert_eq!((browser.path.as_str(), browser.page.status), ("/ui/settings", 200));
}

#[test]
fn decision_62_a_private_scheme_is_redirected_to_in_a_browser_too() {
    let world = world();
    let uris = vec!["com.example.app:/callback".to_owned(), "http://[::1]/callback".to_owned()];
    let app = register(&world, Wanted { redirect_uris: uris, ..wanted("Desk", Switched::default()) });
    let private = [("redirect_uri", "com.example.app:/callback")];
    let mut browser = Browser::open_as(navigating(&world), &app.asks(&private));
    browser.send(&[("email", "tom@example.com")]);
    let sent = code(&newest(&world, "tom@example.com"));
    browser.send(&[("code", &sent)]);
    assert!(browser.page.text.contains("Let <bdi>Desk</bdi> act for you?"), "{}", browser.page.text);
    for answer in ["deny", "allow"] {
        let answer = sends(&browser, &app.asks(&private), &[("answer", answer)]);
        assert_eq!(answer.status, 303);
        assert!(answer.header("location").expect("a redirect").starts_with("com.example.app:/callback?"));
    }
    // An address of this machine is on the web.
    let loopback = [("redirect_uri", "http://[::1]:49152/callback"), ("prompt", "consent")];
    browser.visit(&app.asks(&loopback));
    let page = sends(&browser, &app.asks(&loopback), &[("answer", "allow")]);
    assert!(led(&page).starts_with("http://[::1]:49152/callback?code="), "{}", page.text);
    assert!(page.text.contains("On to <bdi>[::1]:49152</bdi>"), "{}", page.text);
}

#[test]
fn decision_62_the_page_that_leads_on_escapes_what_the_application_sent() {
    let world = world();
    let uris = vec!["https://app.example/it's;url=x?a='&b=1".to_owned()];
    let app = register(&world, Wanted { redirect_uris: uris, ..wanted("Quote", Switched::default()) });
    let evil = "\"><script>alert('1')</script>; url=https://evil.example ";
    let asked = app.asks(&[("redirect_uri", ""), ("state", evil)]);
    let mut browser = Browser::open(&world.base, "/login");
    browser.send(&[("email", "tom@example.com")]);
    let sent = code(&newest(&world, "tom@example.com"));
    // Raw, as no browser sends it.
    let raw = format!("/login/oauth/authorize?state='\"<script>alert(1)</script>&client_id={}", app.id);
    let page = sends(&browser, "/login/code", &[("return_to", &raw), ("code", &sent)]);
    assert_eq!(led(&page), raw);
    assert!(!page.text.contains("<script>"), "{}", page.text);
    let mut browser = signed_in(&world, "nina");
    browser.visit(&asked);
    let page = sends(&browser, &asked, &[("answer", "allow")]);
    let url = led(&page);
    assert!(url.starts_with("https://app.example/it's;url=x?a='&b=1&code="), "{url}");
    assert!(
        url.ends_with(
            "&state=%22%3E%3Cscript%3Ealert%28%271%27%29%3C%2Fscript%3E%3B%20url%3Dhttps%3A%2F%2Fevil.example%20"
        ),
        "{url}"
    );
    assert!(!page.text.contains("<script>") && !page.text.contains("it's"), "{}", page.text);
}

#[test]
fn decision_62_a_form_from_elsewhere_leads_to_the_same_as_get() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let asked = app.asks(&[("scope", "repo")]);
    browser.visit(&asked);
    let form = encoded(&[("form", &browser.code()), ("answer", "allow")]);
    let foreign = browser.with_cookie().with(MODE, "navigate").with("Sec-Fetch-Site", "cross-site");
    assert_eq!(led(&foreign.send("POST", &asked, Some(form.clone()))), asked);
    assert_eq!(led(&world.anonymous().with(MODE, "navigate").send("POST", &asked, Some(form))), asked);
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM consents"), [(0,)]);
    // Nothing leads on to an address that is not one of an application.
    for wrong in [app.asks(&[("redirect_uri", "https://evil.example/")]), app.asks(&[("client_id", "nothing")])] {
        let answer = foreign.send("POST", &wrong, Some(String::new()));
        assert_eq!((answer.status, answer.header("location")), (303, Some(wrong.as_str())));
    }
}
