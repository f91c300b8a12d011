//! Several nodes on one PostgreSQL answer like one: histories of concurrent reads and writes at two and three of them are
//! linearizable, also while connections are cut in the middle of COMMIT. SQLite promises less across processes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use guildhall::db::Address;

use crate::history::{Action, History, is_linearizable};
use crate::proxy::{Cut, Proxy};
use crate::support::world::Settings;
use crate::support::{Client, World, json};

/// How long the clients go on.
const LASTS: Duration = Duration::from_secs(4);

/// The registers: descriptions of so many teams.
const TEAMS: usize = 3;

/// How many clients there are at each node. The first writes.
const CLIENTS: usize = 3;

/// The teams, each with its history.
struct Registers {
    histories: [History; TEAMS],
    /// The last value that was written.
    last: AtomicU64,
}

impl Registers {
    fn make(world: &World) -> Self {
        for team in 0..TEAMS {
            world
                .olivia()
                .post("/orgs/acme/teams", json!({ "name": format!("R{team}"), "description": "0" }))
                .expect(201);
        }
        Self { histories: Default::default(), last: AtomicU64::new(0) }
    }

    fn write(&self, client: &Client, team: usize) {
        self.histories[team].record(|| {
            let value = self.last.fetch_add(1, Ordering::SeqCst) + 1;
            let change = json!({ "name": format!("R{team}"), "description": value.to_string() });
            let answer = client.patch(&format!("/orgs/acme/teams/r{team}"), change);
            assert!([200, 503].contains(&answer.status), "{}", answer.text);
            (Action::Write(value), answer.status == 200)
        });
    }

    fn read(&self, client: &Client, team: usize) {
        self.histories[team].record(|| {
            let answer = client.get(&format!("/orgs/acme/teams/r{team}"));
            if answer.status != 200 {
                assert_eq!(answer.status, 503, "{}", answer.text);
                return (Action::Read(0), false);
            }
            let description = answer.expect(200)["description"].as_str().expect("a description").to_owned();
            (Action::Read(description.parse().expect("a number")), true)
        });
    }

    /// Has clients of all nodes read and write for some time, then checks what they were answered.
    fn stress(&self, nodes: &[&World]) {
        let end = Instant::now() + LASTS;
        std::thread::scope(|scope| {
            for (number, node) in nodes.iter().enumerate() {
                for client in 0..CLIENTS {
                    scope.spawn(move || {
                        let olivia = node.olivia();
                        let mut next = crate::sequence(10 * number + client);
                        while Instant::now() < end {
                            let team = next(TEAMS);
                            if client == 0 && next(3) == 0 {
                                self.write(&olivia, team);
                            } else {
                                self.read(&olivia, team);
                            }
                        }
                    });
                }
            }
        });
        for history in &self.histories {
            let operations = history.operations();
            let written = operations.iter().filter(|one| matches!(one.action, Action::Write(_))).count();
            assert!(written > 5 && operations.len() > 50, "{written} of {} are writes", operations.len());
            assert!(is_linearizable(&operations), "{operations:#?}");
        }
    }
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
        let nodes: Vec<&World> = std::iter::once(&first).chain(&others).collect();
        Registers::make(&first).stress(&nodes);
    }
}

#[test]
fn nodes_answer_like_one_while_commits_are_cut() {
    for cut in [Cut::Before, Cut::After] {
        let first = World::new();
        let Some(url) = url(&first) else { return };
        let (_, server) = url.split_once('@').expect("a user");
        let proxy = Proxy::before(server.split('/').next().expect("a server"));
        let second = World::on(&Address::Postgres(proxy.url(url)), Settings::default());
        let registers = Registers::make(&first);
        proxy.cut(cut, 5);
        registers.stress(&[&first, &second]);
        assert!(proxy.cuts() > 2, "{} cuts", proxy.cuts());
    }
}
