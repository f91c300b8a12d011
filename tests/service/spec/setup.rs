//! The set-up link and its page (decision 71).

use guildhall::db::{Lock, Tx};
use guildhall::error::Result;
use guildhall::journal::{self, Author};
use guildhall::setup;

use super::sign_in::newest;
use crate::support::browser::{Browser, encoded};
use crate::support::world::Settings;
use crate::support::{World, dump, json};

const DAY: i64 = 86_400;

/// The fields of a form that sets up.
const FIELDS: [(&str, &str); 4] =
    [("org", "Acme"), ("login", "olivia"), ("name", "Olivia Ögren"), ("email", "olivia@example.com")];

/// A site that no one has set up.
fn world() -> World {
    World::empty(Settings { delivers: true, ..Settings::default() })
}

/// The token of a new link, if there is something to set up.
fn renewed(world: &World) -> impl Future<Output = Result<Option<String>>> + Send + use<> {
    let (now, db) = (world.now(), world.db.clone());
    async move {
        db.write(move |tx: &mut Tx<'_>| {
            journal::lock(tx, &[Lock::Journal(journal::SITE)])?;
            setup::renew(tx, &Author::program(&[7; 32], now, "setup"))
        })
        .await
    }
}

/// The path of a new link.
fn link(world: &World) -> String {
    let token = world.block_on(renewed(world)).expect("an answer").expect("a link");
    format!("/ui/setup/{token}")
}

fn logins(world: &World) -> Vec<(String,)> {
    world.rows("SELECT login_key FROM logins ORDER BY login_key")
}

/// True if the page of a link is gone in this browser, and a form for it too.
fn is_gone(world: &World, browser: &mut Browser, path: &str, form: &str) -> bool {
    let before = logins(world);
    let shown = browser.visit(path).status;
    let sent = browser.send_to(path, form, &FIELDS).status;
    assert_eq!(logins(world), before, "{path}");
    (shown, sent) == (404, 404)
}

#[test]
fn decision_71_a_set_up_link_makes_the_first_organization_and_its_owner() {
    let world = world();
    let path = link(&world);
    assert!(!dump::everything(&world).contains(path.trim_start_matches("/ui/setup/")), "the token is stored");
    let mut browser = Browser::open(&world.base, &path);
    assert!(browser.page.text.contains("Set up Guildhall"), "{}", browser.page.text);
    browser.send(&FIELDS);
    let page = browser.page.text.clone();
    assert_eq!(browser.page.status, 200, "{page}");
    for wanted in ["Acme is ready.", "e-mails are saved as files", "guildhall user sign-in olivia"] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    browser.visit("/ui");
    for wanted in ["Hello, <bdi>Olivia Ögren</bdi>", "<bdi>Acme</bdi></a> <small>You are an owner."] {
        assert!(browser.page.text.contains(wanted), "{wanted} in {}", browser.page.text);
    }
    assert_eq!(world.sam().get("/users/olivia").expect(200)["site_admin"], true);
    let olivia = world.olivia();
    assert_eq!(olivia.get("/orgs/Acme/memberships/olivia").expect(200)["role"], "admin");
    let address = |verified| {
        json!([{ "email": "olivia@example.com", "primary": verified, "verified": verified,
                                      "visibility": if verified { json!("private") } else { json!(null) } }])
    };
    assert_eq!(*olivia.get("/user/emails").expect(200), address(false));
    let mail = newest(&world, "olivia@example.com").link("/ui/emails/");
    browser.visit(&mail);
    browser.send(&[]);
    assert_eq!(*olivia.get("/user/emails").expect(200), address(true));
    for (action, actor) in [
        ("setup_link.create", json!(null)),
        ("user.create", json!("olivia")),
        ("user.promote", json!("olivia")),
        ("user.add_email", json!("olivia")),
        ("session.create", json!("olivia")),
    ] {
        let log = world.sam().get(&format!("/admin/audit-log?phrase=action:{action}")).json;
        assert_eq!(log[0]["actor"], actor, "{action}: {log}");
    }
    assert_eq!(olivia.get("/orgs/Acme/audit-log?phrase=action:org.create").json[0]["actor"], "olivia");
}

