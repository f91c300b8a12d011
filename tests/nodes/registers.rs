//! Registers that clients of several nodes read and write at once: the descriptions of a few teams. What the clients are
//! answered has to be linearizable.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::history::{Action, History, is_linearizable};
use crate::support::{Client, json};

const TEAMS: usize = 3;

/// How many clients there are at each node. The first writes.
const CLIENTS: usize = 3;

/// The pause of a client whose node does not answer.
const PAUSE: Duration = Duration::from_millis(20);

/// The teams, each with its history.
pub struct Registers {
    histories: [History; TEAMS],
    /// The last value that was written.
    last: AtomicU64,
    /// How many operations were answered.
    answered: AtomicUsize,
}

impl Registers {
    /// Makes the teams in the organization acme.
    pub fn make(owner: &Client) -> Self {
        for team in 0..TEAMS {
            let body = json!({ "name": format!("R{team}"), "description": "0", "privacy": "closed" });
            owner.post("/orgs/acme/teams", body).expect(201);
        }
        Self { histories: Default::default(), last: AtomicU64::new(0), answered: AtomicUsize::new(0) }
    }

    /// Has clients of all nodes read and write for some time, while something else happens. Each node is given by its
    /// URL and the token of an owner.
    pub fn stress(&self, nodes: &[(String, String)], lasts: Duration, meanwhile: impl FnOnce()) {
        let end = Instant::now() + lasts;
        std::thread::scope(|scope| {
            for (number, (base, token)) in nodes.iter().enumerate() {
                for client in 0..CLIENTS {
                    let owner = Client::new(base, Some(token));
                    scope.spawn(move || self.go_on(&owner, (10 * number + client, client == 0), end));
                }
            }
            meanwhile();
        });
    }

    /// How many operations were answered by now.
    pub fn answered(&self) -> usize {
        self.answered.load(Ordering::SeqCst)
    }

    /// Fails unless one register could have answered so.
    #[track_caller]
    pub fn must_be_linearizable(&self) {
        for history in &self.histories {
            let operations = history.operations();
            let written = operations.iter().filter(|one| matches!(one.action, Action::Write(_))).count();
            assert!(written > 5 && operations.len() > 50, "{written} of {} are writes", operations.len());
            assert!(is_linearizable(&operations), "{operations:#?}");
        }
    }

    fn go_on(&self, owner: &Client, (seed, writes): (usize, bool), end: Instant) {
        let mut step = seed;
        while Instant::now() < end {
            // A sequence that differs from client to client.
            step = step.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (team, dice) = ((step >> 33) % TEAMS, (step >> 40) % 3);
            let known = if writes && dice == 0 { self.write(owner, team) } else { self.read(owner, team) };
            if known {
                self.answered.fetch_add(1, Ordering::SeqCst);
            } else {
                std::thread::sleep(PAUSE);
            }
        }
    }

    fn write(&self, owner: &Client, team: usize) -> bool {
        let value = self.last.fetch_add(1, Ordering::SeqCst) + 1;
        let change = json!({ "name": format!("R{team}"), "description": value.to_string() }).to_string();
        self.histories[team].record(|| {
            let answer = owner.attempt("PATCH", &format!("/orgs/acme/teams/r{team}"), Some(change));
            let status = answer.map_or(503, |answer| answer.status);
            assert!([200, 503].contains(&status), "a write was answered with {status}");
            (Action::Write(value), status == 200)
        })
    }

    fn read(&self, owner: &Client, team: usize) -> bool {
        self.histories[team].record(|| {
            let Ok(answer) = owner.attempt("GET", &format!("/orgs/acme/teams/r{team}"), None) else {
                return (Action::Read(0), false);
            };
            assert!([200, 503].contains(&answer.status), "a read was answered with {}", answer.text);
            if answer.status == 503 {
                return (Action::Read(0), false);
            }
            let description = answer.expect(200)["description"].as_str().expect("a description").to_owned();
            (Action::Read(description.parse().expect("a number")), true)
        })
    }
}
