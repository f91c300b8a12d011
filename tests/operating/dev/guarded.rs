//! The control paths are for programs on this machine, and only `guildhall dev` has them.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::dev::server::{Server, guildhall};
use crate::support::{Client, json, raw};

const RESET: &str = "POST /_guildhall/reset HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n";
const MAIL: &str = "GET /_guildhall/mail HTTP/1.1\r\nConnection: close\r\n";

fn sent(server: &Server, head: &str, headers: &[&str]) -> (u16, String) {
    let headers: Vec<String> = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let request = format!("{head}{}\r\n", headers.concat());
    let answer = raw::send(&server.address, request.as_bytes());
    (raw::status(&answer), answer.to_ascii_lowercase())
}

#[test]
fn a_foreign_host_is_refused() {
    let server = Server::sampled();
    let json = "Content-Type: application/json";
    for host in ["Host: evil.example", "Host: localhost.evil.example:80", "Host: 10.1.2.3", "Host: "] {
        assert_eq!(sent(&server, MAIL, &[host]).0, 403, "{host}");
        assert_eq!(sent(&server, RESET, &[host, json]).0, 403, "{host}");
    }
    assert_eq!(sent(&server, MAIL, &["Host: localhost", "Host: localhost"]).0, 403);
    // The host in the request line counts.
    let absolute = "GET http://evil.example/_guildhall/mail HTTP/1.1\r\nConnection: close\r\n";
    assert_eq!(sent(&server, absolute, &["Host: localhost"]).0, 403);
    for host in ["Host: localhost", "Host: LocalHost:1", "Host: 127.0.0.1", "Host: [::1]:8420"] {
        assert_eq!(sent(&server, MAIL, &[host]).0, 200, "{host}");
        assert_eq!(sent(&server, RESET, &[host, json]).0, 200, "{host}");
    }
}

#[test]
fn a_named_host_is_accepted() {
    let server = Server::start(&["--control-host", "ci.example", "--control-host", "other.example"]);
    for host in ["Host: ci.example:8420", "Host: OTHER.example", "Host: localhost"] {
        assert_eq!(sent(&server, MAIL, &[host]).0, 200, "{host}");
    }
    assert_eq!(sent(&server, MAIL, &["Host: evil.example"]).0, 403);
}

#[test]
fn a_foreign_origin_is_refused() {
    let server = Server::sampled();
    let json = "Content-Type: application/json";
    for origin in ["https://evil.example", "null", "http://localhost:3000", "file://", "ftp://localhost:8420"] {
        let origin = format!("Origin: {origin}");
        assert_eq!(sent(&server, MAIL, &["Host: localhost:8420", &origin]).0, 403, "{origin}");
        assert_eq!(sent(&server, RESET, &["Host: localhost:8420", json, &origin]).0, 403, "{origin}");
    }
    let own = "Origin: http://localhost:8420";
    assert_eq!(sent(&server, RESET, &["Host: localhost:8420", json, own]).0, 200);
    assert_eq!(sent(&server, RESET, &["Host: localhost:8420", json, own, "Origin: https://evil.example"]).0, 403);
}

#[test]
fn a_write_needs_the_media_type_of_json() {
    let server = Server::sampled();
    let olivia = server.client("olivia-token");
    olivia.post("/orgs/acme/teams", json!({ "name": "Kept" })).expect(201);
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp"]
    {
        let kind = format!("Content-Type: {kind}");
        assert_eq!(sent(&server, RESET, &["Host: localhost", &kind]).0, 415, "{kind}");
    }
    assert_eq!(sent(&server, RESET, &["Host: localhost"]).0, 415);
    assert_eq!(crate::dev::server::names(&olivia.get("/orgs/acme/teams")).len(), 4);
    assert_eq!(sent(&server, RESET, &["Host: localhost", "Content-Type: Application/JSON; charset=utf-8"]).0, 200);
}

#[test]
fn a_preflight_request_is_refused_and_no_response_has_cors_headers() {
    let server = Server::sampled();
    let preflight = "OPTIONS /_guildhall/reset HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    let asked = ["Origin: https://evil.example", "Access-Control-Request-Method: POST"];
    let (status, answer) = sent(&server, preflight, &asked);
    assert_eq!(status, 403);
    assert!(!answer.contains("access-control-"), "{answer}");
    let (status, answer) = sent(&server, preflight, &["Accept: */*"]);
    assert_eq!(status, 405);
    assert!(!answer.contains("access-control-") && answer.contains("allow: post"), "{answer}");
    for (head, headers) in [(MAIL, ["Host: localhost", "Accept: */*"]), (MAIL, ["Host: localhost", "Origin: null"])] {
        let (_, answer) = sent(&server, head, &headers);
        assert!(!answer.contains("access-control-"), "{answer}");
    }
}

/// Paths outside `/_guildhall`: of REST, GraphQL, pages and checks.
const PATHS: [&str; 5] = ["/orgs/acme", "/api/v3/orgs/acme", "/graphql", "/ui/orgs/acme", "/healthz"];

const NAMED: &str = "Origin: http://localhost:3000";

fn asking(verb: &str, path: &str) -> String {
    format!("{verb} {path} HTTP/1.1\r\nUser-Agent: x\r\nConnection: close\r\nContent-Length: 0\r\n")
}