#[test]
fn decision_71_with_a_mail_server_the_page_says_that_an_e_mail_is_on_its_way() {
    let smtp = guildhall::config::Smtp {
        host: "127.0.0.1".to_owned(),
        port: 9,
        tls: guildhall::config::Security::Off,
        credentials: None,
    };
    let world = World::empty(Settings { smtp: Some(smtp), ..Settings::default() });
    let mut browser = Browser::open(&world.base, &link(&world));
    browser.send(&FIELDS);
    let page = &browser.page.text;
    assert!(page.contains("An e-mail to <bdi>olivia@example.com</bdi> is on its way."), "{page}");
    assert!(page.contains("guildhall user sign-in olivia") && !page.contains("saved as files"), "{page}");
}

#[test]
fn decision_71_what_is_wrong_in_the_form_is_said_at_its_field_and_changes_nothing() {
    let world = world();
    let mut browser = Browser::open(&world.base, &link(&world));
    let before = dump::everything(&world);
    for (field, value, why) in [
        ("org", "", "Enter the name of the organization."),
        ("org", "Öl", "Use only letters a to z, digits, dots"),
        ("org", "site-admin", "is reserved"),
        ("org", "olivia", "is in use or was used before"),
        ("org", "settings", "is reserved"),
        ("login", "-x-", "Choose a login of 1 to 39 letters"),
        ("login", "site-admin", "is reserved"),
        ("name", "a\u{7}b", ""),
        ("email", "olivia", "This is not a valid e-mail address"),
        ("email", "", "Enter your e-mail address."),
    ] {
        let fields = FIELDS.map(|(name, usual)| (name, if name == field { value } else { usual }));
        let page = browser.send(&fields);
        assert_eq!(page.status, 422, "{field}: {}", page.text);
        assert!(page.text.contains(&format!("<a href=\"#{field}\">")) && page.text.contains(why), "{}", page.text);
        assert!(page.text.contains(&format!("id=\"{field}-error\"")), "{}", page.text);
        let other = if field == "email" { "value=\"olivia\"" } else { "value=\"olivia@example.com\"" };
        assert!(page.text.contains(other), "{}", page.text);
    }
    assert_eq!(dump::everything(&world), before);
    assert_eq!(browser.send(&FIELDS).status, 200);
}

#[test]
fn decision_71_a_set_up_link_works_once() {
    let world = world();
    let path = link(&world);
    let (mut browser, mut other) = (Browser::open(&world.base, &path), Browser::open(&world.base, &path));
    let (form, others) = (browser.code(), other.code());
    browser.send(&FIELDS);
    assert!(is_gone(&world, &mut browser, &path, &form));
    assert!(is_gone(&world, &mut other, &path, &others));
    assert!(world.block_on(renewed(&world)).expect("an answer").is_none(), "there is nothing to set up");
}

#[test]
fn decision_71_a_set_up_link_works_for_a_day_until_the_next_one() {
    let world = world();
    let first = link(&world);
    let mut browser = Browser::open(&world.base, &first);
    let form = browser.code();
    let second = link(&world);
    assert!(is_gone(&world, &mut browser, &first, &form));
    world.advance(DAY - 1);
    assert_eq!(browser.visit(&second).status, 200);
    let form = browser.code();
    world.advance(1);
    assert!(is_gone(&world, &mut browser, &second, &form));
}

#[test]
fn decision_71_a_set_up_link_ends_with_the_first_account_and_the_first_organization() {
    for is_account in [true, false] {
        let world = world();
        let path = link(&world);
        let mut browser = Browser::open(&world.base, &path);
        let form = browser.code();
        if is_account {
            world.register("nina");
        } else {
            world.organization("beta", "site-admin", &[]);
        }
        assert!(is_gone(&world, &mut browser, &path, &form));
        assert!(world.block_on(renewed(&world)).expect("an answer").is_none());
    }
}

