//! Very many clients: an IP address has its share of connections, the longest silent ones are closed to make room, and
//! health checks are served.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use guildhall::http::timeouts::Limits;
use tokio::net::TcpSocket;

use crate::faults::program::{Place, log_with, metrics_in};
use crate::support::World;
use crate::support::waiting::{self, HANG};
use crate::support::world::Settings;

/// The number of files that a server may have open: enough for itself, and for fewer clients than come.
const DESCRIPTORS: u32 = 256;

/// The answer to a request for this path.
fn ask(address: &str, path: &str) -> String {
    answer(TcpStream::connect(address).expect("a connection"), path)
}

fn answer(mut stream: TcpStream, path: &str) -> String {
    stream.set_read_timeout(Some(HANG)).expect("a time limit");
    let head = format!("GET {path} HTTP/1.1\r\nHost: a\r\nUser-Agent: x\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("to send");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or_default()
}

fn host(world: &World) -> String {
    world.base.trim_start_matches("http://").to_owned()
}

/// A connection from another IP address of this machine.
fn connect_from(world: &World, ip: &str) -> TcpStream {
    let address = host(world).parse().expect("an address");
    let stream = world.block_on(async {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(format!("{ip}:0").parse().expect("an address")).expect("a local address");
        socket.connect(address).await.expect("a connection")
    });
    let stream = stream.into_std().expect("a socket");
    stream.set_nonblocking(false).expect("a socket that waits");
    stream
}

/// Asks on a connection that stays open.
fn served(mut stream: &TcpStream) -> bool {
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").expect("to send");
    let mut buffer = [0; 4096];
    matches!(stream.read(&mut buffer), Ok(length) if buffer[..length].starts_with(b"HTTP/1.1 200"))
}

#[test]
fn an_ip_address_has_its_share_of_the_connections() {
    let world = World::with(Settings { connections: Some((100, 3)), ..Settings::default() });
    let host = host(&world);
    let mut clients: Vec<TcpStream> = (0..3).map(|_| TcpStream::connect(&host).expect("a connection")).collect();
    assert!(clients.iter().all(served));
    let refused = ask(&host, "/orgs/acme");
    assert_eq!(status(&refused), "503", "{refused}");
    assert!(refused.contains("\r\nRetry-After: ") && refused.contains("\r\nConnection: close\r\n"), "{refused}");
    for path in ["/healthz", "/readyz", "/api/v3/healthz"] {
        assert_eq!(status(&ask(&host, path)), "200", "{path}");
    }
    assert_eq!(status(&answer(connect_from(&world, "127.0.0.2"), "/orgs/acme")), "200");
    assert!(clients.iter().all(served));
    clients.pop();
    waiting::until("a place is given back", || status(&ask(&host, "/orgs/acme")) == "200");
}

#[test]
fn a_trusted_proxy_may_have_two_thousand_connections() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let most = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: most, maximum: most }).expect("to open more files");
    // A busy machine may not have asked on all of them before the first has been silent for long.
    let hour = Duration::from_hours(1);
    let timeouts = Limits { head: hour, first: hour, silence: hour };
    let (connections, trusted_proxies) = (Some((3_000, 3)), vec!["127.0.0.1/32"]);
    let world = World::with(Settings { trusted_proxies, connections, timeouts, ..Settings::default() });
    let clients: Vec<TcpStream> = (0..2_000)
        .map(|_| TcpStream::connect(host(&world)).expect("a connection"))
        .inspect(|stream| assert!(served(stream)))
        .collect();
    assert!(clients.iter().all(served));
}

#[test]
fn when_all_connections_are_in_use_the_longest_silent_one_makes_room() {
    let place = Place::new();
    let log = place.database.directory().join("log");
    let server = place.serve_within(&format!(
        "ulimit -n {DESCRIPTORS} || exit 9; export GUILDHALL_METRICS_LISTEN=127.0.0.1:0; exec \"$@\" 2>{}",
        log.display()
    ));
    let (address, metrics) = (server.authority(), metrics_in(&log));
    let clients: Vec<TcpStream> =
        (0..DESCRIPTORS + 64).map(|_| TcpStream::connect(address).expect("a place in the queue")).collect();
    for path in ["/healthz", "/readyz", "/meta"] {
        let answer = ask(address, path);
        assert_eq!(status(&answer), "200", "{path}: {answer}");
    }
    let mut first = &clients[0];
    first.set_read_timeout(Some(HANG)).expect("a time limit");
    assert!(!matches!(first.read(&mut [0; 1]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock));
    assert!(served(&clients[clients.len() - 1]), "the one that came last has not been silent for longest");

    // Requests that have begun: none of them is silent.
    let begin = || {
        let mut stream = TcpStream::connect(address).expect("a place in the queue");
        let begun = b"POST /orgs/acme/teams HTTP/1.1\r\nHost: a\r\nUser-Agent: x\r\nContent-Length: 90000\r\n\r\n";
        stream.write_all(begun).expect("to send");
        stream
    };
    let mut busy = Vec::new();
    waiting::until("a client has to wait", || {
        // Many at once, because each is refused after ten seconds.
        busy.extend((0..32).map(|_| begin()));
        status(&ask(address, "/meta")) == "503"
    });
    for path in ["/healthz", "/readyz"] {
        let answer = ask(address, path);
        assert_eq!(status(&answer), "200", "{path}: {answer}");
    }
    assert_eq!(status(&ask(&metrics, "/metrics")), "200");
    drop((clients, busy));
    waiting::until("places are given back", || status(&ask(address, "/meta")) == "200");
    let lines = log_with(&log, 1, "`http.connections_per_address`");
    assert_eq!(lines.matches("`http.connections_per_address`").count(), 1, "{lines}");
    server.tell_to_stop();
    assert!(server.wait());
    place.must_be_well();
}
