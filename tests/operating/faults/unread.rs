//! Answers that are not read, and bodies that do not come, hold memory for a bounded time, and a bounded amount of it
//! (decision 40). Clients that read, even slowly, notice nothing.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::scope;
use std::time::{Duration, Instant};

use guildhall::dispatch::Limits;

use crate::faults::frames::{DATA, END_STREAM, Frames, HEADERS, PING, RESET};
use crate::faults::wire::{Wire, read_bytes};
use crate::support::waiting::{self, HANG};
use crate::support::world::Settings;
use crate::support::{World, json, raw};

const PAGE: &str = "/orgs/acme/teams/core/discussions?per_page=100";

/// A world with so many posts, each of so many bytes that JSON has to escape.
pub fn with_posts(world: World, posts: usize, length: usize) -> World {
    for number in 0..posts {
        let body = format!("{number} {}", "\"".repeat(length));
        let post = json!({ "title": format!("Post {number}"), "body": body });
        world.tom().post("/orgs/acme/teams/core/discussions", post).expect(201);
    }
    world
}

fn world_with(memory: Limits) -> World {
    World::with(Settings { memory, ..Settings::default() })
}

pub fn token(world: &World) -> String {
    world.olivia().token.expect("a token")
}

/// Reads until each of these streams was reset, and sends a PING whenever the one before is answered.
fn until_reset(frames: &mut Frames, mut streams: Vec<u32>) {
    let begun = Instant::now();
    frames.ping().expect("to send");
    // The last one is answered too: the connection is alive.
    loop {
        let frame = frames.next().expect("the connection stays");
        match frame.kind {
            RESET => {
                let took = begun.elapsed();
                assert!(took > Duration::from_secs(8), "stream {} ended after {took:?}", frame.stream);
                streams.retain(|stream| *stream != frame.stream);
            }
            PING if streams.is_empty() => return,
            PING => {
                assert!(begun.elapsed() < HANG, "{streams:?} are still there");
                std::thread::sleep(Duration::from_millis(100));
                frames.ping().expect("to send");
            }
            _ => assert_eq!(frame.flags & END_STREAM, 0, "{frame:?}"),
        }
    }
}

/// A client that reads its answer slowly is not silent: when connections run out, a silent one makes room.
#[test]
fn a_slow_reader_keeps_its_connection_when_all_are_in_use() {
    let settings = Settings { connections: Some((2, 2)), ..Settings::default() };
    let world = World::with(settings);
    for number in 0..40 {
        let post = json!({ "title": format!("Post {number}"), "body": "\"".repeat(60_000) });
        let create = || world.tom().post("/orgs/acme/teams/core/discussions", post.clone()).status;
        // The connection of the post before may not be closed yet.
        waiting::until("a place for a connection", || create() == 201);
    }
    let (authority, token) = (world.base.trim_start_matches("http://").to_owned(), token(&world));
    let mut reader = TcpStream::connect(&authority).expect("a connection");
    let head = format!(
        "GET {PAGE} HTTP/1.1\r\nHost: a\r\nUser-Agent: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    reader.write_all(head.as_bytes()).expect("to send");
    let mut answer = vec![0; 1_024];
    reader.read_exact(&mut answer).expect("the beginning");
    for _ in 0..3 {
        let mut other = TcpStream::connect(&authority).expect("a connection");
        other.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").expect("to send");
        assert!(other.read(&mut [0; 512]).is_ok_and(|length| length > 0), "it has found a place");
    }
    reader.read_to_end(&mut answer).expect("the rest");
    let head = String::from_utf8_lossy(&answer[..2_048]).into_owned();
    let (head, _) = head.split_once("\r\n\r\n").expect("the end of the head");
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).expect("a length");
    assert_eq!(answer.len(), head.len() + 4 + length.parse::<usize>().expect("a number"));
}

