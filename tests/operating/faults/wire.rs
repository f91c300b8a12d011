//! Requests that no client library would send: they are cut short, too large or no HTTP at all. Each gets a clear
//! answer or the end of its connection, and changes nothing (decisions 1, 4 and 40).

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};

use crate::support::waiting::HANG;
use crate::support::{World, dump, json, raw};

/// The number of looks at the outcome of requests whose senders have left. Some may never be carried out.
const LOOKS: usize = 300;

/// A connection with the head of a request by Olivia that makes a team.
pub struct Wire {
    host: String,
    token: String,
}

impl Wire {
    pub fn new(world: &World) -> Self {
        let token = world.olivia().token.expect("a token");
        Self { host: world.base.trim_start_matches("http://").to_owned(), token }
    }

    pub fn authority(&self) -> &str {
        &self.host
    }

    pub fn head(&self, further: &str) -> String {
        format!(
            "POST /orgs/acme/teams HTTP/1.1\r\nHost: {}\r\nUser-Agent: x\r\nAuthorization: token {}\r\n{further}\r\n",
            self.host, self.token
        )
    }

    pub fn get(&self, path: &str, further: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\nUser-Agent: x\r\nConnection: close\r\n{further}\r\n", self.host)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(HANG)).expect("a time limit");
        stream
    }
}

/// Reads to the end; an end in the middle is an end too.
pub fn read_all(stream: &TcpStream) -> String {
    String::from_utf8_lossy(&read_bytes(stream)).into_owned()
}

pub fn read_bytes(mut stream: &TcpStream) -> Vec<u8> {
    let (mut answer, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut buffer) {
            Ok(n @ 1..) => answer.extend_from_slice(&buffer[..n]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => break,
        }
    }
    answer
}

/// Waits until the server has closed the connection.
#[track_caller]
pub fn until_closed(mut stream: &TcpStream) {
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer) {
            Ok(1..) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => panic!("it is kept"),
            Ok(0) | Err(_) => return,
        }
    }
}

#[test]
fn a_request_that_is_cut_short_changes_nothing() {
    let world = World::new();
    let (wire, before) = (Wire::new(&world), dump::everything(&world));
    let body = r#"{"name":"Cut short"}"#;
    for (head, sent) in [
        (wire.head("Content-Length: 20\r\n"), &body[..10]),
        (wire.head("Content-Length: 200\r\n"), body),
        (wire.head("Transfer-Encoding: chunked\r\n"), "14\r\n{\"name\":\"Cut short\"}"),
        (wire.head("Transfer-Encoding: chunked\r\n"), "14\r\n{\"name\":\"Cut short\"}\r\n"),
        (wire.head("Transfer-Encoding: chunked\r\n"), "zz\r\n{\"name\":\"Cut short\"}\r\n0\r\n\r\n"),
    ] {
        let mut stream = wire.connect();
        stream.write_all(head.as_bytes()).expect("to send");
        stream.write_all(sent.as_bytes()).expect("to send");
        stream.shutdown(Shutdown::Write).expect("to end");
        let answer = read_all(&stream);
        assert!([0, 400].contains(&raw::status(&answer)), "{head}{sent}: {answer}");
    }
    assert!(dump::everything(&world) == before, "{}", dump::difference(&before, &dump::everything(&world)));
}

