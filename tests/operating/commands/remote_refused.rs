//! Refusals of `--url`, and failures of servers that do not answer (decision 75).

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use crate::commands::remote::Remote;
use crate::place::{guildhall, outcome};

/// A server that answers each request with the next of these texts; after the last it closes the connection unanswered.
fn answering(texts: Vec<String>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        let mut texts = texts.into_iter();
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            read(&mut stream);
            let Some(text) = texts.next() else { continue };
            stream.write_all(text.as_bytes()).expect("to answer");
        }
    });
    base
}

/// Reads a request with its body.
fn read(stream: &mut impl Read) {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4_096]);
    loop {
        let length = stream.read(&mut piece).expect("to read");
        bytes.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let announced =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned));
        if length == 0 || body.len() >= announced.map_or(0, |text| text.parse().expect("a number")) {
            return;
        }
    }
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}")
}

const OURS: &str = "X-GitHub-Request-Id: 1\r\n";

/// The outcome of a command at this URL with the token `secret-of-olivia`.
#[track_caller]
fn at(url: &str, arguments: &[&str]) -> (i32, String) {
    let mut command = guildhall(arguments);
    let output = command.args(["--url", url]).env("GUILDHALL_TOKEN", "secret-of-olivia").output().expect("it runs");
    let (code, out, err) = outcome(&output);
    assert!(!out.contains("secret-of-olivia") && !err.contains("secret-of-olivia"), "{out}{err}");
    (code, err)
}

#[track_caller]
fn refused(url: &str, why: &str) {
    let (code, err) = at(url, &["export", "acme"]);
    assert!(code != 0 && err.contains(why), "{err}");
}

#[test]
fn decision_75_a_url_that_is_no_server_is_refused() {
    for url in ["", "acme", "ftp://example.com", "https://olivia:pw@example.com", "http://example.com?x=1", "http://"] {
        let (code, err) = at(url, &["export", "acme"]);
        assert!(code == 2 && err.contains("--url: "), "{url}: {err}");
        let (code, err) = at(url, &["plan", "-"]);
        assert!(code == 1, "{url}: {err}");
    }
    refused(
        &answering(vec![answer("200 OK", "", "<h1>Welcome</h1>")]),
        "does not answer like a Guildhall server (200)",
    );
    refused(&answering(vec![answer("404 Not Found", "", "nothing")]), "does not answer like a Guildhall server (404)");
    let moved = answer("301 Moved", "Location: https://elsewhere.example.com/\r\n", "");
    refused(&answering(vec![moved]), "redirects to https://elsewhere.example.com/; give the URL of the server itself");
    refused(&answering(Vec::new()), "cannot be reached");
    refused("http://127.0.0.1:1", "cannot be reached");
    let (code, err) = at("http://guildhall.invalid", &["export", "acme"]);
    assert!(code == 1 && err.contains("the token is sent without TLS") && err.contains("cannot be reached"), "{err}");
}

#[test]
fn decision_75_a_token_or_an_organization_that_is_none_is_named() {
    let remote = Remote::new();
    let url = &remote.server.base;
    refused(url, "does not know the token: it is wrong, expired or revoked");
    let next = "Run the command on the server to load a new organization";
    let (code, _, err) = remote.run(&["export", "nothing"]);
    assert!(code == 1 && err.contains("there is no organization nothing at") && err.contains(next), "{err}");
    let new = remote.file("orgs: {fresh: {admins: [olivia]}}");
    let (code, _, err) = remote.run(&["plan", &new]);
    assert!(code == 1 && err.contains("there is no organization fresh at") && err.contains(next), "{err}");
}

