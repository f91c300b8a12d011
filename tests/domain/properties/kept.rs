//! The memory of a server is the same as what it would compute again: after any change, two servers that run for long
//! respond like a third that has just started (docs/decisions/0023-what-is-kept-in-memory.md). Concurrent requests come
//! in any order, so a seed does not always lead to the same failure.
//!
//! A server sees what it has written itself at once, and what others have written after at most [`TO_BE_SEEN`].

mod changes;
mod looks;
mod requests;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use guildhall::access::token::{self, New};
use guildhall::db::Address;
use guildhall::people::user;
use guildhall::scope::Scopes;

use crate::support::database::Database;
use crate::support::{Client, World, json};
use looks::Look;

/// After what time a commit of one process is seen by every other on SQLite.
const TO_BE_SEEN: Duration = Duration::from_millis(50);

/// All users who act or are acted on, by their first login; Olivia always owns, and Sam administers the site.
const PEOPLE: [&str; 7] = ["olivia", "sam", "max", "tom", "eve", "ray", "nina"];

/// The number of teams that are looked at and changed most.
const NEWEST: usize = 5;

/// The holder of the token that expires, which is another token of Tom's.
const ENDING: &str = "the token that ends";

/// The same host for all, since answers and their tags hold it.
const HOST: &str = "guildhall.example";

/// The size of the test: PostgreSQL is slower.
struct Size {
    seeds: u64,
    rounds: usize,
    looks: usize,
}

fn size() -> Size {
    if Database::is_postgres() {
        Size { seeds: 3, rounds: 8, looks: 25 }
    } else {
        Size { seeds: 6, rounds: 20, looks: 30 }
    }
}

/// Numbers that are the same for the same seed.
pub struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % below as u64).expect("a small number")
    }

    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// Everybody at one server.
type Clients = BTreeMap<&'static str, Client>;

/// A store with the servers on it, and what the test knows of it.
pub struct Town {
    nodes: [World; 2],
    clients: Vec<Clients>,
    /// Another token of Tom's, that ends.
    ending: String,
    /// By how much the clocks were put forward.
    seconds: i64,
    /// The logins that people have now, in the order of [`PEOPLE`].
    logins: Vec<String>,
    /// Every team that there was.
    teams: BTreeSet<i64>,
    /// The server that wrote last, if no other has since.
    writer: Option<usize>,
    last_write: Instant,
    log: Mutex<Vec<String>>,
    data_dir: tempfile::TempDir,
}

impl Town {
    fn new() -> Self {
        let first = World::new();
        // Tokens are made before the second node copies them.
        for login in PEOPLE {
            first.client(login);
        }
        first.olivia().post("/orgs/acme/repos", json!({ "name": "engine" })).expect(201);
        let nodes = [first.second_server(), first];
        let mut town = Self {
            clients: Vec::new(),
            ending: String::new(),
            nodes,
            seconds: 0,
            logins: PEOPLE.map(str::to_owned).into(),
            teams: [1].into(),
            writer: None,
            last_write: Instant::now(),
            log: Mutex::default(),
            data_dir: tempfile::tempdir().expect("a directory"),
        };
        town.new_ending_token(3_600);
        town
    }

    fn everybody(&self, node: &World) -> Clients {
        let people = PEOPLE.into_iter().map(|who| (who, node.client(who)));
        let all = people.chain([(ENDING, Client::new(&node.base, Some(&self.ending)))]);
        all.map(|(who, client)| (who, client.with("Host", HOST))).collect()
    }

    fn client(&self, node: usize, who: &str) -> &Client {
        &self.clients[node][who]
    }

    fn note(&self, what: String) {
        self.log.lock().expect("nobody panicked").push(what);
    }

