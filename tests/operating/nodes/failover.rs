//! Several nodes on one PostgreSQL, and something dies: what their clients are answered meanwhile is linearizable. No
//! write that was acknowledged is lost, none happens twice, and no read is stale.

use postgres::{Client as Session, NoTls};

use crate::nodes::clusters::Clusters;
use crate::nodes::everything_shown;
use crate::nodes::load::Load;
use crate::nodes::proxy::Proxy;
use crate::support::database::Database;
use crate::support::waiting::until;
use crate::support::{Client, json};

#[test]
fn a_node_of_three_is_killed() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let url = clusters.start("server");
    let (mut nodes, owners) = clusters.nodes(3, &url);
    let load = Load::new(owners);
    load.run(|| {
        load.until_served_by(&[0, 1, 2]);
        nodes.remove(1).kill();
        load.until_served_by(&[0, 2]);
    });
    load.must_be_linearizable(&[0, 2]);
    clusters.must_be_well(&url);
}

fn postgresql_is_restarted_after(verb: &str) {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let url = clusters.start("server");
    let (_nodes, owners) = clusters.nodes(2, &url);
    let load = Load::new(owners);
    load.run(|| {
        for _ in 0..3 {
            load.until_served_by(&[0, 1]);
            clusters.tell(verb, "server");
            clusters.tell("again", "server");
        }
        load.until_served_by(&[0, 1]);
    });
    load.must_be_linearizable(&[0, 1]);
    clusters.must_be_well(&url);
}

#[test]
fn postgresql_is_restarted_without_a_shutdown() {
    postgresql_is_restarted_after("crash");
}

#[test]
fn postgresql_is_restarted_in_order() {
    postgresql_is_restarted_after("halt");
}

/// The nodes reach PostgreSQL at one address, which leads to the standby from the moment that the primary is dead.
#[test]
fn a_synchronous_standby_takes_over_from_a_primary_that_was_killed() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let first = clusters.start("first");
    let second = clusters.standby("second", "first");
    let proxy = Proxy::before(&first);
    let url = proxy.url(&first);
    let (_nodes, owners) = clusters.nodes(2, &url);
    let load = Load::new(owners);
    load.run(|| {
        load.until_served_by(&[0, 1]);
        clusters.tell("kill", "first");
        // The nodes may reach it before it is a primary.
        proxy.lead_to(&second);
        clusters.tell("promote", "second");
        load.until_served_by(&[0, 1]);
    });
    load.must_be_linearizable(&[0, 1]);
    clusters.must_be_well(&second);
}

/// The nodes know both hosts, and find the one that takes writes.
#[test]
fn a_synchronous_standby_takes_over_where_the_url_has_both_hosts() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let first = clusters.start("first");
    let second = clusters.standby("second", "first");
    let host = |url: &str| url.split(['@', '/']).nth(3).expect("a host").to_owned();
    let both = format!("{},{}", host(&first), host(&second));
    let url = format!("{}?target_session_attrs=read-write", first.replace(&host(&first), &both));
    let (_nodes, owners) = clusters.nodes(2, &url);
    let load = Load::new(owners);
    load.run(|| {
        load.until_served_by(&[0, 1]);
        clusters.tell("kill", "first");
        clusters.tell("promote", "second");
        load.until_served_by(&[0, 1]);
    });
    load.must_be_linearizable(&[0, 1]);
    clusters.must_be_well(&second);
}

/// The primary does not wait for the standby, which lacks what was committed last. Nodes forget that too: while the new
/// primary has fewer entries, and when it has as many others.
#[test]
fn a_standby_that_lacks_commits_takes_over_and_no_node_shows_them() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let first = clusters.start("first");
    let second = clusters.standby("second", "first");
    let proxy = Proxy::before(&first);
    let url = proxy.url(&first);
    let (_nodes, owners) = clusters.nodes(2, &url);
    let make = |what: &str| {
        for number in 0..3 {
            owners[0].post("/orgs/acme/teams", json!({ "name": format!("{what} {number}") })).expect(201);
        }
    };
    let mut session = Session::connect(&first, NoTls).expect("a session");
    let mut run = |sql: &str| session.batch_execute(sql).expect("it does as it is told");
    run("ALTER SYSTEM RESET synchronous_standby_names");
    run("SELECT pg_reload_conf()");
    clusters.tell("crash", "second");
    until("no standby is waited for", || owners[0].patch("/orgs/acme", json!({ "company": "Alone" })).status == 200);
    make("Lost");
    let shown = |owner: &Client| everything_shown(owner);
    assert!(owners.iter().all(|owner| shown(owner)["/orgs/acme/teams?per_page=7"].contains("Lost 2")));
    clusters.tell("kill", "first");
    proxy.lead_to(&second);
    clusters.tell("again", "second");
    clusters.tell("promote", "second");
    // The second node does not look before there are as many entries.
    until("lists are served", || owners[0].get("/orgs/acme/teams?per_page=7").status == 200);
    assert!(!shown(&owners[0])["/orgs/acme/teams?per_page=7"].contains("Lost"));
    owners[0].patch("/orgs/acme", json!({ "company": "Alone" })).expect(200);
    make("Kept");
    let fresh = clusters.node(2, &url);
    let right = shown(&fresh.admin());
    assert!(owners.iter().all(|owner| shown(owner) == right), "{:#?}", owners.iter().map(shown).collect::<Vec<_>>());
    clusters.must_be_well(&second);
}
