//! The account that accepts an invitation: the link in the e-mail proves only who reads it (decision 27).

use super::mail_invitations::{all, world};
use super::pages_invitations::{gone, invited, invited_address, leading_back, sign_in, state};
use super::sign_in::{code, newest, signed_in};
use crate::support::browser::Browser;
use crate::support::{World, json};

fn tokens(world: &World) -> usize {
    world.rows::<(i64,)>("SELECT id FROM tokens").len()
}

fn is_signed_in(browser: &Browser) -> bool {
    browser.cookies.contains_key("guildhall-session")
}

#[test]
fn decision_27_a_person_without_an_account_chooses_a_login_and_is_signed_in() {
    let world = world();
    let link = invited_address(&world);
    let mut browser = Browser::open(&world.base, &link);
    assert!(browser.page.text.contains("A new one for <bdi>zoe@example.org</bdi>"), "{}", browser.page.text);
    for (wrong, wanted) in [
        ("", "Choose a login of 1 to 39"),
        ("-zoe", "Choose a login of 1 to 39"),
        ("ACME", "in use or was used before"),
        ("Tom", "in use or was used before"),
    ] {
        let page = browser.send(&[("answer", "accept"), ("login", wrong), ("name", "Zo\u{eb} \"Z\" <z>")]);
        assert_eq!(page.status, 422, "{wrong}");
        assert!(page.text.contains(wanted) && page.text.contains("Zo\u{eb} &#34;Z&#34; &#60;z&#62;"), "{}", page.text);
        assert!(!is_signed_in(&browser));
    }
    let before = tokens(&world);
    let home = browser.send(&[("answer", "accept"), ("login", "zoe"), ("name", "Zo\u{eb}")]);
    for wanted in ["Hello, <bdi>Zo\u{eb}</bdi>", "You joined acme.", "What you can do now", "zoe@example.org", "Core"] {
        assert!(home.text.contains(wanted), "{wanted} in {}", home.text);
    }
    assert_eq!((browser.path.as_str(), tokens(&world)), ("/ui?welcome=acme", before));
    assert_eq!(browser.visit("/ui/settings").status, 200);
    assert!(browser.page.text.contains("<bdi>zoe</bdi>"), "{}", browser.page.text);
    let log = world.sam().get("/admin/audit-log?phrase=action:session.create").json;
    assert_eq!(log[0]["actor"], "zoe");
    let zoe = world.client("zoe");
    let me = zoe.get("/user").expect(200).clone();
    assert_eq!(
        (&me["login"], &me["name"], &me["email"]),
        (&json!("zoe"), &json!("Zo\u{eb}"), &json!("zoe@example.org"))
    );
    assert_eq!(zoe.get("/user/emails").json[0]["verified"], true);
    assert_eq!(state(&world, "zoe"), "active");
    gone(&world, &link);
    let log = world.sam().get("/admin/audit-log?phrase=action:user.create").json;
    assert_eq!(log[0]["actor"], "zoe");
}

#[test]
fn decision_27_an_account_that_has_the_address_signs_in_to_join() {
    let world = world();
    let link = invited_address(&world);
    world.sam().post("/admin/users", json!({ "login": "zoe", "email": "Zoe@Example.org" })).expect(201);
    let mut browser = Browser::open(&world.base, &link);
    assert!(browser.page.text.contains("<dd>zoe</dd>"), "{}", browser.page.text);
    let refused = browser.send(&[("answer", "accept"), ("login", "other")]);
    assert_eq!(refused.status, 403, "{}", refused.text);
    assert!(!is_signed_in(&browser));
    assert_eq!((state(&world, "zoe").as_str(), world.sam().get("/users/other").status), ("none", 404));
    browser.visit(&link);
    sign_in(&world, &mut browser, "Zoe@Example.org");
    browser.send(&[("answer", "accept"), ("login", "other")]);
    assert!(browser.page.text.contains("You joined acme."), "{}", browser.page.text);
    assert_eq!((state(&world, "zoe").as_str(), world.sam().get("/users/other").status), ("active", 404));
}

#[test]
fn decision_27_a_forwarded_invitation_is_of_no_use_to_another_person() {
    let world = world();
    let by_login = invited(&world);
    world.register("una");
    let body = json!({ "email": "una@example.com" });
    world.olivia().post("/orgs/acme/invitations", body).expect(201);
    let to_address = newest(&world, "una@example.com").link("/ui/invitations/");
    let mut eve = signed_in(&world, "eve");
    for (link, invited) in [(&by_login, "nina"), (&to_address, "una")] {
        let page = eve.visit(link);
        let said = format!("Only <b>{invited}</b> can accept this invitation");
        assert!(page.text.contains(&said) && !page.text.contains("value=\"accept\""), "{}", page.text);
        assert_eq!(eve.send(&[("answer", "accept"), ("login", "other")]).status, 403);
        let mut stranger = Browser::open(&world.base, link);
        assert_eq!(stranger.send(&[("answer", "accept"), ("login", "other")]).status, 403);
        assert!(!is_signed_in(&stranger));
        assert_eq!(world.olivia().get(&format!("/orgs/acme/members/{invited}")).status, 404);
    }
    assert_eq!(world.sam().get("/users/other").status, 404);
    // The page lets her sign out, and then sign in as the invited person.
    eve.visit(&by_login);
    let code = attribute(&eve, "/login/out", "form");
    eve.send_to("/login/out", &code, &[]);
    assert_eq!(eve.path, leading_back(&by_login));
    assert!(!is_signed_in(&eve));
}

