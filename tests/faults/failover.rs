//! Several nodes on one PostgreSQL, and something dies: what their clients are answered meanwhile is linearizable. No
//! write that was acknowledged is lost, none happens twice, and no read is stale.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::{ADMIN_TOKEN, SERVE, Server, bare, text};
use crate::proxy::Proxy;
use crate::registers::Registers;
use crate::support::database::Database;
use crate::support::json;

/// How long clients go on before and after something dies.
const LASTS: Duration = Duration::from_secs(8);

/// Until nodes serve again after PostgreSQL does.
const BACK: Duration = Duration::from_secs(20);

/// Servers of PostgreSQL of their own, which others do not miss.
struct Clusters {
    directory: tempfile::TempDir,
    made: Vec<&'static str>,
}

impl Clusters {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        // The server may have a user of its own.
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
        Self { directory, made: Vec::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn script(&self, verb: &str, name: &str, further: Option<&str>) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/postgres");
        let mut command = Command::new(script);
        command.arg(verb).arg(self.path(name)).args(further.map(|other| self.path(other)));
        let done = command.output().expect("bash");
        assert!(done.status.success(), "{verb}: {}{}", text(&done.stdout), text(&done.stderr));
        text(&done.stdout).trim().to_owned()
    }

    /// Makes a server, or a standby of another one; its URL.
    fn make(&mut self, name: &'static str, of: Option<&str>) -> String {
        self.made.push(name);
        self.script(if of.is_some() { "standby" } else { "start" }, name, of)
    }

    /// So many nodes on this database, each with a data directory of its own and all with one key.
    fn nodes(&self, url: &str, number: usize) -> Vec<Server> {
        let node = |node: usize| {
            if node > 0 {
                let (from, to) = (self.path("node-0/guildhall.key"), self.path(&format!("node-{node}/guildhall.key")));
                fs::create_dir(to.parent().expect("a directory")).expect("a directory");
                fs::copy(from, to).expect("a copy of the key");
            }
            Server::within("exec \"$@\"", &self.arguments(url, node, &SERVE))
        };
        (0..number).map(node).collect()
    }

    fn arguments(&self, url: &str, node: usize, command: &[&str]) -> Vec<String> {
        let mut arguments: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        arguments.extend(["--data-dir".into(), self.path(&format!("node-{node}")).display().to_string()]);
        arguments.extend(["--database".into(), url.to_owned()]);
        arguments
    }

    #[track_caller]
    fn must_be_well(&self, url: &str) {
        let doctor = bare(&self.arguments(url, 0, &["doctor"])).output().expect("the program runs");
        assert!(doctor.status.success(), "{}{}", text(&doctor.stdout), text(&doctor.stderr));
    }
}

impl Drop for Clusters {
    fn drop(&mut self) {
        for name in &self.made {
            self.script("stop", name, None);
        }
    }
}

fn owner(node: &Server) -> (String, String) {
    (node.base.clone(), ADMIN_TOKEN.to_owned())
}

fn registers(node: &Server) -> Registers {
    node.admin().post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
    Registers::make(&node.admin())
}

/// Waits until some operations more are answered.
#[track_caller]
fn until_it_goes_on(registers: &Registers) {
    let (since, before) = (Instant::now(), registers.answered());
    while registers.answered() < before + 20 {
        assert!(since.elapsed() < BACK, "the nodes do not serve again");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_node_of_three_is_killed() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let url = clusters.make("server", None);
    let mut nodes = clusters.nodes(&url, 3);
    let registers = registers(&nodes[0]);
    let owners: Vec<_> = nodes.iter().map(owner).collect();
    registers.stress(&owners, LASTS, || {
        until_it_goes_on(&registers);
        nodes.remove(1).kill();
        until_it_goes_on(&registers);
    });
    registers.must_be_linearizable();
    clusters.must_be_well(&url);
}

#[test]
fn postgresql_crashes_and_starts_again() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let url = clusters.make("server", None);
    let nodes = clusters.nodes(&url, 2);
    let registers = registers(&nodes[0]);
    registers.stress(&nodes.iter().map(owner).collect::<Vec<_>>(), 2 * LASTS, || {
        for _ in 0..2 {
            until_it_goes_on(&registers);
            clusters.script("crash", "server", None);
            clusters.script("again", "server", None);
        }
        until_it_goes_on(&registers);
    });
    registers.must_be_linearizable();
    clusters.must_be_well(&url);
}

#[test]
fn a_synchronous_standby_takes_over_from_a_primary_that_was_killed() {
    if !Database::is_postgres() {
        return;
    }
    let mut clusters = Clusters::new();
    let first = clusters.make("first", None);
    let second = clusters.make("second", Some("first"));
    let proxy = Proxy::before(&first);
    let url = proxy.url(&first);
    let nodes = clusters.nodes(&url, 2);
    let registers = registers(&nodes[0]);
    registers.stress(&nodes.iter().map(owner).collect::<Vec<_>>(), 2 * LASTS, || {
        until_it_goes_on(&registers);
        clusters.script("crash", "first", None);
        // The nodes may reach it before it is a primary.
        proxy.lead_to(&second);
        clusters.script("promote", "second", None);
        until_it_goes_on(&registers);
    });
    registers.must_be_linearizable();
    clusters.must_be_well(&second);
}
