//! Attacks on the web flow of applications (decision 62).

use guildhall::oauth::{Switched, Wanted};

use super::mail_invitations::world;
use super::sign_in::signed_in;
use crate::support::application::{Application, CALLBACK, answered, answers, register, wanted};
use crate::support::browser::{Browser, encoded};
use crate::support::{Client, World, dump, json};

/// The example of RFC 7636.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn count(world: &World, sql: &'static str) -> i64 {
    world.rows::<(i64,)>(sql)[0].0
}

#[test]
fn decision_62_no_redirect_uri_but_its_own_is_redirected_to() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    app.allowed(&mut browser, &[]);
    for evil in [
        "https://app.example/callback/",
        "https://app.example/callback/../evil",
        "https://app.example/callback%2f..%2fevil",
        "https://app.example/callback?x=1",
        "https://app.example/callback#x",
        "https://app.example:8443/callback",
        "https://app.example.evil.example/callback",
        "https://app.example@evil.example/callback",
        "https://app.example\\@evil.example/callback",
        "https://evil.example/callback",
        "http://app.example/callback",
        "//app.example/callback",
        "https://APP.example/callback",
        "javascript:alert(1)",
        " https://app.example/callback",
    ] {
        // Neither a code nor an error leads there, signed in or not.
        for more in [vec![], vec![("response_type", "token")]] {
            let asked = [vec![("redirect_uri", evil)], more].concat();
            for client in [browser.with_cookie(), world.anonymous()] {
                let page = client.get(&app.asks(&asked));
                assert_eq!((page.status, page.header("location")), (400, None), "{evil}: {}", page.text);
                assert!(!page.header("content-security-policy").expect("a policy").contains("evil"));
            }
        }
    }
    // Which one of two counts would be unclear.
    let twice = format!("{}&redirect_uri=https%3A%2F%2Fevil.example", app.asks(&[]));
    let page = browser.with_cookie().get(&twice);
    assert_eq!((page.status, page.header("location")), (400, None));
    let unknown = browser.with_cookie().get(&app.asks(&[("client_id", "nothing")]));
    assert_eq!((unknown.status, unknown.header("location")), (404, None));
}

#[test]
fn decision_62_a_loopback_host_has_any_port_and_its_own_path() {
    let world = world();
    let uris = vec!["http://127.0.0.1/callback".to_owned(), "com.example.app:/callback".to_owned()];
    let app = register(&world, Wanted { redirect_uris: uris, ..wanted("Desk", Switched::default()) });
    let mut browser = signed_in(&world, "nina");
    browser.visit(&app.asks(&[("redirect_uri", "http://127.0.0.1:49152/callback")]));
    let policy = browser.page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("form-action 'self' http://127.0.0.1:49152;"), "{policy}");
    browser.send(&[("answer", "allow")]);
    assert!(browser.page.header("location").expect("a redirect").starts_with("http://127.0.0.1:49152/callback?code="));
    browser.visit(&app.asks(&[("redirect_uri", "com.example.app:/callback")]));
    assert!(browser.page.header("location").expect("a redirect").starts_with("com.example.app:/callback?code="));
    for evil in [
        "http://127.0.0.1:1/callback/",
        "http://127.0.0.1:1@evil.example/callback",
        "http://127.0.0.1.evil.example/callback",
        "http://localhost:1/callback",
        "http://127.0.0.1:65536/callback",
        "https://127.0.0.1:1/callback",
        "com.example.app://callback",
    ] {
        assert_eq!(browser.visit(&app.asks(&[("redirect_uri", evil)])).status, 400, "{evil}");
    }
}

#[test]
fn decision_62_no_other_site_allows_an_application() {
    let world = world();
    let (app, other) = (Application::of(&world), register(&world, wanted("Other", Switched::default())));
    let mut browser = signed_in(&world, "nina");
    let path = app.asks(&[("scope", "repo")]);
    browser.visit(&path);
    let code = browser.code();
    let form = |code: &str| Some(encoded(&[("form", code), ("answer", "allow")]));
    let of_other = browser.with_cookie().get(&other.asks(&[("scope", "repo")])).text;
    let of_other =
        of_other.rsplit("name=\"form\" value=\"").next().and_then(|rest| rest.split('"').next()).expect("a code");
    let cross = |name: &str, value: &str| browser.with_cookie().with(name, value).send("POST", &path, form(&code));
    let answers = [
        cross("Origin", "https://evil.example"),
        cross("Sec-Fetch-Site", "cross-site"),
        cross("Sec-Fetch-Site", "same-site"),
        browser.with_cookie().send("POST", &path, form("")),
        browser.with_cookie().send("POST", &path, form(of_other)),
        // The code is for exactly what the page shows.
        browser.with_cookie().send("POST", &app.asks(&[("scope", "repo admin:org")]), form(&code)),
        signed_in_elsewhere(&world).with_cookie().send("POST", &path, form(&code)),
        world.anonymous().send("POST", &path, form(&code)),
    ];
    for answer in &answers {
        let location = answer.header("location").expect("a redirect");
        assert_eq!(answer.status, 303);
        assert!(location.starts_with("/login/oauth/authorize?client"), "{location}");
    }
    assert_eq!(count(&world, "SELECT count(*) FROM consents"), 0);
    // A request that another site sends as a form is the same as GET.
    let fields = encoded(&[("client_id", &app.id), ("redirect_uri", CALLBACK), ("answer", "allow"), ("state", "x&y")]);
    let sent = browser.with_cookie().send("POST", "/login/oauth/authorize", Some(fields));
    let location = sent.header("location").expect("a redirect").to_owned();
    assert_eq!(sent.status, 303);
    assert_eq!(browser.visit(&location).status, 200, "the person is asked");
    browser.send(&[("answer", "deny")]);
    assert_eq!(answered(&browser.page)["state"], "x&y");
    assert_eq!(count(&world, "SELECT count(*) FROM consents"), 0);
}

