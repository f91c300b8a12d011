//! Parameters (decisions 7 and 8).

use guildhall::operation::Compat;

use crate::spec::given;
use crate::support::world::Settings;
use crate::support::{World, json};

const CORE: &str = "/orgs/acme/teams/core";

#[test]
fn decision_7_a_name_in_the_path_is_read_from_the_path_only() {
    let world = World::new();
    given::closed(&world, "Other");
    let body = json!({ "username": "ray", "team_slug": "other", "org": "beta", "org_id": 99, "team_id": 99 });
    world.max().put("/orgs/acme/teams/core/memberships/eve?username=ray&team_slug=other", body.clone()).expect(200);
    world.max().get("/orgs/acme/teams/core/memberships/eve").expect(200);
    world.max().get("/orgs/acme/teams/core/memberships/ray").expect(404);
    let mut update = body;
    update["name"] = json!("Kernel");
    assert_eq!(world.max().patch(CORE, update).expect(200)["slug"], "kernel");
    let list = world.max().get("/orgs/acme/teams/kernel/members?team_slug=other&org=beta&team_id=99");
    assert_eq!(list.each("login"), ["max", "tom", "eve"]);
}

#[test]
fn decision_7_text_in_a_body_stays_text() {
    let world = World::new();
    let core = given::core(&world);
    let id = core["id"].to_string();
    let answer = world.olivia().post("/orgs/acme/teams", json!({ "name": "Child", "parent_team_id": id }));
    answer.refused(422, &format!("Invalid request.\n\nFor 'properties/parent_team_id', \"{id}\" is not a number."));
    let answer = world.olivia().patch("/orgs/acme", json!({ "members_can_create_teams": "true" }));
    answer.refused(422, "Invalid request.\n\nFor 'properties/members_can_create_teams', \"true\" is not a boolean.");
    world.olivia().get("/orgs/acme/teams/child").expect(404);
}

#[test]
fn decision_7_null_is_the_same_as_leaving_a_value_out() {
    let world = World::new();
    let body = json!({
        "name": "Nulls", "description": null, "maintainers": null, "repo_names": null, "privacy": null,
        "permission": null, "notification_setting": null, "parent_team_id": null,
    });
    let team = given::team(&world, body);
    assert_eq!((&team["privacy"], &team["permission"]), (&json!("secret"), &json!("pull")));
    let body = json!({ "name": "Core", "privacy": null, "permission": null, "notification_setting": null });
    let core = world.max().patch(CORE, body).expect(200).clone();
    assert_eq!((&core["privacy"], &core["permission"]), (&json!("closed"), &json!("pull")));
    assert_eq!(
        world.max().put("/orgs/acme/teams/core/memberships/eve", json!({ "role": null })).expect(200)["role"],
        "member"
    );
}

#[test]
fn decision_7_a_null_parent_detaches_and_a_null_description_clears() {
    let world = World::new();
    given::child(&world, &given::core(&world), "Child");
    let path = "/orgs/acme/teams/child";
    world.olivia().patch(path, json!({ "name": "Child", "description": "d" })).expect(200);
    let kept = world.olivia().patch(path, json!({ "name": "Child" })).expect(200).clone();
    assert_eq!((&kept["description"], &kept["parent"]["slug"]), (&json!("d"), &json!("core")));
    let body = json!({ "name": "Child", "description": null, "parent_team_id": null });
    let cleared = world.olivia().patch(path, body).expect(200).clone();
    assert_eq!((&cleared["description"], &cleared["parent"]), (&json!(null), &json!(null)));
}

#[test]
fn decision_7_an_empty_description_is_kept_as_such() {
    let world = World::new();
    assert_eq!(given::team(&world, json!({ "name": "A", "description": "" }))["description"], "");
    assert_eq!(given::team(&world, json!({ "name": "B" }))["description"], json!(null));
}

#[test]
fn decision_7_unknown_keys_are_ignored() {
    let world = World::new();
    let team =
        given::team(&world, json!({ "name": "A", "ldap_dn": "x", "nonsense": { "a": [1] }, "slug": "b", "id": 7 }));
    assert_eq!(team["slug"], "a");
    world.max().patch(CORE, json!({ "name": "Core", "nonsense": true })).expect(200);
    world.max().put("/orgs/acme/teams/core/memberships/eve", json!({ "nonsense": 1 })).expect(200);
    world.tom().get("/orgs/acme/teams?nonsense=1").expect(200);
}

#[test]
fn decision_7_but_not_on_the_put_of_an_organization_membership() {
    let world = World::new();
    let answer = world.olivia().put("/orgs/acme/memberships/nina", json!({ "role": "member", "nonsense": 1 }));
    answer.refused(422, "Invalid request.\n\n\"nonsense\" is not a permitted key.");
    assert!(answer.json.get("errors").is_none());
    world.nina().get("/user/memberships/orgs/acme").expect(404);
}

