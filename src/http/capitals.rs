//! Header names with their usual capitals, on HTTP/1 (decision 51, docs/decisions/0020).
//!
//! hyper writes names in lower case. So it gets only the headers that it has to know, and this module adds the lines of
//! the others to the head on its way to the socket. It recognizes a head by its timing: hyper polls the service only
//! when the last body has been written, so the first bytes that it writes after a response is ready are a head.

use std::collections::VecDeque;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use hyper::header::HeaderMap;
use memchr::memchr;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::headers::Headers;
use super::spelling::{capitalize, lines};

/// The memory that a connection keeps for the next head, in bytes.
const KEPT: usize = 4 * 1_024;

/// The lines of the heads that a connection is about to write.
#[derive(Debug, Clone, Default)]
pub struct Heads(Arc<Mutex<VecDeque<Vec<u8>>>>);

impl Heads {
    /// A response with these headers is ready, so the connection writes its head next. Returns the headers for hyper.
    #[must_use]
    pub fn begin(&self, headers: Headers) -> HeaderMap {
        let (lines, of_hyper) = lines(headers);
        self.lock().push_back(lines);
        of_hyper
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that writes header names with capitals.
pub struct Capitals<S> {
    stream: S,
    heads: Heads,
    /// Bytes of complete heads that the stream has not accepted yet. The writer counts them as written.
    rest: Vec<u8>,
}

impl<S> Capitals<S> {
    /// Completes the heads that `heads` announces.
    pub fn new(stream: S, heads: Heads) -> Self {
        Self { stream, heads, rest: Vec::new() }
    }

    /// True if these first bytes of a write contain heads. If so, `rest` holds them with complete heads.
    fn completes(&mut self, mut bytes: &[u8]) -> bool {
        // HTTP/2 frames never begin like this.
        if !bytes.starts_with(b"HTTP/1.") {
            return false;
        }
        let mut announced = self.heads.lock();
        if announced.is_empty() && is_automatic(bytes) {
            announced.push_back(Vec::new());
        }
        if announced.is_empty() {
            return false;
        }
        while bytes.starts_with(b"HTTP/1.") && !announced.is_empty() {
            let Some(end) = memchr(b'\n', bytes) else { break };
            let (status, names) = bytes.split_at(end + 1);
            self.rest.extend_from_slice(status);
            // An interim response (1xx) comes before the response and has no headers.
            if status.get(9) != Some(&b'1') {
                self.rest.extend_from_slice(&announced.pop_front().unwrap_or_default());
            }
            bytes = capitalize(names, &mut self.rest);
        }
        self.rest.extend_from_slice(bytes);
        true
    }

    /// Notes how many bytes were accepted of a write that began with `rest`, and returns how many of them came after it.
    fn accepted(&mut self, count: usize) -> usize {
        let ours = count.min(self.rest.len());
        self.rest.drain(..ours);
        // The next head reuses the memory, unless this head was unusually long.
        self.rest.shrink_to(KEPT);
        count - ours
    }
}

impl<S: AsyncWrite + Unpin> Capitals<S> {
    /// Writes what an earlier write has left.
    fn poll_rest(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.rest.is_empty() {
            let count = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.rest))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.accepted(count);
        }
        Poll::Ready(Ok(()))
    }
}

/// True if this is a response that hyper sends by itself, without the service, to a request that it cannot parse.
fn is_automatic(bytes: &[u8]) -> bool {
    bytes.starts_with(b"HTTP/1.1 4")
        && bytes.len() < 256
        && bytes.ends_with(b"\r\n\r\n")
        && bytes.windows(21).any(|line| line == b"\r\ncontent-length: 0\r\n")
}

