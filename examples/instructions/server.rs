//! The server whose instructions are counted: one thread serves and sends, nothing runs in the background, and nothing
//! depends on the time.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use bytes::Bytes;
use guildhall::clock::{Clock, ManualClock};
use guildhall::db::{Address, Db, Options, Place, TimeLimits, Tx};
use guildhall::error::Result;
use guildhall::http::assemble::edge;
use guildhall::http::connection_limit::{ConnectionLimit, Limits};
use guildhall::http::edge::Edge;
use guildhall::http::{self, timeouts};
use guildhall::operation::Path;
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::client::Client;
use crate::parts;
use crate::world::NOW;

/// Longer than any run.
pub const ENDLESS: Duration = Duration::from_hours(24);

/// The pause between two looks at what waits for the store.
const PAUSE: Duration = Duration::from_millis(20);

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    pub edge: Arc<Edge>,
    runtime: Runtime,
}

impl Server {
    /// Serves a database.
    pub fn start(database: &Address) -> Self {
        // What may take its time runs on one other thread, which would otherwise be any of several.
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().max_blocking_threads(1).build().expect("a runtime");
        runtime.block_on(put_in_order(database));
        let options = Options { connections: 1, limits: TimeLimits::NONE, ..Options::default() };
        let db = runtime.block_on(Db::open_with(database, options)).expect("a database");
        let mut parts = parts::parts(Some(parts::limiters()));
        parts.clock = Clock::Manual(Arc::new(ManualClock::new(NOW, true)));
        let edge = edge(db, parts).expect("a server");
        let bound = http::server::Server::bind(SocketAddr::from(([127, 0, 0, 1], 0)), None);
        let mut server = runtime.block_on(bound).expect("a socket");
        server.timeouts = timeouts::Limits { head: ENDLESS, first: ENDLESS, silence: ENDLESS };
        let address = server.address().expect("an address");
        let connections = ConnectionLimit::new(Limits::of_process(None, &[]), None);
        runtime.spawn(server.run(Arc::clone(&edge), connections, std::future::pending()));
        Self { address, edge, runtime }
    }

    /// Serves until this work is done.
    pub fn block_on<R>(&self, work: impl Future<Output = R>) -> R {
        self.runtime.block_on(work)
    }

    /// Sends writes of `acme` at once. The store begins when all of them wait for it, so it commits them together.
    pub async fn in_one_batch(&self, clients: Vec<Client>, requests: &[Bytes], status: u16) -> Vec<Client> {
        let db = &self.edge.service.db;
        let waiting = i64::try_from(requests.len()).expect("a number") + 1;
        let (gate, held) = hold_writes(db.clone()).await;
        let sent = clients.into_iter().zip(requests.iter().cloned()).map(|(mut client, request)| {
            tokio::spawn(async move {
                client.send(&request, status).await;
                client
            })
        });
        let sent: Vec<_> = sent.collect();
        while db.load().waiting.get() < waiting {
            // Looking again and again would be counted.
            tokio::time::sleep(PAUSE).await;
        }
        drop(gate);
        held.await.expect("no panic").expect("a write that does nothing");
        let mut clients = Vec::with_capacity(sent.len());
        for client in sent {
            clients.push(client.await.expect("a response"));
        }
        clients
    }
}

/// Begins a write of `acme`, which others wait for until the gate is dropped.
async fn hold_writes(db: Db) -> (mpsc::Sender<()>, JoinHandle<Result<()>>) {
    let (gate, dropped) = mpsc::channel();
    let inside = Arc::new(Notify::new());
    let enters = Arc::clone(&inside);
    let wait = move |_: &mut Tx<'_>| {
        enters.notify_one();
        _ = dropped.recv();
        Ok(())
    };
    let lane = Path(vec![("org".into(), "acme".into())]).lane().expect("a lane");
    let held = tokio::spawn(async move { db.write_in_lane(Some(Place { lane, person: 0 }), wait).await });
    inside.notified().await;
    (gate, held)
}

/// Moves everything from the log of SQLite into the database. What was there when the last process ended, chance decides.
async fn put_in_order(database: &Address) {
    Db::open(database).await.and_then(|db| db.compact()).expect("a database");
}
