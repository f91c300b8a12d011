//! Verbs, lengths and bodies (decisions 4, 5 and 40), and what every answer carries.

use std::io::Write;
use std::net::TcpStream;

use crate::spec::given;
use crate::support::waiting::until;
use crate::support::{World, json, raw};

/// Sends a request of Olivia's with these further headers and this body, as bytes.
fn send(world: &World, line: &str, headers: &str, body: &str) -> String {
    let host = world.base.trim_start_matches("http://");
    let token = world.olivia().token.expect("a token");
    let head = format!("{line} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: t\r\nAuthorization: token {token}\r\n");
    raw::send(host, format!("{head}{headers}Connection: close\r\n\r\n{body}").as_bytes())
}

const EVE: &str = "PUT /orgs/acme/teams/core/memberships/eve";

#[test]
fn decision_4_a_put_without_length_is_411_with_json() {
    let world = World::new();
    let answer = send(&world, EVE, "", "");
    assert_eq!(raw::status(&answer), 411);
    let body = answer.split_once("\r\n\r\n").expect("a body").1;
    let body: crate::support::Value = serde_json::from_str(body).expect("JSON");
    assert!(body["message"].is_string() && body["documentation_url"].is_string());
    world.olivia().get("/orgs/acme/teams/core/memberships/eve").expect(404);
}

#[test]
fn decision_4_every_way_of_sending_nothing_means_no_parameters() {
    let world = World::new();
    for (headers, body) in [
        ("Content-Length: 0\r\n", ""),
        ("Content-Length: 2\r\n", "{}"),
        ("Content-Length: 4\r\n", "null"),
        ("Transfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        ("Content-Length: 2\r\n", "\r\n"),
    ] {
        given::put(&world, "core", "eve", "maintainer");
        let answer = send(&world, EVE, headers, body);
        assert_eq!(raw::status(&answer), 200, "{headers}{body}");
        assert!(answer.contains("\"role\":\"member\""), "{answer}");
    }
}

#[test]
fn decision_4_over_http_2_a_missing_body_has_length_zero() {
    let world = World::new();
    let host = world.base.trim_start_matches("http://");
    let token = format!("token {}", world.olivia().token.expect("a token"));
    let fields = [
        (":method", "PUT"),
        (":scheme", "http"),
        (":path", "/orgs/acme/teams/core/memberships/eve"),
        (":authority", host),
        ("user-agent", "t"),
        ("authorization", &token),
    ];
    // Literal fields without indexing, as HPACK writes them; END_STREAM and END_HEADERS on stream 1.
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0);
        for text in [name, value] {
            block.push(u8::try_from(text.len()).expect("a short text"));
            block.extend_from_slice(text.as_bytes());
        }
    }
    let mut request = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec();
    request.extend([0, 0, u8::try_from(block.len()).expect("a short block"), 1, 5, 0, 0, 0, 1]);
    request.extend(block);
    let mut connection = TcpStream::connect(host).expect("a connection");
    connection.write_all(&request).expect("to send");
    until("Eve is a member", || world.olivia().get("/orgs/acme/teams/core/memberships/eve").status == 200);
}

#[test]
fn decision_5_reads_updates_and_memberships_are_200() {
    let world = World::new();
    world.olivia().get("/orgs/acme/teams/core").expect(200);
    world.olivia().patch("/orgs/acme/teams/core", json!({ "name": "Core" })).expect(200);
    for login in ["eve", "nina"] {
        world.olivia().put(&format!("/orgs/acme/teams/core/memberships/{login}"), json!({})).expect(200);
    }
}

#[test]
fn decision_5_creating_a_team_is_201_with_location() {
    let world = World::new();
    let made = world.olivia().post("/orgs/acme/teams", json!({ "name": "Other" }));
    assert_eq!(made.header("location"), made.expect(201)["url"].as_str());
}

#[test]
fn decision_5_deletes_are_204() {
    let world = World::new();
    for path in ["/orgs/acme/teams/core/memberships/tom", "/orgs/acme/teams/core", "/orgs/acme/members/eve"] {
        let answer = world.olivia().delete(path);
        answer.expect(204);
        assert_eq!((answer.text.as_str(), answer.header("content-type")), ("", None));
    }
}

