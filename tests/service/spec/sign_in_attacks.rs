//! Attacks on signing in and on sessions (decision 61).

use super::mail_invitations::world;
use super::sign_in::{asked, code, newest, signed_in};
use crate::support::browser::{Browser, encoded};
use crate::support::world::Settings;
use crate::support::{World, json};

const SESSION: &str = "guildhall-session";

/// True if the browser is led to sign in.
fn is_signed_out(browser: &mut Browser) -> bool {
    browser.visit("/ui");
    browser.path.starts_with("/login")
}

#[test]
fn decision_61_a_session_that_was_planted_is_not_taken_over() {
    let world = world();
    let mut attacker = signed_in(&world, "eve");
    let planted = attacker.cookies[SESSION].clone();
    for value in [planted.as_str(), &"a".repeat(43)] {
        let mut victim = Browser::open(&world.base, "/login");
        victim.cookies.insert(SESSION.to_owned(), value.to_owned());
        victim.visit("/login/out");
        victim.cookies.remove(SESSION);
        victim.visit("/login");
        victim.send(&[("email", "nina@example.com")]);
        let sent = code(&newest(&world, "nina@example.com"));
        victim.cookies.insert(SESSION.to_owned(), value.to_owned());
        victim.visit("/login/code");
        victim.send(&[("code", &sent)]);
        assert!(victim.page.text.contains("Hello, <bdi>nina</bdi>"), "{}", victim.page.text);
        assert_ne!(victim.cookies[SESSION], value);
        world.advance(3600);
    }
    // The session that the browser had has ended.
    assert!(is_signed_out(&mut attacker));
}