#[test]
fn decision_75_the_token_comes_from_the_environment_a_file_or_with_a_warning() {
    let remote = Remote::new();
    let url = remote.server.base.as_str();
    let run = |arguments: &[&str]| outcome(&guildhall(arguments).output().expect("it runs"));
    let file = remote.path("token", &format!("{}\n", remote.token));
    let (code, _, err) = run(&["export", "acme", "--url", url, "--token-file", file.to_str().expect("text")]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, _, err) = run(&["export", "acme", "--url", url, "--token", &remote.token]);
    assert!(code == 0 && err.contains("others on this machine can see --token"), "{err}");
    assert!(!err.contains(&remote.token));
    let (code, _, err) = run(&["export", "acme", "--url", url]);
    assert!(code == 2 && err.contains("--url needs a token: set GUILDHALL_TOKEN or give --token-file"), "{err}");
    let (code, _, err) = run(&["export", "acme", "--url", url, "--token-file", "no-such-file"]);
    assert!(code == 2 && err.contains("no-such-file: cannot read the token"), "{err}");
    let (code, _, err) = run(&["export", "acme", "--token-file", "x"]);
    assert!(code == 2 && err.contains("--url"), "{err}");
    let (code, _, err) = run(&["export", "acme", "--url", url, "--token", "x", "--data-dir", "y"]);
    assert!(code == 2 && err.contains("--url uses a server: omit the flags that name a database"), "{err}");
}

#[test]
fn decision_75_a_connection_that_breaks_during_an_apply_leaves_the_result_unknown() {
    let remote = Remote::new();
    let file = remote.file("orgs: {acme: {description: x}}");
    let guarded = "\"guarded\":{\"held\":9,\"removed\":0,\"owners\":1}";
    let change = "{\"action\":\"change\",\"kind\":\"setting\",\"team\":null,\"subject\":\"description\",\
                  \"before\":null,\"after\":\"x\",\"blocked_by\":null}";
    let plan = format!(
        "{{\"id\":7,\"org\":\"acme\",\"file\":\"f\",\"changes\":[{change}],\"not_in_file\":[],\"skipped\":[],\
         \"not_kept\":[],{guarded}}}"
    );
    let unknown =
        "The result for acme is unknown: it was changed completely or not at all. Running the command again is safe";
    let planned = answer("201 Created", OURS, &plan);
    let (code, err) = at(&answering(vec![planned.clone()]), &["apply", "--yes", &file]);
    assert!(code == 1 && err.contains(unknown), "{err}");
    let gateway = answer("504 Gateway Timeout", "", "<h1>Timeout</h1>");
    let (code, err) = at(&answering(vec![planned.clone(), gateway]), &["apply", "--yes", &file]);
    assert!(code == 1 && err.contains("the server answered 504") && err.contains(unknown), "{err}");
    let later = answer("201 Created", OURS, "{}");
    let (code, err) = at(&answering(vec![later]), &["apply", "--yes", &file]);
    assert!(code == 1 && err.contains("answers in an unknown form"), "{err}");
}

#[test]
fn decision_75_a_list_that_never_ends_ends_with_a_message() {
    let next = format!("{OURS}Link: <http://x/?page=2>; rel=\"next\"\r\n");
    let list = ["team", "list", "acme"];
    let same = answer("200 OK", &next, "[{\"id\":1,\"name\":\"Core\",\"slug\":\"core\"}]");
    let (code, err) = at(&answering(vec![same.clone(), same]), &list);
    assert!(code == 1 && err.contains("the list does not end: 2 items came in 2 parts"), "{err}");
    let page = |nth: usize| {
        let items: Vec<String> = (0..100_000).map(|item| format!("{{\"id\":{}}}", nth * 100_000 + item)).collect();
        answer("200 OK", &next, &format!("[{}]", items.join(",")))
    };
    let (code, err) = at(&answering((0..11).map(page).collect()), &list);
    assert!(code == 1 && err.contains("the list does not end: 1100000 items came in 11 parts"), "{err}");
}

#[test]
fn decision_75_no_message_repeats_a_token_that_a_server_repeats() {
    let body = "{\"message\":\"no secret-of-olivia here\"}";
    refused(&answering(vec![answer("403 Forbidden", OURS, body)]), "no [token] here");
    let escaped = body.replace("secret", "\\u0073ecret");
    refused(&answering(vec![answer("403 Forbidden", OURS, &escaped)]), "no [token] here");
    let moved = answer("301 Moved", "Location: https://x.example.com/secret-of-olivia\r\n", "");
    refused(&answering(vec![moved]), "redirects to https://x.example.com/[token]; give the URL");
    let (code, err) = at(&answering(vec![answer("403 Forbidden", OURS, body)]), &["team", "list", "acme"]);
    assert!(code == 1 && err.contains("no [token] here"), "{err}");
}
