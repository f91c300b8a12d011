//! Everything at once that fills memory from outside: streams that take nothing, readers that stop, bodies that do not
//! end. The program stays small, serves others, and gives the memory back (decision 40).

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::scope;
use std::time::Duration;

use crate::faults::frames::{END_STREAM, Frames, PING, RESET};
use crate::faults::program::{ADMIN_TOKEN, Place, Server};
use crate::support::waiting::{self, HANG};
use crate::support::{Client, json};

const PAGE: &str = "/orgs/acme/teams/core/discussions?per_page=100";

/// The number of streams that are reset before the attack ends.
const ENDED: usize = 4;

/// The most that the program may ever have, in MB, and what it may have besides its own file when it has given memory back.
const MOST: u64 = 400;
const AFTER: u64 = 80;

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
fn zero_window(authority: &str) {
    let mut frames = Frames::connect(authority, 0);
    for _ in 0..32 {
        frames.get(PAGE, ADMIN_TOKEN).expect("to send");
    }
    frames.ping().expect("to send");
    let mut ended = 0;
    while ended < ENDED {
        let frame = frames.next().expect("the connection stays");
        if frame.kind == PING {
            std::thread::sleep(Duration::from_millis(100));
            frames.ping().expect("to send");
        } else if frame.kind == RESET || frame.flags & END_STREAM != 0 {
            ended += 1;
            frames.get(PAGE, ADMIN_TOKEN).expect("to send");
        }
    }
}

/// Asks for the page and reads no more than the first bytes of it.
fn stop_reading(authority: &str) -> TcpStream {
    let mut stream = TcpStream::connect(authority).expect("a connection");
    let head = format!(
        "GET {PAGE} HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: x\r\nAuthorization: token {ADMIN_TOKEN}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("to send");
    stream.set_read_timeout(Some(HANG)).expect("a time limit");
    drop(stream.read(&mut [0; 100]));
    stream
}

/// Sends all of a body but its last byte, on many connections.
fn stop_sending(authority: &str) -> Vec<TcpStream> {
    let head = format!(
        "POST /orgs/acme/teams HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: x\r\nAuthorization: token {ADMIN_TOKEN}\r\n\
         Content-Length: 1000000\r\n\r\n"
    );
    let body = vec![b' '; 999_999];
    let mut streams = Vec::new();
    for _ in 0..400 {
        let Ok(mut stream) = TcpStream::connect(authority) else { continue };
        // The server may take only a part of it.
        drop(stream.set_write_timeout(Some(Duration::from_millis(100))));
        drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)));
        streams.push(stream);
    }
    streams
}

#[test]
fn what_fills_memory_from_outside_is_bounded_and_given_back() {
    let place = Place::new();
    let server = place.serve_within("exec \"$@\" --abuse-limit-per-minute 1000000 --abuse-limit-per-hour 1000000");
    fill(&server);
    let (authority, other) = (server.authority(), Client::new(&server.base, None));
    scope(|scope| {
        let zero = scope.spawn(|| zero_window(authority));
        let reading: Vec<_> = (0..30).map(|_| scope.spawn(|| stop_reading(authority))).collect();
        let sending = scope.spawn(|| stop_sending(authority));
        // As many pages as they ask for would need far more memory than the program may have.
        waiting::until("the attack is over", || {
            other.get("/healthz").expect(200);
            zero.is_finished() && sending.is_finished()
        });
        // Their connections have been open until now.
        for one in reading {
            drop(one.join());
        }
    });
    let (_, most) = server.resident();
    assert!(most < MOST, "the program had {most} MB");
    waiting::found(|| {
        let (now, _) = server.resident();
        if now < AFTER { Ok(()) } else { Err(format!("the program still has {now} MB")) }
    });
    server.admin().get("/orgs/acme/teams/core").expect(200);
}
