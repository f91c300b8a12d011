//! Signing in with a code or a link in an e-mail (decision 61).

use guildhall::db::Lock;
use guildhall::journal;
use guildhall::links::Links;
use guildhall::operation::{Caller, Cx, Moment};
use guildhall::people::user;
use guildhall::signin;

use super::mail_invitations::{settle, world};
use crate::support::browser::{Browser, encoded};
use crate::support::mail::{self, Mail};
use crate::support::world::Settings;
use crate::support::{World, dump, json};

/// The newest e-mail to an address.
pub fn newest(world: &World, address: &str) -> Mail {
    settle(world);
    let mails = mail::saved(world.mail.path());
    mails.into_iter().rfind(|mail| mail.to() == address).unwrap_or_else(|| panic!("no e-mail to {address}"))
}

/// The code in an e-mail.
pub fn code(mail: &Mail) -> String {
    let is_code = |line: &&str| line.len() == 9 && line.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
    mail.text.lines().find(is_code).unwrap_or_else(|| panic!("no code in {}", mail.text)).to_owned()
}

/// A browser that has asked for a code.
pub fn asked(world: &World, address: &str) -> Browser {
    let mut browser = Browser::open(&world.base, "/login");
    let page = browser.send(&[("email", address)]);
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(page.text.contains("Enter your code</h1>"), "{}", page.text);
    browser
}

/// A browser in which this person has signed in.
pub fn signed_in(world: &World, login: &str) -> Browser {
    let address = format!("{login}@example.com");
    let mut browser = asked(world, &address);
    settle(world);
    let is_code = |mail: &Mail| mail.to() == address && mail.header("Subject") == "Sign in to Guildhall";
    let mail = mail::saved(world.mail.path()).into_iter().rfind(is_code).expect("an e-mail with a code");
    let page = browser.send(&[("code", &code(&mail))]);
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(page.text.contains(&format!("<bdi>{login}</bdi>")), "{}", page.text);
    browser
}

/// Number of the e-mails.
fn mails(world: &World) -> usize {
    settle(world);
    mail::saved(world.mail.path()).len()
}

#[test]
fn decision_61_a_person_signs_in_with_a_code() {
    let world = world();
    let mut browser = Browser::open(&world.base, "/ui/settings");
    assert_eq!(browser.path, "/login?return_to=%2Fui%2Fsettings");
    assert!(browser.page.text.contains("There are no passwords here"), "{}", browser.page.text);
    assert_eq!(browser.send(&[("email", "Nina@Example.com ")]).status, 200);
    assert!(browser.page.text.contains("<b>Nina@Example.com</b>"), "{}", browser.page.text);
    let mail = newest(&world, "nina@example.com");
    assert_eq!(mail.header("Subject"), "Sign in to Guildhall");
    let code = code(&mail);
    assert!(mail.html.contains(&code), "the same code in both forms");
    // Neither the code nor the link is stored.
    let stored = dump::everything(&world);
    let link = mail.link("/login/link/");
    for secret in [code.as_str(), &code.replace(' ', ""), link.rsplit('/').next().expect("a token")] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
    assert_eq!(browser.send(&[("code", &code.replace(' ', "-"))]).status, 200);
    assert_eq!(browser.path, "/ui/settings");
    let session = browser.cookies["guildhall-session"].clone();
    assert_eq!(session.len(), 43);
    assert!(!dump::everything(&world).contains(&session), "the token of the session is stored");
    let log = world.sam().get("/admin/audit-log?phrase=action:session.create").json;
    assert_eq!((&log[0]["actor"], log.as_array().map(Vec::len)), (&json!("nina"), Some(1)), "{log}");
}

#[test]
fn decision_61_the_cookie_of_a_session_is_for_this_host_and_no_script() {
    let world = world();
    let mut browser = asked(&world, "nina@example.com");
    let code = code(&newest(&world, "nina@example.com"));
    let form = encoded(&[("form", &browser.code()), ("code", &code)]);
    let answer = browser.with_cookie().send("POST", "/login/code", Some(form));
    assert_eq!((answer.status, answer.header("location")), (303, Some("/ui")));
    let set = answer.header("set-cookie").expect("a cookie").to_owned();
    for wanted in ["guildhall-session=", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
        assert!(set.contains(wanted), "{wanted} in {set}");
    }
    assert!(!set.contains("Secure") && !set.contains("Domain"), "{set}");
    assert_eq!(browser.visit("/login/code").status, 200);
    assert_eq!(browser.path, "/login", "the code has ended");
}

#[test]
fn decision_61_a_code_works_for_15_minutes_and_once() {
    let world = world();
    let mut late = asked(&world, "nina@example.com");
    let sent = code(&newest(&world, "nina@example.com"));
    world.advance(15 * 60);
    let page = late.send(&[("code", &sent)]);
    assert_eq!(page.status, 422);
    assert!(page.text.contains("This code does not work any more"), "{}", page.text);
    let mut browser = asked(&world, "nina@example.com");
    let sent = code(&newest(&world, "nina@example.com"));
    let form = browser.code();
    world.advance(15 * 60 - 1);
    browser.send(&[("code", &sent)]);
    assert_eq!(browser.path, "/ui");
    browser.sign_out();
    let again = browser.send_to("/login/code", &form, &[("code", &sent)]);
    assert_eq!(again.status, 422, "{}", again.text);
    assert!(!browser.cookies.contains_key("guildhall-session"));
}

