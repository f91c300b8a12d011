//! A connection that stays open, and responses as bytes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use crate::support::waiting::HANG;

/// A connection of HTTP/1.1.
pub struct Wire {
    address: String,
    stream: BufReader<TcpStream>,
}

/// A request: verb, path, token and body.
pub struct Call {
    pub verb: &'static str,
    pub path: String,
    pub token: &'static str,
    pub body: Option<String>,
}

impl Wire {
    pub fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(HANG)).expect("a time limit");
        Self { address: address.to_owned(), stream: BufReader::new(stream) }
    }

    /// Sends a request and returns the whole response; empty if the connection was closed.
    pub fn send(&mut self, call: &Call) -> String {
        let Call { verb, path, token, body } = call;
        let body = body.as_deref().unwrap_or_default();
        let request = format!(
            "{verb} {path} HTTP/1.1\r\nHost: {}\r\nUser-Agent: test\r\nAuthorization: token {token}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).expect("to send");
        let (mut response, mut length) = (String::new(), 0);
        loop {
            let from = response.len();
            if self.stream.read_line(&mut response).expect("a line") == 0 {
                return response;
            }
            let line = response[from..].to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a number");
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("a body");
        response + std::str::from_utf8(&body).expect("text")
    }
}
