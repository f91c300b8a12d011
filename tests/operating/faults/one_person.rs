//! One person does the worst, and another one is served meanwhile (decision 40).

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread::scope;

use guildhall::deliver::measured::Measured;
use guildhall::http::metrics::Metrics;
use guildhall::http::probes::MetricsServer;

use crate::faults::frames::{DATA, END_STREAM, Frames, HEADERS, RESET};
use crate::faults::unread::{token, with_posts};
use crate::support::waiting::{self, HANG};
use crate::support::{World, json};

/// The number of requests of a connection that are served at a time.
const STREAMS: usize = 32;

const POSTS: &str = "/orgs/acme/teams/core/discussions";

/// Fails unless small reads and a small write of another user are served.
fn another_person_is_served(world: &World) {
    let tom = world.tom();
    tom.get("/orgs/acme/teams/core").expect(200);
    tom.get("/user/teams").expect(200);
    tom.post(&format!("{POSTS}/1/comments"), json!({ "body": "a" })).expect(201);
    tom.get("/healthz").expect(200);
}

/// Asks for a page on every stream of a connection, reads no body, and stays until the end.
fn reads_nothing(world: &World, page: &str, answered: &AtomicUsize, ended: &AtomicBool) {
    let mut frames = Frames::connect(world.base.trim_start_matches("http://"), 0);
    for _ in 0..STREAMS {
        frames.get(page, &token(world)).expect("to send");
    }
    let mut seen = BTreeSet::new();
    while seen.len() < STREAMS {
        let frame = frames.next().expect("the connection stays");
        if [HEADERS, RESET].contains(&frame.kind) && seen.insert(frame.stream) {
            answered.fetch_add(1, Ordering::SeqCst);
        }
    }
    waiting::until("the others are done", || ended.load(Ordering::SeqCst));
}

/// Asks for a page on every stream of a connection, and reads all of them.
fn reads_all(world: &World, page: &str, answered: &AtomicUsize) {
    const ROOM: u32 = 1 << 30;
    let mut frames = Frames::connect(world.base.trim_start_matches("http://"), ROOM);
    frames.make_room(0, ROOM).expect("to send");
    for _ in 0..STREAMS {
        frames.get(page, &token(world)).expect("to send");
    }
    let mut ended = 0;
    while ended < STREAMS {
        let frame = frames.next().expect("the connection stays");
        if frame.kind == RESET || [DATA, HEADERS].contains(&frame.kind) && frame.flags & END_STREAM != 0 {
            ended += 1;
            answered.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Each of these pages is shorter than what does not count for the client, and together they would fill all the memory
/// that requests may hold several times.
#[test]
fn answers_that_one_person_does_not_read_leave_room_for_others() {
    const CONNECTIONS: usize = 25;
    let world = with_posts(World::new(), 2, 55_000);
    let (answered, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    let page = format!("{POSTS}?per_page=2");
    scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| reads_nothing(&world, &page, &answered, &ended));
        }
        waiting::until("each has its answer", || {
            another_person_is_served(&world);
            answered.load(Ordering::SeqCst) == CONNECTIONS * STREAMS
        });
        another_person_is_served(&world);
        world.tom().get("/readyz").expect(200);
        ended.store(true, Ordering::SeqCst);
    });
    waiting::until("what was held is given back", || world.olivia().get(&page).status == 200);
}

/// However short they are, a person has at most 256 answers that are not read.
#[test]
fn one_person_has_a_number_of_answers_that_are_not_read() {
    let world = with_posts(World::new(), 1, 1);
    let (answered, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    scope(|scope| {
        for _ in 0..9 {
            scope.spawn(|| reads_nothing(&world, "/orgs/acme", &answered, &ended));
        }
        waiting::until("each has its answer", || answered.load(Ordering::SeqCst) == 9 * STREAMS);
        let refused = world.olivia().get("/orgs/acme");
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")), "{}", refused.text);
        another_person_is_served(&world);
        ended.store(true, Ordering::SeqCst);
    });
    waiting::until("they are given up", || world.olivia().get("/orgs/acme").status == 200);
}

/// Pages that take long to make do not hold up what others ask for: others are served when most pages are yet to be made.
#[test]
fn long_pages_of_one_person_leave_threads_for_others() {
    const CONNECTIONS: usize = 4;
    let world = with_posts(World::new(), 50, 65_500);
    let answered = AtomicUsize::new(0);
    let page = format!("{POSTS}?per_page=50");
    scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| reads_all(&world, &page, &answered));
        }
        waiting::until("the first page is made", || answered.load(Ordering::SeqCst) > 0);
        for _ in 0..3 {
            another_person_is_served(&world);
        }
        let made = answered.load(Ordering::SeqCst);
        assert!(made < CONNECTIONS * STREAMS / 2, "{made} pages were made before twelve small requests were served");
        waiting::until("all pages are made or refused", || answered.load(Ordering::SeqCst) == CONNECTIONS * STREAMS);
    });
}

/// Probes ask at the address for operators, which has a thread of its own.
#[test]
fn probes_are_answered_while_every_worker_is_busy() {
    let world = World::new();
    let metrics = Metrics::new(&world.db, &Measured::default(), world.now(), || 0);
    let service = Arc::clone(&world.edge.service);
    let begin = async {
        let server = MetricsServer::bind("127.0.0.1:0".parse().expect("an address")).await.expect("a socket");
        let address = server.address().expect("an address");
        server.start(Arc::new(metrics), service).expect("a thread");
        address
    };
    let address = world.block_on(begin);
    // Each of the two workers waits for the other, and then until both are released.
    let (release, waiting) = mpsc::channel::<()>();
    let state = Arc::new((Barrier::new(2), Mutex::new(waiting)));
    world.block_on(async {
        for _ in 0..2 {
            let state = Arc::clone(&state);
            tokio::spawn(async move {
                state.0.wait();
                drop(state.1.lock().map(|waiting| waiting.recv()));
            });
        }
    });
    for (path, body) in [("/healthz", "{\"status\":\"ok\"}"), ("/readyz", "{\"status\":\"ok\"}"), ("/metrics", "# EOF")]
    {
        let answer = ask(address, path);
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(body), "{path}: {answer}");
    }
    drop(release);
}

fn ask(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(HANG)).expect("a time limit");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").expect("to send");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}
