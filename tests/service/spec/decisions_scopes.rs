//! Scopes beyond the groups that the first clients knew (decision 54).

use crate::support::{World, json};

const READS: [&str; 3] = ["/user/memberships/orgs", "/user/memberships/orgs/acme", "/orgs/acme/memberships/eve"];

#[test]
fn decision_54_memberships_of_organizations_are_read_with_the_scope_user() {
    let world = World::new();
    let tom = world.limited("tom", &["user"]);
    let acme = world.olivia().get("/orgs/acme").expect(200)["id"].clone();
    for path in READS.map(str::to_owned).into_iter().chain([format!("/organizations/{acme}/memberships/eve")]) {
        let answer = tom.get(&path);
        answer.expect(200);
        let accepted = answer.header("x-accepted-oauth-scopes");
        assert_eq!(accepted, Some("admin:org, read:org, repo, user, write:org"), "{path}");
    }
    for scope in ["read:user", "user:email", "write:discussion"] {
        let other = world.limited("tom", &[scope]);
        assert_eq!(READS.map(|path| other.get(path).status), [403, 404, 404], "{scope}");
    }
}

#[test]
fn decision_54_ones_own_invitation_is_accepted_with_the_scope_user() {
    let world = World::new();
    world.olivia().put("/orgs/acme/memberships/nina", json!({})).expect(200);
    let accept = |scopes: &[&str]| {
        world.limited("nina", scopes).patch("/user/memberships/orgs/acme", json!({ "state": "active" }))
    };
    for scope in ["read:org", "read:user", "user:email"] {
        let refused = accept(&[scope]);
        refused.expect(404);
        assert_eq!(refused.header("x-accepted-oauth-scopes"), Some("admin:org, repo, user, write:org"), "{scope}");
    }
    assert_eq!(accept(&["user"]).expect(200)["state"], "active");
}

#[test]
fn decision_54_leaving_and_memberships_of_teams_still_need_another_scope() {
    let world = World::new();
    let tom = world.limited("tom", &["user"]);
    tom.delete("/user/memberships/orgs/acme").expect(404);
    tom.get("/orgs/acme/teams/core/memberships/tom").expect(404);
    tom.put("/orgs/acme/memberships/eve", json!({ "role": "admin" })).expect(404);
}

#[test]
fn decision_18_the_scopes_that_show_concealed_members_are_named_although_any_token_may_ask() {
    let world = World::new();
    for (path, status) in [("/orgs/acme/members/tom", 302), ("/orgs/acme/members", 200), ("/users/tom/orgs", 200)] {
        for scopes in [&[][..], &["gist"]] {
            let answer = world.limited("max", scopes).get(path);
            assert_eq!(answer.status, status, "{path}");
            assert_eq!(answer.header("x-accepted-oauth-scopes"), Some("read:org, repo, user"), "{path}");
        }
    }
    world.limited("max", &["read:org"]).get("/orgs/acme/members/tom").expect(204);
}
