//! Searching accounts and teams over REST (decision 78).

use super::given;
use crate::support::application::{Application, answers, granted};
use crate::support::world::Settings;
use crate::support::{Answer, Client, World, json};

fn world() -> World {
    World::with(Settings { limits: None, ..Settings::default() })
}

fn search(client: &Client, what: &str, query: &str, more: &str) -> Answer {
    let encode = |byte: u8| if byte.is_ascii_alphanumeric() { char::from(byte).into() } else { format!("%{byte:02X}") };
    let encoded: String = query.bytes().map(encode).collect();
    client.get(&format!("/search/{what}?q={encoded}{more}"))
}

/// One field of each result, of which there are as many as the response counts.
#[track_caller]
fn found(client: &Client, what: &str, (query, more): (&str, &str), field: &str) -> Vec<String> {
    let answer = search(client, what, query, more).expect(200).clone();
    let items = answer["items"].as_array().expect("a list");
    assert_eq!((&answer["total_count"], &answer["incomplete_results"]), (&json!(items.len()), &json!(false)));
    items.iter().map(|item| item[field].as_str().expect("a text").to_owned()).collect()
}

#[track_caller]
fn accounts(client: &Client, query: &str) -> Vec<String> {
    found(client, "users", (query, ""), "login")
}

#[track_caller]
fn slugs(client: &Client, query: &str) -> Vec<String> {
    found(client, "teams", (query, ""), "slug")
}

/// Asserts that a search is refused for its query, and returns the message.
#[track_caller]
fn refused(answer: &Answer) -> String {
    let error = answer.refused(422, "Validation Failed")["errors"][0].clone();
    assert_eq!([&error["resource"], &error["field"], &error["code"]], ["Search", "q", "invalid"]);
    error["message"].as_str().expect("a message").to_owned()
}

const UNSEEN: &str = "The listed users and repositories cannot be searched";

#[test]
fn decision_78_accounts_are_found_by_login_and_name() {
    let world = world();
    world.execute("UPDATE users SET name = 'Älter, Maxine' WHERE login = 'ray'");
    world.organization("maxwell", "ray", &[]);
    for client in [world.eve(), world.nina(), world.anonymous()] {
        assert_eq!(accounts(&client, "MAX"), ["max", "ray", "maxwell"], "the whole login comes first");
        assert_eq!(accounts(&client, "älter max"), ["ray"]);
        assert_eq!(accounts(&client, "max in:login"), ["max", "maxwell"]);
        assert_eq!(accounts(&client, "max in:name"), ["ray"]);
        assert_eq!(accounts(&client, "max type:org"), ["maxwell"]);
        assert_eq!(accounts(&client, "max type:user -älter"), ["max"]);
        assert_eq!(accounts(&client, "\"älter, maxine\" NOT eve"), ["ray"]);
    }
    let ray = search(&world.eve(), "users", "ray in:login", "").expect(200).clone();
    let item = &ray["items"][0];
    assert_eq!((&item["score"], &item["type"], &item["site_admin"]), (&json!(1.0), &json!("User"), &json!(false)));
    let org = search(&world.eve(), "users", "maxwell", "").expect(200)["items"][0].clone();
    assert_eq!((&org["type"], &org["login"]), (&json!("Organization"), &json!("maxwell")));
}

#[test]
fn decision_78_members_are_found_as_far_as_the_caller_sees_them() {
    let world = world();
    world.max().put("/orgs/acme/public_members/max", json!({})).expect(204);
    let members = accounts(&world.eve(), "org:acme");
    assert!(members.contains(&"tom".to_owned()) && !members.contains(&"nina".to_owned()), "{members:?}");
    assert_eq!(accounts(&world.nina(), "org:acme"), ["max"]);
    assert_eq!(accounts(&world.anonymous(), "org:acme to"), [""; 0]);
    for query in ["org:none", "org:max"] {
        assert!(refused(&search(&world.eve(), "users", query, "")).starts_with(UNSEEN));
    }
    world.sam().put("/users/tom/suspended", json!({})).expect(204);
    assert_eq!(accounts(&world.eve(), "tom"), [""; 0]);
    assert_eq!(accounts(&world.sam(), "tom"), ["tom"]);
}

