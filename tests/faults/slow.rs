//! Who sends or reads too slowly is cut off, and nobody else notices (decision 40).

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::support::{World, dump, raw};
use crate::wire::{Wire, read_all};

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
        // Others are served meanwhile.
        while begun.elapsed() < Duration::from_secs(9) {
            world.olivia().get("/orgs/acme").expect(200);
            std::thread::sleep(Duration::from_millis(100));
        }
    });
}

/// A body has thirty seconds, whether it stops or goes on drop by drop; what came of it changes nothing.
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
    assert!((29..40).contains(&took.as_secs()), "it was refused after {took:?}");
}

/// Whoever asks and does not read keeps the server's memory; after half a minute without progress that ends.
#[test]
fn who_does_not_read_is_cut_off() {
    const ASKED: usize = 60;
    let world = World::new();
    let wire = Wire::new(&world);
    let stream = wire.connect();
    let last = wire.get("/openapi.json", "");
    let request = last.replace("Connection: close\r\n", "");
    (&stream).write_all(request.repeat(ASKED).as_bytes()).expect("to send");
    std::thread::sleep(Duration::from_secs(40));
    let other = wire.connect();
    (&other).write_all(last.as_bytes()).expect("to send");
    let whole = read_all(&other).len() * ASKED;
    let read = read_all(&stream).len();
    assert!(read < whole / 2, "{read} of {whole} bytes came although nobody had read them for so long");
}
