//! The device flow of applications: the codes, the page, and what the program gets (decision 62).

use guildhall::oauth::{Switched, Wanted, update};

use super::mail_invitations::world;
use super::sign_in::{code, newest, signed_in};
use crate::support::application::{Application, operate, register, wanted};
use crate::support::browser::{Browser, encoded};
use crate::support::device::{Device, GH, GRANT, ask};
use crate::support::world::Settings;
use crate::support::{Client, World, json};

const DEVICES: Switched =
    Switched { device_flow: Some(true), public: None, trusted: None, effective_teams: None, skip_consent: None };

#[test]
fn decision_62_a_person_connects_a_device() {
    let world = world();
    let (asked_at, answer) = (world.now(), ask(&world, &[("client_id", GH), ("scope", "repo read:org gist")]));
    let codes = answer.expect(200);
    assert_eq!(codes["verification_uri"], format!("{}/login/device", world.base));
    assert_eq!((&codes["expires_in"], &codes["interval"]), (&json!(900), &json!(5)));
    assert_eq!(
        (codes.as_object().map(serde_json::Map::len), answer.header("cache-control")),
        (Some(5), Some("no-store"))
    );
    let device = Device::read(GH, &answer);
    assert!(device.code.len() == 40 && device.code.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let (first, last) = device.user_code.split_once('-').expect("a hyphen in the middle");
    let is_code = |part: &str| part.len() == 4 && part.bytes().all(|byte| b"BCDFGHJKLMNPQRSTVWXZ".contains(&byte));
    assert!(is_code(first) && is_code(last), "{}", device.user_code);
    assert_eq!(device.error(&world), "authorization_pending");
    // Signed out, the person signs in first. No address carries the code.
    let mut browser = Browser::open(&world.base, "/login/device?user_code=BBBB-BBBB");
    browser.send(&[("email", "tom@example.com")]);
    let sent = code(&newest(&world, "tom@example.com"));
    browser.send(&[("code", &sent)]);
    assert!(browser.path.starts_with("/login/device") && browser.page.text.contains("Connect a device"));
    assert!(!browser.page.text.contains("BBBB-BBBB"), "{}", browser.page.text);
    world.advance(120);
    let page = browser.send(&[("user_code", &device.user_code.to_lowercase().replace('-', " "))]).text.clone();
    for wanted in [
        "Is this you?",
        "<b><bdi>GitHub CLI</bdi></b> on another device wants to act as <b><bdi>tom</bdi></b>",
        "Registered by the operator of this site",
        &device.user_code,
        "2 minutes ago<br> <small>",
        &asked_at.minute(),
        "127.0.0.1",
        "the network you are on now",
        "<strong>Change repositories, teams and their members as you can",
        "See your organizations and teams, and who is on them",
        "<code>gist</code>, which nothing here uses",
        "Only go on if you started this yourself",
    ] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    let done = browser.send(&[("user_code", &device.user_code), ("answer", "allow")]);
    assert!(done.text.contains("The device is connected"), "{}", done.text);
    let given = device.redeem(&world);
    assert_eq!(
        (&given.expect(200)["token_type"], &given.json["scope"]),
        (&json!("bearer"), &json!("gist,read:org,repo"))
    );
    let token = given.json["access_token"].as_str().expect("a token");
    assert!(token.starts_with("gho_"), "{token}");
    let me = Client::new(&world.base, Some(token)).get("/user");
    assert_eq!(me.expect(200)["login"], "tom");
    assert_eq!(me.header("x-oauth-client-id"), Some(GH));
    for action in ["oauth_authorization.create", "oauth_access.create"] {
        let log = world.sam().get(&format!("/admin/audit-log?phrase=action:{action}")).json;
        assert_eq!((&log[0]["actor"], log.as_array().map(Vec::len)), (&json!("tom"), Some(1)), "{log}");
    }
    // The code is gone.
    world.advance(60);
    assert_eq!(device.error(&world), "incorrect_device_code");
    assert_eq!(device.typed(&mut browser).status, 422);
}

#[test]
fn decision_62_the_codes_of_devices_come_in_three_formats_and_an_unknown_application_is_404() {
    let world = world();
    let send = |accept: &str, id: &str, to: &str| {
        let client = world.anonymous().with("Accept", accept);
        client.send(
            "POST",
            &format!("/login/device/code?{}", encoded(&[("client_id", id), ("scope", "repo")])),
            to.to_owned().into(),
        )
    };
    for (accept, media, known, unknown) in [
        ("*/*", "application/x-www-form-urlencoded; charset=utf-8", "&interval=5", "error=Not%20Found"),
        ("application/json", "application/json; charset=utf-8", "\"interval\":5", "{\"error\":\"Not Found\"}"),
        (
            "application/xml",
            "application/xml; charset=utf-8",
            "<interval>5</interval>",
            "<OAuth><error>Not Found</error>",
        ),
    ] {
        let codes = send(accept, GH, "");
        codes.expect(200);
        assert!(codes.header("content-type") == Some(media) && codes.text.contains(known), "{}", codes.text);
        let refused = send(accept, "nothing", "");
        refused.expect(404);
        assert!(refused.header("content-type") == Some(media) && refused.text.contains(unknown), "{}", refused.text);
    }
    // JSON in the body, too.
    let client = world.anonymous().with("Accept", "application/json").with("Content-Type", "application/json");
    client.post("/login/device/code", json!({ "client_id": GH, "scope": "repo" })).expect(200)["user_code"]
        .as_str()
        .expect("a code");
}

#[test]
fn decision_62_the_device_flow_is_off_until_it_is_switched_on() {
    let world = world();
    let app = Application::of(&world);
    let refused = ask(&world, &[("client_id", &app.id)]);
    assert_eq!(refused.expect(200)["error"], "device_flow_disabled");
    assert!(refused.json["error_description"].is_string() && refused.json["error_uri"].is_string());
    let id = app.id.clone();
    let switch = move |on: bool| {
        let (id, switched) = (id.clone(), Switched { device_flow: Some(on), ..Switched::default() });
        operate(&world, move |cx| update(cx, &id, &Wanted { switched, ..Wanted::default() })).expect("a change");
        world.base.clone()
    };
    let base = switch(true);
    let client = Client::new(&base, None).with("Accept", "application/json");
    let fields = encoded(&[("client_id", &app.id)]);
    let device = Device::read(&app.id, &client.send("POST", "/login/device/code", Some(fields)));
    // Switched off again, its codes work no more.
    switch(false);
    let fields = encoded(&[("client_id", &app.id), ("device_code", &device.code), ("grant_type", GRANT)]);
    let answer = client.send("POST", "/login/oauth/access_token", Some(fields));
    assert_eq!(answer.expect(200)["error"], "device_flow_disabled");
}

#[test]
fn decision_62_a_device_by_the_standard() {
    let world = world();
    let app = register(&world, wanted("Wall", DEVICES));
    let public = register(&world, wanted("Clock", Switched { public: Some(true), ..DEVICES }));
    let off = Application::of(&world);
    let send = |path: &str, fields: &[(&str, &str)]| world.anonymous().send("POST", path, Some(encoded(fields)));
    let own = |app: &Application| {
        [("client_id".to_owned(), app.id.clone()), ("client_secret".to_owned(), app.secret.clone())]
    };
    // An application with a secret proves itself, also as Basic.
    for (fields, status, error) in [
        (vec![("client_id", "nothing")], 401, "invalid_client"),
        (vec![("client_id", app.id.as_str())], 401, "invalid_client"),
        (vec![("client_id", app.id.as_str()), ("client_secret", "wrong")], 401, "invalid_client"),
        (own(&off).iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(), 400, "unauthorized_client"),
    ] {
        assert_eq!(send("/login/oauth/device", &fields).expect(status)["error"], error, "{fields:?}");
    }
    let basic = world.anonymous().with("Authorization", &app.basic());
    let asked = basic.send("POST", "/login/oauth/device", Some(encoded(&[("scope", "read:org")])));
    assert_eq!(
        (asked.header("cache-control"), asked.header("content-type")),
        (Some("no-store"), Some("application/json; charset=utf-8"))
    );
    let device = Device::read(&app.id, &asked);
    let of_public = Device::read(&public.id, &send("/login/oauth/device", &[("client_id", &public.id)]));
    let redeem = |fields: &[(&str, &str)]| basic.send("POST", "/login/oauth/token", Some(encoded(fields)));
    let grant = [("grant_type", GRANT), ("device_code", &device.code)];
    assert_eq!(redeem(&[("grant_type", GRANT)]).expect(400)["error"], "invalid_request");
    assert_eq!(redeem(&[("grant_type", GRANT), ("device_code", "x")]).expect(400)["error"], "invalid_grant");
    assert_eq!(redeem(&grant).expect(400)["error"], "authorization_pending");
    let early = redeem(&grant);
    assert_eq!((&early.expect(400)["error"], &early.json["interval"]), (&json!("slow_down"), &json!(10)));
    let unproved = [("client_id", app.id.as_str()), grant[0], grant[1]];
    assert_eq!(send("/login/oauth/token", &unproved).expect(401)["error"], "invalid_client");
    let mut browser = signed_in(&world, "nina");
    device.answered(&mut browser, "allow");
    of_public.answered(&mut browser, "deny");
    world.advance(10);
    let given = redeem(&grant);
    assert_eq!((&given.expect(200)["expires_in"], &given.json["scope"]), (&json!(3600), &json!("read:org")));
    Client::new(&world.base, given.json["access_token"].as_str()).get("/user").expect(200);
    let denied = [("client_id", public.id.as_str()), ("grant_type", GRANT), ("device_code", &of_public.code)];
    assert_eq!(send("/login/oauth/token", &denied).expect(400)["error"], "access_denied");
    let late = Device::read(&public.id, &send("/login/oauth/device", &[("client_id", &public.id)]));
    world.advance(900);
    let late = [("client_id", public.id.as_str()), ("grant_type", GRANT), ("device_code", &late.code)];
    assert_eq!(send("/login/oauth/token", &late).expect(400)["error"], "expired_token");
}

#[test]
fn decision_62_githubs_form_asks_a_device_for_no_secret_and_refuses_a_wrong_one() {
    let world = world();
    let app = register(&world, wanted("Wall", DEVICES));
    let device = Device::of(&world, &app.id, "");
    device.answered(&mut signed_in(&world, "nina"), "allow");
    let wrong =
        [("client_id", &*app.id), ("client_secret", "wrong"), ("device_code", &device.code), ("grant_type", GRANT)];
    let client = world.anonymous().with("Accept", "application/json");
    let refused = client.send("POST", "/login/oauth/access_token", Some(encoded(&wrong)));
    assert_eq!(refused.expect(200)["error"], "incorrect_client_credentials");
    device.token(&world);
    // Without the type of grant it is the web flow.
    let none = [("client_id", &*app.id), ("client_secret", &app.secret), ("device_code", &device.code)];
    let refused = client.send("POST", "/login/oauth/access_token", Some(encoded(&none)));
    assert_eq!(refused.expect(200)["error"], "bad_verification_code");
}

#[test]
fn decision_62_the_page_for_devices_is_at_the_public_url() {
    let world = World::with(Settings { public_url: Some("https://teams.example.org/x/"), ..Settings::default() });
    for path in ["/login/device/code", "/login/oauth/device"] {
        let client = world.anonymous().with("Accept", "application/json");
        let codes = client.send("POST", path, Some(encoded(&[("client_id", GH)])));
        assert_eq!(codes.expect(200)["verification_uri"], "https://teams.example.org/x/login/device");
    }
}

#[test]
fn decision_61_a_device_that_changes_something_needs_a_recent_sign_in() {
    let world = world();
    let mut browser = signed_in(&world, "nina");
    let (reads, writes) = (Device::of(&world, GH, "read:org user:email"), Device::of(&world, GH, "repo"));
    writes.typed(&mut browser);
    world.advance(15 * 60 - 1);
    let again = Device::of(&world, GH, "repo");
    again.typed(&mut browser);
    world.advance(1);
    // The page was shown in time, the answer comes too late.
    let late = browser.send(&[("user_code", &again.user_code), ("answer", "allow")]);
    assert!(late.status == 403 && late.text.contains("Confirm it’s you"), "{}", late.text);
    let page = again.typed(&mut browser);
    assert!(page.status == 403 && page.text.contains("Confirm it’s you"), "{}", page.text);
    assert_eq!((again.error(&world), reads.error(&world)), ("authorization_pending".into(), "expired_token".into()));
    let reads = Device::of(&world, GH, "read:org user:email");
    reads.answered(&mut browser, "allow");
    reads.token(&world);
    // Refusing needs none.
    let mut recent = signed_in(&world, "nina");
    again.answered(&mut recent, "deny");
    world.advance(5);
    assert_eq!(again.error(&world), "access_denied");
}

#[test]
fn decision_62_a_device_is_asked_for_every_time_and_says_what_was_widened() {
    let world = world();
    let app = register(&world, wanted("Wall", DEVICES));
    let mut browser = signed_in(&world, "nina");
    for client_id in [GH, &app.id] {
        for _ in 0..2 {
            let device = Device::of(&world, client_id, "repo");
            device.answered(&mut browser, "allow");
            device.token(&world);
        }
    }
    // A page that is older than the application allows nothing more.
    let device = Device::of(&world, &app.id, "repo");
    device.typed(&mut browser);
    let (id, on) = (app.id.clone(), Switched { effective_teams: Some(true), ..Switched::default() });
    let widen = Wanted { switched: on, ..Wanted::default() };
    operate(&world, move |cx| update(cx, &id, &widen)).expect("a change");
    assert_eq!(browser.send(&[("user_code", &device.user_code), ("answer", "allow")]).status, 422);
    device.typed(&mut browser);
    assert!(browser.page.text.contains("See the teams above yours"), "{}", browser.page.text);
    browser.send(&[("user_code", &device.user_code), ("answer", "allow"), ("teams", "effective")]);
    device.token(&world);
}