impl<S: AsyncRead + Unpin> AsyncRead for Capitals<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Capitals<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.as_mut().poll_write_vectored(cx, &[IoSlice::new(buf)])
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_rest(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_rest(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        ready!(this.poll_rest(cx))?;
        let Some((first, others)) = bufs.split_first().filter(|(first, _)| this.completes(first)) else {
            return Pin::new(&mut this.stream).poll_write_vectored(cx, bufs);
        };
        // Pieces beyond these are written next time.
        let mut pieces = [IoSlice::new(&[]); MOST];
        let others = &others[..others.len().min(MOST - 1)];
        pieces[0] = IoSlice::new(&this.rest);
        pieces[1..=others.len()].copy_from_slice(others);
        match Pin::new(&mut this.stream).poll_write_vectored(cx, &pieces[..=others.len()]) {
            Poll::Ready(Ok(count)) => Poll::Ready(Ok(first.len() + this.accepted(count))),
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            // The next write or flush waits until the stream has accepted the rest.
            Poll::Pending => Poll::Ready(Ok(first.len())),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// The largest number of pieces in one write: a head, a length and all of most bodies.
const MOST: usize = 8;

#[cfg(test)]
mod tests {
    use hyper::header::{HeaderName, HeaderValue};

    use super::*;

    /// A stream that accepts a few bytes at a time, and nothing every other time.
    struct Narrow {
        took: Vec<u8>,
        most: usize,
        waits: bool,
    }

    impl AsyncWrite for Narrow {
        fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
            self.waits = !self.waits;
            if self.waits {
                return Poll::Pending;
            }
            let count = buf.len().min(self.most);
            self.took.extend_from_slice(&buf[..count]);
            Poll::Ready(Ok(count))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    fn headers() -> Headers {
        let of = |(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value));
        let all = [("etag", "\"a-b\""), ("x-ratelimit-limit", "5"), ("x-new-header", "x-y"), ("connection", "close")];
        let mut headers = Headers::default();
        all.map(of).into_iter().for_each(|(name, value)| headers.insert(name, value));
        headers
    }

    /// The text that is sent for these pieces, each announced as so many heads, over a stream that accepts `most` bytes
    /// at once.
    fn sent(pieces: &[(&str, usize)], most: usize) -> String {
        let heads = Heads::default();
        let mut stream = Capitals::new(Narrow { took: Vec::new(), most, waits: false }, heads.clone());
        let mut cx = Context::from_waker(std::task::Waker::noop());
        let mut waiting = Vec::new();
        for (piece, announced) in pieces {
            (0..*announced).for_each(|_| drop(heads.begin(headers())));
            waiting.extend_from_slice(piece.as_bytes());
            // Only part of it is written before the next piece.
            if let Poll::Ready(Ok(count)) = Pin::new(&mut stream).poll_write(&mut cx, &waiting) {
                waiting.drain(..count);
            }
        }
        while !waiting.is_empty() {
            if let Poll::Ready(Ok(count)) = Pin::new(&mut stream).poll_write(&mut cx, &waiting) {
                waiting.drain(..count);
            }
        }
        while Pin::new(&mut stream).poll_flush(&mut cx).is_pending() {}
        String::from_utf8(stream.stream.took).unwrap()
    }

    #[test]
    fn names_have_capitals_and_all_else_stays_as_it_is() {
        let (lines, left) = lines(headers());
        assert!(lines.ends_with(b"\r\nX-New-Header: x-y\r\n"));
        assert_eq!(left.keys().collect::<Vec<_>>(), ["connection"], "hyper reads it");
        let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 3\r\n\r\n";
        let changed = "HTTP/1.1 200 OK\r\nETag: \"a-b\"\r\nX-RateLimit-Limit: 5\r\nX-New-Header: x-y\r\n\
                       Connection: close\r\nContent-Length: 3\r\n\r\n";
        let body = "HTTP/1.1 200 OK\r\netag: this is a body\r\n\r\n";
        let go_on = "HTTP/1.1 100 Continue\r\n\r\n";
        for most in 1..200 {
            assert_eq!(sent(&[(head, 1), (body, 0)], most), [changed, body].concat(), "{most} at once");
            assert_eq!(sent(&[(&[go_on, head].concat(), 1)], most), [go_on, changed].concat(), "{most} at once");
            assert_eq!(sent(&[(head, 1), (head, 1)], most), [changed, changed].concat(), "{most} at once");
            assert_eq!(sent(&[(&[head, head].concat(), 2)], most), [changed, changed].concat(), "{most} at once");
        }
        assert_eq!(sent(&[(&[head, body].concat(), 1)], 500), [changed, body].concat());
    }

    #[test]
    fn answers_that_hyper_gives_by_itself_have_capitals_too() {
        let head = "HTTP/1.1 431 Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(sent(&[(head, 0)], 500), "HTTP/1.1 431 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    }
}
