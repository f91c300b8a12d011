//! Attacks on the device flow (decision 62).

use guildhall::oauth::{Switched, remove};

use super::mail_invitations::world;
use super::sign_in::signed_in;
use crate::support::application::{Application, operate, register, wanted};
use crate::support::browser::encoded;
use crate::support::device::{Device, GH, GRANT, ask, enter};
use crate::support::world::Settings;
use crate::support::{Client, World, dump, json};

const BOTH: Switched =
    Switched { device_flow: Some(true), public: Some(true), trusted: None, effective_teams: None, skip_consent: None };

#[test]
fn decision_62_a_device_that_does_not_wait_waits_longer() {
    let world = world();
    let (device, calm) = (Device::of(&world, GH, ""), Device::of(&world, GH, ""));
    assert_eq!(
        (device.error(&world), calm.error(&world)),
        ("authorization_pending".into(), "authorization_pending".into())
    );
    world.advance(4);
    for interval in [10, 15, 20] {
        let early = device.redeem(&world);
        assert_eq!((&early.expect(200)["error"], &early.json["interval"]), (&json!("slow_down"), &json!(interval)));
    }
    // Not even an allowed one gets its token sooner, and the wait holds for what follows.
    device.answered(&mut signed_in(&world, "nina"), "allow");
    world.advance(19);
    assert_eq!(device.error(&world), "slow_down");
    world.advance(24);
    assert_eq!(device.error(&world), "slow_down");
    world.advance(30);
    device.token(&world);
    // Another device is not concerned, and every fifth second is in time.
    for _ in 0..3 {
        world.advance(5);
        assert_eq!(calm.error(&world), "authorization_pending");
    }
    // The new interval is in the form, too.
    let fields = [("client_id", GH), ("device_code", &calm.code), ("grant_type", GRANT)];
    let early = world.anonymous().send("POST", "/login/oauth/access_token", Some(encoded(&fields)));
    assert!(early.text.starts_with("error=slow_down&") && early.text.ends_with("&interval=10"), "{}", early.text);
}

#[test]
fn decision_62_a_code_is_gone_after_denial_expiry_and_redemption() {
    let world = world();
    let mut browser = signed_in(&world, "nina");
    let [denied, redeemed, late] = [(); 3].map(|()| Device::of(&world, GH, "read:org"));
    denied.answered(&mut browser, "deny");
    assert!(browser.page.text.contains("The device is not connected"), "{}", browser.page.text);
    redeemed.answered(&mut browser, "allow");
    redeemed.token(&world);
    for _ in 0..2 {
        assert_eq!(denied.error(&world), "access_denied");
        assert_eq!(redeemed.error(&world), "incorrect_device_code");
    }
    // No one brings them back.
    for gone in [&denied, &redeemed] {
        assert_eq!(gone.typed(&mut browser).status, 422);
    }
    late.typed(&mut browser);
    world.advance(899);
    late.typed(&mut browser);
    assert!(browser.page.text.contains("Is this you?") && browser.page.text.contains("14 minutes ago"));
    world.advance(1);
    let answered = browser.send(&[("user_code", &late.user_code), ("answer", "allow")]);
    assert!(answered.status == 422 && answered.text.contains("No device waits"), "{}", answered.text);
    assert_eq!((late.typed(&mut browser).status, late.error(&world)), (422, "expired_token".into()));
    assert_eq!(denied.error(&world), "access_denied");
    // One that was allowed and not redeemed expires, too.
    let allowed = Device::of(&world, GH, "read:org");
    allowed.answered(&mut browser, "allow");
    world.advance(900);
    assert_eq!(allowed.error(&world), "expired_token");
    world.advance(3600);
    let now = world.now();
    world.block_on(world.db.write(move |tx| guildhall::oauth::trim(tx, now))).expect("old rows go");
    assert_eq!(allowed.error(&world), "incorrect_device_code");
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM devices"), [(0,)]);
}