/// The value of a hidden field in the form in the content of the page that is sent there.
fn attribute(browser: &Browser, action: &str, name: &str) -> String {
    let main = browser.page.text.split_once("<main").expect("content").1;
    let form = main.split_once(&format!("action=\"{action}\"")).expect("a form").1;
    let field = form.split_once(&format!("name=\"{name}\" value=\"")).expect("a field").1;
    field.split('"').next().expect("its end").to_owned()
}

#[test]
fn decision_27_a_signed_in_person_may_accept_with_their_own_account() {
    let world = world();
    let link = invited_address(&world);
    let mut browser = Browser::open(&world.base, &link);
    sign_in(&world, &mut browser, "nina@example.com");
    assert!(browser.page.text.contains("Yours, <bdi>nina</bdi>"), "{}", browser.page.text);
    assert!(!browser.page.text.contains("id=\"login\""), "{}", browser.page.text);
    // It makes an e-mail address, which needs a recent sign-in.
    let accounts = world.rows::<(i64,)>("SELECT id FROM users").len();
    world.advance(15 * 60);
    let confirm = browser.send(&[("answer", "accept")]);
    assert_eq!(confirm.status, 403, "{}", confirm.text);
    assert!(confirm.text.contains("Confirm it’s you"), "{}", confirm.text);
    assert_eq!(
        (state(&world, "nina").as_str(), world.nina().get("/user/emails").json.as_array().map(Vec::len)),
        ("none", Some(1))
    );
    browser.path.clone_from(&link);
    sign_in(&world, &mut browser, "nina@example.com");
    browser.send(&[("answer", "accept"), ("login", "other")]);
    assert!(browser.page.text.contains("You joined acme."), "{}", browser.page.text);
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM users").len(), accounts);
    assert_eq!(state(&world, "nina"), "active");
    let emails = world.nina().get("/user/emails");
    assert_eq!(emails.each("email"), ["nina@example.com", "zoe@example.org"]);
    assert_eq!(
        (emails.each("verified"), emails.each("primary")),
        (vec![json!(true); 2], vec![json!(true), json!(false)])
    );
    assert_eq!(
        newest(&world, "nina@example.com").header("Subject"),
        "The e-mail addresses of your account nina have changed"
    );
    // What is hers now is hers alone.
    let mut signing = Browser::open(&world.base, "/login");
    signing.send(&[("email", "zoe@example.org")]);
    signing.send(&[("code", &code(&newest(&world, "zoe@example.org")))]);
    assert!(signing.page.text.contains("Hello, <bdi>nina</bdi>"), "{}", signing.page.text);
}

#[test]
fn decision_27_an_address_that_was_verified_in_the_meantime_makes_no_account() {
    let world = world();
    let link = invited_address(&world);
    let mut browser = Browser::open(&world.base, &link);
    let mut own = signed_in(&world, "eve");
    own.visit(&link);
    world
        .sam()
        .post("/admin/users/nina/emails", json!({ "emails": ["zoe@example.org"], "verified": true }))
        .expect(201);
    for browser in [&mut browser, &mut own] {
        assert_eq!(browser.send(&[("answer", "accept"), ("login", "zoe")]).status, 403);
    }
    assert!(!is_signed_in(&browser));
    assert_eq!((state(&world, "zoe").as_str(), state(&world, "eve").as_str()), ("none", "none"));
    assert_eq!(world.eve().get("/user/emails").each("email"), ["eve@example.com"]);
}

#[test]
fn decision_27_an_address_beside_a_person_gives_no_account_and_no_address() {
    let world = world();
    let nina = world.nina().get("/user").json["id"].clone();
    let body = json!({ "invitee_id": nina, "email": "elsewhere@example.org" });
    world.olivia().post("/orgs/acme/invitations", body).expect(201);
    let mail = all(&world, 1).remove(0);
    assert_eq!(mail.to(), "elsewhere@example.org");
    let mut browser = Browser::open(&world.base, &mail.link("/ui/invitations/"));
    assert!(browser.page.text.contains("Sign in to accept"), "{}", browser.page.text);
    assert_eq!(browser.send(&[("answer", "accept"), ("login", "other")]).status, 403);
    assert_eq!(world.olivia().get("/orgs/acme/members/nina").status, 404);
    world.nina().patch("/user/memberships/orgs/acme", json!({ "state": "active" })).expect(200);
    assert_eq!(world.nina().get("/user/emails").each("email"), ["nina@example.com"]);
}

#[test]
fn decision_27_the_link_of_an_existing_account_may_decline() {
    let world = world();
    let link = invited(&world);
    let mut browser = Browser::open(&world.base, &link);
    let declined = browser.send(&[("answer", "decline")]);
    assert!(declined.text.contains("You declined the invitation"), "{}", declined.text);
    assert!(!is_signed_in(&browser));
    assert_eq!(state(&world, "nina"), "none");
    // The link proves no account, so the audit names none.
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:org.decline_invitation").json;
    assert_eq!((&log[0]["actor"], log.as_array().map(Vec::len)), (&json!(null), Some(1)), "{log}");
}
