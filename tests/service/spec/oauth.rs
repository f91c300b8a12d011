//! Applications that people allow to act for them: the web flow, consent, and the answers (decision 62).

use guildhall::oauth::{Switched, update};

use super::mail_invitations::world;
use super::sign_in::{code, newest, signed_in};
use crate::support::application::{Application, CALLBACK, answered, operate, register, wanted};
use crate::support::browser::{Browser, encoded};
use crate::support::{Client, World, json};

/// True if the request is answered at once, so that the person is not asked.
fn is_answered_at_once(browser: &mut Browser, path: &str) -> bool {
    browser.visit(path).status == 303 && answered(&browser.page).contains_key("code")
}

#[test]
fn decision_62_a_person_signs_in_and_allows_an_application() {
    let world = world();
    let app = Application::of(&world);
    // Signed out, they sign in first, and the browser lets the form of that lead to the application.
    let mut browser = Browser::open(&world.base, &app.asks(&[("scope", "read:org,user:email gist openid site_admin")]));
    assert!(browser.path.starts_with("/login?return_to="), "{}", browser.path);
    browser.send(&[("email", "tom@example.com")]);
    let policy = browser.page.header("content-security-policy").expect("a policy").to_owned();
    assert!(policy.contains("form-action 'self' https://app.example;"), "{policy}");
    let sent = code(&newest(&world, "tom@example.com"));
    browser.send(&[("code", &sent)]);
    let page = browser.page.text.clone();
    for wanted in [
        "Let <bdi>Rota Planner</bdi> act for you?",
        "You are signed in as <b><bdi>tom</bdi></b>",
        "See your organizations and teams, and who is on them",
        "See your e-mail addresses",
        "<code>gist</code>, which nothing here uses",
        "<b><bdi>acme</bdi></b> <small>You are a member.",
        "Either way you go back to <b>app.example</b>",
    ] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    assert!(!page.contains("openid") && !page.contains("site_admin"), "{page}");
    let policy = browser.page.header("content-security-policy").expect("a policy").to_owned();
    assert!(policy.contains("form-action 'self' https://app.example; frame-ancestors 'none'"), "{policy}");
    browser.send(&[("answer", "allow")]);
    let answer = answered(&browser.page);
    assert_eq!((browser.page.status, answer["state"].as_str()), (303, "a b&c=d"));
    let given = app.exchanges(&world, &answer["code"], &[("redirect_uri", CALLBACK)]);
    assert_eq!(given.expect(200)["token_type"], "bearer");
    assert_eq!(given.json["scope"], "gist,read:org,user:email");
    assert_eq!(given.header("cache-control"), Some("no-store"));
    let token = given.json["access_token"].as_str().expect("a token").to_owned();
    assert!(token.starts_with("gho_") && token.len() == 40, "{token}");
    let me = Client::new(&world.base, Some(&token)).get("/user");
    assert_eq!(me.expect(200)["login"], "tom");
    assert_eq!(me.header("x-oauth-scopes"), Some("gist, read:org, user:email"));
    assert_eq!(me.header("x-oauth-client-id"), Some(app.id.as_str()));
    let personal = world.tom().get("/user");
    assert_eq!(personal.header("x-oauth-client-id"), None);
    let log = world.sam().get("/admin/audit-log?phrase=action:oauth_authorization.create").json;
    assert_eq!((&log[0]["actor"], log.as_array().map(Vec::len)), (&json!("tom"), Some(1)), "{log}");
    // From now on they are not asked.
    assert!(is_answered_at_once(&mut browser, &app.asks(&[("scope", "read:org")])));
}

#[test]
fn decision_62_consent_is_asked_again_for_more() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    app.allowed(&mut browser, &[("scope", "repo")]);
    let asks = |more: &[(&str, &str)]| app.asks(more);
    assert!(is_answered_at_once(&mut browser, &asks(&[("scope", "repo")])));
    assert!(is_answered_at_once(&mut browser, &asks(&[("scope", "public_repo")])), "it is implied");
    assert!(!is_answered_at_once(&mut browser, &asks(&[("scope", "repo"), ("prompt", "consent")])));
    assert!(!is_answered_at_once(&mut browser, &asks(&[("scope", "repo user")])));
    app.allowed(&mut browser, &[("scope", "user")]);
    assert!(is_answered_at_once(&mut browser, &asks(&[("scope", "repo user")])), "both were allowed");
    // A widened application asks again, and says so.
    let (id, on) = (app.id.clone(), Switched { effective_teams: Some(true), ..Switched::default() });
    let widen = guildhall::oauth::Wanted { switched: on, ..Default::default() };
    operate(&world, move |cx| update(cx, &id, &widen)).expect("a change");
    assert!(!is_answered_at_once(&mut browser, &asks(&[])));
    assert!(browser.page.text.contains("See the teams above yours"), "{}", browser.page.text);
    app.allowed(&mut browser, &[]);
    assert!(is_answered_at_once(&mut browser, &asks(&[])));
    // Another person is asked too.
    let mut other = signed_in(&world, "tom");
    assert!(!is_answered_at_once(&mut other, &asks(&[])));
}

