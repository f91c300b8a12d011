//! The supporting operations of people and of the site (section 8).

use crate::spec::given;
use crate::support::{World, json};

#[test]
fn operation_root_maps_the_interface() {
    let world = World::new();
    let root = world.anonymous().get("/").expect(200).clone();
    let addresses = root.as_object().expect("a map");
    assert!(addresses.values().all(|address| address.as_str().is_some_and(|text| text.starts_with(&world.base))));
    assert_eq!(root["organization_url"], format!("{}/orgs/{{org}}", world.base));
    assert_eq!(root["current_user_url"], format!("{}/user", world.base));
    let answer = world.tom().get("/");
    assert!(answer.header("x-oauth-scopes").is_some_and(|scopes| scopes.contains("repo")));
    assert!(answer.header("x-github-media-type").is_some());
}

#[test]
fn operation_rate_limit_says_what_is_left() {
    let world = World::new();
    world.tom().get("/user").expect(200);
    let answer = world.tom().get("/rate_limit");
    let limit = answer.expect(200);
    assert_eq!(limit["resources"]["core"], limit["rate"]);
    for member in ["limit", "remaining", "reset", "used"] {
        assert!(limit["rate"][member].is_u64(), "{member}");
    }
    assert_eq!(answer.header("cache-control"), Some("no-cache"));
}

#[test]
fn operation_user_is_the_caller() {
    let world = World::new();
    let tom = world.tom().get("/user");
    assert_eq!((&tom.expect(200)["login"], &tom.json["type"]), (&json!("tom"), &json!("User")));
    assert_eq!(tom.json["site_admin"], false);
    assert_eq!(world.sam().get("/user").expect(200)["site_admin"], true);
    world.anonymous().get("/user").refused(401, "Requires authentication");
}

#[test]
fn operation_users_are_found_by_login_and_by_id_also_without_a_token() {
    let world = World::new();
    let tom = world.anonymous().get("/users/TOM").expect(200).clone();
    assert_eq!(tom["login"], "tom");
    assert_eq!(world.anonymous().get(&format!("/user/{}", tom["id"])).expect(200)["login"], "tom");
    world.anonymous().get("/users/nobody").refused(404, "Not Found");
    world.anonymous().get("/user/999999").refused(404, "Not Found");
    world.anonymous().get("/user/tom").refused(404, "Not Found");
}

#[test]
fn operation_users_finds_organizations_too() {
    let world = World::new();
    let acme = world.anonymous().get("/users/acme").expect(200).clone();
    assert_eq!((&acme["login"], &acme["type"]), (&json!("acme"), &json!("Organization")));
    assert_eq!(acme["id"], given::org_id(&world));
}

#[test]
fn operation_emails_are_for_the_caller_alone() {
    let world = World::new();
    let emails = world.tom().get("/user/emails").expect(200).clone();
    assert_eq!(emails.as_array().map(Vec::len), Some(1));
    assert_eq!(emails[0]["email"], "tom@example.com");
    assert!(emails[0]["verified"].is_boolean());
    assert!(world.eve().get("/users/tom").expect(200)["email"].is_null(), "nobody else reads it");
}

#[test]
fn operation_orgs_of_the_caller_are_those_where_they_are_active() {
    let world = World::new();
    world.organization("beta", "tom", &[]);
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    assert_eq!(given::each(&world.tom(), "/user/orgs", "login"), ["acme", "beta"]);
    assert_eq!(world.nina().get("/user/orgs").expect(200), &json!([]));
}

#[test]
fn operation_orgs_of_somebody_are_the_public_ones_and_those_that_the_caller_shares() {
    let world = World::new();
    world.organization("beta", "tom", &["nina"]);
    assert_eq!(world.anonymous().get("/users/tom/orgs").expect(200), &json!([]));
    assert_eq!(given::each(&world.eve(), "/users/tom/orgs", "login"), ["acme"]);
    assert_eq!(given::each(&world.nina(), "/users/tom/orgs", "login"), ["beta"]);
    world.tom().put_empty("/orgs/beta/public_members/tom").expect(204);
    assert_eq!(given::each(&world.anonymous(), "/users/tom/orgs", "login"), ["beta"]);
    assert_eq!(given::each(&world.eve(), "/users/tom/orgs", "login"), ["acme", "beta"]);
    world.anonymous().get("/users/nobody/orgs").refused(404, "Not Found");
}

#[test]
fn operation_organizations_come_by_id_after_the_one_stated() {
    let world = World::new();
    for login in ["beta", "alpha", "gamma"] {
        world.organization(login, "olivia", &[]);
    }
    let list = |query: &str| given::each(&world.anonymous(), &format!("/organizations?{query}"), "login");
    assert_eq!(list(""), ["acme", "beta", "alpha", "gamma"]);
    assert_eq!(list("per_page=2"), ["acme", "beta"]);
    assert_eq!(list(&format!("since={}", given::org_id(&world))), ["beta", "alpha", "gamma"]);
    for since in ["999999", "9223372036854775807", "99999999999999999999"] {
        assert_eq!(list(&format!("since={since}")), [""; 0], "{since}");
    }
    assert_eq!(world.anonymous().all("/organizations?per_page=1").len(), 4, "along Link");
}
