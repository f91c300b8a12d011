//! The things that a test can assert on: requests, deliveries and e-mails.

use crate::dev::server::{Server, until};
use crate::support::receiver::Receiver;
use crate::support::{Value, json};

#[test]
fn requests_are_listed_without_tokens() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    let id = olivia
        .get("/orgs/acme/teams?per_page=1&access_token=secret-text")
        .header("x-github-request-id")
        .map(str::to_owned);
    server.client("wrong-token").get("/user").expect(401);
    olivia.get("/ui/invitations/1-secret-text");
    server.fault(json!({ "operation": "teams.create", "name": "drop" })).expect(200);
    assert!(olivia.attempt("POST", "/orgs/acme/teams", Some("{}".into())).is_err());

    let listed = server.control().get("/requests");
    let requests = listed.expect(200)["requests"].as_array().expect("a list").clone();
    let first = json!({
        "method": "GET", "path": "/orgs/acme/teams", "query": "per_page=1&access_token=***", "operation": "teams.list",
        "login": "olivia", "status": 200, "request_id": id, "fault": null,
    });
    assert_eq!(requests[0], first);
    assert_eq!((&requests[1]["login"], &requests[1]["status"]), (&Value::Null, &json!(401)));
    assert_eq!((&requests[2]["path"], &requests[2]["operation"]), (&json!("/ui/invitations/***"), &Value::Null));
    let dropped = &requests[requests.len() - 1];
    assert_eq!(
        (&dropped["operation"], &dropped["status"], &dropped["fault"]),
        (&json!("teams.create"), &Value::Null, &json!(0))
    );
    assert_eq!(listed.json["total"], requests.len());
    for secret in ["olivia-token", "wrong-token", "secret-text"] {
        assert!(!listed.text.contains(secret), "{secret}");
    }
}

#[test]
fn deliveries_are_listed_with_their_attempts() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    let receiver = Receiver::accepting();
    let url = receiver.url.clone();
    let hook = json!({ "name": "web", "config": { "url": url, "content_type": "json" }, "events": ["team"] });
    olivia.post("/orgs/acme/hooks", hook).expect(201);
    olivia.post("/orgs/acme/teams", json!({ "name": "Told" })).expect(201);
    let delivery = until(|| {
        let listed = server.control().get("/deliveries").json["deliveries"].as_array()?.clone();
        listed.into_iter().find(|delivery| delivery["event"] == "team" && delivery["state"] == "delivered")
    });
    assert_eq!(
        (&delivery["action"], &delivery["org"], &delivery["url"]),
        (&json!("created"), &json!("acme"), &json!(url))
    );
    assert_eq!(delivery["payload"]["team"]["name"], "Told");
    assert_eq!((&delivery["attempts"][0]["ok"], &delivery["attempts"][0]["status_code"]), (&json!(true), &json!(200)));
    server.reset();
    assert_eq!(server.control().get("/deliveries").expect(200), &json!({ "deliveries": [] }));
}

#[test]
fn a_write_is_answered_when_inboxes_have_it() {
    let server = Server::sampled();
    let (olivia, max) = (server.client("olivia-token"), server.client("max-token"));
    for number in 1..=20 {
        let post = json!({ "title": format!("Post {number}"), "body": "@max" });
        olivia.post("/orgs/acme/teams/core/discussions", post).expect(201);
        assert_eq!(max.get("/notifications").expect(200).as_array().map(Vec::len), Some(number));
    }
}

#[test]
fn a_failed_delivery_is_sent_again_when_the_clock_advances() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    // No server listens there.
    let hook = json!({ "name": "web", "config": { "url": "http://127.0.0.1:9/", "content_type": "json" }, "events": ["team"] });
    olivia.post("/orgs/acme/hooks", hook).expect(201);
    let attempts = |count: usize| {
        until(|| {
            let listed = server.control().get("/deliveries").json;
            let made: usize =
                listed["deliveries"].as_array()?.iter().map(|d| d["attempts"].as_array().map_or(0, Vec::len)).sum();
            (made == count).then_some(())
        });
    };
    attempts(1);
    server.control().post("/clock", json!({ "advance": "1h" })).expect(200);
    attempts(2);
}

#[test]
fn mails_are_listed_as_recipients_read_them() {
    let server = Server::sampled();
    server.client("olivia-token").post("/orgs/acme/invitations", json!({ "email": "new@example.com" })).expect(201);
    let mail = until(|| server.control().get("/mail").json["mail"].get(0).cloned());
    assert_eq!(mail["to"], "new@example.com");
    assert!(mail["subject"].as_str().is_some_and(|subject| subject.to_lowercase().contains("acme")), "{mail}");
    assert_eq!(mail["headers"]["auto-submitted"], "auto-generated");
    assert_eq!(mail["headers"]["date"], "Thu, 01 Jan 2026 00:00:00 +0000");
    let text = mail["text"].as_str().expect("a text");
    let link = text.split_whitespace().find(|word| word.contains("/ui/invitations/")).expect("a link");
    assert!(link.starts_with(&server.base()), "{link}");
    assert!(
        mail["html"].as_str().is_some_and(|html| html.starts_with("<!") && html.contains("/ui/invitations/")),
        "{mail}"
    );
}
