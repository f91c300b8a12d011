//! A client that sends or reads too slowly is disconnected, and no other client notices (decision 40).

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use guildhall::http::timeouts::{LIMITS, Limits};

use crate::faults::wire::{Wire, until_closed};
use crate::support::waiting::{self, HANG};
use crate::support::world::Settings;
use crate::support::{World, dump, raw};

/// The usual time for the head or the body of a request, or a little less: the clocks are not the same.
const TEN_SECONDS: Duration = Duration::from_millis(9_900);

/// A shorter time, for tests that have to wait several times.
const SHORT: Duration = Duration::from_secs(2);

/// The pause of a client that sends slowly.
const PAUSE: Duration = Duration::from_millis(300);

fn with(timeouts: Limits) -> World {
    World::with(Settings { timeouts, ..Settings::default() })
}

/// A connection without a request, or with a part of its head, is cut off after ten seconds, whether its client stops or
/// goes on drop by drop.
#[test]
fn a_head_that_never_ends_is_cut_off() {
    let world = World::new();
    let wire = Wire::new(&world);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let [silent, stopped, dripping] = [(); 3].map(|()| wire.connect());
        (&stopped).write_all(b"GET /orgs/acme HTTP/1.1\r\nHost: a\r\n").expect("to send");
        let drops = dripping.try_clone().expect("a handle");
        scope.spawn(move || drip(&drops, b"GET /orgs/acme HTTP/1.1\r\nHost: a-name-that-takes-long"));
        for stream in [silent, stopped, dripping] {
            scope.spawn(move || {
                until_closed(&stream);
                let took = begun.elapsed();
                assert!(took > TEN_SECONDS, "it was cut off after {took:?}");
            });
        }
    });
}

/// Sends these bytes one by one, again and again, until the connection is closed.
fn drip(mut stream: &TcpStream, bytes: &[u8]) {
    let begun = Instant::now();
    for byte in bytes.iter().cycle() {
        if stream.write_all(&[*byte]).is_err() {
            return;
        }
        assert!(begun.elapsed() < HANG, "what is sent slowly is read for ever");
        std::thread::sleep(PAUSE);
    }
}

/// More of them than there are threads.
#[test]
fn others_are_served_beside_slow_clients() {
    let world = with(Limits { head: HANG, first: HANG, ..LIMITS });
    let wire = Wire::new(&world);
    let begin = |text: &str| {
        let mut stream = wire.connect();
        stream.write_all(text.as_bytes()).expect("to send");
        stream
    };
    let half = wire.head("Content-Length: 1000\r\n") + "{\"name\":\"";
    let heads = [(); 8].map(|()| begin(&half[..40]));
    waiting::until("others are served", || {
        // A busy machine may take so long that these are refused meanwhile.
        let bodies = [(); 8].map(|()| begin(&half));
        world.olivia().get("/orgs/acme").expect(200);
        heads.iter().chain(&bodies).all(is_silent)
    });
}

