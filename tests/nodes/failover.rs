//! Several nodes on one PostgreSQL, and something dies: what their clients are answered meanwhile is linearizable. No
//! write that was acknowledged is lost, none happens twice, and no read is stale.

use crate::clusters::Clusters;
use crate::load::Load;
use crate::proxy::Proxy;
use crate::support::database::Database;

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

#[test]
fn postgresql_is_restarted_without_a_shutdown() {
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
            clusters.tell("crash", "server");
            clusters.tell("again", "server");
        }
        load.until_served_by(&[0, 1]);
    });
    load.must_be_linearizable(&[0, 1]);
    clusters.must_be_well(&url);
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
