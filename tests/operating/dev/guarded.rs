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
    // The interface itself has them, as always.
    let (_, answer) =
        sent(&server, "GET /orgs/acme HTTP/1.1\r\nConnection: close\r\n", &["Host: localhost", "User-Agent: x"]);
    assert!(answer.contains("access-control-allow-origin: *"), "{answer}");
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
