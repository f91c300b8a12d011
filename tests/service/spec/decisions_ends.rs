//! Memberships of teams that end (decision 64): to the microsecond, in everything that reads them, and once.

use std::thread;

use guildhall::clock::Time;

use crate::spec::given;
use crate::spec::hooks_told::{hook, told};
use crate::support::world::Settings;
use crate::support::{Client, Value, World, json};

/// The end of all memberships here that end, which is a day ahead.
pub const END: &str = "2026-01-02T00:00:00.000001Z";

/// Sets the clock to the last moment before the end.
pub fn just_before(world: &World) {
    world.clock.set(|_| Some(Time(1_767_312_000_000_000)));
}

/// Sets the clock to the end.
pub fn at_the_end(world: &World) {
    world.clock.set(|_| Some(Time(1_767_312_000_000_001)));
}

/// Olivia limits the membership of a person.
pub fn limit(world: &World, slug: &str, login: &str, role: &str) -> Value {
    let path = format!("/orgs/acme/teams/{slug}/memberships/{login}");
    world.olivia().put(&path, json!({ "role": role, "expires_at": END })).expect(200).clone()
}

/// `core` has the child `Child` with Eve, and there is the secret team `Den` with Ray. Both memberships end.
fn limited(settings: Settings) -> World {
    let world = World::with(settings);
    given::repository(&world, "engine", None);
    given::child(&world, &given::core(&world), "Child");
    given::secret(&world, "Den");
    limit(&world, "child", "eve", "maintainer");
    limit(&world, "den", "ray", "member");
    world.olivia().put("/orgs/acme/teams/den/repos/acme/engine", json!({ "permission": "push" })).expect(204);
    let post = json!({ "title": "Plan", "body": "Dig." });
    world.olivia().post("/orgs/acme/teams/den/discussions", post).expect(201);
    world
}

fn status(client: &Client, path: &str) -> u16 {
    client.get(path).status
}

/// Everything that shows the two memberships.
fn seen(world: &World) -> Value {
    let (olivia, eve, ray) = (world.olivia(), world.client("eve"), world.client("ray"));
    let logins = |path: &str| olivia.get(path).each("login");
    let query = r#"{ organization(login: "acme") { team(slug: "child") { members { totalCount nodes { login } } } } }"#;
    let graphql = olivia.post("/graphql", json!({ "query": query })).expect(200)["data"].clone();
    json!({
        "members": logins("/orgs/acme/teams/child/members"),
        "merged": logins("/orgs/acme/teams/core/members"),
        "membership": status(&olivia, "/orgs/acme/teams/child/memberships/eve"),
        "older check": status(&olivia, "/orgs/acme/teams/core/members/eve"),
        "count": olivia.get("/orgs/acme/teams/child").expect(200)["members_count"],
        "own teams": [eve.get("/user/teams").each("slug"), ray.get("/user/teams").each("slug")],
        "graphql": graphql["organization"]["team"]["members"],
        "secret team": status(&ray, "/orgs/acme/teams/den"),
        "posts": status(&ray, "/orgs/acme/teams/den/discussions"),
        "repository": status(&olivia, "/teams/1/repos/acme/engine"),
        "level": olivia.get("/repos/acme/engine/collaborators/ray/permission").json["permission"],
        "subscribed": status(&eve, "/orgs/acme/teams/child/memberships/eve"),
    })
}

fn expected(there: bool) -> (Value, Value) {
    let members = if there { json!(["olivia", "eve"]) } else { json!(["olivia"]) };
    (members, if there { json!(["child"]) } else { json!([]) })
}

