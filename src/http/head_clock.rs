//! How long the head of a request may take on a connection that may be silent for much longer (decision 40; decision
//! record 0016).
//!
//! A connection is kept for more requests, so silence between two of them is no fault; to begin one and not to end it is.
//! Only the bytes tell the two apart: the clock runs from the first that comes while no request is being served.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

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
    /// Made only when more of it has to be waited for.
    alarm: Option<Pin<Box<Sleep>>>,
}

/// A connection whose reader fails as soon as a head takes longer than it may.
pub struct HeadClock<S> {
    stream: S,
    requests: Arc<Requests>,
    limit: Duration,
    head: Option<Head>,
    /// Whether anything has come, and whether that was the beginning of HTTP/2, which has no heads of this kind.
    spoken: Option<Version>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Http1,
    Http2,
}

impl<S> HeadClock<S> {
    /// Gives each head on the connection so long.
    pub fn new(stream: S, requests: Arc<Requests>, limit: Duration) -> Self {
        Self { stream, requests, limit, head: None, spoken: None }
    }

    /// Takes note of what has come; whether it is late.
    fn came(&mut self, bytes: &[u8]) -> bool {
        let first = if bytes.starts_with(b"PRI") { Version::Http2 } else { Version::Http1 };
        if bytes.is_empty() || *self.spoken.get_or_insert(first) == Version::Http2 {
            return false;
        }
        match (self.requests.all_ended(), &self.head) {
            (Some(after), Some(head)) if head.after == after => return head.began.elapsed() >= self.limit,
            (Some(after), _) => self.head = Some(Head { after, began: Instant::now(), alarm: None }),
            (None, _) => self.head = None,
        }
        false
    }

    /// Waits for the end of the time that the head has, if one has begun.
    fn poll_late(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(head) = self.head.as_mut().filter(|head| self.requests.all_ended() == Some(head.after)) else {
            self.head = None;
            return Poll::Pending;
        };
        let until = head.began + self.limit;
        let alarm = head.alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until.into())));
        alarm.as_mut().poll(cx)
    }
}

fn late() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the head of a request took too long")
}

impl<S: AsyncRead + Unpin> AsyncRead for HeadClock<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        match Pin::new(&mut self.stream).poll_read(cx, buf) {
            Poll::Ready(Ok(())) if self.came(&buf.filled()[before..]) => Poll::Ready(Err(late())),
            Poll::Pending => {
                ready!(self.poll_late(cx));
                Poll::Ready(Err(late()))
            }
            ready @ Poll::Ready(_) => ready,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for HeadClock<S> {
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