/// A stream of HTTP/2 that takes nothing is reset after ten seconds, whatever its answer is, and PINGs do not help. The
/// connection stays and serves others.
#[test]
fn a_stream_that_takes_nothing_is_reset() {
    let world = with_posts(World::new(), 10, 60_000);
    let (authority, token) = (world.base.trim_start_matches("http://").to_owned(), token(&world));
    let mut frames = Frames::connect(&authority, 0);
    let paths = [PAGE, "/orgs/acme", "/orgs/acme/teams/core", "/openapi.json"];
    let streams: Vec<u32> = paths.iter().map(|path| frames.get(path, &token).expect("to send")).collect();
    until_reset(&mut frames, streams);
    assert_eq!(frames.most_streams, Some(32));
    // A window of a byte takes a part of the answer, and no more.
    let stream = frames.get("/orgs/acme", &token).expect("to send");
    frames.make_room(stream, 1).expect("to send");
    until_reset(&mut frames, vec![stream]);
    let stream = frames.get("/orgs/acme", &token).expect("to send");
    frames.make_room(stream, 1_000_000).expect("to send");
    let mut body = Vec::new();
    loop {
        let frame = frames.next().expect("a frame");
        if frame.stream == stream && frame.kind == DATA {
            body.extend_from_slice(&frame.payload);
            if frame.flags & END_STREAM != 0 {
                break;
            }
        }
    }
    let expected = world.olivia().get("/orgs/acme").text;
    assert_eq!(String::from_utf8_lossy(&body), expected);
}

/// 64 KiB in ten seconds are enough to go on, on HTTP/1.1 and on HTTP/2. Both clients here are several times as fast, so
/// that a busy machine may hold them up, and take longer than ten seconds in all.
#[test]
fn a_client_that_reads_slowly_gets_all_of_it() {
    const STEP: usize = 72 * 1_024;
    let world = with_posts(World::new(), 20, 60_000);
    let wire = Wire::new(&world);
    let expected = world.olivia().get(PAGE).text;
    assert!(expected.len() > 4_000_000, "{} bytes: the kernel takes only a small part", expected.len());
    scope(|scope| {
        scope.spawn(|| {
            let mut stream = wire.connect();
            let head = wire.get(PAGE, &format!("Authorization: token {}\r\n", token(&world)));
            stream.write_all(head.as_bytes()).expect("to send");
            let mut read = Vec::new();
            // Its system makes room in pieces of up to 250 KiB; the first of them is due within ten seconds.
            for round in 0..16 {
                std::thread::sleep(Duration::from_secs(1));
                let end = (round + 1) * STEP;
                read.resize(end, 0);
                stream.read_exact(&mut read[round * STEP..end]).expect("to read on");
            }
            read.extend_from_slice(&read_bytes(&stream));
            let at = read.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head") + 4;
            assert!(read[at..] == *expected.as_bytes(), "{} of {} bytes", read.len() - at, expected.len());
        });
        scope.spawn(|| {
            let mut frames = Frames::connect(wire.authority(), 0);
            let stream = frames.get(PAGE, &token(&world)).expect("to send");
            frames.make_room(0, 1 << 30).expect("to send");
            let mut length = 0;
            for round in 1..=6 {
                std::thread::sleep(Duration::from_secs(3));
                frames.make_room(stream, u32::try_from(STEP).expect("a size")).expect("to send");
                while length < round * STEP {
                    length += frames.data_of(stream);
                }
            }
            frames.make_room(stream, 1 << 30).expect("to send");
            while length < expected.len() {
                length += frames.data_of(stream);
            }
            assert_eq!(length, expected.len());
        });
    });
}

/// A client may fetch many large pages at the same time, whether they are the same or not.
#[test]
fn ten_large_pages_at_a_time_are_served() {
    let world = with_posts(World::new(), 100, 19_000);
    for page in ["per_page=100".to_owned(), "per_page=95&direction=asc".to_owned()] {
        scope(|scope| {
            for number in 0..10 {
                let (world, page) = (&world, &page);
                scope.spawn(move || {
                    let path = format!("/orgs/acme/teams/core/discussions?{page}&page=1&x={number}");
                    // On a busy machine, a turn may take longer than a request waits for it.
                    let large = || Some(world.olivia().get(&path).text.len()).filter(|length| *length > 4_000_000);
                    waiting::found(|| large().ok_or("no response"));
                });
            }
        });
    }
}

/// An answer does not depend on how it is kept: its length, its tag, and a HEAD of it.
#[test]
fn a_large_answer_has_its_length_and_its_tag() {
    let world = with_posts(World::new(), 30, 60_000);
    let answer = world.olivia().get(PAGE);
    answer.expect(200);
    let text = &answer.text;
    let (length, tag) = (answer.header("content-length"), answer.header("etag"));
    assert_eq!(length, Some(text.len().to_string().as_str()));
    let head = world.olivia().head(PAGE);
    assert_eq!((head.header("content-length"), head.header("etag")), (length, tag));
    world.olivia().with("If-None-Match", tag.expect("a tag")).get(PAGE).expect(304);
    let records: Vec<serde_json::Value> = serde_json::from_str(text).expect("JSON");
    assert_eq!(records.len(), 30);
    assert!(records.iter().all(|post| post["body"].as_str().is_some_and(|body| body.len() > 60_000)));
    assert_eq!(serde_json::to_string(&records).expect("JSON"), *text);
}