#[test]
fn decision_62_another_application_does_not_redeem_a_code() {
    let world = world();
    let other = register(&world, wanted("Clock", BOTH));
    let device = Device::of(&world, GH, "repo");
    device.answered(&mut signed_in(&world, "nina"), "allow");
    let stolen = Device { client_id: other.id.clone(), ..device.clone() };
    assert_eq!(stolen.error(&world), "incorrect_device_code");
    let unknown = Device { client_id: "nothing".into(), ..device.clone() };
    assert_eq!(unknown.error(&world), "incorrect_client_credentials");
    let confidential = register(&world, wanted("Wall", Switched { public: None, ..BOTH }));
    let fields = [("client_id", &*confidential.id), ("client_secret", &confidential.secret), ("code", &device.code)];
    let client = world.anonymous().with("Accept", "application/json");
    let as_code = client.send("POST", "/login/oauth/access_token", Some(encoded(&fields)));
    assert_eq!(as_code.expect(200)["error"], "bad_verification_code");
    device.token(&world);
    // It goes with its application.
    let last = Device::of(&world, &other.id, "");
    let id = other.id.clone();
    operate(&world, move |cx| remove(cx, &id)).expect("gone");
    assert_eq!(last.error(&world), "incorrect_client_credentials");
    assert_eq!(last.typed(&mut signed_in(&world, "nina")).status, 422);
}

#[test]
fn decision_62_no_other_site_and_no_link_connects_a_device() {
    let world = world();
    let device = Device::of(&world, GH, "repo");
    let mut browser = signed_in(&world, "nina");
    browser.visit("/login/device");
    let for_codes = browser.code();
    device.typed(&mut browser);
    let policy = browser.page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("form-action 'self'; frame-ancestors 'none'"), "{policy}");
    let code = browser.code();
    let form = |code: &str| Some(encoded(&[("form", code), ("user_code", &device.user_code), ("answer", "allow")]));
    let cross =
        |name: &str, value: &str| browser.with_cookie().with(name, value).send("POST", "/login/device", form(&code));
    let mut elsewhere = signed_in(&world, "tom");
    elsewhere.visit("/login/device");
    for answer in [
        cross("Origin", "https://evil.example"),
        cross("Sec-Fetch-Site", "cross-site"),
        cross("Sec-Fetch-Site", "same-site"),
        browser.with_cookie().send("POST", "/login/device", form("")),
        // The page that shows no device has a form for codes only.
        browser.with_cookie().send("POST", "/login/device", form(&for_codes)),
        elsewhere.with_cookie().send("POST", "/login/device", form(&code)),
    ] {
        assert!(answer.status == 403 && answer.text.contains("This form cannot be used"), "{}", answer.text);
    }
    assert_eq!(world.anonymous().send("POST", "/login/device", form(&code)).status, 303, "to sign in");
    // Nor does the page of one device connect another one.
    let other = Device::of(&world, GH, "repo");
    let crossed = encoded(&[("form", &code), ("user_code", &other.user_code), ("answer", "allow")]);
    assert_eq!(browser.with_cookie().send("POST", "/login/device", Some(crossed)).status, 403);
    world.settle();
    let before = dump::everything(&world);
    let path = format!("/login/device?user_code={}&answer=allow", device.user_code);
    let page = browser.with_cookie().get(&path);
    assert!(page.status == 200 && !page.text.contains("Is this you?") && !page.text.contains(&device.user_code));
    assert_eq!(dump::everything(&world), before, "GET changes nothing");
    assert_eq!(device.error(&world), "authorization_pending");
}

/// A stranger starts the flow with the client ID of `gh` and sends the code to a person.
#[test]
fn decision_62_the_page_tells_a_person_of_a_device_that_is_not_theirs() {
    let world = World::with(Settings { delivers: true, trusted_proxies: vec!["127.0.0.1/32"], ..Settings::default() });
    let from = |peer: &str| world.anonymous().with("Accept", "application/json").with("X-Forwarded-For", peer);
    let fields = [("client_id", GH), ("scope", "repo admin:org site_admin")];
    let device = Device::read(GH, &from("2001:db8:1:2::5").send("POST", "/login/device/code", Some(encoded(&fields))));
    // A long-standing consent does not spare the question.
    let mut browser = signed_in(&world, "nina");
    Device::of(&world, GH, "repo admin:org").answered(&mut browser, "allow");
    world.advance(600);
    let page = device.typed(&mut browser).text.clone();
    for wanted in [
        "GitHub CLI",
        "Run your organizations as you can",
        "2001:db8:1:2::/64",
        "not the network you are on now",
        "10 minutes ago",
        "Only go on if you started this yourself",
    ] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    assert!(!page.contains("site_admin"), "{page}");
    let (words, button) = (page.find("Only go on"), page.find("Yes, connect it"));
    assert!(words.is_some() && words < button, "the words come before the button");
    browser.send(&[("user_code", &device.user_code), ("answer", "deny")]);
    assert_eq!(device.error(&world), "access_denied");
}

