//! A bare hyper server, the limit that `scripts/bench` compares Guildhall with.
//!
//! `bare ADDR` listens there; a path that begins with a number, such as `/1900/any/thing`, is answered
//! with a body of that many bytes. One thread, no routing, no storage: what a request costs at least.

use std::convert::Infallible;
use std::error::Error;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The longest body that can be asked for.
const LONGEST: usize = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).ok_or("usage: bare ADDR, for example 127.0.0.1:8421")?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(serve(&address))
}

async fn serve(address: &str) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(address).await?;
    let filler = Bytes::from(vec![b'x'; LONGEST]);
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let filler = filler.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(request, filler.clone()));
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service);
            // A client that goes away in the middle is none of the measurement's business.
            let _ = connection.await;
        });
    }
}

async fn answer(request: Request<Incoming>, filler: Bytes) -> Result<Response<Full<Bytes>>, Infallible> {
    let size = size_asked(request.uri().path());
    // A body is read to its end, so that the connection can be used again.
    let _ = request.into_body().collect().await;
    let mut response = Response::new(Full::new(filler.slice(..size)));
    response
        .headers_mut()
        .insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static("application/json; charset=utf-8"));
    Ok(response)
}

fn size_asked(path: &str) -> usize {
    let first = path.trim_start_matches('/').split('/').next();
    first.and_then(|digits| digits.parse().ok()).map_or(0, |size: usize| size.min(LONGEST))
}
