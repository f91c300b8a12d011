//! The settings of a person (decisions 41, 61 and 72).

use std::collections::BTreeSet;

use guildhall::operations::operations;

use super::decisions_emails::listed;
use super::mail_invitations::{all, world};
use super::sign_in::{code, newest, signed_in};
use crate::support::browser::{Browser, encoded};
use crate::support::{Client, World, json};

const EMAILS: &str = "/ui/settings/emails";

const TOKENS: &str = "/ui/settings/tokens";

/// Sends the form of a room with these fields.
fn send(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> u16 {
    browser.visit(path);
    let code = browser.code();
    browser.send_to(path, &code, fields).status
}

/// The text of the token that the page shows.
fn shown_token(browser: &Browser) -> String {
    let after = browser.page.text.split("<pre class=\"secret\"><code>").nth(1).expect("a token");
    after.split('<').next().unwrap_or_default().to_owned()
}

/// Tokens of this person, by ID.
fn tokens(world: &World, login: &str) -> Vec<(i64, String)> {
    let all: Vec<(i64, String, String)> =
        world.rows("SELECT t.id, u.login, t.scopes FROM tokens t JOIN users u ON u.id = t.user_id ORDER BY t.id");
    all.into_iter().filter(|(_, of, _)| of == login).map(|(id, _, scopes)| (id, scopes)).collect()
}

#[test]
fn decision_61_each_part_of_the_settings_has_a_room_for_signed_in_people() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    for (path, shown) in [
        ("/ui/settings", "<h2 id=\"profile\">"),
        (EMAILS, "nina@example.com"),
        ("/ui/settings/sessions", "Where you are signed in"),
        (TOKENS, "You have no tokens"),
        ("/ui/settings/notifications", "E-mail about posts"),
    ] {
        let page = nina.visit(path);
        assert!(page.status == 200 && page.text.contains(shown), "{path}: {}", page.text);
        assert_eq!(page.text.matches("aria-current=\"page\"").count(), 1, "{path}");
        assert_eq!(page.header("cache-control"), Some("no-store"));
        assert!(Browser::open(&world.base, path).path.starts_with("/login?return_to="), "{path}");
    }
    for path in ["/ui/settings/x", "/ui/settings/emails/x"] {
        assert_eq!(nina.visit(path).status, 404, "{path}");
    }
}

#[test]
fn decision_72_a_person_changes_their_name_on_a_page() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    send(&mut nina, "/ui/settings", &[("name", " Nina Ångström <3 ")]);
    assert!(nina.page.text.contains("Saved.") && nina.page.text.contains("value=\"Nina Ångström &#60;3\""));
    assert_eq!(world.olivia().get("/users/nina").expect(200)["name"], "Nina Ångström <3");
    let long = "x".repeat(256);
    for wrong in [long.as_str(), "a\u{202e}b"] {
        assert_eq!(send(&mut nina, "/ui/settings", &[("name", wrong)]), 422);
        let page = &nina.page.text;
        assert!(
            page.contains("id=\"name-error\"") && page.contains("Error: Profile") && page.contains(wrong),
            "{page}"
        );
    }
    send(&mut nina, "/ui/settings", &[("name", "")]);
    assert_eq!(world.olivia().get("/users/nina").expect(200)["name"], json!(null));
}

#[test]
fn decision_72_a_person_changes_their_addresses_on_a_page() {
    let world = world();
    let mut tom = signed_in(&world, "tom");
    assert_eq!(send(&mut tom, EMAILS, &[("do", "add"), ("email", "tom+1@example.net")]), 200);
    assert!(tom.page.text.contains("This site has no mail server.") && tom.page.text.contains("Not verified"));
    all(&world, 2);
    send(&mut tom, EMAILS, &[("do", "again"), ("email", "tom+1@example.net")]);
    let mail = all(&world, 3).remove(2);
    tom.visit(&mail.link("/ui/emails/"));
    tom.send(&[]);
    assert_eq!(listed(&world.tom())[1], ("tom+1@example.net".into(), false, true));
    send(&mut tom, EMAILS, &[("do", "primary"), ("email", "tom+1@example.net")]);
    assert_eq!(listed(&world.tom())[1], ("tom+1@example.net".into(), true, true));
    for (word, shown) in [("show", json!("tom+1@example.net")), ("hide", json!(null))] {
        send(&mut tom, EMAILS, &[("do", word)]);
        assert_eq!(world.olivia().get("/users/tom").expect(200)["email"], shown);
    }
    // Before an address goes, a page asks; the link to it has the address encoded.
    let ask = format!("{EMAILS}?remove=tom%2B1%40example.net");
    assert!(tom.visit(EMAILS).text.contains(&ask), "{}", tom.page.text);
    assert!(tom.visit(&ask).text.contains("Remove tom+1@example.net?"), "{}", tom.page.text);
    assert_eq!(listed(&world.tom()).len(), 2);
    tom.send(&[("email", "tom+1@example.net"), ("do", "remove")]);
    assert!(tom.page.text.contains("Address removed."), "{}", tom.page.text);
    assert_eq!(listed(&world.tom()), [("tom@example.com".into(), true, true)]);
    assert!(!tom.page.text.contains("?remove="), "the last one cannot be removed: {}", tom.page.text);
    assert_eq!(tom.visit(&format!("{EMAILS}?remove=max%40example.com")).status, 404);
}