    /// Gives Tom another token that ends after this time.
    fn new_ending_token(&mut self, seconds: i64) {
        let (now, login) = (self.nodes[0].now(), self.logins[3].clone());
        let made = self.nodes[0].db.write(move |tx| {
            let scopes = Scopes::parse("admin:org,repo,user").expect("known scopes");
            let (user, expires_at) = (user::by_login(tx, &login)?.id, Some(now.plus_seconds(seconds)));
            let new = New {
                user,
                kind: "personal",
                made_by: None,
                scopes,
                note: None,
                expires_at,
                effective_teams: false,
                application: None,
            };
            token::create(tx, &new, None, "ghp_", now)
        });
        self.ending = self.nodes[0].block_on(made).expect("a token").1;
        self.clients = self.nodes.iter().map(|node| self.everybody(node)).collect();
        self.wrote(None);
    }

    fn wrote(&mut self, node: Option<usize>) {
        (self.writer, self.last_write) = (node, Instant::now());
    }

    fn advance(&mut self, seconds: i64) {
        self.seconds += seconds;
        for node in &self.nodes {
            node.advance(seconds);
        }
    }

    /// Runs the program, in a process of its own, on the same store; whether it did what it was told.
    fn program(&self, arguments: &[&str]) -> bool {
        let database = match self.nodes[0].address() {
            Address::Sqlite(path) => format!("sqlite:{}", path.display()),
            Address::Postgres(url) => url.clone(),
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_guildhall"));
        command.env_clear().args(arguments).arg("--data-dir").arg(self.data_dir.path()).args(["--database", &database]);
        let output = command.output().expect("the program runs");
        self.note(String::from_utf8_lossy(&output.stderr).into_owned());
        output.status.success()
    }

    /// Waits until every server must see what any has written. What is promised is a time, so nothing else tells, and
    /// waiting for longer than that does no harm.
    fn wait(&self) {
        if !Database::is_postgres() {
            std::thread::sleep(TO_BE_SEEN.saturating_sub(self.last_write.elapsed()));
        }
    }

    /// Fails unless the servers show what one shows that has kept nothing.
    fn compare(&mut self, seed: u64, looks: &[Look]) {
        let mut shown = Vec::new();
        if let Some(node) = self.writer {
            shown.extend(looks.iter().map(|look| ("at once", node, look, look.at(self.client(node, look.who)))));
        }
        self.wait();
        for node in 0..self.nodes.len() {
            // Some is kept only when it is asked for again, and each thread of a server keeps for itself.
            for time in ["first", "second", "third"] {
                shown.extend(looks.iter().map(|look| (time, node, look, look.at(self.client(node, look.who)))));
            }
        }
        let fresh = self.nodes[0].second_server();
        fresh.advance(self.seconds);
        let clients = self.everybody(&fresh);
        let right: BTreeMap<&Look, _> = looks.iter().map(|look| (look, look.at(&clients[look.who]))).collect();
        for (time, node, look, shown) in shown {
            let log = self.log.lock().expect("nobody panicked");
            let log = &log[log.len().saturating_sub(40)..];
            assert_eq!(shown, right[look], "seed {seed}: {look:?} of server {node}, {time}, after {log:#?}");
        }
        let teams = clients["olivia"].all("/organizations/1/teams?per_page=100");
        self.teams.extend(teams.iter().filter_map(|team| team["id"].as_i64()));
    }
}

fn run(seed: u64, size: &Size) {
    let (mut town, mut dice) = (Town::new(), Dice::new(seed));
    for _ in 0..size.rounds {
        for _ in 0..=dice.below(5) {
            changes::step(&mut town, &mut dice);
            // What is asked for in between is kept at that moment, and is to be forgotten later.
            let all = looks::all(&town);
            let node = dice.below(2);
            for _ in 0..dice.below(12) {
                let look = dice.one(&all);
                look.at(town.client(node, look.who));
            }
        }
        let all = looks::all(&town);
        let some = (0..size.looks).map(|_| dice.one(&all));
        let looks: BTreeSet<Look> = looks::always(&town).into_iter().chain(some).collect();
        town.compare(seed, &looks.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn what_is_kept_is_what_would_be_made_anew() {
    let size = size();
    for seed in 0..size.seeds {
        run(seed, &size);
    }
}
