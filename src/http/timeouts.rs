//! How long a connection may be silent, and how much shorter the head of a request may take (decision 40; decision record
//! 0016).
//!
//! A connection is kept for more requests, so silence between two of them is no fault; to begin one and not to end it is.
//! Only the bytes tell the two apart: the time of a head runs from the first that comes while no request is being served.
//! A connection that has never carried a request has no reason to be silent for long.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// The state of the requests of one connection, as the code that serves them reports it.
#[derive(Debug)]
pub struct Requests {
    begun: AtomicU64,
    ended: AtomicU64,
    connected: Instant,
    /// When the last one began, in milliseconds from then on.
    asked: AtomicU64,
}

impl Default for Requests {
    fn default() -> Self {
        let (begun, ended, asked) = <(AtomicU64, AtomicU64, AtomicU64)>::default();
        Self { begun, ended, connected: Instant::now(), asked }
    }
}

impl Requests {
    /// One more has its head; it is served until what this returns is dropped.
    #[must_use]
    pub fn begin(self: &Arc<Self>) -> Serving {
        let now = u64::try_from(self.connected.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.asked.store(now, Ordering::Release);
        self.begun.fetch_add(1, Ordering::AcqRel);
        Serving(Arc::clone(self))
    }

    /// Since when nothing was asked, if no request is being served. What is no request does not count.
    #[must_use]
    pub fn silent_since(&self) -> Option<Instant> {
        self.all_ended().map(|_| self.connected + Duration::from_millis(self.asked.load(Ordering::Acquire)))
    }

    /// Whether there was none.
    fn none_yet(&self) -> bool {
        self.begun.load(Ordering::Acquire) == 0
    }

    /// How many there were, if none is being served.
    fn all_ended(&self) -> Option<u64> {
        let ended = self.ended.load(Ordering::Acquire);
        (self.begun.load(Ordering::Acquire) == ended).then_some(ended)
    }
}

/// A request that is being served: what is read of its connection is not the head of the next one.
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

/// A head of which a part has come.
struct Head {
    /// How many requests there were before it.
    after: u64,
    began: Instant,
}

/// A connection whose reader fails as soon as a head takes longer than it may, or nothing has come for too long.
pub struct ConnectionTimeouts<S> {
    stream: S,
    requests: Arc<Requests>,
    limits: Limits,
    head: Option<Head>,
    /// When something came last.
    heard: Instant,
    /// Goes off when something may be due. It is not set anew with each request, only when it has gone off in vain.
    alarm: Pin<Box<Sleep>>,
    /// What the first bytes say: HTTP/2 has no heads of this kind.
    spoken: Version,
}

/// How long things may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The head of a request, from its first byte to its last.
    pub head: Duration,
    /// Silence before the first request.
    pub first: Duration,
    /// Silence after a request.
    pub silence: Duration,
}

/// What a client of HTTP/2 sends first. Less than all of it is the head of an HTTP/1 request.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// So many bytes have come, all of them those of the preface.
    Undecided(usize),
    Http1,
    Http2,
}

impl Version {
    /// What is known with these bytes more.
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
    /// Keeps to these limits from now on.
    pub fn new(stream: S, requests: Arc<Requests>, limits: Limits) -> Self {
        let heard = Instant::now();
        let alarm = Box::pin(tokio::time::sleep_until(heard + limits.first));
        Self { stream, requests, limits, head: None, heard, alarm, spoken: Version::Undecided(0) }
    }

    /// Takes note of what has come; whether it is late.
    fn came(&mut self, bytes: &[u8]) -> bool {
        if bytes.is_empty() {
            return false;
        }
        self.heard = Instant::now();
        self.spoken = self.spoken.after(bytes);
        // Between two requests of HTTP/2 there are frames of other kinds; before the first, all of it leads to a head.
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

    /// When the reader fails if nothing comes.
    fn due(&self) -> Instant {
        match &self.head {
            Some(head) if self.requests.all_ended() == Some(head.after) => head.began + self.limits.head,
            _ if self.requests.none_yet() => self.heard + self.limits.first,
            _ => self.heard + self.limits.silence,
        }
    }

    fn poll_due(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let due = self.due();
        if due < self.alarm.deadline() {
            self.alarm.as_mut().reset(due);
        }
        loop {
            ready!(self.alarm.as_mut().poll(cx));
            if Instant::now() >= due {
                return Poll::Ready(());
            }
            self.alarm.as_mut().reset(due);
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
                ready!(self.poll_due(cx));
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