#[test]
fn decision_78_accounts_have_orders_and_pages() {
    let world = world();
    world.nina().post("/user/repos", json!({ "name": "diary", "private": true })).expect(201);
    world.max().post("/user/repos", json!({ "name": "one" })).expect(201);
    world.olivia().post("/orgs/acme/repos", json!({ "name": "two" })).expect(201);
    world.olivia().post("/orgs/acme/repos", json!({ "name": "three" })).expect(201);
    world.advance(60);
    world.register("maxi");
    let eve = world.eve();
    let order = |query: &str, more: &str| found(&eve, "users", (query, more), "login");
    assert_eq!(order("a", "&sort=repositories")[..2], ["acme", "max"]);
    assert_eq!(order("a in:login", "&sort=repositories&order=asc").last().map(String::as_str), Some("acme"));
    assert_eq!(order("max", "&sort=joined"), ["maxi", "max"]);
    assert_eq!(order("max", "&sort=joined&order=asc"), ["max", "maxi"]);
    assert_eq!(order("max", "&sort=followers"), ["max", "maxi"]);
    assert_eq!(order("max", "&sort=height"), ["max", "maxi"], "an unknown value means the default");
    let first = search(&eve, "users", "max", "&per_page=1");
    assert_eq!((&first.expect(200)["items"][0]["login"], &first.json["total_count"]), (&json!("max"), &json!(2)));
    assert!(first.link("next").is_some_and(|link| link.contains("page=2")));
    let last = search(&eve, "users", "max", "&per_page=1&page=2");
    assert_eq!((&last.expect(200)["items"][0]["login"], last.link("next")), (&json!("maxi"), None));
    assert_eq!(search(&eve, "users", "max", "&page=9").expect(200)["items"], json!([]));
    let beyond = "Only the first 1000 search results are available";
    for what in ["users", "teams"] {
        search(&eve, what, "max", "&per_page=100&page=11").refused(422, beyond);
    }
}

#[test]
fn decision_78_searches_refuse_what_they_do_not_know() {
    let world = world();
    let eve = world.eve();
    let missing = json!([{ "resource": "Search", "code": "missing", "field": "q" }]);
    for what in ["users", "teams"] {
        for query in ["", "?q=", "?q=%20%09", "?q=a%00b", "?q=%FF"] {
            let answer = eve.get(&format!("/search/{what}{query}"));
            assert_eq!(answer.refused(422, "Validation Failed")["errors"], missing, "{query}");
        }
        for (query, why) in [
            ("stars:>5", "`stars:>5` is not known."),
            ("a OR b", "`OR` is not supported."),
            ("a NOT", "`NOT` must be followed"),
            ("-org:acme", "`"),
            ("org:", "`org:` is not known."),
            (&"x".repeat(257), "The search is longer than 256 characters."),
            (&"x ".repeat(17), "The search has too many words and qualifiers"),
        ] {
            let message = refused(&search(&eve, what, query, ""));
            assert!(message.starts_with(why), "{what}: {query}: {message}");
        }
    }
    for query in ["org:none", "org:max", "member:none", "member:acme"] {
        assert!(refused(&search(&eve, "teams", query, "")).starts_with(UNSEEN), "{query}");
    }
    assert_eq!(slugs(&eve, "parent:none"), [""; 0]);
}

/// Teams of `acme`: `core` with the child `core-api`, `web` and, secret, `vault`; of `globex`, `core-tools`.
fn with_teams() -> World {
    let world = world();
    let core = given::core(&world);
    given::child(&world, &core, "Core API");
    given::team(&world, json!({ "name": "Web", "privacy": "closed", "description": "Looks after the CORE pages" }));
    given::secret(&world, "Vault core");
    world.organization("globex", "olivia", &["eve"]);
    let tools = json!({ "name": "Core Tools", "privacy": "closed" });
    world.olivia().post("/orgs/globex/teams", tools).expect(201);
    world
}