#[test]
fn decision_61_no_other_site_signs_a_browser_in_or_out() {
    let world = world();
    let mut browser = asked(&world, "nina@example.com");
    let sent = code(&newest(&world, "nina@example.com"));
    let form = browser.code();
    let enter = |code: &str| Some(encoded(&[("form", code), ("code", &sent)]));
    for (name, value) in
        [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site")]
    {
        let foreign = browser.with_cookie().with(name, value).send("POST", "/login/code", enter(&form));
        assert_eq!(foreign.status, 403, "{name}: {}", foreign.text);
    }
    // An attacker's own form, without the cookie of the browser and in another browser.
    let attacker = asked(&world, "eve@example.com");
    assert_eq!(browser.with_cookie().send("POST", "/login/code", enter(&attacker.code())).status, 403);
    assert_eq!(world.anonymous().send("POST", "/login/code", enter(&form)).status, 422);
    assert_eq!(browser.with_cookie().send("POST", "/login/code", enter("")).status, 403);
    browser.send(&[("code", &sent)]);
    assert_eq!(browser.path, "/ui");
    // A form from before the session does nothing in it, and a form of another page neither.
    for code in [form, browser.code(), String::new()] {
        assert_eq!(browser.with_cookie().send("POST", "/login/out", Some(encoded(&[("form", &code)]))).status, 403);
    }
    assert_eq!(browser.with_cookie().get("/login/out").status, 200);
    assert!(!is_signed_out(&mut browser), "GET changes nothing");
}

#[test]
fn decision_61_a_session_authenticates_pages_only() {
    let world = world();
    let browser = signed_in(&world, "olivia");
    let client = browser.with_cookie();
    for path in ["/user", "/user/orgs", "/notifications", "/api/v3/user", "/admin/audit-log"] {
        assert!(matches!(client.get(path).status, 401 | 404), "{path}: {}", client.get(path).text);
    }
    client.get("/user").refused(401, "Requires authentication");
    assert_eq!(client.get("/orgs/acme/teams").status, world.anonymous().get("/orgs/acme/teams").status);
    client.post("/orgs/acme/teams", json!({ "name": "Evil" })).expect(401);
    client.post("/graphql", json!({ "query": "{ viewer { login } }" })).expect(401);
    client.get("/scim/v2/organizations/acme/Users").expect(401);
    assert_eq!(client.get("/_guildhall/state").status, 404);
    for token in ["token", "bearer"] {
        let presented = world.anonymous().with("Authorization", &format!("{token} {}", browser.cookies[SESSION]));
        presented.get("/user").refused(401, "Bad credentials");
    }
}

#[test]
fn decision_61_with_https_no_sibling_host_sets_a_cookie() {
    let world =
        World::with(Settings { delivers: true, public_url: Some("https://teams.example.org"), ..Settings::default() });
    let client = world.anonymous().with("Host", "teams.example.org");
    let mut browser = Browser::open_as(client, "/login");
    assert!(browser.cookies.keys().all(|name| name.starts_with("__Host-")), "{:?}", browser.cookies);
    let cookie = browser.page.header("set-cookie").expect("a cookie");
    for wanted in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(wanted), "{wanted} in {cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    browser.send(&[("email", "nina@example.com")]);
    let sent = code(&newest(&world, "nina@example.com"));
    browser.send(&[("code", &sent)]);
    let session = browser.cookies["__Host-guildhall-session"].clone();
    assert!(!is_signed_out(&mut browser));
    browser.cookies.remove("__Host-guildhall-session");
    browser.cookies.insert(SESSION.to_owned(), session);
    assert!(is_signed_out(&mut browser));
}

#[test]
fn decision_61_pages_are_used_at_the_public_url_only() {
    let world = World::with(Settings { public_url: Some("https://teams.example.org/x"), ..Settings::default() });
    for path in ["/login?return_to=%2Fui", "/ui", "/ui/orgs/acme?a=b"] {
        let answer = world.anonymous().get(path);
        let wanted = format!("https://teams.example.org/x{path}");
        assert_eq!((answer.status, answer.header("location")), (303, Some(wanted.as_str())));
        assert_eq!(answer.header("set-cookie"), None);
    }
    let answer = world.anonymous().send("POST", "/login", Some("email=nina%40example.com".into()));
    assert_eq!((answer.status, answer.header("location")), (303, Some("https://teams.example.org/x/login")));
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM sign_ins"), []);
    let there = world.anonymous().with("Host", "teams.example.org").get("/ui");
    assert_eq!(there.header("location"), Some("/x/login?return_to=%2Fx%2Fui"));
    world.anonymous().get("/meta").expect(200);
}

#[test]
fn decision_61_signing_in_leads_to_no_other_site() {
    let world = world();
    let mut browser = signed_in(&world, "nina");
    for to in [
        "https://evil.example/ui",
        "//evil.example/ui",
        "/\\evil.example/ui",
        "/ui/..//evil.example",
        "/ui@evil.example",
        "/ui.evil.example",
        "/ui/%2F%2Fevil.example",
        "http://127.0.0.1:1/ui",
        ":1/ui",
        "javascript:alert(1)",
        "/user",
    ] {
        let query = encoded(&[("return_to", to)]);
        let answer = browser.with_cookie().get(&format!("/login?{query}"));
        assert_eq!((answer.status, answer.header("location")), (303, Some("/ui")), "{to}");
    }
    browser.sign_out();
    browser.visit("/login?return_to=https%3A%2F%2Fevil.example%2Fui");
    assert!(!browser.page.text.contains("evil"), "{}", browser.page.text);
    browser.send(&[("email", "nina@example.com"), ("return_to", "//evil.example")]);
    let sent = code(&newest(&world, "nina@example.com"));
    let fields = [("form", browser.code()), ("code", sent), ("return_to", "/ui//evil.example".to_owned())];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let answer = browser.with_cookie().send("POST", "/login/code", Some(encoded(&fields)));
    assert_eq!((answer.status, answer.header("location")), (303, Some("/ui")));
}

#[test]
fn decision_61_a_code_is_of_no_use_in_another_browser() {
    let world = world();
    asked(&world, "nina@example.com");
    let stolen = code(&newest(&world, "nina@example.com"));
    world.advance(1);
    let mut attacker = asked(&world, "nina@example.com");
    let page = attacker.send(&[("code", &stolen)]);
    assert!(page.status == 422 && page.text.contains("That is not the code"), "{}", page.text);
    let mut other = asked(&world, "nobody@example.com");
    assert_eq!(other.send(&[("code", &stolen)]).status, 422);
    assert!(is_signed_out(&mut attacker) && is_signed_out(&mut other));
}

#[test]
fn decision_61_no_forged_link_signs_in() {
    let world = world();
    let mut browser = asked(&world, "nina@example.com");
    let link = newest(&world, "nina@example.com").link("/login/link/");
    let (start, token) = link.rsplit_once('/').expect("a token");
    let (id, mac) = token.split_once('-').expect("a code");
    let invitation = format!("{}-{mac}", id.parse::<i64>().expect("a number") + 1);
    for wrong in ["", "1", "-", "x-y", &format!("0{token}"), &format!("{id}-{}", "A".repeat(43)), &invitation] {
        assert_eq!(browser.visit(&format!("{start}/{wrong}")).status, 404, "{wrong}");
    }
    // The token of an invitation is none of a sign-in, and the other way round.
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    let of_invitation = newest(&world, "nina@example.com").link("/ui/invitations/");
    let other = of_invitation.rsplit('/').next().expect("a token");
    assert_eq!(browser.visit(&format!("{start}/{other}")).status, 404);
    assert_eq!(browser.visit(&format!("/ui/invitations/{token}")).status, 404);
    assert_eq!(browser.visit(&link).status, 200);
}

#[test]
fn decision_61_an_answer_does_not_tell_whether_an_account_exists() {
    let world = world();
    world.sam().put("/users/eve/suspended", json!({})).expect(204);
    let shown = |address: &str| {
        let mut browser = Browser::open(&world.base, "/login");
        browser.send(&[("email", address)]);
        let wrong: Vec<String> = (0..5).map(|_| browser.send(&[("code", "0000 0000")]).text.clone()).collect();
        wrong
            .concat()
            .replace(address, "ADDRESS")
            .split("value=\"")
            .map(|part| {
                // The codes of forms differ in each browser.
                part.split_once('"').map_or(part, |(_, rest)| rest).to_owned()
            })
            .collect::<Vec<_>>()
            .concat()
    };
    let known = shown("nina@example.com");
    assert!(known.contains("This code does not work any more"), "{known}");
    for address in ["nobody@example.com", "eve@example.com"] {
        assert_eq!(shown(address), known, "{address}");
    }
    let rows: Vec<(i64,)> = world.rows("SELECT tries FROM sign_ins s ORDER BY s.id");
    assert_eq!(rows, [(5,), (5,), (5,)]);
    let told: Vec<(i64,)> = world.rows("SELECT count(*) FROM journal_facts f WHERE f.event = 'sign_in.asked'");
    assert_eq!(told, [(3,)]);
}

#[test]
fn decision_61_the_store_does_the_same_work_for_an_unknown_address() {
    let world = World::new();
    let statements = |address: &str| {
        let mut browser = Browser::open(&world.base, "/login");
        world.faults.record();
        browser.send(&[("email", address)]);
        browser.send(&[("code", "0000 0000")]);
        world.faults.recorded()
    };
    // The first request may also begin something.
    statements("first@example.com");
    let of_known = statements("tom@example.com");
    assert!(of_known.len() > 10, "{of_known:?}");
    assert_eq!(statements("no-one@example.com"), of_known);
}

#[test]
fn decision_61_suspension_ends_sessions_and_codes_for_good() {
    let world = world();
    let mut signed = signed_in(&world, "nina");
    let mut waiting = asked(&world, "nina@example.com");
    let sent = newest(&world, "nina@example.com");
    world.sam().put("/users/nina/suspended", json!({})).expect(204);
    assert!(is_signed_out(&mut signed));
    assert_eq!(waiting.send(&[("code", &code(&sent))]).status, 422);
    world.sam().delete("/users/nina/suspended").expect(204);
    assert!(is_signed_out(&mut signed));
    waiting.visit(&sent.link("/login/link/"));
    assert_eq!(waiting.page.status, 404);
    assert!(is_signed_out(&mut waiting));
    signed_in(&world, "nina");
}

#[test]
fn decision_61_no_site_frames_a_page_or_sends_its_address_on() {
    let world = world();
    let mut browser = signed_in(&world, "nina");
    for path in ["/ui", "/ui/settings", "/login/out", "/ui/nothing", "/login/link/x"] {
        let page = browser.visit(path);
        let policy = page.header("content-security-policy").expect("a policy");
        for wanted in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"] {
            assert!(policy.contains(wanted), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(page.header("referrer-policy"), Some("same-origin"));
        assert_eq!(page.header("cache-control"), Some("no-store"));
        assert_eq!(page.header("access-control-allow-origin"), None);
        assert!(!page.text.contains(" style=") && !page.text.contains("http://"));
        let scripts: Vec<&str> =
            page.text.split("<script ").skip(1).filter_map(|rest| rest.split('>').next()).collect();
        assert!(scripts.len() == 1 && scripts[0].starts_with("type=\"module\" src=\"/ui/assets/"), "{scripts:?}");
    }
}

#[test]
fn decision_61_no_cache_keeps_what_a_signed_in_person_sees() {
    let world = world();
    let mut browser = signed_in(&world, "max");
    let page = browser.visit("/ui/orgs/acme/teams/core");
    assert_eq!((page.status, page.text.contains("Core")), (200, true), "{}", page.text);
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(page.header("access-control-allow-origin"), None);
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
    assert_eq!(page.header("etag"), None);
}

#[test]
fn decision_61_cookies_of_others_hide_none_of_ours() {
    let world = world();
    let cookies = signed_in(&world, "nina").cookies;
    let own = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ");
    for sent in [format!("{own}; name=M\u{fc}ller"), format!("{SESSION}=x; guildhall-browser=; {own}")] {
        let page = world.anonymous().with("Cookie", &sent).get("/ui/settings");
        assert_eq!(page.status, 200, "{sent}");
    }
}

#[test]
fn decision_61_an_address_that_is_too_long_to_return_to_leads_to_sign_in() {
    let world = world();
    let browser = Browser::open(&world.base, &format!("/ui/settings?{}", "a=%22&".repeat(900)));
    assert_eq!((browser.path.as_str(), browser.page.status), ("/login", 200));
}

#[test]
fn decision_61_codes_of_forms_are_masked_anew_each_time() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let page = "/ui/settings";
    let codes: Vec<String> = (0..3)
        .map(|_| {
            nina.visit(page);
            nina.code()
        })
        .collect();
    for (code, other) in [(&codes[0], &codes[1]), (&codes[1], &codes[2])] {
        assert_eq!(code.len(), 86);
        assert!(
            code.as_bytes().windows(6).all(|part| !other.contains(str::from_utf8(part).expect("text"))),
            "{codes:?}"
        );
    }
    let save = |nina: &mut Browser, code: &str| nina.send_to(page, code, &[("name", "Nina")]).status;
    // Each of them is genuine, the oldest too.
    for code in &codes {
        assert_eq!(save(&mut nina, code), 200);
    }
    let (mask, masked) = codes[0].split_at(43);
    let cross = [&codes[1][..43], masked].concat();
    let zero = "A".repeat(86);
    let longer = format!("{}A", codes[0]);
    let flipped = codes[0].replacen(&codes[0][..1], if codes[0].starts_with('B') { "C" } else { "B" }, 1);
    for wrong in ["", mask, masked, &cross, &zero, &longer, &flipped, "\u{e9}", "%00"] {
        assert_eq!(save(&mut nina, wrong), 403, "{wrong}");
    }
}
