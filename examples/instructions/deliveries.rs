//! The row of a delivery to a webhook: from a journal with one new entry to the stored result of the attempt. Only here
//! does the worker run, and only when it is told to.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use guildhall::deliver::{steps::Steps, worker};
use guildhall::journal::cursors;
use guildhall::mail;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

use crate::client::{Client, whole_length};
use crate::rows::Person;
use crate::server::{ENDLESS, Server};
use crate::support::worker::{Delivering, parts};
use crate::world::{EACH, Tokens, person, team};

/// A worker, and the receiver of the only webhook.
struct Delivery {
    changed: Arc<Notify>,
    steps: Steps,
    /// The number of deliveries that have arrived.
    arrived: watch::Receiver<usize>,
    /// The worker stops when this is dropped.
    _stop: watch::Sender<bool>,
}

/// Counts deliveries, each of one membership. What makes them is not counted.
pub fn count(server: &Server, tokens: &Tokens) {
    let olivia = Person(tokens.of("olivia"));
    let mut client = server.block_on(Client::connect(server.address));
    let (arrived, url) = server.block_on(receive());
    let hook = json!({ "name": "web", "events": ["membership"], "config": { "url": url, "secret": "hush" } });
    server.block_on(client.send(&olivia.send("POST", "/orgs/acme/hooks", "", &hook), 201));
    let folder = tempfile::tempdir().expect("a directory");
    let mut delivery = server.block_on(begin(server, folder.path(), arrived));
    for number in 1..=EACH {
        let path = format!("/orgs/acme/teams/{}/memberships/{}", team(105), person(100 + number));
        server.block_on(client.send(&olivia.send("PUT", &path, "", &json!({ "role": "member" })), 200));
        if number <= EACH / 2 {
            server.block_on(delivery.deliver());
        } else {
            crate::count("webhook delivery", 1, || server.block_on(delivery.deliver()));
        }
        // What the attempt has left to do belongs to no other delivery.
        server.block_on(delivery.step());
    }
}

/// A worker that looks for work only when it is told to.
async fn begin(server: &Server, folder: &Path, arrived: watch::Receiver<usize>) -> Delivery {
    let (changed, steps) = (Arc::new(Notify::new()), Steps::default());
    let (stop, stopped) = watch::channel(false);
    let delivering = Delivering { smtp: None, timeouts: mail::TIMEOUTS, poll: ENDLESS };
    let usual = parts(&server.edge, "http://guildhall.test", folder, delivering);
    let (told, counted) = (Arc::clone(&changed), steps.clone());
    let parts = worker::Parts { changed: told, steps: counted, pause: Duration::ZERO, ..usual };
    server.edge.service.db.write(cursors::follow_all).await.expect("followed journals");
    tokio::spawn(worker::run(parts, stopped));
    Delivery { changed, steps, arrived, _stop: stop }
}

impl Delivery {
    /// Has the worker deliver what was committed, and store that it has arrived.
    async fn deliver(&mut self) {
        let before = *self.arrived.borrow();
        self.changed.notify_one();
        self.arrived.wait_for(|arrived| *arrived > before).await.expect("a receiver");
        self.steps.settle().await;
        self.step().await;
    }

    /// Has the worker look for what there is to do, and do it.
    async fn step(&self) {
        self.changed.notify_one();
        self.steps.settle().await;
    }
}

/// A receiver that accepts everything: the number of deliveries that it has received, and its URL.
async fn receive() -> (watch::Receiver<usize>, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let (count, arrived) = watch::channel(0);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            accept(&stream).await;
            count.send_modify(|count| *count += 1);
        }
    });
    (arrived, url)
}

/// Reads a delivery and accepts it.
async fn accept(stream: &TcpStream) {
    let (mut buffer, mut filled) = (vec![0; 64 * 1_024], 0);
    while whole_length(&buffer[..filled], "content-length").is_none_or(|length| filled < length) {
        stream.readable().await.expect("a connection");
        match stream.try_read(&mut buffer[filled..]) {
            Ok(read @ 1..) => filled += read,
            Ok(0) => panic!("the server has closed the connection"),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock, "{error}"),
        }
    }
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    assert_eq!(stream.try_write(answer).expect("to send"), answer.len());
}
