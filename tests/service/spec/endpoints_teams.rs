//! The operations of teams (section 8): who may call them and what success looks like.

use crate::spec::given;
use crate::support::{World, json};

const CORE: &str = "/orgs/acme/teams/core";

/// The statuses that owner, maintainer, member of the team, member of the organization, outsider, site
/// administrator and an anonymous client get.
fn statuses(world: &World, call: impl Fn(&crate::support::Client) -> u16) -> [u16; 7] {
    let [olivia, max, tom, eve, nina, sam] =
        ["olivia", "max", "tom", "eve", "nina", "sam"].map(|login| call(&world.client(login)));
    [olivia, max, tom, eve, nina, sam, call(&world.anonymous())]
}

#[test]
fn operation_list_shows_anyone_signed_in_what_they_see() {
    let world = World::new();
    given::secret(&world, "Hidden");
    let counts = ["olivia", "max", "tom", "eve", "nina", "sam"]
        .map(|login| world.client(login).get("/orgs/acme/teams").each("id").len());
    assert_eq!(counts, [2, 1, 1, 1, 0, 0]);
    world.anonymous().get("/orgs/acme/teams").refused(404, "Not Found");
    world.olivia().get("/orgs/nobody/teams").refused(404, "Not Found");
}

#[test]
fn operation_create_is_for_owners_and_members() {
    let world = World::new();
    let number = std::cell::Cell::new(0);
    let got = statuses(&world, |client| {
        number.set(number.get() + 1);
        client.post("/orgs/acme/teams", json!({ "name": format!("Team {}", number.get()) })).status
    });
    assert_eq!(got, [201, 201, 201, 201, 403, 403, 401]);
}

#[test]
fn operation_create_answers_201_with_location_and_record() {
    let world = World::new();
    let body = json!({
        "name": "Design", "description": "draws", "privacy": "closed", "permission": "push",
        "notification_setting": "notifications_disabled", "maintainers": ["tom"],
    });
    let answer = world.olivia().post("/orgs/acme/teams", body);
    let team = answer.expect(201);
    assert_eq!(answer.header("location"), team["url"].as_str());
    for (field, value) in [
        ("name", json!("Design")),
        ("slug", json!("design")),
        ("description", json!("draws")),
        ("privacy", json!("closed")),
        ("permission", json!("push")),
        ("notification_setting", json!("notifications_disabled")),
        ("members_count", json!(2)),
        ("repos_count", json!(0)),
        ("parent", json!(null)),
        ("created_at", json!("2026-01-01T00:00:00Z")),
        ("updated_at", json!("2026-01-01T00:00:00Z")),
    ] {
        assert_eq!(team[field], value, "{field}");
    }
}

#[test]
fn operation_get_is_for_those_who_see_the_team() {
    let world = World::new();
    assert_eq!(statuses(&world, |client| client.get(CORE).status), [200, 200, 200, 200, 404, 404, 404]);
}

#[test]
fn operation_update_is_for_owners_and_maintainers() {
    let world = World::new();
    let update = |client: &crate::support::Client| client.patch(CORE, json!({ "name": "Core" })).status;
    assert_eq!(statuses(&world, update), [200, 200, 403, 403, 404, 404, 401]);
}

#[test]
fn operation_update_changes_what_it_names_and_nothing_else() {
    let world = World::new();
    let before = given::core(&world);
    world.advance(60);
    let body = json!({ "name": "Kernel", "description": "d", "permission": "admin" });
    let after = world.max().patch(CORE, body).expect(200).clone();
    for (field, value) in [
        ("id", before["id"].clone()),
        ("name", json!("Kernel")),
        ("slug", json!("kernel")),
        ("description", json!("d")),
        ("permission", json!("admin")),
        ("privacy", json!("closed")),
        ("notification_setting", json!("notifications_enabled")),
        ("created_at", before["created_at"].clone()),
        ("updated_at", json!("2026-01-01T00:01:00Z")),
        ("members_count", json!(2)),
    ] {
        assert_eq!(after[field], value, "{field}");
    }
    let read = world.eve().get("/orgs/acme/teams/kernel").expect(200).clone();
    assert!(read.as_object().expect("a record").iter().all(|(key, value)| after[key] == *value));
}

#[test]
fn operation_delete_is_for_owners_and_maintainers() {
    let world = World::new();
    for login in ["tom", "eve"] {
        world.client(login).delete(CORE).expect(403);
    }
    world.nina().delete(CORE).refused(404, "Not Found");
    world.anonymous().delete(CORE).expect(401);
    let answer = world.max().delete(CORE);
    answer.expect(204);
    assert_eq!((answer.text.as_str(), answer.header("etag"), answer.header("content-type")), ("", None, None));
    world.max().delete(CORE).refused(404, "Not Found");
}

#[test]
fn operation_list_child_shows_direct_children_only() {
    let world = World::new();
    let core = given::core(&world);
    let child = given::child(&world, &core, "Child");
    given::child(&world, &child, "Grandchild");
    given::child(&world, &core, "Another");
    let children = world.eve().get("/orgs/acme/teams/core/teams");
    children.expect(200);
    assert_eq!(children.each("slug"), ["another", "child"]);
    assert_eq!(children.json[0]["parent"]["slug"], "core");
    assert_eq!(world.eve().get("/orgs/acme/teams/grandchild/teams").expect(200), &json!([]));
    world.nina().get("/orgs/acme/teams/core/teams").refused(404, "Not Found");
}

#[test]
fn operation_list_for_authenticated_user_spans_organizations() {
    let world = World::new();
    world.organization("beta", "tom", &["max"]);
    world.tom().post("/orgs/beta/teams", json!({ "name": "Core" })).expect(201);
    let teams = world.tom().get("/user/teams");
    teams.expect(200);
    let logins: Vec<_> = teams.each("organization").iter().map(|org| org["login"].clone()).collect();
    assert_eq!(logins, ["acme", "beta"]);
    assert_eq!(world.nina().get("/user/teams").expect(200), &json!([]));
}

#[test]
fn operation_update_review_assignment_needs_enabled_and_a_number_from_1_to_10() {
    let world = World::new();
    let max = world.max();
    let path = "/orgs/acme/teams/core/review-assignment";
    max.put(path, json!({})).expect(422);
    for count in [0, 11] {
        let body = json!({ "enabled": true, "team_member_count": count });
        max.put(path, body).refused(422, "Validation Failed");
    }
    world.tom().put(path, json!({ "enabled": true })).expect(403);
    let stored = "SELECT review_enabled, review_algorithm, review_members, review_notify FROM teams";
    let rows = || world.rows::<(bool, String, i64, bool)>(stored);
    assert_eq!(rows(), [(false, "round_robin".to_owned(), 1, true)]);
    let body = json!({ "enabled": true, "algorithm": "load_balance", "team_member_count": 2, "notify_team": false });
    assert_eq!(max.put(path, body).expect(200)["slug"], "core");
    assert_eq!(rows(), [(true, "load_balance".to_owned(), 2, false)]);
    max.put(path, json!({ "enabled": true })).expect(200);
    assert_eq!(rows(), [(true, "round_robin".to_owned(), 1, true)]);
}
