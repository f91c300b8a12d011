//! Seeing (decisions 17 and 18).

use crate::spec::given;
use crate::support::{Answer, Client, World, json};

/// Every operation on the team `hidden`.
const CALLS: [fn(&Client) -> Answer; 13] = [
    |client| client.get("/orgs/acme/teams/hidden"),
    |client| client.patch("/orgs/acme/teams/hidden", json!({ "name": "Mine" })),
    |client| client.post("/orgs/acme/teams/hidden", json!({ "name": "Mine" })),
    |client| client.delete("/orgs/acme/teams/hidden"),
    |client| client.get("/orgs/acme/teams/hidden/teams"),
    |client| client.get("/orgs/acme/teams/hidden/members"),
    |client| client.get("/orgs/acme/teams/hidden/members/tom"),
    |client| client.put_empty("/orgs/acme/teams/hidden/members/eve"),
    |client| client.delete("/orgs/acme/teams/hidden/members/tom"),
    |client| client.get("/orgs/acme/teams/hidden/memberships/tom"),
    |client| client.put("/orgs/acme/teams/hidden/memberships/eve", json!({})),
    |client| client.put("/orgs/acme/teams/hidden/memberships/eve", json!({ "role": 1 })),
    |client| client.delete("/orgs/acme/teams/hidden/memberships/tom"),
];

fn hidden() -> World {
    let world = World::new();
    given::secret(&world, "Hidden");
    given::put(&world, "hidden", "tom", "member");
    world
}

#[test]
fn decision_17_who_does_not_see_a_team_gets_404_on_every_operation_of_it() {
    let world = hidden();
    for login in ["max", "eve", "nina", "sam"] {
        for call in CALLS {
            call(&world.client(login)).refused(404, "Not Found");
        }
    }
    let team = world.olivia().get("/orgs/acme/teams/hidden").expect(200).clone();
    assert_eq!((&team["name"], &team["members_count"]), (&json!("Hidden"), &json!(2)));
}

#[test]
fn decision_17_nor_by_any_other_form() {
    let world = hidden();
    let team = world.olivia().get("/orgs/acme/teams/hidden").expect(200).clone();
    for form in given::forms(&team) {
        world.eve().get(&form).refused(404, "Not Found");
        world.eve().delete(&form).refused(404, "Not Found");
        world.tom().get(&form).expect(200);
    }
}

#[test]
fn decision_17_it_is_missing_from_every_list_and_number() {
    let world = hidden();
    for query in ["", "?per_page=1"] {
        let list = world.eve().get(&format!("/orgs/acme/teams{query}"));
        assert_eq!((list.each("slug"), list.link("last")), (vec![json!("core")], None));
    }
    assert_eq!(world.eve().get("/user/teams").expect(200), &json!([]));
    assert_eq!(given::each(&world.tom(), "/orgs/acme/teams", "slug"), ["core", "hidden"]);
}

#[test]
fn decision_17_children_are_always_visible_to_members() {
    let world = World::new();
    given::child(&world, &given::core(&world), "Child");
    assert_eq!(given::each(&world.eve(), "/orgs/acme/teams/core/teams", "slug"), ["child"]);
}

#[test]
fn decision_17_a_team_is_no_longer_seen_by_who_is_taken_off_it() {
    let world = hidden();
    world.tom().get("/orgs/acme/teams/hidden").expect(200);
    world.olivia().delete("/orgs/acme/teams/hidden/memberships/tom").expect(204);
    world.tom().get("/orgs/acme/teams/hidden").refused(404, "Not Found");
    assert_eq!(given::each(&world.tom(), "/orgs/acme/teams", "slug"), ["core"]);
}

#[test]
fn decision_17_pending_people_see_nothing_yet() {
    let world = hidden();
    given::put(&world, "hidden", "nina", "maintainer");
    given::put(&world, "core", "nina", "maintainer");
    for call in CALLS {
        call(&world.nina()).refused(404, "Not Found");
    }
    world.nina().get("/orgs/acme/teams/core").refused(404, "Not Found");
    assert_eq!(world.nina().get("/orgs/acme/teams").expect(200), &json!([]));
    assert_eq!(world.nina().get("/orgs/acme/members").expect(200), &json!([]));
    assert_eq!(world.nina().get("/user/teams").expect(200), &json!([]));
}

#[test]
fn decision_17_a_site_administrator_sees_teams_only_by_an_impersonation_token() {
    let world = hidden();
    world.sam().get("/orgs/acme/teams/core").refused(404, "Not Found");
    let body = json!({ "scopes": ["admin:org"] });
    let made = world.sam().post("/admin/users/olivia/authorizations", body).expect(201).clone();
    let acting = Client::new(&world.base, made["token"].as_str());
    acting.get("/orgs/acme/teams/hidden").expect(200);
    assert_eq!(acting.get("/user").expect(200)["login"], "olivia");
}

#[test]
fn decision_18_an_organization_and_its_public_members_are_no_secret() {
    let world = World::new();
    world.tom().put_empty("/orgs/acme/public_members/tom").expect(204);
    for client in [world.anonymous(), world.nina()] {
        assert_eq!(client.get("/orgs/acme").expect(200)["login"], "acme");
        assert_eq!(given::each(&client, "/orgs/acme/public_members", "login"), ["tom"]);
        assert_eq!(given::each(&client, "/orgs/acme/members", "login"), ["tom"]);
        assert!(client.get("/orgs/acme").json.get("billing_email").is_none());
    }
}

#[test]
fn decision_18_an_outsider_with_a_token_gets_an_empty_list_of_teams() {
    let world = World::new();
    assert_eq!(world.nina().get("/orgs/acme/teams").expect(200), &json!([]));
    assert_eq!(world.sam().get("/orgs/acme/teams").expect(200), &json!([]));
    world.anonymous().get("/orgs/acme/teams").refused(404, "Not Found");
}

#[test]
fn decision_18_other_operations_on_the_organization_are_403_to_outsiders_and_pending_people() {
    let world = World::new();
    let calls: [fn(&Client) -> Answer; 5] = [
        |client| client.post("/orgs/acme/teams", json!({ "name": "Mine" })),
        |client| client.patch("/orgs/acme", json!({ "company": "c" })),
        |client| client.put("/orgs/acme/memberships/eve", json!({ "role": "admin" })),
        |client| client.delete("/orgs/acme/memberships/eve"),
        |client| client.delete("/orgs/acme/members/eve"),
    ];
    for _ in 0..2 {
        for call in calls {
            assert!(call(&world.nina()).expect(403)["message"].is_string());
        }
        // The second time she is pending.
        world.olivia().put("/orgs/acme/memberships/nina", json!({ "role": "admin" })).expect(200);
    }
}

#[test]
fn decision_18_billing_people_are_no_members() {
    let world = World::new();
    given::put(&world, "core", "eve", "maintainer");
    let eve = world.eve();
    given::run(&world, BILLING);
    eve.post("/orgs/acme/teams", json!({ "name": "Mine" })).expect(403);
    eve.get("/orgs/acme/teams/core").refused(404, "Not Found");
}

/// No operation gives this role yet.
const BILLING: &str = "
    UPDATE org_members SET role = 'billing_manager'
    WHERE user_id = (SELECT user_id FROM logins WHERE login_key = 'eve')";