/// The client does not learn whether the write was done. Either is right, but never a part of it.
#[test]
fn a_request_whose_sender_leaves_is_done_as_a_whole_or_not_at_all() {
    let world = World::new();
    let wire = Wire::new(&world);
    for number in 0..8 {
        let body = format!(r#"{{"name":"Gone {number}"}}"#);
        let mut stream = wire.connect();
        let request = format!("{}{body}", wire.head(&format!("Content-Length: {}\r\n", body.len())));
        stream.write_all(request.as_bytes()).expect("to send");
        drop(stream);
    }
    for _ in 0..LOOKS {
        let (teams, maintained, counted, entries) = world.rows::<(i64, i64, i64, i64)>(GONE).remove(0);
        assert!(
            [maintained, counted, entries] == [teams; 3],
            "{teams} teams: {maintained} with their maintainer, {counted} counted, {entries} in the audit"
        );
        if teams == 8 {
            break;
        }
    }
    for team in world.olivia().all("/orgs/acme/teams?per_page=100") {
        let slug = team["slug"].as_str().expect("a slug");
        if slug.starts_with("gone-") {
            let membership = world.olivia().get(&format!("/orgs/acme/teams/{slug}/memberships/olivia"));
            assert_eq!(membership.expect(200)["role"], "maintainer");
        }
    }
    let findings = world.block_on(guildhall::doctor::run(&world.db, &[7; 32])).expect("doctor can look").findings;
    assert!(findings.is_empty(), "{findings:#?}");
    world.olivia().post("/orgs/acme/teams", json!({ "name": "Still here" })).expect(201);
}

const GONE: &str = "
    SELECT (SELECT count(*) FROM teams t WHERE t.slug LIKE 'gone-%'),
           (SELECT count(*) FROM teams t JOIN team_members m ON m.team_id = t.id AND m.role = 'maintainer'
            WHERE t.slug LIKE 'gone-%'),
           (SELECT count(*) FROM teams t JOIN team_counts c ON c.team_id = t.id AND c.members = 1
            WHERE t.slug LIKE 'gone-%'),
           (SELECT count(*) FROM journal WHERE action = 'team.create') - 1";

#[test]
fn what_is_too_large_is_refused_as_such() {
    let world = World::new();
    let (wire, before) = (Wire::new(&world), dump::everything(&world));
    let long = "x".repeat(9_000);
    assert_eq!(raw::status(&raw::send(&wire.host, wire.get(&format!("/orgs/{long}"), "").as_bytes())), 414);
    assert_eq!(raw::status(&raw::send(&wire.host, wire.get(&format!("/orgs/acme?q={long}"), "").as_bytes())), 414);
    let header = format!("X-Long: {}\r\n", "x".repeat(100_000));
    assert_eq!(raw::status(&raw::send(&wire.host, wire.get("/orgs/acme", &header).as_bytes())), 431);
    let headers = "X-Many: y\r\n".repeat(300);
    assert_eq!(raw::status(&raw::send(&wire.host, wire.get("/orgs/acme", &headers).as_bytes())), 431);

    let announced = format!("{}{{", wire.head("Connection: close\r\nContent-Length: 3000000\r\n"));
    assert_eq!(raw::status(&raw::send(&wire.host, announced.as_bytes())), 413);
    let mut chunked = wire.head("Connection: close\r\nTransfer-Encoding: chunked\r\n").into_bytes();
    for _ in 0..40 {
        chunked.extend_from_slice(format!("{:x}\r\n{}\r\n", 30_000, " ".repeat(30_000)).as_bytes());
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    assert_eq!(raw::status(&raw::send(&wire.host, &chunked)), 413);
    assert!(dump::everything(&world) == before);
}

#[test]
fn what_is_no_http_ends_its_connection_and_nothing_else() {
    let world = World::new();
    let wire = Wire::new(&world);
    let host = wire.host.as_str();
    let bytes: [&[u8]; 7] = [
        b"\0\0\0\0\0\0\0\0\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a greeting of TLS",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nthese are no frames of the protocol",
        b"\r\n\r\n\r\n\r\nHELO there\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nUser-Agent: x\r\nConnection: close\r\n\r\n",
    ];
    for request in bytes {
        let status = raw::status(&raw::send(host, request));
        assert!([0, 400].contains(&status), "{:?}: {status}", String::from_utf8_lossy(request));
    }
    for wrong in ["", "a b", "a/b", "user@a", "[::1", "a:99999", "a\u{e9}"] {
        let request = format!("GET /orgs/acme HTTP/1.1\r\nHost: {wrong}\r\nUser-Agent: x\r\nConnection: close\r\n\r\n");
        assert_eq!(raw::status(&raw::send(host, request.as_bytes())), 400, "Host: {wrong}");
    }
    let without_host = "GET /orgs/acme HTTP/1.1\r\nUser-Agent: x\r\nConnection: close\r\n\r\n";
    assert_eq!(raw::status(&raw::send(host, without_host.as_bytes())), 400);
    for lengths in ["Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: -1\r\n", "Content-Length: 1e3\r\n"] {
        assert_eq!(raw::status(&raw::send(host, wire.head(lengths).as_bytes())), 400, "{lengths}");
    }
    world.olivia().get("/orgs/acme").expect(200);
}

/// A client that is refused before its body has arrived still gets the response, and may use the same connection again.
#[test]
fn a_refusal_arrives_although_the_body_comes_later() {
    let world = World::new();
    let wire = Wire::new(&world);
    let mut stream = wire.connect();
    for round in 0..3 {
        let head = format!(
            "POST /orgs/acme/teams HTTP/1.1\r\nHost: {}\r\nUser-Agent: x\r\nContent-Length: 50000\r\n\r\n",
            wire.host
        );
        stream.write_all(head.as_bytes()).expect("to send");
        stream.peek(&mut [0]).expect("the refusal");
        stream.write_all(&vec![b' '; 50_000]).unwrap_or_else(|error| panic!("round {round}: {error}"));
        let mut buffer = [0; 4096];
        let length = stream.read(&mut buffer).expect("an answer");
        let answer = String::from_utf8_lossy(&buffer[..length]).into_owned();
        assert_eq!(raw::status(&answer), 401, "round {round}: {answer}");
    }
}