#[test]
fn decision_78_teams_are_found_by_their_words_the_best_first_then_by_name() {
    let world = with_teams();
    let olivia = world.olivia();
    assert_eq!(slugs(&olivia, "CORE"), ["core", "core-api", "core-tools", "vault-core", "web"]);
    assert_eq!(slugs(&olivia, "core-api"), ["core-api"], "a slug");
    assert_eq!(slugs(&olivia, "\"core api\""), ["core-api"], "a name");
    assert_eq!(slugs(&olivia, "pages after"), ["web"], "a description");
    assert_eq!(slugs(&olivia, "core -vault NOT tools -api"), ["core", "web"]);
    assert_eq!(slugs(&olivia, "%"), [""; 0]);
    for (long, names) in [("ä".repeat(346) + "tail", &["web"] as &[&str]), ("ä".repeat(347) + "tail", &[])] {
        olivia.patch("/orgs/acme/teams/web", json!({ "name": "Web", "description": long })).expect(200);
        assert_eq!(slugs(&olivia, "tail"), names);
    }
}

#[test]
fn decision_78_teams_are_found_by_organization_member_and_parent() {
    let world = with_teams();
    let olivia = world.olivia();
    assert_eq!(slugs(&olivia, "org:globex"), ["core-tools"]);
    assert_eq!(slugs(&olivia, "org:ACME parent:Core"), ["core-api"]);
    assert_eq!(slugs(&olivia, "parent:core tools"), [""; 0]);
    given::put(&world, "core-api", "eve", "member");
    assert_eq!(slugs(&olivia, "member:EVE"), ["core-api"], "only direct members");
    assert_eq!(slugs(&world.eve(), "member:@me"), ["core-api"]);
    given::put(&world, "vault-core", "eve", "member");
    assert_eq!(slugs(&world.eve(), "member:@me org:acme"), ["core-api", "vault-core"]);
    assert_eq!(slugs(&world.tom(), "member:eve"), ["core-api"], "a secret team does not show who is in it");
}

#[test]
fn decision_78_only_teams_that_the_caller_sees_are_found_and_counted() {
    let world = with_teams();
    assert_eq!(slugs(&world.eve(), "core"), ["core", "core-api", "core-tools", "web"]);
    assert_eq!(slugs(&world.tom(), "core"), ["core", "core-api", "web"]);
    assert_eq!(slugs(&world.tom(), "org:globex"), [""; 0]);
    assert_eq!(slugs(&world.nina(), "core"), [""; 0]);
    search(&world.anonymous(), "teams", "core", "").expect(401);
    search(&world.limited("tom", &["notifications"]), "teams", "core", "").expect(403);
    let mut item = search(&world.tom(), "teams", "core-api", "").expect(200)["items"][0].clone();
    assert_eq!((&item["organization"]["login"], &item["score"]), (&json!("acme"), &json!(1.0)));
    let listed = world.tom().get("/orgs/acme/teams/core/teams").expect(200)[0].clone();
    let fields = item.as_object_mut().expect("a record");
    fields.remove("organization");
    fields.remove("score");
    assert_eq!(item, listed, "the record of lists");
    world.sam().put("/users/tom/suspended", json!({})).expect(204);
    assert_eq!(slugs(&world.olivia(), "member:max"), ["core"]);
}

#[test]
fn decision_78_an_organization_that_does_not_let_an_application_in_is_left_out() {
    let world = super::mail_invitations::world();
    world.organization("globex", "tom", &[]);
    world.tom().post("/orgs/globex/teams", json!({ "name": "Tools" })).expect(201);
    world.tom().patch("/orgs/globex", json!({ "applications_need_approval": false })).expect(200);
    let app = Application::of(&world);
    let tom = granted(&world, &app, "tom", "admin:org");
    assert_eq!(slugs(&tom, "o"), ["tools"]);
    answers(&world, &app, "approved");
    assert_eq!(slugs(&tom, "o"), slugs(&world.tom(), "o"));
    assert!(slugs(&tom, "o").contains(&"core".to_owned()));
}
