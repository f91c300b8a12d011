//! The people of the site, as its administrators see them: finding, creating, suspending and deleting (decisions 21, 22, 42,
//! 61 and 72).

use super::given;
use super::pages_admin::{encoded, next, world};
use super::pages_organization::sound;
use super::pages_team::{hidden, send, shows};
use super::sign_in::signed_in;
use super::sign_in_recent::call;
use crate::support::browser::Browser;
use crate::support::{World, json};

const PEOPLE: &str = "/ui/admin/people";
const TOM: &str = "/ui/admin/users/tom";

/// The logins of the people in the list.
fn listed(browser: &Browser) -> Vec<String> {
    let links = browser.page.text.split("<span class=\"who\"><a href=\"/ui/admin/users/").skip(1);
    links.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

#[test]
fn decision_61_people_are_found_by_login_name_and_address() {
    let world = world();
    given::run(&world, "UPDATE users SET name = 'Ada <b>Nord</b>' WHERE login = 'nina'");
    world.sam().put("/users/eve/suspended", json!({})).expect(204);
    world.sam().post("/admin/users/tom/emails", json!(["Second.Tom@Example.org"])).expect(201);
    let mut max = signed_in(&world, "max");
    max.visit(PEOPLE);
    sound(&max.page.text);
    shows(
        &max,
        &["nina@example.com", "Ada &#60;b&#62;Nord", ">Suspended</span>", ">Site administrator</span>"],
        &["<b>Nord"],
    );
    assert_eq!(listed(&max), ["site-admin", "olivia", "max", "tom", "eve", "ray", "nina"]);
    for (q, expected) in [
        ("nina", vec!["nina"]),
        ("NI", vec!["nina"]),
        ("ada", vec!["nina"]),
        ("nord", vec!["nina"]),
        ("nina@ex", vec!["nina"]),
        ("second.TOM", vec!["tom"]),
        ("a", vec!["site-admin", "olivia", "max", "ray", "nina"]),
        ("zzz", vec![]),
        ("%25", vec![]),
        ("%3Cx%3E", vec![]),
        ("example.com", vec![]),
    ] {
        max.visit(&format!("{PEOPLE}?q={q}"));
        assert_eq!(listed(&max), expected, "{q}");
        shows(&max, &[], &["<x>"]);
    }
    for (kind, q, expected) in [
        ("suspended", "", vec!["eve"]),
        ("administrators", "", vec!["site-admin", "max"]),
        ("suspended", "nina", vec![]),
        ("suspended", "e", vec!["eve"]),
        ("administrators", "a", vec!["site-admin", "max"]),
        ("nothing", "nina", vec!["nina"]),
    ] {
        max.visit(&format!("{PEOPLE}?show={kind}&q={q}"));
        assert_eq!(listed(&max), expected, "{kind} {q}");
    }
    let long = "x".repeat(6_000);
    max.visit(&format!("{PEOPLE}?q={long}"));
    assert_eq!((max.page.status, listed(&max).len()), (200, 0));
    shows(&max, &["No one matches"], &[]);
}

#[test]
fn decision_61_people_are_listed_in_parts() {
    let world = world();
    for number in 1..=40 {
        world.sam().post("/admin/users", json!({ "login": format!("part{number}"), "suspended": true })).expect(201);
    }
    let mut max = signed_in(&world, "max");
    for (query, count) in [("", 47), ("?q=part", 40), ("?show=suspended", 40), ("?q=part&show=suspended", 40)] {
        max.visit(&format!("{PEOPLE}{query}"));
        assert_eq!(listed(&max).len(), 30, "{query}");
        let next = next(&max);
        max.visit(&next);
        assert_eq!(listed(&max).len(), count - 30, "{next}");
        shows(&max, &["First page"], &["rel=\"next\""]);
    }
    for after in ["99999999", "9223372036854775807"] {
        max.visit(&format!("{PEOPLE}?after={after}"));
        shows(&max, &["There are no more people"], &[]);
    }
    for after in ["-1", "x", "99999999999999999999999"] {
        assert_eq!(max.visit(&format!("{PEOPLE}?after={after}")).status, 200, "{after}");
        assert_eq!(listed(&max).len(), 30, "{after}");
    }
}

#[test]
fn decision_42_a_site_administrator_creates_an_account() {
    let world = world();
    let mut max = signed_in(&world, "max");
    for (login, email, text) in [
        ("", "a@example.com", "Enter a login."),
        ("tom", "a@example.com", "is in use or was used before"),
        ("settings", "", "is reserved"),
        ("\u{e9}ve", "", "Use only letters"),
        ("zoe", "banana", "This is not a valid e-mail address"),
        ("zoe", "tom@example.com", "Another account has the e-mail address"),
        ("zoe", "\"><x>@example.com", "This is not a valid e-mail address"),
    ] {
        assert_eq!(send(&mut max, PEOPLE, &[("login", login), ("email", email)]), 422, "{login} {email}");
        sound(&max.page.text);
        shows(&max, &[text, "<title>Error: ", "<details class=\"reveal\" open>"], &["<x>"]);
    }
    assert_eq!(world.sam().get("/users/zoe").status, 404);
    assert_eq!(send(&mut max, PEOPLE, &[("login", "zoe"), ("email", "zoe@example.com")]), 200);
    assert_eq!(max.path, "/ui/admin/users/zoe?done=created");
    shows(
        &max,
        &["signs in with their e-mail address.", "zoe@example.com", ">Verified</span>", "In no organization."],
        &[],
    );
    signed_in(&world, "zoe");
    // Without an address, the page says how the person signs in. Signs that no login can have become dashes.
    assert_eq!(send(&mut max, PEOPLE, &[("login", "a <b>"), ("email", "")]), 200);
    assert_eq!(max.path, "/ui/admin/users/a-b?done=created-alone");
    shows(&max, &["the person needs an e-mail address, which you can add here", "user sign-in"], &[]);
}

#[test]
fn decision_61_the_page_of_a_person_says_what_they_have() {
    let world = world();
    world.organization("globex", "tom", &["nina"]);
    let mut max = signed_in(&world, "max");
    let _tom = signed_in(&world, "tom");
    world.client("tom").get("/user").expect(200);
    given::run(&world, "UPDATE users SET name = '<i>Tom</i>' WHERE login = 'tom'");
    max.visit(TOM);
    sound(&max.page.text);
    let tokens: i64 =
        given::value(&world, "SELECT count(*) FROM tokens t JOIN users u ON u.id = t.user_id WHERE u.login = 'tom'");
    shows(
        &max,
        &[
            "&#60;i&#62;Tom",
            "Organizations <span class=\"meta\">2</span>",
            "<span class=\"badge warn\">Only active owner</span>",
            "No other active owner in <a href=\"/ui/admin/organizations/globex\">",
            "tom@example.com",
            "Sessions <span class=\"meta\">1</span>",
            &format!("<a href=\"/ui/admin/tokens?person=tom\">{tokens}</a>"),
            "0 allowed",
            "/ui/admin/users/tom/act",
            "Suspend…",
            "the page of the organization says how",
        ],
        &["<i>Tom", "?remove=tom", "Let them in again", "?ask=delete"],
    );
    // The last owner cannot be deleted, and the page says what comes first.
    max.visit(&format!("{TOM}?ask=delete"));
    shows(&max, &["Someone else must become an owner first", "Keep the account"], &["value=\"delete\""]);
    // Nothing is offered that is refused: for oneself, and for another site administrator.
    max.visit("/ui/admin/users/max");
    sound(&max.page.text);
    shows(
        &max,
        &["You cannot take it from yourself."],
        &["Suspend…", "/act", "ask=delete", "ask=demote", "ask=tokens", "End all"],
    );
    for word in ["suspend", "demote", "delete", "sessions", "tokens", "nothing"] {
        let status = if word == "nothing" { 200 } else { 404 };
        assert_eq!(max.visit(&format!("/ui/admin/users/max?ask={word}")).status, status, "{word}");
    }
    max.visit("/ui/admin/users/site-admin");
    shows(&max, &["Suspend…", "ask=demote", "None. The person signs in"], &["/act"]);
}

#[test]
fn decision_21_a_leaving_person_is_suspended_with_one_press_and_one_question() {
    let world = world();
    world.organization("globex", "tom", &["nina"]);
    let mut max = signed_in(&world, "max");
    let mut tom = signed_in(&world, "tom");
    let client = world.client("tom");
    client.get("/user").expect(200);
    max.visit(TOM);
    let ask = format!("{TOM}?ask=suspend");
    max.visit(&ask);
    sound(&max.page.text);
    shows(&max, &["Suspend <bdi>tom</bdi>?", "No other active owner in", "globex", "Change nothing"], &[]);
    assert_eq!(client.get("/user").status, 200, "looking changes nothing");
    let reason = "x".repeat(256);
    assert_eq!(send(&mut max, &ask, &[("do", "suspend"), ("reason", &reason)]), 422);
    assert_eq!(client.get("/user").status, 200);
    for _ in 0..2 {
        assert_eq!(send(&mut max, &ask, &[("do", "suspend"), ("reason", "<left>")]), 200);
        shows(
            &max,
            &["Suspended. They are signed out everywhere", "Let them in again", "Not signed in anywhere."],
            &["/act"],
        );
    }
    assert_eq!(client.get("/user").status, 403);
    assert!(tom.visit("/ui").text.contains("Sign in"), "{}", tom.page.text);
    let log = world.sam().get("/admin/audit-log").json.to_string();
    assert!(log.contains("user.suspend") && log.contains("<left>"), "{log}");
    assert_eq!(send(&mut max, TOM, &[("do", "unsuspend")]), 200);
    shows(&max, &["They can sign in again", "Suspend…"], &["Let them in again"]);
    assert_eq!(client.get("/user").status, 200);
    // The form of a question about another account does nothing.
    let code = max.code();
    let other = [("do", "suspend"), ("id", "1")];
    let page = max.with_cookie().send("POST", TOM, Some(encoded(&code, &other)));
    assert_eq!(page.status, 422);
    assert!(page.text.contains("This is not what you were asked about"), "{}", page.text);
    assert_eq!(client.get("/user").status, 200);
}

#[test]
fn decision_61_sessions_and_tokens_of_a_person_end_at_once() {
    let world = world();
    let mut max = signed_in(&world, "max");
    let mut tom = signed_in(&world, "tom");
    let client = world.client("tom");
    world.sam().post("/admin/users/tom/authorizations", json!({ "scopes": ["user"] })).expect(201);
    max.visit(&format!("{TOM}?ask=sessions"));
    shows(&max, &["End all sessions of <bdi>tom</bdi>?"], &[]);
    assert_eq!(send(&mut max, &format!("{TOM}?ask=sessions"), &[("do", "sessions")]), 200);
    shows(&max, &["They are signed out everywhere.", "Not signed in anywhere."], &["ask=sessions"]);
    assert!(tom.visit("/ui/settings").text.contains("Sign in"), "{}", tom.page.text);
    assert_eq!(client.get("/user").status, 200);
    for _ in 0..2 {
        assert_eq!(send(&mut max, &format!("{TOM}?ask=tokens"), &[("do", "tokens")]), 200);
        shows(&max, &["All their tokens are revoked.", "?person=tom\">0</a>"], &["ask=tokens"]);
    }
    assert_eq!(client.get("/user").status, 401);
    let log = world.sam().get("/admin/audit-log").json;
    let ended = log.as_array().expect("a list").iter().find(|entry| entry["action"] == "oauth_access.destroy");
    assert_eq!(ended.expect("an entry")["before"], json!({ "user": "tom", "tokens": 2 }));
    // Not for the visitor themselves.
    for (operation, path) in [("administration.endSessions", "max"), ("administration.endTokens", "max")] {
        call(&world, &max, operation, &[("username", path)], &json!({})).expect_err(operation);
    }
    assert_eq!(send(&mut max, "/ui/admin/users/max", &[("do", "sessions")]), 404);
    max.visit("/ui/admin");
    assert_eq!(max.page.status, 200);
}

#[test]
fn decision_42_a_person_becomes_a_site_administrator_and_ceases_to_be_one() {
    let world = world();
    let mut max = signed_in(&world, "max");
    let ask = format!("{TOM}?ask=promote");
    max.visit(&ask);
    sound(&max.page.text);
    shows(&max, &["Make <bdi>tom</bdi> a site administrator?"], &[]);
    let mut tom = signed_in(&world, "tom");
    assert_eq!(tom.visit("/ui/admin").status, 404);
    assert_eq!(send(&mut max, &ask, &[("do", "promote")]), 200);
    shows(&max, &["They administer the site now."], &["/act"]);
    assert_eq!(tom.visit("/ui/admin").status, 200);
    assert_eq!(send(&mut max, &format!("{TOM}?ask=demote"), &[("do", "demote")]), 200);
    shows(&max, &["They do not administer the site any more."], &[]);
    assert_eq!(tom.visit("/ui/admin").status, 404);
    assert_eq!(send(&mut max, "/ui/admin/users/max", &[("do", "demote")]), 422);
    assert_eq!(max.visit("/ui/admin").status, 200);
}

#[test]
fn decision_22_a_site_administrator_renames_a_person() {
    let world = world();
    let mut max = signed_in(&world, "max");
    for (login, text) in
        [(" ", "Enter a login."), ("nina", "is in use or was used before"), ("<x>", "/ui/admin/users/x")]
    {
        let status = send(&mut max, TOM, &[("do", "rename"), ("login", login)]);
        assert_eq!(status, if login == "<x>" { 200 } else { 422 }, "{login}");
        shows(&max, &[text], &["<x>"]);
    }
    assert_eq!(max.path, "/ui/admin/users/x?done=rename");
    assert_eq!(max.visit(TOM).status, 404);
    assert_eq!(send(&mut max, "/ui/admin/users/x", &[("do", "rename"), ("login", "Tom")]), 200);
    shows(&max, &["The account has its new login."], &[]);
}

#[test]
fn decision_72_a_site_administrator_adds_and_removes_addresses_of_a_person() {
    let world = world();
    let mut max = signed_in(&world, "max");
    for (email, text) in [
        (" ", "Enter an e-mail address."),
        ("banana", "This is not a valid e-mail address"),
        ("nina@example.com", "The account nina has verified the e-mail address"),
    ] {
        assert_eq!(send(&mut max, TOM, &[("do", "add"), ("email", email), ("verified", "on")]), 422, "{email}");
        sound(&max.page.text);
        shows(&max, &[text, "value=\"on\" checked"], &[]);
    }
    assert_eq!(send(&mut max, TOM, &[("do", "add"), ("email", "second@example.org"), ("verified", "on")]), 200);
    shows(&max, &["It counts as verified.", "second@example.org", "?remove=second%40example.org"], &[]);
    assert_eq!(send(&mut max, TOM, &[("do", "add"), ("email", "third@example.org")]), 200);
    shows(&max, &["It gets an e-mail with a link", ">Not verified</span>"], &[]);
    max.visit(&format!("{TOM}?remove=second%40example.org"));
    sound(&max.page.text);
    shows(&max, &["Remove <bdi>second@example.org</bdi>?", "Keep it"], &[]);
    let remove = [("do", "remove"), ("email", "second@example.org")];
    assert_eq!(send(&mut max, TOM, &remove), 200);
    shows(&max, &["The address is removed."], &["second@example.org"]);
    // What is gone already leads back to the page.
    assert_eq!(send(&mut max, TOM, &remove), 200);
    shows(&max, &["It is gone already"], &[]);
    assert_eq!(send(&mut max, TOM, &[("do", "remove"), ("email", "tom@example.com")]), 422);
    shows(&max, &["The last verified e-mail address cannot be removed."], &[]);
    max.visit(&format!("{TOM}?remove=tom%40example.com"));
    shows(&max, &[], &["Remove the address"]);
    // An address needs a recent sign-in.
    world.advance(15 * 60);
    max.visit(TOM);
    shows(&max, &["Confirm it’s you"], &["name=\"verified\""]);
    let late = [("do", "add"), ("email", "late@example.org"), ("verified", "on")];
    assert_eq!(send(&mut max, TOM, &late), 403);
    assert_eq!(given::value::<i64>(&world, "SELECT count(*) FROM emails WHERE email = 'late@example.org'"), 0);
}

#[test]
fn decision_22_a_site_administrator_deletes_a_person() {
    let world = world();
    let mut max = signed_in(&world, "max");
    let ask = format!("{TOM}?ask=delete");
    max.visit(&ask);
    sound(&max.page.text);
    shows(&max, &["Delete the account <bdi>tom</bdi>?", "Enter <bdi>tom</bdi> to delete it"], &[]);
    let (code, id) = (max.code(), hidden(&max, "id"));
    for typed in ["", "nina", "to"] {
        assert_eq!(send(&mut max, &ask, &[("do", "delete"), ("login", typed)]), 422, "{typed}");
        shows(&max, &["Enter tom to delete it."], &[]);
    }
    assert_eq!(world.sam().get("/users/tom").status, 200);
    assert_eq!(send(&mut max, &ask, &[("do", "delete"), ("login", "TOM")]), 200);
    assert_eq!(max.path, "/ui/admin/people?done=deleted");
    shows(&max, &["The account is deleted."], &[]);
    assert_eq!(world.sam().get("/users/tom").status, 404);
    // Sent again later, it leads to what is left.
    max.send_to("/ui/settings", &code, &[]);
    let again = [("do", "delete"), ("login", "tom"), ("id", id.as_str())];
    assert_eq!(max.send_to(TOM, &code, &again).status, 200);
    assert_eq!(max.path, "/ui/admin?done=gone");
    shows(&max, &["It is gone already"], &[]);
}

#[test]
fn decision_61_the_page_of_a_person_with_much_is_bounded() {
    let world = world();
    fill(&world);
    let mut max = signed_in(&world, "max");
    max.visit(TOM);
    sound(&max.page.text);
    assert!(max.page.text.len() < 60_000, "{}", max.page.text.len());
    shows(
        &max,
        &[
            "Organizations <span class=\"meta\">1001</span>",
            "and perhaps more",
            "1 to 20 of 1001",
            "?person=tom\">5001</a>",
        ],
        &[],
    );
    max.visit(&format!("{TOM}?page=9999999"));
    shows(&max, &["1001 to 1001 of 1001"], &[]);
    max.visit(&format!("{TOM}?ask=suspend"));
    assert!(max.page.status == 200 && max.page.text.len() < 60_000, "{}", max.page.text);
    assert_eq!(send(&mut max, &format!("{TOM}?ask=tokens"), &[("do", "tokens")]), 200);
    let left = "SELECT count(*) FROM tokens t JOIN users u ON u.id = t.user_id WHERE u.login = 'tom'";
    assert_eq!(given::value::<i64>(&world, left), 0);
}

/// Tom owns 1,000 organizations besides acme, and has 5,000 tokens.
fn fill(world: &World) {
    for sql in [
        "INSERT INTO orgs (login, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
         SELECT 'org' || i, 1, 1 FROM n",
        "INSERT INTO org_members (org_id, user_id, role, created_at)
         SELECT o.id, u.id, 'admin', 1 FROM orgs o CROSS JOIN users u WHERE o.login LIKE 'org%' AND u.login = 'tom'",
    ] {
        given::run(world, sql);
    }
    let hash = if crate::support::database::Database::is_postgres() {
        "INSERT INTO tokens (user_id, kind, hash, last_eight, scopes, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
         SELECT u.id, 'personal', CAST('hash' || i AS BYTEA), '12345678', '', 1, 1
         FROM n CROSS JOIN users u WHERE u.login = 'tom'"
    } else {
        "INSERT INTO tokens (user_id, kind, hash, last_eight, scopes, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
         SELECT u.id, 'personal', CAST('hash' || i AS BLOB), '12345678', '', 1, 1
         FROM n CROSS JOIN users u WHERE u.login = 'tom'"
    };
    given::run(world, hash);
}
