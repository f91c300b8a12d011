//! Refusing: without credentials, and in which order (decisions 19 and 20).

use crate::spec::given;
use crate::support::{Client, World, json, raw};

const CORE: &str = "/orgs/acme/teams/core";

#[test]
fn decision_19_without_credentials_user_addresses_and_writes_are_401() {
    let world = World::new();
    let nobody = world.anonymous();
    for path in ["/user", "/user/teams", "/user/orgs", "/user/emails", "/user/memberships/orgs/acme"] {
        nobody.get(path).refused(401, "Requires authentication");
    }
    let refused = "Requires authentication";
    nobody.post("/orgs/acme/teams", json!({ "name": "A" })).refused(401, refused);
    nobody.patch(CORE, json!({ "name": "A" })).refused(401, refused);
    nobody.delete("/orgs/acme/teams/absent").refused(401, refused);
    nobody.put("/orgs/nobody/teams/absent/memberships/tom", json!({})).refused(401, refused);
    nobody.patch("/user/memberships/orgs/acme", json!({ "state": "active" })).refused(401, refused);
}

#[test]
fn decision_19_without_credentials_reads_of_team_objects_are_404() {
    let world = World::new();
    for below in ["", "/teams", "/members", "/members/tom", "/memberships/tom"] {
        for form in given::forms(&given::core(&world)) {
            world.anonymous().get(&format!("{form}{below}")).refused(404, "Not Found");
        }
    }
}

#[test]
fn decision_19_wrong_expired_and_revoked_credentials_are_always_401() {
    let world = World::new();
    let (expired, revoked) = (world.limited("tom", &["repo"]), world.limited("max", &["repo"]));
    expired.get(CORE).expect(200);
    revoked.get(CORE).expect(200);
    given::run(&world, "UPDATE tokens SET expires_at = 1767225601000000 WHERE id = (SELECT MAX(id) - 1 FROM tokens)");
    given::run(&world, "DELETE FROM tokens WHERE id = (SELECT MAX(id) FROM tokens)");
    assert!(expired.get(CORE).header("github-authentication-token-expiration").is_some(), "not yet");
    world.advance(2);
    for client in [expired, revoked, Client::new(&world.base, Some("nonsense"))] {
        for path in [CORE, "/user", "/orgs/acme", "/", "/users/tom", "/rate_limit"] {
            client.get(path).refused(401, "Bad credentials");
        }
        client.delete(CORE).refused(401, "Bad credentials");
    }
}

#[test]
fn decision_19_a_suspended_account_is_403_everywhere() {
    let world = World::new();
    world.max();
    world.sam().put("/users/max/suspended", json!({ "reason": "away" })).expect(204);
    for path in [CORE, "/user", "/orgs/acme", "/", "/orgs/nobody/teams", "/users/nobody"] {
        world.max().get(path).refused(403, "Sorry. Your account was suspended.");
    }
    world.max().delete(CORE).refused(403, "Sorry. Your account was suspended.");
}

#[test]
fn decision_20_the_address_comes_before_user_agent_and_credentials() {
    let world = World::new();
    let host = world.base.trim_start_matches("http://");
    let send = |line: &str| {
        let request =
            format!("{line} HTTP/1.1\r\nHost: {host}\r\nAuthorization: token no\r\nConnection: close\r\n\r\n");
        raw::status(&raw::send(host, request.as_bytes()))
    };
    assert_eq!(send("GET /nowhere"), 404);
    assert_eq!(send("DELETE /user/teams"), 405);
    assert_eq!(send("GET /user/teams"), 403, "then User-Agent");
}

#[test]
fn decision_20_credentials_come_before_suspension_and_scope() {
    let world = World::new();
    Client::new(&world.base, Some("wrong")).get("/orgs/nobody/teams/absent").refused(401, "Bad credentials");
    let weak = world.limited("tom", &["user:email"]);
    world.sam().put_empty("/users/tom/suspended").expect(204);
    weak.get(CORE).refused(403, "Sorry. Your account was suspended.");
}

#[test]
fn decision_20_scope_comes_before_the_subject_and_says_which_it_wanted() {
    let world = World::new();
    let weak = world.limited("tom", &["user:email"]);
    let list = weak.get("/orgs/nobody/teams");
    list.refused(403, "Must have admin rights to Repository.");
    assert_eq!(list.header("x-oauth-scopes"), Some("user:email"));
    assert_eq!(list.header("x-accepted-oauth-scopes"), Some("admin:org, read:org, repo, user, write:org"));
    let write = weak.put("/orgs/acme/teams/core/memberships/eve", json!({}));
    write.refused(404, "Not Found");
    assert_eq!(write.header("x-accepted-oauth-scopes"), Some("admin:org, repo"));
}

#[test]
fn decision_20_the_subject_comes_before_the_policy() {
    let world = World::new();
    world.tom().delete("/orgs/acme/teams/absent").refused(404, "Not Found");
    world.tom().put("/orgs/nobody/teams/core/memberships/eve", json!({})).refused(404, "Not Found");
    world.tom().delete(CORE).expect(403);
}

