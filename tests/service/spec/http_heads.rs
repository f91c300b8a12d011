//! The headers of responses: how names are written, which caches may keep a response, and what is not sent to HTTP/1.0
//! (decisions 1, 43 and 51).

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::support::world::Settings;
use crate::support::{Answer, World, json, raw};

/// The names that have other capitals than one after each hyphen.
const SPECIAL: [&str; 13] = [
    "ETag",
    "GitHub-Authentication-Token-Expiration",
    "WWW-Authenticate",
    "X-Accepted-OAuth-Scopes",
    "X-GitHub-Media-Type",
    "X-GitHub-Request-Id",
    "X-OAuth-Scopes",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-RateLimit-Resource",
    "X-RateLimit-Used",
    "X-XSS-Protection",
];

fn usual(name: &str) -> String {
    if let Some(special) = SPECIAL.iter().find(|special| special.eq_ignore_ascii_case(name)) {
        return (*special).to_owned();
    }
    let capital = |part: &str| part[..1].to_uppercase() + &part[1..].to_lowercase();
    name.split('-').map(capital).collect::<Vec<_>>().join("-")
}

fn host(world: &World) -> &str {
    world.base.trim_start_matches("http://")
}

fn token(world: &World) -> String {
    world.olivia().token.expect("a token")
}

/// The names in the first head of these bytes, each of which must be written as usual.
fn names(answer: &str) -> Vec<&str> {
    let head = answer.split_once("\r\n\r\n").expect("a head").0;
    let names: Vec<&str> = head.lines().skip(1).map(|line| line.split_once(": ").expect("a header").0).collect();
    for name in &names {
        assert_eq!(*name, usual(name), "{head}");
    }
    names
}

/// The value of a header in the first head of these bytes.
fn value<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let head = answer.split_once("\r\n\r\n").expect("a head").0;
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[test]
fn decision_51_names_of_headers_have_their_usual_capitals() {
    let world = World::new();
    let host = host(&world);
    let send = |line: &str, further: &str, body: &str| {
        let common =
            format!("Host: {host}\r\nUser-Agent: t\r\nConnection: close\r\nAuthorization: token {}", token(&world));
        raw::send(host, format!("{line} HTTP/1.1\r\n{common}\r\n{further}\r\n{body}").as_bytes())
    };
    let read = send("GET /orgs/acme/members?per_page=1", "", "");
    assert_eq!(raw::status(&read), 200);
    let found = names(&read);
    let least = ["Content-Type", "Content-Length", "Date", "Server", "ETag", "Link", "Cache-Control", "Vary"];
    for name in least.iter().chain(&SPECIAL[3..]) {
        assert!(found.contains(name), "{name}: {read}");
    }
    let tag = format!("If-None-Match: {}\r\n", value(&read, "ETag").expect("a tag"));
    let long = format!("GET /{}", "x".repeat(9_000));
    let many = format!("X-Long: {}\r\n", "x".repeat(100_000));
    for (status, line, further, body) in [
        (304, "GET /orgs/acme/members?per_page=1", tag.as_str(), ""),
        (200, "HEAD /orgs/acme/teams/core", "", ""),
        (204, "GET /orgs/acme/members/max", "", ""),
        (204, "OPTIONS /orgs/acme", "", ""),
        (404, "GET /orgs/absent", "", ""),
        (405, "PATCH /orgs/acme/members", "", ""),
        (411, "PUT /orgs/acme/teams/core/memberships/eve", "", ""),
        (413, "POST /orgs/acme/teams", "Content-Length: 3000000\r\n", "{"),
        (414, &long, "", ""),
        (422, "POST /orgs/acme/teams", "Content-Length: 2\r\n", "{}"),
        (201, "POST /orgs/acme/teams", "Content-Length: 14\r\n", "{\"name\":\"New\"}"),
        (200, "GET /healthz", "", ""),
        (200, "GET /ui/docs", "", ""),
        (431, "GET /orgs/acme", &many, ""),
        (400, "GET /orgs/acme", "no header\r\n", ""),
    ] {
        let answer = send(line, further, body);
        assert_eq!(raw::status(&answer), status, "{answer}");
        assert!(!names(&answer).is_empty(), "{answer}");
    }
    names(&raw::send(host, b"GET /orgs/acme HTTP/1.0\r\nUser-Agent: t\r\nAuthorization: token x\r\n\r\n"));
}

