//! Organizations: what they show and what their owners set (section 8).

use crate::spec::given;
use crate::support::{Client, Value, World, json};

#[test]
fn operation_org_get_is_for_anyone() {
    let world = World::new();
    for client in [world.anonymous(), world.nina(), world.tom()] {
        assert_eq!(client.get("/orgs/acme").expect(200)["login"], "acme");
    }
    world.anonymous().get("/orgs/ACME").expect(200);
    world.anonymous().get("/orgs/tom").refused(404, "Not Found");
    world.anonymous().get("/orgs/nobody").refused(404, "Not Found");
}

#[test]
fn operation_org_update_is_for_owners() {
    let world = World::new();
    let update = |login: &str| world.client(login).patch("/orgs/acme", json!({ "company": login })).status;
    assert_eq!(["olivia", "max", "tom", "nina", "sam"].map(update), [200, 403, 403, 403, 403]);
    world.anonymous().patch("/orgs/acme", json!({ "company": "x" })).refused(401, "Requires authentication");
    assert_eq!(world.tom().get("/orgs/acme").expect(200)["company"], "olivia");
}

#[test]
fn record_texts_of_an_organization_have_the_types_of_their_schema() {
    let world = World::new();
    let texts = ["name", "company", "blog", "location", "email"];
    let shown = |client: &Client| {
        let team = client.get("/orgs/acme/teams/core").expect(200)["organization"].clone();
        [client.get("/orgs/acme").expect(200).clone(), team]
    };
    for org in shown(&world.olivia()).into_iter().chain(shown(&world.tom())) {
        let is_empty = |name: &&str| *name == "name" || org[*name] == "";
        assert!(texts.iter().all(is_empty) && org["name"].is_string(), "{org}");
        assert_eq!((&org["description"], &org["twitter_username"]), (&Value::Null, &Value::Null));
    }
    for wrong in [json!(1), json!(true), json!([]), json!({})] {
        for name in texts {
            world.olivia().patch("/orgs/acme", json!({ name: wrong })).expect(422);
        }
    }
    world
        .olivia()
        .patch("/orgs/acme", json!({ "company": "c", "location": "l", "email": "a@example.com" }))
        .expect(200);
    for (given, kept) in [(Value::Null, json!("c")), (json!(""), json!(""))] {
        let body = json!({ "company": given, "location": given, "email": given });
        assert_eq!(world.olivia().patch("/orgs/acme", body).expect(200)["company"], kept);
    }
    for org in shown(&world.tom()) {
        assert!(["company", "location", "email"].iter().all(|name| org[*name] == ""), "{org}");
    }
}

#[test]
fn operation_org_update_sets_the_profile() {
    let world = World::new();
    world.advance(60);
    let body = json!({
        "name": "Acme, Inc.", "description": "d", "company": "c", "blog": "https://example.com", "location": "l",
        "email": "acme@example.com", "twitter_username": "acme", "billing_email": "billing@example.com",
    });
    let org = world.olivia().patch("/orgs/acme", body.clone()).expect(200).clone();
    for (member, value) in body.as_object().expect("members") {
        assert_eq!(&org[member], value, "{member}");
    }
    assert_eq!(org["updated_at"], "2026-01-01T00:01:00Z");
    assert_eq!(world.anonymous().get("/orgs/acme").expect(200)["location"], "l");
}

#[test]
fn operation_org_update_sets_the_switches() {
    let world = World::new();
    let body = json!({
        "default_repository_permission": "none", "members_can_create_teams": false,
        "members_can_create_repositories": false, "has_organization_projects": false, "has_repository_projects": false,
        "audit_shows_addresses": true, "members_can_leave_teams": true,
    });
    world.olivia().patch("/orgs/acme", body.clone()).expect(200);
    let org = world.olivia().get("/orgs/acme").expect(200).clone();
    for (member, value) in body.as_object().expect("members") {
        assert_eq!(&org[member], value, "{member}");
    }
}

#[test]
fn operation_org_update_leaves_what_it_does_not_name() {
    let world = World::new();
    world.olivia().patch("/orgs/acme", json!({ "location": "l", "members_can_create_teams": false })).expect(200);
    let org = world.olivia().patch("/orgs/acme", json!({ "company": "c" })).expect(200).clone();
    assert_eq!((&org["location"], &org["members_can_create_teams"]), (&json!("l"), &json!(false)));
}

#[test]
fn operation_org_update_refuses_what_does_not_fit() {
    let world = World::new();
    for body in [
        json!({ "default_repository_permission": "pull" }),
        json!({ "members_can_create_teams": "false" }),
        json!({ "name": 7 }),
    ] {
        let answer = world.olivia().patch("/orgs/acme", body);
        let message = answer.expect(422)["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.starts_with("Invalid request.\n\n"), "{message}");
    }
    assert_eq!(world.olivia().get("/orgs/acme").expect(200)["default_repository_permission"], "read");
}

#[test]
fn operation_org_update_checks_only_what_it_changes() {
    let world = World::new();
    given::run(&world, "UPDATE orgs SET email = 'nobody' WHERE login = 'acme'");
    let org = world.olivia().patch("/orgs/acme", json!({ "company": "c", "email": "nobody" })).expect(200).clone();
    assert_eq!((&org["company"], &org["email"]), (&json!("c"), &json!("nobody")));
    world.olivia().patch("/orgs/acme", json!({ "email": "somebody" })).refused(422, "Validation Failed");
}

#[test]
fn decision_16_an_update_of_an_organization_without_change_writes_nothing() {
    let world = World::new();
    world.olivia().patch("/orgs/acme", json!({ "company": "c" })).expect(200);
    let (before, written) = (world.olivia().get("/orgs/acme").json, given::written(&world));
    world.advance(60);
    assert_eq!(world.olivia().patch("/orgs/acme", json!({ "company": "c" })).expect(200), &before);
    assert_eq!(given::written(&world), written);
}

#[test]
fn decision_2_an_organization_is_named_by_id_too() {
    let world = World::new();
    let org = given::org_id(&world);
    let path = format!("/organizations/{org}");
    assert_eq!(world.tom().get(&path).expect(200), &world.tom().get("/orgs/acme").json);
    world.olivia().patch(&path, json!({ "company": "c" })).expect(200);
    assert_eq!(given::each(&world.tom(), &format!("{path}/teams"), "slug"), ["core"]);
    world.tom().post(&format!("{path}/teams"), json!({ "name": "Other" })).expect(201);
    world.tom().get(&format!("{path}/members/max")).expect(204);
    assert_eq!(world.tom().get(&format!("{path}/memberships/max")).expect(200)["state"], "active");
    world.tom().get("/organizations/999999").refused(404, "Not Found");
    world.tom().get("/organizations/acme").refused(404, "Not Found");
}
