//! Several nodes on one PostgreSQL answer like one: histories of concurrent reads and writes at two and three of them are
//! linearizable, also while connections are cut in the middle of COMMIT. SQLite promises less across processes.

use std::time::Duration;

use guildhall::db::Address;

use crate::proxy::{Cut, Proxy};
use crate::registers::Registers;
use crate::support::World;
use crate::support::world::Settings;

/// How long the clients go on.
const LASTS: Duration = Duration::from_secs(4);

fn stress(nodes: &[&World]) {
    let registers = Registers::make(&nodes[0].olivia());
    let owner = |node: &&World| (node.base.clone(), node.olivia().token.expect("a token"));
    registers.stress(&nodes.iter().map(owner).collect::<Vec<_>>(), LASTS, || {});
    registers.must_be_linearizable();
}

fn url(world: &World) -> Option<&str> {
    match world.address() {
        Address::Postgres(url) => Some(url),
        Address::Sqlite(_) => None,
    }
}

#[test]
fn two_and_three_nodes_answer_like_one() {
    for number in 2..=3 {
        let first = World::new();
        if url(&first).is_none() {
            return;
        }
        let others: Vec<World> = (1..number).map(|_| first.beside()).collect();
        stress(&std::iter::once(&first).chain(&others).collect::<Vec<_>>());
    }
}

#[test]
fn nodes_answer_like_one_while_commits_are_cut() {
    for cut in [Cut::Before, Cut::After] {
        let first = World::new();
        let Some(url) = url(&first) else { return };
        let proxy = Proxy::before(url);
        let second = World::on(&Address::Postgres(proxy.url(url)), Settings::default());
        second.olivia();
        proxy.cut(cut, 5);
        stress(&[&first, &second]);
        assert!(proxy.cuts() > 2, "{} cuts", proxy.cuts());
    }
}