#[test]
fn decision_72_what_is_wrong_with_an_address_is_told_on_the_page() {
    let world = world();
    let mut tom = signed_in(&world, "tom");
    assert_eq!(send(&mut tom, EMAILS, &[("do", "add"), ("email", "tom<at>home")]), 422);
    let page = &tom.page.text;
    for wanted in ["id=\"email-error\"", "Error: E-mail addresses", "value=\"tom&#60;at&#62;home\"", "aria-invalid"] {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    assert_eq!(send(&mut tom, EMAILS, &[("do", "remove"), ("email", "tom@example.com")]), 422);
    assert!(tom.page.text.contains("The last verified e-mail address cannot be removed"), "{}", tom.page.text);
    assert!(!tom.page.text.contains("aria-invalid"), "{}", tom.page.text);
    assert_eq!(send(&mut tom, EMAILS, &[("do", "remove"), ("email", "max@example.com")]), 200);
    assert_eq!(tom.path, format!("{EMAILS}?done=gone"));
    for (word, email) in [("", ""), ("give", "x@example.com")] {
        assert_eq!(send(&mut tom, EMAILS, &[("do", word), ("email", email)]), 404, "{word}");
    }
    assert_eq!(listed(&world.tom()), [("tom@example.com".into(), true, true)]);
}

#[test]
fn decision_61_where_a_recent_sign_in_is_needed_the_page_leads_through_it_and_back() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    for (path, add, fields) in [
        (EMAILS, "value=\"add\"", [("do", "add"), ("email", "nina@example.net")]),
        (TOKENS, "value=\"make\"", [("do", "make"), ("note", "mine")]),
    ] {
        assert!(nina.visit(path).text.contains(add), "{}", nina.page.text);
        let code = nina.code();
        world.advance(15 * 60);
        let page = nina.send_to(path, &code, &fields);
        assert!(page.status == 403 && page.text.contains("Nothing was changed"), "{}", page.text);
        // Before anything is typed again, the page itself says so.
        assert!(!nina.visit(path).text.contains(add), "{}", nina.page.text);
        let back = format!("/login?return_to={}", path.replace('/', "%2F"));
        assert!(nina.page.text.contains(&format!("href=\"{back}\"")), "{}", nina.page.text);
        nina.visit(&back);
        nina.send(&[("email", "nina@example.com")]);
        let digits = code_of(&world);
        nina.send(&[("code", &digits)]);
        assert_eq!(nina.path, path);
        assert!(nina.page.text.contains(add), "{}", nina.page.text);
        assert_eq!(nina.send_to(path, &code, &fields).status, 403, "the form of the session before");
        assert!(nina.page.text.contains("This form cannot be used"), "{}", nina.page.text);
    }
    assert_eq!(world.rows::<(i64,)>("SELECT id FROM emails WHERE email = 'nina@example.net'"), []);
    assert_eq!(tokens(&world, "nina"), []);
}

fn code_of(world: &World) -> String {
    code(&newest(world, "nina@example.com"))
}

