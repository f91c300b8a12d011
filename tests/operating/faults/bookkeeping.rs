//! The cost of deliveries for the store: a worker records many at once (decision 45; docs/decisions/0025).

use std::collections::BTreeSet;

use guildhall::db::Db;

use crate::faults::delivered::{begin, make_hook};
use crate::faults::program::Place;
use crate::support::json;
use crate::support::receiver::{Arrival, Receiver, Reply};

/// The most commits in a second. Windows of a second are half-open, so there is one more if both ends fall into it.
const MOST: usize = 11;

/// The number of teams that each writer makes.
const TEAMS: usize = 60;

#[test]
fn decision_45_a_worker_commits_at_most_ten_times_a_second() {
    let (place, server) = begin();
    let receiver = Receiver::new(|_, _| Reply::Status(200));
    make_hook(&server.admin(), &receiver);
    let above = server.admin().post("/orgs/acme/teams", json!({ "name": "Above", "privacy": "closed" }));
    let above = above.expect(201)["id"].clone();
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let (client, above) = (server.admin(), &above);
            scope.spawn(move || {
                for number in 0..TEAMS {
                    let name = format!("w{writer}-{number}");
                    let team = json!({ "name": name, "privacy": "closed", "parent_team_id": above });
                    // A busy machine may refuse it first, and then say that it was made nevertheless.
                    while ![201, 422].contains(&client.post("/orgs/acme/teams", team.clone()).status) {}
                }
            });
        }
    });
    server.admin().delete("/orgs/acme/teams/above").expect(204);
    let deleted = |arrivals: &[Arrival]| {
        arrivals.iter().filter(|arrival| arrival.event == "team" && arrival.action() == "deleted").count()
    };
    receiver.until(|arrivals| deleted(arrivals) == 1 + 3 * TEAMS);
    server.tell_to_stop();
    assert!(server.wait(), "it stops in good order");
    let commits: Vec<i64> = times(&place, COMMITS).into_iter().collect();
    let second = 1_000_000;
    let most = commits.iter().map(|begin| commits.iter().filter(|at| (*begin..*begin + second).contains(at)).count());
    let most = most.max().expect("commits");
    assert!(most <= MOST, "{most} commits in a second");
    // What comes at once is written down at once, or nearly so.
    let of_deletions = times(&place, OF_DELETIONS).len();
    assert!(of_deletions < TEAMS / 4, "{of_deletions} commits of the events of one change");
}

const COMMITS: &str = "SELECT created_at, finished_at FROM deliveries WHERE state = 'delivered'";

const OF_DELETIONS: &str = "
    SELECT d.created_at, d.created_at FROM deliveries d JOIN delivery_events e ON e.id = d.event_id
    WHERE e.event = 'team' AND e.action = 'deleted'";

/// The times at which a worker has committed: it writes the same time into everything that it records at once.
fn times(place: &Place, sql: &'static str) -> BTreeSet<i64> {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let db = Db::open(&place.database.address).await.expect("the database");
        let times = db.read(move |tx| tx.all::<(i64, i64)>(sql, &[])).await;
        times.expect("deliveries").into_iter().flat_map(|(created, finished)| [created, finished]).collect()
    })
}
