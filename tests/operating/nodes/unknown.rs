//! A commit whose answer is lost, on a PostgreSQL that then dies: what is acknowledged afterwards is there.

use postgres::{Client as Session, NoTls};

use crate::nodes::clusters::Clusters;
use crate::nodes::proxy::{Cut, Proxy};
use crate::support::database::Database;
use crate::support::waiting::until;
use crate::support::{Answer, Client, json};

fn make(owner: &Client) -> Answer {
    owner.post("/orgs/acme/teams", json!({ "name": "Acknowledged" }))
}

#[track_caller]
fn must_be_there_if_acknowledged(made: &Answer, owner: &Client) {
    let path = "/orgs/acme/teams/acknowledged";
    until("the node serves", || owner.get(path).status != 503);
    if made.status == 201 {
        owner.get(path).expect(200);
    }
}

/// A crash loses what was not on disk yet, including the number of the transaction. The next transaction gets that
/// number.
#[test]
fn a_number_that_another_transaction_has_got_after_a_crash_proves_nothing() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let url = clusters.start_with("server", &["wal_writer_delay=10s"]);
    let proxy = Proxy::before(&url);
    let (_nodes, owners) = clusters.nodes(1, &proxy.url(&url));
    let owner = &owners[0];
    Session::connect(&url, NoTls).expect("a session").batch_execute("CREATE TABLE others (n int)").expect("a table");
    proxy.cut(Cut::Held, 1);
    let made = std::thread::scope(|scope| {
        let making = scope.spawn(|| make(owner));
        until("the commit is cut", || proxy.cuts() > 0);
        proxy.cut(Cut::Nowhere, 1);
        clusters.tell("crash", "server");
        clusters.tell("again", "server");
        let mut other = Session::connect(&url, NoTls).expect("a session");
        for _ in 0..10 {
            other.batch_execute("INSERT INTO others VALUES (1)").expect("a row");
        }
        making.join().expect("no panic")
    });
    must_be_there_if_acknowledged(&made, owner);
}

/// PostgreSQL says of a transaction that it was committed although its wait for the standby was ended.
fn a_wait_for_the_standby_ends_by(end: &str) {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let first = clusters.start("first");
    let second = clusters.standby("second", "first");
    let proxy = Proxy::before(&first);
    let (_nodes, owners) = clusters.nodes(1, &proxy.url(&first));
    let owner = &owners[0];
    clusters.tell("crash", "second");
    let mut session = Session::connect(&first, NoTls).expect("a session");
    let end_of_waiting =
        format!("SELECT {end}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%COMMIT'");
    let made = std::thread::scope(|scope| {
        let making = scope.spawn(|| make(owner));
        while session.query(&end_of_waiting, &[]).expect("rows").is_empty() {
            assert!(!making.is_finished(), "the commit does not wait");
        }
        making.join().expect("no panic")
    });
    clusters.tell("kill", "first");
    proxy.lead_to(&second);
    clusters.tell("again", "second");
    clusters.tell("promote", "second");
    must_be_there_if_acknowledged(&made, owner);
}

/// Its connection ends in the middle of COMMIT.
#[test]
fn a_commit_that_did_not_reach_the_standby_is_not_acknowledged() {
    a_wait_for_the_standby_ends_by("pg_terminate_backend");
}

/// COMMIT is answered, with a warning.
#[test]
fn a_commit_of_which_postgresql_warns_is_not_acknowledged() {
    a_wait_for_the_standby_ends_by("pg_cancel_backend");
}

/// A commit that waits for a standby in vain is refused in time. Nothing else waits with it, and it happens once the
/// standby is back.
#[test]
fn while_the_standby_is_away_writes_are_refused_in_time_and_reads_go_on() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let url = clusters.start("first");
    clusters.standby("second", "first");
    let (_nodes, owners) = clusters.nodes(1, &url);
    let owner = &owners[0];
    owner.get("/orgs/acme").expect(200);
    clusters.tell("crash", "second");
    std::thread::scope(|scope| {
        let making = scope.spawn(|| make(owner));
        let mut read = 0;
        while !making.is_finished() {
            read += 1;
            owner.get("/orgs/acme").expect(200);
            // Nothing of this is in memory.
            owner.get(&format!("/orgs/acme/teams?per_page={}&page={read}", 1 + read % 100)).expect(200);
        }
        let made = making.join().expect("no panic");
        made.refused(503, "The service cannot answer right now. Try again shortly.");
        assert!(read > 2, "reads wait with it: {read}");
    });
    clusters.tell("again", "second");
    // No timeout of the session has ended its wait: that would have made it visible before.
    until("the write has happened", || owner.get("/orgs/acme/teams/acknowledged").status == 200);
    make(owner).expect(422);
    clusters.must_be_well(&url);
}
