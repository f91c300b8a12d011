//! The front of a server, which answers its requests: the edge, or what a command puts in front of it.

use std::fmt;
use std::sync::Arc;

use hyper::Request;
use hyper::body::Incoming;

use super::address::Connection;
use super::edge::Edge;
use super::response::Answer;
use super::timeouts::Serving;

/// Answers the requests of a server.
pub trait Front: Send + Sync + 'static {
    /// Answers a request. An error closes its connection without a response.
    fn respond(
        self: Arc<Self>,
        request: Request<Incoming>,
        connection: &Connection,
        serving: Serving,
    ) -> impl Future<Output = Result<Answer, Dropped>> + Send;
}

/// A request gets no response: its connection is closed, or its HTTP/2 stream reset.
#[derive(Debug)]
pub struct Dropped;

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the request was dropped")
    }
}

impl std::error::Error for Dropped {}

impl Front for Edge {
    async fn respond(
        self: Arc<Self>,
        request: Request<Incoming>,
        connection: &Connection,
        serving: Serving,
    ) -> Result<Answer, Dropped> {
        Ok(self.answer(request, connection, serving).await)
    }
}
