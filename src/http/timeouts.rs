//! The longest silence of a connection, and the shorter timeout for the head of a request (decision 40; decision record
//! 0016).
//!
//! A connection is kept open for more requests, so silence between two of them is normal. Beginning a request without
//! finishing it is not. Only the bytes distinguish the two: the timeout of a head starts with the first byte that
//! arrives while no request is being served. A connection that has never carried a request has no reason to be silent
//! for long.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use super::alarm::Alarm;

/// The state of the requests of one connection, as the code that serves them reports it.
#[derive(Debug)]
pub struct Requests {
    begun: AtomicU64,
    ended: AtomicU64,
    connected: Instant,
    /// The time at which the last request began, in milliseconds after `connected`.
    asked: AtomicU64,
}

impl Default for Requests {
    fn default() -> Self {
        let (begun, ended, asked) = <(AtomicU64, AtomicU64, AtomicU64)>::default();
        Self { begun, ended, connected: Instant::now(), asked }
    }
}

impl Requests {
    /// Notes that the head of a request is complete. The request is being served until the returned value is dropped.
    #[must_use]
    pub fn begin(self: &Arc<Self>) -> Serving {
        let now = u64::try_from(self.connected.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.asked.store(now, Ordering::Release);
        self.begun.fetch_add(1, Ordering::AcqRel);
        Serving(Arc::clone(self))
    }

    /// The time at which the last request began, if none is being served. Bytes that are no request do not count.
    #[must_use]
    pub fn silent_since(&self) -> Option<Instant> {
        self.all_ended().map(|_| self.connected + Duration::from_millis(self.asked.load(Ordering::Acquire)))
    }

    /// True if there has been no request yet.
    fn none_yet(&self) -> bool {
        self.begun.load(Ordering::Acquire) == 0
    }

    /// The number of requests so far, if none is being served.
    fn all_ended(&self) -> Option<u64> {
        let ended = self.ended.load(Ordering::Acquire);
        (self.begun.load(Ordering::Acquire) == ended).then_some(ended)
    }
}

/// A request that is being served. Bytes that arrive meanwhile are not the head of the next one.
#[derive(Debug)]
pub struct Serving(Arc<Requests>);

impl Serving {
    /// The same request, served until both are dropped.
    #[must_use]
    pub fn share(&self) -> Self {
        self.0.begin()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::AcqRel);
    }
}

/// A head that has arrived in part.
struct Head {
    /// The number of requests before it.
    after: u64,
    began: Instant,
}

/// A connection whose reader fails if a head takes too long, or if nothing has arrived for too long.
pub struct ConnectionTimeouts<S> {
    stream: S,
    requests: Arc<Requests>,
    limits: Limits,
    head: Option<Head>,
    /// The time at which bytes last arrived.
    heard: Instant,
    alarm: Alarm,
    /// The protocol, by the first bytes: HTTP/2 has no heads of this kind.
    spoken: Version,
}

/// The timeouts.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The head of a request, from its first byte to its last.
    pub head: Duration,
    /// Silence before the first request.
    pub first: Duration,
    /// Silence after a request.
    pub silence: Duration,
}

/// The usual timeouts. Proxies keep an unused connection for less than the silence after a request.
pub const LIMITS: Limits =
    Limits { head: Duration::from_secs(10), first: Duration::from_secs(10), silence: Duration::from_secs(75) };

/// The first bytes of an HTTP/2 client. Anything else is the head of an HTTP/1 request.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// This many bytes have arrived, all of them part of the preface.
    Undecided(usize),
    Http1,
    Http2,
}

impl Version {
    /// The version, after these further bytes.
    fn after(self, bytes: &[u8]) -> Self {
        let Self::Undecided(matched) = self else { return self };
        let missing = &PREFACE[matched..];
        if bytes.starts_with(missing) {
            Self::Http2
        } else if missing.starts_with(bytes) {
            Self::Undecided(matched + bytes.len())
        } else {
            Self::Http1
        }
    }
}

impl<S> ConnectionTimeouts<S> {
    /// Applies these limits from now on.
    pub fn new(stream: S, requests: Arc<Requests>, limits: Limits) -> Self {
        let (heard, spoken) = (Instant::now(), Version::Undecided(0));
        Self { stream, requests, limits, head: None, heard, alarm: Alarm::default(), spoken }
    }

    /// Records that bytes have arrived, and returns whether they are late.
    fn came(&mut self, bytes: &[u8]) -> bool {
        if bytes.is_empty() {
            return false;
        }
        self.heard = Instant::now();
        self.spoken = self.spoken.after(bytes);
        // Between two requests, HTTP/2 sends frames of other kinds. Before the first request, all bytes lead to a head.
        if self.spoken == Version::Http2 && !self.requests.none_yet() {
            return false;
        }
        match (self.requests.all_ended(), &self.head) {
            (Some(after), Some(head)) if head.after == after => return self.heard >= self.due(),
            (Some(after), _) => self.head = Some(Head { after, began: self.heard }),
            (None, _) => self.head = None,
        }
        false
    }

    /// The time at which the reader fails if nothing arrives.
    fn due(&self) -> Instant {
        match &self.head {
            Some(head) if self.requests.all_ended() == Some(head.after) => head.began + self.limits.head,
            _ if self.requests.none_yet() => self.heard + self.limits.first,
            _ => self.heard + self.limits.silence,
        }
    }
}

fn late() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the client sent nothing, or took too long to send a request head")
}

impl<S: AsyncRead + Unpin> AsyncRead for ConnectionTimeouts<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        match Pin::new(&mut self.stream).poll_read(cx, buf) {
            Poll::Ready(Ok(())) if self.came(&buf.filled()[before..]) => Poll::Ready(Err(late())),
            Poll::Pending => {
                let due = self.due();
                ready!(self.alarm.poll(due, cx));
                Poll::Ready(Err(late()))
            }
            ready @ Poll::Ready(_) => ready,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ConnectionTimeouts<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
