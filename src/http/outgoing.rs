//! The body of a response, sent in pieces of a bounded size (decision 40).

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::Instant;

use super::minimum_rate;
use super::timeouts::Serving;
use crate::dispatch::Holding;
use crate::operation::json::{Chunks, Json};

/// The largest body that may be held for a moment after it stops counting, in bytes.
const SMALL: usize = 16 * 1_024;

/// The largest body that is sent in one piece, in bytes.
pub const WHOLE: usize = 256 * 1_024;

/// A body of known length.
#[derive(Default)]
pub struct Outgoing {
    left: u64,
    bytes: Bytes,
    chunks: Option<Box<Slowly>>,
    /// For HTTP/2: whether the last piece has been sent.
    last: Option<Arc<Last>>,
    by_stream: bool,
    holding: Option<Holding>,
    /// The request that the body belongs to.
    serving: Option<Serving>,
}

/// A body that is produced while it is sent.
struct Slowly {
    chunks: Chunks,
    begun: Instant,
}

impl From<Bytes> for Outgoing {
    fn from(bytes: Bytes) -> Self {
        Self { left: bytes.len() as u64, bytes, ..Self::default() }
    }
}

impl From<Vec<u8>> for Outgoing {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl Outgoing {
    /// A JSON body of this length, with the memory that it holds.
    #[must_use]
    pub fn new(json: Json, length: u64, holding: Option<Holding>) -> Self {
        if json.texts.is_empty() && json.frame.len() <= SMALL {
            return Self { holding, ..json.frame.into() };
        }
        if json.texts.is_empty() && json.frame.len() <= WHOLE {
            return Bytes::from_owner(Leaving { bytes: json.frame, last: None, _holding: holding }).into();
        }
        let slowly = Slowly { chunks: json.chunks(), begun: Instant::now() };
        Self { left: length, chunks: Some(Box::new(slowly)), holding, ..Self::default() }
    }

    /// A JSON body that is complete, with the memory that it holds.
    #[must_use]
    pub fn whole(json: Json, holding: Option<Holding>) -> Self {
        let length = json.frame.len() as u64;
        Self::new(json, length, holding)
    }

    /// Counts the request as being served until the body has been sent. An HTTP/2 stream does not end before the client
    /// has made room for the last byte.
    pub fn serve(&mut self, serving: Serving, by_stream: bool) {
        (self.serving, self.by_stream) = (Some(serving), by_stream);
    }

    fn piece(&mut self) -> Result<Option<Bytes>, Late> {
        match &mut self.chunks {
            Some(slowly) if slowly.begun.elapsed() > minimum_rate::LONGEST => Err(Late),
            Some(slowly) => Ok(slowly.chunks.next()),
            None => Ok(Some(std::mem::take(&mut self.bytes)).filter(|bytes| !bytes.is_empty())),
        }
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = Late;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Late>>> {
        if let Some(last) = &self.last {
            return last.poll_left(cx).map(|()| None);
        }
        let piece = match self.piece() {
            Ok(Some(piece)) => piece,
            Ok(None) => return Poll::Ready(None),
            Err(late) => return Poll::Ready(Some(Err(late))),
        };
        minimum_rate::moved(piece.len());
        self.left = self.left.saturating_sub(piece.len() as u64);
        if self.left > 0 || !self.by_stream {
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        let last = self.last.insert(Arc::default());
        let last = Some(Arc::clone(last));
        let leaving = Leaving { bytes: piece, last, _holding: self.holding.take() };
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_owner(leaving)))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0 && self.last.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

/// The error of a response that took too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Late;

impl fmt::Display for Late {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the client did not read a response in time")
    }
}

impl std::error::Error for Late {}

/// A flag that is true if the last piece of a body has been sent, and the task that waits for that.
#[derive(Default)]
struct Last(Mutex<(bool, Option<Waker>)>);

impl Last {
    fn poll_left(&self, cx: &Context<'_>) -> Poll<()> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.0 {
            return Poll::Ready(());
        }
        state.1 = Some(cx.waker().clone());
        Poll::Pending
    }
}

/// A whole body or its last piece, until it is written or dropped.
struct Leaving {
    bytes: Bytes,
    last: Option<Arc<Last>>,
    _holding: Option<Holding>,
}

impl AsRef<[u8]> for Leaving {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let Some(last) = &self.last else { return };
        let mut state = last.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 = true;
        if let Some(waiting) = state.1.take() {
            waiting.wake();
        }
    }
}
