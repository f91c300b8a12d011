//! Authentication and scopes (section 11).

use crate::spec::given;
use crate::support::{World, json};

#[test]
fn authentication_1_what_somebody_may_do_follows_from_being_owner_maintainer_or_member() {
    let world = World::new();
    let update = |login: &str| {
        world.client(login).patch("/orgs/acme/teams/core", json!({ "name": "Core", "description": login })).status
    };
    let statuses = ["olivia", "max", "tom", "eve", "nina", "sam"].map(update);
    assert_eq!(statuses, [200, 200, 403, 403, 404, 404]);
}

#[test]
fn authentication_2_the_callers_teams_are_listed_with_user_repo_or_read_org() {
    let world = World::new();
    for scope in ["user", "repo", "read:org", "write:org", "admin:org"] {
        world.limited("tom", &[scope]).get("/user/teams").expect(200);
    }
    for scopes in [&[][..], &["write:discussion"], &["user:email"], &["admin:org_hook"]] {
        let answer = world.limited("tom", scopes).get("/user/teams");
        answer.refused(403, "Must have admin rights to Repository.");
    }
}

#[test]
fn authentication_2_teams_are_written_with_admin_org_or_repo() {
    let world = World::new();
    for (n, scope) in ["admin:org", "repo"].into_iter().enumerate() {
        let name = format!("Team {n}");
        world.limited("tom", &[scope]).post("/orgs/acme/teams", json!({ "name": name })).expect(201);
    }
    for scope in ["write:org", "read:org", "user"] {
        let answer = world.limited("tom", &[scope]).post("/orgs/acme/teams", json!({ "name": "Other" }));
        answer.refused(404, "Not Found");
    }
    assert_eq!(given::each(&world.olivia(), "/orgs/acme/teams", "slug"), ["core", "team-0", "team-1"]);
}

#[test]
fn authentication_2_a_membership_is_read_with_other_scopes_than_the_team() {
    let world = World::new();
    let user = world.limited("tom", &["user"]);
    user.get("/orgs/acme/teams/core").expect(200);
    user.get("/orgs/acme/teams/core/memberships/tom").refused(404, "Not Found");
    for scope in ["read:org", "write:org", "admin:org", "repo"] {
        world.limited("tom", &[scope]).get("/orgs/acme/teams/core/memberships/tom").expect(200);
    }
}

#[test]
fn authentication_2_posts_and_comments_are_read_and_written_with_scopes_of_their_own() {
    let world = World::new();
    let board = "/orgs/acme/teams/core/discussions";
    let [reader, writer] = ["read:discussion", "write:discussion"].map(|scope| world.limited("tom", &[scope]));
    let other = world.limited("tom", &["admin:org", "repo", "user"]);
    let post = json!({ "title": "t", "body": "b" });
    for client in [&reader, &other] {
        client.post(board, post.clone()).refused(404, "Not Found");
    }
    writer.post(board, post).expect(201);
    let comments = format!("{board}/1/comments");
    for client in [&reader, &other] {
        client.patch(&format!("{board}/1"), json!({ "title": "u" })).refused(404, "Not Found");
        client.post(&comments, json!({ "body": "b" })).refused(404, "Not Found");
    }
    writer.post(&comments, json!({ "body": "b" })).expect(201);
    for path in [board.to_owned(), format!("{board}/1"), comments.clone(), format!("{comments}/1")] {
        for client in [&reader, &writer] {
            client.get(&path).expect(200);
        }
        let status = if path.ends_with('1') { 404 } else { 403 };
        let refused = other.get(&path);
        refused.expect(status);
        assert_eq!(refused.header("x-accepted-oauth-scopes"), Some("read:discussion, write:discussion"));
    }
    writer.delete(&format!("{comments}/1")).expect(204);
    writer.delete(&format!("{board}/1")).expect(204);
}

#[test]
fn authentication_2_a_scope_holds_those_that_it_implies() {
    let world = World::new();
    world.limited("tom", &["admin:org"]).get("/orgs/acme/teams/core/memberships/tom").expect(200);
    world.limited("tom", &["write:org"]).get("/orgs/acme/teams/core").expect(200);
    world.limited("tom", &["user"]).get("/user/emails").expect(200);
    world.limited("tom", &["user:email"]).get("/user/emails").expect(200);
    world.limited("tom", &["repo"]).get("/user/emails").expect(403);
}

#[test]
fn authentication_3_credentials_travel_in_authorization() {
    let world = World::new();
    let token = world.token("tom", &["read:org"]);
    let tom = world.anonymous().with("Authorization", &format!("token {token}"));
    assert_eq!(tom.get("/user").expect(200)["login"], "tom");
    world.anonymous().get(&format!("/user?access_token={token}")).refused(401, "Requires authentication");
}
