//! HTTP/2, frame by frame: a client that asks and does not read.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use crate::support::waiting::HANG;

/// Kinds of frames.
pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const RESET: u8 = 3;
const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
const WINDOW_UPDATE: u8 = 8;

/// Flags of frames.
pub const END_STREAM: u8 = 1;
const ACK: u8 = 1;
const END_HEADERS: u8 = 4;

/// Settings.
const MOST_STREAMS: u16 = 3;
const INITIAL_WINDOW: u16 = 4;

/// A frame that came.
#[derive(Debug)]
pub struct Frame {
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
    pub payload: Vec<u8>,
}

/// A connection.
pub struct Frames {
    socket: TcpStream,
    authority: String,
    next: u32,
    /// The number of streams that the server serves at a time, once its settings have arrived.
    pub most_streams: Option<u32>,
}

impl Frames {
    /// Connects; each stream begins with a window of so many bytes.
    pub fn connect(authority: &str, window: u32) -> Self {
        let mut socket = TcpStream::connect(authority).expect("a connection");
        socket.set_read_timeout(Some(HANG)).expect("a time limit");
        socket.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").expect("to send");
        let mut frames = Self { socket, authority: authority.to_owned(), next: 1, most_streams: None };
        let setting = [&INITIAL_WINDOW.to_be_bytes()[..], &window.to_be_bytes()].concat();
        frames.send(SETTINGS, 0, 0, &setting).expect("to send");
        frames
    }

    /// Sends a frame.
    pub fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> io::Result<()> {
        let length = u32::try_from(payload.len()).expect("a short frame").to_be_bytes();
        let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
        self.socket.write_all(&[&head, payload].concat())
    }

    /// Asks for a path with a token; the number of the stream.
    pub fn get(&mut self, path: &str, token: &str) -> io::Result<u32> {
        let stream = self.next;
        self.next += 2;
        let authorization = format!("token {token}");
        let headers = [
            (":method", "GET"),
            (":scheme", "http"),
            (":path", path),
            (":authority", &self.authority),
            ("user-agent", "x"),
            ("authorization", &authorization),
        ];
        let block: Vec<u8> = headers.iter().flat_map(|(name, value)| literal(name, value)).collect();
        self.send(HEADERS, END_STREAM | END_HEADERS, stream, &block)?;
        Ok(stream)
    }

    /// Asks whether the connection is alive.
    pub fn ping(&mut self) -> io::Result<()> {
        self.send(PING, 0, 0, &[7; 8])
    }

    /// Makes room for more bytes of a stream, or of the connection.
    pub fn make_room(&mut self, stream: u32, bytes: u32) -> io::Result<()> {
        self.send(WINDOW_UPDATE, 0, stream, &bytes.to_be_bytes())
    }

    /// The length of the part of this stream's answer that the next frame carries; a reset of it fails.
    pub fn data_of(&mut self, stream: u32) -> usize {
        let frame = self.next().expect("a frame");
        assert!(frame.stream != stream || frame.kind != RESET, "the stream was reset");
        if frame.stream == stream && frame.kind == DATA { frame.payload.len() } else { 0 }
    }

    /// The next frame; settings are taken note of and passed over.
    pub fn next(&mut self) -> io::Result<Frame> {
        loop {
            let mut head = [0; 9];
            self.socket.read_exact(&mut head)?;
            let (length, kind, flags) = (u32::from_be_bytes([0, head[0], head[1], head[2]]), head[3], head[4]);
            let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
            let mut payload = vec![0; usize::try_from(length).expect("a length")];
            self.socket.read_exact(&mut payload)?;
            if kind != SETTINGS {
                return Ok(Frame { kind, flags, stream, payload });
            }
            if flags & ACK == 0 {
                for setting in payload.chunks_exact(6) {
                    if u16::from_be_bytes([setting[0], setting[1]]) == MOST_STREAMS {
                        self.most_streams = Some(u32::from_be_bytes([setting[2], setting[3], setting[4], setting[5]]));
                    }
                }
                self.send(SETTINGS, ACK, 0, &[])?;
            }
        }
    }
}

/// A header as a literal that is not indexed.
fn literal(name: &str, value: &str) -> Vec<u8> {
    let text = |text: &str| {
        let length = u8::try_from(text.len()).expect("a short text");
        assert!(length < 127, "a short text");
        [&[length], text.as_bytes()].concat()
    };
    [vec![0], text(name), text(value)].concat()
}