#[test]
fn decision_5_head_works_like_get() {
    let world = World::new();
    for path in ["/orgs/acme/teams/core", "/orgs/acme/teams?per_page=1", "/orgs/acme/members/tom", "/user", "/"] {
        let (get, head) = (world.tom().get(path), world.tom().head(path));
        assert_eq!((head.status, head.text.as_str()), (get.status, ""), "{path}");
        for name in ["etag", "link", "content-type", "content-length", "x-oauth-scopes", "x-github-media-type"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
    }
    assert_eq!(world.nina().head("/orgs/acme/teams/core").status, 404);
}

#[test]
fn decision_5_a_post_is_taken_as_patch_where_only_that_is_known() {
    let world = World::new();
    let renamed = world.max().post("/orgs/acme/teams/core", json!({ "name": "Kernel" }));
    assert_eq!(renamed.expect(200)["slug"], "kernel");
    world.olivia().post("/orgs/acme", json!({ "company": "c" })).expect(200);
    world.eve().post("/orgs/acme/teams/kernel", json!({ "name": "Mine" })).expect(403);
    world.olivia().post("/orgs/acme/teams/kernel/members", json!({})).expect(405);
}

#[test]
fn decision_7_a_body_on_delete_says_nothing() {
    let world = World::new();
    let line = "DELETE /orgs/acme/teams/core/memberships/tom";
    assert_eq!(raw::status(&send(&world, line, "Content-Length: 2\r\n", "{}")), 204);
    let line = "DELETE /orgs/acme/teams/core/memberships/max";
    assert_eq!(raw::status(&send(&world, line, "Content-Length: 3\r\n", "{{{")), 204);
}

#[test]
fn decision_7_the_content_type_of_a_body_does_not_matter() {
    let world = World::new();
    for (n, kind) in ["application/x-www-form-urlencoded", "text/plain", "nonsense"].into_iter().enumerate() {
        let body = format!("{{\"name\":\"Team {n}\"}}");
        let headers = format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
        assert_eq!(raw::status(&send(&world, "POST /orgs/acme/teams", &headers, &body)), 201, "{kind}");
    }
}

#[test]
fn errors_14_a_request_that_breaks_off_changes_nothing() {
    let world = World::new();
    let headers = "Content-Length: 100\r\n";
    let answer = send(&world, "POST /orgs/acme/teams", headers, "{\"name\":\"Half\"}");
    assert_ne!(raw::status(&answer), 201);
    world.olivia().get("/orgs/acme/teams/half").expect(404);
    given::core(&world);
}

#[test]
fn errors_10_a_path_that_is_no_utf_8_is_refused_with_a_reason() {
    let world = World::new();
    for path in ["/orgs/acme/teams/%FF", "/orgs/%C3%28/teams", "/users/%00", "/orgs/acme/teams/%zz"] {
        let answer = raw::status(&send(&world, &format!("GET {path}"), "", ""));
        assert!(answer == 400 || answer == 404, "{path}: {answer}");
    }
    assert!(send(&world, "GET /orgs/acme/teams/%FF", "", "").contains("UTF-8"));
}

#[test]
fn decision_40_bodies_json_headers_and_addresses_have_limits() {
    let world = World::new();
    let line = "POST /orgs/acme/teams";
    // The length alone is enough to refuse; nothing is sent.
    assert_eq!(raw::status(&send(&world, line, "Content-Length: 1048577\r\n", "")), 413);
    let chunks = format!("{:x}\r\n{}\r\n", 1 << 20, " ".repeat(1 << 20)).repeat(2) + "0\r\n\r\n";
    assert_eq!(raw::status(&send(&world, line, "Transfer-Encoding: chunked\r\n", &chunks)), 413);
    let deep = "[".repeat(65);
    assert_eq!(raw::status(&send(&world, line, &format!("Content-Length: {}\r\n", deep.len()), &deep)), 400);
    let headers = "X-Long: x\r\n".repeat(2_000) + &format!("X: {}\r\n", "x".repeat(100_000));
    assert_eq!(raw::status(&send(&world, "GET /user", &headers, "")), 431);
    assert_eq!(raw::status(&send(&world, &format!("GET /user?{}", "x".repeat(10_000)), "", "")), 414);
}

#[test]
fn decision_40_a_caller_who_sends_too_much_reads_why_and_may_go_on() {
    let world = World::new();
    let host = world.base.trim_start_matches("http://");
    let token = world.tom().token.expect("a token");
    let head = format!("HTTP/1.1\r\nHost: {host}\r\nUser-Agent: t\r\nAuthorization: token {token}\r\n");
    let body = "x".repeat(4 << 20);
    for (line, status) in
        [("POST /orgs/acme/teams", "413 "), ("PATCH /orgs/acme/teams/core", "403 "), ("POST /nowhere", "404 ")]
    {
        let length = body.len();
        let request =
            format!("{line} {head}Content-Length: {length}\r\n\r\n{body}GET /user {head}Connection: close\r\n\r\n");
        let answers = raw::send(host, request.as_bytes());
        assert!(answers.starts_with(&format!("HTTP/1.1 {status}")), "{line}: {answers}");
        assert!(answers.contains("\"login\":\"tom\""), "{line}: {answers}");
    }
}

#[test]
fn decision_40_a_caller_who_asks_before_sending_is_told_at_once() {
    let world = World::new();
    let headers = "Expect: 100-continue\r\nContent-Length: 4000000\r\n";
    assert_eq!(raw::status(&send(&world, "POST /orgs/acme/teams", headers, "")), 413);
    let headers = "Expect: 100-continue\r\nContent-Length: 13\r\n";
    let answer = send(&world, "POST /orgs/acme/teams", headers, "{\"name\":\"Go\"}");
    assert!(answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 "), "{answer}");
}

#[test]
fn operation_a_preflight_request_is_answered() {
    let world = World::new();
    let answer = world.anonymous().send("OPTIONS", "/orgs/acme/teams", None);
    answer.expect(204);
    let methods = answer.header("access-control-allow-methods").expect("methods");
    assert_eq!(methods, "GET, POST, PATCH, PUT, DELETE");
    let headers = answer.header("access-control-allow-headers").expect("headers");
    for name in ["Authorization", "Content-Type", "If-None-Match", "X-Requested-With", "X-GitHub-Api-Version"] {
        assert!(headers.contains(name), "{headers}");
    }
    assert_eq!(answer.header("access-control-max-age"), Some("86400"));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn operation_every_answer_carries_these_headers() {
    let world = World::new();
    let answers = [
        world.tom().get("/orgs/acme/teams/core"),
        world.tom().get("/orgs/acme/teams/absent"),
        world.tom().get("/nowhere"),
        world.anonymous().get("/user"),
        world.olivia().delete("/orgs/acme/teams/core"),
    ];
    let mut ids = Vec::new();
    for answer in &answers {
        for (name, value) in [
            ("server", "Guildhall"),
            ("access-control-allow-origin", "*"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "deny"),
            ("content-security-policy", "default-src 'none'"),
            ("x-github-media-type", "github.v3; format=json"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{} {name}", answer.request);
        }
        let exposed = answer.header("access-control-expose-headers").unwrap_or_default();
        assert!(["ETag", "Link", "Location", "X-RateLimit-Remaining"].iter().all(|name| exposed.contains(name)));
        assert!(answer.header("date").is_some(), "{}", answer.request);
        let id = answer.header("x-github-request-id").expect("an id");
        assert!(
            id.split(':').count() == 5 && id.bytes().all(|b| b == b':' || b"0123456789ABCDEF".contains(&b)),
            "{id}"
        );
        ids.push(id);
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), answers.len());
}

#[test]
fn operation_every_media_type_that_clients_send_is_accepted() {
    let world = World::new();
    for (accept, media) in [
        ("application/vnd.github.v3+json", "github.v3; format=json"),
        ("application/vnd.github.v3.full+json", "github.v3; param=full; format=json"),
        ("application/vnd.github.hellcat-preview+json", "github.hellcat-preview; format=json"),
        ("text/html", "unknown, github.v3"),
    ] {
        let answer = world.tom().with("Accept", accept).get("/orgs/acme/teams/core");
        assert_eq!((answer.status, answer.header("x-github-media-type")), (200, Some(media)));
    }
}