#[test]
fn decision_62_the_person_is_judged_again_when_a_device_redeems() {
    let world = world();
    let allowed = |login: &str, scope: &str| {
        let device = Device::of(&world, GH, scope);
        device.answered(&mut signed_in(&world, login), "allow");
        device
    };
    // Suspension ends the code for good.
    let (device, other) = (allowed("nina", "read:org"), allowed("nina", "read:org"));
    world.sam().put("/users/nina/suspended", json!({})).expect(204);
    assert_eq!(device.error(&world), "access_denied");
    world.sam().delete("/users/nina/suspended").expect(204);
    assert_eq!(other.error(&world), "access_denied");
    assert_eq!(
        (device.error(&world), other.error(&world)),
        ("incorrect_device_code".into(), "incorrect_device_code".into())
    );
    // So does signing out everywhere.
    let device = Device::of(&world, GH, "read:org");
    let mut browser = signed_in(&world, "tom");
    device.answered(&mut browser, "allow");
    browser.visit("/ui/settings/sessions");
    browser.send(&[("end", "all")]);
    assert_eq!(device.error(&world), "access_denied");
    // And taking back what was allowed.
    let app = register(&world, wanted("Wall", Switched { public: None, ..BOTH }));
    let [first, second] = [(); 2].map(|()| Device::of(&world, &app.id, ""));
    let mut browser = signed_in(&world, "eve");
    first.answered(&mut browser, "allow");
    second.answered(&mut browser, "allow");
    app.on_token(&world, "DELETE", "grant", &first.token(&world)).expect(204);
    assert_eq!(second.error(&world), "access_denied");
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM tokens t WHERE t.kind = 'oauth'"), [(0,)]);
}

#[test]
fn decision_62_no_code_of_a_device_is_stored_and_its_addresses_read_no_cookie() {
    let world = world();
    let device = Device::of(&world, GH, "repo");
    let mut browser = signed_in(&world, "nina");
    device.answered(&mut browser, "allow");
    world.settle();
    let stored = dump::everything(&world);
    for private in [device.code.as_str(), &device.user_code, &device.user_code.replace('-', "")] {
        assert!(!stored.contains(private), "{private} is stored");
    }
    let app = Application::of(&world);
    let token = world.token("nina", &["repo"]);
    for path in ["/login/device/code", "/login/oauth/device"] {
        let fields = || Some(encoded(&[("client_id", GH)]));
        let answer = browser.with_cookie().with("Sec-Fetch-Site", "cross-site").send("POST", path, fields());
        assert_eq!((answer.status, answer.header("set-cookie")), (200, None), "no form of a page");
        // Basic means the application, and a token means nothing.
        let basic = world.anonymous().with("Authorization", &app.basic()).send("POST", path, fields());
        assert!(matches!(basic.status, 401 | 404), "{}", basic.text);
        Client::new(&world.base, Some(&token)).send("POST", path, fields()).expect(200);
        for verb in ["GET", "PUT", "DELETE"] {
            world.anonymous().send(verb, path, None).expect(404);
        }
        world.anonymous().post(&format!("/api/v3{path}"), json!({})).expect(404);
    }
    // Only programs that run in a browser use the form of the standard.
    let cross = |path: &str| world.anonymous().send("POST", path, Some(encoded(&[("client_id", GH)])));
    assert_eq!(cross("/login/device/code").header("access-control-allow-origin"), None);
    assert_eq!(cross("/login/oauth/device").header("access-control-allow-origin"), Some("*"));
}

#[test]
fn decision_62_what_is_no_code_is_refused_and_changes_nothing() {
    let world = world();
    let mut browser = signed_in(&world, "nina");
    world.settle();
    let before = dump::everything(&world);
    for typed in ["", "WDJB", "WDJB-MJHTT", "AEIO-UAEI", "\u{202e}\u{e9}", &"B".repeat(500), "<b>DJB-MJHT"] {
        let page = enter(&mut browser, typed);
        assert_eq!(page.status, 422, "{typed}");
        assert!(
            page.text.contains("Enter the 8 letters of the code.") && !page.text.contains("<b>DJB"),
            "{}",
            page.text
        );
    }
    assert_eq!(dump::everything(&world), before);
    for fields in [vec![], vec![("client_id", "")], vec![("client_id", "\u{e9}"), ("scope", "\u{1f600}")]] {
        ask(&world, &fields).expect(404);
    }
    for code in ["", "x", &"f".repeat(40), &"f".repeat(10_000), "\u{e9}"] {
        let device = Device { client_id: GH.into(), code: code.into(), user_code: String::new() };
        assert_eq!(device.error(&world), "incorrect_device_code", "{code}");
    }
    assert_eq!(dump::everything(&world), before);
}