fn signed_in_elsewhere(world: &World) -> Browser {
    signed_in(world, "tom")
}

#[test]
fn decision_62_get_changes_nothing_and_no_other_site_frames_the_page() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    app.allowed(&mut browser, &[("scope", "repo")]);
    world.settle();
    let before = dump::everything(&world);
    let asked = browser.with_cookie().get(&app.asks(&[("scope", "repo user")]));
    assert_eq!(asked.status, 200);
    let policy = asked.header("content-security-policy").expect("a policy");
    assert!(policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"), "{policy}");
    assert_eq!((asked.header("cache-control"), asked.header("access-control-allow-origin")), (Some("no-store"), None));
    let given = browser.with_cookie().get(&app.asks(&[("scope", "repo")]));
    assert!(given.status == 303 && given.header("cache-control") == Some("no-store"));
    assert_eq!(dump::everything(&world), before);
}

#[test]
fn decision_62_a_code_works_once_and_for_ten_minutes_and_for_its_application() {
    let world = world();
    let (app, other) = (Application::of(&world), register(&world, wanted("Other", Switched::default())));
    let mut browser = signed_in(&world, "nina");
    let bad = |answer: &crate::support::client::Answer, error: &str| {
        answer.expect(200);
        assert_eq!(answer.json["error"], error, "{}", answer.text);
        assert!(answer.json["error_description"].is_string() && answer.json["error_uri"].is_string());
    };
    let late = app.allowed(&mut browser, &[]);
    world.advance(10 * 60);
    bad(&app.exchanges(&world, &late, &[]), "bad_verification_code");
    let code = app.allowed(&mut browser, &[]);
    world.advance(10 * 60 - 1);
    bad(&other.exchanges(&world, &code, &[]), "bad_verification_code");
    bad(&app.exchanges(&world, &code, &[("redirect_uri", "https://app.example/other")]), "redirect_uri_mismatch");
    bad(&app.exchanges(&world, &code, &[("grant_type", "password")]), "unsupported_grant_type");
    for forged in ["", "x", ".", &code[1..], &code.replace('.', "A.")] {
        bad(&app.exchanges(&world, forged, &[]), "bad_verification_code");
    }
    // A refused application spends no code: Go's library tries Basic, then the form.
    let wrong = Application { secret: "0".repeat(64), ..app.clone() };
    bad(&wrong.exchanges(&world, &code, &[]), "incorrect_client_credentials");
    let unknown = Application { id: "nothing".into(), ..app.clone() };
    bad(&unknown.exchanges(&world, &code, &[]), "incorrect_client_credentials");
    let fields = encoded(&[("code", &code), ("grant_type", "authorization_code"), ("redirect_uri", CALLBACK)]);
    let send = |client: Client| {
        client.with("Accept", "application/json").send("POST", "/login/oauth/access_token", Some(fields.clone()))
    };
    bad(&send(world.anonymous().with("Authorization", &wrong.basic())), "incorrect_client_credentials");
    let given = send(world.anonymous().with("Authorization", &app.basic()));
    let client = Client::new(&world.base, Some(given.json["access_token"].as_str().expect("a token")));
    client.get("/user").expect(200);
    // A second use ends what the first gave, even long afterwards.
    world.advance(3600);
    bad(&app.exchanges(&world, &code, &[]), "bad_verification_code");
    client.get("/user").refused(401, "Bad credentials");
}

