//! Servers of PostgreSQL of their own, which other tests do not miss, and nodes that are processes of their own.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::process::Command;

use crate::faults::program::{Server, bare, text};
use crate::support::{Client, json};

/// The arguments that begin a node. Its clients are fast, and make as many posts as they like.
const SERVE: [&str; 9] = [
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--rate-limit-enabled",
    "false",
    "--abuse-limit-per-minute",
    "100000",
    "--abuse-limit-per-hour",
    "100000",
];

/// No test cuts the power.
const FAST: &str = "fsync=off";

pub struct Clusters {
    directory: tempfile::TempDir,
    made: Vec<&'static str>,
}

impl Clusters {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        // The server may have a user of its own.
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
        Self { directory, made: Vec::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Makes a server; its URL.
    pub fn start(&mut self, name: &'static str) -> String {
        self.start_with(name, &[])
    }

    /// The same with further settings.
    pub fn start_with(&mut self, name: &'static str, settings: &[&str]) -> String {
        self.made.push(name);
        let settings: Vec<String> = std::iter::once(&FAST).chain(settings).map(|one| (*one).to_owned()).collect();
        self.run("start", name, &settings)
    }

    /// Makes a standby that a server waits for at each commit; its URL.
    pub fn standby(&mut self, name: &'static str, primary: &str) -> String {
        self.made.push(name);
        self.run("standby", name, &[self.path(primary).display().to_string(), FAST.into()])
    }

    /// Has the script do this to a server.
    pub fn tell(&self, verb: &str, name: &str) {
        self.run(verb, name, &[]);
    }

    fn run(&self, verb: &str, name: &str, further: &[String]) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/postgres");
        let done = Command::new(script).arg(verb).arg(self.path(name)).args(further).output().expect("bash");
        assert!(done.status.success(), "{verb}: {}{}", text(&done.stdout), text(&done.stderr));
        text(&done.stdout).trim().to_owned()
    }

    /// A node on this database. It has a data directory of its own and the key that all share.
    pub fn node(&self, number: usize, url: &str) -> Server {
        let (own, first) = (self.path(&format!("node{number}")), self.path("node0"));
        if number > 0 {
            fs::create_dir(&own).expect("a directory");
            fs::copy(first.join("guildhall.key"), own.join("guildhall.key")).expect("the key of the first node");
        }
        Server::start(self.serve(&format!("node{number}"), url))
    }

    /// The command that begins a node in this data directory.
    pub fn serve(&self, node: &str, url: &str) -> Command {
        bare(&self.arguments(node, url, &SERVE))
    }

    pub fn doctor(&self, url: &str) -> Command {
        bare(&self.arguments("node0", url, &["doctor"]))
    }

    /// A file that only the servers may read; its path.
    pub fn file(&self, name: &str, content: &str) -> String {
        let path = self.path(name);
        fs::write(&path, content).expect("to write");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permissions");
        // The script has another user run the servers of root.
        if fs::metadata(&path).expect("a file").uid() == 0 {
            let given = |user: &str| Command::new("chown").arg(user).arg(&path).status().expect("chown runs").success();
            assert!(given("postgres") || given("nobody"));
        }
        path.display().to_string()
    }

    /// So many nodes on this database, and an owner of the organization acme at each.
    pub fn nodes(&self, number: usize, url: &str) -> (Vec<Server>, Vec<Client>) {
        let nodes: Vec<Server> = (0..number).map(|number| self.node(number, url)).collect();
        nodes[0].admin().post("/admin/organizations", json!({ "login": "acme", "admin": "site-admin" })).expect(201);
        let owners = nodes.iter().map(Server::admin).collect();
        (nodes, owners)
    }

    fn arguments(&self, node: &str, url: &str, command: &[&str]) -> Vec<String> {
        let mut arguments: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        arguments.extend(["--data-dir".into(), self.path(node).display().to_string()]);
        arguments.extend(["--database".into(), url.to_owned()]);
        arguments
    }

    /// Fails unless doctor finds nothing.
    #[track_caller]
    pub fn must_be_well(&self, url: &str) {
        let doctor = self.doctor(url).output().expect("the program runs");
        assert!(doctor.status.success(), "{}: {}{}", doctor.status, text(&doctor.stdout), text(&doctor.stderr));
    }
}

impl Drop for Clusters {
    fn drop(&mut self) {
        for name in &self.made {
            self.tell("stop", name);
        }
    }
}