#[test]
fn decision_62_a_page_that_is_older_than_the_application_allows_nothing_more() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    browser.visit(&app.asks(&[]));
    let (id, on) = (app.id.clone(), Switched { effective_teams: Some(true), ..Switched::default() });
    let widen = guildhall::oauth::Wanted { switched: on, ..Default::default() };
    operate(&world, move |cx| update(cx, &id, &widen)).expect("a change");
    assert_eq!(browser.send(&[("answer", "allow")]).status, 422);
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM consents"), [(0,)]);
}

#[test]
fn decision_62_an_application_without_a_secret_always_asks() {
    let world = world();
    let public = register(&world, wanted("CLI", Switched { public: Some(true), ..Switched::default() }));
    let mut browser = signed_in(&world, "nina");
    let pkce = [("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"), ("code_challenge_method", "S256")];
    for _ in 0..2 {
        assert!(!is_answered_at_once(&mut browser, &public.asks(&pkce)));
        let code = public.allowed(&mut browser, &pkce);
        let verifier = [("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"), ("client_secret", "any")];
        public.exchanges(&world, &code, &verifier).json["access_token"].as_str().expect("a token");
    }
}

#[test]
fn decision_62_only_the_operators_switch_leaves_the_page_out() {
    let world = world();
    let silent = register(&world, wanted("Wiki", Switched { skip_consent: Some(true), ..Switched::default() }));
    let mut browser = signed_in(&world, "nina");
    assert!(is_answered_at_once(&mut browser, &silent.asks(&[("scope", "repo"), ("prompt", "consent")])));
    let code = answered(&browser.page).remove("code").expect("a code");
    silent.exchanges(&world, &code, &[]).json["access_token"].as_str().expect("a token");
}

#[test]
fn decision_62_a_person_who_does_not_allow_it_goes_back_without_a_code() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    browser.visit(&app.asks(&[("scope", "repo")]));
    browser.send(&[("answer", "deny")]);
    let answer = answered(&browser.page);
    assert_eq!((answer["error"].as_str(), answer["state"].as_str()), ("access_denied", "a b&c=d"));
    assert!(!answer.contains_key("code") && answer["error_description"].contains("denied"), "{answer:?}");
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM consents"), [(0,)]);
}

#[test]
fn decision_62_without_a_redirect_uri_the_only_one_is_used() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let code = app.allowed(&mut browser, &[("redirect_uri", ""), ("state", "")]);
    assert!(!browser.page.header("location").expect("a redirect").contains("state"), "none was sent");
    app.exchanges(&world, &code, &[]).json["access_token"].as_str().expect("a token");
    let both = vec![CALLBACK.to_owned(), "https://app.example/other?tenant=1".to_owned()];
    let two = register(&world, guildhall::oauth::Wanted { redirect_uris: both, ..wanted("Two", Switched::default()) });
    let page = browser.visit(&two.asks(&[("redirect_uri", "")]));
    assert_eq!((page.status, page.header("location")), (400, None));
    browser.visit(&two.asks(&[("redirect_uri", "https://app.example/other?tenant=1")]));
    browser.send(&[("answer", "allow")]);
    let location = browser.page.header("location").expect("a redirect");
    assert!(location.starts_with("https://app.example/other?tenant=1&code="), "{location}");
}

/// The exchange of a new code, with these headers.
fn exchanged(world: &World, app: &Application, browser: &mut Browser, headers: &[(&str, &str)]) -> (String, String) {
    let code = app.allowed(browser, &[("scope", "repo,read:org")]);
    let client = headers.iter().fold(world.anonymous(), |client, (name, value)| client.with(name, value));
    let fields = [("client_id", app.id.as_str()), ("client_secret", app.secret.as_str()), ("code", code.as_str())];
    let answer = client.send("POST", "/login/oauth/access_token", Some(encoded(&fields)));
    answer.expect(200);
    (answer.header("content-type").expect("a type").to_owned(), answer.text)
}