#[test]
fn decision_61_five_wrong_codes_end_a_code() {
    let world = world();
    let mut browser = asked(&world, "nina@example.com");
    let right = code(&newest(&world, "nina@example.com"));
    let wrong = if right == "0000 0000" { "1111 1111" } else { "0000 0000" };
    for typo in ["", "12", "1234567a", "123456789"] {
        let page = browser.send(&[("code", typo)]);
        assert!(page.status == 422 && page.text.contains("Enter the 8 digits"), "{}", page.text);
    }
    for left in ["4 more times", "3 more times", "2 more times", "once more"] {
        let page = browser.send(&[("code", wrong)]);
        assert_eq!(page.status, 422);
        assert!(page.text.contains(left) && page.text.contains("aria-invalid"), "{}", page.text);
    }
    let form = browser.code();
    assert!(browser.send(&[("code", wrong)]).text.contains("This code does not work any more"));
    let page = browser.send_to("/login/code", &form, &[("code", &right)]);
    assert_eq!(page.status, 422, "{}", page.text);
    // The link is the same sign-in.
    let link = newest(&world, "nina@example.com").link("/login/link/");
    assert_eq!(browser.visit(&link).status, 404);
}

#[test]
fn decision_61_a_new_code_replaces_only_that_of_its_browser() {
    let world = world();
    let mut first = asked(&world, "nina@example.com");
    let of_first = code(&newest(&world, "nina@example.com"));
    world.advance(1);
    let mut second = asked(&world, "nina@example.com");
    let of_second = code(&newest(&world, "nina@example.com"));
    world.advance(1);
    second.send(&[("answer", "again")]);
    let newer = code(&newest(&world, "nina@example.com"));
    assert!(second.send(&[("code", &of_second)]).text.contains("That is not the code"), "{}", second.page.text);
    second.send(&[("code", &newer)]);
    assert_eq!(second.path, "/ui");
    first.send(&[("code", &of_first)]);
    assert_eq!(first.path, "/ui");
}

#[test]
fn decision_61_a_link_signs_in_only_the_browser_that_asked() {
    let world = world();
    let mut browser = Browser::open(&world.base, "/login");
    browser.send(&[("email", "nina@example.com")]);
    let mail = newest(&world, "nina@example.com");
    let link = mail.link("/login/link/");
    let mut other = Browser::open(&world.base, &link);
    assert!(other.page.text.contains("Enter this code in the browser where you asked"), "{}", other.page.text);
    assert!(other.page.text.contains(&code(&mail)) && !other.page.text.contains("<form"), "{}", other.page.text);
    let own = other.code();
    other.send_to(&link, &own, &[]);
    assert!(!other.cookies.contains_key("guildhall-session"), "{:?}", other.cookies);
    // Looking signs in no one.
    for _ in 0..2 {
        assert!(browser.visit(&link).text.contains("Sign in as <bdi>nina</bdi>"), "{}", browser.page.text);
        assert!(!browser.cookies.contains_key("guildhall-session"));
    }
    browser.send(&[]);
    assert_eq!(browser.path, "/ui");
    assert!(browser.page.text.contains("Hello, <bdi>nina</bdi>"), "{}", browser.page.text);
    // A link that was used leads its person home, and no one else.
    let session = browser.cookies["guildhall-session"].clone();
    for _ in 0..2 {
        assert_eq!(browser.visit(&link).status, 200);
        assert_eq!(browser.path, "/ui");
    }
    assert_eq!(browser.cookies["guildhall-session"], session, "the same session");
    let mut max = signed_in(&world, "max");
    let unknown = format!("{}AAAA", &link[..link.len() - 4]);
    browser.sign_out();
    for browser in [&mut max, &mut browser] {
        let [used, unknown] = [&link, &unknown].map(|path| {
            assert_eq!(browser.visit(path).status, 404, "{path}");
            browser.page.text.split("<main").nth(1).expect("a page").to_owned()
        });
        assert!(used.contains("This link does not work any more") && used.contains("href=\"/login\""), "{used}");
        assert_eq!(used, unknown, "an unknown link is not told apart");
    }
}

#[test]
fn decision_61_the_mail_names_browser_network_and_time() {
    let world = world();
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0 <b>evil.example</b>";
    let client = world.anonymous().with("User-Agent", firefox);
    Browser::open_as(client, "/login").send(&[("email", "nina@example.com")]);
    let mail = newest(&world, "nina@example.com");
    for text in [&mail.text, &mail.html] {
        for wanted in ["Firefox on Linux", "127.0.0.1", "1 January 2026, 00:00 UTC"] {
            assert!(text.contains(wanted), "{wanted} in {text}");
        }
        assert!(!text.contains("evil"), "{text}");
    }
}

