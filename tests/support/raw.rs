//! Requests as bytes, for what no client library would send.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::waiting::HANG;

/// After this silence nothing more is coming.
const SILENCE: Duration = Duration::from_secs(2);

/// Sends bytes and reads the response until the server closes the connection or the response is complete.
pub fn send(address: &str, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(HANG)).expect("a time limit");
    stream.write_all(request).expect("to send");
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    let since = Instant::now();
    loop {
        match stream.read(&mut buffer) {
            Ok(n @ 1..) => answer.extend_from_slice(&buffer[..n]),
            Err(error) if error.kind() == ErrorKind::WouldBlock && is_cut_short(&answer) && since.elapsed() < HANG => {}
            Ok(0) | Err(_) => break,
        }
        stream.set_read_timeout(Some(SILENCE)).expect("a time limit");
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// True if a part of the first response is missing.
fn is_cut_short(answer: &[u8]) -> bool {
    let answer = String::from_utf8_lossy(answer);
    let Some((head, body)) = answer.split_once("\r\n\r\n") else { return true };
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")?.parse().ok());
    body.len() < length.unwrap_or(0)
}

/// The status of the first answer in the bytes; 0 if there is none.
pub fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}
