//! A proxy before PostgreSQL that can cut a connection in the middle of a COMMIT, and counts round trips.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The text with which the service commits a write. Reads end otherwise.
const COMMIT: &[u8] = b"statement_timeout = 0; COMMIT";

/// The place at which the next commits are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    Nowhere,
    /// PostgreSQL never gets it.
    Before,
    /// PostgreSQL has not got it yet.
    Held,
    /// PostgreSQL has committed, and its answer is lost.
    After,
}

#[derive(Default)]
struct State {
    cut: AtomicU8,
    /// One commit in so many is cut.
    every: AtomicUsize,
    seen: AtomicUsize,
    cuts: AtomicUsize,
    /// For how many milliseconds an answer is on its way.
    delay: AtomicU64,
    round_trips: AtomicUsize,
}

/// For how long an answer is held: what is sent in the meantime was sent without having seen it.
const HOLD: Duration = Duration::from_millis(20);

pub struct Proxy {
    address: SocketAddr,
    /// The server that new connections reach.
    server: Arc<Mutex<String>>,
    state: Arc<State>,
}

impl Proxy {
    /// Begins to pass connections on to the server of this URL.
    pub fn before(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (server, state) = (Arc::new(Mutex::new(server_of(url))), Arc::<State>::default());
        let (leads_to, passing) = (Arc::clone(&server), Arc::clone(&state));
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = leads_to.lock().expect("no panic").clone();
                let Ok(upstream) = TcpStream::connect(&server) else { continue };
                let (from, to) = (client.try_clone().expect("a socket"), upstream.try_clone().expect("a socket"));
                let state = Arc::clone(&passing);
                let answered = Arc::new(AtomicBool::new(true));
                let (delayed, turn) = (Arc::clone(&state), Arc::clone(&answered));
                std::thread::spawn(move || pass_answers(upstream, client, &delayed, &turn));
                std::thread::spawn(move || pass_questions(from, to, &state, &answered));
            }
        });
        Self { address, server, state }
    }

    /// Passes new connections on to another server.
    pub fn lead_to(&self, url: &str) {
        *self.server.lock().expect("no panic") = server_of(url);
    }

    /// The URL of a database, by way of the proxy.
    pub fn url(&self, url: &str) -> String {
        let (scheme, rest) = url.split_once("://").expect("a URL");
        let (user, rest) = rest.split_once('@').expect("a user");
        let (_, name) = rest.split_once('/').expect("a database");
        format!("{scheme}://{user}@{}/{name}", self.address)
    }

    /// Cuts one commit in so many from now on.
    pub fn cut(&self, cut: Cut, every: usize) {
        self.state.every.store(every, Ordering::SeqCst);
        self.state.seen.store(0, Ordering::SeqCst);
        self.state.cut.store(cut as u8, Ordering::SeqCst);
    }

    /// Delays each answer by so much from now on.
    pub fn delay(&self, delay: Duration) {
        let delay = u64::try_from(delay.as_millis()).expect("a short time");
        self.state.delay.store(delay, Ordering::SeqCst);
    }

    /// Holds each answer from now on, so that round trips can be counted however fast PostgreSQL is.
    pub fn hold(&self) {
        self.delay(HOLD);
    }

    /// The number of round trips: each begins when something is sent after an answer.
    pub fn round_trips(&self) -> usize {
        self.state.round_trips.load(Ordering::SeqCst)
    }

    /// The number of commits that were cut.
    pub fn cuts(&self) -> usize {
        self.state.cuts.load(Ordering::SeqCst)
    }
}

impl State {
    /// The place at which to cut this, if at all.
    fn of(&self, message: &[u8]) -> Cut {
        let cut = match self.cut.load(Ordering::SeqCst) {
            cut if cut == Cut::Before as u8 => Cut::Before,
            cut if cut == Cut::Held as u8 => Cut::Held,
            cut if cut == Cut::After as u8 => Cut::After,
            _ => return Cut::Nowhere,
        };
        let commits = message.windows(COMMIT.len()).any(|window| window == COMMIT);
        if !commits || !(self.seen.fetch_add(1, Ordering::SeqCst) + 1).is_multiple_of(self.every.load(Ordering::SeqCst))
        {
            return Cut::Nowhere;
        }
        self.cuts.fetch_add(1, Ordering::SeqCst);
        cut
    }
}

/// The host and port in a URL.
fn server_of(url: &str) -> String {
    let (_, rest) = url.split_once('@').expect("a user");
    rest.split('/').next().expect("a server").to_owned()
}

fn pass_questions(mut from: TcpStream, mut to: TcpStream, state: &State, answered: &AtomicBool) {
    let mut buffer = [0; 8_192];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        if answered.swap(false, Ordering::SeqCst) {
            state.round_trips.fetch_add(1, Ordering::SeqCst);
        }
        let cut = state.of(&buffer[..read]);
        if cut == Cut::Held {
            continue;
        }
        // Nothing that PostgreSQL says from now on gets through.
        if cut != Cut::Nowhere {
            drop(from.shutdown(Shutdown::Both));
        }
        if cut == Cut::Before || to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    // What was sent before is carried out: this end only says that no more will come.
    drop(to.shutdown(Shutdown::Write));
    drop(from.shutdown(Shutdown::Both));
}

fn pass_answers(mut from: TcpStream, mut to: TcpStream, state: &State, answered: &AtomicBool) {
    let mut buffer = [0; 8_192];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        let delay = state.delay.load(Ordering::SeqCst);
        if delay > 0 {
            std::thread::sleep(Duration::from_millis(delay));
        }
        answered.store(true, Ordering::SeqCst);
        if to.write_all(&buffer[..read]).is_err() {
            // It is read to its end, so that the server does not notice.
            while matches!(from.read(&mut buffer), Ok(1..)) {}
        }
    }
    drop(to.shutdown(Shutdown::Both));
}
