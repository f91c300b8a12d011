//! Clients of all nodes who read and write at once while something happens. What they are answered has to be
//! linearizable: no acknowledged write is lost, nothing is done twice, no read is stale.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::nodes::posts::Posts;
use crate::nodes::registers::Register;
use crate::support::waiting::until;
use crate::support::{Client, json};

const TEAMS: usize = 3;

/// The number of clients at each node. The first writes.
const CLIENTS: usize = 3;

/// The pause of a client whose node does not answer.
const PAUSE: Duration = Duration::from_millis(20);

/// The numbers of writes and reads of a node that show that it serves.
const SERVED: (usize, usize) = (8, 40);

#[derive(Default)]
struct Team {
    description: Register,
    posts: Posts,
}

/// The number of requests that a node has answered.
#[derive(Default)]
struct Answered {
    writes: AtomicUsize,
    reads: AtomicUsize,
}

pub struct Load {
    /// An owner of the organization, at each node.
    nodes: Vec<Client>,
    teams: [Team; TEAMS],
    answered: Vec<Answered>,
    ended: AtomicBool,
}

/// Ends a load, also when what happens meanwhile fails.
struct End<'l>(&'l Load);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.ended.store(true, Ordering::SeqCst);
    }
}

impl Load {
    /// Makes teams in the organization acme.
    pub fn new(nodes: Vec<Client>) -> Self {
        for team in 0..TEAMS {
            let body = json!({ "name": format!("R{team}"), "description": "0", "privacy": "closed" });
            nodes[0].post("/orgs/acme/teams", body).expect(201);
        }
        let answered = nodes.iter().map(|_| Answered::default()).collect();
        Self { nodes, teams: Default::default(), answered, ended: AtomicBool::new(false) }
    }

    /// Has clients of all nodes read and write until this has happened.
    pub fn run(&self, meanwhile: impl FnOnce()) {
        std::thread::scope(|scope| {
            for node in 0..self.nodes.len() {
                for client in 0..CLIENTS {
                    scope.spawn(move || self.go_on(node, client));
                }
            }
            let _end = End(self);
            meanwhile();
        });
    }

    fn go_on(&self, node: usize, client: usize) {
        let (owner, mut next) = (&self.nodes[node], crate::nodes::sequence(10 * node + client));
        while !self.ended.load(Ordering::SeqCst) {
            let number = next(TEAMS);
            let (Team { description, posts }, answered) = (&self.teams[number], &self.answered[node]);
            let (done, counted) = match next(12) {
                0..4 if client == 0 => (description.write(owner, number), &answered.writes),
                4 if client == 0 => (posts.make(owner, number), &answered.writes),
                5 => (posts.list(owner, number), &answered.reads),
                _ => (description.read(owner, number), &answered.reads),
            };
            if done {
                counted.fetch_add(1, Ordering::SeqCst);
            } else {
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Waits until each of these nodes has answered some more reads and writes.
    #[track_caller]
    pub fn until_served_by(&self, nodes: &[usize]) {
        let counts = || nodes.iter().map(|node| &self.answered[*node]).map(Answered::counts);
        let before: Vec<_> = counts().collect();
        let is_served = |((writes, reads), before): ((usize, usize), &(usize, usize))| {
            writes >= before.0 + SERVED.0 && reads >= before.1 + SERVED.1
        };
        until("the nodes serve", || counts().zip(&before).all(is_served));
    }

    /// Reads everything once more on each of these nodes. Fails unless a single node could have given all of these
    /// responses.
    #[track_caller]
    pub fn must_be_linearizable(&self, nodes: &[usize]) {
        for node in nodes {
            for (number, team) in self.teams.iter().enumerate() {
                let owner = &self.nodes[*node];
                let read = || team.description.read(owner, number) && team.posts.list(owner, number);
                until("everything is read once more", read);
            }
        }
        for Team { description, posts } in &self.teams {
            description.must_be_linearizable();
            posts.must_be_linearizable();
        }
    }
}

impl Answered {
    fn counts(&self) -> (usize, usize) {
        (self.writes.load(Ordering::SeqCst), self.reads.load(Ordering::SeqCst))
    }
}