#[test]
fn decision_62_githubs_form_answers_in_three_formats() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let (media, text) = exchanged(&world, &app, &mut browser, &[]);
    assert_eq!(media, "application/x-www-form-urlencoded; charset=utf-8");
    assert!(
        text.starts_with("access_token=gho_") && text.ends_with("&scope=read%3Aorg%2Crepo&token_type=bearer"),
        "{text}"
    );
    let (media, text) = exchanged(&world, &app, &mut browser, &[("Accept", "application/xml")]);
    assert_eq!(media, "application/xml; charset=utf-8");
    assert!(text.contains("<OAuth><access_token>gho_") && text.ends_with("<token_type>bearer</token_type></OAuth>"));
    let (media, text) = exchanged(&world, &app, &mut browser, &[("Accept", "application/json")]);
    assert_eq!(media, "application/json; charset=utf-8");
    assert!(text.starts_with("{\"access_token\":\"gho_"), "{text}");
}

#[test]
fn decision_62_parameters_come_as_a_form_as_json_or_in_the_query() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let client = world.anonymous().with("Accept", "application/json");
    let code = app.allowed(&mut browser, &[]);
    let query = encoded(&[("client_id", &app.id), ("client_secret", &app.secret), ("code", &code)]);
    let answer = client.send("POST", &format!("/login/oauth/access_token?{query}"), Some(String::new()));
    answer.json["access_token"].as_str().expect("a token");
    let code = app.allowed(&mut browser, &[]);
    let body = json!({ "client_id": app.id, "client_secret": app.secret, "code": code, "other": [1] });
    let answer = client.with("Content-Type", "application/json").post("/login/oauth/access_token", body);
    answer.json["access_token"].as_str().expect("a token");
    let malformed =
        client.with("Content-Type", "application/json").send("POST", "/login/oauth/access_token", Some("{".into()));
    malformed.expect(400);
    // The query of the standard's form does not count.
    let code = app.allowed(&mut browser, &[]);
    let query = encoded(&[("grant_type", "authorization_code"), ("code", &code), ("redirect_uri", CALLBACK)]);
    let basic = client.with("Authorization", &app.basic());
    let answer = basic.send("POST", &format!("/login/oauth/token?{query}"), Some(String::new()));
    assert_eq!(answer.expect(400)["error"], "invalid_request");
}

#[test]
fn decision_62_the_form_of_the_standard_has_its_own_answers() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let send = |fields: &[(&str, &str)]| {
        let client = world.anonymous().with("Authorization", &app.basic());
        client.send("POST", "/login/oauth/token", Some(encoded(fields)))
    };
    let code = app.allowed(&mut browser, &[("scope", "repo read:org")]);
    let grant = ("grant_type", "authorization_code");
    // A redirect URI that was named is repeated.
    for (fields, error) in [
        (vec![("code", code.as_str()), ("redirect_uri", CALLBACK)], "invalid_request"),
        (vec![grant, ("redirect_uri", CALLBACK)], "invalid_request"),
        (vec![grant, ("code", &code)], "invalid_grant"),
        (vec![grant, ("code", &code), ("redirect_uri", "https://app.example/other")], "invalid_grant"),
        (vec![grant, ("code", "x"), ("redirect_uri", CALLBACK)], "invalid_grant"),
        (vec![("grant_type", "password"), ("code", &code)], "unsupported_grant_type"),
    ] {
        let answer = send(&fields);
        assert_eq!(answer.expect(400)["error"], error, "{fields:?}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
    let given = send(&[grant, ("code", &code), ("redirect_uri", CALLBACK)]);
    given.expect(200);
    assert_eq!((&given.json["token_type"], &given.json["expires_in"]), (&json!("bearer"), &json!(3600)));
    assert_eq!(given.json["scope"], "read:org repo");
    assert_eq!(given.header("access-control-allow-origin"), Some("*"));
    let client = Client::new(&world.base, given.json["access_token"].as_str());
    client.get("/user").expect(200);
    world.advance(3600);
    client.get("/user").refused(401, "Bad credentials");
    let wrong = world.anonymous().with("Authorization", "Basic eDp5");
    let refused = wrong.send("POST", "/login/oauth/token", Some(encoded(&[grant, ("code", &code)])));
    assert_eq!(refused.expect(401)["error"], "invalid_client");
    assert!(refused.header("www-authenticate").is_some_and(|value| value.starts_with("Basic")));
}
