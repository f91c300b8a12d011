//! Several nodes on one PostgreSQL respond like one: histories of concurrent reads and writes on two and three of them
//! are linearizable, even if connections are cut in the middle of COMMIT. SQLite promises less across processes.

use guildhall::db::Address;
use guildhall::doctor;

use crate::nodes::as_served;
use crate::nodes::load::Load;
use crate::nodes::proxy::{Cut, Proxy};
use crate::support::World;
use crate::support::waiting::until;

/// The number of times that a commit is cut at least.
const CUTS: usize = 6;

fn owners(nodes: &[World]) -> Vec<crate::support::Client> {
    nodes.iter().map(World::olivia).collect()
}

fn must_be_well(node: &World) {
    let findings = node.block_on(doctor::run(&node.db, &[7; 32])).expect("doctor can look").findings;
    assert!(findings.is_empty(), "{findings:#?}");
}

fn nodes_answer_like_one(number: usize) {
    let first = World::with(as_served());
    if let Address::Sqlite(_) = first.address() {
        return;
    }
    let mut nodes = vec![first];
    nodes.extend((1..number).map(|_| nodes[0].second_server_with(as_served())).collect::<Vec<_>>());
    let (load, all) = (Load::new(owners(&nodes)), (0..number).collect::<Vec<_>>());
    load.run(|| (0..5).for_each(|_| load.until_served_by(&all)));
    load.must_be_linearizable(&all);
    must_be_well(&nodes[0]);
}

#[test]
fn two_nodes_answer_like_one() {
    nodes_answer_like_one(2);
}

#[test]
fn three_nodes_answer_like_one() {
    nodes_answer_like_one(3);
}

fn nodes_answer_like_one_while_commits_are_cut(cut: Cut) {
    let first = World::with(as_served());
    let Address::Postgres(url) = first.address() else { return };
    let proxy = Proxy::before(url);
    let second = World::on(&Address::Postgres(proxy.url(url)), as_served());
    let nodes = [first, second];
    let load = Load::new(owners(&nodes));
    load.run(|| {
        proxy.cut(cut, 4);
        until("commits are cut", || proxy.cuts() >= CUTS);
        load.until_served_by(&[0, 1]);
        proxy.cut(Cut::Nowhere, 1);
        load.until_served_by(&[0, 1]);
    });
    load.must_be_linearizable(&[0, 1]);
    must_be_well(&nodes[0]);
}

#[test]
fn nodes_answer_like_one_while_commits_do_not_arrive() {
    nodes_answer_like_one_while_commits_are_cut(Cut::Before);
}

#[test]
fn nodes_answer_like_one_while_answers_to_commits_are_lost() {
    nodes_answer_like_one_while_commits_are_cut(Cut::After);
}
