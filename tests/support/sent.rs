//! Responses as they are sent: compressed or not, before a client decodes them.

use std::io::{Read, Write};
use std::net::TcpStream;

use flate2::Compression;
use flate2::read::{GzDecoder, GzEncoder};

use super::client::Client;
use super::waiting::HANG;

/// A response as it is sent.
#[derive(Debug)]
pub struct Sent {
    pub status: u16,
    head: String,
    pub bytes: Vec<u8>,
}

impl Client {
    /// The same person with a client that accepts gzip.
    pub fn accepting(&self) -> Self {
        self.with("Accept-Encoding", "gzip")
    }

    /// The response to a request.
    pub fn sent(&self, verb: &str, path: &str, body: &str) -> Sent {
        let path = path.strip_prefix(self.base.as_str()).unwrap_or(path);
        let authority = self.base.trim_start_matches("http://");
        let credentials = self.token.iter().map(|token| ("Authorization".to_owned(), format!("token {token}")));
        let length = (!body.is_empty() || verb == "PUT").then(|| ("Content-Length".to_owned(), body.len().to_string()));
        let headers = credentials.chain(self.headers.clone()).chain(length);
        let headers: String = headers.flat_map(|(name, value)| [name, ": ".into(), value, "\r\n".into()]).collect();
        let common = format!("Host: {authority}\r\nUser-Agent: t\r\nConnection: close\r\n");
        let request = format!("{verb} {path} HTTP/1.1\r\n{common}{headers}\r\n{body}");
        let mut stream = TcpStream::connect(authority).expect("a connection");
        stream.set_read_timeout(Some(HANG)).expect("a time limit");
        stream.write_all(request.as_bytes()).expect("to send");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("a response");
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8(answer[..end].to_vec()).expect("text");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let sent = Sent { status, head, bytes: answer[end + 4..].to_vec() };
        if let Some(length) = sent.header("Content-Length").filter(|_| verb != "HEAD") {
            assert_eq!(length, sent.bytes.len().to_string(), "{}", sent.head);
        }
        sent
    }
}

impl Sent {
    /// A header's text, or nothing.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// True if it is compressed.
    pub fn is_compressed(&self) -> bool {
        let encoding = self.header("Content-Encoding");
        assert!(encoding.is_none_or(|encoding| encoding == "gzip"), "{}", self.head);
        assert_eq!(
            encoding.is_some(),
            self.bytes.starts_with(&[0x1f, 0x8b]) || self.bytes.is_empty() && encoding.is_some()
        );
        encoding.is_some()
    }

    /// Its text, decoded.
    pub fn text(&self) -> String {
        let mut text = Vec::new();
        if self.is_compressed() {
            let mut decoder = GzDecoder::new(&self.bytes[..]);
            decoder.read_to_end(&mut text).expect("a compressed body");
            assert!(decoder.into_inner().is_empty(), "there is more after the compressed body");
        } else {
            text.clone_from(&self.bytes);
        }
        String::from_utf8(text).expect("text")
    }
}

/// Fails unless a page has less than 60 KB, and less than 12 KB when it is compressed.
#[track_caller]
pub fn is_small(page: &str) {
    let mut compressed = Vec::new();
    GzEncoder::new(page.as_bytes(), Compression::new(3)).read_to_end(&mut compressed).expect("a page");
    assert!(page.len() < 60_000 && compressed.len() < 12_000, "{} {}", page.len(), compressed.len());
}