#[test]
fn decision_71_a_guessed_set_up_link_is_not_found() {
    let world = world();
    let path = link(&world);
    let upper = path.to_uppercase().replace("/UI/SETUP", "/ui/setup");
    let mut browser = Browser::open(&world.base, &path);
    let form = browser.code();
    for guess in ["/ui/setup", "/ui/setup/", "/ui/setup/x", &path[..path.len() - 1], &format!("{path}0"), &upper] {
        assert!(is_gone(&world, &mut browser, guess, &form), "{guess}");
    }
    assert_eq!(Browser::open(&world.base, "/ui/setup").page.status, 404);
    world.execute("DELETE FROM site WHERE name = 'setup_link'");
    for guess in [&path, "/ui/setup/", "/ui/setup/x"] {
        assert!(is_gone(&world, &mut browser, guess, &form), "{guess}");
    }
}

#[test]
fn decision_71_a_forged_form_sets_nothing_up() {
    let world = world();
    let path = link(&world);
    let browser = Browser::open(&world.base, &path);
    let policy = browser.page.header("content-security-policy").expect("a policy").to_owned();
    assert!(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"), "{policy}");
    assert_eq!(browser.page.header("referrer-policy"), Some("same-origin"));
    assert_eq!(browser.page.header("cache-control"), Some("no-store"));
    let before = dump::everything(&world);
    let (form, other) = (browser.code(), Browser::open(&world.base, &path).code());
    let sent = |form: &str| Some(encoded(&[&[("form", form)], &FIELDS[..]].concat()));
    for forged in ["", "x", &other] {
        assert_eq!(browser.with_cookie().send("POST", &path, sent(forged)).status, 403);
    }
    assert_eq!(world.anonymous().send("POST", &path, sent(&form)).status, 403);
    for (name, value) in [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
        assert_eq!(browser.with_cookie().with(name, value).send("POST", &path, sent(&form)).status, 403, "{name}");
    }
    let query = sent(&form).expect("fields");
    assert_eq!(browser.with_cookie().get(&format!("{path}?{query}")).status, 200);
    assert_eq!(dump::everything(&world), before);
}

#[test]
fn decision_71_of_two_uses_at_once_one_sets_up() {
    let world = world();
    let second = world.second_server();
    let path = link(&world);
    let browsers = [&world, &second].map(|node| Browser::open(&node.base, &path));
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let uses = browsers.into_iter().zip(["one", "two"]).map(|(mut browser, login)| {
            scope.spawn(move || {
                let email = format!("{login}@example.com");
                let fields = [("org", &*format!("acme-{login}")), ("login", login), ("name", ""), ("email", &email)];
                browser.send(&fields).status
            })
        });
        let uses: Vec<_> = uses.collect();
        uses.into_iter().map(|used| used.join().expect("an answer")).collect()
    });
    let mut sorted = answers.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [200, 404], "{answers:?}");
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM orgs"), [(1,)]);
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM users"), [(2,)]);
}

#[test]
fn decision_71_of_two_starts_at_once_one_has_a_link() {
    let world = world();
    let second = world.second_server();
    let (one, two) = (renewed(&world), renewed(&second));
    let (one, two) = std::thread::scope(|scope| {
        let one = scope.spawn(|| world.block_on(one));
        let two = scope.spawn(|| second.block_on(two));
        (one.join().expect("an answer"), two.join().expect("an answer"))
    });
    let paths = [one, two].map(|made| format!("/ui/setup/{}", made.expect("an answer").expect("a link")));
    let works = paths.iter().filter(|path| Browser::open(&world.base, path).page.status == 200);
    assert_eq!(works.count(), 1);
}

#[test]
fn decision_71_the_login_is_made_from_the_name_of_the_organization() {
    for (typed, login, name) in
        [("Acme Tools Co.", "Acme-Tools-Co", json!("Acme Tools Co.")), ("acme", "acme", json!(""))]
    {
        let world = world();
        let mut browser = Browser::open(&world.base, &link(&world));
        let fields = FIELDS.map(|(field, usual)| (field, if field == "org" { typed } else { usual }));
        browser.send(&fields);
        assert!(browser.page.text.contains(&format!("{login} is ready.")), "{}", browser.page.text);
        let org = world.olivia().get(&format!("/orgs/{login}")).expect(200).clone();
        assert_eq!((&org["login"], &org["name"]), (&json!(login), &name));
    }
}