/// One client's unread answers are bounded: more of them are refused and say when to come back. Others are served.
#[test]
fn a_client_has_a_budget_of_its_own() {
    let world = world_with(Limits { client: 1 << 20, ..Limits::default() });
    let world = with_posts(world, 40, 60_000);
    let (authority, token) = (world.base.trim_start_matches("http://").to_owned(), token(&world));
    let page = |number| format!("/orgs/acme/teams/core/discussions?per_page=20&page={number}");
    let mut frames = Frames::connect(&authority, 0);
    frames.get(&page(1), &token).expect("to send");
    while frames.next().expect("a frame").kind != HEADERS {}
    // What a client holds already is held once.
    world.olivia().get(&page(1)).expect(200);
    let refused = world.olivia().get(&page(2));
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    assert!(refused.text.contains("no memory left"), "{}", refused.text);
    world.olivia().get("/orgs/acme").expect(200);
    world.tom().get(&page(2)).expect(200);
    drop(frames);
    waiting::until("what the client held is given back", || world.olivia().get(&page(2)).status == 200);
}

/// When all that long answers may hold is held, others are refused, and short ones are served from a reserve. When that
/// is held too, the service is not ready, and only health checks are answered.
#[test]
fn the_process_has_a_budget_and_a_reserve_for_short_answers() {
    const SHORT: &str = "/orgs/acme/teams/core/discussions?per_page=1";
    let world = world_with(Limits { process: 2 << 20, ..Limits::default() });
    let world = with_posts(world, 20, 60_000);
    world
        .tom()
        .post("/orgs/acme/teams/core/discussions", json!({ "title": "a", "body": "a".repeat(4_000) }))
        .expect(201);
    let authority = world.base.trim_start_matches("http://").to_owned();
    let mut frames = Frames::connect(&authority, 0);
    frames.get(PAGE, &token(&world)).expect("to send");
    while frames.next().expect("a frame").kind != HEADERS {}
    let refused = world.tom().get(PAGE);
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")), "{}", refused.text);
    let short = world.tom().get(SHORT);
    short.expect(200);
    world.tom().post("/orgs/acme/teams/core/discussions/1/comments", json!({ "body": "a" })).expect(201);
    world.tom().get("/readyz").expect(200);
    let max = world.client("max").token.expect("a token");
    let mut others = Frames::connect(&authority, 0);
    for _ in 0..=256 * 1_024 / short.text.len() {
        others.get(SHORT, &max).expect("to send");
    }
    let readiness = || world.tom().get("/readyz");
    waiting::until("the reserve is held too", || readiness().status == 503);
    assert!(readiness().text.contains("requests hold all of the memory"), "{}", readiness().text);
    assert_eq!(world.tom().get("/orgs/acme").status, 503);
    world.tom().get("/healthz").expect(200);
    drop((frames, others));
    waiting::until("what was held is given back", || world.tom().get("/orgs/acme").status == 200);
    readiness().expect(200);
}

/// Bodies that do not end hold no more than they may; others wait for a second and are told when to come back. Short
/// bodies of others are read nevertheless.
#[test]
fn bodies_have_a_budget() {
    let world = world_with(Limits { bodies: 4 << 20, ..Limits::default() });
    let wire = Wire::new(&world);
    let head = wire.head("Content-Length: 1000000\r\n");
    let unfinished: Vec<_> = (0..12)
        .map(|_| {
            let mut stream = wire.connect();
            stream.write_all(head.as_bytes()).expect("to send");
            stream.set_nonblocking(true).expect("a socket");
            // As much of it as the server takes.
            drop(stream.write(&vec![b' '; 900_000]));
            stream.set_nonblocking(false).expect("a socket");
            stream
        })
        .collect();
    let statuses: Vec<u16> = unfinished
        .iter()
        .map(|stream| {
            let mut buffer = [0; 2_000];
            let length = { stream }.read(&mut buffer).expect("an answer");
            raw::status(&String::from_utf8_lossy(&buffer[..length]))
        })
        .collect();
    assert!(statuses.contains(&503) && statuses.iter().all(|status| [400, 503].contains(status)), "{statuses:?}");
    world.olivia().post("/orgs/acme/teams", json!({ "name": "After all" })).expect(201);
}
