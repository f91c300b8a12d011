//! A commit whose answer is lost, on a PostgreSQL that then dies: what is acknowledged afterwards is there.

use postgres::{Client as Session, NoTls};

use crate::clusters::Clusters;
use crate::load::until;
use crate::proxy::{Cut, Proxy};
use crate::support::database::Database;
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

/// A crash takes with it what was not on the disk yet, the number of the transaction too. The next one gets that number.
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
#[test]
fn a_commit_that_did_not_reach_the_standby_is_not_acknowledged() {
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
    let made = std::thread::scope(|scope| {
        let making = scope.spawn(|| make(owner));
        while session.query(END_OF_WAITING, &[]).expect("rows").is_empty() {
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

const END_OF_WAITING: &str = "
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE wait_event = 'SyncRep' AND query LIKE '%COMMIT'";
