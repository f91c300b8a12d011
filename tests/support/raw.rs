//! Requests as bytes, for what no client library would send.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// How long the first bytes of an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// After this silence nothing more is coming.
const SILENCE: Duration = Duration::from_secs(2);

/// Sends bytes and reads the response until the server closes the connection or the response is complete.
pub fn send(address: &str, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
    stream.write_all(request).expect("to send");
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(n @ 1..) = stream.read(&mut buffer) {
        answer.extend_from_slice(&buffer[..n]);
        stream.set_read_timeout(Some(SILENCE)).expect("a time limit");
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// The status of the first answer in the bytes; 0 if there is none.
pub fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}