#[test]
fn decision_61_only_a_verified_address_of_an_active_account_gets_a_code() {
    let world = world();
    world.execute("UPDATE emails SET verified = FALSE WHERE email = 'tom@example.com'");
    world.sam().put("/users/eve/suspended", json!({})).expect(204);
    for address in ["tom@example.com", "eve@example.com", "nobody@example.com"] {
        asked(&world, address);
    }
    assert_eq!(mails(&world), 0);
    // An address that is no longer verified when the code is entered signs in no one.
    let mut browser = asked(&world, "max@example.com");
    let code = code(&newest(&world, "max@example.com"));
    world.execute("UPDATE emails SET verified = FALSE WHERE email = 'max@example.com'");
    assert_eq!(browser.send(&[("code", &code)]).status, 422);
    assert!(!browser.cookies.contains_key("guildhall-session"));
}

#[test]
fn decision_61_a_link_of_the_operator_works_for_ten_minutes() {
    let world = world();
    let print = || {
        let (site, now) = (std::sync::Arc::clone(&world.edge.service), world.now());
        let made = world.db.write(move |tx| {
            journal::lock(tx, &[Lock::Journal(journal::SITE)])?;
            let nina = user::by_login(tx, "nina")?;
            let (caller, links) = (Caller::default(), Links::default());
            let moment = Moment::new(now, std::net::Ipv4Addr::LOCALHOST.into(), "cli");
            signin::print(&mut Cx::new(tx, &caller, moment, &links, &site.site), &nina)
        });
        format!("/login/link/{}", world.block_on(made).expect("a link"))
    };
    let (late, early) = (print(), print());
    world.advance(10 * 60 - 1);
    let mut browser = Browser::open(&world.base, &early);
    browser.send(&[]);
    assert_eq!(browser.path, "/ui");
    world.advance(1);
    assert_eq!(Browser::open(&world.base, &late).page.status, 404);
}

#[test]
fn decision_61_a_site_may_switch_off_signing_in_by_mail() {
    let world = world();
    let mut browser = asked(&world, "nina@example.com");
    let mail = newest(&world, "nina@example.com");
    let strict = world.second_server_with(Settings { signin_by_mail: false, ..Settings::default() });
    let client = |path: &str| browser.with_cookie().get(&format!("{}{path}", strict.base));
    assert!(client("/login").text.contains("You cannot sign in by e-mail here"), "{}", client("/login").text);
    assert_eq!(client("/login/code").status, 403);
    assert_eq!(client(&mail.link("/login/link/")).status, 404);
    for (path, fields) in [("/login", ("email", "nina@example.com")), ("/login/code", ("code", code(&mail).as_str()))] {
        browser.visit(path);
        let form = Some(encoded(&[("form", &browser.code()), fields]));
        let answer = browser.with_cookie().send("POST", &format!("{}{path}", strict.base), form);
        assert!(answer.status == 403 || answer.header("set-cookie").is_none(), "{path}: {}", answer.text);
    }
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM sign_ins s ORDER BY s.id").len(), 1);
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM sessions s ORDER BY s.id"), []);
}

#[test]
fn decision_61_of_two_that_enter_a_code_at_once_one_signs_in() {
    let world = world();
    let browser = asked(&world, "nina@example.com");
    let sent = code(&newest(&world, "nina@example.com"));
    let form = encoded(&[("form", &browser.code()), ("code", &sent)]);
    let enter = || browser.with_cookie().send("POST", "/login/code", Some(form.clone())).status;
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..4).map(|_| scope.spawn(enter)).collect();
        running.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    assert_eq!(answers.iter().filter(|status| **status == 303).count(), 1, "{answers:?}");
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM sessions s ORDER BY s.id").len(), 1);
}

#[test]
fn decision_61_each_wrong_code_is_told_how_many_are_left() {
    let world = world();
    let browser = asked(&world, "nina@example.com");
    let right = code(&newest(&world, "nina@example.com"));
    let wrong = if right == "0000 0000" { "1111 1111" } else { "0000 0000" };
    let form = encoded(&[("form", &browser.code()), ("code", wrong)]);
    let enter = || browser.with_cookie().send("POST", "/login/code", Some(form.clone())).text;
    let pages: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..4).map(|_| scope.spawn(enter)).collect();
        running.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    for left in ["4 more times", "3 more times", "2 more times", "once more"] {
        assert_eq!(pages.iter().filter(|page| page.contains(left)).count(), 1, "{left}");
    }
}

#[test]
fn decision_61_what_is_no_address_is_told_beside_the_field() {
    let world = world();
    let mut browser = Browser::open(&world.base, "/login");
    for wrong in ["", "nina", "nina@", "@x", "a b@example.com", "<b>@x"] {
        let page = browser.send(&[("email", wrong)]);
        assert_eq!(page.status, 422, "{wrong}");
        assert!(page.text.contains("id=\"email-error\"") && page.text.contains("Error: Sign in"), "{}", page.text);
        assert!(!page.text.contains("<b>@x"), "{}", page.text);
    }
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM sign_ins"), []);
}