#[test]
fn decision_62_pkce_is_s256_and_cannot_be_left_out_or_downgraded() {
    let world = world();
    let app = Application::of(&world);
    let public = register(&world, wanted("CLI", Switched { public: Some(true), ..Switched::default() }));
    let mut browser = signed_in(&world, "nina");
    let refused = |browser: &mut Browser, app: &Application, more: &[(&str, &str)]| {
        browser.visit(&app.asks(more));
        let answer = answered(&browser.page);
        assert!(!answer.contains_key("code") && answer["state"] == "a b&c=d", "{answer:?}");
        answer["error"].clone()
    };
    assert_eq!(refused(&mut browser, &public, &[]), "invalid_request");
    for app in [&app, &public] {
        for more in [
            vec![("code_challenge", CHALLENGE)],
            vec![("code_challenge", VERIFIER), ("code_challenge_method", "plain")],
            vec![("code_challenge", CHALLENGE), ("code_challenge_method", "s256")],
            vec![("code_challenge", "short"), ("code_challenge_method", "S256")],
            vec![("code_challenge_method", "S256")],
        ] {
            assert_eq!(refused(&mut browser, app, &more), "invalid_request", "{more:?}");
        }
    }
    assert_eq!(refused(&mut browser, &app, &[("response_type", "token")]), "unsupported_response_type");
    let pkce = [("code_challenge", CHALLENGE), ("code_challenge_method", "S256")];
    for app in [&app, &public] {
        let code = app.allowed(&mut browser, &pkce);
        for more in [vec![], vec![("code_verifier", CHALLENGE)], vec![("code_verifier", &VERIFIER[1..])]] {
            assert_eq!(app.exchanges(&world, &code, &more).json["error"], "bad_verification_code", "{more:?}");
        }
        let given = app.exchanges(&world, &code, &[("code_verifier", VERIFIER)]);
        given.json["access_token"].as_str().expect("a token");
    }
    let code = app.allowed(&mut browser, &[]);
    let unasked = app.exchanges(&world, &code, &[("code_verifier", VERIFIER)]);
    assert_eq!(unasked.json["error"], "bad_verification_code", "a verifier without a challenge");
}

#[test]
fn decision_62_neither_secrets_nor_codes_nor_tokens_are_stored() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let code = app.allowed(&mut browser, &[("scope", "repo")]);
    let token = app.exchanges(&world, &code, &[]).json["access_token"].as_str().expect("a token").to_owned();
    world.settle();
    let stored = dump::everything(&world);
    for secret in [app.secret.as_str(), &code, code.split('.').next().expect("a part"), &token] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
}

#[test]
fn decision_62_what_administers_the_site_is_never_granted() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "olivia");
    world.execute("UPDATE users SET site_admin = TRUE WHERE login = 'olivia'");
    let scope =
        "site_admin admin:enterprise read:enterprise manage_billing:enterprise openid profile nonsense admin:org";
    let token = app.token(&world, &mut browser, scope);
    let client = Client::new(&world.base, Some(&token));
    assert_eq!(client.get("/user").header("x-oauth-scopes"), Some("admin:org"));
    assert!(matches!(client.get("/admin/tokens").status, 403 | 404));
    answers(&world, &app, "approved");
    client.patch("/orgs/acme", json!({ "description": "New" })).expect(200);
}

#[test]
fn decision_62_malformed_parameters_are_refused_in_the_words_of_the_standard() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let code = app.allowed(&mut browser, &[]);
    let twice =
        encoded(&[("code", &code), ("code", "x"), ("client_id", &app.id), ("grant_type", "authorization_code")]);
    let bodies = [twice, "{\"code\": \"a\\u0000\"}".to_owned(), "{\"code\": ".to_owned(), "code=%FF".to_owned()];
    for path in ["/login/oauth/token", "/login/oauth/device"] {
        for body in bodies.iter().skip(usize::from(path.ends_with("device"))) {
            let answer = world.anonymous().send("POST", path, Some(body.clone()));
            assert_eq!(answer.expect(400)["error"], "invalid_request", "{path}: {body}");
        }
    }
    for body in &bodies[1..] {
        let answer = world.anonymous().send("POST", "/login/oauth/access_token", Some(body.clone()));
        assert!(answer.expect(400)["message"].is_string(), "{body}");
    }
}

#[test]
fn decision_62_the_addresses_of_programs_read_no_cookie_and_take_no_token() {
    let world = world();
    let app = Application::of(&world);
    let mut browser = signed_in(&world, "nina");
    let code = app.allowed(&mut browser, &[]);
    let fields = || Some(encoded(&[("code", &code), ("client_id", &app.id)]));
    let with_cookie = browser.with_cookie().send("POST", "/login/oauth/access_token", fields());
    assert!(with_cookie.expect(200).is_null() && with_cookie.text.starts_with("error=incorrect_client_credentials"));
    assert_eq!(with_cookie.header("set-cookie"), None);
    assert_eq!(with_cookie.header("access-control-allow-origin"), None);
    // On these addresses, Basic means the application.
    let token = world.token("nina", &["repo"]);
    let client = Client::new(&world.base, Some(&token));
    assert!(client.send("POST", "/login/oauth/access_token", fields()).text.starts_with("error=incorrect"));
    for verb in ["GET", "PUT", "DELETE"] {
        client.send(verb, "/login/oauth/access_token", None).expect(404);
    }
    client.post("/api/v3/login/oauth/access_token", json!({})).expect(404);
    client.post(&format!("/applications/{}/token", app.id), json!({ "access_token": token })).expect(401);
}
