//! Faults: what they do, to which requests, how often, and which are refused.

use std::time::{Duration, Instant};

use crate::dev::server::{Server, names};
use crate::support::{Answer, Value, json};

fn list(server: &Server) -> Answer {
    server.client("olivia-token").get("/orgs/acme/teams")
}

#[test]
fn ready_faults_answer_like_the_service_and_its_proxies() {
    let server = Server::sampled();
    let fault = |name: &str| {
        server.fault(json!({ "operation": "teams.list", "name": name, "delay_ms": 1 })).expect(200).clone()
    };
    let id = server.client("olivia-token").get("/user").expect(200)["id"].clone();

    fault("rate_limited");
    let limited = list(&server);
    limited.refused(403, &format!("API rate limit exceeded for user ID {id}."));
    let header = |name| limited.header(name);
    assert_eq!((header("x-ratelimit-remaining"), header("x-ratelimit-used")), (Some("0"), Some("5000")));
    assert_eq!(header("x-ratelimit-reset"), Some("1767229200"));
    assert!(header("x-github-request-id").is_some());

    fault("secondary_rate_limit");
    let secondary = list(&server);
    let text = "You have exceeded a secondary rate limit (abuse detection) and have been temporarily blocked from \
                content creation. Please retry your request again later.";
    secondary.refused(403, text);
    assert_eq!(secondary.header("retry-after"), Some("60"));
    assert!(secondary.json["documentation_url"].as_str().is_some_and(|url| url.ends_with("#secondary-rate-limits")));

    for (name, status, title) in [("bad_gateway", 502, "502 Bad Gateway"), ("timeout", 504, "504 Gateway Timeout")] {
        fault(name);
        let page = list(&server);
        page.expect(status);
        assert!(page.header("content-type") == Some("text/html") && page.text.contains(title), "{}", page.text);
    }

    fault("drop");
    assert!(server.client("olivia-token").attempt("GET", "/orgs/acme/teams", None).is_err());
    fault("slow");
    assert_eq!(names(&list(&server)).len(), 3);
}

#[test]
fn a_dropped_connection_has_not_one_byte() {
    let server = Server::sampled();
    server.fault(json!({ "path": "/user", "name": "drop" })).expect(200);
    let request = b"GET /user HTTP/1.1\r\nHost: localhost\r\nUser-Agent: x\r\n\r\n";
    assert_eq!(crate::support::raw::send(&server.address, request), "");
}

#[test]
fn delays_are_as_long_as_they_say() {
    let server = Server::sampled();
    let took = |fault: Value| {
        server.fault(fault).expect(200);
        let began = Instant::now();
        let status = list(&server).status;
        (status, began.elapsed())
    };
    let (status, slow) = took(json!({ "operation": "teams.list", "name": "slow", "delay_ms": 700 }));
    assert!(status == 200 && slow >= Duration::from_millis(700), "{status} {slow:?}");
    let (status, plain) = took(json!({ "operation": "teams.list", "delay_ms": 400 }));
    assert!(status == 200 && plain >= Duration::from_millis(400), "{status} {plain:?}");
    let (status, usual) = took(json!({ "operation": "teams.list", "name": "slow" }));
    assert!(status == 200 && usual >= Duration::from_secs(2), "{status} {usual:?}");
}

#[test]
fn a_status_and_headers_are_sent_as_given() {
    let server = Server::sampled();
    let headers = json!({ "X-Test": "yes", "Retry-After": "7", "Content-Length": "1" });
    server.fault(json!({ "operation": "teams.list", "status": 418, "headers": headers })).expect(200);
    let answer = list(&server);
    answer.expect(418);
    assert_eq!((answer.header("x-test"), answer.header("retry-after")), (Some("yes"), Some("7")));
    assert!(answer.json["message"].is_string());
    server.fault(json!({ "operation": "teams.list", "name": "rate_limited", "status": 429 })).expect(200);
    list(&server).expect(429);
    // Headers alone are added to the real response.
    server.fault(json!({ "operation": "teams.list", "headers": { "X-Test": "real" } })).expect(200);
    assert_eq!((names(&list(&server)).len(), list(&server).header("x-test")), (3, Some("real")));
}

#[test]
fn a_fault_meets_the_requests_that_it_names() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    server.fault(json!({ "path": "/orgs/*/teams/{slug}", "status": 500 })).expect(200);
    olivia.get("/orgs/acme/teams/core").expect(500);
    olivia.under("/api/v3").get("/orgs/acme/teams/security").expect(500);
    olivia.delete("/orgs/acme/teams/core").expect(500);
    olivia.get("/orgs/acme/teams").expect(200);
    olivia.get("/orgs/acme/teams/core/members").expect(200);
    server.fault(json!({ "path": "/orgs/acme/teams/core", "status": 500 })).expect(200);
    olivia.get("/orgs/acme/teams/core").expect(500);
    olivia.get("/orgs/acme/teams/security").expect(200);
    // An operation has all its forms.
    let org = olivia.get("/orgs/acme").expect(200)["id"].clone();
    server.fault(json!({ "operation": "teams.list", "status": 500 })).expect(200);
    olivia.get("/orgs/acme/teams").expect(500);
    olivia.get(&format!("/organizations/{org}/teams")).expect(500);
    olivia.post("/orgs/acme/teams", json!({ "name": "Made" })).expect(201);
}