#[test]
fn decision_7_fields_of_create_only_are_ignored_on_update() {
    let world = World::new();
    let body = json!({ "name": "Core", "maintainers": ["nobody"], "repo_names": ["else/where"] });
    assert_eq!(world.max().patch(CORE, body).expect(200)["members_count"], 2);
}

#[test]
fn decision_7_the_last_of_equal_json_keys_counts() {
    let world = World::new();
    let body = r#"{"name":"First","privacy":"closed","name":"Last"}"#;
    let made = world.olivia().send("POST", "/orgs/acme/teams", Some(body.into()));
    assert_eq!(made.expect(201)["name"], "Last");
}

#[test]
fn decision_7_the_first_of_equal_query_keys_counts() {
    let world = World::new();
    let first = |query: &str| given::each(&world.tom(), &format!("/orgs/acme/teams/core/members?{query}"), "login");
    assert_eq!(first("per_page=1&per_page=2"), ["max"]);
    assert_eq!(first("role=maintainer&role=member"), ["max"]);
}

#[test]
fn decision_7_an_unknown_value_in_the_query_means_the_default() {
    let world = World::new();
    for query in [
        "role=admin",
        "role=",
        "page=x",
        "per_page=x",
        "page=-3",
        "per_page=-3",
        "membership=nonsense",
        "role=%ff",
        "role=%00",
        "page=%ff",
        "per_page=a%C3",
        "x=%ff",
        "%ff=x",
        "role=%ff&role=maintainer",
    ] {
        let list = given::each(&world.tom(), &format!("/orgs/acme/teams/core/members?{query}"), "login");
        assert_eq!(list, ["max", "tom"], "{query}");
    }
}

#[test]
fn decision_7_pages_of_a_query_that_cannot_be_decoded_are_linked() {
    let world = World::new();
    let answer = world.tom().get("/orgs/acme/teams/core/members?per_page=1&x=%ff&page=%ff");
    assert_eq!(answer.each("login"), ["max"]);
    let next = answer.link("next").expect("a next page");
    assert!(next.ends_with("/members?per_page=1&x=%ff&page=2"), "{next}");
    assert_eq!(given::each(&world.tom(), &next, "login"), ["tom"]);
}

#[test]
fn decision_7_a_number_without_a_fraction_is_whole_however_it_is_written() {
    let world = World::new();
    let (id, tom) = (given::id(&given::core(&world)), given::user_id(&world, "tom"));
    let post = |body: String| world.olivia().send("POST", "/orgs/acme/teams", Some(body));
    let made = post(format!(r#"{{"name":"Child","parent_team_id":{id}.0,"maintainers":[{tom}.0]}}"#));
    assert_eq!(made.expect(201)["parent"]["id"], id);
    assert_eq!(given::each(&world.olivia(), "/orgs/acme/teams/child/members", "login"), ["olivia", "tom"]);
    for (number, problem) in [
        ("1.5", "1.5 is not an integer"),
        ("9223372036854775808", "9223372036854775808 is out of range"),
        ("1e19", "1e+19 is out of range"),
        ("true", "true is not a number"),
    ] {
        let answer = post(format!(r#"{{"name":"Other","parent_team_id":{number}}}"#));
        answer.refused(422, &format!("Invalid request.\n\nFor 'properties/parent_team_id', {problem}."));
    }
}

#[test]
fn decision_8_an_update_needs_a_name() {
    let world = World::new();
    for body in [json!({}), json!({ "description": "d" }), json!({ "name": null, "description": "d" })] {
        let answer = world.max().patch(CORE, body);
        answer.refused(422, "Invalid request.\n\n\"name\" wasn't supplied.");
    }
    assert_eq!(given::core(&world)["description"], json!(null));
}

/// A world with this value of the setting.
fn partial(partial_team_update: bool) -> World {
    let compat = Compat { partial_team_update, ..Compat::default() };
    World::with(Settings { compat, ..Settings::default() })
}

#[test]
fn decision_8_a_setting_makes_the_name_optional() {
    let world = partial(true);
    for body in [json!({ "description": "d" }), json!({ "name": null, "description": "d" })] {
        let team = world.max().patch(CORE, body).expect(200).clone();
        assert_eq!((&team["name"], &team["description"]), (&json!("Core"), &json!("d")));
    }
    world.max().patch(CORE, json!({})).expect(200);
    let create = world.olivia().post("/orgs/acme/teams", json!({}));
    create.refused(422, "Invalid request.\n\n\"name\" wasn't supplied.");
}

#[test]
fn decision_8_a_blank_name_is_422_either_way() {
    for partial_team_update in [false, true] {
        let world = partial(partial_team_update);
        for name in ["", " ", "\t\n", "\u{a0}"] {
            world.max().patch(CORE, json!({ "name": name })).expect(422);
        }
        assert_eq!(given::core(&world)["name"], "Core");
    }
}