#[test]
fn the_host_is_checked_for_every_path() {
    let server = Server::seeded(&crate::dev::server::sample(), &["--control-host", "ci.example"]);
    for path in PATHS {
        for verb in ["GET", "POST", "OPTIONS"] {
            for host in ["Host: evil.example", "Host: 127.0.0.1.evil.example:8420", "Host: 10.1.2.3"] {
                let (status, answer) = sent(&server, &asking(verb, path), &[host]);
                assert_eq!(status, 403, "{verb} {path} {host}");
                assert!(!answer.contains("access-control-") && !answer.contains("\"login\""), "{answer}");
            }
        }
        for host in ["Host: localhost", "Host: 127.0.0.1:8420", "Host: [::1]", "Host: ci.example"] {
            assert_ne!(sent(&server, &asking("GET", path), &[host]).0, 403, "{path} {host}");
        }
    }
}

#[test]
fn no_web_page_may_use_the_interface_unless_its_origin_is_named() {
    let server = Server::sampled();
    let olivia = "Authorization: token olivia-token";
    for path in PATHS {
        for verb in ["GET", "POST", "OPTIONS"] {
            for origin in [NAMED, "Origin: https://evil.example", "Origin: null"] {
                let (status, answer) = sent(&server, &asking(verb, path), &["Host: localhost", olivia, origin]);
                assert_eq!(status, 403, "{verb} {path} {origin}");
                assert!(!answer.contains("access-control-"), "{answer}");
            }
        }
        // Programs need no origin, and pages of the server have its own.
        for origin in ["Accept: */*", "Origin: http://localhost"] {
            let (status, answer) = sent(&server, &asking("GET", path), &["Host: localhost", olivia, origin]);
            assert_ne!(status, 403, "{path} {origin}");
            assert!(!answer.contains("access-control-"), "{answer}");
        }
    }
}

#[test]
fn pages_of_a_named_origin_may_use_the_interface_and_not_the_control_paths() {
    let named = ["--cors-origin", "http://localhost:3000", "--cors-origin", "https://app.example"];
    let server = Server::seeded(&crate::dev::server::sample(), &named);
    let host = "Host: localhost:8420";
    for (verb, expected) in [("GET", 200), ("OPTIONS", 204)] {
        for origin in ["http://localhost:3000", "https://app.example"] {
            let (status, answer) =
                sent(&server, &asking(verb, "/orgs/acme"), &[host, &format!("Origin: {origin}"), "Accept: */*"]);
            assert_eq!(status, expected, "{verb} {origin}");
            assert!(answer.contains(&format!("access-control-allow-origin: {origin}\r\n")), "{answer}");
            assert_eq!(answer.matches("access-control-allow-origin").count(), 1, "{answer}");
            assert_eq!(answer.contains("access-control-allow-headers: authorization"), verb == "OPTIONS", "{answer}");
            let vary = answer.lines().find(|line| line.starts_with("vary: ")).expect("the header");
            assert!(vary.ends_with(", origin"), "{vary}");
        }
        for origin in ["https://evil.example", "http://localhost:3001", "https://localhost:3000", "null"] {
            let (status, answer) =
                sent(&server, &asking(verb, "/orgs/acme"), &[host, &format!("Origin: {origin}"), "Accept: */*"]);
            assert_eq!(status, 403, "{verb} {origin}");
            assert!(!answer.contains("access-control-"), "{answer}");
        }
    }
    let json = "Content-Type: application/json";
    assert_eq!(sent(&server, RESET, &[host, json, NAMED]).0, 403);
    assert_eq!(sent(&server, MAIL, &[host, NAMED]).0, 403);
}

#[test]
fn an_origin_with_a_path_is_refused_at_the_start() {
    for wrong in ["*", "null", "localhost:3000", "http://localhost:3000/"] {
        let ended = crate::dev::server::dev(&["--cors-origin", wrong]).output().expect("it runs");
        assert_eq!(ended.status.code(), Some(2), "{wrong}");
        assert!(String::from_utf8_lossy(&ended.stderr).contains("such as http://localhost:3000"), "{wrong}");
    }
}

#[test]
fn the_index_lists_the_paths() {
    let server = Server::sampled();
    let index = server.control().get("");
    let paths = index.expect(200)["paths"].as_array().expect("a list").clone();
    for path in &paths {
        let path = path["path"].as_str().expect("a path");
        assert_ne!(server.control().get(path.trim_start_matches("/_guildhall")).status, 404, "{path}");
    }
    assert_eq!(paths.len(), 6);
    server.control().get("/nothing").expect(404);
    server.control().delete("/faults").expect(405);
    assert_eq!(server.control().delete("/faults").header("allow"), Some("GET, PUT"));
    assert_eq!(server.control().head("/clock").status, 200);
    // Only at this path: it is no part of the interface.
    server.client("olivia-token").get("/api/v3/_guildhall").expect(404);
    assert!(!server.client("olivia-token").get("/openapi.json").text.contains("_guildhall"));
}

#[test]
fn serve_has_none_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = guildhall(&["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    let mut child = command.arg(folder.path()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a server");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let base = line.trim().rsplit_once(' ').expect("an address").1;
    let token = std::fs::read_to_string(folder.path().join("admin-token")).expect("a token");
    for token in [None, Some(token.trim())] {
        let client = Client::new(base, token).with("Content-Type", "application/json");
        for path in ["", "/", "/reset", "/clock", "/faults", "/requests", "/deliveries", "/mail"] {
            let path = format!("/_guildhall{path}");
            client.get(&path).refused(404, "Not Found");
            client.post(&path, json!({})).refused(404, "Not Found");
            client.put(&path, json!({ "faults": [] })).refused(404, "Not Found");
        }
    }
    child.kill().expect("it is killed");
    child.wait().expect("it has ended");
}
