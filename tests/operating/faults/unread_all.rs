//! Everything at once that fills memory from outside: streams that take nothing, readers that stop, bodies that do not
//! end. The program stays small, serves others, and gives the memory back (decision 40).

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::scope;
use std::time::{Duration, Instant};

use crate::faults::frames::{Frames, RESET};
use crate::faults::program::{ADMIN_TOKEN, Place, Server};
use crate::support::{Client, json};

const PAGE: &str = "/orgs/acme/teams/core/discussions?per_page=100";

/// For how long the attack goes on.
const ATTACK: Duration = Duration::from_secs(30);

/// The most that the program may ever have, in MB, and what it may have a minute later.
const MOST: u64 = 400;
const AFTER: u64 = 120;

/// A team whose board has a hundred posts that are as long as may be, half of them of what JSON escapes.
fn fill(server: &Server) {
    let admin = server.admin();
    admin.post("/admin/users", json!({ "login": "tom", "email": "tom@example.com" })).expect(201);
    admin.post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    admin.post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201);
    for number in 0..100 {
        let body = format!("{number:05}{}", "\"".repeat(65_500));
        let post = json!({ "title": format!("Post {number}"), "body": body });
        admin.post("/orgs/acme/teams/core/discussions", post).expect(201);
    }
}

/// Asks for the page on as many streams as the server takes, none of which takes anything, and again when one ends.
fn zero_window(authority: &str, until: Instant) {
    let mut frames = Frames::connect(authority, 0);
    let mut pinging = frames.try_clone();
    scope(|scope| {
        scope.spawn(move || {
            while Instant::now() < until && pinging.ping().is_ok() {
                std::thread::sleep(Duration::from_secs(1));
            }
            pinging.close();
        });
        for _ in 0..32 {
            drop(frames.get(PAGE, ADMIN_TOKEN));
        }
        while let Ok(frame) = frames.next() {
            if frame.kind == RESET {
                drop(frames.get(PAGE, ADMIN_TOKEN));
            }
        }
    });
}

/// Asks for the page and reads no more than the first bytes of it.
fn stop_reading(authority: &str, until: Instant) {
    let mut stream = TcpStream::connect(authority).expect("a connection");
    let head = format!(
        "GET {PAGE} HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: x\r\nAuthorization: token {ADMIN_TOKEN}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("to send");
    stream.set_read_timeout(Some(until.saturating_duration_since(Instant::now()))).expect("a time limit");
    drop(stream.read(&mut [0; 100]));
    std::thread::sleep(until.saturating_duration_since(Instant::now()));
}

/// Sends all of a body but its last byte.
fn stop_sending(authority: &str, until: Instant) {
    let head = format!(
        "POST /orgs/acme/teams HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: x\r\nAuthorization: token {ADMIN_TOKEN}\r\n\
         Content-Length: 1000000\r\n\r\n"
    );
    let body = vec![b' '; 999_999];
    let mut streams = Vec::new();
    for _ in 0..400 {
        let Ok(mut stream) = TcpStream::connect(authority) else { continue };
        drop(stream.set_write_timeout(Some(Duration::from_millis(100))));
        drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)));
        streams.push(stream);
    }
    std::thread::sleep(until.saturating_duration_since(Instant::now()));
}

#[test]
fn what_fills_memory_from_outside_is_bounded_and_given_back() {
    let place = Place::new();
    let server = place.serve_within("exec \"$@\" --abuse-limit-per-minute 1000000 --abuse-limit-per-hour 1000000");
    fill(&server);
    let (authority, until) = (server.authority(), Instant::now() + ATTACK);
    let other = Client::new(&server.base, None);
    scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| zero_window(authority, until));
        }
        for _ in 0..60 {
            scope.spawn(|| stop_reading(authority, until));
        }
        scope.spawn(|| stop_sending(authority, until));
        while Instant::now() < until {
            other.get("/healthz").expect(200);
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    let (_, most) = server.resident();
    assert!(most < MOST, "the program had {most} MB");
    let ended = Instant::now();
    while server.resident().0 >= AFTER {
        assert!(ended.elapsed() < Duration::from_mins(1), "the program still has {} MB", server.resident().0);
        std::thread::sleep(Duration::from_millis(500));
    }
    server.admin().get("/orgs/acme/teams/core").expect(200);
}
