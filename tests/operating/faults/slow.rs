//! A client that sends or reads too slowly is disconnected, and no other client notices (decision 40).

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::faults::wire::{Wire, read_all, read_bytes};
use crate::support::{World, dump, raw};

/// Slow callers are cut off after the time that a head may take, whether they stop or go on drop by drop.
#[test]
fn a_head_that_never_ends_is_cut_off() {
    let world = World::new();
    let wire = Wire::new(&world);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let stopped = wire.connect();
        scope.spawn(move || {
            (&stopped).write_all(b"GET /orgs/acme HTTP/1.1\r\nHost: a\r\n").expect("to send");
            read_all(&stopped);
            let took = begun.elapsed();
            assert!((9..15).contains(&took.as_secs()), "it was cut off after {took:?}");
        });
        let mut dripping = wire.connect();
        scope.spawn(move || {
            dripping.set_read_timeout(Some(Duration::from_millis(500))).expect("a time limit");
            let mut buffer = [0; 100];
            for byte in b"GET /orgs/acme HTTP/1.1\r\nHost: a-name-that-takes-long".iter().cycle() {
                if dripping.write_all(&[*byte]).is_err() || dripping.read(&mut buffer).is_ok() {
                    break;
                }
                assert!(begun.elapsed() < Duration::from_secs(15), "a slow head is read for ever");
            }
            assert!(begun.elapsed() > Duration::from_secs(8), "cut off too early");
        });
        others_are_served(&world, begun + Duration::from_secs(9));
    });
}

fn others_are_served(world: &World, until: Instant) {
    while Instant::now() < until {
        let asked = Instant::now();
        world.olivia().get("/orgs/acme").expect(200);
        assert!(asked.elapsed() < Duration::from_secs(2), "an answer took {:?}", asked.elapsed());
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A body has ten seconds for each 64 KiB, whether it stops or continues byte by byte. What has arrived of it changes
/// nothing.
#[test]
fn a_body_that_never_ends_is_refused() {
    let world = World::new();
    let (wire, before) = (Wire::new(&world), dump::everything(&world));
    let begun = Instant::now();
    let head = wire.head("Content-Length: 1000\r\n");
    let half = || {
        let mut stream = wire.connect();
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(b"{\"name\":\"")).expect("to send");
        stream
    };
    std::thread::scope(|scope| {
        let stopped = half();
        scope.spawn(move || late(&stopped, begun));
        let dripping = half();
        let drops = dripping.try_clone().expect("a handle");
        scope.spawn(move || {
            while begun.elapsed() < Duration::from_secs(45) && (&drops).write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(500));
            }
        });
        scope.spawn(move || {
            late(&dripping, begun);
            drop(dripping.shutdown(std::net::Shutdown::Both));
        });
        others_are_served(&world, begun + Duration::from_secs(9));
    });
    assert_eq!(dump::everything(&world), before);
}

/// Waits for the refusal of a body that is late.
fn late(stream: &TcpStream, begun: Instant) {
    let mut buffer = [0; 4096];
    let length = { stream }.read(&mut buffer).expect("an answer");
    let answer = String::from_utf8_lossy(&buffer[..length]).into_owned();
    assert_eq!(raw::status(&answer), 400, "{answer}");
    let took = begun.elapsed();
    assert!((9..15).contains(&took.as_secs()), "it was refused after {took:?}");
}

/// A client that does not read keeps the server's memory; after ten seconds without progress that ends.
#[test]
fn who_does_not_read_is_cut_off() {
    const ASKED: usize = 60;
    let world = World::new();
    let wire = Wire::new(&world);
    let stream = wire.connect();
    let last = wire.get("/openapi.json", "");
    let request = last.replace("Connection: close\r\n", "");
    (&stream).write_all(request.repeat(ASKED).as_bytes()).expect("to send");
    others_are_served(&world, Instant::now() + Duration::from_secs(20));
    let other = wire.connect();
    (&other).write_all(last.as_bytes()).expect("to send");
    let whole = read_all(&other).len() * ASKED;
    let read = read_all(&stream).len();
    assert!(read < whole / 2, "{read} of {whole} bytes came although nobody had read them for so long");
}