#[test]
fn decision_41_a_person_makes_and_revokes_their_tokens() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let make =
        [("do", "make"), ("note", "<b>Rota</b>"), ("scope", "read:org"), ("scope", "user:email"), ("days", "30")];
    assert_eq!(send(&mut nina, TOKENS, &make), 200);
    let text = shown_token(&nina);
    let page = &nina.page.text;
    for wanted in
        ["&#60;b&#62;Rota", "See your organizations", "See your e-mail addresses.", "never used", "31 January"]
    {
        assert!(page.contains(wanted), "{wanted} in {page}");
    }
    assert_eq!(nina.page.header("cache-control"), Some("no-store"));
    let client = Client::new(&world.base, Some(&text));
    assert_eq!(client.get("/user/emails").header("x-oauth-scopes"), Some("read:org, user:email"));
    assert_eq!(client.patch("/user", json!({ "name": "x" })).status, 404);
    assert!(!nina.visit(TOKENS).text.contains(&text), "it is shown once");
    let log = world.sam().get("/admin/audit-log?phrase=action:oauth_access.create").json;
    assert_eq!((&log[0]["actor"], log.to_string().contains(&text)), (&json!("nina"), false));
    let (id, _) = tokens(&world, "nina").pop().expect("a token");
    let of = id.to_string();
    // It is no one else's to revoke, and a page asks first.
    let mut tom = signed_in(&world, "tom");
    assert_eq!(tom.visit(&format!("{TOKENS}?revoke={of}")).status, 404);
    assert_eq!(send(&mut tom, TOKENS, &[("do", "revoke"), ("token", &of)]), 200);
    assert_eq!(tom.path, format!("{TOKENS}?done=gone"));
    assert!(nina.visit(&format!("{TOKENS}?revoke={of}")).text.contains("Revoke &#60;b&#62;Rota&#60;/b&#62;?"));
    client.get("/user").expect(200);
    nina.send(&[("token", &of), ("do", "revoke")]);
    assert!(nina.page.text.contains("Token revoked."), "{}", nina.page.text);
    client.get("/user").refused(401, "Bad credentials");
    send(&mut nina, TOKENS, &[("do", "revoke"), ("token", &of)]);
    assert_eq!(nina.path, format!("{TOKENS}?done=gone"));
}

#[test]
fn decision_41_a_token_without_scopes_and_one_without_end_can_be_made() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    send(&mut nina, TOKENS, &[("do", "make"), ("note", "plain"), ("days", "")]);
    assert!(nina.page.text.contains("See what everyone can see.") && nina.page.text.contains("does not expire"));
    send(&mut nina, TOKENS, &[("do", "make"), ("note", "week"), ("days", "7")]);
    let text = shown_token(&nina);
    world.advance(7 * 24 * 60 * 60);
    Client::new(&world.base, Some(&text)).get("/user").refused(401, "Bad credentials");
    assert!(nina.visit(TOKENS).text.contains("<span class=\"badge\">Expired</span>"), "{}", nina.page.text);
}

#[test]
fn decision_41_what_is_wrong_with_a_token_is_told_beside_the_field() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let long = "x".repeat(256);
    for (field, fields) in [
        ("note", [("note", ""), ("scope", "repo"), ("days", "30")]),
        ("note", [("note", &long), ("scope", "repo"), ("days", "30")]),
        ("note", [("note", "a\nb"), ("scope", "repo"), ("days", "30")]),
        ("scopes", [("note", "x"), ("scope", "everything"), ("days", "30")]),
        ("scopes", [("note", "x"), ("scope", "site_admin"), ("days", "30")]),
        ("days", [("note", "x"), ("scope", "repo"), ("days", "0")]),
        ("days", [("note", "x"), ("scope", "repo"), ("days", "367")]),
        ("days", [("note", "x"), ("scope", "repo"), ("days", "-9223372036854775808")]),
    ] {
        let fields: Vec<_> = [("do", "make")].into_iter().chain(fields).collect();
        assert_eq!(send(&mut nina, TOKENS, &fields), 422, "{fields:?}");
        let page = &nina.page.text;
        assert!(page.contains(&format!("<a href=\"#{field}\">")) && page.contains("Error: Tokens"), "{page}");
        assert!(page.contains(&format!("name=\"scope\" value=\"{}\"", "repo")), "{page}");
    }
    assert_eq!(send(&mut nina, TOKENS, &[("do", "make"), ("note", "x"), ("days", "x")]), 404);
    assert_eq!(tokens(&world, "nina"), []);
    // What was typed is still there.
    send(&mut nina, TOKENS, &[("do", "make"), ("note", ""), ("scope", "repo"), ("days", "7")]);
    let page = &nina.page.text;
    assert!(page.contains("value=\"repo\" checked") && page.contains("<option value=\"7\" selected>"), "{page}");
}

#[test]
fn decision_41_a_person_makes_at_most_a_hundred_tokens() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    for n in 0..100 {
        assert_eq!(send(&mut nina, TOKENS, &[("do", "make"), ("note", &n.to_string()), ("days", "7")]), 200);
    }
    assert_eq!(send(&mut nina, TOKENS, &[("do", "make"), ("note", "more"), ("days", "7")]), 422);
    assert!(nina.page.text.contains("You have 100 tokens. Revoke one first."), "{}", nina.page.text);
    assert_eq!(tokens(&world, "nina").len(), 100);
}

