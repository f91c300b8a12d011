//! A client that does as little as possible, because its instructions are counted too.

use std::io::ErrorKind;
use std::net::SocketAddr;

use memchr::memmem;
use serde_json::Value;
use tokio::net::TcpStream;

/// The longest response, in bytes.
const LONGEST: usize = 256 * 1_024;

/// A connection that sends one request at a time.
pub struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// The number of bytes of the response that have arrived.
    filled: usize,
}

impl Client {
    /// A new connection.
    pub async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        Self { stream, buffer: vec![0; LONGEST], filled: 0 }
    }

    /// Sends a request and reads its whole response. Fails unless it has this status.
    pub async fn send(&mut self, request: &[u8], status: u16) {
        self.filled = 0;
        self.stream.writable().await.expect("a connection");
        assert_eq!(self.stream.try_write(request).expect("to send"), request.len(), "a request is sent at once");
        let mut length = None;
        while length.is_none_or(|length| self.filled < length) {
            self.stream.readable().await.expect("a connection");
            match self.stream.try_read(&mut self.buffer[self.filled..]) {
                Ok(0) => panic!("the server has closed the connection"),
                Ok(read) => self.filled += read,
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}"),
            }
            length = length.or_else(|| whole_length(&self.buffer[..self.filled], "Content-Length"));
        }
        let begin = &self.buffer[..12.min(self.filled)];
        assert!(begin.ends_with(status.to_string().as_bytes()), "{}", self.text());
    }

    /// The value of a header of the response.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.buffer[..self.filled], name)
    }

    /// The body of the response.
    pub fn json(&self) -> Value {
        let text = self.text();
        let (_, body) = text.split_once("\r\n\r\n").expect("a head");
        serde_json::from_str(body).expect("JSON")
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.buffer[..self.filled]).into_owned()
    }
}

/// The length of a message of HTTP from its first byte to its last, if its head has arrived. The header is spelled like this.
pub fn whole_length(message: &[u8], spelled: &str) -> Option<usize> {
    let end = memmem::find(message, b"\r\n\r\n")?;
    let length = header(&message[..end + 2], spelled).map_or(0, |value| value.parse().expect("a number"));
    Some(end + 4 + length)
}

fn header<'m>(message: &'m [u8], name: &str) -> Option<&'m str> {
    let begin = memmem::find(message, format!("\r\n{name}: ").as_bytes())? + name.len() + 4;
    let end = begin + memmem::find(&message[begin..], b"\r\n")?;
    str::from_utf8(&message[begin..end]).ok()
}