#[test]
fn decision_64_everything_shows_a_membership_until_its_last_microsecond() {
    let world = limited(Settings::default());
    let first = seen(&world);
    just_before(&world);
    let before = seen(&world);
    assert_eq!(before, first);
    let (members, own) = expected(true);
    assert_eq!((&before["members"], &before["own teams"][0]), (&members, &own), "{before:#}");
    assert_eq!((&before["membership"], &before["count"], &before["level"]), (&json!(200), &json!(2), &json!("write")));
    assert_eq!(
        (&before["secret team"], &before["posts"], &before["older check"]),
        (&json!(200), &json!(200), &json!(204))
    );

    at_the_end(&world);
    let after = seen(&world);
    let (members, own) = expected(false);
    assert_eq!((&after["members"], &after["own teams"]), (&members, &json!([own, own])), "{after:#}");
    assert_eq!((&after["membership"], &after["count"], &after["older check"]), (&json!(404), &json!(1), &json!(404)));
    assert_eq!(after["merged"], json!(["olivia", "max", "tom"]));
    assert_eq!(after["graphql"], json!({ "totalCount": 1, "nodes": [{ "login": "olivia" }] }));
    assert_eq!((&after["secret team"], &after["posts"]), (&json!(404), &json!(404)));
    assert_ne!(after["level"], "write");
}

/// Each read is the first at the end in a world of its own, so that none hides behind another.
#[test]
fn decision_64_every_read_ends_a_membership_before_it_answers() {
    let query =
        r#"{"query":"{ organization(login: \"acme\") { team(slug: \"child\") { members { nodes { login } } } } }"}"#;
    let reads: [(&str, &str, &str, Option<&str>); 6] = [
        ("olivia", "GET", "/orgs/acme/teams/child/members", None),
        ("tom", "GET", "/orgs/acme/teams/core/members", None),
        ("olivia", "GET", "/orgs/acme/teams/child/memberships/eve", None),
        ("eve", "GET", "/user/teams", None),
        ("ray", "GET", "/orgs/acme/teams/den", None),
        ("olivia", "POST", "/graphql", Some(query)),
    ];
    for (login, verb, path, body) in reads {
        let world = limited(Settings::default());
        let client = world.client(login);
        let read = || client.send(verb, path, body.map(str::to_owned));
        just_before(&world);
        let before = read();
        assert_eq!(before.expect(200), read().expect(200), "{path} is cached");
        at_the_end(&world);
        let after = read();
        assert!(after.status == 404 || after.json != before.json, "{path}: {:#}", after.json);
    }
}

#[test]
fn decision_64_an_entity_tag_does_not_outlive_a_membership() {
    for path in ["/orgs/acme/teams/child/members", "/orgs/acme/teams/child"] {
        let world = limited(Settings::default());
        just_before(&world);
        let tag = world.olivia().get(path).header("ETag").expect("a tag").to_owned();
        let again = world.olivia().with("If-None-Match", &tag);
        assert_eq!(again.get(path).status, 304);
        at_the_end(&world);
        again.get(path).expect(200);
    }
}

/// Eve is added again, until an hour later.
fn limit_later(world: &World) {
    let later = json!({ "expires_at": "2026-01-02T01:00:00.000001Z" });
    world.olivia().put("/orgs/acme/teams/child/memberships/eve", later).expect(200);
}

#[test]
fn decision_64_a_write_is_authorized_without_the_membership() {
    let world = limited(Settings::default());
    let eve = world.client("eve");
    just_before(&world);
    eve.patch("/orgs/acme/teams/child", json!({ "name": "Child", "description": "Before" })).expect(200);
    at_the_end(&world);
    eve.patch("/orgs/acme/teams/child", json!({ "name": "Child", "description": "After" })).expect(403);
    assert_eq!(world.olivia().get("/orgs/acme/teams/child").expect(200)["description"], "Before");
    // Without the membership, the secret team is not there, whatever the body.
    let ray = world.client("ray");
    ray.send("POST", "/orgs/acme/teams/den/discussions", Some("{".into())).refused(404, "Not Found");
}

fn removals(world: &World) -> Vec<Value> {
    let log = world.olivia().get("/orgs/acme/audit-log?phrase=action:team.remove_member").expect(200).clone();
    log.as_array().expect("a list").clone()
}

