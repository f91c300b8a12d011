//! The minimum speed of a request. From the end of its head to the end of its response it has ten seconds, and ten more
//! with every 64 KiB transferred, up to five minutes in all (decision 40; docs/decisions/0021).
//!
//! On HTTP/1.1 a request has the connection to itself, so the socket shows its progress. On HTTP/2 each stream has its
//! own task, which ends when its time is over: that stream is reset, and the others continue. Only data frames count as
//! progress. No timer is set before something has to wait.

use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::Executor;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use super::alarm::Alarm;

/// The number of bytes that earns more time.
pub const STEP: usize = 64 * 1_024;

/// The time that these bytes may take.
const PAUSE: Duration = Duration::from_secs(10);

/// The time that one byte earns: a little more than its share of `PAUSE`.
const PER_BYTE: Duration = Duration::from_nanos(152_588);

/// The longest pause of a socket that has moved many bytes at once. A client's operating system frees its buffer in
/// large steps (up to 256 KiB on one machine), however evenly the client reads. The client needs time to read what its
/// system accepts at once.
const LONGEST_PAUSE: Duration = Duration::from_secs(40);

/// The time that the whole request may take.
pub const LONGEST: Duration = Duration::from_mins(5);

/// The deadline until which a request must make progress.
#[derive(Debug, Clone, Copy)]
pub struct MinimumRate {
    due: Instant,
    /// The longest time that may be left until then.
    pause: Duration,
    last: Instant,
}

impl MinimumRate {
    /// Starts now.
    #[must_use]
    pub fn begin() -> Self {
        Self::with(PAUSE)
    }

    fn with(pause: Duration) -> Self {
        let now = Instant::now();
        Self { due: now + PAUSE, pause, last: now + LONGEST }
    }

    /// Adds the time that these bytes have earned.
    pub fn moved(&mut self, bytes: usize) {
        if bytes > 0 {
            let time = PER_BYTE * u32::try_from(bytes).unwrap_or(u32::MAX);
            self.due = (self.due + time).min(Instant::now() + self.pause).min(self.last);
        }
    }

    /// The minimum rate for what is written next, which has at least ten seconds.
    fn again(self) -> Self {
        let next = Self::with(self.pause);
        Self { due: next.due.max(self.due), ..next }
    }

    /// The time at which it is over.
    #[must_use]
    pub fn due(&self) -> Instant {
        self.due
    }
}

/// A socket that fails when the peer accepts pending bytes too slowly.
pub struct Socket<S> {
    stream: S,
    /// Set when a write first has to wait.
    rate: Option<MinimumRate>,
    /// True if everything that waited has been written since then.
    flushed: bool,
    alarm: Alarm,
}

impl<S> Socket<S> {
    /// Watches a socket.
    pub fn new(stream: S) -> Self {
        Self { stream, rate: None, flushed: false, alarm: Alarm::default() }
    }

    fn wrote(&mut self, written: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => {
                let rate = self.rate.get_or_insert_with(|| MinimumRate::with(LONGEST_PAUSE));
                if std::mem::take(&mut self.flushed) {
                    *rate = rate.again();
                }
                let due = rate.due;
                ready!(self.alarm.poll(due, cx));
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client did not read a response in time")))
            }
            Poll::Ready(Ok(bytes)) => {
                if let Some(rate) = &mut self.rate {
                    rate.moved(bytes);
                }
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Socket<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Socket<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wrote(written, cx)
    }

    /// hyper calls this when it has written everything.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.flushed = true;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.wrote(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

thread_local! {
    /// The bytes that the running task's stream has moved.
    static MOVED: Cell<usize> = const { Cell::new(0) };
}

/// Counts bytes that the running stream has moved.
pub fn moved(bytes: usize) {
    MOVED.set(MOVED.get() + bytes);
}

/// Runs each stream of an HTTP/2 connection as a task, as long as it makes progress.
#[derive(Debug, Clone, Copy)]
pub struct Streams;

impl<F> Executor<F> for Streams
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn execute(&self, stream: F) {
        tokio::spawn(Stream { served: Box::pin(stream), rate: None, alarm: Alarm::default() });
    }
}

/// A stream that ends when its time is over. Dropping what it holds resets the stream.
struct Stream<F> {
    served: Pin<Box<F>>,
    /// Set when the stream first has to wait.
    rate: Option<MinimumRate>,
    alarm: Alarm,
}

impl<F: Future> Future for Stream<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self { served, rate, alarm } = &mut *self;
        MOVED.set(0);
        if served.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        let rate = rate.get_or_insert_with(MinimumRate::begin);
        rate.moved(MOVED.get());
        ready!(alarm.poll(rate.due, cx));
        tracing::debug!("reset an HTTP/2 stream because the client sent or read it too slowly");
        Poll::Ready(())
    }
}