/// True if the server has neither answered nor closed the connection.
fn is_silent(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a socket");
    stream.peek(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

/// A body has ten seconds for each 64 KiB, whether it stops or continues byte by byte. What has arrived of it changes
/// nothing.
#[test]
fn a_body_that_never_ends_is_refused() {
    let world = World::new();
    let (wire, before) = (Wire::new(&world), dump::everything(&world));
    let begun = Instant::now();
    let head = wire.head("Content-Length: 1000\r\n");
    std::thread::scope(|scope| {
        let [stopped, dripping] = [(); 2].map(|()| {
            let mut stream = wire.connect();
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(b"{\"name\":\"")).expect("to send");
            stream
        });
        let drops = dripping.try_clone().expect("a handle");
        scope.spawn(move || drip(&drops, b"x"));
        for stream in [stopped, dripping] {
            scope.spawn(move || {
                answered(&stream, 400);
                let took = begun.elapsed();
                assert!(took > TEN_SECONDS, "it was refused after {took:?}");
                drop(stream.shutdown(std::net::Shutdown::Both));
            });
        }
    });
    assert_eq!(dump::everything(&world), before);
}

/// A client that does not read keeps the server's memory; after ten seconds without progress that ends.
#[test]
fn who_does_not_read_is_cut_off() {
    let world = World::new();
    let wire = Wire::new(&world);
    let mut stream = wire.connect();
    let request = wire.get("/openapi.json", "").replace("Connection: close\r\n", "");
    let begun = Instant::now();
    stream.write_all(request.repeat(60).as_bytes()).expect("to send");
    waiting::until("the connection is closed", || {
        world.olivia().get("/orgs/acme").expect(200);
        stream.write_all(b"x").is_err()
    });
    let took = begun.elapsed();
    assert!(took > TEN_SECONDS, "it was cut off after {took:?}");
}

/// Waits until a head that never ends is cut off, while these connections are silent. They are silent for longer.
fn outlast_a_head(wire: &Wire) {
    let mut stream = wire.connect();
    stream.write_all(b"GET /orgs/acme HTTP/1.1\r\nHost: a\r\n").expect("to send");
    until_closed(&stream);
}

/// The second head on a connection has as long as the first, however long nothing was asked before.
#[test]
fn a_second_head_that_never_ends_is_cut_off() {
    let world = with(Limits { head: SHORT, ..LIMITS });
    let wire = Wire::new(&world);
    let [stream, kept] = [(); 2].map(|()| wire.connect());
    ask(&wire, &stream);
    ask(&wire, &kept);
    outlast_a_head(&wire);
    let begun = Instant::now();
    (&stream).write_all(b"GET /orgs/acme HTTP/1.1\r\nHost: a\r\n").expect("to send");
    until_closed(&stream);
    let took = begun.elapsed();
    assert!(took > SHORT / 2, "it was cut off after {took:?}");
    // It was not cut off because it was silent.
    ask(&wire, &kept);
}

/// A connection may be silent for longer than a head may take: between two requests, and after a body that came late.
#[test]
fn a_connection_is_kept_for_more_requests() {
    let world = with(Limits { head: SHORT, ..LIMITS });
    let wire = Wire::new(&world);
    let (kept, late) = (wire.connect(), wire.connect());
    ask(&wire, &kept);
    ask_late(&wire, &late);
    for _ in 0..2 {
        outlast_a_head(&wire);
        ask(&wire, &kept);
        ask(&wire, &late);
    }
}

#[test]
fn a_connection_that_was_silent_for_long_is_closed() {
    let silence = 2 * SHORT;
    let world = with(Limits { silence, ..LIMITS });
    let wire = Wire::new(&world);
    for asking in [ask, ask_late] {
        let (stream, begun) = (wire.connect(), Instant::now());
        asking(&wire, &stream);
        until_closed(&stream);
        let took = begun.elapsed();
        assert!(took > silence, "it was closed after {took:?}");
    }
}

/// Asks for something that is refused before the body has arrived.
fn ask_late(wire: &Wire, mut stream: &TcpStream) {
    let body = "{\"name\":\"Late\"}";
    let head = wire.head(&format!("Content-Length: {}\r\n", body.len())).replace("token ", "token no");
    stream.write_all(head.as_bytes()).expect("to send");
    answered(stream, 401);
    stream.write_all(body.as_bytes()).expect("to send");
}

/// Asks for something on a connection that stays open.
fn ask(wire: &Wire, stream: &TcpStream) {
    let request = wire.get("/orgs/acme", "").replace("Connection: close\r\n", "");
    { stream }.write_all(request.as_bytes()).expect("to send");
    answered(stream, 200);
}

fn answered(stream: &TcpStream, status: u16) {
    let mut buffer = [0; 16_384];
    let length = { stream }.read(&mut buffer).expect("an answer");
    let answer = String::from_utf8_lossy(&buffer[..length]).into_owned();
    assert_eq!(raw::status(&answer), status, "{answer}");
}

/// A connection without a request has as much time as a head: it is silent, or begins like HTTP/2 and continues as
/// something else, at once or in pieces, or it is HTTP/2 and sends everything except a request.
#[test]
fn a_connection_without_a_request_is_cut_off() {
    const PIECES: [&[&str]; 6] = [
        &[],
        &["PRI"],
        &["PRINT / HTTP/1.1\r\nHost: a\r\n"],
        &["P", "RI", " * HTTP/2.0\r\n\r\nS", "M\r\nX"],
        &["PRI * HTTP/2.0\r\n\r\nSM\r\n"],
        &["PRI * HTTP/2.0\r\n\r", "\nSM\r\n\r\n", "\0\0\0\u{4}\0\0\0\0\0"],
    ];
    let world = with(Limits { head: SHORT, first: SHORT, ..LIMITS });
    let wire = Wire::new(&world);
    let kept = wire.connect();
    ask(&wire, &kept);
    std::thread::scope(|scope| {
        for pieces in PIECES {
            let mut stream = wire.connect();
            scope.spawn(move || {
                for piece in pieces {
                    // It may have been closed meanwhile.
                    drop(stream.write_all(piece.as_bytes()));
                    std::thread::sleep(PAUSE);
                }
                until_closed(&stream);
            });
        }
        let dripping = wire.connect();
        scope.spawn(move || drip(&dripping, b"PRI"));
    });
    // One with a request may be silent for longer.
    ask(&wire, &kept);
}

/// In HTTP/2 a connection may be silent too, and what comes between two requests is no head.
#[test]
fn a_silent_connection_of_http2_is_kept() {
    const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    const PING: [u8; 17] = [0, 0, 8, 6, 0, 0, 0, 0, 0, b'g', b'u', b'i', b'l', b'd', b'h', b'a', b'l'];
    // GET http:/ of stream 1, in the numbers of HPACK's table.
    const REQUEST: [u8; 15] = [0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84, 0x41, 1, b'a'];
    let world = with(Limits { head: SHORT, ..LIMITS });
    let wire = Wire::new(&world);
    let mut stream = wire.connect();
    let begin = [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &SETTINGS[..], &REQUEST].concat();
    stream.write_all(&begin).expect("to send");
    for _ in 0..2 {
        stream.write_all(&PING).expect("to send");
        outlast_a_head(&wire);
    }
    stream.write_all(&PING).expect("to send");
    let mut pong = PING;
    pong[4] = 1;
    let (mut answers, mut buffer) = (Vec::new(), [0; 4_096]);
    let pongs = |answers: &[u8]| answers.windows(pong.len()).filter(|bytes| *bytes == pong).count();
    while pongs(&answers) < 3 {
        let length = stream.read(&mut buffer).expect("an answer");
        assert!(length > 0, "the connection was closed after {answers:?}");
        answers.extend_from_slice(&buffer[..length]);
    }
}