#[test]
fn a_fault_stands_in_for_a_path_that_the_service_does_not_have() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    let faults = json!({ "faults": [
        { "method": "GET", "path": "/repos/acme/website/contents/docs/teams.yaml", "body": { "content": "Y29yZQ==" } },
        { "method": "GET", "path": "/repos/acme/website/contents/**", "body": "a text\n" },
        { "method": "POST", "path": "/repos/{owner}/{repo}/pulls", "status": 201, "body": [7],
          "headers": { "Content-Type": "application/vnd.test+json", "Location": "/repos/acme/website/pulls/7" } },
        { "path": "/repos/*/*/pulls/7", "name": "bad_gateway", "body": null },
    ] });
    server.control().put("/faults", faults).expect(200);
    // Clients escape the slash of a file's path, or do not.
    for path in ["docs/teams.yaml", "docs%2Fteams.yaml"] {
        let file = olivia.under("/api/v3").get(&format!("/repos/acme/website/contents/{path}"));
        assert_eq!(file.expect(200), &json!({ "content": "Y29yZQ==" }));
        assert_eq!(file.header("content-type"), Some("application/json; charset=utf-8"));
        assert!(file.header("x-github-request-id").is_some());
    }
    let other = olivia.get("/repos/acme/website/contents/docs/other.yaml");
    assert_eq!((other.status, other.text.as_str()), (200, "a text\n"));
    assert_eq!(other.header("content-type"), Some("text/plain; charset=utf-8"));
    let made = olivia.post("/repos/acme/website/pulls", json!({ "title": "Add Tom" }));
    assert_eq!((made.expect(201), made.header("content-type")), (&json!([7]), Some("application/vnd.test+json")));
    assert_eq!(made.header("location"), Some("/repos/acme/website/pulls/7"));
    let broken = olivia.get("/repos/acme/website/pulls/7");
    assert_eq!((broken.status, broken.text.as_str()), (502, "null"));
    // Other methods, shorter paths, and everything else are answered as ever.
    olivia.put("/repos/acme/website/contents/docs/teams.yaml", json!({})).expect(404);
    olivia.get("/repos/acme/website/contents").expect(404);
    olivia.get("/repos/acme/website/pulls").expect(404);
    olivia.get("/repos/acme/website").expect(200);
    let shown = server.control().get("/requests").expect(200).clone();
    let pull = shown["requests"].as_array().and_then(|all| all.iter().find(|one| one["status"] == 201)).expect("it");
    assert_eq!((&pull["path"], &pull["fault"]), (&json!("/repos/acme/website/pulls"), &json!(2)));
}

#[test]
fn faults_meet_graphql_pages_and_provisioning() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    let query = || olivia.post("/graphql", json!({ "query": "{ viewer { login } }" }));
    assert_eq!(query().expect(200)["data"]["viewer"]["login"], "olivia");
    let faults = json!({ "faults": [
        { "method": "POST", "path": "/graphql", "body": { "data": { "viewer": { "login": "nina" } } }, "count": 1 },
        { "path": "/graphql", "status": 503 },
        { "path": "/ui/docs", "name": "bad_gateway" },
        { "path": "/ui/**", "status": 418 },
        { "path": "/scim/v2/organizations/acme/Users", "name": "rate_limited" },
        { "path": "/healthz", "status": 500 },
    ] });
    server.control().put("/faults", faults).expect(200);
    assert_eq!(query().expect(200)["data"]["viewer"]["login"], "nina");
    query().expect(503);
    olivia.get("/ui/docs").expect(502);
    olivia.get("/ui/orgs/acme").expect(418);
    olivia.get("/scim/v2/organizations/acme/Users").expect(403);
    olivia.get("/healthz").expect(500);
}

#[test]
fn a_method_of_a_fault_is_met_as_that_of_an_operation_is() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    server.fault(json!({ "method": "GET", "path": "/orgs/acme/teams", "status": 500 })).expect(200);
    olivia.send("HEAD", "/orgs/acme/teams", None).expect(500);
    olivia.post("/orgs/acme/teams", json!({ "name": "Made" })).expect(201);
    olivia.get("/orgs/acme/teams").expect(500);
}

#[test]
fn faults_that_are_too_large_are_refused() {
    let server = Server::sampled();
    let large = json!({ "faults": [{ "path": "/user", "body": "x".repeat(1 << 20) }] });
    let refused = server.control().put("/faults", large);
    assert!(refused.expect(413)["message"].as_str().is_some_and(|text| text.contains("more than 1048576 bytes")));
    server.client("olivia-token").get("/user").expect(200);
}

