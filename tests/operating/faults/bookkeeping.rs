//! What deliveries cost the store: a worker writes down many at once (decision 45; docs/decisions/0025).

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use guildhall::db::Db;

use crate::faults::delivered::{SOON, begin, make_hook};
use crate::faults::program::Place;
use crate::support::json;
use crate::support::receiver::{Receiver, Reply};

/// The most commits in a second. Windows of a second are half-open, so there is one more if both ends fall into it.
const MOST: usize = 11;

#[test]
fn decision_45_a_worker_commits_at_most_ten_times_a_second() {
    let (place, server) = begin();
    let receiver = Receiver::new(|_, _| Reply::Status(200));
    make_hook(&server.admin(), &receiver);
    let (begun, made) = (Instant::now(), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let (client, made) = (server.admin(), &made);
            scope.spawn(move || {
                for number in 0.. {
                    if begun.elapsed() > Duration::from_secs(3) {
                        return;
                    }
                    client.post("/orgs/acme/teams", json!({ "name": format!("w{writer}-{number}") })).expect(201);
                    made.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
    });
    let made = made.load(Ordering::SeqCst);
    // Each new team is one event and its first member another.
    receiver.until(SOON, |arrivals| arrivals.iter().filter(|arrival| arrival.team() > 0).count() == 2 * made);
    server.tell_to_stop();
    assert!(server.wait(), "it stops in good order");
    let commits: Vec<i64> = commits(&place).into_iter().collect();
    let second = 1_000_000;
    let most = commits.iter().map(|begin| commits.iter().filter(|at| (*begin..*begin + second).contains(at)).count());
    let most = most.max().expect("commits");
    assert!(most <= MOST, "{most} commits in a second");
    assert!(made > 3 * commits.len(), "{made} changes and {} commits", commits.len());
}

/// When a worker has committed: it writes the same time into everything that it writes down at once.
fn commits(place: &Place) -> BTreeSet<i64> {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let db = Db::open(&place.database.address).await.expect("the database");
        let read = db.read(|tx| {
            let times: Vec<(i64, i64)> =
                tx.all("SELECT created_at, finished_at FROM deliveries WHERE state = 'delivered'", &[])?;
            Ok(times)
        });
        read.await.expect("deliveries").into_iter().flat_map(|(created, finished)| [created, finished]).collect()
    })
}
