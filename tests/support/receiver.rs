//! A receiver of webhooks: notes every request, and answers as the test wants.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use serde_json::Value;

use super::waiting::HANG;

/// The reaction of a receiver to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// Answers with this status.
    Status(u16),
    /// Closes the connection without an answer.
    Close,
    /// Answers 200 as soon as the test lets it.
    Hold,
}

/// Names, in lower case, and values.
pub type Headers = Vec<(String, String)>;

/// A request that a receiver has read.
#[derive(Debug, Clone)]
pub struct Arrival {
    pub guid: String,
    pub event: String,
    pub headers: Headers,
    pub body: Value,
    pub accepted: bool,
    pub at: Instant,
}

impl Arrival {
    pub fn action(&self) -> &str {
        self.body["action"].as_str().unwrap_or_default()
    }

    /// The team that it is about.
    pub fn team(&self) -> i64 {
        self.body["team"]["id"].as_i64().unwrap_or_default()
    }
}

/// Chooses the reply to a request, by its number from 0 and its body.
type Policy = Box<dyn Fn(usize, &Value) -> Reply + Send + Sync>;

struct Shared {
    policy: Mutex<Policy>,
    arrivals: Mutex<Vec<Arrival>>,
    changed: Condvar,
    /// True if requests that are held may be answered.
    released: Mutex<bool>,
    let_go: Condvar,
}

/// A receiver on a port of its own.
#[derive(Clone)]
pub struct Receiver {
    pub url: String,
    shared: Arc<Shared>,
}

impl Receiver {
    pub fn new(policy: impl Fn(usize, &Value) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let shared = Arc::new(Shared {
            policy: Mutex::new(Box::new(policy)),
            arrivals: Mutex::default(),
            changed: Condvar::new(),
            released: Mutex::new(false),
            let_go: Condvar::new(),
        });
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&serving);
                std::thread::spawn(move || while shared.serve(&stream) {});
            }
        });
        Self { url, shared }
    }

    /// Accepts everything.
    pub fn accepting() -> Self {
        Self::new(|_, _| Reply::Status(200))
    }

    /// From now on, answers like this.
    pub fn answer(&self, policy: impl Fn(usize, &Value) -> Reply + Send + Sync + 'static) {
        *self.shared.policy.lock().expect("a policy") = Box::new(policy);
    }

    /// Answers what is held.
    pub fn release(&self) {
        *self.shared.released.lock().expect("a flag") = true;
        self.shared.let_go.notify_all();
    }

    pub fn arrivals(&self) -> Vec<Arrival> {
        self.shared.arrivals.lock().expect("arrivals").clone()
    }

    pub fn count(&self) -> usize {
        self.shared.arrivals.lock().expect("arrivals").len()
    }

    /// Waits until what has arrived is so.
    #[track_caller]
    pub fn until(&self, mut is_so: impl FnMut(&[Arrival]) -> bool) -> Vec<Arrival> {
        let deadline = Instant::now() + HANG;
        let mut arrivals = self.shared.arrivals.lock().expect("arrivals");
        while !is_so(&arrivals) {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "only {} deliveries have arrived: {arrivals:#?}", arrivals.len());
            arrivals = self.shared.changed.wait_timeout(arrivals, left).expect("arrivals").0;
        }
        arrivals.clone()
    }
}

impl Shared {
    /// Answers one request; whether there may be another on the same connection.
    fn serve(&self, stream: &TcpStream) -> bool {
        let Some((headers, body)) = read(stream) else { return false };
        let header = |name: &str| {
            let found = headers.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let mut arrivals = self.arrivals.lock().expect("arrivals");
        let reply = (self.policy.lock().expect("a policy"))(arrivals.len(), &body);
        arrivals.push(Arrival {
            guid: header("x-github-delivery"),
            event: header("x-github-event"),
            body,
            headers,
            accepted: matches!(reply, Reply::Status(200..300) | Reply::Hold),
            at: Instant::now(),
        });
        drop(arrivals);
        self.changed.notify_all();
        let status = match reply {
            Reply::Status(status) => status,
            Reply::Close => return false,
            Reply::Hold => {
                let released = self.released.lock().expect("a flag");
                drop(self.let_go.wait_while(released, |released| !*released));
                200
            }
        };
        let answer = format!("HTTP/1.1 {status} Status\r\nContent-Length: 2\r\n\r\nok");
        let mut stream = stream;
        stream.write_all(answer.as_bytes()).is_ok()
    }
}

/// One request: its headers and its body.
fn read(stream: &TcpStream) -> Option<(Headers, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_lowercase(), value.to_owned())),
            None if line == "\r\n" => break,
            None => {}
        }
    }
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((headers, body))
}