/// Heads that come one after the other, before the last was read, and after "go on": each has its capitals.
#[test]
fn decision_51_every_head_of_a_connection_has_capitals() {
    const ROUNDS: usize = 50;
    let world = World::new();
    let (host, token) = (host(&world), token(&world));
    let common = format!("HTTP/1.1\r\nHost: {host}\r\nUser-Agent: t\r\nAuthorization: token {token}\r\n");
    let read = format!("GET /orgs/acme/teams/core {common}\r\n");
    let check = format!("GET /orgs/acme/members/max {common}\r\n");
    let last = format!("GET /orgs/acme {common}Connection: close\r\n\r\n");
    let requests = [[read.as_str(), &check, &check].concat().repeat(ROUNDS), last].concat();
    let answers = raw::send(host, requests.as_bytes());
    let heads = answers.split("HTTP/1.1 20").skip(1).filter(|answer| !names(answer).is_empty()).count();
    assert_eq!(heads, 3 * ROUNDS + 1);

    let mut stream = TcpStream::connect(host).expect("a connection");
    let body = "{\"name\":\"Later\"}";
    let further = format!("Connection: close\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(format!("POST /orgs/acme/teams {common}{further}").as_bytes()).expect("to send");
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).expect("to be told to go on");
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(body.as_bytes()).expect("to send");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert_eq!(raw::status(&answer), 201, "{answer}");
    assert!(names(&answer).contains(&"X-GitHub-Request-Id"));
}

#[test]
fn decision_1_http_1_0_needs_no_host() {
    const HEAD: &str = "HTTP/1.0\r\nUser-Agent: t\r\n";
    let set = Settings { public_url: Some("https://teams.example.org/x"), ..Settings::default() };
    for (world, base) in [(World::new(), None), (World::with(set), Some("https://teams.example.org/x"))] {
        let host = host(&world);
        let base = base.unwrap_or(&world.base);
        for path in ["/healthz", "/readyz"] {
            assert_eq!(raw::status(&raw::send(host, format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes())), 200, "{path}");
            assert_eq!(raw::status(&raw::send(host, format!("GET {path} HTTP/1.1\r\n\r\n").as_bytes())), 400, "{path}");
        }
        for prefix in ["", "/api/v3"] {
            let request = format!("GET {prefix}/orgs/acme {HEAD}Authorization: token {}\r\n\r\n", token(&world));
            let answer = raw::send(host, request.as_bytes());
            assert!(answer.contains(&format!("\"url\":\"{base}{prefix}/orgs/acme\"")), "{answer}");
        }
        let named = raw::send(host, format!("GET /orgs/acme {HEAD}Host: other.example\r\n\r\n").as_bytes());
        assert!(named.contains("\"url\":\"http://other.example/orgs/acme\""), "{named}");
        for bad in ["Host: a b\r\n", "Host: a\r\nHost: b\r\n", "Host:\r\n"] {
            assert_eq!(raw::status(&raw::send(host, format!("GET /healthz {HEAD}{bad}\r\n").as_bytes())), 400, "{bad}");
        }
    }
}

/// Answers without an `ETag` may not be kept without asking, and refusals not at all.
#[test]
fn decision_43_every_answer_says_whether_it_may_be_kept() {
    let world = World::new();
    let (olivia, tom) = (world.olivia(), world.tom());
    let control = |status: u16, answer: Answer| {
        answer.expect(status);
        answer.header("cache-control").map(str::to_owned)
    };
    let path = "/orgs/acme/teams/core/memberships/eve";
    let asked = || Some("private, no-cache".to_owned());
    assert_eq!(control(204, olivia.get("/orgs/acme/members/max")), asked());
    assert_eq!(control(404, olivia.get("/orgs/acme/members/nina")), asked());
    assert_eq!(control(404, olivia.get("/nowhere")), asked());
    olivia.put(path, json!({})).expect(200);
    assert_eq!(control(204, olivia.delete(path)), asked());
    assert_eq!(control(200, olivia.get("/healthz")), asked());
    let never = || Some("no-store".to_owned());
    assert_eq!(control(401, world.anonymous().get("/user")), never());
    assert_eq!(control(403, tom.delete("/orgs/acme/teams/core")), never());
    assert_eq!(control(422, olivia.post("/orgs/acme/teams", json!({}))), never());
    assert_eq!(control(405, olivia.send("PATCH", "/orgs/acme/members", None)), never());
    assert_eq!(control(400, olivia.send("PATCH", "/orgs/acme/teams/core", Some("[".into()))), never());
    assert_eq!(control(400, olivia.with("Host", "a b").get("/healthz")), never());
}
