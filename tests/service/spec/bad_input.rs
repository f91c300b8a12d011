//! Bad input: each call gets an answer below 500, changes nothing that it should not, and the server goes on.

use crate::spec::given;
use crate::support::{Client, Value, World, json, raw};

/// Values that fit nowhere, or hardly anywhere.
fn hostile() -> Vec<Value> {
    let texts =
        ["", " ", "\0", "a\0b", "\u{feff}", "\u{202e}abc", "'; DROP TABLE teams; --", "../../etc", "%00", "\u{10ffff}"];
    let mut values: Vec<Value> = texts.iter().map(|text| json!(text)).collect();
    let others = json!([
        null, true, 0, -1, 1.5, i64::MAX, 1_u64 << 63, 1e300, [], {}, [[]], [null], [""],
        ["a", 1], [1.5], [-1], ["a/b/c"], ["/"], ["acme/"], ["/site"], { "a": { "b": [] } },
    ]);
    values.extend(others.as_array().expect("a list").iter().cloned());
    values.push(json!("x".repeat(70_000)));
    values.push(json!(vec![0; 10_000]));
    values
}

/// Sends every hostile value for each of these parameters, beside what the call needs.
fn probe(client: &Client, verb: &str, path: &str, needed: &Value, parameters: &[&str]) {
    for parameter in parameters {
        for value in hostile() {
            let mut body = needed.clone();
            body[parameter] = value.clone();
            let answer = client.send(verb, path, Some(body.to_string()));
            let shown = value.to_string().chars().take(60).collect::<String>();
            assert!(answer.status < 500, "{verb} {path} {parameter}={shown}: {} {}", answer.status, answer.text);
            assert!(answer.text.len() < 200_000, "{parameter}={shown}");
        }
    }
}

#[test]
fn errors_17_parameters_of_teams_are_never_more_than_refused() {
    let world = World::new();
    let all = [
        "name",
        "description",
        "maintainers",
        "repo_names",
        "privacy",
        "notification_setting",
        "permission",
        "parent_team_id",
    ];
    // Names repeat, so what would be created is refused as taken; the point is that nothing breaks.
    probe(&world.olivia(), "POST", "/orgs/acme/teams", &json!({ "name": "Core" }), &all);
    probe(&world.olivia(), "POST", "/orgs/acme/teams", &json!({ "name": "New" }), &all[1..]);
    probe(&world.max(), "PATCH", "/orgs/acme/teams/core", &json!({ "name": "Core" }), &all[1..]);
    let core = given::core(&world);
    assert_eq!((&core["name"], &core["members_count"]), (&json!("Core"), &json!(2)));
}

#[test]
fn errors_17_parameters_of_memberships_are_never_more_than_refused() {
    let world = World::new();
    probe(&world.max(), "PUT", "/orgs/acme/teams/core/memberships/eve", &json!({}), &["role"]);
    probe(&world.olivia(), "PUT", "/orgs/acme/memberships/nina", &json!({}), &["role", "x"]);
    probe(&world.nina(), "PATCH", "/user/memberships/orgs/acme", &json!({}), &["state"]);
    assert_eq!(world.max().get("/orgs/acme/teams/core/memberships/max").expect(200)["role"], "maintainer");
}

#[test]
fn errors_17_parameters_of_organizations_are_never_more_than_refused() {
    let world = World::new();
    let texts = ["name", "description", "company", "blog", "location", "email", "twitter_username", "billing_email"];
    let switches = ["default_repository_permission", "members_can_create_teams", "has_organization_projects"];
    probe(&world.olivia(), "PATCH", "/orgs/acme", &json!({}), &texts);
    probe(&world.olivia(), "PATCH", "/orgs/acme", &json!({}), &switches);
    assert_eq!(world.tom().get("/orgs/acme").expect(200)["login"], "acme");
}

#[test]
fn errors_17_parameters_of_site_administration_are_never_more_than_refused() {
    let world = World::new();
    let sam = world.sam();
    probe(&sam, "POST", "/admin/users", &json!({ "login": "tom" }), &["email", "suspended"]);
    probe(&sam, "POST", "/admin/users", &json!({ "email": "u@example.com" }), &["login"]);
    probe(&sam, "POST", "/admin/users/tom/authorizations", &json!({}), &["scopes"]);
    probe(&sam, "PUT", "/users/eve/suspended", &json!({}), &["reason"]);
    probe(&sam, "POST", "/admin/organizations", &json!({ "login": "beta" }), &["admin", "profile_name"]);
    probe(&sam, "POST", "/admin/organizations", &json!({ "admin": "tom" }), &["login"]);
    probe(&sam, "PATCH", "/admin/organizations/acme", &json!({}), &["plan"]);
    probe(&sam, "PATCH", "/admin/users/nina", &json!({}), &["login"]);
    given::core(&world);
}

#[test]
fn errors_10_names_in_paths_that_nobody_has_are_refused() {
    let world = World::new();
    let long = "x".repeat(7_000);
    for name in ["%00", "%FF", "%2F", "..", "%2e%2e", "%25", "'", "%F0%9F%A6%80", "a%0Ab", "-1", "%20", &long] {
        for path in [
            format!("/orgs/{name}"),
            format!("/orgs/{name}/teams"),
            format!("/orgs/acme/teams/{name}"),
            format!("/orgs/acme/teams/core/memberships/{name}"),
            format!("/teams/{name}"),
            format!("/organizations/{name}/team/{name}"),
            format!("/users/{name}"),
            format!("/user/{name}"),
        ] {
            let answer = world.olivia().get(&path);
            assert!((400..500).contains(&answer.status), "{path}: {} {}", answer.status, answer.text);
        }
        let put = world.olivia().put(&format!("/orgs/acme/teams/core/memberships/{name}"), json!({}));
        assert!((400..500).contains(&put.status), "{name}: {} {}", put.status, put.text);
    }
}

#[test]
fn decision_7_values_in_queries_never_break_a_list() {
    let world = World::new();
    let values = ["%00", "%FF", "%zz", "%", "-1", "0", "1e9", "99999999999999999999", "a&a", "%F0%9F%A6%80", "[]", ""];
    for path in
        ["/orgs/acme/teams", "/orgs/acme/teams/core/members", "/organizations", "/orgs/acme/members", "/user/orgs"]
    {
        for value in values {
            for name in ["page", "per_page", "role", "membership", "since", "filter", "x"] {
                let answer = world.tom().get(&format!("{path}?{name}={value}"));
                assert!(answer.status == 200 || answer.status == 400, "{path}?{name}={value}: {}", answer.text);
            }
        }
    }
}

#[test]
fn operation_what_is_no_http_does_no_harm() {
    let world = World::new();
    let host = world.base.trim_start_matches("http://");
    for bytes in [
        &b"\0\0\0\0\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
        b"GET /orgs/\xff\xfe HTTP/1.1\r\nHost: a\r\nUser-Agent: t\r\n\r\n",
        b"POST /orgs/acme/teams HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        b"POST /orgs/acme/teams HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /orgs/acme/teams HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ] {
        let status = raw::status(&raw::send(host, bytes));
        assert!(status < 500, "{}: {status}", String::from_utf8_lossy(bytes));
    }
    given::core(&world);
}
