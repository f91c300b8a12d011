//! The requests that a receiver gets, and the part of its answer that is stored.

use guildhall::hooks::config::ContentType;
use guildhall::hooks::{Job, Secrets};
use serde_json::{Value, json};

use crate::sender::receiver::Receiver;
use crate::sender::{GUID, deliver, hook, local};

const OK: &str = "HTTP/1.1 200 OK\r\nX-Seen: a\r\nX-Seen: b\r\nContent-Length: 5\r\n\r\nhello";

/// The published vector.
fn secrets() -> Secrets {
    Secrets {
        secret: Some("It's a Secret to Everybody".into()),
        previous: Some("hush".into()),
        credentials: Some("user:password".into()),
    }
}

#[test]
fn a_delivery_has_the_headers_and_the_signatures_that_receivers_know() {
    let receiver = Receiver::with(OK);
    let job = Job { secrets: Some(secrets()), ..hook(&receiver.url()) };
    let attempt = deliver(local(), &job, "Hello, World!");
    let request = receiver.request();
    assert_eq!((request.line.as_str(), request.body.as_slice()), ("POST /hook?a=b HTTP/1.1", &b"Hello, World!"[..]));
    let authority = receiver.address.to_string();
    for (name, value) in [
        ("Host", authority.as_str()),
        ("Accept", "*/*"),
        ("Content-Type", "application/json"),
        ("Content-Length", "13"),
        ("X-GitHub-Event", "team"),
        ("X-GitHub-Delivery", GUID),
        ("X-GitHub-Hook-ID", "7"),
        ("X-GitHub-Hook-Installation-Target-ID", "42"),
        ("X-GitHub-Hook-Installation-Target-Type", "organization"),
        ("X-GitHub-Enterprise-Host", "teams.example.com"),
        ("X-Hub-Signature", "sha1=01dc10d0c83e72ed246219cdd91669667fe2ca59"),
        ("X-Hub-Signature-256", "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"),
        ("X-Hub-Signature-256-Previous", "sha256=796aa882fa14a077f11a8ce83aeaffea62bc7e9a27834fa93e05caa3aaa5bb44"),
        ("Authorization", "Basic dXNlcjpwYXNzd29yZA=="),
    ] {
        assert_eq!(request.header(name), Some(value), "{name}");
    }
    let agent = request.header("user-agent").expect("an agent").strip_prefix("GitHub-Hookshot/").expect("its name");
    assert!(agent.len() == 7 && agent.bytes().all(|b| b.is_ascii_hexdigit()));
    assert!(attempt.ok);
    assert_eq!((attempt.status.as_str(), attempt.status_code), ("OK", 200));
    assert_eq!(attempt.response_body.as_deref(), Some("hello"));
    let of_response: Value = serde_json::from_str(&attempt.response_headers.expect("headers")).expect("JSON");
    assert_eq!(of_response, json!({ "x-seen": "a, b", "content-length": "5" }));
    let of_request: Value = serde_json::from_str(&attempt.request_headers).expect("JSON");
    assert_eq!((&of_request["Authorization"], &of_request["X-GitHub-Event"]), (&json!("********"), &json!("team")));
    assert!(!attempt.request_headers.contains("dXNlcjpwYXNzd29yZA"));
}

#[test]
fn a_form_is_signed_as_it_is_sent() {
    let receiver = Receiver::with("HTTP/1.1 204 No Content\r\n\r\n");
    let secrets = Some(Secrets { secret: Some("hush".into()), ..Secrets::default() });
    let job = Job { content_type: ContentType::Form, secrets, org: 0, ..hook(&receiver.url()) };
    let attempt = deliver(local(), &job, "{\"a\":1}");
    let request = receiver.request();
    assert_eq!(request.body, b"payload=%7B%22a%22%3A1%7D");
    assert_eq!(request.header("content-type"), Some("application/x-www-form-urlencoded"));
    let signature = "sha256=8204ce08f9b4e4e5002aa1ebd61fffe2ae1482a0a5d437cf9e871a102771d4c5";
    assert_eq!(request.header("x-hub-signature-256"), Some(signature));
    assert_eq!(request.header("x-hub-signature-256-previous"), None);
    assert_eq!(request.header("x-github-hook-installation-target-id"), None, "the site is no target");
    assert_eq!((attempt.ok, attempt.status_code, attempt.response_body.as_deref()), (true, 204, Some("")));
}

#[test]
fn without_a_secret_nothing_is_signed() {
    let receiver = Receiver::with(OK);
    deliver(local(), &hook(&receiver.url()), "{}");
    let request = receiver.request();
    for name in ["x-hub-signature", "x-hub-signature-256", "authorization"] {
        assert_eq!(request.header(name), None);
    }
}

#[test]
fn a_hook_whose_secret_cannot_be_read_sends_nothing() {
    let receiver = Receiver::with(OK);
    let attempt = deliver(local(), &Job { secrets: None, ..hook(&receiver.url()) }, "{}");
    assert_eq!((attempt.ok, attempt.status_code), (false, 0));
    assert_eq!(attempt.status, "the secrets of the hook cannot be read with this key file");
    receiver.got_nothing();
}
