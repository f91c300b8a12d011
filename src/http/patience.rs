//! How long a connection may be silent, and how much shorter the head of a request may take (decision 40; decision record
//! 0016).
//!
//! A connection is kept for more requests, so silence between two of them is no fault; to begin one and not to end it is.
//! Only the bytes tell the two apart: the time of a head runs from the first that comes while no request is being served.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// How the requests of one connection stand: told by whoever serves them.
#[derive(Debug, Default)]
pub struct Requests {
    begun: AtomicU64,
    ended: AtomicU64,
}

impl Requests {
    /// One more has its head; it is served until the answer of this is dropped.
    #[must_use]
    pub fn begin(self: &Arc<Self>) -> Serving {
        self.begun.fetch_add(1, Ordering::AcqRel);
        Serving(Arc::clone(self))
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
pub struct Patience<S> {
    stream: S,
    requests: Arc<Requests>,
    limits: Limits,
    head: Option<Head>,
    /// When something came last.
    heard: Instant,
    /// Goes off when something may be due. It is not set anew with each request, only when it has gone off in vain.
    alarm: Pin<Box<Sleep>>,
    /// What the first bytes were the beginning of: HTTP/2 has no heads of this kind.
    spoken: Option<Version>,
}

/// How long things may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The head of a request, from its first byte to its last.
    pub head: Duration,
    /// Silence.
    pub silence: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Http1,
    Http2,
}

impl<S> Patience<S> {
    /// Keeps to these limits from now on.
    pub fn new(stream: S, requests: Arc<Requests>, limits: Limits) -> Self {
        let heard = Instant::now();
        let alarm = Box::pin(tokio::time::sleep_until(heard + limits.silence));
        Self { stream, requests, limits, head: None, heard, alarm, spoken: None }
    }

    /// Takes note of what has come; whether it is late.
    fn came(&mut self, bytes: &[u8]) -> bool {
        if bytes.is_empty() {
            return false;
        }
        self.heard = Instant::now();
        let first = if bytes.starts_with(b"PRI") { Version::Http2 } else { Version::Http1 };
        if *self.spoken.get_or_insert(first) == Version::Http2 {
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
    io::Error::new(io::ErrorKind::TimedOut, "nothing, or a head, took too long to come")
}

impl<S: AsyncRead + Unpin> AsyncRead for Patience<S> {
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

impl<S: AsyncWrite + Unpin> AsyncWrite for Patience<S> {
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