#[test]
fn decision_64_two_nodes_end_a_membership_once() {
    let world = limited(Settings::default());
    let other = world.second_server();
    just_before(&world);
    just_before(&other);
    hook(&world.olivia(), &["membership"]);
    other.olivia().get("/orgs/acme/teams/child/memberships/eve").expect(200);
    at_the_end(&other);
    at_the_end(&world);
    let known = removals(&world).len();
    assert_eq!(known, 3, "the two ends, and Olivia, who has left `core`");
    let told = told(&world, || {
        limit_later(&world);
        world.clock.set(|_| Some(Time(1_767_315_600_000_001)));
        other.clock.set(|_| Some(Time(1_767_315_600_000_001)));
        thread::scope(|scope| {
            for node in [&world, &other, &world, &other] {
                scope.spawn(|| node.olivia().get("/orgs/acme/teams/child/memberships/eve").expect(404).clone());
            }
        });
    });
    let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["membership/added", "membership/removed"]);
    assert_eq!(told[1].1["member"]["login"], "eve");
    assert_eq!(removals(&world).len(), known + 1);
}

#[test]
fn decision_64_the_entry_of_an_end_is_that_of_a_removal_without_an_actor() {
    let world = limited(Settings::default());
    at_the_end(&world);
    let entries = removals(&world);
    let of = |login: &str| entries.iter().find(|entry| entry["user"] == login || entry["before"]["user"] == login);
    let entry = of("eve").unwrap_or_else(|| panic!("{entries:#?}"));
    assert_eq!(entry["request_id"], "expiry", "{entry:#}");
    assert!(entry["actor"].is_null(), "{entry:#}");
    assert!(entry.to_string().contains(END), "{entry:#}");
}

#[test]
fn decision_64_an_idle_server_ends_memberships_too() {
    let world = limited(Settings { delivers: true, ..Settings::default() });
    let left = || world.rows::<(i64,)>("SELECT user_id FROM team_members WHERE expires_at IS NOT NULL").len();
    just_before(&world);
    world.settle();
    assert_eq!(left(), 2);
    at_the_end(&world);
    world.settle();
    assert_eq!(left(), 0);
}

#[test]
fn decision_64_a_store_that_cannot_write_shows_no_membership_that_has_ended() {
    let world = limited(Settings::default());
    just_before(&world);
    world.olivia().get("/orgs/acme/teams/child/members").expect(200);
    at_the_end(&world);
    for path in ["/orgs/acme/teams/child/members", "/orgs/acme/teams/den/members"] {
        world.faults.arm_at("DELETE FROM team_members");
        world.olivia().get(path).expect(503);
    }
    world.faults.arm_at("DELETE FROM team_members");
    world.olivia().put_empty("/orgs/acme/teams/child/members/tom").expect(503);
    world.olivia().get("/orgs/acme/teams/child/memberships/tom").expect(404);
    world.olivia().get("/orgs/acme/teams/child/memberships/eve").expect(404);
}

#[test]
fn decision_64_many_memberships_end_at_once() {
    let world = World::new();
    world.execute(
        "INSERT INTO users (login, suspended, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
         SELECT 'subscriber-' || CAST(i AS TEXT), FALSE, 0, 0 FROM n",
    );
    given::subscribers_are_members(&world);
    world.execute(
        "UPDATE team_members SET expires_at = 1767312000000001
         WHERE user_id IN (SELECT id FROM users WHERE login LIKE 'subscriber-%')",
    );
    world.execute(
        "UPDATE team_counts SET members = members + 250 WHERE team_id IN (SELECT id FROM teams WHERE slug = 'core')",
    );
    at_the_end(&world);
    assert_eq!(world.olivia().get("/orgs/acme/teams/core").expect(200)["members_count"], 2);
    assert_eq!(world.rows::<(i64,)>("SELECT user_id FROM team_members WHERE expires_at IS NOT NULL").len(), 0);
}
