//! Site administration's tokens (decision 42).

use crate::spec::given;
use crate::support::{Client, World, json};

fn impersonate(world: &World, body: crate::support::Value) -> crate::support::Answer {
    world.sam().post("/admin/users/tom/authorizations", body)
}

#[test]
fn decision_42_the_token_of_the_setting_opens_site_administration() {
    let world = World::new();
    let me = world.sam().get("/user").expect(200).clone();
    assert_eq!(me["site_admin"], true);
    world.sam().get("/admin/tokens").expect(200);
}

#[test]
fn decision_42_an_impersonation_token_acts_as_the_person_with_its_scopes() {
    let world = World::new();
    let made = impersonate(&world, json!({ "scopes": ["read:org"] }));
    let record = made.expect(201).clone();
    assert_eq!(given::keys(&record["app"]), ["name", "url", "client_id"]);
    assert_eq!(record["app"]["client_id"].as_str().map(str::len), Some(20));
    assert_eq!((&record["scopes"], &record["note"]), (&json!(["read:org"]), &json!(null)));
    let location = format!("{}/authorizations/{}", world.base, record["id"]);
    assert_eq!(made.header("location"), Some(location.as_str()));
    let acting = Client::new(&world.base, record["token"].as_str());
    assert_eq!(given::each(&acting, "/user/teams", "slug"), ["core"]);
    acting.post("/orgs/acme/teams", json!({ "name": "Other" })).refused(404, "Not Found");
}

#[test]
fn decision_42_asking_again_replaces_the_former_one() {
    let world = World::new();
    let first = impersonate(&world, json!({ "scopes": ["repo"] })).expect(201).clone();
    let second = impersonate(&world, json!({ "scopes": ["repo"] })).expect(201).clone();
    assert_ne!(first["token"], second["token"]);
    Client::new(&world.base, first["token"].as_str()).get("/user").refused(401, "Bad credentials");
    Client::new(&world.base, second["token"].as_str()).get("/user").expect(200);
}

#[test]
fn decision_42_asking_again_leaves_personal_tokens() {
    let world = World::new();
    let tom = world.tom();
    impersonate(&world, json!({})).expect(201);
    impersonate(&world, json!({})).expect(201);
    tom.get("/user").expect(200);
    world.sam().delete("/admin/users/tom/authorizations").expect(204);
    tom.get("/user").expect(200);
}

#[test]
fn decision_42_an_impersonation_token_is_taken_back() {
    let world = World::new();
    let made = impersonate(&world, json!({})).expect(201).clone();
    assert_eq!(made["scopes"], json!([]));
    let acting = Client::new(&world.base, made["token"].as_str());
    acting.get("/user").expect(200);
    world.sam().delete("/admin/users/tom/authorizations").expect(204);
    acting.get("/user").refused(401, "Bad credentials");
}

#[test]
fn decision_42_a_write_right_after_it_was_taken_back_is_refused_like_any_bad_token() {
    let world = World::new();
    for _ in 0..20 {
        let made = impersonate(&world, json!({ "scopes": ["repo"] })).expect(201).clone();
        let acting = Client::new(&world.base, made["token"].as_str());
        let orgs = json!({ "state": "active" });
        acting.patch("/user/memberships/orgs/nowhere", orgs.clone()).refused(404, "Not Found");
        world.sam().delete("/admin/users/tom/authorizations").expect(204);
        let refused = acting.patch("/user/memberships/orgs/nowhere", orgs);
        refused.refused(401, "Bad credentials");
        assert!(refused.header("x-oauth-scopes").is_none(), "nothing is said of a token that is none");
    }
}

#[test]
fn decision_42_an_unknown_scope_or_person_is_refused() {
    let world = World::new();
    impersonate(&world, json!({ "scopes": ["everything"] })).expect(422);
    impersonate(&world, json!({ "scopes": "repo" })).expect(422);
    world.sam().post("/admin/users/nobody/authorizations", json!({})).refused(404, "Not Found");
    world.sam().post("/admin/users/acme/authorizations", json!({})).refused(404, "Not Found");
}
