//! Receivers, each with one way to answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver as Queue, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::support::waiting::HANG;

/// A request as it came.
#[derive(Debug)]
pub struct Request {
    pub line: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    /// The header of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// Something that listens on this machine.
pub struct Receiver {
    pub address: SocketAddr,
    requests: Queue<Request>,
}

impl Receiver {
    /// Answers each request like this, on a thread of its own.
    pub fn new(answer: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Self {
        Self::at("127.0.0.1:0", answer)
    }

    pub fn at(address: &str, answer: impl Fn(&mut TcpStream) + Send + 'static) -> Self {
        let listener = TcpListener::bind(address).expect("a socket");
        let address = listener.local_addr().expect("an address");
        let (sender, requests) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let Some(request) = read(&stream) else { continue };
                drop(sender.send(request));
                answer(&mut stream);
            }
        });
        Self { address, requests }
    }

    /// Answers each request with these bytes.
    pub fn with(answer: &'static str) -> Self {
        Self::new(move |stream| drop(stream.write_all(answer.as_bytes())))
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook?a=b", self.address)
    }

    /// The request that came.
    pub fn request(&self) -> Request {
        self.requests.recv_timeout(HANG).expect("a request")
    }

    /// Fails if there is a request.
    pub fn got_nothing(&self) {
        assert!(self.requests.try_recv().is_err());
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut lines = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    lines.read_line(&mut line).ok()?;
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        lines.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        headers.push((name.to_owned(), value.to_owned()));
    }
    let mut request = Request { line: line.trim_end().to_owned(), headers, body: Vec::new() };
    let length = request.header("content-length")?.parse().ok()?;
    request.body.resize(length, 0);
    lines.read_exact(&mut request.body).ok()?;
    Some(request)
}

/// Writes this again and again, with a pause each time, until the other side is gone.
pub fn drip(stream: &mut TcpStream, part: &[u8], pause: Duration) {
    let (_kept, never) = mpsc::channel::<()>();
    while stream.write_all(part).is_ok() {
        if never.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
}

/// Waits until the other side is gone.
pub fn hang(stream: &mut TcpStream) {
    while stream.read(&mut [0; 64]).is_ok_and(|read| read > 0) {}
}
