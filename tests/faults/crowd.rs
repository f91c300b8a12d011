//! More connections than the program may have open: they wait, and when others end all is well again.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use crate::program::Place;

/// What a server may have open: enough for itself, and for fewer callers than come.
const DESCRIPTORS: u32 = 128;

/// Far more than an answer takes, unless there is nothing with which it could be given.
const SOON: Duration = Duration::from_secs(1);

/// How long a busy machine may take to let everybody in.
const PATIENCE: Duration = Duration::from_mins(1);

/// The first line of the answer to a request for this path.
fn ask(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
    let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nUser-Agent: x\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("to send");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer.lines().next().unwrap_or_default().to_owned()
}

/// Whether somebody who comes now gets an answer soon.
fn is_let_in(address: &str) -> bool {
    let mut stream = TcpStream::connect(address).expect("a place in the queue");
    stream.set_read_timeout(Some(SOON)).expect("a time limit");
    let head = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("to send");
    stream.read(&mut [0; 1]).is_ok()
}

#[test]
fn a_crowd_that_leaves_again_is_survived_by_the_service_and_its_metrics() {
    let place = Place::new();
    let socket = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let metrics = socket.local_addr().expect("an address").to_string();
    drop(socket);
    let server = place.serve_within(&format!(
        "ulimit -n {DESCRIPTORS} || exit 9; export GUILDHALL_METRICS_LISTEN={metrics}; exec \"$@\""
    ));
    let crowd: Vec<TcpStream> =
        (0..DESCRIPTORS + 64).map(|_| TcpStream::connect(server.authority()).expect("a place in the queue")).collect();
    let waiting = TcpStream::connect(&metrics).expect("a place in the queue");
    let since = Instant::now();
    while is_let_in(server.authority()) {
        assert!(since.elapsed() < PATIENCE, "so many may come without anybody having to wait");
    }
    drop((crowd, waiting));
    assert!(ask(server.authority(), "/healthz").ends_with("200 OK"));
    assert!(ask(&metrics, "/metrics").ends_with("200 OK"));
    server.tell_to_stop();
    assert!(server.wait());
    place.must_be_well();
}