/// The second head on a connection has as long as the first, however long nothing was asked before.
#[test]
fn a_second_head_that_never_ends_is_cut_off() {
    let world = World::new();
    let wire = Wire::new(&world);
    let stream = wire.connect();
    ask(&wire, &stream);
    std::thread::sleep(Duration::from_secs(12));
    let begun = Instant::now();
    (&stream).write_all(b"GET /orgs/acme HTTP/1.1\r\nHost: a\r\n").expect("to send");
    read_all(&stream);
    let took = begun.elapsed();
    assert!((9..15).contains(&took.as_secs()), "it was cut off after {took:?}");
}

/// A connection may be silent for longer than a head may take: between two requests, and after a body that came late.
#[test]
fn a_connection_is_kept_for_more_requests_until_it_was_silent_for_long() {
    let world = World::new();
    let wire = Wire::new(&world);
    let (kept, late) = (wire.connect(), wire.connect());
    ask(&wire, &kept);
    let body = "{\"name\":\"Late\"}";
    let head = wire.head(&format!("Content-Length: {}\r\n", body.len())).replace("token ", "token no");
    (&late).write_all(head.as_bytes()).expect("to send");
    answered(&late, 401);
    (&late).write_all(body.as_bytes()).expect("to send");
    for _ in 0..2 {
        std::thread::sleep(Duration::from_secs(14));
        ask(&wire, &kept);
        ask(&wire, &late);
    }
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for stream in [kept, late] {
            scope.spawn(move || {
                stream.set_read_timeout(Some(Duration::from_secs(100))).expect("a time limit");
                read_all(&stream);
                let took = begun.elapsed().as_secs();
                assert!((74..90).contains(&took), "it was closed after {took} s");
            });
        }
    });
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
    let world = World::new();
    let wire = Wire::new(&world);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for pieces in PIECES {
            let stream = wire.connect();
            scope.spawn(move || {
                for piece in pieces {
                    (&stream).write_all(piece.as_bytes()).expect("to send");
                    std::thread::sleep(Duration::from_millis(500));
                }
                read_all(&stream);
                let took = begun.elapsed();
                assert!(took < Duration::from_secs(15), "{pieces:?}: it was cut off after {took:?}");
            });
        }
        let dripping = wire.connect();
        scope.spawn(move || {
            while begun.elapsed() < Duration::from_secs(15) && (&dripping).write_all(b"PRI").is_ok() {
                std::thread::sleep(Duration::from_millis(500));
            }
            assert!(begun.elapsed() < Duration::from_secs(15), "a slow head is read for ever");
        });
    });
}

/// In HTTP/2 a connection may be silent too, and what comes between two requests is no head.
#[test]
fn a_silent_connection_of_http2_is_kept() {
    const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    const PING: [u8; 17] = [0, 0, 8, 6, 0, 0, 0, 0, 0, b'g', b'u', b'i', b'l', b'd', b'h', b'a', b'l'];
    // GET http:/ of stream 1, in the numbers of HPACK's table.
    const REQUEST: [u8; 15] = [0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84, 0x41, 1, b'a'];
    let world = World::new();
    let stream = Wire::new(&world).connect();
    let mut begin = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    begin.extend(SETTINGS);
    begin.extend(REQUEST);
    (&stream).write_all(&begin).expect("to send");
    for _ in 0..2 {
        (&stream).write_all(&PING).expect("to send");
        std::thread::sleep(Duration::from_secs(12));
    }
    stream.set_read_timeout(Some(Duration::from_secs(1))).expect("a time limit");
    (&stream).write_all(&PING).expect("to send");
    let answers = read_bytes(&stream);
    let mut pong = PING;
    pong[4] = 1;
    let pongs = answers.windows(pong.len()).filter(|bytes| *bytes == pong).count();
    assert_eq!(pongs, 3, "{answers:?}");
}