#[test]
fn counts_end_and_the_first_fault_that_is_left_wins() {
    let server = Server::sampled();
    let faults = json!({ "faults": [
        { "operation": "teams.list", "name": "bad_gateway", "count": 1 },
        { "operation": "teams.list", "status": 503, "count": 2 },
    ] });
    server.control().put("/faults", faults).expect(200);
    let statuses: Vec<u16> = (0..4).map(|_| list(&server).status).collect();
    assert_eq!(statuses, [502, 503, 503, 200]);
    let listed = server.control().get("/faults");
    assert_eq!(
        listed.expect(200)["faults"][1],
        json!({ "operation": "teams.list", "status": 503, "count": 2, "hits": 2 })
    );
    server.control().put("/faults", json!({ "faults": [] })).expect(200);
}

#[test]
fn random_faults_repeat() {
    let server = Server::sampled();
    let drawn = |seed: u64| {
        server.fault(json!({ "operation": "teams.list", "status": 500, "probability": 0.3, "seed": seed })).expect(200);
        (0..60).map(|_| list(&server).status == 500).collect::<Vec<_>>()
    };
    let (one, other, again) = (drawn(1), drawn(2), drawn(1));
    let hits = one.iter().filter(|hit| **hit).count();
    assert!((8..30).contains(&hits), "{hits}");
    assert!(one == again && one != other);
}

#[test]
fn a_fault_that_meets_nothing_is_refused_and_changes_nothing() {
    let server = Server::sampled();
    server.fault(json!({ "operation": "teams.list", "status": 500 })).expect(200);
    let good = json!({ "operation": "teams.getByName", "status": 500 });
    for (bad, key, text) in [
        (json!({ "operation": "team.list", "status": 500 }), "operation", "did you mean `teams.list`?"),
        (json!({ "operation": 1, "status": 500 }), "operation", "use a text"),
        (json!({ "path": "/orgs/acme?page=2", "status": 500 }), "path", "without a query"),
        (json!({ "path": "/repos/**/pulls", "status": 500 }), "path", "write it at the end"),
        (json!({ "path": "/_guildhall/reset", "status": 500 }), "path", "that control the server"),
        (json!({ "path": "/user", "method": "get", "status": 500 }), "method", "use one of GET, HEAD, POST"),
        (json!({ "path": "/user", "method": 1, "status": 500 }), "method", "use a text"),
        (json!({ "operation": "teams.getByName", "method": "GET", "status": 500 }), "method", "leave the key out"),
        (json!({ "operation": "teams.getByName", "name": "slow", "body": "x" }), "body", "leave the key out"),
        (json!({ "operation": "teams.getByName", "status": 204, "body": {} }), "body", "the status 204 has no body"),
        (json!({ "path": "orgs/acme", "status": 500 }), "path", "no request has the path"),
        (json!({ "path": "/user", "operation": "teams.getByName", "status": 500 }), "path", "send one of them"),
        (json!({ "status": 500 }), "operation", "needs an `operation` or a `path`"),
        (json!({ "operation": "teams.getByName" }), "name", "needs a `name`"),
        (json!({ "operation": "teams.getByName", "name": "broken" }), "name", "use rate_limited, secondary_rate_limit"),
        (json!({ "operation": "teams.getByName", "status": 99 }), "status", "from 200 to 599"),
        (json!({ "operation": "teams.getByName", "status": "500" }), "status", "a whole number"),
        (json!({ "operation": "teams.getByName", "name": "drop", "status": 500 }), "status", "leave the key out"),
        (json!({ "operation": "teams.getByName", "delay_ms": 60_001 }), "delay_ms", "from 0 to 60000"),
        (json!({ "operation": "teams.getByName", "status": 500, "count": 0 }), "count", "from 1"),
        (json!({ "operation": "teams.getByName", "status": 500, "probability": 1.5 }), "probability", "up to 1"),
        (
            json!({ "operation": "teams.getByName", "status": 500, "headers": { "a b": "c" } }),
            "headers",
            "name of a header",
        ),
        (json!({ "operation": "teams.getByName", "status": 500, "headers": ["a"] }), "headers", "name of a header"),
        (json!({ "operation": "teams.getByName", "status": 500, "times": 1 }), "times", "there is no such key"),
    ] {
        let refused = server.control().put("/faults", json!({ "faults": [good, bad] }));
        refused.expect(422);
        let message = refused.json["message"].as_str().expect("a message");
        assert!(message.starts_with(&format!("faults[1].{key}: ")) && message.contains(text), "{bad}: {message}");
        assert_eq!((&refused.json["item"], &refused.json["key"]), (&json!(1), &json!(key)), "{bad}");
    }
    for body in [json!({}), json!({ "faults": {} }), json!({ "faults": [1] }), json!({ "fault": [] })] {
        server.control().put("/faults", body).expect(422);
    }
    list(&server).expect(500);
    server.client("olivia-token").get("/orgs/acme/teams/core").expect(200);
}