#[test]
fn decision_20_the_policy_comes_before_the_body() {
    let world = World::new();
    for body in ["{", "[]", "{\"role\":1}", &"[".repeat(100), &"x".repeat(2 << 20)] {
        let put = world.tom().send("PUT", "/orgs/acme/teams/core/memberships/eve", Some(body.into()));
        put.refused(403, "You must be an organization owner or team maintainer to add a team membership.");
    }
    let host = world.base.trim_start_matches("http://");
    let token = world.tom().token.expect("a token");
    let request = format!(
        "PUT /orgs/acme/teams/core/memberships/eve HTTP/1.1\r\nHost: {host}\r\nUser-Agent: t\r\n\
         Authorization: token {token}\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(raw::status(&raw::send(host, request.as_bytes())), 403, "and before its length");
}

/// A verdict is kept for a moment, and never decides.
#[test]
fn decision_20_the_policy_is_that_of_now_whatever_it_agreed_to_a_moment_ago() {
    let world = World::new();
    let (olivia, tom) = (world.olivia(), world.tom());
    let add = |team: &str, body: &str| {
        tom.send("PUT", &format!("/orgs/acme/teams/{team}/memberships/tom"), Some(body.into()))
    };
    let refused = "You must be an organization owner or team maintainer to add a team membership.";
    for n in 0..8 {
        let name = format!("Moment {n}");
        let team = format!("moment-{n}");
        olivia.post("/orgs/acme/teams", json!({ "name": name, "privacy": "closed" })).expect(201);
        let seat = format!("/orgs/acme/teams/{team}/memberships/tom");
        olivia.put(&seat, json!({ "role": "maintainer" })).expect(200);
        add(&team, r#"{"role":"maintainer"}"#).expect(200);
        let body = if n % 2 == 0 { "{" } else { r#"{"role":"maintainer"}"# };
        if n < 4 {
            olivia.put(&seat, json!({ "role": "member" })).expect(200);
            add(&team, body).refused(403, refused);
            olivia.put(&seat, json!({ "role": "maintainer" })).expect(200);
            add(&team, r#"{"role":"maintainer"}"#).expect(200);
        } else {
            olivia.delete(&format!("/orgs/acme/teams/{team}")).expect(204);
            add(&team, body).refused(404, "Not Found");
        }
    }
}

#[test]
fn decision_20_the_body_comes_before_parameters_and_these_before_rules() {
    let world = World::new();
    let send = |body: &str| world.olivia().send("POST", "/orgs/acme/teams", Some(body.into()));
    send("{\"name\":").refused(400, "Problems parsing JSON");
    send("{\"name\":1,").refused(400, "Problems parsing JSON");
    send(r#"{"name":"Core","privacy":"x"}"#).refused(
        422,
        "Invalid request.\n\nFor 'properties/privacy', \"x\" is not a member of [\"secret\", \"closed\"].",
    );
    send(r#"{"name":"Core"}"#).refused(422, "Validation Failed");
}

#[test]
fn decision_20_every_parameter_that_does_not_fit_has_a_line() {
    let world = World::new();
    let answer = world.olivia().post("/orgs/acme/teams", json!({ "privacy": "x", "parent_team_id": "y" }));
    let message = answer.expect(422)["message"].as_str().expect("a message").to_owned();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!((lines[0], lines[1], lines.len()), ("Invalid request.", "", 5), "{message}");
    assert!(message.contains("\"name\" wasn't supplied.") && message.contains("\"y\" is not a number."), "{message}");
}

#[test]
fn decision_20_to_administer_a_team_is_to_be_owner_or_maintainer() {
    let world = World::new();
    for login in ["olivia", "max"] {
        let client = world.client(login);
        client.put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
        client.delete("/orgs/acme/teams/core/memberships/eve").expect(204);
    }
    given::closed(&world, "Other");
    world.max().put("/orgs/acme/teams/other/memberships/eve", json!({})).expect(403);
}

#[test]
fn decision_20_a_maintainer_of_the_parent_does_not_administer_the_child() {
    let world = World::new();
    given::child(&world, &given::core(&world), "Child");
    world.max().put("/orgs/acme/teams/child/memberships/eve", json!({})).expect(403);
    world.max().patch("/orgs/acme/teams/child", json!({ "name": "Mine" })).expect(403);
    world.max().delete("/orgs/acme/teams/child").expect(403);
}

#[test]
fn decision_20_a_query_that_cannot_be_decoded_comes_after_credentials() {
    let world = World::new();
    for query in ["x=%ff", "role=%ff", "page=%ff", "%ff", "x=%00"] {
        let path = format!("/orgs/acme/teams/core/members?{query}");
        world.tom().get(&path).expect(200);
        world.anonymous().with("Authorization", "token wrong").get(&path).refused(401, "Bad credentials");
        world.anonymous().get(&path).refused(404, "Not Found");
        let unscoped = world.limited("tom", &["write:discussion"]).get(&path);
        unscoped.refused(403, "Must have admin rights to Repository.");
    }
}
