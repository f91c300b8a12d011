//! A node needs nothing of PostgreSQL but a database of its own, and takes no more than it was given.

use postgres::{Client as Session, NoTls};

use crate::nodes::clusters::Clusters;
use crate::support::database::Database;
use crate::support::waiting::until;
use crate::support::{World, json};

/// The tests' usual user may do everything.
#[test]
fn the_owner_of_the_database_needs_no_further_rights() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let url = clusters.start("server");
    let mut session = Session::connect(&url, NoTls).expect("a session");
    for sql in ["CREATE ROLE plain LOGIN", "CREATE DATABASE plain OWNER plain"] {
        session.batch_execute(sql).expect("it does as it is told");
    }
    let url = url.replace("guildhall@", "plain@").replace("/guildhall", "/plain");
    let (_nodes, owners) = clusters.nodes(1, &url);
    owners[0].post("/orgs/acme/teams", json!({ "name": "Core" })).expect(201);
    assert_eq!(owners[0].all("/orgs/acme/teams").len(), 1);
    clusters.must_be_well(&url);
}

/// For requests it has 16, and one each that proves freshness and that looks whether the server is in reach.
#[test]
fn a_node_opens_no_more_connections_than_it_may_and_prepares_each_statement_once() {
    let world = World::new();
    if !Database::is_postgres() {
        return;
    }
    std::thread::scope(|scope| {
        for caller in 0..40 {
            let olivia = world.olivia();
            scope.spawn(move || {
                for page in 1..6 {
                    // A slow machine may refuse some of them.
                    olivia.get(&format!("/orgs/acme/members?per_page={}&page={page}", caller + 1));
                    olivia.patch("/orgs/acme", json!({ "company": format!("{caller} {page}") }));
                }
            });
        }
    });
    let open = || {
        let open: Vec<(i64,)> = world.rows(
            "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'guildhall'",
        );
        open[0].0
    };
    assert!(open() > 1, "several are in use");
    // PostgreSQL takes a moment to notice that one was closed.
    until("there are no more than that", || open() <= 18);
    for _ in 0..32 {
        let again: Vec<(String, i64)> =
            world.rows("SELECT statement, count(*) FROM pg_prepared_statements GROUP BY statement HAVING count(*) > 1");
        assert_eq!(again, []);
    }
    let kept: Vec<(i64,)> = world.rows("SELECT count(*) FROM pg_prepared_statements");
    assert!(kept[0].0 > 0, "statements are kept");
}
