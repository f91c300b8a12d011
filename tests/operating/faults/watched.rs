//! The things that an operator sees of a running server: a line in the log for each write, and metrics.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::mpsc;

use crate::faults::program::{Place, Server, log_with, metrics_in};
use crate::support::waiting::{self, HANG};
use crate::support::{Value, json};

/// All of the metrics that are served here.
fn metrics(address: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").expect("to send");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// The number behind this text.
fn number(metrics: &str, name: &str) -> f64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no {name} in {metrics}"))
}

#[test]
fn each_write_is_a_line_of_the_log_and_the_metrics_say_how_the_service_is() {
    let place = Place::new();
    let log = place.database.directory().join("log");
    let server = place.serve_within(&format!(
        "export GUILDHALL_METRICS_LISTEN=127.0.0.1:0 GUILDHALL_LOG_FORMAT=json GUILDHALL_TRUSTED_PROXIES=127.0.0.1 \
         GUILDHALL_ABUSE_LIMIT_PER_MINUTE=1; exec \"$@\" 2>{}",
        log.display()
    ));
    let address = metrics_in(&log);
    let admin = server.admin().with("X-Forwarded-For", "203.0.113.9");
    let made = admin.post("/admin/users", json!({ "login": "Wanda", "email": "secret@example.com" }));
    made.expect(201);
    admin.get("/user").expect(200);
    admin.post("/admin/users", json!({ "login": "wanda" })).expect(422);
    let unknown = server.client("ghp_no_token_of_anybody").post("/admin/users", json!({ "login": "x" }));
    unknown.expect(401);

    let text = log_with(&log, 3, r#""message":"write""#);
    let lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let writes: Vec<&Value> = lines.iter().filter(|line| line["message"] == "write").collect();
    assert_eq!(writes.len(), 3, "{text}");
    let caller = admin.get("/user").expect(200)["login"].clone();
    for (line, answer, status, caller, remote) in
        [(writes[0], &made, 201, caller.clone(), "203.0.113.9"), (writes[2], &unknown, 401, json!("-"), "127.0.0.1")]
    {
        assert_eq!(line["level"], "INFO", "{line}");
        assert_eq!(line["operation"], "enterpriseAdmin.createUser", "{line}");
        assert_eq!((&line["status"], &line["caller"]), (&json!(status), &caller), "{line}");
        assert_eq!(line["request"], answer.header("x-github-request-id").expect("an id"), "{line}");
        assert_eq!(line["remote"], remote, "{line}");
        assert!(line["duration_us"].as_u64().is_some_and(|took| took > 0), "{line}");
    }
    for secret in ["secret@example.com", "ghp_no_token", crate::faults::program::ADMIN_TOKEN] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }

    let login = caller.as_str().expect("a login");
    admin.post("/admin/organizations", json!({ "login": "acme", "admin": login })).expect(201);
    admin.post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201);
    let board = "/orgs/acme/teams/core/discussions";
    admin.post(board, json!({ "title": "One", "body": "x" })).expect(201);
    admin.post(board, json!({ "title": "Two", "body": "x" })).expect(403);
    // The worker of deliveries may be reading at the moment.
    let text = waiting::found(|| {
        let text = metrics(&address);
        if text.contains("guildhall_store_waiting 0\n") { Ok(text) } else { Err(text) }
    });
    assert!(text.contains(&format!("guildhall_build_info{{version=\"{}\"", env!("CARGO_PKG_VERSION"))), "{text}");
    let has = |line: &str| assert!(text.lines().any(|other| other == line), "no {line} in {text}");
    has("guildhall_ready 1");
    assert!(number(&text, "guildhall_store_batch_size_count") >= 1.0);
    has("guildhall_store_errors_total 0");
    has("guildhall_log_lines_dropped_total 0");
    has("guildhall_limit_refusals_total{limit=\"abuse\"} 1");
    for limit in ["rate", "memory", "connections", "connections_per_address"] {
        has(&format!("guildhall_limit_refusals_total{{limit=\"{limit}\"}} 0"));
    }
    for name in ["resident_memory_bytes", "open_fds", "max_fds", "threads", "start_time_seconds", "cpu_seconds_total"] {
        assert!(number(&text, &format!("process_{name}")) > 0.0, "{name}");
    }
    assert!(number(&text, "guildhall_connections") >= 1.0, "{text}");
}

#[test]
fn what_limits_refuse_of_graphql_is_counted_too() {
    let place = Place::new();
    let log = place.database.directory().join("log");
    let listen = ["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"];
    let arguments = place.arguments(&[&listen[..], &["--abuse-limit-per-minute", "1"]].concat());
    let server = Server::within(&format!("exec \"$@\" 2>{}", log.display()), &arguments);
    let address = metrics_in(&log);
    let admin = server.admin();
    let login = admin.get("/user").expect(200)["login"].clone();
    admin.post("/admin/organizations", json!({ "login": "acme", "admin": login })).expect(201);
    let team = admin.post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201)["node_id"].clone();
    let post = "createTeamDiscussion(input: {teamId: $team, title: \"x\", body: \"x\"}) { clientMutationId }";
    let three = format!("mutation($team: ID!) {{ a: {post} b: {post} c: {post} }}");
    let ask = |query: &str| {
        let answer = admin.post("/graphql", json!({ "query": query, "variables": { "team": team } }));
        answer.expect(200)["errors"][0]["type"].clone()
    };
    assert_eq!(ask(&three), "RATE_LIMITED");
    // A request counts once, however many of its mutations are refused.
    let has = |line: &str| {
        let text = metrics(&address);
        assert!(text.lines().any(|other| other == line), "no {line} in {text}");
    };
    has("guildhall_limit_refusals_total{limit=\"abuse\"} 1");
    has("guildhall_limit_refusals_total{limit=\"rate\"} 0");
    let costly = "{ organization(login: \"acme\") { teams(first: 100) { nodes { members(first: 100) { nodes {
        organizations(first: 40) { totalCount } } } } } } }";
    assert_eq!((0..60).filter(|_| ask(costly) == "RATE_LIMITED").count(), 60 - 49);
    has("guildhall_limit_refusals_total{limit=\"rate\"} 11");
}

/// More lines than a pipe holds: a server that waited for the reader of its log would stop answering.
#[test]
fn a_log_that_is_not_read_delays_no_request() {
    let place = Place::new();
    let pipe = place.database.directory().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    // What is open for both does not wait for another end.
    let unread = OpenOptions::new().read(true).write(true).open(&pipe).expect("a pipe");
    let server = place.serve_logging(&pipe);
    let (admin, (done, answered)) = (server.admin(), mpsc::channel());
    std::thread::spawn(move || {
        for _ in 0..600 {
            admin.post("/admin/users", json!({ "login": "" })).expect(422);
        }
        done.send(()).expect("the test waits");
    });
    answered.recv_timeout(HANG).expect("no request waits for the log");
    server.tell_to_stop();
    assert!(server.wait());
    drop(unread);
}
