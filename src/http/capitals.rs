//! Header names with their usual capitals, on HTTP/1 (decision 51, docs/decisions/0020).
//!
//! hyper writes names in lower case. This module changes the bytes of a head on their way to the socket, but not
//! its length. It recognizes a head by its timing: hyper polls the service only when the last body has been written, so
//! the first bytes that it writes after a response is ready are a head.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::spelling::capitalize;

/// How much memory a connection keeps for the next head, in bytes.
const KEPT: usize = 4 * 1_024;

/// How many heads a connection is about to write.
#[derive(Debug, Clone, Default)]
pub struct Heads(Arc<AtomicUsize>);

impl Heads {
    /// A response is ready, so the connection writes its head next.
    pub fn begin(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// A connection that writes header names with capitals.
pub struct Capitals<S> {
    stream: S,
    heads: Heads,
    /// Bytes of changed heads that the stream has not accepted yet.
    rest: Vec<u8>,
}

impl<S> Capitals<S> {
    /// Changes the heads that `heads` announces.
    pub fn new(stream: S, heads: Heads) -> Self {
        Self { stream, heads, rest: Vec::new() }
    }

    /// Whether these first bytes of a write have to be changed. If so, `rest` holds them as they are sent.
    fn changes(&mut self, bytes: &[u8]) -> bool {
        let announced = self.heads.0.load(Ordering::Acquire);
        let automatic = announced == 0 && self.rest.is_empty() && is_automatic(bytes);
        // HTTP/2 frames never begin like this.
        if self.rest.is_empty() && !(automatic || announced > 0 && bytes.starts_with(b"HTTP/1.")) {
            return false;
        }
        let fresh = self.rest.len();
        if let Some(added) = bytes.get(fresh..).filter(|added| !added.is_empty()) {
            self.rest.extend_from_slice(added);
            let changed = capitalize(&mut self.rest[fresh..], announced + usize::from(automatic));
            self.heads.0.fetch_sub(changed.min(announced), Ordering::AcqRel);
        }
        true
    }

    /// Notes how many bytes of a write that began with `rest` were accepted.
    fn accepted(&mut self, count: usize) {
        self.rest.drain(..count.min(self.rest.len()));
        // The next head reuses the memory, unless this head was unusually long.
        self.rest.shrink_to(KEPT);
    }
}

/// Whether this is a response that hyper sends by itself, without the service, to a request that it cannot parse.
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
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        let Some((first, others)) = bufs.split_first().filter(|(first, _)| this.changes(first)) else {
            return Pin::new(&mut this.stream).poll_write_vectored(cx, bufs);
        };
        // Pieces beyond these are written next time.
        let mut changed = [IoSlice::new(&[]); MOST];
        let others = &others[..others.len().min(MOST - 1)];
        changed[0] = IoSlice::new(&this.rest);
        changed[1..=others.len()].copy_from_slice(others);
        debug_assert_eq!(first.len(), this.rest.len());
        let count = ready!(Pin::new(&mut this.stream).poll_write_vectored(cx, &changed[..=others.len()]))?;
        this.accepted(count);
        Poll::Ready(Ok(count))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// The largest number of pieces in one write: a head, a length and all of most bodies.
const MOST: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that accepts a few bytes at a time.
    struct Narrow {
        took: Vec<u8>,
        most: usize,
    }

    impl AsyncWrite for Narrow {
        fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
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

    /// What is sent for these pieces, each announced as so many heads, over a stream that accepts `most` bytes at once.
    fn sent(pieces: &[(&str, usize)], most: usize) -> String {
        let heads = Heads::default();
        let mut stream = Capitals::new(Narrow { took: Vec::new(), most }, heads.clone());
        let mut cx = Context::from_waker(std::task::Waker::noop());
        let mut waiting = Vec::new();
        for (piece, announced) in pieces {
            (0..*announced).for_each(|_| heads.begin());
            waiting.extend_from_slice(piece.as_bytes());
            // Only part of it is written before the next piece.
            let Poll::Ready(Ok(count)) = Pin::new(&mut stream).poll_write(&mut cx, &waiting) else {
                panic!("it waits")
            };
            waiting.drain(..count);
        }
        while !waiting.is_empty() {
            let Poll::Ready(Ok(count)) = Pin::new(&mut stream).poll_write(&mut cx, &waiting) else {
                panic!("it waits")
            };
            waiting.drain(..count);
        }
        String::from_utf8(stream.stream.took).unwrap()
    }

    #[test]
    fn names_have_capitals_and_all_else_stays_as_it_is() {
        let head = "HTTP/1.1 200 OK\r\netag: \"a-b\"\r\nx-ratelimit-limit: 5\r\nx-new-header: x-y\r\n\r\n";
        let changed = "HTTP/1.1 200 OK\r\nETag: \"a-b\"\r\nX-RateLimit-Limit: 5\r\nX-New-Header: x-y\r\n\r\n";
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
