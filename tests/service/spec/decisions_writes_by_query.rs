//! Parameters of writes in the query (decisions 4 and 7).

use crate::spec::given;
use crate::support::{World, json, raw};

const CORE: &str = "/orgs/acme/teams/core";

#[test]
fn decision_7_a_role_in_the_query_is_given() {
    let world = World::new();
    let eve = format!("{CORE}/memberships/eve");
    assert_eq!(world.max().put_empty(&format!("{eve}?role=maintainer")).expect(200)["role"], "maintainer");
    assert_eq!(world.max().get(&eve).expect(200)["role"], "maintainer");
    assert_eq!(
        world.max().put_empty(&format!("{CORE}/memberships/max?role=maintainer")).expect(200)["role"],
        "maintainer"
    );
    world.max().put_empty(&eve).expect(200);
    assert_eq!(world.max().get(&eve).expect(200)["role"], "member");
}

#[test]
fn decision_7_what_the_body_has_hides_the_query_and_null_does_too() {
    let world = World::new();
    let eve = format!("{CORE}/memberships/eve?role=maintainer&role=member");
    assert_eq!(world.max().put(&eve, json!({})).expect(200)["role"], "maintainer");
    assert_eq!(world.max().put(&eve, json!({ "role": "member" })).expect(200)["role"], "member");
    assert_eq!(world.max().put(&eve, json!({ "role": null })).expect(200)["role"], "member");
    let kept = world.max().patch(&format!("{CORE}?description=query"), json!({ "name": "Core", "description": null }));
    assert_eq!(kept.expect(200)["description"], json!(null));
}

#[test]
fn decision_7_text_in_the_query_of_a_write_becomes_a_number_or_a_boolean() {
    let world = World::new();
    let core = given::id(&given::core(&world));
    let made = world.olivia().post(&format!("/orgs/acme/teams?name=42&parent_team_id={core}"), json!({}));
    assert_eq!((&made.expect(201)["name"], &made.json["parent"]["id"]), (&json!("42"), &json!(core)));
    world.olivia().patch("/orgs/acme?members_can_create_teams=false", json!({})).expect(200);
    world.max().post("/orgs/acme/teams", json!({ "name": "More" })).expect(403);
}

#[test]
fn decision_7_the_query_of_a_write_is_refused_where_the_body_would_be() {
    let world = World::new();
    let written = given::written(&world);
    for (query, problem) in [
        ("role=boss", "\"boss\" is not a member of [\"member\", \"maintainer\"]"),
        ("role=", "\"\" is not a member of [\"member\", \"maintainer\"]"),
        ("role=%00", "the query must be UTF-8, percent-encoded, without NUL"),
        ("role=%ff&role=member", "the query must be UTF-8, percent-encoded, without NUL"),
    ] {
        let answer = world.max().put_empty(&format!("{CORE}/memberships/max?{query}"));
        answer.refused(422, &format!("Invalid request.\n\nFor 'properties/role', {problem}."));
    }
    let answer = world.olivia().post("/orgs/acme/teams?name=A&maintainers=max", json!({}));
    answer.refused(422, "Invalid request.\n\nFor 'properties/maintainers', \"max\" is not an array.");
    assert_eq!(given::written(&world), written);
    assert_eq!(world.max().get(&format!("{CORE}/memberships/max")).expect(200)["role"], "maintainer");
}

#[test]
fn decision_7_unknown_members_of_a_query_are_ignored_also_where_a_body_may_not_have_them() {
    let world = World::new();
    let unknown = "nonsense=1&username=nina&org=globex&access_token=ghp_x";
    world.olivia().put_empty(&format!("/orgs/acme/memberships/tom?role=admin&{unknown}")).expect(200);
    assert_eq!(world.tom().get("/user/memberships/orgs/acme").expect(200)["role"], "admin");
    given::repository(&world, "web", Some("max"));
    world.max().put_empty(&format!("{CORE}/repos/acme/web?permission=triage&{unknown}")).expect(204);
    let record = world.max().with("Accept", "application/vnd.github.v3.repository+json");
    assert_eq!(record.get(&format!("{CORE}/repos/acme/web")).expect(200)["role_name"], "triage");
}

#[test]
fn decision_7_a_token_in_the_query_is_not_read() {
    let world = World::new();
    let token = world.token("olivia", &["admin:org", "repo", "user"]);
    world.anonymous().get(&format!("/user?access_token={token}")).refused(401, "Requires authentication");
    world.anonymous().get(&format!("{CORE}?access_token={token}")).refused(404, "Not Found");
    let put = world.anonymous().put_empty(&format!("{CORE}/memberships/eve?access_token={token}"));
    put.refused(401, "Requires authentication");
    assert_eq!(world.max().get(&format!("/user?access_token={token}")).expect(200)["login"], "max");
}

#[test]
fn decision_4_a_put_without_a_length_is_411_whatever_the_query_has() {
    let world = World::new();
    let token = world.max().token.expect("a token");
    let host = world.base.trim_start_matches("http://");
    let head = |length: &str| {
        format!(
            "PUT {CORE}/memberships/eve?role=maintainer HTTP/1.1\r\nHost: {host}\r\nUser-Agent: x\r\n\
             Authorization: token {token}\r\nConnection: close\r\n{length}\r\n"
        )
    };
    assert_eq!(raw::status(&raw::send(host, head("").as_bytes())), 411);
    world.max().get(&format!("{CORE}/memberships/eve")).expect(404);
    for empty in ["Content-Length: 0\r\n", "Content-Length: 4\r\n\r\nnull", "Transfer-Encoding: chunked\r\n\r\n0\r\n"] {
        let answer = raw::send(host, head(empty).as_bytes());
        assert_eq!(raw::status(&answer), 200, "{answer}");
        assert!(answer.contains("\"role\":\"maintainer\""), "{answer}");
    }
}
