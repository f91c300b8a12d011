//! The server is told to stop in the middle of a request: the request is finished if that does not take long, and no
//! new connection is accepted.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::faults::program::{ADMIN_TOKEN, Place};
use crate::support::raw;
use crate::support::waiting::{self, HANG};

/// The line of the log that says that the server no longer waits for a request.
const ABORTED: &str = "some requests did not finish in time and were aborted";

#[test]
fn a_request_that_has_begun_is_finished() {
    let place = Place::new();
    let log = place.database.directory().join("log");
    let server = place.serve_logging(&log);
    let authority = server.authority().to_owned();
    let (idle, mut begun) = (connect(&authority), connect(&authority));
    let body = r#"{"login":"late"}"#;
    let head = format!(
        "POST /admin/users HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: x\r\nAuthorization: token {ADMIN_TOKEN}\r\n\
         Content-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        body.len()
    );
    begun.write_all(head.as_bytes()).expect("to send");
    // `100 Continue` shows that the server has read the head and wants the body.
    let mut told_to_go_on = [0; 25];
    begun.read_exact(&mut told_to_go_on).expect("an interim answer");
    assert_eq!(&told_to_go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    begun.write_all(&body.as_bytes()[..5]).expect("to send");
    server.tell_to_stop();
    waiting::until("no connection is accepted", || TcpStream::connect(&authority).is_err());
    begun.write_all(&body.as_bytes()[5..]).expect("to send");
    let mut answer = String::new();
    begun.read_to_string(&mut answer).expect("an answer");
    assert_eq!(raw::status(&answer), 201, "{answer}");
    assert!(server.wait(), "it ends in good order");
    let said = std::fs::read_to_string(&log).expect("the log");
    assert!(said.contains("stopped") && !said.contains(ABORTED), "an idle connection does not hold it up: {said}");
    drop(idle);
    place.must_be_well();
    place.serve().admin().get("/users/late").expect(200);
}

/// No client can keep the server from stopping.
#[test]
fn a_request_that_never_ends_is_waited_for_but_not_for_long() {
    let place = Place::new();
    let server = place.serve();
    let authority = server.authority().to_owned();
    let mut endless = connect(&authority);
    let head = format!(
        "POST /admin/users HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: x\r\nAuthorization: token {ADMIN_TOKEN}\r\n\
         Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n"
    );
    endless.write_all(head.as_bytes()).expect("to send");
    let mut told_to_go_on = [0; 25];
    endless.read_exact(&mut told_to_go_on).expect("an interim answer");
    endless.write_all(br#"{"login":"endless""#).expect("to send");
    server.tell_to_stop();
    let told = Instant::now();
    assert!(server.wait(), "it ends in good order");
    let waited = told.elapsed();
    assert!(waited > Duration::from_secs(9), "{waited:?}");
    place.must_be_well();
    place.serve().admin().get("/users/endless").expect(404);
}

fn connect(authority: &str) -> TcpStream {
    let stream = TcpStream::connect(authority).expect("a connection");
    stream.set_read_timeout(Some(HANG)).expect("a time limit");
    stream
}