#[test]
fn decision_42_the_token_of_an_administrator_is_shown_and_stays() {
    let world = world();
    let made = world.sam().post("/admin/users/nina/authorizations", json!({ "scopes": ["user"] })).expect(201).clone();
    let mut nina = signed_in(&world, "nina");
    assert!(nina.visit(TOKENS).text.contains("Of a site administrator"), "{}", nina.page.text);
    let id = made["id"].to_string();
    assert_eq!(nina.visit(&format!("{TOKENS}?revoke={id}")).status, 404);
    assert_eq!(send(&mut nina, TOKENS, &[("do", "revoke"), ("token", &id)]), 200);
    assert_eq!(nina.path, format!("{TOKENS}?done=gone"));
    Client::new(&world.base, made["token"].as_str()).get("/user").expect(200);
}

#[test]
fn decision_41_every_scope_that_operations_accept_can_be_chosen() {
    let world = world();
    world.sam().put("/users/max/site_admin", json!({})).expect(204);
    let offered = |login: &str| signed_in(&world, login).visit(TOKENS).text.clone();
    let (mine, of_admin) = (offered("nina"), offered("max"));
    let operations = operations();
    let accepted: BTreeSet<&str> = operations.iter().flat_map(|row| row.scopes.header().split(", ")).collect();
    for scope in accepted.into_iter().filter(|scope| !scope.is_empty()) {
        let field = format!("name=\"scope\" value=\"{scope}\"");
        assert!(of_admin.contains(&field), "{scope}");
        assert_eq!(mine.contains(&field), scope != "site_admin", "{scope}");
    }
    let mut max = signed_in(&world, "max");
    send(&mut max, TOKENS, &[("do", "make"), ("note", "site"), ("scope", "site_admin"), ("days", "7")]);
    Client::new(&world.base, Some(&shown_token(&max))).get("/admin/audit-log").expect(200);
}

#[test]
fn decision_37_a_person_chooses_e_mails_about_posts_on_a_page() {
    let world = world();
    let path = "/ui/settings/notifications";
    let mut nina = signed_in(&world, "nina");
    assert!(nina.visit(path).text.contains("value=\"all\" checked"), "{}", nina.page.text);
    send(&mut nina, path, &[("posts", "mentions")]);
    assert!(nina.page.text.contains("Saved.") && nina.page.text.contains("value=\"mentions\" checked"));
    assert_eq!(world.client("nina").get("/user/mail").expect(200)["posts"], "mentions");
    assert_eq!(send(&mut nina, path, &[("posts", "some")]), 422);
    assert_eq!(world.client("nina").get("/user/mail").expect(200)["posts"], "mentions");
}

#[test]
fn decision_61_forms_of_the_settings_are_not_forged() {
    let world = world();
    let mut nina = signed_in(&world, "nina");
    let eve = {
        let mut eve = signed_in(&world, "eve");
        eve.visit(TOKENS);
        eve.code()
    };
    let rooms = ["/ui/settings", EMAILS, "/ui/settings/sessions", TOKENS, "/ui/settings/notifications"];
    let codes = rooms.map(|path| {
        nina.visit(path);
        nina.code()
    });
    let fields = |code: &str| {
        Some(encoded(&[("form", code), ("do", "make"), ("note", "evil"), ("name", "evil"), ("end", "all")]))
    };
    for (at, path) in rooms.iter().enumerate() {
        let others = codes.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, code)| code.as_str());
        for code in others.chain(["", "x", &eve]) {
            assert_eq!(nina.with_cookie().send("POST", path, fields(code)).status, 403, "{path} {code}");
        }
        for (name, value) in [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "same-site")] {
            let foreign = nina.with_cookie().with(name, value).send("POST", path, fields(&codes[at]));
            assert_eq!(foreign.status, 403, "{path}");
        }
        // A token of the API opens no page.
        let client = world.client("nina").send("POST", path, fields(&codes[at]));
        assert!(client.header("location").is_some_and(|to| to.starts_with("/login")), "{path}: {}", client.status);
    }
    nina.visit(TOKENS);
    assert_eq!(nina.path, TOKENS, "the session goes on");
    assert_eq!(tokens(&world, "nina").len(), 1, "only that of the test's client");
    assert_eq!(world.olivia().get("/users/nina").expect(200)["name"], json!(null));
}
